r"""Read the entries of biblatex's .bbl (biber's output, biblatex manual 4.2 and biblatex.def): typed throughout."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Protocol

from citeaudit.extract.latex.bibtex_fields import reference_from_fields
from citeaudit.extract.latex.scan import Argument, braced
from citeaudit.model.reference import Locus, Reference


class _Located(Protocol):
    def __call__(self, offset: int, *, label: str | None = None, key: str | None = None) -> Locus: ...


MAX_RAW = 4_000

_ENTRY = re.compile(r"\\entry\s{0,3}(?=\{)")
_ENDENTRY = "\\endentry"
_COMMAND = re.compile(
    r"\\(?P<name>field|strng|list|name|true|range|xref|keyw|inset|annotation)\s{0,3}(?=\{)|"
    r"\\verb\s{0,3}\{(?P<verb>[A-Za-z]{1,30})\}\s{0,20}\\verb[ \t](?P<value>[^\n]{0,4000})\n"
)
_NAME_PART = re.compile(r"(?:^|[,{\s])(?P<part>family|given|prefix|suffix)(?P<un>un)?\s{0,3}=\s{0,3}(?=\{)")
_DASHES = re.compile(r"\\bibrangedash\s?|\\bibrangessep\s?")
_SPACES = re.compile(r"\\bib(?:initperiod|initdelim|initseparator|namedelim[a-d]|initnamedelim|inithyphendelim)\s?")
_NOT_REFERENCES = frozenset({"set", "xdata"})
_PEOPLE = frozenset({"author", "editor", "translator", "bookauthor"})
_NO_INITIAL = 4
"""Groups of the positional name of biblatex 1 and 2: family, initial, given, initial, prefix, …"""


def is_biblatex(text: str) -> bool:
    """Whether a source holds entries of biblatex."""
    return "\\entry{" in text and _ENDENTRY in text


def read_biblatex(text: str, locus: _Located) -> Iterator[Reference]:
    """Give the references of biblatex's list in order, each key once: every sorting scheme repeats them.

    Args:
        text: The .bbl without its comments.
        locus: Gives the place of an offset.
    """
    seen: set[str] = set()
    for match in _ENTRY.finditer(text):
        key = braced(text, match.end())
        kind = braced(text, key.end) if key else None
        if key is None or kind is None or key.text in seen or kind.text in _NOT_REFERENCES:
            continue
        seen.add(key.text)
        end = text.find(_ENDENTRY, kind.end)
        following = _ENTRY.search(text, kind.end)
        end = min(end if end >= 0 else len(text), following.start() if following else len(text))
        body = text[kind.end : end]
        fields = _fields(body)
        yield reference_from_fields(
            kind.text,
            fields,
            raw=(text[match.start() : kind.end] + body)[:MAX_RAW].strip(),
            locus=locus(match.start(), label=fields.get("labelalpha"), key=key.text),
        )


def _fields(body: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    place = 0
    while (match := _COMMAND.search(body, place)) is not None:
        place = match.end()
        if match["verb"]:
            fields.setdefault(match["verb"].lower(), match["value"].strip())
            continue
        name = braced(body, place)
        if name is None:
            continue
        place = name.end
        taken = _READERS.get(match["name"], _skip)(body, name, fields)
        place = max(place, taken)
    _dates(fields)
    return fields


def _dates(fields: dict[str, str]) -> None:
    """Put biber's parts of dates where a .bib has them."""
    if "origyear" in fields:
        fields.setdefault("origdate", fields["origyear"])
    if "year" not in fields and "eventyear" in fields:
        fields["eventdate"] = fields["eventyear"]
    letter = fields.get("extradatescope") and fields.get("extradate")
    if letter and letter.isdigit() and fields.get("year", "").isdigit() and 0 < int(letter) <= 26:  # noqa: PLR2004
        fields["year"] += chr(ord("a") + int(letter) - 1)


def _skip(body: str, name: Argument, fields: dict[str, str]) -> int:
    del body, fields
    return name.end


def _field(body: str, name: Argument, fields: dict[str, str]) -> int:
    value = braced(body, name.end)
    if value is None:
        return name.end
    fields.setdefault(name.text.strip().lower(), _DASHES.sub("--", value.text))
    return value.end


def _list(body: str, name: Argument, fields: dict[str, str]) -> int:
    count = braced(body, name.end)
    values = braced(body, count.end) if count else None
    if values is None:
        return name.end
    parts: list[str] = []
    place = 0
    while (part := braced(values.text, place)) is not None:
        parts.append(part.text)
        place = part.end
        place = place + 1 if values.text[place : place + 1] == "%" else place
    fields.setdefault(name.text.strip().lower(), " and ".join(parts) or values.text)
    return values.end


def _true(body: str, name: Argument, fields: dict[str, str]) -> int:
    del body
    if name.text.startswith("more") and name.text.removeprefix("more") in _PEOPLE:
        fields[name.text] = "1"
    role = name.text.removeprefix("more")
    if name.text.startswith("more") and fields.get(role):
        fields[role] += " and others"
    return name.end


def _people(body: str, name: Argument, fields: dict[str, str]) -> int:
    """Read a list of names: `{author}{2}{}{…}`, the third group missing in the oldest dialect."""
    groups: list[Argument] = []
    place = name.end
    while len(groups) < 3 and (group := braced(body, place)) is not None:  # noqa: PLR2004 - count, options, names
        groups.append(group)
        place = group.end
    if not groups:
        return name.end
    listed = groups[-1].text
    people: list[str] = []
    inner = 0
    while (person := braced(listed, inner)) is not None:
        people.append(_person(person.text))
        inner = person.end
    value = " and ".join(filter(None, people))
    if value:
        fields.setdefault(name.text.strip().lower(), value + (" and others" if f"more{name.text}" in fields else ""))
    return place


def _person(text: str) -> str:
    """Give one name as BibTeX writes it."""
    options = braced(text, 0)
    rest = text[options.end :] if options else text
    named = braced(rest, 0)
    source = named.text if named else rest
    parts: dict[str, str] = {}
    for match in _NAME_PART.finditer(source):
        value = braced(source, match.end())
        if value is not None and not match["un"]:
            parts.setdefault(match["part"], _clean(value.text))
    if not parts and named is not None:
        parts = _positional(rest)
    family = " ".join(filter(None, (parts.get("prefix"), parts.get("family"))))
    if not family:
        return ""
    if not parts.get("given"):
        return f"{{{family}}}"
    return ", ".join(filter(None, (family, parts.get("suffix"), parts["given"])))


def _positional(rest: str) -> dict[str, str]:
    values: list[str] = []
    place = 0
    while (group := braced(rest, place)) is not None:
        values.append(_clean(group.text))
        place = group.end
    if len(values) < _NO_INITIAL:
        return {"family": values[0]} if values else {}
    prefix = values[4] if len(values) > _NO_INITIAL else ""
    return {"family": values[0], "given": values[2], "prefix": prefix}


def _clean(text: str) -> str:
    return " ".join(_SPACES.sub(" ", text.replace("\\bibinitperiod", ".")).split())


_READERS: dict[str, Callable[[str, Argument, dict[str, str]], int]] = {
    "field": _field,
    "list": _list,
    "name": _people,
    "true": _true,
}
