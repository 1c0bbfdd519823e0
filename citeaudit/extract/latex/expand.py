r"""Join the files of a LaTeX document into one source, as TeX would read them: without comments and dead text.

A pass over lines, no TeX: `\input` and its kin are followed inside the folder of the main file, comments,
`\iffalse … \fi` and verbatim environments are left out, `filecontents` become files.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

from citeaudit.extract.latex.files import Files, inside

MAX_CHARS = 20_000_000
"""Characters of joined source; a thesis takes about two million."""
MAX_FILES = 2_000
MAX_DEPTH = 20
"""Files that include one another."""
MAX_LINE = 200_000
"""Characters of a line that are looked at."""

_INSTALLED = frozenset({"glyphtounicode", "glyphtounicode-cmr", "pdfcolmk", "plain", "random", "xy", "epsf", "tikz"})
"""Files of every TeX installation, which no author keeps beside a manuscript."""
_COMMENT = re.compile(r"\\[^\n]|(%)")
_ADDRESS_OPEN = re.compile(r"\\(?:url|href|path|nolinkurl|doi|hyperlink)\s{0,3}\{[^{}\s]{0,2000}$")
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^A-Za-z\s*{}\[\]])([^\n]{0,300}?)\1")
_SPECIAL = re.compile(r"[\\{}$%&#^_~]")
_EVENT = re.compile(
    r"\\begin\s{0,3}\{(?P<raw>[A-Za-z]{0,20}(?:[Vv]erbatim|[Ll]istings?|[Cc]ode(?:Input|Output)?)\*?|minted|comment|"
    r"alltt|S(?:in|out)put|filecontents\*?)\}|"
    r"(?P<off>\\iffalse(?![A-Za-z@])|\\if0(?!\d))|"
    r"(?P<end>\\endinput(?![A-Za-z@])|\\end\s{0,3}\{document\})|(?P<start>\\begin\s{0,3}\{document\})|"
    r"\\(?:input|include|subfile|subfileinclude|loglist)\s{0,3}\{(?P<file>[^{}]{1,300})\}|"
    r"\\input\s{1,3}(?P<bare>[\w./-]{1,300})|"
    r"\\InputIfFileExists\s{0,3}\{(?P<maybe>[^{}]{1,300})\}|"
    r"\\(?:sub)?(?:import|inputfrom|includefrom)\*?\s{0,3}\{(?P<dir>[^{}]{0,300})\}\s{0,3}\{(?P<name>[^{}]{1,300})\}"
)
_CONDITION = re.compile(r"\\(?P<word>if[A-Za-z@]*|else|fi)(?![A-Za-z@])")
_NO_CONDITION = frozenset({"iff", "ifthenelse", "iflanguage", "ifblank", "ifstrequal", "ifbool", "iftoggle"})
_CONTENTS_NAME = re.compile(r"\s*(?:\[[^\]]{0,100}\])?\s*\{([^{}]{1,300})\}(.*)", re.DOTALL)


class Spot(NamedTuple):
    """From this offset of the joined source on, the text stands in this file at this 1-based line."""

    start: int
    file: str
    line: int


class Contents(NamedTuple):
    """A file that a source holds in a `filecontents` environment."""

    text: str
    file: str
    """The source that holds it."""
    line: int
    """1-based line of its first line there."""


@dataclass(slots=True)
class Source:
    """A joined source."""

    text: str = ""
    spots: list[Spot] = field(default_factory=list)
    """Sorted by start."""
    used: list[str] = field(default_factory=list)
    """Files that were read, the main file first; relative names."""
    missing: list[str] = field(default_factory=list)
    """What could not be included: names as they stand in the source."""
    contents: dict[str, Contents] = field(default_factory=dict)
    begun: int | None = None
    r"""Offset right after `\begin{document}`; `None` for a fragment."""
    notes: list[str] = field(default_factory=list)

    def spot(self, offset: int) -> Spot | None:
        """Give where an offset of the text stands; `None` in an empty source."""
        at = bisect_right(self.spots, offset, key=lambda spot: spot.start)
        return self.spots[at - 1] if at else None


@dataclass(slots=True)
class _State:
    """Where the pass stands in one file."""

    name: str
    folder: str
    is_main: bool
    until: str = ""
    keep: list[str] | None = None
    kept_name: str = ""
    kept_line: int = 0
    off: int = 0
    ended: bool = False
    preamble: bool = False
    """Inside the preamble of a sub-document, which its main file leaves out."""


class _Expander:
    def __init__(self, files: Files) -> None:
        self.files = files
        self.out: list[str] = []
        self.length = 0
        self.source = Source()
        self.stack: list[str] = []
        self.ended = False

    # --- files -------------------------------------------------------------------------------------------

    def find(self, name: str, folder: str) -> str | None:
        """Give the first file that a name can mean: relative to the main file, then to the one that names it."""
        for base in dict.fromkeys(("", folder)):
            joined = inside(posixpath.join(base, name.strip().strip('"')))
            if joined is None:
                continue
            for candidate in (joined + ".tex", joined) if not joined.endswith(".tex") else (joined,):
                if self.files.text(candidate) is not None:
                    return candidate
        return None

    def include(self, name: str, folder: str, *, maybe: bool = False) -> None:
        """Read an included file in place."""
        if "#" in name or "\\" in name:
            return  # inside a definition
        found = self.find(name, folder)
        if found is None:
            if not maybe and name.strip().removesuffix(".tex") not in _INSTALLED:
                self.source.missing.append(name.strip())
            return
        if found in self.stack or len(self.stack) >= MAX_DEPTH or len(self.source.used) >= MAX_FILES:
            self.source.notes.append(
                f"{self.files.shown(found)} includes itself or is included too deep; left out there"
            )
            return
        self.file(found)

    def file(self, name: str) -> None:
        """Add the text of a file."""
        decoded = self.files.text(name)
        if decoded is None:
            return
        if decoded.note:
            self.source.notes.append(f"{self.files.shown(name)}: {decoded.note}")
        if name not in self.source.used:
            self.source.used.append(name)
        self.stack.append(name)
        state = _State(name, posixpath.dirname(name), is_main=len(self.stack) == 1)
        state.preamble = not state.is_main and "\\documentclass" in decoded.text
        for number, line in enumerate(decoded.text.split("\n"), 1):
            if self.length > MAX_CHARS:
                self.source.notes.append(f"only the first {MAX_CHARS:,} characters of the sources were read")
                self.ended = True
            if state.ended or self.ended:
                break
            self.line(line[:MAX_LINE], number, state)
        self.stack.pop()

    # --- lines -------------------------------------------------------------------------------------------

    def emit(self, text: str) -> None:
        if text:
            self.out.append(text)
            self.length += len(text)

    def line(self, line: str, number: int, state: _State) -> None:
        """Take one line."""
        if not state.until:
            line, open_end = _uncommented(line)
        else:
            open_end = False
        if not state.preamble:
            self.source.spots.append(Spot(self.length, state.name, number))
        rest = line
        while rest and not state.ended and not self.ended:
            rest = self.step(rest, number, state)
        if not open_end and not state.until and not state.off and not state.preamble:
            self.emit("\n")

    def step(self, rest: str, number: int, state: _State) -> str:
        """Take the line up to the next event; give what is left of it."""
        if state.until:
            return self.raw(rest, state)
        if state.off:
            return _dead(rest, state)
        match = _EVENT.search(rest)
        if match is None:
            self.emit("" if state.preamble else rest)
            return ""
        self.emit("" if state.preamble else rest[: match.start()])
        after = rest[match.end() :]
        if match["raw"]:
            return self.open(match["raw"], after, number, state)
        if match["off"]:
            state.off = 1
        elif match["end"]:
            state.ended = True
            self.ended = self.ended or (state.is_main and "document" in match["end"])
        elif match["start"]:
            if state.is_main and self.source.begun is None:
                self.source.begun = self.length
            state.preamble = False
        elif not state.preamble:
            self.follow(match, number, state)
        return after

    def follow(self, match: re.Match[str], number: int, state: _State) -> None:
        """Include what a command names."""
        if match["name"]:
            self.include(posixpath.join(match["dir"].strip(), match["name"].strip()), state.folder)
        else:
            name = match["file"] or match["bare"] or match["maybe"]
            self.include(name, state.folder, maybe=match["maybe"] is not None)
        self.source.spots.append(Spot(self.length, state.name, number))

    def open(self, kind: str, after: str, number: int, state: _State) -> str:
        """Enter an environment whose text is not LaTeX."""
        state.until = f"\\end{{{kind}}}"
        if kind.startswith("filecontents"):
            named = _CONTENTS_NAME.match(after)
            if named is not None:
                state.keep, state.kept_name, state.kept_line = [], named.group(1), number + 1
                after = named.group(2) if state.until in named.group(2) else ""
        return after

    def raw(self, rest: str, state: _State) -> str:
        """Take a line inside such an environment."""
        place = rest.find(state.until)
        body = rest if place < 0 else rest[:place]
        if state.keep is not None and (place < 0 or body.strip()):
            state.keep.append(body)
        if place < 0:
            return ""
        after = rest[place + len(state.until) :]
        state.until = ""
        if state.keep is not None:
            name = inside(state.kept_name)
            if name is not None:
                held = Contents("\n".join(state.keep), state.name, state.kept_line)
                self.source.contents.setdefault(name, held)
            state.keep = None
        return after


def _uncommented(line: str) -> tuple[str, bool]:
    """Give a line without its comment, and whether the comment swallows the line end."""
    if "\\verb" in line or "\\lstinline" in line:
        line = _VERB.sub(lambda match: _SPECIAL.sub(" ", match.group(2)), line)
    if "%" not in line:
        return line.strip(" \t") if line.isspace() else line, False
    for match in _COMMENT.finditer(line):
        if match.group(1) is None:
            continue
        before = line[: match.start()]
        if not _ADDRESS_OPEN.search(before[-2_100:]):
            return (before, True) if before.strip() else ("", True)
    return line, False


def _dead(rest: str, state: _State) -> str:
    r"""Skip text that `\iffalse` switches off; give what is left behind its `\else` or `\fi`."""
    for match in _CONDITION.finditer(rest):
        word = match["word"]
        if word.startswith("if"):
            state.off += word not in _NO_CONDITION
        elif word == "fi" or state.off == 1:
            state.off -= 1
        if not state.off:
            return rest[match.end() :]
    return ""


def expand(files: Files, main: str) -> Source:
    r"""Join a main file and what it includes; never raises for what they hold.

    Args:
        files: Where they are.
        main: Relative name of the main file.

    Returns:
        The source up to `\end{document}`; line ends are kept, so that an empty line ends a paragraph.
    """
    expander = _Expander(files)
    expander.file(main)
    source = expander.source
    source.text = "".join(expander.out)
    return source
