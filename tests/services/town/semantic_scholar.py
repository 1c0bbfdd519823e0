"""Semantic Scholar's street: `/graph/v1/paper/batch` and `/graph/v1/paper/search/match`."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha1
from typing import Any

from citeaudit.text.normalize import words
from tests.services.town.facts import Fact
from tests.services.town.reply import Question, Reply, send_json

ROOT = "/graph/v1/paper"
_FIELDS = frozenset(
    {"title", "authors", "year", "venue", "publicationVenue", "journal", "externalIds", "openAccessPdf", "isOpenAccess"}
    | {"publicationTypes", "publicationDate", "url", "abstract", "citationCount"}
)
_LEAST = 0.6  # share of words, 0 to 1, from which a title is taken for the one asked for
_MOST_IDS = 500


class SemanticScholar:
    """Answers questions about the papers it holds; `dead_key` is a key that it refuses."""

    def __init__(self, facts: Iterable[Fact], dead_key: str = "dead") -> None:
        held = [fact for fact in facts if "semantic_scholar" in fact.held_by]
        self._papers = [(fact, _paper(fact)) for fact in held]
        self._names = {name: paper for fact, paper in self._papers for name in _names(fact)}
        self._dead_key = dead_key

    def owns(self, path: str) -> bool:
        return path.startswith(f"{ROOT}/")

    def lane(self, question: Question) -> str:
        return "default"

    def answer(self, question: Question) -> Reply:
        if question.headers.get("x-api-key") == self._dead_key:
            return send_json({"message": "Forbidden"}, 403)
        fields = question.params.get("fields", "title").split(",")
        unknown = [name for name in fields if name not in _FIELDS]
        if unknown:
            return send_json({"error": f"Unrecognized or unsupported fields: [{unknown[0]}]"}, 400)
        match question.method, question.path.removeprefix(ROOT):
            case "POST", "/batch":
                return self._batch(question.body, fields)
            case "GET", "/search/match":
                return self._match(question.params.get("query", ""), fields)
            case _:
                return send_json({"error": "Not found"}, 404)

    def _batch(self, body: object, fields: list[str]) -> Reply:
        ids = body.get("ids") if isinstance(body, dict) else None
        if not isinstance(ids, list) or not 0 < len(ids) <= _MOST_IDS:
            return send_json({"error": "Bad request"}, 400)
        found = [self._names.get(str(one).lower()) for one in ids]
        if not any(found):
            return send_json({"error": "No valid paper ids given"}, 400)
        return send_json([paper and _shown(paper, fields) for paper in found])

    def _match(self, query: str, fields: list[str]) -> Reply:
        asked = set(words(query))
        scored = [(_share(asked, set(words(fact.title))), paper) for fact, paper in self._papers]
        score, paper = max(scored, key=lambda pair: pair[0])
        if score < _LEAST:
            return send_json({"error": "Title match not found"}, 404)
        return send_json({"data": [{**_shown(paper, fields), "matchScore": round(score * 200, 5)}]})


def _names(fact: Fact) -> Iterable[str]:
    if fact.get("doi"):
        yield f"doi:{fact.get('doi')}"
    if fact.get("arxiv_id"):
        yield f"arxiv:{fact.get('arxiv_id')}"


def _paper(fact: Fact) -> dict[str, Any]:
    ids: dict[str, Any] = {"CorpusId": 1_000_000 + len(fact.title)}
    ids |= {"DOI": fact.get("doi")} if fact.get("doi") else {}
    ids |= {"ArXiv": fact.get("arxiv_id")} if fact.get("arxiv_id") else {}
    venue = fact.get("container_title") or ("arXiv.org" if fact.get("arxiv_id") else "")
    journal = {name: fact.get(field) for name, field in (("volume", "volume"), ("pages", "pages")) if fact.get(field)}
    key = sha1(fact.id.encode(), usedforsecurity=False).hexdigest()
    paper: dict[str, Any] = {
        "paperId": key,
        "externalIds": ids,
        "url": f"https://www.semanticscholar.org/paper/{key}",
        "title": fact.title,
        "venue": venue,
        "year": fact.year,
        "isOpenAccess": False,
        "openAccessPdf": {"url": "", "status": None, "license": None},
        "publicationVenue": {"id": key[:8], "name": venue} if venue else None,
        "publicationTypes": ["Conference" if fact.type == "paper-conference" else "JournalArticle"],
        "publicationDate": f"{fact.year}-06-01",
        "journal": {"name": venue, **journal} if venue else None,
        "authors": [{"authorId": str(place), "name": name} for place, name in enumerate(fact.names, start=1)],
    }
    return paper | fact.raw["semantic_scholar"]


def _shown(paper: dict[str, Any], fields: list[str]) -> dict[str, Any]:
    return {"paperId": paper["paperId"]} | {name: paper[name] for name in fields if name in paper}


def _share(asked: set[str], held: set[str]) -> float:
    return 2 * len(asked & held) / (len(asked) + len(held)) if asked else 0.0
