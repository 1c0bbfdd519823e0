"""Read the references of Word documents: typed lists, notes, and what reference managers keep in their fields."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.markup.assemble import Found, find_references, finish, printed
from citeaudit.extract.markup.blocks import Document
from citeaudit.extract.markup.typed import matching, together
from citeaudit.extract.office.managers import Library, word_sources
from citeaudit.extract.office.package import Package, open_package
from citeaudit.extract.office.story import Parts, Story
from citeaudit.extract.office.styles import read_numbering, read_styles
from citeaudit.extract.tagged.xml import Element
from citeaudit.model.reference import Extraction, Reference

MAX_CUSTOM = 50
"""Parts of custom XML that are looked at for Word's sources."""

MAX_DIGITS = 6

_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument.text"


class DocxExtractor:
    """Reads Word documents; for those of other word processors and times it says what to do."""

    name = "docx"
    suffixes = (".docx", ".docm", ".dotx", ".doc", ".odt")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell it by the first parts of the ZIP file; old documents by their name, too."""
        if head.startswith(_ZIP):
            return b"[Content_Types].xml" in head or b"word/" in head or _OPEN_DOCUMENT in head[:200]
        return head.startswith(_OLE) and path.suffix.lower() in DocxExtractor.suffixes

    def read(self, path: Path) -> Extraction:
        """Read the references of a Word document.

        Works that fields cite come typed; where they are printed in a list, the printed line is `raw` and decides
        where the two differ. Deleted and hidden text is left out, inserted text counts.

        Raises:
            UnreadableDocumentError: Missing, empty, too large, damaged, or of another kind than its name says.
            EncryptedDocumentError: It needs a password.
            NoReferencesError: It holds no reference.
        """
        with open_package(path) as package:
            library = Library()
            document = _read(package, library)
            document.remarks += dict.fromkeys(package.notes)
        found = _found(document, library, str(path))
        if library.broken:
            document.remarks.append(f"the data of {library.broken} fields of a reference manager could not be read")
        return finish(document, found, path=str(path), form=self.name)


def _read(package: Package, library: Library) -> Document:
    root = package.part(package.main)
    body = root.child("body") if root is not None else None
    if body is None:
        raise UnreadableDocumentError("its part with the text holds none; save it again as .docx", path=package.path)
    relations = package.relations(package.main)
    named = dict(relations.values())
    notes: dict[str, Element] = {}
    note_links: dict[str, dict[str, str]] = {}
    for kind in ("footnote", "endnote"):
        part = package.part(named.get(f"{kind}s", f"word/{kind}s.xml"))
        for note in part.children(kind) if part is not None else ():
            if note.get("type") in {None, "normal"}:
                notes[f"{kind} {note.get('id') or ''}"] = note
        if part is not None:
            note_links[kind] = _links(package.relations(named.get(f"{kind}s", f"word/{kind}s.xml")))
    for tag, source in _sources(package):
        library.sources.setdefault(tag, source)
    parts = Parts(
        styles=read_styles(package.part(named.get("styles", "word/styles.xml"))),
        numbering=read_numbering(package.part(named.get("numbering", "word/numbering.xml"))),
        links=_links(relations),
        notes=notes,
        note_links=note_links,
        marked=_marked(package),
    )
    return Story(parts, library, package.path).read(body)


def _links(relations: dict[str, tuple[str, str]]) -> dict[str, str]:
    return {name: target for name, (kind, target) in relations.items() if kind == "hyperlink"}


def _marked(package: Package) -> dict[str, str]:
    """Give the codes of Zotero's bookmarks: custom properties, cut into `ZOTERO_BREF_x_1`, `ZOTERO_BREF_x_2`, ..."""
    try:
        root = package.part("docProps/custom.xml")
    except UnreadableDocumentError:
        return {}
    parts: dict[str, dict[int, str]] = {}
    for one in root.children("property") if root is not None else ():
        name, _, number = (one.get("name") or "").rpartition("_")
        if name.startswith("ZOTERO_BREF_") and number.isdecimal() and len(number) < MAX_DIGITS:
            parts.setdefault(name, {})[int(number)] = one.text()
    return {name: "ADDIN " + "".join(cut[at] for at in sorted(cut)) for name, cut in parts.items()}


def _sources(package: Package) -> list[tuple[str, Reference]]:
    found: list[tuple[str, Reference]] = []
    items = [name for name in package.names("customXml/item") if name.endswith(".xml") and "Props" not in name]
    for name in items[:MAX_CUSTOM]:
        try:
            root = package.part(name)
        except UnreadableDocumentError:
            continue  # custom parts may hold anything; they are no part of the text
        if root is not None and root.tag == "Sources":
            found += word_sources(root, package.path)
    return found


def _found(document: Document, library: Library, path: str) -> Found:
    """Bring what is printed and what is typed together."""
    typed = list(library.works.values())
    read = printed(document, path=path)
    if read is None:
        if typed:
            document.remarks.append(
                "there is no list of references: they were read from the fields of a reference manager"
            )
            return Found(references=tuple(typed), method="fields")
        if library.sources:
            try:
                return find_references(document, path=path)
            except NoReferencesError:
                return Found(references=tuple(library.sources.values()), method="fields")
        return find_references(document, path=path)
    if not typed:
        return read
    made: list[Reference] = []
    for reference in read.references:
        place = matching(reference, typed)
        made.append(reference if place is None else together(reference, typed.pop(place)))
    if typed:
        works, were = ("work", "was") if len(typed) == 1 else ("works", "were")
        document.remarks.append(f"{len(typed)} {works} that fields cite {were} not found in the printed list")
    return replace(read, references=(*made, *typed), method=f"{read.method}+fields")
