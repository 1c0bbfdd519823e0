"""What a verdict says in words: code, sentence, sources and field of every reason, in their order."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.errors import FailureKind
from citeaudit.model import (
    OFFLINE_INDEX,
    Coverage,
    Failure,
    Flag,
    Identifiers,
    Lookup,
    Notice,
    NoticeType,
    Opinion,
    Outcome,
    Policy,
    QueryKind,
    QuoteCheck,
    QuoteStatus,
    Reference,
    Work,
    WorkType,
)
from tests.match.build import ask, cite, found, judge, record, silent

TITLE = "Sand ripples beneath standing waves of finite depth"
US, THEM = "Ann Roe; Bob Poe", "Cyril Doe; Dora Loe"
FAR = "Feathers of the great northern diver in winter"
WORK = record(TITLE, US, 2001, container_title="Dunes", volume="3", pages="1-9")
CITED = cite(TITLE, US, 2001)
MORE = cite(TITLE, US + "; Eve Moe", 2001)
WITH_DOI = cite(TITLE, US, 2001, doi="10.1016/x")
STRICT = Policy(quorum=1)
ANCHORED = f"local holds this work: “{TITLE}” (rule title_authors)."
EVE = "The authors differ from the record in local (rule author_not_in_record): not in the record: Eve Moe."
TWO = "a and b found no match."
UNCERTAIN = "The reading is uncertain (parse score 0.79), so silence says nothing; compare it with the document first."
Said = tuple[str, str, tuple[str, ...], str | None]


def _down(reference: Reference, **fields: Any) -> Lookup:
    return ask(reference, Outcome.UNAVAILABLE, **fields)


def _twice(reference: Reference) -> tuple[Lookup, Lookup]:
    return silent(reference, "a"), silent(reference, "b")


def _index(name: str) -> Lookup:
    return silent(CITED, name, lineage=OFFLINE_INDEX, coverage=Coverage.NONE)


def _named(reference: Reference, work: Work) -> Lookup:
    return found(reference, work, kind=QueryKind.DOI, source="registry")


DAMAGED = _down(CITED, source="a").model_copy(
    update={"failure": Failure(kind=FailureKind.DAMAGED, message="index a is damaged; build it again.")}
)
THESIS, PAGE = cite(TITLE, US, 2001, type=WorkType.THESIS), "https://example.org/d"
ADDRESS = cite("Dunes of the coast today", "", None, type=WorkType.UNKNOWN, url=PAGE)
OTHER = record(FAR, THEM, 2001, doi="10.1016/x", source="registry")
DEAD = ask(WITH_DOI, Outcome.NO_MATCH, kind=QueryKind.DOI, source="registry", coverage=Coverage.AUTHORITATIVE)
PLACED = cite(TITLE, US, 2001, container_title="Dunes", pages="4-7")
NEW = cite(TITLE, US, 2025, doi="10.1016/x")
NEWEST = cite(TITLE, US, 2026, doi="10.1016/x")
THEIRS = cite(TITLE, THEM, 2001, container_title="Dunes")
LATE = cite(TITLE, US, 2031)
IMPOSSIBLE = cite(TITLE, US, 2001, arxiv_id="2413.01234")


@pytest.mark.parametrize(
    ("reference", "lookups", "policy", "said"),
    [
        pytest.param(CITED, (found(CITED, WORK),), None, [("anchored", ANCHORED, ("local",), None)], id="anchored"),
        pytest.param(
            PLACED,
            (found(PLACED, WORK),),
            Policy(counted=("pages_differs",)),
            [
                (
                    "field_differs",
                    "The pages differ from the record in local (rule pages_differs): 4-7 -> 1-9.",
                    ("local",),
                    "pages",
                ),
                ("anchored", ANCHORED, ("local",), None),
            ],
            id="pages",
        ),
        pytest.param(
            MORE,
            (found(MORE, WORK),),
            None,
            [("field_differs", EVE, ("local",), "authors"), ("anchored", ANCHORED, ("local",), None)],
            id="authors",
        ),
        pytest.param(
            cite(TITLE, US, 2009),
            (found(cite(TITLE, US, 2009), WORK),),
            None,
            [
                (
                    "field_differs",
                    "The year differs from the record in local (rule year_differs): 2009 -> 2001.",
                    ("local",),
                    "year",
                ),
                ("anchored", ANCHORED, ("local",), None),
            ],
            id="year",
        ),
        pytest.param(CITED, _twice(CITED), None, [("no_match", TWO, ("a", "b"), None)], id="no-match"),
        pytest.param(
            CITED,
            (found(CITED, record(FAR, THEM, 1999), source="a"), silent(CITED, "b")),
            None,
            [("no_match", "a and b found no match and gave other works only.", ("a", "b"), None)],
            id="no-match-but-others",
        ),
        pytest.param(
            CITED,
            (silent(CITED, "a"),),
            None,
            [("too_few_answers", "a found no match, but 2 independent answers are needed.", ("a",), None)],
            id="one-answer",
        ),
        pytest.param(
            CITED,
            (_down(CITED, source="a"), silent(CITED, "b")),
            None,
            [
                ("source_failed", "a could not answer (TIMED_OUT).", ("a",), None),
                ("too_few_answers", "b found no match, but 2 independent answers are needed.", ("b",), None),
            ],
            id="failed",
        ),
        pytest.param(
            MORE,
            (found(MORE, WORK), _down(MORE, source="b")),
            None,
            [
                (
                    "second_opinion_missing",
                    "A record differs from the reference, but b may hold one that agrees and could not be asked.",
                    ("b",),
                    None,
                ),
                ("source_failed", "b could not answer (TIMED_OUT).", ("b",), None),
                ("field_differs", EVE, ("local",), "authors"),
                ("anchored", ANCHORED, ("local",), None),
            ],
            id="differs-and-failed",
        ),
        pytest.param(
            CITED,
            (DAMAGED,),
            None,
            [("source_failed", "a could not answer: index a is damaged; build it again.", ("a",), None)],
            id="damaged",
        ),
        pytest.param(
            CITED,
            (silent(CITED, "a", coverage=Coverage.NONE),),
            None,
            [
                (
                    "not_covering",
                    "a found no match, which says nothing: such works are outside the stated coverage.",
                    ("a",),
                    None,
                )
            ],
            id="service-without-coverage",
        ),
        pytest.param(
            CITED,
            (_index("one"),),
            None,
            [
                (
                    "not_covering",
                    "one found no match, which says nothing: it states no coverage of such works.",
                    ("one",),
                    None,
                )
            ],
            id="index-without-coverage",
        ),
        pytest.param(
            CITED,
            (_index("one"), _index("two")),
            None,
            [
                (
                    "not_covering",
                    "one and two found no match, which says nothing: they state no coverage of such works.",
                    ("one", "two"),
                    None,
                )
            ],
            id="indexes-without-coverage",
        ),
        pytest.param(
            NEW,
            (silent(NEW, "a", coverage=Coverage.DECLARED, whole_until=2024),),
            STRICT,
            [
                (
                    "newer_than_index",
                    "a found no match, but holds no year after 2024 in full: the work may be newer.",
                    ("a",),
                    None,
                )
            ],
            id="newer-than-the-index",
        ),
        pytest.param(
            CITED,
            (
                ask(CITED, Outcome.SKIPPED, source="a", reason="not asked for books"),
                ask(CITED, Outcome.SKIPPED, source="b", reason="switched off"),
            ),
            None,
            [("source_skipped", "a and b were not asked: not asked for books; switched off.", ("a", "b"), None)],
            id="skipped",
        ),
        pytest.param(
            CITED,
            (ask(CITED, Outcome.SKIPPED, source="a"),),
            None,
            [("source_skipped", "a was not asked.", ("a",), None)],
            id="skipped-without-a-reason",
        ),
        pytest.param(
            CITED,
            (),
            None,
            [("nothing_asked", "No source or index was asked about this reference.", (), None)],
            id="nothing-asked",
        ),
        pytest.param(
            cite(None, US, 2001),
            (silent(cite(None, US, 2001), "a"),),
            None,
            [
                (
                    "too_little_cited",
                    "The reference gives neither title, identifier nor volume and page.",
                    (),
                    None,
                ),
                ("too_few_answers", "a found no match, but 2 independent answers are needed.", ("a",), None),
            ],
            id="too-little",
        ),
        pytest.param(
            cite("Dunes", US, 2001),
            _twice(cite("Dunes", US, 2001)),
            None,
            [
                ("short_title", "The title “Dunes” is too short or common for silence to say anything.", (), None),
                ("no_match", TWO, ("a", "b"), None),
            ],
            id="short-title",
        ),
        pytest.param(
            cite(TITLE, US, 2001, parse_score=0.79),
            _twice(CITED),
            None,
            [
                (
                    "uncertain_reading",
                    UNCERTAIN,
                    (),
                    None,
                ),
                ("no_match", TWO, ("a", "b"), None),
            ],
            id="uncertain-reading",
        ),
        pytest.param(
            cite(TITLE, US, 2001, parse_score=0.8),
            _twice(CITED),
            None,
            [("no_match", TWO, ("a", "b"), None)],
            id="sound",
        ),
        pytest.param(
            THESIS,
            _twice(THESIS),
            None,
            [
                (
                    "class_not_covered",
                    "No source here lists works of the class thesis, and none of those asked has it.",
                    (),
                    None,
                )
            ],
            id="class",
        ),
        pytest.param(
            ADDRESS,
            _twice(ADDRESS),
            None,
            [
                (
                    "web_address_only",
                    f"The reference names the web address {PAGE} and nothing that an index lists.",
                    (),
                    None,
                )
            ],
            id="web-address",
        ),
        pytest.param(
            cite(TITLE, US, 2031),
            (silent(cite(TITLE, US, 2031), "a"),),
            None,
            [
                ("cannot_be", "The year 2031: the year lies ahead, later than the year after the check.", (), "year"),
                ("too_few_answers", "a found no match, but 2 independent answers are needed.", ("a",), None),
            ],
            id="cannot-be",
        ),
        pytest.param(
            WITH_DOI,
            (found(WITH_DOI, WORK), _named(WITH_DOI, OTHER)),
            None,
            [
                (
                    "identifier_names_another",
                    f"registry resolves the cited DOI to another work: “{FAR}”.",
                    ("registry",),
                    "doi",
                ),
                ("anchored", ANCHORED, ("local",), None),
            ],
            id="identifier-of-another",
        ),
        pytest.param(
            WITH_DOI,
            (found(WITH_DOI, WORK), DEAD),
            None,
            [
                ("identifier_unknown", "registry does not know the cited DOI.", ("registry",), "doi"),
                ("anchored", ANCHORED, ("local",), None),
            ],
            id="identifier-unknown",
        ),
        pytest.param(
            WITH_DOI,
            (found(WITH_DOI, WORK), DEAD, DEAD.model_copy(update={"source": "agency"})),
            None,
            [
                (
                    "identifier_unknown",
                    "agency and registry do not know the cited DOI.",
                    ("agency", "registry"),
                    "doi",
                ),
                ("anchored", ANCHORED, ("local",), None),
            ],
            id="identifier-unknown-to-two",
        ),
        pytest.param(
            NEW,
            tuple(
                silent(NEW, name, coverage=Coverage.DECLARED, whole_until=year)
                for name, year in (("a", 2023), ("b", 2024))
            ),
            STRICT,
            [
                (
                    "newer_than_index",
                    "a and b found no match, but hold no year after 2024 in full: the work may be newer.",
                    ("a", "b"),
                    None,
                )
            ],
            id="newer-than-two-indexes",
        ),
        pytest.param(
            NEWEST,
            (silent(NEWEST, "a", coverage=Coverage.DECLARED),),
            STRICT,
            [
                (
                    "newer_than_index",
                    "a found no match, but holds no year after 2025 in full: the work may be newer.",
                    ("a",),
                    None,
                )
            ],
            id="an-index-whose-end-is-unknown",
        ),
        pytest.param(
            THEIRS,
            (found(THEIRS, WORK),),
            None,
            [
                (
                    "field_differs",
                    (
                        "The authors differ from the record in local (rule authors_differ):"
                        " Cyril Doe, Dora Loe -> Ann Roe, Bob Poe."
                    ),
                    ("local",),
                    "authors",
                ),
                (
                    "anchored",
                    f"local holds a work of this title by other authors: “{TITLE}” (rule title_other_authors).",
                    ("local",),
                    None,
                ),
            ],
            id="a-title-of-others",
        ),
        pytest.param(
            LATE,
            (found(LATE, WORK),),
            None,
            [
                (
                    "field_differs",
                    (
                        "The year 2031: the year lies ahead, later than the year after the check (rule year_in_future);"
                        " local has 2001."
                    ),
                    ("local",),
                    "year",
                ),
                ("anchored", ANCHORED, ("local",), None),
            ],
            id="a-year-to-come",
        ),
        pytest.param(
            IMPOSSIBLE,
            (found(IMPOSSIBLE, WORK),),
            None,
            [
                (
                    "field_differs",
                    (
                        "The arXiv id 2413.01234: no arXiv id can read so: its month, its number or its date cannot be"
                        " (rule arxiv_id_impossible)."
                    ),
                    ("local",),
                    "arxiv_id",
                ),
                ("anchored", ANCHORED, ("local",), None),
            ],
            id="an-impossible-identifier",
        ),
        pytest.param(
            WITH_DOI,
            (_named(WITH_DOI, OTHER), silent(WITH_DOI, "a")),
            None,
            [
                (
                    "identifier_names_another",
                    f"registry resolves the cited DOI to another work: “{FAR}”.",
                    ("registry",),
                    "doi",
                ),
                (
                    "field_differs",
                    "The title differs from that of the other work in registry (rule title_differs): another title.",
                    ("registry",),
                    "title",
                ),
                (
                    "field_differs",
                    (
                        "The authors differ from those of the other work in registry (rule authors_differ):"
                        " Ann Roe, Bob Poe -> Cyril Doe, Dora Loe."
                    ),
                    ("registry",),
                    "authors",
                ),
            ],
            id="nothing-but-the-work-of-the-identifier",
        ),
    ],
)
def test_reasons_in_words(
    reference: Reference, lookups: tuple[Lookup, ...], policy: Policy | None, said: list[Said]
) -> None:
    verdict = judge(reference, *lookups, policy=policy)
    assert [(one.code, one.text, one.sources, one.field) for one in verdict.reasons] == said


def test_a_reference_put_together_names_its_parts() -> None:
    cited = cite(TITLE, THEM, 2001, container_title="Dunes", doi="10.1016/y")
    others = record(FAR, THEM, 1999, container_title="Birds")
    third = record("Notes on the upper reaches of tidal rivers", "Max Nye", 2004, doi="10.1016/y", source="registry")
    verdict = judge(cited, found(cited, WORK, others), _named(cited, third))
    told = next(one for one in verdict.reasons if one.code == "put_together")
    assert told.text == (
        f"The reference has the title of “{TITLE}” in local, and the authors of “{FAR}”"
        " and the DOI of “Notes on the upper reaches of tidal rivers”."
    )
    assert (told.sources, told.field) == (("local", "registry"), None)


def test_flags_in_words() -> None:
    work = WORK.model_copy(update={"notices": (Notice(type=NoticeType.RETRACTION),)})
    cited = CITED.model_copy(update={"cited": False})
    checks = (
        QuoteCheck(text="dunes move", status=QuoteStatus.NOT_FOUND),
        QuoteCheck(text="x" * 161, status=QuoteStatus.CLOSE_MATCH),
        QuoteCheck(text="fine", status=QuoteStatus.VERIFIED),
    )
    opinion = Opinion(judge="rules", text="look again", parse_doubt=0.5)
    verdict = judge(cited, found(cited, work), duplicate_of=3, quote_checks=checks, opinion=opinion)
    assert verdict.flags == (Flag.RETRACTED, Flag.DUPLICATE, Flag.UNCITED, Flag.QUOTE)
    assert [(one.code, one.text, one.sources) for one in verdict.reasons[1:]] == [
        ("retracted", "local records: the work has been retracted.", ("local",)),
        ("duplicate", "Reference 3 denotes the same work.", ()),
        ("uncited", "The text does not cite this reference.", ()),
        ("quote_not_found", "Quotation “dunes move”: not found.", ()),
        ("quote_not_found", f"Quotation “{'x' * 157}...”: close match.", ()),
        ("opinion", "rules: look again", ()),
    ]


def test_an_acknowledged_retraction_in_words() -> None:
    work = WORK.model_copy(update={"notices": (Notice(type=NoticeType.RETRACTION),)})
    cited = CITED.model_copy(update={"acknowledged": True})
    told = judge(cited, found(cited, work)).reasons[-1]
    assert (told.code, told.text, told.sources) == (
        "retraction_acknowledged",
        "local lists the work as retracted, and the citation says so.",
        ("local",),
    )


@pytest.mark.parametrize(
    ("title", "year", "what"),
    [
        pytest.param(TITLE, 2009, "another version of the work cited, or a namesake", id="the-same-title"),
        pytest.param(
            TITLE.replace("finite", "infinite"), 2001, "a neighbour of the work cited", id="a-word-of-the-title"
        ),
    ],
)
def test_a_record_with_another_identifier_is_called_what_it_may_be(title: str, year: int, what: str) -> None:
    cited = cite(title, US, year, doi="10.1016/x")
    work = WORK.model_copy(update={"identifiers": Identifiers(doi="10.1016/y")})
    told = judge(cited, found(cited, work)).reasons[0]
    assert told.text == (
        f"The reference cites the DOI 10.1016/x, but the record in local has 10.1016/y: “{TITLE}” may be {what}."
    )
