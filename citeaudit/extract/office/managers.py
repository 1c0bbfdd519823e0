"""Typed references that reference managers and Word itself keep inside a .docx.

Zotero and Mendeley write CSL-JSON into fields, Mendeley Cite into the tags of content controls, EndNote its XML,
Citavi JSON of its own, Word a part `b:Sources` (ECMA-376 part 1, 22.6). All are data of the document, read as such.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from citeaudit.errors import UnreadableDocumentError
from citeaudit.extract.markup.bibliography import csl_references
from citeaudit.extract.markup.inline import page_of
from citeaudit.extract.markup.typed import composed
from citeaudit.extract.tagged.endnote import endnote_reference
from citeaudit.extract.tagged.record import Record
from citeaudit.extract.tagged.xml import Element, parse_xml
from citeaudit.model.reference import Locus, Person, Reference, WorkType
from citeaudit.text.normalize import key as fold_key

MAX_CODE = 4_000_000
"""Characters of one field's code; a citation of many works with abstracts has some 100,000."""

_CSL = re.compile(r"\s{0,20}ADDIN\s{1,20}(?:ZOTERO_ITEM\s{1,20})?CSL_CITATION\b", re.IGNORECASE)
_ENDNOTE = re.compile(r"\s{0,20}ADDIN\s{1,20}EN\.CITE(?:\.DATA)?\b", re.IGNORECASE)
_WORD = re.compile(r"\s{0,20}CITATION\s{1,20}(?P<rest>.{1,2000})", re.IGNORECASE | re.DOTALL)
_CITAVI = re.compile(r"\s{0,20}ADDIN\s{1,20}CitaviPlaceholder\{(?P<data>[A-Za-z0-9+/=\s]{8,4000000})\}?", re.IGNORECASE)
_LISTS = re.compile(
    r"\s{0,20}(?:BIBLIOGRAPHY\b|ADDIN\s{1,20}(?:ZOTERO_BIBL|Mendeley\s{1,20}Bibliography|EN\.REFLIST|EN\.SECTION\.REFLIST"
    r"|CitaviBibliography|PAPERS2_BIBLIOGRAPHY|paperpile_bibliography))",
    re.IGNORECASE,
)
_MENDELEY = re.compile(r"MENDELEY_CITATION_v\d_(?P<data>[A-Za-z0-9+/=]{8,4000000})")
_LIST_TAGS = re.compile(
    r"(?:MENDELEY_BIBLIOGRAPHY|CitaviBibliography|paperpile_bibliography|Bibliographies)", re.IGNORECASE
)
_SWITCH = re.compile(r"\\(?P<name>[A-Za-z])\s{0,5}(?:\"(?P<quoted>[^\"]{0,200})\"|(?P<bare>[^\s\\]{1,200}))?")
_MAX_ITEMS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """One work that a field cites."""

    key: str
    page: str | None = None


