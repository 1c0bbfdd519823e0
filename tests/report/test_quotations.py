"""Quotations beside their reference: counted in one line, and what a person should look at told in full."""

from __future__ import annotations

import pytest

from citeaudit.model import Alarm, Audit, Flag, QuoteCheck, QuoteStatus, Status, Verdict
from citeaudit.report import words
from citeaudit.report.csv_report import CsvReporter
from citeaudit.report.html import HtmlReporter
from citeaudit.report.json_report import JsonReporter
from citeaudit.report.letters import sentence
from citeaudit.report.markdown import MarkdownReporter
from citeaudit.report.quotations import checked, problems, sentences, summary
from citeaudit.report.table import TableReporter
from citeaudit.seams import Reporter
from tests import samples
from tests.report.material import written

GOOD = QuoteCheck(text="as it stands", status=QuoteStatus.VERIFIED, found_page=4, claimed_page="4", source="a.pdf")
ALTERED = QuoteCheck(
    text="it may move",
    status=QuoteStatus.CLOSE_MATCH,
    differences=("may -> may not",),
    closest="it may not move",
    closest_page=2,
    similarity=0.8,
    source="a.pdf",
)
WRONG = QuoteCheck(text="here", status=QuoteStatus.WRONG_PAGE, found_page=3, claimed_page="7", source="a.pdf")
ELSEWHERE = QuoteCheck(text="there", status=QuoteStatus.MISATTRIBUTED, found_in="smith2001", found_page=1)
ABSENT = QuoteCheck(
    text="gone", status=QuoteStatus.NOT_FOUND, closest="x", closest_page=1, similarity=0.2, source="a.pdf"
)
MISSING = QuoteCheck(text="lost", status=QuoteStatus.MISSING_DOCUMENT, reason="no copy in the library")
SKIPPED = QuoteCheck(text="left", status=QuoteStatus.SKIPPED, reason="no library")


def verdict(*checks: QuoteCheck, flagged: bool = True) -> Verdict:
    alarm, flags = (Alarm.REVIEW, (Flag.QUOTE,)) if flagged else (Alarm.NONE, ())
    one = samples.verdict(Status.VERIFIED, *flags, alarm=alarm)
    return one.model_copy(update={"evidence": one.evidence.model_copy(update={"quote_checks": checks})})


SUMMARIES = [
    pytest.param((), "", id="none"),
    pytest.param((SKIPPED,), "", id="skipped"),
    pytest.param((GOOD, ALTERED), "2 quotes: 1 verified on p. 4, 1 altered (may -> may not)", id="two"),
    pytest.param((WRONG,), "1 quote: 1 on another page (p. 3, cited p. 7)", id="page"),
    pytest.param(
        (ELSEWHERE, ABSENT), "2 quotes: 1 not found, 1 in another source (reference smith2001)", id="elsewhere"
    ),
    pytest.param((MISSING, MISSING), "2 quotes: 2 not checked (no copy in the library)", id="no-copy"),
    pytest.param(
        tuple(GOOD.model_copy(update={"found_page": page}) for page in (9, 9, 1, 2, 3, 4, 5, 6)),
        "8 quotes: 8 verified on p. 9, 1, 2, 3, 4, 5 ...",
        id="many",
    ),
    pytest.param((GOOD.model_copy(update={"found_page": None}),), "1 quote: 1 verified", id="text-without-pages"),
    pytest.param(
        (QuoteCheck(text="x", status=QuoteStatus.HIDDEN), QuoteCheck(text="x", status=QuoteStatus.TOO_SHORT)),
        "2 quotes: 1 found only in hidden text, 1 not checked (too short)",
        id="others",
    ),
]


@pytest.mark.parametrize(("checks", "told"), SUMMARIES)
def test_one_line_a_reference(checks: tuple[QuoteCheck, ...], told: str) -> None:
    assert summary(verdict(*checks)) == told


def test_what_was_found_instead() -> None:
    told = {check.text: found for check, found in problems(verdict(GOOD, ALTERED, WRONG, ELSEWHERE, ABSENT, MISSING))}
    assert told == {
        "it may move": "differs: may -> may not; closest, p. 2: it may not move; looked for in a.pdf",
        "here": "found on p. 3 of the PDF, cited p. 7; looked for in a.pdf",
        "there": "it stands in reference smith2001, p. 1",
        "gone": "looked for in a.pdf",
    }
    hidden = QuoteCheck(text="x", status=QuoteStatus.HIDDEN, found_page=2)
    assert problems(verdict(hidden))[0][1] == "found on p. 2 of the PDF"


def test_a_letter_says_what_was_seen() -> None:
    hidden = QuoteCheck(text="dark", status=QuoteStatus.HIDDEN)
    assert sentences(verdict(GOOD, WRONG, ELSEWHERE, ABSENT), "reference 8") == (
        "The quotation “here” tied to reference 8 was found on page 3 of the copy at hand, not on the cited 7.",
        "The quotation “there” tied to reference 8 was found in reference smith2001 instead.",
        "The quotation “gone” tied to reference 8 was not found in its source.",
    )
    assert sentences(verdict(ALTERED, hidden, WRONG, WRONG), "it") == (
        "The quotation “it may move” tied to it reads otherwise in its source (may -> may not).",
        "The quotation “dark” tied to it was found only in hidden text.",
        "The quotation “here” tied to it was found on page 3 of the copy at hand, not on the cited 7.",
        "1 more differ.",
    )
    assert "reads otherwise in its source (may -> may not). Please check." in sentence(verdict(ALTERED))
    assert "a quotation is on another page than cited" in words.notes(verdict(WRONG))


def test_the_document_is_summed_up() -> None:
    audit = samples.audit(verdict(GOOD, ALTERED), verdict(MISSING, SKIPPED))
    assert checked(audit) == ("2 quotations looked for in the library: 1 verified, 1 close match",)
    assert checked(samples.audit(verdict(MISSING))) == ()


PEOPLE: list[Reporter] = [TableReporter(), MarkdownReporter(), HtmlReporter()]


@pytest.mark.parametrize("reporter", PEOPLE, ids=lambda one: one.format)
@pytest.mark.parametrize("flagged", [True, False], ids=["flagged", "verified"])
def test_people_read_it_beside_the_reference(reporter: Reporter, *, flagged: bool) -> None:
    text = _plain(written(reporter, [samples.audit(verdict(GOOD, ALTERED, flagged=flagged))]))
    assert "2 quotes: 1 verified on p. 4, 1 altered (may -> may not)" in text
    assert "2 quotations looked for in the library: 1 verified, 1 close match" in text
    if flagged:
        assert "closest, p. 2: it may not move" in text


def test_programs_read_every_field() -> None:
    audit: Audit = samples.audit(verdict(GOOD, ALTERED))
    assert '"closest_page": 2' in written(JsonReporter(), [audit])
    assert "2 quotes: 1 verified on p. 4" in written(CsvReporter(), [audit])


def _plain(text: str) -> str:
    return " ".join(text.replace("&gt;", ">").replace("\\", "").split())
