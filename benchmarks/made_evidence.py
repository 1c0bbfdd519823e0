"""True and altered references to real records, with what an index that holds other records of the works answers.

The records are those of `works.jsonl.xz`: of a work that two collections hold, one record is cited and only the other
is in the index, so that the true references vary as true references do. Everything follows from one seed.
"""

from __future__ import annotations

import json
import lzma
import random
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from citeaudit.errors import ExtractionError
from citeaudit.extract.plain import read_text
from citeaudit.identifiers import clean_arxiv_id, clean_doi
from citeaudit.index.asking.engine import LookupIndex
from citeaudit.index.dumps.jsonl import parse
from citeaudit.index.store.record import Malformed
from citeaudit.match.queries import queries
from citeaudit.match.rank import rank, settle
from citeaudit.model import Coverage, Evidence, Identifiers, Person, Reference, WorkType
from citeaudit.text.normalize import key

SHARE = 8
"""One title in so many is read."""
LONE = 6
"""Of the titles with one record only, one in so many is taken."""
CROSSED = 0.7
"""Share of the references whose own record the index does not hold."""
PREPRINT_YEARS = 3
"""Most years between two records of a work: a preprint and its publication."""
PLAIN = 0.4
"""Share of the references that are printed and read again; the others come as .bib entries do."""
_NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
_SQUEEZE = re.compile(r"[^a-z0-9]+")
_ACRONYM = re.compile(r"\(([A-Z]{2,8})\)")

Row = dict[str, Any]


class Made(NamedTuple):
    """One made reference with its evidence."""

    group: str
    """The title of the work, as folds are grouped by it."""
    wrong: bool
    kind: str
    evidence: Evidence


class Work(NamedTuple):
    """Records of one title."""

    cited: Row
    held: tuple[Row, ...]
    """What the index holds: records of other collections than the cited one, or the cited one itself."""

    @property
    def crossed(self) -> bool:
        """Whether the index lacks the record that is cited."""
        return self.cited not in self.held


def works(path: Path, seed: int, avoid: Callable[[str], bool]) -> list[Work]:
    """Read a share of the titles; `avoid` says by its key whether a title must not be used."""
    groups: dict[str, list[Row]] = defaultdict(list)
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            start = line.find('"title":"') + 9
            squeezed = _SQUEEZE.sub("", line[start : start + 60].lower())
            if zlib.crc32(f"{seed}{squeezed[:24]}".encode()) % SHARE == 0:
                row = json.loads(line)
                groups[key(row["title"])].append(row)
    pick = random.Random(seed)  # noqa: S311 - to be repeated, nothing secret
    free = [_work(rows, pick) for title, rows in sorted(groups.items()) if title and not avoid(title)]
    return [work for work in free if work.crossed or pick.random() < 1 / LONE]


def _work(rows: list[Row], pick: random.Random) -> Work:
    cited = pick.choice(rows)
    others = tuple(row for row in rows if _apart(cited, row))
    return Work(cited, others or tuple(rows))


def _apart(one: Row, other: Row) -> bool:
    """Whether two records of one title are independent records of one work: other collections, a common author."""
    sources = [set(row.get("src", "").split("+")) for row in (one, other)]
    names = [{key(_family(person)) for person in row.get("authors", ())} for row in (one, other)]
    years = [row["year"] for row in (one, other) if row.get("year")]
    near = not years or max(years) - min(years) <= PREPRINT_YEARS
    return not sources[0] & sources[1] and bool(names[0] & names[1]) and near


def _family(person: Row) -> str:
    return person.get("family") or person.get("literal") or ""


# --- References --------------------------------------------------------------------------------------------


def cite(row: Row) -> Reference:
    """Give the typed reference that a record would be cited as."""
    ids = Identifiers(doi=clean_doi(row.get("doi") or ""), arxiv_id=clean_arxiv_id(row.get("arxiv_id") or ""))
    people = [
        Person(**{part: person[part] for part in ("family", "given", "literal") if person.get(part)})
        for person in row.get("authors", ())
    ]
    return Reference(
        raw=json.dumps(row),
        type=WorkType.UNKNOWN,
        title=row["title"],
        authors=tuple(people),
        authors_truncated="glutton" in row.get("src", ""),
        year=row.get("year"),
        container_title=row.get("venue") or None,
        volume=str(row["volume"]) if row.get("volume") else None,
        pages=str(row["pages"]) if row.get("pages") else None,
        identifiers=ids,
    )


class Pool(NamedTuple):
    """What alterations take from other works."""

    works: list[Work]
    words: list[str]
    """Content words of all titles, the frequent ones often."""
    venues: list[str]


