"""Ask PyMuPDF for the words of a PDF, its page labels, and where it finds a text, in a worker process of its own.

This is what PyMuPDF itself takes for words and finds; `--compat notebook` needs just that. Its answers differ between
versions at hyphens; all other reading of quotes works on `citeaudit.pdf.read_pages`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from citeaudit.pdf.child import main as child_main
from citeaudit.pdf.document import library, open_document
from citeaudit.pdf.limits import DEFAULT_LIMITS, Limits
from citeaudit.pdf.worker import MESSAGES, Pool, WorkerError, fault, look

PROGRAM = "import sys; from citeaudit.pdf.wording import main; main(sys.argv[1:])"
"""What the worker process runs."""
MAX_WORDS_A_PAGE = 20_000
MAX_SEARCHED = 2_000
"""Characters of a text that is searched for."""
_OUTSIDE = re.compile(r"[^\w%$.]")


class Wording(NamedTuple):
    """The words of a PDF as PyMuPDF gives them."""

    pages: tuple[tuple[str, ...], ...]
    """Words of each page in order, those cut at a line end joined."""
    labels: tuple[str, ...]
    """What each page is called in the file: `iv`, `1703`; empty where it has no label."""
    found: tuple[tuple[int, ...], ...]
    """For each text searched for, the 1-based pages on which it was found."""


def read_words(path: Path, texts: Sequence[str] = (), *, limits: Limits = DEFAULT_LIMITS) -> Wording:
    """Give words and labels of a PDF, and the pages on which texts are found.

    A text is found on a page where PyMuPDF's search finds it or all its words stand there in a row, whatever the
    signs about them.

    Raises:
        UnreadableDocumentError: Missing, damaged, or more than the limits allow.
        EncryptedDocumentError: It needs a password.
    """
    look(path, limits)
    with _pool(limits) as pool:
        try:
            told = pool.run("words", path=os.fspath(path.absolute()), pages=limits.pages, texts=list(texts))
        except WorkerError as error:
            raise fault(error.kind if error.kind in MESSAGES else "crashed", path, error.detail) from error
    pages, labels, found = told["words"], told["labels"], told["found"]
    return Wording(
        tuple(tuple(map(str, page)) for page in _rows(pages)),
        tuple(map(str, _rows(labels))),
        tuple(tuple(int(str(number)) for number in numbers) for numbers in _rows(found)),
    )


def _rows(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


@contextmanager
def _pool(limits: Limits) -> Any:
    pool = Pool(limits, size=1, program=PROGRAM)
    try:
        yield pool
    finally:
        pool.close()


# --- in the worker process -----------------------------------------------------------------------------


def words(request: dict[str, object]) -> dict[str, object]:
    """Carry out the job; the request has `path`, `pages` and `texts`."""
    document = open_document(str(request["path"]), int(str(request["pages"])))
    flags = library().TEXT_DEHYPHENATE
    texts = [str(text)[:MAX_SEARCHED] for text in _rows(request["texts"])]
    wanted = [forms(text.split()) for text in texts]
    listed: list[list[str]] = []
    labels: list[str] = []
    found: list[list[int]] = [[] for _ in texts]
    for number, page in enumerate(document, 1):
        here = [row[4] for row in page.get_text("words", flags=flags)[:MAX_WORDS_A_PAGE]]
        plain = forms(here)
        listed.append(here)
        labels.append(page.get_label() or "")
        for text, row, pages in zip(texts, wanted, found, strict=True):
            if (text.strip() and page.search_for(text, quads=True)) or stands_in(row, plain):
                pages.append(number)
    document.close()
    return {"words": listed, "labels": labels, "found": found}


def forms(listed: Sequence[str]) -> list[str]:
    """Give words without signs and case; those of which nothing is left are dropped."""
    made = (_OUTSIDE.sub("", word).lower().rstrip(".") for word in listed)
    return [word for word in made if word]


def stands_in(wanted: Sequence[str], listed: Sequence[str]) -> bool:
    """Whether words stand in a list one after the other.

    >>> stands_in(["b", "c"], ["a", "b", "c"]), stands_in([], ["a"])
    (True, False)
    """
    size = len(wanted)
    return bool(wanted) and any(
        word == wanted[0] and list(listed[start : start + size]) == list(wanted) for start, word in enumerate(listed)
    )


def main(arguments: list[str]) -> None:
    """Serve the job; arguments are those of `citeaudit.pdf.child.main`."""
    child_main(arguments, {"words": words})
