"""The list an entry should have: right names stay as cited, and a record's list is taken only where it is better."""

from __future__ import annotations

import pytest

from citeaudit.fix.authors import is_supported, settled
from citeaudit.model import AuthorMatch, AuthorRelation, Candidate, Identifiers, Person, Rank, Reference, Work, WorkType
from tests import samples
from tests.fix.material import TIDES

SAME, VARIANT, MOVED = AuthorRelation.SAME, AuthorRelation.VARIANT, AuthorRelation.MOVED
PHANTOM, MISSING = AuthorRelation.PHANTOM, AuthorRelation.MISSING
MISSPELT, GIVEN, SWAPPED = AuthorRelation.MISSPELT, AuthorRelation.GIVEN_NAME, AuthorRelation.SWAPPED


def _person(text: str) -> Person:
    """`Family|Given`, or a name in one string."""
    family, bar, given = text.partition("|")
    return Person(family=family, given=given) if bar else Person(literal=text)


def _work(*names: str, **update: object) -> Work:
    return TIDES.model_copy(update={"authors": tuple(map(_person, names)), **update})


def _cite(*names: str) -> Reference:
    return samples.reference(TIDES.title).model_copy(update={"authors": tuple(map(_person, names))})


def _people(*rows: tuple[AuthorRelation, int | None, int | None]) -> tuple[AuthorMatch, ...]:
    return tuple(
        AuthorMatch(
            relation=relation, claimed="x" if place else None, found="y" if at else None, place=place, found_place=at
        )
        for relation, place, at in rows
    )


@pytest.mark.parametrize(
    ("cited", "recorded", "people", "told"),
    [
        pytest.param(
            ("Ørsted|Marit", "Loe|D."),
            ("Orsted|M.", "Quill|J."),
            _people((SAME, 1, 1), (PHANTOM, 2, None), (MISSING, None, 2)),
            ("Ørsted|Marit", "Quill|J."),
            id="a-right-name-keeps-its-marks-and-given-names",
        ),
        pytest.param(
            ("Quill|Jonas", "Ørsted|Marit", "Loe|D."),
            ("Orsted|M.", "Quill|J."),
            _people((MOVED, 1, 2), (MOVED, 2, 1), (PHANTOM, 3, None)),
            ("Ørsted|Marit", "Quill|Jonas"),
            id="moved",
        ),
        pytest.param(
            ("Quil|Jonas Peter",), ("Quill|J. P.",), _people((MISSPELT, 1, 1)), ("Quill|Jonas Peter",), id="misspelt"
        ),
        pytest.param(("Quil|Jonas",), ("Quill|J.",), _people((MISSPELT, 1, 1)), ("Quill|Jonas",), id="one-initial"),
        pytest.param(("Quil|Karl",), ("Quill|J.",), _people((MISSPELT, 1, 1)), ("Quill|J.",), id="other-initial"),
        pytest.param(("Quil|J.",), ("Quill|Jonas",), _people((MISSPELT, 1, 1)), ("Quill|Jonas",), id="record-has-more"),
        pytest.param(("Quil|K.",), ("Quill|J.",), _people((GIVEN, 1, 1)), ("Quill|J.",), id="initials-both"),
        pytest.param(("Jonas|Quill",), ("Quill|Jonas",), _people((SWAPPED, 1, 1)), ("Quill|Jonas",), id="swapped"),
        pytest.param(
            ("Loe|D.", "Moe|C."), ("Quill, J. P.", "Poe, Ada"), (), ("Quill|J. P.", "Poe|Ada"), id="plain-inverted"
        ),
        pytest.param(
            ("Loe|D.", "Moe|C."), ("Jonas P. Quill", "Ada Poe"), (), ("Quill|Jonas P.", "Poe|Ada"), id="plain-direct"
        ),
        pytest.param(
            ("Loe|D.", "Moe|C."),
            ("Quill|J.", "Dune Survey Consortium"),
            (),
            ("Quill|J.", "Dune Survey Consortium"),
            id="group",
        ),
        pytest.param(("Loe|D.",), ("Harbour Board",), (), ("Harbour Board",), id="one-name-may-be-a-body"),
    ],
)
def test_the_list_is_the_records_in_the_words_of_the_entry(
    cited: tuple[str, ...], recorded: tuple[str, ...], people: tuple[AuthorMatch, ...], told: tuple[str, ...]
) -> None:
    assert settled(_cite(*cited), _work(*recorded), people) == tuple(map(_person, told))


