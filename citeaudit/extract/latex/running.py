r"""Turn joined LaTeX source into running text with citations, block quotations and notes marked.

A loop over tokens without recursion into arguments: a command that needs to know where its argument ends leaves
a closer on the stack of open braces. Mathematics becomes readable characters; commands that are not known lose
their name and keep their text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files as package_files

from citeaudit.extract.intext.body import Body, MarkKind
from citeaudit.extract.latex.cites import Cite, Macro, call, definitions, is_cite, read_cite
from citeaudit.extract.latex.expand import Source
from citeaudit.extract.latex.files import Files
from citeaudit.extract.latex.scan import braced, bracketed, skip
from citeaudit.extract.latex.sink import Labelled, Sink, assemble
from citeaudit.text.latex import to_text

MAX_EXPANSIONS = 50_000
MAX_NESTING = 8
"""Macros that call one another."""
MAX_MATH = 120
"""Characters of a formula that are converted; longer ones only lose their markup."""
MAX_FORMULA = 20_000
MAX_PACKAGES = 200
MAX_PACKAGE = 500_000
"""Characters of a package that are looked at for commands that cite."""
MAX_WORD = 60
"""Characters of a definition that is a word or a sign."""
MAX_NAME = 200
"""Characters of an environment's name."""

_TOKEN = re.compile(
    r"\\(?P<name>[A-Za-z@]{1,60}\*?)|\\(?P<sign>.)|(?P<brace>[{}])|(?P<math>\$\$?)|(?P<par>\n[ \t]*\n\s*)|"
    r"(?P<text>[^\\{}$\n~`'&-]+|[\n~`'&-])",
    re.DOTALL,
)
_LETTERS = frozenset({"ss", "o", "O", "ae", "AE", "oe", "OE", "l", "L", "aa", "AA", "i", "j", "dh", "DH", "th", "TH"})
_ACCENT_NAMES = frozenset("uvHtcdbkr")
_ACCENT_SIGNS = frozenset("`'^\"~=.")
_ACCENTED = re.compile(r"\s{0,3}(?:\{\s{0,3}\\?[A-Za-z]{1,3}\s{0,3}\}|\\[ij](?![A-Za-z])|[A-Za-z])")
_RUNS = {"-": (("---", "—"), ("--", "–")), "`": (("``", "“"),), "'": (("''", "”"),)}
_FIELD_NOTES = frozenset({"footnote", "endnote", "sidenote", "marginnote", "marginpar", "thanks", "tablefootnote"})
_OPENING = {
    "enquote": "“”", "enquote*": "‘’", "textquote": "“”", "textquote*": "“”", "foreignquote": "“”",
    "hyphenquote": "“”", "foreigntextquote": "“”", "hyphentextquote": "“”", "textcquote": "“”",
    "foreigntextcquote": "“”", "hyphentextcquote": "“”", "MakeOuterQuote": "",
}  # fmt: skip
_BLOCKS = frozenset({"blockquote", "foreignblockquote", "hyphenblockquote", "blockcquote", "foreignblockcquote"})
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_MATH_END = re.compile(r"\\.|\$\$?", re.DOTALL)
_SIZE = r"-?\d{0,5}\.?\d{0,5}\s?(?:(?:pt|em|ex|cm|mm|in|bp|fil{1,3})\b)?"
_LENGTH = re.compile(rf"\s{{0,3}}(?:=\s{{0,3}})?{_SIZE}(?:\s{{0,3}}(?:plus|minus)\s{{0,3}}{_SIZE}){{0,2}}")
_PACKAGES = re.compile(
    r"\\(?:usepackage|RequirePackage|documentclass|LoadClass)\s{0,3}(?:\[[^\[\]]{0,1000}\]\s{0,3})?\{(?P<names>[^{}]{1,1000})\}"
)
_MACHINERY = re.compile(r"\\(?:begingroup|expandafter|csname|let|def|relax|spaceskip|leavevmode|hbox)(?![A-Za-z])")
_MEASURED = frozenset({"vskip", "hskip", "kern", "parindent", "parskip", "penalty", "hangindent", "relpenalty"})


