r"""Use what a list's LaTeX says beside its words: emphasis, `\newblock`, the commands some styles set titles with.

Where no command marks it, a title that was read is only ever made longer, to the whole of a block or an emphasised
run that holds it, so that `Adam: A method …` is not cut at its colon. The block counts only where it holds the titles
of most of the list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from citeaudit.extract.fields.reader import Hints, read_fields
from citeaudit.extract.latex.scan import braced
from citeaudit.model.reference import Reference
from citeaudit.text.normalize import key

MAX_RUNS = 12
LONGEST = 40
"""Words of a title."""
MOST = 0.6
"""Share of the titles read that must stand in the second block."""

_EMPHASIS = re.compile(r"\\(?:emph|textit|textsl)\s{0,3}(?=\{)|\{\s{0,3}\\(?:em|it|itshape|sl|slshape)(?![A-Za-z])")
_BOLD = re.compile(r"\\textbf\s{0,3}(?=\{)|\{\s{0,3}\\(?:bf|bfseries)(?![A-Za-z])")
_TITLED = re.compile(r"\\(?:btxj?titlefont|bibapifont|bibtfont)\s{0,3}(?=\{)")
_BLOCK = re.compile(r"\\newblock(?![A-Za-z@])")
_REMARK = re.compile(
    r"[(\[]|\b(?:thesis|dissertation|edition|report|(?:volume|number|vol\.?|no\.?)\s\d{1,4}\s(?:of|in)|\d{4}[a-z]?$)",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[:?!,.–—-]\s")


def emphasised(latex: str, printed: Callable[[str], str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the italic and the bold runs of an item, as printed, in order."""
    return tuple(_runs(latex, _EMPHASIS, printed)), tuple(_runs(latex, _BOLD, printed))


def _runs(latex: str, sign: re.Pattern[str], printed: Callable[[str], str]) -> Iterator[str]:
    for count, match in enumerate(sign.finditer(latex)):
        if count == MAX_RUNS:
            return
        inner = braced(latex, match.start() if match.group().startswith("{") else match.end())
        text = printed(inner.text) if inner else ""
        if text:
            yield text


def titles_in_blocks(blocks: Sequence[Sequence[str]], read: Sequence[Reference]) -> bool:
    """Whether the second block of the items of a list is their title."""
    able = [(key(one.title), parts) for one, parts in zip(read, blocks, strict=True) if one.title and len(parts) > 1]
    held = sum(title in key(parts[1]) for title, parts in able)
    return len(able) >= MOST * len(read) and held >= MOST * len(able) and held > 1


def blocks_of(latex: str, printed: Callable[[str], str]) -> tuple[str, ...]:
    r"""Give the texts between the `\newblock`s of an item."""
    return tuple(printed(part).strip() for part in _BLOCK.split(latex, maxsplit=MAX_RUNS))


def with_title(
    read: Reference, text: str, candidates: Sequence[str], hints: Hints, *, sure: str | None = None
) -> Reference:
    """Read an item again with its title in quotation marks, where a candidate holds more of it than was read.

    Args:
        read: As it was read.
        text: The item as printed.
        candidates: Runs that may be the title, the surest first.
        hints: Those it was read with.
        sure: What a command of the style marks as the title; it counts whatever was read.
    """
    if sure is not None and key(sure) == key(read.title or ""):
        return read
    found = sure or next((one for one in candidates if _holds(one, read.title)), None)
    if found is None or text.count(found) != 1:
        return read
    at = text.find(found)
    again = read_fields(f"{text[:at]}“{found}”{text[at + len(found) :]}", locus=read.locus, hints=hints)
    if again.title is None or key(again.title) != key(found) or not (again.authors or not read.authors):
        return read
    return again.model_copy(update={"raw": read.raw, "parse_score": max(read.parse_score, again.parse_score)})


def _holds(candidate: str, title: str | None) -> bool:
    """Whether a candidate is a longer reading of a title: what it adds is parted from it by a mark, and no remark."""
    whole = key(candidate)
    if not title or len(candidate.split()) > LONGEST or key(title) not in whole or key(title) == whole:
        return False
    at = candidate.casefold().find(title.casefold())
    if at < 0:
        return False
    before, after = candidate[:at], candidate[at + len(title) :]
    joined = (not before.strip() or _JOINT.search(before[-3:])) and (not after or _JOINT.match(after))
    return bool(joined) and not _REMARK.search(before + after)


def set_as_title(latex: str, printed: Callable[[str], str]) -> str | None:
    """Give the title that a command of the style marks as such (babelbib, jurabib), or `None`."""
    return next(_runs(latex, _TITLED, printed), None)
