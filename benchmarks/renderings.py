"""Write true works as eight styles print them, read each back, and tell how many stay VERIFIED.

    python benchmarks/renderings.py WORKS.jsonl.xz [--count 1000] [--seed 6] [--show 20]

Each work is written as BibTeX and in seven printed styles, and once more without the marks on its letters; each text
is read as `check` reads one pasted reference and held against the record. Whatever is not VERIFIED is a fault.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from citeaudit.errors import ExtractionError
from citeaudit.extract.plain import read_text
from citeaudit.match.queries import queries
from citeaudit.match.rank import rank, settle
from citeaudit.model import Evidence, Lookup, Outcome, Person, Policy, Reference, Status, Verdict, Work
from citeaudit.policy import conclude
from citeaudit.text.normalize import squash

LEAST = 0.995
"""Share that must stay VERIFIED."""
_VANCOUVER, _IEEE, _CHICAGO, _APA = 6, 6, 10, 20  # most authors that each style lists
_CHICAGO_SHOWN, _MLA = 7, 2
_GLUED = 4  # letters of initials that a record gives without spaces


def render(work: Work, style: str) -> str:
    """Give a work as one style prints it; `style` is a key of `STYLES`."""
    return STYLES[style](work)


def unmarked(text: str) -> str:
    """Give a text without the marks on its letters; letters that are not made of a letter and a mark stay."""
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def check(text: str, work: Work) -> Verdict | None:
    """Read a text as one reference and judge it by the record; `None` where no single reference was read."""
    try:
        references = read_text(text, path="-").references
    except ExtractionError:
        return None
    return judge(references[0], work) if len(references) == 1 else None


def judge(reference: Reference, work: Work) -> Verdict:
    """Judge a reference by one record that a source found."""
    found = Lookup(
        source="index",
        lineage="index",
        query=queries(reference)[-1],
        outcome=Outcome.FOUND,
        candidates=(work,),
        retrieved_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    lookup = settle(reference, found)
    evidence = Evidence(index=1, reference=reference, lookups=(lookup,), candidates=rank(reference, [lookup]))
    return conclude(evidence, None, Policy())


def _initials(person: Person, *, dots: str) -> str:
    given = person.given or ""
    glued = given.isascii() and given.isalpha() and given.isupper() and len(given) <= _GLUED
    words = list(given) if glued else given.replace("-", " ").split()
    return (" " if dots == ". " else "").join(word[0].upper() + dots.strip() for word in words)


def _western(person: Person, *, short: bool = False) -> str:
    if not person.family:
        return person.literal or ""
    given = _initials(person, dots=". ") if short else person.given
    return f"{given} {person.family}" if given else person.family


def _inverted(person: Person, *, short: bool = False) -> str:
    if not person.family:
        return person.literal or ""
    given = _initials(person, dots=". ") if short else person.given
    return f"{person.family}, {given}" if given else person.family


def _listed(names: Sequence[str], last: str, *, comma: bool = True) -> str:
    """Join names: `A, B, and C`, two of them without the comma unless the first is inverted."""
    if len(names) == 1:
        return names[0]
    head = ", ".join(names[:-1])
    return f"{head}, {last} {names[-1]}" if comma else f"{head} {last} {names[-1]}"


def _place(work: Work, volume: str, pages: str) -> str:
    parts = (volume.format(work.volume) if work.volume else "", pages.format(work.pages) if work.pages else "")
    return "".join(parts)


def _ended(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _plain(work: Work) -> str:
    people = _listed([_western(one) for one in work.authors], "and", comma=False)
    place = _place(work, ", {}", ":{}" if work.volume else ", pages {}")
    return f"{people}. {_ended(work.title)} {work.container_title}{place}, {work.year}."


def _apa(work: Work) -> str:
    names = [_inverted(one, short=True) for one in work.authors]
    people = _listed(names, "&") if len(names) <= _APA else f"{', '.join(names[:19])}, ... {names[-1]}"
    place = _place(work, ", {}", ", {}")
    return f"{people} ({work.year}). {_ended(work.title)} {work.container_title}{place}."


def _vancouver(work: Work) -> str:
    names = [f"{one.family} {_initials(one, dots='')}".strip() if one.family else str(one) for one in work.authors]
    people = ", ".join(names[:_VANCOUVER]) + (", et al" if len(names) > _VANCOUVER else "")
    place = _place(work, ";{}", ":{}")
    return f"{_ended(people)} {_ended(work.title)} {work.container_title}. {work.year}{place}."


def _chicago(work: Work) -> str:
    names = [_inverted(one) if place == 0 else _western(one) for place, one in enumerate(work.authors)]
    people = _listed(names, "and") if len(names) <= _CHICAGO else f"{', '.join(names[:_CHICAGO_SHOWN])}, et al"
    place = _place(work, " {}", ": {}")
    return f"{_ended(people)} {work.year}. “{_ended(work.title)}” {work.container_title}{place}."


def _ieee(work: Work) -> str:
    names = [_western(one, short=True) for one in work.authors]
    people = _listed(names, "and", comma=len(names) != _MLA) if len(names) <= _IEEE else f"{names[0]} et al."
    place = _place(work, ", vol. {}", ", pp. {}")
    return f"{people}, “{work.title},” {work.container_title}{place}, {work.year}."


def _mla(work: Work) -> str:
    names = [_inverted(one) if place == 0 else _western(one) for place, one in enumerate(work.authors)]
    people = _listed(names, "and") if len(names) <= _MLA else f"{names[0]}, et al"
    place = _place(work, ", vol. {}", "")
    pages = f", pp. {work.pages}" if work.pages else ""
    return f"{_ended(people)} “{_ended(work.title)}” {work.container_title}{place}, {work.year}{pages}."


def _acm(work: Work) -> str:
    people = _listed([_western(one) for one in work.authors], "and", comma=len(work.authors) > _MLA)
    volume = f" {work.volume} ({work.year})" if work.volume else ""
    pages = f", {work.pages}" if work.pages else ""
    return f"{_ended(people)} {work.year}. {_ended(work.title)} {work.container_title}{volume}{pages}."


def _bibtex(work: Work) -> str:
    fields = {
        "title": work.title,
        "author": " and ".join(_inverted(one) if one.family else f"{{{one.literal}}}" for one in work.authors),
        "journal": work.container_title,
        "volume": work.volume,
        "pages": work.pages,
        "year": str(work.year),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join(["@article{key,", *lines, "}"])


STYLES: MappingProxyType[str, Callable[[Work], str]] = MappingProxyType(
    {
        "bibtex": _bibtex,
        "plain": _plain,
        "apa": _apa,
        "vancouver": _vancouver,
        "chicago": _chicago,
        "ieee": _ieee,
        "mla": _mla,
        "acm": _acm,
    }
)
"""The styles by name."""


MOST_AUTHORS = 60
MOST_GIVEN = 3
PARTICLES = frozenset(
    {
        "al",
        "ap",
        "ben",
        "bin",
        "da",
        "dal",
        "de",
        "del",
        "den",
        "der",
        "di",
        "do",
        "dos",
        "du",
        "el",
        "la",
        "le",
        "te",
        "ten",
        "ter",
        "van",
        "von",
        "vom",
        "zu",
        "zur",
    }
)
_MOJIBAKE = re.compile("[\u00c2\u00c3][\u0080-\u00bf\u2010-\u2122]?|[\ufffd\u0080-\u009f]")


def works(path: Path, count: int, seed: int) -> list[Work]:
    """Give works with authors, year and venue, chosen evenly over the file."""
    chosen: list[Work] = []
    chance = random.Random(seed)  # noqa: S311  # a sample, no secret
    for seen, work in enumerate(_every(path), start=1):
        if len(chosen) < count:
            chosen.append(work)
        elif (place := chance.randrange(seen)) < count:
            chosen[place] = work
    return chosen


def _every(path: Path) -> Iterator[Work]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            if row.get("authors") and row.get("year") and row.get("venue"):
                work = Work(
                    source="works",
                    source_id=str(number),
                    title=row["title"],
                    authors=tuple(_person(**person) for person in row["authors"]),
                    year=row["year"],
                    container_title=row["venue"],
                    volume=row.get("volume"),
                    pages=row.get("pages"),
                )
                if is_sound(work):
                    yield work


def is_sound(work: Work) -> bool:
    """Whether a record can be printed as a style would: no style mends what it lost.

    Left out are records in small letters alone (titles or family names), with letters of another encoding, with names
    run together or put in the wrong field, and lists longer than what is read of one reference.
    """
    if len(work.authors) > MOST_AUTHORS or work.title.islower() or _MOJIBAKE.search(f"{work.title} {work.authors}"):
        return False
    return all(_is_name(person) for person in work.authors)


def _is_name(person: Person) -> bool:
    family, given = person.family or "", person.given or ""
    if not family:
        return person.literal is not None
    first = next((word for word in family.split() if word.lower() not in PARTICLES), "")
    odd = any(char.isdigit() for char in family + given) or family.isupper() or "." in family or " . " in f" {given} "
    return first[:1].isupper() and len(family) > 1 and not odd and len(given.split()) <= MOST_GIVEN


def _person(**parts: str) -> Person:
    """Give an author; some records have `Jr.` for the family name, which no style would print in its place."""
    given, _, family = (parts.get("given") or "").rpartition(" ")
    if given and (parts.get("family") or "").strip(".") in ("Jr", "Sr", "II", "III"):
        return Person(given=given, family=family)
    return Person(**parts)


def main() -> int:
    """Print a table by style, and what fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works", type=Path)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    sample = works(arguments.works, arguments.count, arguments.seed)
    tally: dict[str, Counter[str]] = {}
    shown = 0
    for work in sample:
        for style in STYLES:
            text = render(work, style)
            texts = {style: text, f"{style}, no marks": unmarked(text)}
            for name, one in texts.items():
                if name != style and one == text:
                    continue
                verdict = check(one if style == "bibtex" else squash(one), work)
                status = verdict.status if verdict else Status.UNPARSED
                tally.setdefault(name, Counter())[status] += 1
                if status is not Status.VERIFIED and shown < arguments.show:
                    shown += 1
                    _show(name, one, verdict)
    return _table(tally)


def _show(name: str, text: str, verdict: Verdict | None) -> None:
    print(f"[{name}] {text}")
    if verdict is not None:
        read = verdict.evidence.reference
        differing = [f"{item.field}:{item.rule}" for item in verdict.fields if item.relation == "DIFFERENT"]
        print(f"    {verdict.status} {differing} {[reason.code for reason in verdict.reasons]}")
        print(f"    read: {read.title} | {', '.join(map(str, read.authors))} | {read.year} | {read.container_title}")


def _table(tally: dict[str, Counter[str]]) -> int:
    print("\n| rendering | works | VERIFIED | share | else |\n| --- | --- | --- | --- | --- |")
    every: Counter[str] = Counter()
    for name, counts in (*tally.items(), ("all", every)):
        total, good = sum(counts.values()), counts[Status.VERIFIED]
        rest = ", ".join(f"{status} {number}" for status, number in sorted(counts.items()) if status != "VERIFIED")
        print(f"| {name} | {total} | {good} | {good / max(total, 1):.4f} | {rest} |")
        if name != "all":
            every.update(counts)
    return 0 if every[Status.VERIFIED] >= LEAST * sum(every.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
