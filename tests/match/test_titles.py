"""The title of a reference against every title of a work: each likeness has its rule, and slips are no faults."""

from __future__ import annotations

import pytest

from citeaudit.match.rank import weigh
from citeaudit.match.rules import RULES
from citeaudit.match.slips import cut_short
from citeaudit.match.titles import title_match
from citeaudit.model import Identifiers, Rank, Reference, Relation, Version, Work, WorkType
from citeaudit.text.titles import Likeness
from tests.match.build import cite, record

LONG = "An overview of growing trees in the soil of far hills"
FORMULA = r"${{\mathrm {Growth}}Out}$: an overview of growing trees in soil"
AUTHORS = "Jane Roe; Max Moe"


@pytest.mark.parametrize(
    ("claimed", "found", "rule"),
    [
        pytest.param("Growth of Trees", "Growth of trees.", "title_same", id="same"),
        pytest.param("Growth of trees", "Growth of trees: a survey", "title_subtitle", id="subtitle"),
        pytest.param("Growth of trees: a survey", "Growth of trees", "title_longer", id="longer"),
        pytest.param("The growth of trees", "Growth of trees", "title_article", id="article"),
        pytest.param("Modelling of trees", "Modeling of trees", "title_spelling", id="spelling"),
        pytest.param("Growth of -means trees", "Growth of k-means trees", "title_formula", id="formula"),
        pytest.param("Growth of trees in soil", "Growth of trees on soil", "title_small_words", id="small"),
        pytest.param("Growth of tree", "Growth of trees", "title_plural", id="plural"),
        pytest.param("Growing of trees", "Grows of trees", "title_inflected", id="inflected"),
        pytest.param("Recogniton of trees", "Recognition of trees", "title_damaged", id="damaged"),
        pytest.param("Causal trees of soil", "Casual trees of soil", "title_differs", id="another-word"),
        pytest.param("Growth of trees, 3", "Growth of trees", "title_differs", id="part"),
        pytest.param("Growth of trees. Part 12", "Growth of trees", "title_differs", id="part-named"),
        pytest.param("Growth of trees. Part iv", "Growth of trees", "title_differs", id="part-roman"),
        pytest.param("Growth of trees. Parting", "Growth of trees", "title_longer", id="no-part"),
        pytest.param("Growth of trees", "Growth of trees. Part 12", "title_subtitle", id="part-left-out"),
        pytest.param(
            "The growth of trees",
            "Das Wachstum der Bäume [The growth of trees].",
            "title_translated",
            id="translation-of-both",
        ),
        pytest.param(
            "Das Wachstum der Bäume [The growth of trees]",
            "Das Wachstum der Bäume",
            "title_translated",
            id="both-cited",
        ),
        pytest.param("Die Eiche = The growth of oak trees", "The growth of oak trees", "title_translated", id="equals"),
        pytest.param("The growth of tree", "Das Wachstum [The growth of trees]", "title_translated", id="nearly"),
        pytest.param(
            "The growth of oaks", "Das Wachstum [The growth of trees]", "title_differs", id="other-translation"
        ),
        pytest.param("[The growth of trees].", "The growth of trees", "title_same", id="translation-alone"),
        pytest.param("Growth of H+ in trees", "Growth of H- in trees", "title_sign_differs", id="another-sign"),
        pytest.param("Growth by 1.5 trees", "Growth by 15 trees", "title_sign_differs", id="point-lost"),
        pytest.param("Growth of C in trees", "Growth of C++ in trees", "title_signs_lost", id="sign-lost"),
        pytest.param("Growth by 10 percent", "Growth by 10\\%", "title_same", id="percent"),
        pytest.param("Growth in O(n) time", "Growth in O(n^2) time", "title_formula_differs", id="formula-in-both"),
        pytest.param("Growth in $O(2^n)$", "Growth in $O(n)$", "title_formula_differs", id="formula-marked-in-both"),
        pytest.param("Growth of $k$-means trees", "Growth of -means trees", "title_formula", id="formula-in-one"),
        pytest.param("Growth of trees, third revised edition", "Growth of trees", "title_differs", id="article"),
        pytest.param("Growth of trees, 4th ed", "Growth of trees, 5th ed", "title_differs", id="another-edition"),
        pytest.param("Growth of trees, third condition", "Growth of trees", "title_differs", id="no-edition"),
        pytest.param("Growth at √(s)=13 TeV", "Growth at s=13 TeV", "title_formula", id="root-lost"),
        pytest.param("Growth at √(s)=13 TeV", "Growth at n=13 TeV", "title_differs", id="another-letter-of-a-root"),
        pytest.param("Growth of ΛCDM models", "Growth of LCDM models", "title_spelling", id="lambda-folded"),
        pytest.param("Growth of ΛCDM models", "Growth of BCDM models", "title_differs", id="another-letter"),
        pytest.param("Trees of the 18th century", "Trees of the eighteenth century", "title_spelling", id="ordinal"),
        pytest.param("Trees of the 18th century", "Trees of the nineteenth century", "title_differs", id="ordinals"),
        pytest.param("Growth of trees [in German]", "Growth of trees", "title_same", id="language"),
        pytest.param("Growth of trees [Retracted]", "Growth of trees", "title_same", id="notice"),
        pytest.param("Growth of trees [a failure in humans]", "Growth of trees", "title_longer", id="no-translation"),
        pytest.param("Growth of trees [Wachstum]", "Growth of trees", "title_longer", id="one-word-translates-none"),
        pytest.param("Growth of trees", "Growth of trees [no use in humans]", "title_subtitle", id="same-language"),
        pytest.param(None, "Growth of trees", "title_not_cited", id="none"),
    ],
)
def test_each_likeness_has_its_rule(claimed: str | None, found: str, rule: str) -> None:
    match, diff = title_match(cite(claimed), record(found))
    assert match.rule == rule
    assert match.relation is RULES[rule].relation
    assert (match.claimed, match.found) == (claimed, found)
    assert (diff is None) is (claimed is None)


