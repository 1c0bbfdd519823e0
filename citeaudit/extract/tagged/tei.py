"""Read TEI: what GROBID writes, and what editors of texts do.

Elements: TEI P5 (https://tei-c.org/release/doc/tei-p5-doc/en/html/CO.html#COBI): `biblStruct`, `bibl`, `listBibl`,
`ref`. The header describes the document itself and is left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from citeaudit.errors import NoReferencesError
from citeaudit.extract.decode import peek
from citeaudit.extract.fields.reader import Hints, read_fields
from citeaudit.extract.intext.body import Body, MarkKind
from citeaudit.extract.tagged.outcome import lost, outcome
from citeaudit.extract.tagged.record import MAX_RAW, Record, pages, split_person
from citeaudit.extract.tagged.running import Running
from citeaudit.extract.tagged.xml import Element, read_xml, top_element
from citeaudit.model.reference import Extraction, Locus, Person, Reference, WorkType

_TOP = frozenset({"TEI", "teiCorpus", "TEI.2", "listBibl", "biblStruct"})
_IDS = {
    "arxiv": "arxiv_id",
    "pmc": "pmcid",
    "uri": "url",
    **{name: name for name in ("doi", "pmid", "pmcid", "isbn", "issn", "url")},
}
_SAID = {
    "phdthesis": WorkType.THESIS,
    "thesis": WorkType.THESIS,
    "report": WorkType.REPORT,
    "software": WorkType.SOFTWARE,
    "dataset": WorkType.DATASET,
}
_BLOCKS = frozenset({"p", "head", "item", "cell", "figDesc", "l", "cit"})
_SKIPPED = frozenset({"teiHeader", "listBibl", "biblStruct", "formula", "graphic", "label", "facsimile", "fw", "pb"})


class TeiExtractor:
    """Reads TEI documents."""

    name = "tei"
    suffixes = (".tei",)

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell it by its top element or its namespace."""
        del path
        return top_element(peek(head)) in _TOP

    def read(self, path: Path) -> Extraction:
        """Read the bibliographies, and link the references in the text to them.

        Never raises for one bad entry. A file cut short is read up to there, and the self-check says so.

        Raises:
            UnreadableDocumentError: Missing, empty, too large, not XML, or with entities of its own.
            NoReferencesError: It holds no bibliography.
        """
        parsed = read_xml(path)
        name = str(path)
        entries = _entries(parsed.root)
        references = [_reference(one, name) for one in entries if one.text().strip() and not one.cut]
        failed = lost(parsed.root, entries, frozenset({"listBibl"}), name)
        if not references and not failed:
            message = "holds no bibliography that TEI would have (listBibl); name the text itself"
            raise NoReferencesError(message, path=name)
        return outcome(name, self.name, references, failed=failed, notes=parsed.notes, body=_body(parsed.root, name))


def _entries(root: Element) -> list[Element]:
    """Give the entries of the lists; where there is none, the ones that stand in the text."""
    listed: list[Element] = []
    loose: list[Element] = []

    def visit(element: Element, *, inside: bool) -> None:
        for part in element.children():
            if part.tag == "teiHeader":
                continue
            if part.tag in {"biblStruct", "bibl", "biblFull"}:
                (listed if inside else loose).append(part)
                continue
            visit(part, inside=inside or part.tag == "listBibl")

    visit(root, inside=False)
    return listed or [one for one in loose if one.tag == "biblStruct" or one.child("title")]


def _reference(entry: Element, path: str) -> Reference:
    locus = Locus(path=path, line=entry.line, citekey=entry.get("id"), label=_label(entry))
    printed = next((one.text() for one in entry.iter("note") if (one.get("type") or "").startswith("raw")), None)
    raw = " ".join((printed or (entry.text(" ") if entry.tag != "bibl" else entry.text())).split())[:MAX_RAW]
    record = _typed(entry)
    loose = "".join(part for part in entry.parts if isinstance(part, str))
    named = any(entry.iter("title", "author"))
    if entry.tag == "bibl" and not named and re.search(r"\w{3}", loose):
        known = record.reference(raw, locus).identifiers
        hints = Hints(**{name: value for name, value in known.pairs() if name != "issn"})
        return read_fields(raw, locus=locus, hints=hints)
    built = record.reference(raw or "(empty entry)", locus)
    if printed and built.title is None and not built.authors:
        return read_fields(raw, locus=locus)
    return built


def _label(entry: Element) -> str | None:
    number = entry.get("n")
    return number.strip("[]().") or None if number else None


def _typed(entry: Element) -> Record:
    analytic, monograph = entry.child("analytic"), entry.child("monogr")
    inner = _titles(analytic or entry, "a")
    outer = _titles(monograph or entry, "m", "j", "s", "u", None)
    if entry.tag == "bibl" and not inner:
        titles = list(entry.iter("title"))
        if len(titles) > 1 and titles[0].get("level") is None:
            inner, outer = _told(titles[0]), _told(titles[1])
    title, container = (inner, outer) if inner else (outer, None)
    journal = any(one.get("level") == "j" for one in entry.iter("title"))
    if journal and not inner:
        title, container = None, outer
    record = Record(
        type=_kind(entry, inner=inner, journal=journal),
        title=title,
        date=_date(entry),
        container=container,
        publisher=next((_told(one) for one in entry.iter("publisher")), None),
        volume=_scope(entry, "volume", "vol"),
        issue=_scope(entry, "issue"),
        pages=_scope(entry, "page", "pp"),
    )
    _people(entry, analytic, record)
    for one in entry.iter("idno"):
        record.ids.append((_IDS.get((one.get("type") or "any").lower(), "any"), one.text()))
    for one in entry.iter("ptr", "ref"):
        target = one.get("target") or ""
        if "://" in target:
            record.ids.append(("url", target))
    return record


