"""Check quotes against their documents: where each stands, or what stands nearest, and what cannot be told.

The order of the tests is that of the published notebook; `citeaudit.quotes.notebook` has it without our guards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from citeaudit.errors import ExtractionError
from citeaudit.model import Box
from citeaudit.quotes.differences import changes, signs, weighed
from citeaudit.quotes.folding import fold
from citeaudit.quotes.guards import is_cjk
from citeaudit.quotes.locate import Found, Occurrence
from citeaudit.quotes.places import places
from citeaudit.quotes.quotation import trimmed
from citeaudit.quotes.rows import CLOSE, Row, Status, Wanted
from citeaudit.quotes.shelf import Book, Shelf

SHORTEST, LONGEST = 16, 2_000
"""Characters of a quote that can be verified; shorter ones stand everywhere, longer ones are no quotes."""
SHORTEST_CJK = 6
"""The same in scripts without spaces between words."""
LEAST_WORDS = 4
"""Words of a quote of which a passage can be a close match: of three words one changed leaves 0.67."""


class Checked(NamedTuple):
    """A row with what it takes to show it."""

    row: Row
    book: Book | None = None
    """The document in which the quote, or what stands nearest to it, was found."""
    occurrences: tuple[Occurrence, ...] = ()


def check(wanted: Iterable[Wanted], shelf: Shelf) -> Iterator[Row]:
    """Check quotes against the documents of a shelf.

    Args:
        wanted: What is cited.
        shelf: The documents.

    Yields:
        One row a quote, in their order, without rectangles (`placed`).
    """
    for one in wanted:
        yield checked(one, shelf).row


def check_one(one: Wanted, shelf: Shelf) -> Row:
    """Check one quote; see `check`."""
    return checked(one, shelf).row


def checked(one: Wanted, shelf: Shelf) -> Checked:
    """Check one quote, and give with its row where the words stand."""
    if one.doc not in shelf:
        return Checked(Row.of(one, Status.MISSING_DOCUMENT))
    unfit = _unfit(one.quote)
    if unfit:
        return Checked(Row.of(one, unfit[0], reason=unfit[1]))
    book = shelf[one.doc]
    if book.failure:
        return Checked(Row.of(one, Status.UNREADABLE, reason=book.failure))
    if not book.has_text:
        return Checked(Row.of(one, Status.NO_TEXT, reason="the document has no text layer; run OCR on it first"))
    found = book.source.locate(one.quote, one.page)
    if found:
        return Checked(located(one, book, found), book, found.occurrences)
    near = nearest(one, book)
    if near.status is Status.CLOSE_MATCH:
        passage = book.source.locate(near.closest or "", near.closest_page)
        return Checked(near, book, passage.occurrences[:1] if passage else ())
    return _elsewhere(one, near, shelf) or Checked(near)


def placed(results: Iterable[Checked]) -> list[Row]:
    """Give the rows with the rectangles of each occurrence; each document is asked once.

    A document that cannot be drawn leaves its rows without rectangles.
    """
    listed = list(results)
    rows = [one.row for one in listed]
    books = {id(one.book): one.book for one in listed if one.book is not None and one.book.pages and one.occurrences}
    for key, book in books.items():
        mine = [(number, one.occurrences) for number, one in enumerate(listed) if id(one.book) == key]
        try:
            boxes = places(book.path, book.source, [place for _, listing in mine for place in listing])
        except ExtractionError:
            continue
        given = iter(boxes)
        for number, listing in mine:
            told = tuple(
                tuple(Box.built(page=box.page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1) for box in next(given))
                for _ in listing
            )
            rows[number] = replace(rows[number], occurrences=told)
    return rows


def _unfit(quote: str) -> tuple[Status, str] | None:
    """Say why a quote can be neither verified nor missed."""
    text = trimmed(quote)
    folded = fold(text).text
    cjk = sum(map(is_cjk, folded))
    if 2 * cjk > len(folded):
        if len(folded) < SHORTEST_CJK:
            return Status.TOO_SHORT, f"the quote has fewer than {SHORTEST_CJK} characters"
    elif len(" ".join(text.split())) < SHORTEST or not any(map(str.isalnum, folded)):
        return Status.TOO_SHORT, f"the quote has fewer than {SHORTEST} characters"
    if len(text) > LONGEST:
        return Status.TOO_LONG, f"the quote has more than {LONGEST} characters"
    return None


def located(one: Wanted, book: Book, found: Found) -> Row:
    """Give the row of a quote that was found: on the cited page or another, for readers or hidden from them."""
    seen = [place for place in found.occurrences if not place.hidden] or list(found.occurrences)
    pages = [page for place in seen for page in place.pages if page]
    accepted = accepted_pages(one, book)
    notes = [*found.notes]
    if found.omitted:
        notes += [f"left out: {text[:200]}" for text in found.omitted if text]
    if any(place.layer for place in seen):
        notes.append("ocr layer")
    if len(seen) > 1:
        notes.append(f"{len(seen)} occurrences")
    if all(book.in_references(place) for place in seen) and found.occurrences:
        notes.append("in the reference list")
    right = next((page for page in pages if page in accepted), None)
    status = Status.VERIFIED
    if found.hidden:
        status = Status.HIDDEN
    elif accepted and pages and right is None:
        status = Status.WRONG_PAGE
    return Row.of(
        one, status, found_page=right or (pages[0] if pages else None), tier=found.tier.value, notes=tuple(notes)
    )


def accepted_pages(one: Wanted, book: Book) -> frozenset[int]:
    """Give the 1-based pages of the PDF that the cited page may mean; none where it is out of range or not cited."""
    if one.page is not None:
        return frozenset({one.page}) if 1 <= one.page <= book.pages else frozenset()
    return frozenset()


def _elsewhere(one: Wanted, near: Row, shelf: Shelf) -> Checked | None:
    """Find a quote in another of the documents."""
    own = shelf.path(one.doc)
    for name in shelf:
        book = shelf[name]
        if shelf.path(name) == own or book.failure or not book.has_text:
            continue
        found = book.source.locate(one.quote)
        if found and not found.hidden:
            page = next((page for page in found.occurrences[0].pages if page), None)
            row = replace(near, status=Status.MISATTRIBUTED, found_doc=name, found_page=page, tier=found.tier.value)
            return Checked(row, book, found.occurrences)
    return None


def nearest(one: Wanted, book: Book) -> Row:
    """Give the row of a quote that does not stand in its document: what stands nearest to it."""
    near = book.passages.nearest(one.quote, least=CLOSE)
    told: dict[str, object] = {
        "similarity": round(near.ratio, 2),
        "closest": near.text,
        "closest_page": near.page if book.pages else None,
    }
    words = len(one.quote.split())
    if near.ratio >= CLOSE and words >= LEAST_WORDS:
        told["differences"] = weighed(one.quote, near.text)
        return Row.of(one, Status.CLOSE_MATCH, **told)
    if book.unreliable:
        return Row.of(one, Status.NO_TEXT, reason="much of the text layer has no meaning; run OCR on it first", **told)
    if words < LEAST_WORDS:
        told["reason"] = "too short to compare with other passages"
    return Row.of(one, Status.NOT_FOUND, **told)


def numbers_agree(row: Row) -> bool:
    """Whether no number, sign, unit or negation is among the differences of a row."""
    return not any(changes(one) for one in row.differences) and not signs(row.quote, row.closest or row.quote)
