"""Works beside the one cited: a neighbour in an index must not accuse the reference, nor stand for its work."""

from __future__ import annotations

import pytest

from citeaudit.match.rank import weigh
from citeaudit.match.rules import ANCHORS, RULES, unknown_rules
from citeaudit.model import (
    Alarm,
    Coverage,
    FieldMatch,
    FieldName,
    Outcome,
    Policy,
    QueryKind,
    Rank,
    Reference,
    Relation,
    Status,
    Verdict,
    Version,
    Work,
    WorkType,
)
from citeaudit.policy import decide
from tests.match.build import ask, cite, found, judge, people, record, silent, weighed

TITLE = "On the quiet growth of coastal dune grasses"
FAR = "A calculus of variations for elastic shells"
US = "Ada Roe; Bo Li; Cy Hu"
THEM = "Di Fox; Ed Gray"
BOOK, ARTICLE, UNKNOWN = WorkType.BOOK, WorkType.ARTICLE_JOURNAL, WorkType.UNKNOWN


def _match(reference: Reference, work: Work, field: FieldName) -> FieldMatch:
    match = weigh(reference, work).match(field)
    assert match is not None
    assert match.relation is RULES[match.rule].relation
    return match


def _codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


# --- Another identifier ------------------------------------------------------------------------------------


SHORT_READS = record(
    "Fast and accurate short read alignment with Burrows-Wheeler transform",
    "Heng Li; Richard Durbin",
    2009,
    doi="10.1093/bioinformatics/btp324",
)
LONG_READS = cite(
    "Fast and accurate long-read alignment with Burrows-Wheeler transform",
    "Heng Li; Richard Durbin",
    2010,
    doi="10.1093/bioinformatics/btp698",
)


@pytest.mark.parametrize(
    ("reference", "work"),
    [
        pytest.param(LONG_READS, SHORT_READS, id="title"),
        pytest.param(cite(TITLE, US, 2017, doi="10.1/b"), record(TITLE, US, 2012, doi="10.1/a"), id="year"),
        pytest.param(cite(TITLE, US + "; X Y", 2012, pmid="2"), record(TITLE, US, 2012, pmid="1"), id="authors"),
        pytest.param(
            cite(TITLE, US, 2017, arxiv_id="2001.00002"), record(TITLE, US, 2012, arxiv_id="2001.00001"), id="arxiv"
        ),
    ],
)
def test_a_record_with_another_identifier_may_be_a_neighbour(reference: Reference, work: Work) -> None:
    verdict = judge(reference, found(reference, work))
    assert (verdict.status, verdict.alarm, _codes(verdict)[0]) == (
        Status.UNDECIDED,
        Alarm.NONE,
        "another_identifier",
    )
    assert verdict.best is not None
    cited = next(value for _, value in reference.identifiers.pairs())
    assert cited in verdict.reasons[0].text
    for coverage in (Coverage.DECLARED, Coverage.AUTHORITATIVE):
        assert judge(reference, found(reference, work, coverage=coverage)).status is Status.MISMATCHED


def test_an_identifier_that_is_only_not_recorded_excuses_nothing() -> None:
    reference = cite(TITLE, US, 2017, doi="10.1/b", container_title="Dunes", volume="60")
    work = record(TITLE, US, 2012, container_title="Dunes", volume="25")
    assert judge(reference, found(reference, work)).status is Status.MISMATCHED


def test_another_identifier_alone_is_a_variant() -> None:
    reference, work = cite(TITLE, US, 2012, doi="10.1/b"), record(TITLE, US, 2012, doi="10.1/a")
    assert judge(reference, found(reference, work)).status is Status.VERIFIED
    assert judge(cite(TITLE, US, 2017), found(cite(TITLE, US, 2017), work)).status is Status.MISMATCHED


def test_an_identifier_that_names_another_work_still_counts() -> None:
    reference, work = cite(TITLE, US, 2017, doi="10.1/b"), record(TITLE, US, 2012, doi="10.1/a")
    other = found(reference, record(FAR, THEM, 1980, doi="10.1/b"), kind=QueryKind.DOI, source="registry")
    assert judge(reference, found(reference, work), other).status is Status.MISMATCHED
    dead = ask(reference, Outcome.NO_MATCH, kind=QueryKind.DOI, source="registry", coverage=Coverage.AUTHORITATIVE)
    assert judge(reference, found(reference, work), dead).status is Status.MISMATCHED


