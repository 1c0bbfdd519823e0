"""Find the lists of references among the blocks of a document, and cut them into single references."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from citeaudit.extract.markup.blocks import Block, BlockKind, Span, SpanKind
from citeaudit.extract.pdf.headings import MAX_HEADING, is_heading
from citeaudit.extract.pdf.likeness import likeness, years

WHOLE = 0.4
"""Likeness from which a text counts as a reference of its own."""
LIST = 0.25
"""Mean likeness below which what stands under a heading is no list of references."""
RUN = 0.5
"""Mean likeness from which blocks without a heading are a list; prose measures under 0.3."""
MIN_RUN = 3
"""Blocks in such a run, unless it is the whole document."""
MOST = 0.8
"""Share of the lines of a paragraph that must be whole references for each of them to be one."""
PROSE = 600
"""Characters from which a block of low likeness inside a list is a remark, no reference."""

_LABEL = re.compile(
    r"(?:\[(?P<square>[\w+*.:-]{1,24})\]:?|\((?P<round>\d{1,3})\)|(?P<number>\d{1,3}|1\d{3})[.)](?!\d)|【(?P<source>\d{1,4})[^】]{0,300}】)"
    r"\s{0,8}(?=\S)"
)
_OPENINGS = frozenset({"citations", "cited sources", "sources cited", "sources used", "links", "further sources"})
"""Headings of reports of chat assistants, beside those that every document has."""
ASSISTANT = re.compile(
    r"https?://(?:(?:www\.)?perplexity\.ai/(?:search|page)\b|(?:chatgpt\.com|chat\.openai\.com|claude\.ai)/(?:share|c|chat)\b|"
    r"gemini\.google\.com/|copilot\.microsoft\.com/)"
)
"""Where a conversation itself can be read again; no source."""
_REMARK_WORDS = 8
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|says?|said|shows?|showed|shown|came|comes|date|dates|matters?|found|finds?|claims?|"
    r"reports?|argues?|introduced|reviewed|explains?|suggests?|we|they|it|also|see|this|these|that|which|who|but|because|"
    r"ist|sind|war|waren|hat|haben|wurden?|zeigt|zeigen|dass|est|sont|était|ont|que|qui|es|son|fue)\b"
)
"""Words of sentences, in lower case, which a reference holds in its title only."""
_PRINTED = re.compile(r"[^\W\d_][\w'’-]{0,40},? [^\W\d_]{1,2}(?:\.|[,;] )|.{0,200}?\((?:19|20)\d\d[a-z]?\)[.,:]")
"""How a printed reference opens: a name with initials, or names and a year in parentheses with a stop."""
_SLIGHT = 0.2
"""Likeness under which a paragraph at the end of a list, without a year and a link, is a remark."""
_TITLES = frozenset({"title", "titel", "titre", "título", "titulo", "paper", "study", "article", "source", "work",
                     "reference"})  # fmt: skip
_BESIDE = frozenset({"author", "authors", "author(s)", "year", "doi", "autor", "autoren", "jahr", "auteur", "auteurs",
                     "année", "autores", "año", "ano"})  # fmt: skip
"""Heads of columns that a table of works has, one of either."""
_BARE = re.compile(r"(?P<bare>\d{1,4})\s(?=\S)")
_LOOSE = re.compile(r"(?:https?://|www\.|doi\b|10\.\d{4}|arxiv\b)", re.IGNORECASE)
_LEAD = re.compile(r"(?P<words>[^\W\d_][^:\n]{2,40}):\s{0,3}(?=\S)")
_BULLET = re.compile(r"^[-*+•–]\s{1,4}(?=\S)")
_ENDED = re.compile(r"[.)\]\d/…]\s*$|(?:https?://|www\.|\b10\.\d{4,9}/)\S+\s*$")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One printed reference."""

    text: str
    line: int
    label: str | None = None
    spans: tuple[Span, ...] = ()
    names: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    """Of a row of a table of sources."""
    head: tuple[str, ...] = ()
    """The head of that table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A list of references."""

    method: str
    """`labels`, `lines` or `entries`, as in `SelfCheck.method`."""
    pieces: tuple[Piece, ...]
    blocks: frozenset[int]
    """Places of the blocks it is made of, its heading among them."""


