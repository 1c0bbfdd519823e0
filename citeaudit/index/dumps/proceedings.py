"""The names under which one volume of proceedings is cited in full.

They decide where a miss testifies something, so a name that could mean another event is left out: a bare acronym
(`ICCS` is several conferences), a series (`Lecture Notes in Computer Science`), a name without its ordinal number
(two conferences a year may be an `International Conference on Information Systems`).
"""

from __future__ import annotations

import re

from citeaudit.text.normalize import fold

MIN_WORDS = 4
"""Words under which a part of a title is too general: `Advances in Cryptology`, `Proceedings, Part I`."""

_PART = re.compile(r"\s?\((?:\d{1,3}|[a-z-]{1,20}|[IVX]{1,6}|Part [^()]{1,10})\)$")
"""What dblp adds to tell volumes apart: `ECCV (12)`, `ACL (demo)`."""
_BRACKETED = re.compile(r"\s?\([^()]{1,40}\)$")
_OPENING = re.compile(r"^(?:the\s)?proceedings\s(?:of\s)?(?:the\s)?", re.IGNORECASE)
_NUMBER = re.compile(r"\s\d{1,3}$")


def names_of(title: str, acronym: str | None, year: int) -> tuple[str, ...]:
    """Give the names of a volume: its title, the event alone, and `ACRONYM YEAR` where the title itself says so.

    >>> names_of("Proceedings of the 9th Conference on Very Small Trees, VST 2019, Ulm", "VST", 2019)[1:]
    ('Proceedings of the 9th Conference on Very Small Trees', '9th Conference on Very Small Trees', 'VST 2019')
    """
    head = title.partition(", ")[0]
    bare = _BRACKETED.sub("", head)
    names = [title, head, bare, _OPENING.sub("", bare)]
    for name in (head, bare):
        main = name.partition(": ")[0]
        names += [main, _NUMBER.sub("", main)]
    kept = [title, *filter(is_long, names)]
    if acronym:
        short = _PART.sub("", acronym.strip())
        named = short if str(year) in short else f"{short} {year}"
        if f" {fold(named)} " in f" {fold(title)} " and fold(named) != str(year):
            kept.append(named)
    return tuple(dict.fromkeys(kept))


def is_long(name: str | None) -> bool:
    """Whether a name has enough words to mean one event alone."""
    return name is not None and len(fold(name).split()) >= MIN_WORDS
