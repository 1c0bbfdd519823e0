"""The JSON report against its published schema, and the names other programs rely on."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from citeaudit.errors import FailureKind
from citeaudit.model import Audit, Flag, Outcome, Status, Unreadable
from citeaudit.report.json_report import JsonReporter, schema
from tests import samples

LOST = Unreadable(path="lost.pdf", message="is empty; save it again")
FULL = samples.audit(
    samples.verdict(),
    samples.verdict(Status.MISMATCHED, Flag.DUPLICATE, found="On the writing of references", index=2),
    samples.verdict(
        Status.UNDECIDED,
        index=3,
        outage=True,
        lookups=(samples.lookup(Outcome.UNAVAILABLE, failure=FailureKind.TIMED_OUT),),
    ),
)


def _written(*results: Audit | Unreadable) -> Any:  # JSON
    stream = io.StringIO()
    JsonReporter().write(results, stream)
    return json.loads(stream.getvalue())


def test_published_schema_is_the_one_in_force(repository: Path) -> None:
    published = json.loads((repository / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    assert published == schema(), "run: python -m citeaudit.report.schema > docs/report.schema.json"


@pytest.mark.parametrize(
    "results", [(FULL,), (FULL, LOST), (LOST,), ()], ids=["one", "several", "unreadable", "nothing"]
)
def test_every_report_follows_the_schema(results: tuple[Audit | Unreadable, ...]) -> None:
    jsonschema.validate(_written(*results), schema())


def test_one_document_is_an_object_and_several_are_a_list() -> None:
    assert isinstance(_written(FULL), dict)
    assert [one["document"]["path"] for one in _written(FULL, LOST)] == ["paper.pdf", "lost.pdf"]
    assert _written(LOST)["error"] == "is empty; save it again"


def test_names_that_other_programs_rely_on() -> None:
    told = _written(FULL)
    assert {"schema_version", "document", "summary", "references"} <= told.keys()
    assert told["summary"]["counts"] == {
        "VERIFIED": 1,
        "MISMATCHED": 1,
        "NOT_FOUND": 0,
        "UNDECIDED": 1,
        "NOT_CHECKABLE": 0,
        "UNPARSED": 0,
    }
    assert told["summary"]["coverage"] == pytest.approx(2 / 3)
    second = told["references"][1]
    wanted = "index label raw title authors year identifiers verdict best fields lookups"
    assert set(wanted.split()) <= second.keys()
    assert second["letter"].startswith("Reference 2 cites the title")
    assert second["suggestion"]["fields"] == {"title": "On the writing of references"}
    assert told["references"][0]["letter"] is None
    assert told["references"][0]["suggestion"] is None
    assert {"status", "alarm", "risk", "reasons"} <= second["verdict"].keys()
    assert second["fields"][0] | {"rule": "", "score": 0} == {
        "field": "title",
        "claimed": "On the reading of references",
        "found": "On the writing of references",
        "relation": "DIFFERENT",
        "rule": "",
        "score": 0,
        "differences": ["reading -> writing"],
        "lines": ["On the {reading -> writing} of references"],
        "people": [],
    }
    assert second["best"]["title"] == "On the writing of references"
    failed = told["references"][2]["lookups"][0]
    assert (failed["source"], failed["outcome"], failed["failure"]["kind"]) == ("index", "UNAVAILABLE", "TIMED_OUT")


def test_report_is_ascii_whatever_the_reference_holds() -> None:
    stream = io.StringIO()
    JsonReporter().write([samples.audit(samples.verdict(of=samples.reference("Größe\u202e</script>")))], stream)
    assert stream.getvalue().isascii()
