"""A .bib file gives a reference an entry; what is broken is kept with its line, and its neighbours survive."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.latex.bibtex import BibtexExtractor, read_bibtex, reference_from_fields
from citeaudit.model import Extraction, Reference, WorkType


def read(text: str) -> Extraction:
    return read_bibtex(text, path="refs.bib")


def only(text: str) -> Reference:
    extraction = read(text)
    assert len(extraction.references) == 1
    return extraction.references[0]


BIG = """% a comment
@string{jot = "Journal of Things"}
@string(pub = {North } # "Press")
stray words between entries

@comment{nothing}
@preamble{"\\newcommand{\\x}{y}"}
@article{one,
  author = {M{\\"u}ller, Karl and others},
  title = "A {CNN} study",
  journal = jot, year = 2001, month = jan,
  volume = 3, number = {2}, pages = {1--20},
  doi = {https://doi.org/10.1000/ABC}
}
@book{two, title={Broken, author={X}, year=1999
}
@inproceedings{three, title={Inside}, author={Ada One}, crossref={PROC}, pages={7}}
@proceedings{proc, title={Proceedings of Things}, year={2010}, publisher=pub, editor={Ed Itor}}
@article{four
  title = {no comma after the key},
}
@misc{five, title = {Last}, year = {2020}}
"""


def test_entries_survive_broken_neighbours() -> None:
    extraction = read(BIG)
    assert [reference.locus.citekey for reference in extraction.references] == ["one", "three", "proc", "five"]
    assert [(block.locus.line, block.locus.citekey) for block in extraction.failed] == [(15, "two"), (19, None)]
    assert all(block.raw.startswith("@") and block.message for block in extraction.failed)
    assert extraction.self_check.read == 4
    assert extraction.self_check.expected == 6
    assert not extraction.self_check.complete
    assert extraction.format == "bibtex"


def test_fields_of_an_article_are_typed() -> None:
    reference = read(BIG).references[0]
    assert reference.title == "A CNN study"
    assert [str(person) for person in reference.authors] == ["Karl Müller"]
    assert reference.authors_truncated
    assert reference.container_title == "Journal of Things"
    assert (reference.volume, reference.issue, reference.pages, reference.year) == ("3", "2", "1-20", 2001)
    assert reference.identifiers.doi == "10.1000/abc"
    assert reference.type is WorkType.ARTICLE_JOURNAL
    assert reference.locus.line == 8
    assert reference.locus.path == "refs.bib"
    assert reference.raw.startswith("@article{one,")
    assert reference.parse_score == 1.0


def test_crossref_child_inherits_what_it_lacks() -> None:
    child = read(BIG).references[1]
    assert child.title == "Inside"
    assert child.container_title == "Proceedings of Things"
    assert child.publisher == "North Press"
    assert child.year == 2010
    assert child.pages == "7"
    assert [str(person) for person in child.editors] == ["Ed Itor"]


def test_own_field_wins_over_the_parent() -> None:
    extraction = read(
        "@inproceedings{a, title={A}, year={1999}, crossref={p}}\n@proceedings{p, title={P}, year={2010}}"
    )
    assert extraction.references[0].year == 1999


def test_xdata_is_inherited_and_no_reference() -> None:
    reference = only("@xdata{x, publisher={North Press}, year={1990}}\n@book{b, title={B}, xdata={x, absent}}")
    assert (reference.publisher, reference.year) == ("North Press", 1990)


def test_entry_that_refers_to_itself_is_read() -> None:
    assert only("@book{b, title={B}, crossref={b}}").title == "B"


def test_duplicate_keys_are_kept_and_noted() -> None:
    extraction = read("@misc{k, title={First}}\n@misc{k, title={Second}}\n@misc{k, title={Third}}")
    assert [reference.title for reference in extraction.references] == ["First", "Second", "Third"]
    assert extraction.self_check.labels_duplicate == ("k",)
    assert any("k occurs 3 times (lines 1, 2, 3)" in note for note in extraction.self_check.notes)


def test_repeated_field_keeps_the_first_value() -> None:
    assert only("@misc{k, title={First}, title={Second}}").title == "First"


@pytest.mark.parametrize(
    ("fields", "year"),
    [
        pytest.param("year = {2019}", 2019, id="braced"),
        pytest.param("year = 2019", 2019, id="bare"),
        pytest.param("year = {in press}", None, id="in-press"),
        pytest.param("date = {2020-05-01}", 2020, id="date"),
        pytest.param("year = {in press}, date = {2021}", 2021, id="date-beside-words"),
        pytest.param("year = {2019a}", 2019, id="letter"),
        pytest.param("year = {c. 1850}", 1850, id="circa"),
        pytest.param("year = {19}", None, id="two-digits"),
    ],
)
def test_year_is_a_number_or_nothing(fields: str, year: int | None) -> None:
    reference = only(f"@misc{{k, title={{T}}, {fields}}}")
    assert reference.year == year
    assert fields in reference.raw


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        pytest.param("@article{k, journal={J. Things}}", WorkType.ARTICLE_JOURNAL, id="article"),
        pytest.param(
            "@article{k, journal={arXiv preprint arXiv:2408.05147}}", WorkType.PREPRINT, id="article-on-arxiv"
        ),
        pytest.param("@article{k, eprint={1706.03762}}", WorkType.PREPRINT, id="article-without-journal"),
        pytest.param("@inproceedings{k, booktitle={P}}", WorkType.PAPER_CONFERENCE, id="inproceedings"),
        pytest.param("@CONFERENCE{k, booktitle={P}}", WorkType.PAPER_CONFERENCE, id="upper-case"),
        pytest.param("@incollection{k, booktitle={B}}", WorkType.CHAPTER, id="incollection"),
        pytest.param("@book{k, publisher={P}}", WorkType.BOOK, id="book"),
        pytest.param("@phdthesis{k, school={S}}", WorkType.THESIS, id="thesis"),
        pytest.param("@techreport{k, institution={I}, number={7}}", WorkType.REPORT, id="report"),
        pytest.param("@software{k, url={https://example.org}}", WorkType.SOFTWARE, id="software"),
        pytest.param("@dataset{k, doi={10.5281/zenodo.1}}", WorkType.DATASET, id="dataset"),
        pytest.param("@misc{k, url={https://example.org/page}}", WorkType.WEBPAGE, id="misc-with-address"),
        pytest.param(
            "@misc{k, howpublished={\\url{https://example.org/page}}}", WorkType.WEBPAGE, id="misc-howpublished"
        ),
        pytest.param("@misc{k, url={https://github.com/a/b}}", WorkType.SOFTWARE, id="misc-with-code"),
        pytest.param(
            "@misc{k, url={https://openreview.net/forum?id=1}}", WorkType.UNKNOWN, id="misc-with-paper-address"
        ),
        pytest.param("@misc{k, eprint={1706.03762}, archiveprefix={arXiv}}", WorkType.PREPRINT, id="misc-with-eprint"),
        pytest.param("@misc{k, doi={10.1000/1}}", WorkType.UNKNOWN, id="misc-with-doi"),
        pytest.param("@misc{k, year={2000}}", WorkType.UNKNOWN, id="misc-alone"),
        pytest.param("@online{k, url={https://example.org}}", WorkType.WEBPAGE, id="online"),
        pytest.param("@online{k, url={https://arxiv.org/abs/1706.03762}}", WorkType.PREPRINT, id="online-on-arxiv"),
        pytest.param(
            "@unpublished{k, note={bioRxiv preprint}, howpublished={bioRxiv}}", WorkType.PREPRINT, id="unpublished"
        ),
        pytest.param("@nonsense{k, year={2000}}", WorkType.UNKNOWN, id="unknown-type"),
    ],
)
def test_entry_type_and_fields_give_the_kind(entry: str, kind: WorkType) -> None:
    assert only(entry).type is kind


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param("doi={10.1000/A\\_b}", {"doi": "10.1000/a_b"}, id="escaped-doi"),
        pytest.param(
            "url={https://doi.org/10.1000/abc}",
            {"doi": "10.1000/abc", "url": "https://doi.org/10.1000/abc"},
            id="doi-in-url",
        ),
        pytest.param("note={doi: 10.1000/abc}", {"doi": "10.1000/abc"}, id="doi-in-note"),
        pytest.param("eprint={1706.03762v2}, archiveprefix={arXiv}", {"arxiv_id": "1706.03762v2"}, id="eprint"),
        pytest.param(
            "eprint={9901001}, primaryclass={hep-th}, eprinttype={arxiv}",
            {"arxiv_id": "hep-th/9901001"},
            id="old-eprint",
        ),
        pytest.param("eprint={12345678}, eprinttype={pubmed}", {"pmid": "12345678"}, id="pubmed-eprint"),
        pytest.param("eprint={123}, eprinttype={hal}", {}, id="other-eprint"),
        pytest.param(
            "doi={10.48550/arXiv.1706.03762v1}",
            {"doi": "10.48550/arxiv.1706.03762", "arxiv_id": "1706.03762"},
            id="arxiv-doi",
        ),
        pytest.param("journal={CoRR}, volume={abs/1412.6980}", {"arxiv_id": "1412.6980"}, id="corr-volume"),
        pytest.param("isbn={3-16-148410-X, 978-0-306-40615-7}", {"isbn": "9783161484100"}, id="two-isbns"),
        pytest.param("issn={0378-5955}", {"issn": "0378-5955"}, id="issn"),
        pytest.param("pmid={12345}, pmcid={PMC5334499}", {"pmid": "12345", "pmcid": "PMC5334499"}, id="pubmed"),
        pytest.param("note={\\href{https://example.org/x}{here}}", {"url": "https://example.org/x"}, id="href"),
        pytest.param("url={https://example.org/{\\textasciitilde}me}", {"url": "https://example.org/~me"}, id="tilde"),
        pytest.param("doi={not a doi}", {}, id="not-a-doi"),
    ],
)
def test_identifiers_come_from_their_fields_and_from_notes(fields: str, expected: dict[str, str]) -> None:
    assert dict(only(f"@misc{{k, title={{T}}, {fields}}}").identifiers.pairs()) == expected


@pytest.mark.parametrize(
    ("fields", "acknowledged"),
    [
        pytest.param("title={RETRACTED: A study}", True, id="title-mark"),
        pytest.param("title={A study [Retracted]}", True, id="title-bracket"),
        pytest.param("title={A study}, note={Retracted 2019}", True, id="note"),
        pytest.param("title={Citations of retracted papers}", False, id="subject"),
        pytest.param("title={A study}", False, id="nothing"),
    ],
)
def test_citation_that_says_retracted_is_acknowledged(fields: str, acknowledged: bool) -> None:
    assert only(f"@misc{{k, {fields}}}").acknowledged is acknowledged


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        pytest.param("@book{k, title={Main}, subtitle={A tale}}", "Main: A tale", id="subtitle"),
        pytest.param("@book{k, title={Why?}, subtitle={A tale}}", "Why? A tale", id="question"),
        pytest.param("@book{k, title={Main: a tale}, subtitle={A tale}}", "Main: a tale", id="subtitle-inside"),
        pytest.param("@book{k, booktitle={Only a book}}", "Only a book", id="booktitle-alone"),
        pytest.param('@book{k, title="On {"}quotes{"}"}', 'On "quotes"', id="quotes-in-quotes"),
        pytest.param("@book{k, title={A} # { and B}}", "A and B", id="concatenation"),
        pytest.param("@book(k, title={Paren})", "Paren", id="parentheses"),
        pytest.param("@book{k, title={C# and #hash}}", "C# and #hash", id="hash-inside"),
        pytest.param("@book{k, title={}, year={2000}}", None, id="empty-title"),
    ],
)
def test_title_is_read(entry: str, title: str | None) -> None:
    assert only(entry).title == title


def test_entry_without_anything_scores_low() -> None:
    assert only("@misc{k}").parse_score < 0.35
    assert only("@misc{k, year={2000}}").parse_score < 0.35


def test_fields_alone_make_a_reference() -> None:
    reference = reference_from_fields(
        "InProceedings", {"Title": "T", "author": "Ada One", "booktitle": "CVPR", "year": "2021"}
    )
    assert reference.type is WorkType.PAPER_CONFERENCE
    assert reference.container_title == "CVPR"
    assert reference.raw.startswith("@InProceedings{")


@pytest.mark.parametrize("text", ["% only a comment\n", "@comment{x}", "@string{a = {b}}", "plain words", "@"])
def test_file_without_entries_says_so(text: str) -> None:
    with pytest.raises(NoReferencesError, match="no BibTeX entry"):
        read(text)


def test_file_of_broken_entries_gives_their_lines() -> None:
    extraction = read("\n\n@article{a, title={never closed")
    assert not extraction.references
    assert [block.locus.line for block in extraction.failed] == [3]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbf@misc{k, title={T\xc3\xa9}}", id="bom"),
        pytest.param("@misc{k, title={Té}}".encode("cp1252"), id="cp1252"),
        pytest.param("@misc{k,\rtitle={Té}\r}".encode(), id="cr-only"),
        pytest.param("@misc{k, title={Té}}".encode("utf-16"), id="utf-16"),
    ],
)
def test_file_of_any_encoding_is_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(data)
    extraction = BibtexExtractor().read(path)
    assert [reference.title for reference in extraction.references] == ["Té"]
    assert extraction.path == str(path)


def test_empty_file_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.touch()
    with pytest.raises(UnreadableDocumentError, match="is empty"):
        BibtexExtractor().read(path)


def test_many_entries_take_well_under_a_millisecond_each() -> None:
    entry = '@article{k%d, author={M{\\"u}ller, Karl and Doe%d, Jane}, title={Study %d}, year=2001, pages={1--2}}\n'
    text = "".join(entry % (number, number, number) for number in range(2_000))
    started = time.perf_counter()
    assert len(read(text).references) == 2_000
    assert time.perf_counter() - started < 40


def test_three_thousand_authors_are_read() -> None:
    authors = " and ".join(f"Name{number}, Ada" for number in range(3_000))
    assert len(only(f"@article{{k, title={{T}}, author={{{authors}}}}}").authors) == 3_000


@given(st.text(alphabet='@{}(),="# \nabtitle', max_size=120))
def test_any_source_is_read_or_refused(text: str) -> None:
    try:
        extraction = read(text)
    except NoReferencesError:
        return
    assert extraction.references or extraction.failed
    assert all(reference.raw for reference in extraction.references)


@pytest.mark.parametrize(
    ("source", "noted"),
    [
        pytest.param(
            "@article{k,\n title={T}, journal = jmlr}", "@string jmlr used in the entry k (line 1)", id="undefined"
        ),
        pytest.param(
            '@article{k, title={T}, journal = "A" # ieee}',
            "@string ieee used in the entry k (line 1)",
            id="undefined-part",
        ),
        pytest.param(
            '@string{a = b # "x"}\n@string{b = a # "y"}\n@article{k, title={T}, journal = a}',
            "@string b used in the string a (line 1) is defined only later",
            id="circle-of-strings",
        ),
        pytest.param(
            "@inproceedings{a, title={T}, crossref={b}}\n@inproceedings{b, title={U}, crossref={a}}",
            "crossref b of the entry a (line 1) leads in a circle",
            id="circle-of-parents",
        ),
        pytest.param("@inproceedings{a, title={T}, crossref={a}}", "leads in a circle", id="its-own-parent"),
        pytest.param(
            "\n@inproceedings{a, title={T}, crossref={gone}}",
            "crossref gone of the entry a (line 2) is not in the file",
            id="lost",
        ),
    ],
)
def test_broken_link_inside_the_file_is_noted(source: str, noted: str) -> None:
    extraction = read_bibtex(source, path="-")
    assert any(noted in note for note in extraction.self_check.notes)
    assert all(reference.title for reference in extraction.references)


def test_sound_links_inside_the_file_give_no_note() -> None:
    source = (
        '@string{a = "ACM"}\n@string{b = a # " Press"}\n'
        '@proceedings{p, title={P}, publisher = b, month = jan # "~3", year = 1999}\n'
        "@inproceedings{c, title={T}, crossref={P}}"
    )
    assert read_bibtex(source, path="-").self_check.notes == ()


def test_an_entry_that_ends_with_the_file_is_not_closed() -> None:
    extraction = read("@misc{one, title = {First}, year = {2020}}\n@misc{two, title = {Second")
    assert [block.message for block in extraction.failed] == ["the entry could not be read: the entry is not closed"]
