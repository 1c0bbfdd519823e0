"""Anchors: which record is the work, which may be, which is another."""

from __future__ import annotations

import itertools
import time

import pytest

from citeaudit.match.rank import rank, settle, weigh
from citeaudit.match.rules import ANCHORS
from citeaudit.model import Outcome, QueryKind, Rank, Reference, Version, Work, WorkType
from tests.match.build import ask, cite, found, query, record, silent

TITLE = "On the quiet growth of coastal dune grasses"
LONG = f"{TITLE} beneath winter storms"
NEAR = "On the quiet growth of alpine dune grasses"
FAR = "A calculus of variations for elastic shells"
US = "Ada Roe; Bo Li; Cy Hu"
THEM = "Di Fox; Ed Gray"


@pytest.mark.parametrize(
    ("reference", "work", "rank_", "anchor"),
    [
        pytest.param(cite(TITLE, US, 2001), record(TITLE, US, 2001), "EXACT", "title_authors", id="exact"),
        pytest.param(cite(TITLE, US, 2001), record(TITLE, US, 2002), "EXACT", "title_authors", id="year-off-by-one"),
        pytest.param(cite(TITLE, US, 2001), record(TITLE, US, 2007), "ANCHORED", "title_authors", id="wrong-year"),
        pytest.param(
            cite(TITLE, US + "; X Y", 2001), record(TITLE, US, 2001), "ANCHORED", "title_authors", id="phantom"
        ),
        pytest.param(
            cite(TITLE, "Ada Roe; A B; C D", 2001),
            record(TITLE, US, 2001),
            "ANCHORED",
            "title_authors",
            id="one-shared",
        ),
        pytest.param(
            cite(TITLE, "Ada Roe; A B; C D", 2001),
            record(TITLE, US, 2009),
            "REJECTED",
            "homonym",
            id="one-shared-years-apart",
        ),
        pytest.param(cite(TITLE, "", 2001), record(TITLE, US, 2001), "ANCHORED", "title_year", id="no-authors-cited"),
        pytest.param(
            cite(TITLE, US, 2001), record(TITLE, "", 2001), "ANCHORED", "title_year", id="no-authors-recorded"
        ),
        pytest.param(cite(TITLE, "", None), record(TITLE, US, 2001), "ANCHORED", "title_alone", id="title-alone"),
        pytest.param(
            cite(TITLE, "", 2001), record(TITLE, US, 2009), "POSSIBLE", "title_only", id="title-and-another-year"
        ),
        pytest.param(
            cite(TITLE, "", 2001), record(TITLE + ": a survey", US, 2001), "POSSIBLE", "title_only", id="half-a-title"
        ),
        pytest.param(
            cite("Deep learning", "", 2015),
            record("Deep learning", US, 2015),
            "POSSIBLE",
            "generic_title",
            id="generic",
        ),
        pytest.param(
            cite("Deep learning", US, 2015),
            record("Deep learning", US, 2015),
            "EXACT",
            "title_authors",
            id="generic-with-authors",
        ),
        pytest.param(
            cite("Deep learning", US, 2015),
            record("Deep learning", US, 2005),
            "POSSIBLE",
            "generic_title",
            id="generic-other-year",
        ),
        pytest.param(
            cite(LONG, THEM, 2001), record(LONG, US, 2001), "ANCHORED", "title_other_authors", id="all-authors-differ"
        ),
        pytest.param(cite(TITLE, THEM, 2001), record(TITLE, US, 2009), "REJECTED", "homonym", id="homonym"),
        pytest.param(cite(TITLE, THEM, None), record(TITLE, US, 2009), "POSSIBLE", "title_only", id="homonym-or-not"),
        pytest.param(
            cite(TITLE, THEM, 2001), record(TITLE + ": a survey", US, 2001), "REJECTED", "homonym", id="shared-heading"
        ),
        pytest.param(
            cite(TITLE, THEM, 2001, container_title="Nature"),
            record(TITLE, US, 2009, container_title="Nature"),
            "ANCHORED",
            "title_other_authors",
            id="all-authors-differ-same-venue",
        ),
        pytest.param(cite(NEAR, US, 2001), record(TITLE, US, 2001), "ANCHORED", "near_title", id="word-changed"),
        pytest.param(
            cite(NEAR, US, 2001), record(TITLE, US, 2009), "REJECTED", "other_work", id="word-changed-year-apart"
        ),
        pytest.param(
            cite(NEAR, THEM, 2001), record(TITLE, US, 2001), "REJECTED", "other_work", id="word-changed-other-authors"
        ),
        pytest.param(
            cite("Annual rates of crime in 2019", US, 2020),
            record("Annual rates of crime in 2020", US, 2021),
            "POSSIBLE",
            "series",
            id="series",
        ),
        pytest.param(
            cite(FAR, US, 2001), record(TITLE, US, 2001), "REJECTED", "other_work", id="same-people-other-title"
        ),
        pytest.param(
            cite(NEAR, THEM, 2001, doi="10.1/x"),
            record(TITLE, US, 2001, doi="10.1/x"),
            "ANCHORED",
            "identifier",
            id="id-near",
        ),
        pytest.param(
            cite(FAR, US, 2001, doi="10.1/x"),
            record(TITLE, US, 2001, doi="10.1/x"),
            "ANCHORED",
            "identifier",
            id="id-authors",
        ),
        pytest.param(
            cite(FAR, THEM, 2001, doi="10.1/x"),
            record(TITLE, US, 2001, doi="10.1/x"),
            "REJECTED",
            "identifier_other_work",
            id="id-other",
        ),
        pytest.param(
            cite(None, "", 2001, doi="10.1/x"),
            record(TITLE, US, 2001, doi="10.1/x"),
            "ANCHORED",
            "identifier_alone",
            id="id-alone",
        ),
        pytest.param(
            cite(None, "", 2001, doi="10.1/x"),
            record(TITLE, US, 2009, doi="10.1/x"),
            "POSSIBLE",
            "title_only",
            id="id-year-apart",
        ),
        pytest.param(
            cite(None, US, 2001, doi="10.1/x"),
            record(TITLE, US, 2001, doi="10.1/x"),
            "ANCHORED",
            "identifier",
            id="id-no-title",
        ),
        pytest.param(
            cite(None, THEM, 2001, doi="10.1/x"),
            record(TITLE, US, 2001, doi="10.1/x"),
            "REJECTED",
            "identifier_other_work",
            id="id-them",
        ),
        pytest.param(
            cite(None, US, 2001, doi="10.1/x"),
            record(TITLE, "", 2001, doi="10.1/x"),
            "ANCHORED",
            "identifier_alone",
            id="id-no-people",
        ),
        pytest.param(
            cite(None, "Ada Roe", 2001, container_title="Phys. Rev. Lett.", volume="7", pages="12"),
            record(TITLE, US, 2004, container_title="Physical Review Letters", volume="7", pages="12-15"),
            "ANCHORED",
            "title_less",
            id="no-title",
        ),
        *(
            pytest.param(
                cite(None, people, 2001, container_title=claimed, volume="7", pages="12"),
                record(TITLE, US, 2001, container_title=found, volume="7", pages="12-15"),
                rank,
                anchor,
                id=f"no-title-{name}",
            )
            for people, claimed, found, rank, anchor, name in [
                ("", "Phys. Rev. Lett.", "Physical Review Letters", "ANCHORED", "place_alone", "nobody"),
                (THEM, "Phys. Rev. Lett.", "Physical Review Letters", "ANCHORED", "place_alone", "them"),
                ("", "Nat. Med.", "Nature Methods", "POSSIBLE", "place_alone", "nobody-venue-perhaps-another"),
                (THEM, "Nat. Med.", "Nature Methods", "POSSIBLE", "place_alone", "them-venue-perhaps-another"),
                ("Ada Roe", "Nat. Med.", "Nature Methods", "ANCHORED", "title_less", "us"),
                ("Ada Roe", "JWR", "Journal of Widget Research", "ANCHORED", "title_less", "us-acronym"),
                ("", "JWR", "Journal of Widget Research", "POSSIBLE", "place_alone", "nobody-acronym"),
            ]
        ),
        pytest.param(
            cite(None, "Ada Roe", 2001, container_title="Phys. Rev. Lett.", volume="7"),
            record(TITLE, US, 2001, container_title="Physical Review Letters", volume="7", pages="12-15"),
            "REJECTED",
            "other_work",
            id="no-title-no-page",
        ),
        pytest.param(
            cite(TITLE, US, 2001), record(f"Erratum to: {TITLE}", US, 2001), "REJECTED", "companion", id="erratum"
        ),
        pytest.param(
            cite(TITLE, US, 2001), record(f"Reply to “{TITLE}”", US, 2001), "REJECTED", "companion", id="reply"
        ),
        pytest.param(
            cite(TITLE, US, 2001),
            record(f"Book review: {TITLE}", THEM, 2001),
            "REJECTED",
            "companion",
            id="book-review",
        ),
        pytest.param(
            cite(f"Comment on: {TITLE}", US, 2001), record(TITLE, US, 2001), "REJECTED", "companion", id="comment-cited"
        ),
        pytest.param(
            cite(f"Comment on: {TITLE}", US, 2001),
            record(f"Comment on: {TITLE}", US, 2001),
            "EXACT",
            "title_authors",
            id="comment-itself",
        ),
        pytest.param(
            cite(TITLE, US, 2001),
            record(TITLE, US, 2001, type=WorkType.PEER_REVIEW),
            "REJECTED",
            "companion",
            id="peer-review",
        ),
        pytest.param(
            cite(TITLE, US, 2001, doi="10.1/x"),
            record(f"Correction to: {TITLE}", US, 2001, doi="10.1/x"),
            "REJECTED",
            "companion",
            id="id-of-erratum",
        ),
        pytest.param(
            cite(TITLE, US, 2001),
            record(f"RETRACTED: {TITLE}", US, 2001),
            "EXACT",
            "title_authors",
            id="retracted-label",
        ),
    ],
)
def test_anchor_is_named(reference: Reference, work: Work, rank_: str, anchor: str) -> None:
    candidate = weigh(reference, work)
    assert (candidate.rank, candidate.anchor) == (Rank(rank_), anchor)
    assert anchor in ANCHORS
    assert 0.0 <= candidate.score <= 1.0


