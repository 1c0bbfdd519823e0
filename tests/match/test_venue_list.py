"""The list of venues: abbreviated names are found in it, invented ones are not, and only names of venues are sought."""

from __future__ import annotations

import pytest

from citeaudit.match.venue_list import is_listed, is_venue
from citeaudit.text.lists import read_rows


@pytest.mark.parametrize(
    "name",
    [
        "Journal of Machine Learning Research",
        "J. Mach. Learn. Res.",
        "Finance Research Letters",
        "Proceedings of the Winter Simulation Conference",
        "IEEE Trans. Ind. Informat.",
        "IEEE Transactions on Industrial Informatics",
        "Phys. Rev. X",
        "Annual Review of Condensed Matter Physics",
        "ICLR",
        "2019 IEEE Conference on Decision and Control (CDC), Nice",
        "Nature",
        "",
        "Proceedings of the",
    ],
)
def test_venues_that_exist_are_listed(name: str) -> None:
    assert is_listed(name)


@pytest.mark.parametrize(
    "name",
    [
        "Journal of Adversarial Cheese Learning",
        "International Conference on Quantum Cheese",
        "Symposium on Cheese Paradigms",
        "Cheese",
    ],
)
def test_invented_venues_are_not(name: str) -> None:
    assert not is_listed(name)


@pytest.mark.parametrize(
    ("name", "venue"),
    [
        ("Journal of Cheese", True),
        ("Proc. of Cheese", True),
        ("CHEESE'19 Workshop", True),
        ("NeurIPS", True),
        ("Nature", True),
        ("Cheese Research Tech", False),
        ("University of Elsewhere", False),
    ],
)
def test_names_of_venues_are_told_from_others(name: str, venue: bool) -> None:
    assert is_venue(name) is venue


def test_the_list_is_plain() -> None:
    rows = [row[0] for row in read_rows("citeaudit.match", "venue_names.txt")]
    assert rows == sorted(set(rows))
    assert len(rows) > 4_000
    assert all(word.isascii() and word.isalpha() for row in rows for word in row.split())