@cache
def _table() -> dict[str, tuple[str, str]]:
    r"""Give kind and parameter by name of command (`\x`) or environment (`{x}`)."""
    table: dict[str, tuple[str, str]] = {}
    text = package_files("citeaudit.extract.latex").joinpath("commands.tsv").read_text(encoding="utf-8")
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        kind, parameter, names = line.split("\t")
        for name in names.split(" ") if kind != "sign" else _signs(names):
            if kind == "sign":
                table["\\" + name.partition("=")[0]] = (kind, name.partition("=")[2] or " ")
            elif kind in {"math", "skip", "quote"}:
                table[f"{{{name}}}"] = (kind, parameter)
            else:
                table["\\" + name.rstrip("*")] = (kind, parameter)
    return table


def _signs(names: str) -> list[str]:
    return re.findall(r"[A-Za-z]+=\S?(?:[\w.]{2,8})?", names)


class Running:
    """The reading of one document.

    Args:
        macros: Commands that the document defines.
    """

    def __init__(self, macros: dict[str, Macro]) -> None:
        self.main = Sink()
        self.sink = self.main
        self.notes: list[Labelled] = []
        self.cited: dict[str, None] = {}
        """Keys in the order of their first citation."""
        self.marked: set[str] = set()
        """Keys that a citation in the text names."""
        self.everything = False
        r"""Whether `\nocite{*}` lists the whole database."""
        self._macros = macros
        self._expansions = 0
        self._closers: list[Callable[[], None] | None] = []
        self._next: Callable[[], None] | None = None
        self._blocks: list[tuple[int, str]] = []
        self._found: dict[str, tuple[str, int, int]] = {}

    def finish(self) -> None:
        """Close what the source left open."""
        self.sink = self.main

    # --- tokens ------------------------------------------------------------------------------------------

    def read(self, text: str, *, origin: int | None = None, base: int = 0, nesting: int = 0) -> None:
        """Read source.

        Args:
            text: The source.
            origin: Offset of the joined source at which all of it stands; `None` where its own offsets count.
            base: What is added to its own offsets.
            nesting: Macros around it.
        """
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                place += 1
                continue
            at = origin if origin is not None else base + place
            place = match.end()
            if match["text"]:
                place = self._text(text, match, at)
            elif match["name"]:
                place = self._command(text, match["name"], place, (at, nesting))
            elif match["brace"]:
                self._brace(match["brace"])
            elif match["math"]:
                place = self._dollar(text, match, at)
            elif match["par"]:
                self.sink.paragraph()
            else:
                place = self._sign(text, match["sign"], place, at)

    def _text(self, text: str, match: re.Match[str], at: int) -> int:
        found = match["text"]
        for run, sign in _RUNS.get(found, ()):
            if text.startswith(run, match.start()):
                self.sink.text(sign, at)
                return match.start() + len(run)
        self.sink.text({"~": " ", "&": " ", "'": "’", "`": "‘"}.get(found, found), at)
        return match.end()

    def _brace(self, brace: str) -> None:
        if brace == "{":
            self._closers.append(self._next)
            self._next = None
        elif self._closers:
            closer = self._closers.pop()
            if closer is not None:
                closer()

    def _sign(self, text: str, sign: str, place: int, at: int) -> int:
        if sign in _ACCENT_SIGNS:
            return self._accent(text, sign, place, at)
        if sign in "([":
            return self._formula(text, place, "\\)" if sign == "(" else "\\]", at)
        if sign == "\\":
            self.sink.space()
            option = bracketed(text, place) if text.startswith("[", place) else None
            return option.end if option else place
        if sign in "&%#_${}":
            self.sink.text(sign, at)
        elif sign in ",;: \n":
            self.sink.space()
        return place

    def _accent(self, text: str, accent: str, place: int, at: int) -> int:
        match = _ACCENTED.match(text, place)
        if match is None:
            return place
        self.sink.text(to_text(f"\\{accent}{match.group()}"), at)
        return match.end()

    # --- mathematics -------------------------------------------------------------------------------------

    def _dollar(self, text: str, match: re.Match[str], at: int) -> int:
        sign = match["math"]
        start = match.end()
        for found in _MATH_END.finditer(text, start, min(len(text), start + MAX_FORMULA)):
            if found.group() == sign or (sign == "$" and found.group() == "$$"):
                end = found.start()
                self._math(text[start:end], at)
                return end + len(sign)
            if found.group() == "\\\n\n":
                break
        return start

    def _formula(self, text: str, place: int, closing: str, at: int) -> int:
        end = self._find(text, closing, place)
        if end < 0 or end - place > MAX_FORMULA:
            return place
        self._math(text[place:end], at)
        return end + len(closing)

    def _find(self, text: str, closing: str, place: int) -> int:
        """Find a closing sign; what was found for an earlier place is remembered, so that no text is searched twice."""
        known = self._found.get(closing)
        if known is not None and known[0] is text and known[1] <= place and (known[2] < 0 or place <= known[2]):
            return known[2]
        end = text.find(closing, place)
        self._found[closing] = (text, place, end)
        return end

    def _math(self, source: str, at: int) -> None:
        source = re.sub(r"\\(?:label|tag)\*?\s?\{[^{}]{0,100}\}", "", source)
        simple = not re.search(r"[\\{}^_]", source)
        text = source if simple else to_text(f"${source}$" if len(source) <= MAX_MATH else source)
        self.sink.text(text.replace("&", " "), at)

    # --- commands ----------------------------------------------------------------------------------------

    def _command(self, text: str, name: str, place: int, where: tuple[int, int]) -> int:
        at, nesting = where
        bare = name.rstrip("*")
        if bare in self._macros and nesting < MAX_NESTING and self._expansions < MAX_EXPANSIONS:
            self._expansions += 1
            body, end = call(text, place, self._macros[bare])
            self.read(body, origin=at, nesting=nesting + 1)
            return end
        if is_cite(bare):
            return self._cite(text, name, place, at)
        if bare in {"begin", "end"}:
            return self._environment(text, bare, place, at)
        if bare in _FIELD_NOTES or bare == "footnotetext":
            return self._note(text, bare, place, at)
        if name in _OPENING or bare in _OPENING or bare in _BLOCKS:
            return self._quotation(text, name, place, at)
        if bare in _LETTERS or bare in _ACCENT_NAMES:
            return self._letter(text, bare, place, at)
        return self._listed(text, bare, place, at)

    def _listed(self, text: str, bare: str, place: int, at: int) -> int:
        """Do what the table says about a command."""
        kind, parameter = _table().get("\\" + bare, ("", ""))
        if kind == "sign":
            self.sink.text(parameter, at)
            return skip(text, place) if parameter != " " else place
        if kind == "break":
            self.sink.paragraph()
        if kind in {"drop", "text"}:
            return self._drop(text, place, int(parameter) - (kind == "text"))
        if bare in {"url", "nolinkurl", "path", "doi"}:
            address = braced(text, place)
            self.sink.text(address.text if address else "", at)
            return address.end if address else place
        option = bracketed(text, place) if text.startswith("[", place) else None
        place = option.end if option else place
        length = _LENGTH.match(text, place) if bare in _MEASURED else None
        place = length.end() if length else place
        return skip(text, place) if text[place : place + 1] != "\n" else place

    def _drop(self, text: str, place: int, count: int) -> int:
        """Skip options and so many arguments."""
        for _ in range(count):
            while (option := bracketed(text, place)) is not None:
                place = option.end
            argument = braced(text, place)
            if argument is None:
                break
            place = argument.end
        return place

    def _letter(self, text: str, name: str, place: int, at: int) -> int:
        if name in _ACCENT_NAMES:
            return self._accent(text, name, place, at)
        self.sink.text(to_text(f"\\{name}"), at)
        return place + 2 if text.startswith("{}", place) else skip(text, place)

    # --- citations ---------------------------------------------------------------------------------------

    def _cite(self, text: str, name: str, place: int, at: int) -> int:
        cite = read_cite(text, name, place)
        if cite is None:
            return place
        self.cite(cite, name, at)
        return cite.end

    def cite(self, cite: Cite, name: str, at: int) -> None:
        """Take a citation command in: its keys, and its mark in the text."""
        if "nocite" in name:
            self.everything = self.everything or "*" in cite.keys
            self.cited.update(dict.fromkeys(key for key in cite.keys if key != "*"))
            return
        self.cited.update(dict.fromkeys(cite.keys))
        self.marked.update(cite.keys)
        start = self.sink.here()
        self.sink.text(f"[{', '.join((*cite.keys, *cite.notes))}]", at)
        self.sink.mark(start, MarkKind.CITE, cite.keys, cite.locator)

    # --- notes -------------------------------------------------------------------------------------------

    def _note(self, text: str, name: str, place: int, at: int) -> int:
        option = bracketed(text, place)
        place = option.end if option else place
        if skip(text, place) >= len(text) or text[skip(text, place)] != "{" or self.sink is not self.main:
            return place
        label = str(len(self.notes) + 1)
        if name != "footnotetext":
            start = self.sink.here()
            self.sink.text(label.translate(_RAISED), at)
            self.sink.mark(start, MarkKind.NOTE, (label,))
        self.notes.append(Labelled(label, Sink()))
        self.sink = self.notes[-1].sink
        self._next = self._end_note
        return skip(text, place)

    def _end_note(self) -> None:
        self.sink = self.main

    # --- quotations --------------------------------------------------------------------------------------

    def _quotation(self, text: str, name: str, place: int, at: int) -> int:
        """Open a quotation command of csquotes; its citation follows the closing mark."""
        bare = name.rstrip("*")
        if bare.startswith(("foreign", "hyphen")):
            language = braced(text, place)
            place = language.end if language else place
        options: list[str] = []
        while len(options) < 2 and (option := bracketed(text, place)) is not None:  # noqa: PLR2004 - [pre][post]
            options.append(option.text)
            place = option.end
        key = braced(text, place) if "cquote" in bare else None
        place = key.end if key else place
        punctuation = bracketed(text, place)
        place = punctuation.end if punctuation else place
        if skip(text, place) >= len(text) or text[skip(text, place)] != "{":
            return place
        source = self._attribution(options, key.text if key else None)
        if bare in _BLOCKS:
            self._open_block(source)
            self._next = lambda: self._close_block(at)
        else:
            marks = _OPENING.get(name) or _OPENING[bare]
            self.sink.text(marks[:1], at)
            self._next = lambda: self._close_quote(marks[1:], source, at)
        return skip(text, place)

    def _attribution(self, options: list[str], key: str | None) -> str:
        if key is None:
            return options[0] if options else ""
        return "\\cite" + "".join(f"[{option}]" for option in options) + f"{{{key}}}"

    def _close_quote(self, mark: str, source: str, at: int) -> None:
        self.sink.text(mark, at)
        if source:
            self.sink.space()
            self.read(source, origin=at, nesting=1)

    def _open_block(self, source: str) -> None:
        self.sink.paragraph()
        self._blocks.append((self.sink.here(), source))

    def _close_block(self, at: int) -> None:
        if not self._blocks:
            return
        start, source = self._blocks.pop()
        self.sink.mark(start, MarkKind.QUOTATION)
        if source:
            self.sink.space()
            self.read(source, origin=at, nesting=1)
        self.sink.paragraph()

    # --- environments ------------------------------------------------------------------------------------

    def _environment(self, text: str, verb: str, place: int, at: int) -> int:
        argument = braced(text, place)
        if argument is None or len(argument.text) > MAX_NAME:
            return place
        name, place = argument.text.strip(), argument.end
        kind = _table().get(f"{{{name}}}", ("", ""))[0]
        if verb == "end":
            if kind == "quote":
                self._close_block(at)
            else:
                self.sink.paragraph() if name != "math" else None
            return place
        if kind in {"math", "skip"}:
            return self._without_text(text, name, place, (at, kind))
        if kind == "quote":
            return self._block(text, name, place)
        self.sink.paragraph()
        option = bracketed(text, place)
        place = option.end if option else place
        if name.startswith(("tabular", "array", "longtable", "minipage", "wrapfigure", "multicols", "tabulary")):
            while (column := braced(text, place)) is not None:
                place = column.end
        return place

    def _without_text(self, text: str, name: str, place: int, what: tuple[int, str]) -> int:
        at, kind = what
        end = self._find(text, f"\\end{{{name}}}", place)
        if end < 0:
            return place
        if kind == "math":
            self.sink.space()
            self._math(text[place : min(end, place + MAX_FORMULA)], at)
            self.sink.space()
        return end + len(name) + len("\\end{}")

    def _block(self, text: str, name: str, place: int) -> int:
        """Open a block quotation; the optional arguments of csquotes' environments hold its citation."""
        if name.startswith(("foreign", "hyphen")):
            language = braced(text, place)
            place = language.end if language else place
        options: list[str] = []
        while "display" in name and len(options) < 2 and (option := bracketed(text, place)) is not None:  # noqa: PLR2004
            options.append(option.text)
            place = option.end
        key = braced(text, place) if "cquote" in name else None
        self._open_block(self._attribution(options, key.text if key else None))
        return key.end if key else place


