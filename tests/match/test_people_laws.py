"""Laws of author lists: what must hold for all names."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.match.likeness import liken
from citeaudit.match.names import Likeness, ready
from citeaudit.match.people import compare_people
from citeaudit.match.roll import moved
from citeaudit.match.rules import RULES
from citeaudit.model import AuthorRelation, Person, Reference, Relation, Work
from citeaudit.text.normalize import fold

LAW = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
FAMILIES = ["Müller", "Szabó", "Öztürk", "van den Berg", "García Márquez", "Li", "Wu", "Ng", "Rhee", "O’Hara", "Nagy"]
GIVENS = ["Ada", "José", "Zoltán", "Wei", "Xiao-Ming", "Søren Åke", "Mary Ann", "J. R.", "Özlem", "Bo"]
PEOPLE = st.builds(Person, family=st.sampled_from(FAMILIES), given=st.sampled_from(GIVENS))
LISTS = st.lists(PEOPLE, min_size=2, max_size=6, unique_by=lambda person: person.family).map(tuple)
WILD = st.builds(
    Person,
    family=st.none() | st.text(max_size=30),
    given=st.none() | st.text(max_size=30),
    literal=st.none() | st.text(max_size=60),
)
STRANGER = Person(family="Quillfeather", given="Thaddeus")


def _cite(people: tuple[Person, ...]) -> Reference:
    return Reference(raw="as printed", title="T", authors=people)


def _record(people: tuple[Person, ...]) -> Work:
    return Work(source="local", source_id="1", title="T", authors=people)


def _relation(cited: tuple[Person, ...], found: tuple[Person, ...]) -> Relation:
    return RULES[compare_people(_cite(cited), _record(found)).rule].relation


@LAW
@given(LISTS | PEOPLE.map(lambda person: (person,)))
def test_a_list_is_the_same_as_itself(people: tuple[Person, ...]) -> None:
    result = compare_people(_cite(people), _record(people))
    assert result.rule == "authors_same"
    assert [row.relation for row in result.people] == [AuthorRelation.SAME] * len(people)
    assert (result.score, result.first, result.matched) == (1.0, True, len(people))


@LAW
@given(LISTS, st.booleans(), st.booleans())
def test_dropping_marks_or_given_names_to_initials_is_no_difference(
    people: tuple[Person, ...], folded: bool, short: bool
) -> None:
    cited = tuple(_less(person, folded=folded, short=short) for person in people)
    assert _relation(cited, people) in (Relation.SAME, Relation.VARIANT)
    assert _relation(people, cited) in (Relation.SAME, Relation.VARIANT)


def _less(person: Person, *, folded: bool, short: bool) -> Person:
    given, family = person.given or "", person.family or ""
    if short:
        given = " ".join(f"{word[0]}." for word in given.split())
    return Person(family=fold(family).title() if folded else family, given=fold(given).title() if folded else given)


@LAW
@given(LISTS, st.integers(0, 6))
def test_a_stranger_in_a_complete_list_is_always_named(people: tuple[Person, ...], at: int) -> None:
    cited = (*people[:at], STRANGER, *people[at:])
    result = compare_people(_cite(cited), _record(people))
    assert result.rule == "author_not_in_record"
    phantoms = [row for row in result.people if row.relation is AuthorRelation.PHANTOM]
    assert [(row.claimed, row.place) for row in phantoms] == [(str(STRANGER), min(at, len(people)) + 1)]
    assert result.differences[0] == f"not in the record: {STRANGER}"


@LAW
@given(LISTS, LISTS)
def test_to_swap_sides_never_turns_the_same_into_a_difference(one: tuple[Person, ...], two: tuple[Person, ...]) -> None:
    if _relation(one, two) is Relation.SAME:
        assert _relation(two, one) is not Relation.DIFFERENT


@LAW
@given(WILD, WILD)
def test_likeness_is_symmetric_and_never_fails(one: Person, two: Person) -> None:
    left, right = ready(one), ready(two)
    assert liken(left, right) is liken(right, left)
    assert liken(left, left) in (Likeness.SAME, Likeness.INITIALS, Likeness.OTHER)


@LAW
@given(st.lists(WILD, max_size=5).map(tuple), st.lists(WILD, max_size=5).map(tuple))
def test_every_cited_author_has_one_row_in_order(cited: tuple[Person, ...], found: tuple[Person, ...]) -> None:
    result = compare_people(_cite(cited), _record(found))
    places = [row.place for row in result.people if row.place is not None]
    assert places == sorted(set(places))
    assert result.rule in RULES
    assert 0 <= result.score <= 1


@LAW
@given(st.lists(st.none() | st.integers(0, 9), max_size=9))
def test_who_did_not_move_stands_in_order(places: list[int | None]) -> None:
    out = moved(places)
    kept = [place for one, place in enumerate(places) if place is not None and one not in out]
    assert kept == sorted(kept)
    assert (not out) == (
        sorted(known) == known if (known := [place for place in places if place is not None]) else True
    )
