"""A file that was named with another `--format` is told from a dump, by what it looks like."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from citeaudit.cli.indexing import told
from citeaudit.errors import IndexBuildError
from citeaudit.index.building.builder import build
from citeaudit.index.dumps.looks import looks_like
from citeaudit.index.manifest import PARTS
from tests.index.work import raw, rows, write

ROW = {"title": "Dust and Stones", "authors": ["Ann Alder"], "year": 2001, "doi": "10.5555/a"}
TABLE = b"title,author,year\nDust,Alder,2001\n"


def lines(*some: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in some)


@pytest.mark.parametrize(
    ("head", "form"),
    [
        pytest.param(b"% mine\n@article{a,\n title={Dust}}", "bibtex", id="bibtex"),
        pytest.param(b"TY  - JOUR\nTI  - Dust", "ris", id="ris"),
        pytest.param(b"\nPMID- 12\nTI  - Dust", "nbib", id="nbib"),
        pytest.param(b"%0 Journal Article\n%T Dust", "endnote", id="endnote"),
        pytest.param(b'<?xml version="1.0"?>\n<!DOCTYPE dblp>\n<dblp>', "dblp", id="dblp"),
        pytest.param(b'<?xml version="1.0"?><PubmedArticleSet>', "pubmed", id="pubmed"),
        pytest.param(b'<collection id="2020.acl">', "acl", id="acl"),
        pytest.param(b"<xml><records><record>", "endnote-xml", id="endnote-xml"),
        pytest.param(b"Record ID,Title,Subject\n", "retraction-watch", id="retraction-watch"),
        pytest.param(TABLE, "", id="csv"),
        pytest.param(lines(ROW), "jsonl", id="jsonl"),
        pytest.param(lines({"DOI": "10.5555/a", "title": ["Dust"]}), "crossref", id="crossref"),
        pytest.param(lines([{"DOI": "10.5555/a", "title": "Dust", "issued": {}}]), "csl", id="csl"),
        pytest.param(lines({"id": "https://openalex.org/W1", "title": "Dust"}), "openalex", id="openalex"),
        pytest.param(lines({"corpusid": 1, "title": "Dust"}), "s2", id="s2"),
        pytest.param(lines({"id": "10.5555/a", "attributes": {}}), "datacite", id="datacite"),
        pytest.param(lines({"id": "1001.0001", "authors_parsed": []}), "arxiv", id="arxiv"),
        pytest.param(lines({"DOI": "10.5555/a", "title": ["Dust"]})[:-4], "crossref", id="cut"),
        pytest.param(b"dust and stones", "", id="text"),
        pytest.param(b"", "", id="nothing"),
        pytest.param(b"[[[]]]", "", id="empty-lists"),
    ],
)
def test_forms_are_told_by_their_beginning(head: bytes, form: str) -> None:
    assert looks_like(head)[1] == form


@pytest.mark.parametrize(
    ("form", "name", "content", "said"),
    [
        pytest.param("csl", "a.jsonl", lines(*rows(3)), "one object a line; .*--format jsonl", id="jsonl-as-csl"),
        pytest.param(
            "csl", "a.json", lines({"title": "A", "author": []}) * 2, "put them into one array", id="lines-of-csl"
        ),
        pytest.param("crossref", "a.jsonl", lines(*rows(9)), "has DOI; it looks like .*: --format jsonl", id="jsonl"),
        pytest.param("crossref", "a.jsonl", lines(*[{"x": 1}] * 1_500), "has DOI; check --format", id="nothing-known"),
        pytest.param("datacite", "a.jsonl", lines(*rows(9)), "has attributes or titles; .*jsonl", id="as-datacite"),
        pytest.param("openalex", "a.jsonl", lines(*rows(9)), "; it looks like .*: --format jsonl", id="as-openalex"),
        pytest.param("s2", "a.jsonl", lines(*rows(9)), "; it looks like .*: --format jsonl", id="as-s2"),
        pytest.param("jsonl", "a.bib", b"@article{a, title = {b}}\n", "looks like BibTeX: --format bibtex", id="bib"),
        pytest.param("jsonl", "a.csv", TABLE, r"looks like a table \(CSV\), which is not read", id="csv"),
        pytest.param("jsonl", "a.pdf", b"%PDF-1.7\n\xe2\xe3\n", "looks like PDF, which is not read", id="pdf"),
        pytest.param("dblp", "a.pdf", b"%PDF-1.7\n\xe2\0\xe3\n" * 9, "is no XML; check the file", id="pdf-as-dblp"),
        pytest.param("dblp", "a.xml", b"\xff\xfe<\0d\0b\0l\0p\0>\0", "encoding that is not read", id="wide-xml"),
    ],
)
def test_a_file_of_another_form_is_refused_and_named(
    tmp_path: Path, form: str, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(IndexBuildError, match=said) as caught:
        build([tmp_path / name], tmp_path / "index", format=form)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "index").exists()


def test_one_array_of_csl_is_read_whole(tmp_path: Path) -> None:
    items = [{"id": str(n), "type": "book", "title": f"Dust and Stone {n}", "author": []} for n in range(4)]
    (tmp_path / "a.json").write_text(json.dumps(items, indent=1), encoding="utf-8")
    assert build([tmp_path / "a.json"], tmp_path / "index", format="csl").records == 4


@pytest.mark.parametrize(("good", "bad", "warned"), [(60, 40, True), (96, 4, False), (120, 100, True)])
def test_many_records_left_out_are_told_with_their_share(tmp_path: Path, good: int, bad: int, warned: bool) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(*rows(good)) + b'{"title": 5}\n' * bad)
    report = build([tmp_path / "a.jsonl"], tmp_path / "index")
    share = f"{bad} of {good + bad} records could not be read ({100 * bad / (good + bad):.1f} %); is --format right?"
    assert report.notes == ((share,) if warned else ())
    assert f"  ... and {bad - len(report.problems):,} more" in told(tmp_path, report) or bad <= len(report.problems)


def test_more_than_half_of_over_a_hundred_left_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(*rows(50)) + b'{"title": 5}\n' * 51)
    with pytest.raises(IndexBuildError, match=r"51 of 101 records cannot be read .*; check the file and --format"):
        build([tmp_path / "a.jsonl"], tmp_path / "index")


def test_records_that_are_all_too_old_are_told(tmp_path: Path) -> None:
    some = write(tmp_path / "a.jsonl", [raw(number) for number in range(30)])
    with pytest.raises(IndexBuildError, match="all 30 records are older than --min-year"):
        build([some], tmp_path / "index", min_year=datetime.now().year + 1_000)  # noqa: DTZ005


def test_every_file_of_an_index_has_the_mode_that_the_umask_allows(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        build([write(tmp_path / "a.jsonl", rows(30))], tmp_path / "index")
    finally:
        os.umask(before)
    files = [path for path in (tmp_path / "index" / PARTS).rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in files if not path.name.endswith(".lock")} == {0o640}


READ = """
import os, sys
from pathlib import Path
from citeaudit.index.building.checking import verify
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
found = verify(Path(sys.argv[1]))
print(found.problems, found.advice)
"""


def test_verify_says_that_it_may_not_read_a_file(tmp_path: Path) -> None:
    for place in (tmp_path, *tmp_path.parents[:2]):
        place.chmod(0o755)
    build([write(tmp_path / "a.jsonl", rows(30))], tmp_path / "index")
    path = tmp_path / "index" / PARTS / "000001" / "works.db"
    path.chmod(0)
    command = [sys.executable, "-c", READ, str(tmp_path / "index")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith(f"('no permission to read {path}',) let its owner grant it"), done.stderr
