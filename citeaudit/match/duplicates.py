"""Find references of one list that denote the same work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citeaudit.model import Reference
from citeaudit.text.normalize import fold, key

_MIN_KEY = 12
"""Folded letters a title needs to identify a work together with its first author."""


def find_duplicates(references: Sequence[Reference]) -> dict[int, int]:
    """Give, for each repeated reference, the earlier one it repeats; both 1-based.

    Two references repeat one another if they share an identifier that names one work (DOI, arXiv, PMID, PMCID), or
    title and first author while neither year nor such an identifier sets them apart. A chapter shares its book's
    ISBN, so ISBN never counts.
    """
    seen: dict[str, int] = {}
    repeated: dict[int, int] = {}
    for place, reference in enumerate(references, start=1):
        marks = tuple(_marks(reference))
        earlier = [seen[mark] for mark in marks if mark in seen and _compatible(references[seen[mark] - 1], reference)]
        if earlier:
            repeated[place] = min(earlier)
        for mark in marks:
            seen.setdefault(mark, place)
    return repeated


def _marks(reference: Reference) -> Iterator[str]:
    ids = reference.identifiers
    for scheme in ("doi", "arxiv_id", "pmid", "pmcid"):
        value = getattr(ids, scheme)
        if value:
            yield f"{scheme}:{value}"
    title = key(reference.title or "")
    if len(title) >= _MIN_KEY and reference.authors:
        first = reference.authors[0]
        yield f"title:{title}:{fold(first.family or first.literal or '')}"


def _compatible(one: Reference, other: Reference) -> bool:
    """Tell whether nothing sets two references apart: a title, a year, or an identifier of the same scheme."""
    if one.title and other.title and key(one.title) != key(other.title):
        return False
    if one.year and other.year and one.year != other.year:
        return False
    pairs = ((one.identifiers.doi, other.identifiers.doi), (one.identifiers.pmid, other.identifiers.pmid))
    return all(not a or not b or a == b for a, b in pairs)
