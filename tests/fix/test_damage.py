"""One definition of a damaged value: what was lost or misread on its way, and what cannot be of the field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.fix.damage import MAX_LENGTH, is_damaged
from citeaudit.model import FieldName

TITLE, NAME, VENUE = FieldName.TITLE, FieldName.AUTHORS, FieldName.CONTAINER_TITLE
YEAR, VOLUME, PAGES = FieldName.YEAR, FieldName.VOLUME, FieldName.PAGES
CITED = "Slow tides of Århus walls"


@pytest.mark.parametrize(
    ("field", "value", "claimed"),
    [
        pytest.param(TITLE, "", None, id="nothing"),
        pytest.param(TITLE, "Slow\x00tides", None, id="control"),
        pytest.param(TITLE, "Slow tides \ue000", None, id="private-use"),
        pytest.param(TITLE, "a " * MAX_LENGTH + "b", None, id="endless"),
        pytest.param(TITLE, "Slow tides of Ã…rhus walls", None, id="mojibake-cp1252"),
        pytest.param(TITLE, "Slow tides of Ã\x85rhus walls", None, id="mojibake-latin-1"),
        pytest.param(TITLE, "Bela Ã©tude", None, id="mojibake-small"),
        pytest.param(TITLE, "The wallâ€™s tides", None, id="mojibake-quote"),
        pytest.param(TITLE, "Ð¢Ð¸Ð´", None, id="mojibake-cyrillic"),
        pytest.param(TITLE, "Slow tides of \ufffdrhus walls", None, id="replacement"),
        pytest.param(TITLE, "Slow tides of ?rhus walls", None, id="question-mark-begins"),
        pytest.param(TITLE, "Slow tides of h?rbour walls", None, id="question-mark-inside"),
        pytest.param(TITLE, "Slow tides ?? walls", None, id="question-marks"),
        pytest.param(TITLE, "Slow tides &amp; walls", None, id="entity"),
        pytest.param(TITLE, "Slow tides &#x27; walls", None, id="numbered-entity"),
        pytest.param(TITLE, "Slow <i>tides</i>", None, id="markup"),
        pytest.param(TITLE, "Slow tides of ...", None, id="cut"),
        pytest.param(TITLE, "Slow tides of …", None, id="cut-by-ellipsis"),
        pytest.param(TITLE, "Slow tides of walls*", None, id="star"),
        pytest.param(TITLE, "Slow tides of walls†", None, id="dagger"),
        pytest.param(TITLE, "Slow tides of walls¹", None, id="raised-digit"),
        pytest.param(TITLE, "Slow tides of Århus walls 1", CITED, id="digit-the-entry-lacks"),
        pytest.param(TITLE, "Slow tides of Århus walls1", CITED, id="glued-digit"),
        pytest.param(TITLE, "RETRACTED: Slow tides", None, id="notice"),
        pytest.param(TITLE, "SLOW TIDES", "Slow tides", id="capitals"),
        pytest.param(TITLE, "Slow tides of Arhus walls", CITED, id="lost-marks"),
        pytest.param(TITLE, "Медленные приливы", "Slow tides", id="another-script"),
        pytest.param(VENUE, "JOURNAL OF HARBOUR STUDIES", "Nature", id="venue-capitals"),
        pytest.param(VENUE, "Journal of Harbour &amp; Wall Studies", "Nature", id="venue-entity"),
        pytest.param(VENUE, "Journal of ?stersj Studies", "Nature", id="venue-lost-letter"),
        pytest.param(NAME, "Marit Ã˜rsted", None, id="name-mojibake"),
        pytest.param(NAME, "Marit Ørsted1", None, id="name-footnote"),
        pytest.param(NAME, "Jonas Quill2,3", None, id="name-footnotes"),
        pytest.param(NAME, "Jonas Quill*", None, id="name-star"),
        pytest.param(NAME, "Jonas Quill¹", None, id="name-raised-digit"),
        pytest.param(NAME, "quill@example.org", None, id="address"),
        pytest.param(NAME, "JONAS QUILL", "J. Quill", id="name-capitals"),
        pytest.param(NAME, "JONAS QUILL", None, id="new-name-capitals"),
        pytest.param(NAME, "Йонас Квилл", "Jonas Quill", id="name-in-another-script"),
        pytest.param(NAME, "Marit Orsted", "Marit Ørsted", id="name-lost-marks"),
        pytest.param(NAME, "et al.", None, id="others"),
        pytest.param(NAME, "Anonymous", None, id="placeholder"),
        pytest.param(NAME, "Jane Doe", None, id="stock-name"),
        pytest.param(NAME, "...", None, id="no-letter"),
        pytest.param(YEAR, "1", None, id="year-one"),
        pytest.param(YEAR, "1399", None, id="too-early"),
        pytest.param(YEAR, "2101", None, id="too-late"),
        pytest.param(YEAR, "-5", None, id="negative"),
        pytest.param(VOLUME, "ahead-of-print", None, id="ahead-of-print"),
        pytest.param(VOLUME, "PP", None, id="early-access"),
        pytest.param(VOLUME, "0", None, id="nought"),
        pytest.param(FieldName.ISSUE, "online first", None, id="online-first"),
        pytest.param(FieldName.ISSUE, "12 of the third series", None, id="sentence"),
        pytest.param(PAGES, "n/a-n/a", None, id="no-pages"),
        pytest.param(PAGES, "0", None, id="page-nought"),
        pytest.param(PAGES, "119-101", None, id="backwards"),
        pytest.param(PAGES, "101", "201-219", id="lost-last-page"),
    ],
)
def test_a_damaged_value_is_known(field: FieldName, value: str, claimed: str | None) -> None:
    assert is_damaged(field, value, claimed)


@pytest.mark.parametrize(
    ("field", "value", "claimed"),
    [
        pytest.param(TITLE, "Slow tides of Århus walls", "Slow tides of Århus wells", id="good"),
        pytest.param(TITLE, "Slow tides of Århus walls", "Slow tides of Arhus wells", id="better-marks"),
        pytest.param(TITLE, "SLOW TIDES", "SLOW WAVES", id="capitals-both"),
        pytest.param(TITLE, "DNA", "RNA", id="short-form"),
        pytest.param(TITLE, "Do tides matter?", "Do waves matter?", id="question"),
        pytest.param(TITLE, "Slow tides 2", "Slow tide 2", id="digit-of-both"),
        pytest.param(TITLE, "São Paulo und Ähnliches", "x", id="marks"),
        pytest.param(TITLE, "Âge et marée", "x", id="french"),
        pytest.param(TITLE, "AT&T; a history", None, id="ampersand"),
        pytest.param(TITLE, "If x < y then", None, id="less-than"),
        pytest.param(TITLE, "潮汐の研究", "潮汐の測定", id="japanese"),
        pytest.param(VENUE, "ICML", "Nature", id="acronym"),
        pytest.param(NAME, "Marit Ørsted", "Marit Orsted", id="name"),
        pytest.param(NAME, "LI NG", None, id="short-names"),
        pytest.param(NAME, "J. P. Quill", "Jonas Quil", id="initials"),
        pytest.param(NAME, "JONAS QUILL", "JONAS QUIL", id="names-in-capitals-both"),
        pytest.param(YEAR, "1400", None, id="early"),
        pytest.param(YEAR, "2100", None, id="late"),
        pytest.param(VOLUME, "A12", None, id="letter-volume"),
        pytest.param(VOLUME, "XII", None, id="roman"),
        pytest.param(FieldName.ISSUE, "3-4", None, id="double-issue"),
        pytest.param(PAGES, "101-119", "201-219", id="range"),
        pytest.param(PAGES, "101-19", "201-219", id="shortened"),
        pytest.param(PAGES, "S12-S19", None, id="supplement"),
        pytest.param(PAGES, "xi-xx", None, id="roman-pages"),
        pytest.param(PAGES, "12:1-12:30", None, id="article-and-page"),
        pytest.param(PAGES, "e1234", "77", id="article"),
        pytest.param(FieldName.DOI, "10.5555/a?b", None, id="identifiers-are-not-judged"),
    ],
)
def test_a_sound_value_is_none(field: FieldName, value: str, claimed: str | None) -> None:
    assert not is_damaged(field, value, claimed)


@given(st.sampled_from(FieldName), st.text(max_size=60), st.none() | st.text(max_size=60))
def test_any_text_can_be_judged(field: FieldName, value: str, claimed: str | None) -> None:
    assert is_damaged(field, value, claimed) in (True, False)
