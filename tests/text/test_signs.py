"""Signs of titles that have the same letters: lost ones say nothing, others in their place do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.text.signs import Sign, compare_signs


@pytest.mark.parametrize(
    ("claimed", "found", "sign", "shown"),
    [
        pytest.param("Flow of H+ ions", "Flow of H- ions", Sign.OTHER, "H+ -> H-", id="charge"),
        pytest.param("Flow of Na(+) ions", "Flow of Na− ions", Sign.OTHER, "Na(+) -> Na-", id="charge-in-parentheses"),
        pytest.param("Flow of Na$^{+}$ ions", "Flow of Na+ ions", Sign.SAME, "", id="charge-in-latex"),
        pytest.param("Flow of Na⁺/K ions", "Flow of Na+/K ions", Sign.SAME, "", id="charge-raised"),
        pytest.param("On CD4+ T cells", "On CD4- T cells", Sign.OTHER, "CD4+ -> CD4-", id="marker"),
        pytest.param("Trees in C#", "Trees in C++", Sign.OTHER, "C# -> C++", id="language"),
        pytest.param("Trees in C\\#", "Trees in C♯", Sign.SAME, "", id="language-sharp"),
        pytest.param("Trees in C", "Trees in C++", Sign.LOST, "C -> C++", id="language-lost"),
        pytest.param("Trees in C, now", "Trees in C#, now", Sign.LOST, "C, now -> C#, now", id="lost-before-comma"),
        pytest.param("A* search of trees", "A+ search of trees", Sign.OTHER, "A* -> A+", id="star-and-plus"),
        pytest.param("A search of trees*", "A search of trees", Sign.SAME, "", id="mark-of-a-note"),
        pytest.param("Pre- and postfix trees", "Pre and postfix trees", Sign.SAME, "", id="suspended-hyphen"),
        pytest.param("Text+image trees", "Text-image trees", Sign.SAME, "", id="plus-between-words"),
        pytest.param("If p < 0.05 in trees", "If p > 0.05 in trees", Sign.OTHER, "p < 0 -> p > 0", id="less"),
        pytest.param("If p &lt; 5 in trees", "If p < 5 in trees", Sign.SAME, "", id="entity"),
        pytest.param("If p 5 in trees", "If p < 5 in trees", Sign.LOST, "p 5 -> p < 5", id="relation-lost"),
        pytest.param("If x = y there", "If x ≠ y there", Sign.OTHER, "x = y -> x ≠ y", id="equal"),
        pytest.param("If x ≤ y there", "If x ≥ y there", Sign.OTHER, "x ≤ y -> x ≥ y", id="at-most"),
        pytest.param("If x <= y there", r"If $x \leq y$ there", Sign.SAME, "", id="typed-relation"),
        pytest.param("If x != y there", "If x ≠ y there", Sign.SAME, "", id="typed-unequal"),
        pytest.param("From x -> y there", "From x → y there", Sign.SAME, "", id="arrow"),
        pytest.param("From x -> y there", "From x > y there", Sign.LOST, "x   y -> x > y", id="arrow-is-no-relation"),
        pytest.param("A 1.5-approximation", "A 15-approximation", Sign.JOINED, "1.5 -> 15", id="point"),
        pytest.param("A view in 25D here", "A view in 2.5D here", Sign.JOINED, "25D -> 2.5D", id="point-found"),
        pytest.param("Errors of type 1/2", "Errors of type 12", Sign.JOINED, "1/2 -> 12", id="stroke"),
        pytest.param("Spins of ½ here", "Spins of 1/2 here", Sign.SAME, "", id="fraction"),
        pytest.param("Spins of 1/2 here", "Spins of 1.2 here", Sign.OTHER, "1/2 -> 1.2", id="stroke-and-point"),
        pytest.param("Odds of 1:2 here", "Odds of 1/2 here", Sign.SAME, "", id="colon"),
        pytest.param("Helium at 4,2 K", "Helium at 4.2 K", Sign.SAME, "", id="decimal-comma"),
        pytest.param("Helium at 4,2 K", "Helium at 42 K", Sign.JOINED, "4,2 -> 42", id="decimal-comma-lost"),
        pytest.param("Helium at 4 2 K", "Helium at 4.2 K", Sign.SAME, "", id="point-to-space"),
        pytest.param("Some 10,000 trees", "Some 10000 trees", Sign.SAME, "", id="thousands"),
        pytest.param("Some 10.000 trees", "Some 10 000 trees", Sign.SAME, "", id="thousands-by-space"),
        pytest.param("Some 1/100 trees", "Some 1100 trees", Sign.JOINED, "1/100 -> 1100", id="stroke-is-no-thousand"),
        pytest.param("From 1990--2000 on", "From 19902000 on", Sign.SAME, "", id="dash-lost"),
        pytest.param("Some 10^5 trees", "Some 105 trees", Sign.SAME, "", id="power-lost"),
        pytest.param("Wheat at +5 degrees", "Wheat at -5 degrees", Sign.OTHER, "at +5 -> at -5", id="unary"),
        pytest.param("Wheat at −5 degrees", "Wheat at 5 degrees", Sign.LOST, "at -5 -> at 5", id="minus-lost"),
        pytest.param("Wheat at ±5 degrees", "Wheat at +/-5 degrees", Sign.SAME, "", id="plus-minus"),
        pytest.param("GPT-4 of trees", "GPT4 of trees", Sign.SAME, "", id="hyphen-before-a-number"),
        pytest.param("Some 10\\% of trees", "Some 10 per cent of trees", Sign.SAME, "", id="percent"),
        pytest.param("Trees of H+", "Seas of H-", Sign.SAME, "", id="other-letters"),
        pytest.param("+", "-", Sign.SAME, "", id="no-letters"),
        pytest.param("H+ and K+ trees", "H- and K- trees", Sign.OTHER, "H+ -> H-; K+ -> K-", id="twice"),
        pytest.param("H+ and C trees", "H- and C# trees", Sign.OTHER, "H+ -> H-", id="only-the-worst"),
    ],
)
def test_signs_of_titles_with_the_same_letters(claimed: str, found: str, sign: Sign, shown: str) -> None:
    seen = compare_signs(claimed, found)
    assert (seen.sign, "; ".join(seen.differences)) == (sign, shown)
    assert compare_signs(found, claimed).sign is sign


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_is_refused_and_order_does_not_matter(one: str, other: str) -> None:
    assert compare_signs(one, one) == (Sign.SAME, ())
    assert compare_signs(one, other).sign is compare_signs(other, one).sign
