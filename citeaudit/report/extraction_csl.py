"""What was read, as CSL-JSON (CSL 1.0.2): what reference managers and pandoc take."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TextIO

from citeaudit.model import Extraction, Person, Reference, Unreadable, WorkType
from citeaudit.report.citekeys import keyed

_OWN_NAMES = {WorkType.PREPRINT: "article", WorkType.UNKNOWN: "document"}
_IDENTIFIERS = {"doi": "DOI", "pmid": "PMID", "pmcid": "PMCID", "isbn": "ISBN", "issn": "ISSN", "url": "URL"}


def write_csl(results: Sequence[Extraction | Unreadable], stream: TextIO) -> None:
    """Write one array over all documents, its ids unique; documents that could not be read add nothing."""
    references = [one for result in results if isinstance(result, Extraction) for one in result.references]
    json.dump([item(key, one) for key, one in keyed(references)], stream, indent=2, ensure_ascii=True)
    stream.write("\n")


def item(key: str, reference: Reference) -> dict[str, object]:
    """Give one item; what the reference does not have is left out."""
    people = [_person(one) for one in reference.authors]
    if reference.authors_truncated:
        people.append({"literal": "et al."})
    told: dict[str, object] = {
        "id": key,
        "type": _OWN_NAMES.get(reference.type, reference.type.value),
        "title": reference.title,
        "author": people,
        "editor": [_person(one) for one in reference.editors],
        "issued": _date(reference.year),
        "original-date": _date(reference.original_year),
        "year-suffix": reference.year_suffix,
        "status": reference.status,
        "container-title": reference.container_title,
        "volume": reference.volume,
        "issue": reference.issue,
        "page": reference.pages,
        "publisher": reference.publisher,
        "citation-number": reference.locus.label,
        "note": "Retracted" if reference.acknowledged else None,
        **dict(_identifiers(reference)),
    }
    return {name: value for name, value in told.items() if value}


def _person(person: Person) -> dict[str, str]:
    return {
        name: value for name in ("family", "given", "suffix", "literal") if (value := getattr(person, name)) is not None
    }


def _date(year: int | None) -> dict[str, list[list[int]]] | None:
    return {"date-parts": [[year]]} if year is not None else None


def _identifiers(reference: Reference) -> Iterator[tuple[str, str]]:
    for scheme, value in reference.identifiers.pairs():
        if scheme == "arxiv_id":
            yield "archive", "arXiv"
            yield "archive_location", value
        else:
            yield _IDENTIFIERS[scheme], value
