"""Entries of a .bib file, judged against records as a run would judge them."""

from __future__ import annotations

from citeaudit.extract.decode import decode
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.fix.document import Fixed, Task, fix
from citeaudit.fix.plan import plan
from citeaudit.match.queries import queries
from citeaudit.match.rank import rank, settle
from citeaudit.model import Evidence, Identifiers, Outcome, Person, Policy, Reference, Verdict, Version, Work, WorkType
from citeaudit.policy import decide
from tests import samples

TIDES = Work(
    source="shelf",
    source_id="1",
    type=WorkType.ARTICLE_JOURNAL,
    title="Slow tides and the measurement of harbour walls",
    authors=(
        Person(family="Ørsted", given="Marit"),
        Person(family="Quill", given="Jonas P."),
        Person(family="van der Berg", given="Anneke"),
    ),
    year=2014,
    container_title="Journal of Harbour Studies",
    volume="12",
    issue="3",
    pages="101-119",
    identifiers=Identifiers(doi="10.5555/tides.2014_7"),
)
LAMPS = Work(
    source="shelf",
    source_id="2",
    type=WorkType.PAPER_CONFERENCE,
    title="Learning to sort lamps by colour without supervision",
    authors=samples.people("Ada Farrow", "Bela Winter"),
    year=2019,
    container_title="Proceedings of the Conference on Lamp Science",
    pages="1-9",
    identifiers=Identifiers(doi="10.5555/lamps.9"),
    versions=(
        Version(
            type=WorkType.PREPRINT,
            year=2017,
            container_title="arXiv",
            identifiers=Identifiers(arxiv_id="1703.01234"),
        ),
    ),
)
WORKS = (TIDES, LAMPS)


def judge(reference: Reference, *works: Work, policy: Policy | None = None, index: int = 1) -> Verdict:
    """The verdict on a reference where one source holds the works and answers every question with all of them."""
    lookups = tuple(
        settle(reference, samples.lookup(Outcome.FOUND, *(works or WORKS), source="shelf", query=query))
        for query in queries(reference)
    )
    evidence = Evidence(index=index, reference=reference, lookups=lookups, candidates=rank(reference, lookups))
    return decide(evidence, policy or Policy())


def verdicts(content: bytes, *works: Work, policy: Policy | None = None) -> list[Verdict]:
    """The verdicts on the entries of a file."""
    read = read_bibtex(decode(content).text, path="refs.bib")
    return [judge(one, *works, policy=policy, index=place) for place, one in enumerate(read.references, start=1)]


def fixed(content: bytes, *works: Work, policy: Policy | None = None, all_variants: bool = False) -> Fixed:
    """The file with what its records correct."""
    judged = verdicts(content, *works, policy=policy)
    return fix(content, [Task(one.evidence.reference, plan(one, all_variants=all_variants)) for one in judged])