def test_score_is_the_better_of_relation_and_distance() -> None:
    assert title_match(cite("Growth of trees"), record("Growth of trees: a survey of all that is"))[0].score == 0.8
    same, _ = title_match(cite("Growth of trees"), record("Growth of trees"))
    assert same.score == 1.0
    near, diff = title_match(cite("Growth of old trees"), record("Growth of big trees"))
    assert diff is not None
    assert near.score == 1.0 - diff.distance
    assert near.differences == ("old -> big",)


def test_an_added_number_is_another_part_of_a_series() -> None:
    _, diff = title_match(cite("Growth of trees, 3"), record("Growth of trees"))
    assert diff is not None
    assert diff.likeness is Likeness.OTHER
    assert diff.differences == ("not in the record: 3",)
    assert diff.changed == 1
    assert diff.numbers_only


@pytest.mark.parametrize(
    ("versions", "rule", "found"),
    [
        pytest.param(("Growth of trees",), "title_version", "Growth of trees", id="same"),
        pytest.param(("Growths of trees",), "title_plural", "Growths of trees", id="near"),
        pytest.param(("Growths of trees", "Growth of trees"), "title_version", "Growth of trees", id="better-later"),
        pytest.param(("Growth of trees", "Growths of trees"), "title_version", "Growth of trees", id="better-first"),
        pytest.param(("Der Wuchs [Growth of trees]",), "title_translated", "Quite a new name", id="translated"),
        pytest.param((None, "Nothing of the kind"), "title_differs", "Quite a new name", id="none"),
    ],
)
def test_the_title_of_any_version_counts(versions: tuple[str | None, ...], rule: str, found: str) -> None:
    work = record("Quite a new name", versions=tuple(Version(title=title) for title in versions))
    match, _ = title_match(cite("Growth of trees"), work)
    assert match.rule == rule
    if rule != "title_differs":
        assert match.found == found


def test_a_translation_alone_anchors_nothing() -> None:
    work = record("Das Wachstum der vielen Bäume [The growth of many trees]", "Ann Other", 2001)
    match, diff = title_match(cite("The growth of many trees"), work)
    assert match.relation is Relation.VARIANT
    assert diff is not None
    assert diff.likeness is Likeness.CUT
    assert weigh(cite("The growth of many trees", "", 2001), work).rank is Rank.POSSIBLE
    assert weigh(cite("The growth of many trees", "Ann Other", 2001), work).anchor == "title_authors"


def _pair(title: str, found: str, authors: str = AUTHORS, **ids: str) -> tuple[Reference, Work]:
    work = record(found, AUTHORS, 2001, doi="10.1/x", arxiv_id="1234.5678", pmid="77", isbn="9780000000002")
    return cite(title, authors, 2001, **ids), work


