"""Add the markers that lean on others: marks of notes, `(ibid., p. 3)`, `(p. 3)`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from citeaudit.extract.intext.authors import called_before
from citeaudit.extract.intext.body import Body, Mark, MarkKind
from citeaudit.extract.intext.catalogue import Asked, Catalogue
from citeaudit.extract.intext.locators import page_after_year, page_alone, page_in
from citeaudit.extract.intext.marker import Cite, Marker, Style, most
from citeaudit.extract.intext.notes import NoteReader
from citeaudit.extract.intext.sentences import sentence_at

_YEAR_PAGE = re.compile(r"\s*(?P<year>(?:1[4-9]|20)\d\d)(?P<letter>[a-z])?(?P<tail>\s?[,:].{1,60})$")
_SHORT = re.compile(
    r"\(([^()\n]{1,100})\)|（([^（）\n]{1,60})）|\[((?:ibid|ebd|ebenda|ibíd|pp?\.|S\.)[^\[\]\n]{0,60})\]"
)
_IBID = re.compile(
    r"\s*(?:(?:vgl|cf|siehe|see|voir)\.?\s)?(?:ibid(?:em)?|ibíd(?:em)?|ib|ebd|ebenda|ebda|a\.\s?a\.\s?O|op\.\s?cit|"
    r"loc\.\s?cit|idem|id|同上)(?P<tail>\.?[\s,:，;].*|\.?)$",
    re.IGNORECASE | re.DOTALL,
)
_TAIL_PAGE = re.compile(r"[\s.,:，]{1,4}(\d{1,5}(?:\s?[-–—]\s?\d{1,5})?(?:\s?ff?)?)\.?\s*$")
_NUMBER = re.compile(r"\d{1,4}(?:\s?[-–—]\s?\d{1,4})?$")
_NAME = re.compile(r"(?:[^\W\d_][’'])?[^\W\d_a-zß-ÿ][\w’'-]{1,40}")
_FAR = 3_000
"""Characters within which a page alone leans on the work cited last."""


def bare(text: str) -> Iterator[Marker]:
    """Give every bracket that holds `ibid.`, a page alone, or a year and a page, leading nowhere yet."""
    for found in islice(_SHORT.finditer(text), most(text)):
        inner = found[1] or found[2] or found[3]
        ibid = _IBID.match(inner)
        dated = _YEAR_PAGE.match(inner)
        page = _ibid_page(ibid["tail"]) if ibid is not None else page_alone(inner)
        page = page_after_year(dated["tail"]) if dated is not None else page
        if ibid is not None or page is not None:
            cite = Cite(found.start(), found.end(), inner.strip(), page=page)
            yield Marker(found.start(), found.end(), Style.BACK, (cite,))


def with_notes(body: Body, markers: Sequence[Marker], catalogue: Catalogue, quotes: Sequence[int] = ()) -> list[Marker]:
    """Let the mark of each note lead where the markers in the note, or the works it names, lead.

    Args:
        body: The running text.
        markers: Sorted markers whose works are known.
        catalogue: The list.
        quotes: Where quotations start, sorted: what a note cites behind one of its own belongs to that one.
    """
    spans = {note.label: (note.start, note.end) for note in body.notes}
    if not spans or not catalogue.entries:
        return list(markers)
    running = min(start for start, _ in spans.values())
    reader = NoteReader(catalogue)
    starts = [marker.start for marker in markers]
    out: list[Marker] = list(markers)
    last: tuple[int, ...] = ()
    for mark in _note_marks(body, running):
        span = next((spans[key] for key in mark.keys if key in spans), None)
        if span is None:
            continue
        start = _behind_label(body.text, span, mark.keys)
        cites = _cites(body.text, (start, _head_end(span, quotes)), markers, starts, reader, last)
        if not cites:
            cites = _cites(body.text, (start, span[1]), markers, starts, reader, last)
        if cites:
            out.append(Marker(mark.start, mark.end, Style.NOTE, tuple(cites)))
        direct = [cite.refs for cite in cites if cite.refs and not cite.aside]
        last = direct[-1] if direct else ()
    return sorted(out)


def with_backward(
    text: str,
    markers: Sequence[Marker],
    alone: Sequence[Marker],
    ends: Sequence[int],
    catalogue: Catalogue,
    *,
    paged: bool,
) -> list[Marker]:
    """Add brackets that name a page or `ibid.` alone, leading to the work cited last.

    A name in the same sentence that the list holds decides before the work cited last.

    Args:
        text: The running text, its quotations blanked: a name inside one is not that of its author.
        markers: Sorted markers whose works are known.
        alone: What `bare` gave.
        ends: Ends of sentences.
        catalogue: The list.
        paged: The document cites by author and page, so that a number in brackets is a page.
    """
    if not catalogue.entries:
        return list(markers)
    starts = [marker.start for marker in markers]
    out = list(markers)
    reached = 0
    for marker in sorted([*alone, *(_numbers(text) if paged else ())]):
        at = bisect_left(starts, marker.start)
        if (at < len(markers) and markers[at].start < marker.end) or (at and markers[at - 1].end > marker.start):
            continue
        before = _last(markers[max(0, at - _LOOK) : at], marker.start)
        ibid = _IBID.match(marker.cites[0].name) is not None
        start, _ = sentence_at(ends, marker.start, marker.end)
        start = max(start, marker.start - _SPAN, markers[at - 1].end if at else 0, reached)
        reached = marker.end
        said = text[start : marker.start]
        dated = _YEAR_PAGE.match(marker.cites[0].name)
        if dated is not None:
            ref = _of_year(said, Asked((), int(dated["year"]), dated["letter"]), catalogue)
        else:
            ref = before if ibid else _mentioned(said, markers[max(0, at - _LOOK) : at], before, catalogue)
        cite = marker.cites[0]._replace(refs=() if ref is None else (ref,))
        out.append(marker._replace(cites=(cite,)))
    return sorted(out)


_LOOK = 20
_SPAN = 600
"""Characters before a page in which a name may say whose page it is."""


def _cites(
    text: str,
    span: tuple[int, int],
    markers: Sequence[Marker],
    starts: Sequence[int],
    reader: NoteReader,
    last: tuple[int, ...],
) -> list[Cite]:
    inside = markers[bisect_left(starts, span[0]) : bisect_right(starts, span[1] - 1)]
    cites = [cite for marker in inside for cite in marker.cites]
    return cites if any(cite.refs for cite in cites) else list(reader.read(text[slice(*span)], span[0], last).cites)


def _head_end(span: tuple[int, int], quotes: Sequence[int]) -> int:
    """Give where a note starts to quote, if it does."""
    at = bisect_left(quotes, span[0])
    return quotes[at] if at < len(quotes) and quotes[at] < span[1] else span[1]


def _behind_label(text: str, span: tuple[int, int], keys: Sequence[str]) -> int:
    """Give where the words of a note start, when its number is printed before them."""
    label = next((key for key in keys if key and text.startswith(key, span[0], span[1])), "")
    return span[0] + len(label)


def _note_marks(body: Body, running: int) -> Iterator[Mark]:
    labels = {note.label for note in body.notes}
    noted = {mark.start for mark in body.marks if mark.kind is MarkKind.NOTE}
    for mark in body.marks:
        if mark.start >= running:
            continue
        if mark.kind is MarkKind.NOTE:
            yield mark
        elif mark.kind is MarkKind.RAISED and not noted:
            label = body.text[mark.start : mark.end].strip()
            if label in labels:
                yield Mark(start=mark.start, end=mark.end, kind=MarkKind.NOTE, keys=(label,))


def _ibid_page(tail: str) -> str | None:
    page = page_in(tail)
    if page is None:
        found = _TAIL_PAGE.match(tail)
        page = found[1] if found is not None else None
    return page


def _numbers(text: str) -> Iterator[Marker]:
    for found in islice(_SHORT.finditer(text), most(text)):
        if found[1] and _NUMBER.match(found[1]):
            cite = Cite(found.start(), found.end(), found[1], page=found[1])
            yield Marker(found.start(), found.end(), Style.BACK, (cite,))


def _last(markers: Sequence[Marker], start: int) -> int | None:
    """Give the one work cited last before an offset, if it is near."""
    for marker in reversed(markers):
        if start - marker.end > _FAR:
            return None
        direct = [cite for cite in marker.cites if not cite.aside and cite.refs]
        refs = {cite.refs[0] for cite in direct}
        if refs:
            return next(iter(refs)) if len(refs) == 1 else None
    return None


def masked(text: str, quotes: Iterable[tuple[int, int]]) -> str:
    """Give a text of the same length with blanks in place of the given spans, which are sorted."""
    pieces, at = [], 0
    for start, end in quotes:
        if start >= at:
            pieces += [text[at:start], " " * (end - start)]
            at = end
    return "".join([*pieces, text[at:]])


def _of_year(sentence: str, asked: Asked, catalogue: Catalogue) -> int | None:
    """Give the work of a year whose author the sentence names: `Smith holds “…” (2020, p. 5)`."""
    for found in reversed(list(_NAME.finditer(sentence))):
        called = called_before(sentence, 0, found.end())
        refs = catalogue.ask(asked._replace(names=called.names)).refs if called is not None else ()
        if refs:
            return refs[0]
    return None


def _mentioned(sentence: str, markers: Sequence[Marker], before: int | None, catalogue: Catalogue) -> int | None:
    """Let a family name in the sentence decide; of several works of one author, the one cited last."""
    for found in reversed(list(_NAME.finditer(sentence))):
        called = called_before(sentence, 0, found.end())
        places = catalogue.people(called.names) if called is not None else []
        if len(places) == 1:
            return places[0]
        if places:
            cited = (ref for marker in reversed(markers) for ref in marker.refs if ref in places)
            return next(cited, None)
    return before
