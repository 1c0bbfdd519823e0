"""Fields: a claim that is right for any version is right; only title, authors and year can differ."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.match.compare import compare
from citeaudit.match.places import first_page
from citeaudit.match.rules import ANCHORS, RULES
from citeaudit.model import FieldMatch, FieldName, Identifiers, Reference, Relation, Version, Work, WorkType
from tests.match.build import cite, people, record

ARXIV = {"container_title": "arXiv", "type": WorkType.PREPRINT}


def _field(reference: Reference, work: Work, field: FieldName) -> FieldMatch:
    return next(match for match in compare(reference, work) if match.field is field)


def _version(**fields: Any) -> Version:
    return Version(**fields)


def test_fields_come_in_order_and_title_authors_year_always() -> None:
    bare = compare(cite(None), record("A title"))
    assert [match.field for match in bare] == [FieldName.TITLE, FieldName.AUTHORS, FieldName.YEAR]
    full = {
        "container_title": "J",
        "volume": "1",
        "issue": "2",
        "pages": "3",
        "doi": "10.1/x",
        "pmid": "1",
        "isbn": "9780000000002",
    }
    fields = [match.field for match in compare(cite("A", "B C", 1999, **full), record("A", "B C", 1999, **full))]
    assert fields == [field for field in FieldName if field in fields]
    assert len(fields) == 10


def test_every_rule_in_use_is_in_the_table() -> None:
    assert all(rule.description.endswith(".") for rule in RULES.values())
    assert all(text.endswith(".") for text in ANCHORS.values())
    for match in compare(cite("A", "B C", 1999, volume="1"), record("A title", "B D", 2005, doi="10.1/x")):
        assert RULES[match.rule].relation is match.relation


@pytest.mark.parametrize(
    ("claimed", "years", "rule"),
    [
        pytest.param(2017, [2017], "year_same", id="same"),
        pytest.param(2017, [2018, 2017], "year_same", id="any-version"),
        pytest.param(2017, [2018], "year_off_by_one", id="one-off"),
        pytest.param(2017, [2014, 2020], "year_between_versions", id="between"),
        pytest.param(2017, [2012], "year_differs", id="differs"),
        pytest.param(None, [2012], "year_not_cited", id="not-cited"),
        pytest.param(2017, [None], "year_not_recorded", id="not-recorded"),
    ],
)
def test_year_is_held_against_every_version(claimed: int | None, years: list[int | None], rule: str) -> None:
    first, *rest = years
    work = record("A", "", first, versions=tuple(_version(year=year) for year in rest))
    match = _field(cite("A", "", claimed), work, FieldName.YEAR)
    assert match.rule == rule
    assert match.relation is RULES[rule].relation


@pytest.mark.parametrize(
    ("claimed", "recorded", "rule"),
    [
        pytest.param(
            cite("A", "", 2020, container_title="ICLR"), record("A", "", 2017, **ARXIV), "year_preprint", id="later"
        ),
        pytest.param(
            cite("A", "", 2017, **ARXIV), record("A", "", 2020, container_title="ICLR"), "year_preprint", id="earlier"
        ),
        pytest.param(
            cite("A", "", 2024, container_title="ICLR"), record("A", "", 2017, **ARXIV), "year_differs", id="too-late"
        ),
        pytest.param(cite("A", "", 2020), record("A", "", 2017, **ARXIV), "year_differs", id="nothing-says-published"),
        pytest.param(
            cite("A", "", 2020, **ARXIV), record("A", "", 2017, container_title="ICLR"), "year_differs", id="reversed"
        ),
        pytest.param(cite("A", "", 2020, type=WorkType.BOOK), record("A", "", 1999), "year_of_edition", id="edition"),
    ],
)
def test_years_of_preprints_and_editions_vary(claimed: Reference, recorded: Work, rule: str) -> None:
    assert _field(claimed, recorded, FieldName.YEAR).rule == rule


MEETING = {"container_title": "Symposium on Foundations of Computer Science", "type": WorkType.PAPER_CONFERENCE}
JOURNAL = {"container_title": "Journal of the ACM"}
LETTERS = {"container_title": "Physical Review E", "volume": "31", "pages": "120-131"}


@pytest.mark.parametrize(
    ("claimed", "cited", "found", "recorded", "rule"),
    [
        pytest.param(2014, JOURNAL, 2010, MEETING, "year_of_other_version", id="journal-after-meeting"),
        pytest.param(2016, JOURNAL, 2010, MEETING, "year_of_other_version", id="six-years"),
        pytest.param(2017, JOURNAL, 2010, MEETING, "year_differs", id="seven-years"),
        pytest.param(2008, JOURNAL, 2010, MEETING, "year_differs", id="journal-before-meeting"),
        pytest.param(2010, MEETING, 2014, JOURNAL, "year_of_other_version", id="meeting-before-journal"),
        pytest.param(2010, MEETING, 2016, JOURNAL, "year_of_other_version", id="meeting-six-before"),
        pytest.param(2010, MEETING, 2017, JOURNAL, "year_differs", id="meeting-seven-before"),
        pytest.param(2016, MEETING, 2014, JOURNAL, "year_differs", id="meeting-after-journal"),
        pytest.param(
            2014,
            {"container_title": "Machine Learning"},
            2010,
            {"container_title": "ICDM", "type": WorkType.PAPER_CONFERENCE},
            "year_of_other_version",
            id="told-by-the-class",
        ),
        pytest.param(2014, JOURNAL, 2010, {"container_title": "Nature"}, "year_differs", id="two-journals"),
        pytest.param(2020, JOURNAL, 2010, {"container_title": "Nature"}, "year_of_other_version", id="reprint"),
        pytest.param(2019, JOURNAL, 2010, {"container_title": "Nature"}, "year_differs", id="too-soon-for-a-reprint"),
        pytest.param(
            2014, JOURNAL | {"doi": "10.1/x"}, 2010, MEETING | {"doi": "10.1/x"}, "year_differs", id="one-doi"
        ),
        pytest.param(2014, JOURNAL | {"pages": "5"}, 2010, MEETING | {"pages": "5"}, "year_differs", id="one-page"),
        pytest.param(2014, {}, 2010, MEETING, "year_differs", id="no-venue"),
        pytest.param(1985, LETTERS, 2002, LETTERS, "year_of_record", id="deposited"),
        pytest.param(1975, LETTERS, 2006, LETTERS, "year_of_record", id="deposited-thirty-years-later"),
        pytest.param(1993, LETTERS, 2002, LETTERS, "year_of_record", id="deposited-first"),
        pytest.param(1994, LETTERS, 2002, LETTERS, "year_of_record", id="deposited-after-eight-years"),
        pytest.param(1996, LETTERS, 2003, LETTERS, "year_differs", id="deposited-too-soon"),
        pytest.param(1985, LETTERS, 2001, LETTERS, "year_differs", id="before-old-volumes-went-online"),
        pytest.param(1961, LETTERS, 2001, LETTERS, "year_differs", id="decades-off"),
        pytest.param(1995, LETTERS, 2001, LETTERS, "year_differs", id="years-off"),
        pytest.param(
            1985, LETTERS, 2012, LETTERS | {"doi": "10.1016/j.dune.2012.01.004"}, "year_differs", id="doi-of-its-year"
        ),
        pytest.param(
            1985, LETTERS, 2012, LETTERS | {"doi": "10.1016/0022-5096(85)20124-4"}, "year_of_record", id="doi-of-print"
        ),
        pytest.param(2000, LETTERS, 2014, LETTERS, "year_of_record", id="last-on-paper"),
        pytest.param(2001, LETTERS, 2014, LETTERS, "year_differs", id="online-from-the-start"),
        pytest.param(1885, LETTERS, 2085, LETTERS, "year_differs", id="two-centuries"),
        pytest.param(1985, LETTERS, 1995, LETTERS, "year_differs", id="one-digit-mistyped"),
        pytest.param(1919, LETTERS, 2019, LETTERS, "year_differs", id="century-mistyped"),
        pytest.param(2011, LETTERS, 2008, LETTERS, "year_of_record", id="online-three-years-before"),
        pytest.param(2012, LETTERS, 2008, LETTERS, "year_differs", id="online-four-years-before"),
        pytest.param(2000, LETTERS, 1997, LETTERS, "year_of_record", id="online-on-the-early-web"),
        pytest.param(1991, LETTERS, 1988, LETTERS, "year_differs", id="not-online-before-the-web"),
        pytest.param(1985, LETTERS, 2002, LETTERS | {"pages": "1-9"}, "year_differs", id="other-pages"),
        pytest.param(1985, LETTERS, 2002, LETTERS | {"volume": "30"}, "year_differs", id="other-volume"),
        pytest.param(1985, LETTERS, 2002, LETTERS | JOURNAL, "year_differs", id="other-venue-same-pages"),
    ],
)
def test_year_and_place_are_one_fact(
    claimed: int, cited: dict[str, Any], found: int, recorded: dict[str, Any], rule: str
) -> None:
    title = "Quiet dunes of the northern shore"
    reference, work = cite(title, "Ada Roe", claimed, **cited), record(title, "Ada Roe", found, **recorded)
    match = _field(reference, work, FieldName.YEAR)
    assert (match.rule, match.differences) == (rule, (f"{claimed} -> {found}",))
    assert _field(cite(title, "Bo Li", claimed, **cited), work, FieldName.YEAR).rule == "year_differs"
    assert _field(cite("Of cheese", "Ada Roe", claimed, **cited), work, FieldName.YEAR).rule == "year_differs"


def test_title_of_another_version_counts() -> None:
    work = record("Quite a new name", versions=(_version(title="The old name of the work"), _version(title="Third")))
    match = _field(cite("The old name of the work"), work, FieldName.TITLE)
    assert (match.rule, match.found) == ("title_version", "The old name of the work")
    assert _field(cite("The new name of the work"), work, FieldName.TITLE).rule == "title_differs"
    assert _field(cite("The old names of the work"), work, FieldName.TITLE).rule == "title_plural"


@pytest.mark.parametrize(
    ("claimed", "recorded", "rule"),
    [
        pytest.param("ICML", ("Nature", "ICML"), "venue_same", id="any-version"),
        pytest.param("ICML", ("arXiv", "Nature"), "venue_preprint", id="preprint-before-other"),
        pytest.param("ICML", ("Nature",), "venue_differs", id="differs"),
        pytest.param("ICML", (None,), "venue_not_recorded", id="not-recorded"),
        pytest.param(None, ("Nature",), "venue_not_cited", id="not-cited"),
    ],
)
def test_venue_is_held_against_every_version(claimed: str | None, recorded: tuple[str | None, ...], rule: str) -> None:
    first, *rest = recorded
    work = record("A", container_title=first, versions=tuple(_version(container_title=name) for name in rest))
    match = _field(cite("A", container_title=claimed), work, FieldName.CONTAINER_TITLE)
    assert match.rule == rule
    assert match.relation is not Relation.DIFFERENT


@pytest.mark.parametrize(
    ("claimed", "recorded", "rule"),
    [
        pytest.param("123--145", "123-145", "pages_same", id="dashes"),
        pytest.param("123-45", "123-145", "pages_same", id="short-end"),
        pytest.param("123", "123-145", "pages_same", id="first-page"),
        pytest.param("e1234", "E1234", "pages_same", id="locator"),
        pytest.param("123-145", "126-145", "pages_differs", id="other-first"),
        pytest.param("123-150", "123-145", "pages_differs", id="other-last"),
        pytest.param("in press", "123-145", "pages_differs", id="words"),
        pytest.param(None, "123-145", "pages_not_cited", id="not-cited"),
        pytest.param("123", None, "pages_not_recorded", id="not-recorded"),
    ],
)
def test_pages_are_compared_as_ranges(claimed: str | None, recorded: str | None, rule: str) -> None:
    match = _field(cite("A", pages=claimed), record("A", pages=recorded), FieldName.PAGES)
    assert match.rule == rule
    assert match.relation is not Relation.DIFFERENT


def test_volume_of_a_version_counts() -> None:
    work = record("A", volume="1", versions=(_version(volume="33"),))
    assert _field(cite("A", volume="33"), work, FieldName.VOLUME).rule == "volume_same"
    assert _field(cite("A", volume="34"), work, FieldName.VOLUME).rule == "volume_differs"
    assert _field(cite("A", issue="3"), record("A", issue="3"), FieldName.ISSUE).rule == "issue_same"


@pytest.mark.parametrize(
    ("field", "claimed", "recorded", "rule"),
    [
        pytest.param("doi", {"doi": "10.1/x"}, {"doi": "10.1/X"}, "doi_same", id="case"),
        pytest.param(
            "doi", {"doi": "10.48550/arxiv.1706.03762"}, {"arxiv_id": "1706.03762v5"}, "doi_same", id="arxiv-doi"
        ),
        pytest.param("doi", {"doi": "10.1/x"}, {"doi": "10.1/y"}, "doi_other_than_recorded", id="other"),
        pytest.param(
            "doi", {"doi": "10.1/x"}, {"arxiv_id": "1706.03762"}, "doi_not_recorded", id="record-has-preprint-only"
        ),
        pytest.param(
            "doi", {"doi": "10.48550/arxiv.1"}, {"doi": "10.1/x"}, "doi_not_recorded", id="cites-preprint-only"
        ),
        pytest.param("doi", {}, {"doi": "10.1/x"}, "doi_not_cited", id="not-cited"),
        pytest.param(
            "arxiv_id", {"arxiv_id": "1706.03762v7"}, {"arxiv_id": "1706.03762"}, "arxiv_id_same", id="version"
        ),
        pytest.param(
            "arxiv_id",
            {"arxiv_id": "1706.03762"},
            {"doi": "10.48550/arxiv.1706.03762"},
            "arxiv_id_same",
            id="arxiv-by-doi",
        ),
        pytest.param(
            "arxiv_id",
            {"arxiv_id": "1706.03762"},
            {"arxiv_id": "1706.1"},
            "arxiv_id_other_than_recorded",
            id="arxiv-other",
        ),
        pytest.param("pmid", {"pmid": "1"}, {"pmid": "1"}, "pmid_same", id="pmid"),
        pytest.param("pmcid", {"pmcid": "PMC1"}, {}, "pmcid_not_recorded", id="pmcid"),
        pytest.param("isbn", {"isbn": "1"}, {"isbn": "2"}, "isbn_other_than_recorded", id="isbn"),
    ],
)
def test_identifiers_are_held_against_every_version(
    field: str, claimed: dict[str, Any], recorded: dict[str, Any], rule: str
) -> None:
    match = _field(cite("A", **claimed), record("A", **recorded), FieldName(field))
    assert match.rule == rule
    version = (_version(identifiers=Identifiers(**recorded)),)
    if recorded and rule.endswith("_same"):
        assert _field(cite("A", **claimed), record("A", versions=version), FieldName(field)).rule == rule


def test_long_lists_and_cut_lists_are_shown_short() -> None:
    many = "; ".join(f"A B{number}" for number in range(9))
    match = _field(cite("A", many), record("A", "A B0", authors_complete=False), FieldName.AUTHORS)
    assert match.claimed is not None
    assert match.claimed.endswith("and 3 more")
    assert match.found == "A B0 et al."


def test_first_page_is_found() -> None:
    assert first_page("S12-S20") == "s12"
    assert first_page(None) is None


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        pytest.param({}, "year_of_other_version", id="reprint"),
        pytest.param({"year": 2017}, "year_off_by_one", id="near-year"),
        pytest.param({"container_title": "Dunes"}, "year_differs", id="same-venue"),
        pytest.param({"container_title": None}, "year_differs", id="no-venue"),
        pytest.param({"pages": None}, "year_differs", id="no-pages"),
        pytest.param({"pages": "1-9"}, "year_differs", id="same-pages"),
        pytest.param({"title": "Quite another matter altogether"}, "year_differs", id="another-title"),
        pytest.param({"authors": people("Cy Hu; Di Fox")}, "year_differs", id="other-authors"),
    ],
)
def test_a_year_of_another_publication_of_the_work(changed: dict[str, Any], rule: str) -> None:
    work = record("On sand ripples", "Ann Roe; Bob Poe", 2018, container_title="Dunes", pages="1-9")
    other = {"container_title": "Marine Technology Letters", "volume": "44", "pages": "707-720"}
    reference = cite("On sand ripples", "Ann Roe; Bob Poe", 2021, **other).model_copy(update=changed)
    year = next(match for match in compare(reference, work) if match.field is FieldName.YEAR)
    assert year.rule == rule
