"""Plain lists are cut into references, whatever marks their starts."""

from __future__ import annotations

import contextlib
import io
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract import plain
from citeaudit.extract.plain import PlainExtractor, read_text
from citeaudit.model import Extraction

ONE = "Smith, J. (2001). On the first of things. Journal of Things, 1(2), 3-4."
TWO = "Doe, A. and Roe, B. (2002). On the second of things. Journal of Things, 2, 5-6."
THREE = "Poe, C. (2003). On the third of things. Journal of Things, 3, 7-8."
TITLES = ["On the first of things", "On the second of things", "On the third of things"]


def read(text: str) -> Extraction:
    return read_text(text, path="-")


def wrapped(text: str, indent: str = "") -> str:
    """Break a reference over two lines at a space."""
    middle = text.index(" ", len(text) // 2)
    return f"{text[:middle]}\n{indent}{text[middle + 1 :]}"


@pytest.mark.parametrize(
    ("text", "method"),
    [
        pytest.param(f"{ONE}\n{TWO}\n{THREE}\n", "lines", id="one-a-line"),
        pytest.param(f"{ONE}\n\n{TWO}\n\n{THREE}\n", "lines", id="blank-lines-between"),
        pytest.param(f"{wrapped(ONE)}\n\n{wrapped(TWO)}\n\n{wrapped(THREE)}", "lines", id="paragraphs"),
        pytest.param(f"{ONE}\n{TWO}\n\n{THREE}\n", "lines", id="groups-of-lines"),
        pytest.param("\n".join(wrapped(text, "    ") for text in (ONE, TWO, THREE)), "indents", id="hanging"),
        pytest.param(f"[1] {ONE}\n[2] {wrapped(TWO)}\n[3] {THREE}", "labels", id="square"),
        pytest.param(f"1. {wrapped(ONE, '   ')}\n2. {TWO}\n3. {THREE}", "labels", id="dots"),
        pytest.param(f"(1) {ONE}\n\n(2) {TWO}\n\n(3) {wrapped(THREE)}", "labels", id="round"),
        pytest.param(f"[Smi01] {ONE}\n[DR02] {TWO}\n[Poe03] {THREE}", "labels", id="alpha"),
        pytest.param(f"- {ONE}\n- {TWO}\n- {THREE}", "lines", id="bullets"),
        pytest.param(f"Some prose (1999).\n\nReferences\n\n{ONE}\n{TWO}\n{THREE}", "lines", id="heading"),
        pytest.param(f"## Literatur:\n\n{ONE}\n{TWO}\n{THREE}", "lines", id="markdown-heading"),
        pytest.param(f"{ONE}\n{TWO}\n{THREE}\n".replace("\n", " \n"), "lines", id="trailing-spaces"),
    ],
)
def test_list_is_cut_into_its_references(text: str, method: str) -> None:
    extraction = read(text)
    assert [reference.title for reference in extraction.references] == TITLES
    assert extraction.self_check.method == method
    assert extraction.self_check.read == 3
    assert extraction.self_check.complete


def test_labels_are_kept_and_checked() -> None:
    extraction = read(f"[1] {ONE}\n[2] {TWO}\n[2] {TWO}\n[5] {THREE}")
    assert [reference.locus.label for reference in extraction.references] == ["1", "2", "2", "5"]
    assert extraction.self_check.labels_missing == ("3", "4")
    assert extraction.self_check.labels_duplicate == ("2",)
    assert extraction.self_check.expected == 5
    assert not extraction.self_check.complete


def test_year_at_a_line_start_is_no_label() -> None:
    extraction = read(
        f"[1] {ONE}\n[2] Roe, B. On the second of things. Berlin: North Press,\n2002. Reprint.\n[3] {THREE}"
    )
    assert len(extraction.references) == 3


def test_lines_are_one_based() -> None:
    extraction = read(f"Before\n\nReferences\n\n[1] {wrapped(ONE)}\n[2] {TWO}")
    assert [reference.locus.line for reference in extraction.references] == [5, 7]
    assert {reference.locus.path for reference in extraction.references} == {"-"}


def test_what_follows_an_end_heading_is_left_out() -> None:
    extraction = read(f"References\n{ONE}\n{TWO}\nAppendix\nProse about 1999. More prose of 2001.")
    assert len(extraction.references) == 2


def test_line_that_is_only_an_identifier_is_a_reference() -> None:
    extraction = read("10.1000/abc\narXiv:1706.03762\nhttps://example.org/page\nhttps://doi.org/10.1000/def\n")
    pairs = [dict(reference.identifiers.pairs()) for reference in extraction.references]
    assert [next(iter(found)) for found in pairs] == ["doi", "arxiv_id", "url", "doi"]
    assert all(reference.parse_score >= 0.35 for reference in extraction.references)


def test_line_in_lower_case_goes_on_with_the_line_before() -> None:
    extraction = read("Smith, J. (2001). On the first\nof things. Journal of Things, 1, 3.\n" + TWO)
    assert [reference.title for reference in extraction.references] == TITLES[:2]


def test_markdown_links_and_emphasis_are_read_through() -> None:
    reference = read(
        "- Smith, J. (2001). On the first of things. *Journal of Things*, 1(2), 3-4. [link](https://doi.org/10.1000/abc)\n"
        "- [https://example.org/a_b_c](https://example.org/a_b_c)\n"
    ).references
    assert reference[0].container_title == "Journal of Things"
    assert reference[0].identifiers.doi == "10.1000/abc"
    assert reference[1].identifiers.url == "https://example.org/a_b_c"


def test_bibtex_on_standard_input_is_recognised() -> None:
    extraction = read("\n@article{k, title={T}}\n")
    assert extraction.format == "bibtex"
    assert extraction.references[0].locus.citekey == "k"


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_empty_text_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableDocumentError, match="is empty"):
        read(text)


