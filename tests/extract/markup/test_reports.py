"""What chat assistants and CSL processors write: tables, cards, labels apart from their entries, remarks."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.errors import NoReferencesError
from citeaudit.extract.reader import read
from citeaudit.model import Extraction

CARDS = """\
Sure! Here are some papers:

### 1. **On the rows of no list**
- **Authors:** Jo Smith, Ann Roe, et al.
- **Year:** 2017
- **Venue:** Rows
- **Link:** [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)
- **Summary:** Introduces rows.

### 2. **A second title of no work (2016)**
- **Authors:** Kim Jones, Ro Poe
- **DOI:** 10.1000/rows.90
"""
LINES = """\
**Title:** Adam: A title with a colon
**Authors:** D. P. King, Jo Ba
**Year:** 2015
**Summary:** An optimizer of 2014.

**Title:** On the rows of no list
**Authors:** Jo Smith
**Published in:** Journal of Rows (2017)
**Year:** 2017
"""
TABLE = """\
| # | Paper | Authors | Year | DOI |
|---|---|---|---|---|
| 1 | On the rows of no list | Smith et al. | 2017 | — |
| 2 | A second title of no work | Jones, Poe | 2016 | [10.1000/rows.90](https://doi.org/10.1000/rows.90) |
"""
TWO = [
    ("On the rows of no list", "Smith", 2017, None),
    ("A second title of no work", "Jones", 2016, "10.1000/rows.90"),
]
REFERENCES = """\
## References

- Smith, J. (2020). On the rows of no list. *Journal of Rows*, 12(3), 45–67. https://doi.org/10.1000/rows.1
- Jones, K., & Roe, R. (2019). A second title of no work. *Journal of Lists*, **4**(1), 1–9.
"""


def of(tmp_path: Path, text: str, name: str = "a.md") -> Extraction:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path)


@pytest.mark.parametrize(
    ("text", "works"),
    [
        pytest.param(
            CARDS,
            [
                ("On the rows of no list", "Smith", 2017, None),
                ("A second title of no work", "Jones", 2016, "10.1000/rows.90"),
            ],
            id="cards-with-headings",
        ),
        pytest.param(
            LINES,
            [("Adam: A title with a colon", "King", 2015, None), ("On the rows of no list", "Smith", 2017, None)],
            id="cards-by-line",
        ),
        pytest.param(
            TABLE,
            [
                ("On the rows of no list", "Smith", 2017, None),
                ("A second title of no work", "Jones", 2016, "10.1000/rows.90"),
            ],
            id="table-without-a-heading",
        ),
    ],
)
def test_works_told_with_their_fields_are_read(
    tmp_path: Path, text: str, works: list[tuple[str, str, int, str | None]]
) -> None:
    found = [(one.title, one.authors[0].family, one.year, one.identifiers.doi) for one in of(tmp_path, text).references]
    assert found == works


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# My own paper\n\nAuthors: Jane Doe\nDate: 2024\n\nIt says things.\n", id="own-title-page"),
        pytest.param("| Study | Year |\n|---|---|\n| A | 2001 |\n| B | 2002 |\n", id="table-of-data"),
    ],
)
def test_own_metadata_and_data_are_no_references(tmp_path: Path, text: str) -> None:
    with pytest.raises(NoReferencesError):
        of(tmp_path, text)


@pytest.mark.parametrize(
    "remark",
    [
        pytest.param("*Note: I could not verify all of these; please check them before citing.*", id="note"),
        pytest.param("Would you like me to expand any section or to make a BibTeX file of these?", id="offer"),
        pytest.param("Answer from Perplexity: https://www.perplexity.ai/search/abc?utm_source=copy", id="own-address"),
    ],
)
def test_remarks_behind_a_list_are_no_references(tmp_path: Path, remark: str) -> None:
    assert len(of(tmp_path, f"{REFERENCES}\n---\n\n{remark}\n").references) == 2


def test_sources_under_citations_keep_their_labels(tmp_path: Path) -> None:
    text = (
        "Rows are made of things.[1][2]\n\nCitations:\n"
        "[1] On the rows of no list https://www.example.org/doi/10.1000/rows.1\n"
        "[2] A second title of no work - PubMed https://pubmed.ncbi.nlm.nih.gov/23287718/\n"
    )
    read_ = of(tmp_path, text)
    assert [(one.locus.label, one.title) for one in read_.references] == [
        ("1", "On the rows of no list"),
        ("2", "A second title of no work"),
    ]
    assert all(one.cited for one in read_.references)


def test_site_is_no_part_of_a_title(tmp_path: Path) -> None:
    text = (
        "## **Works cited**\n\n"
        "1. Rows That Learn by Jointly Standing and Lying \\- arXiv, accessed May 3, 2025, "
        "[https://arxiv.org/pdf/1409.0473](https://arxiv.org/pdf/1409.0473)\n"
        "2. On the Rows of No List \\- PubMed, accessed May 3, 2025, "
        "[https://pubmed.ncbi.nlm.nih.gov/1](https://pubmed.ncbi.nlm.nih.gov/1)\n"
    )
    found = of(tmp_path, text).references
    assert [one.title for one in found] == ["Rows That Learn by Jointly Standing and Lying", "On the Rows of No List"]


def test_index_of_the_assistants_searches_is_no_label(tmp_path: Path) -> None:
    text = f"Rows are known【12†L3-L9】 and lists【1†source】.\n\n{REFERENCES}".replace("- Smith", "1. Smith").replace(
        "- Jones", "2. Jones"
    )
    check = of(tmp_path, text).self_check
    assert (check.dangling, check.citations) == ((), 1)


@pytest.mark.parametrize("labels", [pytest.param("{}. ", id="nature"), pytest.param("[{}] ", id="ieee")])
def test_label_beside_its_entry_is_one_reference(tmp_path: Path, labels: str) -> None:
    entries = "".join(
        f'<div id="ref-k{number}" class="csl-entry" role="doc-biblioentry">\n'
        f'<div class="csl-left-margin">{labels.format(number)}</div><div class="csl-right-inline">Smith, J. '
        f"{title}. <em>Journal of Rows</em> <strong>5</strong>, 1–9 (2015).</div>\n</div>\n"
        for number, title in ((1, "On the rows of no list"), (2, "A second title of no work"))
    )
    text = f'<!DOCTYPE html><html><body><div id="refs" class="references csl-bib-body">{entries}</div></body></html>'
    found = of(tmp_path, text, "a.html").references
    assert [(one.locus.label, one.title) for one in found] == [
        ("1", "On the rows of no list"),
        ("2", "A second title of no work"),
    ]


def test_key_that_exists_nowhere_is_dangling_at_once(tmp_path: Path) -> None:
    (tmp_path / "t.bib").write_text("@book{a, title={A Title of Rows}, author={Doe, J}, year=2001}", encoding="utf-8")
    text = "---\nbibliography: t.bib\n---\nOne [@a] and [@gone2020].\n"
    assert of(tmp_path, text).self_check.dangling == ("gone2020",)


LINKED = """\
Rows came in 2017 ([arXiv](https://arxiv.org/abs/1706.03762)) and were reviewed in [Rows](https://doi.org/10.1000/rows.90).
Lists date from 1997 [(Roe & Poe, 1997)](https://doi.org/10.1000/list.1), and order matters ([Poe 2021](https://e.org/a)).
"""
PRINTED = """\
Roe, J. (2001). [On the rows of no list](https://doi.org/10.1000/rows.1). Rows, 1(2), 3-4.

Poe, C. (2003). [What is in a list](https://doi.org/10.1000/rows.2). Rows, 3, 7-8.

Doe, A. (2004). [A list of rows](https://doi.org/10.1000/rows.3). Rows, 4, 9-11.
"""


@pytest.mark.parametrize(
    ("text", "method", "count"),
    [
        pytest.param(f"# On rows\n\n{LINKED}", "links", 4, id="two-sentences"),
        pytest.param("\n\n".join([LINKED.replace("/", f"/{n}") for n in ("", "", "")]), "links", 4, id="paragraphs"),
        pytest.param(PRINTED, "lines", 3, id="printed-references-with-links"),
        pytest.param(PRINTED.replace("\n\n", "\n"), "lines", 3, id="printed-by-line"),
    ],
)
def test_sentences_with_links_are_no_list(tmp_path: Path, text: str, method: str, count: int) -> None:
    found = of(tmp_path, text)
    assert (found.self_check.method, len(found.references)) == (method, count)


@pytest.mark.parametrize(
    ("cited", "end", "dangling", "noted"),
    [
        pytest.param("[7]", "", (), True, id="beyond-the-end"),
        pytest.param("[6]", "", (), False, id="of-the-list"),
        pytest.param("[7]", "\n## Appendix\n\nWords behind the list.\n", ("7",), False, id="the-text-goes-on"),
    ],
)
def test_what_may_be_cut_off_is_no_oversight(
    tmp_path: Path, cited: str, end: str, dangling: tuple[str, ...], noted: bool
) -> None:
    text = (
        f"Rows are known [1] [2]. Lists are [3]. Both go on [4], [5] and [6], and more so {cited}.\n\n## References\n\n"
        + "".join(f"{n}. Roe, J. (200{n}). On the rows of {n}. Rows, {n}(2), 3-4.\n" for n in range(1, 7))
        + end
    )
    check = of(tmp_path, text).self_check
    assert check.dangling == dangling
    assert any("may be cut short" in note for note in check.notes) == noted
