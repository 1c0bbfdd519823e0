"""Printed lines and typed data are brought together only where they are surely one, and what is printed wins."""

from __future__ import annotations

import pytest

from citeaudit.extract.fields.reader import read_fields
from citeaudit.extract.markup.typed import composed, matching, together
from citeaudit.model import Identifiers, Person, Reference, WorkType

SMITH = Reference(
    raw="-",
    type=WorkType.ARTICLE_JOURNAL,
    title="On the rows of no list",
    authors=(Person(family="Smith", given="Ada"),),
    year=2020,
    volume="12",
    pages="45-67",
    identifiers=Identifiers(doi="10.1000/rows.1"),
)
LATER = SMITH.model_copy(update={"year": 2022, "identifiers": Identifiers()})
OTHER = Reference(raw="-", title="Other things", authors=(Person(literal="The Group"),), year=2001)
PRINTED = "Smith, A. (2020). On the rows of no list. Journal of Rows, 12(3), 45–67."


@pytest.mark.parametrize(
    ("printed", "typed", "place"),
    [
        pytest.param(PRINTED, [OTHER, SMITH], 1, id="title"),
        pytest.param(PRINTED, [LATER, SMITH], 1, id="year-decides"),
        pytest.param(PRINTED, [SMITH, SMITH], None, id="two-alike"),
        pytest.param(f"{PRINTED} doi:10.1000/rows.1", [LATER, SMITH], 1, id="identifier"),
        pytest.param("A. Smith, J. Rows 12, 45 (2020).", [OTHER, SMITH], 1, id="style-without-titles"),
        pytest.param("A. Smith, J. Rows 99, 77 (2020).", [OTHER, SMITH], None, id="other-article-of-the-year"),
        pytest.param("Nobody, N. (1901). Nothing at all. J Rows, 1, 2–3.", [OTHER, SMITH], None, id="none"),
        pytest.param(PRINTED, [], None, id="nothing-typed"),
    ],
)
def test_match_is_sure(printed: str, typed: list[Reference], place: int | None) -> None:
    assert matching(read_fields(printed), typed) == place


@pytest.mark.parametrize(
    ("printed", "sure"),
    [
        pytest.param(PRINTED, True, id="as-typed"),
        pytest.param(PRINTED.replace("2020", "2021"), False, id="other-year"),
        pytest.param(PRINTED.replace("Smith", "Smythe"), False, id="other-author"),
        pytest.param(PRINTED.replace("rows of", "columns of"), False, id="other-title"),
    ],
)
def test_printed_line_wins(printed: str, sure: bool) -> None:
    read = read_fields(printed)
    made = together(read, SMITH)
    assert (made.parse_score == 1.0) is sure
    assert made.raw == printed
    assert made.identifiers.doi == "10.1000/rows.1"
    if not sure:
        assert (made.year, made.authors[0].family, made.title) == (read.year, read.authors[0].family, read.title) or (
            made.authors == SMITH.authors
        )
    assert made.year == read.year


def test_line_in_words_names_the_work() -> None:
    assert composed(SMITH) == "Ada Smith. (2020). On the rows of no list. 12, 45-67. doi:10.1000/rows.1"
    assert composed(Reference(raw="-")) == "(empty entry)"