@pytest.mark.parametrize("text", ["hello\nworld", "...\n---\n", "```\n```", "References\n\n"])
def test_text_without_references_says_so(text: str) -> None:
    with pytest.raises(NoReferencesError):
        read(text)


def test_reader_notes_a_guessed_encoding(tmp_path: Path) -> None:
    path = tmp_path / "refs.txt"
    path.write_bytes(f"{ONE}\r{TWO.replace('Doe', 'Dœ')}".encode("cp1252"))
    extraction = PlainExtractor().read(path)
    assert len(extraction.references) == 2
    assert any("Windows-1252" in note for note in extraction.self_check.notes)
    assert extraction.path == str(path)


def test_too_many_lines_are_cut_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "MAX_REFERENCES", 2)
    extraction = read(f"{ONE}\n{TWO}\n{THREE}")
    assert len(extraction.references) == 2
    assert any("first 2 references" in note for note in extraction.self_check.notes)


@given(
    st.lists(
        st.sampled_from([ONE, TWO, THREE, "", "   ", "References", "[1] x", "10.1000/abc", "- a", "Appendix"]),
        max_size=12,
    )
)
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    try:
        extraction = read("\n".join(lines))
    except (NoReferencesError, UnreadableDocumentError):
        return
    assert extraction.self_check.read == len(extraction.references) > 0
    numbers = [reference.locus.line or 0 for reference in extraction.references]
    assert numbers == sorted(numbers)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(io.StringIO(text, newline=None).read())
    except (NoReferencesError, UnreadableDocumentError):
        return


