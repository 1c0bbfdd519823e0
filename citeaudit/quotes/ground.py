"""Ground the citations of a model's response: page and rectangles of the words it cites, or why there are none."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from citeaudit.errors import UsageError
from citeaudit.model import Box
from citeaudit.pdf import PdfPage, read_pages
from citeaudit.pdf.boxes import displayed
from citeaudit.quotes.answers import Tell, read_text
from citeaudit.quotes.check import Checked, checked, located, placed
from citeaudit.quotes.documents import Documents, Sent, open_documents
from citeaudit.quotes.locate import Found, Occurrence
from citeaudit.quotes.locate import Source as Text
from citeaudit.quotes.providers.detect import Shape
from citeaudit.quotes.providers.detect import tell as told
from citeaudit.quotes.providers.normal import Cite, Kind, Question, questions
from citeaudit.quotes.rows import Row, Status, Wanted
from citeaudit.quotes.shelf import Book

NO_QUOTE = "no quote"
"""Finding of a citation without words to look for."""
UNSUPPORTED = "unsupported locator"
"""Finding of a citation of a kind that is not known here."""
POINTS = 72.0
"""An inch."""


@dataclass(frozen=True, slots=True)
class Frame:
    """In what rectangles are told; points from the top left of the unrotated page unless it says otherwise."""

    bottom: bool = False
    """Count from the bottom left, upwards, as PDFs do; of the page as it is cropped."""
    dpi: float | None = None
    """Give pixels of the page as it is displayed, so many an inch."""

    def rect(self, box: Box, book: Book | None) -> list[float]:
        """Give left, the lower number of top and bottom, right, the higher one; to a tenth.

        Raises:
            UnreadableDocumentError, EncryptedDocumentError: The document can no longer be read.
        """
        x0, y0, x1, y1 = sides = (box.x0, box.y0, box.x1, box.y1)
        if book is not None and (self.bottom or self.dpi is not None):
            page = _pages(book.path, _changed(book.path))[box.page - 1]
            height = page.width if page.rotation % 180 else page.height
            if self.dpi is not None:
                x0, y0, x1, y1 = displayed(sides, page.rotation, page.width, page.height)
                height = page.height
            if self.bottom:
                y0, y1 = height - y1, height - y0
        scale = self.dpi / POINTS if self.dpi is not None else 1.0
        return [round(side * scale, 1) for side in (x0, y0, x1, y1)]


@lru_cache(maxsize=4)
def _pages(path: Path, changed: int) -> tuple[PdfPage, ...]:
    """Give the pages of a document: their size and turn, which only other frames than points need."""
    del changed  # a file that was written anew is read anew
    return read_pages(path).pages


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0


DEFAULT_FRAME = Frame()


@dataclass(frozen=True, slots=True)
class Grounded:
    """What came of one citation."""

    cite: Cite
    row: Row
    """What was found; its `occurrences` are empty for a text without pages."""
    finding: str
    """A `Status`, `NO_QUOTE` or `UNSUPPORTED`."""
    occurrences: int = 0
    """Places on the cited pages where the words stand; 0 where they were not found there."""
    book: Book | None = None
    """The document in which something was found."""

    @property
    def found(self) -> bool:
        """Whether the words stand where the citation says."""
        return self.finding == Status.VERIFIED

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Give the boxes of the first place: of the words, or of what stands for them."""
        return self.row.occurrences[0] if self.row.occurrences else ()

    def to_dict(self, frame: Frame = DEFAULT_FRAME) -> dict[str, object]:
        """Give the fields as JSON takes them.

        `page_number` (1-based) and `rect` are none where the words were not found; `places` then shows where they
        stand instead, or what stands nearest.
        """
        row = self.row.to_dict()
        page = self.row.found_page if self.found else None
        locator = self.cite.to_dict()["locator"]
        return {
            "id": self.row.id,
            "claim": self.cite.claim_text,
            "claim_span": list(self.cite.claim_span) if self.cite.claim_span else None,
            "cited_text": self.cite.quote,
            "doc": self.row.doc,
            "found": self.found,
            "page_number": page,
            "rect": frame.rect(united(self.boxes, page), self.book) if page and self.boxes else None,
            "occurrences": self.occurrences,
            "places": [self._place(boxes, frame) for boxes in self.row.occurrences if boxes],
            "tier": self.row.tier,
            "notes": row["notes"],
            "status": row["status"],
            "finding": self.finding,
            **{name: row[name] for name in ("found_page", "found_doc", "similarity", "closest", "closest_page")},
            "differences": row["differences"],
            "locator": locator,
            "provider": self.cite.provider,
            "reason": self.row.reason,
        }

    def _place(self, boxes: tuple[Box, ...], frame: Frame) -> dict[str, object]:
        pages = [box.page for box in boxes]
        first = self.row.found_page if self.row.found_page in pages else pages[0]
        return {
            "page": first,
            "rect": frame.rect(united(boxes, first), self.book),
            "rects": [{"page": box.page, "rect": frame.rect(box, self.book)} for box in boxes],
        }


