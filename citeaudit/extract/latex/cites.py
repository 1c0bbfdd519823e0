r"""Read citation commands of LaTeX: `\cite` and its kin of natbib, biblatex, jurabib, apacite, and one's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citeaudit.extract.latex.scan import Argument, braced, bracketed, skip, taken
from citeaudit.text.latex import to_text

MAX_KEYS = 2_000
MAX_BODY = 5_000
"""Characters of a macro's definition that are kept."""

#: Every command with `cite` in its name points to references, but for these, which only set something.
_NOT_CITES = re.compile(
    r"(?:citestyle|citename|citeindex|citereset|citesort|citenamefont|citeform|citetracker|setcite|citeset|"
    r"citepunct|citedash|citemid|citeleft|citeright|citeguts|bibcite|newcite|citation|citeauthoryear|"
    r"citeurlx|Declare|AtEveryCite|AtNextCite|everycite|citelist|citehook|citeprefix|citecounter|ifcite|"
    r"@cite|@|citeprenote|citepostnote|biblatexcite|excite|inciter|incite)",
)
_CITE = re.compile(r"[A-Za-z]{0,20}[Cc]ite[A-Za-z]{0,20}\*?")
_MULTIPLE = re.compile(r"(?:[A-Za-z]*cites|[Cc]ites|footfullcites|footcitetexts|[Vv]olcites|[A-Za-z]*volcites)\*?")
_VOLUME = re.compile(r"[A-Za-z]*[Vv]olcites?\*?")

_PAGE = re.compile(
    r"(?:^|[\s,;(])(?:pages?|pp?\.?|pgs?\.?|S\.|Seiten?|s\.|f\.|fol\.|\\pp?no)[\s~]{0,3}"
    r"(?P<page>[A-Za-z]?\d{1,5}[a-z]?(?:\s?[-–—]{1,3}\s?[A-Za-z]?\d{1,5})?|[ivxlc]{1,8}(?:\s?[-–]{1,2}\s?[ivxlc]{1,8})?)"
    r"(?![\w.]?\d)",
)
_BARE = re.compile(r"\s*(?P<page>\d{1,5}(?:\s?[-–—]{1,3}\s?\d{1,5})?|[ivxlc]{1,7})\s?(?:ff?\.?|sqq?\.?)?\s*")


class Cite(NamedTuple):
    """A citation command."""

    keys: tuple[str, ...]
    locator: str | None
    """The page it names, of its last group: `14`, `3-4`."""
    notes: tuple[str, ...]
    """Its pre- and postnotes as readable text."""
    end: int
    """Offset behind it."""


class Macro(NamedTuple):
    """A command that the document defines."""

    arity: int
    """Arguments, the optional one included."""
    default: str | None
    """Of the optional first argument; `None` where all are mandatory."""
    body: str

    def cites(self) -> bool:
        """Whether it leads to a citation command."""
        return "cite" in self.body.lower()


def is_cite(name: str) -> bool:
    r"""Whether a command, without its backslash, cites.

    >>> [is_cite(name) for name in ("citep", "Parencites", "footfullcite*", "nocite", "citestyle", "Cref")]
    [True, True, True, True, False, False]
    """
    return bool(_CITE.fullmatch(name)) and not _NOT_CITES.match(name)


def page_of(note: str) -> str | None:
    """Give the page that a postnote names: `14` of `p.~14`, `§ 3, pp. 4--5`, `14 ff.`; `None` where it names none.

    >>> [page_of(note) for note in ("p.~14", "14--16", "Theorem 3", "chap. 2, S. 7")]
    ['14', '14-16', None, '7']
    """
    text = to_text(re.sub(r"\\pp?no\s*", "p. ", note[:400]))
    match = _BARE.fullmatch(text) or _PAGE.search(text)
    return re.sub(r"\s?[-–—]{1,3}\s?", "-", match["page"]) if match else None


def _keys(argument: str) -> list[str]:
    return [key for part in argument.split(",") if (key := " ".join(part.split())) and "#" not in key][:MAX_KEYS]