_TYPES = re.compile(r"\\bib(?:info|field)\s{0,3}\{[^{}]{0,40}\}\s{0,3}")


def printed(latex: str, macros: dict[str, Macro] | None = None) -> str:
    """Give the text of a reference list's item as it is printed, on one line.

    Args:
        latex: The item.
        macros: Words that the list itself defines, see `own_words`.
    """
    running = Running(macros or {})
    running.read(_TYPES.sub("", latex))
    running.finish()
    return " ".join("".join(running.main.parts).split())


def own_words(text: str) -> dict[str, Macro]:
    r"""Give the commands without arguments that a list defines for words and signs: `\providecommand{\og}{``}`."""
    return {
        name: macro
        for name, macro, _, _ in definitions(text)
        if not macro.arity
        and len(macro.body) <= MAX_WORD
        and "@" not in name + macro.body
        and not _MACHINERY.search(macro.body)
        and not is_cite(name)
        and not _harmful(name, macro)
    }


class Text:
    r"""What running text gave.

    Attributes:
        body: The text with marks, notes and places.
        cited: Keys in the order of their first citation, those of `\nocite` among them.
        marked: Those that a citation in the text names, in lower case.
        listed: Those that only `\nocite` names, in lower case.
        everything: Whether `\nocite{*}` lists the whole database.
    """

    def __init__(self, body: Body, running: Running) -> None:
        self.body = body
        self.cited = tuple(running.cited)
        self.marked = frozenset(key.lower() for key in running.marked)
        self.listed = frozenset(key.lower() for key in running.cited) - self.marked
        self.everything = running.everything


