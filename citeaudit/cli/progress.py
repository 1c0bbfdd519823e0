"""Progress on standard error: a moving line on a terminal, plain lines elsewhere, nothing where unwanted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

from citeaudit.agents.toolbox import Event, ignore
from citeaudit.text.visible import visible


@contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[Event], None]]:
    """Give a listener for events, for as long as the work goes on."""
    if quiet:
        yield ignore
    elif sys.stderr.isatty():
        with Console(stderr=True).status("starting") as status:
            yield lambda event: status.update(escape(words(event)))
    else:
        yield _line


def words(event: Event) -> str:
    """Give an event as a line for a person.

    >>> words(Event("searcher", "asking crossref", 3, 40, "paper.pdf"))
    'paper.pdf: asking crossref (3 of 40)'
    """
    counted = f" ({event.done} of {event.total})" if 0 < event.done < event.total else ""
    return visible(f"{event.document}: {event.message}{counted}")


def _line(event: Event) -> None:
    if event.done == event.total:
        sys.stderr.write(f"{words(event)}\n")
