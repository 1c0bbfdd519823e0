"""References put together from several works, and references that only look so."""

from __future__ import annotations

import itertools

import pytest

from citeaudit.match.chimera import Chimera, parts
from citeaudit.match.rank import rank
from citeaudit.model import Lookup, QueryKind, Reference, Work
from tests.match.build import cite, found, record

TITLE = "On the quiet growth of coastal dune grasses beneath winter storms"
SHORT = "Growth of coastal dune grasses"
US, THEM, OTHERS = "Ada Roe; Bo Li; Cy Hu", "Di Fox; Ed Gray", "Flo Ash; Gil Elm"
A = record(TITLE, THEM, 2001, container_title="Dunes")
B = record("A calculus of variations for elastic shells", US, 1998)
C = record("Sediment cores of the northern shelf", OTHERS, 1987, doi="10.1/c")


def _found(reference: Reference, *works: Work) -> list[Lookup]:
    named = [work for work in works if work.identifiers.doi and work.identifiers.doi == reference.identifiers.doi]
    by_doi = [found(reference, *named, kind=QueryKind.DOI, source="registry")] if named else []
    return [found(reference, *(work for work in works if work not in named)), *by_doi]


def _parts(reference: Reference, *works: Work) -> Chimera | None:
    return parts(reference, rank(reference, _found(reference, *works)))


def test_title_authors_and_identifier_of_three_works_are_named() -> None:
    reference = cite(TITLE, US, 2001, doi="10.1/c")
    assert _parts(reference, A, B, C) == Chimera(A, B, C, "doi")
    candidates = rank(reference, _found(reference, A, B, C))
    assert {parts(reference, order) for order in itertools.permutations(candidates)} == {Chimera(A, B, C, "doi")}


@pytest.mark.parametrize(
    ("reference", "works", "expected"),
    [
        pytest.param(cite(TITLE, US, 2001), (A, B), Chimera(A, B, None, None), id="title-and-authors"),
        pytest.param(cite(TITLE, US, 1970), (A, B), Chimera(A, B, None, None), id="long-title-another-year"),
        pytest.param(
            cite(TITLE, US, 2001, doi="10.1/c"), (A, C), Chimera(A, None, C, "doi"), id="title-and-identifier"
        ),
        pytest.param(
            cite(SHORT, US, 2001),
            (record(SHORT, THEM, 2001), B),
            Chimera(record(SHORT, THEM, 2001), B, None, None),
            id="short",
        ),
        pytest.param(
            cite(TITLE, "A. Roe; B. Li; C. Hu", 2001), (A, B), Chimera(A, B, None, None), id="three-by-initials"
        ),
    ],
)
def test_two_parts_are_enough(reference: Reference, works: tuple[Work, ...], expected: Chimera) -> None:
    assert _parts(reference, *works) == expected


TWO = record("A calculus of variations for elastic shells", "Ada Roe; Bo Li", 1998)


@pytest.mark.parametrize(
    ("reference", "works"),
    [
        pytest.param(cite(TITLE, US, 2001), (A,), id="one-work-of-others"),
        pytest.param(cite(TITLE, US, 2001), (record(TITLE, US, 2001), B), id="two-works-of-one-group"),
        pytest.param(cite(TITLE, US, 2001), (record(TITLE, US, 2001), A, B), id="the-work-itself-is-there"),
        pytest.param(cite(TITLE, US, 2001), (A, record(TITLE, "Bo Li", 2001), B), id="a-record-with-one-of-them"),
        pytest.param(cite(TITLE, US, 2001), (A, record(TITLE, "", 2001), B), id="a-record-without-authors"),
        pytest.param(cite(TITLE, US, 2001, authors_truncated=True), (A, B), id="cut-list"),
        pytest.param(cite(TITLE, US + "; Zed Oak", 2001), (A, B), id="one-author-more"),
        pytest.param(cite(TITLE, "Ada Roe; Bo Li", 2001), (A, B), id="one-author-less"),
        pytest.param(cite(TITLE, "Cy Hu; Bo Li; Ada Roe", 2001), (A, B), id="another-order"),
        pytest.param(cite(TITLE, "A. Roe; B. Li", 2001), (A, TWO), id="two-by-initials"),
        pytest.param(cite(TITLE, "Ada Roe", 2001), (A, record(B.title, "Ada Roe", 1998)), id="a-single-author"),
        pytest.param(cite("Introduction", US, 2001), (record("Introduction", THEM, 2001), B), id="generic-title"),
        pytest.param(cite(SHORT, US, 1970), (record(SHORT, THEM, 2001), B), id="short-title-another-year"),
        pytest.param(
            cite("Growth of dune grasses", US, 2001),
            (record("Growth of dune grasses", THEM, 2001), B),
            id="three-words",
        ),
        pytest.param(
            cite(TITLE, US, 2001), (record(TITLE, THEM, 2001, authors_complete=False), B), id="incomplete-title-record"
        ),
        pytest.param(
            cite(TITLE, US, 2001), (A, record(B.title, US, 1998, authors_complete=False)), id="incomplete-author-record"
        ),
        pytest.param(cite(TITLE + " and beyond them", US, 2001), (A, B), id="another-title"),
        pytest.param(
            cite(TITLE, US, 2001, doi="10.1/a"),
            (record(TITLE, THEM, 2001, doi="10.1/a"),),
            id="identifier-of-the-title",
        ),
        pytest.param(cite(TITLE, US, 2001, isbn="9780262035613"), (A,), id="nothing-named"),
        pytest.param(cite(None, US, 2001), (A, B), id="no-title"),
    ],
)
def test_less_is_no_chimera(reference: Reference, works: tuple[Work, ...]) -> None:
    assert _parts(reference, *works) is None


def test_the_isbn_of_a_volume_names_no_part() -> None:
    reference = cite(TITLE, US, 2001, isbn="9780262035613")
    volume = record("Sediment cores of the northern shelf", OTHERS, 1987, isbn="9780262035613")
    lookups = [found(reference, A), found(reference, volume, kind=QueryKind.ISBN, source="books")]
    assert parts(reference, rank(reference, lookups)) is None


def test_authors_and_identifier_of_one_work() -> None:
    named = B.model_copy(update={"identifiers": C.identifiers})
    reference = cite(TITLE, US, 2001, doi="10.1/c")
    seen = _parts(reference, A, named)
    assert seen is None or seen == Chimera(A, named, named, "doi")
