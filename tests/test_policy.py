"""The verdict rules, one by one: statuses, alarms, flags and the words of the reasons."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from citeaudit.errors import FailureKind
from citeaudit.match.rules import RULES
from citeaudit.model import (
    Alarm,
    Coverage,
    FieldName,
    Flag,
    Identifiers,
    Lookup,
    Notice,
    NoticeType,
    Opinion,
    Outcome,
    Policy,
    QueryKind,
    QuoteCheck,
    QuoteStatus,
    Reference,
    Relation,
    Status,
    Verdict,
    WorkType,
)
from citeaudit.policy import REASONS, RULES_VERSION, decide
from tests.match.build import ask, cite, found, judge, record, silent, weighed

TITLE = "On the quiet growth of coastal dune grasses"
FAR = "A calculus of variations for elastic shells"
US = "Ada Roe; Bo Li; Cy Hu"
THEM = "Di Fox; Ed Gray"
CITED = cite(TITLE, US, 2001)
WORK = record(TITLE, US, 2001)
WITH_DOI = cite(TITLE, US, 2001, doi="10.1/x")
OTHER = record(FAR, THEM, 1980, doi="10.1/x", source="registry")
STRICT = Policy(quorum=1, counted=("year_off_by_one", "venue_differs", "authors_incomplete"))


def _dead(reference: Reference, coverage: Coverage = Coverage.AUTHORITATIVE, **fields: str) -> Lookup:
    return ask(reference, Outcome.NO_MATCH, kind=QueryKind.DOI, source="registry", coverage=coverage, **fields)


def _codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def test_an_agreeing_record_verifies() -> None:
    verdict = judge(CITED, found(CITED, WORK))
    assert (verdict.status, verdict.alarm, _codes(verdict), verdict.outage) == (
        Status.VERIFIED,
        Alarm.NONE,
        ["anchored"],
        False,
    )
    assert verdict.best is not None
    assert TITLE in verdict.reasons[0].text


def test_a_difference_is_named_and_only_reviewed() -> None:
    verdict = judge(cite(TITLE, US, 2001), found(CITED, record(TITLE, US, 2009)))
    assert (verdict.status, verdict.alarm) == (Status.MISMATCHED, Alarm.REVIEW)
    assert verdict.reasons[0].field is FieldName.YEAR
    assert "2001 -> 2009" in verdict.reasons[0].text


def test_a_variant_counts_only_where_the_policy_says_so() -> None:
    lookup = found(CITED, record(TITLE, US, 2002))
    assert judge(CITED, lookup).status is Status.VERIFIED
    counted = judge(CITED, lookup, policy=STRICT)
    assert counted.status is Status.MISMATCHED
    year = next(match for match in counted.fields if match.field is FieldName.YEAR)
    assert (year.relation, year.rule) == (Relation.DIFFERENT, "year_off_by_one")


def test_a_further_record_of_the_work_lends_what_agrees() -> None:
    second = found(CITED, record(TITLE, US, 2001, source="second", container_title="Dunes"), source="second")
    reference = cite(TITLE, US, 2001, container_title="Dunes", volume="9")
    first = found(reference, record(TITLE, US, 2009, container_title="Dunes", volume="9"))
    assert judge(reference, first).status is Status.MISMATCHED
    assert judge(reference, first, second).status is Status.VERIFIED


@pytest.mark.parametrize(
    ("quorum", "lookups", "status"),
    [
        pytest.param(2, ["a", "b"], Status.NOT_FOUND, id="quorum"),
        pytest.param(2, ["a"], Status.UNDECIDED, id="one-of-two"),
        pytest.param(1, ["a"], Status.NOT_FOUND, id="one-of-one"),
    ],
)
def test_not_found_needs_its_quorum(quorum: int, lookups: list[str], status: Status) -> None:
    verdict = judge(CITED, *(silent(CITED, name) for name in lookups), policy=Policy(quorum=quorum))
    assert verdict.status is status
    assert verdict.alarm is (Alarm.REVIEW if status is Status.NOT_FOUND else Alarm.NONE)
    assert _codes(verdict)[0] == ("no_match" if status is Status.NOT_FOUND else "too_few_answers")


def test_one_lineage_counts_once() -> None:
    verdict = judge(CITED, silent(CITED, "a", lineage="offline"), silent(CITED, "b", lineage="offline"))
    assert verdict.status is Status.UNDECIDED
    assert verdict.reasons[0].sources == ("a", "b")


def test_identifier_answers_do_not_count_for_the_quorum() -> None:
    verdict = judge(WITH_DOI, silent(WITH_DOI, "a"), _dead(WITH_DOI))
    assert verdict.status is Status.UNDECIDED
    assert "identifier_unknown" in _codes(verdict)


def test_silence_without_coverage_says_nothing() -> None:
    verdict = judge(CITED, *(silent(CITED, name, coverage=Coverage.NONE) for name in "abc"))
    assert (verdict.status, _codes(verdict)) == (Status.UNDECIDED, ["not_covering"])
    assert verdict.risk == pytest.approx(0.01)


def test_a_difference_waits_for_the_second_opinion() -> None:
    """The source that failed may hold the record of the version that was cited."""
    cited = cite(TITLE, US, 2005)
    failed = ask(cited, Outcome.UNAVAILABLE, source="down")
    assert judge(cited, found(cited, WORK)).status is Status.MISMATCHED
    verdict = judge(cited, found(cited, WORK), failed)
    assert (verdict.status, verdict.alarm, verdict.outage) == (Status.UNDECIDED, Alarm.NONE, True)
    assert _codes(verdict)[:3] == ["second_opinion_missing", "source_failed", "field_differs"]
    assert verdict.best is not None


@pytest.mark.parametrize("kind", [QueryKind.TITLE, QueryKind.DOI])
def test_a_failed_source_keeps_it_undecided(kind: QueryKind) -> None:
    failed = ask(WITH_DOI, Outcome.UNAVAILABLE, source="down", kind=kind)
    verdict = judge(WITH_DOI, silent(WITH_DOI, "a"), silent(WITH_DOI, "b"), failed)
    assert (verdict.status, verdict.outage) == (Status.UNDECIDED, True)
    assert _codes(verdict)[:2] == ["source_failed", "no_match"]
    assert FailureKind.TIMED_OUT.value in verdict.reasons[0].text
    assert judge(WITH_DOI, found(WITH_DOI, WORK), failed).outage is False


def test_skipped_sources_and_no_sources_are_said() -> None:
    skipped = ask(CITED, Outcome.SKIPPED, source="far", reason="offline")
    verdict = judge(CITED, skipped)
    assert (verdict.status, _codes(verdict), verdict.risk, verdict.outage) == (
        Status.UNDECIDED,
        ["source_skipped"],
        None,
        False,
    )
    assert "offline" in verdict.reasons[0].text
    bare = ask(CITED, Outcome.SKIPPED, source="far")
    assert judge(CITED, bare).reasons[0].text == "far was not asked."
    assert _codes(judge(CITED)) == ["nothing_asked"]


def test_a_possible_record_keeps_it_undecided() -> None:
    vague = cite("Editorial", "", 2001)
    verdict = judge(vague, found(vague, record("Editorial", US, 2001)), silent(vague, "a"), silent(vague, "b"))
    assert (verdict.status, _codes(verdict)[0]) == (Status.UNDECIDED, "ambiguous")
    unclear = ask(CITED, Outcome.AMBIGUOUS, source="c")
    verdict = judge(CITED, unclear, silent(CITED, "a"), silent(CITED, "b"))
    assert (verdict.status, _codes(verdict)[0]) == (Status.UNDECIDED, "ambiguous")


def test_a_reference_that_names_nothing_is_never_not_found() -> None:
    vague = cite(None, US, 2001)
    verdict = judge(vague, silent(vague, "a"), silent(vague, "b"))
    assert (verdict.status, _codes(verdict)[0]) == (Status.UNDECIDED, "too_little_cited")
    for fields in ({"container_title": "Dunes", "volume": "7", "pages": "1"}, {"pmid": "7"}):
        told = cite(None, US, 2001, **fields)
        assert judge(told, silent(told, "a"), silent(told, "b")).status is Status.NOT_FOUND


def test_an_answer_that_says_nothing_new_is_undecided() -> None:
    verdict = judge(WITH_DOI, _dead(WITH_DOI, Coverage.GENERAL))
    assert (verdict.status, _codes(verdict)) == (Status.UNDECIDED, ["too_few_answers"])


# --- Classes and readings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["webpage", "software", "standard", "thesis", "report", "patent", "legal_case", "dataset"]
)
def test_classes_no_source_covers_are_not_checkable(kind: str) -> None:
    reference = cite(TITLE, US, 2001, type=WorkType(kind))
    silence = silent(reference, "a"), silent(reference, "b")
    verdict = judge(reference, *silence)
    assert (verdict.status, verdict.alarm, _codes(verdict)) == (
        Status.NOT_CHECKABLE,
        Alarm.NONE,
        ["class_not_covered"],
    )
    assert judge(reference, *silence, found(reference, WORK)).status is Status.VERIFIED


def test_a_bare_web_address_is_not_checkable() -> None:
    address = {"type": WorkType.UNKNOWN, "url": "https://example.org/x"}
    verdict = judge(cite(None, "", None, **address), silent(CITED, "a"), silent(CITED, "b"))
    assert _codes(verdict) == ["web_address_only"]
    page = cite(TITLE, US, 2001, **address)
    assert judge(page, silent(page, "a"), silent(page, "b")).status is Status.NOT_CHECKABLE
    paper = cite(TITLE, US, 2001, container_title="Dunes", **address)
    assert judge(paper, silent(paper, "a"), silent(paper, "b")).status is Status.NOT_FOUND


def test_an_unreadable_reference_is_unparsed_unless_a_work_explains_it() -> None:
    garbled = cite(TITLE, US, 2001, parse_score=0.1)
    verdict = judge(garbled, silent(garbled, "a"), silent(garbled, "b"))
    assert (verdict.status, _codes(verdict)[0], verdict.alarm) == (Status.UNPARSED, "unparsed", Alarm.NONE)
    assert judge(garbled, found(garbled, WORK)).status is Status.VERIFIED


# --- Identifiers -------------------------------------------------------------------------------------------


def test_an_identifier_of_another_work_differs() -> None:
    verdict = judge(WITH_DOI, found(WITH_DOI, WORK), found(WITH_DOI, OTHER, kind=QueryKind.DOI, source="registry"))
    assert (verdict.status, verdict.alarm) == (Status.MISMATCHED, Alarm.REVIEW)
    doi = next(match for match in verdict.fields if match.field is FieldName.DOI)
    assert (doi.relation, doi.rule, doi.found) == (Relation.DIFFERENT, "identifier_names_another", FAR)
    assert doi.rule in RULES
    assert verdict.reasons[0].code == "identifier_names_another"


def test_an_identifier_of_the_same_people_is_not_strong() -> None:
    another = record(FAR, US, 2001, doi="10.1/x", source="registry")
    by_doi = found(WITH_DOI, another, kind=QueryKind.DOI, source="registry")
    verdict = judge(WITH_DOI, found(WITH_DOI, WORK), by_doi)
    assert (verdict.status, verdict.alarm) == (Status.MISMATCHED, Alarm.REVIEW)
    assert verdict.reasons[0].code == "identifier_names_another"
    assert verdict.best is not None
    assert verdict.best.work == WORK
    alone = judge(WITH_DOI, by_doi)
    assert alone.reasons[0].field is FieldName.TITLE


def test_a_confirmed_identifier_is_never_in_conflict() -> None:
    right = record(TITLE, US, 2001, doi="10.1/x")
    stray = found(WITH_DOI, OTHER, kind=QueryKind.DOI, source="registry")
    assert judge(WITH_DOI, found(WITH_DOI, right), stray).status is Status.VERIFIED
    assert judge(WITH_DOI, found(WITH_DOI, right), _dead(WITH_DOI)).status is Status.VERIFIED


def test_a_dead_identifier_differs_only_where_its_registry_says_so() -> None:
    lookup = found(WITH_DOI, WORK)
    verdict = judge(WITH_DOI, lookup, _dead(WITH_DOI))
    assert (verdict.status, verdict.alarm, verdict.reasons[0].code) == (
        Status.MISMATCHED,
        Alarm.REVIEW,
        "identifier_unknown",
    )
    assert verdict.reasons[0].sources == ("registry",)
    assert judge(WITH_DOI, lookup, _dead(WITH_DOI, Coverage.GENERAL)).status is Status.VERIFIED
    down = ask(WITH_DOI, Outcome.UNAVAILABLE, kind=QueryKind.DOI, source="second")
    assert judge(WITH_DOI, lookup, _dead(WITH_DOI), down).status is Status.VERIFIED


def test_a_dead_arxiv_doi_is_told_by_arxiv() -> None:
    reference = cite(TITLE, US, 2001, doi="10.48550/arxiv.2412.01234")
    dead = ask(reference, Outcome.NO_MATCH, kind=QueryKind.ARXIV_ID, source="arxiv", coverage=Coverage.AUTHORITATIVE)
    verdict = judge(reference, found(reference, WORK), dead)
    assert verdict.status is Status.MISMATCHED
    assert verdict.reasons[0].field is FieldName.DOI


# --- Alarm -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "alarm"),
    [
        pytest.param({}, Alarm.STRONG, id="paper"),
        pytest.param({"type": WorkType.BOOK}, Alarm.REVIEW, id="book"),
        pytest.param({"type": WorkType.UNKNOWN}, Alarm.STRONG, id="unknown-with-doi"),
    ],
)
def test_not_found_with_a_dead_identifier_is_strong(fields: dict[str, object], alarm: Alarm) -> None:
    reference = cite(TITLE, US, 2001, doi="10.1/x", **fields)
    verdict = judge(reference, silent(reference, "a"), silent(reference, "b"), _dead(reference))
    assert (verdict.status, verdict.alarm) == (Status.NOT_FOUND, alarm)


def test_an_authoritative_index_alone_is_strong() -> None:
    sure = silent(CITED, "a", coverage=Coverage.AUTHORITATIVE)
    assert judge(CITED, sure, policy=STRICT).alarm is Alarm.STRONG
    assert judge(CITED, silent(CITED, "a"), policy=STRICT).alarm is Alarm.REVIEW
    assert judge(CITED, sure).alarm is Alarm.NONE


def test_an_opinion_lowers_the_alarm_and_nothing_else() -> None:
    lookups = silent(WITH_DOI, "a"), silent(WITH_DOI, "b"), _dead(WITH_DOI)
    doubt = Opinion(judge="rules", text="the title looks cut", parse_doubt=0.7)
    verdict = judge(WITH_DOI, *lookups, opinion=doubt)
    assert (verdict.status, verdict.alarm, _codes(verdict)[-1]) == (Status.NOT_FOUND, Alarm.REVIEW, "opinion")
    mild = Opinion(judge="rules", text="fine", parse_doubt=0.1)
    assert judge(WITH_DOI, *lookups, opinion=mild).alarm is Alarm.STRONG


# --- Flags -------------------------------------------------------------------------------------------------


def _noticed(*types: NoticeType) -> Verdict:
    work = WORK.model_copy(update={"notices": tuple(Notice(type=item) for item in types)})
    return judge(CITED, found(CITED, work))


def test_flags_come_in_order_with_a_reason_each() -> None:
    verdict = _noticed(NoticeType.CORRECTION, NoticeType.CONCERN, NoticeType.RETRACTION)
    assert verdict.flags == (Flag.RETRACTED, Flag.CONCERN, Flag.CORRECTED)
    assert _codes(verdict) == ["anchored", "retracted", "concern", "corrected"]
    assert verdict.alarm is Alarm.STRONG


def test_a_retracted_work_of_unknown_class_is_strong() -> None:
    reference = cite(TITLE, US, 2001, type=WorkType.UNKNOWN)
    notices = (Notice(type=NoticeType.RETRACTION),)
    work = record(TITLE, US, 2001, notices=notices, type=WorkType.ARTICLE_JOURNAL)
    assert judge(reference, found(reference, work)).alarm is Alarm.STRONG


def test_duplicates_and_uncited_references_raise_no_alarm() -> None:
    reference = cite(TITLE, US, 2001, cited=False)
    verdict = judge(reference, found(reference, WORK), duplicate_of=1)
    assert (verdict.flags, verdict.alarm) == ((Flag.DUPLICATE, Flag.UNCITED), Alarm.NONE)
    assert judge(cite(TITLE, US, 2001, cited=None), found(CITED, WORK)).flags == ()


@pytest.mark.parametrize("status", list(QuoteStatus))
def test_only_quotes_that_were_looked_for_are_flagged(status: QuoteStatus) -> None:
    verdict = judge(CITED, found(CITED, WORK), quote_checks=(QuoteCheck(text="a passage", status=status),))
    bad = status in {
        QuoteStatus.NOT_FOUND,
        QuoteStatus.WRONG_PAGE,
        QuoteStatus.CLOSE_MATCH,
        QuoteStatus.MISATTRIBUTED,
        QuoteStatus.HIDDEN,
        QuoteStatus.REFERENCES,
    }
    assert verdict.flags == ((Flag.QUOTE,) if bad else ())
    assert verdict.alarm is (Alarm.REVIEW if bad else Alarm.NONE)


# --- Best candidate ----------------------------------------------------------------------------------------


def test_the_record_with_fewest_differences_is_best() -> None:
    wrong, right = record(TITLE, US, 2009, source="a"), record(TITLE, US, 2001, source="b")
    assert judge(CITED, found(CITED, wrong, right)).best == judge(CITED, found(CITED, right, wrong)).best
    verdict = judge(CITED, found(CITED, wrong, right))
    assert verdict.best is not None
    assert verdict.best.work == right


def test_ties_are_broken_by_name() -> None:
    twins = [record(TITLE, US, 2001, source=name) for name in "ba"]
    verdict = judge(CITED, found(CITED, *twins))
    assert verdict.best is not None
    assert verdict.best.work.source == "a"


# --- Words -------------------------------------------------------------------------------------------------


def test_every_reason_code_in_the_code_is_documented_and_used() -> None:
    room = Path(decide.__code__.co_filename).parent
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(room.glob("*.py")))
    used = set(re.findall(r'reason_of\(\s*"(\w+)"', text)) | {flag.value for flag in Flag if flag.value in REASONS}
    assert used == set(REASONS)
    assert all(sentence.endswith(".") for sentence in REASONS.values())
    assert RULES_VERSION


def test_reasons_are_neutral_sentences() -> None:
    verdicts = [
        judge(WITH_DOI, silent(WITH_DOI, "a"), silent(WITH_DOI, "b"), silent(WITH_DOI, "c"), _dead(WITH_DOI)),
        judge(CITED, found(CITED, record("x" * 300 + " grows", "", 2001), record(TITLE, THEM, 2001))),
        _noticed(*NoticeType),
        judge(CITED, silent(CITED, "a")),
    ]
    for reason in (reason for verdict in verdicts for reason in verdict.reasons):
        assert reason.text.endswith(".")
        assert not re.search(r"fake|halluc|fraud|invent", reason.text.lower())
    assert "a, b and c" in verdicts[0].reasons[0].text


def test_silence_with_other_works_says_so() -> None:
    verdict = judge(CITED, found(CITED, record(FAR, THEM, 1980)), silent(CITED, "b"))
    assert verdict.status is Status.NOT_FOUND
    assert "other works only" in verdict.reasons[0].text


def test_identifiers_only_the_record_has_do_not_matter() -> None:
    work = WORK.model_copy(update={"identifiers": Identifiers(doi="10.1/z", pmid="4")})
    assert judge(CITED, found(CITED, work)).status is Status.VERIFIED


def test_evidence_travels_with_the_verdict() -> None:
    evidence = weighed(CITED, found(CITED, WORK))
    assert decide(evidence, Policy()).evidence == evidence
