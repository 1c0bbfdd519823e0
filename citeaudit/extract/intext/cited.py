"""Tell which references the text cites, and what it cites that the list does not hold; open where in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from citeaudit.extract.intext.body import Body, MarkKind
from citeaudit.extract.intext.catalogue import Catalogue
from citeaudit.extract.intext.marker import Marker, Style
from citeaudit.model import Reference
from citeaudit.text.normalize import fold

MAX_DANGLING = 3
"""Labels beyond the end of the list up to which they are the text's slip; more mean that the list was cut short."""
LONG_RUN = 8
"""References of a PDF in a row that nothing cites: their chapter or supplement was not read."""
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_NUMBER = re.compile(r"\d{1,4}")
_MOST_CITED = 0.6
_LEAST_CITED = 3
_LEAST_TEXT = 300
_ANSWERED = 0.7
_LEAST_MARKERS = 5
_MOST_POOR = 0.02
"""Share of references read in part from which a list from a PDF says nothing about what is uncited or missing."""
_BESIDE = 90
"""Characters behind a name in which its year may stand."""
_MOST_PLACES = 60
_HEAD = 4
"""Words of a title that name it."""


def cited(
    body: Body, markers: Sequence[Marker], references: Sequence[Reference], catalogue: Catalogue, *, certain: bool
) -> list[bool | None]:
    """Tell of each reference whether it is cited; `None` where the text does not tell.

    Args:
        body: The running text.
        markers: All markers that were read.
        references: The list.
        catalogue: The same, ready to be asked.
        certain: Each reference was taken from a note, so that none can be uncited.
    """
    linked = {ref for marker in markers for ref in marker.refs}
    linked |= {place for place, reference in enumerate(references) if reference.cited}
    told = len(linked) >= max(_LEAST_CITED, len(references) * _MOST_CITED) and len(body.text) >= _LEAST_TEXT
    vague = {cite.name for marker in markers for cite in marker.cites if not cite.refs}
    clear = told and not certain and len(vague) <= len(linked) * (1 - _ANSWERED) and not _notes_lost(body, markers)
    signs = _raised_numbers(body)  # a raised number that was taken for an exponent may have been a citation
    open_years = {int(year) for name in vague for year in _YEAR.findall(name)}
    out: list[bool | None] = [
        True if place in linked else reference.cited for place, reference in enumerate(references)
    ]
    missing = [place for place, told in enumerate(out) if told is None]
    if not clear or not missing:
        return out
    poor = _poor(references, catalogue)
    if len(poor) > len(references) * _MOST_POOR and any(references[place].locus.page for place in poor):
        return out
    open_ = _beside(poor, references) | set(_unread(missing, references))
    text = fold(body.text)
    for place in missing:
        reference = references[place]
        vaguely = reference.year in open_years or reference.locus.label in signs or place in open_
        out[place] = None if vaguely or _named(text, place, references, catalogue) else False
    return out


def dangling(markers: Sequence[Marker], main: Style | None, catalogue: Catalogue) -> tuple[str, ...]:
    """Give what is cited and certainly not in the list, in the order of the text.

    Nothing where the list may have been read in part, but for the keys of the author's own pointers: where the
    entries bear keys, one that none of them bears is certain, however few there are.
    """
    told = [cite for marker in markers if marker.style in {main, Style.KEYED} for cite in marker.cites]
    lost = {cite.name for cite in told if not cite.known and not cite.refs}
    names = {*_unknown_keys(markers, catalogue), *_certain(lost, {cite.name for cite in told}, main, catalogue)}
    found = (cite.name for marker in markers for cite in marker.cites)
    return tuple(dict.fromkeys(name for name in found if name in names))


def _certain(lost: set[str], names: set[str], main: Style | None, catalogue: Catalogue) -> set[str]:
    if catalogue.poor > len(catalogue.entries) * _MOST_POOR and any(locus.page for locus in catalogue.loci):
        return set()
    if not lost or len(names) < min(_LEAST_MARKERS, len(catalogue.entries)):
        return set()
    if len(names) - len(lost) < len(names) * _ANSWERED:
        return set()
    if main in {Style.SQUARE, Style.RAISED, Style.ROUND}:
        beyond = {name for name in lost if name.isdecimal()}
        gaps = catalogue.numbered and catalogue.numbered < catalogue.highest
        if len(beyond) > MAX_DANGLING or gaps or any(int(name) > catalogue.highest * 2 + 10 for name in beyond):
            return lost - beyond
    return lost


def _unknown_keys(markers: Sequence[Marker], catalogue: Catalogue) -> set[str]:
    """Give the keys that no entry bears.

    Not in a PDF, where a pointer leads to a place and its entry may not have been read; nor where entries have no keys.
    """
    if not catalogue.keys or any(locus.page for locus in catalogue.loci):
        return set()
    known = {key.lower() for key in catalogue.keys}
    told = [cite for marker in markers if marker.style is Style.KEYED for cite in marker.cites if not cite.refs]
    return {
        cite.name for cite in told if not cite.known and not cite.name.isdecimal() and cite.name.lower() not in known
    }


def _raised_numbers(body: Body) -> set[str]:
    return {
        number
        for mark in body.marks
        if mark.kind is MarkKind.RAISED
        for number in _NUMBER.findall(body.text[mark.start : mark.end])
    }


def _notes_lost(body: Body, markers: Sequence[Marker]) -> bool:
    """Whether the text calls notes that are not there, in a document that cites in its notes."""
    labels = {note.label for note in body.notes}
    called = {key for mark in body.marks if mark.kind is MarkKind.NOTE for key in mark.keys}
    if called - labels:
        return True
    noted = sum(marker.style is Style.NOTE for marker in markers)
    if not labels or not noted or any(marker.style is Style.RAISED for marker in markers):
        return False
    numbers = [int(label) for label in labels if label.isdecimal()]
    beyond = max(numbers, default=0) + 1
    return str(beyond) in _raised_numbers(body)


def _poor(references: Sequence[Reference], catalogue: Catalogue) -> set[int]:
    """Give the references that were not read whole, so that no text could call them."""
    return {
        place
        for place, reference in enumerate(references)
        if not (reference.locus.citekey or reference.locus.label)
        and not (catalogue.entries[place].names and (reference.year or reference.status))
    }


def _beside(poor: set[int], references: Sequence[Reference]) -> set[int]:
    """Give them, and in a PDF those beside them, which may hold what is missing from them."""
    return poor | {place for each in poor if references[each].locus.page for place in (each - 1, each + 1)}


def _unread(missing: Sequence[int], references: Sequence[Reference]) -> Iterator[int]:
    """Give the references of long runs that nothing cites, in documents whose text may have been read in part."""
    for _, run in groupby(enumerate(missing), key=lambda pair: pair[1] - pair[0]):
        places = [place for _, place in run]
        if len(places) >= LONG_RUN and references[places[0]].locus.page:
            yield from places


def _named(text: str, place: int, references: Sequence[Reference], catalogue: Catalogue) -> bool:
    """Whether a text, folded, holds the name with the year, or the start of the title: cited in a way not read."""
    reference, entry = references[place], catalogue.entries[place]
    if reference.locus.citekey and not reference.locus.page:
        return False
    title = entry.title.split()[:_HEAD]
    if len(title) == _HEAD and " ".join(title) in text:
        return True
    if reference.locus.label or not entry.names or not reference.year:
        return False
    name, year = entry.names[0].split()[-1], f"{reference.year}{reference.year_suffix or ''}"
    at = text.find(name)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return False
        if year in text[at : at + len(name) + _BESIDE].split():
            return True
        at = text.find(name, at + len(name))
    return True
