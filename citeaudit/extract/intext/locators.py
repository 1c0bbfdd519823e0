"""Read the page that a citation names."""

from __future__ import annotations

import re

_DASH = r"\s?[-–—−‐]{1,2}\s?"
_VALUE = (
    rf"(?:[A-Za-z]?\d{{1,5}}(?:{_DASH}[A-Za-z]?\d{{1,5}})?(?:\s?(?:ff?|sqq?|ss)\b)?"
    rf"|[ivxlc]{{1,7}}(?:{_DASH}[ivxlc]{{1,7}})?\b)"
)
_WORD = (
    r"(?<![\w.])(?:pp|pgs?|págs?|pags?|[Pp]ages?|[Pp]áginas?|Seiten?|Pp?|p|S|s|sid|str|blz|стр|с)"
    r"(?:\.[\s~]{0,2}|[\s~]{1,2}|(?=\d))"
)
_LIST = rf"{_VALUE}(?:\s?(?:,|&|and|und|et|y)\s?{_VALUE}(?![\w.]))*"
_EXPLICIT = re.compile(rf"{_WORD}(?P<page>{_LIST})|第\s?(?P<han>\d{{1,5}}(?:{_DASH}\d{{1,5}})?)\s?[页頁]")
_POINTED = re.compile(
    rf"\b(?:hier|here|at|esp\.|especially|insb\.|bes\.|ici|aquí)\s(?:{_WORD})?(?P<page>{_LIST})", re.IGNORECASE
)
_AFTER_YEAR = re.compile(rf"\s?[,:：，]\s{{0,2}}(?P<page>{_LIST})(?=[\s,;.)\]）]|$)")
_LAST = re.compile(rf"[,:][”’\"»]?\s(?P<page>{_LIST})(?:\s\([^()]{{1,60}}\))?\s?\.?\s?$")
_ALONE = re.compile(rf"\s*{_WORD}(?P<page>{_LIST})(?P<rest>[\s,;.].{{0,60}})?$", re.DOTALL)
_NUMBER_FIRST = re.compile(r"\d{4}$")
MAX_TAIL = 300
"""Characters in which a page is looked for."""


def _clean(page: str) -> str:
    return page.strip().rstrip(".,")


def page_in(text: str) -> str | None:
    """Find a page announced by its word; the one pointed at, where there are several.

    >>> page_in("pp. 12-40, hier S. 15"), page_in("S. 45f."), page_in("chap. 3")
    ('15', '45f', None)
    """
    found = _POINTED.search(text[:MAX_TAIL]) or _EXPLICIT.search(text[:MAX_TAIL])
    if found is None:
        return None
    groups = found.groupdict()
    return _clean(groups["page"] or groups.get("han") or "")


def page_after_year(text: str) -> str | None:
    """Find the page in what stands behind the year of a citation.

    >>> page_after_year(": 45f."), page_after_year(", p. 14, emphasis added"), page_after_year(", chap. 2")
    ('45f', '14', None)
    """
    explicit = page_in(text)
    if explicit is not None:
        return explicit
    bare = _AFTER_YEAR.match(text[:MAX_TAIL])
    return _clean(bare["page"]) if bare is not None and not _NUMBER_FIRST.match(bare["page"]) else None


def page_at_end(text: str) -> str | None:
    """Find the page that closes a note, as in `Smith, Tides, 14`.

    >>> page_at_end("Smith, Tides, 14."), page_at_end("Smith, Tides (London: Weir, 2001).")
    ('14', None)
    """
    explicit = page_in(text[-MAX_TAIL:])
    if explicit is not None:
        last = list(_EXPLICIT.finditer(text[-MAX_TAIL:]))
        pointed = _POINTED.search(text[-MAX_TAIL:])
        return explicit if pointed or not last else _clean(last[-1]["page"] or last[-1]["han"] or "")
    bare = _LAST.search(text[-MAX_TAIL:])
    return _clean(bare["page"]) if bare is not None and not _NUMBER_FIRST.match(bare["page"]) else None


def page_alone(text: str) -> str | None:
    """Give the page where a text is nothing but a page, with at most a remark behind it.

    >>> page_alone("p. 14, emphasis added"), page_alone("see p. 14")
    ('14', None)
    """
    found = _ALONE.match(text)
    return _clean(found["page"]) if found is not None else None
