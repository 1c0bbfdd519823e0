"""Read Crossref's records: the public data file, snapshots, and answers of the REST API that were kept.

Form: https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md; files hold one record a line, or
`{"items": [...]}`, alone or in a tar. Types are told in https://api.crossref.org/types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from citeaudit.index.dumps import objects
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.objects import Row, listed, text
from citeaudit.index.dumps.values import distinct, doi, doi_arxiv, names, related
from citeaudit.index.store.record import About, Malformed, Name, Record, RecordNotice, Related
from citeaudit.model import NoticeType
from citeaudit.text.normalize import fold

NAME = "crossref"

#: Values of `WorkType`; the noise types (`peer-review`, `dataset`) keep a type of their own, so that they never pass
#: for the article of the same title.
_TYPES = {
    "journal-article": "article-journal",
    "proceedings-article": "paper-conference",
    "posted-content": "preprint",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-chapter": "chapter",
    "book-part": "chapter",
    "book-section": "chapter",
    "book-track": "chapter",
    "reference-entry": "entry-encyclopedia",
    "dissertation": "thesis",
    "report": "report",
    "report-component": "report",
    "standard": "standard",
    "dataset": "dataset",
    "database": "dataset",
    "peer-review": "review",
}
#: Parts and containers: figures, issues, whole journals. They are no works, so leaving them out is no fault.
_NO_WORKS = frozenset(
    {"component", "journal", "journal-issue", "journal-volume", "book-series", "book-set", "proceedings"}
    | {"proceedings-series", "report-series", "standard-series", "grant"}
)
_NOTICES = {
    "retraction": NoticeType.RETRACTION,
    "partial_retraction": NoticeType.RETRACTION,
    "removal": NoticeType.WITHDRAWAL,
    "withdrawal": NoticeType.WITHDRAWAL,
    "expression_of_concern": NoticeType.CONCERN,
    "concern": NoticeType.CONCERN,
    "correction": NoticeType.CORRECTION,
    "erratum": NoticeType.CORRECTION,
    "corrigendum": NoticeType.CORRECTION,
}
#: What the other side of a relation is.
_RELATIONS = {
    "has-preprint": "preprint",
    "is-preprint-of": "published",
    "has-manuscript": "version",
    "is-manuscript-of": "published",
    "has-version": "version",
    "is-version-of": "version",
    "is-identical-to": "version",
    "is-same-as": "version",
    "is-variant-form-of": "version",
    "is-original-form-of": "version",
}
_SCHEMES = {"doi": "doi", "arxiv": "arxiv_id", "pmid": "pmid", "pmcid": "pmcid", "isbn": "isbn", "uri": "doi"}
_OTHERS = frozenset({"et al", "others", "and others"})

_CUTS: objects.Cuts = ((b'"reference":[{', b'}],"'), (b'"license":[{', b'}],"'), (b'"link":[{', b'}],"'))
_DATE = {"date-parts": [[int]]}
_PEOPLE = [{"given": str, "family": str, "name": str, "literal": str}]
_UPDATES = [{"DOI": str, "type": str, "updated": _DATE}]
_STAMP = {"date-time": str}
_TEXTS = [str]
_SHAPE: Row = {
    **dict.fromkeys(("DOI", "type", "publisher", "volume", "issue", "page", "article-number"), str),
    **dict.fromkeys(("title", "subtitle", "original-title", "container-title", "short-container-title"), _TEXTS),
    **dict.fromkeys(("issued", "published", "published-print", "published-online"), _DATE),
    "ISBN": _TEXTS,
    "author": _PEOPLE,
    "editor": _PEOPLE,
    "updated-by": _UPDATES,
    "update-to": _UPDATES,
    "indexed": _STAMP,
    "deposited": _STAMP,
    "institution": [{"name": str}],
    "relation": {name: [{"id": str, "id-type": str}] for name in _RELATIONS},
}


class CrossrefDump:
    """Reads Crossref's records.

    The year is that of print where there is one, since volume, issue and pages are those of print and most
    references follow it, else the earliest; the others stay beside it.
    """

    name = NAME
    suffixes: tuple[str, ...] = objects.SUFFIXES

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of a file; see `objects.split`."""
        return objects.split(path, self.suffixes)

    def read(self, unit: Unit) -> Iterator[Record | Fault]:
        """Give the records of a unit; see `objects.read`."""
        return objects.read(unit, _convert, _SHAPE, _unwrap, _CUTS, frozenset({"DOI"}))


def _unwrap(row: Row) -> list[Any] | None:
    """Open `{"items": [...]}`, and `{"message": {...}}` of the API with one record or a list."""
    inner = row.get("message")
    if type(inner) is dict and "DOI" not in row:
        items = inner.get("items")
        return items if type(items) is list else [inner]
    items = row.get("items")
    return items if type(items) is list and "DOI" not in row else None