@pytest.mark.parametrize(
    ("title", "found", "rule"),
    [
        pytest.param("An overview of growing trees", LONG, "title_cut_short", id="opening-words"),
        pytest.param("An", LONG, "title_cut_short", id="one-word"),
        pytest.param("An overview of growing tre", LONG, None, id="inside-a-word"),
        pytest.param("growing trees in the soil", LONG, None, id="not-the-opening"),
        pytest.param("An overview of falling trees", LONG, None, id="another-word"),
        pytest.param(LONG, LONG, None, id="whole"),
        pytest.param(LONG + " and more", LONG, None, id="longer"),
        pytest.param("Growth", FORMULA, "title_cut_at_formula", id="formula"),
        pytest.param("Out", FORMULA, None, id="formula-not-the-opening"),
        pytest.param(
            "Sums of", r"Sums of \(n\) and many other letters", "title_cut_at_formula", id="formula-in-parens"
        ),
        pytest.param("Sums of", "Sums of <mml:math>n</mml:math> terms of all", "title_cut_at_formula", id="mathml"),
        pytest.param("Sums of", "Sums of <mathematics>n terms of all", "title_cut_short", id="no-mathml"),
        pytest.param("!", LONG, None, id="no-words"),
    ],
)
def test_a_title_cut_short_by_an_export(title: str, found: str, rule: str | None) -> None:
    reference, work = _pair(title, found, doi="10.1/x")
    assert cut_short(reference, work) == rule


@pytest.mark.parametrize(
    ("authors", "ids", "known"),
    [
        pytest.param(AUTHORS, {"doi": "10.1/x"}, True, id="doi"),
        pytest.param(AUTHORS, {"arxiv_id": "1234.5678"}, True, id="arxiv"),
        pytest.param(AUTHORS, {"pmid": "77"}, True, id="pmid"),
        pytest.param(AUTHORS, {"isbn": "9780000000002"}, True, id="isbn"),
        pytest.param(AUTHORS, {"doi": "10.1/y"}, False, id="another-doi"),
        pytest.param(AUTHORS, {}, False, id="no-identifier"),
        pytest.param("Ann Other; Bob Further", {"doi": "10.1/x"}, False, id="other-authors"),
        pytest.param("", {"doi": "10.1/x"}, False, id="no-authors"),
    ],
)
def test_a_cut_title_must_have_nothing_to_prove(authors: str, ids: dict[str, str], known: bool) -> None:
    reference, work = _pair("An overview of growing trees", LONG, authors, **ids)
    match, diff = title_match(reference, work)
    assert match.rule == ("title_cut_short" if known else "title_differs")
    assert diff is not None
    assert diff.likeness is Likeness.OTHER
    candidate = weigh(reference, work)
    assert (candidate.anchor == "identifier") is known or authors != AUTHORS


def test_the_title_of_a_version_may_be_the_one_cut() -> None:
    work = Work(
        source="local",
        source_id="1",
        title="Quite another name",
        authors=record("x", AUTHORS).authors,
        identifiers=Identifiers(doi="10.1/x"),
        versions=(Version(), Version(title=FORMULA), Version(title="Growth of many things in the soil")),
    )
    assert cut_short(cite("Growth", AUTHORS, doi="10.1/x"), work) == "title_cut_at_formula"
    assert cut_short(cite(None, AUTHORS, doi="10.1/x"), work) is None


def _read(title: str, raw: str, score: float = 0.9) -> Reference:
    return cite(title, AUTHORS, 2001).model_copy(update={"raw": raw, "parse_score": score})


