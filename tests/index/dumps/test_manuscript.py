"""Bibliographies as dumps."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps import manuscript
from citeaudit.index.dumps.form import Unit
from citeaudit.index.store.record import Name, Record
from tests.index.dumps.xml_reading import SAMPLES, dump, faults, read, records

BIB = SAMPLES / "trees.bib"
ENDNOTE = (
    "<contributors><authors><author>Hollow, Ada</author></authors></contributors>"
    "<titles><title>Growth of Small Trees</title></titles><dates><year>2019</year></dates>"
)


def entry(number: int, *, more: str = "") -> str:
    return (
        f"@article{{key{number},\n  author = {{Hollow, Ada}},\n  title = {{Leaf Number {number} of {{Many}}}},\n"
        f"  journal = jt,\n  year = {{2019}}{more}\n}}\n\n"
    )


def test_bibtex_is_read_with_its_strings_and_broken_entries_are_placed() -> None:
    found = read("bibtex", BIB)
    assert records(found)[0] == Record(
        title="Pruning By Hand",
        authors=(Name("Hollow", "Ada"), Name("Müller", "Jürgen")),
        authors_complete=False,
        year=2019,
        venue="Proceedings of the 9th Conference on Very Small Trees",
        pages="1-8",
        publisher="Copse Press",
        type="paper-conference",
        doi="10.1234/vst.1",
        src="bibtex",
        id="hollow19",
    )
    assert [record.id for record in records(found)] == ["hollow19", "oak18", "last"]
    assert records(found)[2].arxiv_id == "2001.01234"
    assert [one.where for one in faults(found)] == ["line 23 (broken)"]


@pytest.mark.parametrize(
    ("name", "sample", "titles", "places"),
    [
        ("csl", "trees.json", ["Growth of Small Trees"], ["line 2 (a2)"]),
        ("ris", "trees.ris", ["Growth of Small Trees", "Trees"], []),
    ],
)
def test_other_formats_come_by_the_same_door(name: str, sample: str, titles: list[str], places: list[str]) -> None:
    found = read(name, SAMPLES / sample)
    assert [record.title for record in records(found)] == titles
    assert [one.where for one in faults(found)] == places
    assert records(found)[0].venue == "J. Trees"
    assert {record.src for record in records(found)} == {name}


@pytest.mark.parametrize(
    ("name", "suffix", "text"),
    [
        ("nbib", ".nbib", "PMID- 7\nTI  - Growth of Small Trees\nFAU - Hollow, Ada\nDP  - 2019 Mar\n\n"),
        ("endnote", ".enw", "%0 Journal Article\n%T Growth of Small Trees\n%A Hollow, Ada\n%D 2019\n\n"),
        (
            "endnote-xml",
            ".xml",
            f"<xml><records><record>{ENDNOTE}</record></records></xml>",
        ),
    ],
)
def test_tagged_formats(name: str, suffix: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"trees{suffix}"
    path.write_text(text)
    (record,) = records(read(name, path))
    assert (record.title, record.year, record.authors[0].family) == ("Growth of Small Trees", 2019, "Hollow")


def test_a_large_file_is_cut_at_entries_and_each_piece_knows_the_strings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manuscript, "UNIT_BYTES", 2_000)
    middle = '@string{late = "Late Note"}\n\n'
    inside = ",\n  abstract = {mail\n@example.org {x}\nend}"
    text = '% head\n@string{jt = "Journal of Small Trees"}\n\n'
    text += "".join(entry(number, more=inside if number == 5 else "") for number in range(40)) + middle
    text += "".join(entry(number, more=",\n  note = late") for number in range(40, 80))
    path = tmp_path / "many.bib.gz"
    path.write_bytes(gzip.compress(text.encode()))
    units = list(dump("bibtex").split(path))
    assert len(units) > 5
    found = read("bibtex", path)
    assert [record.id for record in records(found)] == [f"key{number}" for number in range(80)]
    assert {record.venue for record in records(found)} == {"Journal of Small Trees"}
    assert not faults(found)


def test_the_place_of_a_fault_is_its_line_in_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manuscript, "UNIT_BYTES", 1_000)
    text = '@string{jt = "Journal of Small Trees"}\n' + "".join(map(entry, range(20)))
    text += "@article{untitled,\n  year = {2019}\n}\n" + entry(99)
    path = tmp_path / "x.bib"
    path.write_text(text)
    (fault,) = faults(read("bibtex", path))
    line = text[: text.index("@article{untitled")].count("\n") + 1
    assert fault.where == f"line {line} (untitled)"


def test_an_entry_without_its_closing_brace_does_not_swallow_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manuscript, "UNIT_BYTES", 3_000)
    monkeypatch.setattr(manuscript, "LONG_ENTRY", 2_000)
    text = (
        "".join(map(entry, range(5)))
        + "@book{open,\n  title = {Never {Closed},\n}\n\n"
        + "".join(map(entry, range(5, 60)))
    )
    path = tmp_path / "x.bib"
    path.write_text(text)
    assert len(list(dump("bibtex").split(path))) > 2
    found = read("bibtex", path)
    assert {record.id for record in records(found)} >= {
        f"key{number}" for number in range(60) if number not in {4, 5, 6}
    }


@pytest.mark.parametrize("name", ["bibtex", "csl", "ris"])
def test_what_holds_no_references_is_a_fault(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{dump(name).suffixes[0]}"
    path.write_text("[]" if name == "csl" else "nothing here\n")
    (fault,) = faults(read(name, path))
    assert fault.where == "line 1"


def test_a_piece_of_strings_alone_is_no_fault() -> None:
    strings = b'@string{jt = "Journal"}\n' + manuscript._STRINGS_END
    assert list(dump("bibtex").read(Unit(Path("x.bib"), "line 9", strings))) == []


def test_utf_16_is_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "x.bib"
    path.write_bytes(entry(1).replace("jt", "{Bäume}").encode("utf-16"))
    assert [record.venue for record in records(read("bibtex", path))] == ["Bäume"]


def test_a_file_of_one_endless_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manuscript, "MAX_WHOLE", 1_000_000)
    path = tmp_path / "x.bib"
    path.write_bytes(b"@misc{a, title = {" + b"x" * 3_000_000)
    with pytest.raises(IndexBuildError, match="one line of more than"):
        read("bibtex", path)


def test_a_web_page_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.bib"
    path.write_text("<!DOCTYPE html><html><body>Just a moment...</body></html>")
    with pytest.raises(IndexBuildError, match="web page"):
        read("bibtex", path)


@pytest.mark.parametrize(("name", "sample"), [("bibtex", "trees.bib"), ("csl", "trees.json"), ("ris", "trees.ris")])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_samples_never_break_a_reader(name: str, sample: str, data: st.DataObject, tmp_path: Path) -> None:
    raw = bytearray((SAMPLES / sample).read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place : place + data.draw(st.integers(0, 30))] = data.draw(
            st.binary(max_size=8) | st.sampled_from([b"@", b"{", b"}", b'"', b"\n@string{", b"ER  - ", b"\0"])
        )
    path = tmp_path / f"mutated{Path(sample).suffix}"
    path.write_bytes(raw)
    form = dump(name)
    try:
        for unit in form.split(path):
            for found in form.read(unit):
                assert type(found).__name__ in {"Record", "Listing", "Fault"}
    except IndexBuildError:
        pass
