"""Find quotations by their marks, in any language: spans of the running text that print somebody's words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from citeaudit.extract.intext.body import Body, Mark, MarkKind
from citeaudit.extract.intext.marker import most
from citeaudit.text.normalize import squash

MAX_QUOTE = 6_000
"""Characters between two marks that belong together; more is a mark that was never closed."""

_MARKS = re.compile(r"``|''|[“”„«»‹›‚「」『』\"＂]|(?<![^\W_])['‘]|['’‘](?![^\W_])|\n[ \t]*\n\s*")
_CLOSERS = {
    "“": "”",
    "”": "”",
    "„": '“”"',
    "«": "»",
    "»": "«",
    "‹": "›",
    "›": "‹",
    "‘": "’",
    "‚": "‘’",
    "「": "」",
    "『": "』",
    '"': '"',
    "＂": "＂",
    "``": "''",
    "''": "''",
    "'": "'",
}
_SINGLE = frozenset("‘’'‚‹›")
_REOPENED = re.compile(r"\n[ \t]*\n\s*[“„«»”\"]\s?")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W_]+(?:[-‐’'][^\W_]+){0,8}")
_NO_QUOTATION = re.compile(
    r"\s*(?:[•▪◦‣·–—*-]\s|\(?\d{1,2}[.)]\s|(?:Figure|Fig\.|Table|Abbildung|Abb\.|Tabelle|Tab\.|Tableau|Figura|Tabla|Tabela|"
    r"Scheme|Algorithm|Listing)\s?\d)"
)
"""How list items and captions start, which are indented like block quotations."""
_DECADE = re.compile(r"\d\ds?\b")
_MAX_TRIES = 50
"""Marks in one run that open nothing and are tried again from the next character."""

_FIGURES = 0.15
"""Digits a letter from which a block is a table."""
_LEAST_TABLE = 120
_SENTENCE_END = re.compile(r"[.!?…”\"»«’“)\]]\s?\d{0,3}$")
_CLOSING = 80
"""Characters at the end of a block in which a mark may close it."""
_MAX_BREAKS = 20
"""Paragraphs that one quotation runs over."""


class Passage(NamedTuple):
    """One quotation; `start` and `end` take in its marks, `inner` only its words."""

    start: int
    end: int
    inner: tuple[int, int]
    block: bool = False


def passages(body: Body) -> list[Passage]:
    """Give quotations in the order of the text, outermost only; block quotations as the document marks them."""
    blocks = [
        Passage(mark.start, mark.end, (mark.start, mark.end), block=True)
        for mark in body.marks
        if mark.kind is MarkKind.QUOTATION
        and mark.start < mark.end
        and not _NO_QUOTATION.match(body.text, mark.start, mark.end)
        and not _tabular(body.text[mark.start : mark.end])
        and _whole(body, mark)
    ]
    outer: list[Passage] = []
    for block in blocks:
        if not outer or block.start >= outer[-1].end:
            if outer and _goes_on(body, outer[-1], block):
                outer[-1] = Passage(outer[-1].start, block.end, (outer[-1].start, block.end), block=True)
            else:
                outer.append(block)
    return sorted([*outer, *_outside(_marked(body.text), outer)])


def _goes_on(body: Body, first: Passage, second: Passage) -> bool:
    """Whether a block is the next paragraph of the one before: no text lies between, no citation closes that one."""
    if body.text[first.end : second.start].strip():
        return False
    at = bisect_left(body.marks, first.end - _CLOSING, key=lambda mark: mark.start)
    closing = {MarkKind.CITE, MarkKind.NOTE, MarkKind.RAISED}
    for mark in body.marks[at:]:
        if mark.start >= first.end:
            break
        if mark.kind in closing and not body.text[mark.end : first.end].strip(" .,)]\n"):
            return False
    return body.text[first.start : first.end].rstrip(" .\n")[-1:] not in {")", "]"}


def _whole(body: Body, mark: Mark) -> bool:
    """Whether a block ends as sentences do and starts inside no bracket or quotation.

    Asked only in a PDF, where blocks are guessed from the layout.
    """
    if body.locus(mark.start).page is None:
        return True
    block = body.text[mark.start : mark.end].strip()
    torn = any(close in block.partition(opened)[0] for opened, close in ("[]", "()", "“”"))
    return bool(_SENTENCE_END.search(block)) and not torn


def _tabular(block: str) -> bool:
    """Whether a block is made of figures rather than of sentences."""
    digits, letters = sum(map(str.isdigit, block)), sum(map(str.isalpha, block))
    return digits > (_FIGURES if len(block) > _LEAST_TABLE else 2 * _FIGURES) * letters


def words(text: str) -> int:
    """Count words; where a script writes none apart, two characters stand for one."""
    han = len(_HAN.findall(text))
    return han // 2 + len(_WORD.findall(_HAN.sub(" ", text))) if han else len(_WORD.findall(text))


def printed(body: Body, span: tuple[int, int], hidden: Iterable[tuple[int, int]]) -> str:
    """Give the words of a passage as printed, without note marks and without the marks that reopen a paragraph."""
    start, end = span
    pieces, at = [], start
    for low, high in hidden:
        if at <= low < high <= end:
            pieces.append(body.text[at:low])
            at = high
    pieces.append(body.text[at:end])
    return squash(_REOPENED.sub(" ", "".join(pieces))).rstrip(",，").strip()


def note_marks(marks: Sequence[Mark]) -> list[tuple[int, int]]:
    """Give the spans of note marks and raised signs."""
    return [(mark.start, mark.end) for mark in marks if mark.kind in {MarkKind.NOTE, MarkKind.RAISED}]


def _outside(found: Iterable[Passage], blocks: Sequence[Passage]) -> list[Passage]:
    kept, at = [], 0
    for passage in found:
        while at < len(blocks) and blocks[at].end <= passage.start:
            at += 1
        if at == len(blocks) or passage.end <= blocks[at].start:
            kept.append(passage)
    return kept


class _Sign(NamedTuple):
    start: int
    end: int
    text: str


def _marked(text: str) -> list[Passage]:
    signs = [_Sign(found.start(), found.end(), found[0]) for found in islice(_MARKS.finditer(text), 2 * most(text))]
    found: list[Passage] = []
    at = tries = 0
    while at < len(signs):
        sign = signs[at]
        if not _opens(text, sign):
            at += 1
            continue
        close = _close(text, signs, at)
        if close is None:
            tries += 1
            at += 1
            if tries > _MAX_TRIES:
                at, tries = _next_paragraph(signs, at), 0
            continue
        end = signs[close]
        found.append(Passage(sign.start, end.end, (sign.end, end.start)))
        at, tries = close + 1, 0
    return found


def _next_paragraph(signs: Sequence[_Sign], at: int) -> int:
    while at < len(signs) and not signs[at].text.startswith("\n"):
        at += 1
    return at


def _opens(text: str, sign: _Sign) -> bool:
    if sign.text.startswith("\n") or sign.text not in _CLOSERS:
        return False
    before, after = text[sign.start - 1 : sign.start], text[sign.end : sign.end + 1]
    if not after or (after.isspace() and sign.text != "«" and after != "\u202f"):
        return False
    if sign.text in "“„«「『``":
        return True
    free = not before or before.isspace() or before in "([{—–-/:（，。：" or bool(_HAN.match(before))
    if sign.text in "‘'’":
        return sign.text != "’" and free and after.isalpha() and not _DECADE.match(text, sign.end, sign.end + 4)
    if sign.text in "”»›":
        return free and (after.isalnum() or after in "[(…¿¡.")
    return free


def _close(text: str, signs: Sequence[_Sign], at: int) -> int | None:
    """Find the mark that closes the one at `at`; the last one where nested marks of the kind are closed one by one."""
    opened = signs[at]
    closers, depth = _CLOSERS[opened.text], 1
    weak: int | None = None
    breaks = 0
    for place in range(at + 1, len(signs)):
        sign = signs[place]
        if sign.start - opened.start > MAX_QUOTE:
            break
        if sign.text.startswith("\n"):
            follows, breaks = text[sign.end : sign.end + 1], breaks + 1
            if opened.text in _SINGLE or follows != opened.text or opened.text == '"' or breaks > _MAX_BREAKS:
                break
            continue
        if sign.text == opened.text and sign.text not in closers:
            depth += _deeper(text, sign, reopened=signs[place - 1].text.startswith("\n"))
            if depth == 0:
                return place
            continue
        if not (sign.text in closers and sign.text):
            continue
        verdict = _closes(text, sign, opened)
        if verdict is None:
            weak = place if weak is None else weak
        elif verdict:
            depth -= 1
            if depth == 0:
                return place
    return weak


def _deeper(text: str, sign: _Sign, *, reopened: bool) -> int:
    """Tell what a second opening mark does: nests, reopens after a paragraph, or closes by mistake."""
    if reopened:
        return 0
    before, after = text[sign.start - 1 : sign.start], text[sign.end : sign.end + 1]
    if sign.text in "“„" and not before.isspace() and before not in "([" and not after.isalnum():
        return -1
    return 1


def _closes(text: str, sign: _Sign, opened: _Sign) -> bool | None:
    """Tell a closing mark from an apostrophe; `None` where it may be either."""
    before, after = text[sign.start - 1 : sign.start], text[sign.end : sign.end + 1]
    if sign.text in {"’", "'"}:
        if after.isalnum() or before.isspace():
            return False
        following = text[sign.end + 1 : sign.end + 2]
        return None if before.lower() == "s" and after == " " and following.islower() else True
    if sign.text == '"':
        return not before.isspace() and not after.isalpha()
    if sign.text in "“”" and opened.text == "”":
        return not before.isspace()
    return True
