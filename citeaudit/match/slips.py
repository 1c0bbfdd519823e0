"""Slips in reading a printed reference: a title cut at a comma, or joined to the venue or the authors."""

from __future__ import annotations

from collections.abc import Iterator

from citeaudit.model import Reference, Work
from citeaudit.text.normalize import MAX_TITLE, fold
from citeaudit.text.titles import undecorated

MIN_PRINTED = 15
"""Folded letters a recorded title needs to be looked for in the printed text."""
_MAX_RAW = 4_000
_MIN_ABBREVIATED = 3
"""Letters from which the beginning of a word of the venue is taken for it."""


def printed(reference: Reference, work: Work) -> bool:
    """Whether the recorded title is printed in full, and the title as read is a part of it or it and its surroundings.

    Typed references (parse score 1) are not read, so nothing there is a slip. A title to which the reference adds
    words that are neither the record's venue nor its authors is another title.
    """
    if reference.parse_score >= 1.0 or not reference.title:
        return False
    whole, read = _words(undecorated(work.title)), _words(undecorated(reference.title))
    if len("".join(whole)) < MIN_PRINTED or not read or not _stands(whole, _words(reference.raw[:_MAX_RAW])):
        return False
    if _stands(read, whole):
        return True
    place = _place(whole, read)
    return place is not None and _around((*read[:place], *read[place + len(whole) :]), work)


def _words(text: str) -> tuple[str, ...]:
    return tuple(fold(text[: max(MAX_TITLE, _MAX_RAW)]).split())


def _place(part: tuple[str, ...], whole: tuple[str, ...]) -> int | None:
    starts = range(len(whole) - len(part) + 1)
    return next((start for start in starts if whole[start : start + len(part)] == part), None)


def _stands(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether the words stand in a text one after another; hyphens at line ends may part one."""
    return f" {' '.join(part)} " in f" {' '.join(whole)} "


def _around(words: tuple[str, ...], work: Work) -> bool:
    """Whether all these words are of the record's venue or authors."""
    names = {word for person in work.authors for word in _words(str(person))}
    venues = {word for venue in _venues(work) for word in _words(venue)}
    known = names | venues | {"in", "and", "et", "al"}
    return all(
        word in known
        or (len(word) >= _MIN_ABBREVIATED and any(other.startswith(word) for other in venues))
        or (word.isdigit() and int(word[:4]) == work.year)
        for word in words
    )


def _venues(work: Work) -> Iterator[str]:
    yield from filter(None, (work.container_title, work.publisher, *(item.container_title for item in work.versions)))
