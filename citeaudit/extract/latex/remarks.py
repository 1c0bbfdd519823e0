"""Read what authors say beside their references: `% citeaudit: ok REASON`.

The comment stands before an entry (blank lines and other comments may stand between, an entry that is commented out
may not), on a line between its fields, or behind the line on which it opens. It holds for that entry alone; one that
reaches none is told. It belongs to the author, not to this program: what follows from it is a matter of settings
(`decisions.from_manuscript`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from citeaudit.text.normalize import squash
from citeaudit.text.visible import visible

MAX_REASON = 500
"""Characters of a reason that are kept."""
FORM = "% citeaudit: ok REASON"
"""How the comment is written."""
_MOST_NOTES = 20
_ASTRAY = "the comment on line {line} stands at no reference and has no effect; put it right before one"
_IN_VALUE = "the comment on line {line} stands inside a value and has no effect; put it right before its reference"

_OPENING = r"[ \t]{0,20}@\w{1,40}[ \t]{0,20}[{(][ \t]{0,20}[^\s,{}()=\"%]{1,200}[ \t]{0,20},"
_LINE = re.compile(
    rf"^(?P<before>[ \t]*|{_OPENING}[ \t]{{0,200}})(?P<comment>%+[ \t]*citeaudit[ \t]*:(?P<said>[^\n]*))$",
    re.IGNORECASE | re.MULTILINE,
)
_BEHIND = re.compile(r"(?<!\\)%+[ \t]*citeaudit[ \t]*:[ \t]*ok(?![\w-])", re.IGNORECASE)
_DISABLED = re.compile(
    r"@\s{0,20}\w{1,40}\s{0,20}[{(]|\\(?:bib(?:item)?|harvarditem|entry)(?![a-zA-Z])"
    r"|^[\w-]{1,40}\s{0,20}=\s{0,20}(?:[{\"]|\w{1,40}\s{0,20},?$)|^[})]",
    re.IGNORECASE,
)
"""What a comment holds that is an entry, or a part of one, commented out."""
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
    values: frozenset[int] = frozenset()
    """Those that begin inside a value."""

    def holds(self, line: int) -> bool:
        """Whether a line begins inside a value."""
        return line in self.values


class Assigned(NamedTuple):
    """Which entry each comment belongs to."""

    reasons: dict[int, str]
    """By place in the list of entries."""
    notes: list[str]
    """A sentence for each comment without effect."""


def has_mark(text: str) -> bool:
    """Whether a text may hold such a comment at all."""
    return _MARK.search(text) is not None


def find_remarks(text: str, first_line: int = 1) -> tuple[str, list[Remark]]:
    r"""Give the text with blanks in place of such comments, of the same length, and the comments in order.

    >>> find_remarks("% citeaudit: ok read the print\n@misc{a,")
    ('                              \n@misc{a,', [Remark(line=1, reason='read the print')])
    """
    if not has_mark(text):
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


def assign(remarks: Sequence[Remark], spans: Sequence[Span], text: str, first_line: int = 1) -> Assigned:
    """Give each comment to the entry between whose fields it stands, or which comes next after it.

    Args:
        remarks: In order.
        spans: The entries, in order.
        text: The source that holds them.
        first_line: Number of its first line.
    """
    lines = dict(enumerate(text.split("\n"), first_line))
    live = [(place, span) for place, span in enumerate(spans) if not _is_comment(lines.get(span.first, ""))]
    starts = {span.first: place for place, span in reversed(live)}
    inside = {line: place for place, span in live for line in range(span.first, span.last + 1)}
    own = {remark.line for remark in remarks}
    between = frozenset(number for number, line in lines.items() if number in own or _may_stand_between(line))
    reasons: dict[int, str] = {}
    notes = {line: _ASTRAY.format(line=line) for line in _behind(lines) if line not in own}
    for remark in remarks:
        place = inside.get(remark.line)
        if place is not None and spans[place].holds(remark.line):
            notes[remark.line] = _IN_VALUE.format(line=remark.line)
            continue
        if place is None:
            place = starts.get(_after(remark.line, between))
        if place is None:
            notes[remark.line] = _ASTRAY.format(line=remark.line)
        elif remark.reason is None:
            notes[remark.line] = without_reason(remark.line)
        else:
            reasons.setdefault(place, remark.reason)
    return Assigned(reasons, [note for _, note in sorted(notes.items())][:_MOST_NOTES])


def value_lines(entry: str, first_line: int) -> frozenset[int]:
    r"""Give the lines of an entry that begin inside a value, in braces or quotes.

    Args:
        entry: From its `@`.
        first_line: Number of its first line.

    >>> sorted(value_lines("@misc{a,\n title={One\n tale\n of sand},\n year=1}", 1))
    [3, 4]
    """
    held: list[int] = []
    depth, quoted = 0, False
    for number, line in enumerate(entry.split("\n"), first_line):
        if depth > 1 or quoted:
            held.append(number)
        elif number > first_line and _is_comment(line):
            continue
        for char in line:
            if char == "{" or (char == "(" and not depth):
                depth += 1
            elif char == "}":
                depth -= 1
            elif char == '"' and depth == 1:
                quoted = not quoted
    return frozenset(held)


def _behind(lines: Mapping[int, str]) -> Iterator[int]:
    """Give the lines on which such a comment stands behind something else."""
    return (number for number, line in lines.items() if not _is_comment(line) and _BEHIND.search(line))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("%")


def _may_stand_between(line: str) -> bool:
    """Whether a line is blank, or a comment that is no part of an entry commented out."""
    shown = line.strip()
    return not shown or (shown.startswith("%") and not _DISABLED.search(shown.lstrip("% \t")))


def _after(line: int, between: frozenset[int]) -> int:
    """Give the first line behind a comment that is more than a gap."""
    line += 1
    while line in between:
        line += 1
    return line


def without_reason(line: int) -> str:
    """Give the sentence on a comment that says nothing."""
    return f"the comment on line {line} gives no reason and has no effect; write {FORM}"
