"""Reports from users of such tools: input, and the right answer. The works' data are facts.

Each row stands for a kind; its id names it.
"""

from __future__ import annotations

import pytest

from citeaudit.extract.plain import read_text
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
    Relation,
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
            id="case-1 same title other work comes first",
        ),
        pytest.param(
            cite(
                "Demystifying Arm TrustZone: A comprehensive survey",
                "Sandro Pinto; Nuno Santos",
                2019,
                container_title="ACM CSUR",
            ),
            (TRUSTZONE,),
            id="case-2 homonym digits and order",
        ),
        pytest.param(
            cite("Network in network", "Min Lin; Qiang Chen; Shuicheng Yan", 2013, type=PREPRINT, arxiv_id="1312.4400"),
            (NIN,),
            id="case-3 three word title",
        ),
        pytest.param(
            cite(
                "The power of small things in distributed ledgers",
                "G. Mussig; A. Adiguzel; D. Diraçoglu; K. Bjorn",
                2019,
            ),
            (LITTLE,),
            id="case-6 marks folded",
        ),
        pytest.param(
            cite("Foundations of neonatal breathing", "Baldassarre, ME; Kenter, RMF", 2018),
            (record("Foundations of neonatal breathing", "Maria Elisabetta Baldassarre; R. M. F. Kenter", 2018),),
            id="case-8 glued initials",
        ),
        pytest.param(
            cite("A census of glioma growth patterns", "Foltyn‐Dumitru, Martha; Eckel-Passow, Jeanette E.", 2023),
            (record("A census of glioma growth patterns", "Martha Foltyn-Dumitru; Jeanette E. Eckel-Passow", 2023),),
            id="case-10 other hyphens",
        ),
        pytest.param(
            cite("GPT-4 Technical Report", "=OpenAI", 2023, authors_truncated=True), (GPT4,), id="case-11 organisation"
        ),
        pytest.param(
            cite("GPT-4 Technical Report", "Josh Achiam", 2023, authors_truncated=True),
            (GPT4,),
            id="case-11 first person",
        ),
        pytest.param(
            cite("Network in network", "Min Lin; Qiang Chen; Shuicheng Yan", 2014),
            (record("Network In Network", "", 2014),),
            id="case-12 record without authors",
        ),
        pytest.param(cite("Attention is all you need", "=Anonymous", 2017), (ATTENTION,), id="case-13 anonymous"),
        pytest.param(cite("Attention is all you need", "=———", 2017), (ATTENTION,), id="case-13 ditto dash"),
        pytest.param(
            cite(
                "Attention is all you need",
                "Ashish Vaswani; Noam Shazeer",
                2017,
                authors_truncated=True,
                container_title="arXiv preprint arXiv:1706.03762",
            ),
            (ATTENTION,),
            id="case-14 preprint string as venue",
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
            id="case-16 arxiv doi",
        ),
        pytest.param(
            cite(
                "Cross-architecture knowledge distillation",
                "Yufan Liu; Jiajiong Cao; Weiming Hu; Jingting Ding; Liang Li",
                2022,
            ),
            (DISTILL,),
            id="case-29 one author dropped",
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
            id="case-26 phantom author named",
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
            id="case-29 authors of someone else",
        ),
        pytest.param(
            cite("Network in network", "Ming Lin; Quan Chen; Shi Yan", 2014),
            (NIN,),
            FieldName.AUTHORS,
            "Quan Chen -> Qiang Chen",
            id="case-30 given names invented",
        ),
        pytest.param(
            cite("Sparse views of wide scenes", "Bo Li; An Wu; Yu He", 2021),
            (record("Sparse views of wide scenes", "Bo Li; An Wu; Di Xu", 2021),),
            FieldName.AUTHORS,
            "not in the record: Yu He",
            id="case-30 short names are compared",
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
            id="case-31b word exchanged",
        ),
        pytest.param(
            cite("Federated optimisation under non-iid client data at scale", "Ada Roe; Bo Li", 2021),
            (record("Federated optimisation under iid client data at scale", "Ada Roe; Bo Li", 2021),),
            FieldName.TITLE,
            "not in the record: non",
            id="case-31b negation",
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
            id="case-21 one word in a longer title",
        ),
        pytest.param(
            cite("Off-diagonal Ramsey numbers of cycles", "Jane Roe; John Poe", 2023),
            RAMSEY,
            id="case-31 near title of others",
        ),
        pytest.param(
            cite("TreeCorr: Two-point correlation functions", "M. Jarvis", 2015),
            record("Two-point boundary functions in reactor design", "A. Miller", 1978),
            id="case-31 unrelated report",
        ),
        pytest.param(
            cite("An introduction to hidden Markov models", "L. Rabiner; B. Juang", 1986),
            HMM_LATER,
            id="case-21 same title years apart",
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
    assert verdict.alarm is Alarm.REVIEW, "all else agrees: a slip of the identifier is one kind of evidence"
    assert other.title in verdict.reasons[0].text
    assert right.title in verdict.reasons[1].text


NOTICED = record("Illegal growth of things in wet places", "Ada Roe", 2005, doi="10.1/x")


@pytest.mark.parametrize(
    ("notice", "flag", "alarm"),
    [
        pytest.param(NoticeType.RETRACTION, Flag.RETRACTED, Alarm.STRONG, id="case-33 retraction"),
        pytest.param(NoticeType.WITHDRAWAL, Flag.WITHDRAWN, Alarm.STRONG, id="case-34 withdrawal"),
        pytest.param(NoticeType.CONCERN, Flag.CONCERN, Alarm.REVIEW, id="case-34 concern"),
        pytest.param(NoticeType.CORRECTION, Flag.CORRECTED, Alarm.NONE, id="case-34 correction"),
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


def test_case_4_a_local_answer_holds_while_a_service_fails() -> None:
    reference = cite(
        "Who's In Control? Interactions In Multi-User Smart Homes", "Christine Geeng; Franziska Roesner", 2019
    )
    work = record(reference.title or "", "Christine Geeng; Franziska Roesner", 2019, container_title="CHI")
    down = ask(reference, Outcome.UNAVAILABLE, source="service")
    _verified(judge(reference, found(reference, work), down))
    _verified(judge(reference, down, found(reference, work)))


@pytest.mark.parametrize(
    ("author", "recorded"),
    [
        pytest.param(r"Heged{\H u}s, {\'A}d{\'a}m", "Ádám Hegedűs", id="case-7 braces"),
        pytest.param(r"Heged\H{u}s, \'{A}d\'{a}m", "Adam Hegedus", id="case-7 marks lost in the record"),
        pytest.param(r"Erd{\H o}s, P{\'a}l", "Pal Erdos", id="case-7 double acute in braces"),
        pytest.param(
            r"{{Eckel-Passow}, Jeanette E.}", "Jeanette E. Eckel-Passow", id="case-10 person in double braces"
        ),
    ],
)
def test_case_7_and_10_names_in_tex(author: str, recorded: str) -> None:
    source = f"@article{{k, title={{A census of small widgets}}, author={{{author}}}, year=2001, journal={{Dunes}}}}"
    (reference,) = read_text(source, path="-").references
    verdict = judge(reference, found(reference, record("A census of small widgets", recorded, 2001)))
    _verified(verdict)


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param(
            cite("Growth of dunes in winter storms", "Ada Roe", 2001, type=WorkType.THESIS),
            id="case-18 doctoral thesis",
        ),
        pytest.param(
            cite("A method of solving a convex programming problem", "Yu. Nesterov", 1983, type=WorkType.UNKNOWN),
            id="case-22 old paper in no index",
        ),
        pytest.param(
            cite("Fracture of the distal radius", "Wei Li", 2009, container_title="Chin J Orthop Trauma"),
            id="case-19 journal in no English index",
        ),
        pytest.param(
            cite("Return after free discussion", "", 2020, type=WorkType.WEBPAGE, url="https://example.org/post"),
            id="case-22 web page",
        ),
        pytest.param(
            cite("Xen Hypervisor", "", 2020, type=WorkType.SOFTWARE, url="https://example.org/xen"),
            id="case-22 software",
        ),
        pytest.param(
            cite("Steel makers look abroad", "Jane Roe", 2019, type=WorkType.NEWS, container_title="Daily"),
            id="case-22 newspaper",
        ),
    ],
)
def test_case_18_19_22_what_no_source_covers_is_not_accused(reference: Reference) -> None:
    quiet = [silent(reference, source, coverage=Coverage.NONE) for source in ("one", "two")]
    verdict = judge(reference, *quiet)
    assert verdict.status in (Status.UNDECIDED, Status.NOT_CHECKABLE)
    assert verdict.alarm is Alarm.NONE


def test_case_18_a_doi_of_an_agency_that_nobody_asked_is_not_unknown() -> None:
    reference = cite("Growth of dunes in winter storms", "Wei Li", 2009, doi="10.3969/j.issn.1000-0000.2009.01.001")
    asked = ask(reference, Outcome.NO_MATCH, kind=QueryKind.DOI, source="registry", coverage=Coverage.NONE)
    verdict = judge(reference, asked, silent(reference, "one", coverage=Coverage.NONE))
    assert verdict.status is Status.UNDECIDED
    assert "identifier_unknown" not in {reason.code for reason in verdict.reasons}


@pytest.mark.parametrize(
    ("printed", "title"),
    [
        pytest.param(
            "J. Roe and A. Poe, “How do users experience moderation?: A systematic literature review,” Dunes, vol. 7,"
            " pp. 1-9, 2023.",
            "How do users experience moderation?: A systematic literature review",
            id="case-24 subtitle kept",
        ),
        pytest.param(
            "J. Roe and A. Poe, “Do small widgets generalise well?” in 2022 IEEE Conference on Dunes, 2022, pp. 1-9.",
            "Do small widgets generalise well?",
            id="case-24 venue cut at the quote",
        ),
    ],
)
def test_case_24_a_title_ends_where_its_quote_does(printed: str, title: str) -> None:
    (reference,) = read_text(printed, path="-").references
    year = reference.year
    _verified(judge(reference, found(reference, record(title, "Jane Roe; Ann Poe", year))))


def test_case_33_a_notice_found_beside_the_work_is_not_the_work() -> None:
    reference = cite(NOTICED.title, "Ada Roe", 2005, doi="10.1/x")
    retracted = NOTICED.model_copy(update={"notices": (Notice(type=NoticeType.RETRACTION, doi="10.1/n"),)})
    notice = record(f"Retraction of: {NOTICED.title}", "Ada Roe", 2006, doi="10.1/n")
    verdict = judge(reference, found(reference, notice, retracted))
    assert (verdict.status, verdict.flags) == (Status.VERIFIED, (Flag.RETRACTED,))
    assert verdict.best is not None
    assert verdict.best.work == retracted


def test_case_31_an_altered_title_under_all_its_authors_is_named() -> None:
    reference = cite("Fast walks on narrow graphs: a dense encoder for search", "Ada Roe; Bo Li; Cy Hu; Di Fox", 2001)
    work = record("Slow walks on wide graphs: a sparse encoder for search", "Ada Roe; Bo Li; Cy Hu; Di Fox", 2001)
    verdict = judge(reference, found(reference, work))
    assert verdict.status is Status.MISMATCHED
    assert {item.field for item in verdict.fields if item.relation is Relation.DIFFERENT} == {FieldName.TITLE}
