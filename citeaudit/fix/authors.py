"""Which authors an entry should list: those of the record, in the words of the entry wherever they are right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from citeaudit.fix.damage import is_damaged
from citeaudit.fix.edition import editions, named
from citeaudit.model import AuthorMatch, AuthorRelation, Candidate, FieldName, Person, Reference, Work, WorkType
from citeaudit.text.names import is_group, is_initials, parse_person
from citeaudit.text.normalize import key, words

KEPT = frozenset({AuthorRelation.SAME, AuthorRelation.VARIANT, AuthorRelation.MOVED})
"""How a cited author stands who is right as cited."""
_ONE_PERSON = frozenset({AuthorRelation.MISSPELT, AuthorRelation.GIVEN_NAME, AuthorRelation.SWAPPED})
_MAX_WORDS = 4
"""Of a name that a record does not split."""
_INITIAL = re.compile(r"(?<!\S)[^\W\d_]\.")
_EDITED = frozenset({WorkType.BOOK, WorkType.CHAPTER, WorkType.REFERENCE_ENTRY, WorkType.UNKNOWN})
"""Types whose records often list editors, or the publisher, as authors."""


def settled(reference: Reference, work: Work, people: Sequence[AuthorMatch]) -> tuple[Person, ...] | None:
    """Give the authors that the reference should list, or `None` where the record's list is no better than its own.

    Args:
        reference: What is cited.
        work: Its record.
        people: How the cited authors stand to those of the record.

    Returns:
        One name an author of the record, in its order: the cited one where it is the same person's, even if the record
        has initials or has lost diacritics there; the record's where the cited one is another's.
    """
    if not work.authors or not work.authors_complete or len(set(map(str, work.authors))) < len(work.authors):
        return None
    matches = {one.found_place: one for one in people if one.found_place}
    names: list[Person] = []
    for place, person in enumerate(_split(work.authors), start=1):
        match = matches.get(place)
        cited = _cited(reference, match)
        if cited and match and match.relation in KEPT:
            names.append(cited)
            continue
        told = _completed(person, cited) if match and match.relation in _ONE_PERSON else person
        if _is_poor(told, cited, reference, work):
            return None
        names.append(told)
    return tuple(names)


def is_supported(
    candidate: Candidate, candidates: Sequence[Candidate], reference: Reference, *, is_stock: bool = False
) -> bool:
    """Tell whether a list that shares no author with the cited one may take its place.

    A record may list editors, a publisher or a group as authors. So the list must name persons, none of them an editor,
    and either a cited identifier leads to a record of a kind that seldom does so, or another source has the same list.

    Args:
        candidate: The record.
        candidates: All records that came back.
        reference: What is cited.
        is_stock: Whether the cited names are those of no one; then the kind of the record is enough.
    """
    work = candidate.work
    names = [_surname(person) for person in _split(work.authors)]
    editors = {_surname(person) for person in (*work.editors, *reference.editors)}
    if not names or not all(names) or editors.intersection(names):
        return False
    named_here = any(named(reference, form) for form in editions(work))
    if (is_stock or (candidate.identifier_of and named_here)) and work.type not in _EDITED:
        return True
    others = (one.work for one in candidates if one.anchored and one.work.source != work.source)
    return any([_surname(person) for person in _split(other.authors)] == names for other in others)


def _split(persons: Sequence[Person]) -> Iterator[Person]:
    """Give names in their parts where the record gives them in one string; groups stay whole."""
    whole = all(person.family is None for person in persons)
    for person in persons:
        text = person.literal or ""
        listed = whole and len(persons) > 1 and 1 < len(text.split()) <= _MAX_WORDS
        is_one = text.count(",") == 1 or bool(_INITIAL.search(text)) or listed
        yield parse_person(text) if is_one and not is_group(text) and person.family is None else person


def _surname(person: Person) -> str:
    """Give the family name for comparison; nothing of a group."""
    return key(person.family or "")


def _cited(reference: Reference, match: AuthorMatch | None) -> Person | None:
    if match is None or match.place is None or match.place > len(reference.authors):
        return None
    return reference.authors[match.place - 1]


def _completed(person: Person, cited: Person | None) -> Person:
    """Give a recorded name with the given names of the reference, where the record has no more than their initials."""
    if cited is None or not person.given or not cited.given or not is_initials(person.given):
        return person
    if is_initials(cited.given) or _initials(cited.given)[: len(_initials(person.given))] != _initials(person.given):
        return person
    return person.model_copy(update={"given": cited.given})


def _initials(given: str) -> list[str]:
    return [word[0] for word in words(re.sub(r"[.\-]", " ", given))]


def _is_poor(person: Person, cited: Person | None, reference: Reference, work: Work) -> bool:
    beside = str(cited or "") or ", ".join(map(str, reference.authors)) or None
    if is_damaged(FieldName.AUTHORS, str(person), beside):
        return True
    if cited and str(person).isascii() and not str(cited).isascii():
        return True  # the mark may be lost in the very letter that differs
    bodies = {key(name) for name in (work.publisher, work.container_title) if name}
    return person.family is None and key(str(person)) in bodies
