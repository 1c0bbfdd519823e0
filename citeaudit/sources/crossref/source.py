"""Crossref: the agency of most DOIs of journals, proceedings and books.

Documentation: https://api.crossref.org/swagger-ui/index.html. What is asked, and what its answers can testify,
is told in `docs/sources.md`. In short: DOIs in bulk (`/works?filter=doi:a,doi:b`), those that stay open one by
one (`/works/{doi}`), titles by `query.bibliographic`, which always answers with something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from urllib.parse import quote, urlencode

from citeaudit.errors import MalformedAnswerError, SourceError
from citeaudit.identifiers import clean_doi
from citeaudit.model import Coverage, Lookup, Outcome, Query, QueryKind, Work
from citeaudit.net.gather import Part, collect, gather
from citeaudit.seams import Answer, Answers, Ask
from citeaudit.sources.crossref.records import NO_WORKS, SOURCE, alias, noticed, parse_work, readable
from citeaudit.sources.crossref.scope import covers, elsewhere, prefix
from citeaudit.text.normalize import fold

BASE_URL = "https://api.crossref.org"
ADAPTER_VERSION = "2"
"""Raised when answers are read differently, so that remembered ones are asked again."""
MAX_FILTER = 50
"""DOIs in one filter; a longer address is refused."""
MAX_ROWS = 5
"""Records taken for one title; the work asked for is the first or second, or not there."""
MAX_WORDS = 400
"""Characters of a title or citation that are sent."""

#: Every field that is read; a name that the service does not know makes the whole request fail with 400.
SELECT = (
    "DOI,title,subtitle,author,editor,issued,published,published-print,published-online,container-title,"
    "short-container-title,type,publisher,volume,issue,page,link,relation,update-to,updated-by,ISBN"
)

_OK, _BAD_REQUEST, _NOT_FOUND = 200, 400, 404
_LIST, _SINGLE = "list", "single"
_PLAIN_DOI = re.compile(r"10\.[0-9.]+/[a-z0-9._/()-]+")  # anything else has a meaning in a filter or an address
_ELSEWHERE = "the DOI is of another agency"
_UNTITLED = "holds a record of this DOI, but without a title"
_DENIAL = "resource not found"  # its words for a DOI without a record; a route that is not there says otherwise
_DENIAL_TYPE = "resource-not-found"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class CrossrefSource:
    """Asks Crossref.

    Args:
        base_url: Root of the service; `/works` is put behind it.
        clock: Gives the time for `Lookup.retrieved_at`; aware, UTC.
        contact: E-mail address sent as `mailto`, which opens the faster pool. The User-Agent carries it too.
        api_key: Token of Metadata Plus.
    """

    name = SOURCE
    lineage = "crossref"
    version = ADAPTER_VERSION
    batch_size = 50
    wave = 1

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        clock: Callable[[], datetime] = _utc_now,
        contact: str | None = None,
        api_key: str | None = None,
    ) -> None:
        self._works_url = f"{base_url.rstrip('/').removesuffix('/works')}/works"
        self._clock = clock
        self._mailto = (("mailto", contact.removeprefix("mailto:")),) if contact and "@" in contact else ()
        self._headers = (("Crossref-Plus-API-Token", f"Bearer {api_key}"),) if api_key else ()
        self._select: tuple[tuple[str, str], ...] = (("select", SELECT),)
        self._prefixes: set[str] = set()
        self._ours: dict[str, bool] = {}  # whether silence on the title of what cites this DOI may count

    async def lookup(self, queries: Sequence[Query], client: Answers) -> tuple[Lookup, ...]:
        """Answer each query with one lookup, in order.

        DOIs cost one request for fifty of them, and one more for each that is not among the answers; a title or
        a citation costs one. A question that fails is UNAVAILABLE and costs no other one its answer.

        Raises:
            SourceUnavailableError: Nothing was answered, all for the same reason.
        """
        answers = {query: self._unasked(query) for query in queries if not _askable(query)}
        open_ = [query for query in dict.fromkeys(queries) if query not in answers]
        words = [query for query in open_ if query.kind is not QueryKind.DOI]
        dois = _grouped(query for query in open_ if query.kind is QueryKind.DOI)
        bulk = [doi for doi in dois if _PLAIN_DOI.fullmatch(doi)]
        parts = [self._bulk_part(chunk, dois, client) for chunk in _chunks(bulk)] if len(bulk) > 1 else []
        answers |= await gather(parts, self, clock=self._clock)
        singles = [doi for doi, asked in dois.items() if asked[0] not in answers]
        parts = [Part(tuple(dois[doi]), partial(self._ask_doi, doi, dois[doi], client)) for doi in singles]
        answers |= await gather(parts, self, clock=self._clock)
        parts = [Part((query,), partial(self._ask_words, query, client)) for query in words]  # they rest on the DOIs
        answers |= await gather(parts, self, clock=self._clock)
        return collect(queries, answers)

    # --- DOIs ---

    def _bulk_part(self, chunk: Sequence[str], dois: Mapping[str, list[Query]], client: Answers) -> Part:
        asked = tuple(query for doi in chunk for query in dois[doi])
        return Part(asked, partial(self._ask_dois, {doi: dois[doi] for doi in chunk}, client))

    async def _ask_dois(self, dois: Mapping[str, list[Query]], client: Answers) -> dict[Query, Lookup]:
        """Ask for DOIs in bulk; one that does not come back stays open, unless it is of another agency."""
        filter_ = ",".join(f"doi:{doi}" for doi in dois)
        items = await self._list((("filter", filter_), ("rows", str(len(dois)))), client)
        answers: dict[Query, Lookup] = {}
        for record in readable(items):
            doi = clean_doi(record.doi)
            work = parse_work(record) if doi in dois else None
            if doi is None or work is None:
                continue
            self._registered(doi)
            answers.update((query, self._found(query, doi, work)) for query in dois[doi])
        for doi, queries in dois.items():
            if elsewhere(doi) and queries[0] not in answers:
                answers.update((query, self._missed(query, doi, Coverage.NONE, _ELSEWHERE)) for query in queries)
        return answers

    async def _ask_doi(self, doi: str, queries: Sequence[Query], client: Answers) -> dict[Query, Lookup]:
        """Ask for one DOI; an old one may come back under the name it has now."""
        answer = await client.fetch(self._ask(f"/{quote(doi, safe='')}", (), _SINGLE))
        if _denies(answer):
            coverage, reason = await self._silence(doi, client)
            self._ours[doi] = coverage is Coverage.AUTHORITATIVE
            return {query: self._missed(query, doi, coverage, reason) for query in queries}
        message = self._message(answer)
        record = next(iter(readable([message])), None)
        if record is None or not record.doi:
            raise MalformedAnswerError("the record of a DOI cannot be read", source=self.name)
        self._registered(doi)
        work = parse_work(record)
        if work is None:
            return {query: self._missed(query, doi, Coverage.NONE, _UNTITLED) for query in queries}
        return {query: self._found(query, doi, alias(work, doi)) for query in queries}

    async def _silence(self, doi: str, client: Answers) -> tuple[Coverage, str | None]:
        """Say what it testifies that a DOI has no record.

        Only where other DOIs of the prefix have records is it asked which agency registered this one; the route
        knows the DOIs of all agencies, so that its own 404 says that there is no such DOI.
        """
        if elsewhere(doi):
            return Coverage.NONE, _ELSEWHERE
        if prefix(doi) not in self._prefixes:
            return Coverage.GENERAL, None
        answer = await client.fetch(self._ask(f"/{quote(doi, safe='')}/agency", (), _SINGLE))
        if _denies(answer):
            return Coverage.AUTHORITATIVE, "no agency knows the DOI, and others of its prefix are registered here"
        self._message(answer)
        return Coverage.NONE, "an agency knows the DOI, but Crossref has no record of it"

    def _registered(self, doi: str) -> None:
        self._prefixes.add(prefix(doi))
        self._ours[doi] = True

    def _found(self, query: Query, doi: str, work: Work) -> Lookup:
        return self._lookup(query, Outcome.FOUND, works=(work,), url=self._url(doi))

    def _missed(self, query: Query, doi: str, coverage: Coverage, reason: str | None) -> Lookup:
        return self._lookup(query, Outcome.NO_MATCH, coverage=coverage, reason=reason, url=self._url(doi))

    def _url(self, doi: str) -> str:
        return f"{self._works_url}/{quote(doi, safe='')}"

    # --- words ---

    async def _ask_words(self, query: Query, client: Answers) -> dict[Query, Lookup]:
        params = (("query.bibliographic", _words(query)), ("rows", str(MAX_ROWS)))
        items = await self._list(params, client)
        records = list(readable(items))
        works = noticed([record for record in records if record.type not in NO_WORKS])
        unread = len(items) - len(records) + sum(1 for record in records if not record.title or not record.doi)
        counts = covers(query) and not unread and await self._answers_for(query.doi, client)
        coverage = Coverage.GENERAL if counts else Coverage.NONE
        reason = f"records that could not be read: {unread}" if unread else None
        outcome = Outcome.FOUND if works else Outcome.NO_MATCH
        url = f"{self._works_url}?{urlencode(params)}"
        return {query: self._lookup(query, outcome, works=works, coverage=coverage, reason=reason, url=url)}

    async def _answers_for(self, cited: str | None, client: Answers) -> bool:
        """Whether silence on a title may count beside the DOI that the reference cites.

        It may where the DOI is registered here, or where no agency knows it. Otherwise another agency may have
        registered both. A DOI that this run has not asked for, because its answer was remembered, is asked for.
        """
        if cited is None:
            return True
        doi = clean_doi(cited) or cited
        if doi not in self._ours:
            if elsewhere(doi) or clean_doi(doi) is None:
                return False
            try:
                await self._ask_doi(doi, (), client)
            except SourceError:
                return False
        return self._ours.get(doi, False)

    # --- requests ---

    def _ask(self, path: str, params: Sequence[tuple[str, str]], lane: str) -> Ask:
        return Ask(
            source=self.name,
            url=f"{self._works_url}{path}",
            params=(*params, *self._mailto),
            headers=self._headers,
            lane=lane,
        )

    async def _list(self, params: Sequence[tuple[str, str]], client: Answers) -> Sequence[object]:
        """Give the raw records of a list; without `select` should the service not know one of its names."""
        answer = await client.fetch(self._ask("", (*params, *self._select), _LIST))
        if answer.status == _BAD_REQUEST and self._select:
            self._select = ()
            answer = await client.fetch(self._ask("", params, _LIST))
        message = self._message(answer)
        items, total = message.get("items"), message.get("total-results")
        if not isinstance(items, list):
            raise MalformedAnswerError("the answer holds no list of records", source=self.name)
        if not items and total is not None and total != 0:
            raise MalformedAnswerError("announces results that it does not send", source=self.name)
        return items

    def _message(self, answer: Answer) -> dict[str, object]:
        if answer.status != _OK:
            raise MalformedAnswerError(f"answered with status {answer.status}", source=self.name)
        message = answer.value.get("message") if isinstance(answer.value, dict) else None
        if not isinstance(message, dict):
            raise MalformedAnswerError("the answer is not in the documented shape", source=self.name)
        return message

    def _unasked(self, query: Query) -> Lookup:
        return self._lookup(query, Outcome.SKIPPED, reason=f"it cannot be asked by {query.kind.value}")

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
        return Lookup(
            source=self.name,
            lineage=self.lineage,
            query=query,
            outcome=outcome,
            candidates=works,
            coverage=coverage,
            reason=reason,
            retrieved_at=self._clock(),
            url=url,
        )


# --- questions ---


def _askable(query: Query) -> bool:
    if query.kind is QueryKind.DOI:
        return clean_doi(query.text) is not None
    return query.kind in (QueryKind.TITLE, QueryKind.CITATION) and bool(fold(query.text))


def _grouped(queries: Iterable[Query]) -> dict[str, list[Query]]:
    """Give the questions of each DOI; hints may differ between them."""
    groups: dict[str, list[Query]] = {}
    for query in queries:
        groups.setdefault(clean_doi(query.text) or query.text, []).append(query)
    return groups


def _denies(answer: Answer) -> bool:
    """Whether a 404 is Crossref's own no, in its words; that of a proxy, or of a route that is not there, is none."""
    if answer.status != _NOT_FOUND:
        return False
    if isinstance(answer.value, dict):
        return answer.value.get("message-type") == _DENIAL_TYPE
    said = answer.value if isinstance(answer.value, str) else answer.text
    return fold(said) == _DENIAL


def _chunks(dois: Sequence[str]) -> list[Sequence[str]]:
    return [dois[start : start + MAX_FILTER] for start in range(0, len(dois), MAX_FILTER)]


def _words(query: Query) -> str:
    words = query.text if query.kind is QueryKind.CITATION else " ".join((query.text, *query.families[:1]))
    return words[:MAX_WORDS].encode("utf-8", "replace").decode("utf-8")
