"""arXiv: the archive of preprints, and the registry of their identifiers.

Documentation: https://info.arxiv.org/help/api/user-manual.html. Identifiers are asked in bulk (`id_list`), titles one
by one (`search_query=ti:"..."`). It is known to send valid empty feeds although results exist
(https://github.com/lukasschwab/arxiv.py/issues/43 and /129), so for an identifier an empty feed counts only beside a
control, asked in the same request; for a title it never counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlencode

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceUnavailableError
from citeaudit.identifiers import bare_arxiv_id, clean_arxiv_id, doi_arxiv_id
from citeaudit.model import Coverage, Lookup, Outcome, Query, QueryKind, Work, WorkType
from citeaudit.net.gather import Part, collect, gather, unanswered
from citeaudit.seams import Answers, Ask
from citeaudit.sources.arxiv.feed import SOURCE, Feed, parse_feed
from citeaudit.text.latex import to_text
from citeaudit.text.marks import names_arxiv, names_server
from citeaudit.text.normalize import fold, plain, squash

BASE_URL = "https://export.arxiv.org/api"
ADAPTER_VERSION = "2"
"""Raised when answers are read differently, so that remembered ones are asked again."""
MAX_IDS = 100
"""Identifiers in one request."""
MAX_ROWS = 5
"""Entries taken for one title."""
MAX_TITLE = 300
"""Characters of a title that are sent."""
CONTROL_IDS = ("1706.03762", "1412.6980")
"""Papers that arXiv certainly holds, asked beside an identifier that it seems not to know."""

_OK, _BAD_REQUEST = 200, 400
_SHORT_WORDS = 3  # words up to which a title needs its author to be told apart
_WITHHELD = "announces results that it does not send"
_EMPTY = "sent an empty feed, for a paper that it holds too"
_MAX_BAD = 5  # identifiers called malformed after which the request is given up
_NOT_WORD = re.compile(r"[^\w']+")

_Ids = Mapping[str, Sequence[Query]]


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ArxivSource:
    """Asks arXiv.

    Args:
        base_url: Root of the host, or the address before `/query`.
        clock: Gives the time for `Lookup.retrieved_at`; aware, UTC.
        contact: Goes out in the User-Agent alone.
        api_key: arXiv has none.
    """

    name = SOURCE
    lineage = "arxiv"
    version = ADAPTER_VERSION
    batch_size = MAX_IDS
    wave = 3

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        clock: Callable[[], datetime] = _utc_now,
        contact: str | None = None,
        api_key: str | None = None,
    ) -> None:
        del contact, api_key
        root = base_url.rstrip("/").removesuffix("/query")
        self._url = f"{root}/query" if root.endswith("/api") else f"{root}/api/query"
        self._clock = clock
        self._known: dict[str, str] = {}

    async def lookup(self, queries: Sequence[Query], client: Answers) -> tuple[Lookup, ...]:
        """Answer each query with one lookup, in order.

        A hundred identifiers cost one request, arXiv's DOIs among them; each title costs one. A question that
        fails is UNAVAILABLE and costs no other one its answer.

        Raises:
            SourceUnavailableError: Nothing was answered, all for the same reason.
        """
        answers = {query: lookup for query in queries if (lookup := self._unasked(query)) is not None}
        open_ = [query for query in dict.fromkeys(queries) if query not in answers]
        ids = _grouped(query for query in open_ if query.kind is not QueryKind.TITLE)
        parts = [self._ids_part(chunk, ids, client) for chunk in _chunks(tuple(ids))]
        answers |= await gather(parts, self, clock=self._clock)
        titles = [query for query in open_ if query.kind is QueryKind.TITLE]
        parts = [Part((query,), partial(self._ask_title, query, client)) for query in titles]
        answers |= await gather(parts, self, clock=self._clock)
        return collect(queries, answers)

    # --- identifiers ---

    def _ids_part(self, chunk: Sequence[str], ids: _Ids, client: Answers) -> Part:
        asked = {arxiv_id: ids[arxiv_id] for arxiv_id in chunk}
        return Part(tuple(query for group in asked.values() for query in group), partial(self._ask_ids, asked, client))

    async def _ask_ids(self, ids: _Ids, client: Answers) -> dict[Query, Lookup]:
        """Ask for identifiers in bulk, and once more for those that stay open where the feed cannot be trusted."""
        answers: dict[Query, Lookup] = {}
        feed, open_ = await self._by_id(ids, ids, client, answers)
        if not open_:
            return answers
        proven = bool(feed.works)
        if not proven or _short(feed):
            control = next(one for one in (*self._known, *CONTROL_IDS) if one not in map(bare_arxiv_id, open_))
            feed, open_ = await self._by_id([*open_, control], ids, client, answers)
            proven = any(work.source_id == control for work in feed.works)
            open_ = [one for one in open_ if one != control]
        unread = {bare_arxiv_id(one) for one in feed.unread if one}
        for arxiv_id in open_:
            if proven and not _short(feed) and bare_arxiv_id(arxiv_id) not in unread:
                answers |= {query: self._no_id(query, arxiv_id) for query in ids[arxiv_id]}
            else:
                lost = MalformedAnswerError(_EMPTY if not proven else _WITHHELD, source=self.name)
                answers |= {query: unanswered(lost, self, query, self._clock()) for query in ids[arxiv_id]}
        return answers

    async def _by_id(
        self, asked: Iterable[str], ids: _Ids, client: Answers, answers: dict[Query, Lookup]
    ) -> tuple[Feed, list[str]]:
        """Ask once, put what came into `answers`, and give the feed with the identifiers that did not come."""
        open_ = list(asked)
        feed = await self._fetch_ids(open_, client)
        for _ in range(_MAX_BAD):
            if feed.error is None:
                break
            bad = next((one for one in open_ if one == feed.bad_id), None)
            if bad is None or len(open_) == 1:
                break
            open_.remove(bad)  # one refused identifier spoils the request for all others
            refused = MalformedAnswerError(f"says: {feed.error}", source=self.name)
            answers.update({query: unanswered(refused, self, query, self._clock()) for query in ids.get(bad, ())})
            feed = await self._fetch_ids(open_, client)
        if feed.error is not None:
            raise MalformedAnswerError(f"says: {feed.error}", source=self.name)
        held = {name: work for work in reversed(feed.works) for name in _names(work)}
        self._known.update((work.source_id, work.title) for work in feed.works)
        for arxiv_id in open_:
            if (work := held.get(arxiv_id)) is not None:
                answers.update((query, self._found(query, arxiv_id, work)) for query in ids.get(arxiv_id, ()))
        return feed, [one for one in open_ if one not in held]

    async def _fetch_ids(self, ids: Sequence[str], client: Answers) -> Feed:
        return await self._feed((("id_list", ",".join(ids)), ("start", "0"), ("max_results", str(len(ids)))), client)

    def _found(self, query: Query, arxiv_id: str, work: Work) -> Lookup:
        return self._lookup(query, Outcome.FOUND, works=(work,), url=self._id_url(arxiv_id))

    def _no_id(self, query: Query, arxiv_id: str) -> Lookup:
        """Say that arXiv does not know an identifier; of a version it proves nothing about the paper."""
        coverage = Coverage.AUTHORITATIVE if arxiv_id == bare_arxiv_id(arxiv_id) else Coverage.NONE
        return self._lookup(query, Outcome.NO_MATCH, coverage=coverage, url=self._id_url(arxiv_id))

    def _id_url(self, arxiv_id: str) -> str:
        return f"{self._url}?{urlencode((('id_list', arxiv_id),))}"

    # --- titles ---

    async def _ask_title(self, query: Query, client: Answers) -> dict[Query, Lookup]:
        """Search for a title; that nothing is found testifies nothing, for the search may have failed unseen."""
        search = _search(query)
        feed = await self._by_title(search, client, tries=2 if _expected(query) else 1)
        outcome = Outcome.FOUND if feed.works else Outcome.NO_MATCH
        reason = f"records that could not be read: {len(feed.unread)}" if feed.unread and not feed.works else None
        url = f"{self._url}?{urlencode((('search_query', search),))}"
        return {query: self._lookup(query, outcome, works=feed.works, reason=reason, url=url)}

    async def _by_title(self, search: str, client: Answers, *, tries: int) -> Feed:
        """Search, and once more where results are announced but not sent; where tries are left, where none are too."""
        params = (("search_query", search), ("start", "0"), ("max_results", str(MAX_ROWS)))
        for tried in (1, 2):
            feed = await self._feed(params, client)
            if feed.error is not None:
                raise MalformedAnswerError(f"says: {feed.error}", source=self.name)
            if feed.entries or (feed.total == 0 and tried >= tries):
                return feed
        raise SourceUnavailableError(_WITHHELD, source=self.name, kind=FailureKind.MALFORMED)

    # --- requests ---

    async def _feed(self, params: tuple[tuple[str, str], ...], client: Answers) -> Feed:
        answer = await client.fetch(Ask(source=self.name, url=self._url, params=params, form="xml"))
        if answer.status not in (_OK, _BAD_REQUEST):
            raise MalformedAnswerError(f"answered with status {answer.status}", source=self.name)
        feed = parse_feed(answer.text)
        if answer.status == _BAD_REQUEST and feed.error is None:
            raise MalformedAnswerError("refuses the question without saying why", source=self.name)
        return feed

    def _unasked(self, query: Query) -> Lookup | None:
        match query.kind:
            case QueryKind.ARXIV_ID if clean_arxiv_id(query.text) is None:
                return self._lookup(query, Outcome.NO_MATCH, reason="not in the form of an arXiv identifier")
            case QueryKind.DOI if doi_arxiv_id(query.text) is None:
                return self._lookup(query, Outcome.SKIPPED, reason="it knows no DOIs but its own")
            case QueryKind.TITLE if not _search(query):
                return self._lookup(query, Outcome.SKIPPED, reason="the title has no word to ask with")
            case QueryKind.ARXIV_ID | QueryKind.DOI | QueryKind.TITLE:
                return None
            case _:
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


def _grouped(queries: Iterable[Query]) -> dict[str, list[Query]]:
    groups: dict[str, list[Query]] = {}
    for query in queries:
        raw = doi_arxiv_id(query.text) if query.kind is QueryKind.DOI else query.text
        groups.setdefault(clean_arxiv_id(raw) or query.text, []).append(query)
    return groups


def _chunks(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[start : start + MAX_IDS] for start in range(0, len(ids), MAX_IDS)]


def _names(work: Work) -> tuple[str, ...]:
    """Give the forms in which a record answers an identifier: as it came, and without version."""
    return (work.identifiers.arxiv_id or work.source_id, work.source_id)


def _short(feed: Feed) -> bool:
    """Whether a feed announces more results than it holds, or does not say how many there are."""
    return feed.total is None or feed.total > feed.entries


def _phrase(title: str) -> str:
    """Give a title as a phrase of its words: quotes, colons, brackets and LaTeX have a meaning in a query."""
    text = to_text(title[:MAX_TITLE]) if "\\" in title else title[:MAX_TITLE]  # a per cent sign is no comment here
    words = squash(_NOT_WORD.sub(" ", plain(text).replace("’", "'")))
    return f'ti:"{words}"' if fold(words) else ""


def _search(query: Query) -> str:
    phrase = _phrase(query.text)
    family = squash(_NOT_WORD.sub(" ", plain(query.families[0]))) if query.families else ""
    if phrase and family and len(fold(query.text).split()) <= _SHORT_WORDS:
        return f'{phrase} AND au:"{family}"'
    return phrase


def _expected(query: Query) -> bool:
    """Whether the reference cites it as an arXiv preprint, so that an empty feed is worth a second question."""
    venue = query.container_title
    return names_arxiv(venue) or (query.type is WorkType.PREPRINT and not names_server(venue))
