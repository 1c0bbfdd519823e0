"""Follow the fields of a .docx, which may be split over runs and paragraphs and stand inside one another.

Complex fields are `begin`, code, `separate`, result, `end` (ECMA-376 part 1, 17.16.18).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from citeaudit.extract.office.managers import Cited, Library, is_list

MAX_OPEN = 50
"""Fields inside one another."""

_LINK = re.compile(r"\s{0,20}HYPERLINK\s{1,20}(?P<local>\\l\s{1,20})?\"(?P<target>[^\"]{1,4000})\"", re.IGNORECASE)
_REF = re.compile(r"\s{0,20}(?:REF|NOTEREF)\s{1,20}(?P<name>[^\s\\\"]{1,200})", re.IGNORECASE)
_CONTENTS = re.compile(r"\s{0,20}(?:TOC|INDEX|TOA)\b", re.IGNORECASE)


@dataclass(slots=True)
class Open:
    """A field that has begun."""

    code: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    result: bool = False
    """Its code is over; what follows is shown."""
    start: int = 0
    """Where its result starts in the text of the paragraph."""
    works: tuple[Cited, ...] = ()
    target: str = ""
    lists: bool = False
    contents: bool = False


class Fields:
    """The fields that are open while a part is read."""

    def __init__(self, library: Library, path: str) -> None:
        self._library = library
        self._path = path
        self.open: list[Open] = []

    @property
    def shown(self) -> bool:
        """Whether text is shown here: it stands in no field's code."""
        return all(one.result for one in self.open)

    @property
    def lists(self) -> bool:
        """Whether a list of references is printed here by a field."""
        return any(one.lists for one in self.open)

    @property
    def contents(self) -> bool:
        """Whether a table of contents is printed here by a field."""
        return any(one.contents for one in self.open)

    def begin(self, data: str = "") -> None:
        """Open a field."""
        if len(self.open) < MAX_OPEN:
            self.open.append(Open(data=[data] if data else []))

    def code(self, text: str) -> None:
        """Add to the code of the innermost field."""
        if self.open and not self.open[-1].result:
            self.open[-1].code.append(text)

    def separate(self, start: int) -> None:
        """End the code of the innermost field; its result starts at this offset."""
        if self.open:
            self._settle(self.open[-1])
            self.open[-1].result, self.open[-1].start = True, start

    def end(self) -> Open | None:
        """Close the innermost field and give it; one inside the code of another hands its data to that."""
        if not self.open:
            return None
        closed = self.open.pop()
        if not closed.result:
            self._settle(closed)
            closed.start = -1
        if self.open and not self.open[-1].result:
            self.open[-1].data += closed.data
            return None
        return closed

    def simple(self, code: str, start: int) -> None:
        """Open a field whose code is at hand (`w:fldSimple`)."""
        self.begin()
        self.code(code)
        self.separate(start)

    def _settle(self, one: Open) -> None:
        code = "".join(one.code)
        link, ref = _LINK.match(code), _REF.match(code)
        if link is not None:
            one.target = f"#{link['target']}" if link["local"] else link["target"]
        elif ref is not None:
            one.target = f"#{ref['name']}"
        else:
            one.lists, one.contents = is_list(code), _CONTENTS.match(code) is not None
            one.works = self._library.cite(code, "".join(one.data), path=self._path)
