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
        pytest.param("ICML", {"container_title": "CoRR"}, "venue_preprint", id="preprint-server-recorded"),
        pytest.param("ICML", {"container_title": "NeurIPS"}, "venue_differs", id="another"),
        pytest.param(NOWHERE, {"container_title": "NeurIPS"}, "venue_unknown", id="another-and-in-no-list"),
        pytest.param(NOWHERE, {"container_title": NOWHERE}, "venue_same", id="recorded-and-in-no-list"),
        pytest.param("Proceedings of the", {"container_title": "NeurIPS"}, "venue_vague", id="cut"),
        pytest.param("Springer", {"container_title": "NeurIPS"}, "venue_vague", id="publisher"),
        pytest.param("Springer", {}, "venue_vague", id="publisher-alone"),
        pytest.param(None, {"container_title": "NeurIPS"}, "venue_not_cited", id="not-cited"),
    ],
)
def test_venues(claimed: str | None, fields: dict[str, Any], rule: str) -> None:
    match = venue_match(cite("A", container_title=claimed), record("A", **fields))
    assert match is not None
    assert (match.rule, match.claimed, match.found) == (rule, claimed, fields.get("container_title"))
    told = rule == "venue_differs" or (rule == "venue_unknown" and "container_title" in fields)
    assert match.differences == ((f"{claimed} -> {match.found}",) if told else ())


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
        pytest.param("xii-xv", "xiii-xv", "pages_differs", id="roman-other"),
        pytest.param("122-145", "123-145", "pages_near", id="first-off-by-one"),
        pytest.param("123-146", "123-145", "pages_near", id="last-off-by-one"),
        pytest.param("121-145", "123-145", "pages_differs", id="first-off-by-two"),
        pytest.param("123-147", "123-145", "pages_differs", id="last-off-by-two"),
        pytest.param("124-146", "123-145", "pages_counted", id="same-length"),
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
    ],
)
def test_pages(claimed: str, recorded: str, rule: str) -> None:
    *_, match = number_matches(cite("A", pages=claimed), record("A", pages=recorded))
    assert match is not None
    assert (match.rule, match.claimed, match.found) == (rule, claimed, recorded)
    assert match.differences == ((f"{claimed} -> {recorded}",) if rule == "pages_differs" else ())


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
