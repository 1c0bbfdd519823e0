"""Tie the running text to the list: which reference each marker means, and what is quoted from it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from citeaudit.extract.intext import backward, numbers, quotations, styles
from citeaudit.extract.intext.attribution import Attributor
from citeaudit.extract.intext.authors import authored, paged
from citeaudit.extract.intext.body import Body
from citeaudit.extract.intext.catalogue import Catalogue
from citeaudit.extract.intext.cited import cited, dangling
from citeaudit.extract.intext.marker import Marker, Style
from citeaudit.extract.intext.quotations import Passage
from citeaudit.extract.intext.sentences import boundaries, sentence_at
from citeaudit.extract.intext.titled import titled
from citeaudit.model import Citation, Quote, Reference
from citeaudit.text.normalize import fold, squash

MAX_SENTENCE = 1_000
MAX_MARKER = 300
MIN_WORDS = 4
"""Words from which a quotation without a page counts: shorter ones are terms and titles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What the running text says about a list of references."""

    references: tuple[Reference, ...]
    """Those given, in their order, with `cited` and `quotes` filled."""
    citations: tuple[Citation, ...]
    """In the order of the running text."""
    dangling: tuple[str, ...]
    """What the text certainly cites and the list does not hold, each once, in the order of the text."""


def link(body: Body, references: Sequence[Reference], *, notes_hold_references: bool = False) -> Linked:
    """Link the citations and quotations of a running text to its references.

    The way of citing is decided once for the document. What is not certain stays open: a marker that several works
    answer leads to none and is not dangling, a quotation without a clear citation is attributed to nothing, and
    `cited` is `False` only where most of the list is cited.

    Args:
        body: The running text.
        references: The list, in its order.
        notes_hold_references: The references were taken from the notes, so that each stands in some note in full.

    Returns:
        The references with `cited` and `quotes` filled, the citations, and what answers to no reference. A reference
        that comes with `cited` or `quotes` keeps them.
    """
    catalogue = Catalogue(references)
    choice = styles.choose(body, _candidates(body, catalogue), _keyed(body, catalogue), catalogue)
    passages = quotations.passages(body)
    noted = backward.with_notes(body, choice.markers, catalogue, [passage.start for passage in passages])
    alone = list(backward.bare(body.text))
    spans = [(marker.start, marker.end) for marker in sorted([*noted, *alone])]
    ends = boundaries(body.text, [(passage.start, passage.end) for passage in passages], spans)
    quoted = [(passage.start, passage.end) for passage in passages if not passage.block]
    plain = backward.masked(body.text, quoted)
    markers = backward.with_backward(plain, noted, alone, ends, catalogue, paged=choice.main is Style.PAGED)
    inside = {cite.start for marker in choice.markers for cite in marker.cites}
    citations = tuple(
        _citation(body, marker, ends)
        for marker in markers
        if _tells(marker, choice.main) and not (marker.style is Style.NOTE and marker.cites[0].start in inside)
    )
    quotes = _quotes(body, passages, Attributor(body.text, passages, markers, ends), catalogue)
    told = cited(body, markers, references, catalogue, certain=notes_hold_references)
    return Linked(
        references=tuple(
            _filled(reference, told[place], quotes.get(place, [])) for place, reference in enumerate(references)
        ),
        citations=citations,
        dangling=dangling(markers, choice.main, catalogue),
    )


def _candidates(body: Body, catalogue: Catalogue) -> dict[Style, list[Marker]]:
    found: dict[Style, list[Marker]] = {style: [] for style in Style}
    if not catalogue.entries:
        return found
    for marker in numbers.joined(body.text, list(numbers.squares(body.text, catalogue)), catalogue):
        found[marker.style].append(marker)
    found[Style.ROUND] = list(numbers.rounds(body.text, catalogue))
    found[Style.RAISED] = list(numbers.raised(body, catalogue))
    found[Style.AUTHORS] = sorted(authored(body.text, catalogue))
    found[Style.PAGED] = list(paged(body.text, catalogue))
    found[Style.TITLED] = list(titled(body.text, catalogue))
    if catalogue.several:
        for style in (Style.SQUARE, Style.ROUND, Style.RAISED, Style.ALPHA):
            found[style] = [_by_place(body, marker, catalogue) for marker in found[style]]
    return found


def _by_place(body: Body, marker: Marker, catalogue: Catalogue) -> Marker:
    """Let the page of a marker decide which of several lists it points into."""
    page = body.locus(marker.start).page
    cites = (cite if cite.refs else cite._replace(refs=catalogue.label(cite.name, page)) for cite in marker.cites)
    return marker._replace(cites=tuple(cites))


def _keyed(body: Body, catalogue: Catalogue) -> list[Marker]:
    return sorted(numbers.keyed(body.text, body.marks, catalogue))


def _tells(marker: Marker, main: Style | None) -> bool:
    """Whether a marker is told as a citation: those that lead nowhere only in the document's own style."""
    if marker.style is Style.BACK:
        return bool(marker.refs)
    return bool(marker.refs) or marker.style in {main, Style.KEYED}


def _citation(body: Body, marker: Marker, ends: Sequence[int]) -> Citation:
    start, stop = sentence_at(ends, marker.start, marker.end)
    if stop - start > MAX_SENTENCE:
        start = max(start, marker.start - MAX_SENTENCE // 2)
        stop = min(stop, start + MAX_SENTENCE)
    shown = (
        "; ".join(cite.name for cite in marker.cites)
        if marker.style is Style.NOTE
        else body.text[marker.start : marker.end]
    )
    return Citation(
        text=squash(shown[:MAX_MARKER]),
        locus=body.locus(marker.start),
        references=tuple(ref + 1 for ref in marker.refs),
        missing=tuple(dict.fromkeys(cite.name for cite in marker.cites if not cite.refs and not cite.known)),
        sentence=" ".join(body.text[start:stop].split())[:MAX_SENTENCE],
        claimed_page=marker.page,
    )


def _quotes(
    body: Body, passages: Sequence[Passage], attributor: Attributor, catalogue: Catalogue
) -> dict[int, list[Quote]]:
    """Give the quotations of each reference, by its 0-based place."""
    hidden = sorted(quotations.note_marks(body.marks))
    found: dict[int, list[Quote]] = {}
    for place, passage in enumerate(passages):
        told = attributor.attribute(place)
        if not told.sources:
            continue
        low = _first(hidden, told.inner[0])
        text = quotations.printed(body, told.inner, hidden[low : low + _MOST_HIDDEN])
        count = sum(quotations.words(body.text[start:end]) for start, end in told.whole)
        paged = told.close and any(source.page for source in told.sources)
        if not quotations.words(text) or (count < MIN_WORDS and not paged):
            continue
        if fold(text) in catalogue.titles:
            continue
        for source in told.sources:
            if not source.page and fold(text) in catalogue.entries[source.ref].raw:
                continue  # its title, in another form or another language
            quote = Quote(text=text, locus=body.locus(passage.start), claimed_page=source.page)
            found.setdefault(source.ref, []).append(quote)
    return found


_MOST_HIDDEN = 200


def _first(spans: Sequence[tuple[int, int]], start: int) -> int:
    return bisect_left(spans, (start, 0))


def _filled(reference: Reference, told: bool | None, quotes: Sequence[Quote]) -> Reference:
    if told is reference.cited and not quotes:
        return reference
    kept = [quote for quote in quotes if quote not in reference.quotes]
    return reference.model_copy(update={"cited": told, "quotes": (*reference.quotes, *kept)})
