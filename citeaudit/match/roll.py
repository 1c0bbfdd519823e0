"""Pair two author lists one to one, in order: who stands for whom, and how alike they are."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from citeaudit.match.likeness import liken, within
from citeaudit.match.names import Likeness, Name, is_others, is_placeholder, ready
from citeaudit.model import Person

MAX_PEOPLE = 5_000
"""Authors of one list that are looked at; the longest real lists have about 5,200 (LHC collaborations)."""
MAX_COMPARED = 20_000
"""Pairs of names of two lists that are compared, besides those at one place: a fraction of a second."""
_MAX_JOINED = 100  # characters of a name that may be two
_HALVES = 2  # words that each half of such a name has at least
_MAX_SPELLING = 100  # lists up to this length are also searched for misspelt names, which costs every pair


class Side(NamedTuple):
    """One author list made ready; the tuples are of one length."""

    people: tuple[Person, ...]
    """Persons and groups: without `et al.` and without names that stand for no one."""
    names: tuple[Name, ...]
    places: tuple[int, ...]
    """1-based places in the list as given."""
    empty: tuple[tuple[int, Person], ...]
    """Names that stand for no one, with their places."""
    cut: bool
    """Whether one of the names is `et al.`"""


class Pairs(NamedTuple):
    """For each cited author the recorded one that it stands for; changed only while it is made."""

    places: list[int | None]
    """0-based places in the record, or `None`."""
    likes: list[Likeness]
    editors: dict[int, int]
    """Cited authors that are editors of the record instead: 0-based places of both."""
    whole: bool = True
    """Whether every name that has no other was compared with all; of very long lists only some are."""


def read_side(people: Sequence[Person]) -> Side:
    """Make a list ready for comparison."""
    kept: list[tuple[int, Person]] = []
    empty: list[tuple[int, Person]] = []
    cut = False
    for place, person in enumerate(people[:MAX_PEOPLE], start=1):
        if is_others(person):
            cut = True
        else:
            (empty if is_placeholder(person) else kept).append((place, person))
    names = tuple(ready(person) for _, person in kept)
    return Side(tuple(person for _, person in kept), names, tuple(place for place, _ in kept), tuple(empty), cut)


def pair(cited: Sequence[Name], found: Sequence[Name], editors: Sequence[Name] = ()) -> Pairs:
    """Give each cited author the best recorded one that is still free: same place first, then anywhere.

    A cited author who is no recorded one may stand inside a run-together recorded name, or be an editor.
    """
    pairs = Pairs([None] * len(cited), [Likeness.OTHER] * len(cited), {})
    free = set(range(len(found)))
    for place, (one, two) in enumerate(zip(cited, found, strict=False)):
        like = liken(one, two)
        if like >= Likeness.INITIALS:
            _take(pairs, free, place, (place, like))
    whole = all(like >= Likeness.INITIALS for like in pairs.likes) or _search(pairs, free, cited, found)
    left = [place for place, other in enumerate(pairs.places) if other is None]
    if len(left) * (min(len(found), _MAX_SPELLING) + len(editors)) > MAX_COMPARED:
        return pairs._replace(whole=False)
    for place in left:
        _join(pairs, place, cited[place], (found, editors))
    return pairs._replace(whole=whole)


def turn(pairs: Pairs, cited: Side, found: Side) -> None:
    """Pair the strangers of a list with the recorded authors at their places if every name agrees when turned round.

    So reads a list with the family first and no comma, `Tanaka Hiroshi`, where the record has `H. Tanaka`. Where some
    names stand in the usual order, the list follows no custom.
    """
    places = [place for place, like in enumerate(pairs.likes) if like is Likeness.OTHER]
    if not places or places[-1] >= len(found.names) or not set(places).isdisjoint(pairs.places):
        return
    rest = [place for place, like in enumerate(pairs.likes) if like is not Likeness.SWAPPED]
    if rest[-1] < len(found.names) and all(_turns(cited, found, at) or _turns(found, cited, at) for at in rest):
        for place in places:
            pairs.places[place], pairs.likes[place] = place, Likeness.SWAPPED


def _turns(side: Side, other: Side, place: int) -> bool:
    """Whether a name turned round is the one at its place in the other list, initials allowed."""
    one, two = side.names[place], other.names[place]
    if one.group or two.group or not one.given or not two.given or not one.family:
        return False
    if two.keys.isdisjoint((one.given[0], "".join(one.given))):
        return False
    person = side.people[place]
    given, family = (person.given, person.family) if person.family else _divide(person.literal or "")
    like = liken(ready(Person(given=family, family=given)), two)
    initial = min(len(one.family[0]), len(two.given[0])) == 1
    return like is Likeness.SAME or (like is Likeness.INITIALS and initial)


def _divide(literal: str) -> tuple[str, str]:
    given, _, family = literal.strip().rpartition(" ")
    return given, family


def joined(people: Sequence[Person], others: Sequence[Name]) -> frozenset[int]:
    """Give the places of the others whom the only name of a list runs together; empty where it is one person's.

    Some dumps print the last author and the first as one name, `Bernard Ghanem Chen Zhao`. Both halves must be
    persons of the other list, or where that has one alone, one half.
    """
    words = str(people[0])[:_MAX_JOINED].split() if len(people) == 1 else []
    least = min(_HALVES, len(others))
    for split in range(_HALVES, len(words) - 1):
        halves = (ready(_parse(words[:split])), ready(_parse(words[split:])))
        likes = [_like_of(half, others) for half in halves]
        places = frozenset(place for place in likes if place is not None)
        if len(places) >= least:
            return places
    return frozenset()


def _parse(words: Sequence[str]) -> Person:
    """Give a person from words in reading order."""
    return Person(given=" ".join(words[:-1]), family=words[-1])


def _like_of(half: Name, others: Sequence[Name]) -> int | None:
    """Give the place of the other whom a half names: its family and its first given name in full."""
    whole = len(half.given[0]) > 1 if half.given else False
    likes = ((liken(half, name), -place) for place, name in enumerate(others[:_MAX_SPELLING]))
    best = max(likes, default=(Likeness.OTHER, 0)) if whole else (Likeness.OTHER, 0)
    return -best[1] if best[0] >= Likeness.MISSPELT else None


def _search(pairs: Pairs, free: set[int], cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Pair the rest, the likest first; each name is compared once with each that is worth it.

    Returns:
        Whether all were: of very long lists only some pairs are compared.
    """
    if len(free) > _MAX_SPELLING:
        _take_equal(pairs, free, cited, found)
    left = [place for place, other in enumerate(pairs.places) if other is None]
    reach = _reach(found, free, MAX_COMPARED // max(1, len(left)))
    table: dict[int, list[tuple[Likeness, int, int]]] = {}
    short: set[int] = set()
    for place in left:
        others, whole = reach(cited[place])
        scored = ((liken(cited[place], found[other]), -abs(other - place), other) for other in others)
        likely = [item for item in scored if item[0] is not Likeness.OTHER]
        if likely:
            table[place] = likely
        if not whole:
            short.add(place)
    for least in (Likeness.SWAPPED, Likeness.MISSPELT, Likeness.GIVEN):
        for place, likely in table.items():
            if pairs.places[place] is not None or (cited[place].stock and least is Likeness.GIVEN):
                continue
            best = max((item for item in likely if item[2] in free and item[0] >= least), default=None)
            if best:
                _take(pairs, free, place, (best[2], best[0]))
    return all(pairs.likes[place] > Likeness.GIVEN for place in short)


def _take_equal(pairs: Pairs, free: set[int], cited: Sequence[Name], found: Sequence[Name]) -> None:
    """Pair names of the very same words, which costs no comparison: the first with the first."""
    places: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = defaultdict(list)
    for other in sorted(free, reverse=True):
        places[found[other].given, found[other].family].append(other)
    for place, name in enumerate(cited):
        equal = places.get((name.given, name.family)) if pairs.places[place] is None else None
        like = liken(name, found[equal[-1]]) if equal else Likeness.OTHER
        if equal and like >= Likeness.INITIALS:
            _take(pairs, free, place, (equal.pop(), like))


def _take(pairs: Pairs, free: set[int], place: int, best: tuple[int, Likeness]) -> None:
    pairs.places[place], pairs.likes[place] = best
    free.discard(best[0])


def _reach(found: Sequence[Name], free: set[int], most: int) -> Callable[[Name], tuple[Sequence[int], bool]]:
    """Give what tells the free places worth comparing, and whether these are all of them.

    All of a short list are worth it; of a long one those that share a word, and where these are too many, a word and
    the first initial.
    """
    if len(free) <= _MAX_SPELLING:
        places = sorted(free)
        kept = places[:most]
        return lambda _: (kept, len(kept) == len(places))
    lookup: dict[str, list[int]] = defaultdict(list)
    for place in sorted(free):
        for word in found[place].keys:
            lookup[word].append(place)
            lookup[_narrow(word, found[place])].append(place)
    return lambda name: _worth(name, lookup, min(most, _MAX_SPELLING))


def _narrow(word: str, name: Name) -> str:
    return f"{word} {name.words[0][0]}" if name.words else word


def _worth(name: Name, lookup: dict[str, list[int]], most: int) -> tuple[Sequence[int], bool]:
    worth: dict[int, None] = {}
    whole = True
    for word in sorted(name.keys):
        places = lookup.get(word, [])
        if len(places) > most:
            whole, places = False, lookup.get(_narrow(word, name), [])[:most]
        worth.update(dict.fromkeys(places))
    kept = list(worth)[:most]
    return kept, whole and len(kept) == len(worth)


def _join(pairs: Pairs, place: int, name: Name, pool: tuple[Sequence[Name], Sequence[Name]]) -> None:
    """Find a cited author inside a run-together recorded name, or among the editors."""
    found, editors = pool
    for other, whole in enumerate(found[:_MAX_SPELLING]):
        if name.keys.isdisjoint(whole.keys):
            continue
        if within(name, whole) or ((name.group or whole.group) and within(whole, name)):
            pairs.places[place], pairs.likes[place] = other, Likeness.INITIALS
            return
    for other, editor in enumerate(editors):
        if liken(name, editor) >= Likeness.MISSPELT:
            pairs.likes[place], pairs.editors[place] = Likeness.INITIALS, other
            return


def moved(places: Sequence[int | None]) -> frozenset[int]:
    """Give the cited authors that stand out of the record's order: all but a longest run that keeps it.

    >>> sorted(moved([2, 0, 1, None, 3]))
    [0]
    """
    tails: list[int] = []  # by length of run, the recorded place that ends it lowest
    ends: list[int] = []  # the cited author at that place
    before: dict[int, int | None] = {}
    for one, place in enumerate(places):
        if place is None:
            continue
        at = bisect_right(tails, place)
        before[one] = ends[at - 1] if at else None
        tails[at : at + 1], ends[at : at + 1] = [place], [one]
    kept: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return frozenset(one for one in before if one not in kept)