def _group(text: str, start: int) -> tuple[list[str], list[str], int] | None:
    """Read `[pre][post]{keys}`: the keys, the notes, the offset behind."""
    notes: list[str] = []
    place = start
    for _ in range(2):
        option = bracketed(text, place)
        if option is None:
            break
        notes.append(option.text)
        place = option.end
    argument = braced(text, place)
    return (_keys(argument.text), notes, argument.end) if argument is not None else None


def _lead(text: str, start: int) -> int:
    """Skip what stands before the groups: `<…>` of jurabib and apacite, `(pre)(post)` of the multiple commands."""
    place = skip(text, start)
    for opening, closing in (("<", ">"), ("(", ")"), ("(", ")")):
        if text.startswith(opening, place):
            end = text.find(closing, place, place + 400)
            place = skip(text, end + 1) if end > 0 else place
    return place


def read_cite(text: str, name: str, start: int) -> Cite | None:
    r"""Read a citation command whose name ends at an offset; `None` where no keys follow.

    Args:
        text: The source.
        name: Of the command, without backslash.
        start: Offset behind the name.
    """
    place = skip(text, start)
    multiple = bool(_MULTIPLE.fullmatch(name))
    place = _lead(text, place) if multiple or text.startswith("<", place) else place
    if _VOLUME.fullmatch(name):
        volume = _volume(text, place)
        place = volume if volume is not None else place
    keys: list[str] = []
    notes: list[str] = []
    locator = None
    end: int | None = None
    while (group := _group(text, place)) is not None:
        keys += group[0]
        notes += group[1]
        locator = (page_of(group[1][-1]) if group[1] else None) or locator
        place = end = group[2]
        if not multiple:
            break
    if end is None:
        return None
    return Cite(tuple(dict.fromkeys(keys)), locator, tuple(filter(None, map(to_text, notes))), end)


def _volume(text: str, start: int) -> int | None:
    r"""Skip `[pre]{volume}` of `\volcite`, where keys follow."""
    option = bracketed(text, start)
    volume = braced(text, option.end if option else start)
    if volume is None:
        return None
    return volume.end if _group(text, volume.end) is not None else None


# --- definitions -----------------------------------------------------------------------------------------

_DEFINED = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|renewcommand|DeclareRobustCommand|newrobustcmd)\*?\s{0,3}"
    r"(?:\{\s{0,3}\\([A-Za-z@]{1,40})\s{0,3}\}|\\([A-Za-z@]{1,40}))\s{0,3}(?:\[([0-9])\])?|"
    r"\\(?:g|e|x)?def\s{0,3}\\([A-Za-z@]{1,40})((?:#[1-9]){0,9})(?=\s{0,3}\{)"
)
_PARAMETER = re.compile(r"#([1-9])")


class Definition(NamedTuple):
    """Where a macro is defined: name, macro and the half-open span of its definition."""

    name: str
    macro: Macro
    start: int
    end: int


def definitions(text: str) -> Iterator[Definition]:
    """Give the macros that a source defines, in order; broken definitions are left out."""
    place = 0
    while (match := _DEFINED.search(text, place)) is not None:
        place = match.end()
        name = match[1] or match[2] or match[4]
        count = int(match[3] or 0) if match[4] is None else len(match[5]) // 2
        default = bracketed(text, place) if match[3] else None
        body = braced(text, default.end if default else place)
        if body is None:
            continue
        place = body.end
        if len(body.text) <= MAX_BODY and f"\\{name}" not in body.text:
            yield Definition(name, Macro(count, default.text if default else None, body.text), match.start(), body.end)


def call(text: str, start: int, macro: Macro) -> tuple[str, int]:
    """Give a macro's text with the arguments that stand at an offset put in, and the offset behind them."""
    values: list[str] = []
    place = start
    if macro.default is not None:
        option = bracketed(text, place)
        values.append(option.text if option else macro.default)
        place = option.end if option else place
    while len(values) < macro.arity:
        argument: Argument | None = taken(text, place)
        values.append(argument.text if argument else "")
        place = argument.end if argument else place
    body = _PARAMETER.sub(lambda match: values[int(match[1]) - 1] if int(match[1]) <= len(values) else "", macro.body)
    return body, place
