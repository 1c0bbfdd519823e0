"""An invented example of every rule: what a reference claims, and what the record has.

The examples are data, `match/tables/examples.toml`, keyed by rule: `cited` and `recorded` hold the fields that
matter, all others are those of one invented work. The comparison itself says what is claimed and found;
only what rests on more than one record, or on the day, is put into words there (`claimed`, `found`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from citeaudit.match.compare import compare
from citeaudit.model import FieldMatch, Identifiers, Person, Reference, Version, Work

_WORK: Mapping[str, Any] = MappingProxyType(
    {"title": "Quiet dunes of the northern shore", "authors": "Ada Lovelace; Mary Somerville", "year": 2015}
)
_SCHEMES = frozenset({"doi", "arxiv_id", "pmid", "pmcid", "isbn"})


class Example(NamedTuple):
    """One example of a rule."""

    claimed: str
    found: str
    match: FieldMatch | None
    """The comparison that gives the rule; `None` where the policy gives it, which sees more than one record."""


@cache
def examples() -> Mapping[str, Example]:
    """Give the example of each rule, by the name of the rule."""
    text = (files("citeaudit.match") / "tables" / "examples.toml").read_text(encoding="utf-8")
    return MappingProxyType({rule: _example(rule, row) for rule, row in tomllib.loads(text).items()})


def _example(rule: str, row: Mapping[str, Any]) -> Example:
    if "claimed" in row:
        return Example(row["claimed"], row["found"], None)
    cited = {"raw": "As printed.", "type": "article-journal", **_WORK, **row.get("cited", {})}
    recorded = {"source": "index", "source_id": "1", "type": "article-journal", **_WORK, **row.get("recorded", {})}
    versions = tuple(Version.model_validate(_fields(one)) for one in recorded.pop("versions", ()))
    work = Work.model_validate({**_fields(recorded), "versions": versions})
    matches = compare(Reference.model_validate(_fields(cited)), work)
    match = next((one for one in matches if one.rule == rule), None)
    return Example(match.claimed or "-" if match else "", match.found or "-" if match else "", match)


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give fields as the nouns take them: names split, identifiers together, what is empty left out."""
    plain = {name: value for name, value in row.items() if name not in _SCHEMES and value != ""}
    ids = {name: value for name, value in row.items() if name in _SCHEMES}
    if "authors" in plain:
        plain["authors"] = tuple(_person(name.strip()) for name in plain["authors"].split(";"))
    return {**plain, "identifiers": Identifiers(**ids)} if ids else plain


def _person(name: str) -> Person:
    """Read `Given Family`, `Family, Given` or `=Literal`."""
    if name.startswith("="):
        return Person(literal=name[1:])
    if "," in name:
        family, _, given = name.partition(",")
        return Person(family=family.strip(), given=given.strip() or None)
    given, _, family = name.rpartition(" ")
    return Person(family=family, given=given or None)