@dataclass(slots=True)
class Library:
    """The typed works of a document, each once, by key, in the order of their first citation."""

    works: dict[str, Reference] = field(default_factory=dict)
    sources: dict[str, Reference] = field(default_factory=dict)
    """Word's own sources by their tag; only the cited ones become works."""
    _known: dict[str, str] = field(default_factory=dict)
    broken: int = 0
    """Fields whose data could not be read."""

    def add(self, reference: Reference) -> str:
        """Add a work, unless it is there; give its key."""
        same = _identity(reference)
        if same not in self._known:
            wish = reference.locus.citekey
            name = wish if wish and wish not in self.works and not wish.startswith(("ITEM-", "http")) else ""
            name = name or f"item-{len(self.works) + 1}"
            self._known[same] = name
            locus = Locus(path=reference.locus.path, citekey=name)
            self.works[name] = reference.model_copy(update={"locus": locus, "raw": composed(reference)})
        return self._known[same]

    def cite(self, code: str, data: str, *, path: str) -> tuple[Cited, ...]:
        """Read what a field cites.

        Args:
            code: The instruction of the field.
            data: What the field carries beside it (`w:fldData`), base64.
            path: The document.

        Returns:
            The works in their order; empty for fields that cite nothing.
        """
        code = code[:MAX_CODE]
        if _CSL.match(code):
            return self._csl(_json(code, self), path)
        if _ENDNOTE.match(code):
            return self._endnote(code, data, path)
        citavi = _CITAVI.match(code)
        if citavi is not None:
            return self._citavi(_unpacked(citavi["data"]), path)
        word = _WORD.match(code)
        return self._word(word["rest"]) if word is not None else ()

    def tagged(self, tag: str, *, path: str) -> tuple[Cited, ...]:
        """Read what a content control cites by its tag."""
        match = _MENDELEY.match(tag)
        if match is None:
            return ()
        text = _unpacked(match["data"])
        return self._csl(_json(text, self), path)

    def _csl(self, citation: Mapping[str, object], path: str) -> tuple[Cited, ...]:
        found: list[Cited] = []
        items = citation.get("citationItems")
        for item in items[:_MAX_ITEMS] if isinstance(items, list) else ():
            data = item.get("itemData") if isinstance(item, dict) else None
            made = csl_references([data], path=path) if isinstance(data, dict) else ()
            if made:
                page = item.get("locator") if item.get("label") in {None, "page", ""} else None
                found.append(Cited(key=self.add(made[0]), page=str(page) if page else None))
        return tuple(found)

    def _endnote(self, code: str, data: str, path: str) -> tuple[Cited, ...]:
        start = code.find("<EndNote")
        text = code[start:] if start >= 0 else _unpacked(data)
        start = text.find("<EndNote")
        if start < 0:
            return ()
        try:
            root = parse_xml(text[start:].replace("\x00", ""), path).root
        except UnreadableDocumentError:
            self.broken += 1
            return ()
        found: list[Cited] = []
        for cite in root.iter("Cite"):
            record = cite.child("record")
            if record is not None and len(found) < _MAX_ITEMS:
                pages = cite.child("Pages")
                page = page_of(pages.text()) if pages is not None else None
                found.append(Cited(key=self.add(endnote_reference(record, path)), page=page))
        return tuple(found)

    def _word(self, rest: str) -> tuple[Cited, ...]:
        r"""Read `Smi20 \p 14 \m Jon19`: tags, with switches after each."""
        first = rest.split(maxsplit=1)[0] if rest.strip() else ""
        found = [Cited(key=first)] if first and not first.startswith("\\") else []
        for match in _SWITCH.finditer(rest):
            value = match["quoted"] or match["bare"] or ""
            if match["name"] == "m" and value:
                found.append(Cited(key=value))
            elif match["name"] == "p" and value and found:
                found[-1] = replace(found[-1], page=value)
        known: list[Cited] = []
        for cited in found[:_MAX_ITEMS]:
            source = self.sources.get(cited.key)
            known.append(replace(cited, key=self.add(source)) if source is not None else cited)
        return tuple(known)

    def _citavi(self, text: str, path: str) -> tuple[Cited, ...]:
        entries = _json(text, self).get("Entries")
        found: list[Cited] = []
        for entry in entries[:_MAX_ITEMS] if isinstance(entries, list) else ():
            data = entry.get("Reference") if isinstance(entry, dict) else None
            if isinstance(data, dict):
                found.append(Cited(key=self.add(_citavi_reference(data, path))))
        return tuple(found)


def is_list(code: str) -> bool:
    """Whether a field prints the list of references."""
    return _LISTS.match(code) is not None


def is_list_tag(tag: str) -> bool:
    """Whether the tag or gallery of a content control means the list of references."""
    return _LIST_TAGS.match(tag) is not None


def _identity(reference: Reference) -> str:
    """Tell works apart: by DOI, else by title and year, else by all fields."""
    if reference.identifiers.doi:
        return f"doi:{reference.identifiers.doi}"
    if reference.title:
        return f"{fold_key(reference.title)}|{reference.year}|{reference.volume}|{reference.container_title}"
    return composed(reference)


def _json(code: str, library: Library) -> Mapping[str, object]:
    start = code.find("{")
    try:
        value, _ = json.JSONDecoder().raw_decode(code, start) if start >= 0 else ({}, 0)
    except (ValueError, RecursionError):
        library.broken += 1
        return {}
    return value if isinstance(value, dict) else {}


