"""Turn the lines of a plain text that stand before its list into the running text of the in-text room."""

from __future__ import annotations

from collections.abc import Iterable

from citeaudit.extract.intext.body import Body, Place
from citeaudit.model.reference import Locus

MAX_RUNNING = 5_000_000
"""Characters of running text in which citations are sought."""


def running_text(lines: Iterable[tuple[int, str]], path: str) -> Body:
    """Join lines to paragraphs, each with the line it begins on.

    Args:
        lines: 1-based number and text of each line, in order; an empty one ends a paragraph.
        path: The document as the user named it.

    Returns:
        The text, empty where there are no words; breaks inside a paragraph are spaces.
    """
    paragraphs: list[tuple[int, list[str]]] = []
    apart, size = True, 0
    for number, line in lines:
        text = " ".join(line.split())
        size += len(text)
        if not text or size > MAX_RUNNING:
            apart = True
            continue
        if apart:
            paragraphs.append((number, []))
            apart = False
        paragraphs[-1][1].append(text)
    parts: list[str] = []
    places: list[Place] = []
    offset = 0
    for number, each in paragraphs:
        text = " ".join(each)
        places.append(Place(start=offset, locus=Locus(path=path, line=number)))
        parts.append(text)
        offset += len(text) + 2
    return Body(text="\n\n".join(parts), places=tuple(places))
