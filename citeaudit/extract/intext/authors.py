"""Read markers that name a reference by its authors: `(Smith, 2020, p. 14)`, `Smith (2020)`, `(Smith 14)`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from citeaudit.extract.intext.catalogue import Asked, Catalogue
from citeaudit.extract.intext.locators import page_after_year, page_alone
from citeaudit.extract.intext.marker import Cite, Marker, Style, most
from citeaudit.text.lists import read_words
from citeaudit.text.names import PARTICLES, is_group

_GROUP = re.compile(
    r"\(([^()]{1,1500}(?:\([^()]{1,80}\)[^()]{0,400})?)\)|（([^（）()]{1,600})[）)]|\[([^\[\]]{4,600})\]"
)
_YEAR = re.compile(
    r"(?<![\w./–—-])(?P<old>\d{4}\s?/\s?)?(?P<year>(?:1[4-9]|20)\d\d)(?P<letters>[a-z](?:\s?[,/&–-]\s?[a-z](?![\w.]))*)?"
    r"(?![\w/]|\s?[-–—]\s?\d)"
    r"|(?<![\w.])(?P<words>n\.\s?d\.|o\.\s?J\.|s\.\s?f\.|s\.\s?d\.|in press|forthcoming|im Druck|im Erscheinen|"
    r"in preparation|submitted|à paraître|en prensa)(?!\w)"
)
_TOKEN = re.compile(r"[^\W\d_](?:[\w.]|['’\-‐](?=\w))*['’]?|[&,/;:＆、，()（）\[\]“”\"]|[\d]+|\.")
_CONNECT = frozenset(
    {"&", "＆", "and", "und", "et", "y", "e", "og", "och", "en", "/", ",", "i", "with", "mit", "、", "，", ";"}
)
_MANY = read_words("citeaudit.extract.intext", "many.txt")
_PAIRED = frozenset({"et", "and", "und", "y", "u.", "u", "&", "e"})
_HAN = re.compile(r"[\u3400-\u9fff·]{2,20}$")
_HAN_MANY = re.compile(r"\s?(?:等人?|et\s?al\.?)\s?[,，]?\s?$")
_SHORT_NAME = re.compile(r"\s?(?:\[[A-Z][\w-]{1,11}\]|\([A-Z][\w-]{1,11}\))$")
_POSSESSIVE = re.compile(r"['’]s?$")
_ASIDE = re.compile(
    r"\b(?:see also|but see|cf\.|compare|contra|siehe auch|vgl\. auch|anders|voir aussi|véase también|pace)",
    re.IGNORECASE,
)
_NEVER = read_words("citeaudit.extract.intext", "not_names.txt")
_SECOND_HAND = re.compile(
    r"\b(?:cited (?:in|by|from)|quoted in|zit\.|zitiert|citado (?:en|por)|cité (?:par|dans))", re.IGNORECASE
)
_OTHER_WORD = re.compile(
    r"(?<![^\W_])(?!(?:and|und|et|as|well|see|also|siehe|auch|sowie|voir|aussi|pp|ff|esp|bes|insb|chap|Kap|ed|rev|orig|"
    r"reprinted|y|e)\b)[^\W\d_]{2,}"
)
"""A word between two years that shows the second not to be of the same authors."""
_INITIALS = 2
_INSIDE = frozenset({"of", "for", "the", "für", "pour", "on", "para"})
"""Small words inside the names of bodies."""
_WINDOW = 220
_NEAR = 80
"""Characters that hold the names of most markers; where they reach to its edge, more is looked at."""
_EDGE = 20
_MOST_NAMES = 12
_BARE_GAP = 2
_PAGED = re.compile(r"^(?P<names>[^\d;]{2,80}?),?\s(?P<page>\d{1,4}(?:\s?[-–—]\s?\d{1,4})?)$")


class Called(NamedTuple):
    """The names in front of a year."""

    names: tuple[str, ...]
    truncated: bool
    start: int
    """Where the first of them starts."""
    starts: tuple[int, ...]
    listed: bool = False
    """Written as in a list, initials last: `Range F, Virányi Z (2015)`, which is how an article cites itself."""


class _Year(NamedTuple):
    start: int
    end: int
    year: int | None
    letters: tuple[str, ...]
    old: bool


def authored(text: str, catalogue: Catalogue) -> Iterator[Marker]:
    """Give what names authors and a year, in brackets or out of them, in order."""
    groups = [(found.start(), found.end()) for found in islice(_GROUP.finditer(text), most(text))]
    starts = [start for start, _ in groups]
    years: dict[int, list[_Year]] = {}
    bare: list[_Year] = []
    for found in islice(_YEAR.finditer(text), most(text)):
        at = bisect_right(starts, found.start()) - 1
        if at >= 0 and found.end() < groups[at][1]:
            years.setdefault(at, []).append(_year(found))
        elif not found["words"]:
            bare.append(_year(found))
    for at, inside in sorted(years.items()):
        marker = _group(text, groups[at], inside, catalogue)
        if marker is not None:
            yield marker
    for year in bare:
        marker = _unbracketed(text, year, catalogue)
        if marker is not None:
            yield marker


def paged(text: str, catalogue: Catalogue) -> Iterator[Marker]:
    """Give `(Smith 14)`: a name that the list holds once, and a page."""
    for found in islice(_GROUP.finditer(text), most(text)):
        inner = found[1]
        if inner is None or len(inner) > _WINDOW or not inner[-1].isdigit():
            continue
        cites: list[Cite] = []
        for part in inner.split(";"):
            split = _PAGED.match(part.strip())
            called = called_before(split["names"], 0, len(split["names"])) if split is not None else None
            places = catalogue.people(called.names) if called is not None else []
            if split is None or not places:
                cites = []
                break
            refs = tuple(places) if len(places) == 1 else ()
            cites.append(Cite(found.start(1), found.end(1), part.strip(), refs, split["page"]))
        if cites:
            yield Marker(found.start(), found.end(), Style.PAGED, tuple(cites))


def called_before(text: str, low: int, high: int) -> Called | None:
    """Read the names that end at `high`, looking back no further than `low`."""
    low = max(low, high - _WINDOW)
    near = max(low, high - _NEAR)
    called = _called(text, near, high)
    if near == low or called is None or called.start - near > _EDGE:
        return called
    return _called(text, low, high)


def _called(text: str, low: int, high: int) -> Called | None:
    low = max(low, text.rfind("\n\n", low, high) + 1)
    window = _SHORT_NAME.sub("", text[low:high].rstrip(" ,，\u00a0~(（[:"))
    han_many = _HAN_MANY.search(window)
    han = _HAN.search(window[: han_many.start()] if han_many is not None else window)
    if han is not None:
        pieces = tuple(re.split(r"[、和与]", han[0]))
        start = low + han.start()
        return Called(pieces, han_many is not None, start, (start,) * len(pieces))
    return _walk([*_TOKEN.finditer(window)], low)


def _year(found: re.Match[str]) -> _Year:
    letters = tuple(_spread(found["letters"] or ""))
    return _Year(found.start(), found.end(), int(found["year"]) if found["year"] else None, letters, bool(found["old"]))


def _spread(letters: str) -> list[str]:
    """Give each letter of `a`, `a,b`, `a-c`."""
    if re.search(r"[–-]", letters):
        first, last = letters[0], letters[-1]
        return [chr(code) for code in range(ord(first), ord(last) + 1)] if first < last else [first]
    return re.findall(r"[a-z]", letters)


def _walk(tokens: Sequence[re.Match[str]], low: int) -> Called | None:
    """Go back over names and what joins them."""
    names: list[list[str]] = []
    starts: list[int] = []
    truncated, fresh, place = False, True, len(tokens) - 1
    while place >= 0 and len(names) <= _MOST_NAMES:
        word = tokens[place][0]
        if word.lower() in _MANY and place and tokens[place - 1][0].lower() in _PAIRED and not names:
            truncated, place = True, place - 2
            continue
        if word in _CONNECT:
            fresh, place = True, place - 1
            continue
        kind = _kind(word, started=not fresh)
        if not kind or (kind == "part" and fresh):
            break
        if fresh:
            names.insert(0, [])
            starts.insert(0, 0)
        names[0].insert(0, _POSSESSIVE.sub("", word))
        starts[0], fresh = low + tokens[place].start(), False
        place -= 1
    names = [_without_article(words) for words in names]
    bare = [_without_initials(words) for words in names]
    return Called(tuple(map(" ".join, bare)), truncated, starts[0], tuple(starts), bare != names) if names else None


def _without_initials(words: list[str]) -> list[str]:
    """Drop initials behind a family name: `Virányi Z (2015)`."""
    kept = len(words)
    while kept > 1 and words[kept - 1].isupper() and len(words[kept - 1].replace(".", "")) <= _INITIALS:
        kept -= 1
    return words[:kept] if len(words[0]) > _INITIALS else words


def _without_article(words: list[str]) -> list[str]:
    """Drop the small words that the name of a body may hold inside, where they stand before it."""
    while len(words) > 1 and words[0] in _INSIDE:
        words = words[1:]
    return words


def _kind(word: str, *, started: bool) -> str:
    """Tell a name from a particle (or a small word inside the name of a body) and from anything else."""
    if word[0].isupper():
        return "name"
    if word.lower() in PARTICLES or (started and word in _INSIDE):
        return "part" if not started else "name"
    return ""


def _group(text: str, span: tuple[int, int], years: Sequence[_Year], catalogue: Catalogue) -> Marker | None:
    """Read one bracket that holds years."""
    cites: list[Cite] = []
    low, called, begin, spoken = span[0] + 1, None, span[0], False
    for place, year in enumerate(years):
        own = called_before(text, low, year.start)
        blank = not _OTHER_WORD.search(text, low, year.start)
        if own is None and place == 0 and text[span[0] + 1 : year.start].strip(" =[") in {"", "orig."}:
            own = called_before(text, max(0, span[0] - _WINDOW), span[0])
            spoken = own is not None
        elif own is None and not (called is not None and blank):
            low = year.end
            continue
        called = own or called
        if called is None:
            break
        limit = years[place + 1].start if place + 1 < len(years) else span[1] - 1
        tail = text[year.end : limit].partition(";")[0]
        found, used = _cites(text, (low, year, tail), called, catalogue)
        if spoken and place == 0 and used:
            begin = called.starts[-used]
        elif spoken and place == 0:
            begin = called.starts[-1]
        aside = bool(_ASIDE.search(text[low : year.start]))
        cites += [cite._replace(aside=aside) for cite in found]
        low = year.end
    return Marker(begin, span[1], Style.AUTHORS, tuple(cites), spoken) if cites else None


def _cites(text: str, where: tuple[int, _Year, str], called: Called, catalogue: Catalogue) -> tuple[list[Cite], int]:
    """Ask for one year, once a letter; gives also how many of the names were used."""
    low, year, tail = where
    page = page_after_year(tail)
    out, used = [], 0
    for letter in year.letters or (None,):
        answer = catalogue.ask(Asked(called.names, year.year, letter, called.truncated))
        if not answer.refs and called.names[-1].split()[-1].lower() in _NEVER:
            continue  # "(April, 1961)"
        used = max(used, answer.used)
        known = bool(answer.refs) or answer.known or not _plain(called, text[low : year.end] + tail)
        names = _shown(called, used)
        shown = f"{names} {year.year or text[year.start : year.end]}{letter or ''}"
        out.append(Cite(year.start, year.end, shown, answer.refs, page, known=known))
    return out, used


def _shown(called: Called, used: int) -> str:
    names = (
        called.names[-used:] if used else tuple(name.split()[-1] if called.truncated else name for name in called.names)
    )
    more = " et al." if called.truncated else ""
    return (" & ".join(names) if len(names) == 2 else names[0]) + more  # noqa: PLR2004 - a pair


def _plain(called: Called, around: str) -> bool:
    """Whether the names are those of persons beyond doubt, so that their absence means something."""
    if called.listed or _SECOND_HAND.search(around) or len(called.names) > 3:  # noqa: PLR2004 - more names are rarely written out
        return False
    for name in called.names:
        words = name.split()
        sound = [word for word in words if word.lower() not in PARTICLES]
        least = len(called.names) > 1 or called.truncated  # "So Miller et al." is a person, "Springer Nature" is not
        if not 1 <= len(sound) <= 1 + least or sound[-1].isupper() or sound[-1].lower() in _NEVER or is_group(name):
            return False
    return True


def _unbracketed(text: str, year: _Year, catalogue: Catalogue) -> Marker | None:
    """Read `Smith 2020` and `Smith 2020: 14` where the list holds just that."""
    called = called_before(text, max(0, year.start - _WINDOW), year.start)
    if called is None or year.year is None:
        return None
    gap = text[max(0, year.start - _BARE_GAP) : year.start]
    if gap.strip(" ,") and not gap[0].isalnum() and "." not in gap:
        return None
    tail = re.split(r"[;()\n]", text[year.end : year.end + 40], maxsplit=1)[0]
    cites, used = _cites(text, (year.start, year, tail), called, catalogue)
    if not used or not all(cite.refs for cite in cites):
        return None
    return Marker(called.starts[-used], year.end, Style.AUTHORS, tuple(cites), spoken=True)


def back_page(inner: str) -> str | None:
    """Give the page where a bracket holds nothing else."""
    return page_alone(inner)
