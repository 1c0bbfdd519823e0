"""Cut a note into what may be citations, and tell which of them are."""

from __future__ import annotations

import re

from citeaudit.extract.ditto import back, stands_for_authors
from citeaudit.extract.pdf.likeness import likeness, years
from citeaudit.extract.pdf.notewords import (
    ARCHIVE,
    BREAKS,
    HERE,
    LEAD,
    LINK,
    LOCATOR,
    NAMES,
    OPENERS,
    OWN,
    PROSE_HEAD,
    PROSE_WORDS,
    SENTENCE,
    UNDATED,
    YEAR,
    YEAR_MARKED,
)

MAX_NOTE = 4_000
"""Characters of one note that are read; what follows is a digression."""
MAX_PARTS = 60
"""Citations in one note that are looked at; a note that gathers literature has 20."""
LEAST_WORDS = 4
"""Words of a full citation at least."""
LONGEST_HEAD = 240
"""Characters in which the first name is looked for."""
PROSE_BEFORE = 2
"""Words in lower case before a name from which they are a sentence that leads to it."""
SURE = 0.45
"""Likeness of a full citation that does not open with names."""
PLAUSIBLE = 0.25
"""Likeness of a full citation: a year alone is 0.3, and words of prose above three in a hundred take from it."""
LONGEST_NAME = 9
"""Words before the first mark; an office that publishes may have a long name."""
_PARTICLE = re.compile(r"(?:von|vom|van|de|di|du|del|della|la|le|al|zu|ten|da|dos)\b")


def parts(text: str) -> list[str]:
    """Cut a note into what may be citations: at semicolons and at words that lead to the next one.

    Leading words, comments behind and pages that are only pointed to (`hier S. 5`) are left out.

    >>> parts("Vgl. A. Roe, Rows, Bonn 1999; siehe auch B. Poe, Columns, Rome 2001, hier S. 5. Hence the name.")
    ['A. Roe, Rows, Bonn 1999', 'B. Poe, Columns, Rome 2001']
    """
    pieces: list[str] = []
    for piece in _pieces(text[:MAX_NOTE]):
        # "Roe, J.; Poe, A.: Rows": names are joined by the mark that parts works.
        if pieces and _only_names(pieces[-1]):
            pieces[-1] = f"{pieces[-1]}; {piece}"
        else:
            pieces.append(piece)
    trimmed = (_trimmed(piece) for piece in pieces[:MAX_PARTS])
    return [piece for piece in trimmed if piece]


def _pieces(text: str) -> list[str]:
    pieces, start = [], 0
    for match in BREAKS.finditer(text):
        inside = text[start : match.start()]
        if any(inside.count(opener) > sum(inside.count(closer) for closer in closers) for opener, closers in OPENERS):
            continue
        pieces.append(inside)
        start = match.end()
    return [*pieces, text[start:]]


def _only_names(piece: str) -> bool:
    """Whether a piece holds no more than names in inverted order."""
    plain = led(piece.strip().rpartition("; ")[2])
    return bool(
        re.fullmatch(r"[^\W\d_][\w'’-]{1,30},\s(?:[^\W\d_][\w.’-]{0,20}\s){0,2}[^\W\d_][\w.’-]{0,20}", plain)
    ) and not back(plain)


def led(piece: str) -> str:
    """Give a citation without the words that lead to it."""
    for _ in range(3):
        match = LEAD.match(piece)
        if match is None or match.end() == 0:
            break
        piece = piece[match.end() :]
    return piece


def _trimmed(piece: str) -> str:
    text = _named(led(piece.strip(" ;,")))
    ends = [match.start() + 1 for match in SENTENCE.finditer(text)]
    while ends and years(text[: ends[-1]]) and _is_comment(text[ends[-1] :]):
        text = text[: ends.pop()]
    text = HERE.sub("", text.strip(" ;,"))
    return text.strip(" ;,").removesuffix(".") if years(text) else text.strip(" ;,")


def _named(text: str) -> str:
    """Begin with the name where a sentence leads to it: `This was first said by Jane Roe, Rows, 1999`."""
    match = PROSE_HEAD.match(text[:LONGEST_HEAD])
    if match is None or sum(word.islower() for word in text[: match.start("name")].split()) < PROSE_BEFORE:
        return text
    return text[match.start("name") :]


def _is_comment(sentence: str) -> bool:
    """Whether a sentence behind a citation says something else."""
    words = sentence.split()
    if LOCATOR.search(sentence) or LINK.search(sentence) or back(sentence.strip()):
        return False
    plain = sum(word.strip(".,;:()").islower() for word in words)
    return len(words) > 2 and (not years(sentence) or plain >= PROSE_WORDS * len(words))  # noqa: PLR2004


def is_archive(text: str) -> bool:
    """Tell whether a citation points to a file of an archive, or is an address and hardly anything else."""
    link = LINK.match(text)
    return bool(ARCHIVE.match(text)) or (link is not None and len(text[link.end() :].split()) < LEAST_WORDS)


def is_citation(text: str) -> bool:
    """Tell whether a piece of a note names a work in full: names first, a year, no running prose.

    >>> is_citation("Eva Roe, Die Zeilen, in: Archiv 28 (1988), S. 55-84")
    True
    >>> is_citation("In 1933 the numbers were lower, as the tables show")
    False
    """
    if OWN.match(text) or len(text.split()) < LEAST_WORDS or not (YEAR.search(text) or UNDATED.search(text)):
        return False
    opened = text[stands_for_authors(text) :].lstrip("“„«\"'‘» ")
    if not opened[:1].isalpha() or (opened[0].islower() and not _PARTICLE.match(opened)):
        return False
    cut = re.search(r"[,:.;(“„«\"/]", text)
    if cut is None or len(text[: cut.start()].split()) > LONGEST_NAME:
        return False
    # A title may be a sentence; prose does not put a year between marks behind a name.
    dated = YEAR_MARKED.search(text) or UNDATED.search(text)
    named = NAMES.match(text) or text != opened
    return likeness(text) >= (PLAUSIBLE if named else SURE) or bool(NAMES.match(text) and dated)
