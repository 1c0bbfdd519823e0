"""Keys for references that are written as a list of entries: those they have, else author, year and a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anyascii import anyascii

from citeaudit.model import Reference

_UNSAFE = re.compile(r"[^A-Za-z0-9_:./+*-]")
_WORD = re.compile(r"[A-Za-z0-9]+")
_SMALL = frozenset(
    "a an the on of in for and to from with by as at is are der die das ein eine zur zum le la les un une des du el los".split()  # noqa: E501, SIM905
)
_LONGEST = 60


def keyed(references: Iterable[Reference]) -> Iterator[tuple[str, Reference]]:
    """Give each reference with its key; keys are unique without regard to case, as BibTeX wants them.

    A key that is taken, or made twice, gets a letter: `smith2020tides`, `smith2020tidesa`, …
    """
    taken: set[str] = set()
    for reference in references:
        base = _own(reference) or _made(reference)
        key, count = base, 0
        while key.lower() in taken:
            key = f"{base}{_letters(count)}"
            count += 1
        taken.add(key.lower())
        yield key, reference


def _own(reference: Reference) -> str:
    return _UNSAFE.sub("", anyascii(reference.locus.citekey or ""))[:_LONGEST]


def _made(reference: Reference) -> str:
    first = reference.authors[0] if reference.authors else None
    name = (first.family or first.literal or first.given or "") if first else ""
    words = [word for word in _WORD.findall(anyascii(reference.title or "")) if word.lower() not in _SMALL]
    parts = ("".join(_WORD.findall(anyascii(name)))[:24], str(reference.year or ""), words[0][:24] if words else "")
    return "".join(parts).lower() or "reference"


def _letters(number: int) -> str:
    """Give `a` … `z`, `aa` …, as a bibliography would."""
    told = ""
    while True:
        told = chr(ord("a") + number % 26) + told
        number = number // 26 - 1
        if number < 0:
            return told
