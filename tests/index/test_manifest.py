"""What the silence of an index can testify."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from citeaudit.index.manifest import Covered, Manifest
from citeaudit.model import Coverage, Query, QueryKind

VENUE = "Journal of Lunar Farming"
LINE = Covered(container_title=VENUE, **{"from": 2000, "to": 2020}, complete=True)
MANIFEST = Manifest(name="moon", built_at=datetime(2026, 1, 2, tzinfo=UTC), records=1, content="x", coverage=(LINE,))


@pytest.mark.parametrize(
    ("kind", "complete", "year", "expected"),
    [
        pytest.param(QueryKind.TITLE, False, 2010, Coverage.AUTHORITATIVE, id="title"),
        pytest.param(QueryKind.TITLE, True, 1990, Coverage.DECLARED, id="declared"),
        pytest.param(QueryKind.TITLE, False, 1990, Coverage.NONE, id="outside"),
        pytest.param(QueryKind.CITATION, False, 2010, Coverage.NONE, id="unread"),
        pytest.param(QueryKind.CITATION, True, 2010, Coverage.NONE, id="unread-declared"),
        pytest.param(QueryKind.DOI, True, 2010, Coverage.NONE, id="identifier"),
    ],
)
def test_silence_testifies_only_about_titles(kind: QueryKind, complete: bool, year: int, expected: Coverage) -> None:
    query = Query(kind=kind, text="x", year=year, container_title=VENUE)
    assert MANIFEST.testify(query, complete=complete) is expected
