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
from citeaudit.extract.intext.link import link
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.extract.pdf.likeness import likeness, years
from citeaudit.extract.running import running_text
from citeaudit.model.reference import Extraction, Locus, Reference, SelfCheck

NOTHING = 0.2
"""A text of which no piece scores higher holds no references: prose gets 0.1, a bare title with a year 0.4."""

MAX_REFERENCES = 100_000
"""Pieces that are read; more is no reference list."""

MANY = 2_000
"""Pieces of which some have a year, a name, pages or a link; so many bare titles are no reference list."""
_HOPELESS = 0.05
"""Mean likeness below which that many pieces are none."""

_LABEL = re.compile(
    r"^\s{0,12}(?:\[(?P<square>[\w+*.:-]{1,24})\]|\((?P<round>\d{1,4})\)|(?P<number>\d{1,4})[.)])\s{0,12}(?=\S)"
)
_LONE = re.compile(r"\[\d{1,4}\]|\(\d{1,4}\)|\d{1,3}[.)]")
_BIBTEX = re.compile(r"^[ \t]{0,20}@[A-Za-z]{1,40}[ \t]{0,20}[{(]", re.MULTILINE)
_LOOSE = re.compile(r"^\s*(?:https?://|www\.|doi\b|10\.\d{4}|arxiv\b)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_BULLET = re.compile(r"^\s{0,12}(?:[-*+•]\s+)")
_LINK = re.compile(r"\[([^\[\]\n]{1,400})\]\((https?://[^()\s]{1,1000}(?:\([^()\s]{0,100}\)[^()\s]{0,200})?)\)")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)([^*_\n]{1,400}?)(?<=\S)\1(?![\w*])")
_HEADED = re.compile(r"(?P<head>[\s#*_]{0,6}[^\W\d_][\w ]{2,40}:)[\s*_]{1,6}(?=\[\w|\(?\d{1,3}[.)\]]|https?://|10\.\d)")
MAX_OPENING = 120
"""Characters in which a heading and the first label of its list stand on one line."""
_SEPARATOR = re.compile(r"[,;]?\s+|[,;](?=10\.|https?:|arxiv)", re.IGNORECASE)
_BARE = re.compile(
    r"[-*•]|\[?\d{1,4}[.)\]]|(?:doi|arxiv|pmid|pmcid|isbn|url):?|(?:https?://|www\.)\S+|(?:doi:)?10\.\d{4,9}/\S+"
    r"|(?:arxiv:)?\d{4}\.\d{4,5}(?:v\d{1,2})?|(?:arxiv:)?[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7}(?:v\d{1,2})?"
    r"|pmid:?\d{1,8}|pmc\d{3,9}",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"[-*•]|\[?\d{1,4}[.)\]]|(?:doi|arxiv|pmid|pmcid|isbn|url):?", re.IGNORECASE)
MAX_BARE = 2_000_000
"""Characters of a text that may be nothing but identifiers."""
_ARXIV = re.compile(r"\d{4}\.\d{4,5}(?:v\d{1,2})?")
_OPEN_END = re.compile(r"(?:[,:&–—-]|\b(?:and|und|et|y|in|of|the|der|die))$")
"""How a line ends that goes on below."""
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


def _lists(text: str) -> tuple[list[_Line], list[list[_Line]]]:
    """Give the running text, and the lines under each heading of a list, or all; an end heading ends a list."""
    lines = [_Line(number, part) for number, line in enumerate(text.split("\n"), 1) for part in _opened(line.rstrip())]
    lists: list[list[_Line]] = []
    running: list[_Line] = []
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
        else:
            running.append(line)
    filled = [each for each in lists if any(_words(line.text) for line in each)]
    if filled:
        return running, filled
    start = _first(lines)
    return lines[:start], [lines[start:]]


def _opened(line: str) -> tuple[str, ...]:
    """Cut a line that holds its heading and its list: `Sources: [1] Roe, J. ...`."""
    match = _HEADED.match(line[:MAX_OPENING])
    if match is None or not is_heading(match["head"].strip(" #*_:=")):
        return (line,)
    return match["head"], line[match.end("head") :].lstrip(" *_:")


