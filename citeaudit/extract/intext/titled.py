"""Read markers that name a work by its author and a word of its title: `(Dahl, House 55)`, `(Roe, Uhren, S. 7)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from citeaudit.extract.intext.authors import called_before
from citeaudit.extract.intext.catalogue import Catalogue
from citeaudit.extract.intext.marker import Cite, Marker, Style, most
from citeaudit.text.normalize import fold

_BRACKET = re.compile(r"\(([^()\n]{6,240})\)")
_PART = re.compile(
    r"(?P<names>[^\d,]{2,60}),\s{1,2}(?P<title>[^\d]{2,80}?)(?:,?\s{1,2}|,)(?:[A-Za-zá]{1,4}\.?\s?)?\d{1,5}"
)
_PAGE = re.compile(r"(?<!\d)(\d{1,5}(?:\s?[-–—]\s?\d{1,5})?(?:\s?ff?)?)\.?\s?$")
_LEAST = 3
"""Letters of a word of the title by which a work is known."""


def titled(text: str, catalogue: Catalogue) -> Iterator[Marker]:
    """Give the brackets that hold an author of the list, words of one title and a page; all others are left out."""
    for found in islice(_BRACKET.finditer(text), most(text)):
        inner = found[1]
        if "," not in inner or not inner.rstrip(" .f")[-1:].isdigit():
            continue
        cites: list[Cite] = []
        at = found.start(1)
        for part in inner.split(";"):
            ref, page = _work(part.strip(), catalogue), _PAGE.search(part)
            if ref is not None and page is not None:
                cites.append(Cite(at, at + len(part), part.strip(), (ref,), page[1]))
            at += len(part) + 1
        if cites:
            yield Marker(found.start(), found.end(), Style.TITLED, tuple(cites))


def _work(part: str, catalogue: Catalogue) -> int | None:
    read = _PART.match(part)
    if read is None:
        return None
    words = fold(read["title"]).split()
    called = called_before(read["names"], 0, len(read["names"]))
    if called is None or not any(len(word) >= _LEAST for word in words):
        return None
    places = [
        place
        for place in catalogue.people(called.names)
        if set(words) <= set((catalogue.entries[place].title or catalogue.entries[place].raw).split())
    ]
    return places[0] if len(places) == 1 else None
