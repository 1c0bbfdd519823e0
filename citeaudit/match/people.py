"""Compare author lists one to one, in order, and name who is too many.

A record whose list is known to be cut never makes an author too many; a cited list that ends in
`et al.` never lacks one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from citeaudit.match.names import TWO_NAMES, Likeness, Name, is_others, is_placeholder, liken, ready, within
from citeaudit.model import Person, Reference, Work
from citeaudit.text.normalize import MAX_TITLE, fold

MAX_PEOPLE = 5_000
"""Authors of one list that are looked at; the longest real lists have about 5,200 (LHC collaborations)."""
_MAX_SPELLING = 100  # lists up to this length are also searched for misspelt names, which costs every pair
_MIN_WORD = 2  # letters of the longest word of a name that can be told to have been cut: not a lone initial
_MAX_PERSON = 3  # words of an unsplit name up to which it is taken for a person's
_SHOWN = 3  # names of left-out authors that are printed


class Alignment(NamedTuple):
    """Two author lists side by side."""

    rule: str
    """Key of `citeaudit.match.rules.RULES`."""
    differences: tuple[str, ...] = ()
    """What differs, for people to read."""
    cited: int = 0
    """Authors the reference lists; placeholders and `et al.` are none."""
    matched: int = 0
    """Cited authors whose family name the record has."""
    first: bool = False
    """Whether the first cited author is among them."""
    score: float = 0.0
    """Agreement, 0 to 1; 0 where nothing could be compared."""

    @property
    def agree(self) -> bool:
        """Whether at least half of the cited authors are in the record."""
        return self.matched > 0 and self.matched * 2 >= self.cited


class _Pairs(NamedTuple):
    places: list[int | None]
    """For each cited author the place in the record, or `None`."""
    likes: list[Likeness]


def compare_people(reference: Reference, work: Work) -> Alignment:
    """Lay the cited authors beside the recorded ones.

    Where either side lists no authors its editors stand in, as for edited books.
    """
    named = [person for person in (reference.authors or reference.editors)[:MAX_PEOPLE] if not is_others(person)]
    cited = [ready(person) for person in named if not is_placeholder(person)]
    people = [person for person in named if not is_placeholder(person)]
    if not cited:
        return Alignment("authors_placeholder" if named else "authors_not_cited")
    recorded = [person for person in (work.authors or work.editors)[:MAX_PEOPLE] if not is_others(person)]
    recorded = [person for person in recorded if not is_placeholder(person)]
    if not recorded:
        return Alignment("authors_not_recorded", cited=len(cited))
    truncated = reference.authors_truncated or len(named) != len((reference.authors or reference.editors)[:MAX_PEOPLE])
    found = [ready(person) for person in recorded]
    pairs = _pair(cited, found, [ready(person) for person in work.editors] if work.authors else [])
    complete = work.authors_complete and not _run_together(cited, found) and not _cut(cited, found)
    opening = tuple(fold(work.title[:MAX_TITLE]).split())
    collective = _collective(people) != _collective(recorded)
    return _conclude(people, recorded, pairs, _Terms(cited, found, truncated, complete, opening, collective))


def _run_together(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Whether the only recorded name holds a cited one and more: dumps join the first and the last of a list."""
    return len(found) == 1 and len(found[0].words) >= TWO_NAMES and any(within(name, found[0]) for name in cited)


