"""Word lists of the field reader; each is a text file here, one word a line, `#` for its origin."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files


@cache
def words(name: str) -> frozenset[str]:
    """Give the words of one list: `journal`, `abbreviation`, `publisher`, `place`, `given` (lower case), `acronym`.

    Raises:
        FileNotFoundError: There is no such list.
    """
    lines = files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


@lru_cache(maxsize=16_384)
def is_venue_word(token: str) -> bool:
    """Whether a word, with or without its full stop, is one of journal or conference names.

    >>> is_venue_word("Phys."), is_venue_word("CHI"), is_venue_word("Chi")
    (True, True, False)
    """
    bare = token.strip(".,:;()")
    return bare.lower() in words("journal") or bare in words("acronym")
