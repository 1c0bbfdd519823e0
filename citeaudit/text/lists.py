"""Read the word lists that ship beside the code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def read_rows(package: str, name: str) -> tuple[tuple[str, ...], ...]:
    """Give the rows of `tables/NAME` in a package, split at tabs, without blank lines and `#` lines."""
    text = files(package).joinpath("tables", name).read_text(encoding="utf-8")
    return tuple(tuple(line.split("\t")) for line in text.splitlines() if line.strip() and not line.startswith("#"))


def read_words(package: str, name: str) -> frozenset[str]:
    """Give the first column of a table as a set.

    >>> "introduction" in read_words("citeaudit.text", "generic_titles.txt")
    True
    """
    return frozenset(row[0].strip() for row in read_rows(package, name))
