"""Know the headings that open and close a reference list, in the languages of `headings.tsv`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

MAX_HEADING = 60
"""Characters."""

_NUMBERING = re.compile(r"^\s*(?:(?:\d{1,4}|[IVX]{1,5}|[A-Z])(?:\.\d{1,2})*[.):]?\s+|§\s*\d*\s*|[■▪•]\s*)")
_TRAILING = re.compile(r"\s+\d{1,4}$")
"""The number of a line or of a page."""
_DOTS = re.compile(r"(?:\.\s?){4,}")


@cache
def headings(kind: str) -> frozenset[str]:
    """Give the keys of known headings: `list` opens a reference list, `end` closes one."""
    text = files(__package__).joinpath("headings.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return frozenset(key(row[2]) for row in rows if row[0] == kind)


def key(text: str) -> str:
    """Fold a heading: letters alone, lower case. Small caps come as `R EFERENCES`; letterspaced as `R e f`."""
    return "".join(char for char in text.casefold() if char.isalpha())


def is_heading(text: str, kind: str = "list") -> bool:
    """Whether a row is a known heading and nothing else; a line of a table of contents is none."""
    if len(text) > MAX_HEADING or _DOTS.search(text):
        return False
    words = _TRAILING.sub("", _NUMBERING.sub("", text))
    return not any(char.isdigit() for char in words) and (key(words) in headings(kind) or key(text) in headings(kind))


@cache
def _notes() -> tuple[str, ...]:
    return tuple(headings("note"))


def is_note(text: str) -> bool:
    """Whether a row opens one of the notes that publishers set after the references."""
    return key(text[:MAX_HEADING]).startswith(_notes())
