"""A record is put in order before it is stored; what is no record is named."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.index.store.record import Malformed, Name, Record, RecordNotice
from citeaudit.index.store.tidy import tidy
from citeaudit.model import NoticeType
from citeaudit.text.normalize import MAX_TITLE


@pytest.mark.parametrize(
    ("title", "clean", "kind"),
    [
        pytest.param("RETRACTED: On Widgets", "On Widgets", NoticeType.RETRACTION, id="elsevier"),
        pytest.param("RETRACTED ARTICLE: On Widgets", "On Widgets", NoticeType.RETRACTION, id="springer"),
        pytest.param("[Retracted] On Widgets", "On Widgets", NoticeType.RETRACTION, id="brackets"),
        pytest.param("WITHDRAWN: On Widgets", "On Widgets", NoticeType.WITHDRAWAL, id="withdrawn"),
        pytest.param("RETRACTED CHAPTER: On Widgets", "On Widgets", NoticeType.RETRACTION, id="chapter"),
        pytest.param("REMOVED: On Widgets", "On Widgets", NoticeType.WITHDRAWAL, id="removed"),
        pytest.param("On Widgets (Retracted Article)", "On Widgets", NoticeType.RETRACTION, id="behind"),
        pytest.param(
            "On Widgets. (Retracted article. See vol. 12, pg. 3, 2014)",
            "On Widgets",
            NoticeType.RETRACTION,
            id="behind-with-place",
        ),
        pytest.param("On Widgets [WITHDRAWN]", "On Widgets", NoticeType.WITHDRAWAL, id="behind-in-brackets"),
        pytest.param("RETRACTED: On Widgets (Retracted)", "On Widgets", NoticeType.RETRACTION, id="twice"),
        pytest.param("On Claws (retracted)", "On Claws (retracted)", None, id="plain-word-behind"),
        pytest.param("Removed: a memoir", "Removed: a memoir", None, id="plain-word-before-a-colon"),
        pytest.param("On Widgets (Retraction of vol 4)", "On Widgets (Retraction of vol 4)", None, id="the-notice"),
        pytest.param("  RETRACTED:\n On Widgets", "On Widgets", NoticeType.RETRACTION, id="spaces"),
        pytest.param("Retracted articles: a study", "Retracted articles: a study", None, id="about-retraction"),
        pytest.param("Withdrawn behaviour in voles", "Withdrawn behaviour in voles", None, id="plain-word"),
    ],
)
def test_marks_in_titles_become_notices(title: str, clean: str, kind: NoticeType | None) -> None:
    found = tidy(Record(title))
    assert found.title == clean
    assert [notice.type for notice in found.notices] == ([] if kind is None else [kind])


def test_a_mark_adds_no_second_notice() -> None:
    found = tidy(Record("RETRACTED: On Widgets", notices=(RecordNotice(NoticeType.RETRACTION, year=2021),)))
    assert [notice.year for notice in found.notices] == [2021]


@pytest.mark.parametrize("title", ["", " ", "…?!", "<i></i>", "&nbsp;", "RETRACTED: ", "\u200b"])
def test_a_title_without_letters_or_digits_is_none(title: str) -> None:
    with pytest.raises(Malformed, match="no letters or digits"):
        tidy(Record(title))


@pytest.mark.parametrize("title", ["深層学習", "Ἰλιάς", "«Война и мир»", "42", "(An aside)", "ꯃꯤꯇꯩ"])
def test_a_title_of_any_script_is_one(title: str) -> None:
    assert tidy(Record(title)).title == title


@pytest.mark.parametrize(
    ("field", "raw", "clean"),
    [
        pytest.param("doi", "https://doi.org/10.1234/ABC", "10.1234/abc", id="doi"),
        pytest.param("doi", "10.1234/abc.pdf", "10.1234/abc", id="doi-tail"),
        pytest.param("doi", "2001.00001", None, id="arxiv-as-doi"),
        pytest.param("doi", "none", None, id="no-doi"),
        pytest.param("arxiv_id", "arXiv:2001.00001v2", "2001.00001v2", id="arxiv"),
        pytest.param("arxiv_id", "10.1234/abc", None, id="doi-as-arxiv"),
        pytest.param("arxiv_id", "2001.00000", None, id="arxiv-zero"),
        pytest.param("pmid", "007", "7", id="pmid"),
        pytest.param("pmid", "1234567", "1234567", id="pmid-clean"),
        pytest.param("pmcid", "5334499", "PMC5334499", id="pmcid"),
        pytest.param("isbn", "0-306-40615-2", "9780306406157", id="isbn"),
        pytest.param("isbn", "123", None, id="no-isbn"),
        pytest.param("year", 20033, None, id="year-of-five-digits"),
        pytest.param("year", 0, None, id="year-zero"),
        pytest.param("titles", ("On Widgets", "  Über \n Dinge ", "!", ""), ("Über Dinge",), id="titles"),
    ],
)
def test_fields_are_cleaned(field: str, raw: object, clean: object) -> None:
    assert getattr(tidy(Record("On Widgets")._replace(**{field: raw})), field) == clean  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("last", "kept", "complete"),
    [
        pytest.param(Name("others"), 1, False, id="others"),
        pytest.param(Name(literal="et al."), 1, False, id="et-al"),
        pytest.param(Name(literal="..."), 1, False, id="dots"),
        pytest.param(Name(None, "Plato"), 2, None, id="given-alone"),
        pytest.param(Name("Alter"), 2, None, id="name"),
    ],
)
def test_a_last_author_that_stands_for_others_says_that_the_list_is_cut(
    last: Name, kept: int, complete: bool | None
) -> None:
    found = tidy(Record("On Widgets", authors=(Name("Roe", "A."), last)))
    assert (len(found.authors), found.authors_complete) == (kept, complete)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        pytest.param(Name("Roe 0003", "Jane"), Name("Roe", "Jane"), id="family"),
        pytest.param(Name(literal="Jane Roe 0012"), Name(literal="Jane Roe"), id="literal"),
        pytest.param(Name(literal="Widget Group 2000"), Name(literal="Widget Group 2000"), id="year-of-a-group"),
        pytest.param(Name("Roe2", "Jane"), Name("Roe2", "Jane"), id="other-digit"),
    ],
)
def test_numbers_that_tell_homonyms_apart_are_dropped(name: Name, clean: Name) -> None:
    assert tidy(Record("On Widgets", authors=(name,))).authors == (clean,)


def test_an_address_that_only_says_the_identifier_again_is_dropped() -> None:
    assert tidy(Record("On Widgets", doi="10.1234/abc", url="https://doi.org/10.1234/ABC")).url is None
    assert tidy(Record("On Widgets", arxiv_id="2001.00001", url="https://arxiv.org/abs/2001.00001")).url is None
    assert tidy(Record("On Widgets", doi="10.1234/abc", url="https://example.org")).url == "https://example.org"


def test_a_clean_record_is_the_same_object() -> None:
    clean = Record("On Widgets", authors=(Name("Roe", "Jane"),), year=2020, doi="10.1234/abc", pmid="7")
    assert tidy(clean) is clean


def test_a_long_title_is_cut_in_no_time() -> None:
    begun = time.perf_counter()
    assert len(tidy(Record("word  " * 500_000)).title) <= MAX_TITLE
    assert time.perf_counter() - begun < 0.5


TEXT = st.text(max_size=40)
RECORDS = st.builds(
    Record,
    title=st.text(min_size=1, max_size=60) | st.just("[Retracted] On [Retracted] Widgets"),
    authors=st.lists(st.builds(Name, st.none() | TEXT, st.none() | TEXT, st.none() | TEXT), max_size=4).map(tuple),
    year=st.none() | st.integers(-10, 3000),
    venue=st.none() | TEXT,
    doi=st.none() | TEXT | st.just("10.1234/ABC"),
    url=st.none() | TEXT,
    arxiv_id=st.none() | TEXT | st.just("arXiv:2001.00001v2"),
    titles=st.lists(TEXT, max_size=2).map(tuple),
)


@given(RECORDS)
def test_tidying_twice_changes_nothing(found: Record) -> None:
    try:
        once = tidy(found)
        twice = tidy(once)
    except Malformed:
        return
    assert twice._replace(title="", notices=(), authors=(), authors_complete=None) == once._replace(
        title="", notices=(), authors=(), authors_complete=None
    )
