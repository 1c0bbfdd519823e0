"""Read plain lists of references: numbered, separated by blank lines, with hanging indents, or one a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.bibtex import read_bibtex
from citeaudit.extract.decode import read_document
from citeaudit.extract.fields import Hints, list_style, read_fields
from citeaudit.extract.headings import is_heading
from citeaudit.model.reference import Extraction, Locus, Reference, SelfCheck

NOTHING = 0.2
"""A text of which no piece scores higher holds no references: prose gets 0.1, a bare title with a year 0.4."""

MAX_REFERENCES = 100_000
"""Pieces that are read; more is no reference list."""

_LABEL = re.compile(
    r"^\s{0,12}(?:\[(?P<square>[\w+*.:-]{1,24})\]|\((?P<round>\d{1,4})\)|(?P<number>\d{1,4})[.)])\s{0,12}(?=\S)"
)
_BIBTEX = re.compile(r"^[ \t]{0,20}@[A-Za-z]{1,40}[ \t]{0,20}[{(]", re.MULTILINE)
_LOOSE = re.compile(r"^\s*(?:https?://|www\.|doi\b|10\.\d{4}|arxiv\b)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_BULLET = re.compile(r"^\s{0,12}(?:[-*+•]\s+)")
_LINK = re.compile(r"\[([^\[\]\n]{1,400})\]\((https?://[^()\s]{1,1000}(?:\([^()\s]{0,100}\)[^()\s]{0,200})?)\)")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)([^*_\n]{1,400}?)(?<=\S)\1(?![\w*])")
_MAX_GAP = 50  # labels jump by less; a line "1999. Berlin" inside a reference does not pass for one


class _Line(NamedTuple):
    number: int
    """1-based."""
    text: str


class _Piece(NamedTuple):
    """One printed reference and where it starts."""

    text: str
    line: int
    label: str | None = None


def _listed(text: str) -> list[_Line]:
    """Give the lines after the last heading of a reference list, or all; stop at a heading that ends it."""
    lines = [_Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]
    opened = [place for place, line in enumerate(lines) if is_heading(line.text.strip(" #*_:="))]
    opened = [place for place in opened if any(line.text.strip() for line in lines[place + 1 : place + 40])]
    if not opened:
        return lines
    kept = lines[opened[-1] + 1 :]
    stop = next(
        (
            place
            for place, line in enumerate(kept)
            if line.text.strip() and is_heading(line.text.strip(" #*_:="), "end")
        ),
        len(kept),
    )
    return kept[:stop]


def _words(line: str) -> bool:
    return bool(re.search(r"\w", line)) and not line.lstrip().startswith("```")


def _label(line: str) -> tuple[str, int] | None:
    match = _LABEL.match(line)
    if match is None:
        return None
    return (match.group("square") or match.group("round") or match.group("number")), match.end()


def _labelled(lines: Sequence[_Line]) -> list[_Piece] | None:
    """Cut at printed labels; `None` where the list has none."""
    first = next((line for line in lines if _words(line.text)), None)
    if first is None or _label(first.text) is None:
        return None
    pieces: list[_Piece] = []
    parts: list[str] = []
    last: int | None = None
    for line in lines:
        found = _label(line.text)
        number = int(found[0]) if found and found[0].isdigit() else None
        starts = found is not None and (number is None or last is None or 0 <= number - last < _MAX_GAP)
        if found is not None and starts:
            if pieces:
                pieces[-1] = pieces[-1]._replace(text="\n".join(parts))
            pieces.append(_Piece("", line.number, found[0]))
            parts, last = [line.text[found[1] :]], number if number is not None else last
        elif _words(line.text):
            parts.append(line.text.strip())
    pieces[-1] = pieces[-1]._replace(text="\n".join(parts))
    return pieces if len(pieces) > 1 or len(lines) < 4 or pieces[0].label in {"1", "[1]"} else None  # noqa: PLR2004


def _blocks(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    block: list[_Line] = []
    for line in lines:
        if _words(line.text):
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _whole(line: str) -> bool:
    """Whether a line can be a reference of its own: an identifier, or a start in upper case with a year."""
    stripped = line.strip()
    return bool(_LOOSE.match(stripped)) or (bool(_YEAR.search(stripped)) and not stripped[0].islower())


def _paragraphs(lines: Sequence[_Line]) -> list[_Piece] | None:
    """Cut at blank lines; `None` where the lines of a block are references of their own."""
    blocks = list(_blocks(lines))
    inner = [line for block in blocks if len(block) > 1 for line in block]
    if len(blocks) < 2 or not inner:  # noqa: PLR2004 - one block is separated from nothing
        return None
    if any(line.text[:1].isspace() for line in inner) is False and sum(
        _whole(line.text) for line in inner
    ) >= 0.6 * len(inner):
        return None
    return [_Piece("\n".join(line.text.strip() for line in block), block[0].number) for block in blocks]


def _hanging(lines: Sequence[_Line]) -> list[_Piece] | None:
    """Cut where a line is not indented; `None` where no line is."""
    filled = [line for line in lines if _words(line.text)]
    indented = sum(line.text[:1].isspace() for line in filled)
    if not indented or filled[0].text[:1].isspace():
        return None
    pieces: list[list[_Line]] = []
    for line in filled:
        if line.text[:1].isspace() and pieces:
            pieces[-1].append(line)
        else:
            pieces.append([line])
    return [_Piece("\n".join(line.text.strip() for line in piece), piece[0].number) for piece in pieces]


def _single(lines: Sequence[_Line]) -> list[_Piece]:
    """Take each line as a reference; one in lower case goes on with the line before."""
    pieces: list[_Piece] = []
    for line in lines:
        text = line.text.strip()
        if not _words(text):
            continue
        if pieces and text[0].islower() and not _LOOSE.match(text) and not pieces[-1].text.endswith("."):
            pieces[-1] = pieces[-1]._replace(text=f"{pieces[-1].text}\n{text}")
        else:
            pieces.append(_Piece(text, line.number))
    return pieces


def _cut(lines: list[_Line]) -> tuple[str, list[_Piece]]:
    """Cut a list into references: the method and the pieces."""
    labelled = _labelled(lines)
    if labelled is not None:
        return "labels", labelled
    lines = [_Line(line.number, _BULLET.sub("", line.text)) for line in lines]
    paragraphs = _paragraphs(lines)
    if paragraphs is not None:
        return "lines", paragraphs
    hanging = _hanging(lines)
    if hanging is not None:
        return "indents", hanging
    return "lines", _single(lines)


def _unmarked(text: str) -> str:
    """Take Markdown's links and emphasis out of a reference."""
    if "](" in text:
        text = _LINK.sub(
            lambda match: match.group(1) if match.group(1) == match.group(2) else f"{match.group(1)} {match.group(2)}",
            text,
        )
    return _EMPHASIS.sub(r"\2", text) if "*" in text or "_" in text else text


