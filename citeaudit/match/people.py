"""Compare author lists one to one, in order, and name who is too many.

A record whose list is known to be cut never makes an author too many; a cited list that ends in
`et al.` never lacks one.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.match.byline import Byline, rows_of
from citeaudit.match.given import namesakes
from citeaudit.match.likeness import liken, slipped, within
from citeaudit.match.names import TWO_NAMES, Likeness, Name, ready
from citeaudit.match.roll import MAX_COMPARED, MAX_PEOPLE, Pairs, Side, joined, moved, pair, read_side, turn
from citeaudit.match.rules import RULES
from citeaudit.match.wholeness import breaks, collective, damaged, last_alone, names_others, stops, with_group
from citeaudit.model import AuthorMatch, AuthorRelation, Person, Reference, Relation, Work
from citeaudit.text.normalize import MAX_TITLE, fold

MOST_SLIPS = 2
"""Names of one list spelt wrongly from which that is no slip of the pen."""
_MIN_WORD = 2  # letters of the longest word of a name that can be told to have been cut: not a lone initial
_MAX_MISREAD = 50  # unknown names up to which their words are looked for among those of the record
_SHOWN = 3  # names of left-out authors that are printed
_FEW = 2  # strangers that are few, whatever the length of the list


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
    people: tuple[AuthorMatch, ...] = ()
    """One a cited author in the printed order, then those left out; see `citeaudit.match.byline`."""

    @property
    def agree(self) -> bool:
        """Whether at least half of the cited authors are in the record."""
        return self.matched > 0 and self.matched * 2 >= self.cited


class _Lists(NamedTuple):
    """The two lists, paired, and what is known of their being whole."""

    cited: Side
    found: Side
    editors: tuple[Person, ...]
    pairs: Pairs
    truncated: bool
    """The reference says that it leaves authors out."""
    complete: bool
    """The record lists everyone."""
    opening: tuple[str, ...]
    """Folded words of the recorded title, which a reading may have joined to the last name."""
    missing: tuple[int, ...]
    """0-based places of recorded persons whom the cited list, read as whole, lacks."""
    joined: bool
    """The only cited name runs two recorded ones together."""
    stops: bool = False
    """The record says that it is whole, but has the first cited authors only."""
    damaged: bool = False
    """The record has rests of names."""


def compare_people(reference: Reference, work: Work) -> Alignment:
    """Lay the cited authors beside the recorded ones.

    Where either side lists no authors its editors stand in, as for edited books.
    """
    cited = read_side(reference.authors or reference.editors)
    found = read_side(work.authors or work.editors)
    if not cited.names:
        named = "authors_placeholder" if found.names else "authors_not_recorded"
        return Alignment(named if cited.empty else "authors_not_cited", people=rows_of(Byline(cited)))
    if not found.names:
        stock = all(name.stock for name in cited.names)
        rule = "authors_placeholder" if stock else "authors_not_recorded"
        return Alignment(rule, cited=len(cited.names), people=rows_of(Byline(cited)))
    aligned = _conclude(_lists(reference, work, cited, found))
    apart = RULES[aligned.rule].relation is Relation.DIFFERENT or aligned.rule == "authors_unlisted"
    return _unread(aligned) if apart and _foreign(cited.people) != _foreign(found.people) else aligned


def _foreign(people: Sequence[Person]) -> bool:
    """Whether most letters of a list are of no Latin script: its names may be read in more than one way."""
    letters = [char for person in people[:MAX_PEOPLE] for char in str(person) if char.isalpha()]
    return sum(not unicodedata.name(char, "").startswith("LATIN") for char in letters) * 2 > len(letters)


def _unread(aligned: Alignment) -> Alignment:
    """Give what is known of two lists in different scripts that do not agree: nothing."""
    kept = (AuthorRelation.SAME, AuthorRelation.VARIANT)
    rows = tuple(
        row if row.relation in kept else row.model_copy(update={"relation": AuthorRelation.UNKNOWN})
        for row in aligned.people
        if row.relation is not AuthorRelation.MISSING
    )
    return Alignment("authors_not_comparable", cited=aligned.cited, people=rows)


def _lists(reference: Reference, work: Work, cited: Side, found: Side) -> _Lists:
    editors = work.editors[:MAX_PEOPLE] if work.authors else ()
    pairs = pair(cited.names, found.names, [ready(person) for person in editors])
    truncated = reference.authors_truncated or cited.cut
    whole = joined(cited.people, found.names) if len(found.names) > 1 else frozenset()
    if whole:  # the only cited name is two people's
        pairs.places[0], pairs.likes[0] = min(whole), Likeness.INITIALS
    lists = (cited.names, found.names)
    rests = damaged(*lists)
    listed = work.authors_complete and pairs.whole and not found.cut and not found.empty and not rests
    listed = not _run_together(cited, found, pairs) and listed
    short = listed and stops(*lists)
    complete = listed and not short and not last_alone(*lists) and not with_group(*lists)
    if breaks(*lists):
        complete, pairs.places[len(found.names) - 1] = False, len(found.names) - 1
        pairs.likes[len(found.names) - 1] = Likeness.INITIALS
    turn(pairs, cited, found)
    others = [ready(person) for person in reference.editors[:MAX_PEOPLE]] if reference.authors else []
    missing = () if truncated or whole else _missing(pairs, found.names, others)
    opening = tuple(fold(work.title[:MAX_TITLE]).split())
    return _Lists(cited, found, editors, pairs, truncated, complete, opening, missing, bool(whole), short, rests)


def _missing(pairs: Pairs, found: Sequence[Name], editors: Sequence[Name]) -> tuple[int, ...]:
    """Give the recorded persons who are neither among the cited authors nor among the cited editors."""
    taken = set(pairs.places)
    left = [place for place, name in enumerate(found) if place not in taken and not name.group]
    if not editors:
        return tuple(left)
    if len(left) * len(editors) > MAX_COMPARED:
        return ()
    return tuple(place for place in left if all(liken(found[place], one) < Likeness.MISSPELT for one in editors))


def _run_together(cited: Side, found: Side, pairs: Pairs) -> bool:
    """Whether the only recorded name holds a cited one and more: dumps join the first and the last of a list.

    The cited authors whom it holds are paired with it.
    """
    if len(found.names) > 1 or len(found.names[0].words) < TWO_NAMES or Likeness.SAME in pairs.likes:
        return False
    holds = joined(found.people, cited.names)
    for place in holds:
        pairs.places[place], pairs.likes[place] = 0, Likeness.INITIALS
    return bool(holds) or any(within(name, found.names[0]) for name in cited.names)


class _Strangers(NamedTuple):
    """The 0-based places of cited authors whom the record lacks, by what that says."""

    phantoms: tuple[int, ...] = ()
    stock: tuple[int, ...] = ()
    """Names that stand for no one, `John Doe`."""
    misread: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()

    @property
    def all(self) -> int:
        """How many there are."""
        return sum(map(len, self))


def _strangers(lists: _Lists) -> _Strangers:
    likes, cited = lists.pairs.likes, lists.cited.names
    places = [place for place, like in enumerate(likes) if like is Likeness.OTHER]
    if not places:
        return _Strangers()
    stock = tuple(place for place in places if cited[place].stock)
    places = [place for place in places if place not in stock]
    misread = _misread(lists, places)
    if misread or not lists.complete or all(name.group for name in lists.found.names):
        return _Strangers((), stock, misread, () if misread else tuple(places))
    phantoms = tuple(place for place in places if not cited[place].group)
    return _Strangers(phantoms, stock, (), tuple(place for place in places if cited[place].group))


def _misread(lists: _Lists, strangers: Sequence[int]) -> tuple[int, ...]:
    """Give the places of unknown names all of whose words are the record's, cut or joined otherwise.

    All unknown names or none, and each recorded word stands for one cited word only: a name put together from
    words that belong to others already is not excused. The last name may run into the beginning of the title.
    """
    cited = lists.cited.names
    if not lists.complete or len(strangers) > _MAX_MISREAD:
        return ()
    if any(max(map(len, cited[place].words), default=0) < _MIN_WORD for place in strangers):
        return ()
    free = Counter(word for name in lists.found.names for word in name.words)
    if any(len(word) > 1 and word not in free for place in strangers[:-1] for word in cited[place].words):
        return ()
    for place, name in enumerate(cited):
        if place not in strangers:
            free.subtract(name.words)
    left = {place: [word for word in cited[place].words if not _use(free, word)] for place in strangers}
    last = len(cited) - 1
    over = left.get(last, [])
    titled = bool(over) and sorted(over) == sorted(lists.opening[: len(over)])
    fits = all(not words or (place == last and titled) for place, words in left.items())
    return tuple(strangers) if fits else ()


def _use(free: Counter[str], word: str) -> bool:
    """Take a recorded word for a cited one; an initial takes a word that it begins."""
    hit = word if free[word] > 0 else None
    if hit is None and len(word) == 1:
        hit = next((other for other, count in free.items() if count > 0 and other.startswith(word)), None)
    if hit is None:
        return False
    free[hit] -= 1
    return True


def _conclude(lists: _Lists) -> Alignment:
    likes, strangers = lists.pairs.likes, _strangers(lists)
    if strangers.all == len(likes) and len(strangers.misread) < len(likes):
        return _none_shared(lists, strangers)
    if strangers.misread:
        lists = lists._replace(missing=())
    rule, differences = _rule(lists, strangers)
    matched = len(likes) - strangers.all + len(strangers.misread)
    first = likes[0] is not Likeness.OTHER or 0 in strangers.misread
    return Alignment(rule, differences, len(likes), matched, first, _score(likes), _rows(lists, strangers))


def _score(likes: Sequence[Likeness]) -> float:
    return sum(like / Likeness.SAME for like in likes) / len(likes)


def _rows(lists: _Lists, strangers: _Strangers) -> tuple[AuthorMatch, ...]:
    byline = Byline(
        lists.cited, lists.found, lists.pairs, lists.editors, strangers.phantoms, strangers.misread, lists.missing
    )
    return rows_of(byline)


def _rule(lists: _Lists, strangers: _Strangers) -> tuple[str, tuple[str, ...]]:
    """Name the gravest thing that differs, and list everything that does."""
    likes, people, places = lists.pairs.likes, lists.cited.people, lists.pairs.places
    differences = [f"not in the record: {people[place]}" for place in strangers.phantoms]
    differences += [f"often a placeholder: {people[place]}" for place in strangers.stock]
    rules = [_grave(strangers, len(likes))] if strangers.phantoms else []
    if strangers.stock:
        rules.append("authors_stock_names" if lists.complete else "authors_not_comparable")
    if _altered(lists):
        rules.append("authors_altered")
    for like, rule in _BY_LIKENESS:
        hits = [place for place, value in enumerate(likes) if value is like]
        rules += [rule] if hits else []
        differences += [f"{people[place]} -> {_counterpart(lists, places[place])}" for place in hits]
    alike = [place for place in range(len(likes)) if _namesakes(lists, place)]
    if alike:
        rules.append("authors_namesake")
        differences += [f"{people[place]} -> {_counterpart(lists, places[place])}" for place in alike]
    if strangers.misread or lists.joined:
        rules.append("authors_misread")
        differences += [f"read otherwise: {people[place]}" for place in strangers.misread]
    if lists.missing:
        rules.append("authors_incomplete")
        differences.append(_left_out(lists.found.people, lists.missing))
    if moved(places):
        rules.append("authors_order")
        differences.append("in another order")
    if any(map(_named, lists.cited.empty)):
        rules.append("authors_and_no_one")
        differences += [f"stands for no one: {person}" for _, person in filter(_named, lists.cited.empty)]
    if strangers.unknown:
        rules.append(_open(lists, strangers.unknown))
    if any(like is Likeness.INITIALS for like in likes):
        rules.append("authors_initials")
    return (rules or ["authors_same"])[0], tuple(differences)


def _namesakes(lists: _Lists, place: int) -> bool:
    other = lists.pairs.places[place]
    if other is None or lists.pairs.likes[place] < Likeness.INITIALS:
        return False
    return namesakes(lists.cited.names[place], lists.found.names[other])


def _named(empty: tuple[int, Person]) -> bool:
    """Whether what stands for no one has letters: a dash repeats the author of the entry before."""
    return any(map(str.isalpha, str(empty[1])))


def _open(lists: _Lists, unknown: Sequence[int]) -> str:
    """Name what keeps cited authors whom the record lacks from being held against the reference."""
    if lists.stops:
        return "authors_beyond"
    if with_group(lists.cited.names, lists.found.names):
        return "authors_unlisted"
    groups = lists.complete and all(lists.cited.names[place].group for place in unknown)
    return "authors_and_group" if groups else "authors_not_comparable"


_BY_LIKENESS = (
    (Likeness.GIVEN, "given_name_differs"),
    (Likeness.MISSPELT, "authors_misspelt"),
    (Likeness.SWAPPED, "authors_swapped_parts"),
)


def _altered(lists: _Lists) -> bool:
    """Whether names are wrong more often than a typist errs: two slips, or one beside names turned round or moved.

    A list that turns every name round only follows another custom. Letters that may be lost marks are a slip only where
    the list errs in another way too: in half A of CiteAudit, none of 721 real references does.
    """
    likes, places = lists.pairs.likes, lists.pairs.places
    wrong = 0
    for one, place, like in zip(lists.cited.names, places, likes, strict=True):
        if like is Likeness.MISSPELT and place is not None and slipped(one, lists.found.names[place]):
            wrong += 1
    turned = sum(like is Likeness.SWAPPED for like in likes)
    if wrong > 0 and wrong + (turned if turned < len(likes) - wrong else 0) >= MOST_SLIPS:
        return True
    damaged = sum(like is Likeness.MISSPELT for like in likes)
    return damaged > 0 and (bool(moved(places)) or 0 < turned < len(likes) - damaged)


def _grave(strangers: _Strangers, cited: int) -> str:
    """Tell one or two names too many from a list most of which is another's."""
    count = len(strangers.phantoms)
    return "authors_mostly_differ" if count > _FEW and count * 2 > cited else "author_not_in_record"


