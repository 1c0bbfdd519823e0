"""Markdown: the reports of chat assistants, manuscripts for pandoc, and everything between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citeaudit.errors import NoReferencesError
from citeaudit.extract.markup.markdown import front_matter
from citeaudit.extract.markup.readers import MarkdownExtractor
from citeaudit.model import Extraction, Reference

ONE = "Smith, J. (2020). On the rows of no list. *Journal of Rows*, 12(3), 45–67. https://doi.org/10.1000/rows.1"
TWO = "Jones, K., & Roe, R. (2019). A second title of no work. *Journal of Lists*, **4**(1), 1–9."
THREE = "Poe, E. (2018). Third titles and their use. Annals of Titles, 7, 100–120."
TITLES = ["On the rows of no list", "A second title of no work", "Third titles and their use"]
BIB = "".join(
    f"@article{{{key}, author = {{{name}}}, title = {{{title}}}, journal = {{J}}, year = {{{year}}}}}\n"
    for key, name, title, year in (
        ("smith20", "Smith, Jo", TITLES[0], 2020),
        ("jones19", "Jones, K", TITLES[1], 2019),
        ("poe18", "Poe, E", TITLES[2], 2018),
    )
)


def read(tmp_path: Path, text: str, name: str = "a.md") -> Extraction:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return MarkdownExtractor().read(path)


def titles(extraction: Extraction) -> list[str | None]:
    return [reference.title for reference in extraction.references]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        pytest.param(f"# References\n\n{ONE}\n\n{TWO}\n\n{THREE}\n", [None] * 3, id="paragraphs"),
        pytest.param(
            f"References\n==========\n\n{ONE}\n{TWO}\n{THREE}\n", [None] * 3, id="underlined-heading-and-lines"
        ),
        pytest.param(
            f"## Quellen\n\n- {ONE}\n- {TWO}\n- {THREE}\n\n## Anhang\n\n- A point of 1999.\n", [None] * 3, id="bullets"
        ),
        pytest.param(
            f"**References**\n\n1. {ONE}\n2. {TWO}\n3. {THREE}\n", ["1", "2", "3"], id="bold-heading-and-numbers"
        ),
        pytest.param(f"### 7. Works Cited\n1. {ONE}\n1. {TWO}\n1. {THREE}\n", ["1", "2", "3"], id="all-numbered-one"),
        pytest.param(f"Sources:\n[1] {ONE}\n[2] {TWO}\n[3] {THREE}\n", ["1", "2", "3"], id="brackets-under-a-line"),
        pytest.param(
            f"# References\n\n[1]: {ONE}\n\n[2]: {TWO}\n\n[3]: {THREE}\n", ["1", "2", "3"], id="brackets-with-colons"
        ),
        pytest.param(
            f"# References\n\n\\[1\\] {ONE}\n\n\\[2\\] {TWO}\n\n\\[3\\] {THREE}\n",
            ["1", "2", "3"],
            id="escaped-brackets",
        ),
        pytest.param(
            f"# References\n\n【1】 {ONE}\n\n【2】 {TWO}\n\n【3】 {THREE}\n", ["1", "2", "3"], id="wide-brackets"
        ),
        pytest.param(f"# References\n\n{ONE}<br>{TWO}<br/>{THREE}\n", [None] * 3, id="line-breaks"),
        pytest.param(f"# References\n\n{ONE}  \n{TWO}\\\n{THREE}\n", [None] * 3, id="hard-breaks"),
        pytest.param(f"Some words.\n\n1. {ONE}\n2. {TWO}\n3. {THREE}\n", ["1", "2", "3"], id="no-heading"),
        pytest.param(f"{ONE}\n\n{TWO}\n\n{THREE}\n", [None] * 3, id="a-list-alone"),
        pytest.param(
            "# References\n\n1. Smith, J. (2020). On the rows of\n   no list. *Journal of Rows*, 12(3),\n   45–67."
            " doi:10.1000/rows.1\n"
            f"2. {TWO}\n\n3. {THREE}\n\n   A remark that belongs to it.\n",
            ["1", "2", "3"],
            id="wrapped-items",
        ),
        pytest.param(f"# References\n\n::: {{#refs}}\n{ONE}\n\n{TWO}\n\n{THREE}\n:::\n", [None] * 3, id="division"),
        pytest.param(
            f"```\n# References\n[1] code, 1999.\n```\n\n#"
            f" References\n\n{ONE}\n\n{TWO}\n\n{THREE}\n\n~~~r\nx[1]\n~~~\n",
            [None] * 3,
            id="code",
        ),
        pytest.param(
            f"<!-- # References\n\nOld, A. (1999). Gone. -->\n# References\n\n{ONE}\n\n<script>\nvar x ="
            f" 1999;\n</script>\n\n{TWO}\n\n{THREE}\n",
            [None] * 3,
            id="comments-and-scripts",
        ),
    ],
)
def test_list_is_read(tmp_path: Path, text: str, labels: list[str | None]) -> None:
    found = read(tmp_path, f"Words of the text come first.\n\n{text}")
    assert titles(found) == TITLES
    assert [reference.locus.label for reference in found.references] == labels
    assert found.references[0].identifiers.doi == "10.1000/rows.1"
    assert found.format == "markdown"
    assert found.self_check.read == 3


def test_places_are_source_lines(tmp_path: Path) -> None:
    found = read(tmp_path, f"---\ntitle: T\n---\n\nWe say\nso (Smith, 2020).\n\n# References\n\n[1] {ONE}\n[2] {TWO}\n")
    assert [reference.locus.line for reference in found.references] == [10, 11]
    assert [citation.locus.line for citation in found.citations] == [6]


@pytest.mark.parametrize(
    ("item", "title", "identifier"),
    [
        pytest.param(
            "[On rows and their lists](https://doi.org/10.1000/a)", "On rows and their lists", "10.1000/a", id="link"
        ),
        pytest.param(
            "[1. On rows and their lists - PubMed](https://pubmed.ncbi.nlm.nih.gov/123/)",
            "On rows and their lists",
            "123",
            id="site",
        ),
        pytest.param(
            "[[2001.00001] On rows and their lists](https://arxiv.org/abs/2001.00001)",
            "On rows and their lists",
            "2001.00001",
            id="arxiv",
        ),
        pytest.param(
            '"On rows and their lists" – https://example.org/a (accessed 3 May 2024)',
            "On rows and their lists",
            "https://example.org/a",
            id="bare",
        ),
        pytest.param("<https://example.org/a>", None, "https://example.org/a", id="address"),
        pytest.param("[example.org](https://example.org/a)", None, "https://example.org/a", id="host"),
        pytest.param("[On rows and their li...](https://example.org/a)", None, "https://example.org/a", id="cut-title"),
        pytest.param("[Link](https://example.org/a_(b))", None, "https://example.org/a_(b)", id="brackets-in-address"),
        pytest.param(
            "Smith, J. (2020). [On rows and their lists](https://doi.org/10.1000/a). J Rows, 1(2), 3–4.",
            "On rows and their lists",
            "10.1000/a",
            id="inside",
        ),
        pytest.param(
            "[Smith, J. (2020). On rows and their lists. J Rows, 1(2), 3–4.](https://doi.org/10.1000/a)",
            "On rows and their lists",
            "10.1000/a",
            id="all",
        ),
        pytest.param("[PMC](https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1234567/)", None, "PMC1234567", id="pmc"),
    ],
)
def test_linked_source_is_read(tmp_path: Path, item: str, title: str | None, identifier: str) -> None:
    found = read(tmp_path, f"Text.\n\n## Sources\n\n1. {item}\n2. {TWO}\n")
    first = found.references[0]
    assert first.title == title
    assert identifier in dict(first.identifiers.pairs()).values()
    assert first.parse_score < 1.0
    assert first.locus.label == "1"


def test_each_address_is_a_source_where_there_is_no_list(tmp_path: Path) -> None:
    text = (
        "Rows matter ([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)), see [A survey of rows and"
        " lists](https://example.org/s).\n\n"
        "Again [1](https://arxiv.org/abs/1706.03762#page=3). Not ![a picture](https://example.org/p.png),"
        " [mail](mailto:a@example.org),\n"
        "[up](#top), [search](https://scholar.google.com/scholar?q=x) or"
        " [share](https://twitter.com/intent/tweet?u=x).\n"
    )
    found = read(tmp_path, text)
    assert titles(found) == [None, "A survey of rows and lists"]
    assert found.references[0].identifiers.arxiv_id == "1706.03762"
    assert all(reference.parse_score <= 0.5 for reference in found.references)
    assert found.self_check.method == "links"
    assert [citation.references for citation in found.citations] == [(1,), (2,), (1,)]


def test_definitions_of_links_name_sources(tmp_path: Path) -> None:
    text = (
        'A claim [Nature][1], a second [one][b] and [b].\n\n[1]: https://example.org/1 "On rows and their'
        ' lists"\n[b]: <https://example.org/2>\n'
    )
    found = read(tmp_path, text)
    assert titles(found) == ["On rows and their lists", None]
    assert [reference.identifiers.url for reference in found.references] == [
        "https://example.org/1",
        "https://example.org/2",
    ]


def test_notes_are_references_where_there_is_no_list(tmp_path: Path) -> None:
    text = (
        f"“Five words are quoted here.”[^1] More.[^long-name]\n\n[^1]: [On rows and their"
        f" lists](https://example.org/1)\n[^long-name]: {TWO}\n\n    With more.\n"
    )
    found = read(tmp_path, text)
    assert titles(found) == ["On rows and their lists", TITLES[1]]
    assert [citation.references for citation in found.citations] == [(1,), (2,)]
    assert found.references[0].quotes[0].text.startswith("Five words")


@pytest.mark.parametrize(
    "marker",
    [
        pytest.param("[2]", id="brackets"),
        pytest.param("[[2]](https://example.org/x)", id="linked-brackets"),
        pytest.param("【2†source】", id="assistant"),
        pytest.param("【2†L10-L12】", id="assistant-lines"),
        pytest.param("^2^", id="raised"),
        pytest.param("<sup>2</sup>", id="raised-tag"),
        pytest.param("[2](#ref2)", id="link-into-the-list"),
        pytest.param('<sup><a href="#ref2">2</a></sup>', id="linked-tag"),
        pytest.param("(Jones & Roe, 2019)", id="author-year"),
    ],
)
def test_marker_leads_to_its_reference(tmp_path: Path, marker: str) -> None:
    text = (
        f'A claim of the text {marker}. And [1].\n\n# References\n\n1. {ONE}\n2. <a id="ref2"></a>{TWO}\n3. {THREE}\n'
    )
    if "raised" in marker or marker.startswith(("^", "<sup>2", "(")):
        text = text.replace(" And [1].", "")
    found = read(tmp_path, text)
    assert titles(found) == TITLES
    assert found.citations[0].references == (2,)


def test_quotations_are_attributed(tmp_path: Path) -> None:
    text = (
        "They claim that “no list has any rows at all” (Smith, 2020, p. 46).\n\n> A block of quoted words\n> stands"
        " here for long. (Poe, 2018, p. 101)\n\n"
        f"# References\n\n{ONE}\n\n{TWO}\n\n{THREE}\n"
    )
    quotes = [quote for reference in read(tmp_path, text).references for quote in reference.quotes]
    assert [quote.claimed_page for quote in quotes] == ["46", "101"]


@pytest.mark.parametrize(
    ("head", "files"),
    [
        pytest.param("bibliography: refs.bib", {"refs.bib": BIB}, id="file"),
        pytest.param("bibliography: [refs.bib, more/two.json]", {"refs.bib": BIB, "more/two.json": "[]"}, id="files"),
        pytest.param("bibliography:\n  main: refs.bib", {"refs.bib": BIB}, id="table"),
        pytest.param(
            "bibliography: refs.json",
            {
                "refs.json": json.dumps(
                    [
                        {"id": "smith20", "type": "book", "title": TITLES[0]},
                        {"id": "jones19", "title": TITLES[1]},
                        {"id": "poe18", "title": "x y"},
                    ]
                )
            },
            id="json",
        ),
        pytest.param(
            "bibliography: r.yaml",
            {
                "r.yaml": f"---\nreferences:\n- id: smith20\n  title: {TITLES[0]}\n- id: jones19\n  title:"
                f" {TITLES[1]}\n...\n"
            },
            id="yaml",
        ),
        pytest.param(
            f"references:\n- id: smith20\n  title: {TITLES[0]}\n  issued:\n  - year: 2020\n- id: jones19\n  title:"
            f" {TITLES[1]}\n  issued: 2019-05-01\n- id: poe18\n  title: z\n- 5",
            {},
            id="inline",
        ),
    ],
)
def test_bibliography_is_followed(tmp_path: Path, head: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    text = (
        f"---\n{head}\n---\nThey say “four words are quoted” [see @smith20, pp. 33-35; -@jones19]. As @smith20 [p."
        f" 3] said, mail a@b.org.\n"
    )
    found = read(tmp_path, text)
    assert titles(found) == TITLES[:2]  # the third is not cited, and would not be printed
    assert [reference.locus.citekey for reference in found.references] == ["smith20", "jones19"]
    assert [reference.cited for reference in found.references] == [True, True]
    assert found.citations[0].claimed_page == "33-35"
    assert all(not citation.missing for citation in found.citations)


def test_missing_key_dangles(tmp_path: Path) -> None:
    (tmp_path / "r.bib").write_text(BIB, encoding="utf-8")
    found = read(
        tmp_path,
        "---\nbibliography: r.bib\n---\nOne [@smith20], two [@gone99], three \\citep[p.~3]{jones19}.\n",
        "a.qmd",
    )
    assert [citation.missing for citation in found.citations] == [(), ("gone99",), ()]
    assert titles(found) == TITLES[:2]


def test_listed_without_citation_counts(tmp_path: Path) -> None:
    (tmp_path / "r.bib").write_text(BIB, encoding="utf-8")
    front = "---\nbibliography: r.bib\nnocite: |\n  @poe18, @{jones19}\n---\n"
    assert len(read(tmp_path, f"{front}One [@smith20].\n").references) == 3
    assert len(read(tmp_path, front.replace("@poe18", "@*") + "Words.\n", "a.rmd").references) == 3


@pytest.mark.parametrize(
    ("head", "told"),
    [
        pytest.param("bibliography: ../outside.bib", "outside the document's folder", id="outside"),
        pytest.param("bibliography: /etc/passwd", "outside the document's folder", id="absolute"),
        pytest.param("bibliography: notes.txt", "outside the document's folder", id="other-kind"),
        pytest.param("bibliography: gone.bib", "could not be read", id="missing"),
        pytest.param("bibliography: [", "not valid YAML", id="broken-yaml"),
        pytest.param("bibliography: " + "[" * 3_000, "not valid YAML", id="deep-yaml"),
        pytest.param("references: [1, 2]", "2 of the references in the front matter", id="odd-items"),
        pytest.param("bibliography: a.bib\nx: " + "y" * 400_001, "too long", id="long"),
    ],
)
def test_bibliography_that_is_not_read_is_told(tmp_path: Path, head: str, told: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "outside.bib").write_text(BIB, encoding="utf-8")
    found = read(tmp_path, f"---\n{head}\n---\nText.\n\n# References\n\n{ONE}\n", "in/a.md")
    assert titles(found) == TITLES[:1]
    assert any(told in note for note in found.self_check.notes)


def test_bibtex_in_a_report_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, f"Here is your list:\n\n```bibtex\n{BIB}```\n")
    assert titles(found) == TITLES


@pytest.mark.parametrize(
    ("row", "check"),
    [
        pytest.param(
            f"| 1 | {TITLES[0]} | Smith, J. | 2020 | https://doi.org/10.1000/a |",
            ("Smith", 2020, "10.1000/a"),
            id="cells",
        ),
        pytest.param(
            f"| 1 | [{TITLES[0]}](https://doi.org/10.1000/a) | Smith, J. | 2020 | [link](#x) |",
            ("Smith", 2020, "10.1000/a"),
            id="links",
        ),
        pytest.param(
            f'1 | "{TITLES[0]}" | J. Smith | 2020 | doi:10.1000/a', ("Smith", 2020, "10.1000/a"), id="open-sides"
        ),
    ],
)
def test_table_of_sources_is_read(tmp_path: Path, row: str, check: tuple[str, int, str]) -> None:
    table = f"| # | Title | Authors | Year | Link |\n|---|:---|---:|:-:|---|\n{row}\n"
    found = read(tmp_path, f"Text.\n\n## Sources\n\n{table}\n").references[0]
    assert (found.title, found.authors[0].family, found.year, found.identifiers.doi) == (TITLES[0], *check)
    assert found.locus.label == "1"


def test_table_without_known_columns_is_read_as_text(tmp_path: Path) -> None:
    table = f"| A | B |\n|---|---|\n| Smith, J. (2020) | {TITLES[0]}. Journal of Rows, 12(3), 45–67 |\n"
    found = read(tmp_path, f"Text.\n\n## Sources\n\n{table}\n").references[0]
    assert (found.year, found.parse_score <= 0.5) == (2020, True)


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        pytest.param("no front", ("", "no front"), id="none"),
        pytest.param("---\na: b\n...\nText", ("a: b\n", "\n\n\nText"), id="dots"),
        pytest.param("---\na: b\n", ("", "---\na: b\n"), id="never-closed"),
        pytest.param("----\na\n---\n", ("", "----\na\n---\n"), id="rule"),
    ],
)
def test_front_matter_is_parted(text: str, parted: tuple[str, str]) -> None:
    assert front_matter(text) == parted


def test_prose_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(NoReferencesError):
        read(
            tmp_path,
            "# Literature\n\nWe will read what has been written on these rows, and they are many and good for"
            " us.\n\n# End\n\nWords.\n",
        )


def raws(references: tuple[Reference, ...]) -> list[str]:
    return [reference.raw for reference in references]


def test_raw_is_what_is_printed(tmp_path: Path) -> None:
    found = read(
        tmp_path, "# References\n\n1. Smith, J. (2020). *On rows &amp; lists*. Press. [Link](https://example.org/a)\n"
    )
    assert raws(found.references) == ["Smith, J. (2020). On rows & lists. Press. Link"]
