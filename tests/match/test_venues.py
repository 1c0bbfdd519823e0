"""Venues: abbreviations and acronyms are the same venue; preprint servers never differ."""

from __future__ import annotations

import pytest

from citeaudit.match.venues import is_preprint, venue_rule


@pytest.mark.parametrize(
    ("claimed", "recorded", "rule"),
    [
        pytest.param("The Lancet", "the lancet", "venue_same", id="case"),
        pytest.param("Phys. Rev. Lett.", "Physical Review Letters", "venue_abbreviated", id="iso4"),
        pytest.param(
            "J. Am. Chem. Soc.", "Journal of the American Chemical Society", "venue_abbreviated", id="stop-words"
        ),
        pytest.param(
            "Proc. Natl. Acad. Sci.", "Proceedings of the National Academy of Sciences", "venue_abbreviated", id="natl"
        ),
        pytest.param("Lancet", "The Lancet", "venue_abbreviated", id="article"),
        pytest.param(
            "CVPR", "IEEE/CVF Conference on Computer Vision and Pattern Recognition", "venue_abbreviated", id="initials"
        ),
        pytest.param("ICLR", "ICLR 2021", "venue_abbreviated", id="acronym-and-year"),
        pytest.param(
            "NeurIPS", "Advances in Neural Information Processing Systems 33", "venue_abbreviated", id="table"
        ),
        pytest.param("NIPS", "NeurIPS", "venue_abbreviated", id="renamed"),
        pytest.param("ACM CSUR", "ACM Computing Surveys", "venue_abbreviated", id="table-word"),
        pytest.param(
            "International Conference on Machine Learning",
            "Proceedings of the 37th International Conference on Machine Learning",
            "venue_abbreviated",
            id="proceedings-of",
        ),
        pytest.param(
            "Journal of Machine Learning", "Journal of Machine Learning Research", "venue_abbreviated", id="word-short"
        ),
        pytest.param("Phys. Rev. A", "Physical Review A", "venue_abbreviated", id="last-letter"),
        pytest.param("Physical Review A", "Physical Review B", "venue_differs", id="other-letter"),
        pytest.param("Nature", "Nature Communications", "venue_differs", id="one-word-of-two"),
        pytest.param("CVPR", "ICCV", "venue_differs", id="two-acronyms"),
        pytest.param(
            "ICML", "International Conference on Learning Representations", "venue_differs", id="other-initials"
        ),
        pytest.param(
            "IEEE Transactions on Image Processing",
            "IEEE Transactions on Signal Processing",
            "venue_differs",
            id="ieee",
        ),
        pytest.param("arXiv preprint arXiv:2408.05147", "ICLR", "venue_preprint", id="arxiv-claimed"),
        pytest.param("ICLR", "CoRR", "venue_preprint", id="corr-recorded"),
        pytest.param("bioRxiv", "bioRxiv", "venue_same", id="both"),
    ],
)
def test_venue_names_are_related(claimed: str, recorded: str, rule: str) -> None:
    assert venue_rule(claimed, recorded) == rule
    assert venue_rule(recorded, claimed) == rule


@pytest.mark.parametrize(
    "name", ["arXiv", "CoRR abs/1706.03762", "medRxiv", "SSRN Electronic Journal", "ArXiv e-prints"]
)
def test_preprint_servers_are_known(name: str) -> None:
    assert is_preprint(name)


def test_journals_are_no_preprint_servers() -> None:
    assert not is_preprint("Correspondence of the Society")


def test_hostile_names_are_cut() -> None:
    assert venue_rule("a " * 500_000, "Physical Review Letters") == "venue_differs"
