"""How reasons put names, texts and lists into words."""

from __future__ import annotations

import pytest

from citeaudit.model import FieldName
from citeaudit.policy.words import REASONS, holders, label, listed, quoted, reason_of, sources, verb
from tests.match.build import cite, found, record, silent, weighed

CITED = cite("Sand ripples beneath standing waves", "Ann Roe", 2001)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("doi", "DOI"),
        ("arxiv_id", "arXiv id"),
        ("pmid", "PMID"),
        ("pmcid", "PMCID"),
        ("isbn", "ISBN"),
        ("container_title", "venue"),
        ("year", "year"),
        ("title", "title"),
    ],
)
def test_label(field: str, words: str) -> None:
    assert label(field) == words


@pytest.mark.parametrize(
    ("names", "words"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_listed(names: tuple[str, ...], words: str) -> None:
    assert listed(names) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [("short", "“short”"), ("x" * 160, f"“{'x' * 160}”"), ("x" * 161, f"“{'x' * 157}...”")],
    ids=["short", "one-line", "cut"],
)
def test_quoted(text: str, words: str) -> None:
    assert quoted(text) == words


@pytest.mark.parametrize(
    ("names", "form"), [(("a",), "holds"), (("a", "b"), "hold"), (("a", "b", "c"), "hold")], ids=["one", "two", "three"]
)
def test_verb(names: tuple[str, ...], form: str) -> None:
    assert verb(names, "holds", "hold") == form


def test_a_reason_keeps_what_it_is_given() -> None:
    plain = reason_of("anchored", "A sentence.")
    assert (plain.code, plain.text, plain.sources, plain.field) == ("anchored", "A sentence.", (), None)
    full = reason_of("field_differs", "Another.", ("a", "b"), FieldName.YEAR)
    assert (full.code, full.text, full.sources, full.field) == (
        "field_differs",
        "Another.",
        ("a", "b"),
        FieldName.YEAR,
    )


def test_every_reason_is_one_sentence() -> None:
    assert all(text[0].isupper() and text.endswith(".") for text in REASONS.values())
    assert len(set(REASONS.values())) == len(REASONS)


def test_names_of_sources_stand_once_and_sorted() -> None:
    works = [record("Sand ripples", "Ann Roe", 2001, source=name) for name in ("b", "a", "b")]
    lookups = [silent(CITED, "d"), silent(CITED, "c"), silent(CITED, "d")]
    assert sources(lookups) == ("c", "d")
    evidence = weighed(CITED, found(CITED, *works))
    assert holders((*evidence.candidates, *evidence.candidates)) == ("a", "b")
