"""Venues whose names begin alike and that are others all the same: `JAMA` and `JAMA Surgery`, a field and its meeting.

A title that is itself a venue of its own never shortens a longer one.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from citeaudit.match.venue_names import Venue, core_of, shortens
from citeaudit.text.lists import read_rows, read_words

_ALONE = "."
_OWN = read_words("citeaudit.match", "venue_own.txt")
_TRANSACTIONS = frozenset({"trans", "transactions"})


class _Family(NamedTuple):
    """What several names begin with, what each goes on with (the longest first), and whether one ends there."""

    head: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    alone: bool


def are_kin(one: Venue, two: Venue) -> bool:
    """Whether two names that share words are known to be of different venues.

    >>> from citeaudit.match.venue_names import parse
    >>> are_kin(parse("JAMA"), parse("JAMA Surg.")), are_kin(parse("JAMA Surgery"), parse("JAMA Surg."))
    (True, False)
    """
    return _other_member(one, two) or _own_beside(one, two) or _own_beside(two, one)


def _other_member(one: Venue, two: Venue) -> bool:
    for family in _families():
        left = _member(one, family)
        right = None if left is None else _member(two, family)
        if right is not None and left != right:
            return True
    return False


def _own_beside(own: Venue, other: Venue) -> bool:
    """Whether the one is a journal named for a whole field, and the other a meeting or transactions of that field."""
    if own.forms or " ".join(own.text.split()) not in _OWN:
        return False
    return other.kind == "meeting" or bool(_TRANSACTIONS & set(other.content))


def _member(venue: Venue, family: _Family) -> tuple[str, ...] | None:
    """Give what a name of a family goes on with; empty for the one that ends there, `None` for any other name."""
    content, size = venue.content, len(family.head)
    if family.head[0] not in content and family.head[0] not in venue.forms:
        return None
    start = 0
    while (
        start < len(content)
        and content[start : start + size] != family.head
        and not core_of(content[start : start + 1])
    ):
        start += 1  # what stands before is a mere frame: `ACM SIGMOD Record`
    held = content[start : start + size] == family.head
    if not held and not (size == 1 and family.head[0] in venue.forms):
        return None
    rest = content[start + size :] if held else ()
    for words in (rest, core_of(rest)):
        for member in family.members:
            if len(words) >= len(member) and all(map(shortens, member, words)):
                return member
    return () if family.alone else None


@cache
def _families() -> tuple[_Family, ...]:
    rows = read_rows("citeaudit.match", "venue_families.tsv")
    return tuple(_family(tuple(head.split()), members.split(";")) for head, members in rows)


def _family(head: tuple[str, ...], names: list[str]) -> _Family:
    members = sorted((tuple(name.split()) for name in names if name != _ALONE), key=len, reverse=True)
    return _Family(head, tuple(members), _ALONE in names)
