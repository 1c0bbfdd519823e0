"""Years: any version's is right; that of an arXiv id is its preprint's; other gaps are usual in some cases only."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.match.years import read_otherwise, year_match
from citeaudit.model import Identifiers, Version, WorkType
from tests.match.build import cite, record

PREPRINT, BOOK, PAPER = WorkType.PREPRINT, WorkType.BOOK, WorkType.PAPER_CONFERENCE
ID, OTHER = "1706.03762", "1810.04805"


@pytest.mark.parametrize(
    ("claimed", "cited", "recorded", "fields", "rule"),
    [
        pytest.param(2018, {}, 2018, {}, "year_same", id="same"),
        pytest.param(2017, {}, 2018, {}, "year_off_by_one", id="one-before"),
        pytest.param(2019, {}, 2018, {}, "year_off_by_one", id="one-after"),
        pytest.param(2016, {}, 2018, {}, "year_differs", id="two-before"),
        pytest.param(2020, {}, 2018, {}, "year_differs", id="two-after"),
        pytest.param(None, {}, 2018, {}, "year_not_cited", id="not-cited"),
        pytest.param(2018, {}, None, {}, "year_not_recorded", id="not-recorded"),
        pytest.param(2017, {"arxiv_id": ID}, 2018, {}, "year_of_preprint", id="of-the-cited-id"),
        pytest.param(2017, {"arxiv_id": ID}, 2021, {}, "year_of_preprint", id="of-the-cited-id-long-before"),
        pytest.param(2017, {"doi": f"10.48550/arxiv.{ID}"}, 2018, {}, "year_of_preprint", id="of-the-cited-doi"),
        pytest.param(2017, {"arxiv_id": ID}, 2018, {"arxiv_id": ID}, "year_of_preprint", id="of-both-ids"),
        pytest.param(2017, {"arxiv_id": ID}, 2018, {"arxiv_id": OTHER}, "year_off_by_one", id="another-id-recorded"),
        pytest.param(2017, {"arxiv_id": OTHER}, 2019, {}, "year_differs", id="not-the-year-of-the-id"),
        pytest.param(2017, {"arxiv_id": ID}, 2016, {}, "year_off_by_one", id="id-after-the-record"),
        pytest.param(2017, {}, 2018, {"arxiv_id": ID}, "year_of_preprint", id="of-the-recorded-id"),
        pytest.param(
            2017, {"container_title": "CoRR"}, 2018, {"arxiv_id": ID}, "year_of_preprint", id="of-the-recorded-id-corr"
        ),
        pytest.param(
            2017, {"container_title": "ICML"}, 2018, {"arxiv_id": ID}, "year_off_by_one", id="a-venue-has-its-own-year"
        ),
        pytest.param(
            2017,
            {"container_title": "ICML", "arxiv_id": ID},
            2018,
            {},
            "year_of_preprint",
            id="cited-id-beside-a-venue",
        ),
        pytest.param(2018, {"container_title": "NeurIPS"}, 2017, {}, "year_of_volume", id="december"),
        pytest.param(
            2018,
            {"container_title": "Advances in Neural Information Processing Systems 30"},
            2017,
            {},
            "year_of_volume",
            id="december-long",
        ),
        pytest.param(2016, {"container_title": "NeurIPS"}, 2017, {}, "year_off_by_one", id="december-before"),
        pytest.param(2019, {"container_title": "NeurIPS"}, 2017, {}, "year_differs", id="december-two-years"),
        pytest.param(2018, {"container_title": "ICML"}, 2017, {}, "year_off_by_one", id="summer"),
        pytest.param(2016, {"type": PREPRINT}, 2019, {}, "year_preprint", id="preprint-three-before"),
        pytest.param(2015, {"type": PREPRINT}, 2019, {}, "year_differs", id="preprint-four-before"),
        pytest.param(2016, {"container_title": "arXiv"}, 2019, {}, "year_preprint", id="preprint-by-venue"),
        pytest.param(2016, {"type": PREPRINT}, 2019, {"type": PREPRINT}, "year_differs", id="both-preprints"),
        pytest.param(
            2024, {"container_title": "Cell"}, 2018, {"type": PREPRINT}, "year_preprint", id="published-six-after"
        ),
        pytest.param(
            2025, {"container_title": "Cell"}, 2018, {"type": PREPRINT}, "year_differs", id="published-seven-after"
        ),
        pytest.param(2021, {}, 2018, {"type": PREPRINT}, "year_differs", id="published-nowhere"),
        pytest.param(
            2021,
            {"container_title": "Cell"},
            2018,
            {"doi": "10.1101/2018.01.01.123456"},
            "year_preprint",
            id="preprint-by-doi",
        ),
        pytest.param(2020, {"arxiv_id": ID}, 2017, {"arxiv_id": ID}, "year_of_revision", id="revised"),
        pytest.param(2020, {"arxiv_id": ID}, 2017, {"arxiv_id": OTHER}, "year_differs", id="anothers-revision"),
        pytest.param(2000, {"type": BOOK}, 1940, {"type": BOOK}, "year_of_edition", id="edition"),
        pytest.param(2000, {"type": BOOK}, 1700, {"type": BOOK}, "year_of_edition", id="reprint"),
        pytest.param(2000, {"type": BOOK}, 1699, {"type": BOOK}, "year_differs", id="reprint-too-far"),
        pytest.param(1940, {"type": BOOK}, 2000, {"type": BOOK}, "year_of_edition", id="edition-before"),
        pytest.param(1939, {"type": BOOK}, 2000, {"type": BOOK}, "year_differs", id="edition-too-far-before"),
        pytest.param(2000, {"type": BOOK}, 1990, {"type": WorkType.UNKNOWN}, "year_of_edition", id="edition-unknown"),
        pytest.param(2000, {"type": BOOK}, 1990, {"type": PAPER}, "year_differs", id="edition-of-a-paper"),
        pytest.param(
            2000, {"type": WorkType.UNKNOWN}, 1990, {"type": WorkType.UNKNOWN}, "year_differs", id="no-book-at-all"
        ),
    ],
)
def test_years(
    claimed: int | None, cited: dict[str, Any], recorded: int | None, fields: dict[str, Any], rule: str
) -> None:
    match, gap = year_match(cite("A", "B C", claimed, **cited), record("A", "B C", recorded, **fields))
    assert match.rule == rule
    assert gap == (None if claimed is None or recorded is None else abs(claimed - recorded))
    assert match.differences == (() if not gap else (f"{claimed} -> {recorded}",))


PUBLISHED = {"container_title": "Dunes"}


@pytest.mark.parametrize(
    ("year", "cited", "fields", "rule"),
    [
        pytest.param(2019, {}, PUBLISHED, "year_of_posting", id="posted-the-year-after"),
        pytest.param(2019, {"container_title": "arXiv preprint"}, PUBLISHED, "year_of_posting", id="as-a-preprint"),
        pytest.param(2017, {}, PUBLISHED, "year_off_by_one", id="before"),
        pytest.param(2020, {}, PUBLISHED, "year_differs", id="two-years-after"),
        pytest.param(2019, PUBLISHED, PUBLISHED, "year_off_by_one", id="the-venue-is-cited"),
        pytest.param(2019, {"volume": "3"}, PUBLISHED, "year_off_by_one", id="a-volume-is-cited"),
        pytest.param(2019, {"doi": "10.1/x"}, PUBLISHED, "year_off_by_one", id="a-publication-is-cited-by-doi"),
        pytest.param(2019, {}, {}, "year_off_by_one", id="no-publication-known"),
        pytest.param(2019, {}, {**PUBLISHED, "arxiv_id": ID}, "year_off_by_one", id="the-preprint-is-known"),
        pytest.param(2019, {}, {"container_title": "CoRR"}, "year_off_by_one", id="only-a-preprint-is-known"),
        pytest.param(2017, {}, {"arxiv_id": "1801.00844"}, "year_turned", id="first-days-of-january"),
        pytest.param(2017, {}, {"arxiv_id": "1801.02000"}, "year_turned", id="the-last-of-them"),
        pytest.param(2017, {}, {"arxiv_id": "1801.02001"}, "year_off_by_one", id="later-in-january"),
        pytest.param(2017, {}, {"arxiv_id": "1802.00844"}, "year_off_by_one", id="february"),
        pytest.param(2019, {}, {"arxiv_id": "1801.00844"}, "year_off_by_one", id="the-year-after"),
    ],
)
def test_a_year_beside_the_recorded_one(year: int, cited: dict[str, Any], fields: dict[str, Any], rule: str) -> None:
    assert year_match(cite("A", "B C", year, **cited), record("A", "B C", 2018, **fields))[0].rule == rule


def test_every_version_counts() -> None:
    work = record("A", "B C", 2015, versions=(Version(year=2019), Version(year=2012), Version(year=None)))
    for year, rule, gap in [
        (2012, "year_same", 0),
        (2016, "year_off_by_one", 1),
        (2017, "year_between_versions", 2),
        (2021, "year_differs", 2),
    ]:
        match, found = year_match(cite("A", "B C", year), work)
        assert (match.rule, found, match.found) == (rule, gap, "2012, 2015, 2019")
    assert year_match(cite("A", "B C", 2017), work)[0].differences == ("2017 -> 2012, 2015, 2019",)


def test_a_published_version_makes_no_preprint_of_the_work() -> None:
    arxiv = Version(type=PREPRINT, year=2016, identifiers=Identifiers(arxiv_id=ID))
    work = record("A", "B C", 2018, versions=(arxiv,))
    assert year_match(cite("A", "B C", 2021, container_title="Cell"), work)[0].rule == "year_differs"
    assert year_match(cite("A", "B C", 2014, type=PREPRINT), work)[0].rule == "year_preprint"


@pytest.mark.parametrize(
    ("claimed", "recorded", "rule"),
    [
        pytest.param(2562, 2019, "year_of_other_calendar", id="buddhist"),
        pytest.param(2562, 2020, "year_differs", id="buddhist-of-another-year"),
        pytest.param(1398, 2019, "year_of_other_calendar", id="persian"),
        pytest.param(1398, 2020, "year_of_other_calendar", id="persian-winter"),
        pytest.param(1398, 2021, "year_differs", id="persian-of-another-year"),
        pytest.param(1440, 2018, "year_of_other_calendar", id="moon"),
        pytest.param(1440, 2019, "year_of_other_calendar", id="moon-next"),
        pytest.param(1440, 2017, "year_differs", id="moon-of-another-year"),
    ],
)
def test_a_year_of_another_calendar_is_no_gap(claimed: int, recorded: int, rule: str) -> None:
    match, gap = year_match(cite("A", year=claimed), record("A", year=recorded))
    assert (match.rule, match.differences) == (rule, (f"{claimed} -> {recorded}",))
    assert gap == (0 if rule == "year_of_other_calendar" else abs(claimed - recorded))


@pytest.mark.parametrize(
    ("year", "read"),
    [
        (2399, ()),
        (2400, (1857,)),
        (2699, (2156,)),
        (2700, ()),
        (1249, ()),
        (1250, (1871, 1872, 1834, 1835)),
        (1499, (2120, 2121, 2075, 2076)),
        (1500, ()),
    ],
)
def test_years_of_other_calendars_are_read(year: int, read: tuple[int, ...]) -> None:
    assert read_otherwise(year) == read
