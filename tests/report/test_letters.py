"""What can be written to an author: neutral, dated, with its source; one text a kind of finding."""

from __future__ import annotations

import re

import pytest

from citeaudit.errors import FailureKind
from citeaudit.model import (
    Alarm,
    Coverage,
    Decision,
    FieldMatch,
    FieldName,
    Flag,
    Identifiers,
    Lookup,
    Outcome,
    Query,
    QueryKind,
    Reason,
    Relation,
    Ruling,
    Status,
    Verdict,
)
from citeaudit.report.letters import sentence
from tests import samples
from tests.report.material import HOSTILE, full, hostile

INDEX = "offline-index"


def _found(**changes: object) -> Lookup:
    return samples.lookup(Outcome.FOUND, samples.work(), source="index", **changes)  # type: ignore[arg-type]  # a row


def _with(verdict: Verdict, *fields: FieldMatch, identifier_of: tuple[str, ...] = ()) -> Verdict:
    assert verdict.best is not None
    best = verdict.best.model_copy(update={"identifier_of": identifier_of})
    return verdict.model_copy(update={"fields": fields or verdict.fields, "best": best})


def _undecided(one: Verdict, **ids: str) -> Verdict:
    reference = one.evidence.reference.model_copy(update={"identifiers": Identifiers(**ids)})
    return one.model_copy(update={"evidence": one.evidence.model_copy(update={"reference": reference})})


def _field(field: FieldName, claimed: str | None, found: str | None, rule: str) -> FieldMatch:
    return FieldMatch(field=field, claimed=claimed, found=found, relation=Relation.DIFFERENT, score=0.0, rule=rule)


def _without_record(*reasons: Reason) -> Verdict:
    one = samples.verdict(Status.MISMATCHED, index=7)
    return one.model_copy(update={"best": None, "fields": (), "reasons": reasons})


