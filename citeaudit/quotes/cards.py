"""What a document says of itself: identifiers, titles and names of its first two pages and of its metadata."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from pathlib import Path

from citeaudit.errors import EncryptedDocumentError, ExtractionError
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.identifiers import clean_doi, locate_arxiv_id, locate_doi, locate_pmcid, locate_pmid
from citeaudit.model import Frozen
from citeaudit.pdf import PdfLine, PdfPage, PdfText, read_opening
from citeaudit.quotes.shelf import is_pdf
from citeaudit.text.normalize import fold, plain, squash
from citeaudit.text.visible import visible

CARD_VERSION = 1
"""Raised whenever a card is made in another way; those kept before are then never read again."""
PAGES = 2
"""Pages that are read: the title may stand behind a cover sheet."""
HEAD = 6_000
"""Characters of the first pages in which names and titles are looked for."""
TEXT_BYTES = 64 * 1024
"""Bytes of a text that are looked at."""
SIZES = 3
"""Largest type sizes of a page of which one may be the title's."""
SAME_SIZE = 0.6
"""Points by which lines of one title differ in size at most."""
MAX_TITLE = 400
"""Characters of a title."""
LINES = 4
"""Lines at the head of a page that may be a title set like the text; it may have as many."""
CLEAR_WORDS = 3
"""Words from which the largest line of a first page is a title that tells documents apart."""
LARGER = 1.15
"""Times the size of the text that such a line has at least."""
READABLE = 0.6
"""Share of letters that such a line has at least; a broken font leaves none."""
_STAMP = re.compile(r"\barXiv:\s?(?P<id>\S{9,30}?v\d{1,3})\s{1,3}\[[\w.-]{2,20}\]", re.IGNORECASE)
"""What arXiv prints along the margin of a first page: `arXiv:1706.03762v5 [cs.CL]`."""
_HTML_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,600})</title>", re.IGNORECASE)
_TEX_TITLE = re.compile(r"\\title(?:\[[^\]]{0,200}\])?\{([^{}]{1,600})\}")
_MARK = re.compile(r"^(?:#{1,6}\s+|title:\s*)", re.IGNORECASE)


class Card(Frozen):
    """What is known of a document; empty where it says nothing."""

    titles: tuple[str, ...] = ()
    """Texts of which one may be its title."""
    heading: str | None = None
    """The one that certainly is, for it is set larger than the text or stands in the metadata."""
    dois: tuple[str, ...] = ()
    own_dois: tuple[str, ...] = ()
    """Those that are its own: of the metadata, or the only one of the first page."""
    noted: bool = False
    """Its own are those of the metadata; the only one of a page may be that of a work it cites."""
    arxiv_ids: tuple[str, ...] = ()
    own_arxiv_id: str | None = None
    """With its version, from the stamp in the margin."""
    pmids: tuple[str, ...] = ()
    pmcids: tuple[str, ...] = ()
    head: str = ""
    """Folded words of the first pages."""
    failure: str | None = None
    """Why it cannot be read."""


def read_card(path: Path) -> Card:
    """Read what a document says of itself: of a PDF two pages in a worker process, of a text its beginning.

    Never raises for a bad document; see `Card.failure`.
    """
    try:
        if is_pdf(path) or path.suffix.lower() == ".pdf":
            return _of_pdf(read_opening(path, PAGES))
        with path.open("rb") as file:
            return _of_text(file.read(TEXT_BYTES).decode("utf-8", "replace"))
    except EncryptedDocumentError:
        return Card(failure="pdf error: encrypted")
    except ExtractionError as error:
        return Card(failure=error.message)
    except OSError as error:
        return Card(failure=f"cannot be opened ({error.strerror or type(error).__name__})")


def _of_pdf(pdf: PdfText) -> Card:
    pages = pdf.pages[:PAGES]
    texts = [_text(page) for page in pages]
    told = {key: plain(value) for key, value in pdf.metadata.items()}
    named = told.get("title", "")
    heading = next(filter(None, map(_heading, pages)), None)
    titles = [named, *(title for page in pages for title in _titles(page))]
    if heading is None and len(named.split()) >= CLEAR_WORDS:
        heading = named
    noted = "\n".join(told.get(key, "") for key in ("title", "subject", "keywords"))
    stamp = next(filter(None, map(_STAMP.search, texts)), None)
    stamped = locate_arxiv_id(f"arXiv:{stamp['id']}") if stamp else None
    card = _identified(texts, [*_dois(noted)])
    return card.model_copy(
        update={
            "titles": _apart(titles),
            "heading": visible(heading)[:MAX_TITLE] if heading else None,
            "own_arxiv_id": stamped.value if stamped else None,
            "head": fold(f"{told.get('author', '')}\n" + "\n".join(texts))[:HEAD],
        }
    )