@pytest.mark.parametrize(
    ("text", "labels", "lists"),
    [
        pytest.param(
            f"References\n[1] {ONE}\n[2] {TWO}\n\nSupplementary references\n\n[1] {THREE}",
            ["1", "2", "1"],
            2,
            id="restart",
        ),
        pytest.param(
            f"# Paper\n\nReferences\n\n[1] {ONE}\n\nReferences\n\n[1] {TWO}", ["1", "1"], 2, id="same-heading"
        ),
        pytest.param(f"## References\n\n{ONE}\n\n## Bibliography\n\n{TWO}\n", [None, None], 2, id="markdown"),
        pytest.param(
            f"References\n{ONE}\nAppendix\nProse of 1999.\n\nFurther references\n{TWO}", [None, None], 2, id="appendix"
        ),
        pytest.param(
            f"Literature\n\nWe show that this has been done before, as they said in 1999.\n\nReferences\n{ONE}",
            [None],
            1,
            id="prose-under-a-heading",
        ),
    ],
)
def test_every_list_of_a_document_is_read(text: str, labels: list[str | None], lists: int) -> None:
    extraction = read(text)
    assert [reference.locus.label for reference in extraction.references] == labels
    assert not extraction.self_check.labels_duplicate
    noted = any(f"{lists} lists of references" in note for note in extraction.self_check.notes)
    assert noted is (lists > 1)


@pytest.mark.parametrize("end", ["https://doi.org/10.1016/s0092-8674(00)81683-9", "10.1000/abc", "Cell, 100, 57"])
@pytest.mark.parametrize("name", ["von Herring, K.", "van der Berg, J.", "de Souza, P.", "bell hooks."])
def test_blank_line_separates_whatever_case_follows(end: str, name: str) -> None:
    extraction = read(
        f"Smith, J. (2001). On the first of things. Things, 1, 3. {end}\n\n{name} (2015). A study of herring."
    )
    assert len(extraction.references) == 2
    assert extraction.references[1].year == 2015


def test_particle_after_an_address_starts_a_reference() -> None:
    extraction = read(f"{ONE} https://example.org/a\nvon Herring, K. (2015). A study of herring. Fish, 4, 1-2.\n{TWO}")
    assert len(extraction.references) == 3


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        pytest.param(f"[1] {ONE} [2] {TWO} [3] {THREE}", ["1", "2", "3"], id="square"),
        pytest.param(f"[1] {ONE} [2] {TWO}\n[3] {THREE}", ["1", "2", "3"], id="one-hidden"),
        pytest.param(f"[1] {ONE} [2] {TWO}\n[2] {THREE}", ["1", "2", "2"], id="hidden-before-its-double"),
        pytest.param(f"1. {ONE} 2. {TWO}\n3. {THREE}", ["1", "2", "3"], id="dots"),
        pytest.param(f"(1) {ONE} (2) {TWO} (3) {THREE}", ["1", "2", "3"], id="round"),
        pytest.param(f"[1] {ONE}\n[2] {TWO} Cited in [3] below.\n[3] {THREE}", ["1", "2", "3"], id="cited-inside"),
        pytest.param(f"1. {ONE} 2. Auflage.\n2. {TWO}\n3. {THREE}", ["1", "2", "3"], id="second-edition"),
    ],
)
def test_labels_inside_a_line_cut_it(text: str, labels: list[str]) -> None:
    extraction = read(text)
    assert [reference.locus.label for reference in extraction.references] == labels
    assert [reference.title for reference in extraction.references] == TITLES