@pytest.mark.parametrize(
    ("cited", "work", "people"),
    [
        pytest.param(("Loe|D.",), _work(), (), id="none-recorded"),
        pytest.param(("Loe|D.",), _work("Quill|J.", authors_complete=False), (), id="some-recorded"),
        pytest.param(("Loe|D.",), _work("Quill|J.", "Poe|A.", "Quill|J."), (), id="one-twice"),
        pytest.param(("Loe|D.",), _work("QuillÃ¶|Jonas"), (), id="mojibake"),
        pytest.param(("Loe|D.",), _work("Quill1|Jonas"), (), id="footnote"),
        pytest.param(("Loe|Dora",), _work("QUILL|JONAS"), (), id="capitals"),
        pytest.param(("Loe|Dora",), _work("Квилл|Йонас"), (), id="script"),
        pytest.param(("Loe|Dora",), _work("et al."), (), id="others"),
        pytest.param(("Müler|A.",), _work("Muller|Anna"), _people((MISSPELT, 1, 1)), id="mark-may-be-lost"),
        pytest.param(("Loe|D.",), _work("Kiel Map Press", publisher="Kiel Map Press"), (), id="publisher"),
        pytest.param(("Loe|D.",), _work("Journal of Harbour Studies"), (), id="venue"),
    ],
)
def test_a_list_that_is_no_better_is_not_taken(
    cited: tuple[str, ...], work: Work, people: tuple[AuthorMatch, ...]
) -> None:
    assert settled(_cite(*cited), work, people) is None


def _found(work: Work, *schemes: str) -> Candidate:
    return Candidate(work=work, fields=(), rank=Rank.ANCHORED, anchor="identifier", score=0.9, identifier_of=schemes)


@pytest.mark.parametrize(
    ("work", "schemes", "others", "told"),
    [
        pytest.param(_work("Quill|J."), ("doi",), (), True, id="identifier"),
        pytest.param(_work("Quill|J."), (), (), False, id="title-alone"),
        pytest.param(
            _work("Quill|J.", identifiers=Identifiers()), ("doi",), (), False, id="record-without-the-identifier"
        ),
        pytest.param(_work("Quill|J.", type=WorkType.BOOK), ("doi",), (), False, id="book-may-list-editors"),
        pytest.param(_work("Quill|J.", type=WorkType.UNKNOWN), ("doi",), (), False, id="kind-unknown"),
        pytest.param(_work("Quill|J."), (), (_work("Quill|Jonas", source="second"),), True, id="second-source"),
        pytest.param(_work("Quill|J."), (), (_work("Quill|Jonas"),), False, id="same-source-twice"),
        pytest.param(_work("Quill|J."), (), (_work("Poe|A.", source="second"),), False, id="second-source-disagrees"),
        pytest.param(
            _work("Quill|J.", type=WorkType.BOOK), (), (_work("Quill, J.", source="b"),), True, id="book-twice"
        ),
        pytest.param(_work("Harbour Board"), ("doi",), (), False, id="body"),
        pytest.param(_work(), ("doi",), (), False, id="none"),
        pytest.param(_work("Quill|J.", editors=(_person("Quill|J."),)), ("doi",), (), False, id="editor-of-the-record"),
        pytest.param(_work("Roe|B."), ("doi",), (), False, id="editor-of-the-entry"),
    ],
)
def test_a_list_of_other_people_needs_support(
    work: Work, schemes: tuple[str, ...], others: tuple[Work, ...], told: bool
) -> None:
    update = {"editors": (_person("Roe|B."),), "identifiers": TIDES.identifiers}
    reference = _cite("Loe|D.").model_copy(update=update)
    best = _found(work, *schemes)
    assert is_supported(best, (best, *map(_found, others)), reference) is told


@pytest.mark.parametrize(
    ("kind", "told"),
    [pytest.param(WorkType.ARTICLE_JOURNAL, True, id="article"), pytest.param(WorkType.BOOK, False, id="book")],
)
def test_names_of_no_one_give_way_to_persons(kind: WorkType, told: bool) -> None:
    best = _found(_work("Quill|J.", type=kind))
    assert is_supported(best, (best,), _cite("Doe|Jane"), is_stock=True) is told
    board = _found(_work("Harbour Board"))
    assert not is_supported(board, (board,), _cite("Doe|Jane"), is_stock=True)
