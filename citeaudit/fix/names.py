"""Write the authors of a record into a BibTeX list, keeping the names that are right as they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.fix.latex import written
from citeaudit.fix.plan import Correction
from citeaudit.model import AuthorRelation, Person
from citeaudit.text.latex import to_text

_AND = re.compile(r"\s+and(?=\s)", re.IGNORECASE)
_OTHERS = re.compile(r"(?:others|et\.? al\.?|\.\.\.|…)", re.IGNORECASE)
_JOINING = re.compile(r"\s(?:and|with)\s|,|^(?:and|others)\b", re.IGNORECASE)
_KEPT = frozenset({AuthorRelation.SAME, AuthorRelation.VARIANT, AuthorRelation.MOVED})


class _Listed(NamedTuple):
    names: tuple[str, ...]
    """Source of each name."""
    tail: str
    """`others` as it is written, or nothing."""


def listed(correction: Correction, source: str, *, is_ascii: bool, fill: bool = False) -> str | None:
    """Give the list of authors with what differs put right, or `None` where the list cannot be written.

    Args:
        correction: That of the authors field.
        source: The value as it stands, without its delimiters.
        is_ascii: Whether letters with marks are written as macros.
        fill: Whether a list that ends in `and others` is written whole.

    Returns:
        The record's authors in its order; a name that is one of them in another form stays as cited, and so does
        the order in which family and given names are written.
    """
    old = _listed(source)
    if not old.names and source.strip():
        return None
    persons = correction.persons
    if old.tail and not fill:
        persons = persons[: max(1, min(len(old.names), len(persons)))]
    kept = _kept(correction, old.names)
    inverted = sum("," in name for name in old.names) * 2 >= len(old.names)
    names = [
        kept.get(place) or name_of(person, inverted=inverted, is_ascii=is_ascii)
        for place, person in enumerate(persons, start=1)
    ]
    whole = fill or len(persons) == len(correction.persons)
    tail = [old.tail] if old.tail and not whole else []
    return " and ".join([*names, *tail])


def name_of(person: Person, *, inverted: bool = True, is_ascii: bool = False) -> str:
    """Give a name as BibTeX splits it; a group, or a name with a word that joins, in braces."""
    if person.family is None:
        return f"{{{written(person.literal or person.given or str(person), is_ascii=is_ascii)}}}"
    family = _part(person.family, is_ascii=is_ascii)
    if person.given is None:
        return f"{family}," if " " in person.family else family
    given = _part(person.given, is_ascii=is_ascii)
    if person.suffix:
        return f"{family}, {_part(person.suffix, is_ascii=is_ascii)}, {given}"
    if inverted:
        return f"{family}, {given}"
    return f"{given} {{{family}}}" if " " in person.family and not family.startswith("{") else f"{given} {family}"


def _part(text: str, *, is_ascii: bool) -> str:
    told = written(text, is_ascii=is_ascii)
    return f"{{{told}}}" if _JOINING.search(text) else told


def _kept(correction: Correction, names: Sequence[str]) -> dict[int, str]:
    """Give, by place in the record, the names that stay as cited."""
    cited = [match for match in correction.people if match.place is not None]
    if len({match.place for match in cited}) != len(names):  # the list was read otherwise than it is split here
        return {}
    return {
        match.found_place: names[match.place - 1]
        for match in cited
        if match.relation in _KEPT and match.found_place and match.place and match.place <= len(names)
    }


def _listed(source: str) -> _Listed:
    depth, depths = 0, []
    for char in source:
        depth = max(0, depth + (char == "{") - (char == "}"))
        depths.append(depth)
    cuts = [match for match in _AND.finditer(source) if depths[match.start()] == 0]
    starts = [0, *(match.end() for match in cuts)]
    ends = [*(match.start() for match in cuts), len(source)]
    parts = [source[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    tail = parts[-1] if parts and _OTHERS.fullmatch(to_text(parts[-1]) or "") else ""
    return _Listed(tuple(part for part in (parts[:-1] if tail else parts) if part), tail)
