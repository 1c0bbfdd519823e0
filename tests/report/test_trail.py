"""Every question can be asked again: by an address without keys, or by a command for an index."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.model import Identifiers, Lookup, Outcome, Query, QueryKind, Status
from citeaudit.report.trail import address, repeat, repeats, seen, source_name
from tests import samples

INDEX = "offline-index"


def _asked(kind: QueryKind, text: str, *, source: str = "mine", lineage: str = INDEX, url: str | None = None) -> Lookup:
    one = samples.lookup(source=source, lineage=lineage, query=Query(kind=kind, text=text))
    return one.model_copy(update={"url": url})


@pytest.mark.parametrize(
    ("lookup", "told"),
    [
        pytest.param(_asked(QueryKind.DOI, "10.5555/x"), "citeaudit index search mine --doi 10.5555/x", id="doi"),
        pytest.param(_asked(QueryKind.ARXIV_ID, "1703.1"), "citeaudit index search mine --arxiv 1703.1", id="arxiv"),
        pytest.param(_asked(QueryKind.PMID, "12"), "citeaudit index search mine --pmid 12", id="pmid"),
        pytest.param(
            _asked(QueryKind.TITLE, "It's a $map"), "citeaudit index search mine 'It'\"'\"'s a $map'", id="title"
        ),
        pytest.param(_asked(QueryKind.CITATION, "Poe, 1999"), "citeaudit index search mine 'Poe, 1999'", id="words"),
        pytest.param(_asked(QueryKind.TITLE, "-ing forms"), "citeaudit index search mine -- '-ing forms'", id="dash"),
        pytest.param(_asked(QueryKind.DOI, "-10.5/x"), "citeaudit index search mine --doi=-10.5/x", id="doi-dash"),
        pytest.param(
            _asked(QueryKind.DOI, "-1", source="-m"), "citeaudit index search --doi=-1 -- -m", id="index-dash-doi"
        ),
        pytest.param(_asked(QueryKind.TITLE, "-x", source="-m"), "citeaudit index search -- -m -x", id="index-dash"),
        pytest.param(_asked(QueryKind.ISBN, "9780306406157"), None, id="no-option"),
        pytest.param(_asked(QueryKind.TITLE, "x", lineage="service"), None, id="service-without-address"),
        pytest.param(
            _asked(QueryKind.TITLE, "x", url="https://api.example.org/works?q=a%20b&rows=5"),
            "https://api.example.org/works?q=a%20b&rows=5",
            id="address",
        ),
        pytest.param(
            _asked(QueryKind.TITLE, "x", url="https://api.example.org/?q=a&mailto=me@x.example&api_key=1&key=2"),
            "https://api.example.org/?q=a",
            id="without-keys-and-mail",
        ),
        pytest.param(_asked(QueryKind.TITLE, "x", lineage="s", url="javascript:alert(1)"), None, id="no-address"),
        pytest.param(_asked(QueryKind.TITLE, "x", lineage="s", url="https://[::1/?a=b"), None, id="broken"),
        pytest.param(samples.lookup(Outcome.SKIPPED, lineage=INDEX), None, id="not-asked"),
    ],
)
def test_how_a_question_is_asked_again(lookup: Lookup, told: str | None) -> None:
    again = repeat(lookup)
    assert (again.text if again else None) == told
    assert again is None or (again.url is None) is (not again.text.startswith("http"))


@given(st.text(max_size=60))
def test_a_command_is_one_word_a_text(text: str) -> None:
    again = repeat(_asked(QueryKind.TITLE, text))
    assert again is not None
    assert shlex.split(again.text)[:4] == ["citeaudit", "index", "search", "mine"]
    assert shlex.split(again.text)[4:-1] == (["--"] if text.startswith("-") else [])


def test_a_finding_shows_the_questions_that_gave_its_record_and_others_all() -> None:
    held = samples.lookup(Outcome.FOUND, samples.work(), source="a", lineage=INDEX)
    other = samples.lookup(source="b", lineage=INDEX)
    found = samples.verdict(Status.MISMATCHED, found="On the writing of references", lookups=(held, held, other))
    assert [one.source for one in repeats(found)] == ["a"]
    lost = samples.verdict(Status.NOT_FOUND, lookups=(other, held))
    assert [one.source for one in repeats(lost)] == ["b", "a"]
    assert seen(found) == samples.NOON
    assert (
        seen(samples.verdict().model_copy(update={"evidence": lost.evidence.model_copy(update={"lookups": ()})}))
        is None
    )


def test_the_registry_of_the_record_is_linked() -> None:
    one = samples.verdict()
    assert address(one) is None
    assert address(samples.verdict(Status.NOT_FOUND)) is None
    assert one.best is not None
    work = samples.work(identifiers=Identifiers(isbn="9780306406157", doi="10.5555/x"))
    assert (
        address(one.model_copy(update={"best": one.best.model_copy(update={"work": work})}))
        == "https://doi.org/10.5555/x"
    )


def test_names_of_sources_as_people_know_them() -> None:
    assert [source_name("crossref"), source_name("else"), source_name("crossref", is_index=True)] == [
        "Crossref",
        "else",
        "the index crossref",
    ]
