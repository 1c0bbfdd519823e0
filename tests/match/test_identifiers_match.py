"""Cited identifiers beside those of a record: each speaks for itself, an arXiv id and its DOI stand for each other."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.match.identifiers import cited_ids, identifier_matches, work_ids
from citeaudit.model import Identifiers, Version
from tests.match.build import cite, record

ID, OTHER = "1706.03762", "1810.04805"
DOI, OTHER_DOI = f"10.48550/arxiv.{ID}", f"10.48550/arxiv.{OTHER}"

ONE_TEXT = (
    ("10.1002/ange.201200001", "10.1002/anie.201200001"),
    ("10.1101/2020.01.01.123456v2", "10.1101/2020.01.01.123456"),
    ("10.1101/123456v1", "10.1101/123456"),
    ("10.20944/preprints202001.0001.v1", "10.20944/preprints202001.0001.v2"),
    ("10.21203/rs.3.rs-12345/v1", "10.21203/rs.3.rs-12345/v2"),
    ("10.26434/chemrxiv-2021-abcde-v2", "10.26434/chemrxiv-2021-abcde"),
    ("10.6084/m9.figshare.1000001.v1", "10.6084/m9.figshare.1000001"),
    ("10.31219/osf.io/abcde_v1", "10.31219/osf.io/abcde"),
)
"""Two DOIs that name one text."""


@pytest.mark.parametrize(
    ("cited", "recorded", "rules"),
    [
        pytest.param({}, {}, {}, id="nothing"),
        pytest.param({"arxiv_id": f"{ID}v3"}, {"arxiv_id": ID}, {"arxiv_id": "same"}, id="version"),
        pytest.param({"arxiv_id": ID}, {"doi": DOI}, {"arxiv_id": "same", "doi": "not_cited"}, id="doi-of-the-id"),
        pytest.param({"doi": DOI}, {"arxiv_id": ID}, {"doi": "same", "arxiv_id": "not_cited"}, id="id-of-the-doi"),
        pytest.param(
            {"arxiv_id": OTHER, "doi": DOI},
            {"arxiv_id": ID},
            {"arxiv_id": "other_than_recorded", "doi": "same"},
            id="right-doi-beside-wrong-id",
        ),
        pytest.param(
            {"arxiv_id": ID, "doi": OTHER_DOI},
            {"arxiv_id": ID},
            {"arxiv_id": "same", "doi": "other_than_recorded"},
            id="right-id-beside-wrong-doi",
        ),
        pytest.param(
            {"arxiv_id": ID, "doi": "10.88888/x"},
            {"arxiv_id": ID},
            {"arxiv_id": "same", "doi": "not_recorded"},
            id="right-id-beside-a-doi-of-a-publisher",
        ),
        pytest.param({"doi": "10.1145/1"}, {"doi": "10.1145/2"}, {"doi": "other_than_recorded"}, id="another-doi"),
        pytest.param({"doi": "10.1145/1"}, {"doi": DOI}, {"doi": "not_recorded"}, id="only-the-preprint-recorded"),
        pytest.param({"doi": DOI}, {"doi": "10.1145/1"}, {"doi": "not_recorded"}, id="only-the-publication-recorded"),
        pytest.param({"doi": "10.1145/ABC"}, {"doi": "10.1145/abc"}, {"doi": "same"}, id="case"),
        *(pytest.param({"doi": one}, {"doi": two}, {"doi": "same"}, id=f"one-text-{one}") for one, two in ONE_TEXT),
        *(
            pytest.param({"doi": two}, {"doi": one}, {"doi": "same"}, id=f"one-text-{two}-{one}")
            for one, two in ONE_TEXT
        ),
        pytest.param(
            {"doi": "10.1002/ange.1"}, {"doi": "10.1002/anie.2"}, {"doi": "other_than_recorded"}, id="other-twin"
        ),
        pytest.param(
            {"doi": "10.1145/1v2"}, {"doi": "10.1145/1"}, {"doi": "other_than_recorded"}, id="no-server-of-versions"
        ),
        pytest.param(
            {"doi": "10.5281/zenodo.2"}, {"doi": "10.5281/zenodo.1"}, {"doi": "of_version"}, id="two-of-zenodo"
        ),
        pytest.param(
            {"doi": "10.5281/zenodo.2"}, {"doi": "10.1145/1"}, {"doi": "other_than_recorded"}, id="zenodo-and-another"
        ),
        pytest.param(
            {"pmid": "1"},
            {"pmid": "2", "isbn": "3"},
            {"pmid": "other_than_recorded", "isbn": "not_cited"},
            id="other-schemes",
        ),
    ],
)
def test_identifiers(cited: dict[str, Any], recorded: dict[str, Any], rules: dict[str, str]) -> None:
    matches = [item for item in identifier_matches(cite("A", **cited), record("A", **recorded)) if item is not None]
    assert {item.field.value: item.rule for item in matches} == {
        scheme: f"{scheme}_{end}" for scheme, end in rules.items()
    }
    for item in matches:
        assert item.differences == (
            (f"{item.claimed} -> {item.found}",) if "other_than" in item.rule or "of_version" in item.rule else ()
        )


def test_every_version_lends_its_identifiers() -> None:
    versions = (Version(identifiers=Identifiers(arxiv_id=f"{ID}v2")), Version(identifiers=Identifiers(doi="10.1145/B")))
    work = record("A", doi="10.1145/a", versions=versions)
    assert work_ids(work, "doi") == {"10.1145/a", "10.1145/b", DOI}
    assert work_ids(work, "arxiv_id") == {ID}
    assert work_ids(work, "pmid") == frozenset()
    assert cited_ids(cite("A", doi="10.48550/ARXIV.1706.03762"), "arxiv_id") == {ID}
    assert cited_ids(cite("A", arxiv_id=ID, doi="10.1145/A"), "doi") == {DOI, "10.1145/a"}


def test_a_doi_of_a_version_stands_beside_that_of_the_text() -> None:
    assert cited_ids(cite("A", doi="10.1101/2020.01.01.123456v2"), "doi") == {
        "10.1101/2020.01.01.123456",
        "10.1101/2020.01.01.123456v2",
    }
