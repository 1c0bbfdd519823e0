"""The documents against which quotes are checked: each opened once, when it is first asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from citeaudit.errors import EncryptedDocumentError, ExtractionError
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.pdf import PdfText, read_pages
from citeaudit.quotes.locate import Occurrence, Source
from citeaudit.quotes.nearest import Passages
from citeaudit.quotes.stream import Stream

LEAST_LETTERS = 25
"""Letters a page, on average, below which a PDF is a scan without a text layer."""
ODD = 0.05
"""Share of characters without a meaning above which a text layer cannot be relied on."""
_ODD = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U000ffffd]")
SUFFIXES = (".pdf", ".txt", ".md", ".html", ".htm", ".tex")
"""Names of documents of a folder end in one of these."""
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\n(?=[a-zà-ÿ])")


class Book:
    """One document.

    Args:
        path: A PDF, or a text without pages.
    """

    def __init__(self, path: Path) -> None:
        """Open nothing yet."""
        self.path = path

    @cached_property
    def _pdf(self) -> PdfText | None:
        return read_pages(self.path) if self.path.suffix.lower() == ".pdf" or is_pdf(self.path) else None

    @cached_property
    def failure(self) -> str | None:
        """Why the document cannot be read; `None` where it can."""
        try:
            if self._pdf is None:
                self.path.read_text("utf-8")
        except EncryptedDocumentError:
            return "pdf error: encrypted"
        except ExtractionError as error:
            return str(error)
        except (OSError, UnicodeDecodeError) as error:
            return f"{self.path.name}: cannot be read ({type(error).__name__}); give a PDF or UTF-8 text"
        return None

    @cached_property
    def source(self) -> Source:
        """What quotes are looked for in; ask `failure` first."""
        if self._pdf is None:
            return Source.of_text(self.path.read_text("utf-8"))
        return Source.of_pdf(self._pdf)

    @property
    def pages(self) -> int:
        """Give the number of pages; 0 for a text without pages."""
        return len(self._pdf.pages) if self._pdf else 0

    @cached_property
    def has_text(self) -> bool:
        """Whether the document holds text at all."""
        least = LEAST_LETTERS * self.pages if self.pages else 1
        if len(self.source.read.text) >= least:
            return True
        return self.source.drawn is not None and len(self.source.drawn.text) >= least

    @cached_property
    def unreliable(self) -> bool:
        """Whether much of the text layer has no meaning, so that a quote may stand there unread."""
        raw = self.source.read.raw
        return len(_ODD.findall(raw)) > ODD * max(1, len(raw))

    @cached_property
    def passages(self) -> Passages:
        """The words of the document by page, in the order of reading."""
        return Passages(_words(self.source.read, self.pages))

    def in_references(self, occurrence: Occurrence) -> bool:
        """Whether an occurrence stands behind the heading of the list of references, and before that of an appendix."""
        start, end = self._list
        return start is not None and all(start <= piece.start < end for piece in occurrence.pieces)

    @cached_property
    def _list(self) -> tuple[int | None, int]:
        """Where the last list of references begins and ends in the text as read."""
        stream = self.source.read
        start: int | None = None
        end = len(stream.raw) + 1
        for line in stream.lines:
            text = stream.raw[line.start : line.end].strip()
            if is_heading(text):
                start, end = line.start, len(stream.raw) + 1
            elif start is not None and line.start < end and is_heading(text, "end"):
                end = line.start
        return start, end


def is_pdf(path: Path) -> bool:
    """Whether a file says within its first kilobyte that it is a PDF."""
    try:
        with path.open("rb") as file:
            return b"%PDF-" in file.read(1024)
    except OSError:
        return False


def _words(stream: Stream, pages: int) -> list[list[str]]:
    """Give the words of each page; a word cut at a line end is one word."""
    parts: list[list[str]] = [[] for _ in range(max(1, pages))]
    for line in stream.lines:
        parts[max(0, line.page - 1)].append(stream.raw[line.start : line.end].strip())
    return [_HYPHEN.sub("", "\n".join(lines)).split() for lines in parts]


class Shelf(Mapping[str, Book]):
    """Documents by the name under which they are cited.

    Args:
        files: Paths by name.
    """

    def __init__(self, files: Mapping[str, Path]) -> None:
        """Open nothing yet."""
        self._files = dict(files)
        self._books: dict[str, Book] = {}

    @classmethod
    def of_folder(cls, folder: Path) -> Shelf:
        """Give the documents of a folder by file name and, where that is no other's, by its stem.

        Raises:
            NotADirectoryError: It is no folder.
        """
        files = sorted(one for one in folder.iterdir() if one.is_file() and one.suffix.lower() in SUFFIXES)
        named = {one.name: one for one in files}
        for one in files:
            named.setdefault(one.stem, one)
        return cls(named)

    def __getitem__(self, name: str) -> Book:
        """Give a document; the same object whenever it is asked for."""
        path = self._files[name]
        key = str(path)
        if key not in self._books:
            self._books[key] = Book(path)
        return self._books[key]

    def __iter__(self) -> Iterator[str]:
        """Give the names, one a document, in their order."""
        seen: set[Path] = set()
        for name, path in self._files.items():
            if path not in seen:
                seen.add(path)
                yield name

    def __len__(self) -> int:
        """Give the number of documents."""
        return len(set(self._files.values()))

    def __contains__(self, name: object) -> bool:
        """Whether a document has this name."""
        return name in self._files

    def path(self, name: str) -> Path:
        """Give the file of a name."""
        return self._files[name]

    @property
    def files(self) -> dict[str, Path]:
        """Give the files by name."""
        return dict(self._files)
