"""Read JATS and its forerunner NLM: the reference lists of an article, and the running text that cites them.

Elements: NISO Z39.96 (JATS 1.3, https://jats.nlm.nih.gov/archiving/tag-library/1.3/), and the NLM 2.3 names
`citation` and `nlm-citation`.
"""

from __future__ import annotations

import re
from pathlib import Path

from citeaudit.errors import NoReferencesError
from citeaudit.extract.decode import peek
from citeaudit.extract.fields.reader import Hints, read_fields
from citeaudit.extract.pdf.likeness import likeness
from citeaudit.extract.tagged.jats_text import body_of
from citeaudit.extract.tagged.outcome import lost, outcome
from citeaudit.extract.tagged.record import MAX_RAW, Record, pages, split_person, work_type
from citeaudit.extract.tagged.xml import Element, read_xml, top_element
from citeaudit.model.reference import Extraction, Locus, Person, Reference, WorkType

_TOP = frozenset({"article", "articles", "pmc-articleset", "ref-list", "back", "sub-article"})
_WRAPPED = re.compile(r"<(?:\w+:)?article\b[^>]{0,2000}\b(?:article-type|dtd-version)=|-//NLM//DTD")
_CITATIONS = ("element-citation", "mixed-citation", "nlm-citation", "citation")
_NAMES = frozenset({"name", "string-name", "collab", "on-behalf-of"})
_PUB_IDS = {
    "doi": "doi",
    "pmid": "pmid",
    "pmcid": "pmcid",
    "pmc": "pmcid",
    "arxiv": "arxiv_id",
    "isbn": "isbn",
    "issn": "issn",
}
_TITLES = ("article-title", "chapter-title", "data-title", "part-title")
_CONTAINED = frozenset({WorkType.ARTICLE_JOURNAL, WorkType.PREPRINT, WorkType.NEWS, WorkType.PAPER_CONFERENCE})
_NOTE_LIKE = 0.45
"""Likeness from which a note in a reference list is read as a reference."""