def _convert(row: Row) -> Record | None:
    get = row.get
    kind = get("type")
    if kind in _NO_WORKS:
        return None
    title, others = _titles(row)
    own = doi(get("DOI"))
    people, whole = _people(get("author"))
    venues = listed(get("container-title") or get("short-container-title"))
    years = _years(row)
    pages = text(get("page")) or text(get("article-number"))
    update_to, updated_by, editor, relation = get("update-to"), get("updated-by"), get("editor"), get("relation")
    return Record(
        title=title,
        authors=people,
        authors_complete=whole,
        year=years[0] if years else None,
        venue=text(venues[0]) if venues else _server(row) if kind == "posted-content" else None,
        volume=text(get("volume")),
        issue=text(get("issue")),
        pages=pages,
        publisher=text(get("publisher")),
        type=_TYPES.get(kind or ""),
        doi=own,
        arxiv_id=doi_arxiv(own),
        isbn=_isbn(get("ISBN")),
        src=NAME,
        notices=_notices(updated_by, update_to, own) if updated_by or update_to else (),
        titles=others,
        related=_related(relation, own) if relation else (),
        about=_about(update_to, own) if update_to else (),
        editors=_people(editor)[0] if editor else (),
        years=tuple(years[1:]),
        updated=objects.day((get("indexed") or get("deposited") or {}).get("date-time")),
    )


def _titles(row: Row) -> tuple[str, tuple[str, ...]]:
    """Give the first title with its subtitle, and the others: translations and originals."""
    titles = listed(row.get("title"))
    title = text(titles[0]) if titles else None
    if title is None:
        raise Malformed("no title")
    subtitles = listed(row.get("subtitle"))
    if subtitles and (subtitle := text(subtitles[0])) and fold(subtitle) not in fold(title):
        title = f"{title.rstrip(' :')}: {subtitle}"
    original = listed(row.get("original-title"))
    if len(titles) == 1 and not original:
        return title, ()
    found = dict.fromkeys(text(other) for other in (*titles[1:], *original))
    return title, tuple(other for other in found if other and other != title)


def _people(entries: Any) -> tuple[tuple[Name, ...], bool | None]:
    """Give the people, and `False` where publishers deposited `et al.` as one of them."""
    if not entries:
        return (), None
    people: list[Name] = []
    complete = None
    for one in entries:
        family, given = text(one.get("family")), text(one.get("given"))
        if family:
            if given is None and fold(family) in _OTHERS:
                complete = False
            else:
                people.append(Name(family, given))
        elif whole := text(one.get("literal")) or text(one.get("name")):
            if fold(whole) in _OTHERS:
                complete = False
            else:
                found, cut = names(whole)
                people.extend(found)
                complete = complete if cut is None else cut
        elif given:
            people.append(Name(given))
    return tuple(people), complete


def _years(row: Row) -> list[int]:
    """Give the years in which it appeared, that of print first, else the earliest; each once."""
    printed = row.get("published-print")
    years = [found] if printed and (found := _year_of(printed)) else []
    dates = [date for name in ("published", "issued", "published-online") if (date := row.get(name))]
    return list(dict.fromkeys((*years, *sorted(found for date in dates if (found := _year_of(date))))))


def _year_of(date: Any) -> int | None:
    """Give the year of `{"date-parts": [[2019, 5]]}`; `[[null]]` stands for none."""
    parts = date.get("date-parts")
    return objects.year(parts[0][0]) if parts and parts[0] else None


def _server(row: Row) -> str | None:
    """Give the preprint server, which is an institution here (`bioRxiv`)."""
    found = row.get("institution")
    return text((found[0] if type(found) is list else found).get("name")) if found else None


def _isbn(values: Any) -> str | None:
    """Give the first; old records hold addresses that end in it."""
    values = listed(values)
    return values[0].rpartition("/")[2] if values else None


def _type_of(update: Row) -> NoticeType | None:
    kind = update.get("type")
    return _NOTICES.get(kind.lower().replace(" ", "_").replace("-", "_")) if kind else None


def _notices(
    updated_by: Iterable[Row] | None, update_to: Iterable[Row] | None, own: str | None
) -> tuple[RecordNotice, ...]:
    """Give each notice once: publisher and Retraction Watch often report the same.

    A record that updates itself is the work, changed in its place, and no notice about another.
    """
    kept: dict[tuple[NoticeType, str | None], RecordNotice] = {}
    for update in (*(updated_by or ()), *(one for one in update_to or () if own and doi(one.get("DOI")) == own)):
        kind = _type_of(update)
        if kind is None:
            continue
        told = doi(update.get("DOI"))
        notice = RecordNotice(kind, None if told == own else told, _year_of(update.get("updated") or {}))
        old = kept.setdefault((kind, notice.doi), notice)
        if old.year is None and notice.year:
            kept[kind, notice.doi] = notice
    return tuple(kept.values())


def _about(updates: Iterable[Row], own: str | None) -> tuple[About, ...]:
    found = ((_type_of(update), doi(update.get("DOI"))) for update in updates)
    return tuple(dict.fromkeys(About(kind, "doi", to) for kind, to in found if kind and to and to != own))


def _related(relation: Row, own: str | None) -> tuple[Related, ...]:
    return distinct(
        (
            related(kind, _scheme(item), item.get("id"))
            for name, kind in _RELATIONS.items()
            if name in relation
            for item in relation[name]
        ),
        own,
    )


def _scheme(item: Row) -> str:
    kind = item.get("id-type")
    if kind == "uri" and "arxiv.org/" in item["id"]:
        return "arxiv_id"
    return _SCHEMES.get(kind or "doi", "doi")
