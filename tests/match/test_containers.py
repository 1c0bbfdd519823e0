"""The DOI of a volume, a book or its front matter is not that of another work."""

from __future__ import annotations

import pytest

from citeaudit.match.containers import contains
from citeaudit.match.rank import weigh
from citeaudit.model import Rank, WorkType
from tests.match.build import cite, record

TITLE = "Adaptive sampling of sparse lattices"
BOOK = "Lattices in nature: a handbook"


@pytest.mark.parametrize(
    ("named", "title", "venue", "held"),
    [
        pytest.param("Physical Review E", "Front Matter", "Phys. Rev. E", True, id="front-matter"),
        pytest.param("Physical Review E", "Front Matter", None, True, id="front-matter-of-no-venue"),
        pytest.param("Physical Review E", "Front Matter", "Nature", False, id="front-matter-elsewhere"),
        pytest.param("ICML", "Table of Contents", "ICML Workshop on Cheese", True, id="contents-of-a-workshop"),
        pytest.param("Workshop on Lattices", "Proceedings of the Workshop on Lattices", None, True, id="proceedings"),
        pytest.param("Workshop on Lattices", "Proceedings of the Workshop on Cheese", None, False, id="other-meeting"),
        pytest.param("ICML", "ICML Workshop on Cheese", None, False, id="workshop-beside"),
        pytest.param(BOOK, "Lattices in nature", None, True, id="book-without-subtitle"),
        pytest.param("Lattices in nature", BOOK, None, True, id="book-with-subtitle"),
        pytest.param("Lattices in art", BOOK, None, False, id="other-book"),
        pytest.param("Handbook of lattices", "Handbook of rye", None, False, id="other-handbook"),
        pytest.param("Very lattices", "Very lattices of the sea", None, False, id="two-words"),
        pytest.param("Physical Review E", "Lattices of the sea", "Physical Review E", False, id="another-paper"),
        pytest.param(TITLE, TITLE, None, False, id="title-itself"),
        pytest.param("Proceedings of the", "Front Matter", None, False, id="vague"),
        pytest.param("CoRR", "Front Matter", None, False, id="server"),
        pytest.param(None, "Front Matter", None, False, id="none-cited"),
    ],
)
def test_what_contains_a_work_is_told(named: str | None, title: str, venue: str | None, held: bool) -> None:
    reference, work = cite(TITLE, "Ada Roe", container_title=named), record(title, "Bo Li", container_title=venue)
    assert contains(work, reference) is held


@pytest.mark.parametrize(
    ("title", "anchor"),
    [(BOOK, "identifier_of_volume"), ("Rye of the northern sea", "identifier_other_work")],
)
def test_the_doi_of_a_book_is_that_of_no_other_work(title: str, anchor: str) -> None:
    reference = cite(TITLE, "Ada Roe", 2019, doi="10.1145/a", container_title=BOOK, type=WorkType.CHAPTER)
    candidate = weigh(reference, record(title, "Bo Li; Ida Berg", 2019, doi="10.1145/a", type=WorkType.BOOK))
    assert (candidate.rank, candidate.anchor) == (Rank.REJECTED, anchor)