# --- Other form --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "work"),
    [
        pytest.param(cite(TITLE, US, 1957, type=BOOK), record(TITLE, US, 1966, type=ARTICLE), id="book-article-year"),
        pytest.param(
            cite("The Mathematical Theory of Communication", "Claude E. Shannon; Warren Weaver", 1949, type=BOOK),
            record("A Mathematical Theory of Communication", "C. E. Shannon", 1948, type=ARTICLE),
            id="book-article-authors",
        ),
        pytest.param(cite(TITLE, US, 1966), record(TITLE, US, 1957, type=BOOK), id="article-book"),
        pytest.param(
            cite("An overview of statistical learning theory", "V. N. Vapnik", 1999),
            record("Statistical Learning Theory", "Vladimir N. Vapnik", 1998, type=BOOK),
            id="article-book-title",
        ),
        pytest.param(
            cite(TITLE, "Bob Doe", 2001, type=WorkType.THESIS), record(TITLE, US, 2001, type=ARTICLE), id="thesis"
        ),
        pytest.param(
            cite(TITLE, US, 1986, type=WorkType.CHAPTER),
            record(TITLE, US, 2001, type=WorkType.PAPER_CONFERENCE),
            id="chapter",
        ),
    ],
)
def test_another_form_that_differs_is_no_anchor(reference: Reference, work: Work) -> None:
    candidate = weigh(reference, work)
    assert (candidate.rank, candidate.anchor) == (Rank.POSSIBLE, "other_form")
    assert candidate.anchor in ANCHORS
    assert judge(reference, found(reference, work, coverage=Coverage.DECLARED)).status is not Status.MISMATCHED


def test_another_form_that_agrees_or_is_named_by_its_identifier_is_the_work() -> None:
    assert weigh(cite(TITLE, US, 2001, type=BOOK), record(TITLE, US, 2001, type=ARTICLE)).anchored
    cited = cite(TITLE, US, 1957, type=BOOK, doi="10.1/x")
    assert weigh(cited, record(TITLE, US, 1966, type=ARTICLE, doi="10.1/x")).anchored


@pytest.mark.parametrize(
    ("cited", "recorded", "year", "rule"),
    [
        pytest.param(BOOK, BOOK, 1962, "year_of_edition", id="books"),
        pytest.param(BOOK, UNKNOWN, 1962, "year_of_edition", id="record-unknown"),
        pytest.param(UNKNOWN, BOOK, 1962, "year_of_edition", id="reference-unknown"),
        pytest.param(BOOK, ARTICLE, 1962, "year_differs", id="book-and-article"),
        pytest.param(ARTICLE, BOOK, 1962, "year_differs", id="article-and-book"),
        pytest.param(UNKNOWN, UNKNOWN, 1962, "year_differs", id="no-book"),
        pytest.param(BOOK, BOOK, 1912, "year_of_edition", id="a-century"),
    ],
)
def test_editions_are_of_books(cited: WorkType, recorded: WorkType, year: int, rule: str) -> None:
    match = _match(cite(TITLE, US, 2012, type=cited), record(TITLE, US, year, type=recorded), FieldName.YEAR)
    assert match.rule == rule


# --- Years of arXiv ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "year", "rule"),
    [
        pytest.param({"arxiv_id": "1706.03762"}, 2023, "year_of_revision", id="id"),
        pytest.param({"arxiv_id": "1706.03762v7"}, 2023, "year_of_revision", id="version"),
        pytest.param({"doi": "10.48550/arxiv.1706.03762"}, 2023, "year_of_revision", id="doi"),
        pytest.param({"arxiv_id": "1706.03762"}, 2014, "year_differs", id="earlier"),
        pytest.param({"arxiv_id": "1706.03763"}, 2023, "year_differs", id="another-id"),
        pytest.param({}, 2023, "year_differs", id="no-id"),
    ],
)
def test_arxiv_gives_the_year_of_the_last_revision(fields: dict[str, str], year: int, rule: str) -> None:
    version = Version(type=WorkType.PREPRINT, year=2017, identifiers=record("x", arxiv_id="1706.03762").identifiers)
    work = record(TITLE, US, 2017, versions=(version,))
    assert _match(cite(TITLE, US, year, **fields), work, FieldName.YEAR).rule == rule


