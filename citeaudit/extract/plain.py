"""Read plain lists of references: numbered, separated by blank lines, with hanging indents, or one a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.decode import read_document
from citeaudit.extract.fields.reader import Hints, list_style, read_fields
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.extract.pdf.likeness import likeness, years
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
_WHOLE = 0.4
"""Likeness from which a text behind a label counts as a reference of its own."""
_LIST = 0.25
"""Mean likeness below which what stands under one of several headings is no list."""
_INNER = {
    "square": re.compile(r"\s\[(?P<n>\d{1,4})\]\s{0,4}(?=[^\W\d_]|[“\"„«‘])"),
    "round": re.compile(r"(?<=[.\d)\]/])\s\((?P<n>\d{1,4})\)\s{0,4}(?=[^\W\d_]|[“\"„«‘])"),
    "number": re.compile(r"(?<=[.\d)\]/])\s(?P<n>\d{1,4})[.)]\s{1,4}(?=[^\W\d_a-z]|[“\"„«‘])"),
}
"""Labels inside a line, by their kind."""
_MAX_TRIES = 500
"""Labels inside one line that are weighed."""
_PARTICLE = re.compile(
    r"\s*(?:von|vom|zu|zur|van|de|den|der|del|della|di|da|dos|du|la|le|ter|ten|al|el|bin|ibn)[\s-]\S"
)
_ENDED = re.compile(r"[.)\]\d/]\s*$|(?:https?://|www\.|\b10\.\d{4,9}/)\S+\s*$")


class _Line(NamedTuple):
    number: int
    """1-based."""
    text: str


class _Piece(NamedTuple):
    """One printed reference and where it starts."""

    text: str
    line: int
    label: str | None = None


class _Cut(NamedTuple):
    """A list cut into references, and by what."""

    method: str
    pieces: list[_Piece]


def _lists(text: str) -> list[list[_Line]]:
    """Give the lines under each heading of a reference list, or all; a heading that ends a list ends it."""
    lines = [_Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]
    lists: list[list[_Line]] = []
    within = False
    for line in lines:
        bare = line.text.strip(" #*_:=")
        if bare and is_heading(bare):
            within = True
            lists.append([])
        elif bare and is_heading(bare, "end"):
            within = False
        elif within:
            lists[-1].append(line)
    filled = [each for each in lists if any(_words(line.text) for line in each)]
    return filled or [lines]


def _words(line: str) -> bool:
    return bool(re.search(r"\w", line)) and not line.lstrip().startswith("```")


class _Label(NamedTuple):
    """A label that a line opens with."""

    name: str
    kind: str
    end: int

    @property
    def number(self) -> int | None:
        return int(self.name) if self.name.isdigit() else None


def _label(line: str) -> _Label | None:
    match = _LABEL.match(line)
    kind = match.lastgroup if match is not None else None
    return _Label(match[kind], kind, match.end()) if match is not None and kind is not None else None


def _starts(label: _Label, last: int | None, kind: str, text: str) -> bool:
    """Whether a label opens a reference: it follows the one before, or its line looks like a whole reference.

    Lists start again, repeat a label or leave the sequence; a year or a page at a line start does none of these.
    """
    number = label.number
    if label.kind == kind and (number is None or last is None or 0 <= number - last < _MAX_GAP):
        return True
    if number is not None and _YEAR.fullmatch(label.name):
        return False
    return (label.kind == kind == "square") or (text[:1].isupper() and likeness(text) >= _WHOLE)


def _labelled(lines: Sequence[_Line]) -> list[_Piece] | None:
    """Cut at printed labels; `None` where the list has none."""
    first = next((line for line in lines if _words(line.text)), None)
    opened = _label(first.text) if first is not None else None
    if opened is None:
        return None
    pieces: list[_Piece] = []
    parts: list[str] = []
    last: int | None = None
    for line in lines:
        found = _label(line.text)
        if found is not None and _starts(found, last, opened.kind, line.text[found.end :]):
            if pieces:
                pieces[-1] = pieces[-1]._replace(text="\n".join(parts))
            pieces.append(_Piece("", line.number, found.name))
            parts, last = [line.text[found.end :]], _following(last, found.number)
        elif _words(line.text):
            parts.append(line.text.strip())
    pieces[-1] = pieces[-1]._replace(text="\n".join(parts))
    pieces = _inline(pieces, opened.kind)
    return pieces if len(pieces) > 1 or len(lines) < 4 or pieces[0].label in {"1", "[1]"} else None  # noqa: PLR2004


def _following(last: int | None, number: int | None) -> int | None:
    """Give the label that the next one is measured by; one far out of sequence does not count."""
    if number is None or (last is not None and number - last >= _MAX_GAP):
        return last
    return number


def _inline(pieces: Sequence[_Piece], kind: str) -> list[_Piece]:
    """Cut at labels inside a line that go on with the sequence, where both sides look like references."""
    out: list[_Piece] = []
    labels = {piece.label for piece in pieces}
    for piece in pieces:
        rest = piece
        number = int(piece.label) if piece.label and piece.label.isdigit() else None
        tries = 0
        for match in _INNER[kind].finditer(piece.text) if number is not None else ():
            place = match.start() - (len(piece.text) - len(rest.text))
            # Outside square brackets, a number that another line carries as its label is no label here.
            known = kind != "square" and match["n"] in labels
            if place < 0 or number is None or known or int(match["n"]) != number + 1:
                continue
            before, after = rest.text[:place], piece.text[match.end() :]
            if likeness(before) < _WHOLE or likeness(after) < _WHOLE or not years(before):
                tries += 1
                if tries > _MAX_TRIES:
                    break
                continue
            out.append(rest._replace(text=before))
            line = piece.line + piece.text.count("\n", 0, match.end())
            rest, number = _Piece(after, line, match["n"]), number + 1
        out.append(rest)
    return out


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


def _goes_on(text: str, before: str, *, dated: bool) -> bool:
    """Whether a line in lower case goes on with the one before; `von Neumann, J. (1945)` after a stop does not."""
    if not text[0].islower() or _LOOSE.match(text) or before.endswith("."):
        return False
    own = dated and _PARTICLE.match(text) and _YEAR.search(text)
    return not (own and _ENDED.search(before[-400:]))


def _single(lines: Sequence[_Line]) -> list[_Piece]:
    """Take each line as a reference; one in lower case goes on with the line right before."""
    pieces: list[list[_Line]] = []
    dated = apart = True
    for line in lines:
        text = line.text.strip()
        if not _words(text):
            apart = True
            continue
        if not apart and _goes_on(text, pieces[-1][-1].text, dated=dated):
            pieces[-1].append(_Line(line.number, text))
        else:
            pieces.append([_Line(line.number, text)])
            dated = False
        dated = dated or bool(_YEAR.search(text))
        apart = False
    return [_Piece("\n".join(line.text for line in piece), piece[0].number) for piece in pieces]


def _cut(lines: list[_Line]) -> _Cut:
    """Cut a list into references."""
    labelled = _labelled(lines)
    if labelled is not None:
        return _Cut("labels", labelled)
    lines = [_Line(line.number, _BULLET.sub("", line.text)) for line in lines]
    paragraphs = _paragraphs(lines)
    if paragraphs is not None:
        return _Cut("lines", paragraphs)
    hanging = _hanging(lines)
    if hanging is not None:
        return _Cut("indents", hanging)
    return _Cut("lines", _single(lines))


def _limited(cuts: Iterable[_Cut]) -> list[_Cut]:
    """Keep pieces with text, at most `MAX_REFERENCES` of all lists, and the lists that look like such."""
    found = [_Cut(method, [piece for piece in pieces if piece.text.strip()]) for method, pieces in cuts]
    likely = [cut for cut in found if _is_list(cut.pieces)]
    left, kept = MAX_REFERENCES, []
    for method, pieces in likely or found[-1:]:
        kept.append(_Cut(method, pieces[:left]))
        left -= len(kept[-1].pieces)
    return [cut for cut in kept if cut.pieces]


def _is_list(pieces: Sequence[_Piece]) -> bool:
    """Whether the pieces look like references; the prose of a section `Literature` does not."""
    return sum(likeness(piece.text) for piece in pieces) >= _LIST * len(pieces) and bool(pieces)


def _unmarked(text: str) -> str:
    """Take Markdown's links and emphasis out of a reference."""
    if "](" in text:
        text = _LINK.sub(
            lambda match: match.group(1) if match.group(1) == match.group(2) else f"{match.group(1)} {match.group(2)}",
            text,
        )
    return _EMPHASIS.sub(r"\2", text) if "*" in text or "_" in text else text


