"""A quote as it is looked for: without what editors put into it, and in parts where they left something out."""

from __future__ import annotations

import re
from typing import NamedTuple

from citeaudit.quotes.folding import Folded, fold

_ELLIPSIS = r"\[\s*(?:\.\s*){2,}\]|\[\s*…\s*\]|\(\s*(?:\.\s*){3,}\)|\(\s*…\s*\)|…|(?:\.\s?){3,}"
_PARTS = re.compile(_ELLIPSIS)
_LETTER = re.compile(r"\[([^\W\d_])\]")
_REMARK = re.compile(
    r"\s*\[\s*(?:sic!?|recte\b[^\[\]]*|emphas[ie]s?[^\[\]]*|italics?[^\[\]]*|my (?:emphasis|translation|italics)"
    r"|our (?:emphasis|translation|italics)|Hervorhebung[^\[\]]*|je souligne|nous soulignons|footnotes? omitted"
    r"|citations? omitted|references? omitted|!|\?)\s*\]",
    re.IGNORECASE,
)
_CITED = re.compile(r"\s*\[\s*\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\s*\]")
_INSERTED = re.compile(r"\[[^\[\]\d]{1,80}\]")
"""Words that an editor put in; figures are never taken for such."""
_OPENING, _CLOSING = "\"'“”„«»‘’‚‹›`", "\"'“”«»‘’‹›`"
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\s+(?=[a-zà-ÿ])")


class Part(NamedTuple):
    """A stretch of a quote without an omission."""

    text: str
    folded: Folded


class Gap(NamedTuple):
    """What may stand in the source between two parts."""

    inserted: bool
    """The editor replaced a few words; otherwise words were left out."""


class Quotation(NamedTuple):
    """One way to read a quote."""

    parts: tuple[Part, ...]
    gaps: tuple[Gap, ...]
    """Between the parts; one fewer than these."""
    uncited: bool = False
    """Citations in brackets were left out."""


def part(text: str) -> Part:
    """Give a stretch of a quote, folded."""
    return Part(text, fold(text))


def trimmed(text: str) -> str:
    """Give a quote without the marks around it.

    >>> trimmed(' “We found none.” ')
    'We found none.'
    """
    text = text.strip()
    while len(text) > 1 and text[0] in _OPENING and text[-1] in _CLOSING:
        text = text[1:-1].strip()
    return text


def readings(quote: str) -> tuple[Quotation, ...]:
    """Give the ways to read a quote, the plainest first.

    >>> [[part.text for part in one.parts] for one in readings("[T]hey do [sic] ... as [the model] says [3].")]
    [['[T]hey do [sic] ... as [the model] says [3].'], ['They do', 'as', 'says.']]
    """
    quote = trimmed(quote)
    found = [Quotation((part(quote),), ())]
    bare = _REMARK.sub("", _LETTER.sub(r"\1", quote))
    if bare != quote and not _PARTS.search(bare):
        found.insert(0, Quotation((part(bare),), ()))
    uncited = _CITED.sub("", bare)
    if uncited != bare and not _PARTS.search(bare):
        found.append(Quotation((part(uncited),), (), uncited=True))
    pieces, gaps, last = [], [], 0
    for match in sorted(
        [*_PARTS.finditer(uncited), *(one for one in _INSERTED.finditer(uncited) if not _PARTS.fullmatch(one.group()))],
        key=lambda one: one.span(),
    ):
        if match.start() < last:
            continue
        pieces.append(uncited[last : match.start()])
        gaps.append(Gap(inserted=not _PARTS.fullmatch(match.group())))
        last = match.end()
    if gaps:
        pieces.append(uncited[last:])
        found += _parted(pieces, gaps, uncited=uncited != bare)
    return tuple(one for one in found if all(each.folded.text for each in one.parts))


def _parted(pieces: list[str], gaps: list[Gap], *, uncited: bool) -> list[Quotation]:
    """Give the reading in parts; omissions at the ends leave nothing behind."""
    parts: list[Part] = []
    between: list[Gap] = []
    for index, piece in enumerate(pieces):
        made = part(piece.strip())
        if not made.folded.text:
            continue
        if parts:
            between.append(gaps[index - 1])
        parts.append(made)
    return [Quotation(tuple(parts), tuple(between), uncited=uncited)] if parts else []
