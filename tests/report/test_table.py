"""The table a person reads."""

from __future__ import annotations

import io

import pytest

from citeaudit.errors import FailureKind
from citeaudit.model import Alarm, Audit, FailedBlock, Flag, Locus, Outcome, SelfCheck, SourceHealth, Status, Unreadable
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
        "index (0 of 1 questions answered, failed: RATE_LIMITED)",
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
