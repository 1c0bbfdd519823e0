"""Questions to an index, drawn from its records: clean ones, and damaged ones in two halves.

`dev` may be looked at while the engine is tuned; of `held` only totals are ever printed. Works of one are never in the
other (by a hash of the title), and the seeds differ.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import index_noise as noise
import index_records as records
import orjson

from citeaudit.index.store.record import Malformed, Name, Record
from citeaudit.index.store.tidy import tidy
from citeaudit.index.store.works import person
from citeaudit.model import Lookup, Query, QueryKind
from citeaudit.text.normalize import fold, key

HALVES = ("dev", "held")
FEW_FAMILIES = ((1, 0.3), (3, 0.2))
"""Of longer lists this share names only so many authors, as `et al.` and numbered styles do; the rest names all."""

YEAR_OFF, YEAR_LOST = 0.07, 0.03
"""Shares of references with a year beside the record's (preprint and journal), and without one that could be read."""

POOL = 20_000
"""Content words of other titles from which changed words are taken."""


class Source(NamedTuple):
    """A record from which questions are made."""

    title: str
    families: tuple[str, ...]
    year: int | None
    doi: str | None
    arxiv_id: str | None
    venue: str | None
    volume: str | None = None
    page: str | None = None
    """The first one."""

    @property
    def surnames(self) -> frozenset[str]:
        """Folded words of its surnames, initials left out."""
        return _words(self.families)


class Asked(NamedTuple):
    """A question, and where it comes from."""

    kind: str
    """A kind of `index_noise.KINDS`, or `title`, `identifier`, `raw`."""
    query: Query
    source: Source


class Drawn(NamedTuple):
    """What questions are made from."""

    halves: dict[str, list[Source]]
    """By half; in the order of a seeded shuffle."""
    pool: list[str]
    hopeless: int
    """Records without a surname of two letters: no question about them can be a hit. They are left out."""
    seen: int
    """Records looked at."""


