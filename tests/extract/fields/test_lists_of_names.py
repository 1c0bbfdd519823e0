"""Where a list of names ends, and which words of it are names."""

from __future__ import annotations

import pytest

from citeaudit.extract.fields.reader import read_fields


@pytest.mark.parametrize(
    ("raw", "families", "title"),
    [
        pytest.param(
            "Pengbo Roe, Yiding Sun, and Haozhe Poe. Stronger Rows. 2024.",
            ["Roe", "Sun", "Poe"],
            "Stronger Rows",
            id="two-word-title",
        ),
        pytest.param(
            "Si Wang, Zhehan Li, Jiadong Lu, Rong Xiong, Yanjun Cao, and Yue Wang. Mr. Row: Sowing side by side. 2025.",
            ["Wang", "Li", "Lu", "Xiong", "Cao", "Wang"],
            "Mr. Row: Sowing side by side",
            id="title-with-a-stop",
        ),
        pytest.param(
            "Jun Gao, Yongqi Li, Ziqiang Cao, and Wenjie Li. Interleaved rows, 2025. URL https://example.org/rows.",
            ["Gao", "Li", "Cao", "Li"],
            "Interleaved rows",
            id="year-behind-a-comma",
        ),
    ],
)
def test_a_list_that_closes_itself_is_read_to_its_end(raw: str, families: list[str], title: str) -> None:
    reference = read_fields(raw)
    assert [person.family for person in reference.authors] == families
    assert reference.title == title


@pytest.mark.parametrize(
    ("names", "families"),
    [
        pytest.param("Das, T., Roe, G. S., & Poe, V. S.", ["Das", "Roe", "Poe"], id="a-capital-particle-is-a-name"),
        pytest.param("Ur, B., van der Berg, J., & Poe, V.", ["Ur", "van der Berg", "Poe"], id="a-small-one-is-none"),
        pytest.param("Priyanka, Roe, U. C., & Poe, M.", ["Priyanka", "Roe", "Poe"], id="one-name-alone"),
    ],
)
def test_family_names_before_initials(names: str, families: list[str]) -> None:
    reference = read_fields(f"{names} (2012). On the width of margins. Layout Review, 3(2), 4-9.")
    assert [person.family for person in reference.authors] == families


@pytest.mark.parametrize("end", [", 2000.", ". 2000.", ", 2000;10(5):473-81."])
def test_the_first_year_of_a_journal_is_not_that_of_issue(end: str) -> None:
    raw = f"L Roe, D Poe and DE Doe. Matching two imagined margins. Layout review (New York, N.Y. : 1991){end}"
    assert read_fields(raw).year == 2000
