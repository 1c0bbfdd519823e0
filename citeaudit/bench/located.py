"""Our own predictions: passages are located, and the paragraph about each is its region."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from citeaudit.bench.regions import Region, around, of_rect
from citeaudit.errors import UsageError
from citeaudit.pdf import PdfPage, read_pages
from citeaudit.quotes.locate import Occurrence, Source
from citeaudit.quotes.places import places
from citeaudit.quotes.stream import Line, Stream

PITCH = 0.7
"""Gap between two lines of a paragraph, in heights of a line; between paragraphs it is wider."""
SAME_HEIGHT = 0.12
"""Share by which the heights of two lines of a paragraph may differ; those of headings differ more."""


class Cited(BaseModel):
    """A passage that an answer rests on."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    doc: str
    """Name of its file."""
    quote: str
    page: int | None = Field(default=None, ge=1)
    """1-based page on which it is said to stand."""


class Library:
    """A folder of PDFs, each opened once.

    Args:
        folder: Documents are taken from it alone, whatever their names say.
    """

    def __init__(self, folder: Path) -> None:
        """Open nothing yet."""
        self._folder = folder
        self._opened: dict[str, tuple[Path, Source, dict[int, PdfPage]]] = {}

    def locate(self, cited: Cited) -> tuple[Region, ...]:
        """Give the region of the paragraph about the first place where a passage stands, one a page.

        A place on the page it is said to stand on goes first. Empty where the passage is not found.

        Raises:
            UsageError: There is no such document.
            ExtractionError: It cannot be read.
        """
        path, source, pages = self._open(cited.doc)
        found = source.locate(cited.quote, cited.page)
        if found is None:
            return ()
        there = [one for one in found.occurrences if cited.page in one.pages]
        occurrence = (there or list(found.occurrences))[0]
        ((*boxes,),) = places(path, source, [occurrence])
        exact = [of_rect(box[1:5], pages[box.page], cited.doc) for box in boxes]
        rest = [of_rect(line[1:5], pages[line.page], cited.doc, turned=True) for line in _about(source, occurrence)]
        return around([*exact, *rest])

    def _open(self, name: str) -> tuple[Path, Source, dict[int, PdfPage]]:
        if name not in self._opened:
            path = self._folder / name
            if Path(name).name != name or not path.is_file():
                raise UsageError(f"{self._folder}: holds no document {name}; name the folder of the cited PDFs")
            pdf = read_pages(path)
            self._opened[name] = path, Source.of_pdf(pdf), {page.number: page for page in pdf.pages}
        return self._opened[name]


def _about(source: Source, occurrence: Occurrence) -> Iterator[Line]:
    """Give the lines of the paragraphs in which an occurrence begins and ends; none outside of the running text."""
    stream = source.read
    ends = occurrence.pieces[0].line, occurrence.pieces[-1].line
    for line, step in zip(ends, (-1, 1), strict=True):
        if line in stream.lines:
            yield line
            yield from _going(stream, stream.lines.index(line), step)


def _going(stream: Stream, index: int, step: int) -> Iterator[Line]:
    """Give the lines that follow one another in a paragraph, away from one of it."""
    while 0 <= index + step < len(stream.lines) and _together(stream, min(index, index + step)):
        index += step
        yield stream.lines[index]


def _together(stream: Stream, above: int) -> bool:
    """Whether a line and the one below it are of one paragraph."""
    one, two = stream.lines[above : above + 2]
    height = max(one.y1 - one.y0, 0.1)
    alike = abs((two.y1 - two.y0) - height) <= SAME_HEIGHT * height
    gap = two.y0 - one.y1
    aside = min(one.x1, two.x1) <= max(one.x0, two.x0)
    return one.page == two.page and alike and not aside and -height < gap <= PITCH * height
