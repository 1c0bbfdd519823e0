from __future__ import annotations

import time

import pytest

from citeaudit.extract.pdf.hyphens import unbreak
from citeaudit.extract.pdf.rows import make_row, vocabulary
from tests.pdf.pages import span

WORDS = {
    "information": 2,
    "self-supervised": 1,
    "stackguard": 1,
    "StackGuard": 1,
    "science": 3,
    "journal": 4,
    "graph": 2,
    "theoretic": 1,
    "deep": 3,
}


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        pytest.param(["On infor-", "mation"], "On information", id="known-word"),
        pytest.param(["self-", "supervised nets"], "self-supervised nets", id="known-compound"),
        pytest.param(["Stack-", "guard: guarding"], "StackGuard: guarding", id="capital-inside"),
        pytest.param(["Stack-", "Guard: guarding"], "StackGuard: guarding", id="capital-inside-printed"),
        pytest.param(["a graph-", "theoretic view"], "a graph-theoretic view", id="both-halves-known"),
        pytest.param(["fine-", "tuned models"], "fine-tuned models", id="fine-tuned"),
        pytest.param(["pre-", "trained models"], "pre-trained models", id="pre-trained"),
        pytest.param(["large-", "scale study"], "large-scale study", id="large-scale"),
        pytest.param(["soft hy\u00ad", "phen"], "soft hyphen", id="soft"),
        pytest.param(["un\u2010", "heard of"], "unheard of", id="unicode-hyphen"),
        pytest.param(["pages 1–", "5"], "pages 1–5", id="range"),
        pytest.param(["Smith-", "Jones"], "Smith-Jones", id="double-name"),
        pytest.param(["doi:10.1126/sci-", "ence.1072702"], "doi:10.1126/science.1072702", id="doi-cut-in-a-word"),
        pytest.param(["10.1371/jour-", "nal.pone.1"], "10.1371/journal.pone.1", id="doi-cut-at-another"),
        pytest.param(["10.1038/s41467-", "020-1"], "10.1038/s41467-020-1", id="doi-with-its-own-hyphen"),
        pytest.param(["https://x.org/deep-", "learning/1"], "https://x.org/deep-learning/1", id="address"),
        pytest.param(["https://x.org/a", "Accessed 2020"], "https://x.org/a Accessed 2020", id="address-ends"),
        pytest.param(["深度", "学习"], "深度学习", id="cjk"),
        pytest.param(["a", "", "b"], "a b", id="empty-line"),
    ],
)
def test_lines_join_in_the_writing_of_the_document(lines: list[str], text: str) -> None:
    assert unbreak(lines, WORDS) == text


def test_vocabulary_keeps_words_with_capitals_inside() -> None:
    row = make_row(1, 0, [span("We built StackGuard for McDonald")])
    assert row is not None
    words = vocabulary([row])
    assert (words["StackGuard"], words["stackguard"]) == (1, 1)


@pytest.mark.parametrize("char", ["a", "(", "-", "/", "1"])
def test_long_lines_take_no_time(char: str) -> None:
    started = time.monotonic()
    unbreak([char * 1_000_000, "b-", char * 1_000_000], {})
    assert time.monotonic() - started < 1
