"""Bring a printed reference and typed data about it together: what is printed is what the manuscript claims."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeaudit.model.reference import Identifiers, Reference
from citeaudit.text.normalize import fold, key

_LEAST_TITLE = 12
"""Characters of a folded title by which alone two can be told to be one."""


def composed(reference: Reference) -> str:
    """Give a line in words for typed data that is printed nowhere."""
    people = "; ".join(str(person) for person in reference.authors)
    year = f"({reference.year})" if reference.year else ""
    place = ", ".join(filter(None, (reference.container_title, reference.volume, reference.pages)))
    doi = f"doi:{reference.identifiers.doi}" if reference.identifiers.doi else reference.identifiers.url
    parts = [part.rstrip(".") for part in (people, year, reference.title, place, doi) if part]
    return ". ".join(parts) or "(empty entry)"


def matching(read: Reference, typed: Sequence[Reference]) -> int | None:
    """Give the place of the one typed reference that a printed one shows, or `None`.

    An identifier decides, then the title in the printed line with the first author or the year, then, for styles
    that print no titles, first author, year and volume or page.
    """
    line = key(read.raw)
    for name in ("doi", "arxiv_id", "pmid"):
        value = getattr(read.identifiers, name)
        same = [place for place, one in enumerate(typed) if value and getattr(one.identifiers, name) == value]
        if len(same) == 1:
            return same[0]
    titled = [
        place for place, one in enumerate(typed) if _titled(one, line) and (_author(one, line) or _dated(one, read))
    ]
    if titled:
        best = max(titled, key=lambda place: (_dated(typed[place], read), len(typed[place].title or "")))
        rivals = [
            place
            for place in titled
            if _dated(typed[place], read) and key(typed[place].title or "") == key(typed[best].title or "")
        ]
        return best if len(rivals) < 2 else None  # noqa: PLR2004 - two entries of one title and year
    bare = [
        place for place, one in enumerate(typed) if _author(one, line) and _dated(one, read) and _numbered(one, read)
    ]
    return bare[0] if len(bare) == 1 else None


def together(read: Reference, typed: Reference) -> Reference:
    """Give the typed fields, except where the printed line says otherwise; raw and place are the printed ones.

    `parse_score` is 1 where title, first author and year are all printed as typed.
    """
    line = key(read.raw)
    update: dict[str, object] = {}
    sure = True
    if _titled(typed, line):
        update["title"] = typed.title
    elif read.title is not None:  # where it was not read, the style may print no titles
        sure = typed.title is None
    if _author(typed, line):
        update |= {"authors": typed.authors, "authors_truncated": typed.authors_truncated}
    else:
        sure = sure and not typed.authors and not read.authors
    if typed.year is None or _dated(typed, read):
        update["year"] = typed.year if typed.year is not None else read.year
    else:
        sure = False
    for name in ("container_title", "volume", "issue", "pages", "publisher", "editors"):
        value = getattr(typed, name)
        shown = value if isinstance(value, str) else None
        if (shown and key(shown) and key(shown) in line) or (name == "editors" and value and not read.editors):
            update[name] = value
    if typed.type.value != "unknown":
        update["type"] = typed.type
    update["identifiers"] = _identifiers(read, typed)
    update["parse_score"] = 1.0 if sure else read.parse_score
    if typed.locus.citekey and not read.locus.citekey:
        update["locus"] = read.locus.model_copy(update={"citekey": typed.locus.citekey})
    return read.model_copy(update=update)


def _identifiers(read: Reference, typed: Reference) -> Identifiers:
    """Give the printed identifiers, and typed ones of kinds that are not printed."""
    return typed.identifiers.model_copy(update=dict(read.identifiers.pairs()))


def _titled(one: Reference, line: str) -> bool:
    title = key(one.title or "")
    return bool(title) and title in line and (len(title) >= _LEAST_TITLE or _author(one, line))


def _author(one: Reference, line: str) -> bool:
    first = one.authors[0] if one.authors else one.editors[0] if one.editors else None
    name = key((first.family or first.literal or "") if first else "")
    return bool(name) and name in line


def _dated(one: Reference, read: Reference) -> bool:
    return one.year is not None and re.search(rf"(?<!\d){one.year}(?!\d)", read.raw) is not None


def _numbered(one: Reference, read: Reference) -> bool:
    words = fold(read.raw).split()
    first = (one.pages or "").split("-")[0]
    return bool((one.volume and fold(one.volume) in words) or (first and fold(first) in words))
