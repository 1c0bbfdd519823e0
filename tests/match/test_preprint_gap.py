"""A journal citation of a work whose only dated record is its preprint."""

from __future__ import annotations

from citeaudit.match.compare import compare
from citeaudit.model import FieldName, Identifiers, Relation, Version, WorkType
from tests.match.build import cite, record

TITLE = "On the quiet growth of coastal dune grasses"


def test_a_version_without_a_year_does_not_hide_the_preprint() -> None:
    reference = cite(TITLE, "Ada Roe", 2004).model_copy(update={"container_title": "Dunes"})
    published = Version(type=WorkType.ARTICLE_JOURNAL, identifiers=Identifiers(doi="10.1/y"))
    work = record(TITLE, "Ada Roe", 2002).model_copy(update={"type": WorkType.PREPRINT, "versions": (published,)})
    year = next(match for match in compare(reference, work) if match.field is FieldName.YEAR)
    assert (year.rule, year.relation) == ("year_preprint", Relation.VARIANT)