def _told(element: Element) -> str | None:
    return " ".join(element.text().split()).strip(" ,;") or None


def _titles(element: Element, *levels: str | None) -> str | None:
    """Give the title of the first of these levels, a subtitle joined to it."""
    for level in levels:
        found = [one for one in element.iter("title") if (one.get("level") or None) == level]
        main = next((one for one in found if (one.get("type") or "main") == "main"), None) or (
            found[0] if found else None
        )
        if main is not None and (text := _told(main)):
            sub = next((_told(one) for one in found if one.get("type") == "sub"), None)
            return f"{text.rstrip(' :.')}: {sub}" if sub else text
    return None


def _date(entry: Element) -> str | None:
    dates = [one for one in entry.iter("date") if one.get("type") != "accessed"]
    published = [one for one in dates if one.get("type") == "published"] or dates
    return next((when for one in published if (when := one.get("when", "when-iso", "from") or _told(one))), None)


def _scope(entry: Element, *units: str) -> str | None:
    for one in entry.iter("biblScope"):
        if (one.get("unit", "type") or "").lower() in units:
            return pages(one.get("from"), one.get("to")) if one.get("from") else _told(one)
    return None


def _kind(entry: Element, *, inner: str | None, journal: bool) -> WorkType:
    said = (entry.get("type"), *(one.get("type") for one in entry.iter("note")))
    told = next((_SAID[kind.lower()] for kind in said if kind and kind.lower() in _SAID), None)
    if told is not None:
        return told
    if journal:
        return WorkType.ARTICLE_JOURNAL
    if any(entry.iter("meeting")):
        return WorkType.PAPER_CONFERENCE
    if any((one.get("type") or "").lower() == "arxiv" for one in entry.iter("idno")):
        return WorkType.PREPRINT
    outer = any(one.get("level") == "m" for one in entry.iter("title"))
    if inner:
        return WorkType.CHAPTER if outer and any(entry.iter("editor", "publisher")) else WorkType.UNKNOWN
    return WorkType.BOOK if outer and any(entry.iter("publisher", "pubPlace")) else WorkType.UNKNOWN


def _people(entry: Element, analytic: Element | None, record: Record) -> None:
    authors = list(analytic.iter("author")) if analytic is not None else []
    for one in authors or list(entry.iter("author")):
        _add(one, record, record.authors)
    for one in entry.iter("editor"):
        _add(one, record, record.editors)


def _add(one: Element, record: Record, people: list[Person]) -> None:
    surname = next((_told(part) for part in one.iter("surname")), None)
    given = " ".join(part for found in one.iter("forename") if (part := _told(found)))
    link = next((_told(part) for part in one.iter("nameLink")), None)
    suffix = next((_told(part) for part in one.iter("genName")), None)
    if surname:
        people.append(Person(family=f"{link} {surname}" if link else surname, given=given or None, suffix=suffix))
        return
    group = one.child("orgName", "name")
    text = _told(group or one)
    if not text:
        return
    if people is record.authors and group is None:
        for name in re.split(r"\s*;\s*", text):
            record.add_person(name)
        return
    person = Person(literal=text) if group is not None and group.tag == "orgName" else split_person(text)
    if person is not None:
        people.append(person)


def _body(root: Element, path: str) -> Body | None:
    """Give the running text, or `None` where there is none."""
    running = Running(path)
    notes: list[Element] = []
    texts = list(root.iter("body"))
    for part in texts:
        _walk(part, running, notes)
    for note in notes:
        with running.note(note.get("n", "id") or ""):
            _walk(note, running, [])
    return running.body() if texts else None


def _walk(element: Element, running: Running, notes: list[Element]) -> None:
    for part in element.parts:
        if isinstance(part, str):
            running.add(part)
        elif part.tag == "ref" and ((part.get("type") or "") == "bibr" or _local(part)):
            with running.mark(MarkKind.CITE, _keys(part), part.line):
                running.add(part.text())
        elif part.tag == "note" and part.get("place") in {"foot", "end", "bottom"}:
            label = part.get("n", "id") or ""
            with running.mark(MarkKind.NOTE, (label,), part.line):
                running.add(label)
            notes.append(part)
        elif part.tag == "quote" and any(part.children("p", "l")):
            running.paragraph(part.line)
            with running.mark(MarkKind.QUOTATION, (), part.line):
                _walk(part, running, notes)
            running.paragraph(part.line)
        elif part.tag in _BLOCKS:
            running.paragraph(part.line)
            _walk(part, running, notes)
            running.paragraph(part.line)
        elif part.tag not in _SKIPPED:
            _walk(part, running, notes)


def _local(ref: Element) -> bool:
    """Whether a reference without a type points into the bibliography, as GROBID names its entries."""
    return ref.get("type") is None and bool(re.match(r"#(?:b\d|bib|ref)", ref.get("target") or ""))


def _keys(ref: Element) -> tuple[str, ...]:
    return tuple(key.removeprefix("#") for key in (ref.get("target") or "").split())