def test_a_record_found_by_the_identifier_bears_it() -> None:
    reference = cite(FAR, US, 2001, doi="10.1/X", pmid="7")
    asked = weigh(reference, record(TITLE, US, 2001), query=query(QueryKind.DOI, "10.1/x"))
    assert (asked.identifier_of, asked.anchor) == (("doi",), "identifier")
    other = weigh(reference, record(TITLE, US, 2001, doi="10.1/y"), query=query(QueryKind.DOI, "10.1/x"))
    assert other.identifier_of == ()
    assert weigh(reference, record(TITLE, US, 2001), query=query(QueryKind.DOI, "10.1/z")).identifier_of == ()


def test_identifier_of_a_version_counts() -> None:
    version = Version(identifiers=record("x", doi="10.1/v").identifiers)
    assert weigh(cite(TITLE, US, doi="10.1/v"), record(TITLE, US, versions=(version,))).identifier_of == ("doi",)


def test_rank_puts_the_work_first_in_any_order() -> None:
    reference = cite(TITLE, US, 2001, doi="10.1/x")
    works = [
        record(TITLE, US, 2001),
        record(FAR, THEM, 1980, doi="10.1/x"),
        record(NEAR, US, 2002),
        record(TITLE, "", 2001),
    ]
    lookups = [found(reference, work, source=f"s{place}") for place, work in enumerate(works)]
    ranked = rank(reference, lookups)
    assert ranked[0].work == works[0]
    for order in itertools.permutations(lookups):
        assert rank(reference, order) == ranked
    assert rank(reference, [found(reference, *reversed(works))]) == ranked