def external(span: Span) -> bool:
    """Whether a span links to an address outside the document."""
    return span.kind is SpanKind.LINK and span.value[:8].lower().startswith(("http://", "https://", "//", "doi:"))


def likeness_of(block: Block) -> float:
    """Give how much a block looks like a reference; a link that is most of it counts, as in reports with sources."""
    linked = sum(span.end - span.start for span in block.spans if external(span))
    short = linked and len(block.text) - linked < max(80, linked)
    return max(likeness(block.text), 0.6 if short and len(block.text) < PROSE else 0.0)


def parted(blocks: Sequence[Block]) -> list[Block]:
    """Part headings from the lines right below them, where no empty line does: `**Sources:**` and its list."""
    made: list[Block] = []
    for block in blocks:
        end = block.text.find("\n", 0, MAX_HEADING + 10) if block.kind is BlockKind.PARAGRAPH else -1
        if end > 0 and _heads(block.text[:end].strip(" :*_#.")):
            line = next((line for offset, line in block.lines if offset > end), block.line)
            head, (text, spans) = block.slice(0, end), block.slice(end + 1, len(block.text))
            lines = tuple((offset - end - 1, line) for offset, line in block.lines if offset > end)
            made.append(replace(block, text=head[0], spans=head[1], lines=()))
            made.append(replace(block, text=text, spans=spans, lines=lines, line=line, names=()))
        else:
            made.append(block)
    return made


def _heads(text: str) -> bool:
    return is_heading(text) or text.casefold() in _OPENINGS


def find_lists(blocks: Sequence[Block]) -> list[Listed]:
    """Find the lists of references, in the order of the document; empty where there is none.

    What the document itself marks as entries and what stands under a known heading comes first; only where there
    is neither, a run of blocks that look like references counts.
    """
    taken = [*_marked(blocks), *_headed(blocks)]
    found: list[Listed] = []
    used: set[int] = set()
    for opening, inside in sorted(taken, key=lambda each: (each[1][0] if each[1] else 0, each[0] is None)):
        fresh = [place for place in inside if place not in used]
        made = _list(blocks, fresh, opening)
        if made is not None:
            found.append(made)
            used |= made.blocks
    if not found:
        found = [made for run in _runs(blocks) if (made := _list(blocks, run, None)) is not None]
    if not found:
        found = [made for run in _tables(blocks) if (made := _list(blocks, run, None)) is not None]
    return found


def _tables(blocks: Sequence[Block]) -> Iterator[list[int]]:
    """Give the tables whose head names a title and authors, a year or a DOI, in documents without another list."""
    place = 0
    while place < len(blocks):
        end = place + 1
        if blocks[place].kind is BlockKind.HEADER:
            while end < len(blocks) and blocks[end].kind is BlockKind.ROW:
                end += 1
            names = {cell.strip(" *:#").casefold() for cell in blocks[place].cells}
            if names & _TITLES and names & _BESIDE and _entitled(blocks[place], blocks[place + 1 : end]):
                yield list(range(place, end))
        place = end


def _entitled(head: Block, rows: Sequence[Block]) -> bool:
    """Whether most rows of a table hold some words where its head says title."""
    column = next(place for place, cell in enumerate(head.cells) if cell.strip(" *:#").casefold() in _TITLES)
    long = sum(len(row.cells) > column and len(row.cells[column].split()) > 1 for row in rows)
    return bool(rows) and long >= MOST * len(rows)


