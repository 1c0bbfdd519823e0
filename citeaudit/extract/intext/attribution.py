"""Say which reference a quotation is attributed to: by the citation at it, behind it, or the one that introduces it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.extract.intext.marker import Cite, Marker, Style
from citeaudit.extract.intext.quotations import Passage
from citeaudit.extract.intext.sentences import sentence_at

_REMARK = re.compile(
    r"[(\[（](?:sic|emphas[ie]s|italics|my |our |own |translat|Hervorh|Herv\.|Übers|eigene|souligné|nous soulign|trad|"
    r"cursivas?|énfasis|the original|im Orig)[^()\[\]（）]{0,80}[)\]）]",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(r"[\s.,;:!?…\u00a0\"”’»«“)\]]{0,8}$")
_CONTRAST = re.compile(
    r";|[–—]\s|\b(?:but|while|whilst|whereas|although|though|however|unlike|aber|jedoch|während|hingegen|sondern|doch|obwohl|mais|"
    r"tandis que|alors que|pero|mientras|sino|aunque)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:–—]\s|\b(?:and|und|et|y|while|whereas)\b")
_JOINS = re.compile(r"[\s,;&]{0,4}(?:and|und|et|y|sowie)?[\s,;]{0,3}$")
_COLON = re.compile(r"[:：]\s*$")
_BLANK = re.compile(r"\n[ \t]*\n")
_MOST = 3
"""References that one quotation may be attributed to; more are a survey of the literature."""
_INTRO = 260
"""Characters between an introduction and what it introduces."""
_BLOCK_GAP = 6
_TITLE_NOUN = re.compile(
    r"\b(?:article|essay|paper|poem|book|novel|story|chapter|study|title|titled|entitled|song|film|report|Aufsatz|Artikel|"
    r"Beitrag|Buch|Roman|Gedicht|Kapitel|Titel|Essay|betitelt|intitulée?|article|chapitre|roman|poème|livre|artículo|"
    r"titulad[oa]|intitulad[oa]|ensayo|capítulo|libro|poema|novela|artigo|ensaio|livro|saggio|articolo|capitolo|romanzo|"
    r"intitolat[oa])\s{1,2}$",
    re.IGNORECASE,
)
_INTERRUPTION = re.compile(r"[,，]?\s{0,2}[^\s.;:!?].{1,160}[,，–—]\s{0,2}$", re.DOTALL)
"""What stands between the halves of one quotation: `,” she says, “`."""
_NOUN_LENGTH = 16
_COMMA = re.compile(r"[,，–—]\s?$")


class Source(NamedTuple):
    """One reference, as a 0-based place, and the page named for it."""

    ref: int
    page: str | None


class Attributed(NamedTuple):
    """What a passage is attributed to."""

    sources: list[Source]
    inner: tuple[int, int]
    """The span of its words, without a citation at its end."""
    close: bool
    """Whether the citation stands at the passage or introduces it, so that even a few words are its own."""
    whole: tuple[tuple[int, int], ...]
    """The spans of all parts of the quotation, where words of another interrupt it."""


class Attributor:
    """Knows the markers and sentences of a text, and attributes its passages one by one."""

    def __init__(self, text: str, passages: Sequence[Passage], markers: Sequence[Marker], ends: Sequence[int]) -> None:
        self._text, self._passages, self._ends = text, passages, ends
        self._markers = markers
        self._starts = [marker.start for marker in markers]
        self._stops = [marker.end for marker in markers]
        self._opened = [passage.start for passage in passages]

    def attribute(self, at: int) -> Attributed:
        """Give what the passage at a 0-based place is attributed to."""
        passage = self._passages[at]
        inside = self._inside(passage)
        inner = (passage.inner[0], inside[0].start) if inside else passage.inner
        if passage.block:
            return Attributed(self._block(passage, inside), inner, close=True, whole=(inner,))
        if _TITLE_NOUN.search(self._text, max(0, passage.start - _NOUN_LENGTH), passage.start):
            return Attributed([], inner, close=False, whole=(inner,))
        found, close = self._sentence(passage, inside)
        if not self._interrupted(at) and not (at and self._interrupted(at - 1)):
            return Attributed(found, inner, close, (inner,))
        parts = [at, at + 1] if self._interrupted(at) else [at - 1, at]
        second = self._passages[parts[1]]
        last, _ = self._sentence(second, self._inside(second))
        first, _ = self._sentence(self._passages[parts[0]], [])
        chosen = last if last and (not first or last[0].page or not first[0].page) else first
        return Attributed(chosen, inner, close=True, whole=tuple(self._passages[part].inner for part in parts))

    def _interrupted(self, at: int) -> bool:
        """Whether a passage goes on in the next one: `“The sea,” he writes, “is old”`."""
        if at + 1 >= len(self._passages):
            return False
        first, second = self._passages[at], self._passages[at + 1]
        if first.block or second.block or second.start - first.end > _INTRO:
            return False
        if not self._text[second.inner[0] : second.inner[0] + 1].islower():
            return False
        gap = self._text[first.end : second.start]
        led = bool(_COMMA.search(self._text[max(0, first.inner[1] - 2) : first.inner[1]])) or gap.lstrip()[:1] in {
            ",",
            "–",
            "—",
        }
        sentence = sentence_at(self._ends, first.start, first.end)
        return led and second.start < sentence[1] and bool(_INTERRUPTION.match(gap)) and not _CONTRAST.search(gap[2:])

    def _inside(self, passage: Passage) -> list[Marker]:
        """Give the citation that closes a passage from within, as in a block quotation."""
        low, high = passage.inner
        at = bisect_right(self._stops, high) - 1
        if at < 0:
            return []
        marker = self._markers[at]
        rest = self._text[marker.end : high]
        if marker.start <= low or marker.spoken or rest.strip(" .,;)]\n\t"):
            return []
        return self._cluster_before(at, low)

    def _block(self, passage: Passage, inside: list[Marker]) -> list[Source]:
        if inside:
            return _sources(inside)
        after = self._first_after(passage.end, passage.end + _INTRO)
        if after and not self._text[passage.end : after[0].start].strip(" \n\t.,–—-") and not after[0].spoken:
            return _sources(after)
        return self._introduced(passage)

    def _introduced(self, passage: Passage) -> list[Source]:
        """Look into the end of the paragraph before."""
        near = self._text[max(0, passage.start - _BLOCK_GAP) : passage.start]
        if "\n" not in near[len(near.rstrip()) :]:
            return self._before_in_sentence(passage)
        stop = passage.start - len(near) + len(near.rstrip())
        start, _ = sentence_at(self._ends, max(0, stop - 1), max(0, stop - 1))
        cluster = self._last_before(stop, start)
        colon = bool(_COLON.search(self._text, max(0, stop - _BLOCK_GAP), stop))
        if cluster and not colon:  # "He writes: [4]"
            colon = stop - cluster[-1].end < _BLOCK_GAP and bool(_COLON.search(self._text[start : cluster[0].start]))
        return _sources(cluster) if cluster and colon and not self._taken(cluster[0]) else []

    def _before_in_sentence(self, passage: Passage) -> list[Source]:
        start, _ = sentence_at(self._ends, passage.start, passage.end)
        return _sources(self._last_before(passage.start, start))

    def _sentence(self, passage: Passage, inside: list[Marker]) -> tuple[list[Source], bool]:
        start, stop = sentence_at(self._ends, passage.start, passage.end)
        after = self._first_after(passage.end, stop)
        before = self._last_before(passage.start, start)
        if before and (self._taken(before[0]) or not self._introduces(before[-1], passage)):
            before = []
        if after and self._at_once(passage, after[0]):
            return _sources(after), True
        if inside:
            return _sources(inside), True
        if before and after:
            return self._between(passage, before, after), True
        if after:
            gap = self._text[passage.end : after[0].start]
            pointed = all(cite.pointed for marker in after for cite in marker.cites)
            return [] if pointed or _CONTRAST.search(gap) else _sources(after), after[0].spoken
        if before:
            return _sources(before), True
        return self._introduced(passage) if self._own_paragraph(passage) else [], False

    def _own_paragraph(self, passage: Passage) -> bool:
        near = self._text[max(0, passage.start - _BLOCK_GAP) : passage.start]
        if "\n" not in near[len(near.rstrip()) :]:
            return False
        return not self._text[passage.end : passage.end + _BLOCK_GAP].partition("\n")[0].strip(" .,;!?…")

    def _between(self, passage: Passage, before: list[Marker], after: list[Marker]) -> list[Source]:
        """Choose between an introduction and a citation further behind."""
        first, second = _sources(before), _sources(after)
        same = {source.ref for source in first} == {source.ref for source in second}
        lone = not self._passage_between(passage.end, after[0].start)
        if same or after[0].style is Style.BACK:
            page = second[0].page if second and lone else None
            return [source._replace(page=source.page or page) for source in first]
        gap = self._text[passage.end : after[0].start]
        led = before[-1].spoken or bool(_COLON.search(self._text[max(0, passage.start - 3) : passage.start]))
        if not led and lone and not _CLAUSE.search(gap) and not after[0].spoken:
            return second
        return first

    def _at_once(self, passage: Passage, marker: Marker) -> bool:
        gap = _REMARK.sub("", self._text[passage.end : marker.start])
        return bool(_AT_ONCE.match(gap)) and "\n\n" not in gap

    def _introduces(self, marker: Marker, passage: Passage) -> bool:
        gap = self._own_words(marker.end, passage.start)
        return len(gap) <= _INTRO and not _CONTRAST.search(gap)

    def _own_words(self, start: int, stop: int) -> str:
        """Give what stands between two offsets outside of passages."""
        pieces, at = [], bisect_left(self._opened, start)
        while at < len(self._opened) and self._opened[at] < stop:
            pieces.append(self._text[start : self._opened[at]])
            start, at = self._passages[at].end, at + 1
        return "".join([*pieces, self._text[start:stop]])

    def _taken(self, marker: Marker) -> bool:
        """Whether a marker in brackets stands right behind another passage and so belongs to that one."""
        if marker.spoken:
            return False
        at = bisect_right(self._opened, marker.start) - 1
        return at >= 0 and self._passages[at].end <= marker.start and self._at_once(self._passages[at], marker)

    def _passage_between(self, start: int, stop: int) -> bool:
        at = bisect_left(self._opened, start)
        return at < len(self._opened) and self._opened[at] < stop

    def _first_after(self, start: int, stop: int) -> list[Marker]:
        at = bisect_left(self._starts, start)
        if at == len(self._markers) or self._starts[at] >= stop:
            return []
        cluster = [self._markers[at]]
        for marker in self._markers[at + 1 : at + 1 + _MOST]:
            if marker.start >= stop or not self._joins(cluster[-1], marker):
                break
            cluster.append(marker)
        return cluster

    def _last_before(self, stop: int, start: int) -> list[Marker]:
        at = bisect_right(self._stops, stop) - 1
        if at < 0 or self._starts[at] < start:
            return []
        return self._cluster_before(at, start)

    def _joins(self, first: Marker, second: Marker) -> bool:
        """Whether two markers cite together; one that speaks begins something new."""
        if second.spoken or Style.BACK in {first.style, second.style}:
            return False
        return bool(_JOINS.match(self._text[first.end : second.start]))

    def _cluster_before(self, at: int, start: int) -> list[Marker]:
        cluster = [self._markers[at]]
        for marker in reversed(self._markers[max(0, at - _MOST) : at]):
            if marker.start < start or not self._joins(marker, cluster[0]):
                break
            cluster.insert(0, marker)
        return cluster


def _sources(cluster: Sequence[Marker]) -> list[Source]:
    """Give the references that a run of markers names for a passage; none where they are many or may be several."""
    cites: list[Cite] = [cite for marker in cluster for cite in marker.cites]
    if cluster and cluster[0].style is Style.NOTE and all(cite.aside for cite in cites):
        return []  # the note says where else to look, and whose words they are in a way that was not read
    direct = [cite for cite in cites if not cite.aside] or cites
    paged = [cite for cite in direct if cite.page]
    chosen = paged if paged and any(cite.refs for cite in paged) else direct
    if len(chosen) == 1 and len(direct) > 1 and direct[-1] is chosen[0] and not any(c.page for c in direct[:-1]):
        chosen = direct if len(cluster) > 1 else chosen
    refs: dict[int, str | None] = {}
    for cite in chosen:
        if len(cite.refs) == 1:
            refs[cite.refs[0]] = refs.get(cite.refs[0]) or cite.page
    return [Source(ref, page) for ref, page in refs.items()] if len(refs) <= _MOST else []
