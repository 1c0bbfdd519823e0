"""The JSON report: the stable form other programs read. Its schema is `docs/report.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TextIO

from pydantic import BaseModel, ConfigDict, Field

from citeaudit.model import (
    Alarm,
    Audit,
    AuthorMatch,
    Coverage,
    Decision,
    FailedBlock,
    Failure,
    FieldName,
    Flag,
    Identifiers,
    Lookup,
    Opinion,
    Outcome,
    Person,
    QueryKind,
    QuoteCheck,
    Reason,
    Relation,
    Score,
    SelfCheck,
    SourceHealth,
    Status,
    Unreadable,
    Verdict,
    WorkType,
)
from citeaudit.model.reference import Locus
from citeaudit.model.work import Work
from citeaudit.report import differences, letters, tally, trail
from citeaudit.report.suggestion import suggest
from citeaudit.report.words import uncited
from citeaudit.version import SCHEMA_VERSION


class _Part(BaseModel):
    """A part of the report; closed, so that the schema tells all there is."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FieldRow(_Part):
    """One field: what the reference claims, what the record holds, and how they stand to each other."""

    field: FieldName
    claimed: str | None
    found: str | None
    relation: Relation
    rule: str
    score: Score
    differences: tuple[str, ...]
    lines: tuple[str, ...] = Field(description="The same as people read it: a title with `{graph -> deep}`, authors.")
    people: tuple[AuthorMatch, ...] = Field(description="Of the authors: one a cited author, then those left out.")


class SuggestionRow(_Part):
    """What would make the reference agree with its record."""

    fields: dict[str, str] = Field(description="New values, plain text; empty where no record is certain enough.")
    bibtex: str | None = Field(description="The entry, its key and type as cited; null without new values.")
    plain: str | None = Field(description="The same in one line.")
    needed: tuple[str, ...] = Field(description="What a person must find out first.")


class LookupRow(_Part):
    """One question to one source, and how it ended."""

    source: str
    outcome: Outcome
    kind: QueryKind
    query: str
    candidates: int = Field(ge=0, description="Number of records that came back.")
    coverage: Coverage
    failure: Failure | None
    reason: str | None
    retrieved_at: str = Field(description="UTC, ISO 8601.")
    from_cache: bool
    url: str | None
    repeat: str | None = Field(description="An address or a command by which a person can ask the same.")


class VerdictRow(_Part):
    """The conclusion on one reference."""

    status: Status
    alarm: Alarm
    risk: Score | None
    flags: tuple[Flag, ...]
    reasons: tuple[Reason, ...]
    outage: bool = Field(description="A source failed, and that kept the reference from being decided.")


class ReferenceRow(_Part):
    """One reference of the document, with its verdict and the evidence."""

    index: int = Field(ge=1, description="Place in the document, from 1.")
    label: str | None = Field(description="The printed label, or the citation key.")
    raw: str
    type: WorkType
    title: str | None
    authors: tuple[Person, ...]
    authors_truncated: bool
    editors: tuple[Person, ...]
    year: int | None
    container_title: str | None
    volume: str | None
    issue: str | None
    pages: str | None
    publisher: str | None
    identifiers: Identifiers
    locus: Locus
    cited: bool | None
    duplicate_of: int | None
    duplicate_label: str | None = Field(description="Label or key of the reference that this one repeats.")
    parse_score: Score
    repaired: bool = Field(description="The fields were read by a model; each is printed in `raw`.")
    recognised: bool = Field(description="The characters were recognised from an image (OCR).")
    verdict: VerdictRow
    best: Work | None
    fields: tuple[FieldRow, ...]
    lookups: tuple[LookupRow, ...]
    quotes: tuple[QuoteCheck, ...]
    opinion: Opinion | None
    remark: str | None = Field(description="The author's own, beside the reference: `% citeaudit: ok REASON`.")
    letter: str | None = Field(description="What can be written to an author about it; null if there is nothing.")
    suggestion: SuggestionRow | None
    decision: Decision | None = Field(description="What a person has decided, as applied; by the author if undated.")
    new: bool | None = Field(description="It has a finding that the baseline has not; null without a baseline.")


class DocumentRow(_Part):
    """The manuscript."""

    path: str
    format: str | None = Field(description="Name of the reader; null where the document could not be read.")


class Summary(_Part):
    """The figures to read first."""

    references: int
    counts: dict[Status, int] = Field(description="References by status; every status is there.")
    decided: int = Field(
        ge=0, description="References whose status is no finding, by a person's decision; `counts` has them, too."
    )
    flags: dict[Flag, int]
    uncited: int = Field(ge=0, description="References that the text does not cite, as far as its reader can tell.")
    coverage: Score = Field(description="Share of references that were decided: VERIFIED, MISMATCHED or NOT_FOUND.")


class Report(_Part):
    """The report on one document."""

    schema_version: str
    document: DocumentRow
    error: str | None = Field(description="Why nothing could be audited; null otherwise.")
    summary: Summary
    references: tuple[ReferenceRow, ...]
    failed: tuple[FailedBlock, ...] = Field(description="Pieces that should be references but could not be read.")
    self_check: SelfCheck | None
    sources: tuple[SourceHealth, ...]
    preset: str | None
    offline: bool | None
    assumptions: tuple[str, ...]
    least_alarm: Alarm | None = Field(description="Under it an accusing status is shown but is no finding.")
    compared: str | None = Field(description="What came of comparing the findings with those of a baseline.")
    settings_hash: str | None
    versions: dict[str, str]
    started_at: str | None = Field(description="UTC, ISO 8601.")
    finished_at: str | None = Field(description="UTC, ISO 8601.")


