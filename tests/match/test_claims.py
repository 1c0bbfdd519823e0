"""Claims of a reference by itself: dates to come, identifiers that cannot be or contradict each other."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.match.claims import arxiv_text, claims
from citeaudit.match.years import future
from citeaudit.model import FieldName, Identifiers, Reference, Relation

TODAY = date(2026, 6, 15)


def _cite(raw: str = "A.", score: float = 1.0, **fields: Any) -> Reference:
    ids = {name: fields.pop(name) for name in Identifiers.model_fields if name in fields}
    return Reference(raw=raw, parse_score=score, identifiers=Identifiers(**ids), **fields)


def _rules(reference: Reference) -> list[tuple[str, str]]:
    return [(item.field.value, item.rule) for item in claims(reference, TODAY)]


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param({"year": 2026}, [], id="this-year"),
        pytest.param({"year": 2027}, [], id="next-year"),
        pytest.param({"year": 2028}, [("year", "year_in_future")], id="year-to-come"),
        pytest.param({"year": 2399}, [("year", "year_in_future")], id="before-any-buddhist-year-of-print"),
        pytest.param({"year": 2562}, [("year", "year_of_other_calendar")], id="buddhist"),
        pytest.param({"year": 2570}, [("year", "year_of_other_calendar")], id="buddhist-next-year"),
        pytest.param({"year": 2571}, [("year", "year_in_future")], id="buddhist-to-come"),
        pytest.param({"year": 1398}, [], id="persian"),
        pytest.param({"arxiv_id": "1706.03762v7", "year": 2017}, [], id="arxiv"),
        pytest.param({"arxiv_id": "2607.00001"}, [("arxiv_id", "arxiv_id_impossible")], id="arxiv-next-month"),
        pytest.param({"arxiv_id": "1706.03762", "year": 2015}, [], id="arxiv-two-years-later"),
        pytest.param(
            {"arxiv_id": "1706.03762", "year": 2014}, [("arxiv_id", "arxiv_id_later_than_year")], id="arxiv-later"
        ),
        pytest.param(
            {"arxiv_id": "2607.00001", "year": 2014}, [("arxiv_id", "arxiv_id_impossible")], id="impossible-says-more"
        ),
        pytest.param({"doi": "10.48550/arxiv.2413.01234"}, [("arxiv_id", "arxiv_id_impossible")], id="arxiv-doi"),
        pytest.param({"raw": "X. arXiv:2413.01234."}, [("arxiv_id", "arxiv_id_impossible")], id="arxiv-printed"),
        pytest.param({"raw": "X. arXiv preprint arXiv: 2413.01234"}, [("arxiv_id", "arxiv_id_impossible")], id="space"),
        pytest.param({"raw": "eprint = {2413.01234}"}, [("arxiv_id", "arxiv_id_impossible")], id="arxiv-field"),
        pytest.param(
            {"raw": "https://arxiv.org/abs/2413.01234"}, [("arxiv_id", "arxiv_id_impossible")], id="arxiv-url"
        ),
        pytest.param({"raw": "Part 2413.01234 of it"}, [], id="bare-number-is-no-arxiv-id"),
        pytest.param({"raw": "arXiv:2305.1234 and"}, [("arxiv_id", "arxiv_id_malformed")], id="arxiv-cut"),
        pytest.param({"doi": "10.1145/3292500.3330701"}, [], id="doi"),
        pytest.param({"doi": "10.88888/x.1"}, [("doi", "doi_prefix_unknown")], id="doi-of-nobody"),
        pytest.param({"doi": "10.1/x"}, [], id="no-registrant"),
        pytest.param(
            {"doi": "10.47281/x.1", "container_title": "ICLR"},
            [("doi", "doi_registrant_unusual")],
            id="doi-of-stranger",
        ),
        pytest.param({"doi": "10.47281/x.1"}, [], id="doi-without-venue"),
        pytest.param(
            {"doi": "10.88888/x.1", "container_title": "ICLR"}, [("doi", "doi_prefix_unknown")], id="unknown-says-more"
        ),
        pytest.param({"raw": "doi = {10.99/abc},"}, [("doi", "doi_malformed")], id="doi-short-registrant"),
        pytest.param({"raw": "doi = {10.1109},"}, [("doi", "doi_malformed")], id="doi-cut"),
        pytest.param({"raw": "doi: https://doi.org/10.1109"}, [("doi", "doi_malformed")], id="doi-cut-address"),
        pytest.param({"raw": "doi = {10.1109}", "score": 0.99}, [], id="doi-cut-by-reading"),
        pytest.param({"raw": "doi = {10.1109/5.771073},"}, [], id="doi-not-taken-over"),
        pytest.param({"raw": "isbn = {978-0-306-40615-8}"}, [("isbn", "isbn_checksum")], id="isbn13"),
        pytest.param({"raw": "ISBN 0-306-40615-3"}, [("isbn", "isbn_checksum")], id="isbn10"),
        pytest.param({"raw": "ISBN 0-306-40615-3", "score": 0.99}, [], id="isbn-read-from-print"),
        pytest.param({"raw": "ISBN 0-306-40615-2"}, [], id="isbn-right"),
        pytest.param({"raw": "ISBN 0-306-4061"}, [], id="isbn-short"),
        pytest.param({"raw": "ISBN 0-306-40615-3", "isbn": "9780306406157"}, [], id="isbn-known"),
        pytest.param({"pmid": "28000000", "year": 2016}, [], id="pmid"),
        pytest.param({"pmid": "28000000", "year": 2018}, [], id="pmid-two-years-before"),
        pytest.param({"pmid": "28000000", "year": 2019}, [("pmid", "pmid_unlikely")], id="pmid-early"),
        pytest.param({"pmid": "28000000", "year": 1950}, [], id="pmid-of-old-work"),
        pytest.param({"pmid": "44100000", "year": 2026}, [], id="pmid-of-this-year"),
        pytest.param({"pmid": "44100001"}, [("pmid", "pmid_unlikely")], id="pmid-beyond"),
        pytest.param({"pmid": "x"}, [], id="pmid-of-no-form"),
        pytest.param({"pmcid": "PMC14650000"}, [], id="pmcid"),
        pytest.param({"pmcid": "PMC14650001"}, [("pmcid", "pmcid_unlikely")], id="pmcid-beyond"),
        pytest.param({"pmcid": "PMCx"}, [], id="pmcid-of-no-form"),
        pytest.param({"arxiv_id": "1706.03762v2", "doi": "10.48550/arxiv.1706.03762"}, [], id="one-paper"),
        pytest.param(
            {"arxiv_id": "1706.03762", "doi": "10.48550/arxiv.1810.04805"},
            [("arxiv_id", "identifiers_disagree")],
            id="two-papers",
        ),
        pytest.param(
            {"arxiv_id": "1706.03762", "url": "https://arxiv.org/abs/1810.04805v1"},
            [("arxiv_id", "identifiers_disagree")],
            id="other-address",
        ),
        pytest.param(
            {"doi": "10.48550/arxiv.1706.03762", "url": "https://arxiv.org/pdf/1810.04805"},
            [("doi", "identifiers_disagree")],
            id="address-beside-doi",
        ),
        pytest.param({"arxiv_id": "1706.03762", "url": "https://arxiv.org/abs/1706.03762"}, [], id="same-address"),
        pytest.param({"doi": "10.1145/1.2", "url": "https://doi.org/10.1145/1.2"}, [], id="same-doi"),
        pytest.param(
            {"doi": "10.1145/1.2", "url": "https://doi.org/10.1145/1.3"}, [("doi", "identifiers_disagree")], id="dois"
        ),
        pytest.param({"doi": "10.1145/1.2", "url": "https://dl.acm.org/doi/10.1145/1.3"}, [], id="page-of-publisher"),
        pytest.param(
            {"doi": "10.1145/1.2", "url": "https://doi.org/10.48550/arxiv.1706.03762"},
            [],
            id="preprint-and-publication",
        ),
        pytest.param(
            {"year": 2030, "doi": "10.88888/x.1", "arxiv_id": "2413.00001"},
            [("year", "year_in_future"), ("doi", "doi_prefix_unknown"), ("arxiv_id", "arxiv_id_impossible")],
            id="in-order",
        ),
    ],
)
def test_claims(fields: dict[str, Any], rules: list[tuple[str, str]]) -> None:
    assert _rules(_cite(**fields)) == rules


def test_a_claim_shows_what_is_cited_and_accuses_only_where_nothing_can_be() -> None:
    year, doi = claims(_cite(year=2030, doi="10.88888/x.1"), TODAY)
    assert (year.claimed, year.found, year.relation, year.score) == ("2030", None, Relation.DIFFERENT, 0.0)
    assert (doi.claimed, doi.found, doi.relation, doi.field) == ("10.88888/x.1", None, Relation.VARIANT, FieldName.DOI)
    (pair,) = claims(_cite(arxiv_id="1810.04805", doi="10.48550/arxiv.1706.03762"), TODAY)
    assert pair.claimed == "1706.03762, 1810.04805"
    (pair,) = claims(_cite(doi="10.1145/1.2", url="https://doi.org/10.1145/1.3"), TODAY)
    assert pair.claimed == "10.1145/1.2, 10.1145/1.3"


def test_ids_beyond_the_table_grow_with_the_years() -> None:
    later = date(2028, 1, 1)
    assert claims(_cite(pmid="49100000"), later) == ()
    assert len(claims(_cite(pmid="49100001"), later)) == 1
    assert claims(_cite(pmid="44100000"), date(2020, 1, 1)) == ()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"arxiv_id": "1706.03762v7"}, "1706.03762v7"),
        ({"doi": "10.48550/arxiv.1706.03762"}, "1706.03762"),
        ({"doi": "10.1145/1.2"}, None),
        ({"raw": "arXiv:9999.99999"}, "9999.99999"),
        ({"raw": "x" * 4_000 + "arXiv:9999.99999"}, None),
    ],
)
def test_the_printed_arxiv_id_is_found(fields: dict[str, Any], text: str | None) -> None:
    assert arxiv_text(_cite(**fields)) == text


@pytest.mark.parametrize(("year", "late"), [(2026, False), (2027, False), (2028, True), (1, False)])
def test_the_next_year_is_not_the_future(year: int, late: bool) -> None:
    assert future(year, 2026) is late


@given(
    raw=st.text(min_size=1, max_size=80),
    ids=st.fixed_dictionaries({name: st.none() | st.text(max_size=30) for name in Identifiers.model_fields}),
    venue=st.none() | st.text(max_size=30),
    year=st.none() | st.integers(-5, 9_999),
)
def test_no_text_raises(raw: str, ids: dict[str, str | None], venue: str | None, year: int | None) -> None:
    fields: dict[str, Any] = {"raw": raw, "container_title": venue, "year": year, **ids}
    found = claims(_cite(**fields), TODAY)
    assert len({item.field for item in found}) == len(found)
    assert all(item.relation in (Relation.VARIANT, Relation.DIFFERENT) for item in found)


@given(st.sampled_from(["arxiv:", "doi = {10.", "isbn ", "eprint = {"]), st.text("0123456789.- /{}=Xx", max_size=60))
def test_no_digits_raise(cue: str, tail: str) -> None:
    claims(_cite(raw=cue + tail), TODAY)
