"""What was read is shown: table, JSON, BibTeX and CSL-JSON, the last two read back as they were."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from typing import TextIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.extract.decode import Decoded
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.extract.tagged.csl import read_csl
from citeaudit.model import (
    Citation,
    Extraction,
    FailedBlock,
    Identifiers,
    Locus,
    Person,
    Quote,
    Reference,
    SelfCheck,
    Unreadable,
    WorkType,
)
from citeaudit.report.citekeys import keyed
from citeaudit.report.extraction import write_json, write_table
from citeaudit.report.extraction_bibtex import entry, write_bibtex
from citeaudit.report.extraction_csl import write_csl

Write = Callable[[Sequence[Extraction | Unreadable], TextIO], None]

FULL = Reference(
    raw="[1] Kestrel …",
    type=WorkType.ARTICLE_JOURNAL,
    title="Tides & larvae: 50% of the #1 coast_line",
    authors=(
        Person(family="Kestrel", given="Maren A.", suffix="Jr"),
        Person(family="van den Berg", given="Tim"),
        Person(literal="Tide and Time Group"),
    ),
    authors_truncated=True,
    editors=(Person(family="Wold", given="J."),),
    year=2011,
    container_title="Journal of Shore Work",
    volume="12",
    issue="3",
    pages="101-119",
    publisher="Weir Press",
    identifiers=Identifiers(
        doi="10.1234/jsw_7", arxiv_id="1706.03762v2", pmid="7654321", url="https://example.org/t_1?a=b&c=%20d"
    ),
    locus=Locus(label="1", line=3),
    quotes=(Quote(text="The river remembers."),),
    cited=True,
)
EXTRACTION = Extraction(
    path="paper.pdf",
    format="pdf",
    references=(FULL, Reference(raw="Unread [brackets]", locus=Locus(line=9), cited=False, parse_score=0.2)),
    citations=(Citation(text="[1, 12]", references=(1,), missing=("12",)),),
    failed=(FailedBlock(raw="x", message="holds no words", locus=Locus(line=7)),),
    self_check=SelfCheck(
        method="labels",
        read=2,
        expected=3,
        labels_missing=("3",),
        citations=1,
        dangling=("12", "Smith 2020"),
        notes=("One page is a scan.",),
    ),
)
LOST = Unreadable(path="gone.pdf", message="no such file; check the path")


def _written(write: Write, *results: Extraction | Unreadable) -> str:
    stream = io.StringIO()
    write(results, stream)
    return stream.getvalue()


def test_the_table_shows_what_a_person_checks() -> None:
    text = " ".join(_written(write_table, EXTRACTION, LOST).split())
    for told in (
        *("first author", "quotes", "article-jo", "Maren A.", "2011", "doi:10.123", "0.20"),
        "2 references read of 3 announced (by labels); missing: 3",
        "1 citation found in the text",
        "cited but not in the list: 12, Smith 2020",
        "in the list but not cited in the text: 1 reference",
        "could not be read, line 7: holds no words",
        'quotation of 1: "The river remembers."',
        "One page is a scan.",
        "no such file; check the path",
    ):
        assert told in text, told


def test_json_holds_everything() -> None:
    told = json.loads(_written(write_json, EXTRACTION))
    assert told["references"][0]["quotes"][0]["text"] == "The river remembers."
    assert told["citations"][0]["missing"] == ["12"]
    assert told["self_check"]["dangling"] == ["12", "Smith 2020"]
    assert (told["made_by"], told["error"]) == ("citeaudit", None)
    assert json.loads(_written(write_json, EXTRACTION, LOST))[1]["error"]


def test_bibtex_is_complete_sorted_and_escaped() -> None:
    text = _written(write_bibtex, EXTRACTION, LOST)
    assert "@article{kestrel2011tides,\n  author = {Kestrel, Jr, Maren A. and" in text
    assert "{Tide and Time Group} and others" in text
    assert r"title = {Tides \& larvae: 50\% of the \#1 coast\_line}" in text
    names = [line.split(" = ")[0].strip() for line in text.partition("@misc")[0].splitlines() if " = " in line]
    assert names == sorted(names)
    assert "% could not be read: no such file; check the path" in text


def test_a_citekey_is_kept_and_a_taken_one_gets_a_letter() -> None:
    one = FULL.model_copy(update={"locus": Locus(citekey="Kästner{1}")})
    two = one.model_copy(update={"locus": Locus(citekey="kastner1")})
    plain = Reference(raw="x")
    assert [key for key, _ in keyed([one, two, FULL, FULL, plain, plain])] == [
        *("Kastner1", "kastner1a", "kestrel2011tides", "kestrel2011tidesa", "reference", "referencea"),
    ]


def test_many_of_one_key_stay_apart() -> None:
    keys = [key for key, _ in keyed([FULL] * 800)]
    assert len({key.lower() for key in keys}) == 800


def test_csl_is_one_array_over_all_documents() -> None:
    told = json.loads(_written(write_csl, EXTRACTION, LOST, EXTRACTION))
    assert [one["id"] for one in told] == ["kestrel2011tides", "reference", "kestrel2011tidesa", "referencea"]
    assert told[0]["issued"] == {"date-parts": [[2011]]}
    assert told[0]["author"][-1] == {"literal": "et al."}
    assert (told[0]["archive"], told[0]["archive_location"]) == ("arXiv", "1706.03762v2")
    assert told[1] == {"id": "reference", "type": "document"}


_LETTERS = st.sampled_from("abcdefghijklmnopqrstuvwxyzäéßøł")
_WORD = st.text(_LETTERS, min_size=3, max_size=9).filter(lambda word: word not in {"and", "with", "others", "nobody"})
_NAME = _WORD.map(lambda word: f"D{word}")
_PHRASE = st.lists(
    _WORD | st.sampled_from(["&", "50%", "#1", "a_b", "–", "CO2", "(x)", "$5", "~", "x_2"]), min_size=1, max_size=8
)
_TITLE = _PHRASE.map(lambda words: " ".join(["Tides", *words, "ebb"]))
_PERSON = st.one_of(
    st.builds(Person, family=_NAME, given=_NAME),
    st.builds(Person, family=_NAME, given=_NAME, suffix=st.just("Jr")),
    st.builds(Person, family=_NAME.map(lambda name: f"van {name}"), given=_NAME),
    st.builds(Person, literal=st.tuples(_NAME, _NAME).map(lambda names: f"Institute of {names[0]} and {names[1]}")),
)
_FOUND = st.builds(
    Identifiers,
    doi=st.none() | st.integers(0, 999).map(lambda number: f"10.1234/a_{number}"),
    pmid=st.none() | st.just("7654321"),
    pmcid=st.none() | st.just("PMC345678"),
    isbn=st.none() | st.just("9780306406157"),
    issn=st.none() | st.just("0378-5955"),
    url=st.none() | st.just("https://example.org/t_1?a=b&c=d%20e#f~g"),
)
_REFERENCES = st.builds(
    Reference,
    raw=st.just("x"),
    type=st.sampled_from(
        [WorkType.ARTICLE_JOURNAL, WorkType.BOOK, WorkType.CHAPTER, WorkType.THESIS, WorkType.DATASET]
    ),
    title=_TITLE,
    authors=st.lists(_PERSON, min_size=1, max_size=4).map(tuple),
    authors_truncated=st.booleans(),
    editors=st.lists(_PERSON, max_size=2).map(tuple),
    year=st.none() | st.integers(1700, 2030),
    container_title=st.none() | _TITLE.map(lambda title: f"Annals: {title}"),
    volume=st.none() | st.just("12"),
    issue=st.none() | st.just("3"),
    pages=st.none() | st.sampled_from(["7", "101-119", "e12-e15"]),
    publisher=st.none() | st.just("Weir & Sons"),
    identifiers=_FOUND,
)
_FIELDS = (
    *("type", "title", "authors", "authors_truncated", "editors", "year", "container_title", "volume", "issue"),
    *("pages", "publisher", "identifiers"),
)


def _told(reference: Reference) -> dict[str, object]:
    return {name: getattr(reference, name) for name in _FIELDS}


@settings(max_examples=60, deadline=None)
@given(_REFERENCES)
def test_bibtex_reads_back_as_it_was(reference: Reference) -> None:
    if reference.type is not WorkType.ARTICLE_JOURNAL:  # elsewhere `number` counts a series, which is no issue
        reference = reference.model_copy(update={"issue": None})
    [read] = read_bibtex(entry("key", reference), path="x.bib").references
    assert _told(read) == _told(reference)
    assert read.locus.citekey == "key"


@settings(max_examples=60, deadline=None)
@given(st.lists(_REFERENCES, min_size=1, max_size=3))
def test_csl_reads_back_as_it_was(references: list[Reference]) -> None:
    extraction = Extraction(
        path="x", format="x", references=tuple(references), self_check=SelfCheck(method="entries", read=len(references))
    )
    read = read_csl(Decoded(_written(write_csl, extraction), "utf-8", None), "x.json").references
    assert [_told(one) for one in read] == [_told(one) for one in references]


@pytest.mark.parametrize("kind", list(WorkType))
def test_every_kind_has_names_that_read_back(kind: WorkType) -> None:
    reference = FULL.model_copy(update={"type": kind, "container_title": None, "identifiers": Identifiers()})
    extraction = EXTRACTION.model_copy(update={"references": (reference,)})
    assert read_csl(Decoded(_written(write_csl, extraction), "utf-8", None), "x").references[0].type is kind
    read_back = read_bibtex(entry("key", reference), path="x").references[0].type
    same = {WorkType.NEWS: WorkType.ARTICLE_JOURNAL, WorkType.PEER_REVIEW: WorkType.ARTICLE_JOURNAL}
    assert read_back is same.get(kind, kind)


@pytest.mark.parametrize(
    ("update", "field"),
    [
        pytest.param({"status": "in press", "year": None}, "status", id="status"),
        pytest.param({"original_year": 1922}, "original_year", id="original-year"),
        pytest.param({"year_suffix": "b"}, "year_suffix", id="suffix"),
        pytest.param({"acknowledged": True}, "acknowledged", id="acknowledged"),
    ],
)
def test_what_is_rare_is_kept(update: dict[str, object], field: str) -> None:
    reference = FULL.model_copy(update=update)
    assert getattr(read_bibtex(entry("key", reference), path="x").references[0], field) == update[field]
    extraction = EXTRACTION.model_copy(update={"references": (reference,)})
    read = read_csl(Decoded(_written(write_csl, extraction), "utf-8", None), "x").references[0]
    assert getattr(read, field) == update[field]


def test_hostile_text_ends_no_entry() -> None:
    hostile = FULL.model_copy(
        update={"title": "a}} @article{x, } \\end{y} \n%", "authors": (Person(literal="} and {"),)}
    )
    found = read_bibtex(_written(write_bibtex, EXTRACTION.model_copy(update={"references": (hostile, FULL)})), path="x")
    assert len(found.references) == 2
    assert not found.failed
