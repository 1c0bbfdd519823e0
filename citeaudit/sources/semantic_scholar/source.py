"""Semantic Scholar: papers of most fields, gathered from publishers, archives and the web.

Documentation: https://api.semanticscholar.org/api-docs/graph. Identifiers are asked in bulk (`POST /paper/batch`),
titles one by one (`/paper/search/match`), which gives the one best match or says that there is none. It is fed by
Crossref and PubMed too, but finds and reads papers by itself; it keeps no retractions.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlencode

import anyio

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceUnavailableError
from citeaudit.identifiers import bare_arxiv_id, clean_arxiv_id, clean_doi, clean_pmcid, clean_pmid, doi_arxiv_id
from citeaudit.model import Coverage, Lookup, Outcome, Query, QueryKind, Work, WorkType
from citeaudit.net.gather import Part, collect, gather, unanswered
from citeaudit.seams import Answer, Answers, Ask
from citeaudit.sources.semantic_scholar.records import SOURCE, parse_work, vouched
from citeaudit.text.normalize import fold, squash

BASE_URL = "https://api.semanticscholar.org/graph/v1"
ADAPTER_VERSION = "2"
"""Raised when answers are read differently, so that remembered ones are asked again."""
MAX_IDS = 500
"""Identifiers in one batch."""
MAX_TITLE = 300
"""Characters of a title that are sent."""

FIELDS = (
    "title,authors,year,venue,publicationVenue,journal,externalIds,openAccessPdf,isOpenAccess,publicationTypes,"
    "publicationDate,url"
)

_log = logging.getLogger(__name__)
_OK, _BAD_REQUEST, _NOT_FOUND = 200, 400, 404
_NO_TITLE = "title match not found"
_NO_IDS = "no valid paper ids"
_SIGNS = re.compile(r"[^\w\s.,;:!?'’&/+]+")  # hyphens hurt, and there is no syntax that the others could mean
_COVERED = frozenset({WorkType.ARTICLE_JOURNAL, WorkType.PAPER_CONFERENCE, WorkType.PREPRINT})
_Asked = Mapping[str, Sequence[Query]]


def _utc_now() -> datetime:
    return datetime.now(UTC)


class SemanticScholarSource:
    """Asks Semantic Scholar.

    Args:
        base_url: Root of the host, or the address before `/paper`.
        clock: Gives the time for `Lookup.retrieved_at`; aware, UTC.
        contact: Goes out in the User-Agent alone.
        api_key: Sent as `x-api-key`; one that is refused is dropped for the run, and the lookups say so.
    """

    name = SOURCE
    lineage = "semantic-scholar"
    version = ADAPTER_VERSION
    batch_size = MAX_IDS
    wave = 2

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        clock: Callable[[], datetime] = _utc_now,
        contact: str | None = None,
        api_key: str | None = None,
    ) -> None:
        del contact
        root = base_url.rstrip("/")
        self._url = root if root.endswith("/graph/v1") else f"{root}/graph/v1"
        self._clock = clock
        self._key = api_key or None
        self._key_works = False
        self._note: str | None = None
        self._lock = anyio.Lock()

    async def lookup(self, queries: Sequence[Query], client: Answers) -> tuple[Lookup, ...]:
        """Answer each query with one lookup, in order.

        Five hundred identifiers cost one request; each title costs one. A question that fails is UNAVAILABLE and
        costs no other one its answer.

        Raises:
            SourceUnavailableError: Nothing was answered, all for the same reason.
        """
        answers = {query: lookup for query in queries if (lookup := self._unasked(query)) is not None}
        open_ = [query for query in dict.fromkeys(queries) if query not in answers]
        ids = _grouped(query for query in open_ if query.kind is not QueryKind.TITLE)
        parts = [self._ids_part(chunk, ids, client) for chunk in _chunks(tuple(ids))]
        titles = [query for query in open_ if query.kind is QueryKind.TITLE]
        parts += [Part((query,), partial(self._ask_title, query, client)) for query in titles]
        answers |= await gather(parts, self, clock=self._clock)
        return collect(queries, answers)

    # --- identifiers ---

    def _ids_part(self, chunk: Sequence[str], ids: _Asked, client: Answers) -> Part:
        asked = {name: ids[name] for name in chunk}
        return Part(tuple(query for group in asked.values() for query in group), partial(self._ask_ids, asked, client))

    async def _ask_ids(self, asked: _Asked, client: Answers) -> dict[Query, Lookup]:
        ask = Ask(
            source=self.name,
            url=f"{self._url}/paper/batch",
            params=(("fields", FIELDS),),
            method="POST",
            body={"ids": list(asked)},
        )
        answer = await self._fetch(ask, client)
        if answer.status == _BAD_REQUEST and _NO_IDS in _error(answer):  # what it says where it knows none of them
            items: list[object] = [None] * len(asked)
        elif answer.status == _OK and isinstance(answer.value, list) and len(answer.value) == len(asked):
            items = answer.value
        else:
            raise MalformedAnswerError(
                f"the answer is not one record an identifier (status {answer.status})", source=self.name
            )
        answers: dict[Query, Lookup] = {}
        for (name, queries), item in zip(asked.items(), items, strict=True):
            answers.update((query, self._read_id(query, name, item)) for query in queries)
        return answers

    def _read_id(self, query: Query, name: str, item: object) -> Lookup:
        url = f"{self._url}/paper/{name}?{urlencode((('fields', FIELDS),))}"
        if item is None:
            return self._lookup(query, Outcome.NO_MATCH, url=url)
        work = parse_work(item)
        if work is None:
            broken = MalformedAnswerError("the record cannot be read", source=self.name)
            return unanswered(broken, self, query, self._clock())
        return self._lookup(query, Outcome.FOUND, works=(vouched(work, query),), url=url)

    # --- titles ---

    async def _ask_title(self, query: Query, client: Answers) -> dict[Query, Lookup]:
        params = (("query", _words(query)), ("fields", FIELDS))
        ask = Ask(source=self.name, url=f"{self._url}/paper/search/match", params=params)
        answer = await self._fetch(ask, client)
        items = self._matches(answer)
        works = tuple(work for item in items if (work := parse_work(item)) is not None)
        unread = len(items) - len(works)
        said = bool(items) or answer.status == _NOT_FOUND  # an empty list is not its way to say no
        coverage = Coverage.GENERAL if said and not unread and _covers(query) else Coverage.NONE
        outcome = Outcome.FOUND if works else Outcome.NO_MATCH
        reason = f"records that could not be read: {unread}" if unread else None
        url = f"{self._url}/paper/search/match?{urlencode(params)}"
        return {query: self._lookup(query, outcome, works=works, coverage=coverage, reason=reason, url=url)}

    def _matches(self, answer: Answer) -> list[object]:
        """Give the records of an answer; 404 is how it says that nothing matches, but not every 404 is."""
        if answer.status == _NOT_FOUND and _NO_TITLE in _error(answer):
            return []
        data = answer.value.get("data") if isinstance(answer.value, dict) else None
        if answer.status != _OK or not isinstance(data, list):
            raise MalformedAnswerError(
                f"the answer is not in the documented shape (status {answer.status})", source=self.name
            )
        return data

    # --- requests ---

    async def _fetch(self, ask: Ask, client: Answers) -> Answer:
        """Ask with the key, alone until it has been accepted; without it from the first refusal on."""
        if self._settled():
            return await client.fetch(self._signed(ask))
        async with self._lock:
            if self._settled():
                return await client.fetch(self._signed(ask))
            try:
                answer = await client.fetch(self._signed(ask))
            except SourceUnavailableError as error:
                if error.kind is not FailureKind.REFUSED:
                    raise
                self._key = None
                self._note = "the key was refused, so it was asked without one"
                _log.warning("semantic_scholar refuses the key that was set: asking without one")
                return await client.fetch(ask)
            self._key_works = True
            return answer

    def _settled(self) -> bool:
        """Whether there is nothing to find out about the key: there is none, or it has been accepted."""
        return self._key is None or self._key_works

    def _signed(self, ask: Ask) -> Ask:
        return replace(ask, headers=(("x-api-key", self._key),)) if self._key else ask

    def _unasked(self, query: Query) -> Lookup | None:
        if query.kind is QueryKind.TITLE:
            return None if fold(_words(query)) else self._lookup(query, Outcome.SKIPPED, reason="the title has no word")
        if query.kind in (QueryKind.CITATION, QueryKind.ISBN):
            return self._lookup(query, Outcome.SKIPPED, reason=f"it cannot be asked by {query.kind.value}")
        if _name(query) is None:
            return self._lookup(query, Outcome.NO_MATCH, reason="not in the form of such an identifier")
        return None

    def _lookup(
        self,
        query: Query,
        outcome: Outcome,
        *,
        works: tuple[Work, ...] = (),
        coverage: Coverage = Coverage.NONE,
        reason: str | None = None,
        url: str | None = None,
    ) -> Lookup:
        said = "; ".join(part for part in (reason, self._note) if part)
        return Lookup(
            source=self.name,
            lineage=self.lineage,
            query=query,
            outcome=outcome,
            candidates=works,
            coverage=coverage,
            reason=said or None,
            retrieved_at=self._clock(),
            url=url,
        )


# --- questions ---


def _name(query: Query) -> str | None:
    """Give an identifier as the service names it; an arXiv DOI is asked as the arXiv id that it stands for."""
    match query.kind:
        case QueryKind.DOI:
            doi = clean_doi(query.text)
            arxiv_id = doi_arxiv_id(doi) if doi else None
            return f"ARXIV:{bare_arxiv_id(arxiv_id)}" if arxiv_id else doi and f"DOI:{doi}"
        case QueryKind.ARXIV_ID:
            arxiv_id = clean_arxiv_id(query.text)
            return arxiv_id and f"ARXIV:{bare_arxiv_id(arxiv_id)}"
        case QueryKind.PMID:
            pmid = clean_pmid(query.text)
            return pmid and f"PMID:{pmid}"
        case QueryKind.PMCID:
            pmcid = clean_pmcid(query.text)
            return pmcid and f"PMCID:{pmcid.removeprefix('PMC')}"
        case _:
            return None


def _grouped(queries: Iterable[Query]) -> dict[str, list[Query]]:
    groups: dict[str, list[Query]] = {}
    for query in queries:
        groups.setdefault(_name(query) or query.text, []).append(query)
    return groups


def _chunks(names: Sequence[str]) -> list[Sequence[str]]:
    return [names[start : start + MAX_IDS] for start in range(0, len(names), MAX_IDS)]


def _words(query: Query) -> str:
    text = query.text[:MAX_TITLE].encode("utf-8", "replace").decode("utf-8")
    return squash(_SIGNS.sub(" ", text))


def _covers(query: Query) -> bool:
    return query.type in _COVERED or (query.type is WorkType.UNKNOWN and bool(query.container_title))


def _error(answer: Answer) -> str:
    """Give the service's own words about what is wrong, lower case; empty where there are none."""
    said = answer.value.get("error") if isinstance(answer.value, dict) else None
    return said.lower() if isinstance(said, str) else ""
