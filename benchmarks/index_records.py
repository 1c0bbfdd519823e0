"""Records for the benchmark of the index: real ones, and as many more as are wanted, recombined from them.

A recombined record has the first half of one title and the second half of another, with the venue and pages of this
other, the authors and year of a third, and identifiers of the same shape that name nothing. Words, surnames and
lengths are thus spread as in real collections, and every title has near relatives, as every author has; but no word is
new, so that the lists of rare words grow in proportion to the records, faster than in a real collection of that size.
"""

from __future__ import annotations

# ruff: noqa: SIM905 - tables
import gzip
import lzma
import random
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson
from made_words import EN_ADJ, EN_NOUN, FAMILIES, GIVEN

from citeaudit.text.normalize import key

SEED = 5
"""Of the recombination."""

CORE = 4
"""One title in this many is in the core: the smallest collection, from which all questions are drawn."""

PLACE = ("venue", "volume", "issue", "pages")
"""Fields that say where a work stands."""

Row = dict[str, Any]
"""A record as in a line of the file."""


def split(title: str) -> int:
    """Give a number, 0 to 2**32 - 1, that is always the same for a title and says nothing about it."""
    return int.from_bytes(blake2b(key(title).encode(), digest_size=4).digest(), "big")


def in_core(title: str) -> bool:
    """Whether the records with this title are part of every collection."""
    return split(title) % CORE == 0


def lines(path: Path) -> Iterator[bytes]:
    """Give the lines of a file of records, plain or packed as `.xz` or `.gz`."""
    if path.suffix == ".xz":
        with lzma.open(path, "rb") as stream:
            yield from stream
    elif path.suffix == ".gz":
        with gzip.open(path, "rb") as stream:
            yield from stream
    else:
        with path.open("rb") as stream:
            yield from stream


def write(real: Path, out: Path, count: int | None) -> int:
    """Write a collection; what is there already is left alone.

    Args:
        real: The real records.
        out: Where to, packed as `.gz`.
        count: Records in all: the real ones, spread among recombined ones. `None` for the core of the real ones alone.

    Returns:
        How many records the collection has.
    """
    if not out.exists():
        half = out.with_suffix(".half")
        with gzip.open(half, "wb", compresslevel=1) as stream:
            stream.writelines(_core(real) if count is None else spread(list(lines(real)), count))
        half.replace(out)
    return count if count is not None else sum(1 for _ in lines(out))


def _core(real: Path) -> Iterator[bytes]:
    for line in lines(real):
        if in_core(orjson.loads(line)["title"]):
            yield line


def spread(real: Sequence[bytes], count: int, seed: int = SEED) -> Iterator[bytes]:
    """Give lines: the real ones in their order, recombined ones between them, `count` in all."""
    made = recombined(real, seed)
    step = len(real) / count
    for place in range(count):
        before, after = int(place * step), int((place + 1) * step)
        if place == count - 1 or after > before:
            yield real[min(before, len(real) - 1)]
        else:
            yield next(made)


def recombined(real: Sequence[bytes], seed: int = SEED) -> Iterator[bytes]:
    """Give lines of recombined records without end; the same real ones and seed give the same."""
    chance = random.Random(seed)  # noqa: S311 - made records, no secret
    number = 0
    while True:
        first, second, row = (orjson.loads(real[int(chance.random() * len(real))]) for _ in range(3))
        head, tail = first["title"].split(), second["title"].split()
        row["title"] = " ".join([*head[: (len(head) + 1) // 2], *tail[len(tail) // 2 :]])
        for field in PLACE:  # else a reference without a title could mean any of the records that share its authors
            if field in second:
                row[field] = second[field]
            else:
                row.pop(field, None)
        yield orjson.dumps(_renamed(row, number)) + b"\n"
        number += 1


def _renamed(row: Row, number: int) -> Row:
    """Give the record identifiers of its own, as long as they were."""
    doi, arxiv_id, url = row.get("doi"), row.get("arxiv_id"), row.get("url") or ""
    if doi:
        row["doi"] = f"{doi[: max(doi.find('/') + 1, len(doi) - 8)]}x{number:07x}"
        url = url.replace(doi, row["doi"])
    if arxiv_id:
        month = number // 70_000 % 132  # real numbers end below 30,000 a month, eleven years of months
        row["arxiv_id"] = f"{15 + month // 12:02}{1 + month % 12:02}.{30_000 + number % 70_000}"
        url = url.replace(arxiv_id, row["arxiv_id"])
    if url:
        row["url"] = url
    row["src"] = "recombined"
    return row


def invented(count: int, seed: int = SEED) -> Iterator[bytes]:
    """Give lines of invented records, for trying the benchmark out where there are no real ones."""
    chance = random.Random(seed)  # noqa: S311 - made records, no secret
    stems = [f"{head}{tail}" for head in _HEADS for tail in _TAILS]
    for number in range(count):
        rare = " ".join(chance.sample(stems, chance.randint(2, 5)))
        common = " ".join(chance.choice(EN_ADJ) + " " + chance.choice(EN_NOUN) for _ in range(chance.randint(1, 3)))
        people = [
            {"family": chance.choice(FAMILIES), "given": chance.choice(GIVEN)} for _ in range(chance.randint(1, 6))
        ]
        row: Row = {"title": f"{common}: {rare}".capitalize(), "authors": people, "year": chance.randint(1960, 2025)}
        row |= {"venue": f"Journal of {chance.choice(EN_NOUN)}", "volume": str(chance.randint(1, 90)), "src": "made"}
        if number % 2:
            row["doi"] = f"10.5555/made.{number}"
        yield orjson.dumps(row) + b"\n"


_HEADS = (
    "adsorb banded catal dendr electr fluor gyr hydr isoth jett kinet lumin magnet neutr osm photon quant radi "
    "spectr therm ultras vibr wavel xen ytterb zeol bary cryst diffr ferr"
).split()
_TAILS = "ation ing ics osis ment ency ities ography ometry ology onic ical itude ence ism ographs".split()