def _check(method: str, pieces: Sequence[_Piece], note: str | None) -> SelfCheck:
    labels = [piece.label for piece in pieces if piece.label is not None]
    numbers = [int(label) for label in labels if label.isdigit()]
    missing: tuple[str, ...] = ()
    expected = None
    if numbers and len(numbers) == len(labels):
        whole = range(min(1, *numbers) if min(numbers) <= 1 else min(numbers), max(numbers) + 1)
        missing = tuple(str(number) for number in whole if number not in set(numbers))
        expected = len(whole)
    notes = [note] if note else []
    if len(pieces) == MAX_REFERENCES:
        notes.append(f"only the first {MAX_REFERENCES:,} references were read")
    return SelfCheck(
        method=method,
        read=len(pieces),
        expected=expected,
        labels_missing=missing,
        labels_duplicate=tuple(label for label, count in Counter(labels).items() if count > 1),
        notes=tuple(notes),
    )


def _references(pieces: Sequence[_Piece], path: str) -> tuple[Reference, ...]:
    style = list_style([piece.text for piece in pieces])
    return tuple(
        read_fields(
            _unmarked(piece.text), locus=Locus(path=path, line=piece.line, label=piece.label), hints=Hints(style=style)
        )
        for piece in pieces
    )


def read_text(text: str, *, path: str, note: str | None = None) -> Extraction:
    r"""Read a list of references from text, or BibTeX where the text is that.

    Args:
        text: With `\n` line ends; what stands before a heading such as `References` is left out.
        path: The document as the user named it, `-` for standard input.
        note: A sentence to add to the self-check.

    Raises:
        UnreadableDocumentError: The text is empty.
        NoReferencesError: It holds nothing that looks like a reference.
    """
    if not text.strip():
        raise UnreadableDocumentError("is empty", path=path)
    if _BIBTEX.search(text[:200_000]):
        return read_bibtex(text, path=path, notes=(note,) if note else ())
    method, pieces = _cut(_listed(text))
    pieces = [piece for piece in pieces if piece.text.strip()][:MAX_REFERENCES]
    references = _references(pieces, path)
    if not any(reference.parse_score > NOTHING for reference in references):
        raise NoReferencesError("holds nothing that looks like a reference", path=path)
    return Extraction(
        path=path, format=PlainExtractor.name, references=references, self_check=_check(method, pieces, note)
    )


class PlainExtractor:
    """Reads text files that hold a list of references."""

    name = "plain"
    suffixes = (".txt", ".text", ".md")

    def read(self, path: Path) -> Extraction:
        """Read the references of a text file.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds nothing that looks like a reference.
        """
        decoded = read_document(path)
        return read_text(decoded.text, path=str(path), note=decoded.note)