def pool(made: list[Work]) -> Pool:
    """Gather what alterations draw on."""
    words = [word for work in made for word in re.findall(r"[a-z]{5,}", work.cited["title"].lower())]
    venues = Counter(work.cited.get("venue") for work in made)
    return Pool(made, words, sorted(name for name, count in venues.items() if name and count > 1))


def _given(name: str) -> str:
    """Give initials for a given name."""
    return " ".join(f"{part[0]}." for part in re.split(r"[\s.]+", name) if part)


SHARES = {
    "initials": 0.4,
    "list cut": 0.25,
    "subtitle left out": 0.08,
    "letter misread": 0.02,
    "venue as acronym or left out": 0.1,
    "preprint of the year before": 0.2,
    "volume left out": 0.3,
    "pages left out": 0.3,
    "identifiers left out": 0.3,
}
"""How often true references vary so, where they can."""
LONG_LIST = 3
"""Authors beyond which a list is cut."""


def varied(reference: Reference, pick: random.Random) -> Reference:
    """Change what true references change."""
    chance = {name for name, share in SHARES.items() if pick.random() < share}
    update: dict[str, Any] = {}
    authors = reference.authors
    if "initials" in chance:
        authors = tuple(one.model_copy(update={"given": _given(one.given)}) if one.given else one for one in authors)
    if "list cut" in chance and len(authors) > LONG_LIST:
        authors, update["authors_truncated"] = authors[: pick.choice((1, LONG_LIST))], True
    update["authors"] = authors
    title = reference.title or ""
    if "subtitle left out" in chance:
        update["title"] = title.split(": ")[0]
    elif "letter misread" in chance:
        update["title"] = _slip(title, pick)
    if "venue as acronym or left out" in chance:
        found = _ACRONYM.search(reference.container_title or "")
        update["container_title"] = found.group(1) if found else None
    if "preprint of the year before" in chance and reference.year and reference.identifiers.arxiv_id:
        update |= {"year": reference.year - 1, "container_title": "arXiv preprint"}
    update |= {field: None for field in ("volume", "pages") if f"{field} left out" in chance}
    if "identifiers left out" in chance:
        update["identifiers"] = Identifiers()
    return reference.model_copy(update=update)


def _slip(title: str, pick: random.Random) -> str:
    """Change a letter of a long word, as recognition of characters does."""
    places = [match.start() for match in re.finditer(r"(?<=[a-z]{3})[a-z](?=[a-z]{3})", title)]
    if not places:
        return title
    place = pick.choice(places)
    return title[:place] + pick.choice("ceoilnhr") + title[place + 1 :]


# --- Alterations -------------------------------------------------------------------------------------------


