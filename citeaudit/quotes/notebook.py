"""Check quotes exactly as PyMuPDF's published notebook does, its shortcomings included (`--compat notebook`).

A quote is verified where PyMuPDF's search finds it on the cited page or its words stand there in a row; on another page
it is `wrong page`; otherwise the nearest passage decides. A number inside a longer one is found, a lost minus is not
missed, and an empty quote is a close match: the default mode guards against all of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from citeaudit.errors import ExtractionError
from citeaudit.pdf.wording import Wording, read_words
from citeaudit.quotes.differences import differences
from citeaudit.quotes.nearest import Nearest, Passages
from citeaudit.quotes.rows import CLOSE, Row, Status, Wanted


def check(wanted: Sequence[Wanted], docs: Mapping[str, Path]) -> list[Row]:
    """Check quotes against documents.

    Args:
        wanted: What is cited.
        docs: Files by the name under which they are cited.

    Returns:
        One row a quote, in their order; a file that cannot be read is a missing document.
    """
    known: dict[str, tuple[Wording, Passages] | None] = {}
    for name in dict.fromkeys(one.doc for one in wanted):
        known[name] = _opened(docs.get(name), [one.quote for one in wanted if one.doc == name])
    places: dict[str, int] = {}
    rows = []
    for one in wanted:
        place = places.get(one.doc, 0)
        places[one.doc] = place + 1
        book = known[one.doc]
        rows.append(_row(one, book[1], book[0].found[place]) if book else Row.of(one, Status.MISSING_DOCUMENT))
    return rows


def _opened(path: Path | None, quotes: Sequence[str]) -> tuple[Wording, Passages] | None:
    if path is None or not path.exists():
        return None
    try:
        wording = read_words(path, quotes)
    except ExtractionError:
        return None
    return wording, Passages(wording.pages)


def _row(one: Wanted, passages: Passages, pages: Sequence[int]) -> Row:
    if one.page in pages:
        return Row.of(one, Status.VERIFIED, found_page=one.page)
    if pages:
        return Row.of(one, Status.WRONG_PAGE, found_page=pages[0])
    near = passages.nearest(one.quote)
    if not any(near.text) and near.page is None and passages.has_pages and not passages.words_of(one.quote):
        near = Nearest(1.0, 1, "")  # nothing is as like as nothing
    told = {"similarity": round(near.ratio, 2), "closest": near.text, "closest_page": near.page}
    if near.ratio >= CLOSE:
        return Row.of(one, Status.CLOSE_MATCH, differences=differences(one.quote, near.text), **told)
    return Row.of(one, Status.NOT_FOUND, **told)
