"""Where a work appeared: a venue that no version has, paginations of one text, numbers of articles."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.match.places import first_page, number_matches, venue_match
from citeaudit.model import FieldName, Relation, Version, WorkType
from tests.match.build import cite, record

PREPRINT = {"type": WorkType.PREPRINT, "arxiv_id": "1706.03762"}
NOWHERE = "Journal of Adversarial Cheese Learning"


@pytest.mark.parametrize(
    ("claimed", "fields", "rule"),
    [
        pytest.param("ICML", PREPRINT, "venue_unsupported", id="preprint-only"),
        pytest.param("Nature Physics", PREPRINT, "venue_unsupported", id="preprint-only-journal"),
        pytest.param(NOWHERE, PREPRINT, "venue_unknown", id="preprint-only-and-in-no-list"),
        pytest.param("CoRR", PREPRINT, "venue_not_recorded", id="preprint-cited-as-such"),
        pytest.param("Google Research Tech", PREPRINT, "venue_not_recorded", id="no-name-of-a-venue"),
        pytest.param("ICML", {}, "venue_not_recorded", id="record-without-venue"),
        pytest.param(NOWHERE, {}, "venue_not_recorded", id="record-without-venue-and-in-no-list"),
        pytest.param("ICML", {"container_title": "CoRR"}, "venue_posted", id="preprint-server-recorded"),
        pytest.param(NOWHERE, {"container_title": "arXiv preprint"}, "venue_posted", id="server-and-in-no-list"),
        pytest.param("bioRxiv", {"container_title": "CoRR"}, "venue_preprint", id="two-servers"),
        pytest.param("CoRR", {"container_title": "ICML"}, "venue_preprint", id="preprint-server-cited"),
        pytest.param("Google Research Tech", {"container_title": "CoRR"}, "venue_preprint", id="server-and-no-venue"),
        pytest.param("ICML", {"container_title": "NeurIPS"}, "venue_differs", id="another"),
        pytest.param("EMNLP", {"container_title": "Findings of EMNLP"}, "venue_main", id="main-for-findings"),
        pytest.param("Findings of EMNLP", {"container_title": "EMNLP"}, "venue_part", id="findings-filed-as-main"),
        pytest.param(NOWHERE, {"container_title": "NeurIPS"}, "venue_unknown", id="another-and-in-no-list"),
        pytest.param(NOWHERE, {"container_title": NOWHERE}, "venue_same", id="recorded-and-in-no-list"),
        pytest.param("Proceedings of the", {"container_title": "NeurIPS"}, "venue_vague", id="cut"),
        pytest.param("Springer", {"container_title": "NeurIPS"}, "venue_vague", id="publisher"),
        pytest.param("Springer", {}, "venue_vague", id="publisher-alone"),
        pytest.param(None, {"container_title": "NeurIPS"}, "venue_not_cited", id="not-cited"),
    ],
)
def test_venues(claimed: str | None, fields: dict[str, Any], rule: str) -> None:
    match = venue_match(cite("A", year=2017, container_title=claimed), record("A", year=2017, **fields))
    assert match is not None
    assert (match.rule, match.claimed, match.found) == (rule, claimed, fields.get("container_title"))
    told = rule in ("venue_differs", "venue_main") or (rule == "venue_unknown" and "container_title" in fields)
    assert match.differences == ((f"{claimed} -> {match.found}",) if told else ())


@pytest.mark.parametrize(("cited", "recorded"), [(2018, 2017), (None, None), (2017, None)])
def test_a_meeting_of_another_year_may_follow_its_workshop(cited: int | None, recorded: int | None) -> None:
    version = Version(container_title="ICML Workshop on X", year=recorded)
    work = record("A", year=2018, container_title="Nature", versions=(version,))
    match = venue_match(cite("A", year=cited, container_title="ICML"), work)
    assert match is not None
    assert match.rule == "venue_part"


def test_no_venue_on_either_side_is_no_comparison() -> None:
    assert venue_match(cite("A"), record("A")) is None


def test_the_closest_version_counts() -> None:
    versions = (Version(container_title="CoRR"), Version(container_title="ICML 2017 Workshop on X"))
    work = record("A", container_title="Nature", versions=versions)
    match = venue_match(cite("A", container_title="ICML"), work)
    assert match is not None
    assert (match.rule, match.found) == ("venue_part", "ICML 2017 Workshop on X")


@pytest.mark.parametrize(
    ("claimed", "recorded", "rule"),
    [
        pytest.param("123-145", "123-145", "pages_same", id="same"),
        pytest.param("123-45", "123-145", "pages_same", id="short-end"),
        pytest.param("123-145", "123-45", "pages_same", id="short-end-recorded"),
        pytest.param("e0123", "e123", "pages_same", id="leading-zero"),
        pytest.param("0123-0145", "123-145", "pages_same", id="zeros"),
        pytest.param("xii-xv", "xii-xv", "pages_same", id="roman"),
        pytest.param("xii", "xii--xv", "pages_same", id="roman-first"),
        pytest.param("xii-xv", "xiii-xv", "pages_near", id="roman-near"),
        pytest.param("xii-xv", "xiv-xv", "pages_differs", id="roman-other"),
        pytest.param("xii-xv", "12-15", "pages_same", id="roman-in-figures"),
        pytest.param("xlix", "49", "pages_same", id="roman-subtracted"),
        pytest.param("122-145", "123-145", "pages_near", id="first-off-by-one"),
        pytest.param("123-146", "123-145", "pages_near", id="last-off-by-one"),
        pytest.param("121-145", "123-145", "pages_differs", id="first-off-by-two"),
        pytest.param("123-147", "123-145", "pages_differs", id="last-off-by-two"),
        pytest.param("146-168", "123-145", "pages_counted", id="same-length"),
        pytest.param("124-146", "123-145", "pages_differs", id="both-ends-off-by-one"),
        pytest.param("145-167", "123-145", "pages_differs", id="one-page-shared"),
        pytest.param("121-131", "120-130", "pages_differs", id="both-ends-of-a-decade"),
        pytest.param("20-30", "120-130", "pages_differs", id="leading-digit-lost"),
        pytest.param("120-130", "20-30", "pages_differs", id="leading-digit-lost-recorded"),
        pytest.param("2-12", "3002-3012", "pages_differs", id="leading-digits-lost"),
        pytest.param("120-1130", "120-130", "pages_differs", id="digit-doubled"),
        pytest.param("120-30", "120-130", "pages_same", id="abbreviated-last-page"),
        pytest.param("S120-30", "S120-S130", "pages_same", id="abbreviated-last-page-of-a-supplement"),
        pytest.param("1-12", "3001-3012", "pages_counted", id="counted-from-one"),
        pytest.param("1-12", "3001-3013", "pages_differs", id="another-length"),
        pytest.param("1-34", "355:1-355:34", "pages_counted", id="page-of-an-article"),
        pytest.param("1-13", "283", "pages_article", id="article-recorded"),
        pytest.param("e1234", "1-13", "pages_article", id="article-cited"),
        pytest.param("1-13", "28", "pages_differs", id="too-small-for-an-article"),
        pytest.param("2-13", "283", "pages_differs", id="not-counted-from-one"),
        pytest.param("283", "284", "pages_differs", id="two-articles"),
        pytest.param("in press", "1-13", "pages_differs", id="words"),
        pytest.param("145-123", "1-13", "pages_differs", id="backwards"),
        pytest.param("1024-35", "2024-2035", "pages_counted", id="short-end-counted"),
        pytest.param("12", "A12", "pages_same", id="letter-of-an-article"),
        pytest.param("A247", "247", "pages_same", id="letter-of-an-article-cited"),
        pytest.param("S12", "12", "pages_differs", id="letter-of-a-supplement"),
        pytest.param("s2-42", "42", "pages_differs", id="series-of-a-volume-only"),
    ],
)
def test_pages(claimed: str, recorded: str, rule: str) -> None:
    *_, match = number_matches(cite("A", pages=claimed), record("A", pages=recorded))
    assert match is not None
    assert (match.rule, match.claimed, match.found) == (rule, claimed, recorded)
    assert match.differences == ((f"{claimed} -> {recorded}",) if rule == "pages_differs" else ())


@pytest.mark.parametrize(
    ("claimed", "recorded", "rule"),
    [
        pytest.param("120-131", "900-911", "pages_differs", id="elsewhere-in-the-volume"),
        pytest.param("120-131", "220-231", "pages_differs", id="one-digit"),
        pytest.param("1-12", "900-911", "pages_differs", id="counted-from-one"),
        pytest.param("900-911", "1-12", "pages_differs", id="counted-from-one-recorded"),
        pytest.param("1-12", "355:1-355:12", "pages_counted", id="pages-of-an-article"),
        pytest.param("146-168", "123-145", "pages_differs", id="the-next-pages"),
        pytest.param("122-145", "123-145", "pages_near", id="off-by-one"),
    ],
)
def test_pages_of_one_volume_of_one_venue_are_counted_once(claimed: str, recorded: str, rule: str) -> None:
    volume: dict[str, Any] = {"container_title": "Physical Review E", "volume": "99"}
    work = record("A", pages=recorded, **volume)
    *_, match = number_matches(cite("A", pages=claimed, **volume), work)
    assert match is not None
    assert (match.rule, match.found) == (rule, recorded)
    for other in ({"container_title": "CoRR"}, {"volume": "98"}, {"volume": None}, {"container_title": None}):
        *_, match = number_matches(cite("A", pages=claimed, **{**volume, **other}), work)
        assert match is not None
        assert match.rule == ("pages_near" if rule == "pages_near" else "pages_counted")


def test_pages_of_any_version_count() -> None:
    work = record("A", pages="500-520", versions=(Version(pages="1-9"), Version(pages="123-145")))
    for claimed, rule, found in [
        ("123-145", "pages_same", "123-145"),
        ("3-11", "pages_counted", "1-9"),
        ("7-99", "pages_differs", "500-520"),
    ]:
        *_, match = number_matches(cite("A", pages=claimed), work)
        assert match is not None
        assert (match.rule, match.found) == (rule, found)


@pytest.mark.parametrize(
    ("field", "claimed", "recorded", "rule"),
    [
        (FieldName.VOLUME, "12", "12", "volume_same"),
        (FieldName.VOLUME, "12", "012", "volume_same"),
        (FieldName.VOLUME, "12", "13", "volume_differs"),
        (FieldName.VOLUME, "1-13", "283", "volume_differs"),
        (FieldName.VOLUME, "XII", "12", "volume_same"),
        (FieldName.VOLUME, "12", "xii", "volume_same"),
        (FieldName.VOLUME, "XII", "13", "volume_differs"),
        (FieldName.VOLUME, "A247", "247", "volume_same"),
        (FieldName.VOLUME, "247", "a247", "volume_same"),
        (FieldName.VOLUME, "247 A", "247", "volume_same"),
        (FieldName.VOLUME, "A247", "B247", "volume_differs"),
        (FieldName.VOLUME, "s2-42", "42", "volume_same"),
        (FieldName.VOLUME, "s2-42", "s1-42", "volume_differs"),
        (FieldName.VOLUME, "2-42", "42", "volume_differs"),
        (FieldName.VOLUME, "vol. 42", "42", "volume_same"),
        (FieldName.VOLUME, None, "13", "volume_not_cited"),
        (FieldName.ISSUE, "1-2", "1", "issue_same"),
        (FieldName.ISSUE, "2", None, "issue_not_recorded"),
    ],
)
def test_volumes_and_issues(field: FieldName, claimed: str | None, recorded: str | None, rule: str) -> None:
    cited: dict[str, Any] = {field.value: claimed}
    held: dict[str, Any] = {field.value: recorded}
    matches = number_matches(cite("A", **cited), record("A", **held))
    (match,) = [item for item in matches if item is not None]
    assert (match.field, match.rule) == (field, rule)
    assert (match.relation is Relation.SAME) == rule.endswith("same")


@pytest.mark.parametrize(
    ("pages", "first"), [("S123--S145", "s123"), ("in press", None), (None, None), ("7", "7"), ("x" * 300 + "7", None)]
)
def test_first_page(pages: str | None, first: str | None) -> None:
    assert first_page(pages) == first


@pytest.mark.parametrize(
    ("venue", "volume", "recorded", "rule"),
    [
        pytest.param("Phys. Lett.", "B716", "Physics Letters B", "venue_abbreviated", id="with-the-volume"),
        pytest.param("Phys. Lett.", "B 716", "Physics Letters B", "venue_abbreviated", id="apart"),
        pytest.param("Phys. Lett.", "A716", "Physics Letters B", "venue_differs", id="other-section"),
        pytest.param("Phys. Lett.", "716", "Physics Letters B", "venue_differs", id="no-section"),
        pytest.param("Proceedings of the IEEE", "92", "CVPR", "venue_differs", id="journal-of-the-institute"),
    ],
)
def test_a_section_may_stand_with_the_volume(venue: str, volume: str, recorded: str, rule: str) -> None:
    match = venue_match(cite("A", container_title=venue, volume=volume), record("A", container_title=recorded))
    assert match is not None
    assert match.rule == rule
