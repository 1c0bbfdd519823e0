"""Pairing of two author lists: one to one, the same place first, then the likest, and within bounds."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.match import roll
from citeaudit.match.likeness import liken
from citeaudit.match.names import Likeness, Name, ready
from citeaudit.match.people import compare_people
from citeaudit.match.roll import MAX_PEOPLE, joined, moved, pair, read_side
from citeaudit.model import AuthorRelation, Person
from tests.match.build import cite, people, record

LAW = settings(deadline=None, max_examples=60)
LETTERS = [Person(family=f"{letter}orvald", given=given) for letter in "BDGKLMN" for given in ("Ada", "Bo")]
NEAR = [Person(family=family, given=given) for family in ("Roe", "Rowe", "Li", "Lee") for given in ("Ada", "A.", "Bob")]
ANYONE = st.sampled_from(LETTERS + NEAR)
LISTS = st.lists(ANYONE, max_size=8)


def _names(text: str) -> tuple[Name, ...]:
    return tuple(map(ready, people(text)))


def _ready(listed: list[Person]) -> tuple[Name, ...]:
    return tuple(map(ready, listed))


@LAW
@given(LISTS, LISTS)
def test_pairs_are_one_to_one_and_as_alike_as_said(cited: list[Person], found: list[Person]) -> None:
    left, right = _ready(cited), _ready(found)
    pairs = pair(left, right)
    taken = [place for place in pairs.places if place is not None]
    assert len(pairs.places) == len(pairs.likes) == len(cited)
    assert len(taken) == len(set(taken))
    assert pairs.whole
    assert pairs.editors == {}
    for one, place, like in zip(left, pairs.places, pairs.likes, strict=True):
        assert like is (Likeness.OTHER if place is None else liken(one, right[place]))


@LAW
@given(LISTS, LISTS)
def test_who_is_left_fits_no_one_who_is_left(cited: list[Person], found: list[Person]) -> None:
    left, right = _ready(cited), _ready(found)
    pairs = pair(left, right)
    free = set(range(len(right))) - set(pairs.places)
    for one, place in zip(left, pairs.places, strict=True):
        if place is None:
            assert all(liken(one, right[other]) is Likeness.OTHER for other in free)


@LAW
@given(LISTS, LISTS)
def test_who_stands_at_the_same_place_is_taken_first(cited: list[Person], found: list[Person]) -> None:
    left, right = _ready(cited), _ready(found)
    pairs = pair(left, right)
    for place, (one, two) in enumerate(zip(left, right, strict=False)):
        if liken(one, two) >= Likeness.INITIALS:
            assert pairs.places[place] == place


@LAW
@given(st.permutations(LETTERS))
def test_a_shuffled_list_finds_everyone(shuffled: list[Person]) -> None:
    pairs = pair(_ready(shuffled), _ready(LETTERS))
    assert [LETTERS[place] for place in pairs.places if place is not None] == shuffled
    assert set(pairs.likes) == {Likeness.SAME}


@pytest.mark.parametrize(
    ("cited", "found", "places", "likes"),
    [
        pytest.param("Bo Li; Ada Roe", "Ada Roe; Bo Li", [1, 0], ["SAME", "SAME"], id="turned"),
        pytest.param("A. Roe; Ada Roe", "Ada Roe; Al Roe", [0, 1], ["INITIALS", "GIVEN"], id="own-place-first"),
        pytest.param(
            "Cy Hu; A. Roe; Ada Roe", "Ada Roe; Di Fu", [None, 0, None], ["OTHER", "INITIALS", "OTHER"], id="once"
        ),
        pytest.param(
            "Ed Fox; Cy Hu; A. Roe", "Ada Roe; A. Roe", [None, None, 1], ["OTHER", "OTHER", "SAME"], id="likest"
        ),
        pytest.param("Cy Hu; A. Roe", "Al Roe; Di Fu; Ann Roe", [None, 2], ["OTHER", "INITIALS"], id="nearest"),
        pytest.param("Ida Fox; A. Roe", "Bea Roe; Al Roe", [None, 1], ["OTHER", "INITIALS"], id="own-place"),
        pytest.param("Cy Roe; Ada Roe", "Ada Roe; Di Roe", [1, 0], ["GIVEN", "SAME"], id="given-names-last"),
        pytest.param(
            "Cy Roe; Adda Rowe", "Ada Rowe; Di Roe", [1, 0], ["GIVEN", "MISSPELT"], id="misspelt-before-given"
        ),
        pytest.param("Cy Hu; Roe Ada", "Ada Roe; Al Roe", [None, 0], ["OTHER", "SWAPPED"], id="swapped"),
        pytest.param("John Smith", "Ada Smith", [None], ["OTHER"], id="stock-takes-no-family"),
        pytest.param("Jane Fox", "Ada Fox", [0], ["GIVEN"], id="no-stock-name"),
        pytest.param("", "Ada Roe", [], [], id="no-one"),
        pytest.param("Ada Roe", "", [None], ["OTHER"], id="against-no-one"),
    ],
)
def test_pairs(cited: str, found: str, places: list[int | None], likes: list[str]) -> None:
    pairs = pair(_names(cited), _names(found))
    assert (pairs.places, [like.name for like in pairs.likes]) == (places, likes)


def test_an_editor_stands_in_for_an_unknown_author_only() -> None:
    cited, found = _names("Ada Roe; Cy Hu; Bo Li"), _names("Ada Roe")
    pairs = pair(cited, found, _names("Di Fox; Cy Hu; Ada Roe"))
    assert pairs.editors == {1: 1}
    assert pairs.likes == [Likeness.SAME, Likeness.INITIALS, Likeness.OTHER]
    assert pairs.places == [0, None, None]


def test_the_first_editor_who_fits_is_taken() -> None:
    assert pair(_names("C. Hu"), (), _names("Bo Li; Cy Hu; Cora Hu")).editors == {0: 1}
    assert pair(_names("Abe Hu"), (), _names("Cy Hu")).editors == {}


def test_an_author_inside_a_run_together_name_is_found() -> None:
    pairs = pair(_names("Ada Roe; Bo Li"), _names("Cy Hu; Bo Li Ada Roe"))
    assert pairs.places == [1, 1]
    assert pairs.likes == [Likeness.INITIALS, Likeness.INITIALS]


def test_a_group_holds_a_longer_name() -> None:
    pairs = pair(_names("=Quiet Dunes Team of the North"), _names("Ada Roe; =Dunes Team"))
    assert pairs.places == [1]
    assert pair(_names("=Quiet Dunes"), _names("Ada Roe; Bo Li")).places == [None]


@pytest.mark.parametrize(
    ("name", "others", "places"),
    [
        pytest.param("Ada Roe Bo Li", "Bo Li; Cy Hu; Ada Roe", {0, 2}, id="two-of-three"),
        pytest.param("Ada Roe Bo Li", "Ada Roe", {0}, id="one-of-one"),
        pytest.param("Ada Roe Bo Li", "Ada Roe; Cy Hu", set(), id="one-of-two"),
        pytest.param("Ada Roe Li", "Ada Roe; Bo Li", set(), id="three-words"),
        pytest.param("A. Roe B. Li", "Ada Roe; Bo Li", set(), id="initials"),
        pytest.param("Ada van Roe Bo Li", "Ada van Roe; Bo Li", {0, 1}, id="five-words"),
        pytest.param("Ada Roe Bo Li; Cy Hu", "Ada Roe; Bo Li", set(), id="two-names"),
        pytest.param("Ada Roe Ada Roe", "Ada Roe; Bo Li", set(), id="one-twice"),
    ],
)
def test_names_run_together(name: str, others: str, places: set[int]) -> None:
    assert joined(people(name), _names(others)) == places


def test_the_sides_of_a_list_are_told_apart() -> None:
    side = read_side(people("Ada Roe; =Anonymous; Bo Li; =others; =———"))
    assert [str(person) for person in side.people] == ["Ada Roe", "Bo Li"]
    assert side.places == (1, 3)
    assert [(place, str(person)) for place, person in side.empty] == [(2, "Anonymous"), (5, "———")]
    assert side.cut
    assert side.names == _names("Ada Roe; Bo Li")
    assert not read_side(people("Ada Roe")).cut
    assert read_side(()).people == ()


def test_of_an_endless_list_the_beginning_is_read() -> None:
    side = read_side([Person(family="Roe", given="Ada")] * (MAX_PEOPLE + 5))
    assert len(side.people) == len(side.names) == MAX_PEOPLE
    assert side.places[-1] == MAX_PEOPLE


@pytest.mark.parametrize(
    ("places", "out"),
    [
        ([0, 1, 2], set()),
        ([2, 0, 1], {0}),
        ([0, 3, 1, 2], {1}),
        ([1, 0], {0}),
        ([None, 1, None, 0], {1}),
        ([3, 2, 1, 0], {0, 1, 2}),
        ([0, 4, 1, 5, 2], {1, 3}),
        ([0, 0], set()),
        ([None], set()),
        ([], set()),
    ],
)
def test_who_moved(places: list[int | None], out: set[int]) -> None:
    assert moved(places) == out


@LAW
@given(st.permutations(range(7)))
def test_as_few_as_possible_moved(places: list[int]) -> None:
    kept = len(places) - len(moved(places))
    runs = [1] * len(places)
    for end, place in enumerate(places):
        runs[end] += max((runs[start] for start in range(end) if places[start] < place), default=0)
    assert kept == max(runs)


# --- Long lists --------------------------------------------------------------------------------------------


def _many(count: int, family: str = "Wang") -> list[Person]:
    """Give people of distinct given names of ten letters."""
    vowels, rest = "aeiou", "bdfgklmnprstvwz"
    words = []
    for number in range(count):
        word, left = "", number
        for _ in range(5):
            left, digit = divmod(left, len(rest))
            word += rest[digit] + vowels[(digit + left) % 5]
        words.append(word.capitalize())
    return [Person(family=family, given=word) for word in words]


def test_a_long_list_in_another_order_is_found_whole() -> None:
    listed = _many(400, "Roe")
    pairs = pair(_ready(listed[::-1]), _ready(listed))
    assert pairs.places == list(range(399, -1, -1))
    assert pairs.whole


def test_in_a_long_list_a_name_without_a_common_word_is_another() -> None:
    listed = [*_many(150, "Roe"), Person(family="Harper", given="Eve")]
    cited = [Person(family="Harpor", given="Eve"), *_many(150, "Fox")]
    pairs = pair(_ready(cited), _ready(listed))
    assert pairs.places[0] == 150
    assert pairs.likes[0] is Likeness.MISSPELT
    assert set(pairs.places[1:]) == {None}


def test_namesakes_of_one_initial_are_looked_at_first() -> None:
    listed = [*(Person(family="Wang", given=f"B{name.given}") for name in _many(300)), *_many(5)]
    cited = [Person(family="Roe", given="Ada"), Person(family="Wang", given="Bob")]
    cited += [Person(family="Wang", given=f"{(listed[-1].given or '')[0]}.")]
    pairs = pair(_ready(cited), _ready(listed))
    assert pairs.places[2] is not None
    assert pairs.likes[2] is Likeness.INITIALS


def test_who_was_not_compared_with_all_is_no_phantom() -> None:
    listed = _many(600)
    cited = [*listed[:1], *(Person(family="Wang", given=f"X{person.given}") for person in listed[1:])]
    pairs = pair(_ready(cited), _ready(listed))
    assert not pairs.whole
    reference = cite("T", "").model_copy(update={"authors": tuple(cited)})
    result = compare_people(reference, record("T", "").model_copy(update={"authors": tuple(listed)}))
    assert result.rule == "authors_incomplete"
    assert AuthorRelation.PHANTOM not in {row.relation for row in result.people}


def test_many_editors_are_not_searched_for_many_authors() -> None:
    cited, editors = _ready(_many(300, "Roe")), _ready(_many(300, "Fox"))
    assert not pair(cited, _names("Ada Li"), editors).whole
    assert pair(cited[:20], _names("Ada Li"), editors).whole


@pytest.mark.parametrize("family", ["Wang", "Roe"])
def test_five_thousand_against_five_thousand_end_soon(family: str) -> None:
    cited = cite("T", "").model_copy(update={"authors": tuple(_many(5_000, family))})
    others = tuple(Person(family=family, given=f"X{person.given}") for person in _many(5_000))
    found = record("T", "").model_copy(update={"authors": others[::-1]})
    start = time.process_time()
    compare_people(cited, found)
    assert time.process_time() - start < 5  # about 0.7; once 5


def test_the_number_of_comparisons_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0

    def counted(one: Name, two: Name) -> Likeness:
        nonlocal count
        count += 1
        return liken(one, two)

    monkeypatch.setattr(roll, "liken", counted)
    pair(_ready(_many(1_000)), _ready(_many(1_000, "Wong")[::-1]))
    assert count <= roll.MAX_COMPARED + 2_000
