"""A notice is a flag of the reference only where it is about the version of the work that is cited."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.model import (
    Alarm,
    Coverage,
    Flag,
    Notice,
    NoticeType,
    Outcome,
    QueryKind,
    Reference,
    Status,
    Verdict,
    Version,
    Work,
    WorkType,
)
from citeaudit.policy.notices import is_published
from tests.match.build import ask, cite, found, judge, record

TITLE = "Sand ripples beneath standing waves of finite depth"
US, THEM = "Ann Roe; Bob Poe; Cyril Doe", "Dora Loe; Eve Moe"
RETRACTED = (Notice(type=NoticeType.RETRACTION),)
WITHDRAWN = (Notice(type=NoticeType.WITHDRAWAL),)
JOURNAL: dict[str, Any] = {"container_title": "Dunes", "volume": "7"}
MEETING: dict[str, Any] = {
    "container_title": "Proceedings of the Conference on Waves",
    "type": WorkType.PAPER_CONFERENCE,
}
POSTED: dict[str, Any] = {"container_title": "arXiv", "type": WorkType.PREPRINT}
ARTICLE = record(TITLE, US, 2019, doi="10.1016/x", **JOURNAL)
CITED = cite(TITLE, US, 2019, doi="10.1016/x", **JOURNAL)
UNNAMED = cite(TITLE, US, 2019, **JOURNAL)


def _beside(
    notices: tuple[Notice, ...], title: str = TITLE, authors: str = US, year: int = 2018, **fields: Any
) -> Work:
    return record(title, authors, year, source="other", notices=notices, **fields)


def _preprint(notices: tuple[Notice, ...] = WITHDRAWN) -> Work:
    return _beside(notices, arxiv_id="1805.01234", **POSTED)


def _with(reference: Reference, *works: Work) -> Verdict:
    return judge(reference, *(found(reference, work, source=work.source) for work in works))


def _codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


@pytest.mark.parametrize(
    ("reference", "works", "alarm"),
    [
        pytest.param(CITED, (ARTICLE, _preprint()), Alarm.NONE, id="preprint-withdrawn"),
        pytest.param(UNNAMED, (ARTICLE, _preprint()), Alarm.NONE, id="by-its-venue"),
        pytest.param(CITED, (ARTICLE, _preprint(RETRACTED)), Alarm.REVIEW, id="preprint-retracted"),
        pytest.param(CITED, (ARTICLE, _beside(RETRACTED, **MEETING)), Alarm.REVIEW, id="the-paper-of-the-meeting"),
        pytest.param(
            CITED, (ARTICLE, _beside(RETRACTED, year=2019, doi="10.1017/y")), Alarm.REVIEW, id="another-identifier"
        ),
        pytest.param(
            cite(TITLE, US, 2018, arxiv_id="1805.01234", **POSTED),
            (_preprint(()), record(TITLE, US, 2019, doi="10.1016/x", notices=RETRACTED, **JOURNAL)),
            Alarm.REVIEW,
            id="preprint-cited-and-article-retracted",
        ),
        pytest.param(
            CITED,
            (ARTICLE.model_copy(update={"notices": WITHDRAWN, "versions": (Version(type=WorkType.PREPRINT),)}),),
            Alarm.NONE,
            id="one-record-of-both",
        ),
    ],
)
def test_a_notice_on_another_version_is_told_and_no_flag(
    reference: Reference, works: tuple[Work, ...], alarm: Alarm
) -> None:
    verdict = _with(reference, *works)
    assert (verdict.status, verdict.flags, verdict.alarm) == (Status.VERIFIED, (), alarm)
    assert _codes(verdict) == ["anchored", "notice_elsewhere"]


@pytest.mark.parametrize(
    ("reference", "works", "flag"),
    [
        pytest.param(CITED, (ARTICLE, _beside(RETRACTED, doi="10.1016/x")), Flag.RETRACTED, id="its-identifier"),
        pytest.param(CITED, (ARTICLE, _beside(RETRACTED)), Flag.RETRACTED, id="nothing-tells-them-apart"),
        pytest.param(UNNAMED, (ARTICLE, _beside(RETRACTED, **JOURNAL)), Flag.RETRACTED, id="its-venue"),
        pytest.param(
            UNNAMED, (_beside(RETRACTED, container_title="Shores", volume="7"),), Flag.RETRACTED, id="its-volume"
        ),
        pytest.param(cite(TITLE, US, 2018, **POSTED), (ARTICLE, _preprint()), Flag.WITHDRAWN, id="preprint-cited"),
        pytest.param(
            cite(TITLE, US, 2018, arxiv_id="1805.01234", **JOURNAL),
            (_preprint(),),
            Flag.WITHDRAWN,
            id="preprint-cited-by-its-id",
        ),
        pytest.param(
            cite(TITLE, US, 2018, doi="10.48550/arxiv.1805.01234", **JOURNAL),
            (_preprint(),),
            Flag.WITHDRAWN,
            id="preprint-cited-by-its-doi",
        ),
        pytest.param(cite(TITLE, US, 2018), (_preprint(),), Flag.WITHDRAWN, id="no-version-named"),
        pytest.param(cite(TITLE, US, 2012), (_beside(RETRACTED),), Flag.RETRACTED, id="wrong-year"),
        pytest.param(cite(TITLE, f"{US}; Eve Moe", 2018), (_beside(RETRACTED),), Flag.RETRACTED, id="one-author-more"),
        pytest.param(
            cite(TITLE, THEM, 2018, doi="10.1016/x"),
            (_beside(RETRACTED, doi="10.1016/x"),),
            Flag.RETRACTED,
            id="other-authors-and-its-identifier",
        ),
        pytest.param(cite(TITLE, "", 2018), (_beside(RETRACTED),), Flag.RETRACTED, id="no-authors-cited"),
        pytest.param(
            CITED,
            (ARTICLE.model_copy(update={"notices": WITHDRAWN}),),
            Flag.WITHDRAWN,
            id="an-article-withdrawn",
        ),
        pytest.param(
            CITED,
            (ARTICLE.model_copy(update={"notices": RETRACTED, "versions": (Version(type=WorkType.PREPRINT),)}),),
            Flag.RETRACTED,
            id="an-article-retracted-beside-its-preprint",
        ),
    ],
)
def test_a_notice_on_the_work_cited_is_a_flag(reference: Reference, works: tuple[Work, ...], flag: Flag) -> None:
    verdict = _with(reference, *works)
    assert (verdict.flags, verdict.alarm) == ((flag,), Alarm.STRONG)
    assert "notice_elsewhere" not in _codes(verdict)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(_beside(RETRACTED, TITLE.replace("finite", "infinite"), year=2019), id="neighbour"),
        pytest.param(_beside(RETRACTED, authors=THEM, year=2019, **JOURNAL), id="namesake"),
        pytest.param(_beside(RETRACTED, authors="", year=2019), id="without-authors"),
        pytest.param(_beside(RETRACTED, f"Reply to: {TITLE}"), id="reply"),
    ],
)
def test_notices_beside_the_work_itself_are_not_told(other: Work) -> None:
    verdict = _with(CITED, ARTICLE, other)
    assert (verdict.status, verdict.flags, verdict.alarm, _codes(verdict)) == (
        Status.VERIFIED,
        (),
        Alarm.NONE,
        ["anchored"],
    )


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(_beside(RETRACTED, TITLE.replace("finite", "infinite"), year=2019), id="neighbour"),
        pytest.param(_beside(RETRACTED, authors=THEM, year=2019, **JOURNAL), id="namesake"),
    ],
)
def test_what_may_be_another_work_is_told_for_a_look(other: Work) -> None:
    verdict = _with(UNNAMED, other)
    assert (verdict.flags, verdict.alarm) == ((), Alarm.REVIEW)
    told = verdict.reasons[-1]
    assert (told.code, told.sources) == ("notice_elsewhere", ("other",))
    assert told.text == f"other lists “{other.title}” as retracted; it may be another work than the one cited."


def test_a_record_without_authors_waits_for_the_source_that_failed() -> None:
    bare = _beside(RETRACTED, authors="", year=2019)
    lookups = found(UNNAMED, bare), ask(UNNAMED, Outcome.UNAVAILABLE, source="down")
    assert judge(UNNAMED, lookups[0]).alarm is Alarm.STRONG
    verdict = judge(UNNAMED, *lookups)
    assert (verdict.flags, verdict.alarm) == ((), Alarm.REVIEW)


@pytest.mark.parametrize("opening", ["Reply to: ", "Comment on ", "Correction to: "])
def test_a_text_about_a_retracted_work_is_not_retracted(opening: str) -> None:
    cited = cite(f"{opening}{TITLE}", US, 2019, **JOURNAL)
    verdict = judge(cited, found(cited, _beside(RETRACTED, year=2019), coverage=Coverage.DECLARED))
    assert (verdict.status, verdict.flags, verdict.alarm) == (Status.UNDECIDED, (), Alarm.NONE)


def test_what_is_said_of_another_version() -> None:
    both = (*RETRACTED, *WITHDRAWN, Notice(type=NoticeType.CONCERN), Notice(type=NoticeType.CORRECTION))
    verdict = _with(CITED, ARTICLE, _beside(both, doi="10.1017/y"))
    assert [reason.text for reason in verdict.reasons[1:]] == [
        "other lists another version of the work than the one cited as retracted.",
        "other lists another version of the work than the one cited as withdrawn.",
        "other lists another version of the work than the one cited as under an expression of concern.",
    ]
    assert {reason.sources for reason in verdict.reasons[1:]} == {("other",)}


def test_a_flag_or_a_citation_that_says_so_leaves_nothing_to_tell() -> None:
    own = ARTICLE.model_copy(update={"notices": RETRACTED})
    assert _codes(_with(CITED, own, _preprint(RETRACTED))) == ["anchored", "retracted"]
    knowing = CITED.model_copy(update={"acknowledged": True})
    assert _codes(_with(knowing, ARTICLE, _preprint(RETRACTED))) == ["anchored"]
    said = _with(knowing, own, own.model_copy(update={"source": "other"})).reasons[-1]
    assert said.text == "local and other list the work as retracted, and the citation says so."


def test_two_sources_record_and_one_records() -> None:
    own = ARTICLE.model_copy(update={"notices": RETRACTED})
    two = _with(CITED, own, own.model_copy(update={"source": "other"}))
    assert two.reasons[-1].text == "local and other record: the work has been retracted."
    assert _with(CITED, own).reasons[-1].text == "local records: the work has been retracted."


def test_another_record_by_an_identifier_is_of_the_version() -> None:
    own = record(TITLE, US, 2019, source="registry", notices=RETRACTED)
    by_doi = found(CITED, own, kind=QueryKind.DOI, source="registry")
    assert judge(CITED, found(CITED, ARTICLE), by_doi).flags == (Flag.RETRACTED,)


@pytest.mark.parametrize(
    ("reference", "published"),
    [
        pytest.param(cite(TITLE), False, id="nothing"),
        pytest.param(cite(TITLE, container_title="Dunes"), True, id="venue"),
        pytest.param(cite(TITLE, container_title="arXiv"), False, id="server"),
        pytest.param(cite(TITLE, container_title="Dunes", type=WorkType.PREPRINT), False, id="preprint-by-type"),
        pytest.param(cite(TITLE, doi="10.1016/x"), True, id="doi"),
        pytest.param(cite(TITLE, doi="10.48550/arxiv.1805.01234"), False, id="doi-of-a-preprint"),
        pytest.param(cite(TITLE, doi="10.1016/x", **POSTED), True, id="doi-of-an-article-on-a-server"),
    ],
)
def test_what_is_a_reference_to_a_publication(reference: Reference, *, published: bool) -> None:
    assert is_published(reference) is published
