"""Read works that are told one by one, each as a heading and lines such as `Authors: …`, `Year: …`, `DOI: …`.

Chat assistants answer so when they are asked for papers: the title stands in the heading, in bold, or on a line of
its own, and what they say about the work follows among its fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from citeaudit import identifiers as ids
from citeaudit.extract.markup.blocks import Block, BlockKind, Span
from citeaudit.extract.markup.references import identifiers_of, kind_of, link_title
from citeaudit.model.reference import Locus, Reference
from citeaudit.text.names import parse_people

CARD = 0.8
"""Parse score of a work with title, authors and year; each that is missing costs a tenth."""
LEAST = 2
"""Works that make a list; a single one may be the document's own title page."""
_LONGEST_TITLE = 300
_LONGEST_VALUE = 2_000
_FIELDS = {
    "authors": ("author", "authors", "author(s)", "autor", "autoren", "auteur", "auteurs", "autores", "by"),
    "year": ("year", "date", "published", "publication date", "publication year", "jahr", "année", "año", "ano"),
    "container": ("journal", "venue", "conference", "published in", "publication", "zeitschrift", "revue", "revista",
                  "journal/conference", "journal/venue", "source"),
    "title": ("title", "titel", "titre", "título", "titulo", "paper", "article", "full title"),
    "link": ("doi", "url", "link", "links", "arxiv", "pdf", "access", "paper link", "doi/url", "doi / url"),
    "other": ("summary", "abstract", "key findings", "why", "relevance", "publisher", "volume", "pages", "citation",
              "focus", "contribution", "key contribution", "methodology", "findings", "type", "zusammenfassung"),
}  # fmt: skip
_NAMES = {name: kind for kind, names in _FIELDS.items() for name in names}
_LINE = re.compile(r"[\s*_•–-]{0,6}(?P<name>[^\W\d_][^:*_\n]{1,30})[*_\s]{0,4}:[*_\s]{0,4}(?P<value>\S[^\n]{0,2000})")
_NUMBER = re.compile(
    r"^(?:\(?\d{1,3}[.):]\s{0,4}|\[\d{1,3}\]\s{0,4}|(?:paper|source|study|article)\s\d{1,3}\s?[:.–—-]\s?)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_YEAR_END = re.compile(r"\s?\(((?:1[5-9]|20)\d\d)\)$")


@dataclass(slots=True)
class Card:
    """One work."""

    title: str
    line: int
    blocks: list[int] = field(default_factory=list)
    """Places of the blocks it is told in."""
    fields: dict[str, str] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)

    def is_work(self) -> bool:
        """Whether it says enough to be a work: a title, and authors with a year or a place where it can be found."""
        named = sum(name in self.fields for name in ("authors", "year", "container", "link"))
        return bool(self.title) and "authors" in self.fields and named > 1


def find_cards(blocks: Sequence[Block]) -> list[Card]:
    """Find the works of a document that are told so, in its order; empty where there are none."""
    found = [card for card in _cards(blocks) if card.is_work()]
    return found if len(found) >= LEAST else []


def _cards(blocks: Sequence[Block]) -> Iterator[Card]:
    card: Card | None = None
    for place, block in enumerate(blocks):
        lines = block.text.split("\n")
        found = [_field(line) for line in lines]
        if found[0] is None or found[0][0] == "title":
            if block.kind is BlockKind.HEADING or len(lines[0]) <= _LONGEST_TITLE:
                if card is not None:
                    yield card
                card = Card(title=_title(lines[0]) if found[0] is None else "", line=block.line)
                found = found if found[0] is not None else found[1:]
            else:
                found = [each for each in found if each is not None]
        if card is None:
            continue
        card.blocks.append(place)
        card.spans += block.spans
        card.raw.append(block.text.replace("\n", " "))
        for each in found:
            if each is not None:
                card.fields.setdefault(each[0], each[1])
                card.title = card.title or (each[1] if each[0] == "title" else "")
    if card is not None:
        yield card


def _field(line: str) -> tuple[str, str] | None:
    match = _LINE.match(line)
    kind = _NAMES.get(match["name"].strip().casefold()) if match is not None else None
    return (kind, match["value"].strip()[:_LONGEST_VALUE]) if match is not None and kind is not None else None


def _title(line: str) -> str:
    text = _NUMBER.sub("", line.strip(" *_#"))
    return text.strip(' *_"“”„«»:') if len(text.split()) > 1 else ""


def read_card(card: Card, *, path: str) -> Reference:
    """Give the reference that a card tells."""
    title = card.fields.get("title") or card.title
    end = _YEAR_END.search(title)
    title = (title[: end.start()] if end else title).strip(' *_"“”.,')
    year = _YEAR.search(card.fields.get("year", "")) or (end and _YEAR.search(end.group()))
    people, truncated = parse_people(card.fields.get("authors", ""))
    link = card.fields.get("link", "")
    found = identifiers_of(card.spans)
    printed = {"doi": ids.find_doi(link), "arxiv_id": ids.find_arxiv_id(link)}
    found = found.model_copy(update={name: value for name, value in printed.items() if value})
    missing = sum(not each for each in (people, year))
    return Reference(
        raw=" ".join(card.raw)[:4_000],
        type=kind_of(found),
        title=link_title(title)[0] or title,
        authors=people,
        authors_truncated=truncated,
        year=int(year.group()) if year else None,
        container_title=_YEAR_END.sub("", card.fields.get("container", "")).strip(" *_") or None,
        identifiers=found,
        locus=Locus(path=path, line=card.line),
        parse_score=CARD - 0.1 * missing,
    )
