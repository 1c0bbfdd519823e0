"""The limits that ship are those the services state."""

from __future__ import annotations

import pytest

from citeaudit.net.limits import Limit, find, load


@pytest.mark.parametrize(
    ("source", "lane", "polite", "interval_s", "concurrent"),
    [
        pytest.param("crossref", "single", False, 0.2, 1, id="crossref-public-single"),
        pytest.param("crossref", "list", False, 1.0, 1, id="crossref-public-list"),
        pytest.param("crossref", "single", True, 0.1, 3, id="crossref-polite-single"),
        pytest.param("crossref", "list", True, 0.334, 3, id="crossref-polite-list"),
        pytest.param("arxiv", "default", False, 3.0, 1, id="arxiv"),
        pytest.param("arxiv", "pdf", True, 3.0, 1, id="arxiv-any-lane"),
        pytest.param("semantic_scholar", "default", True, 1.0, 1, id="semantic-scholar"),
    ],
)
def test_shipped_limits(source: str, lane: str, polite: bool, interval_s: float, concurrent: int) -> None:
    found = find(load(polite=polite), source, lane)
    assert found is not None
    assert (found[1].interval_s, found[1].concurrent) == (interval_s, concurrent)


def test_all_lanes_of_arxiv_are_one() -> None:
    limits = load(polite=True)
    assert {
        name for lane in ("default", "api", "pdf") if (found := find(limits, "arxiv", lane)) for name in found[:1]
    } == {"default"}


def test_source_or_lane_without_row_has_no_limit() -> None:
    assert find(load(polite=False), "example", "default") is None
    assert find({"x": {"list": Limit(interval_s=1, concurrent=1)}}, "x", "single") is None
