"""Who registers DOIs: numbers of registrants that were given out, and those that a venue's publishers have.

A DOI reads `10.NUMBER/SUFFIX`. A number that nobody was ever given cannot resolve, but the table ages: by itself such a
DOI is only worth a look.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from citeaudit.match.venue_names import known_forms
from citeaudit.text.lists import read_rows, read_words

_PREFIX = re.compile(r"10\.(\d{4,9})(?:\.\d{1,9})?/")
_EXAMPLES = read_words("citeaudit.match", "doi_examples.txt")
_GENERAL = read_words("citeaudit.match", "doi_general.txt")


@cache
def _ranges() -> tuple[tuple[int, int], ...]:
    return tuple((int(row[0]), int(row[1])) for row in read_rows("citeaudit.match", "doi_prefixes.tsv"))


@cache
def _registrants() -> tuple[tuple[str, frozenset[str]], ...]:
    rows = read_rows("citeaudit.match", "venue_registrants.tsv")
    return tuple((row[0], frozenset(row[1].split())) for row in rows)


def registrant(doi: str) -> str | None:
    """Give the number of the registrant, without `10.` and subdivisions; `None` where the text is no DOI.

    >>> registrant("10.1145/3292500"), registrant("10.1000.10/123"), registrant("10.17/x")
    ('1145', '1000', None)
    """
    hit = _PREFIX.match(doi)
    return hit.group(1) if hit else None


def is_given_out(number: str) -> bool:
    """Whether a registrant's number lies in a block that was given out, and is no placeholder of documentation.

    >>> is_given_out("1145"), is_given_out("88888"), is_given_out("12345")
    (True, False, False)
    """
    value = int(number)
    return number not in _EXAMPLES and any(first <= value <= last for first, last in _ranges())


@lru_cache(maxsize=4_096)
def is_usual(number: str, venue: str) -> bool:
    """Whether works of a venue bear DOIs of a registrant: its own, a large publisher's, or a repository's.

    A venue of which nothing is known has any. A paper may also be cited with the DOI of its journal version, its
    book, its preprint or its slides, so that only a stranger to them all is unusual.

    >>> is_usual("1145", "SIGIR"), is_usual("47281", "ICLR 2021"), is_usual("47281", "Journal of Cheese")
    (True, False, True)
    """
    if number in _GENERAL:
        return True
    forms = known_forms(venue)
    own = [numbers for name, numbers in _registrants() if name in forms]
    return not own or any(number in numbers for numbers in own)
