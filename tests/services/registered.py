"""A local service for every registered source; a source without a row here fails its contract."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from citeaudit.demo.server import serve
from citeaudit.model import Query, QueryKind
from tests.services.catalogue import CATALOGUE
from tests.services.faults import faulty
from tests.services.town.server import Town, open_town


class Service(NamedTuple):
    """What the contract needs to know of a service."""

    run: Callable[[], AbstractContextManager[str]]
    """Starts it, and gives its base URL."""
    break_down: Callable[[], AbstractContextManager[str]]
    """Starts one that shows the fault named by the first part of the path."""
    known: Query
    """Answered with at least one work."""
    unknown: Query
    """Answered with none."""


SERVICES: dict[str, Service] = {
    "example": Service(
        run=lambda: serve(CATALOGUE),
        break_down=lambda: faulty(CATALOGUE),
        known=Query(kind=QueryKind.DOI, text="10.5555/lantern"),
        unknown=Query(kind=QueryKind.TITLE, text="Nothing of the kind", year=2000),
    ),
    "arxiv": Service(
        run=lambda: open_town(Town()),
        break_down=lambda: open_town(Town()),
        known=Query(kind=QueryKind.ARXIV_ID, text="1706.03762"),
        unknown=Query(kind=QueryKind.TITLE, text="Nothing of the kind", year=2000),
    ),
    "crossref": Service(
        run=lambda: open_town(Town()),
        break_down=lambda: open_town(Town()),
        known=Query(kind=QueryKind.DOI, text="10.1038/nature14539"),
        unknown=Query(kind=QueryKind.TITLE, text="Xyzzy plugh", year=2000),
    ),
    "semantic_scholar": Service(
        run=lambda: open_town(Town()),
        break_down=lambda: open_town(Town()),
        known=Query(kind=QueryKind.DOI, text="10.1038/nature14539"),
        unknown=Query(kind=QueryKind.TITLE, text="Nothing of the kind", year=2000),
    ),
}
