"""Read CSL-JSON: an array of items, an object that holds one, items by their id, or a single item.

Fields: CSL 1.0.2 (https://docs.citationstyles.org/en/stable/specification.html, appendix IV) and the csl-data schema.
Items are read one by one, so that a broken one costs only itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.decode import Decoded, peek, read_document
from citeaudit.extract.tagged.outcome import MAX_BROKEN, broken, outcome
from citeaudit.extract.tagged.record import Record, is_others, split_person, work_type
from citeaudit.model.reference import Extraction, FailedBlock, Locus, Person, Reference

_CLAIM = re.compile(r"\A\s*[\[{]")
_FIELDS = re.compile(r'"(?:author|issued|container-title|DOI|citation-key|title)"\s*:')
_ARRAY = re.compile(r'\s*\[|\s*\{\s*"(?:items|references|message)"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
_NEXT = re.compile(r"\}\s*,\s*(?=\{)")
_ITEM_FIELDS = frozenset({"title", "author", "issued", "container-title", "DOI", "editor", "URL", "publisher"})
_PARTICLES = ("dropping-particle", "non-dropping-particle")
_IDS = {"DOI": "doi", "PMID": "pmid", "PMCID": "pmcid", "ISBN": "isbn", "ISSN": "issn", "URL": "url"}
_NOTE = re.compile(r"(?im)^\s*(DOI|PMID|PMCID|arXiv|ISBN)\s*:\s*(\S+)")


class _Item(NamedTuple):
    value: object
    start: int
    end: int


class CslExtractor:
    """Reads CSL-JSON."""

    name = "csl-json"
    suffixes = (".json", ".csl")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell it by JSON that holds names of CSL fields."""
        del path
        text = peek(head)
        return bool(_CLAIM.match(text)) and bool(_FIELDS.search(text)) and not text.lstrip().startswith("{\\")

    def read(self, path: Path) -> Extraction:
        """Read the items; never raises for one bad item, see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: Missing, empty, too large, or not JSON at all.
            NoReferencesError: It is JSON without items of CSL.
        """
        return read_csl(read_document(path), str(path))


def read_csl(decoded: Decoded, path: str) -> Extraction:
    """Read CSL-JSON from text; errors are those of `CslExtractor.read`."""
    text = decoded.text
    references: list[Reference] = []
    failed: list[FailedBlock] = []
    lines = _Lines(text)
    notes = [decoded.note]
    for item in _items(text, path):
        if len(failed) >= MAX_BROKEN:
            notes.append(f"{MAX_BROKEN:,} items are broken; what follows was not read")
            break
        line = lines.at(item.start)
        raw = text[item.start : item.end]
        if isinstance(item.value, Mapping) and item.value.get("itemType") in {"attachment", "note", "annotation"}:
            continue
        if isinstance(item.value, Mapping) and _ITEM_FIELDS & item.value.keys():
            references.append(_reference(item.value, raw, Locus(path=path, line=line)))
        else:
            message = (
                item.value if isinstance(item.value, _Broken) else "is no item of CSL: it has neither title nor author"
            )
            failed.append(broken(raw, str(message), path, line))
    if not references and not any("broken" in block.message for block in failed):
        raise NoReferencesError("is JSON without items of CSL; export the library as CSL-JSON", path=path)
    return outcome(path, CslExtractor.name, references, failed=failed, notes=notes)


class _Broken(str):
    """Why an item could not be parsed."""

    __slots__ = ()


class _Lines:
    """Counts lines up to offsets that only grow."""

    def __init__(self, text: str) -> None:
        self._text, self._offset, self._line = text, 0, 1

    def at(self, offset: int) -> int:
        self._line += self._text.count("\n", self._offset, offset)
        self._offset = offset
        return self._line


def _items(text: str, path: str) -> Iterator[_Item]:
    opened = _ARRAY.match(text)
    if opened is not None:
        yield from _array(text, opened.end())
        return
    try:
        whole, end = json.JSONDecoder().raw_decode(text, len(text) - len(text.lstrip()))
    except (ValueError, RecursionError) as error:
        told = (
            f"line {error.lineno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else "it is nested too deeply"
        )
        raise UnreadableDocumentError(f"is not JSON that can be read ({told}); export it again", path=path) from error
    yield from _inside(whole, end)


def _inside(whole: object, end: int) -> Iterator[_Item]:
    """Give the items of an object: under `items`, by their ids, or the object itself."""
    if not isinstance(whole, dict):
        return
    held = next((whole[name] for name in ("items", "references") if isinstance(whole.get(name), list)), None)
    if held is None and not _ITEM_FIELDS & whole.keys():
        held = [value for value in whole.values() if isinstance(value, dict) and _ITEM_FIELDS & value.keys()]
    if held is None:
        yield _Item(whole, 0, end)
        return
    for value in held:
        yield _Item(value, 0, 0)


def _array(text: str, start: int) -> Iterator[_Item]:
    decoder = json.JSONDecoder()
    place, whole = start, True
    while (place := _skip(text, place)) < len(text) and text[place] != "]":
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            following = _NEXT.search(text, max(place + 1, getattr(error, "pos", place + 1) - 1))
            end = following.end() if following else len(text)
            line = getattr(error, "lineno", None)
            told = getattr(error, "msg", "it is nested too deeply or holds a number too long")
            where = f" at line {line}" if line else ""
            yield _Item(_Broken(f"the JSON of the item is broken{where}: {told}"), place, end)
            whole = False
        else:
            yield _Item(value, place, end)
            whole = True
        place = end
    if place >= len(text) and whole:
        yield _Item(_Broken("the JSON is broken off: the list is not closed; get the complete file"), place, place)