# --- Slips in reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cited", "rule"),
    [
        pytest.param("H. Brendan McMahan; Eider Moore; Blaise Agüera; Y Arcas", "authors_initials", id="cut"),
        pytest.param("H. Brendan McMahan; Eider Moore; y Arcas; Blaise Agüera", "authors_initials", id="cut-and-moved"),
        pytest.param("H. B. McMahan Eider; Blaise Agüera y Arcas", "authors_misread", id="joined"),
        pytest.param(
            "H. Brendan McMahan; Eider Moore; Blaise Agüera y Arcas; Federated Learning", "authors_misread", id="title"
        ),
        pytest.param(
            "Federated Learning; H. Brendan McMahan; Eider Moore; Blaise Agüera y Arcas",
            "author_not_in_record",
            id="title-first",
        ),
        pytest.param(
            "H. Brendan McMahan; Eider Moore; Blaise Agüera y Arcas; Brendan Moore",
            "author_not_in_record",
            id="words-used-twice",
        ),
        pytest.param("B.; H. Brendan McMahan; Eider Moore", "author_not_in_record", id="a-letter"),
        pytest.param("H. Brendan McMahan; Eider Moore; Blaise Roe", "author_not_in_record", id="another-word"),
        pytest.param("Jane Fox; Eider Moore; Y Arcas", "author_not_in_record", id="one-stranger-too"),
    ],
)
def test_names_cut_or_joined_are_not_strangers(cited: str, rule: str) -> None:
    work = record("Federated learning of deep networks", "", 2016).model_copy(
        update={"authors": (*people("H. Brendan McMahan; Eider Moore"), *people("Agüera y Arcas, Blaise"))}
    )
    reference = cite("Federated learning of deep networks", cited, 2016)
    match = _match(reference, work, FieldName.AUTHORS)
    assert match.rule == rule


@pytest.mark.parametrize(
    ("read", "raw", "rule"),
    [
        pytest.param(
            "dunes and marshes: A survey",
            "Roe A. Grasses, dunes and marshes: A survey. Dunes 2001.",
            "title_printed",
            id="cut-at-a-comma",
        ),
        pytest.param(
            "Grasses, dunes and marshes: A survey. Journal of Coasts",
            "Roe A. Grasses, dunes and marshes: A survey. Journal of Coasts 2001.",
            "title_printed",
            id="venue-glued",
        ),
        pytest.param(
            "Ada Roe Grasses, dunes and marshes: A survey",
            "Ada Roe Grasses, dunes and marshes: A survey. Journal of Coasts 2001.",
            "title_printed",
            id="author-glued",
        ),
        pytest.param(
            "Grasses, dunes and marshes: A survey of herring",
            "Roe A. Grasses, dunes and marshes: A survey of herring. Dunes 2001.",
            "title_differs",
            id="other-words",
        ),
        pytest.param(
            "Grasses, dunes and rivers: A survey",
            "Roe A. Grasses, dunes and rivers: A survey.",
            "title_differs",
            id="not-printed",
        ),
    ],
)
def test_a_title_printed_in_full_but_read_in_part_is_no_difference(read: str, raw: str, rule: str) -> None:
    reference = cite(read, US, 2001, parse_score=0.95).model_copy(update={"raw": raw})
    work = record("Grasses, dunes and marshes: A survey", US, 2001, container_title="Journal of Coasts")
    assert _match(reference, work, FieldName.TITLE).rule == rule


def test_a_typed_title_was_not_misread() -> None:
    reference = cite("Grasses, dunes and marshes: A survey Journal of Coasts", US, 2001)
    work = record("Grasses, dunes and marshes: A survey", US, 2001, container_title="Journal of Coasts")
    assert _match(reference, work, FieldName.TITLE).rule == "title_differs"


# --- Silence -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        pytest.param(cite(TITLE, US, 2001, parse_score=0.5), "uncertain_reading", id="uncertain-reading"),
        pytest.param(cite("Introduction", US, 2001), "short_title", id="generic"),
        pytest.param(cite("Hydrometeorological thermodynamics", US, 2001), "short_title", id="two-words"),
    ],
)
def test_silence_about_little_is_no_answer(reference: Reference, code: str) -> None:
    verdict = judge(reference, silent(reference, "a"), silent(reference, "b"))
    assert (verdict.status, verdict.alarm) == (Status.UNDECIDED, Alarm.NONE)
    assert code in _codes(verdict)


# --- An invented work with the identifier of another -------------------------------------------------------


HERRING = cite("A study of herring migration in lakes", "Jane Fenn", 2015, doi="10.1/x", container_title="Nature")
DEEP = record("Deep learning for everyone", THEM, 2015, doi="10.1/x", source="registry")


def _resolved(reference: Reference, work: Work = DEEP) -> Verdict:
    lookup = silent(reference, "a", coverage=Coverage.DECLARED)
    return judge(reference, found(reference, work, kind=QueryKind.DOI, source="registry"), lookup)


def test_an_identifier_of_others_under_an_unknown_title_differs() -> None:
    verdict = _resolved(HERRING)
    assert (verdict.status, verdict.alarm, _codes(verdict)[0]) == (
        Status.MISMATCHED,
        Alarm.STRONG,
        "identifier_names_another",
    )
    assert verdict.best is not None
    assert verdict.best.work == DEEP
    rules = {match.field: match.rule for match in verdict.fields if match.relation is Relation.DIFFERENT}
    assert rules == {
        FieldName.TITLE: "title_differs",
        FieldName.AUTHORS: "authors_differ",
        FieldName.DOI: "identifier_names_another",
    }


