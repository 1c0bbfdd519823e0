"""Read what authors say beside their references: `% citeaudit: ok REASON`.

The comment stands on the line before an entry (other comments may stand between), on a line inside it, or behind
the line on which it opens. It belongs to the author, not to this program: what follows from it is a matter of
settings (`decisions.from_manuscript`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from citeaudit.text.normalize import squash
from citeaudit.text.visible import visible

MAX_REASON = 500
"""Characters of a reason that are kept."""
FORM = "% citeaudit: ok REASON"
"""How the comment is written."""
_MOST_NOTES = 20

_OPENING = r"[ \t]{0,20}@\w{1,40}[ \t]{0,20}[{(][ \t]{0,20}[^\s,{}()=\"%]{1,200}[ \t]{0,20},"
_LINE = re.compile(
    rf"^(?P<before>[ \t]*|{_OPENING}[ \t]{{0,200}})(?P<comment>%+[ \t]*citeaudit[ \t]*:(?P<said>[^\n]*))$",
    re.IGNORECASE | re.MULTILINE,
)
_MARK = re.compile(r"citeaudit[ \t]*:", re.IGNORECASE)
_SAID = re.compile(r"[ \t]*ok(?![\w-])[ \t]*[:,;.–—-]?(?P<reason>.*)", re.IGNORECASE | re.DOTALL)


class Remark(NamedTuple):
    """One comment."""

    line: int
    """1-based."""
    reason: str | None
    """`None` where it gives none, or is not written as it should be."""


class Span(NamedTuple):
    """The lines of one entry, 1-based, the last included."""

    first: int
    last: int


class Assigned(NamedTuple):
    """Which entry each comment belongs to."""

    reasons: dict[int, str]
    """By place in the list of entries."""
    notes: list[str]
    """A sentence for each comment without effect."""


def find_remarks(text: str, first_line: int = 1) -> tuple[str, list[Remark]]:
    r"""Give the text with blanks in place of such comments, of the same length, and the comments in order.

    >>> find_remarks("% citeaudit: ok read the print\n@misc{a,")
    ('                              \n@misc{a,', [Remark(line=1, reason='read the print')])
    """
    if not _MARK.search(text):
        return text, []
    found: list[Remark] = []
    line, counted = first_line, 0

    def blank(match: re.Match[str]) -> str:
        nonlocal line, counted
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        found.append(Remark(line, reason_of(match["said"])))
        return match["before"] + " " * len(match["comment"])

    return _LINE.sub(blank, text), found


def reason_of(said: str) -> str | None:
    """Give the reason in what stands behind `citeaudit:`; `None` where there is none.

    >>> reason_of(" ok: checked in the library"), reason_of(" ok"), reason_of(" okay")
    ('checked in the library', None, None)
    """
    match = _SAID.fullmatch(said[: MAX_REASON * 2])
    reason = squash(visible(match["reason"]))[:MAX_REASON] if match else ""
    return reason if any(map(str.isalnum, reason)) else None


def assign(remarks: Iterable[Remark], spans: Sequence[Span], comments: frozenset[int]) -> Assigned:
    """Give each comment to the entry in which it stands, or which begins right after it.

    Args:
        remarks: In order.
        spans: The entries, in order.
        comments: Lines that hold nothing but a comment, which may stand between.
    """
    starts = {span.first: place for place, span in reversed(list(enumerate(spans)))}
    inside = {line: place for place, span in enumerate(spans) for line in range(span.first, span.last + 1)}
    reasons: dict[int, str] = {}
    notes: list[str] = []
    for remark in remarks:
        place = inside.get(remark.line)
        if place is None:
            place = starts.get(_after(remark.line, comments))
        if place is None:
            told = "stands at no reference and has no effect; put it right before one"
            notes.append(f"the comment on line {remark.line} {told}")
        elif remark.reason is None:
            notes.append(without_reason(remark.line))
        else:
            reasons.setdefault(place, remark.reason)
    return Assigned(reasons, notes[:_MOST_NOTES])


def before_lines(text: str) -> dict[int, Remark]:
    """Give the comments of a source by the line that each stands right before; the nearest where there are several."""
    _, remarks = find_remarks(text)
    comments = comment_lines(text) if remarks else frozenset()
    return {_after(remark.line, comments): remark for remark in remarks}


def _after(line: int, comments: frozenset[int]) -> int:
    """Give the first line behind a comment that is none itself."""
    line += 1
    while line in comments:
        line += 1
    return line


def without_reason(line: int) -> str:
    """Give the sentence on a comment that says nothing."""
    return f"the comment on line {line} gives no reason and has no effect; write {FORM}"


def comment_lines(text: str, first_line: int = 1) -> frozenset[int]:
    """Give the lines that hold nothing but a comment."""
    return frozenset(
        number for number, line in enumerate(text.split("\n"), first_line) if line.lstrip().startswith("%")
    )
