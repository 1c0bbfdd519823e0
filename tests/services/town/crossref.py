"""Crossref's street: `/works`, `/works/{doi}`, `/works/{doi}/agency`, in the shapes of its REST API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from citeaudit.text.normalize import words
from tests.services.town.facts import Fact
from tests.services.town.reply import Question, Reply, send_json

_TYPES = {
    "article-journal": "journal-article",
    "paper-conference": "proceedings-article",
    "preprint": "posted-content",
    "book": "book",
    "chapter": "book-chapter",
    "report": "report",
    "review": "peer-review",
}
#: Names that `select` takes; another one is answered with 400.
_SELECTABLE = frozenset(
    {"DOI", "title", "subtitle", "author", "editor", "issued", "published", "published-print", "published-online"}
    | {"container-title", "short-container-title", "type", "publisher", "volume", "issue", "page", "URL", "link"}
    | {"license", "relation", "update-to", "updated-by", "score", "ISBN"}
)
_LABELS = {"retraction": "Retraction", "withdrawal": "Withdrawal", "correction": "Correction"}


class Crossref:
    """Answers questions about the works it holds."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._items = {str(fact.get("doi")): (_item(fact), fact.words) for fact in facts if "crossref" in fact.held_by}

    def owns(self, path: str) -> bool:
        return path == "/works" or path.startswith("/works/")

    def lane(self, question: Question) -> str:
        return "list" if question.path == "/works" else "single"

    def answer(self, question: Question) -> Reply:
        if question.method != "GET":
            return Reply(405, b"Method Not Allowed", "text/plain")
        if question.path != "/works":
            return self._single(question.path.removeprefix("/works/"))
        names = [name for name in question.params.get("select", "").split(",") if name]
        unknown = [name for name in names if name not in _SELECTABLE]
        if unknown:
            fault = {"type": "parameter-not-allowed", "value": unknown[0], "message": f"No such field {unknown[0]}"}
            return send_json({"status": "failed", "message-type": "validation-failure", "message": [fault]}, 400)
        items = self._filtered(question.params["filter"]) if "filter" in question.params else self._ranked(question)
        rows = int(question.params.get("rows", "20"))
        shown = [{name: item[name] for name in names or item if name in item} for item in items[:rows]]
        query = {"start-index": 0, "search-terms": question.params.get("query.bibliographic")}
        listed = {"facets": {}, "total-results": len(items), "items": shown, "items-per-page": rows, "query": query}
        return send_json({"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": listed})

    def _single(self, rest: str) -> Reply:
        name, _, route = rest.partition("/")
        doi = unquote(name).lower()
        known = self._items.get(doi)
        if route == "agency":
            agency = "crossref" if known else "datacite" if doi.startswith("10.48550/") else None
            if agency:
                value: dict[str, Any] = {"DOI": doi, "agency": {"id": agency, "label": agency.capitalize()}}
                return send_json(
                    {"status": "ok", "message-type": "work-agency", "message-version": "1.0.0", "message": value}
                )
        elif known and not route:
            return send_json({"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": known[0]})
        return Reply(404, b"Resource not found.", "text/plain")

    def _filtered(self, filter_: str) -> list[dict[str, Any]]:
        asked = [part.removeprefix("doi:") for part in filter_.split(",")]
        return [self._items[doi][0] for doi in asked if doi in self._items]

    def _ranked(self, question: Question) -> list[dict[str, Any]]:
        """Give everything that shares a word, as Crossref does: best first, and never nothing for a title."""
        asked = set(words(question.params.get("query.bibliographic", "")))
        scored = ((len(asked & held) / len(asked | held), item) for item, held in self._items.values() if asked & held)
        return [{**item, "score": round(score * 100, 4)} for score, item in sorted(scored, key=lambda pair: -pair[0])]


def _item(fact: Fact) -> dict[str, Any]:
    dated = {"date-parts": [[fact.year]]}
    item: dict[str, Any] = {
        "DOI": fact.get("doi"),
        "URL": f"https://doi.org/{fact.get('doi')}",
        "type": _TYPES.get(fact.type, fact.type),
        "title": [fact.title],
        "author": [_author(author, place) for place, author in enumerate(fact.authors)],
        "issued": dated,
        "published": dated,
        "source": "Crossref",
        "score": 1,
    }
    optional = {"volume": "volume", "issue": "issue", "page": "pages", "publisher": "publisher"}
    item |= {name: fact.get(field) for name, field in optional.items() if fact.get(field)}
    if fact.get("container_title"):
        item["container-title"] = [fact.get("container_title")]
    updates = [update for notice in fact.get("notices") or () for update in _updates(notice)]
    if updates:
        item["updated-by"] = updates
    if fact.get("updates"):
        item["update-to"] = [{"DOI": one["doi"], "type": one["type"], "label": "x"} for one in fact.get("updates")]
    return item | fact.raw["crossref"]


def _author(author: dict[str, str], place: int) -> dict[str, Any]:
    named = {"name": author["literal"]} if "literal" in author else {**author}
    return {**named, "sequence": "additional" if place else "first", "affiliation": []}


def _updates(notice: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Give a notice twice, as publisher and Retraction Watch do."""
    label = _LABELS.get(notice["type"], "Expression of concern")
    update = {"type": notice["type"], "label": label}
    update |= {"DOI": notice["doi"]} if "doi" in notice else {}
    update |= {"updated": {"date-parts": [[notice["year"], 1, 1]]}} if "year" in notice else {}
    return ({**update, "source": source} for source in ("publisher", "retraction-watch"))