def _marked(blocks: Sequence[Block]) -> Iterator[tuple[int | None, list[int]]]:
    run: list[int] = []
    for place, block in enumerate(blocks):
        if block.listed:
            run.append(place)
        elif run and not block.follows:
            yield _heading_before(blocks, run[0]), run
            run = []
    if run:
        yield _heading_before(blocks, run[0]), run


def _heading_before(blocks: Sequence[Block], place: int) -> int | None:
    before = place - 1
    return before if before >= 0 and _opens(blocks[before]) is not None else None


def _opens(block: Block) -> int | None:
    """Give the level of a heading that opens a list; 99 where a paragraph serves as one; else `None`."""
    text = block.text.strip(" :*_#.")
    if not text or len(text) > MAX_HEADING or "\n" in text or not _heads(text):
        return None
    return block.level or 99 if block.kind is BlockKind.HEADING else 99


def _closes(block: Block, level: int) -> bool:
    if block.kind is BlockKind.HEADING:
        return (block.level or 99) <= level
    text = block.text.strip()
    if len(text) > MAX_HEADING or block.kind is not BlockKind.PARAGRAPH:
        return False
    bold = any(span.kind is SpanKind.BOLD and span.end - span.start >= len(text) - 1 for span in block.spans)
    return is_heading(text, "end") or (bold and level == 99 and likeness(text) < LIST)  # noqa: PLR2004


def _headed(blocks: Sequence[Block]) -> Iterator[tuple[int | None, list[int]]]:
    opening: int | None = None
    level, inside = 0, list[int]()
    for place, block in enumerate(blocks):
        opened = _opens(block)
        if opened is not None and (opening is None or opened <= level or opened == 99):  # noqa: PLR2004
            if opening is not None:
                yield opening, inside
            opening, level, inside = place, opened, []
        elif opening is not None and _closes(block, level):
            yield opening, inside
            opening = None
        elif opening is not None:
            inside.append(place)
        elif _lead(block) is not None:
            yield None, [place]
    if opening is not None:
        yield opening, inside


def _lead(block: Block) -> int | None:
    """Give where the sources start in a paragraph such as `Sources: [a](...), [b](...)`."""
    match = _LEAD.match(block.text) if block.kind is BlockKind.PARAGRAPH else None
    if match is None or not is_heading(match["words"]) or not any(external(span) for span in block.spans):
        return None
    return match.end()


def _runs(blocks: Sequence[Block]) -> Iterator[list[int]]:
    """Give runs of blocks that look like references, for documents without a heading."""
    solid = [place for place, block in enumerate(blocks) if block.kind is not BlockKind.HEADING]
    run: list[int] = []
    for place, block in enumerate([*blocks, None]):
        good = block is not None and block.kind is not BlockKind.HEADING and _reads(block)
        if good or (block is not None and run and block.follows):
            run.append(place)
            continue
        if len(run) >= MIN_RUN or (run and len(run) == len(solid)):
            yield run
        run = []


def _reads(block: Block) -> bool:
    """Whether a block without a heading above reads like a reference, or like several by line."""
    if _is_prose(block):
        return False
    lines = [line for line in block.text.split("\n") if line.strip()]
    if len(lines) > 1 and sum(bool(_LABEL.match(line)) for line in lines) > len(lines) / 2:
        return likeness(block.text) >= WHOLE
    labelled = block.label is not None or _LABEL.match(block.text) is not None
    return likeness(block.text) >= RUN or (labelled and likeness_of(block) >= RUN and len(block.text) < PROSE)


def _is_prose(block: Block) -> bool:
    """Whether a paragraph is running text with links in it: sentences that go on around the words of their links."""
    links = sorted((span.start, span.end) for span in block.spans if external(span))
    if block.kind is not BlockKind.PARAGRAPH or block.label is not None or not links:
        return False
    lines = [line for line in block.text.split("\n") if line.strip()]
    if any(_LABEL.match(line) or _BULLET.match(line) for line in lines):
        return False
    if sum(bool(_PRINTED.match(line)) for line in lines) > len(lines) / 2:
        return False
    edges = [0, *(edge for link in links for edge in link), len(block.text)]
    around = " ".join(block.text[left:right] for left, right in zip(edges[::2], edges[1::2], strict=True))
    return len(_FINITE.findall(around)) >= max(1, len(lines) / 2)


