"""Reports from users of such tools: input, and the right answer. The works' data are facts.

Each row stands for a kind; its id names it.
"""

from __future__ import annotations

import pytest

from citeaudit.model import (
    Alarm,
    Coverage,
    FieldName,
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
from tests.match.build import ask, cite, found, judge, people, record, silent

PREPRINT = WorkType.PREPRINT
ATTENTION = record(
    "Attention is All you Need",
    "Ashish Vaswani; Noam Shazeer; Niki Parmar; Jakob Uszkoreit; Llion Jones; Aidan N. Gomez; Lukasz Kaiser;"
    " Illia Polosukhin",
    2017,
    container_title="Advances in Neural Information Processing Systems 30",
    versions=(
        Version(
            type=PREPRINT, year=2017, container_title="CoRR", identifiers=record("x", arxiv_id="1706.03762").identifiers
        ),
    ),
)
HMM = record(
    "An introduction to hidden Markov models",
    "L. R. Rabiner; B.-H. Juang",
    1986,
    container_title="IEEE ASSP Magazine",
    volume="3",
    issue="1",
    doi="10.1109/massp.1986.1165342",
)
HMM_LATER = record(
    "An Introduction to Hidden Markov Models",
    "Benjamin Schuster-Böckler; Alex Bateman",
    2007,
    container_title="Current Protocols in Bioinformatics",
    doi="10.1002/0471250953.bia03as18",
)
TRUSTZONE = record(
    "Demystifying Arm TrustZone: A Comprehensive Survey",
    "Nuno Santos 0001; Sandro Pinto 0001",
    2019,
    container_title="ACM Comput. Surv.",
)
NIN = record(
    "Network In Network", "Min Lin; Qiang Chen; Shuicheng Yan", 2014, container_title="ICLR", arxiv_id="1312.4400"
)
GPT4 = record(
    "GPT-4 Technical Report", "Achiam, OpenAI Josh; Steven Adler; Sandhini Agarwal", 2023, arxiv_id="2303.08774"
)
LITTLE = record(
    "The power of small things in distributed ledgers", "Gert Müßig; Ayşe Adıgüzel; Deniz Dıraçoğlu; Kim Bjørn", 2019
)
DISTILL = record(
    "Cross-Architecture Knowledge Distillation",
    "Yufan Liu; Jiajiong Cao; Bing Li; Weiming Hu; Jingting Ding; Liang Li",
    2022,
    container_title="ACCV",
)
RAMSEY = record("Off-diagonal book Ramsey numbers", "David Conlon; Jacob Fox; Yuval Wigderson", 2023)


def _verified(verdict: Verdict) -> None:
    assert verdict.status is Status.VERIFIED, verdict.reasons
    assert verdict.alarm is Alarm.NONE


@pytest.mark.parametrize(
    ("reference", "works"),
    [
        pytest.param(
            cite(
                "An introduction to hidden Markov models",
                "L. Rabiner; B. Juang",
                1986,
                container_title="IEEE Signal Processing Magazine",
                volume="3",
                issue="1",
            ),
            (HMM_LATER, HMM),
            id="1-same-title-other-work-comes-first",
        ),
        pytest.param(
            cite(
                "Demystifying Arm TrustZone: A comprehensive survey",
                "Sandro Pinto; Nuno Santos",
                2019,
                container_title="ACM CSUR",
            ),
            (TRUSTZONE,),
            id="2-homonym-digits-and-order",
        ),
        pytest.param(
            cite("Network in network", "Min Lin; Qiang Chen; Shuicheng Yan", 2013, type=PREPRINT, arxiv_id="1312.4400"),
            (NIN,),
            id="3-three-word-title",
        ),
        pytest.param(
            cite(
                "The power of small things in distributed ledgers",
                "G. Mussig; A. Adiguzel; D. Diraçoglu; K. Bjorn",
                2019,
            ),
            (LITTLE,),
            id="6-marks-folded",
        ),
        pytest.param(
            cite("Foundations of neonatal breathing", "Baldassarre, ME; Kenter, RMF", 2018),
            (record("Foundations of neonatal breathing", "Maria Elisabetta Baldassarre; R. M. F. Kenter", 2018),),
            id="8-glued-initials",
        ),
        pytest.param(
            cite("A census of glioma growth patterns", "Foltyn‐Dumitru, Martha; Eckel-Passow, Jeanette E.", 2023),
            (record("A census of glioma growth patterns", "Martha Foltyn-Dumitru; Jeanette E. Eckel-Passow", 2023),),
            id="10-other-hyphens",
        ),
        pytest.param(
            cite("GPT-4 Technical Report", "=OpenAI", 2023, authors_truncated=True), (GPT4,), id="11-organisation"
        ),
        pytest.param(
            cite("GPT-4 Technical Report", "Josh Achiam", 2023, authors_truncated=True), (GPT4,), id="11-first-person"
        ),
        pytest.param(
            cite("Network in network", "Min Lin; Qiang Chen; Shuicheng Yan", 2014),
            (record("Network In Network", "", 2014),),
            id="12-record-without-authors",
        ),
        pytest.param(cite("Attention is all you need", "=Anonymous", 2017), (ATTENTION,), id="13-anonymous"),
        pytest.param(cite("Attention is all you need", "=———", 2017), (ATTENTION,), id="13-ditto-dash"),
        pytest.param(
            cite(
                "Attention is all you need",
                "Ashish Vaswani; Noam Shazeer",
                2017,
                authors_truncated=True,
                container_title="arXiv preprint arXiv:1706.03762",
            ),
            (ATTENTION,),
            id="14-preprint-string-as-venue",
        ),
        pytest.param(
            cite(
                "Attention is all you need",
                "Ashish Vaswani",
                2017,
                authors_truncated=True,
                doi="10.48550/arxiv.1706.03762",
            ),
            (ATTENTION,),
            id="16-arxiv-doi",
        ),
        pytest.param(
            cite(
                "Cross-architecture knowledge distillation",
                "Yufan Liu; Jiajiong Cao; Weiming Hu; Jingting Ding; Liang Li",
                2022,
            ),
            (DISTILL,),
            id="29-one-author-dropped",
        ),
    ],
)
def test_real_references_are_verified(reference: Reference, works: tuple[Work, ...]) -> None:
    _verified(judge(reference, found(reference, *works)))
    _verified(judge(reference, found(reference, *reversed(works))))


@pytest.mark.parametrize(
    ("reference", "works", "field", "difference"),
    [
        pytest.param(
            cite("Demystifying Arm TrustZone: A comprehensive survey", "Sandro Pinto; Nuno Santos; Jane Roe", 2019),
            (TRUSTZONE,),
            FieldName.AUTHORS,
            "not in the record: Jane Roe",
            id="26-phantom-author",
        ),
        pytest.param(
            cite(
                "Cross-architecture knowledge distillation",
                "Y. Deng; X. Chen; J. Zhao; Z. Wu",
                2022,
                container_title="Asian Conference on Computer Vision (ACCV)",
            ),
            (DISTILL,),
            FieldName.AUTHORS,
            "Y. Deng, X. Chen, J. Zhao et al. -> Yufan Liu, Jiajiong Cao, Bing Li et al.",
            id="29-authors-of-someone-else",
        ),
        pytest.param(
            cite("Network in network", "Ming Lin; Quan Chen; Shi Yan", 2014),
            (NIN,),
            FieldName.AUTHORS,
            "Quan Chen -> Qiang Chen",
            id="30-given-names-invented",
        ),
        pytest.param(
            cite("Sparse views of wide scenes", "Bo Li; An Wu; Yu He", 2021),
            (record("Sparse views of wide scenes", "Bo Li; An Wu; Di Xu", 2021),),
            FieldName.AUTHORS,
            "not in the record: Yu He",
            id="30-short-names-are-compared",
        ),
        pytest.param(
            cite("Structural attacks against graph neural networks for node classification", "Ada Roe; Bo Li", 2021),
            (
                record(
                    "Structural attacks against deep neural networks for node classification", "Ada Roe; Bo Li", 2021
                ),
            ),
            FieldName.TITLE,
            "graph -> deep",
            id="31b-word-exchanged",
        ),
        pytest.param(
            cite("Federated optimisation under non-iid client data at scale", "Ada Roe; Bo Li", 2021),
            (record("Federated optimisation under iid client data at scale", "Ada Roe; Bo Li", 2021),),
            FieldName.TITLE,
            "not in the record: non",
            id="31b-negation",
        ),
    ],
)
def test_altered_references_are_named(
    reference: Reference, works: tuple[Work, ...], field: FieldName, difference: str
) -> None:
    verdict = judge(reference, found(reference, *works))
    assert verdict.status is Status.MISMATCHED
    match = next(item for item in verdict.fields if item.field is field)
    assert difference in match.differences
    assert [reason.field for reason in verdict.reasons if reason.code == "field_differs"] == [field]


def test_12_a_record_without_authors_does_not_outbid_one_with_them() -> None:
    reference = cite("Network in network", "Min Lin; Qiang Chen; Shuicheng Yan; Jane Roe", 2014)
    bare = record("Network In Network", "", 2014, source="bare")
    verdict = judge(reference, found(reference, bare, source="bare"), found(reference, NIN))
    assert verdict.status is Status.MISMATCHED
    assert verdict.best is not None
    assert verdict.best.work == NIN


@pytest.mark.parametrize(
    ("reference", "wrong"),
    [
        pytest.param(
            cite("Osteoporosis", "Kristine E. Ensrud; Carolyn J. Crandall", 2017),
            record("Osteoporosis: pathogenesis and treatment in an ageing world", "Ann Other; Bo Else", 2025),
            id="21-one-word-in-a-longer-title",
        ),
        pytest.param(
            cite("Off-diagonal Ramsey numbers of cycles", "Jane Roe; John Poe", 2023),
            RAMSEY,
            id="31-near-title-of-others",
        ),
        pytest.param(
            cite("TreeCorr: Two-point correlation functions", "M. Jarvis", 2015),
            record("Two-point boundary functions in reactor design", "A. Miller", 1978),
            id="31-unrelated-report",
        ),
        pytest.param(
            cite("An introduction to hidden Markov models", "L. Rabiner; B. Juang", 1986),
            HMM_LATER,
            id="21-same-title-years-apart",
        ),
    ],
)
def test_21_a_wrong_work_is_rejected_and_the_search_goes_on(reference: Reference, wrong: Work) -> None:
    verdict = judge(reference, found(reference, wrong))
    assert verdict.best is None
    assert verdict.status is Status.UNDECIDED
    twice = judge(reference, found(reference, wrong), silent(reference, "second"))
    brief = len((reference.title or "").split()) == 1  # silence about one word says nothing
    assert twice.status is (Status.UNDECIDED if brief else Status.NOT_FOUND)


def test_27_the_identifier_names_another_work_and_both_titles_are_shown() -> None:
    reference = cite(
        "Implicit–explicit numerical schemes for jump–diffusion processes",
        "Maya Briani; Roberto Natalini; Giovanni Russo",
        2007,
        doi="10.1007/s10092-007-0128-3",
    )
    right = record(
        "Implicit–explicit numerical schemes for jump–diffusion processes",
        "M. Briani; R. Natalini; G. Russo",
        2007,
        doi="10.1007/s10092-007-0128-x",
    )
    dead = ask(reference, Outcome.NO_MATCH, kind=QueryKind.DOI, source="registry", coverage=Coverage.AUTHORITATIVE)
    verdict = judge(reference, found(reference, right), dead)
    assert verdict.status is Status.MISMATCHED
    assert verdict.reasons[0].code == "identifier_unknown"
    other = record(
        "Crash severity of heavy vehicles on rural roads", "Ann Other", 2011, doi="10.1007/s10092-007-0128-3"
    )
    verdict = judge(reference, found(reference, right), found(reference, other, kind=QueryKind.DOI, source="registry"))
    assert verdict.status is Status.MISMATCHED
    assert verdict.alarm is Alarm.STRONG
    assert other.title in verdict.reasons[0].text
    assert right.title in verdict.reasons[1].text


NOTICED = record("Illegal growth of things in wet places", "Ada Roe", 2005, doi="10.1/x")


@pytest.mark.parametrize(
    ("notice", "flag", "alarm"),
    [
        pytest.param(NoticeType.RETRACTION, Flag.RETRACTED, Alarm.STRONG, id="33-retraction"),
        pytest.param(NoticeType.WITHDRAWAL, Flag.WITHDRAWN, Alarm.STRONG, id="34-withdrawal"),
        pytest.param(NoticeType.CONCERN, Flag.CONCERN, Alarm.REVIEW, id="34-concern"),
        pytest.param(NoticeType.CORRECTION, Flag.CORRECTED, Alarm.NONE, id="34-correction"),
    ],
)
def test_34_four_classes_of_notice(notice: NoticeType, flag: Flag, alarm: Alarm) -> None:
    reference = cite(NOTICED.title, "Ada Roe", 2005)
    work = NOTICED.model_copy(update={"notices": (Notice(type=notice, doi="10.1/n"),)})
    verdict = judge(reference, found(reference, work))
    assert (verdict.status, verdict.flags, verdict.alarm) == (Status.VERIFIED, (flag,), alarm)


def test_34_an_acknowledged_retraction_and_the_notice_itself_raise_nothing() -> None:
    retracted = NOTICED.model_copy(update={"notices": (Notice(type=NoticeType.RETRACTION),)})
    reference = cite(NOTICED.title, "Ada Roe", 2005, acknowledged=True)
    verdict = judge(reference, found(reference, retracted))
    assert (verdict.flags, verdict.alarm) == ((), Alarm.NONE)
    assert "retraction_acknowledged" in {reason.code for reason in verdict.reasons}
    notice = record(f"Retraction: {NOTICED.title}", "Ada Roe", 2006, doi="10.1/n", notices=retracted.notices)
    other = cite(NOTICED.title, "Ada Roe", 2005)
    assert judge(other, found(other, NOTICED, notice)).flags == ()


def test_people_of_the_cases_are_people() -> None:
    assert people("Eckel-Passow, Jeanette E.")[0].family == "Eckel-Passow"
