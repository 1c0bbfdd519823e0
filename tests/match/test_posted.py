"""A form of a work that was only posted is told from one that was published."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.match.posted import is_only_posted, is_posted
from citeaudit.model import Version, WorkType
from tests.match.build import record


@pytest.mark.parametrize(
    ("fields", "posted", "only"),
    [
        pytest.param({"type": WorkType.PREPRINT}, True, True, id="type"),
        pytest.param({"container_title": "bioRxiv"}, True, True, id="venue"),
        pytest.param({"doi": "10.48550/arxiv.1706.03762"}, True, True, id="doi"),
        pytest.param({"arxiv_id": "1706.03762"}, False, True, id="nothing-but-an-id"),
        pytest.param({"arxiv_id": "1706.03762", "doi": "10.1145/1"}, False, False, id="another-doi"),
        pytest.param({"arxiv_id": "1706.03762", "container_title": "ICML"}, False, False, id="a-venue"),
        pytest.param({"arxiv_id": "1706.03762", "type": WorkType.ARTICLE_JOURNAL}, False, False, id="an-article"),
        pytest.param({}, False, False, id="nothing"),
    ],
)
def test_forms_of_a_work(fields: dict[str, Any], posted: bool, only: bool) -> None:
    work = record("A", **fields)
    assert (is_posted(work), is_only_posted(work)) == (posted, only)


def test_one_published_version_is_enough() -> None:
    versions = (Version(type=WorkType.PREPRINT), Version(container_title="ICML"))
    assert is_only_posted(record("A", type=WorkType.PREPRINT, versions=versions[:1]))
    assert not is_only_posted(record("A", type=WorkType.PREPRINT, versions=versions))
