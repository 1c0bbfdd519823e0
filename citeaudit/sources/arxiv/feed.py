"""Read the Atom feeds of arXiv: https://info.arxiv.org/help/api/user-manual.html#_details_of_atom_results_returned.

The feed has an `id`, a `title` and an `updated` of its own, before those of its entries; an error is an entry too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml.ElementTree import fromstring

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceUnavailableError
from citeaudit.identifiers import bare_arxiv_id, clean_arxiv_id, clean_doi, clean_url
from citeaudit.model import Identifiers, Notice, NoticeType, Person, Version, Work, WorkType
from citeaudit.text.foreign import MAX_LIST, read_text, read_year
from citeaudit.text.marks import title_mark
from citeaudit.text.names import parse_person

SOURCE = "arxiv"
"""Name of the source, as in `configs/sources.toml`."""

_ATOM, _ARXIV = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"
_OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_ERRORS = "/api/errors"
_THROTTLED = "rate exceeded"
_HEAD = 200  # characters in which such a sentence stands
_BAD_ID = re.compile(r"incorrect id format for (\S{1,200})")
#: `Withdrawn from ICLR` is said of a conference; `withdrawn from arXiv`, `has been withdrawn` of the paper.
_WITHDRAWN = re.compile(r"(?<!not )\bwithdrawn\b(?!\s+from\s+(?!(?:the\s+)?arxiv))", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_BEFORE_NUMBERS = re.compile(r"[^\d]{4,120}")
_MIN_TOTAL_DIGITS, _MAX_TOTAL_DIGITS = 1, 9


class Feed(NamedTuple):
    """What one answer holds."""

    total: int | None
    """How many results arXiv says there are, which may be more than it sends; `None` where it does not say."""
    works: tuple[Work, ...]
    unread: tuple[str | None, ...]
    """Entries that could not be read, by their id where at least that could be."""
    error: str | None
    """What arXiv says is wrong with the question."""

    @property
    def entries(self) -> int:
        """Give the number of entries that came."""
        return len(self.works) + len(self.unread)

    @property
    def bad_id(self) -> str | None:
        """Give the identifier that arXiv calls malformed, if it names one."""
        found = _BAD_ID.search(self.error or "")
        return found.group(1) if found else None


def parse_feed(text: str) -> Feed:
    """Read a feed; document types and entities are refused, so that none is expanded or fetched.

    Raises:
        SourceUnavailableError: arXiv asks in words to be asked less often.
        MalformedAnswerError: It is no Atom feed.
    """
    if _THROTTLED in text[:_HEAD].lower():
        raise SourceUnavailableError("asks to be asked less often", source=SOURCE, kind=FailureKind.RATE_LIMITED)
    try:
        root = fromstring(text, forbid_dtd=True)
    except (ParseError, ValueError, LookupError) as error:  # defusedxml's own errors are ValueErrors
        raise MalformedAnswerError(
            f"the answer is not the XML it should be ({type(error).__name__})", source=SOURCE
        ) from error
    if root.tag != f"{_ATOM}feed":
        raise MalformedAnswerError("the answer is not an Atom feed", source=SOURCE)
    works: list[Work] = []
    unread: list[str | None] = []
    for entry in root.findall(f"{_ATOM}entry")[:MAX_LIST]:
        if _ERRORS in (entry.findtext(f"{_ATOM}id") or ""):
            return Feed(_total(root), (), (), _text(entry, f"{_ATOM}summary") or "says only that there is an error")
        arxiv_id = clean_arxiv_id(entry.findtext(f"{_ATOM}id"))
        title = _text(entry, f"{_ATOM}title")
        if arxiv_id is None or title is None:
            unread.append(arxiv_id)
        else:
            works.append(_work(entry, arxiv_id, title))
    return Feed(_total(root), tuple(works), tuple(unread), None)


def _total(root: Element) -> int | None:
    text = (root.findtext(f"{_OPENSEARCH}totalResults") or "").strip()
    known = _MIN_TOTAL_DIGITS <= len(text) <= _MAX_TOTAL_DIGITS and text.isascii() and text.isdigit()
    return int(text) if known else None


def _work(entry: Element, arxiv_id: str, title: str) -> Work:
    published = read_year(_text(entry, f"{_ATOM}published"))
    updated = read_year(_text(entry, f"{_ATOM}updated"))
    return Work(
        source=SOURCE,
        source_id=bare_arxiv_id(arxiv_id),
        type=WorkType.PREPRINT,
        title=title,
        authors=tuple(_authors(entry)),
        year=published or updated,
        container_title="arXiv",
        identifiers=Identifiers(
            arxiv_id=arxiv_id,
            doi=clean_doi(_text(entry, f"{_ARXIV}doi")),
            url=f"https://arxiv.org/abs/{arxiv_id}",
        ),
        versions=tuple(_versions(entry, published, updated)),
        notices=tuple(_notices(entry, title)),
        fulltext_urls=tuple(_pdfs(entry)),
    )


def _authors(entry: Element) -> Iterator[Person]:
    """Give the people; a collaboration is listed before a colon that has an author element of its own."""
    for author in entry.findall(f"{_ATOM}author")[:MAX_LIST]:
        name = (_text(author, f"{_ATOM}name") or "").partition("(")[0].strip(" :")
        if name:
            yield parse_person(name)


def _versions(entry: Element, published: int | None, updated: int | None) -> Iterator[Version]:
    """Give the last revision where it is of another year, and the publication that the authors name."""
    if updated and published and updated != published:
        yield Version(type=WorkType.PREPRINT, year=updated, container_title="arXiv")
    place = _text(entry, f"{_ARXIV}journal_ref")
    years = _YEAR.findall(place or "")
    if place and years:  # without a year it would say nothing but that there is one
        head = _BEFORE_NUMBERS.match(place)
        yield Version(year=int(years[-1]), container_title=(head.group() if head else place).strip(" ,.:;("))


def _notices(entry: Element, title: str) -> Iterator[Notice]:
    comment = _text(entry, f"{_ARXIV}comment") or ""
    mark = title_mark(title)
    if _WITHDRAWN.search(comment):
        yield Notice(type=NoticeType.WITHDRAWAL)
    elif mark:
        yield Notice(type=mark)


def _pdfs(entry: Element) -> Iterator[str]:
    for link in entry.findall(f"{_ATOM}link"):
        if link.get("title") == "pdf" and (url := clean_url(link.get("href"))):
            yield url


def _text(element: Element, path: str) -> str | None:
    return read_text(element.findtext(path))
