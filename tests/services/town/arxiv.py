"""arXiv's street: `/api/query` with `id_list` or `search_query`, answered in Atom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from citeaudit.identifiers import bare_arxiv_id
from citeaudit.text.normalize import fold
from tests.services.town.facts import Fact
from tests.services.town.reply import Question, Reply

_ID = re.compile(r"(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?")
_TERM = re.compile(r'\b(ti|au):"([^"]*)"')
_HEAD = (
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" '
    'xmlns="http://www.w3.org/2005/Atom">\n'
    "  <id>https://arxiv.org/api/town</id>\n  <title>arXiv Query: {query}</title>\n"
    "  <updated>2026-04-12T22:09:26Z</updated>\n"
    '  <link href="https://arxiv.org/api/query" type="application/atom+xml"/>\n'
    "  <opensearch:itemsPerPage>{rows}</opensearch:itemsPerPage>\n"
    "  <opensearch:totalResults>{total}</opensearch:totalResults>\n"
    "  <opensearch:startIndex>0</opensearch:startIndex>\n"
)


class Arxiv:
    """Answers questions about the papers it holds."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._facts = {str(fact.get("arxiv_id")): fact for fact in facts if "arxiv" in fact.held_by}

    def owns(self, path: str) -> bool:
        return path == "/api/query"

    def lane(self, question: Question) -> str:
        return "default"

    def answer(self, question: Question) -> Reply:
        asked = [one for one in question.params.get("id_list", "").split(",") if one]
        bad = [one for one in asked if not _ID.fullmatch(one)]
        if bad:
            return error_feed(bad[0])
        if asked:
            found = [self._facts[bare_arxiv_id(one)] for one in asked if bare_arxiv_id(one) in self._facts]
        else:
            found = self._searched(question.params.get("search_query", ""))
        rows = int(question.params.get("max_results", "10"))
        return feed([_entry(fact) for fact in found[:rows]], total=len(found), query=str(dict(question.params)))

    def _searched(self, search: str) -> list[Fact]:
        terms = _TERM.findall(search)
        return [fact for fact in self._facts.values() if terms and all(_has(fact, *term) for term in terms)]


def feed(entries: Sequence[str], *, total: int, query: str = "") -> Reply:
    head = _HEAD.format(query=escape(query), rows=100, total=total)
    return Reply(200, f"{head}{''.join(entries)}</feed>\n".encode(), "application/atom+xml; charset=utf-8")


def error_feed(bad: str, status: int = 200) -> Reply:
    entry = (
        f"  <entry>\n    <id>https://arxiv.org/api/errors#incorrect_id_format_for_{escape(bad)}</id>\n"
        f"    <title>Error</title>\n    <summary>incorrect id format for {escape(bad)}</summary>\n"
        "    <author><name>arXiv api core</name></author>\n  </entry>\n"
    )
    return feed([entry], total=1)._replace(status=status)


def _has(fact: Fact, field: str, phrase: str) -> bool:
    text = fact.title if field == "ti" else " ".join(fact.names)
    return f" {fold(phrase)} " in f" {fold(text)} "


def _entry(fact: Fact) -> str:
    arxiv_id = str(fact.get("arxiv_id"))
    year = 2000 + int(arxiv_id[:2]) if arxiv_id[0].isdigit() else 1999
    title = escape(fact.title).replace(": ", ":\n  ", 1)  # arXiv wraps long titles
    lines = [
        f"<id>http://arxiv.org/abs/{arxiv_id}v2</id>",
        f"<title>{title}</title>",
        f"<updated>{year + 1}-01-05T00:00:00Z</updated>",
        f'<link href="https://arxiv.org/abs/{arxiv_id}v2" rel="alternate" type="text/html"/>',
        "<summary>  A summary.</summary>",
        '<category term="cs.LG" scheme="http://arxiv.org/schemas/atom"/>',
        f"<published>{year}-06-12T17:57:34Z</published>",
        '<arxiv:primary_category term="cs.LG"/>',
        *_optional(fact, arxiv_id),
        *(f"<author>\n      <name>{escape(name)}</name>\n    </author>" for name in fact.names),
    ]
    return "  <entry>\n" + "".join(f"    {line}\n" for line in lines) + "  </entry>\n"


def _optional(fact: Fact, arxiv_id: str) -> Iterator[str]:
    if fact.get("withdrawn"):
        yield "<arxiv:comment>This paper has been withdrawn by the author</arxiv:comment>"
    else:
        yield f'<link href="https://arxiv.org/pdf/{arxiv_id}v2" rel="related" type="application/pdf" title="pdf"/>'
    if fact.get("doi"):
        yield f"<arxiv:doi>{escape(fact.get('doi'))}</arxiv:doi>"
    if fact.type == "article-journal" and fact.get("container_title"):
        place = f"{fact.get('container_title')} {fact.get('volume')} ({fact.year})"
        yield f"<arxiv:journal_ref>{escape(place)}</arxiv:journal_ref>"