def _list(blocks: Sequence[Block], inside: Sequence[int], opening: int | None) -> Listed | None:
    """Cut the blocks of a list; `None` where they do not look like references."""
    kept, used = list[Piece](), set[int]()
    head: tuple[str, ...] = ()
    for place in inside:
        block = blocks[place]
        if block.kind is BlockKind.HEADING:
            used.add(place)
        elif block.kind is BlockKind.HEADER:
            used.add(place)
            head = block.cells
        elif block.follows and kept and not _LABEL.match(block.text):
            kept[-1] = _joined(kept[-1], block)
            used.add(place)
        else:
            kept += [replace(piece, head=head) if block.kind is BlockKind.ROW else piece for piece in _cut(block)]
            used.add(place)
    if not kept:
        return None
    kept = _numbered(kept)
    labelled = sum(piece.label is not None for piece in kept)
    sound = [piece for piece in kept if _sound(piece, labelled > len(kept) / 2)]
    marked = any(blocks[place].listed for place in inside)
    sound = _without_remarks(sound)
    if not sound or (not marked and sum(map(_weight, sound)) < LIST * len(sound)):
        return None
    method = "labels" if labelled > len(kept) / 2 else "entries" if marked else "lines"
    blocks_used = frozenset(used | ({opening} if opening is not None else set()))
    return Listed(method=method, pieces=tuple(sound), blocks=blocks_used)


def _weight(piece: Piece) -> float:
    linked = any(external(span) for span in piece.spans)
    return max(likeness(piece.text), WHOLE if linked and len(piece.text) < PROSE else 0.0, 0.5 if piece.cells else 0.0)


def _sound(piece: Piece, labelled: bool) -> bool:
    """Whether a piece can be a reference; remarks between references are none."""
    if not any(map(str.isalnum, piece.text)):
        return False
    if labelled and piece.label is None:
        return _weight(piece) >= LIST
    return _weight(piece) >= 0.1 or len(piece.text) < PROSE  # noqa: PLR2004


def _without_remarks(pieces: list[Piece]) -> list[Piece]:
    """Leave out remarks behind a list, such as what an assistant says about it."""
    end = len(pieces)
    while end > 1 and _is_remark(pieces[end - 1]):
        end -= 1
    return pieces[:end]


def _is_remark(piece: Piece) -> bool:
    if piece.label is None and any(ASSISTANT.match(span.value) for span in piece.spans if external(span)):
        return True
    dated = _YEAR.search(piece.text) or _LOOSE.search(piece.text) or any(external(span) for span in piece.spans)
    long = len(piece.text.split()) >= _REMARK_WORDS
    return piece.label is None and not piece.cells and not dated and long and likeness(piece.text) < _SLIGHT


def _joined(piece: Piece, block: Block) -> Piece:
    offset = len(piece.text) + 1
    return replace(
        piece,
        text=f"{piece.text} {block.text}",
        spans=(*piece.spans, *(span.moved(offset) for span in block.spans)),
        names=(*piece.names, *block.names),
    )


def _cut(block: Block) -> list[Piece]:
    """Cut a block into references: most are one; lines broken by the author may be one each."""
    start = _lead(block) or 0
    edges = [start, *_edges(block, start), len(block.text)]
    pieces = [_piece(block, left, right) for left, right in pairwise(edges)]
    pieces = [piece for piece in pieces if piece.text]
    if pieces:
        label = block.label if block.label is not None else pieces[0].label
        pieces[0] = replace(pieces[0], label=label, cells=block.cells if len(pieces) == 1 else ())
        if start:
            pieces = [replace(piece, text=piece.text.rstrip(" ,;")) for piece in pieces]
        named = tuple(dict.fromkeys((*block.names, *pieces[0].names)))
        pieces[0] = replace(pieces[0], names=named)
    return pieces