TITLED = samples.verdict(Status.MISMATCHED, found="On the writing of references", index=12, lookups=(_found(),))
ASKED = (
    samples.lookup(source="crossref", coverage=Coverage.GENERAL),
    samples.lookup(source="mine", lineage=INDEX),
    samples.lookup(Outcome.SKIPPED, source="arxiv"),
)
BY_DOI = (
    samples.lookup(Outcome.FOUND, samples.work(), source="crossref", query=Query(kind=QueryKind.DOI, text="10.5555/x")),
    samples.lookup(source="datacite", query=Query(kind=QueryKind.DOI, text="10.5555/x")),
    samples.lookup(Outcome.FOUND, samples.work(), source="openalex"),
)
FAILED = samples.lookup(Outcome.UNAVAILABLE, failure=FailureKind.TIMED_OUT, source="semantic_scholar")


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        pytest.param(
            TITLED,
            "Reference 12 cites the title “On the reading of references”; the record that was found in "
            "index (retrieved "
            "2026-01-02) has the title “On the writing of references”. Please check.",
            id="title",
        ),
        pytest.param(
            _with(
                TITLED,
                _field(FieldName.AUTHORS, "Ada Poe", "Jo Roe, Bo Moe", "authors_differ"),
                _field(FieldName.YEAR, "2001", "1999", "year_differs"),
                identifier_of=("doi",),
            ),
            "Reference 12 cites the author Ada Poe and the year 2001; the record of this DOI in index (retrieved "
            "2026-01-02) has the authors Jo Roe, Bo Moe and the year 1999. Please check.",
            id="two-fields-by-doi",
        ),
        pytest.param(
            _with(TITLED, _field(FieldName.DOI, "10.5555/x", "Maps of Kiel", "identifier_names_another")),
            "Reference 12 cites the DOI 10.5555/x; this DOI leads to “Maps of Kiel” (retrieved 2026-01-02). "
            "Please check.",
            id="names-another",
        ),
        pytest.param(
            _with(TITLED, _field(FieldName.DOI, "10.5555/x", None, "identifier_unknown")),
            "Reference 12 cites the DOI 10.5555/x; its registry did not know this DOI (asked 2026-01-02). "
            "Please check.",
            id="not-registered",
        ),
        pytest.param(
            _with(
                TITLED.model_copy(update={"evidence": TITLED.evidence.model_copy(update={"lookups": BY_DOI})}),
                _field(FieldName.DOI, "10.5555/x", "Maps of Kiel", "identifier_names_another"),
            ),
            "Reference 12 cites the DOI 10.5555/x; in Crossref, this DOI leads to “Maps of Kiel” (retrieved "
            "2026-01-02). Please check.",
            id="names-another-in-a-source",
        ),
        pytest.param(
            _with(
                TITLED.model_copy(update={"evidence": TITLED.evidence.model_copy(update={"lookups": BY_DOI})}),
                _field(FieldName.DOI, "10.5555/x", None, "identifier_unknown"),
            ),
            "Reference 12 cites the DOI 10.5555/x; DataCite did not know this DOI (asked 2026-01-02). Please check.",
            id="not-registered-with-a-source",
        ),
        pytest.param(
            _with(TITLED, _field(FieldName.YEAR, "2031", "1999", "year_in_future")),
            "Reference 12 cites the year 2031 (which lies ahead); the record that was found in index (retrieved "
            "2026-01-02) has the year 1999. Please check.",
            id="a-year-to-come",
        ),
        pytest.param(
            samples.verdict(Status.NOT_FOUND, index=3, lookups=ASKED[:1]).model_copy(
                update={"reasons": (Reason(code="identifier_unknown", text="Crossref does not know the DOI."),)}
            ),
            "For reference 3, “On the reading of references”, no record was found in Crossref (asked 2026-01-02). "
            "Besides, Crossref does not know the DOI. Please send a DOI or a link under which the work can be seen.",
            id="not-found-and-not-registered",
        ),
        pytest.param(
            _without_record(
                Reason(code="cannot_be", text="The year 2031: it lies ahead.", field=FieldName.YEAR),
                Reason(code="no_match", text="Nobody has it."),
            ),
            "Reference 7 calls for a look. The year 2031: it lies ahead. Please check.",
            id="without-a-record",
        ),
        pytest.param(
            _with(TITLED, _field(FieldName.YEAR, "2031", None, "year_in_future")),
            "Reference 12 cites the year 2031. The year lies ahead, later than the year after the check. Please check.",
            id="by-itself",
        ),
        pytest.param(
            _with(
                TITLED,
                _field(FieldName.TITLE, "a", "b", "title_differs").model_copy(update={"relation": Relation.SAME}),
            ),
            "Reference 12 differs from the record that was found (retrieved 2026-01-02). Please check.",
            id="no-field",
        ),
        pytest.param(
            samples.verdict(Status.NOT_FOUND, index=3, lookups=ASKED),
            "For reference 3, “On the reading of references”, no record was found in Crossref and the index "
            "mine (asked "
            "2026-01-02). Please send a DOI or a link under which the work can be seen.",
            id="not-found",
        ),
        pytest.param(
            samples.verdict(Status.UNDECIDED, index=4, lookups=(FAILED,)),
            "",
            id="outage",
        ),
        pytest.param(
            samples.verdict(Status.UNDECIDED, index=4),
            "Reference 4 could not be compared with a record; nothing follows from this for the reference. "
            "A DOI or a link "
            "under which the work can be seen would help.",
            id="undecided",
        ),
        pytest.param(_undecided(samples.verdict(Status.UNDECIDED, index=4), doi="10.5555/x"), "", id="undecided-doi"),
        pytest.param(
            _undecided(samples.verdict(Status.UNDECIDED, index=4), url="https://x.example/"), "", id="undecided-link"
        ),
        pytest.param(
            samples.verdict(Status.UNDECIDED, index=4).model_copy(update={"best": TITLED.best}),
            "",
            id="undecided-with-a-record",
        ),
        pytest.param(
            _undecided(samples.verdict(Status.NOT_FOUND, index=3, lookups=ASKED), doi="10.5555/x"),
            "For reference 3, “On the reading of references”, no record was found in Crossref and the index "
            "mine (asked 2026-01-02). Please send a link under which the work can be seen.",
            id="not-found-with-a-doi",
        ),
        pytest.param(
            samples.verdict(Status.UNPARSED, index=5),
            "Reference 5 could not be read as it is printed. Please check how it is written.",
            id="unparsed",
        ),
        pytest.param(samples.verdict(Status.NOT_CHECKABLE), "", id="not-checkable"),
        pytest.param(
            samples.verdict(Status.NOT_CHECKABLE, alarm=Alarm.REVIEW, index=5),
            "Reference 5 cites a work of a kind that none of the sources asked lists. Please say where it can be seen.",
            id="not-checkable-review",
        ),
        pytest.param(samples.verdict(), "", id="verified"),
        pytest.param(
            samples.verdict(Status.VERIFIED, Flag.RETRACTED, index=8, lookups=(_found(lineage=INDEX),)),
            "By the record in the index index (retrieved 2026-01-02), the work cited as reference 8 has "
            "been retracted, which "
            "the citation does not say. Please check whether it should be cited as it is.",
            id="retracted",
        ),
        pytest.param(
            samples.verdict(Status.VERIFIED, Flag.UNCITED, index=8),
            "Reference 8 was not seen to be cited in the text. Please check.",
            id="uncited",
        ),
        pytest.param(
            samples.verdict(Status.VERIFIED, Flag.QUOTE, index=8),
            "A quotation tied to reference 8 was not found in its source as quoted. Please check.",
            id="quote",
        ),
    ],
)
def test_what_is_written(verdict: Verdict, told: str) -> None:
    assert sentence(verdict) == told


