"""LaTeX becomes readable text, whatever it is."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.text.latex import MAX_DEPTH, MAX_LATEX, to_text


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        pytest.param("Plain text", "Plain text", id="plain"),
        pytest.param(r"{\'A}d{\'a}m", "Ádám", id="braced-accent"),
        pytest.param(r"Heged{\H u}s, Erd{\H o}s, Erd\H{o}s", "Hegedűs, Erdős, Erdős", id="double-acute"),
        pytest.param(r"M\"uller, {\"u}ber, T\"{o}r\"{o}k", "Müller, über, Török", id="diaeresis"),
        pytest.param(r"Stra{\ss}e, {\o}re, \AA rhus", "Straße, øre, Århus", id="letters"),
        pytest.param(r"{\v{C}}ech, \c{c}a, Gar\c con", "Čech, ça, Garçon", id="caron-cedilla"),
        pytest.param(r"Garc{\'{\i}}a, Mart\'{\i}nez, na{\"\i}ve", "García, Martínez, naïve", id="dotless-i"),
        pytest.param(r"{\L}ukasiewicz", "Łukasiewicz", id="stroke"),
        pytest.param("a -- b --- c", "a – b — c", id="dashes"),
        pytest.param(r"Vol.~1 \& 2, 50\% of \#1", "Vol. 1 & 2, 50% of #1", id="escapes"),
        pytest.param("50% of it", "50% of it", id="bare-percent"),
        pytest.param("{CNN}s and {{NP}}-hard", "CNNs and NP-hard", id="braces"),
        pytest.param(r"\emph{Foo} \textbf{bar}", "Foo bar", id="macros"),
        pytest.param(r"$\alpha$-helix, $x^2$", "α-helix, x^2", id="math"),
        pytest.param(r"CO\textsubscript{2} and \LaTeX", "CO2 and LaTeX", id="subscript"),
        pytest.param(r"Models with \texttt{lme4} in \textsf{R}", "Models with lme4 in R", id="typewriter"),
        pytest.param(
            r"\textrm{a} \textmd{b} \textup{c} \textnormal{d} \textsc{e} \text{f} \mathsf{g}",
            "a b c d e f g",
            id="fonts",
        ),
        pytest.param(r"\textit{Deep \texttt{net} work}", "Deep net work", id="nested-fonts"),
        pytest.param(r"\textcolor{red}{Marked} \colorbox{blue}{box}", "Marked box", id="colour"),
        pytest.param(r"The \texorpdfstring{$H_0$}{H0} tension", "The H0 tension", id="bookmark"),
        pytest.param(r"$\mathcal{O}(n)$", "O(n)", id="math-font"),
        pytest.param(r"\url{https://example.org/a}", "https://example.org/a", id="url"),
        pytest.param("``quoted''", "“quoted”", id="quotes"),
        pytest.param(r"\begin{x} kept \end{x}", "x kept x", id="environment"),
        pytest.param(r"{\em Foo} and {\bf bar}", "Foo and bar", id="switches"),
        pytest.param(r"$\Lambda$CDM at 10$^{-3}$ \textit{in vivo}", "ΛCDM at 10^-3 in vivo", id="simple-math"),
        pytest.param(r"\$5 and $x$ -- done", "$5 and x – done", id="dollar"),
        pytest.param(r"a\,b \textendash{} c", "a b – c", id="thin-space"),
        pytest.param("", "", id="empty"),
        pytest.param("\\", "", id="lone-backslash"),
        pytest.param("}{", "", id="unbalanced"),
        pytest.param(r"a \unknown{b}", "a b", id="unknown-macro"),
    ],
)
def test_latex_is_readable(latex: str, expected: str) -> None:
    assert to_text(latex) == expected


@given(st.text(alphabet="\\{}$&%'\"^_~abcHuv[]() \n", max_size=80))
def test_any_latex_gives_text(latex: str) -> None:
    text = to_text(latex)
    assert "\n" not in text
    assert text == text.strip()


@given(st.text(alphabet=st.characters(exclude_characters="\\{}$~`'-_", exclude_categories=["Cs", "Cc"]), max_size=60))
def test_text_without_markup_is_only_squashed(text: str) -> None:
    assert to_text(text) == " ".join(text.split())


@pytest.mark.parametrize("unit", ["\\", "{", "$", "\\'", "a", "\\a", "{\\'a", "\\frac", "$x^", "\\begin{a}", "%\\"])
def test_hostile_latex_is_read_in_linear_time(unit: str) -> None:
    latex = (unit * 100_000)[: max(MAX_LATEX - 1, 5_000)]
    started = time.perf_counter()
    to_text(latex)
    to_text((unit * 300_000)[:300_000])
    assert time.perf_counter() - started < 20


def test_deep_braces_only_lose_their_braces() -> None:
    depth = MAX_DEPTH + 5
    assert to_text("{" * depth + r"\emph{x}" + "}" * depth) == "x"


def test_nothing_is_logged_for_macros_without_arguments(caplog: pytest.LogCaptureFixture) -> None:
    to_text(r"$\frac$")
    assert not caplog.records
