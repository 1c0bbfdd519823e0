"""Forms of one name: romanisations, lost letters, nicknames, stock names."""

from __future__ import annotations

import pytest

from citeaudit.match.given import compatible, nicknamed
from citeaudit.match.likeness import slipped
from citeaudit.match.names import is_stock, ready
from citeaudit.match.romanised import VOWELS, lost, one_surname, sounds
from citeaudit.text.lists import read_rows
from citeaudit.text.normalize import fold
from tests.match.build import people


@pytest.mark.parametrize(
    ("one", "two", "alike", "slavic"),
    [
        pytest.param("sergey", "sergei", True, True, id="ey-ei"),
        pytest.param("yevgeny", "evgenii", True, True, id="ye-and-ii"),
        pytest.param("akhmed", "ahmed", True, False, id="kh-h-of-five-letters"),
        pytest.param("tchebychev", "chebyshev", False, True, id="tch-ch"),
        pytest.param("zhukovsky", "zukovskij", False, True, id="zh-z"),
        pytest.param("jakovlev", "yakovlev", False, True, id="j-y"),
        pytest.param("gurov", "gourov", False, False, id="too-short-for-slavic"),
        pytest.param("guryev", "gouriev", False, True, id="ou-u"),
        pytest.param("liyang", "liang", False, False, id="pinyin"),
        pytest.param("petersen", "peterson", False, False, id="another-vowel"),
        pytest.param("hansson", "hanson", False, False, id="double-consonant"),
        pytest.param("jon", "yon", False, False, id="short"),
    ],
)
def test_romanisations(one: str, two: str, alike: bool, slavic: bool) -> None:
    assert (sounds(one, two), sounds(one, two, slavic=True)) == (alike, slavic)
    assert (sounds(two, one), sounds(two, one, slavic=True)) == (alike, slavic)


@pytest.mark.parametrize(
    ("short", "long", "expected"),
    [
        pytest.param("khler", "kohler", True, id="inner"),
        pytest.param("peyr", "peyre", True, id="last"),
        pytest.param("lvaro", "alvaro", True, id="first"),
        pytest.param("kkyavuz", "kucukyavuz", True, id="three"),
        pytest.param("kkyvuz", "kucukyavuz", False, id="four"),
        pytest.param("zhang", "zhangson", False, id="an-ending"),
        pytest.param("mar", "mario", False, id="two-at-the-end"),
        pytest.param("bane", "brane", False, id="letter-without-marks"),
        pytest.param("yang", "wang", False, id="another-letter"),
        pytest.param("same", "same", False, id="nothing-lost"),
        pytest.param("li", "lei", False, id="short"),
        pytest.param("szb", "szabo", True, id="three-letters-left"),
        pytest.param("kohle", "kohler", False, id="r-at-the-end"),
    ],
)
def test_letters_lost(short: str, long: str, expected: bool) -> None:
    assert lost(short, long) is expected
    assert lost(long, short) is expected


def test_the_letters_that_may_be_lost_can_be_named() -> None:
    assert lost("sunkavali", "sunkavalli")
    assert not lost("sunkavali", "sunkavalli", VOWELS)
    assert lost("khler", "kohler", VOWELS)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [("lee", "yi", True), ("park", "pak", True), ("xu", "hsu", True), ("lee", "kim", False), ("roe", "roe", False)],
)
def test_surnames(one: str, two: str, expected: bool) -> None:
    assert one_surname(one, two) is expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [("bob", "robert", True), ("kostas", "konstantinos", True), ("bob", "bill", False), ("zed", "zed", False)],
)
def test_nicknames(one: str, two: str, expected: bool) -> None:
    assert nicknamed((one,), (two, "x")) is expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [("a", "ada", True), ("jo", "joseph", False), ("jos", "joseph", True), ("ada", "ada", True), ("b", "ada", False)],
)
def test_short_forms(one: str, two: str, expected: bool) -> None:
    assert compatible(one, two) is expected
    assert compatible(two, one) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("John Doe", True),
        ("Doe, Jane", True),
        ("First Author", True),
        ("Author 2", True),
        ("A. N. Author", True),
        ("Firstname Lastname", True),
        ("The Second Co-Author et al", False),
        ("Author", True),
        ("Jane Authorsen", False),
        ("Arthur Author", False),
        ("Ada Roe", False),
        ("", False),
    ],
)
def test_stock_names(name: str, expected: bool) -> None:
    assert is_stock(name) is expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param("Jan Walton", "Jan Walten", True, id="another-letter"),
        pytest.param("Jan Waltn", "Jan Walten", False, id="vowel-lost"),
        pytest.param("J. Waltn", "Jan Walten", False, id="vowel-lost-and-initial"),
        pytest.param("K. Waltn", "Jan Walten", True, id="vowel-lost-and-another-initial"),
        pytest.param("Waltenjan, ", "Jan Walten", False, id="run-together"),
        pytest.param("Janwalt En", "Jan Walten", False, id="split-elsewhere"),
    ],
)
def test_slips(one: str, two: str, expected: bool) -> None:
    (left,), (right,) = people(one), people(two)
    assert slipped(ready(left), ready(right)) is expected


@pytest.mark.parametrize("name", ["nicknames.tsv", "surnames.tsv", "stock_names.txt"])
def test_tables_are_folded(name: str) -> None:
    for row in read_rows("citeaudit.match", name):
        assert [word for word in row if fold(word) != word] == []


def test_romanisation_rows_are_whole() -> None:
    rows = read_rows("citeaudit.match", "romanisation.tsv")
    assert {len(row) for row in rows} == {3}
    assert {row[2] for row in rows} == {"any", "slavic"}
