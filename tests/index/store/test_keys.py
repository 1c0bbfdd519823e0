"""Records are found by identifier, title, place in a journal, and their collection's own id; words follow."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.index.store import keys
from citeaudit.index.store.record import Name, Record, Related
from citeaudit.index.store.terms import LEADING_SURNAMES, surname_terms, text_of, title_terms
from citeaudit.text.folding import folded
from citeaudit.text.normalize import MAX_TITLE, fold


def shared(one: str, other: str) -> bool:
    return not set(keys.title_keys(one)).isdisjoint(keys.title_keys(other))


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        pytest.param("State of the Art Methods", "State-of-the-art  methods.", id="hyphens"),
        pytest.param("On Widgets", "On Widgets: A Study", id="before-the-colon"),
        pytest.param("On Widgets", "On Widgets – A Study", id="before-the-dash"),
        pytest.param("On Widgets", "On Widgets (Extended Abstract).", id="decorated-record"),
        pytest.param("On Widgets [Invited Paper]", "On Widgets", id="decorated-question"),
        pytest.param("Growth of things", "Invited Paper: Growth of things", id="decorated-front"),
        pytest.param("深層学習 入門", "深層学習入門", id="other-script"),
        pytest.param("ВОЙНА И МИР", "Война и мир", id="cyrillic"),
    ],
)
def test_titles_that_are_found_by_one_another(asked: str, held: str) -> None:
    assert shared(asked, held)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("On Widgets", "On Gadgets", id="other-word"),
        pytest.param("On A: Widgets", "On A: Gadgets", id="short-head"),
        pytest.param("non-iid learning", "iid learning", id="prefix"),
    ],
)
def test_titles_that_are_not(one: str, other: str) -> None:
    assert not shared(one, other)


def test_homophones_of_another_script_have_a_key_that_tells_them_apart() -> None:
    one, other = keys.title_keys("是"), keys.title_keys("事")
    assert one[0] == other[0]
    assert one[1] != other[1]


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        pytest.param("Über Größe", None, id="latin"),
        pytest.param("Về tiếng Việt", None, id="latin-additional"),
        pytest.param("The TNF-α story", None, id="one-greek-letter"),
        pytest.param("Ηλιάς II", "ηλιάσii", id="greek"),
        pytest.param("2020", None, id="digits"),
    ],
)
def test_only_titles_of_another_script_keep_their_letters(text: str, raw: str | None) -> None:
    assert keys.raw_title(text) == raw


@pytest.mark.parametrize(
    ("pages", "page"),
    [
        pytest.param("123-45", "123", id="range"),
        pytest.param("pp. 0123–0145", "123", id="zeros-and-word"),
        pytest.param("e1000", "e1000", id="electronic"),
        pytest.param("L12-L15", "l12", id="letters"),
        pytest.param("123:1-123:20", "123", id="article-and-page"),
        pytest.param("xi-xx", "xi", id="roman"),
        pytest.param("Article 104523", "104523", id="article"),
        pytest.param("Art. no. e12", "e12", id="article-number"),
        pytest.param("—", None, id="none"),
        pytest.param("0", None, id="zero"),
    ],
)
def test_first_pages(pages: str, page: str | None) -> None:
    assert keys.first_page(pages) == page


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            ("Phys. Rev. Lett.", "12", "34"), ("Physical Review Letters", "vol. 12", "34-40"), id="abbreviated"
        ),
        pytest.param(("The Astrophysical Journal", "12", "L3"), ("Astrophys. J.", "12(4)", "L3-L9"), id="article"),
        pytest.param(("Der Nervenarzt", "7", "1"), ("Nervenarzt", "07", "1-2"), id="german"),
    ],
)
def test_one_place_in_a_journal_is_one_key(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    assert keys.locator_keys(*one) == keys.locator_keys(*other) != ()


@pytest.mark.parametrize(
    "place", [(None, "1", "2"), ("J", None, "2"), ("J", "1", None), ("…", "1", "2"), ("J", "vol", "2")]
)
def test_a_place_that_lacks_a_part_has_no_key(place: tuple[str | None, str | None, str | None]) -> None:
    assert keys.locator_keys(*place) == ()


def test_a_record_is_found_by_all_that_names_it() -> None:
    record = Record(
        "On Widgets: A Study",
        titles=("Über Dinge",),
        venue="Journal of Widgets",
        volume="3",
        pages="1-9",
        doi="10.48550/arxiv.2001.00001",
        arxiv_id="2001.00001v2",
        pmid="7",
        pmcid="PMC123",
        isbn="9780306406157",
        src="a",
        id="w1",
        related=(Related("published", "doi", "10.1234/b"),),
    )
    found = keys.record_keys(record)
    assert len(found) == len(set(found))
    assert set(found) == {
        *keys.title_keys("On Widgets: A Study"),
        *keys.title_keys("Über Dinge"),
        *keys.locator_keys("J. Widgets", "3", "1"),
        keys.identifier_key("doi", "10.48550/arxiv.2001.00001"),
        keys.identifier_key("arxiv_id", "2001.00001v7"),
        keys.identifier_key("pmid", "7"),
        keys.identifier_key("pmcid", "PMC123"),
        keys.identifier_key("isbn", "9780306406157"),
        keys.identifier_key("doi", "10.1234/b"),
        keys.own_key("a", "w1"),
    }
    assert all(-(2**47) <= key < 2**47 for key in found)


@pytest.mark.parametrize(
    ("record", "key"),
    [
        pytest.param(Record("t", src="a", id="7", doi="10.1234/a"), keys.own_key("a", "7"), id="own"),
        pytest.param(Record("t", src="a", doi="10.1234/a"), keys.identifier_key("doi", "10.1234/a"), id="doi"),
        pytest.param(Record("t", arxiv_id="2001.00001"), keys.identifier_key("arxiv_id", "2001.00001"), id="arxiv"),
        pytest.param(Record("t", pmid="7"), keys.identifier_key("pmid", "7"), id="pubmed"),
        pytest.param(Record("t", isbn="9780306406157"), None, id="nothing"),
    ],
)
def test_what_a_newer_record_is_known_by_is_among_the_keys(record: Record, key: int | None) -> None:
    assert keys.replacing_key(record) == key
    assert key is None or key in keys.record_keys(record)


def test_venues_are_one_whatever_their_spelling() -> None:
    assert keys.venue_key("Journal of Widgets") == keys.venue_key("JOURNAL  of widgets.") is not None
    assert keys.venue_key("—") is None


@given(st.text(max_size=60) | st.text(st.characters(max_codepoint=127), max_size=60))
def test_the_fast_folding_is_the_folding(text: str) -> None:
    assert folded(text) == fold(text)


def test_long_titles_are_cut() -> None:
    assert folded("ab " * MAX_TITLE) == fold(("ab " * MAX_TITLE)[:MAX_TITLE])


@pytest.mark.parametrize("text", ["a" * 200_000, "1 " * 100_000, "<" * 100_000, " - " * 60_000, "é:" * 60_000])
def test_hostile_text_costs_no_time(text: str) -> None:
    begun = time.perf_counter()
    keys.title_keys(text), keys.locator_keys(text, text, text), text_of(Record(text, (Name(text, text),)))
    assert time.perf_counter() - begun < 0.5


@given(st.text(max_size=80))
def test_any_title_has_keys(title: str) -> None:
    assert bool(keys.title_keys(title)) or not any(map(str.isalnum, title)) or not fold(title)


def test_words_are_those_of_the_titles_and_of_the_surnames() -> None:
    authors = tuple(Name(f"Roe{place}") for place in range(LEADING_SURNAMES + 3))
    text = text_of(Record("On Widgets", authors=(Name("Van der Berg"), *authors), titles=("Über Dinge",)))
    assert text.split() == [
        *("on", "widgets", "zvanderberg", "zvan", "zder", "zberg"),
        *(f"zroe{place}" for place in range(LEADING_SURNAMES - 1)),
        *(f"zroe{LEADING_SURNAMES + 2}", "uber", "dinge"),
    ]


def test_terms_of_a_question_are_those_of_a_record() -> None:
    assert title_terms("On: Widgets") == ["on", "widgets"]
    assert surname_terms("Roe") == surname_terms(Name(literal="ROE")) == ("zroe",)
    assert surname_terms("") == ()
