"""Tell the record of what a work stands in: its volume, proceedings or book, or their front matter.

Front matter, whole issues and books have DOIs of their own, and a reference to a work within them often bears one: it
leads to the right place, and is that of no other work.
"""

from __future__ import annotations

from citeaudit.match.venues import ORDER, is_preprint, is_vague, venue_rule
from citeaudit.model import Reference, Work
from citeaudit.text.lists import read_words
from citeaudit.text.normalize import fold

_FRONT = read_words("citeaudit.match", "front_matter.txt")
_NAMES = ORDER[: ORDER.index("venue_abbreviated") + 1]
_ALIKE = ORDER[: ORDER.index("venue_part") + 1]
_MIN_WORDS = 3
"""Words from which the beginning of a book's name tells which it is."""
_MAX_TITLE = 400


def contains(work: Work, reference: Reference) -> bool:
    """Whether a record is of the volume or book in which the cited work is said to stand, or of its front matter.

    Never true for a reference that names no container, or for a record that has the cited title.
    """
    named, title = reference.container_title or "", work.title[:_MAX_TITLE]
    if not named or is_vague(named) or is_preprint(named):
        return False
    if fold(title) == fold((reference.title or "")[:_MAX_TITLE]):
        return False
    if fold(title) in _FRONT:
        return work.container_title is None or venue_rule(named, work.container_title) in _ALIKE
    return venue_rule(named, title) in _NAMES or _begins(fold(title), fold(named))


def _begins(one: str, two: str) -> bool:
    """Whether one name is the other without its subtitle, and long enough to tell."""
    short, long = sorted((one.split(), two.split()), key=len)
    return len(short) >= _MIN_WORDS and long[: len(short)] == short
