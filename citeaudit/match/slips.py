"""Slips of reading and of export: a title cut at a comma or a formula, or joined to the venue or the authors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citeaudit.match.identifiers import cited_ids, work_ids
from citeaudit.match.people import compare_people
from citeaudit.model import IDENTIFIER_KINDS, Reference, Work
from citeaudit.text.normalize import MAX_TITLE, fold
from citeaudit.text.titles import undecorated
from citeaudit.text.titlewords import title_letters, title_words

MIN_PRINTED = 15
"""Folded letters a recorded title needs to be looked for in the printed text."""
_MAX_RAW = 4_000
_FORMULA = re.compile(r"[$\\]|<(?:mml:)?math\b|<tex-math|<inline-formula")
"""What marks a formula in a recorded title."""
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


def cut_short(reference: Reference, work: Work) -> str | None:
    r"""Give the rule by which a cited title is the opening words of a recorded one, as exports cut them; or `None`.

    Only where a cited identifier is the record's and the authors agree, so that the title has nothing to prove. A title
    may break off inside a word at a formula: DBLP's BibTeX keeps `Latent` of `${{\mathrm {Latent}}Out}$: ...`.
    """
    claimed = reference.title or ""
    rules = {_opening(claimed, title) for title in (work.title, *(version.title for version in work.versions)) if title}
    rule = min(filter(None, rules), default=None)
    if rule is None:  # of nearly all, and sooner known than the rest
        return None
    shared = (cited_ids(reference, kind) & work_ids(work, kind) for kind in IDENTIFIER_KINDS)
    return rule if any(shared) and compare_people(reference, work).agree else None


def _opening(claimed: str, title: str) -> str | None:
    letters, whole = title_letters(claimed), title_letters(title)
    if not letters or letters == whole or not whole.startswith(letters):
        return None
    if _FORMULA.search(title):
        return "title_cut_at_formula"
    words = title_words(claimed)
    return "title_cut_short" if title_words(title)[: len(words)] == words else None


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
