"""The table a person reads."""

from __future__ import annotations

import io

import pytest

from citeaudit.errors import FailureKind
from citeaudit.model import (
    Alarm,
    Audit,
    FailedBlock,
    Flag,
    Identifiers,
    Locus,
    Outcome,
    SelfCheck,
    SourceHealth,
    Status,
    Unreadable,
)
from citeaudit.report.table import TableReporter
from tests import samples


def _written(*results: Audit | Unreadable) -> str:
    stream = io.StringIO()
    TableReporter().write(results, stream)
    return stream.getvalue()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def test_summary_comes_first_and_adds_up() -> None:
    text = _written(samples.audit(samples.verdict(), samples.verdict(Status.UNDECIDED, index=2)))
    lines = text.splitlines()
    assert lines[0].strip() == "paper.pdf"
    assert "2 references read of 2 announced (by labels)" in lines[1]
    assert "1 verified, 1 undecided" in lines[2]


def test_what_needs_a_person_stands_before_what_does_not() -> None:
    wrong = samples.verdict(Status.MISMATCHED, alarm=Alarm.STRONG, found="On the writing of references", index=2)
    text = _written(samples.audit(samples.verdict(), wrong, samples.verdict(Status.NOT_CHECKABLE, index=3)))
    assert text.index("To look at") < text.index("Not decided") < text.index("Verified")
    assert "reading -> writing" in text
    assert "STRONG" in text


def test_no_colour_where_the_stream_is_no_terminal() -> None:
    assert "\x1b" not in _written(samples.audit(samples.verdict(Status.NOT_FOUND, alarm=Alarm.REVIEW)))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("On \x1b]8;;http://x\x1b\\links", id="terminal-link"),
        pytest.param("On \u202egnidaer", id="right-to-left"),
        pytest.param("On [bold red]markup[/] and [/nothing]", id="console-markup"),
        pytest.param("On \x00 nothing", id="null"),
    ],
)
def test_foreign_text_cannot_move_the_terminal(text: str) -> None:
    written = _written(samples.audit(samples.verdict(Status.NOT_FOUND, of=samples.reference(text, "Ada Lovelace"))))
    assert not set("\x1b\u202e\x00") & set(written)
    if "[bold" in text:
        assert "red]markup[/] and [/nothing]" in _one_line(written)


@pytest.mark.parametrize(
    ("flag", "said"),
    [
        (Flag.RETRACTED, "has been retracted"),
        (Flag.WITHDRAWN, "has been withdrawn"),
        (Flag.CONCERN, "expression of concern"),
        (Flag.CORRECTED, "a correction"),
        (Flag.DUPLICATE, "repeats reference"),
        (Flag.UNCITED, "not cited in the text"),
        (Flag.QUOTE, "a quotation"),
    ],
)
def test_every_flag_is_said_in_words(flag: Flag, said: str) -> None:
    assert said in _one_line(_written(samples.audit(samples.verdict(Status.VERIFIED, flag))))


def test_failures_of_sources_and_of_reading_are_named() -> None:
    audit = samples.audit(
        samples.verdict(
            Status.UNDECIDED, lookups=(samples.lookup(Outcome.UNAVAILABLE, failure=FailureKind.RATE_LIMITED),)
        )
    ).model_copy(
        update={
            "health": (
                SourceHealth(source="index", asked=1, answered=0, from_cache=0, failures=(FailureKind.RATE_LIMITED,)),
            ),
            "failed": (FailedBlock(raw="@article{x", message="no closing brace", locus=Locus(line=7)),),
            "self_check": SelfCheck(
                method="labels", read=1, expected=3, labels_missing=("2", "3"), notes=("Look at page 4.",)
            ),
            "assumptions": ("index starter is complete (--assume-complete)",),
            "offline": True,
        }
    )
    text = _one_line(_written(audit))
    for said in (
        "1 reference read of 3 announced",
        "missing: 2, 3",
        "index (0 of 1 questions answered, failed: too many questions for it)",
        "could not be read, line 7: no closing brace",
        "Look at page 4.",
        "assumed: index starter is complete",
        "preset default, offline",
        "index: failed",
    ):
        assert said in text


def test_several_documents_end_in_a_line_over_all() -> None:
    text = _written(samples.audit(samples.verdict()), Unreadable(path="lost.pdf", message="is empty"))
    assert "is empty" in text
    assert (
        text.strip().splitlines()[-1].strip() == "2 documents, 1 reference, 0 to look at; 1 document could not be read"
    )


def test_an_empty_audit_is_still_a_report() -> None:
    assert "0 references read" in _written(samples.audit())


def test_what_needs_a_person_comes_with_its_evidence() -> None:
    held = samples.lookup(Outcome.FOUND, samples.work(), lineage="offline-index")
    wrong = samples.verdict(Status.MISMATCHED, found="On the writing of references", lookups=(held,), index=2)
    open_ = samples.verdict(Status.UNDECIDED, index=3)
    lost = samples.verdict(Status.NOT_FOUND, index=4)
    text = _one_line(_written(samples.audit(samples.verdict(), wrong, open_, lost)))
    for told in (
        "title: On the {reading ->",
        "Evidence 2 record 1999. On the writing of references. held by index retrieved 2026-01-02 12:00 UTC ask again",
        "citeaudit index search index 'On the reading of references' suggested Ada Lovelace, Royal Society. 1999.",
        "for a letter Reference 2 cites the title",
        "4 asked 2026-01-02 12:00 UTC needed No record was found: a DOI, or where the work can be seen, is needed.",
        "For reference 4, “On the reading of references”, no record was found in index",
        "3 asked 2026-01-02 12:00 UTC Verified",
    ):
        assert told in text, told


def test_the_registry_of_a_record_is_named() -> None:
    wrong = samples.verdict(Status.MISMATCHED, found="On the writing of references")
    assert wrong.best is not None
    best = wrong.best.model_copy(update={"work": samples.work(identifiers=Identifiers(doi="10.5555/x"))})
    assert "link https://doi.org/10.5555/x" in _one_line(
        _written(samples.audit(wrong.model_copy(update={"best": best})))
    )


def test_nothing_asked_leaves_no_evidence_to_show() -> None:
    one = samples.verdict(Status.NOT_CHECKABLE)
    bare = one.model_copy(update={"evidence": one.evidence.model_copy(update={"lookups": ()})})
    assert "Evidence" not in _written(samples.audit(bare))


def test_questions_beyond_the_first_are_counted() -> None:
    lookups = [samples.lookup(Outcome.NO_MATCH, source=f"mine{place}", lineage="offline-index") for place in range(5)]
    text = _one_line(_written(samples.audit(samples.verdict(Status.NOT_FOUND, lookups=tuple(lookups)))))
    assert text.count("ask again") == 2
    assert "and 3 more" in text
