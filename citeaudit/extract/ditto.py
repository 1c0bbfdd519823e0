"""What stands for something printed before: dashes and `Ders.` for authors, `Ibid.` and short forms for works.

Used by every reader: bibliographies put a dash for the authors of the entry above (Chicago Manual of Style 18,
13.72), notes name a work in full once and then in short (Chicago 13.32 to 13.39; German `ebd.`, `a. a. O.`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from citeaudit.model.reference import Person, Reference

LONGEST_LEAD = 240
"""Characters at the start of a reference or note that are looked at."""

UNREAD = 0.2
"""`parse_score` of a reference whose mark was read as its title."""

_DASH = re.compile(r"[\s\[(]{0,3}(?:[-–—―_‒−]\s?){2,12}|[\s\[(]{0,3}[—―]")
_DRAWN = re.compile(r"\s{0,3}(?=,\s{1,3}[^\W_\s])")
"""A rule drawn in place of names (`\\bysame` of AMS styles) is no text: its comma is left."""
_SAME = re.compile(
    r"\s{0,3}(?:(?:[Dd]ers|[Dd]ies|Id)(?:\.|(?=\s?[,:;(/]))"  # "Dies" alone is also a German "this"
    r"|(?:[Ii]dem|[Ee]adem|[Dd]erselbe|[Dd]ieselben?|[Ee]l mismo|[Ll]e même|[Oo] mesmo)(?=\s?[.,:;(/]))"
)
_AFTER = re.compile(r"\s{0,2}[.,:;]{0,2}\s{0,2}")
_WITH_MORE = re.compile(r"\s{0,2}(?:[/;&]|,?\s(?:and|und|et|y|e|with|mit)\s|,\s(?=[^\W\d_]+,?\s[^\W\d_]))")
_EDITOR = re.compile(
    r"\s{0,2}[,(\[]?\s{0,2}(?:eds?|editors?|Hrsg|Hg|Hgg|dir|coord|org|orgs|comps?|éds?|a cura di)\b\.?\s?[)\]]?",
    re.IGNORECASE,
)
_IBID = re.compile(
    r"(?:ibid(?:em)?|ib|ebd|ebda|ebenda|ebendort|ebenso|idem|id|ibidem|a\.\s?a\.\s?o|aao|op\.\s?cit|loc\.\s?cit|eod)\b"
    r"\.?(?=[\s,.;:(\])]|$)",
    re.IGNORECASE,
)
_CITED = re.compile(
    r"\b(?:op\.?\s{0,2}cit|loc\.?\s{0,2}cit|art\.?\s{0,2}cit|ob\.?\s{0,2}cit|a\.\s{0,2}a\.\s{0,2}O|aaO|a\.\s{0,2}a\.\s{0,2}S)"
    r"(?![^\W\d_])|(?<![^\W\d_])(?:Anm\.|Fn\.|Fußn\.|Fußnote|wie\sAnm\.|n\.|note|nota|supra)\s{0,2}(?P<note>\d{1,4})"
    r"(?=\s{0,2}(?:[),.;:\]]|above|oben|$))|\bzit\.",
    re.IGNORECASE,
)
_MAY_POINT = re.compile(r"cit|zit|a\.\s{0,2}a\.|aao|(?:anm|fn|fußn|n)\.\s{0,2}\d|(?:fußnote|note|nota|supra)\s{0,2}\d")
"""What `_CITED` finds has one of these in lower case; most references have none, and are spared the search."""
_YEAR = re.compile(r"(?<![\d/.-])(?:1[5-9]\d\d|20[0-4]\d)[a-z]?(?![\d/])")
_FAMILY = re.compile(
    r"\s{0,2}(?:[^\W\d_a-z][\w.]{0,3}\.\s?){0,3}(?P<name>(?:(?:von|van|de|der|den|zu|du|da|di)\s){0,3}[^\W\d_a-z][\w'’-]{1,40})"
)


class Kind(StrEnum):
    """How a short form points back."""

    IBID = "ibid"
    """To the work before: `Ibid., 14`, `Ebd.`"""
    SHORT = "short"
    """To a work named earlier: `Smith, op. cit., 14`, `Schmidt (Anm. 3), S. 14`, `Smith, Book, 14`."""


class Back(NamedTuple):
    """A short form."""

    kind: Kind
    name: str = ""
    """The family name it gives, folded; empty for ibid."""
    note: str = ""
    """The number of the note it points to, if it says so."""


def fold(name: str) -> str:
    """Fold a family name for comparison.

    >>> fold("Müller-Lüdens")
    'müllerlüdens'
    """
    return "".join(char for char in name.casefold() if char.isalnum())


def back(text: str) -> Back | None:
    """Tell whether a citation points back instead of naming a work in full.

    Forms without a mark of their own (`Smith, Book, 14`) are not seen here: see `family`.

    >>> back("Ebd., S. 14.")
    Back(kind=<Kind.IBID: 'ibid'>, name='', note='')
    >>> back("Schmidt (Anm. 3), S. 14").note
    '3'
    """
    lead = text.lstrip()[:LONGEST_LEAD]
    if _IBID.match(lead):
        return Back(Kind.IBID)
    mark = _CITED.search(lead) if _MAY_POINT.search(lead.lower()) else None
    if mark is None or _YEAR.search(lead[: mark.start()]):
        return None
    return Back(Kind.SHORT, family(lead), mark["note"] or "")


def family(text: str) -> str:
    """Give the folded family name a short form opens with, or an empty string.

    >>> family("J. R. Smith, Book, p. 14")
    'smith'
    """
    match = _FAMILY.match(text[:LONGEST_LEAD])
    return fold(match["name"]) if match else ""


def stands_for_authors(text: str) -> int:
    """Give where a reference goes on behind a dash or a `Ders.` that stands for authors; 0 where there is none.

    >>> "———. 1999. On Rows."[stands_for_authors("———. 1999. On Rows."):]
    '1999. On Rows.'
    >>> stands_for_authors("Roe, J. 1999. On Rows.")
    0
    """
    lead = text[:LONGEST_LEAD]
    match = _DASH.match(lead) or _SAME.match(lead) or _DRAWN.match(lead)
    if match is None:
        return 0
    after = _AFTER.match(lead, match.end())
    return after.end() if after else match.end()


Read = Callable[[Reference, str], Reference]
"""Reads the fields of a reference from the text that is given in place of its own."""


def expand(references: Iterable[Reference], read: Read | None = None) -> tuple[Reference, ...]:
    """Fill in the authors for which a dash or `Ders.` stands, and the work for which `Ibid.` does.

    Args:
        references: Of one list, in their order.
        read: Reads a reference again with the names in place of the mark; without it, the fields stay as they were
            read behind the mark, and only the names are filled in.

    Returns:
        As many, in the same order; `raw` is as it was. Where nothing stands above, or the names above were not
        read, the authors stay empty.
    """
    made: list[Reference] = []
    for reference in references:
        made.append(_expanded(reference, made[-1] if made else None, read))
    return tuple(made)


def _expanded(reference: Reference, above: Reference | None, read: Read | None) -> Reference:
    pointed, end = back(reference.raw), stands_for_authors(reference.raw)
    if pointed is not None and pointed.kind is Kind.IBID and not end:
        return _same_work(reference, above) if above else reference
    if not end:
        return reference
    persons = (above.authors or above.editors) if above else ()
    mark = len(reference.raw[:end].rstrip(" .,:;"))
    if read is not None and persons:
        again = read(reference, _spelled(persons) + _behind(reference.raw, mark))
        if again.authors[:1] == persons[:1] or again.editors[:1] == persons[:1]:
            return again.model_copy(update={"raw": reference.raw, "authors_truncated": _truncated(again, above)})
    return _filled(reference, above, persons, mark)


def _filled(reference: Reference, above: Reference | None, persons: tuple[Person, ...], mark: int) -> Reference:
    own = tuple(one for one in reference.authors if not _is_mark(str(one)))
    update: dict[str, object] = {"authors": persons, "authors_truncated": _truncated(reference, above)}
    if not persons:
        update = {"authors": own}
    elif _EDITOR.match(reference.raw, mark):
        update = {"authors": (), "editors": persons}
    elif _WITH_MORE.match(reference.raw, mark):
        update["authors"] = persons + tuple(one for one in own if one not in persons)
    if reference.title and _is_mark(reference.title):
        update |= {"title": None, "parse_score": min(reference.parse_score, UNREAD)}
    return reference.model_copy(update=update)


def _truncated(reference: Reference, above: Reference | None) -> bool:
    return reference.authors_truncated or bool(above and above.authors_truncated)


def _spelled(persons: Sequence[Person]) -> str:
    """Write names as lists do: the first inverted, the others not."""
    first = persons[0]
    lead = f"{first.family}, {first.given}" if first.family and first.given else str(first)
    return ", and ".join([lead, *(str(one) for one in persons[1:])])


def _behind(raw: str, mark: int) -> str:
    rest = raw[mark:].lstrip()
    return rest if rest[:1] in ".,:;" else f" {rest}"


def _is_mark(text: str) -> bool:
    """Tell whether what was read as a name or title is the mark itself, or begins with it."""
    return not any(char.isalpha() for char in text) or bool(_DASH.match(text) or _SAME.match(f"{text} "))


_SHARED = (
    "type",
    "title",
    "authors",
    "authors_truncated",
    "editors",
    "year",
    "year_suffix",
    "container_title",
    "publisher",
)


def _same_work(reference: Reference, above: Reference) -> Reference:
    """Read `Ibid., vol. 3` as the work above in another volume: what the entry prints itself wins."""
    update: dict[str, object] = {name: getattr(above, name) for name in _SHARED}
    if reference.year is not None and _YEAR.search(reference.raw):
        update |= {"year": reference.year, "year_suffix": reference.year_suffix}
    update["parse_score"] = min(reference.parse_score, above.parse_score)
    return reference.model_copy(update=update)
