"""ArXiv ids: the month they bear, and which cannot be."""

from __future__ import annotations

from datetime import date

import pytest

from citeaudit.match.arxiv_ids import arxiv_month, arxiv_rule

TODAY = date(2026, 6, 15)


@pytest.mark.parametrize(
    ("text", "month"),
    [
        pytest.param("1706.03762", (2017, 6), id="new"),
        pytest.param("1706.03762v7", (2017, 6), id="version"),
        pytest.param("0704.0001", (2007, 4), id="first-new"),
        pytest.param("hep-th/9901001", (1999, 1), id="old"),
        pytest.param("hep-th/9107001v2", (1991, 7), id="first-old"),
        pytest.param("math.AG/0703001", (2007, 3), id="subject-class"),
        pytest.param("2413.01234", (2024, 13), id="unchecked"),
        pytest.param("170.03762", None, id="no-month"),
        pytest.param("1706.037621", None, id="six-digits"),
        pytest.param("", None, id="empty"),
    ],
)
def test_an_id_bears_its_month(text: str, month: tuple[int, int] | None) -> None:
    assert arxiv_month(text) == month


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("1706.03762v7", None, id="right"),
        pytest.param("1212.12345", "arxiv_id_malformed", id="five-digits-before-2015"),
        pytest.param("1412.1234", None, id="four-digits-before-2015"),
        pytest.param("1501.1234", "arxiv_id_malformed", id="four-digits-from-2015"),
        pytest.param("1501.00001", None, id="first-of-five-digits"),
        pytest.param("2400.01234", "arxiv_id_impossible", id="month-0"),
        pytest.param("2412.01234", None, id="month-12"),
        pytest.param("2413.01234", "arxiv_id_impossible", id="month-13"),
        pytest.param("0704.0001", None, id="first-month"),
        pytest.param("0703.0001", "arxiv_id_impossible", id="before-the-first-month"),
        pytest.param("2606.00001", None, id="this-month"),
        pytest.param("2607.00001", "arxiv_id_impossible", id="next-month"),
        pytest.param("9901.0001", "arxiv_id_impossible", id="nineties-in-the-new-form"),
        pytest.param("1706.00000", "arxiv_id_impossible", id="number-0"),
        pytest.param("2510.50001", "arxiv_id_impossible", id="more-than-ever"),
        pytest.param("2510.50000", "arxiv_id_unlikely", id="more-than-known"),
        pytest.param("1706.14482", None, id="a-quarter-more"),
        pytest.param("1706.14483", "arxiv_id_unlikely", id="more-than-a-quarter"),
        pytest.param("0801.9999", None, id="year-without-a-figure"),
        pytest.param("hep-th/9901001", None, id="old"),
        pytest.param("hep-th/9107001", None, id="old-first"),
        pytest.param("hep-th/9106001", "arxiv_id_impossible", id="old-before-the-first"),
        pytest.param("hep-th/0703001", None, id="old-last"),
        pytest.param("hep-th/0704001", "arxiv_id_impossible", id="old-after-the-last"),
        pytest.param("hep-th/9913001", "arxiv_id_impossible", id="old-month-13"),
        pytest.param("nonsense", None, id="no-id"),
    ],
)
def test_an_id_is_checked(text: str, rule: str | None) -> None:
    assert arxiv_rule(text, TODAY) == rule


@pytest.mark.parametrize(
    ("today", "rule"),
    [
        (date(2026, 6, 27), "arxiv_id_impossible"),
        (date(2026, 6, 28), None),
        (date(2026, 7, 1), None),
        (date(2026, 5, 31), None),
    ],
)
def test_the_last_days_of_a_month_let_the_next_pass(today: date, rule: str | None) -> None:
    text = "2606.00001" if today.month == 5 else "2607.00001"
    assert arxiv_rule(text, today) == rule


def test_the_year_turns() -> None:
    assert arxiv_rule("2701.00001", date(2026, 12, 30)) is None
    assert arxiv_rule("2702.00001", date(2026, 12, 30)) == "arxiv_id_impossible"