def united(boxes: Collection[Box], page: int | None) -> Box:
    """Give the box around those on a page; around all of them where none is on it."""
    own = [box for box in boxes if box.page == page] or list(boxes)
    return Box.built(
        page=own[0].page,
        x0=min(box.x0 for box in own),
        y0=min(box.y0 for box in own),
        x1=max(box.x1 for box in own),
        y1=max(box.y1 for box in own),
    )


def ground(response: object, docs: Documents | Sent, *, tell: Tell | None = None) -> list[Grounded]:
    """Find the words that a model's response cites in the documents it was given.

    Args:
        response: An SDK's object, dictionaries and lists, the events of a stream, text, or the `Path` of a file, in any
            shape that `citeaudit.quotes.providers` knows.
        docs: The documents in the order in which they were sent: files, a folder (in the order of names), or a mapping
            of names to files.
        tell: Called before each citation.

    Returns:
        One row a citation, in the order of the response, those that cannot be looked for among them. Words that stand
        on other pages than the cited ones have not been found there; their finding is `wrong page`.

    Raises:
        UsageError: The response is in no shape that is known, or a document was not named.
    """
    answer = told(read_text(str(response)) if isinstance(response, Path) else response)
    cites = answer.cites
    if answer.shape is Shape.UNKNOWN:
        why = next((cite.reason for cite in cites if cite.reason), "nothing in it cites")
        raise UsageError(f"the response has no shape that is known ({why}); give it as the provider's SDK or API does")
    sent = docs if isinstance(docs, Sent) else open_documents(docs)
    results: list[Checked] = []
    for number, (cite, question) in enumerate(zip(cites, questions(cites), strict=True), 1):
        if tell is not None:
            tell(number, len(cites))
        results.append(_one(cite, question, sent))
    return [_made(*each) for each in zip(cites, results, placed(results), strict=True)]


def _made(cite: Cite, result: Checked, row: Row) -> Grounded:
    finding: str = row.status.value
    if cite.locator.kind is Kind.UNSUPPORTED:
        finding = UNSUPPORTED
    elif not cite.quote:
        finding = NO_QUOTE
    count = len(result.occurrences) if finding == Status.VERIFIED else 0
    return Grounded(cite, row, finding, count, result.book)


def _one(cite: Cite, question: Question, sent: Sent) -> Checked:
    name, pages = sent.name(cite.source), question.pages
    wanted = Wanted(question.id, name, cite.quote or "", pages[0] if pages else None, cite.claim_text)
    if not cite.quote or cite.locator.kind is Kind.UNSUPPORTED:
        return Checked(Row.of(wanted, Status.NOT_FOUND, reason=cite.reason or "the citation gives no words"))
    loose = replace(wanted, page=None)
    if name in sent.shelf and any(map(str.isalnum, cite.quote)):
        book = sent.shelf[name]
        if not book.failure and book.has_text:
            # words of any length are looked for: what a provider cites may be a heading, or a whole block
            found = _searched(book, wanted, frozenset(pages) if pages and book.pages else None)
            if found is not None:
                return _because(found, cite)
            if not book.source.read.lines:
                return _because(Checked(Row.of(wanted, Status.NOT_FOUND)), cite)
    result = checked(loose, sent.shelf)
    return _because(result._replace(row=replace(result.row, page=wanted.page)), cite)


def _because(result: Checked, cite: Cite) -> Checked:
    """Say what was wrong with a citation where nothing else is to be said."""
    return result if result.row.reason else result._replace(row=replace(result.row, reason=cite.reason))


def _searched(book: Book, wanted: Wanted, pages: frozenset[int] | None) -> Checked | None:
    """Find a quote on the cited pages, else on others, else in text that no reader sees."""
    first = _text(book).locate(wanted.quote)
    if first is None:
        return None
    best = _on(first, pages)
    if not best and book.source.drawn is not None:  # the order of reading leaves out heads and margins of pages
        second = Text(book.source.drawn).locate(wanted.quote)
        best = _on(second, pages) if second else ()
        first = second if second and best else first
    row_of = replace(wanted, page=None)
    if best:
        row = located(row_of, book, first._replace(occurrences=best))
        page = next((page for page in best[0].pages if page and (pages is None or page in pages)), None)
        return Checked(replace(row, found_page=page, page=wanted.page), book, best)
    row = located(row_of, book, first)
    if row.status is Status.VERIFIED:
        row = replace(row, status=Status.WRONG_PAGE)
    seen = tuple(one for one in first.occurrences if first.hidden or not one.hidden)
    return Checked(replace(row, page=wanted.page), book, seen)


def _text(book: Book) -> Text:
    """Give what to search: all text where none of it is running text, as on pages that are turned."""
    source = book.source
    return source if source.read.lines or source.drawn is None else Text(source.drawn)


def _on(found: Found, pages: frozenset[int] | None) -> tuple[Occurrence, ...]:
    """Give the occurrences that a reader sees on some pages."""
    return tuple(
        one for one in found.occurrences if not one.hidden and (pages is None or not pages.isdisjoint(one.pages))
    )