def _first(lines: Sequence[_Line]) -> int:
    """Give where a numbered list without a heading begins behind running text; 0 where there is none.

    It begins with 1, goes on with 2, and what follows each number looks like a reference.
    """
    found: int | None = None
    for index, line in enumerate(lines):
        label = _label(line.text)
        if label is None or likeness(line.text[label.end :]) < _LIST:
            continue
        if found is None and label.number != 1:
            return 0
        if found is None:
            found = index
        elif label.number == 2:  # noqa: PLR2004
            return found
    return 0


def _identifiers(text: str) -> list[_Line]:
    """Give the identifiers of a text that holds nothing else, one a line; empty where it holds other words."""
    lines: list[_Line] = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in _SEPARATOR.split(line.strip()):
            known = _BARE.fullmatch(part) or (
                part.isdecimal() and bool(lines) and lines[-1].text.lower().startswith("pmid")
            )
            if part and not known:
                return []
            if part:
                lines.append(_Line(number, part))
    return lines


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


def _attached(lines: Sequence[_Line]) -> list[_Line]:
    """Set labels that stand on lines of their own before the text that follows."""
    out: list[_Line] = []
    waiting: _Line | None = None
    for line in lines:
        if waiting is not None and _words(line.text):
            out.append(_Line(waiting.number, f"{waiting.text.strip()} {line.text.strip()}"))
            waiting = None
        elif waiting is None and _LONE.fullmatch(line.text.strip()):
            waiting = line
        elif waiting is None:
            out.append(line)
    return [*out, waiting] if waiting is not None else out


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
    if not _LOOSE.match(text) and (
        _OPEN_END.search(before[-40:]) or (text[0].isdigit() and not _ENDED.search(before[-400:]))
    ):
        return not _YEAR.match(text) or not dated
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
    labelled = _labelled(_attached(lines))
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
    hints = Hints(style=list_style([piece.text for piece in pieces]))
    read: dict[str, Reference] = {}
    made: list[Reference] = []
    for piece in pieces:
        locus = Locus(path=path, line=piece.line, label=piece.label)
        same = read.get(piece.text)
        if same is None:
            same = read[piece.text] = read_fields(_unmarked(piece.text), locus=locus, hints=hints)
        made.append(same.model_copy(update={"locus": locus}))
    return tuple(made)


def _hopeless(cuts: Sequence[_Cut]) -> bool:
    """Whether very many pieces are nothing like references, so that reading their fields would only take time."""
    pieces = [piece for cut in cuts for piece in cut.pieces]
    return len(pieces) > MANY and sum(likeness(piece.text) for piece in pieces) < _HOPELESS * len(pieces)


def _loose(lines: Sequence[_Line]) -> list[_Piece]:
    """Give one piece an identifier; words such as `doi:` before one, and numbers, belong to it."""
    pieces: list[_Piece] = []
    before = ""
    for line in lines[: 2 * MAX_REFERENCES]:
        if _PREFIX.fullmatch(line.text):
            before = line.text if line.text[0].isalpha() else ""
            continue
        text = f"arXiv:{line.text}" if _ARXIV.fullmatch(line.text) and not before else line.text
        pieces.append(_Piece(f"{before} {text}".strip(), line.number))
        before = ""
    return pieces


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
        raise UnreadableDocumentError("is empty; name another file", path=path)
    if _BIBTEX.search(text[:200_000]):
        return read_bibtex(text, path=path, notes=(note,) if note else ())
    bare = _identifiers(text) if len(text) <= MAX_BARE else []
    running, lists = ([], [bare]) if bare else _lists(text)
    cuts = [_Cut("lines", _loose(bare))] if bare else _limited(map(_cut, lists))
    if _hopeless(cuts):
        raise NoReferencesError("holds nothing that looks like a reference", path=path)
    references = tuple(reference for _, pieces in cuts for reference in _references(pieces, path))
    if not any(reference.parse_score > NOTHING for reference in references):
        raise NoReferencesError("holds nothing that looks like a reference", path=path)
    linked = link(running_text(running, path), references)
    return Extraction(
        path=path,
        format=PlainExtractor.name,
        references=linked.references,
        citations=linked.citations,
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
