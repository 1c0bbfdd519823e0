"""Take the name of a venue apart: its head, the words that tell it from others, its kind, its known short forms."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from citeaudit.text.lists import read_rows, read_words
from citeaudit.text.normalize import fold

MAX_VENUE = 400
_STOP = read_words("citeaudit.match", "venue_stop.txt")
_FRAME = read_words("citeaudit.match", "venue_frame.txt")
LETTERS = frozenset("clx")
"""Roman numbers that stand for a section as a last letter: `Physical Review C`, `Physical Review X`."""
_SECTION = re.compile(r"[,:(\s]\s{0,3}(?:(?:series|section|ser\.?|sect?\.?)\s{1,3}([A-H])\b|([A-HX])$)", re.IGNORECASE)
_SECTIONS = frozenset({"sec", "sect", "section", "ser", "series"})
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th)?|[ivxlc]+")
_CUT = re.compile(r"[,:;(\[{]|\s[-–—]\s")
_MAX_CUTS = 8
_YEAR = re.compile(r"['’]?\d{2,4}")
_EDITORS = re.compile(r"\b(?:editors?|eds?)\b\.?,?\s")
_LAW = re.compile(r"(?<=[\w.]\s)L\.?\s?(?=(?:Rev|J|Q)\b)")
"""The law in the name of a law review: `Harv. L. Rev.`, `Yale L.J.`."""
_SISTER = re.compile(r":\s{0,3}([^,:;()\[\]{}]{3,80})$")
_SUBTITLE_WORDS = 5
"""Most words by which a journal is told from its elder sister; more are a subtitle."""
_CAPITALS = re.compile(r"\b[A-Z][A-Za-z]?[A-Za-z]?[A-Z]{1,3}[A-Za-z]{0,6}\b")
_ACRONYM = re.compile(r"[A-Z][A-Za-z]{0,9}[A-Z][A-Za-z]{0,6}")
_JOURNAL = frozenset({"journal", "j", "transactions", "trans", "annals", "acta", "bulletin", "magazine", "letters"})
_MEETING = frozenset(
    {"conference", "conf", "symposium", "symp", "meeting", "workshop", "workshops", "congress", "proceedings"}
)
MARKS = _JOURNAL | _MEETING | read_words("citeaudit.match", "venue_marks.txt")
"""Words that only names of venues have."""
_HOUSES = frozenset({"inc", "llc", "ltd", "press", "publisher", "publishers", "publishing"}) | frozenset(
    {"universitat", "universite", "university", "verlag"}
)
_PUBLISHERS = _HOUSES | {"acm", "curran", "elsevier", "ieee", "springer", "wiley"}
_PART = re.compile(
    r"\b(?:workshops?|findings|tutorials?|tutorial abstracts|companion|adjunct|demos?|demonstrations?"
    r"|student research|student abstract|industry track|industrial track|doctoral consortium|shared task"
    r"|late breaking|extended abstracts)\b"
)


class Venue(NamedTuple):
    """A name taken apart; all words folded."""

    text: str
    """The whole name."""
    content: tuple[str, ...]
    """Words of the head without small words and numbers; a last letter stays, as in `Physical Review A`."""
    core: tuple[str, ...]
    """Those of `content` that few venues share."""
    forms: frozenset[str]
    """Known short forms that it names or spells out."""
    acronyms: frozenset[str]
    """Words printed in capitals."""
    kind: str
    """`journal`, `meeting`, or empty where nothing tells."""
    part: bool
    """Whether it is a workshop or a track beside the main programme."""

    @property
    def telling(self) -> bool:
        """Whether any word tells it from others: `Proceedings of the` has none, nor has a publisher or a university."""
        words, acronyms = set(self.text.split()), self.acronyms - _PUBLISHERS
        if self.forms:
            return True
        if words & MARKS or not words & _PUBLISHERS:
            return bool(self.core or acronyms)
        return bool(acronyms) and not words & _HOUSES


class _Phrase(NamedTuple):
    """A short form and the words that it stands for."""

    short: str
    words: tuple[str, ...]


@cache
def _phrases() -> dict[str, tuple[_Phrase, ...]]:
    """Give the phrases by their first word."""
    found: dict[str, list[_Phrase]] = {}
    for short, meaning in read_rows("citeaudit.match", "venues.tsv"):
        words = words_of(meaning)
        found.setdefault(words[0], []).append(_Phrase(short, words))
    return {first: tuple(phrases) for first, phrases in found.items()}


@cache
def _aliases() -> dict[str, str]:
    return {alias: name for alias, name in read_rows("citeaudit.match", "venue_aliases.tsv")}  # noqa: C416 - rows are pairs


@cache
def _shorts() -> tuple[frozenset[str], frozenset[str]]:
    """Give the short forms of one word, and those of several."""
    every = read_words("citeaudit.match", "venues.tsv")
    return frozenset(short for short in every if " " not in short), frozenset(short for short in every if " " in short)


def words_of(name: str) -> tuple[str, ...]:
    """Give the folded words that tell venues apart, without small words and numbers.

    >>> words_of("Proceedings of the 30th Conference on Learning Theory"), words_of("Physical Review A")
    (('proceedings', 'conference', 'learning', 'theory'), ('physical', 'review', 'a'))
    """
    words = fold(name[:MAX_VENUE]).split()
    kept = [word for word in words[:-1] if word not in _STOP]
    last = [word for word in words[-1:] if word not in _STOP or len(word) == 1]
    told = [word for word in kept if not _NUMBER.fullmatch(word)]
    return (*told, *(word for word in last if word in LETTERS or not _NUMBER.fullmatch(word)))


def core_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """Give the words that are no mere frame (`journal`, `international conference`)."""
    return tuple(word for word in words if word not in _FRAME)


def shortens(one: str, two: str) -> bool:
    """Whether one word is the beginning of the other or its contraction: `natl` for `national`.

    >>> shortens("natl", "national"), shortens("phys", "physical"), shortens("physics", "physical")
    (True, True, False)
    """
    short, long = sorted((one, two), key=len)
    if long.startswith(short):
        return True
    letters = iter(long)
    return len(short) > 2 and short[0] == long[0] and short[-1] != "s" and all(letter in letters for letter in short)  # noqa: PLR2004


def section_of(content: tuple[str, ...]) -> str:
    """Give the letter of a named section; empty where none is named.

    >>> section_of(("acta", "crystallographica", "section", "a"))
    'a'
    """
    for word, letter in pairwise(content):
        if word in _SECTIONS and len(letter) == 1:
            return letter
    return ""


def unlettered(core: tuple[str, ...], letter: str) -> tuple[str, ...]:
    """Leave out the letter of a section, and the word for one.

    >>> unlettered(("acta", "crystallographica", "section", "a"), "a")
    ('acta', 'crystallographica')
    """
    return tuple(word for word in core if word != letter and word not in _SECTIONS) or core


@lru_cache(maxsize=16_384)
def parse(name: str) -> Venue:
    """Take a name apart.

    >>> venue = parse("Proceedings of the 37th International Conference on Machine Learning, ICML 2020, Virtual")
    >>> venue.core, sorted(venue.forms), venue.kind
    (('machine', 'learning'), ['icml'], 'meeting')
    """
    name = _LAW.sub("Law ", _EDITORS.split(name[:MAX_VENUE])[-1])
    name = _aliases().get(fold(name)) or _aliases().get(" ".join(words_of(name)), name)
    text = fold(name)
    content = words_of(_head(name))
    words = set(text.split())
    kinds = {kind for kind, marks in (("journal", _JOURNAL), ("meeting", _MEETING)) if words & marks}
    acronyms = frozenset(fold(short) for short in _CAPITALS.findall(name)) - _FRAME
    return Venue(
        text=text,
        content=content,
        core=core_of(content),
        forms=_forms(name, text, words),
        acronyms=acronyms,
        kind=kinds.pop() if len(kinds) == 1 else "",
        part=_PART.search(text) is not None,
    )


def known_forms(name: str) -> frozenset[str]:
    """Give the known short forms of a name, in small letters; empty where none is known.

    >>> sorted(known_forms("Advances in Neural Information Processing Systems 33")), sorted(known_forms("Nature"))
    (['neurips'], [])
    """
    return parse(name).forms


def _head(name: str) -> str:
    """Cut what follows the name proper: an acronym in brackets, the place, the dates; a list of places goes as well.

    `2018 IEEE Conference on X, CVPR 2018, Salt Lake City` -> `2018 IEEE Conference on X`.
    """
    for cut in islice(_CUT.finditer(name), _MAX_CUTS):
        head = name[: cut.start()]
        if _is_sister(head, name[cut.start() :]):
            return name
        if core_of(words_of(head)) and not _ACRONYM.fullmatch(_YEAR.sub("", head).strip()):
            section = _SECTION.match(name, cut.start())
            if section is None:
                return head
            return f"{head} Series {section.group(1)}" if section.group(1) else f"{head} {section.group(2)}"
    return name


def _is_sister(head: str, rest: str) -> bool:
    """Whether what follows a colon after one word names another journal: `Circulation: Heart Failure`; no subtitle."""
    hit = _SISTER.match(rest)
    if hit is None or len(head.split()) != 1:
        return False
    words = words_of(hit.group(1))
    return 0 < len(words) <= _SUBTITLE_WORDS and not MARKS & set(words)


def _forms(name: str, text: str, words: set[str]) -> frozenset[str]:
    """Find the short forms that stand in a name, and those whose long form does; a longer one hides what it holds."""
    plain = words_of(name)
    spelt = [
        (phrase, start, start + len(phrase.words))
        for start, word in enumerate(plain)
        for phrase in _phrases().get(word, ())
        if plain[start : start + len(phrase.words)] == phrase.words
    ]
    told = {
        phrase.short
        for phrase, start, end in spelt
        if not any(one <= start and end <= two and two - one > end - start for _, one, two in spelt)
    }
    single, several = _shorts()
    shorts = (words & single) | {short for short in several if f" {short} " in f" {text} "}
    return frozenset(map(_main, shorts | told))


def _main(short: str) -> str:
    return {"nips": "neurips", "thewebconf": "www", "pvldb": "vldb"}.get(short, short)
