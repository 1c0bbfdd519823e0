"""Bibliographies that stand in notes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.extract.fields.reader import read_fields
from citeaudit.extract.pdf.footnotes import (
    NoteCitation,
    NoteText,
    are_notes,
    cite,
    count,
    find_notes,
    merge,
    note_texts,
    read_citations,
)
from citeaudit.extract.pdf.layout import FootNote, Layout, Row, make_row
from citeaudit.extract.pdf.noteparts import is_archive, is_citation, parts
from citeaudit.model import Reference
from citeaudit.pdf import Span

ROE = "Eva Roe, Die Erfindung der Zeile, in: Archiv für Zeilen 28 (1988), S. 55-84"
POE = "Rolf Poe/Ines Thoma, Spalten und Zeilen. Eine Einführung, Bonn 1999"
SMITH = "John A. Smith, “What Rows Decide,” Journal of Lines 8, no. 2 (1993): 14–29"


def cited(*texts: str) -> tuple[NoteCitation, ...]:
    return cite(NoteText(str(place), text) for place, text in enumerate(texts, 1))


def raws(*texts: str) -> list[str]:
    return [one.raw for one in cited(*texts)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ROE, id="bare"),
        pytest.param(f"Vgl. {ROE}.", id="vgl"),
        pytest.param(f"Vgl. auch {ROE}.", id="vgl-auch"),
        pytest.param(f"Siehe hierzu {ROE}.", id="siehe-hierzu"),
        pytest.param(f"So auch {ROE}.", id="so-auch"),
        pytest.param(f"Dazu ausführlich {ROE}.", id="dazu"),
        pytest.param(f"Zur Geschichte der Zeile siehe {ROE}.", id="on-a-subject"),
        pytest.param(f"Zitiert nach {ROE}.", id="quoted"),
        pytest.param(f"See {ROE}.", id="see"),
        pytest.param(f"See also {ROE}.", id="see-also"),
        pytest.param(f"Cf. {ROE}.", id="cf"),
        pytest.param(f"For an overview see {ROE}.", id="overview"),
        pytest.param(f"On this point, see for example {ROE}.", id="on-this-point"),
        pytest.param(f"Sur ce point, voir notamment {ROE}.", id="voir"),
        pytest.param(f"Véase también {ROE}.", id="vease"),
        pytest.param(f"{ROE}, hier S. 60.", id="page-meant"),
        pytest.param(f"{ROE}. Den Hinweis verdanke ich einem Gespräch.", id="comment-behind"),
        pytest.param(
            f"{ROE}. The numbers of the year 1933 are rounded and serve as orientation only.", id="dated-comment"
        ),
        pytest.param(f"Die Zahlen sind gerundet. Vgl. {ROE}.", id="comment-before"),
    ],
)
def test_words_around_a_citation_are_left_out(text: str) -> None:
    assert raws(text) == [ROE]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{ROE}; {POE}.", id="semicolon"),
        pytest.param(f"{ROE}; vgl. auch {POE}.", id="vgl-auch"),
        pytest.param(f"{ROE}. Siehe auch {POE}.", id="sentence"),
        pytest.param(f"Vgl. {ROE}, siehe {POE}.", id="comma"),
    ],
)
def test_a_note_of_two_works_gives_two(text: str) -> None:
    assert raws(text) == [ROE, POE]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Roe, J.; Poe, A.: Spalten und Zeilen, Bonn 1999", id="names-joined-by-semicolons"),
        pytest.param("Eva Roe, Zeilen (Bonn; Berlin), Bonn 1999", id="brackets"),
        pytest.param("Eva Roe, „Zeilen; Spalten“, Bonn 1999", id="quotation"),
        pytest.param("Eva Roe, « Lignes ; colonnes », Paris, 1999", id="french-quotation"),
    ],
)
def test_a_semicolon_inside_a_citation_parts_nothing(text: str) -> None:
    assert parts(text) == [text]


@pytest.mark.parametrize(
    "again",
    [
        pytest.param("Ebd.", id="ebd"),
        pytest.param("Ebenda, S. 60.", id="ebenda"),
        pytest.param("Ibid., 60.", id="ibid"),
        pytest.param("Vgl. ebd., S. 14.", id="vgl-ebd"),
        pytest.param("Roe, a. a. O., S. 60.", id="aao"),
        pytest.param("Roe, op. cit., p. 60.", id="op-cit"),
        pytest.param("Roe (Anm. 1), S. 60.", id="anm"),
        pytest.param("Roe, Erfindung, S. 60.", id="short-title"),
        pytest.param("See Roe, Die Erfindung, 60.", id="short-title-lead"),
        pytest.param("Roe 1988, S. 60.", id="author-year"),
        pytest.param(f"{ROE}.", id="in-full-again"),
        pytest.param("Dies., a. a. O., S. 4.", id="dies-aao"),
        pytest.param("Dies., S. 4.", id="dies"),
    ],
)
def test_a_work_named_again_is_no_other_work(again: str) -> None:
    (work,) = cited(f"{ROE}.", again)
    assert work.raw == ROE
    assert (work.label, work.again) == ("1", ("2",))


@pytest.mark.parametrize(
    ("short", "labels"),
    [
        pytest.param("Smith, Other Rows, 12.", [(), ("3",)], id="title"),
        pytest.param("Smith (Anm. 1), S. 4.", [("3",), ()], id="note"),
        pytest.param("Smith 1993, 4.", [("3",), ()], id="year"),
        pytest.param("Smith, op. cit., p. 4.", [(), ("3",)], id="last"),
        pytest.param("Miller, Rows, 4.", [(), ()], id="nobody"),
        pytest.param("Ibid.", [(), ("3",)], id="ibid"),
    ],
)
def test_a_short_form_finds_its_work(short: str, labels: list[tuple[str, ...]]) -> None:
    works = cited(SMITH, "John A. Smith, Other Rows, London 2001", short)
    assert [work.again for work in works] == labels


def test_works_that_differ_by_a_word_are_two() -> None:
    assert len(cited(SMITH, SMITH.replace("What", "When"))) == 2


def test_works_of_two_years_are_two() -> None:
    assert len(cited("Eva Roe, Jahresbericht, Bonn 1988", "Eva Roe, Jahresbericht, Bonn 1989")) == 2


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Diese Unterscheidung wird im Folgenden nicht weiter verfolgt.", id="german"),
        pytest.param("I use the word in its older sense throughout.", id="english"),
        pytest.param("In 1933 the numbers were lower, as we have shown above.", id="dated-prose"),
        pytest.param("The author was the first who, in 1933, had seen that it was so.", id="dated-prose-comma"),
        pytest.param("Ebd.", id="ibid-of-nothing"),
        pytest.param("Smith, op. cit., p. 14.", id="op-cit-of-nothing"),
        pytest.param("Corresponding author: a.roe@example.org", id="address"),
        pytest.param("* p < 0.05, 1999", id="table"),
        pytest.param("", id="nothing"),
        pytest.param("; ; ;", id="marks"),
    ],
)
def test_what_is_no_citation_gives_none(text: str) -> None:
    assert cited(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Kit Marlowe, How We Count Birds (2017)", id="title-in-prose-words"),
        pytest.param("Amt für Gemeindeentwicklung, Bericht zur Lage, Bonn 2005", id="office"),
        pytest.param("von Trothen, Gisela: Stadt, Land, Schluss, Frankfurt 2012", id="particle"),
        pytest.param("Eva Roe, Zeilen, o. O., o. J.", id="undated"),
        pytest.param("“On Rows,” Journal of Lines 4 (1999): 3–9", id="title-first"),
    ],
)
def test_plain_citations_are_citations(text: str) -> None:
    assert is_citation(text)


@pytest.mark.parametrize(
    ("text", "archive"),
    [
        pytest.param("Landesarchiv Nordmark, Abt. 301, Nr. 2214, Bl. 17", True, id="file"),
        pytest.param("Stadtarchiv Altenfels, Bestand B 12, Akte 45, Schreiben vom 3. Mai 1911", True, id="letter"),
        pytest.param("https://www.example.org/archiv (12.03.2014)", True, id="address"),
        pytest.param("Archiv für Zeilen 28 (1988), S. 55", False, id="journal"),
        pytest.param(ROE, False, id="article"),
    ],
)
def test_files_of_archives_are_told_apart(text: str, archive: bool) -> None:
    assert is_archive(text) is archive


def test_files_of_archives_are_kept_without_fields() -> None:
    file = "Landesarchiv Nordmark, Abt. 301, Nr. 2214, Bl. 17"
    works = cited(file, "Ebd.", file)
    assert [(work.raw, work.archive) for work in works] == [(file, True)]
    (read,) = read_citations(works, lambda _, text: read_fields(text))
    assert (read.raw, read.title, read.parse_score) == (file, None, 0.0)


def test_a_mark_for_the_author_means_the_work_named_last() -> None:
    works = cited(f"{ROE}.", f"{POE}.", "Vgl. Roe, a. a. O., S. 4; dies., Neue Zeilen, Berlin 2001.")
    assert [work.authors_from for work in works] == [None, None, 0]
    read = read_citations(works, lambda _, text: read_fields(text))
    assert read[2].raw == "dies., Neue Zeilen, Berlin 2001" or read[2].authors[:1] == read[0].authors[:1]


def test_notes_are_a_bibliography_when_enough_cite_in_full() -> None:
    one, many = cited(ROE), cited(ROE, POE, SMITH, "A. Doe, Cells, London 2003")
    assert not count(one, beside_list=False)
    assert count(many[:2], beside_list=False)
    assert not count(many[:3], beside_list=True)
    assert count(many, beside_list=True)


def test_a_list_of_notes_is_told_from_one_of_references() -> None:
    notes = [ROE, "Ebd., S. 4.", POE, "Vgl. Roe, a. a. O., S. 5."]
    assert are_notes(notes)
    assert are_notes([f"{place}. {text}" for place, text in enumerate(notes, 1)])
    assert not are_notes([ROE, POE, SMITH, "Ibid., vol. 3"])


def test_entries_of_the_list_win() -> None:
    listed = [read_fields("Smith, John A. (1993). What rows decide. Journal of Lines, 8(2), 14-29.")]
    noted = [read_fields(text) for text in (f"{SMITH}.", "Ann Doe, “Cells in Time,” Journal of Lines 9 (2003): 3–9.")]
    merged = merge(listed, noted)
    assert merged[0] == listed[0]
    assert [one.title for one in merged[1:]] == ["Cells in Time"]


def test_without_a_list_all_of_the_notes_count() -> None:
    noted = (Reference(raw="x"),)
    assert merge((), noted) == noted


def test_a_note_is_matched_by_author_and_year_too() -> None:
    listed = [Reference(raw="Roe, E.: Zeilen. Bonn 1988", year=1988, authors=read_fields("Roe, E. (1988). Z.").authors)]
    note = read_fields("Roe, E. (1988). Lines and lines.")
    assert merge(listed, [note]) == tuple(listed)


def test_a_misread_note_is_matched_by_the_title_of_the_entry() -> None:
    listed = [Reference(raw="Roe, E.: Zeilen und ihre Geschichte. 1988", title="Zeilen und ihre Geschichte", year=1988)]
    note = Reference(raw="Eva Roe, Zeilen und ihre Geschichte, Bonn 1999", title="Bonn", year=1999)
    assert merge(listed, [note]) == tuple(listed)


def test_a_short_title_of_the_list_is_not_taken_for_a_longer_one() -> None:
    listed = [Reference(raw="Poe, A.: Zeilen. 1988", title="Zeilen", year=1988)]
    note = Reference(raw="Roe, E.: Zeilen und Spalten, Bonn 1988", title="Zeilen und Spalten", year=1988)
    assert merge(listed, [note]) == (*listed, note)
    assert merge(listed, [note.model_copy(update={"title": "Zeilen"})]) == tuple(listed)


def row(text: str, y: float, size: float = 8.0, page: int = 1) -> Row:
    made = make_row(page, 0, [Span(text, 50, y, 50 + 4 * len(text), y + size, size, 0)])
    assert made is not None
    return made


def test_notes_at_the_foot_of_pages_are_read() -> None:
    rows = (row("1Eva Roe, Die Er-", 700), row("findung der Zeile, Bonn 1988.", 710))
    body = (row("Die Erfindung steht hier.", 100, 10),)
    layout = Layout(body, line_numbers=False, notes=(FootNote(1, "1", rows), FootNote(2, "2", (row("2Ebd.", 700),))))
    (work,) = find_notes(layout)
    assert work.raw == "Eva Roe, Die Erfindung der Zeile, Bonn 1988"
    assert (work.label, work.again, work.rows) == ("1", ("2",), rows)


def test_notes_under_a_heading_are_read() -> None:
    texts = [
        "Text.",
        "Anmerkungen",
        "1. Eva Roe, Zeilen,",
        "Bonn 1988.",
        "2. Ebd.",
        "1999 was late.",
        "3 Poe, B.: Rows, Rome 2001.",
    ]
    texts += ["Literaturverzeichnis", "4 Lo, C.: Cells, Oslo 2003."]
    layout = Layout(tuple(row(text, 100 + 10 * place) for place, text in enumerate(texts)), line_numbers=False)
    notes = note_texts(layout)
    assert [(note.label, note.text) for note in notes] == [
        ("1", "Eva Roe, Zeilen, Bonn 1988."),
        ("2", "Ebd. 1999 was late."),
        ("3", "Poe, B.: Rows, Rome 2001."),
    ]
    assert len(find_notes(layout)) == 2


def test_notes_of_each_chapter_start_again() -> None:
    texts = ["Notes", "1. Eva Roe, Zeilen, Bonn 1988.", "Notes", "1. B. Poe, Rows, Rome 2001."]
    layout = Layout(tuple(row(text, 100 + 10 * place) for place, text in enumerate(texts)), line_numbers=False)
    assert [note.label for note in note_texts(layout)] == ["1", "1"]


@given(st.lists(st.text(alphabet="Roe, .;1988()“”Vgl. S:-/", max_size=80), max_size=6))
def test_what_is_cited_is_printed(texts: list[str]) -> None:
    printed = " ".join(texts)
    for work in cited(*texts):
        assert all(piece in printed for piece in work.raw.split("; "))


@pytest.mark.parametrize("char", ["a", "A", ";", ".", " ", "1", "(", "“", "V", "-", "/", ","])
def test_a_long_note_takes_no_time(char: str) -> None:
    started = time.process_time()
    cited(char * 1_000_000, f"See {char * 1_000_000}", "; ".join([char * 30] * 10_000))
    is_citation(char * 1_000_000)
    for unit in (char, f"{char} ", f"{char}A", f"A{char} "):
        cited(
            f"{unit * 1_000} 1999 {unit * 1_000}", f"Vgl. {unit * 2_000}, 1999.", f"{unit * 300}; {unit * 300}, 1999; "
        )
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Roe, Arthur V., 1885/1959: An Introduction to Rows. Basingstoke: Poe", id="two-years"),
        pytest.param("Jane Roe/Max Poe: Zeilen unter Druck. Vorschläge, in: Archiv 8/2008", id="issue-and-year"),
        pytest.param("Roe, W.; Poe, C.; Loe, S. (2010): Rows in Print. 4. Auflage. Bonn", id="three-inverted-names"),
    ],
)
def test_citation_is_read_whole(text: str) -> None:
    assert [work.raw for work in cite([NoteText("1", f"{text}.")])] == [text]