def _unpacked(data: str) -> str:
    """Decode base64 text, in the encodings Word's neighbours use."""
    compact = re.sub(r"\s", "", data[:MAX_CODE])
    try:
        raw = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=False)
    except (binascii.Error, ValueError):
        return ""
    wide = raw[1:200:2].count(0) > len(raw[:200]) // 4
    return raw.decode("utf-16-le" if wide else "utf-8", "replace")


def _texts(element: Element, *steps: str) -> list[str]:
    found = [element]
    for step in steps:
        found = [child for one in found for child in one.children(step)]
    return [text for one in found if (text := one.text().strip())]


def _one(element: Element, *paths: str) -> str | None:
    for path in paths:
        found = _texts(element, *path.split("/"))
        if found:
            return found[0]
    return None


_WORD_TYPES = {
    "JournalArticle": WorkType.ARTICLE_JOURNAL,
    "ArticleInAPeriodical": WorkType.ARTICLE_JOURNAL,
    "Book": WorkType.BOOK,
    "BookSection": WorkType.CHAPTER,
    "ConferenceProceedings": WorkType.PAPER_CONFERENCE,
    "Report": WorkType.REPORT,
    "InternetSite": WorkType.WEBPAGE,
    "DocumentFromInternetSite": WorkType.WEBPAGE,
    "ElectronicSource": WorkType.WEBPAGE,
    "Patent": WorkType.PATENT,
    "Case": WorkType.LEGAL_CASE,
    "Interview": WorkType.PERSONAL_COMMUNICATION,
}


def word_sources(root: Element, path: str) -> Iterator[tuple[str, Reference]]:
    """Read Word's own sources: tag and reference of each."""
    for source in root.iter("Source"):
        kind = _one(source, "SourceType") or ""
        made = Record(
            type=_WORD_TYPES.get(kind, WorkType.UNKNOWN),
            title=_one(source, "Title"),
            date=_one(source, "Year"),
            container=_one(
                source, "JournalName", "BookTitle", "ConferenceName", "PeriodicalTitle", "InternetSiteTitle"
            ),
            volume=_one(source, "Volume"),
            issue=_one(source, "Issue"),
            pages=_one(source, "Pages"),
            publisher=_one(source, "Publisher", "Institution"),
        )
        people = source.child("Author")
        made.authors = list(_word_people(people, "Author")) if people is not None else []
        made.editors = list(_word_people(people, "Editor")) if people is not None else []
        made.ids = [("doi", value) for value in _texts(source, "DOI")]
        made.ids += [("url", value) for value in _texts(source, "URL")]
        made.ids += [("isbn", value) for value in _texts(source, "StandardNumber")]
        tag = _one(source, "Tag")
        if tag:
            yield tag, made.reference("-", Locus(path=path, citekey=tag))


def _word_people(people: Element, role: str) -> Iterable[Person]:
    for named in people.children(role):
        for corporate in _texts(named, "Corporate"):
            yield Person(literal=corporate)
        for listed in named.children("NameList"):
            for person in listed.children("Person"):
                given = " ".join(part for name in ("First", "Middle") if (part := _one(person, name)))
                family = _one(person, "Last")
                if family or given:
                    yield Person(family=family, given=given or None)


def _citavi_reference(data: Mapping[str, object], path: str) -> Reference:
    def text(*names: str) -> str | None:
        return next((str(value) for name in names if isinstance(value := data.get(name), str | int) and value), None)

    made = Record(
        title=text("Title"),
        subtitle=text("Subtitle"),
        date=text("Year", "YearResolved", "Date"),
        volume=text("Volume"),
        issue=text("Number"),
    )
    periodical = data.get("Periodical")
    if isinstance(periodical, dict) and isinstance(periodical.get("Name"), str):
        made.container, made.type = periodical["Name"], WorkType.ARTICLE_JOURNAL
    people = data.get("Authors")
    for person in people[:_MAX_ITEMS] if isinstance(people, list) else ():
        if isinstance(person, dict) and (person.get("LastName") or person.get("FirstName")):
            given = " ".join(str(person[name]) for name in ("FirstName", "MiddleName") if person.get(name))
            made.authors.append(Person(family=str(person.get("LastName") or "") or None, given=given or None))
    made.ids = [(name, value) for name, value in (("doi", text("Doi")), ("isbn", text("Isbn"))) if value]
    return made.reference("-", Locus(path=path))
