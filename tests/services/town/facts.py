"""What the town knows: the works of the project's own data sets, and a few made up for it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from citeaudit.text.normalize import key, words

HERE = Path(__file__).parent
_DATASETS = HERE.parents[2] / "datasets"
SERVICES = ("crossref", "arxiv", "semantic_scholar")
_PAPERS = frozenset({"article-journal", "paper-conference", "preprint", "chapter"})


class Fact(NamedTuple):
    """One work."""

    id: str
    type: str
    title: str
    authors: tuple[dict[str, str], ...]
    year: int
    rest: dict[str, Any]
    """Everything else: `doi`, `arxiv_id`, `container_title`, `notices` ..."""
    held_by: frozenset[str]
    raw: dict[str, dict[str, Any]]
    """By service, parts of the record as they stand there."""

    def get(self, name: str) -> Any:
        return self.rest.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Give the authors as one writes them."""
        return tuple(
            one.get("literal") or " ".join(filter(None, (one.get("given"), one.get("family")))) for one in self.authors
        )

    @property
    def words(self) -> frozenset[str]:
        """Give the words by which it is searched: title and family names."""
        families = (one.get("family") or one.get("literal") or "" for one in self.authors)
        return frozenset(words(" ".join((self.title, *families))))


@cache
def facts() -> tuple[Fact, ...]:
    """Give all works, those of the starter set first; a work that is in both data sets is there once."""
    own = json.loads((HERE / "works.json").read_text(encoding="utf-8"))
    lines = (_DATASETS / "starter" / "works.jsonl").read_text(encoding="utf-8").splitlines()
    starter = [{**json.loads(line), "from": "starter"} for line in lines]
    example = json.loads((_DATASETS / "examples" / "answers.json").read_text(encoding="utf-8"))["works"]
    merged: dict[str, dict[str, Any]] = {}
    for record in (*starter, *({**work, "from": "example"} for work in example), *own["works"]):
        place = key(record["title"]) if "from" in record else record["id"]
        merged[place] = {**merged.get(place, {}), **record}  # starter knows arXiv ids, the example has the last word
    return tuple(_fact(record, own) for record in merged.values())


def _fact(record: dict[str, Any], own: dict[str, Any]) -> Fact:
    origin = record.pop("from", None)
    name = f"{origin}:{record['id']}" if origin else record["id"]
    record |= own["more"].get(name, {})
    if "venue" in record:
        record["container_title"] = record.pop("venue")
    known = {"id", "type", "title", "authors", "year"}
    return Fact(
        id=name,
        type=record["type"],
        title=record["title"],
        authors=tuple(record["authors"]),
        year=record["year"],
        rest={field: value for field, value in record.items() if field not in known},
        held_by=_holders(record) - frozenset(own["absent"].get(name, ())),
        raw={service: own["raw"].get(service, {}).get(name, {}) for service in SERVICES},
    )


def _holders(record: dict[str, Any]) -> frozenset[str]:
    if "only" in record:
        return frozenset(record["only"])
    holders = {"semantic_scholar"} if record["type"] in _PAPERS or record["id"] == "town:observatory" else set()
    holders |= {"crossref"} if record.get("doi") else set()
    holders |= {"arxiv"} if record.get("arxiv_id") else set()
    return frozenset(holders)
