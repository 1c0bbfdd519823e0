"""Read markers that name a reference by its printed label: `[3, 5-7]`, `(3)`, superscripts, `[Knu84]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from citeaudit.extract.intext.body import Body, Mark, MarkKind
from citeaudit.extract.intext.catalogue import Catalogue, clean_label
from citeaudit.extract.intext.locators import page_in
from citeaudit.extract.intext.marker import Cite, Marker, Style, most
from citeaudit.text.lists import read_words

_SQUARE = re.compile(r"\[([^\[\]\n]{1,300})\]|［([^［］\n]{1,300})］|【([^【】\n]{1,300})】")
_ROUND = re.compile(r"\(([\d\s,;–—−-]{1,60})\)")
_PART = re.compile(r"\s*([^,;，；]{1,120})")
_LEAD = re.compile(
    r"^(?:(?:see(?:\salso)?|e\.\s?g\.,?|i\.e\.|cf\.?|vgl\.|siehe(?:\sauch)?|(?-i:s\.)|z\.\s?B\.|voir(?:\saussi)?|"
    r"véase|also|and|und|et|y|&|refs?\.?|参见|见)\s{1,3}){1,3}",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:see also|but see|cf\.|compare|contra|siehe auch|vgl\. auch|anders|voir aussi|véase también)", re.IGNORECASE
)
_NUMBER = re.compile(r"(\d{1,4})(?:\s?[-–—−‐]{1,2}\s?(\d{1,4}))?$")
_WITH_PLACE = re.compile(r"(\d{1,4}|[^\W\d_][\w+]{1,20})(?::|,?\s)\s?(.{1,100})$")
_PLACE = re.compile(
    r"(?:pp?|S|chaps?|ch|kap|secs?|sect|abschn|thm|theorem|lemma|prop|def|fig|tab|eq|app|vol|no|para|cap|págs?|n|Rn|nn|"
    r"example|chapter|section|page|figure|table|appendix|note|Seite|Kapitel)s?\b\.?|§|第",
    re.IGNORECASE,
)
_ALPHA = re.compile(r"[^\W\d_][\w+*.&’'-]{0,20}\d{2,4}[a-z]?$")
_OPEN = re.compile(
    r"(?:[=∈∊×·^_]|\b(?:interval|range|Intervall|intervalle|intervalo|eqs?\.?|equations?|Gl\.)"
    r"|(?<![^\W_])[^\W\d_]\s(?:in|dans|en)|\bto itself)\s{0,2}$",
    re.IGNORECASE,
)
_NOT_ROUND = re.compile(
    r"(?:(?<![^\W\d_])(?:(?:eq|eqn|equation|fig|figure|table|tab|step|case|item|type|section|condition|assumption|"
    r"inequality|formula|model|constraint)s?|Gl|Gleichung|Abb|n)|=)\.?\s{0,2}$",
    re.IGNORECASE,
)
_MAX_RANGE = 100
_MOST_EACH = 4
"""Works that a marker names, on the average of a text."""
_LEAST_NOTES = 3
_MAX_LOOK = 24
_UNITS = read_words("citeaudit.extract.intext", "units.txt")
_RAISED_TEXT = re.compile(r"\[?(\d{1,3}(?:\s?[,;–—−‐-]\s?\d{1,3}){0,30})[,\s]{0,2}\]?$")
_SUPER = re.compile(r"[⁰¹²³⁴-⁹]{1,3}(?:[⁻,˒’⸴–-]{1,2}[⁰¹²³⁴-⁹]{1,3}){0,20}")
_FROM_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒⸴", "0123456789-,,")
_BEFORE = re.compile(
    r"[^\W\d_]{3,}[’'\"”“»«)\].,;:!?]{0,3}\s?$|[)\]”“»«\"’'。，、」』][.,;:!?]{0,2}\s?$|\d{2,}[.,;:)”]{1,2}\s?$|[^\W\d_][.,;:]\s?$|[^\W\d_]{3,}\d{1,3}$"
)
_LAST_WORD = re.compile(r"[^\W_]{1,20}$")


def squares(text: str, catalogue: Catalogue) -> Iterator[Marker]:
    """Give what in square brackets reads as labels: numbers (SQUARE) or alphanumeric labels (ALPHA)."""
    left = _MOST_EACH * most(text)
    for found in islice(_SQUARE.finditer(text), most(text)):
        inner = next(group for group in found.groups() if group is not None)
        first = inner.lstrip()[:1]
        if not first.isalnum() and first != "&":
            continue
        if _OPEN.search(text, max(0, found.start() - _MAX_LOOK), found.start()):
            continue
        start = found.start() + 1
        marker = _labels(inner, start, catalogue)
        left -= len(marker)
        if left < 0:
            return  # ranges of ranges: no prose cites so much
        if marker:
            style = Style.SQUARE if all(cite.name.isdecimal() for cite in marker) else Style.ALPHA
            yield Marker(found.start(), found.end(), style, tuple(marker), _speaks(text, found.start()))


def rounds(text: str, catalogue: Catalogue) -> Iterator[Marker]:
    """Give numbers in round brackets that are not called equations, figures or the like."""
    for found in islice(_ROUND.finditer(text), most(text)):
        if not any(char.isdigit() for char in found[1]) or text[found.start() - 1 : found.start()].isalnum():
            continue
        if _NOT_ROUND.search(text, max(0, found.start() - _MAX_LOOK), found.start()):
            continue
        cites = _labels(found[1], found.start() + 1, catalogue)
        if cites and all(cite.name.isdecimal() for cite in cites):
            yield Marker(found.start(), found.end(), Style.ROUND, tuple(cites))


def raised(body: Body, catalogue: Catalogue) -> Iterator[Marker]:
    """Give superscript numbers that are no exponents, ordinals, units or isotopes."""
    noted = frozenset(note.label for note in body.notes) if not catalogue.numbered else frozenset()
    if len(noted) >= _LEAST_NOTES:
        return  # the numbers are those of notes; one that has no note is of a note that was not read
    for start, end, inner in _superscripts(body):
        if inner in noted:
            continue
        found = _RAISED_TEXT.match(inner)
        if found is None or not _carries(body.text, start, end):
            continue
        cites = [cite._replace(start=start, end=end) for cite in _labels(found[1].replace(";", ","), start, catalogue)]
        if cites:
            yield Marker(start, end, Style.RAISED, tuple(cites))


def keyed(text: str, marks: Iterable[Mark], catalogue: Catalogue) -> Iterator[Marker]:
    """Give the document's own pointers."""
    for mark in marks:
        if mark.kind is not MarkKind.CITE or not mark.keys:
            continue
        printed = text[mark.start : mark.end]
        page = mark.locator and (page_in(mark.locator) or _bare_page(mark.locator))
        cites = tuple(
            Cite(mark.start, mark.end, key, _place(key, catalogue), page if key == mark.keys[-1] else None, known=True)
            for key in mark.keys
        )
        cites = tuple(cite._replace(known=bool(cite.refs)) for cite in cites)
        if page is None and len(mark.keys) == 1:
            cites = (cites[0]._replace(page=page_in(printed)),)
        spoken = not printed.startswith(("(", "[")) and printed.endswith((")", "]")) and printed[:1].isalpha()
        yield Marker(mark.start, mark.end, Style.KEYED, cites, spoken)