def _piece(block: Block, start: int, end: int) -> Piece:
    text, spans = block.slice(start, end)
    line = next((line for offset, line in reversed(block.lines) if offset <= start), block.line)
    bullet = _BULLET.match(text)
    label, after = _label(text, spans) if block.label is None or start else (None, 0)
    after = after or (bullet.end() if bullet else 0)
    if after:
        text = text[after:]
        spans = tuple(span.moved(-after) for span in spans if span.start >= after or external(span))
        spans = tuple(replace(span, start=max(0, span.start)) for span in spans if span.end > 0)
    return Piece(text=text, line=line, label=label, spans=spans)


def _label(text: str, spans: Sequence[Span]) -> tuple[str | None, int]:
    """Give the printed label that a text opens with, and where the text after it starts."""
    match = _LABEL.match(text)
    if match is not None and not (match["number"] and _YEAR.fullmatch(match["number"])):
        return match["square"] or match["round"] or match["number"] or match["source"], match.end()
    for span in spans:
        if span.start == 0 and span.kind in {SpanKind.RAISED, SpanKind.NOTE}:
            printed = text[: span.end].strip("[]() .")
            if printed.isdigit() and span.end < len(text):
                return printed, len(text) - len(text[span.end :].lstrip(" .)"))
    return None, 0


def _edges(block: Block, start: int) -> list[int]:
    """Give where references start inside a block."""
    if start:  # `Sources: a, b, c`: each link is a source
        links = [span.start for span in block.spans if external(span) and span.start >= start]
        return [link for link in links[1:] if link > start]
    starts = [match.end() for match in re.finditer("\n", block.text)]
    if not starts or block.kind is BlockKind.ROW:
        return []
    lines = [block.text[left:right] for left, right in zip([0, *starts], [*starts, None], strict=False)]
    labelled = [bool(_LABEL.match(line)) for line in lines]
    if labelled[0] and sum(labelled) > 1:
        return [place for place, opened in zip(starts, labelled[1:], strict=True) if opened]
    bulleted = [bool(_BULLET.match(line)) for line in lines]
    if sum(bulleted) > len(lines) / 2:
        return [place for place, opened in zip(starts, bulleted[1:], strict=True) if opened]
    if block.kind is BlockKind.ITEM:
        return []
    whole = [True, *(_whole(line, before) for before, line in pairwise(lines))]
    if sum(whole) < MOST * len(whole):
        return []
    return [place for place, good in zip(starts, whole[1:], strict=True) if good]


def _whole(line: str, before: str) -> bool:
    """Whether a line can be a reference of its own, and the one before it has ended."""
    line = line.strip()
    if not line or not _ENDED.search(before[-400:]):
        return False
    return bool(_LOOSE.match(line)) or (not line[0].islower() and likeness(line) >= WHOLE and years(line) > 0)


def _numbered(pieces: list[Piece]) -> list[Piece]:
    """Read bare numbers before the texts as labels, where they rise by one through the whole list."""
    if any(piece.label is not None for piece in pieces) or len(pieces) < MIN_RUN:
        return pieces
    found = [_BARE.match(piece.text) for piece in pieces]
    numbers = [int(match["bare"]) if match else -1 for match in found]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))) or numbers[0] not in {0, 1}:
        return pieces
    return [
        replace(
            piece,
            label=str(number),
            text=piece.text[match.end() :],
            spans=tuple(span.moved(-match.end()) for span in piece.spans if span.start >= match.end()),
        )
        for piece, number, match in zip(pieces, numbers, found, strict=True)
        if match is not None
    ]
