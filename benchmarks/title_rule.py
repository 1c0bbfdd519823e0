"""Measure the rule for titles alone: false conflicts, accepted alterations, accepted damage.

    python benchmarks/title_rule.py works.jsonl.xz [--half B] [--titles 4000] [--show 20]

Reads one record a line: `title`, `authors`, `year`, `doi`, `arxiv_id`, and `src`, its collection (`a+b` is merged).

- Pairs: two titles of one work from collections that have none in common, joined by DOI, by arXiv id, or by all family
  names, the year and the first two words. A pair is a conflict if the rule says that a word differs. A pair with hardly
  a letter in common is told apart: there the join is wrong more often than the title (a DOI of a whole volume).
- Alterations: one change by a seeded draw that makes a title another one. Accepted ones are faults that pass.
- Damage: one slip of typing, line breaking or recognition by a seeded draw. Those that are not accepted would accuse.

Titles are split by a hash of their letters: work on half A, report half B.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from citeaudit.text.lists import read_words
from citeaudit.text.normalize import fold, key
from citeaudit.text.titles import Likeness, compare_titles
from citeaudit.text.wordforms import inflected, is_word, spelled

SEED = 6
FREQUENT = 3_000
"""Words from which a replacement is drawn, the most frequent ones of all titles."""
LEAST_LETTERS = 6
"""Letters of a word that is damaged; in shorter ones no letter is excused."""
_WORD = re.compile(r"[A-Za-z]{4,}")
_NUMBER = re.compile(r"\b\d{1,4}\b")
_FUNCTION = read_words("citeaudit.text", "function_words.txt")
Change = Callable[[str, random.Random], str | None]


class Record(NamedTuple):
    """What of a record is needed to pair it."""

    title: str
    sources: frozenset[str]


class Pair(NamedTuple):
    """Two titles of one work."""

    how: str
    one: str
    two: str


def half_of(title: str) -> str:
    """Give the half, A or B, that a title belongs to."""
    return "AB"[int(hashlib.sha256(key(title).encode()).hexdigest(), 16) % 2]


def read(path: Path) -> tuple[dict[tuple[str, str], list[Record]], list[str]]:
    """Give the records by what joins them, and all titles."""
    groups: dict[tuple[str, str], list[Record]] = defaultdict(list)
    titles: list[str] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            title = row.get("title") or ""
            record = Record(title, frozenset(row.get("src", "").split("+")))
            titles.append(title)
            for name in joins(row):
                groups[name].append(record)
    return groups, titles


def joins(row: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Give what a record may be joined by: the way, and the value."""
    for field in ("doi", "arxiv_id"):
        if value := row.get(field):
            yield field, str(value).lower()
    authors = row.get("authors")
    names = [str(one.get("family", "")) for one in authors] if isinstance(authors, list) else []
    words = fold(str(row.get("title") or "")).split()
    if all(names) and len(names) > 1 and row.get("year") and len(words) > 2:  # noqa: PLR2004 - two words and more
        yield "authors, year, two words", "|".join((*map(fold, names), str(row["year"]), *words[:2]))


def pairs(groups: dict[tuple[str, str], list[Record]], half: str) -> Iterator[Pair]:
    """Give one pair a group: the first record, and the first of other collections."""
    for (how, _), records in groups.items():
        first = records[0]
        other = next((one for one in records[1:] if not one.sources & first.sources), None)
        if other is not None and half_of(first.title) == half:
            yield Pair(how, first.title, other.title)


def _words(title: str) -> list[re.Match[str]]:
    return [match for match in _WORD.finditer(title) if match.group().lower() not in _FUNCTION]


def _put(title: str, match: re.Match[str], text: str) -> str:
    return title[: match.start()] + text + title[match.end() :]


def replacing(frequent: list[str]) -> Change:
    """Give the change of one content word into another frequent one."""

    def change(title: str, draw: random.Random) -> str | None:
        match, new = draw.choice(_words(title)), draw.choice(frequent)
        old = fold(match.group())
        return None if spelled(old, new) or inflected(old, new) else _put(title, match, new)

    return change


def neighbouring(frequent: list[str]) -> Change:
    """Give the change of one word into another ordinary word that differs in one letter, with the same first."""
    near: dict[str, list[str]] = defaultdict(list)
    for word in frequent:
        for place in range(1, len(word)):
            near[f"{word[:place]}_{word[place + 1 :]}"].append(word)

    def change(title: str, draw: random.Random) -> str | None:
        options = [
            (match, other)
            for match in _words(title)
            if is_word(word := match.group().lower())
            for place in range(1, len(word))
            for other in near.get(f"{word[:place]}_{word[place + 1 :]}", ())
            if other != word and not spelled(word, other) and not inflected(word, other)
        ]
        return _put(title, *draw.choice(options)) if options else None

    return change


def numbering(title: str, draw: random.Random) -> str | None:
    """Change one number by a little."""
    found = list(_NUMBER.finditer(title))
    if not found:
        return None
    match = draw.choice(found)
    return _put(title, match, str(int(match.group()) + draw.choice((1, 2, 3))))


def negating(title: str, draw: random.Random) -> str | None:
    """Put a negation before one content word."""
    match = draw.choice(_words(title))
    return _put(title, match, draw.choice(("non-", "not ", "un", "without ")) + match.group())


def swapping(title: str, draw: random.Random) -> str | None:
    """Let two content words change places."""
    found = _words(title)
    one, two = sorted(draw.sample(range(len(found)), 2))
    first, second = found[one], found[two]
    if fold(first.group()) == fold(second.group()):
        return None
    return _put(_put(title, second, first.group()), first, second.group())