def joined(text: str, markers: Sequence[Marker], catalogue: Catalogue) -> list[Marker]:
    """Read `[3]-[7]` as one range."""
    out: list[Marker] = []
    for marker in markers:
        last = out[-1] if out else None
        if last is not None and last.style is marker.style is Style.SQUARE and marker.start - last.end <= _DASH_GAP:
            between = text[last.end : marker.start].strip()
            if between in {"-", "–", "—", "−"}:
                inner = f"{last.cites[-1].name}-{marker.cites[0].name}"
                cites = tuple(_labels(inner, last.start, catalogue))
                if cites:
                    out[-1] = last._replace(end=marker.end, cites=(*last.cites[:-1], *cites, *marker.cites[1:]))
                    continue
        out.append(marker)
    return out


_DASH_GAP = 3
_NOUN = re.compile(
    r"\b(?:in|to|by|of|from|see|with|nach|laut|von|selon|dans|d[’']après|según|en|por|par|refs?\.?)\s{1,2}$",
    re.IGNORECASE,
)


def _place(key: str, catalogue: Catalogue) -> tuple[int, ...]:
    place = catalogue.keys.get(key)
    return (place,) if place is not None else catalogue.label(clean_label(key))


def _bare_page(locator: str) -> str | None:
    found = re.match(
        r"\s{0,4}((?:\d{1,5}|[ivxlc]{1,7})(?:\s?[-–—]{1,3}\s?(?:\d{1,5}|[ivxlc]{1,7}))?(?:\s?ff?)?)\.?\s{0,4}$", locator
    )
    return re.sub(r"-{2,3}", "–", found[1]) if found is not None else None