def _of_packages(source: Source, files: Files) -> dict[str, Macro]:
    """Give the commands that cite and that packages and classes beside the main file define."""
    head = source.text[: source.begun or 0]
    names = [name.strip() for match in _PACKAGES.finditer(head) for name in match["names"].split(",")]
    found: dict[str, Macro] = {}
    for name in dict.fromkeys(names[:MAX_PACKAGES]):
        decoded = files.text(f"{name}.sty") or files.text(f"{name}.cls")
        text = decoded.text[:MAX_PACKAGE] if decoded is not None else ""
        for defined, macro, _, _ in definitions(text):
            if macro.cites() and "@" not in defined + macro.body:
                found.setdefault(defined, macro)
    return found


def read_running(source: Source, files: Files) -> Text:
    """Read the running text of a joined source; never raises for what it holds."""
    macros = _of_packages(source, files)
    spans: list[tuple[int, int]] = []
    for name, macro, start, end in definitions(source.text):
        if macro.cites() or not is_cite(name):
            macros[name] = macro
        spans.append((start, end))
    known = {name: macro for name, macro in macros.items() if not _harmful(name, macro)}
    running = Running(known)
    place = source.begun or 0
    for start, end in [*spans, (len(source.text), len(source.text))]:
        if start >= place:
            running.read(source.text[place:start], base=place)
            place = end
    return Text(assemble(running.main, running.notes, source.spots, files), running)


def _harmful(name: str, macro: Macro) -> bool:
    """Whether a definition would change the reading: of a known command, or one that opens what it does not end."""
    unbalanced = macro.body.count("\\begin") != macro.body.count("\\end")
    return unbalanced or "\\" + name in _table() or name in _OPENING or name in _FIELD_NOTES or name in _LETTERS