def _skip(text: str, place: int) -> int:
    match = _BETWEEN.match(text, place)
    return match.end() if match else place


_ZOTERO = {
    "container-title": ("publicationTitle", "proceedingsTitle", "bookTitle", "encyclopediaTitle", "websiteTitle"),
    "issued": ("date",),
    "page": ("pages",),
    "URL": ("url",),
    "citation-key": ("citationKey", "citekey", "key"),
    "publisher": ("publisher", "university", "institution"),
    "note": ("extra",),
    "event-title": ("conferenceName",),
}
"""Fields of Zotero's own JSON (also that of Better BibTeX) by those of CSL."""
_ZOTERO_TYPES = {
    "journalArticle": "article-journal", "magazineArticle": "article-magazine", "newspaperArticle": "article-newspaper",
    "conferencePaper": "paper-conference", "bookSection": "chapter", "computerProgram": "software",
    "encyclopediaArticle": "entry-encyclopedia", "preprint": "article", "blogPost": "post-weblog", "case": "legal_case",
}  # fmt: skip


def _of_zotero(item: Mapping[str, object]) -> Mapping[str, object]:
    """Give an item of Zotero's JSON with the names of CSL; others as they are."""
    kind = item.get("itemType")
    if not isinstance(kind, str):
        return item
    made = dict(item)
    made["type"] = _ZOTERO_TYPES.get(kind, kind)
    for name, others in _ZOTERO.items():
        value = next((item[other] for other in others if item.get(other)), None)
        if value is not None and not item.get(name):
            made[name] = {"raw": value} if name == "issued" else value
    for role in ("author", "editor"):
        creators = item.get("creators")
        made[role] = [
            {"literal": one["name"]}
            if one.get("name")
            else {"family": one.get("lastName"), "given": one.get("firstName")}
            for one in (creators if isinstance(creators, list) else ())
            if isinstance(one, Mapping) and one.get("creatorType", "author") == role
        ]
    return made


def _reference(item: Mapping[str, object], raw: str, locus: Locus) -> Reference:
    item = _of_zotero(item)
    record = Record(
        type=work_type("csl", _text(item, "type")),
        title=_text(item, "title"),
        subtitle=_text(item, "subtitle"),
        date=_date(item.get("issued")) or _text(item, "year"),
        original_date=_date(item.get("original-date")),
        status=_text(item, "status"),
        container=_text(item, "container-title", "event-title"),
        volume=_text(item, "volume"),
        issue=_text(item, "issue"),
        pages=_text(item, "page", "article-number"),
        publisher=_text(item, "publisher"),
        notes=[_text(item, "note") or ""],
    )
    record.authors, record.truncated = _people(item.get("author"))
    record.editors, _ = _people(item.get("editor"))
    record.ids = _identifiers(item)
    suffix = _text(item, "year-suffix")
    key = _text(item, "citation-key", "id")
    place = locus.model_copy(update={"citekey": key, "label": _text(item, "citation-number")})
    built = record.reference(raw or json.dumps(item, ensure_ascii=False), place)
    return built.model_copy(update={"year_suffix": suffix}) if suffix else built


def _text(item: Mapping[str, object], *names: str) -> str | None:
    """Give the first of these fields as text; numbers count, and so does the first of a list (Crossref)."""
    for name in names:
        value = item.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return None


def _date(value: object) -> str | None:
    """Give the year of a CSL date: parts, a literal, a raw string, or a bare year."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, Mapping):
        return None
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return str(parts[0][0])
    if isinstance(parts, list) and parts and isinstance(parts[0], int | str):
        return str(parts[0])
    return _text(value, "literal", "raw")


def _people(value: object) -> tuple[list[Person], bool]:
    people: list[Person] = []
    truncated = False
    for one in value if isinstance(value, list) else ():
        if isinstance(one, str):
            person = split_person(one)
            if person is not None:
                people.append(person)
            continue
        if not isinstance(one, Mapping):
            continue
        literal = _text(one, "literal", "name")
        if literal and not _text(one, "family"):
            truncated = truncated or is_others(literal)
            if not is_others(literal):
                people.append(Person(literal=literal.strip()))
            continue
        particle = " ".join(part for name in _PARTICLES if (part := _text(one, name)))
        family = _text(one, "family")
        family = f"{particle} {family}".strip() if family else None
        given = _text(one, "given")
        if family or given:
            people.append(Person(family=family, given=given, suffix=_text(one, "suffix")))
    return people, truncated


def _identifiers(item: Mapping[str, object]) -> list[tuple[str, str]]:
    pairs = [(scheme, value) for name, scheme in _IDS.items() if (value := _text(item, name, name.lower()))]
    archive = (_text(item, "archive", "publisher") or "").lower()
    for name in ("archive_location", "number", "archive-location"):
        value = _text(item, name)
        if value and ("arxiv" in archive or value.lower().startswith("arxiv")):
            pairs.append(("arxiv_id", value))
    for scheme, value in _NOTE.findall((_text(item, "note") or "")[:4_000]):
        pairs.append(("arxiv_id" if scheme.lower() == "arxiv" else scheme.lower(), value))
    return pairs