def _speaks(text: str, start: int) -> bool:
    """Whether the bracket stands where a noun would: `According to [12]`, `In [4]`."""
    return bool(_NOUN.search(text[max(0, start - _MAX_LOOK) : start]))


def _labels(inner: str, start: int, catalogue: Catalogue) -> list[Cite]:
    """Read the inside of a bracket; empty where some part of it is no label."""
    cites: list[Cite] = []
    within = False  # behind a place such as "p. 3", where "3, 7" goes on naming pages
    for part in _PART.finditer(inner):
        raw = part[1].strip()
        lead = _LEAD.match(raw)
        label = raw[lead.end() :] if lead is not None else raw
        if not label:
            continue
        at = (start + part.start(1), start + part.end(1))
        if inner[part.start() - 1 : part.start()] in {";", "；"}:
            within = False
        if cites and (_PLACE.match(label) or (within and label[:1].isdigit())):
            page = page_in(label)
            if page and not cites[-1].page:
                cites[-1] = cites[-1]._replace(page=page, end=at[1])
            within = True
            continue
        found = _one(label, at, catalogue)
        if not found:
            return []
        cites += found
        within = found[0].page is not None
        if lead is not None and _ASIDE.match(raw):
            cites[-len(found) :] = [cite._replace(aside=True) for cite in found]
    return cites


def _one(label: str, at: tuple[int, int], catalogue: Catalogue) -> list[Cite]:
    number = _NUMBER.match(label)
    if number is not None:
        return _numbers(number, at, catalogue)
    known = catalogue.label(clean_label(label))
    if known or _ALPHA.match(label):
        return [Cite(*at, clean_label(label), known, known=bool(known) or clean_label(label) in catalogue.labels)]
    placed = _WITH_PLACE.match(label)
    if placed is None or not (_PLACE.match(placed[2]) or (label[len(placed[1])] == ":" and placed[2][0].isdigit())):
        return []
    page = page_in(placed[2]) or (_bare_page(placed[2]) if label[len(placed[1])] == ":" else None)
    found = _one(placed[1], at, catalogue)
    return [cite._replace(page=page) for cite in found]


def _numbers(found: re.Match[str], at: tuple[int, int], catalogue: Catalogue) -> list[Cite]:
    first, last = int(found[1]), int(found[2] or found[1])
    if first < 1 or found[1].startswith("0") or not first <= last <= first + _MAX_RANGE:
        return []
    return [
        Cite(*at, str(value), catalogue.number(value), known=value <= catalogue.highest)
        for value in range(first, last + 1)
    ]


def _superscripts(body: Body) -> Iterator[tuple[int, int, str]]:
    noted = {mark.start for mark in body.marks if mark.kind in {MarkKind.NOTE, MarkKind.CITE}}
    end = -1
    spans: list[tuple[int, int]] = []
    for mark in body.marks:
        if mark.kind is not MarkKind.RAISED or mark.start in noted:
            continue
        if spans and mark.start <= end:  # "3", "," and "5" raised one by one
            spans[-1] = (spans[-1][0], max(end, mark.end))
        else:
            spans.append((mark.start, mark.end))
        end = spans[-1][1]
    for start, stop in spans:
        yield start, stop, body.text[start:stop].strip().translate(_FROM_SUPER)
    taken = frozenset(start for start, _ in spans) | noted
    for found in islice(_SUPER.finditer(body.text), most(body.text)):
        if found.start() not in taken:
            yield found.start(), found.end(), found[0].translate(_FROM_SUPER)


def _carries(text: str, start: int, end: int) -> bool:
    """Whether what stands before a raised number is a word or punctuation, and nothing hangs on it behind."""
    after = text[end : end + 1]
    if after.isalnum() or (text[max(0, start - 1) : start].isspace() and after.isalpha()):
        return False
    before = text[max(0, start - _MAX_LOOK) : start]
    if not _BEFORE.search(before):
        return False
    word = _LAST_WORD.search(before)
    return word is None or word[0] not in _UNITS
