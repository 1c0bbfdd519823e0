"""From the blocks of a document to its references, tied to the running text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citeaudit.errors import NoReferencesError
from citeaudit.extract.ditto import expand
from citeaudit.extract.intext.link import link
from citeaudit.extract.markup.blocks import Block, BlockKind, Document, Span, SpanKind
from citeaudit.extract.markup.cards import find_cards, read_card
from citeaudit.extract.markup.lists import Listed, Piece, find_lists, parted
from citeaudit.extract.markup.references import (
    CLAIMED,
    address,
    identifiers_of,
    is_source,
    link_title,
    linked_reference,
    read_piece,
    style_of,
)
from citeaudit.extract.markup.running import Targets, running_text
from citeaudit.extract.pdf.footnotes import NoteCitation, NoteText, cite, count, read_citations
from citeaudit.extract.pdf.likeness import likeness
from citeaudit.model.reference import Extraction, Locus, Reference, SelfCheck

MAX_REFERENCES = 100_000
"""References that are read of one document."""
NOTHING = 0.2
"""A document of which no reference scores higher, and which links to nothing, holds none."""
LEAST_WORDS = 4
"""Words of a link inside the text from which they can be a title; fewer name a site or an author."""
NOTED = 0.4
"""Likeness from which a note is a reference itself."""
_MAX_GAP = 50  # labels jump by less


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """References, and where in the document they came from."""

    references: tuple[Reference, ...]
    method: str
    """As in `SelfCheck.method`."""
    blocks: frozenset[int] = frozenset()
    """Places of the blocks they were printed in."""
    names: tuple[tuple[str, ...], ...] = ()
    """Anchors of each reference, where it has some."""
    notes: frozenset[str] = frozenset()
    """Labels of the notes that are references and nothing else."""
    in_notes: bool = False
    """The references were taken from notes that say more than that."""
    lists: int = 1


def printed(document: Document, *, path: str) -> Found | None:
    """Read the lists of a document; `None` where there is none."""
    document.blocks = parted(document.blocks)
    lists = find_lists(document.blocks)
    pieces = [piece for listed in lists for piece in listed.pieces][:MAX_REFERENCES]
    if not pieces:
        return None
    references = tuple(reference for listed in lists for reference in _read(listed, path))[:MAX_REFERENCES]
    if not any(_usable(reference) for reference in references):
        return None
    return Found(
        references=references,
        method="+".join(dict.fromkeys(listed.method for listed in lists)),
        blocks=frozenset(place for listed in lists for place in listed.blocks),
        names=tuple(piece.names for piece in pieces),
        lists=len(lists),
    )


def _read(listed: Listed, path: str) -> Iterator[Reference]:
    style = style_of(listed.pieces)
    yield from expand(read_piece(piece, path=path, style=style) for piece in listed.pieces)


def _usable(reference: Reference) -> bool:
    return reference.parse_score > NOTHING or bool(reference.identifiers.pairs())


def noted(document: Document, *, path: str) -> Found | None:
    """Read references from the notes of a document without a list; `None` where the notes hold none.

    Notes in words, with short forms and several works in one, are read as such; where they are mostly links or one
    reference each, each is a reference.
    """
    notes = [_note_piece(label, blocks) for label, blocks in document.notes.items()]
    pieces = [one for one in notes if one.text and (likeness(one.text) >= NOTED or any(map(is_source, one.spans)))]
    works = cite(NoteText(one.label or "", one.text) for one in notes)
    linked_notes = sum(any(map(is_source, one.spans)) for one in pieces)
    if count(works, beside_list=False) and linked_notes * 2 <= len(notes) and len(works) != len(notes):
        by_label = {one.label: one for one in notes}
        references = read_citations(works, lambda work, text: _cited_work(work, text, by_label[work.label], path))
        return Found(references=references, method="notes", in_notes=True)
    if not pieces:
        return None
    style = style_of(pieces)
    references = tuple(read_piece(piece, path=path, style=style) for piece in pieces)
    labels = frozenset(piece.label for piece in pieces if piece.label is not None)
    return Found(references=references, method="notes", notes=labels)


def _cited_work(work: NoteCitation, text: str, note: Piece, path: str) -> Reference:
    """Read one work of a note, with the links and the emphasis that stand in its words."""
    at = note.text.find(work.raw)
    spans: tuple[Span, ...] = ()
    if at >= 0 and text == work.raw:
        whole = Block(kind=BlockKind.PARAGRAPH, text=note.text, line=note.line, spans=note.spans)
        _, spans = whole.slice(at, at + len(work.raw))
    return read_piece(Piece(text=text, line=note.line, label=note.label, spans=spans), path=path, style=None)


def _note_piece(label: str, blocks: Sequence[Block]) -> Piece:
    text, spans = "", list[Span]()
    for block in blocks:
        text += " " if text else ""
        spans += [span.moved(len(text)) for span in block.spans]
        text += block.text.replace("\n", " ")
    return Piece(text=text, line=blocks[0].line, label=label, spans=tuple(spans))


def carded(document: Document, *, path: str) -> Found | None:
    """Read works that are told one by one with their fields; see `cards`."""
    cards = find_cards(document.blocks)[:MAX_REFERENCES]
    if not cards:
        return None
    return Found(
        references=tuple(read_card(card, path=path) for card in cards),
        method="entries",
        blocks=frozenset(place for card in cards for place in card.blocks),
    )


def linked(document: Document, *, path: str) -> Found | None:
    """Read each distinct address the text links to as a reference; `None` where it links to none.

    The title is the text of the link where that is one, or what the link's definition gives.
    """
    found: dict[str, list[tuple[Block, Span]]] = {}
    for block in (*document.blocks, *(block for blocks in document.notes.values() for block in blocks)):
        for span in block.spans:
            if span.kind is SpanKind.LINK and is_source(span) and identifiers_of([span]).pairs():
                found.setdefault(address(span), []).append((block, span))
    references = tuple(_linked(places, path) for places in list(found.values())[:MAX_REFERENCES])
    return Found(references=references, method="links") if references else None


def _linked(places: Sequence[tuple[Block, Span]], path: str) -> Reference:
    block, first = places[0]
    line = next((line for offset, line in reversed(block.lines) if offset <= first.start), block.line)
    texts = [span.title for _, span in places if span.title]
    texts += [block.text[span.start : span.end].replace("\n", " ") for block, span in places]
    raw = next((text for text in texts if _titles(text)), texts[0])
    raw = raw if first.value in raw else f"{raw} {first.value}"
    locus = Locus(path=path, line=line, citekey=first.value)
    named = (
        link_title(texts[0])
        if first.title
        else next((link_title(text) for text in texts if _titles(text)), (None, None))
    )
    made = linked_reference(raw.strip(), named, identifiers_of([first]), locus)
    return made if first.title else made.model_copy(update={"parse_score": CLAIMED})


def _titles(text: str) -> bool:
    """Whether the words of a link inside the text can be a title: more than a claim or the name of a site."""
    title = link_title(text)[0]
    return title is not None and len(title.split()) >= LEAST_WORDS and not title[0].islower()


def find_references(document: Document, *, path: str) -> Found:
    """Read the references of a document: its lists, else its cards, else its notes, else what its text links to.

    Raises:
        NoReferencesError: There is nothing of these.
    """
    for way in (printed, carded, noted, linked):
        found = way(document, path=path)
        if found is not None:
            return found
    raise NoReferencesError("holds nothing that looks like a reference", path=path)


def finish(document: Document, found: Found, *, path: str, form: str) -> Extraction:
    """Tie references to the running text, and say how complete they are.

    Args:
        document: The whole document.
        found: Its references.
        path: As the user named it.
        form: Name of the reader, for `Extraction.format`.
    """
    found = _keyed(document, found)
    names = {
        name: key
        for reference, anchors in zip(found.references, found.names, strict=False)
        if (key := _key(reference)) is not None
        for name in anchors
    }
    addresses: dict[str, str] = {}
    for reference in found.references:
        key = _key(reference)
        if key is not None and reference.identifiers.url:
            addresses.setdefault(_address(reference.identifiers.url), key)
        if key is not None and reference.identifiers.doi:
            addresses.setdefault(f"doi.org/{reference.identifiers.doi}", key)
    labels = frozenset(key for reference in found.references if (key := _key(reference)) is not None)
    targets = Targets(names=names, addresses=addresses, notes=found.notes, labels=labels)
    body = running_text(document, path=path, without=found.blocks, targets=targets)
    tied = link(body, found.references, notes_hold_references=found.in_notes)
    check = _check(document, found)
    if body.text.strip():
        lost, note = _beyond(document, found, tied.dangling)
        dangling = tuple(key for key in tied.dangling if key not in lost)
        notes = (*check.notes, note) if note else check.notes
        check = check.model_copy(update={"citations": len(tied.citations), "dangling": dangling, "notes": notes})
    return Extraction(path=path, format=form, references=tied.references, citations=tied.citations, self_check=check)


def _beyond(document: Document, found: Found, dangling: Sequence[str]) -> tuple[frozenset[str], str | None]:
    """Give the labels cited beyond the end of a numbered list with which the document ends, and what to say of them.

    Such a file may have been cut short, which is no fault of whoever cites.
    """
    labels = [reference.locus.label or "" for reference in found.references]
    if found.method != "labels" or found.lists != 1 or not all(map(str.isdecimal, labels)):
        return frozenset(), None
    last = int(labels[-1])
    if last != max(map(int, labels)) or len(document.blocks) - 1 not in found.blocks:
        return frozenset(), None
    if not dangling or not all(key.isdecimal() and int(key) > last for key in dangling):
        return frozenset(), None
    told = ", ".join(dangling[:20])
    return frozenset(dangling), (
        f"the document ends with number {last} of its list, and its text cites {told}: the file may be cut short; "
        "check that it is complete"
    )


def _key(reference: Reference) -> str | None:
    return reference.locus.citekey or reference.locus.label


def _address(url: str) -> str:
    return address(Span(start=0, end=0, kind=SpanKind.LINK, value=url))


def _keyed(document: Document, found: Found) -> Found:
    """Give a key to the references that have neither label nor key but to which the text links."""
    pointed = {
        span.value[1:] if span.value.startswith("#") else address(span)
        for place, block in enumerate(document.blocks)
        if place not in found.blocks
        for span in block.spans
        if span.kind is SpanKind.LINK
    }
    keyed = []
    for place, reference in enumerate(found.references):
        names = found.names[place] if place < len(found.names) else ()
        url = reference.identifiers.url or ""
        key = next((name for name in names if name in pointed), None) or (url if _address(url) in pointed else None)
        if _key(reference) is None and key:
            keyed.append(reference.model_copy(update={"locus": reference.locus.model_copy(update={"citekey": key})}))
        else:
            keyed.append(reference)
    return replace(found, references=tuple(keyed))


def _check(document: Document, found: Found) -> SelfCheck:
    labels = [reference.locus.label for reference in found.references if reference.locus.label]
    numeric = bool(labels) and (found.method == "labels" or bool(found.notes)) and all(map(str.isdecimal, labels))
    missing = _missing([int(label) for label in labels]) if numeric and found.lists == 1 else []
    repeated = [
        label for label, times in Counter(labels).items() if times > 1 and not found.in_notes and found.lists == 1
    ]
    notes = list(dict.fromkeys(document.remarks))
    if found.lists > 1:
        notes.append(f"{found.lists} lists of references were read")
    if found.method == "links":
        notes.append("there is no list of references: each address the text links to was read as one")
    if found.notes or found.in_notes:
        notes.append("there is no list of references: they were read from the notes")
    if missing:
        notes.append(f"labels of the sequence that were not seen: {', '.join(missing[:20])}")
    if len(found.references) == MAX_REFERENCES:
        notes.append(f"only the first {MAX_REFERENCES:,} references were read")
    return SelfCheck(
        method=found.method,
        read=len(found.references),
        expected=len(found.references) + len(missing) if numeric and found.lists == 1 else None,
        labels_missing=tuple(missing),
        labels_duplicate=tuple(repeated),
        notes=tuple(notes),
    )


def _missing(numbers: Sequence[int]) -> list[str]:
    """Give the numbers between the first (or 1) and the last that are not there; a far stray ends the sequence."""
    ordered = sorted(set(numbers))
    last = 0 if ordered[0] < _MAX_GAP else ordered[0] - 1
    lost: list[str] = []
    for number in ordered:
        if number - last > _MAX_GAP:
            break
        lost += [str(each) for each in range(last + 1, number)]
        last = number
    return lost