def _title(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    words = (reference.title or "").split()
    long = [place for place, word in enumerate(words) if re.fullmatch(r"[A-Za-z]{5,}", word)]
    if not long:
        return reference
    for place in pick.sample(long, min(len(long), pick.choice((1, 1, 2)))):
        word = pick.choice(pool.words)
        words[place] = word.title() if words[place][0].isupper() else word
    return reference.model_copy(update={"title": " ".join(words)})


def _phantom(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    people = list(reference.authors)
    stranger = pick.choice(pool.works).cited
    names = cite(stranger).authors
    if not names:
        return reference
    place = pick.randrange(len(people) + 1)
    people[place : place + pick.choice((0, 1))] = [pick.choice(names)]
    return reference.model_copy(update={"authors": tuple(people), "authors_truncated": False})


def _others(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    names = cite(pick.choice(pool.works).cited).authors
    return reference.model_copy(update={"authors": names or reference.authors, "authors_truncated": False})


def _short(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    del pool
    keep = pick.randrange(1, max(2, len(reference.authors)))
    return reference.model_copy(update={"authors": reference.authors[:keep], "authors_truncated": False})


def _year(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    del pool
    shift = pick.choice((-7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7))
    return reference.model_copy(update={"year": reference.year + shift if reference.year else None})


def _venue(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    return reference.model_copy(update={"container_title": pick.choice(pool.venues)})


def _identifier(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    held = [
        ids for ids in (cite(pick.choice(pool.works).held[0]).identifiers for _ in range(60)) if ids.doi or ids.arxiv_id
    ]
    return reference.model_copy(update={"identifiers": held[0]}) if held else reference


def _prefix(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    del pool
    doi = f"10.{pick.randrange(60_000, 99_999)}/{pick.choice(('conf', 'jnl', 'proc'))}.{pick.randrange(10**6, 10**7)}"
    return reference.model_copy(update={"identifiers": Identifiers(doi=doi)})


def _invented(reference: Reference, pool: Pool, pick: random.Random) -> Reference:
    words = [pick.choice(pool.words) for _ in range(pick.randrange(4, 8))]
    words.insert(pick.randrange(2, 4), pick.choice(("for", "with", "of", "via")))
    title = " ".join(words).capitalize()
    return _others(reference.model_copy(update={"title": title, "identifiers": Identifiers()}), pool, pick)


_Alter = Callable[[Reference, Pool, random.Random], Reference]
ALTERED: dict[str, _Alter] = {
    "title word": _title,
    "phantom author": _phantom,
    "authors of another work": _others,
    "authors left out": _short,
    "year": _year,
    "venue": _venue,
    "identifier of another work": _identifier,
    "identifier of no registrant": _prefix,
    "invented work": _invented,
}
"""What is done to a true reference, each as often as the others."""
_FIELDS = ("title", "authors", "year", "container_title", "identifiers")


def made(held: list[Work], count: int, seed: int) -> Iterator[Made]:
    """Give `count` true and as many altered references, each with the answers of an index of the held records."""
    pick = random.Random(seed)  # noqa: S311 - to be repeated, nothing secret
    drawn = pool(held)
    index = _index(row for work in held for row in work.held)
    crossed, alone = ([work for work in held if work.crossed is side] for side in (True, False))
    kinds = sorted(ALTERED)
    for number in range(2 * count):
        work = pick.choice(crossed if pick.random() < CROSSED else alone)
        true = varied(cite(work.cited), pick)
        kind = kinds[number // 2 % len(kinds)] if number % 2 else "true"
        cited = true if kind == "true" else ALTERED[kind](true, drawn, pick)
        same = all(getattr(cited, field) == getattr(true, field) for field in _FIELDS)
        if kind != "true" and same:
            continue
        read = printed(cited, pick) if pick.random() < PLAIN else cited
        if read is not None:
            yield Made(key(work.cited["title"]), kind != "true", kind, _asked(read, index))


def _index(rows: Iterable[Row]) -> LookupIndex:
    records = []
    for row in rows:
        try:
            records.append(parse(json.dumps(row)))
        except Malformed:
            continue
    return LookupIndex.in_memory(records, name="index", built_at=_NOON, complete=True, clock=lambda: _NOON)


def undeclared(seen: Evidence) -> Evidence:
    """Give the evidence of the same index without the declaration that it is complete."""
    update = {"coverage": Coverage.NONE}
    open_ = (item.model_copy(update=update) if item.coverage is Coverage.DECLARED else item for item in seen.lookups)
    return seen.model_copy(update={"lookups": tuple(open_)})


def _asked(reference: Reference, index: LookupIndex) -> Evidence:
    lookups = tuple(settle(reference, answer) for answer in index.search(queries(reference)))
    return Evidence(index=1, reference=reference, lookups=lookups, candidates=rank(reference, lookups))


INVERTED, DIRECT, FAMILY_FIRST = "{family}, {given}", "{given} {family}", "{family} {given}"
MOST = 12
"""Authors that are printed before `et al.`"""


# --- Printing ----------------------------------------------------------------------------------------------


def printed(reference: Reference, pick: random.Random) -> Reference | None:
    """Print a reference in one of four styles and read it again; `None` where the reader refuses it."""
    text = pick.choice((_apa, _vancouver, _ieee, _plain))(reference)
    try:
        return read_text(text, path="made").references[0]
    except (ExtractionError, IndexError):
        return None


def _names(reference: Reference, form: str, glued: bool = False) -> str:
    """Print up to twelve authors in a form such as `{family}, {given}`, initials glued (`JR`) or not."""
    names = []
    for one in reference.authors[:MOST]:
        given = _given(one.given or "")
        given = given.replace(".", "").replace(" ", "") if glued else given
        names.append(form.format(family=one.family or one.literal or "", given=given).strip(" ,"))
    cut = reference.authors_truncated or len(reference.authors) > MOST
    return ", ".join([*names, "et al."] if cut else names)


def _tail(reference: Reference) -> str:
    ids = reference.identifiers
    named = f"doi:{ids.doi}" if ids.doi else f"arXiv:{ids.arxiv_id}" if ids.arxiv_id else ""
    parts = [reference.container_title, reference.volume, reference.pages]
    return ", ".join(filter(None, parts)) + (f". {named}" if named else "")


def _apa(reference: Reference) -> str:
    return f"{_names(reference, INVERTED)} ({reference.year or 'n.d.'}). {reference.title}. {_tail(reference)}"


def _vancouver(reference: Reference) -> str:
    return (
        f"{_names(reference, FAMILY_FIRST, glued=True)}. {reference.title}. {_tail(reference)}; {reference.year or ''}."
    )


def _ieee(reference: Reference) -> str:
    return f"{_names(reference, DIRECT)}, “{reference.title},” {_tail(reference)}, {reference.year or ''}."


def _plain(reference: Reference) -> str:
    return f"{_names(reference, DIRECT)}. {reference.title}. {_tail(reference)}, {reference.year or ''}."