class JatsExtractor:
    """Reads JATS articles."""

    name = "jats"
    suffixes = (".xml", ".nxml", ".jats")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell it by the element `article` or its document type."""
        del path
        text = peek(head)
        top = top_element(text)
        return top in _TOP or (top not in {"", "html"} and bool(_WRAPPED.search(text)))

    def read(self, path: Path) -> Extraction:
        """Read the reference lists, and link the citations of the text to them.

        Never raises for one bad reference. A file cut short is read up to there, and the self-check says so.

        Raises:
            UnreadableDocumentError: Missing, empty, too large, not XML, or with entities of its own.
            NoReferencesError: It holds no reference list.
        """
        parsed = read_xml(path)
        name = str(path)
        references: list[Reference] = []
        skipped = 0
        lists = list(parsed.root.iter("ref-list"))
        refs = list(parsed.root.iter("ref"))
        failed = lost(parsed.root, refs, frozenset({"ref-list"}), name)
        for ref in refs:
            if ref.cut:
                continue
            read = references_of(ref, name)
            skipped += not read
            references += read
        if not references and not failed:
            message = "holds no reference list that JATS would have (ref-list); name the article itself"
            raise NoReferencesError(message, path=name)
        notes = [*parsed.notes]
        if skipped:
            one = "entry of the list is a note, not a reference, and was"
            many = "entries of the list are notes, not references, and were"
            notes.append(f"{skipped} {one if skipped == 1 else many} left out")
        top = [one for one in lists if any(one.children("ref"))]
        if len(top) > 1:
            notes.append(f"{len(top)} lists of references were read")
        return outcome(
            name, self.name, references, failed=failed, notes=notes, body=body_of(parsed.root, references, name)
        )


def references_of(ref: Element, path: str) -> list[Reference]:
    """Read the references under one label: several where it stands for several works, none for a note."""
    label = ref.child("label")
    locus = Locus(
        path=path,
        line=ref.line,
        label=_label(label.text()) if label else None,
        citekey=ref.get("id"),
    )
    found = [
        _citation(one, printed, locus.model_copy(update={"line": one.line}))
        for one, printed in _citations(ref)
        if one.text().strip()
    ]
    if not found:
        text = " ".join(part.text() for part in ref.children() if part.tag != "label").strip()
        if likeness(text) >= _NOTE_LIKE:
            found = [read_fields(text, locus=locus)]
    return found


def _label(text: str) -> str | None:
    return text.strip().strip("[]().:").strip() or None


def _citations(ref: Element) -> list[tuple[Element, str]]:
    """Give each citation with its printed text; of alternatives the one with elements is read, the other printed."""
    found: list[tuple[Element, str]] = []
    for one in ref.children(*_CITATIONS, "citation-alternatives"):
        if one.tag != "citation-alternatives":
            found.append((one, _printed(one)))
            continue
        choices = list(one.children(*_CITATIONS))
        if choices:
            best = next((each for each in choices if each.tag == "element-citation"), choices[0])
            mixed = next((each for each in choices if each.tag == "mixed-citation"), best)
            found.append((best, _printed(mixed)))
    return found


def _printed(citation: Element) -> str:
    """Give the reference as a reader sees it; elements without punctuation between them are set apart."""
    loose = "".join(part for part in citation.parts if isinstance(part, str))
    if re.search(r"[.,;:]", loose):
        return " ".join(citation.text().split())
    pieces: list[str] = []
    for part in citation.children():
        inner = [" ".join(one.text(" ").split()) for one in part.children()] if part.tag == "person-group" else []
        pieces.append(", ".join(inner) or " ".join(part.text(" ").split()))
    return ". ".join(piece for piece in pieces if piece) or " ".join(citation.text().split())


def _citation(citation: Element, printed: str, locus: Locus) -> Reference:
    record = _typed(citation)
    raw = printed[:MAX_RAW]
    tagged = bool(record.authors or record.editors) + bool(record.title) + bool(record.date or record.status)
    bare = citation.tag in {"mixed-citation", "citation"} and re.search(r"\w{3}", _loose(citation)) is not None
    if not bare or (tagged == 3) or (tagged == 2 and record.container):  # noqa: PLR2004 - people, title, date
        return record.reference(raw, locus)
    return _completed(record, printed, locus)


def _loose(citation: Element) -> str:
    """Give the text of a citation that stands in no element."""
    return " ".join(part for part in citation.parts if isinstance(part, str))


def _completed(record: Record, printed: str, locus: Locus) -> Reference:
    """Let the printed text fill what no element names; what is tagged wins."""
    typed = record.reference(printed[:MAX_RAW], locus)
    known = dict(typed.identifiers.pairs())
    hints = Hints(**{name: value for name, value in known.items() if name != "issn"})
    read = read_fields(printed, locus=locus, hints=hints)
    kept = {
        name: value
        for name in (
            "title",
            "authors",
            "editors",
            "year",
            "year_suffix",
            "container_title",
            "volume",
            "issue",
            "pages",
            "publisher",
        )
        if (value := getattr(typed, name))
    }
    if typed.container_title and not typed.title and read.title == typed.container_title:
        kept["title"] = None
    if typed.authors:
        kept["authors_truncated"] = typed.authors_truncated
    if typed.type is not WorkType.UNKNOWN:
        kept["type"] = typed.type
    return read.model_copy(update=kept)


def _typed(citation: Element) -> Record:
    kind = work_type("jats", citation.get("publication-type", "citation-type", "content-type"))
    title = _first(citation, *_TITLES)
    source = _first(citation, "source", "conf-name")
    numbered = _first(citation, "volume", "fpage", "elocation-id") is not None
    if kind is WorkType.BOOK and citation.child("chapter-title", "article-title") and source:
        kind = WorkType.CHAPTER
    if kind is WorkType.UNKNOWN and title and source and numbered and not _first(citation, "publisher-name"):
        kind = WorkType.ARTICLE_JOURNAL
    if title is None and kind not in _CONTAINED and not (kind is WorkType.UNKNOWN and numbered):
        title, source = source or _first(citation, "conf-name"), None
    record = Record(
        type=kind,
        title=title,
        date=_first(citation, "year", "date"),
        status=_first(citation, "date") if not _first(citation, "year") else None,
        container=source,
        volume=_first(citation, "volume"),
        issue=_first(citation, "issue"),
        pages=pages(_first(citation, "page-range"))
        or pages(_first(citation, "fpage"), _first(citation, "lpage"))
        or _first(citation, "elocation-id"),
        publisher=_first(citation, "publisher-name", "institution"),
        notes=[one.text() for one in citation.iter("comment")],
    )
    if record.date and record.status and re.search(r"\d{4}", record.date):
        record.status = None
    if any("in press" in note.lower() for note in record.notes):
        record.status = record.status or "in press"
    _people(citation, record)
    record.ids = _identifiers(citation)
    return record


def _first(element: Element, *tags: str) -> str | None:
    for tag in tags:
        for found in element.iter(tag):
            text = " ".join(found.text().split())
            if text:
                return text.strip(" ,;") if tag != "article-title" else text.rstrip(" ,;").removesuffix(".")
    return None


def _people(citation: Element, record: Record) -> None:
    for part in citation.children():
        if part.tag == "person-group":
            role = (part.get("person-group-type") or "author").lower()
            _group(part, record, editor=role in {"editor", "guest-editor", "compiler"}, counted=role not in _OTHERS)
        elif part.tag in _NAMES:
            _add(part, record.authors)
        elif part.tag == "etal":
            record.truncated = True


_OTHERS = frozenset({"translator", "inventor-assignee", "director", "illustrator", "curator-institution", "assignee"})
"""Groups of people who are neither authors nor editors."""


def _group(group: Element, record: Record, *, editor: bool, counted: bool) -> None:
    if not counted:
        return
    people = record.editors if editor else record.authors
    for one in group.children():
        if one.tag in _NAMES:
            _add(one, people)
        elif one.tag == "etal" and not editor:
            record.truncated = True
        elif one.tag == "name-alternatives":
            first = one.child("name", "string-name")
            if first is not None:
                _add(first, people)
    if not any(one.tag in _NAMES or one.tag == "name-alternatives" for one in group.children()):
        for name in re.split(r";|,(?=\s\S{2,}\s[A-Z]{1,3}\b)", group.text()):
            person = split_person(name)
            if person is not None and editor:
                record.editors.append(person)
            elif person is not None:
                record.add_person(name)


def _add(name: Element, people: list[Person]) -> None:
    family, given = _first(name, "surname"), _first(name, "given-names")
    if family or given:
        prefix, suffix = _first(name, "prefix"), _first(name, "suffix")
        particle = f"{prefix} " if prefix and prefix.islower() else ""
        people.append(Person(family=f"{particle}{family}" if family else None, given=given, suffix=suffix))
        return
    text = " ".join(name.text().split()).strip(" ,;")
    person = Person(literal=text) if name.tag == "collab" and text else split_person(text)
    if person is not None:
        people.append(person)


def _identifiers(citation: Element) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for one in citation.iter("pub-id", "object-id"):
        kind = (one.get("pub-id-type", "assigning-authority") or "any").lower()
        pairs.append((_PUB_IDS.get(kind, "any"), one.text()))
    pairs += [(tag, one.text()) for tag in ("isbn", "issn") for one in citation.iter(tag)]
    for one in citation.iter("ext-link", "uri", "self-uri"):
        link = one.get("href") or one.text()
        kind = (one.get("ext-link-type") or "uri").lower()
        pairs.append((_PUB_IDS.get(kind, "url"), link))
    return pairs + [("any", one.text()) for one in citation.iter("comment", "elocation-id")]
