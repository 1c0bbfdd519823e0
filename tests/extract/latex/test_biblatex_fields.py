"""Fields, dates, names and inheritance of biblatex, and comments of biber, are read as their manuals say."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from citeaudit.errors import UnreadableDocumentError
from citeaudit.extract.latex.bibtex import BibtexExtractor, read_bibtex
from citeaudit.model import Extraction, Reference, WorkType


def read(text: str) -> Extraction:
    return read_bibtex(text, path="refs.bib")


def only(text: str) -> Reference:
    (reference,) = read(text).references
    return reference


@pytest.mark.parametrize(
    ("fields", "year", "suffix", "original", "status"),
    [
        pytest.param("year={2024a}", 2024, "a", None, None, id="letter"),
        pytest.param("year={{2020}}", 2020, None, None, None, id="braces"),
        pytest.param("year={1987 [1922]}", 1987, None, 1922, None, id="reprint"),
        pytest.param("year={1922/1987}", 1987, None, 1922, None, id="reprint-slash"),
        pytest.param("year={2019/2020}", 2019, None, None, None, id="span"),
        pytest.param("date={1987}, origdate={1922-03}", 1987, None, 1922, None, id="origdate"),
        pytest.param("date={2020-05/2021}", 2020, None, None, None, id="date-span"),
        pytest.param("eventdate={2018-01-02}", 2018, None, None, None, id="eventdate"),
        pytest.param("year={n.d.}", None, None, None, "n.d.", id="undated"),
        pytest.param("year={in press}", None, None, None, "in press", id="in-press"),
        pytest.param("year={2021}, pubstate={inpress}", 2021, None, None, "in press", id="pubstate"),
        pytest.param("year={2021}, note={To appear}", 2021, None, None, "To appear", id="note"),
    ],
)
def test_dates_give_year_letter_first_edition_and_status(
    fields: str, year: int | None, suffix: str | None, original: int | None, status: str | None
) -> None:
    found = only(f"@book{{k, title={{T}}, {fields}}}")
    assert (found.year, found.year_suffix, found.original_year, found.status) == (year, suffix, original, status)


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        pytest.param("@thesis{k, type={phdthesis}}", WorkType.THESIS, id="thesis"),
        pytest.param("@collection{k, editor={E}}", WorkType.BOOK, id="collection"),
        pytest.param("@inreference{k, booktitle={B}}", WorkType.REFERENCE_ENTRY, id="inreference"),
        pytest.param("@patent{k, number={US 7}}", WorkType.PATENT, id="patent"),
        pytest.param("@standard{k, number={ISO 7}}", WorkType.STANDARD, id="standard"),
        pytest.param("@article{k, journaltitle={Times}, entrysubtype={newspaper}}", WorkType.NEWS, id="newspaper"),
        pytest.param("@suppbook{k, booktitle={B}}", WorkType.CHAPTER, id="suppbook"),
    ],
)
def test_types_of_biblatex_are_known(entry: str, kind: WorkType) -> None:
    assert only(entry).type is kind


@pytest.mark.parametrize(
    ("fields", "container", "title"),
    [
        pytest.param("journaltitle={J}, journalsubtitle={Sub}", "J: Sub", "T", id="journalsubtitle"),
        pytest.param("booktitle={B}, booksubtitle={Sub}, maintitle={M}", "B: Sub", "T", id="booksubtitle"),
        pytest.param("maintitle={M}", "M", "T", id="maintitle"),
        pytest.param("eventtitle={Conf}", "Conf", "T", id="eventtitle"),
        pytest.param("subtitle={S}, titleaddon={A}", None, "T: S", id="subtitle"),
    ],
)
def test_titles_of_biblatex_find_their_place(fields: str, container: str | None, title: str) -> None:
    found = only(f"@misc{{k, title={{T}}, {fields}}}")
    assert (found.container_title, found.title) == (container, title)


@pytest.mark.parametrize(
    ("author", "names"),
    [
        pytest.param("von Last, Jr, First", ["First von Last Jr"], id="three-parts"),
        pytest.param("{{World Things Organization}}", ["World Things Organization"], id="group"),
        pytest.param("family=Muller, given=Hans, prefix=von and family=Doe", ["Hans von Muller", "Doe"], id="extended"),
        pytest.param("A. One and B. Two and others", ["A. One", "B. Two"], id="others"),
    ],
)
def test_names_in_every_notation_are_read(author: str, names: list[str]) -> None:
    assert [str(person) for person in only(f"@misc{{k, author={{{author}}}}}").authors] == names


def test_number_of_a_series_is_no_issue() -> None:
    assert only("@book{k, title={T}, series={S}, number={7}}").issue is None
    assert only("@article{k, title={T}, number={7}, issue={Spring}}").issue == "7"


def test_string_may_be_defined_after_its_use() -> None:
    extraction = read('@article{k, title={T}, journal=jot}\n@string{jot = "J. of " # what}\n@string{what = {Things}}')
    assert extraction.references[0].container_title == "J. of Things"
    assert extraction.self_check.notes == ()


def test_string_is_taken_from_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "abbreviations.bib").write_text('@string{jot = "Journal of Things"}')
    (tmp_path / "broken.bib").write_bytes(b"")
    (tmp_path / "refs.bib").write_text("@article{k, title={T}, journal=jot, note=gone}")
    extraction = BibtexExtractor().read(tmp_path / "refs.bib")
    assert extraction.references[0].container_title == "Journal of Things"
    assert "the @string jot was taken from abbreviations.bib beside it" in extraction.self_check.notes
    assert any("gone" in note for note in extraction.self_check.notes)


@pytest.mark.parametrize(
    ("source", "container", "author"),
    [
        pytest.param(
            "@inbook{c, title={C}, crossref={p}}\n@book{p, title={P}, subtitle={S}, author={A, B}, year=1999}",
            "P: S",
            "B A",
            id="author-of-the-book",
        ),
        pytest.param(
            "@incollection{c, title={C}, author={X, Y}, crossref={p}}\n@mvcollection{m, title={M}, publisher={N}}\n"
            "@collection{p, title={P}, crossref={m}, year=1999}",
            "P",
            "Y X",
            id="two-steps",
        ),
        pytest.param(
            "@article{c, title={C}, author={X, Y}, xdata={one}}\n@xdata{one, xdata={two}}\n"
            "@xdata{two, journaltitle={J}, year=1999, xdata={one}}",
            "J",
            "Y X",
            id="chain-of-data",
        ),
        pytest.param(
            "@article{c, title={C}, author={X, Y}, crossref={p}}\n@periodical{p, title={J}, year=1999}",
            "J",
            "Y X",
            id="periodical",
        ),
    ],
)
def test_inheritance_follows_the_rules_of_biblatex(source: str, container: str, author: str) -> None:
    child = read(source).references[0]
    assert (child.container_title, child.year, str(child.authors[0])) == (container, 1999, author)


def test_comments_inside_entries_cost_nothing_and_are_kept() -> None:
    source = (
        "% citeaudit: ok first\n@article{a,\n % citeaudit: ok known, checked\n title={A}, year=2000,\n"
        " note={50% of it}\n}\n@article{b, title={never closed\n% words\n@misc{c, title={C}}"
    )
    extraction = read(source)
    assert [(ref.locus.citekey, ref.locus.line) for ref in extraction.references] == [("a", 2), ("c", 9)]
    assert "% citeaudit: ok known, checked" in extraction.references[0].raw
    assert [block.locus.line for block in extraction.failed] == [7]


def test_lines_stay_right_over_many_stretches() -> None:
    entry = "@misc{k%d,\n title={T %d},\n note={" + "x" * 800 + "}\n}\n\n"
    references = read("".join(entry % (number, number) for number in range(1_200))).references
    assert [ref.locus.line for ref in references] == [1 + 5 * number for number in range(1_200)]


def test_very_large_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(b"@misc{k, title={T}}\n" * 5_000_000)  # 100 MB
    started = time.process_time()
    with pytest.raises(UnreadableDocumentError, match=r"(?:larger|more) than \d\d MB.*; split it"):
        BibtexExtractor().read(path)
    assert time.process_time() - started < 10
    with pytest.raises(UnreadableDocumentError, match="more than 50 MB of BibTeX; split it"):
        read("@misc{k, title={T}}\n" * 2_600_000)


def test_chain_of_strings_without_end_is_told() -> None:
    strings = "".join(f"@string{{s{number} = s{number + 1} # {{x}}}}\n" for number in range(60))
    extraction = read(f"{strings}@misc{{k, title=s0}}")
    assert extraction.references[0].title is not None
    assert extraction.self_check.notes
