"""Our own form: dirt is tolerated, and a line of no use is named."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit import registry
from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.jsonl import JsonlDump, parse
from citeaudit.index.store.record import About, Malformed, Name, Record, RecordNotice, Related
from citeaudit.model import NoticeType

FULL = {
    "id": 7,
    "title": "On Widgets: A Study",
    "authors": [
        {"family": "Roe", "given": "Jane", "orcid": "x"},
        {"literal": "The Widget Group"},
        "Doe, J.",
        {"family": ""},
    ],
    "authors_complete": True,
    "year": "2020-03",
    "venue": " Journal of Widgets ",
    "volume": 3,
    "issue": "",
    "pages": "1-9",
    "publisher": "Acme",
    "type": "article-journal",
    "doi": "https://doi.org/10.1234/ABC",
    "arxiv_id": "arXiv:2001.00001v2",
    "pmid": 123,
    "pmcid": "PMC5334499",
    "isbn": "0-306-40615-2",
    "url": "https://example.org/w",
    "src": "a+b",
    "notices": [{"type": "retraction", "doi": "10.1234/R", "year": "2021", "more": 1}, {"type": "correction"}],
    "titles": ["Über Dinge"],
    "related": [
        {"kind": "preprint", "scheme": "arxiv_id", "value": "2001.00001"},
        {"scheme": "doi", "value": "10.1/x"},
    ],
    "about": [{"type": "correction", "scheme": "doi", "value": "10.1234/Z"}],
    "editors": [{"family": "Poe"}],
    "updated": "2020-01-01",
    "contents": "db/w/2020",
    "unknown": {"left": "alone"},
}
FULL["related"] = FULL["related"][:1]  # type: ignore[index]


def test_every_field_is_read() -> None:
    assert parse(json.dumps(FULL)) == Record(
        title="On Widgets: A Study",
        authors=(Name("Roe", "Jane"), Name(literal="The Widget Group"), Name(literal="Doe, J."), Name()),
        authors_complete=True,
        year=2020,
        venue="Journal of Widgets",
        volume="3",
        pages="1-9",
        publisher="Acme",
        type="article-journal",
        doi="10.1234/abc",
        arxiv_id="2001.00001v2",
        pmid="123",
        pmcid="PMC5334499",
        isbn="9780306406157",
        url="https://example.org/w",
        src="a+b",
        id="7",
        notices=(RecordNotice(NoticeType.RETRACTION, "10.1234/r", 2021), RecordNotice(NoticeType.CORRECTION)),
        titles=("Über Dinge",),
        related=(Related("preprint", "arxiv_id", "2001.00001"),),
        about=(About(NoticeType.CORRECTION, "doi", "10.1234/z"),),
        editors=(Name("Poe"),),
        updated="2020-01-01",
        contents="db/w/2020",
    )


def test_null_is_nothing() -> None:
    assert parse(json.dumps({"title": "On Widgets"} | dict.fromkeys(set(FULL) - {"title"}))) == Record("On Widgets")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        pytest.param("", "not JSON", id="empty"),
        pytest.param("<html>", "not JSON", id="html"),
        pytest.param('{"title": "a"', "not JSON", id="cut"),
        pytest.param('{"title": "\\ud800"}', "not JSON", id="half-a-character"),
        pytest.param("[" * 5_000, "not JSON", id="deep"),
        pytest.param("[1]", "not an object", id="list"),
        pytest.param("{}", "title: missing", id="no-title"),
        pytest.param('{"title": null}', "title: missing", id="null-title"),
        pytest.param('{"title": 5}', "title: not text", id="number-as-title"),
        pytest.param('{"title": "…?!"}', "no letters or digits", id="punctuation"),
        pytest.param('{"title": "a", "authors": "Roe"}', "authors: not a list", id="authors-text"),
        pytest.param('{"title": "a", "authors": [5]}', r"authors\.0: neither", id="author-number"),
        pytest.param('{"title": "a", "authors": ["x", {"family": 5}]}', r"authors\.1: a part", id="family-number"),
        pytest.param('{"title": "a", "authors_complete": "no"}', "authors_complete: neither", id="flag-text"),
        pytest.param('{"title": "a", "year": [2000]}', "year: neither", id="year-list"),
        pytest.param('{"title": "a", "year": 2000.5}', "year: neither", id="year-fraction"),
        pytest.param('{"title": "a", "year": true}', "year: neither", id="year-flag"),
        pytest.param('{"title": "a", "volume": {}}', "volume: neither", id="volume-object"),
        pytest.param('{"title": "a", "volume": true}', "volume: neither", id="volume-flag"),
        pytest.param('{"title": "a", "titles": [5]}', r"titles\.0: not text", id="titles-number"),
        pytest.param(
            '{"title": "a", "notices": [{"type": "party"}]}', r"notices\.0\.type: none of", id="unknown-notice"
        ),
        pytest.param('{"title": "a", "notices": [{"type": []}]}', r"notices\.0\.type: none of", id="notice-list"),
        pytest.param('{"title": "a", "notices": ["retraction"]}', r"notices\.0: not an object", id="notice-text"),
        pytest.param(
            '{"title": "a", "notices": [{"type": "correction", "doi": []}]}', r"0\.doi: neither", id="notice-doi"
        ),
        pytest.param(
            '{"title": "a", "related": [{"scheme": "x", "value": "y"}]}', r"related\.0: no scheme", id="scheme"
        ),
        pytest.param('{"title": "a", "related": [{"scheme": "doi", "value": "y"}]}', r"related\.0: no", id="no-doi"),
        pytest.param('{"title": "a", "about": [{"type": "correction"}]}', r"about\.0: no scheme", id="about-nothing"),
    ],
)
def test_a_line_of_no_use_says_why(line: str, complaint: str) -> None:
    with pytest.raises(Malformed, match=complaint):
        parse(line)


def test_bytes_that_are_no_text_are_of_no_use() -> None:
    with pytest.raises(Malformed, match="not JSON"):
        parse(b'{"title": "\xff\xfe"}')


@pytest.mark.parametrize(
    ("raw", "year"),
    [
        pytest.param(2003, 2003, id="number"),
        pytest.param(2003.0, 2003, id="whole-fraction"),
        pytest.param("2003", 2003, id="text"),
        pytest.param("c1999", 1999, id="copyright"),
        pytest.param("2003-05-01", 2003, id="date"),
        pytest.param("in press", None, id="words"),
        pytest.param("", None, id="empty"),
        pytest.param(20033, None, id="too-many-digits"),
        pytest.param(0, None, id="zero"),
        pytest.param(None, None, id="null"),
    ],
)
def test_years(raw: object, year: int | None) -> None:
    assert parse(json.dumps({"title": "On Widgets", "year": raw})).year == year


def write(path: Path, lines: list[str]) -> Path:
    data = "\n".join(lines).encode()
    packers: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress}
    path.write_bytes(packers.get(path.suffix, bytes)(data))
    return path


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.xz"])
def test_units_give_the_records_and_name_what_was_left_out(tmp_path: Path, name: str) -> None:
    good = [json.dumps({"title": f"On Widget {place}"}) for place in range(40_000)]
    lines = ["", *good[:20_000], '{"title": "!"}', "   ", *good[20_000:], '{"title": 5}', ""]
    form = JsonlDump()
    units = list(form.split(write(tmp_path / name, lines)))
    assert len(units) > 1
    assert units == list(form.split(tmp_path / name))
    found = [one for unit in units for one in form.read(unit)]
    assert [one.title for one in found if isinstance(one, Record)] == [f"On Widget {place}" for place in range(40_000)]
    assert [one for one in found if isinstance(one, Fault)] == [
        Fault("line 20002", "title: no letters or digits"),
        Fault("line 40004", "title: not text"),
    ]


def test_places_inside_an_archive_name_the_member() -> None:
    unit = Unit(Path("a.tar"), "member b.jsonl: line 5", b"{}\n{}")
    assert [fault.where for fault in JsonlDump().read(unit) if isinstance(fault, Fault)] == [
        "member b.jsonl: line 5",
        "member b.jsonl: line 6",
    ]


def test_a_file_that_a_worker_opens_counts_from_one(tmp_path: Path) -> None:
    unit = Unit(write(tmp_path / "a.jsonl", ["{}"]), "whole", None)
    assert list(JsonlDump().read(unit)) == [Fault("whole: line 1", "title: missing or empty")]


@pytest.mark.parametrize(
    "content",
    [b"<!DOCTYPE html><html></html>", b"", lzma.compress(b'{"title": "a"}\n' * 9)[:-20]],
    ids=["page", "empty", "cut"],
)
def test_a_file_that_is_no_list_of_records_stops_the_build(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(IndexBuildError):
        list(JsonlDump().split(tmp_path / "a.jsonl"))


def test_the_form_is_known_by_its_name() -> None:
    assert registry.load("dump", "jsonl") is JsonlDump
    assert JsonlDump.name == "jsonl"
    assert {".jsonl", ".jsonl.gz", ".jsonl.xz"} <= set(JsonlDump.suffixes)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FULL, "scheme", "value"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([*FULL]), JSON, max_size=8), st.booleans())
def test_any_object_is_a_record_or_a_fault(row: dict[str, object], titled: bool) -> None:
    line = json.dumps({**row, "title": "On Widgets"} if titled else row).encode()
    (one,) = JsonlDump().read(Unit(Path("a"), "line 3", line))
    assert isinstance(one, Record | Fault)
    assert isinstance(one, Record) or one.where == "line 3"


@given(st.binary(max_size=80))
def test_any_bytes_give_records_or_faults(data: bytes) -> None:
    assert all(isinstance(one, Record | Fault) for one in JsonlDump().read(Unit(Path("a"), "line 1", data)))
