"""The quotations of a manuscript held against the copies of its sources: one check a quotation of each reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import ExtractionError
from citeaudit.extract import reader
from citeaudit.model import BAD_QUOTES, Box, Quote, QuoteCheck, QuoteStatus, Reference
from citeaudit.quotes.check import Checked, checked, placed
from citeaudit.quotes.copies import Copy
from citeaudit.quotes.locate import Occurrence
from citeaudit.quotes.omission import left_out
from citeaudit.quotes.pages import Pages, parse_claim
from citeaudit.quotes.quotation import trimmed
from citeaudit.quotes.rows import Row, Wanted
from citeaudit.quotes.shelf import Book, Shelf
from citeaudit.text.normalize import fold

MARKUP = (".html", ".htm", ".tex")
"""Copies whose marks stand between their words: what is not found there may stand there all the same."""
TRIED = 5
"""Pages among the accepted ones on which headings and margins are searched, too."""
IN_LIST = "in the reference list"
"""What `citeaudit.quotes.check` notes of words behind the heading of a list; here a status says it, if it is so."""
MOST_PAGES = 20
"""Pages that are listed."""
OTHER_VERSION = "the copy is another version than the cited one"
WEAK = "the copy is known by its file name or a printed identifier alone"


class Cited(NamedTuple):
    """A reference of the manuscript, as quotations are checked against it."""

    name: str
    """Its label or key, else its place in the list; as reports name it."""
    reference: Reference
    copy: Copy


class Manuscript:
    """Holds the quotations of one manuscript against the copies of what it cites; each copy is opened once.

    Args:
        cited: The references by their place in the list.
    """

    def __init__(self, cited: Mapping[int, Cited]) -> None:
        """Open nothing yet."""
        self._cited = dict(cited)
        found = {str(index): one.copy.path for index, one in self._cited.items()}
        sure = {name: path for name, path in found.items() if path is not None}
        self._shelf = Shelf(sure)
        self._pages: dict[str, Pages] = {}
        self._lists: dict[Path, str] = {}

    @cached_property
    def _sharing(self) -> dict[Quote, tuple[int, ...]]:
        """Give the references to which a quotation that several share is tied."""
        shared: dict[Quote, tuple[int, ...]] = {}
        for index, one in self._cited.items():
            for quote in one.reference.quotes:
                key = _shared(quote)
                shared[key] = (*shared.get(key, ()), index)
        return shared

    def check(self, index: int, quote: Quote) -> QuoteCheck:
        """Check one quotation of a reference. Blocks; never raises for a bad document.

        Args:
            index: Place of the reference in the list.
            quote: One of its quotations.
        """
        one = self._cited[index]
        told = {"doc": one.name, "claimed_page": quote.claimed_page}
        if one.copy.path is None:
            return QuoteCheck(text=quote.text, status=one.copy.status, reason=one.copy.reason, **told)
        made = self._against_copy(index, quote).model_copy(update={**told, "source": one.copy.path.name})
        return self._weighed(made, index, quote)

    def _against_copy(self, index: int, quote: Quote) -> QuoteCheck:
        """Say where a quotation stands in the copy of its reference, whatever the copy is worth."""
        name = str(index)
        result = checked(Wanted(name, name, quote.text), self._shelf)
        if result.row.status is QuoteStatus.VERIFIED and result.book is not None:
            return self._found(result, result.book, index, quote)
        if result.row.status in {QuoteStatus.CLOSE_MATCH, QuoteStatus.NOT_FOUND}:
            turned = left_out(self._shelf[name], quote.text)
            if turned is not None:
                row = replace(
                    result.row,
                    status=QuoteStatus.CLOSE_MATCH,
                    closest=turned.place.text,
                    closest_page=turned.page,
                    differences=turned.differences,
                )
                result = Checked(row, self._shelf[name], (turned.place,))
        [row] = placed([result]) if result.row.status is QuoteStatus.CLOSE_MATCH else [result.row]
        other = self._cited.get(int(row.found_doc)) if row.found_doc else None
        return _made(row, boxes=_boxes(row)).model_copy(update={"found_in": other.name if other else None})

    def _found(self, result: Checked, book: Book, index: int, quote: Quote) -> QuoteCheck:
        """Say on which page it was found, and whether that is the cited one."""
        row, occurrences = result.row, tuple(one for one in result.occurrences if not one.hidden)
        claims = parse_claim(quote.claimed_page) if book.pages else ()
        pages = self._pages_of(index, book)
        right = [one for one in occurrences if any(pages.fits(page, claims) for page in one.pages)] if claims else []
        accepted = pages.accepted(claims) if claims and not right else frozenset()
        if accepted:
            right = list(_also_there(book, quote.text, accepted))
        behind = [one for one in (*occurrences, *right) if _in_list(book, one)]
        listed = behind if behind and self._is_listed(book, quote) else []
        body = [one for one in right or occurrences if one not in listed]
        chosen = (body or right or list(occurrences))[0]
        [drawn] = placed([Checked(row, book, (chosen,))])
        status, notes = QuoteStatus.VERIFIED, [note for note in row.notes if note != IN_LIST]
        if all(one in listed for one in (*occurrences, *right)):
            status = QuoteStatus.REFERENCES
        elif accepted and not right:
            status = QuoteStatus.WRONG_PAGE
        elif claims and not right:
            notes.append(f"the copy has no page {quote.claimed_page}")
        elif quote.claimed_page and not claims and book.pages:
            notes.append("the cited page was not compared")
        here = [page for page in chosen.pages if page and (not claims or pages.fits(page, claims))]
        told = sorted({page for one in (*occurrences, *right) for page in one.pages if page})
        update = {
            "status": status,
            "notes": tuple(notes),
            "pages": tuple(told[:MOST_PAGES]),
            "found_page": next(iter(here or [page for page in chosen.pages if page]), None),
        }
        return _made(row, boxes=_boxes(drawn)).model_copy(update=update)

    def _is_listed(self, book: Book, quote: Quote) -> bool:
        """Whether the words stand in a reference of the document: behind its list there may be more of its text."""
        if book.path not in self._lists:
            try:
                references = reader.read(book.path).references
            except ExtractionError:
                references = ()
            self._lists[book.path] = "\n".join(_letters(one.raw) for one in references)
        return _letters(trimmed(quote.text)) in self._lists[book.path]

    def _pages_of(self, index: int, book: Book) -> Pages:
        key = f"{index}"
        if key not in self._pages:
            self._pages[key] = Pages(book, self._cited[index].reference.pages)
        return self._pages[key]

    def _weighed(self, check: QuoteCheck, index: int, quote: Quote) -> QuoteCheck:
        """Take back what the copy or the reading of the manuscript cannot prove."""
        one = self._cited[index]
        if check.status not in BAD_QUOTES:
            return _noted(check, WEAK) if one.copy.weak and check.status is QuoteStatus.VERIFIED else check
        if one.copy.weak:
            return _open(check, WEAK)
        if one.reference.recognised:
            return _open(check, "the manuscript was read by OCR")
        beside = self._beside(check, index, quote)
        if beside is not None:
            return beside
        if one.copy.path is not None and one.copy.path.suffix.lower() in MARKUP and not check.found_page:
            return _open(check, "the copy is markup, not the text as printed")
        if one.copy.other_version:
            if check.status is QuoteStatus.WRONG_PAGE:
                return _noted(check, f"{OTHER_VERSION}; its pages may differ").model_copy(
                    update={"status": QuoteStatus.VERIFIED}
                )
            return check.model_copy(update={"status": QuoteStatus.OTHER_VERSION, "reason": OTHER_VERSION})
        return check

    def _beside(self, check: QuoteCheck, index: int, quote: Quote) -> QuoteCheck | None:
        """Weigh a quotation that is tied to several references: it need stand in one of them."""
        if check.status is QuoteStatus.WRONG_PAGE:
            return None
        for other in self._sharing.get(_shared(quote), ()):
            if other == index:
                continue
            beside = self._cited[other]
            if beside.copy.path is None:
                return _open(check, f"it may stand in {beside.name}, cited with it, of which there is no copy")
            found = self._against_copy(other, quote)
            if found.status not in BAD_QUOTES or found.status is QuoteStatus.WRONG_PAGE:
                return _open(check, f"{beside.name} is cited with it").model_copy(update={"found_in": beside.name})
        return None


def _shared(quote: Quote) -> Quote:
    """Give what is the same of a quotation whichever reference it is tied to."""
    return Quote(text=quote.text, locus=quote.locus)


def _letters(text: str) -> str:
    return fold(text).replace(" ", "")


def _also_there(book: Book, text: str, accepted: frozenset[int]) -> Iterator[Occurrence]:
    """Look on the cited pages in headings and margins, too."""
    for page in sorted(accepted)[:TRIED]:
        found = book.source.locate(text, page)
        if found is not None:
            yield from (one for one in found.occurrences if page in one.pages and not one.hidden)


def _in_list(book: Book, one: Occurrence) -> bool:
    """Whether an occurrence in the text as read stands behind the heading of the list of references."""
    stream = book.source.read
    if any(piece.line not in stream.lines[stream.line_of(piece.start) :][:1] for piece in one.pieces):
        return False  # it was found in the text as drawn
    return book.in_references(one)


def _made(row: Row, boxes: Sequence[Box] = ()) -> QuoteCheck:
    """Give the check of a row."""
    return QuoteCheck(
        text=row.quote,
        status=row.status,
        reason=row.reason,
        pages=(row.found_page,) if row.found_page and not row.found_doc else (),
        similarity=row.similarity,
        closest=row.closest,
        differences=row.differences,
        found_page=row.found_page,
        closest_page=row.closest_page,
        tier=row.tier,
        boxes=tuple(boxes),
        notes=row.notes,
    )


def _boxes(row: Row) -> tuple[Box, ...]:
    return row.occurrences[0] if row.occurrences else ()


def _noted(check: QuoteCheck, note: str) -> QuoteCheck:
    return check.model_copy(update={"notes": (*check.notes, note)})


def _open(check: QuoteCheck, reason: str) -> QuoteCheck:
    return check.model_copy(update={"status": QuoteStatus.NOT_CHECKABLE, "reason": reason})