def draw(real: Path, most: int = 20_000) -> Drawn:
    """Draw works of the core (`index_records.in_core`), so that each collection holds them.

    Args:
        real: The real records.
        most: Works to keep of each half.
    """
    halves: dict[str, list[Source]] = {half: [] for half in HALVES}
    pool: list[str] = []
    hopeless = seen = 0
    for line in records.lines(real):
        row = orjson.loads(line)
        number = records.split(row["title"])
        if number % records.CORE:
            pool += _content(row["title"]) if not number % 11 else ()
            continue
        seen += 1
        source = read(row)
        if source is None or not source.surnames:
            hopeless += 1
        else:
            halves[HALVES[number // records.CORE % 2]].append(source)
    for half, sources in halves.items():
        random.Random(f"works of {half}").shuffle(sources)  # noqa: S311 - a draw, no secret
        del sources[most:]
    random.Random("words").shuffle(pool)  # noqa: S311 - as above
    return Drawn(halves, pool[:POOL] or ["example"], hopeless, seen)


def read(row: records.Row) -> Source | None:
    """Give a record as the index keeps it (marks such as `RETRACTED:` gone), or `None` where it is no usable one."""
    people = tuple(Name(one.get("family"), one.get("given"), one.get("literal")) for one in row.get("authors") or ())
    try:
        record = tidy(
            Record(
                title=row["title"],
                authors=people,
                year=row.get("year"),
                venue=row.get("venue"),
                doi=row.get("doi"),
                arxiv_id=row.get("arxiv_id"),
                volume=_text(row.get("volume")),
                pages=_text(row.get("pages")),
            )
        )
    except Malformed:
        return None
    families = (one.family or one.literal for one in map(person, record.authors))
    page = re.match(r"\w+", record.pages or "")
    return Source(
        title=record.title,
        families=tuple(family for family in families if family and fold(family)),
        year=record.year,
        doi=record.doi,
        arxiv_id=record.arxiv_id,
        venue=record.venue,
        volume=record.volume,
        page=page.group() if page else None,
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _content(title: str) -> Iterator[str]:
    return (word for word in title.split() if len(word) >= noise.MIN_CONTENT and word.isalpha())


def noisy(drawn: Drawn, half: str, each: int, kinds: Iterable[str] = noise.KINDS) -> list[Asked]:
    """Give `each` questions of every kind, mixed; a work is asked for once at most, while works last."""
    chance = random.Random(f"noise of {half}")  # noqa: S311 - a draw, no secret
    sources, place, asked = drawn.halves[half], 0, list[Asked]()
    for kind in kinds:
        made = 0
        while made < each:
            if place >= len(sources) * 50:
                raise SystemExit(f"no title can be damaged by {kind}: name more records")
            source = sources[place % len(sources)]
            place += 1
            title = noise.KINDS[kind](source.title, chance, drawn.pool)
            if title is None or not fold(title):
                continue
            asked.append(Asked(kind, reference(source, title, kind, chance), source))
            made += 1
    chance.shuffle(asked)
    return asked


def reference(source: Source, title: str, kind: str, chance: random.Random) -> Query:
    """Give the question of a parsed reference: title, surnames as the reference names them, year."""
    families, roll = source.families, chance.random()
    for count, share in FEW_FAMILIES:
        if roll < share and len(families) > max(count, 2):
            families = families[:count]
            break
        roll -= share
    year, roll = source.year, chance.random()
    if year is not None:
        year = None if roll < YEAR_LOST else year + chance.choice((-1, 1)) if roll < YEAR_LOST + YEAR_OFF else year
    return Query(kind=QueryKind.TITLE, text=title, families=noise.names(families, kind, chance), year=year)


def alone(asked: Sequence[Asked]) -> list[Asked]:
    """Give the same questions by the title alone."""
    return [one._replace(query=Query(kind=QueryKind.TITLE, text=one.query.text)) for one in asked]


def clean(drawn: Drawn, half: str, count: int) -> list[Asked]:
    """Give questions of clean references: the title as recorded, all surnames, the year."""
    return [
        Asked("title", Query(kind=QueryKind.TITLE, text=one.title, families=one.families, year=one.year), one)
        for one in drawn.halves[half][-count:]
    ]


def identified(drawn: Drawn, half: str, count: int) -> list[Asked]:
    """Give questions by DOI, or by arXiv id where there is none."""
    asked = list[Asked]()
    for one in drawn.halves[half]:
        if one.doi or one.arxiv_id:
            kind, text = (QueryKind.DOI, one.doi) if one.doi else (QueryKind.ARXIV_ID, one.arxiv_id)
            asked.append(Asked("identifier", Query(kind=kind, text=text or ""), one))
    return asked[:count]


def raw(drawn: Drawn, half: str, count: int) -> list[Asked]:
    """Give whole references as text, lightly misread, as where no title could be told from the rest."""
    chance = random.Random(f"text of {half}")  # noqa: S311 - a draw, no secret
    asked = []
    for one in drawn.halves[half][-count:]:
        people = ", ".join(f"{chr(chance.randint(65, 90))}. {family}" for family in one.families[:6])
        printed = f"{people}. {one.title}. {one.venue or 'Preprint'}, {one.year or 'n.d.'}."
        text = noise.ocr(printed, chance) if chance.random() < 0.3 else noise.hyphen(printed, chance)  # noqa: PLR2004
        asked.append(Asked("raw", Query(kind=QueryKind.CITATION, text=text or printed), one))
    return asked


def untitled(drawn: Drawn, half: str, count: int) -> list[Asked]:
    """Give references as journals of physics print them: names, venue, volume, first page and year, but no title."""
    asked = list[Asked]()
    for one in drawn.halves[half]:
        if one.venue and one.volume and one.page:
            text = f"{', '.join(one.families)}, {one.venue} {one.volume}, {one.page} ({one.year or 'n.d.'})"
            query = Query(kind=QueryKind.CITATION, text=text, families=one.families, year=one.year)
            hints = {"container_title": one.venue, "volume": one.volume, "page": one.page}
            asked.append(Asked("no title", query.model_copy(update=hints), one))
    return asked[:count]


def lists(drawn: Drawn, half: str, count: int, length: int = 50, noisy_share: float = 0.4) -> list[list[Asked]]:
    """Give reference lists, of which a share is damaged, every kind in turn."""
    damaged = noisy(drawn, half, 1 + round(count * length * noisy_share) // len(noise.KINDS))
    whole = clean(drawn, half, count * length)
    chance = random.Random(f"lists of {half}")  # noqa: S311 - a draw, no secret
    made = []
    for place in range(count):
        bad = round(length * noisy_share)
        mixed = [damaged[(place * bad + at) % len(damaged)] for at in range(bad)]
        mixed += [whole[(place * (length - bad) + at) % len(whole)] for at in range(length - bad)]
        chance.shuffle(mixed)
        made.append(mixed)
    return made


def is_hit(asked: Asked, lookup: Lookup) -> bool:
    """Whether the first candidate, or a version of it, has the title key of the source record, and a surname of it."""
    if not lookup.candidates:
        return False
    first = lookup.candidates[0]
    titles = (first.title, *(version.title for version in first.versions if version.title))
    return _same(asked.source, titles, (person.family or person.literal or "" for person in first.authors))


def is_same(source: Source, record: Record | None) -> bool:
    """Whether a record is the one a question was made from, or another one of its work: by the same rule."""
    if record is None:
        return False
    return _same(source, (record.title,), (name.family or name.literal or "" for name in record.authors))


def _same(source: Source, titles: Iterable[str], families: Iterable[str]) -> bool:
    return key(source.title) in map(key, titles) and bool(source.surnames & _words(families))


def _words(names: Iterable[str]) -> frozenset[str]:
    return frozenset(word for name in names for word in fold(name).split() if len(word) > 1)