@pytest.mark.parametrize(
    ("title", "raw", "score", "rule"),
    [
        pytest.param("An overview", f"J. Roe, {LONG}. J. Soil", 0.9, "title_printed", id="read-in-part"),
        pytest.param("An overview", f"J. Roe, {LONG}. J. Soil", 1.0, "title_differs", id="typed"),
        pytest.param("An overview", "J. Roe, An overview of oaks. J. Soil", 0.9, "title_differs", id="not-printed"),
        pytest.param(f"{LONG}. Jour. Soil", f"Roe, {LONG}. Jour. Soil", 0.9, "title_printed", id="with-the-venue"),
        pytest.param(f"Max Moe. {LONG}", f"J. Roe, Max Moe. {LONG}.", 0.9, "title_printed", id="with-an-author"),
        pytest.param(f"{LONG} 2001", f"Roe, {LONG} 2001", 0.9, "title_printed", id="with-the-year"),
        pytest.param(f"{LONG} 2003", f"Roe, {LONG} 2003", 0.9, "title_differs", id="with-another-number"),
        pytest.param(f"{LONG} oaks", f"Roe, {LONG} oaks", 0.9, "title_differs", id="with-another-word"),
        pytest.param(f"{LONG} Pre", f"Roe, {LONG} Pre", 0.9, "title_printed", id="with-the-publisher"),
        pytest.param(f"{LONG} Pr", f"Roe, {LONG} Pr", 0.9, "title_differs", id="too-short-for-the-publisher"),
        pytest.param(f"{LONG} old", f"Roe, {LONG} old", 0.9, "title_printed", id="with-a-version's-venue"),
        pytest.param(f"In {LONG} et al", f"In {LONG} et al", 0.9, "title_printed", id="with-frame-words"),
    ],
)
def test_what_is_printed_in_full_was_only_read_otherwise(title: str, raw: str, score: float, rule: str) -> None:
    work = record(
        LONG, AUTHORS, 2001, container_title="Journal of Soil", publisher="Press",
        versions=(Version(container_title="Older series"),),
    )  # fmt: skip
    match, _ = title_match(_read(title, raw, score), work)
    assert match.rule == rule
    assert match.found == LONG


def test_a_short_title_is_not_looked_for_in_the_print() -> None:
    raw = "Roe, Soil and trees of hills"
    assert title_match(_read("and trees", raw), record("Soil and trees", AUTHORS))[0].rule == "title_differs"
    assert title_match(_read("and trees", raw), record("Soil and trees of hills", AUTHORS))[0].rule == "title_printed"


def test_a_printed_title_is_shown_as_the_work_has_it() -> None:
    work = record(LONG, AUTHORS, 2001, versions=(Version(title="An overview of much"),))
    match, _ = title_match(_read("An overview", f"J. Roe, {LONG}. J. Soil"), work)
    assert (match.rule, match.found) == ("title_printed", LONG)


def test_another_sign_is_one_small_change() -> None:
    match, diff = title_match(cite("Growth by 1.5 trees"), record("Growth by 15 trees"))
    assert match.differences == ("1.5 -> 15",)
    assert diff is not None
    assert (diff.likeness, diff.changed, diff.numbers_only) == (Likeness.OTHER, 1, False)
    assert diff.distance == 1 / len("growthby15trees")


def test_a_version_with_the_cited_sign_is_the_title() -> None:
    work = record("Growth of H- in trees", versions=(Version(title="Growth of H+ in trees"),))
    assert title_match(cite("Growth of H+ in trees"), work)[0].rule == "title_version"


def test_a_lost_sign_is_shown() -> None:
    assert title_match(cite("Trees in C"), record("Trees in C++"))[0].differences == ("C -> C++",)


@pytest.mark.parametrize(
    ("cited", "held", "venue", "rule"),
    [
        pytest.param(WorkType.BOOK, WorkType.BOOK, None, "title_edition", id="book"),
        pytest.param(WorkType.BOOK, WorkType.UNKNOWN, None, "title_edition", id="book-cited"),
        pytest.param(WorkType.UNKNOWN, WorkType.BOOK, "A series", "title_edition", id="book-recorded"),
        pytest.param(WorkType.ARTICLE_JOURNAL, WorkType.BOOK, None, "title_edition", id="book-cited-as-article"),
        pytest.param(WorkType.REPORT, WorkType.UNKNOWN, "A series", "title_edition", id="report"),
        pytest.param(WorkType.UNKNOWN, WorkType.UNKNOWN, None, "title_edition", id="unknown"),
        pytest.param(WorkType.UNKNOWN, WorkType.UNKNOWN, "Journal of Trees", "title_differs", id="journal"),
        pytest.param(WorkType.ARTICLE_JOURNAL, WorkType.UNKNOWN, None, "title_differs", id="article-cited"),
        pytest.param(WorkType.BOOK, WorkType.ARTICLE_JOURNAL, None, "title_differs", id="article-recorded"),
    ],
)
def test_only_books_have_editions(cited: WorkType, held: WorkType, venue: str | None, rule: str) -> None:
    pairs = (
        ("Growth of trees, 4th revised ed.", "Growth of trees"),
        ("Growth of trees", "Growth of trees, third edition"),
    )
    for claimed, found in pairs:
        work = record(found, type=held, container_title=venue)
        assert title_match(cite(claimed, type=cited), work)[0].rule == rule
