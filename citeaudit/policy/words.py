"""The reasons of a verdict, and how they are put into words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from citeaudit.model import Candidate, FieldName, Lookup, Reason

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "anchored": "A record is the work that the reference denotes.",
        "field_differs": "A field differs from the record, under the policy in force.",
        "identifier_names_another": "A cited identifier resolves to another work.",
        "identifier_unknown": "The registry responsible for a cited identifier does not know it.",
        "cannot_be": "The reference says what cannot be: a date to come, an identifier of no possible form.",
        "another_version": "What differs may be of a version that no record is of: an author more, a later printing.",
        "put_together": "Title, authors and identifier are those of different works.",
        "newer_than_index": "The index declared complete ends before such a work, and its identifier is not denied.",
        "second_opinion_missing": "A record differs, but a source that may hold an agreeing one could not be asked.",
        "another_identifier": "A record differs and has another identifier than the one cited: it may be another work.",
        "no_match": "Sources that cover such works answered, and hold nothing that may be the work.",
        "ambiguous": "Records came back that may be the work, but too little agrees to choose.",
        "too_few_answers": "Fewer independent covering sources answered than the policy asks for.",
        "short_title": "The title is too short or too common for silence to say anything.",
        "companion_held": "A source holds the text that the reference is about, or one about it; silence says little.",
        "uncertain_reading": "The reading of the reference is too uncertain for silence or a slip to say anything.",
        "too_little_cited": "The reference says too little to identify one work, so silence says nothing.",
        "source_failed": "Sources could not answer.",
        "source_skipped": "Sources were not asked.",
        "not_covering": "Sources answered no, but their silence says nothing about such a work.",
        "nothing_asked": "No source was asked.",
        "class_not_covered": "Works of this class are in no source here.",
        "web_address_only": "The reference gives a web address, and no venue or identifier that an index lists.",
        "unparsed": "The reference could not be read well enough to be looked up.",
        "repaired_reading": "A model read the reference otherwise; its reading may settle what was open, never accuse.",
        "recognised_reading": "The characters were recognised from an image (OCR); such a reading never accuses.",
        "low_parse": "The reading of the reference is uncertain, so the alarm stays low.",
        "retracted": "The work has been retracted.",
        "withdrawn": "The work has been withdrawn.",
        "notice_elsewhere": "A notice is about another version, or a work that may be another than the one cited.",
        "concern": "An expression of concern has been published about the work.",
        "corrected": "A correction to the work has been published.",
        "retraction_acknowledged": "The work has been retracted or withdrawn, and the citation says so.",
        "duplicate": "An earlier reference of the same list denotes the same work.",
        "uncited": "The text does not cite the reference.",
        "quote_not_found": "A quotation was not found as quoted.",
        "opinion": "What the judge added; it cannot accuse.",
        "decided_by_person": "A person has decided about this reference, and the decision is applied.",
        "held_by_decision": "A person has ruled records out, and a decision never counts against a reference.",
        "author_remark": "The author's own remark beside the reference; it is shown and changes nothing.",
    }
)
"""Every value of `Reason.code`, with what it means."""


def reason_of(code: str, text: str, sources: tuple[str, ...] = (), field: FieldName | None = None) -> Reason:
    """Give a reason; `code` is a key of `REASONS`."""
    return Reason(code=code, text=text, field=field, sources=sources)


def sources(lookups: Iterable[Lookup]) -> tuple[str, ...]:
    """Give the names of the sources asked, each once, sorted."""
    return tuple(sorted({lookup.source for lookup in lookups}))


def holders(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """Give the names of the sources that hold the records, each once, sorted."""
    return tuple(sorted({candidate.work.source for candidate in candidates}))


def listed(names: tuple[str, ...]) -> str:
    """Give names as a sentence lists them: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def verb(names: tuple[str, ...], one: str, several: str) -> str:
    """Give the form of a verb that goes with names."""
    return one if len(names) == 1 else several


def quoted(text: str) -> str:
    """Give a text in quotation marks, cut to one line of a report."""
    short = text if len(text) <= 160 else f"{text[:157]}..."  # noqa: PLR2004 - one line of a report
    return f"“{short}”"


def label(field: str) -> str:
    """Give the name of a field or scheme as people write it."""
    names = {"doi": "DOI", "arxiv_id": "arXiv id", "pmid": "PMID", "pmcid": "PMCID", "isbn": "ISBN"}
    return names.get(field, field.replace("container_title", "venue"))
