"""How to see for oneself: where the record is, when it was read, and the questions a person can repeat."""

from __future__ import annotations

import re
import shlex
from datetime import datetime
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from citeaudit.model import Lookup, Outcome, QueryKind, Status, Verdict
from citeaudit.report.links import resolvers, web_address
from citeaudit.text.visible import shorten, visible

_OPTIONS = {QueryKind.DOI: "--doi", QueryKind.ARXIV_ID: "--arxiv", QueryKind.PMID: "--pmid"}
_SEARCHED = frozenset({QueryKind.TITLE, QueryKind.CITATION})
_QUERY_WIDTH = 400
_SECRET = re.compile(r"(?:mailto|e?mail|contact|(?:api[_-]?)?key|token|secret|password)", re.IGNORECASE)

_SHOWN_NAMES = {
    "crossref": "Crossref",
    "arxiv": "arXiv",
    "semantic_scholar": "Semantic Scholar",
    "semantic-scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "dblp": "dblp",
    "pubmed": "PubMed",
    "datacite": "DataCite",
}


class Repeat(NamedTuple):
    """One question, as a person can ask it again."""

    source: str
    at: datetime
    """When it was asked, UTC."""
    text: str
    """An address, or a command; foreign text in it is visible and quoted for a shell."""
    url: str | None
    """The address where it is one that may be linked."""


def source_name(source: str, *, is_index: bool = False) -> str:
    """Give the name of a source as a letter writes it.

    >>> source_name("crossref"), source_name("starter", is_index=True)
    ('Crossref', 'the index starter')
    """
    shown = visible(source)
    return f"the index {shown}" if is_index else _SHOWN_NAMES.get(source, shown)


def repeat(lookup: Lookup) -> Repeat | None:
    """Give how a question can be asked again, or `None` where nothing was asked or there is no way."""
    if lookup.outcome is Outcome.SKIPPED:
        return None
    url = web_address(_bare(lookup.url))
    if url is not None:
        return Repeat(visible(lookup.source), lookup.retrieved_at, url, url)
    if not lookup.from_index:
        return None
    text = shorten(visible(lookup.query.text), _QUERY_WIDTH)
    option = _OPTIONS.get(lookup.query.kind)
    if option is None and lookup.query.kind not in _SEARCHED:
        return None
    command = _command(visible(lookup.source), option, text)
    return Repeat(visible(lookup.source), lookup.retrieved_at, command, None)


def _command(source: str, option: str | None, text: str) -> str:
    """Give the command; a name or text that begins as an option does is kept from being taken for one."""
    named, asked = shlex.quote(source), shlex.quote(text)
    if option:
        asked = f"{option}{'=' if text.startswith('-') else ' '}{asked}"
        words = f"{asked} -- {named}" if source.startswith("-") else f"{named} {asked}"
    else:
        words = f"{named} {'-- ' if text.startswith('-') else ''}{asked}"
        words = f"-- {named} {asked}" if source.startswith("-") else words
    return f"citeaudit index search {words}"


def repeats(verdict: Verdict) -> tuple[Repeat, ...]:
    """Give the questions a conclusion rests on, each once: those that gave its record, or all that have an answer."""
    lookups = verdict.evidence.lookups
    held = holding(verdict)
    if held and verdict.status in (Status.MISMATCHED, Status.VERIFIED):
        lookups = held
    told = {one.text: one for lookup in reversed(lookups) if (one := repeat(lookup)) is not None}
    return tuple(reversed(told.values()))


def holding(verdict: Verdict) -> tuple[Lookup, ...]:
    """Give the answers that hold the record of a verdict."""
    if verdict.best is None:
        return ()
    key = (verdict.best.work.source, verdict.best.work.source_id)
    return tuple(
        lookup
        for lookup in verdict.evidence.lookups
        if any((work.source, work.source_id) == key for work in lookup.candidates)
    )


def seen(verdict: Verdict) -> datetime | None:
    """Give when the record was read, else when the last question was answered; `None` where nothing was asked."""
    lookups = holding(verdict) or verdict.evidence.lookups
    return max((lookup.retrieved_at for lookup in lookups), default=None)


def is_index(verdict: Verdict, source: str) -> bool:
    """Tell whether a source of a verdict is an index on this machine."""
    return any(lookup.from_index for lookup in verdict.evidence.lookups if lookup.source == source)


def address(verdict: Verdict) -> str | None:
    """Give where the registry of an identifier shows the record, or `None`."""
    if verdict.best is None:
        return None
    return next((url for _, url in resolvers(verdict.best.work.identifiers) if url), None)


def _bare(url: str | None) -> str | None:
    """Give an address without keys and addresses of people; sources should not have put them there."""
    if url is None or "=" not in url:
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = [(name, value) for name, value in pairs if not _SECRET.fullmatch(name)]
    return url if len(kept) == len(pairs) else urlunsplit(parts._replace(query=urlencode(kept)))
