"""The example is what it says: 32 references, one fault of a kind, the same from .bib and PDF, all facts known."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from citeaudit.demo import expected, server
from citeaudit.extract import reader
from citeaudit.identifiers import clean_doi
from citeaudit.model import Reference, Status
from citeaudit.pdf import read_pages
from citeaudit.text.normalize import fold, key

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "datasets" / "examples"
PLANTED = expected.load(FOLDER / "planted.json")
CATALOGUE = server.load(FOLDER / "answers.json")
KINDS = {
    "title word changed",
    "phantom author added",
    "author list of another paper",
    "wrong year",
    "DOI of another work",
    "dead DOI",
    "invented work",
    "retracted work, not acknowledged",
    "web page",
    "duplicate of another reference",
    "not cited in the text",
}
SERVICE_ONLY = {"ioannidis2005", "sandve2013", "quillmere2021", "tarnhollow2022"}
QUOTES = ["as printed", "wrong page", "number altered", "negation left out", "invented", "of another cited work"]
ENTRY = re.compile(r"^@\w+\{(\w+),", re.MULTILINE)
CITE = re.compile(r"\\citep?(?:\[[^\]]*\])?\{([^}]+)\}")


@cache
def references(name: str) -> dict[str, Reference]:
    read = reader.read(FOLDER / name).references
    assert len(read) == len(PLANTED)
    return {one.locus.citekey or f"reference {place}": one for place, one in enumerate(read, start=1)}


def by_kind(kind: str) -> str:
    [found] = [name for name, row in PLANTED.items() if row.kind == kind]
    return found


def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_manifest_holds_the_sums() -> None:
    manifest = json.loads(text("manifest.json"))
    assert manifest["licence"] == "CC0-1.0"
    assert manifest["origin"]
    told = {"manifest.json", "README.md"}
    names = sorted(
        path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file() and path.name not in told
    )
    assert manifest["sha256"] == {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in names}


def test_one_fault_of_each_kind() -> None:
    kinds = Counter(row.kind for row in PLANTED.values())
    assert kinds.pop("sound") == 21
    assert kinds == dict.fromkeys(KINDS, 1)


def test_six_quotations_each_in_its_own_way() -> None:
    assert [kind for row in PLANTED.values() for kind in row.quotes] == QUOTES
    read = references("manuscript.pdf")
    for name, row in PLANTED.items():
        assert len(read[name].quotes) == len(row.quotes) == len(row.full.quotes) == len(row.offline.quotes)


def test_the_library_is_what_its_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    script = importlib.import_module("example_library")
    for paper in script.PAPERS:
        script.write(paper, tmp_path / paper.name)
        written, kept = (read_pages(folder / paper.name) for folder in (tmp_path, FOLDER / "library"))
        assert written.pages == kept.pages  # the bytes depend on the version of PyMuPDF


def test_only_the_invented_work_is_not_found() -> None:
    missing = [name for name, row in PLANTED.items() if row.full.status is Status.NOT_FOUND]
    assert missing == [by_kind("invented work")]
    open_ = {name for name, row in PLANTED.items() if row.offline.status is Status.UNDECIDED}
    assert open_ == {*missing, *SERVICE_ONLY}


def test_keys_agree() -> None:
    assert sorted(ENTRY.findall(text("manuscript.bib"))) == sorted(PLANTED)


def test_all_but_one_are_cited() -> None:
    cited = {one for group in CITE.findall(text("manuscript.tex")) for one in group.split(",")}
    assert set(PLANTED) - cited == {by_kind("not cited in the text")}
    assert cited <= set(PLANTED)


def test_pdf_is_small_and_tells_nothing_about_where_it_was_made() -> None:
    data = (FOLDER / "manuscript.pdf").read_bytes()
    assert len(data) < 300_000
    for trace in (b"CreationDate", b"ModDate", b"/home/", b"/tmp/", b"/work/", b"/ID ", b"PTEX"):
        assert trace not in data


@pytest.mark.parametrize("name", ["manuscript.bib", "manuscript.pdf"])
def test_reader_gives_every_key(name: str) -> None:
    assert sorted(references(name)) == sorted(PLANTED)


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_pdf_and_bib_say_the_same(name: str) -> None:
    printed, typed = references("manuscript.pdf")[name], references("manuscript.bib")[name]
    assert fold(printed.title or "") == fold(typed.title or "")
    assert [fold(str(one)) for one in printed.authors] == [fold(str(one)) for one in typed.authors]
    assert printed.authors_truncated == typed.authors_truncated
    assert printed.year == typed.year
    assert printed.identifiers.doi == typed.identifiers.doi


def test_service_knows_all_real_works_and_no_other() -> None:
    without = {by_kind("invented work"), by_kind("web page"), by_kind("duplicate of another reference")}
    assert {work.id for work in CATALOGUE.works} == set(PLANTED) - without


def test_service_knows_of_the_retraction_alone() -> None:
    noted = [work.id for work in CATALOGUE.works if (work.model_extra or {}).get("notices")]
    assert noted == [by_kind("retracted work, not acknowledged")]


def test_dois_are_as_planted() -> None:
    cited = {name: one.identifiers.doi for name, one in references("manuscript.bib").items()}
    known = {work.id: work.doi for work in CATALOGUE.works}
    assert all(doi == clean_doi(doi) for doi in known.values() if doi)
    swapped, dead = cited[by_kind("DOI of another work")], cited[by_kind("dead DOI")]
    assert swapped in known.values()
    assert swapped != known[by_kind("DOI of another work")]
    assert dead
    assert dead not in known.values()
    assert dead.partition("/")[0] in CATALOGUE.prefixes
    sound = {name: doi for name, doi in cited.items() if doi not in {None, swapped, dead}}
    assert sound == {name: known[name] for name in sound}


@cache
def starter() -> dict[str, list[dict[str, object]]]:
    records: dict[str, list[dict[str, object]]] = {}
    for line in (ROOT / "datasets" / "starter" / "works.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        records.setdefault(key(record["title"]), []).append(record)
    return records


@pytest.mark.parametrize("work", CATALOGUE.works, ids=lambda work: work.id)
def test_service_and_starter_index_agree(work: server.Record) -> None:
    records = starter().get(key(work.title), [])
    if work.id in SERVICE_ONLY:
        assert not records
        return
    known = work.model_dump()
    same = [record for record in records if record.get("year") == known["year"]]
    assert same, f"{work.id} is not in the starter index with its year"
    for field in ("volume", "doi"):
        values = {str(record[field]).lower() for record in same if record.get(field)}
        assert not values or not known.get(field) or str(known[field]) in values, field
    families = [fold(author.get("family") or author.get("literal") or "") for author in known["authors"]]
    for record in same:
        authors = record["authors"]
        assert isinstance(authors, list)
        held = [fold(author.get("family") or author.get("literal") or "") for author in authors]
        assert held == families or (not record.get("authors_complete", True) and set(held) <= set(families))


def test_service_and_sound_references_agree() -> None:
    known = {work.id: work.model_dump() for work in CATALOGUE.works}
    for name, row in PLANTED.items():
        if row.kind != "sound":
            continue
        reference, work = references("manuscript.bib")[name], known[name]
        assert fold(reference.title or "") == fold(work["title"])
        assert reference.year == work["year"]
        families = [fold(author.get("family") or "") for author in work["authors"]]
        cited = [fold(author.family or "") for author in reference.authors]
        assert cited == (families[: len(cited)] if reference.authors_truncated else families)
        for field in ("volume", "issue", "pages"):
            claimed = getattr(reference, field)
            assert claimed is None or claimed.replace("–", "-") == work.get(field), (name, field)