def test_a_repeated_reference_names_the_first() -> None:
    one = samples.verdict(Status.VERIFIED, Flag.DUPLICATE, index=9)
    one = one.model_copy(update={"evidence": one.evidence.model_copy(update={"duplicate_of": 2})})
    assert sentence(one) == "Reference 9 repeats reference 2 of the list. Please keep one of the two."


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_hidden_is_written(text: str) -> None:
    for one in hostile(text).verdicts:
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e]", sentence(one))


def test_nobody_is_judged() -> None:
    words = " ".join(sentence(one) for one in full().verdicts)
    assert not re.search(r"fake|halluc|fraud|invent|fabricat|wrong|false|you ", words, re.IGNORECASE)
    assert all(sentence(one).count("\n") == 0 for one in full().verdicts)


def test_without_a_record_or_a_value_the_sentence_says_so() -> None:
    bare = TITLED.model_copy(update={"best": None, "fields": (_field(FieldName.AUTHORS, None, "Jo Roe", "x"),)})
    assert sentence(bare) == (
        "Reference 12 cites no authors; the record (retrieved 2026-01-02) has the author Jo Roe. Please check."
    )
    flagged = samples.verdict(Status.UNPARSED, Flag.CONCERN, index=2)
    assert "By the record (retrieved 2026-01-02), the work cited as reference 2 is the subject of an expression of" in (
        sentence(flagged)
    )


def test_what_a_person_has_settled_is_not_asked_again_but_its_flags_are() -> None:
    decision = Decision(fingerprint="f", ruling=Ruling.KNOWN_GOOD, reason="seen")
    settled = TITLED.model_copy(update={"evidence": TITLED.evidence.model_copy(update={"decision": decision})})
    assert sentence(settled) == ""
    flagged = settled.model_copy(update={"flags": (Flag.UNCITED,)})
    assert sentence(flagged) == "Reference 12 was not seen to be cited in the text. Please check."
