"""Crossref's records: the work, its other versions, and the notices on both sides."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps import objects
from citeaudit.index.dumps.crossref import CrossrefDump
from citeaudit.index.dumps.form import Unit
from citeaudit.index.store.record import About, Name, Record, RecordNotice, Related
from citeaudit.model import NoticeType
from tests.index.dumps.reading import SAMPLES, is_sound, mutated, read_all, sample, write_lines

DUMP = CrossrefDump()
ROWS = sample("crossref.jsonl")
SERVICES = Path(__file__).parents[4] / "shared" / "data" / "services"


def read_one(tmp_path: Path, **fields: Any) -> Record:
    row = {"DOI": "10.5555/one", "title": ["One"], "type": "journal-article", **fields}
    (record,), faults = read_all(DUMP, write_lines(tmp_path / "one.jsonl", [row]))
    assert faults == []
    return record


def test_a_full_record_is_read() -> None:
    record = read_all(DUMP, SAMPLES / "crossref.jsonl")[0][0]
    assert record == Record(
        title="On Widgets & Gears: A Survey",
        authors=(Name("Roe", "Jane A."), Name(literal="The Widget Group")),
        year=2020,
        venue="Journal of Widgets",
        volume="12",
        issue="2",
        pages="11-29",
        publisher="Widget Press",
        type="article-journal",
        doi="10.5555/widget.2020.1",
        src="crossref",
        notices=(
            RecordNotice(NoticeType.RETRACTION, "10.5555/widget.notice", 2022),
            RecordNotice(NoticeType.CORRECTION, "10.5555/widget.corr", 2021),
        ),
        titles=("Über Räder",),
        related=(Related("preprint", "arxiv_id", "1905.00001"),),
        editors=(Name("Muster", "Max"),),
        years=(2019,),
        updated="2025-03-04",
    )


def test_a_notice_says_what_it_is_about() -> None:
    record = read_all(DUMP, SAMPLES / "crossref.jsonl")[0][1]
    assert record.about == (About(NoticeType.RETRACTION, "doi", "10.5555/widget.2020.1"),)
    assert record.notices == ()
    assert (record.venue, record.pages) == ("J. Widg.", "e77")


def test_the_rest_of_the_sample() -> None:
    posted, book, chapter, review = read_all(DUMP, SAMPLES / "crossref.jsonl")[0][2:]
    assert (posted.type, posted.venue, posted.year) == ("preprint", "WidgetRxiv", 2023)
    assert (posted.authors, posted.authors_complete) == ((Name("Hong Xia"),), False)
    assert posted.related == (Related("published", "doi", "10.5555/wid.journal"),)
    assert (book.isbn, book.year, book.publisher) == ("9780306406157", None, "Widget Press")
    assert book.authors == (Name("Ames", "Ann"), Name("Byrd", "Bob"), Name("Plato"))
    assert (chapter.year, chapter.venue, chapter.titles) == (2012, "The Widget Book", ("Zahnräder",))
    assert review.type == "review"


@pytest.mark.parametrize("kind", ["component", "journal", "journal-issue", "proceedings", "grant"])
def test_parts_and_containers_are_no_works_and_no_faults(tmp_path: Path, kind: str) -> None:
    row = {"DOI": "10.5555/c", "type": kind, "title": ["A part"]}
    assert read_all(DUMP, write_lines(tmp_path / "c.jsonl", [row])) == ([], [])


@pytest.mark.parametrize(
    ("fields", "years"),
    [
        pytest.param(
            {"published-print": {"date-parts": [[2020]]}, "issued": {"date-parts": [[2019]]}}, (2020, 2019), id="print"
        ),
        pytest.param(
            {"published": {"date-parts": [[2018, 1]]}, "issued": {"date-parts": [[2019]]}}, (2018, 2019), id="earliest"
        ),
        pytest.param({"issued": {"date-parts": [[None]]}}, (None,), id="null"),
        pytest.param({"issued": {"date-parts": []}, "published-print": {}}, (None,), id="empty"),
        pytest.param({"issued": {"date-parts": [["2019"]]}}, (2019,), id="text"),
        pytest.param({"issued": {"date-parts": [[9999]]}}, (None,), id="placeholder"),
        pytest.param({"issued": "2019"}, (None,), id="odd"),
    ],
)
def test_years(tmp_path: Path, fields: dict[str, Any], years: tuple[int | None, ...]) -> None:
    record = read_one(tmp_path, **fields)
    assert (record.year, *record.years) == years


@pytest.mark.parametrize(
    ("author", "names", "complete"),
    [
        pytest.param({"family": "Roe", "given": "J."}, (Name("Roe", "J."),), None, id="parts"),
        pytest.param({"literal": "Widget Lab"}, (Name(literal="Widget Lab"),), None, id="literal"),
        pytest.param(
            {"name": "Jane Roe and Jörg Müller"}, (Name("Roe", "Jane"), Name("Müller", "Jörg")), None, id="two"
        ),
        pytest.param({"name": "Jane Roe"}, (Name("Roe", "Jane"),), None, id="one"),
        pytest.param({"name": "A. Ames, B. Byrd et al."}, (Name("Ames", "A."), Name("Byrd", "B.")), False, id="cut"),
        pytest.param({"name": "Others"}, (), False, id="others"),
        pytest.param({"family": "et al."}, (), False, id="et-al"),
        pytest.param({"sequence": "first"}, (), None, id="nobody"),
        pytest.param({"family": "R&amp;D", "given": "A\nB"}, (Name("R&D", "A B"),), None, id="markup"),
    ],
)
def test_names(tmp_path: Path, author: dict[str, Any], names: tuple[Name, ...], complete: bool | None) -> None:
    record = read_one(tmp_path, author=[author])
    assert (record.authors, record.authors_complete) == (names, complete)


@pytest.mark.parametrize(
    ("kind", "notice"),
    [
        pytest.param("removal", NoticeType.WITHDRAWAL, id="removal"),
        pytest.param("Partial retraction", NoticeType.RETRACTION, id="words"),
        pytest.param("withdrawal", NoticeType.WITHDRAWAL, id="withdrawal"),
        pytest.param("expression_of_concern", NoticeType.CONCERN, id="concern"),
        pytest.param("erratum", NoticeType.CORRECTION, id="erratum"),
        pytest.param("new_version", None, id="version"),
        pytest.param(None, None, id="none"),
    ],
)
def test_notices_by_type(tmp_path: Path, kind: str | None, notice: NoticeType | None) -> None:
    update = [{"DOI": "10.5555/other", "type": kind}]
    record = read_one(tmp_path, **{"updated-by": update, "update-to": update})
    assert record.notices == ((RecordNotice(notice, "10.5555/other"),) if notice else ())
    assert record.about == ((About(notice, "doi", "10.5555/other"),) if notice else ())


def test_a_work_that_was_retracted_in_its_place_is_the_work(tmp_path: Path) -> None:
    update = [{"DOI": "10.5555/W", "type": "retraction", "updated": {"date-parts": [[2022]]}}]
    other = [{"DOI": "10.5555/other", "type": "correction"}]
    record = read_one(tmp_path, DOI="10.5555/w", **{"update-to": update})
    assert (record.notices, record.about) == ((RecordNotice(NoticeType.RETRACTION, None, 2022),), ())
    record = read_one(tmp_path, DOI="10.5555/w", **{"update-to": [*update, *other], "updated-by": update})
    assert record.notices == (RecordNotice(NoticeType.RETRACTION, None, 2022),)
    assert record.about == (About(NoticeType.CORRECTION, "doi", "10.5555/other"),)


@pytest.mark.parametrize(
    ("relation", "related"),
    [
        pytest.param(
            {"has-preprint": [{"id-type": "doi", "id": "10.5555/P"}]}, ("preprint", "doi", "10.5555/p"), id="doi"
        ),
        pytest.param(
            {"is-version-of": [{"id-type": "uri", "id": "https://arxiv.org/abs/1905.00001v3"}]},
            ("version", "arxiv_id", "1905.00001"),
            id="address",
        ),
        pytest.param({"is-same-as": [{"id-type": "pmid", "id": "77"}]}, ("version", "pmid", "77"), id="pmid"),
        pytest.param({"is-same-as": [{"id-type": "other", "id": "x"}]}, None, id="unknown"),
        pytest.param({"cites": [{"id-type": "doi", "id": "10.5555/p"}]}, None, id="citation"),
    ],
)
def test_relations(tmp_path: Path, relation: dict[str, Any], related: tuple[str, str, str] | None) -> None:
    assert read_one(tmp_path, relation=relation).related == ((Related(*related),) if related else ())


def test_a_subtitle_that_is_there_already_is_not_added(tmp_path: Path) -> None:
    assert read_one(tmp_path, title=["One: A Study"], subtitle=["a study"]).title == "One: A Study"


def test_every_form_of_file_gives_the_same(tmp_path: Path) -> None:
    expected = read_all(DUMP, SAMPLES / "crossref.jsonl")[0]
    body = (SAMPLES / "crossref.json").read_bytes()
    (tmp_path / "one-line.json").write_bytes(json.dumps(json.loads(body)).encode())
    (tmp_path / "packed.json.gz").write_bytes(gzip.compress(body))
    (tmp_path / "array.json").write_bytes(json.dumps(ROWS, indent=1).encode())
    (tmp_path / "api.json").write_bytes(json.dumps({"status": "ok", "message": {"items": ROWS}}).encode())
    write_lines(tmp_path / "answers.jsonl", [{"status": "ok", "message": row} for row in ROWS])
    with tarfile.open(tmp_path / "all.tar", "w") as tar:
        info = tarfile.TarInfo("dump/0.json.gz")
        info.size = (tmp_path / "packed.json.gz").stat().st_size
        tar.addfile(info, io.BytesIO((tmp_path / "packed.json.gz").read_bytes()))
    for path in (SAMPLES / "crossref.json", *tmp_path.iterdir()):
        assert read_all(DUMP, path) == (expected, []), path.name


def test_large_fields_are_passed_over_and_never_the_record(tmp_path: Path) -> None:
    """An end of a list inside a text must not end the list."""
    odd = {"title": ["One"], "reference": [{"unstructured": "}],", "key": "1"}, {"key": "}],x"}], "DOI": "10.5555/x"}
    line = json.dumps(odd, separators=(",", ":")).encode()
    (record,), faults = read_all(DUMP, write_lines(tmp_path / "x.jsonl", [line]))
    assert (record.doi, faults) == ("10.5555/x", [])
    plain = json.dumps({**odd, "reference": [{"key": "1"}]}, separators=(",", ":")).encode()
    assert b"key" not in objects._without(plain.replace(b'"title":["One"],', b""), ((b'"reference":[{', b'}],"'),))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        pytest.param(b'{"DOI": "10.5555/x", "title": []}', "no title", id="untitled"),
        pytest.param(b'{"DOI": "10.5555/x"}', "no title", id="no-title"),
        pytest.param(b'{"title": ["..."]}', "no letters or digits", id="dots"),
        pytest.param(b'{"title": ["x"', "no JSON", id="broken"),
        pytest.param(b"[1, 2]", "not an object", id="list"),
        pytest.param(b"7", "not an object", id="number"),
        pytest.param(b"[" * 3000, "no JSON", id="deep"),
        pytest.param(b'{"title": [{"x": 1}]}', "no title", id="odd-title"),
    ],
)
def test_a_bad_record_is_named_and_costs_no_other(tmp_path: Path, line: bytes, why: str) -> None:
    good = b'{"DOI": "10.5555/g", "title": ["Good"]}'
    records, faults = read_all(DUMP, write_lines(tmp_path / "x.jsonl", [good, line, b"", good]))
    assert [record.title for record in records] == ["Good", "Good"]
    assert [fault.where for fault in faults] == ["line 2"]
    assert why in faults[0].why


def test_bad_records_inside_one_value_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"items": [{"title": ["Good"]}, {"title": null}, 5]}')
    records, faults = read_all(DUMP, path)
    assert len(records) == 1
    assert [fault.where for fault in faults] == ["record 2", "record 3"]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        pytest.param(b'{"title": ["On \xff widgets"]}', "On \ufffd widgets", id="no-utf-8"),
        pytest.param(b'{"title": ["On widgets"], "x": NaN}', "On widgets", id="nan"),
        pytest.param(b'{"title": ["On widgets"], "abstract": "\\ud800"}', "On widgets", id="half-character"),
        pytest.param(b'\xef\xbb\xbf{"title": ["On widgets"]}', "On widgets", id="mark"),
        pytest.param(b'{"title": "On widgets"}', "On widgets", id="bare-text"),
        pytest.param(b'{"title": ["On widgets"], "author": {"family": "Roe"}}', "On widgets", id="no-list"),
        pytest.param(b'{"title": ["On widgets"], "relation": {"is-same-as": [5]}}', "On widgets", id="odd-relation"),
    ],
)
def test_a_slip_of_one_field_costs_no_record(tmp_path: Path, line: bytes, title: str) -> None:
    records, faults = read_all(DUMP, write_lines(tmp_path / "x.jsonl", [line]))
    assert ([record.title for record in records], faults) == ([title], [])


def test_a_broken_whole_file_is_a_fault_a_line(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"items": [{"title": ["Good"]}\n{"title": ["Second"]}\n')
    records, faults = read_all(DUMP, path)
    assert [record.title for record in records] == ["Second"]
    assert [fault.where for fault in faults] == ["line 1"]


def test_large_fields_of_several_records_in_a_line_never_join_them(tmp_path: Path) -> None:
    first = {"title": ["First"], "DOI": "10.5555/1", "reference": [{"key": "1"}]}
    second = {"DOI": "10.5555/2", "reference": [{"key": "2"}], "title": ["Second"]}
    line = json.dumps({"message": {"items": [first, second]}}, separators=(",", ":")).encode()
    records, faults = read_all(DUMP, write_lines(tmp_path / "x.jsonl", [line]))
    assert [(record.title, record.doi) for record in records] == [("First", "10.5555/1"), ("Second", "10.5555/2")]
    assert faults == []


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_whole_file_is_an_error(tmp_path: Path, share: float) -> None:
    body = (SAMPLES / "crossref.json").read_bytes()
    path = tmp_path / "x.json"
    path.write_bytes(body[: int(len(body) * share)])
    with pytest.raises(IndexBuildError, match=r"x\.json: breaks off or is damaged \(no JSON.*fetch it again"):
        read_all(DUMP, path)


def test_a_broken_first_line_does_not_make_the_file_one_value(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", [b'{"title": ["Br', b'{"title": ["Second"]}'])
    assert [unit.place for unit in DUMP.split(path)] == ["line 1"]
    records, faults = read_all(DUMP, path)
    assert [record.title for record in records] == ["Second"]
    assert [fault.where for fault in faults] == ["line 1"]


def test_the_readers_are_found_by_their_names() -> None:
    for name in ("arxiv", "crossref", "datacite", "openalex", "retraction-watch", "s2"):
        (entry,) = entry_points(group="citeaudit.dump", name=name)
        assert entry.load()().name == name


@given(st.lists(mutated(ROWS), min_size=1, max_size=3))
def test_any_mutation_is_a_record_or_a_fault(rows: list[Any]) -> None:
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    for one in DUMP.read(Unit(Path("x"), "line 1", data)):
        assert not isinstance(one, Record) or is_sound(one)


@given(st.binary(max_size=12), st.integers(0, 4000))
def test_any_bytes_are_records_faults_or_a_named_error(
    tmp_path_factory: pytest.TempPathFactory, piece: bytes, at: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "crossref.jsonl"
    body = (SAMPLES / "crossref.jsonl").read_bytes()
    path.write_bytes(body[:at] + piece + body[at + 9 :])
    try:
        records, _ = read_all(DUMP, path)
    except IndexBuildError:
        return
    assert all(is_sound(record) for record in records)


@pytest.mark.shared
def test_records_as_the_service_gives_them() -> None:
    if not SERVICES.is_dir():
        pytest.skip("the material beside the project is not there")
    records, faults = read_all(DUMP, SERVICES / "crossref.jsonl")
    assert faults == []
    assert len(records) > 100
    assert all(is_sound(record) and record.doi for record in records)
    assert sum(bool(record.authors) for record in records) > 0.8 * len(records)
    assert sum(record.year is not None for record in records) > 0.9 * len(records)
