"""Find references by what the text calls them: label, key, names and year, title."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.model import Person, Reference
from citeaudit.text.names import PARTICLES
from citeaudit.text.normalize import fold

_YEAR = re.compile(r"(?<!\d)(?:1[4-9]|20)\d\d(?!\d)")
_LABEL = re.compile(r"^[\[({\s]{0,4}(.{1,40}?)[\])}.:\s]{0,4}$")
_PRINTED = re.compile(r"^\s{0,4}(?:\[[^\[\]]{1,30}\]|\(\d{1,4}\)|\d{1,4}[.)])\s{1,8}")
_HEAD = 240
_RAW = 1_500
"""Characters of a printed reference that are compared."""
_SMALL = frozenset({"of", "the", "and", "for", "on", "in", "de", "la", "des", "du", "für", "und", "der", "die", "el"})
_SEVERAL = 2
_LEAST_TITLE = 2
"""Words by which a work may be called instead of its authors."""


_LEAST_NEAR = 4
"""Letters from which names are compared in part."""


class Entry(NamedTuple):
    """What is compared of one reference; all text folded."""

    names: tuple[str, ...]
    """Family names, or the whole name of a body, in order; of the editors where there are no authors."""
    printed: tuple[str, ...]
    """Names as printed, for scripts without spaces."""
    acronyms: frozenset[str]
    year: int | None
    original: int | None
    years: frozenset[int]
    """All years in the printed reference."""
    suffix: str | None
    title: str
    raw: str
    truncated: bool


class Asked(NamedTuple):
    """Names and year as a marker gives them; `names` as printed."""

    names: tuple[str, ...]
    year: int | None
    suffix: str | None = None
    truncated: bool = False
    """`et al.`"""


class Answer(NamedTuple):
    """What the list says to it."""

    refs: tuple[int, ...] = ()
    known: bool = True
    used: int = 0
    """How many of the names, from the right, belong to it."""


def clean_label(label: str) -> str:
    """Give a printed label without brackets and spaces."""
    found = _LABEL.match(label.strip())
    return re.sub(r"\s", "", found[1] if found is not None else label)


def _bare(name: str) -> str:
    """Drop leading particles of a folded name."""
    words = name.split()
    while len(words) > 1 and words[0] in PARTICLES:
        words = words[1:]
    return " ".join(words)


def _name(person: Person) -> str:
    return fold(person.literal or person.family or "")


def _printed(person: Person) -> str:
    return re.sub(r"\s", "", person.literal or f"{person.family or ''}{person.given or ''}")


def _acronyms(person: Person, raw: str) -> frozenset[str]:
    text = person.literal or ""
    found = {match[1].lower() for match in re.finditer(r"[(\[]([A-Z]{2,8})[)\]]", text + " " + raw[:120])}
    words = [word for word in re.findall(r"[^\W\d_]+", text) if word.lower() not in _SMALL]
    if len(words) >= _SEVERAL:
        found.add("".join(word[0] for word in words).lower())
    return frozenset(found)


def _entry(reference: Reference) -> Entry:
    people = reference.authors or reference.editors
    raw = _PRINTED.sub("", reference.raw[:_RAW])
    return Entry(
        names=tuple(name for name in map(_name, people) if name),
        printed=tuple(_printed(person) for person in people if not _printed(person).isascii()),
        acronyms=_acronyms(people[0], raw) if people else frozenset(),
        year=reference.year,
        original=reference.original_year,
        years=frozenset(map(int, _YEAR.findall(reference.raw[:_RAW]))),
        suffix=reference.year_suffix,
        title=fold(reference.title[:_HEAD]) if reference.title else "",
        raw=fold(raw),
        truncated=reference.authors_truncated,
    )


def _same(name: str, family: str) -> bool:
    """Whether a folded name as called ends in a family name; particles may be left out on either side."""
    if not name or not family:
        return False
    if name == family or name.endswith(f" {family}"):
        return True
    bare, own = _bare(name), _bare(family)
    return bare == own or bare.endswith(f" {own}") or own.split()[0] == bare


class Catalogue:
    """The list of references, ready to be asked."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self.entries = tuple(map(_entry, references))
        self.loci = tuple(reference.locus for reference in references)
        self.keys: dict[str, int] = {}
        self.labels: dict[str, list[int]] = defaultdict(list)
        self._years: dict[int | None, list[int]] = defaultdict(list)
        for place, reference in enumerate(references):
            if reference.locus.citekey:
                self.keys.setdefault(reference.locus.citekey, place)
            if reference.locus.label:
                self.labels[clean_label(reference.locus.label)].append(place)
            entry = self.entries[place]
            for year in {entry.year, *entry.years} | ({entry.original} if entry.original else set()):
                self._years[year].append(place)
        self.titles = frozenset(entry.title for entry in self.entries if entry.title)
        self._families: dict[str, list[int]] = defaultdict(list)
        for place, entry in enumerate(self.entries):
            if entry.names:
                self._families[entry.names[0]].append(place)
                if _bare(entry.names[0]) != entry.names[0]:
                    self._families[_bare(entry.names[0])].append(place)
        self.poor = sum(
            (not entry.names or (entry.year is None and not reference.status))
            and not (reference.locus.label or reference.locus.citekey)
            for entry, reference in zip(self.entries, references, strict=True)
        )
        cut = bool(self.poor) and any(locus.page for locus in self.loci)
        self._doubtful = frozenset(
            word for entry in self.entries if cut or not entry.names or entry.year is None for word in entry.raw.split()
        )
        """Words of the references whose year may stand elsewhere: of all, where a list from a PDF was cut wrongly."""
        numbers = [int(label) for label in self.labels if label.isdecimal()]
        self.highest = max(numbers, default=0)
        self.numbered = sum(len(self.labels[str(number)]) for number in numbers if str(number) in self.labels)
        self.named = sum(len(places) for label, places in self.labels.items() if not label.isdecimal())
        self.several = any(len(places) > 1 for places in self.labels.values())
        if not self.labels:
            self.highest = len(self.entries)

    def number(self, value: int) -> tuple[int, ...]:
        """Give the reference with a printed number; without any labels, the one at that place."""
        if not self.labels:
            return (value - 1,) if 1 <= value <= len(self.entries) else ()
        return self.label(str(value))

    def label(self, label: str, page: int | None = None) -> tuple[int, ...]:
        """Give the reference with a printed label; of several lists, the first that ends behind the given page."""
        places = self.labels.get(label, [])
        if len(places) <= 1:
            return tuple(places)
        if page is None:
            return ()
        behind = [place for place in places if (self.loci[place].page or 0) >= page]
        return (behind[0],) if behind else ()

    def ask(self, asked: Asked) -> Answer:
        """Find the reference that names and year mean.

        Returns:
            One reference; none but `known` where several answer, or where the printed list holds the name with the
            year in a way that was not read; neither where nothing comes near.
        """
        names = [fold(name) for name in asked.names]
        for skip in range(len(names)):
            places = self._matching(names[skip:], asked, asked.names[skip:])
            if places:
                chosen = self._narrowed(places, names[skip:], asked)
                return Answer(tuple(chosen) if len(chosen) == 1 else (), used=len(names) - skip)
        return Answer(known=asked.year is None or self._mentioned(names, asked.year))

    def family(self, name: str) -> list[int]:
        """Give the references whose first author has a name, as printed."""
        folded = fold(name)
        found = self._families.get(folded) or self._families.get(_bare(folded))
        if found:
            return found
        words = folded.split()
        return self._families.get(words[-1], []) if words else []

    def people(self, names: Sequence[str]) -> list[int]:
        """Give the references of one or more authors, named in their order, as printed."""
        for skip in range(len(names)):
            places = self.family(names[skip])
            if len(names) > skip + 1:
                places = [place for place in places if self._follows(place, fold(names[skip + 1]))]
            if places:
                return places
        return []

    def _matching(self, names: Sequence[str], asked: Asked, printed: Sequence[str]) -> list[int]:
        first = names[0]
        if not first:
            return []
        years = self._years.get(asked.year, [])
        sure = [place for place in years if self._leads(place, first, printed[0])]
        if len(names) > 1:
            sure = [place for place in sure if self._follows(place, names[1])]
        if sure:
            exact = [p for p in sure if asked.year in {self.entries[p].year, self.entries[p].original or -1}]
            return exact or sure
        start = f"{first} "
        found = [place for place in years if self.entries[place].raw.startswith(start)]
        if not found and len(first.split()) >= _LEAST_TITLE:
            found = [place for place in years if self.entries[place].title.startswith(first)]
        return found if len(names) == 1 or len(found) == 1 else []

    def _leads(self, place: int, name: str, printed: str) -> bool:
        entry = self.entries[place]
        if (
            entry.printed
            and not printed.isascii()
            and any(each and printed.endswith(each) for each in entry.printed[:1])
        ):
            return True
        return (bool(entry.names) and _same(name, entry.names[0])) or name in entry.acronyms

    def _follows(self, place: int, second: str) -> bool:
        names = self.entries[place].names
        if len(names) == 1 and not self.entries[place].truncated:
            return second in self.entries[place].acronyms or second in names[0].split()  # Ramón y Cajal
        return any(_same(second, name) for name in names[1:]) or f" {second} " in self.entries[place].raw[:_HEAD]

    def _narrowed(self, places: list[int], names: Sequence[str], asked: Asked) -> list[int]:
        chosen = places
        if asked.suffix:
            written = f"{asked.year}{asked.suffix}"
            own = [p for p in chosen if self.entries[p].suffix == asked.suffix]
            own = own or [p for p in chosen if written in self.entries[p].raw.split()]
            others = [p for p in chosen if self.entries[p].suffix is None]
            chosen = own or others
        if len(chosen) > 1:
            count = len(names)
            fitting = [p for p in chosen if self._counts(p, count, truncated=asked.truncated)]
            chosen = fitting or chosen
        return chosen

    def _counts(self, place: int, count: int, *, truncated: bool) -> bool:
        entry = self.entries[place]
        if truncated:
            return entry.truncated or len(entry.names) > _SEVERAL
        return len(entry.names) == count and not entry.truncated

    def _mentioned(self, names: Sequence[str], year: int | None) -> bool:
        """Whether some printed reference holds one of the names and the year, or a name much like it."""
        asked = [word for name in names for word in name.split()[-1:]]
        for place in self._years.get(year, []):
            raw = self.entries[place].raw
            words = frozenset(raw.split())
            if any(word in words or _near(word, words) for word in asked):
                return True
            if any(len(word) > _LEAST_NEAR and word in raw.replace(" ", "") for word in asked):
                return True  # "Erd ős": cut where an accent was set apart
        return any(word in self._doubtful for word in asked)


def _near(word: str, words: frozenset[str]) -> bool:
    """Whether a word of the same start or the same end is there: a slip of the pen or of the reading."""
    if len(word) < _LEAST_NEAR:
        return False
    half = max(_LEAST_NEAR, (len(word) + 1) // 2)
    start, end = word[:half], word[-half:] if len(word) > _LEAST_NEAR else word
    return any(other.startswith(start) or other.endswith(end) for other in words)
