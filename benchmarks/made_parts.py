"""Invented names, titles and numbers for `made_references`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from made_words import (
    DE_ADJ,
    DE_HEAD,
    DE_MAIN,
    DE_STEM,
    DE_SUB,
    EN_ADJ,
    EN_MAIN,
    EN_NOUN,
    EN_SUB,
    FAMILIES,
    GIVEN,
    JOURNALS_DE,
    JOURNALS_EN,
    NAME_HEADS,
    NAME_TAILS,
)

from citeaudit.extract.fields.words import words

Row = dict[str, object]
"""`raw`, `title`, `authors`, `year`, `venue`, as in the labelled sets."""


class Name(NamedTuple):
    """An invented person."""

    given: str
    family: str

    @property
    def initials(self) -> str:
        """`J. M.`."""
        return " ".join(f"{part[0]}." for part in self.given.split())


class Parts:
    """Draws the parts of a record; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        """Start a series."""
        self.random = random.Random(seed)  # noqa: S311 - made strings, no secret
        self.given = sorted(words("given"))

    def _pick(self, of: list[str] | tuple[str, ...]) -> str:
        return self.random.choice(of)

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _person(self) -> Name:
        given = self._pick(GIVEN) if self._chance(0.3) else self._pick(self.given).capitalize()
        second = self._pick((self._pick(GIVEN), f"{self._pick('ABCDEFGHJKLMNPRSTVW')}.")) if self._chance(0.35) else ""
        return Name(f"{given} {second}".strip(), self._family())

    def _family(self) -> str:
        """Give a family name of the table, or one put together, so that the table is not learnt by heart."""
        if self._chance(0.5):
            return self._pick(FAMILIES)
        built = self._pick(NAME_HEADS) + self._pick(NAME_TAILS)
        return f"{built}-{self._pick(FAMILIES)}" if self._chance(0.05) else built

    def _people(self, most: int = 4) -> list[Name]:
        return [self._person() for _ in range(self.random.choices(range(1, most + 1), [5, 3, 2, 2, 1][:most])[0])]

    def _year(self) -> str:
        return str(self.random.choice((self.random.randint(1880, 2024), self.random.randint(1970, 2024))))

    def _pages(self, dash: str = "-") -> str:
        first = self.random.randint(1, 900)
        return f"{first}{self._pick((dash, '–'))}{first + self.random.randint(2, 40)}"

    def _noun_de(self) -> str:
        head = self._pick(DE_HEAD)
        return self._pick(DE_STEM) + head.lower() if self._chance(0.5) else head

    def _fill(self, pattern: str, noun: Callable[[], str], adjective: str) -> str:
        a, b, c = noun(), noun(), noun()
        return pattern.format(
            a=a,
            b=b,
            c=c,
            A=a[:1].upper() + a[1:],
            B=b[:1].upper() + b[1:],
            adj=adjective,
            Adj=adjective[:1].upper() + adjective[1:],
            name=" ".join(self._person()),
        )

    def _title_de(self, subtitle: float = 0.55) -> str:
        main = self._fill(self._pick(DE_MAIN), self._noun_de, self._pick(DE_ADJ))
        if not self._chance(subtitle):
            return main
        sub = self._fill(self._pick(DE_SUB), self._noun_de, self._pick(DE_ADJ))
        if main.endswith("?"):
            return f"{main} {sub}"
        return main + self._pick((". ", ". ", ". ", ": ", " – ")) + sub

    def _noun_en(self) -> str:
        return self._pick(EN_NOUN)

    def _title_en(self, subtitle: float = 0.4) -> str:
        main = self._fill(self._pick(EN_MAIN), self._noun_en, self._pick(EN_ADJ))
        if self._chance(subtitle):
            main += (" " if main.endswith("?") else ": ") + self._fill(
                self._pick(EN_SUB), self._noun_en, self._pick(EN_ADJ)
            )
        if self._chance(0.4):
            main = " ".join(
                word
                if word in {"of", "and", "the", "in", "to", "for", "a", "an", "on"}
                else word[:1].upper() + word[1:]
                for word in main.split()
            )
            main = main[:1].upper() + main[1:]
        return main if not self._chance(0.06) else main[:1].lower() + main[1:]

    def _journal_de(self) -> str:
        return self._fill(self._pick(JOURNALS_DE), self._noun_de, self._pick(DE_ADJ))

    def _journal_en(self) -> str:
        return self._fill(self._pick(JOURNALS_EN), lambda: self._noun_en().capitalize(), self._pick(EN_ADJ))

    def _row(self, raw: str, title: str | None, authors: str, year: str | None, venue: str | None) -> Row:
        return {
            "raw": raw,
            "title": title,
            "authors": [authors] if authors else [],
            "year": year,
            "venue": venue,
            "source": "made",
        }
