"""The list of venue names that ships with the package: what is in it exists, what is not may exist all the same."""

from __future__ import annotations

from functools import cache, lru_cache

from citeaudit.match.venue_names import LETTERS, MARKS, core_of, parse, section_of, shortens
from citeaudit.text.lists import read_words


@cache
def _cores() -> dict[tuple[int, str], tuple[tuple[str, ...], ...]]:
    """Give the telling words of all listed names, by their number and the first letter."""
    found: dict[tuple[int, str], set[tuple[str, ...]]] = {}
    for name in read_words("citeaudit.match", "venue_names.txt"):
        core = tuple(name.split())
        found.setdefault((len(core), core[0][0]), set()).add(core)
    return {key: tuple(sorted(cores)) for key, cores in found.items()}


def is_word(word: str) -> bool:
    """Whether a listed name has this telling word alone.

    >>> is_word("neuron"), is_word("neuro")
    (True, False)
    """
    return (word,) in _cores().get((1, word[0]), ())


def is_venue(name: str) -> bool:
    """Whether a string reads as the name of a journal or a meeting, or is a known one.

    >>> is_venue("Journal of Cheese"), is_venue("ICLR"), is_venue("University of Elsewhere")
    (True, True, False)
    """
    venue = parse(name)
    return bool(venue.forms or MARKS & set(venue.text.split())) or is_listed(name)


@lru_cache(maxsize=8_192)
def is_listed(name: str) -> bool:
    """Whether the list has a venue of these telling words, each perhaps abbreviated; any with a known short form.

    >>> is_listed("J. Mach. Learn. Res."), is_listed("Journal of Adversarial Cheese")
    (True, False)
    """
    venue = parse(name)
    if venue.forms or not venue.core:
        return True
    letter = venue.core[-1] in LETTERS or venue.core[-1] == section_of(venue.content)
    whole = venue.core[:-1] if letter else venue.core
    for core in {venue.core, whole, core_of(tuple(venue.text.split()))}:
        rows = _cores().get((len(core), core[0][0]), ()) if core else ()
        if any(all(map(shortens, core, row)) for row in rows):
            return True
    return bool(venue.acronyms) and any(
        (1, short[0]) in _cores() and (short,) in _cores()[1, short[0]] for short in venue.acronyms
    )
