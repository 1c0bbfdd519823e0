"""What may explain a difference, condition by condition: fields as the rules leave them, not as a reader would."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.model import (
    AuthorMatch,
    AuthorRelation,
    Coverage,
    FieldMatch,
    FieldName,
    Identifiers,
    Person,
    Policy,
    Rank,
    Reason,
    Relation,
)
from citeaudit.model import Candidate as Weighed
from citeaudit.policy.case import SOUND_PARSE, Case, Judged
from citeaudit.policy.doubts import REPRINT_YEARS, doubts
from tests.match.build import cite, found, judge, record, silent, weighed

TITLE = "Sand ripples beneath standing waves"
WORK = record(TITLE, "Ann Roe; Bob Poe", 2001)
SAME, VARIANT, PHANTOM = AuthorRelation.SAME, AuthorRelation.VARIANT, AuthorRelation.PHANTOM
MOVED = AuthorRelation.MOVED
NOISE = "A wholly other line of print"
ALL = f"A. Roe and B. Poe. {TITLE}. 2001."

TITLE_DIFFERS = (FieldName.TITLE, Relation.DIFFERENT, "title_differs", "x", "y")
AUTHOR_DIFFERS = (FieldName.AUTHORS, Relation.DIFFERENT, "author_not_in_record", "x", "y")
YEAR_DIFFERS = (FieldName.YEAR, Relation.DIFFERENT, "year_differs", "2009", "2001")
YEAR_PREPRINT = (FieldName.YEAR, Relation.VARIANT, "year_preprint", "2000", "2001")
OTHER_DOI = (FieldName.DOI, Relation.VARIANT, "doi_other_than_recorded", "10.1/a", "10.1/b")
NO_DOI = (FieldName.DOI, Relation.VARIANT, "doi_not_recorded", "10.1/a", None)
VENUE = (FieldName.CONTAINER_TITLE, Relation.VARIANT, "venue_differs", "Dunes", "Waves")
VENUE_UNKNOWN = (FieldName.CONTAINER_TITLE, Relation.VARIANT, "venue_unknown", "Dunes", "Waves")
VOLUME = (FieldName.VOLUME, Relation.VARIANT, "volume_differs", "1", "2")
PAGES = (FieldName.PAGES, Relation.VARIANT, "pages_differs", "1-2", "3-4")
ANOTHER = (FieldName.ARXIV_ID, Relation.VARIANT, "identifier_names_another", "a", "b")
UNKNOWN = (FieldName.ARXIV_ID, Relation.VARIANT, "identifier_unknown", "a", None)
Row = tuple[FieldName, Relation, str, str | None, str | None]


def _said(
    *rows: Row,
    raw: str = NOISE,
    parse: float = 1.0,
    people: tuple[AuthorRelation, ...] = (),
    authors: tuple[Person, ...] | None = None,
    named: tuple[str, ...] = (),
    coverage: Coverage = Coverage.GENERAL,
) -> list[Reason]:
    """What is said of a record with these fields; `people` are how the cited authors stand to those recorded."""
    reference = cite(TITLE, "Ann Roe; Bob Poe", 2001).model_copy(update={"raw": raw, "parse_score": parse})
    work = WORK if authors is None else WORK.model_copy(update={"authors": authors})
    pairs = tuple(AuthorMatch(relation=one, claimed="x", found="y", place=1) for one in people)
    fields = tuple(
        FieldMatch(
            field=field,
            claimed=claimed,
            found=found,
            relation=relation,
            score=0.5,
            rule=rule,
            people=pairs if field is FieldName.AUTHORS else (),
        )
        for field, relation, rule, claimed, found in rows
    )
    best = Weighed(work=work, fields=fields, rank=Rank.ANCHORED, anchor="title_authors", score=0.9, identifier_of=named)
    evidence = weighed(reference, silent(reference, "index", coverage=coverage))
    return list(doubts(Case(evidence, Policy()), Judged(best, fields)))


def _codes(reasons: list[Reason]) -> list[str]:
    return [reason.code for reason in reasons]


@pytest.mark.parametrize(
    ("row", "raw", "parse", "slipped"),
    [
        pytest.param(TITLE_DIFFERS, ALL, 0.79, True, id="title-printed"),
        pytest.param(TITLE_DIFFERS, TITLE, 0.79, True, id="nothing-but-the-title"),
        pytest.param(TITLE_DIFFERS, ALL, SOUND_PARSE, False, id="a-sound-reading"),
        pytest.param(TITLE_DIFFERS, NOISE, 0.79, False, id="title-not-printed"),
        pytest.param(TITLE_DIFFERS, f"Un{TITLE}", 0.79, False, id="title-within-a-word"),
        pytest.param(TITLE_DIFFERS, f"{TITLE}let", 0.79, False, id="title-before-letters"),
        pytest.param(AUTHOR_DIFFERS, ALL, 0.79, True, id="authors-printed"),
        pytest.param(AUTHOR_DIFFERS, "Roe Poe", 0.79, True, id="nothing-but-the-authors"),
        pytest.param(AUTHOR_DIFFERS, f"A. Roe. {TITLE}", 0.79, False, id="one-not-printed"),
        pytest.param(YEAR_DIFFERS, ALL, 0.79, False, id="a-year-is-read-as-it-stands"),
    ],
)
def test_a_slip_of_reading(row: Row, raw: str, parse: float, slipped: bool) -> None:
    assert _codes(_said(row, raw=raw, parse=parse)) == ["uncertain_reading"] * slipped


def test_every_differing_field_must_be_printed() -> None:
    assert not _said(TITLE_DIFFERS, AUTHOR_DIFFERS, raw=f"A. Roe. {TITLE}", parse=0.5)
    assert _codes(_said(TITLE_DIFFERS, AUTHOR_DIFFERS, raw=ALL, parse=0.5)) == ["uncertain_reading"]


@pytest.mark.parametrize(
    ("authors", "raw", "slipped"),
    [
        pytest.param((Person(literal="Dune Group"),), "by the Dune Group", True, id="a-group"),
        pytest.param((Person(literal="Dune Group"),), "by the Group", False, id="half-a-group"),
        pytest.param((Person(family="Roe"),), "Roe", True, id="the-only-word"),
        pytest.param((Person(family="de Roe", literal="Ann Roe"),), "de Roe", True, id="family-first"),
        pytest.param((Person(family="..."),), "xxxx ...", False, id="no-letters"),
        pytest.param((), ALL, False, id="nobody-recorded"),
    ],
)
def test_names_that_are_printed(authors: tuple[Person, ...], raw: str, slipped: bool) -> None:
    assert _codes(_said(AUTHOR_DIFFERS, raw=raw, parse=0.5, authors=authors)) == ["uncertain_reading"] * slipped


def test_what_is_said_of_a_slip() -> None:
    (reason,) = _said(TITLE_DIFFERS, raw=ALL, parse=0.754)
    assert (reason.sources, reason.field) == (("local",), None)
    assert reason.text == (
        "The reading is uncertain (parse score 0.75), and the reference prints what the record says; compare."
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        pytest.param((TITLE_DIFFERS, OTHER_DOI), True, id="another-doi"),
        pytest.param((AUTHOR_DIFFERS, OTHER_DOI), True, id="authors"),
        pytest.param((YEAR_DIFFERS, OTHER_DOI), True, id="year"),
        pytest.param((OTHER_DOI,), False, id="nothing-differs"),
        pytest.param(((*VENUE[:1], Relation.DIFFERENT, *VENUE[2:]), OTHER_DOI), False, id="only-the-venue"),
        pytest.param((TITLE_DIFFERS, OTHER_DOI, ANOTHER), False, id="names-another"),
        pytest.param((TITLE_DIFFERS, OTHER_DOI, UNKNOWN), False, id="unknown"),
        pytest.param((TITLE_DIFFERS, NO_DOI), False, id="none-recorded"),
        pytest.param((TITLE_DIFFERS, NO_DOI, VENUE), False, id="none-in-another-venue"),
        pytest.param((TITLE_DIFFERS, NO_DOI, PAGES), False, id="none-on-other-pages"),
        pytest.param((TITLE_DIFFERS, NO_DOI, VENUE, PAGES), True, id="none-and-moved"),
        pytest.param((TITLE_DIFFERS, NO_DOI, VENUE, VOLUME), True, id="none-in-another-volume"),
        pytest.param((TITLE_DIFFERS, NO_DOI, VENUE_UNKNOWN, PAGES), True, id="none-in-an-unknown-venue"),
        pytest.param((TITLE_DIFFERS, VENUE, PAGES), False, id="moved-without-an-identifier"),
    ],
)
def test_a_neighbour(rows: tuple[Row, ...], said: bool) -> None:
    assert _codes(_said(*rows)) == ["another_identifier"] * said


@pytest.mark.parametrize(
    ("named", "coverage", "said"),
    [
        pytest.param((), Coverage.GENERAL, True, id="open"),
        pytest.param(("doi",), Coverage.GENERAL, False, id="the-identifier-names-it"),
        pytest.param((), Coverage.DECLARED, False, id="an-index-would-hold-the-other"),
        pytest.param((), Coverage.AUTHORITATIVE, False, id="a-registry-would"),
    ],
)
def test_no_neighbour_where_something_tells(named: tuple[str, ...], coverage: Coverage, said: bool) -> None:
    reasons = _said(TITLE_DIFFERS, OTHER_DOI, named=named, coverage=coverage)
    assert _codes(reasons) == ["another_identifier"] * said


@pytest.mark.parametrize(
    ("rows", "has"),
    [((TITLE_DIFFERS, OTHER_DOI), "10.1/b"), ((TITLE_DIFFERS, NO_DOI, VENUE, PAGES), "none")],
    ids=["another", "none"],
)
def test_what_is_said_of_a_neighbour(rows: tuple[Row, ...], has: str) -> None:
    (reason,) = _said(*rows)
    assert (reason.sources, reason.field) == (("local",), FieldName.DOI)
    assert reason.text == (
        f"The reference cites the DOI 10.1/a, but the record in local has {has}:"
        f" “{TITLE}” may be a neighbour of the work cited."
    )


@pytest.mark.parametrize(
    ("people", "said"),
    [
        pytest.param((SAME, SAME, PHANTOM), True, id="two-and-one"),
        pytest.param((SAME, PHANTOM), False, id="one-and-one"),
        pytest.param((SAME, VARIANT, PHANTOM), True, id="a-variant"),
        pytest.param((VARIANT, VARIANT, PHANTOM), True, id="variants"),
        pytest.param((SAME, SAME, SAME, PHANTOM, PHANTOM), False, id="two-more"),
        pytest.param((SAME, SAME, AuthorRelation.MISSING, PHANTOM), False, id="one-missing"),
        pytest.param((SAME, SAME, SAME), False, id="none-more"),
    ],
)
def test_one_author_more(people: tuple[AuthorRelation, ...], said: bool) -> None:
    assert _codes(_said(AUTHOR_DIFFERS, YEAR_PREPRINT, people=people)) == ["another_version"] * said


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("year_off_by_one", True),
        ("year_of_edition", True),
        ("year_of_other_version", True),
        ("year_of_posting", True),
        ("year_of_preprint", True),
        ("year_preprint", True),
        ("venue_preprint", True),
        ("venue_differs", True),
        ("venue_part", True),
        ("venue_unknown", True),
        ("venue_abbreviated", False),
        ("year_same", False),
    ],
)
def test_another_version(rule: str, said: bool) -> None:
    row = (FieldName.YEAR, Relation.VARIANT, rule, "2000", "2001")
    assert _codes(_said(AUTHOR_DIFFERS, row, people=(SAME, SAME, PHANTOM))) == ["another_version"] * said


@pytest.mark.parametrize(
    ("row", "said"),
    [pytest.param(VENUE, False, id="another-venue"), pytest.param(YEAR_PREPRINT, True, id="years-of-a-preprint")],
)
def test_a_venue_tells_of_no_version_where_the_identifier_is_the_records(row: Row, said: bool) -> None:
    reasons = _said(AUTHOR_DIFFERS, row, people=(SAME, SAME, PHANTOM), named=("doi",))
    assert _codes(reasons) == ["another_version"] * said


@pytest.mark.parametrize(
    ("people", "said"),
    [
        pytest.param((SAME, PHANTOM), True, id="a-translator"),
        pytest.param((SAME, PHANTOM, PHANTOM), True, id="two-more"),
        pytest.param((SAME, SAME, PHANTOM, PHANTOM, PHANTOM), False, id="three-more"),
        pytest.param((SAME, MOVED, PHANTOM, MOVED), True, id="in-the-middle"),
        pytest.param((SAME, AuthorRelation.MISSING, PHANTOM), False, id="one-missing"),
        pytest.param((PHANTOM,), False, id="nobody-recorded-is-cited"),
        pytest.param((SAME, SAME), False, id="nobody-more"),
    ],
)
def test_authors_join_a_later_edition_of_a_book(people: tuple[AuthorRelation, ...], said: bool) -> None:
    edition = (FieldName.YEAR, Relation.VARIANT, "year_of_edition", "2000", "2001")
    assert _codes(_said(AUTHOR_DIFFERS, edition, people=people)) == ["another_version"] * said
    assert not _said(AUTHOR_DIFFERS, YEAR_PREPRINT, people=people), "a paper has no editions"


@pytest.mark.parametrize(
    ("year", "fields", "coverage", "said"),
    [
        pytest.param(2001 + REPRINT_YEARS, {}, Coverage.GENERAL, True, id="reprint"),
        pytest.param(2001 + REPRINT_YEARS - 1, {}, Coverage.GENERAL, False, id="too-near"),
        pytest.param(2001 - REPRINT_YEARS, {}, Coverage.GENERAL, False, id="before-the-work"),
        pytest.param(2026, {"container_title": "Waves"}, Coverage.GENERAL, False, id="a-venue"),
        pytest.param(2026, {"volume": "7"}, Coverage.GENERAL, False, id="a-volume"),
        pytest.param(2026, {"pages": "1-9"}, Coverage.GENERAL, False, id="pages"),
        pytest.param(2026, {"doi": "10.1/a"}, Coverage.GENERAL, False, id="its-identifier"),
        pytest.param(2026, {"title": "Sand ripples beneath standing wives"}, Coverage.GENERAL, False, id="its-title"),
        pytest.param(2026, {}, Coverage.DECLARED, False, id="an-index-would-hold-it"),
    ],
)
def test_a_later_printing(year: int, fields: dict[str, Any], coverage: Coverage, said: bool) -> None:
    cited = cite(fields.pop("title", TITLE), "Ann Roe; Bob Poe", year, **fields)
    work = WORK.model_copy(update={"identifiers": Identifiers(doi="10.1/a")})
    reasons = list(judge(cited, found(cited, work, coverage=coverage, whole_until=2026)).reasons)
    told = [reason for reason in reasons if reason.code == "another_version"]
    assert bool(told) is said
    if said:
        assert (told[0].sources, told[0].field) == (("local",), FieldName.YEAR)
        assert told[0].text == (
            "All else agrees, and the reference names no place of publication: 2026 may be the year of a later printing"
            " than the one recorded in local."
        )


def test_what_is_said_of_another_version() -> None:
    (reason,) = _said(AUTHOR_DIFFERS, YEAR_PREPRINT, people=(SAME, SAME, PHANTOM))
    assert (reason.sources, reason.field) == (("local",), FieldName.AUTHORS)
    assert reason.text == (
        "All else agrees, and the reference is of another version than the one recorded in local:"
        " an author may have come or gone between them."
    )


def test_no_neighbour_stands_on_the_same_pages() -> None:
    places = {"container_title": "Dunes Quarterly", "volume": "5", "pages": "120-131"}
    cited = cite("Quiet growth of dunes", "Ines Roth; Omar Haddad", 2019, doi="10.1103/physreve.7.999", **places)
    work = record("Quiet growth of dunes", "Ada Roe; Bo Li", 2019, doi="10.1103/physreve.5.120", **places)
    verdict = judge(cited, found(cited, work))
    assert "another_identifier" not in [reason.code for reason in verdict.reasons]
    assert verdict.status.value == "MISMATCHED"
