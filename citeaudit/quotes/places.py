"""From an occurrence to the rectangles of its letters: what `citeaudit.pdf.evidence` needs to be asked for them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from citeaudit.pdf.evidence import Place, Wanted, glyph_boxes
from citeaudit.quotes.locate import Occurrence, Piece, Source
from citeaudit.quotes.stream import Stream


def wanted(source: Source, occurrence: Occurrence) -> tuple[Wanted, ...]:
    """Give the parts of lines on which an occurrence stands, in order; empty in a source without pages.

    Args:
        source: In which it was found.
        occurrence: Found in either stream of it.
    """
    made = []
    for piece in occurrence.pieces:
        line = piece.line
        stream = _stream(source, piece)
        if stream is not None and line.page and piece.text.strip():
            text = stream.raw[line.start : line.end]
            made.append(Wanted(*line[:5], text, piece.start - line.start, piece.end - line.start))
    return tuple(made)


def _stream(source: Source, piece: Piece) -> Stream | None:
    """Give the stream a piece is from: occurrences do not say, and both number their characters from 0."""
    if piece.line in _at(source.read, piece.start):
        return source.read
    drawn = source.drawn
    return drawn if drawn is not None and piece.line in _at(drawn, piece.start) else None


def _at(stream: Stream, place: int) -> Iterable[object]:
    return stream.lines[slice(stream.line_of(place), stream.line_of(place) + 1)]


def places(path: Path, source: Source, occurrences: Iterable[Occurrence]) -> tuple[tuple[Place, ...], ...]:
    """Give the rectangles of each occurrence, one a line, in points of the unrotated page; asks once for all of them.

    Raises:
        UnreadableDocumentError, EncryptedDocumentError: As `citeaudit.pdf.evidence.glyph_boxes`.
    """
    asked = [wanted(source, one) for one in occurrences]
    found = iter(glyph_boxes(path, [part for parts in asked for part in parts]))
    return tuple(tuple(next(found) for _ in parts) for parts in asked)
