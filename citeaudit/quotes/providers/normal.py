"""What every provider's citation becomes: a claim of the answer, the words quoted for it, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import NamedTuple

from citeaudit.quotes.providers.values import Json

MAX_PAGES = 10_000
"""Pages that one citation may span; a wider range is a mistake, and would cost memory."""
_PAGE_ANCHOR = re.compile(r"#(?:[^#]*&)?page=(\d{1,6})(?![\d])", re.IGNORECASE)
_URL = re.compile(r"(?:(?:https?|gs|s3|file)://|www\.)\S", re.IGNORECASE)


class Kind(StrEnum):
    """What a locator counts."""

    PAGE = "page"
    """Pages of a PDF, 1-based."""
    CHAR = "char"
    """Characters of a plain text, 0-based."""
    BLOCK = "block"
    """Blocks of a document given in blocks, 0-based."""
    URL = "url"
    """Nothing: the source is a web page as a whole."""
    NONE = "none"
    """Nothing: the source is a file as a whole."""
    UNSUPPORTED = "unsupported"
    """Something this program does not know; `type` names it as the provider does."""


class Unit(StrEnum):
    """In what the offsets of a character locator are counted."""

    CODEPOINT = "codepoint"
    BYTE = "byte"
    UTF16 = "utf16"


@dataclass(frozen=True, slots=True)
class Source:
    """What is cited, by whatever the provider gives; all fields are empty where it names nothing."""

    index: int | None = None
    """0-based place among the documents of the request."""
    search_index: int | None = None
    """0-based place among the search results of the request, which are counted apart from its documents."""
    file_id: str | None = None
    """The provider's name of a file, or the request's name of a search result."""
    url: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Locator:
    """Where in the source the quote should stand; the range is half-open."""

    kind: Kind
    start: int | None = None
    """First page (1-based), character or block (0-based)."""
    end_exclusive: int | None = None
    """Behind the last one, in the same count."""
    unit: Unit | None = None
    """Only where characters are counted."""
    type: str = ""
    """The provider's name of this kind of place."""
    label: str = ""
    """Page as printed, where that is no number: `xii`."""


@dataclass(frozen=True, slots=True)
class Cite:
    """One citation of an answer."""

    claim_text: str
    """What the answer says, without the marks of its citations; empty where it cannot be told."""
    claim_span: tuple[int, int] | None
    """Where the claim stands in the text of its answer (all text parts joined): half-open, code points."""
    quote: str | None
    """The source's words, as the provider gives them; none where it gives none."""
    source: Source
    locator: Locator
    provider: str
    """Shape of the citation, as `citeaudit.quotes.providers.detect.Shape` names it."""
    raw: Json
    """The provider's own citation."""
    id: str = ""
    """The caller's name of the answer; empty where there is none."""
    retrieved: bool = False
    """The quote is a whole passage that was handed to the model, not words chosen for this claim."""
    reason: str | None = None
    """What is missing or malformed, and why."""

    def to_dict(self) -> dict[str, object]:
        """Give the fields as JSON takes them; of source and locator only what is known."""
        told = asdict(self)
        for part in ("source", "locator"):
            told[part] = {name: value for name, value in told[part].items() if value not in (None, "")}
        told["claim_span"] = list(self.claim_span) if self.claim_span else None
        return told


@dataclass(slots=True)
class Reading:
    """One answer: its text and its citations, in their order."""

    text: str = ""
    cites: list[Cite] = field(default_factory=list)


class Question(NamedTuple):
    """A quote to look for."""

    id: str
    doc: str
    """Name of the document; empty where the citation names none."""
    pages: tuple[int, ...] | None
    """1-based pages on which it should stand, in rising order; none where the citation names no page."""
    quote: str | None
    """None where the provider gives no words; there is nothing to look for then."""
    claim: str


def questions(cites: Iterable[Cite], docs: Sequence[str] = ()) -> list[Question]:
    """Give what is to be looked for, one row a citation, in their order.

    Args:
        cites: Citations, of one response or more.
        docs: Names of the documents in the order in which they were sent; without them a document is named by its
            title, file, address, or its place in that order, in words.

    Returns:
        Rows; `id` is the caller's, or `c1`, `c2`, ... where there is none.
    """
    return [
        Question(
            cite.id or f"c{number}", doc_of(cite.source, docs), pages_of(cite.locator), cite.quote, cite.claim_text
        )
        for number, cite in enumerate(cites, 1)
    ]


def doc_of(source: Source, docs: Sequence[str] = ()) -> str:
    """Name the document of a source; empty where nothing names it.

    >>> doc_of(Source(index=1, title="Annual report"), ["a.pdf", "b.pdf"]), doc_of(Source(index=1))
    ('b.pdf', 'document 2')
    """
    if source.index is not None and 0 <= source.index < len(docs):
        return docs[source.index]
    named = source.title or source.file_id or source.url
    if named:
        return named
    if source.index is not None:
        return f"document {source.index + 1}"
    return "" if source.search_index is None else f"search result {source.search_index + 1}"


def pages_of(locator: Locator) -> tuple[int, ...] | None:
    """Give the 1-based pages of a locator; none where it counts something else, or is incomplete."""
    if locator.kind is not Kind.PAGE or locator.start is None or locator.end_exclusive is None:
        return None
    return tuple(range(locator.start, locator.end_exclusive))


def located(
    kind: Kind, start: int | None, end: int | None, *, name: str, unit: Unit | None = None
) -> tuple[Locator, str | None]:
    """Give the locator of a half-open range, and what is wrong with the range.

    Args:
        kind: What is counted; pages begin at 1, all else at 0.
        start: First one.
        end: Behind the last one; where it is missing, the range is taken to hold one.
        name: The provider's name of the kind of place.
        unit: In what characters are counted.
    """
    bare = Locator(kind, unit=unit, type=name)
    if start is None:
        return bare, f"{name} gives no start"
    if end is None and start >= (kind is Kind.PAGE):
        return Locator(kind, start, start + 1, unit, name), f"{name} gives no end; one {kind} is assumed"
    if end is None or start < (kind is Kind.PAGE) or end <= start:
        return bare, f"{name} gives {start} to {end}, which is no range"
    if kind is Kind.PAGE and end - start > MAX_PAGES:
        return bare, f"{name} gives {start} to {end}, more than {MAX_PAGES} pages"
    return Locator(kind, start, end, unit, name), None


def linked(url: str | None, name: str) -> Locator:
    """Give the locator of an address; `#page=3` of a PDF's address names its page.

    >>> linked("https://a.example/b.pdf#page=3", "").start, linked("https://a.example", "").kind.value
    (3, 'url')
    """
    anchor = _PAGE_ANCHOR.search(url or "")
    if anchor is None or not int(anchor[1]):
        return Locator(Kind.URL if url and is_url(url) else Kind.NONE, type=name)
    return Locator(Kind.PAGE, int(anchor[1]), int(anchor[1]) + 1, type=name)


def is_url(name: str) -> bool:
    """Whether a name of a source is an address."""
    return _URL.match(name) is not None


def because(*reasons: str | None) -> str | None:
    """Join reasons; none where there is none."""
    return "; ".join(reason for reason in reasons if reason) or None


def unsupported(
    provider: str, raw: Json, name: str | None, *, claim: str = "", span: tuple[int, int] | None = None
) -> Cite:
    """Keep a citation of an unknown kind."""
    known = name or "citation without a type"
    locator = Locator(Kind.UNSUPPORTED, type=known)
    return Cite(claim, span, None, Source(), locator, provider, raw, reason=f"{known} is not known here")
