"""Build a `Body` piece by piece: white space squeezed, marks and places kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from citeaudit.extract.intext.body import Body, Mark, MarkKind, Note, Place
from citeaudit.model.reference import Locus

_SPACE = re.compile(r"\s+")
MAX_TEXT = 20_000_000
"""Characters of running text that are kept."""


class Running:
    """Collects running text.

    Args:
        path: The document, for the places.
    """

    def __init__(self, path: str) -> None:
        """Begin without text."""
        self._path = path
        self._pieces: list[str] = []
        self._length = 0
        self._ends_in = "\n"
        self._marks: list[Mark] = []
        self._notes: list[Note] = []
        self._places: list[Place] = []

    def add(self, text: str) -> None:
        """Add text to the paragraph; white space becomes single spaces, none at its start."""
        told = _SPACE.sub(" ", text)
        if self._ends_in in {"\n", " "}:
            told = told.lstrip(" ")
        if told and self._length < MAX_TEXT:
            self._put(told)

    def paragraph(self, line: int | None = None) -> None:
        """Begin a paragraph, unless one has just begun."""
        if self._ends_in != "\n":
            self._put("\n\n")
        place = Place(start=self._length, locus=Locus(path=self._path, line=line))
        if self._places and self._places[-1].start == self._length:
            self._places[-1] = place
        else:
            self._places.append(place)

    @contextmanager
    def mark(self, kind: MarkKind, keys: tuple[str, ...], line: int | None = None) -> Iterator[None]:
        """Mark what is added meanwhile; nothing is marked where nothing is added."""
        del line
        start = self._length
        yield
        end = self._length
        text = "".join(self._pieces[-64:])[-(end - start) :] if end > start else ""
        ending = len(text) - len(text.rstrip())
        if end - ending > start:
            self._marks.append(Mark(start=start, end=end - ending, kind=kind, keys=tuple(key for key in keys if key)))

    @contextmanager
    def note(self, label: str) -> Iterator[None]:
        """Take what is added meanwhile as the text of a note."""
        self.paragraph()
        start = self._length
        yield
        if self._length > start:
            self._notes.append(Note(label=label, start=start, end=self._length))

    def body(self) -> Body:
        """Give what was collected."""
        return Body(
            text="".join(self._pieces),
            marks=tuple(sorted(self._marks, key=lambda mark: (mark.start, -mark.end))),
            notes=tuple(self._notes),
            places=tuple(self._places),
        )

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        self._ends_in = text[-1]
