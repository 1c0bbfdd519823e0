"""CSL-JSON in all its shapes, and bare lists of identifiers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract import decode
from citeaudit.extract.reader import read
from citeaudit.model import Extraction, WorkType

ITEM = {
    "id": "kestrel2011",
    "type": "article-journal",
    "title": "Tides and <i>larvae</i>",
    "author": [
        {"family": "Kestrel", "given": "Maren A.", "suffix": "Jr"},
        {"family": "Berg", "given": "Tim", "non-dropping-particle": "van den"},
        {"literal": "Tide Group"},
    ],
    "editor": [{"family": "Wold"}],
    "issued": {"date-parts": [[2011, 5, 1]]},
    "container-title": "Journal of Shore Work",
    "volume": 12,
    "issue": "3",
    "page": "101–119",
    "publisher": "Weir Press",
    "DOI": "10.1234/JSW.7",
    "PMID": "7654321",
    "ISSN": "0378-5955",
    "URL": "https://example.org/t",
}


def _read(tmp_path: Path, source: object, name: str = "x.json") -> Extraction:
    text = source if isinstance(source, str) else json.dumps(source, indent=1)
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read(tmp_path / name)


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param([ITEM], id="array"),
        pytest.param({"items": [ITEM]}, id="items"),
        pytest.param({"version": 1, "items": [ITEM]}, id="items-later"),
        pytest.param({"kestrel2011": ITEM}, id="by-id"),
        pytest.param(ITEM, id="single"),
    ],
)
def test_every_shape_has_its_fields(shape: object, tmp_path: Path) -> None:
    one = _read(tmp_path, shape).references[0]
    assert [str(person) for person in one.authors] == ["Maren A. Kestrel Jr", "Tim van den Berg", "Tide Group"]
    assert (one.title, one.container_title, one.year) == ("Tides and larvae", "Journal of Shore Work", 2011)
    assert (one.volume, one.issue, one.pages, one.publisher) == ("12", "3", "101-119", "Weir Press")
    assert (one.identifiers.doi, one.identifiers.pmid, one.identifiers.issn) == (
        "10.1234/jsw.7",
        "7654321",
        "0378-5955",
    )
    assert (one.type, one.parse_score, one.locus.citekey) == (WorkType.ARTICLE_JOURNAL, 1.0, "kestrel2011")
    assert "Kestrel" in one.raw


def test_items_have_their_lines(tmp_path: Path) -> None:
    found = _read(tmp_path, '[\n{"title": "One"},\n\n{"title": "Two"}\n]')
    assert [one.locus.line for one in found.references] == [2, 4]


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        pytest.param({"issued": {"raw": "May 2012"}}, "year", 2012, id="raw-date"),
        pytest.param({"issued": {"literal": "in press"}}, "status", "in press", id="literal-date"),
        pytest.param({"issued": {"date-parts": [["2013"]]}}, "year", 2013, id="year-as-text"),
        pytest.param({"issued": {"date-parts": [2014]}}, "year", 2014, id="flat-parts"),
        pytest.param({"issued": "2015-01"}, "year", 2015, id="bare-date"),
        pytest.param({"issued": None}, "year", None, id="no-date"),
        pytest.param({"issued": {"date-parts": [[None]]}}, "year", None, id="null-date"),
        pytest.param({"original-date": {"date-parts": [[1922]]}}, "original_year", 1922, id="original"),
        pytest.param({"year-suffix": "b"}, "year_suffix", "b", id="suffix"),
        pytest.param({"author": [{"family": "A"}, {"literal": "et al."}]}, "authors_truncated", True, id="et-al"),
        pytest.param({"author": "nobody"}, "authors", (), id="authors-of-another-kind"),
        pytest.param({"title": ["First", "Second"]}, "title", "First", id="list-of-titles"),
        pytest.param({"note": "PMCID: PMC345678"}, "pmcid", "PMC345678", id="note"),
        pytest.param({"archive": "arXiv", "archive_location": "1706.03762"}, "arxiv_id", "1706.03762", id="arxiv"),
        pytest.param({"number": "arXiv:1706.03762"}, "arxiv_id", "1706.03762", id="arxiv-number"),
        pytest.param({"type": "article"}, "type", "preprint", id="preprint"),
        pytest.param({"type": ["x"]}, "type", "unknown", id="type-of-another-kind"),
    ],
)
def test_a_field_is_read(changes: dict[str, object], field: str, value: object, tmp_path: Path) -> None:
    one = _read(tmp_path, [{**ITEM, **changes}]).references[0]
    assert getattr(one, field, None) == value or getattr(one.identifiers, field, None) == value


def test_names_as_text_are_read(tmp_path: Path) -> None:
    one = _read(tmp_path, [{**ITEM, "author": ["Kestrel, M.", {"name": "Oakes"}, 7, {}]}]).references[0]
    assert [str(person) for person in one.authors] == ["M. Kestrel", "Oakes"]


@pytest.mark.parametrize(
    ("source", "read_", "failed"),
    [
        pytest.param('[{"title": "One"}, {"title": "Tw', 1, 1, id="cut-short"),
        pytest.param('[{"title": "One"}, {"title": Two}, {"title": "Three"}]', 2, 1, id="broken-item"),
        pytest.param('[{"title": "One"}, 7, {"kind": "x"}]', 1, 2, id="no-items"),
        pytest.param('{"items": [{"title": "One"},', 1, 1, id="cut-after-comma"),
        pytest.param('[{"title": "One"}', 1, 1, id="cut-between-items"),
        pytest.param('[{"title": "One"}, ', 1, 1, id="cut-before-an-item"),
        pytest.param('[{"title": "One", "volume": ' + "9" * 5_000 + '}, {"title": "Two"}]', 1, 1, id="long-number"),
    ],
)
def test_a_broken_item_costs_itself(source: str, read_: int, failed: int, tmp_path: Path) -> None:
    found = _read(tmp_path, source)
    assert (len(found.references), len(found.failed)) == (read_, failed)


@pytest.mark.parametrize(
    ("source", "error", "said"),
    [
        pytest.param("", UnreadableDocumentError, "is empty", id="empty"),
        pytest.param("not json", UnreadableDocumentError, "is not JSON that can be read", id="text"),
        pytest.param('{"name": "package"}', NoReferencesError, "without items of CSL", id="other-json"),
        pytest.param("[]", NoReferencesError, "without items of CSL", id="empty-list"),
        pytest.param("7", NoReferencesError, "without items of CSL", id="number"),
        pytest.param('{"a":' * 100_000, UnreadableDocumentError, "nested too deeply", id="deep"),
    ],
)
def test_what_is_no_list_gets_its_sentence(source: str, error: type[Exception], said: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=said):
        _read(tmp_path, source)


@pytest.mark.parametrize("name", ["x.txt", "x", "x.bib"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_content_decides_in_any_encoding(name: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(json.dumps([{**ITEM, "title": "Über"}], ensure_ascii=False).encode(encoding))
    found = read(tmp_path / name)
    assert (found.format, found.references[0].title) == ("csl-json", "Über")


LIST = """\
# what to read
10.1234/abc.1
https://doi.org/10.1234/ABC.2
doi: 10.1234/abc.3
- arXiv:1706.03762v2
[5] hep-th/9901001
PMID: 12345678
23456789
PMC4567890
978-0-306-40615-7
https://example.org/page
https://pubmed.ncbi.nlm.nih.gov/3456789/
"""


@pytest.mark.parametrize("name", ["x.txt", "x"])
def test_identifiers_are_references(name: str, tmp_path: Path) -> None:
    found = _read(tmp_path, LIST, name)
    assert found.format == "identifiers"
    assert [one.identifiers.pairs()[0] for one in found.references] == [
        ("doi", "10.1234/abc.1"),
        ("doi", "10.1234/abc.2"),
        ("doi", "10.1234/abc.3"),
        ("arxiv_id", "1706.03762v2"),
        ("arxiv_id", "hep-th/9901001"),
        ("pmid", "12345678"),
        ("pmid", "23456789"),
        ("pmcid", "PMC4567890"),
        ("isbn", "9780306406157"),
        ("url", "https://example.org/page"),
        ("pmid", "3456789"),
    ]
    assert found.references[0].locus.line == 2


def test_several_on_a_line_are_several(tmp_path: Path) -> None:
    found = _read(tmp_path, "10.1234/a, 10.1234/b; arXiv:1706.03762\n", "x")
    assert [one.identifiers.doi for one in found.references] == ["10.1234/a", "10.1234/b", None]


def test_a_stray_line_is_told(tmp_path: Path) -> None:
    found = _read(tmp_path, LIST + "and so on\n", "x")
    assert [block.raw for block in found.failed] == ["and so on"]


def test_references_are_no_identifiers(tmp_path: Path) -> None:
    source = "[1] M. Kestrel. Tides and larvae. Journal of Shore Work 12 (2011) 101-119. doi:10.1234/jsw.7\n"
    assert _read(tmp_path, source, "x").format == "plain"


def test_an_empty_list_gets_its_sentence(tmp_path: Path) -> None:
    with pytest.raises(NoReferencesError, match="holds no identifier"):
        _read(tmp_path, "nothing\n", "x.ids")


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "MAX_BYTES", 50)
    for name in ("x.json", "x.ris", "x.nbib", "x.enw", "x.ids"):
        with pytest.raises(UnreadableDocumentError, match="larger than 0 MB; split it"):
            _read(tmp_path, "x" * 100, name)


def test_a_file_of_nothing_but_broken_items_is_given_up(tmp_path: Path) -> None:
    found = _read(tmp_path, '[{"title": "One"},' + "7," * 3_000 + '{"title": "Two"}]')
    assert (len(found.references), len(found.failed)) == (1, 1_000)
    assert found.self_check.notes[-1] == "1,000 items are broken; what follows was not read"
    lines = _read(tmp_path, LIST + "no\n" * 3_000, "x.ids")
    assert (len(lines.references), len(lines.failed)) == (11, 1_000)
