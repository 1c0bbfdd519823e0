"""Decide once how a document cites, and keep only the markers of that kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from citeaudit.extract.intext.body import Body
from citeaudit.extract.intext.catalogue import Catalogue
from citeaudit.extract.intext.marker import Marker, Style

_MAJORITY = 0.6
_FEW = 5
"""References up to which one marker is evidence enough."""
_UNLABELLED = 3
"""Different numbers that must answer where the list prints none."""
_ROUND_SHARE = 0.5
_PAGED_LEAST = 3
_TABLE = 0.45
"""Share of digits in a paragraph from which it is a table."""
_TABLE_LEAST = 60


class Choice(NamedTuple):
    """The style of a document and the markers it leaves."""

    main: Style | None
    markers: tuple[Marker, ...]
    """Sorted, none inside another."""


def choose(body: Body, found: dict[Style, list[Marker]], keyed: Sequence[Marker], catalogue: Catalogue) -> Choice:
    """Weigh what was found against the list.

    Args:
        body: The running text.
        found: Candidates of every style that is read from the text.
        keyed: The document's own pointers, which always count.
        catalogue: The list.
    """
    found = {style: _no_tables(body.text, found.get(style, []), style) for style in Style}
    answered = {style: sum(bool(marker.refs) for marker in markers) for style, markers in found.items()}
    main = _numeric(found, answered, keyed, catalogue)
    if main is None and answered[Style.PAGED] >= _PAGED_LEAST and answered[Style.PAGED] > answered[Style.AUTHORS]:
        main = Style.PAGED
    if main is None and answered[Style.ALPHA] and answered[Style.ALPHA] >= answered[Style.AUTHORS] * _MAJORITY:
        main = Style.ALPHA
    if main is None and answered[Style.AUTHORS]:
        main = Style.AUTHORS
    kept = [
        marker
        for style in Style
        for marker in found[style]
        if _keeps(marker, style, main, catalogue) or (keyed and _touches(marker, keyed))
    ]
    if keyed and main is None:
        main = Style.KEYED
    return Choice(main, tuple(_merged(_apart(kept), keyed)))


def _numeric(
    found: dict[Style, list[Marker]], answered: dict[Style, int], keyed: Sequence[Marker], catalogue: Catalogue
) -> Style | None:
    """Give the numeric style, if the document has one."""
    size = len(catalogue.entries)
    authors = answered[Style.AUTHORS]
    if catalogue.named > catalogue.numbered:
        return None
    square, raised, round_ = answered[Style.SQUARE], answered[Style.RAISED], answered[Style.ROUND]
    # Where the document points by itself, numbers it leaves alone are something else; a few links in prose say nothing.
    apart = len(keyed) > square and not any(_touches(marker, keyed) for marker in found[Style.SQUARE])
    if not apart and square >= raised and _enough(found[Style.SQUARE], square, authors, catalogue):
        return Style.SQUARE
    pointed = len(keyed) > raised and not any(_touches(marker, keyed) for marker in found[Style.RAISED])
    if not pointed and _enough(found[Style.RAISED], raised, authors, catalogue):
        return Style.RAISED
    distinct = len({ref for marker in found[Style.ROUND] for ref in marker.refs})
    several = any(len(marker.cites) > 1 for marker in found[Style.ROUND])
    share = distinct / size if size else 0
    plain = bool(catalogue.numbered) and not keyed and round_ > authors and distinct >= _UNLABELLED
    return Style.ROUND if plain and share >= (_ROUND_SHARE if several else _MAJORITY) else None


def _enough(markers: Sequence[Marker], answered: int, authors: int, catalogue: Catalogue) -> bool:
    distinct = len({ref for marker in markers for ref in marker.refs})
    if not catalogue.numbered:
        return (
            distinct >= min(_UNLABELLED, len(catalogue.entries))
            and answered > authors
            and answered > len(markers) * _MAJORITY
        )
    least = 1 if len(catalogue.entries) <= _FEW else 2
    return answered >= least and answered >= authors * _MAJORITY


def _keeps(marker: Marker, style: Style, main: Style | None, catalogue: Catalogue) -> bool:
    if style is main:
        return bool(marker.refs) or style not in {Style.RAISED, Style.ROUND, Style.PAGED} or catalogue.highest > 0
    if style in {Style.AUTHORS, Style.ALPHA, Style.TITLED}:
        return bool(marker.refs)
    return False


def _no_tables(text: str, markers: Sequence[Marker], style: Style) -> list[Marker]:
    """Leave out bracketed numbers inside tables."""
    if style not in {Style.SQUARE, Style.ROUND} or not markers:
        return list(markers)
    kept: list[Marker] = []
    end, table = -1, False
    for marker in markers:
        if marker.start >= end:
            start = text.rfind("\n\n", 0, marker.start) + 2
            start = max(start, end) if start > 1 else 0
            end = text.find("\n\n", marker.end)
            end = len(text) if end < 0 else end
            block = text[start:end]
            digits = sum(map(str.isdigit, block))
            letters = sum(map(str.isalpha, block))
            table = digits + letters > _TABLE_LEAST and digits > (digits + letters) * _TABLE
        if not table:
            kept.append(marker)
    return kept


def _touches(marker: Marker, others: Sequence[Marker]) -> bool:
    """Whether a marker overlaps one of a sorted list."""
    low, high = 0, len(others)
    while low < high:
        middle = (low + high) // 2
        if others[middle].end <= marker.start:
            low = middle + 1
        else:
            high = middle
    return low < len(others) and others[low].start < marker.end


def _apart(markers: Iterable[Marker]) -> list[Marker]:
    """Sort, and of two that overlap keep the one that leads further."""
    out: list[Marker] = []
    for marker in sorted(markers):
        if out and marker.start < out[-1].end:
            if len(marker.refs) > len(out[-1].refs):
                out[-1] = marker
        else:
            out.append(marker)
    return out


def _merged(markers: Sequence[Marker], keyed: Sequence[Marker]) -> list[Marker]:
    """Let the document's own pointers say what the markers around them mean."""
    if not keyed:
        return list(markers)
    out: list[Marker] = []
    at = 0
    for marker in markers:
        while at < len(keyed) and keyed[at].end <= marker.start:
            out.append(keyed[at])
            at += 1
        inside: list[Marker] = []
        while at < len(keyed) and keyed[at].start < marker.end:
            inside.append(keyed[at])
            at += 1
        out.append(_led(marker, inside) if inside else marker)
    return sorted([*out, *keyed[at:]])