def _sequence(labels: Sequence[str]) -> tuple[int, list[str], list[str]]:
    """Give how many references one list's numbers announce, those missing, and those far out of sequence."""
    numbers = sorted({int(label) for label in labels})
    last = min(1, numbers[0]) - 1 if numbers[0] <= 1 else numbers[0] - 1
    missing: list[str] = []
    far: list[str] = []
    for number in numbers:
        if number - last > _MAX_GAP:
            far.append(str(number))
            continue
        missing += [str(lost) for lost in range(last + 1, number)]
        last = number
    return len(numbers) + len(missing), missing, far


def _check(cuts: Sequence[_Cut], note: str | None, passed: int) -> SelfCheck:
    missing: list[str] = []
    duplicate: list[str] = []
    far: list[str] = []
    expected: int | None = 0
    for _, pieces in cuts:
        labels = [piece.label for piece in pieces if piece.label is not None]
        if expected is not None and labels and all(map(str.isdecimal, labels)):
            announced, lost, strayed = _sequence(labels)
            expected, missing, far = expected + announced, missing + lost, far + strayed
        else:
            expected = None
        duplicate += [label for label, count in Counter(labels).items() if count > 1]
    read = sum(len(pieces) for _, pieces in cuts)
    notes = [note] if note else []
    if len(cuts) > 1:
        notes.append(f"{len(cuts)} lists of references were read")
    if passed > 0:
        notes.append(f"text that does not look like references was left out under {passed} of the headings")
    if missing:
        notes.append(f"labels of the sequence that were not seen: {_some(missing)}")
    if far:
        notes.append(f"labels far out of sequence: {_some(far)}")
    if read == MAX_REFERENCES:
        notes.append(f"only the first {MAX_REFERENCES:,} references were read")
    return SelfCheck(
        method="+".join(dict.fromkeys(method for method, _ in cuts)),
        read=read,
        expected=expected,
        labels_missing=tuple(missing),
        labels_duplicate=tuple(duplicate),
        notes=tuple(notes),
    )


def _some(labels: Sequence[str]) -> str:
    return ", ".join(labels[:20]) + (", …" if len(labels) > 20 else "")  # noqa: PLR2004


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
        text: With `\n` line ends; what stands before a heading such as `References` is left out. Several lists
            are read one after the other, each with its own numbering.
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
    lists = _lists(text)
    cuts = _limited(map(_cut, lists))
    references = tuple(reference for _, pieces in cuts for reference in _references(pieces, path))
    if not any(reference.parse_score > NOTHING for reference in references):
        raise NoReferencesError("holds nothing that looks like a reference", path=path)
    return Extraction(
        path=path,
        format=PlainExtractor.name,
        references=references,
        self_check=_check(cuts, note, len(lists) - len(cuts)),
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