def _cut(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Whether a record stops after the first authors: it has them in order, and at most half of those cited.

    A name that was added to a list in the record's own length stays a stranger.
    """
    if len(found) * 2 > len(cited):
        return False
    return all(liken(one, two) >= Likeness.INITIALS for one, two in zip(cited, found, strict=False))


def _collective(people: Sequence[Person]) -> bool:
    """Whether a list is one unsplit name, too long for a person's: a group of any kind."""
    lone = people[0] if len(people) == 1 else None
    return lone is not None and not lone.family and len((lone.literal or "").split()) > _MAX_PERSON


class _Terms(NamedTuple):
    cited: list[Name]
    found: list[Name]
    truncated: bool
    complete: bool
    opening: tuple[str, ...] = ()
    """Folded words of the recorded title, which a reading may have joined to the last name."""
    collective: bool = False
    """Whether one side alone is a single name too long for a person's."""


def _pair(cited: Sequence[Name], found: Sequence[Name], editors: Sequence[Name]) -> _Pairs:
    """Give each cited author the best recorded one that is still free: same place first, then anywhere."""
    pairs = _Pairs([None] * len(cited), [Likeness.OTHER] * len(cited))
    free = set(range(len(found)))
    for place, (one, two) in enumerate(zip(cited, found, strict=False)):
        like = liken(one, two)
        if like >= Likeness.INITIALS:
            _take(pairs, free, place, (place, like))
    lookup: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(found):
        for word in name.keys:
            lookup[word].append(place)
    for least in (Likeness.SWAPPED, Likeness.MISSPELT, Likeness.GIVEN):
        for place, name in enumerate(cited):
            if pairs.places[place] is None:
                best = _best(name, place, _reach(name, lookup, free, least), found)
                if best and best[1] >= least:
                    _take(pairs, free, place, best)
    for place, name in enumerate(cited):
        if pairs.places[place] is None:
            _join(pairs, place, name, (found, editors))
    return pairs


def _take(pairs: _Pairs, free: set[int], place: int, best: tuple[int, Likeness]) -> None:
    pairs.places[place], pairs.likes[place] = best
    free.discard(best[0])


def _reach(name: Name, lookup: dict[str, list[int]], free: set[int], least: Likeness) -> list[int]:
    """Give the free places worth comparing: those that share a word; for misspellings all of a short list."""
    if least is Likeness.MISSPELT and len(free) <= _MAX_SPELLING:
        return sorted(free)
    return sorted({place for word in name.keys for place in lookup.get(word, ())[:_MAX_SPELLING] if place in free})


def _best(name: Name, place: int, reach: Sequence[int], found: Sequence[Name]) -> tuple[int, Likeness] | None:
    scored = [(liken(name, found[other]), -abs(other - place), other) for other in reach]
    if not scored:
        return None
    like, _, other = max(scored)
    return other, like


def _join(pairs: _Pairs, place: int, name: Name, pool: tuple[Sequence[Name], Sequence[Name]]) -> None:
    """Find a cited author inside a run-together recorded name, or among the editors."""
    found, editors = pool
    for other, whole in enumerate(found[:_MAX_SPELLING]):
        if within(name, whole) or ((name.group or whole.group) and within(whole, name)):
            pairs.places[place], pairs.likes[place] = other, Likeness.INITIALS
            return
    if any(liken(name, editor) >= Likeness.MISSPELT for editor in editors):
        pairs.likes[place] = Likeness.INITIALS


def _conclude(people: Sequence[Person], recorded: Sequence[Person], pairs: _Pairs, terms: _Terms) -> Alignment:
    likes = pairs.likes
    misread = _misread(pairs, terms)
    matched = sum(like is not Likeness.OTHER for like in likes) + len(misread)
    rule, differences = _rule(people, recorded, pairs, terms)
    score = sum(like / Likeness.SAME for like in likes) / len(likes)
    return Alignment(rule, differences, len(likes), matched, likes[0] is not Likeness.OTHER or 0 in misread, score)


def _misread(pairs: _Pairs, terms: _Terms) -> list[int]:
    """Give the places of unknown names all of whose words are the record's, cut or joined otherwise.

    All unknown names or none, and each recorded word stands for one cited word only: a name put together from
    words that belong to others already is not excused. The last name may run into the beginning of the title.
    """
    strangers = [place for place, like in enumerate(pairs.likes) if like is Likeness.OTHER]
    if not strangers or not terms.complete:
        return []
    if any(max(map(len, terms.cited[place].words), default=0) < _MIN_WORD for place in strangers):
        return []
    free = Counter(word for name in terms.found for word in name.words)
    for place, name in enumerate(terms.cited):
        if place not in strangers:
            free.subtract(name.words)
    left = {place: [word for word in terms.cited[place].words if not _use(free, word)] for place in strangers}
    last = len(terms.cited) - 1
    over = left.get(last, [])
    titled = bool(over) and sorted(over) == sorted(terms.opening[: len(over)])
    fits = all(not words or (place == last and titled) for place, words in left.items())
    return strangers if fits else []


def _use(free: Counter[str], word: str) -> bool:
    """Take a recorded word for a cited one; an initial takes a word that it begins."""
    hit = word if free[word] > 0 else None
    if hit is None and len(word) == 1:
        hit = next((other for other, count in free.items() if count > 0 and other.startswith(word)), None)
    if hit is None:
        return False
    free[hit] -= 1
    return True


def _rule(
    people: Sequence[Person], recorded: Sequence[Person], pairs: _Pairs, terms: _Terms
) -> tuple[str, tuple[str, ...]]:
    """Name the gravest thing that differs, and list everything that does."""
    likes = pairs.likes
    strangers = [place for place, like in enumerate(likes) if like is Likeness.OTHER]
    phantoms, blurred = _phantoms(strangers, terms)
    misread = _misread(pairs, terms)
    if misread and len(misread) == len(likes):
        return "authors_misread", tuple(f"read otherwise: {people[place]}" for place in misread)
    phantoms = [] if misread else phantoms
    if len(strangers) == len(likes):
        return _none_shared(people, recorded, terms, blurred=blurred)
    differences = [f"not in the record: {people[place]}" for place in phantoms]
    rules = ["author_not_in_record"] if phantoms else []
    for like, rule in _BY_LIKENESS:
        hits = [place for place, value in enumerate(likes) if value is like]
        rules += [rule] if hits else []
        differences += [f"{people[place]} -> {_counterpart(recorded, pairs.places[place])}" for place in hits]
    if misread:
        rules.append("authors_misread")
        differences += [f"read otherwise: {people[place]}" for place in misread]
    missing = [] if misread else _missing(pairs, terms)
    if missing:
        rules.append("authors_incomplete")
        differences.append(_left_out(recorded, missing))
    if _disordered(pairs.places):
        rules.append("authors_order")
        differences.append("in another order")
    if blurred and len(strangers) > len(phantoms):
        rules.append("authors_not_comparable")
    if any(like is Likeness.INITIALS for like in likes):
        rules.append("authors_initials")
    return (rules or ["authors_same"])[0], tuple(differences)


_BY_LIKENESS = (
    (Likeness.GIVEN, "given_name_differs"),
    (Likeness.MISSPELT, "authors_misspelt"),
    (Likeness.SWAPPED, "authors_swapped_parts"),
)


def _phantoms(strangers: Sequence[int], terms: _Terms) -> tuple[list[int], bool]:
    """Give the cited authors that a complete record of persons lacks, and whether some could not be compared."""
    if not terms.complete or all(name.group for name in terms.found):
        return [], True
    return [place for place in strangers if not terms.cited[place].group], any(terms.cited[p].group for p in strangers)


def _none_shared(
    people: Sequence[Person], recorded: Sequence[Person], terms: _Terms, *, blurred: bool
) -> tuple[str, tuple[str, ...]]:
    """Judge lists without a name in common.

    A record that lists only its first authors still contradicts a full cited list without any of them;
    groups and persons cannot contradict each other.
    """
    groups = all(name.group for name in terms.cited) != all(name.group for name in terms.found)
    if groups or terms.collective or (not terms.complete and terms.truncated):
        return "authors_not_comparable", ()
    if blurred and all(name.group for name in terms.found):
        return "authors_not_comparable", ()
    cited, found = _some(people), _some(recorded)
    return "authors_differ", (f"{cited} -> {found}",)


def _missing(pairs: _Pairs, terms: _Terms) -> list[int]:
    """Give the places of recorded persons whom a list that claims to be whole leaves out."""
    taken = {place for place in pairs.places if place is not None}
    if terms.truncated:
        return []
    return [place for place, name in enumerate(terms.found) if place not in taken and not name.group]


def _left_out(recorded: Sequence[Person], missing: Sequence[int]) -> str:
    shown = ", ".join(str(recorded[place]) for place in missing[:_SHOWN])
    more = len(missing) - _SHOWN
    return f"left out: {shown} and {more} more" if more > 0 else f"left out: {shown}"


def _some(people: Sequence[Person]) -> str:
    shown = ", ".join(str(person) for person in people[:_SHOWN])
    return f"{shown} et al." if len(people) > _SHOWN else shown


def _counterpart(recorded: Sequence[Person], place: int | None) -> str:
    return "" if place is None else str(recorded[place])


def _disordered(places: Sequence[int | None]) -> bool:
    known = [place for place in places if place is not None]
    return any(one > two for one, two in pairwise(known))