@pytest.mark.parametrize(
    ("labels", "missing", "duplicate", "noted"),
    [
        pytest.param(("[1]", "[2]", "[1000000000]"), (), (), "1000000000", id="far"),
        pytest.param(("[1]", "[1]", "[2]"), (), ("1",), "", id="repeated"),
        pytest.param(("[3]", "[2]", "[1]"), (), (), "", id="falling"),
        pytest.param(("1.", "2.", "2."), (), ("2",), "", id="repeated-dots"),
        pytest.param(("3.", "2.", "1."), (), (), "", id="falling-dots"),
        pytest.param(("1.", "2.", "900."), (), (), "900", id="far-dots"),
        pytest.param(("[1]", "[2]", "[5]"), ("3", "4"), (), "3, 4", id="gap"),
        pytest.param(("[1]", "(2)", "3."), (), (), "", id="mixed-kinds"),
    ],
)
def test_odd_labels_never_glue_references(
    labels: tuple[str, ...], missing: tuple[str, ...], duplicate: tuple[str, ...], noted: str
) -> None:
    extraction = read("\n".join(f"{label} {text}" for label, text in zip(labels, (ONE, TWO, THREE), strict=True)))
    assert [reference.title for reference in extraction.references] == TITLES
    assert extraction.self_check.labels_missing == missing
    assert extraction.self_check.labels_duplicate == duplicate
    assert noted in " ".join(extraction.self_check.notes)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("and a thing of 1999\n" * 50_000, id="one-endless-reference"),
        pytest.param("[1] " + " [2] a. 1999" * 30_000, id="labels-that-open-nothing"),
        pytest.param("[1] " + f"{ONE} [2] {TWO} " * 2_000, id="labels-that-repeat"),
        pytest.param("Authors: a\n" * 95_000, id="one-short-line-again-and-again"),
        pytest.param("\n".join(f"Authors: a{number}" for number in range(60_000)), id="short-lines"),
    ],
)
def test_hostile_lines_are_read_in_linear_time(text: str) -> None:
    started = time.perf_counter()
    with contextlib.suppress(NoReferencesError):
        read(text)
    assert time.perf_counter() - started < 30


def test_hundreds_of_references_on_one_line_are_all_cut() -> None:
    text = " ".join(
        f"[{number}] Doe, A. ({1900 + number % 100}). On thing {number}. Things, 1, 2-3." for number in range(1, 700)
    )
    assert len(read(text).references) == 699


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("10.1234/a, 10.1234/b; 10.1234/c", 3, id="dois-on-a-line"),
        pytest.param("10.1234/a 10.1234/b", 2, id="dois-by-spaces"),
        pytest.param("1. 10.1234/a\n2. doi: 10.1234/b", 2, id="numbered"),
        pytest.param("- 2101.00001\n- arXiv:2101.00002\n- https://example.org/a", 3, id="bullets"),
        pytest.param("10.1234/a\nPMID: 12345678", 2, id="pmid"),
    ],
)
def test_each_bare_identifier_is_a_reference(text: str, count: int) -> None:
    found = read_text(text, path="-").references
    assert len(found) == count
    named = [
        (each.identifiers.doi, each.identifiers.arxiv_id, each.identifiers.pmid, each.identifiers.url) for each in found
    ]
    assert all(any(names) for names in named)


REPORT = "Rows matter [1]. Others say that they do not [2].\n\n"
LISTED = (
    "[1] Roe, J. (2009). The role of rows. Annals of Layout, 1156, 168-197.",
    "[2] Poe, A. (2005). Rows and memory. Journal of Layout, 437, 1272-1278.",
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(REPORT + "Sources:\n" + "\n".join(LISTED), id="heading"),
        pytest.param(REPORT + "Sources: " + " ".join(LISTED), id="heading-on-the-line"),
        pytest.param(REPORT + "\n".join(LISTED), id="no-heading"),
        pytest.param(REPORT + "**Sources**\n" + "\n".join(LISTED).replace("] ", "]\n"), id="labels-apart"),
    ],
)
def test_running_text_before_the_list_is_linked_and_is_no_reference(text: str) -> None:
    extraction = read_text(text, path="-")
    assert [each.title for each in extraction.references] == ["The role of rows", "Rows and memory"]
    assert [each.locus.label for each in extraction.references] == ["1", "2"]
    assert len(extraction.citations) == 2


def test_wrapped_lines_go_on_below_a_comma() -> None:
    text = (
        "References\n\nRoe, J. (2009). The role of rows. Annals of Layout,\n1156, 168-197.\n"
        "Poe, A. (2005). Rows and memory. Journal of Layout, 437, 1-9."
    )
    assert len(read_text(text, path="-").references) == 2
