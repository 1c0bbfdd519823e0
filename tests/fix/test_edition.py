"""A version says what its fields are only where it is surely the one cited."""

from __future__ import annotations

import pytest

from citeaudit.fix.edition import editions, is_apart, is_cited
from citeaudit.model import FieldMatch, FieldName, Identifiers, Relation, WorkType
from tests import samples
from tests.fix.material import LAMPS, TIDES

YEAR, VENUE, VOLUME, PAGES = FieldName.YEAR, FieldName.CONTAINER_TITLE, FieldName.VOLUME, FieldName.PAGES
BASE = samples.reference(TIDES.title, "Marit Ørsted", year=2014).model_copy(
    update={
        "type": WorkType.ARTICLE_JOURNAL,
        "container_title": "Journal of Harbour Studies",
        "volume": "12",
        "pages": "101-119",
    }
)
(FORM,) = editions(TIDES)
MEETING, POSTED = editions(LAMPS)


def _venue(rule: str, relation: Relation = Relation.VARIANT, found: str = "Journal of Harbour Studies") -> FieldMatch:
    return FieldMatch(field=VENUE, claimed="x", found=found, relation=relation, score=1.0, rule=rule)


@pytest.mark.parametrize(
    ("field", "changes", "told"),
    [
        pytest.param(YEAR, {"year": 2004}, True, id="year"),
        pytest.param(VOLUME, {"volume": "13"}, True, id="volume"),
        pytest.param(FieldName.ISSUE, {"issue": "9"}, True, id="issue"),
        pytest.param(PAGES, {"pages": "1-9"}, True, id="pages"),
        pytest.param(PAGES, {"pages": "1-9", "volume": "13"}, True, id="one-of-two-disagrees"),
        pytest.param(PAGES, {"pages": "1-9", "volume": "13", "year": 2004}, False, id="most-disagree"),
        pytest.param(PAGES, {"pages": "1-9", "volume": None, "year": 2004}, False, id="the-one-other-disagrees"),
        pytest.param(YEAR, {"year": 2004, "container_title": "Nature"}, False, id="another-venue"),
        pytest.param(YEAR, {"year": 2004, "container_title": None}, False, id="no-venue-cited"),
        pytest.param(YEAR, {"year": 2004, "container_title": "journal of harbour studies"}, True, id="venue-in-small"),
        pytest.param(YEAR, {"year": 2004, "type": WorkType.PREPRINT}, False, id="preprint-cited"),
        pytest.param(YEAR, {"year": 2004, "container_title": "arXiv"}, False, id="server-cited"),
        pytest.param(
            YEAR,
            {"year": 2004, "container_title": "Nature", "identifiers": Identifiers(doi="10.5555/tides.2014_7")},
            True,
            id="identifier",
        ),
        pytest.param(VENUE, {"container_title": "Nature"}, True, id="venue"),
        pytest.param(VENUE, {"container_title": "Nature", "year": 2013}, False, id="venue-and-year"),
        pytest.param(VENUE, {"container_title": "Nature", "year": None}, False, id="venue-without-year"),
        pytest.param(VENUE, {"container_title": "Nature", "volume": "3", "pages": "1-9"}, False, id="another-place"),
        pytest.param(VENUE, {"container_title": "Workshop on Harbours"}, False, id="workshop"),
        pytest.param(VENUE, {"container_title": "ICHW", "type": WorkType.PAPER_CONFERENCE}, False, id="meeting"),
        pytest.param(VENUE, {"container_title": "Nature", "type": WorkType.UNKNOWN}, True, id="kind-unknown"),
    ],
)
def test_the_rest_must_agree(field: FieldName, changes: dict[str, object], told: bool) -> None:
    assert is_cited(field, BASE.model_copy(update=changes), FORM, ()) is told


@pytest.mark.parametrize(
    ("match", "told"),
    [
        pytest.param(_venue("venue_abbreviated"), True, id="abbreviated"),
        pytest.param(_venue("venue_same", Relation.SAME), True, id="other-name"),
        pytest.param(_venue("venue_abbreviated", Relation.DIFFERENT), False, id="counted-by-the-policy"),
        pytest.param(_venue("venue_series"), False, id="series"),
        pytest.param(_venue("venue_part"), False, id="part"),
        pytest.param(_venue("venue_abbreviated", found="Another Journal"), False, id="of-another-version"),
    ],
)
def test_a_venue_agrees_under_its_other_names(match: FieldMatch, told: bool) -> None:
    reference = BASE.model_copy(update={"container_title": "J. Harb. Stud.", "year": 2004})
    assert is_cited(YEAR, reference, FORM, [match]) is told


def test_neither_has_a_venue() -> None:
    bare = FORM._replace(container_title=None)
    reference = BASE.model_copy(update={"container_title": None, "year": 2004})
    assert is_cited(YEAR, reference, bare, ())
    assert not is_cited(YEAR, BASE.model_copy(update={"year": 2004}), bare, ())


@pytest.mark.parametrize(
    ("changes", "meeting", "posted"),
    [
        pytest.param({"container_title": "arXiv preprint arXiv:1703.01234"}, False, True, id="server"),
        pytest.param(
            {"container_title": None, "identifiers": Identifiers(arxiv_id="1703.01234v2")}, False, True, id="id"
        ),
        pytest.param(
            {"container_title": LAMPS.container_title, "identifiers": Identifiers(arxiv_id="1703.01234")},
            True,
            False,
            id="meeting-with-arxiv-id",
        ),
    ],
)
def test_a_preprint_and_its_publication_stand_apart(changes: dict[str, object], meeting: bool, posted: bool) -> None:
    reference = samples.reference(LAMPS.title, "Ada Farrow", year=1990).model_copy(update=changes)
    assert (is_cited(YEAR, reference, MEETING, ()), is_cited(YEAR, reference, POSTED, ())) == (meeting, posted)


@pytest.mark.parametrize(
    ("mine", "own", "told"),
    [
        pytest.param(WorkType.THESIS, WorkType.PAPER_CONFERENCE, True, id="thesis"),
        pytest.param(WorkType.PAPER_CONFERENCE, WorkType.BOOK, True, id="book"),
        pytest.param(WorkType.THESIS, WorkType.THESIS, False, id="both"),
        pytest.param(WorkType.THESIS, WorkType.UNKNOWN, False, id="unknown"),
        pytest.param(WorkType.PREPRINT, WorkType.ARTICLE_JOURNAL, False, id="preprint"),
    ],
)
def test_kinds_that_are_never_versions(mine: WorkType, own: WorkType, told: bool) -> None:
    reference, work = BASE.model_copy(update={"type": mine}), TIDES.model_copy(update={"type": own})
    assert is_apart(reference, work) is told