def test_a_record_that_came_twice_appears_once_with_both_identifiers() -> None:
    reference, work = cite(TITLE, US, 2001, doi="10.1/x", pmid="7"), record(TITLE, US, 2001)
    by_doi = found(reference, work, kind=QueryKind.DOI)
    by_pmid = found(reference, work, kind=QueryKind.PMID)
    (candidate,) = rank(reference, [by_doi, by_pmid, found(reference, work)])
    assert candidate.identifier_of == ("doi", "pmid")


def test_two_works_of_one_title_anchor_nothing_without_authors() -> None:
    reference = cite(TITLE, "", 2001)
    both = rank(reference, [found(reference, record(TITLE, US, 2001), record(TITLE, THEM, 2001))])
    assert [(item.rank, item.anchor) for item in both] == [(Rank.POSSIBLE, "several_works")] * 2
    same = rank(reference, [found(reference, record(TITLE, US, 2001), record(TITLE, "Ada Roe", 2002))])
    assert all(item.anchored for item in same)
    named = cite(TITLE, US, 2001)
    decided = rank(named, [found(named, record(TITLE, US, 2001), record(TITLE, THEM, 2001))])
    assert decided[0].rank is Rank.EXACT


def test_settling_gives_each_answer_its_outcome() -> None:
    reference = cite(TITLE, US, 2001, doi="10.1/x")
    other, work = record(FAR, THEM, 1980), record(TITLE, US, 2001)
    assert settle(reference, found(reference, work, other)).outcome is Outcome.FOUND
    rejected = settle(reference, found(reference, other))
    assert (rejected.outcome, rejected.candidates) == (Outcome.NO_MATCH, (other,))
    assert settle(reference, found(reference, other, kind=QueryKind.DOI)).outcome is Outcome.FOUND
    assert settle(reference, silent(reference, "s")).outcome is Outcome.NO_MATCH
    assert settle(reference, ask(reference, Outcome.UNAVAILABLE)).outcome is Outcome.UNAVAILABLE
    vague = cite("Editorial", "", 2001)
    assert settle(vague, found(vague, record("Editorial", US, 2001))).outcome is Outcome.FOUND
    assert settle(vague, found(vague, record("Editorial", US), record("Editorial", THEM))).outcome is Outcome.AMBIGUOUS