def _of_text(text: str) -> Card:
    lines = [squash(_MARK.sub("", line)) for line in text.splitlines() if line.strip()][:LINES]
    named = [squash(plain(match[1])) for match in (_HTML_TITLE.search(text), _TEX_TITLE.search(text)) if match]
    titles = _apart((*named, *lines, *accumulate(lines, "{} {}".format)))
    return _identified([text[:HEAD]], []).model_copy(update={"titles": titles, "head": fold(text[:HEAD])})


def _identified(texts: Sequence[str], noted: Sequence[str]) -> Card:
    """Give the identifiers of the pages; those behind the heading of a list of references are other works'."""
    bodies = [_body(text) for text in texts]
    each = [list(dict.fromkeys(_dois(body))) for body in bodies]
    first = next(filter(None, each), [])
    own = tuple(dict.fromkeys(noted)) or (tuple(first) if len(first) == 1 else ())
    arxiv = [found.value for body in bodies if (found := locate_arxiv_id(body))]
    return Card(
        noted=bool(noted),
        dois=tuple(dict.fromkeys((*noted, *(doi for dois in each for doi in dois)))),
        own_dois=own,
        arxiv_ids=tuple(dict.fromkeys(arxiv)),
        pmids=tuple(found.value for body in bodies if (found := locate_pmid(body))),
        pmcids=tuple(found.value for body in bodies if (found := locate_pmcid(body))),
    )


def _body(text: str) -> str:
    """Give a text up to the heading of its list of references."""
    lines = text.splitlines()
    end = next((number for number, line in enumerate(lines) if is_heading(line.strip())), len(lines))
    return "\n".join(lines[:end])


def _dois(text: str) -> Iterator[str]:
    found = locate_doi(text)
    while found is not None:
        doi = clean_doi(found.value)
        if doi:
            yield doi
        found = locate_doi(text, found.end)


def _text(page: PdfPage) -> str:
    return "\n".join(line.text for line in page.lines)


def _size(line: PdfLine) -> float:
    return max(span.size for span in line.spans if span.text.strip()) if line.text.strip() else 0.0


def _runs(page: PdfPage) -> list[tuple[float, str]]:
    """Give neighbouring lines of one size as one text each, with the size, from the top of the page."""
    lines = sorted((line for line in page.lines if line.upright and line.text.strip()), key=lambda line: line.y0)
    runs: list[tuple[float, list[str]]] = []
    for line in lines:
        size = _size(line)
        if not runs or abs(runs[-1][0] - size) > SAME_SIZE:
            runs.append((size, []))
        runs[-1][1].append(line.text)
    return [(size, squash(" ".join(texts))) for size, texts in runs]


def _titles(page: PdfPage) -> Iterator[str]:
    """Give what may be a title of a page: what is set largest, and the lines at its head."""
    for _, group in groupby(sorted(_runs(page), key=lambda run: -run[0]), key=lambda run: round(run[0])):
        texts = [text for _, text in group][:SIZES]
        yield squash(" ".join(texts))  # a margin beside a title stands between its lines
        yield from texts
    top = [line.text for line in sorted(page.lines, key=lambda line: line.y0) if line.upright][:LINES]
    for start in range(len(top)):
        yield from map(squash, accumulate(top[start:], "{} {}".format))


def _heading(page: PdfPage) -> str | None:
    """Give the line set largest, where it is larger than the text and long enough to be no mere catch word."""
    runs = _runs(page)
    if not runs:
        return None
    by_length = sorted(runs, key=lambda run: -len(run[1]))
    size, text = max(runs, key=lambda run: run[0])
    clear = size >= LARGER * by_length[0][0] and len(text.split()) >= CLEAR_WORDS and len(text) <= MAX_TITLE
    return text if clear and sum(map(str.isalpha, text)) > READABLE * len(text) else None


def _apart(titles: Iterable[str]) -> tuple[str, ...]:
    """Give the titles each once, without those that are none by their length."""
    kept = (visible(title) for title in titles if sum(map(str.isalnum, title)) > 1 and len(title) <= MAX_TITLE)
    return tuple(dict.fromkeys(kept))[: 10 * SIZES]