def omitting(title: str, draw: random.Random) -> str | None:
    """Leave one content word out, not at either end."""
    match = draw.choice(_words(title)[1:-1])
    return _put(title, match, "")


def breaking(title: str, draw: random.Random) -> str | None:
    """Break one word as at the end of a line."""
    match = draw.choice(_words(title))
    place = draw.randrange(2, len(match.group()) - 1)
    return _put(title, match, f"{match.group()[:place]}-\n{match.group()[place:]}")


def _damage(title: str, draw: random.Random, make: Callable[[str, int], str]) -> str | None:
    found = [match for match in _words(title) if len(match.group()) >= LEAST_LETTERS]
    if not found:
        return None
    match = draw.choice(found)
    old = match.group()
    new = make(old, draw.randrange(1, len(old) - 1))
    return None if new == old or is_word(new.lower()) else _put(title, match, new)


def dropping(title: str, draw: random.Random) -> str | None:
    """Lose one letter of a longer word."""
    return _damage(title, draw, lambda word, place: word[:place] + word[place + 1 :])


def turning(title: str, draw: random.Random) -> str | None:
    """Let two neighbouring letters of a longer word change places."""
    return _damage(title, draw, lambda word, at: word[:at] + word[at + 1] + word[at] + word[at + 2 :])


def misreading(title: str, draw: random.Random) -> str | None:
    """Misread letters of a longer word as an optical reader does."""
    old, new = draw.choice((("rn", "m"), ("m", "rn"), ("e", "c"), ("l", "i"), ("h", "b"), ("u", "n"), ("ti", "li")))
    return _damage(title, draw, lambda word, _: word[0] + word[1:].replace(old, new, 1))


def dressing(title: str, _: random.Random) -> str | None:
    """Write a title as exports do: capitals, braces, entities, typographic hyphens."""
    return "{" + title.upper().replace("&", "&amp;amp;").replace("-", "\N{NON-BREAKING HYPHEN}") + "}."


def drawn(titles: list[str], count: int, half: str) -> list[str]:
    """Give distinct titles of one half that have at least four content words, by a seeded draw."""
    fit = sorted({title for title in titles if len(_words(title)) > 3 and half_of(title) == half})  # noqa: PLR2004 - above
    return random.Random(SEED).sample(fit, min(count, len(fit)))  # noqa: S311 - a repeatable draw, no secret


def measure(titles: list[str], change: Change) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Give the changed titles with their origin: those that the rule takes for the title, and the others."""
    draw = random.Random(SEED)  # noqa: S311 - a repeatable draw, no secret
    changed = [(new, title) for title in titles if (new := change(title, draw)) is not None]
    sides: tuple[list[tuple[str, str]], list[tuple[str, str]]] = [], []
    for new, title in changed:
        sides[compare_titles(new, title).likeness is Likeness.OTHER].append((new, title))
    return sides


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works", type=Path)
    parser.add_argument("--half", choices=("A", "B"), default="B")
    parser.add_argument("--titles", type=int, default=4_000)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="list N faults of each kind; half A only")
    given = parser.parse_args()
    show = given.show if given.half == "A" else 0
    groups, titles = read(given.works)
    print(f"Half {given.half}.\n\n| measured | n | count | share |\n| --- | --- | --- | --- |")
    shown = list(_report_pairs(groups, given.half))
    counts = Counter(word for title in titles for word in set(fold(title).split()) if _WORD.fullmatch(word))
    frequent = sorted(word for word, _ in counts.most_common(FREQUENT) if word not in _FUNCTION)
    sample = drawn(titles, given.titles, given.half)
    for name, change in _changes(frequent):
        accepted, refused = measure(sample, change)
        total = len(accepted) + len(refused)
        print(f"| {name}, accepted | {total} | {len(accepted)} | {len(accepted) / max(1, total):.2%} |")
        shown += [(name, *row) for row in (accepted if name.startswith("alteration") else refused)]
    seen: Counter[str] = Counter()
    for kind, one, two in shown:
        seen[kind] += 1
        if seen[kind] <= show:
            print(f"{kind}: {one} | {two}")


def _report_pairs(groups: dict[tuple[str, str], list[Record]], half: str) -> Iterator[tuple[str, str, str]]:
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs(groups, half):
        diff = compare_titles(pair.one, pair.two)
        kind = "another title" if diff.differences == ("another title",) else diff.likeness.value
        tally[pair.how][kind] += 1
        if diff.likeness is Likeness.OTHER:
            yield f"pair {pair.how} {kind}", f"{pair.one} || {pair.two}", "; ".join(diff.differences)
    for how, kinds in sorted(tally.items()):
        total = kinds.total()
        for kind in (*Likeness, "another title"):
            if count := kinds[str(kind)]:
                print(f"| pairs by {how}: {kind} | {total} | {count} | {count / total:.2%} |")


def _changes(frequent: list[str]) -> Iterator[tuple[str, Change]]:
    yield "alteration: content word replaced", replacing(frequent)
    yield "alteration: a word one letter away", neighbouring(frequent)
    yield "alteration: number changed", numbering
    yield "alteration: negation added", negating
    yield "alteration: two words swapped", swapping
    yield "alteration: word left out", omitting
    yield "damage: word broken", breaking
    yield "damage: letter lost", dropping
    yield "damage: letters turned", turning
    yield "damage: letters misread", misreading
    yield "dress: capitals, braces, entities, hyphens", dressing


if __name__ == "__main__":
    main()