@pytest.mark.parametrize(
    ("change", "alarm"),
    [
        pytest.param({"parse_score": 0.5}, Alarm.REVIEW, id="uncertain-reading"),
        pytest.param({"type": BOOK}, Alarm.REVIEW, id="book"),
    ],
)
def test_it_is_loud_only_for_papers_read_well(change: dict[str, object], alarm: Alarm) -> None:
    verdict = _resolved(HERRING.model_copy(update=change))
    assert (verdict.status, verdict.alarm) == (Status.MISMATCHED, alarm)
    assert ("low_parse" in _codes(verdict)) is ("parse_score" in change)


@pytest.mark.parametrize(
    ("reference", "work"),
    [
        pytest.param(HERRING, DEEP.model_copy(update={"authors": ()}), id="record-without-authors"),
        pytest.param(cite("Herring", "Jane Smith", 2015, doi="10.1/x"), DEEP, id="short-title"),
        pytest.param(
            HERRING.model_copy(update={"raw": "Smith J. Deep learning for everyone. 2015"}), DEEP, id="title-printed"
        ),
        pytest.param(HERRING.model_copy(update={"title": None}), DEEP, id="no-title"),
    ],
)
def test_what_may_be_a_slip_is_left_to_a_person(reference: Reference, work: Work) -> None:
    verdict = _resolved(reference, work)
    assert (verdict.status, verdict.alarm, verdict.best) == (Status.UNDECIDED, Alarm.REVIEW, None)


def test_the_doi_of_the_volume_names_no_other_work() -> None:
    reference = HERRING.model_copy(update={"container_title": "Deep learning for everyone"})
    verdict = _resolved(reference, DEEP)
    assert (verdict.status, verdict.alarm, verdict.best) == (Status.UNDECIDED, Alarm.NONE, None)
    assert "identifier_names_another" not in _codes(verdict)


def test_a_failed_source_or_a_model_keeps_it_undecided() -> None:
    by_doi = found(HERRING, DEEP, kind=QueryKind.DOI, source="registry")
    down = judge(HERRING, by_doi, ask(HERRING, Outcome.UNAVAILABLE, source="down"))
    assert (down.status, _codes(down)[0]) == (Status.UNDECIDED, "second_opinion_missing")
    repaired = HERRING.model_copy(update={"repaired": True})
    verdict = decide(weighed(repaired, by_doi), Policy())
    assert (verdict.status, verdict.best) == (Status.UNDECIDED, None)


def test_an_identifier_alone_is_not_held_against_a_reference() -> None:
    alone = cite(None, "", None, doi="10.1/x")
    assert _resolved(alone).status is Status.VERIFIED


# --- What strict counts ------------------------------------------------------------------------------------


def test_a_subtitle_of_other_words_has_its_own_rule() -> None:
    longer = cite(f"{TITLE}: Herring migration", US, 2001)
    assert _match(longer, record(TITLE, US, 2001), FieldName.TITLE).rule == "title_longer"
    shorter = _match(cite(TITLE, US, 2001), record(f"{TITLE}: A survey", US, 2001), FieldName.TITLE)
    assert shorter.rule == "title_subtitle"


@pytest.mark.parametrize("end", [". II", ": Part 2", " (III)"])
def test_an_added_number_is_a_part_of_a_series(end: str) -> None:
    candidate = weigh(cite(TITLE + end, US, 2001), record(TITLE, US, 2001))
    assert (candidate.rank, candidate.anchor) == (Rank.POSSIBLE, "series")


def test_a_policy_names_only_known_rules() -> None:
    assert unknown_rules(Policy(counted=("year_off_by_one", "year_of_by_one", "x"))) == ("year_of_by_one", "x")
    assert unknown_rules(Policy()) == ()


def test_differing_authors_are_a_plural() -> None:
    reference = cite(TITLE, US + "; X Y", 2001)
    verdict = judge(reference, found(reference, record(TITLE, US, 2001)))
    assert verdict.reasons[0].text.startswith("The authors differ from")


@pytest.mark.parametrize(
    ("venue", "status"),
    [
        pytest.param("Dunes", Status.NOT_CHECKABLE, id="a-paper-drawn-from-it"),
        pytest.param(None, Status.MISMATCHED, id="perhaps-the-thesis"),
    ],
)
def test_a_thesis_is_not_the_paper_drawn_from_it(venue: str | None, status: Status) -> None:
    thesis = cite(TITLE, "Ann Fox", 2009, type=WorkType.THESIS)
    paper = record(TITLE, "Ann Fox; Bob Poe", 2012, container_title=venue, type=WorkType.UNKNOWN)
    assert judge(thesis, found(thesis, paper)).status is status
