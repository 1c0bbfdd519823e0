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


class Source(NamedTuple):
    """One reference, as a 0-based place, and the page named for it."""

    ref: int
    page: str | None


class Attributor:
    """Knows the markers and sentences of a text, and attributes its passages one by one."""

    def __init__(self, text: str, passages: Sequence[Passage], markers: Sequence[Marker], ends: Sequence[int]) -> None:
        self._text, self._passages, self._ends = text, passages, ends
        self._markers = markers
        self._starts = [marker.start for marker in markers]
        self._stops = [marker.end for marker in markers]
        self._opened = [passage.start for passage in passages]

    def sources(self, passage: Passage) -> tuple[list[Source], tuple[int, int]]:
        """Give what a passage is attributed to, and the span of its words without a citation at its end."""
        inside = self._inside(passage)
        inner = (passage.inner[0], inside[0].start) if inside else passage.inner
        found = self._block(passage, inside) if passage.block else self._sentence(passage, inside)
        return found, inner

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
        closes = bool(cluster) and stop - cluster[-1].end < _BLOCK_GAP
        return _sources(cluster) if cluster and (colon or closes) and not self._taken(cluster[0]) else []

    def _before_in_sentence(self, passage: Passage) -> list[Source]:
        start, _ = sentence_at(self._ends, passage.start, passage.end)
        return _sources(self._last_before(passage.start, start))

    def _sentence(self, passage: Passage, inside: list[Marker]) -> list[Source]:
        start, stop = sentence_at(self._ends, passage.start, passage.end)
        after = self._first_after(passage.end, stop)
        before = self._last_before(passage.start, start)
        if before and (self._taken(before[0]) or not self._introduces(before[-1], passage)):
            before = []
        if after and self._at_once(passage, after[0]):
            return _sources(after)
        if inside:
            return _sources(inside)
        if before and after:
            return self._between(passage, before, after)
        if after:
            gap = self._text[passage.end : after[0].start]
            return [] if _CONTRAST.search(gap) else _sources(after)
        if before:
            return _sources(before)
        near = self._text[max(0, passage.start - _BLOCK_GAP) : passage.start]
        return self._introduced(passage) if "\n" in near[len(near.rstrip()) :] else []

    def _between(self, passage: Passage, before: list[Marker], after: list[Marker]) -> list[Source]:
        """Choose between an introduction and a citation further behind."""
        first, second = _sources(before), _sources(after)
        same = {source.ref for source in first} == {source.ref for source in second}
        lone = not self._passage_between(passage.end, after[0].start)
        if same or after[0].style is Style.BACK:
            page = second[0].page if second and lone else None
            return [source._replace(page=source.page or page) for source in first]
        gap = self._text[passage.end : after[0].start]
        led = before[-1].spoken or bool(_COLON.search(self._text[: passage.start][-3:]))
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
            if marker.start >= stop or not _JOINS.match(self._text[cluster[-1].end : marker.start]):
                break
            cluster.append(marker)
        return cluster

    def _last_before(self, stop: int, start: int) -> list[Marker]:
        at = bisect_right(self._stops, stop) - 1
        if at < 0 or self._starts[at] < start:
            return []
        return self._cluster_before(at, start)

    def _cluster_before(self, at: int, start: int) -> list[Marker]:
        cluster = [self._markers[at]]
        for marker in reversed(self._markers[max(0, at - _MOST) : at]):
            if marker.start < start or not _JOINS.match(self._text[marker.end : cluster[0].start]):
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
