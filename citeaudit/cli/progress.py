"""Progress on standard error: a moving line on a terminal, plain lines elsewhere, nothing where unwanted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.markup import escape

from citeaudit.agents.toolbox import Event, ignore
from citeaudit.text.visible import visible

INTERRUPTED = 130
"""What shells expect after Ctrl-C."""


@contextmanager
def progress(*, quiet: bool, documents: Sequence[str]) -> Iterator[Callable[[Event], None]]:
    """Give a listener for events, for as long as the work goes on; several documents are counted."""
    if quiet:
        yield ignore
    elif sys.stderr.isatty():
        with Console(stderr=True).status("starting") as status:
            yield lambda event: status.update(escape(words(event, documents)))
    else:
        yield partial(_line, documents=documents)


def words(event: Event, documents: Sequence[str] = ()) -> str:
    """Give an event as a line for a person.

    >>> words(Event("searcher", "asking crossref", 3, 40, "paper.pdf"))
    'paper.pdf: asking crossref (3 of 40)'
    >>> words(Event("extractor", "reading", document="b.pdf"), ("a.pdf", "b.pdf"))
    '2 of 2 documents, b.pdf: reading'
    """
    counted = f" ({event.done} of {event.total})" if 0 < event.done < event.total else ""
    several = len(documents) > 1 and event.document in documents
    place = f"{documents.index(event.document) + 1} of {len(documents)} documents, " if several else ""
    return visible(f"{place}{event.document}: {event.message}{counted}")


def interrupted(done: int, documents: Sequence[str]) -> int:
    """Say how far a run came before Ctrl-C, and give the exit code that shells expect."""
    sys.stderr.write(f"citeaudit: interrupted after {done} of {len(documents)} documents; the output holds these\n")
    return INTERRUPTED


def _line(event: Event, *, documents: Sequence[str]) -> None:
    if event.done == event.total:
        sys.stderr.write(f"{words(event, documents)}\n")
