"""Read what foot- and endnotes name: works in full or in short, and the work of the note before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.extract.intext.catalogue import Catalogue
from citeaudit.extract.intext.locators import page_at_end
from citeaudit.extract.intext.marker import Cite
from citeaudit.text.lists import read_words
from citeaudit.text.normalize import fold

_IBID = re.compile(
    r"^[\s(\[]{0,3}(?:(?:see|cfr?\.|vgl\.|s\.|siehe|voir|véase)\s)?"
    r"(?:ibid(?:em)?|ibíd(?:em)?|ib|ebd|ebenda|ebda|ivi|idem|id|a\.\s?a\.\s?O|op\.\s?cit|loc\.\s?cit|eodem|同上)(?:\.|\b)",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:a\.\s?a\.\s?O|op\.\s?cit|loc\.\s?cit|art\.\s?cit|ob\.\s?cit|wie Anm|anm\.\s?\d)\b", re.IGNORECASE
)
_ASIDE = re.compile(
    r"^\s*(?:see also|but see|cf\. also|cf\.|compare|siehe auch|vgl\. auch|anders|voir aussi|véase también)",
    re.IGNORECASE,
)
_POINTED = re.compile(
    r"^\s*(?:see|cfr?\.|compare|siehe|vgl\.|dazu|hierzu|voir|véase|vid\.|si veda(?:no)?|ver|veja)(?!\w)", re.IGNORECASE
)
_SPLIT = re.compile(r";\s|\.\s(?=(?:See|Cf|Vgl|Siehe|Ebenso|Voir|Véase|So auch)\b)")
_MAX_NOTE = 6_000
_MAX_PARTS = 40
_NEAR_START = 12
"""Words within which the name of the author of a note's work stands."""
_HEAD = 60
_SMALL = read_words("citeaudit.extract.intext", "small_words.txt")


class Named(NamedTuple):
    """What one note names."""

    cites: tuple[Cite, ...]
    ibid: bool


class NoteReader:
    """Reads notes one after the other; each may lean on those before."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._heads = [" ".join(entry.title.split()[:5]) for entry in catalogue.entries]
        self._by_name: dict[str, list[int]] = {}
        for place, entry in enumerate(catalogue.entries):
            if entry.names:
                self._by_name.setdefault(entry.names[0].split()[-1], []).append(place)
        self._cited: dict[str, int] = {}
        """The last work of each family name."""

    def read(self, text: str, start: int, last: tuple[int, ...]) -> Named:
        """Read the note whose text stands at `start`; `last` are the works of the citation before."""
        cites: list[Cite] = []
        ibid = False
        at = 0
        for part in _parts(text[:_MAX_NOTE]):
            place = text.find(part, at)
            at = place + len(part) if place >= 0 else at
            span = (start + max(0, place), start + max(0, place) + len(part))
            before = cites[-1].refs if cites else last
            if _IBID.match(part):
                if len(before) == 1:
                    cites.append(Cite(*span, part, before, page_at_end(part)))
                    ibid = True
                continue
            ref = self._work(part)
            if ref is not None:
                self._remember(ref)
                aside, pointed = bool(_ASIDE.match(part)), bool(_POINTED.match(part))
                cites.append(Cite(*span, part, (ref,), self._page(part, ref), aside, pointed=pointed))
        return Named(tuple(cites), ibid)

    def _remember(self, ref: int) -> None:
        names = self._catalogue.entries[ref].names
        if names:
            self._cited[names[0].split()[-1]] = ref

    def _page(self, part: str, ref: int) -> str | None:
        page = page_at_end(part)
        if page is None:
            return None
        raw = self._catalogue.entries[ref].raw
        folded = fold(part)
        # the whole reference, and the page is its own: the range of the article, not a place in it
        return None if raw and folded.endswith(raw[-_HEAD:]) and fold(page) in raw.split() else page

    def _work(self, part: str) -> int | None:
        """Find the one work that a part of a note names."""
        folded = fold(part)
        words = folded.split()
        if not words:
            return None
        known = set(words[:_NEAR_START])
        places = [p for word in dict.fromkeys(words[:_NEAR_START]) for p in self._by_name.get(word, ())]
        places = [p for p in places if set(self._catalogue.entries[p].names[0].split()[-1:]) <= known]
        if not places:
            return self._titled_only(folded)
        scored = sorted(((self._fit(p, folded, words), p) for p in places), reverse=True)
        best = scored[0]
        if best[0] > 0 and (len(scored) == 1 or scored[1][0] < best[0]):
            return best[1]
        if best[0] > 0:
            return min(place for fit, place in scored if fit == best[0])  # the same work listed twice
        if _AGAIN.search(part):
            name = self._catalogue.entries[best[1]].names[0].split()[-1]
            return self._cited.get(name, best[1] if len(places) == 1 else None)
        short = len(words) <= _NEAR_START and bool(page_at_end(part))
        return best[1] if len(places) == 1 and short and self._bare(words, best[1]) else None

    def _fit(self, place: int, folded: str, words: Sequence[str]) -> int:
        """Weigh how much of the title of a work a part holds; 0 is none."""
        entry = self._catalogue.entries[place]
        title = _titled(entry.title) or _titled(_behind(entry.names[0], entry.raw))
        if entry.raw and entry.raw[:_HEAD] in folded:
            return 100
        if not title:
            return 0
        held = set(words)
        run = 0
        for word in title[:6]:
            if word not in held:
                break
            run += 1
        some = sum(word in held for word in title[:6])
        return run * 2 + some if run or some >= 2 else 0  # noqa: PLR2004 - two words may be chance with one, not both

    def _bare(self, words: Sequence[str], place: int) -> bool:
        """Whether a part is a name and a page and little else: `Smith, 14`."""
        surname = self._catalogue.entries[place].names[0].split()[-1]
        rest = [word for word in words if word != surname and not word.isdigit() and len(word) > 2]  # noqa: PLR2004
        return len(rest) <= 1

    def _titled_only(self, folded: str) -> int | None:
        found = [place for place, head in enumerate(self._heads) if len(head.split()) > 2 and head in folded]  # noqa: PLR2004
        return found[0] if len(found) == 1 else None


def _behind(name: str, raw: str) -> str:
    """Give the words behind a name, where the title stands when it was not read."""
    return raw.partition(name.rsplit(maxsplit=1)[-1])[2][:_HEAD]


def _titled(title: str) -> list[str]:
    return [word for word in title.split() if word not in _SMALL]


def _parts(text: str) -> list[str]:
    return [part for part in _SPLIT.split(text, maxsplit=_MAX_PARTS) if part and part.strip()]
