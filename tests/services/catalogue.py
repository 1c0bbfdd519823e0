"""A small catalogue for tests: the numbers and names in it are made up."""

from __future__ import annotations

from citeaudit.demo.server import Catalogue

WORKS = (
    {
        "id": "w1",
        "type": "article-journal",
        "title": "Counting <i>lanterns</i> &amp; moths at dusk",
        "authors": [{"family": "Fernwhistle", "given": "Ottoline"}, {"literal": "Moth Count Group"}, {}],
        "year": 1999,
        "container_title": "Annals of Dusk",
        "doi": "10.5555/lantern",
        "url": "https://example.org/lantern",
        "notices": [{"type": "retraction", "doi": "10.5555/notice", "year": 2001}, {"type": "applause"}],
        "colour": "a field nobody documented",
    },
    {"id": "w2", "title": "Counting lanterns and moths at dawn", "year": 2001, "type": "poem", "pmid": "7"},
    {"id": "w3", "title": "Twice told", "isbn": "9780306406157"},
    {"id": "w4", "title": "Twice told, again", "isbn": "9780306406157"},
)

CATALOGUE = Catalogue.model_validate(
    {
        "scope": {"types": ["article-journal", "unknown"], "since": 1990, "until": 2020},
        "prefixes": ["10.5555"],
        "works": WORKS,
    }
)