class JsonReporter:
    """Writes one object for one document, a list of objects for any other number."""

    format = "json"
    suffix = ".json"

    def write(self, results: Sequence[Audit | Unreadable], stream: TextIO) -> None:
        """Write the report as indented ASCII JSON, with a line end."""
        reports = [render(result).model_dump(mode="json") for result in results]
        json.dump(reports[0] if len(reports) == 1 else reports, stream, indent=2, ensure_ascii=True)
        stream.write("\n")


def render(result: Audit | Unreadable) -> Report:
    """Give the report on one document as a value."""
    if isinstance(result, Unreadable):
        return _unreadable(result)
    return Report(
        schema_version=SCHEMA_VERSION,
        document=DocumentRow(path=result.document.path, format=result.document.format),
        error=None,
        summary=Summary(
            references=len(result.verdicts),
            counts=result.counts,
            decided=tally.decided(result),
            flags=result.flags,
            uncited=uncited(result),
            coverage=result.coverage,
        ),
        references=tuple(_reference(verdict, result) for verdict in result.verdicts),
        failed=result.failed,
        self_check=result.self_check,
        sources=result.health,
        preset=result.preset,
        offline=result.offline,
        assumptions=result.assumptions,
        least_alarm=result.least_alarm,
        compared=result.compared,
        settings_hash=result.settings_hash,
        versions=result.versions,
        started_at=result.started_at.isoformat(),
        finished_at=result.finished_at.isoformat(),
    )


def schema() -> dict[str, object]:
    """Give the JSON Schema (draft 2020-12) of the output: one report, or a list of them."""
    one = Report.model_json_schema(mode="serialization")
    definitions = one.pop("$defs")
    definitions["Report"] = one
    reference = {"$ref": "#/$defs/Report"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"citeaudit JSON report {SCHEMA_VERSION}",
        "anyOf": [reference, {"type": "array", "items": reference}],
        "$defs": definitions,
    }


def _unreadable(result: Unreadable) -> Report:
    return Report(
        schema_version=SCHEMA_VERSION,
        document=DocumentRow(path=result.path, format=None),
        error=result.message,
        summary=Summary(references=0, counts=dict.fromkeys(Status, 0), decided=0, flags={}, uncited=0, coverage=0.0),
        references=(),
        failed=(),
        self_check=None,
        sources=(),
        preset=None,
        offline=None,
        assumptions=(),
        least_alarm=None,
        compared=None,
        settings_hash=None,
        versions={},
        started_at=None,
        finished_at=None,
    )


def _reference(verdict: Verdict, audit: Audit) -> ReferenceRow:
    evidence = verdict.evidence
    reference = evidence.reference
    return ReferenceRow(
        index=evidence.index,
        label=reference.locus.label or reference.locus.citekey,
        raw=reference.raw,
        type=reference.type,
        title=reference.title,
        authors=reference.authors,
        authors_truncated=reference.authors_truncated,
        editors=reference.editors,
        year=reference.year,
        container_title=reference.container_title,
        volume=reference.volume,
        issue=reference.issue,
        pages=reference.pages,
        publisher=reference.publisher,
        identifiers=reference.identifiers,
        locus=reference.locus,
        cited=reference.cited,
        duplicate_of=evidence.duplicate_of,
        duplicate_label=evidence.duplicate_label,
        parse_score=reference.parse_score,
        repaired=reference.repaired,
        recognised=reference.recognised,
        verdict=VerdictRow(
            status=verdict.status,
            alarm=verdict.alarm,
            risk=None if verdict.risk is None else round(verdict.risk, 6),
            flags=verdict.flags,
            reasons=verdict.reasons,
            outage=verdict.outage,
        ),
        best=verdict.best.work if verdict.best else None,
        fields=tuple(FieldRow(**dict(match), lines=differences.lines(match)) for match in verdict.fields),
        lookups=tuple(_lookup(lookup) for lookup in evidence.lookups),
        quotes=evidence.quote_checks,
        opinion=evidence.opinion,
        remark=reference.remark,
        letter=letters.sentence(verdict) or None,
        suggestion=_suggestion(verdict),
        decision=evidence.decision,
        new=None if audit.new is None else tally.is_new(verdict, audit),
    )


def _suggestion(verdict: Verdict) -> SuggestionRow | None:
    told = suggest(verdict)
    return SuggestionRow(**told._asdict()) if told else None


def _lookup(lookup: Lookup) -> LookupRow:
    again = trail.repeat(lookup)
    return LookupRow(
        source=lookup.source,
        outcome=lookup.outcome,
        kind=lookup.query.kind,
        query=lookup.query.text,
        candidates=len(lookup.candidates),
        coverage=lookup.coverage,
        failure=lookup.failure,
        reason=lookup.reason,
        retrieved_at=lookup.retrieved_at.isoformat(),
        from_cache=lookup.from_cache,
        url=lookup.url,
        repeat=again.text if again else None,
    )