def test_fifty_candidates_take_little_time() -> None:
    works = [
        record(f"{TITLE} part {number}", f"{US}; Gu Ma{number}", 2001 + number % 9, doi=f"10.1/{number}")
        for number in range(50)
    ]
    reference = cite(TITLE, US, 2001, container_title="Nature", volume="1", pages="2-9", doi="10.1/7")
    lookups = [found(reference, *works)]
    rank(reference, lookups)
    started = time.perf_counter()
    for _ in range(10):
        rank(reference, lookups)
    assert (time.perf_counter() - started) / 10 < 0.5  # 5 ms on a quiet machine: a guard, no benchmark


def test_two_words_more_make_another_work_of_a_short_title() -> None:
    reference = cite("Neural machine translation", "Philipp Koehn", 2017)
    other = record("Context and copying in neural machine translation", "Philipp Koehn", 2017)
    assert not weigh(reference, other).anchored


def test_two_works_on_one_page_are_not_told_apart_by_the_page() -> None:
    place = {"container_title": "Widget Letters", "volume": "7", "pages": "L1-L3"}
    works = [record(TITLE, US, 2001, **place), record(FAR, THEM, 2001, **place)]
    works = [work.model_copy(update={"source_id": str(number)}) for number, work in enumerate(works)]
    nobody = cite(None, "", 2001, container_title="Widget Lett.", volume="7", pages="L1")
    assert {one.anchor for one in rank(nobody, [found(nobody, *works)])} == {"several_works"}
    them = cite(None, THEM, 2001, container_title="Widget Lett.", volume="7", pages="L1")
    best = rank(them, [found(them, *works)])[0]
    assert (best.work.title, best.anchor) == (FAR, "title_less")
