"""Forms of one name: romanisations, lost letters, nicknames, stock names."""

from __future__ import annotations

import pytest

from citeaudit.match.given import compatible, namesakes, nicknamed
from citeaudit.match.likeness import slipped
from citeaudit.match.names import is_stock, ready
from citeaudit.match.romanised import VOWELS, eastern, is_eastern, japanese, lost, one_surname, sounds
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
    [
        ("lee", "yi", True),
        ("park", "pak", True),
        ("xu", "hsu", True),
        ("lu", "lv", True),
        ("lyu", "lv", True),
        ("qasim", "kassem", True),
        ("lee", "kim", False),
        ("roe", "roe", False),
        ("nguyen", "tran", False),
    ],
)
def test_surnames(one: str, two: str, expected: bool) -> None:
    assert one_surname(one, two) is expected


@pytest.mark.parametrize(
    ("one", "two", "loose", "strict"),
    [
        pytest.param("tsetung", "zedong", True, True, id="wade-giles"),
        pytest.param("chihwei", "zhiwei", True, True, id="chih-zhi"),
        pytest.param("hsiaoping", "xiaoping", True, True, id="hs-x"),
        pytest.param("peiwen", "beiwen", True, False, id="both-may-be-pinyin"),
        pytest.param("zihao", "zhihao", False, False, id="two-pinyin-names"),
        pytest.param("cheolsoo", "chulsoo", True, True, id="eo-u"),
        pytest.param("yeongsu", "youngsoo", True, True, id="yeong-young"),
        pytest.param("jeonghui", "junghee", True, True, id="hui-hee"),
        pytest.param("minjae", "minjung", False, False, id="another-korean"),
        pytest.param("tarou", "taro", True, False, id="long-vowel"),
        pytest.param("ab", "ab", False, False, id="short"),
        pytest.param("abe", "abe", True, False, id="three-letters"),
    ],
)
def test_eastern_names(one: str, two: str, loose: bool, strict: bool) -> None:
    assert (eastern(one, two, pinyin=True), eastern(one, two)) == (loose, strict)
    assert (eastern(two, one, pinyin=True), eastern(two, one)) == (loose, strict)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("ono", "ohno", True),
        ("satoh", "satou", True),
        ("oota", "ohta", True),
        ("ito", "itoh", True),
        ("ono", "oni", False),
        ("kohler", "koler", False),
        ("no", "noh", False),
    ],
)
def test_long_vowels(one: str, two: str, expected: bool) -> None:
    assert japanese(one, two) is expected
    assert japanese(two, one) is expected


def test_peoples_that_put_the_family_first() -> None:
    assert all(map(is_eastern, ("nguyen", "zhang", "kim", "lyu")))
    assert not any(map(is_eastern, ("roe", "", "marchetti")))


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param("Daniel Roe", "Daniela Roe", True, id="ending"),
        pytest.param("Christian Roe", "Christiane Roe", True, id="french-ending"),
        pytest.param("Daniel Roe", "Daniele Roe", False, id="italian-daniel"),
        pytest.param("Eva Roe", "Evaa Roe", False, id="after-a-vowel"),
        pytest.param("Dan Roe", "Dana Roe", False, id="short"),
        pytest.param("Alex Roe", "Alexander Roe", False, id="short-form"),
        pytest.param("Michael I. Roe", "Michael B. Roe", True, id="second-initial"),
        pytest.param("M. I. Roe", "Michael Bert Roe", True, id="second-name"),
        pytest.param("Michael I. Roe", "Michael Roe", False, id="one-initial"),
        pytest.param("M. A. B. Roe", "M. B. Roe", False, id="one-initial-more"),
        pytest.param("Van Duc Roe", "Duc Van Roe", False, id="turned"),
        pytest.param("Ada B. Roe Vane", "Ada K. Roe", False, id="another-family"),
        pytest.param("Roe Jr, Max", "Roe III, Max", True, id="rank"),
        pytest.param("Roe III, Max", "Roe 3rd, Max", False, id="one-rank"),
        pytest.param("Roe Jr, Max", "Roe, Max", False, id="rank-left-out"),
        pytest.param("Roe, ", "Roe, Max", False, id="family-alone"),
    ],
)
def test_namesakes(one: str, two: str, expected: bool) -> None:
    (left,), (right,) = people(one), people(two)
    assert namesakes(ready(left), ready(right)) is expected
    assert namesakes(ready(right), ready(left)) is expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("bob", "robert", True),
        ("bob", "r", True),
        ("bob", "b", False),
        ("pepe", "jose", True),
        ("robert", "x", False),
        ("kostas", "konstantinos", True),
        ("bob", "bill", False),
        ("zed", "zed", False),
    ],
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
    assert {row[2] for row in rows} == {"any", "slavic", "chinese", "korean", "japanese"}