def _none_shared(lists: _Lists, strangers: _Strangers) -> Alignment:
    """Judge lists without a name in common.

    A record that lists only its first authors still contradicts a full cited list without any of them;
    groups and persons cannot contradict each other.
    """
    cited, found = lists.cited, lists.found
    count = len(cited.names)
    if len(strangers.stock) == count:
        rule = "authors_stock_names" if lists.complete else "authors_placeholder"
        differences = tuple(f"often a placeholder: {person}" for person in cited.people)
        return Alignment(rule, differences, count, people=_rows(lists, strangers))
    groups = all(name.group for name in cited.names) != all(name.group for name in found.names)
    groups = groups or collective(cited.people) != collective(found.people)
    bodies = all(name.group for name in found.names)
    if groups or bodies or lists.damaged or (not lists.complete and lists.truncated):
        named = lists.complete and not bodies and not collective(found.people)
        rule = "authors_group" if groups and named else "authors_not_comparable"
        held = bodies or lists.damaged or collective(found.people)
        if held and not collective(cited.people) and names_others(cited.names, found.names):
            rule = "authors_unlisted"
        return Alignment(rule, cited=count, people=rows_of(Byline(cited)))
    differences = (f"{_some(cited.people)} -> {_some(found.people)}",)
    lists = lists if lists.complete else lists._replace(missing=())
    return Alignment("authors_differ", differences, count, people=_rows(lists, strangers))


def _left_out(recorded: Sequence[Person], missing: Sequence[int]) -> str:
    shown = ", ".join(str(recorded[place]) for place in missing[:_SHOWN])
    more = len(missing) - _SHOWN
    return f"left out: {shown} and {more} more" if more > 0 else f"left out: {shown}"


def _some(people: Sequence[Person]) -> str:
    shown = ", ".join(str(person) for person in people[:_SHOWN])
    return f"{shown} et al." if len(people) > _SHOWN else shown


def _counterpart(lists: _Lists, place: int | None) -> str:
    return "" if place is None else str(lists.found.people[place])
