"""Read identifiers and names as the records of services hold them, the common spelling at a glance."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from citeaudit.identifiers import bare_arxiv_id, clean_arxiv_id, clean_doi, clean_isbn, clean_pmcid, clean_pmid
from citeaudit.index.store.record import Name, Related
from citeaudit.model import Person
from citeaudit.text.names import is_group, parse_people, parse_person

ARXIV_DOI = "10.48550/arxiv."

_RESOLVER = re.compile(r"^(?:https?://)?(?:dx\.)?doi\.org/")
_DOI = re.compile(r"10\.\d{4,9}/[a-z0-9]+(?:[._-][a-z0-9]+)*(?<!pdf)(?<!full)", re.ASCII)
_ARXIV = re.compile(r"(?:1[5-9]|2\d)(?:0[1-9]|1[0-2])\.(?!00000)\d{5}", re.ASCII)
_SEVERAL = re.compile(r"[,;&]|\band\b|\bet\.? al\b")
_UPPER, _LOWER = "A-ZÀ-ÖØ-Þ", "a-zß-öø-ÿā-ž"
_PLAIN = re.compile(
    r"(?!(?:Prof|Dr|Sir|Dame|Mr|Mrs|Ms|Hon|Rev)\b)"
    rf"(?:[{_UPPER}](?:\.|[{_LOWER}]{{1,20}}(?:-[{_UPPER}]?[{_LOWER}]{{1,20}})?) ){{1,3}}"
    rf"(?!(?:Jr|Sr)$)[{_UPPER}][{_LOWER}]{{1,20}}(?:-[{_UPPER}][{_LOWER}]{{2,20}})?"
)
"""Names that need no thought, at least four in five: given names or initials apart, and one family name."""


def doi(raw: Any) -> str | None:
    """Give the normal form of a DOI, `None` for anything else."""
    if type(raw) is not str:
        return None
    low = raw.lower()
    if _DOI.fullmatch(low):
        return low
    low = _RESOLVER.sub("", low)
    return low if _DOI.fullmatch(low) else clean_doi(raw)


def arxiv_id(raw: Any) -> str | None:
    """Give the normal form of an arXiv id without its version, `None` for anything else."""
    if type(raw) is not str:
        return None
    if _ARXIV.fullmatch(raw):
        return raw
    clean = clean_arxiv_id(raw)
    return bare_arxiv_id(clean) if clean else None


def doi_arxiv(value: str | None) -> str | None:
    """Give the arXiv id that a DOI in its normal form names, `None` for every other DOI."""
    if value is None or not value.startswith(ARXIV_DOI):
        return None
    return arxiv_id(value[len(ARXIV_DOI) :])


_CLEAN = {"pmid": clean_pmid, "pmcid": clean_pmcid, "isbn": clean_isbn}


def related(kind: str, scheme: str, raw: Any) -> Related | None:
    """Give another version of a work by its identifier, an arXiv DOI as the arXiv id; `None` where it is none."""
    if type(raw) is not str:
        return None
    if scheme == "doi":
        value = doi(raw)
        number = doi_arxiv(value)
        scheme, value = ("arxiv_id", number) if number else (scheme, value)
    elif scheme == "arxiv_id":
        value = arxiv_id(raw)
    else:
        value = _CLEAN[scheme](raw)
    return Related(kind, scheme, value) if value else None


def linked(kind: str, url: Any) -> Related | None:
    """Give another version by the address of its page, at doi.org or arxiv.org; others tell nothing."""
    if type(url) is not str:
        return None
    if "doi.org/10." in url:
        return related(kind, "doi", url)
    return related(kind, "arxiv_id", url) if "arxiv.org/" in url else None


def distinct(found: Iterable[Related | None], *own: str | None) -> tuple[Related, ...]:
    """Give each other version once, and none that is the record itself; one that says what it is comes first."""
    kept: dict[tuple[str, str], Related] = {}
    for one in found:
        if one is not None and one.value not in own:
            old = kept.setdefault((one.scheme, one.value), one)
            if old.kind == "version":
                kept[one.scheme, one.value] = one
    return tuple(kept.values())


@lru_cache(maxsize=65_536)
def whole_name(name: str) -> Name:
    """Give a name that comes as one string, split where it is plain how; groups and odd ones stay whole.

    >>> tuple(whole_name("Jane A. Roe")), tuple(whole_name("The Widget Group"))
    (('Roe', 'Jane A.', None), (None, None, 'The Widget Group'))
    """
    if _PLAIN.fullmatch(name) and not is_group(name):
        given, _, family = name.rpartition(" ")
        return Name(family, given)
    return of_person(parse_person(name))


def names(whole: str) -> tuple[tuple[Name, ...], bool | None]:
    """Give the people of a field that may hold a body, one name, or several; and `False` where it says `et al.`."""
    if is_group(whole) or " " not in whole:
        return (Name(literal=whole),), None
    if _SEVERAL.search(whole):
        people, cut = parse_people(whole)
        return tuple(of_person(person) for person in people) or (Name(literal=whole),), False if cut else None
    return (whole_name(whole),), None


def of_person(person: Person) -> Name:
    """Give a name of the model as one of a record; a suffix is let go, as records have no place for it."""
    return Name(person.family, person.given, person.literal)
