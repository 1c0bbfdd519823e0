"""The example service: a small catalogue of works with registered identifiers, and the pattern for real sources.

`GET {base}/works` takes one parameter, a JSON list of up to `ExampleSource.batch_size` questions:

- `doi`, `arxiv_id`, `pmid`, `pmcid` or `isbn`: a list of identifiers in their normal form;
- `title`: a list of objects `{"title", "year", "type"}`; `year` and `type` (CSL) only ask whether it is in scope.

It answers status 200 with `{"answers": [...]}`, one answer a question, in order, each
`{"asked": str, "works": [work...], "registered": bool | null, "in_scope": bool}`. `registered` is null unless the
service is the agency that registers such identifiers, and then its silence is authoritative. `in_scope` says that
works of that type and year are collected. Any other status or shape is no answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from citeaudit.errors import MalformedAnswerError
from citeaudit.identifiers import clean_arxiv_id, clean_doi, clean_isbn, clean_pmcid, clean_pmid, clean_url
from citeaudit.model import (
    IDENTIFIER_KINDS,
    Coverage,
    Identifiers,
    Lookup,
    Notice,
    NoticeType,
    Outcome,
    Person,
    Query,
    QueryKind,
    Work,
    WorkType,
)
from citeaudit.seams import Answers, Ask
from citeaudit.text.normalize import plain

ADAPTER_VERSION = "1"
"""Part of the key under which answers are remembered; raised when the parsing of an answer changes."""
MAX_QUESTION = 250
"""Characters of a question; twenty in any script, percent-encoded, still fit the 64 KiB of a request line."""

_OK = 200
_NOTICE_TYPES = frozenset(NoticeType)
_WORK_TYPES = frozenset(WorkType)


class _Record(BaseModel):
    """What all parts of an answer share: anything may be missing or null, anything unknown is ignored."""

    model_config = ConfigDict(extra="ignore")


class _PersonRecord(_Record):
    family: str | None = None
    given: str | None = None
    literal: str | None = None
    suffix: str | None = None


class _NoticeRecord(_Record):
    type: str | None = None
    doi: str | None = None
    year: int | None = None
    url: str | None = None


class _WorkRecord(_Record):
    id: str
    title: str = Field(min_length=1)
    type: str | None = None
    authors: tuple[_PersonRecord, ...] = ()
    authors_complete: bool = True
    editors: tuple[_PersonRecord, ...] = ()
    year: int | None = None
    container_title: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    isbn: str | None = None
    url: str | None = None
    notices: tuple[_NoticeRecord, ...] = ()


class _AnswerRecord(_Record):
    asked: str
    works: tuple[_WorkRecord, ...]
    registered: bool | None = None
    in_scope: bool = False


class _Body(_Record):
    answers: tuple[_AnswerRecord, ...]


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ExampleSource:
    """Asks the example service.

    Args:
        base_url: Where it listens, without a trailing `/works`.
        clock: Gives the time for `Lookup.retrieved_at`; aware, UTC.
    """

    name = "example"
    lineage = "example"
    version = ADAPTER_VERSION
    batch_size = 20
    wave = 1

    def __init__(
        self,
        base_url: str,
        *,
        clock: Callable[[], datetime] = _utc_now,
        contact: str | None = None,
        api_key: str | None = None,
    ) -> None:
        del contact, api_key
        self._works_url = f"{base_url.rstrip('/')}/works"
        self._clock = clock

    async def lookup(self, queries: Sequence[Query], client: Answers) -> tuple[Lookup, ...]:
        """Answer each query with one lookup, in order; one request for each kind of query.

        Sends identifiers as they are, and titles with their year and type. Raw citations and overlong
        identifiers are not sent: SKIPPED.

        Raises:
            SourceUnavailableError: The service gave no answer.
            MalformedAnswerError: It answered in another shape than the documented one.
        """
        lookups: dict[int, Lookup] = {}
        groups: dict[QueryKind, list[int]] = {}
        for place, query in enumerate(queries):
            reason = _unasked(query)
            if reason:
                lookups[place] = self._lookup(query, Outcome.SKIPPED, reason=reason)
            else:
                groups.setdefault(query.kind, []).append(place)
        for places in groups.values():
            answered = await self._ask([queries[place] for place in places], client)
            lookups.update(zip(places, answered, strict=True))
        return tuple(lookups[place] for place in range(len(queries)))

    async def _ask(self, queries: Sequence[Query], client: Answers) -> list[Lookup]:
        """Put queries of one kind in one request."""
        ask = Ask(source=self.name, url=self._works_url, params=tuple(_params(queries).items()))
        answer = await client.fetch(ask)
        if answer.status != _OK:
            message = f"answered with status {answer.status}, which it does not document"
            raise MalformedAnswerError(message, source=self.name)
        try:
            answers = _Body.model_validate(answer.value).answers
        except ValidationError as error:
            message = f"the answer is not in the documented shape ({error.error_count()} faults)"
            raise MalformedAnswerError(message, source=self.name) from error
        if [answer.asked for answer in answers] != [_question(query) for query in queries]:
            raise MalformedAnswerError("answered other questions than it was asked", source=self.name)
        return [self._read(query, answer) for query, answer in zip(queries, answers, strict=True)]

    def _read(self, query: Query, answer: _AnswerRecord) -> Lookup:
        """Give the lookup that one answer amounts to."""
        works = tuple(_work(record) for record in answer.works)
        if query.kind not in IDENTIFIER_KINDS:
            outcome = Outcome.FOUND if works else Outcome.NO_MATCH
            coverage = Coverage.GENERAL if answer.in_scope else Coverage.NONE
            return self._lookup(query, outcome, works=works, coverage=coverage)
        if answer.registered and not works:
            raise MalformedAnswerError("calls an identifier registered but gives no record of it", source=self.name)
        outcome = (Outcome.NO_MATCH, Outcome.FOUND, Outcome.AMBIGUOUS)[min(len(works), 2)]  # it should name one work
        coverage = Coverage.NONE if answer.registered is None else Coverage.AUTHORITATIVE
        return self._lookup(query, outcome, works=works, coverage=coverage)

    def _lookup(
        self,
        query: Query,
        outcome: Outcome,
        *,
        works: tuple[Work, ...] = (),
        coverage: Coverage = Coverage.NONE,
        reason: str | None = None,
    ) -> Lookup:
        skipped = outcome is Outcome.SKIPPED
        return Lookup(
            source=self.name,
            lineage=self.lineage,
            query=query,
            outcome=outcome,
            candidates=works,
            coverage=coverage,
            reason=reason,
            retrieved_at=self._clock(),
            url=None if skipped else f"{self._works_url}?{urlencode(_params([query]))}",
        )


def _unasked(query: Query) -> str | None:
    """Say why a query is not sent, or `None`."""
    if query.kind is QueryKind.CITATION:
        return "asks by title and identifier only"
    if query.kind in IDENTIFIER_KINDS and len(query.text) > MAX_QUESTION:
        return f"the identifier is longer than {MAX_QUESTION} characters"
    return None


def _question(query: Query) -> str:
    """Give the words that are sent, cut and free of what UTF-8 cannot carry (half a surrogate pair)."""
    return query.text[:MAX_QUESTION].encode("utf-8", "replace").decode("utf-8")


def _params(queries: Sequence[Query]) -> dict[str, str]:
    """Give the one parameter of a request; the queries are of one kind."""
    kind = queries[0].kind
    if kind is QueryKind.TITLE:
        asked: list[object] = [{"title": _question(each), "year": each.year, "type": each.type} for each in queries]
    else:
        asked = [_question(each) for each in queries]
    return {kind.value: json.dumps(asked, ensure_ascii=False, separators=(",", ":"))}


def _work(record: _WorkRecord) -> Work:
    """Give the record in our words; what cannot be cleaned is left out."""
    return Work(
        source=ExampleSource.name,
        source_id=record.id,
        type=_work_type(record.type),
        title=plain(record.title),
        authors=_people(record.authors),
        authors_complete=record.authors_complete,
        editors=_people(record.editors),
        year=record.year,
        container_title=record.container_title,
        volume=record.volume,
        issue=record.issue,
        pages=record.pages,
        publisher=record.publisher,
        identifiers=Identifiers(
            doi=clean_doi(record.doi),
            arxiv_id=clean_arxiv_id(record.arxiv_id),
            pmid=clean_pmid(record.pmid),
            pmcid=clean_pmcid(record.pmcid),
            isbn=clean_isbn(record.isbn),
            url=clean_url(record.url),
        ),
        notices=tuple(
            Notice(type=NoticeType(each.type), doi=clean_doi(each.doi), year=each.year, url=clean_url(each.url))
            for each in record.notices
            if each.type in _NOTICE_TYPES
        ),
    )


def _people(records: Sequence[_PersonRecord]) -> tuple[Person, ...]:
    people = (
        Person(family=each.family, given=each.given, literal=each.literal, suffix=each.suffix) for each in records
    )
    return tuple(person for person in people if str(person))


def _work_type(name: str | None) -> WorkType:
    return WorkType(name) if name in _WORK_TYPES else WorkType.UNKNOWN
