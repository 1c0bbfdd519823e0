"""Add the markers that lean on others: marks of notes, `(ibid., p. 3)`, `(p. 3)`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from citeaudit.extract.intext.authors import called_before
from citeaudit.extract.intext.body import Body, Mark, MarkKind
from citeaudit.extract.intext.catalogue import Catalogue
from citeaudit.extract.intext.locators import page_alone, page_in
from citeaudit.extract.intext.marker import Cite, Marker, Style, most
from citeaudit.extract.intext.notes import NoteReader
from citeaudit.extract.intext.sentences import sentence_at

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
    """Give every bracket that holds `ibid.` or a page alone, leading nowhere yet."""
    for found in islice(_SHORT.finditer(text), most(text)):
        inner = found[1] or found[2] or found[3]
        ibid = _IBID.match(inner)
        page = _ibid_page(ibid["tail"]) if ibid is not None else page_alone(inner)
        if ibid is not None or page is not None:
            cite = Cite(found.start(), found.end(), inner.strip(), page=page)
            yield Marker(found.start(), found.end(), Style.BACK, (cite,))


def with_notes(body: Body, markers: Sequence[Marker], catalogue: Catalogue) -> list[Marker]:
    """Let the mark of each note lead where the markers in the note, or the works it names, lead."""
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
        inside = markers[bisect_left(starts, span[0]) : bisect_right(starts, span[1])]
        cites = [cite for marker in inside for cite in marker.cites]
        if not any(cite.refs for cite in cites):
            start = _behind_label(body.text, span, mark.keys)
            cites = list(reader.read(body.text[start : span[1]], start, last).cites)
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
        text: The running text.
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
        ref = (
            before
            if ibid
            else _mentioned(text[start : marker.start], markers[max(0, at - _SPAN) : at], before, catalogue)
        )
        cite = marker.cites[0]._replace(refs=() if ref is None else (ref,))
        out.append(marker._replace(cites=(cite,)))
    return sorted(out)


_LOOK = 20
_SPAN = 600
"""Characters before a page in which a name may say whose page it is."""


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
