"""Registrants of DOIs: which numbers were given out, and which a venue's papers have."""

from __future__ import annotations

import pytest

from citeaudit.match.registrants import is_given_out, is_usual, registrant


@pytest.mark.parametrize(
    ("doi", "number"),
    [
        ("10.1145/3292500", "1145"),
        ("10.1000.10/123", "1000"),
        ("10.123456789/x", "123456789"),
        ("10.17/x", None),
        ("10.1145", None),
        ("doi:10.1145/3", None),
        ("", None),
    ],
)
def test_the_number_of_a_registrant_is_read(doi: str, number: str | None) -> None:
    assert registrant(doi) == number


@pytest.mark.parametrize(
    ("number", "given"),
    [
        pytest.param("1000", True, id="first"),
        pytest.param("7999", True, id="last-of-four-digits"),
        pytest.param("8000", False, id="after-it"),
        pytest.param("9700", True, id="late-block"),
        pytest.param("9799", True, id="late-block-end"),
        pytest.param("9699", False, id="before-the-late-block"),
        pytest.param("9800", False, id="after-the-late-block"),
        pytest.param("9999", False, id="nines"),
        pytest.param("10000", True, id="five-digits"),
        pytest.param("48550", True, id="arxiv"),
        pytest.param("79999", True, id="open-end"),
        pytest.param("80000", False, id="after-it-five"),
        pytest.param("82433", True, id="datacite"),
        pytest.param("84000", False, id="after-datacite"),
        pytest.param("123456", False, id="six-digits"),
        pytest.param("1234", False, id="example"),
        pytest.param("12345", False, id="example-of-five"),
        pytest.param("5072", False, id="test-prefix"),
        pytest.param("5555", True, id="printed-on-real-works"),
        pytest.param("1235", True, id="beside-an-example"),
    ],
)
def test_numbers_are_given_out_in_blocks(number: str, given: bool) -> None:
    assert is_given_out(number) is given


@pytest.mark.parametrize(
    ("number", "venue", "usual"),
    [
        pytest.param("1145", "ICLR", True, id="large-publisher"),
        pytest.param("48550", "ICLR", True, id="preprint"),
        pytest.param("47281", "ICLR 2021", False, id="stranger"),
        pytest.param("47281", "International Conference on Learning Representations", False, id="long-name"),
        pytest.param("47281", "Journal of Cheese", True, id="venue-of-which-nothing-is-known"),
        pytest.param("47281", "", True, id="no-venue"),
        pytest.param("5591", "IJCAI", True, id="own"),
        pytest.param("5591", "CVPR", False, id="anothers"),
        pytest.param("5591", "IJCAI and CVPR", True, id="one-of-two"),
        pytest.param("20380", "Medical Image Analysis", True, id="unlisted-journal"),
    ],
)
def test_a_venue_has_its_registrants(number: str, venue: str, usual: bool) -> None:
    assert is_usual(number, venue) is usual