def _led(marker: Marker, pointers: Sequence[Marker]) -> Marker:
    keys = [cite for pointer in pointers for cite in pointer.cites]
    refs = [ref for cite in keys for ref in cite.refs]
    if not refs:
        return marker if marker.refs else marker._replace(cites=tuple(keys))
    start, end = min(marker.start, pointers[0].start), max(marker.end, pointers[-1].end)
    cites, low = [], marker.start
    in_order = len(dict.fromkeys(refs)) == len(marker.cites)
    for place, cite in enumerate(marker.cites):
        own = [ref for pointer in pointers if pointer.start < cite.end and pointer.end > low for ref in pointer.refs]
        own = [list(dict.fromkeys(refs))[place]] if in_order else list(dict.fromkeys(own))
        if len(own) == 1:
            cites.append(cite._replace(refs=(own[0],), known=True))
        elif not own or set(cite.refs) & set(own):
            cites.append(cite)
        low = cite.end
    told = {ref for cite in cites for ref in cite.refs}
    cites += [cite for cite in keys if cite.refs and cite.refs[0] not in told]
    paged = next((cite.page for cite in keys if cite.page), None)
    if paged and len(cites) == 1 and not cites[0].page:
        cites[0] = cites[0]._replace(page=paged)
    return marker._replace(start=start, end=end, cites=tuple(cites))
