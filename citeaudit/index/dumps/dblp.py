"""Read dblp's XML (dblp.xml.gz, https://dblp.org/xml/; form: https://dblp.org/faq/16154937 and its dblp.dtd).

Persons (`www`, `person`) are no works and are passed over. Journals get no table of contents: the file lists their
articles one by one, and nothing in it says that a volume is whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from citeaudit.identifiers import clean_arxiv_id, doi_arxiv_id
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.proceedings import names_of
from citeaudit.index.dumps.xml import Dialect, Element, read_xml, split_xml, text_of, where
from citeaudit.index.store.record import Listing, Malformed, Name, Record, RecordNotice
from citeaudit.index.store.tidy import tidy
from citeaudit.model import NoticeType
from citeaudit.text.names import parse_person

_TYPES = {
    "article": "article-journal",
    "inproceedings": "paper-conference",
    "proceedings": "book",
    "book": "book",
    "incollection": "chapter",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "data": "dataset",
}
_PERSONS = ("www", "person")
_DIALECT = Dialect("dblp XML", "dblp", (*_TYPES, *_PERSONS), contents="crossref")

_MARKED_UP = frozenset({"title", "booktitle"})
_HOMONYM = re.compile(r" \d{4}$")
_YEAR = re.compile(r"\d{4}")
_DOI = re.compile(r"https?://(?:dx\.)?doi\.org/(10\..{1,400})", re.IGNORECASE)
_ARXIV = re.compile(r"https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf)/", re.IGNORECASE)
_NO_ADDRESS = ("https://www.wikidata.org/", "http://www.wikidata.org/")
"""Items about a work, not the work."""
_SUFFIXES = frozenset({"Jr.", "Jr", "Sr.", "Sr", "I", "II", "III", "IV"})
_PREPRINTS = ("CoRR", "IACR Cryptol. ePrint Arch.")


class _Fields(NamedTuple):
    """What stands in an element: people, links, and the first of every other field."""

    authors: list[Name]
    editors: list[Name]
    links: list[str]
    first: dict[str, str]


class DblpDump:
    """Reads `dblp.xml`."""

    name = "dblp"
    suffixes = (".xml", ".xml.gz", ".xml.xz", ".xml.zst")

    def split(self, path: Path) -> Iterator[Unit]:
        """Give units of about 1 MB of whole records; errors are those of `split_xml`."""
        return split_xml(path, _DIALECT)

    def read(self, unit: Unit) -> Iterator[Record | Listing | Fault]:
        """Give the works of a unit; after proceedings their table of contents, which their papers name."""
        for element in read_xml(unit, _DIALECT):
            if isinstance(element, Fault):
                yield from _lost(element)
                continue
            kind = _TYPES.get(element.tag)
            if kind is None:
                continue
            fields = _fields(element)
            try:
                record = tidy(_record(element, kind, fields))
            except Malformed as error:
                listed = fields.first.get("crossref") or (element.get("key") if element.tag == "proceedings" else None)
                contents = (listed,) if listed else ()
                yield from _lost(Fault(where(unit, element, element.get("key")), str(error), contents))
                continue
            yield record
            if element.tag == "proceedings" and record.id and record.year:
                yield Listing(
                    record.id, names_of(record.title, fields.first.get("booktitle"), record.year), record.year
                )


def _lost(fault: Fault) -> Iterator[Listing | Fault]:
    """Give a fault, and that the tables of contents which list the work show a gap from now on."""
    yield fault
    for key in fault.contents:
        yield Listing(key, (), 0, broken=True)


def _fields(element: Element) -> _Fields:
    found = _Fields([], [], [], {})
    for child in element:
        tag = child.tag
        text = text_of(child) if tag in _MARKED_UP else child.text
        if not text:
            continue
        if tag == "author":
            found.authors.append(_name(text))
        elif tag == "editor":
            found.editors.append(_name(text))
        elif tag == "ee":
            found.links.append(text)
        else:
            found.first.setdefault(tag, text)
    return found


def _name(text: str) -> Name:
    """Split a name in reading order; ` 0003` tells people of one name apart and is none of it.

    Few names have more than given names before one family name; those go the long way.

    >>> _name("Wei Wang 0003"), _name("Jan van der Berg").family
    (Name(family='Wang', given='Wei', literal=None), 'van der Berg')
    """
    if text[-1].isdigit():
        text = _HOMONYM.sub("", text)
    given, _, family = text.rpartition(" ")
    if not given:
        return Name(literal=text)
    if family not in _SUFFIXES and not any(word[0].islower() for word in given.split()):
        return Name(family, given)
    person = parse_person(text)
    return Name(person.family, person.given, person.literal)


def _record(element: Element, kind: str, fields: _Fields) -> Record:
    first, tag = fields.first, element.tag
    traits = (element.get("publtype") or "").split()
    journal = first.get("journal")
    if "informal" in traits and (journal in _PREPRINTS or tag != "article"):
        kind = "preprint" if journal in _PREPRINTS else kind
    elif "software" in traits:
        kind = "software"
    elif "encyclopedia" in traits and tag == "incollection":
        kind = "entry-encyclopedia"
    doi, arxiv_id, url = _links(fields.links)
    volume = first.get("volume")
    if journal == "CoRR" and volume and "/" in volume:  # `abs/2001.01234`, of old ones `cs.DS/0101001`
        arxiv_id, volume = arxiv_id or clean_arxiv_id(volume.removeprefix("abs/")), None
    year = first.get("year", "")
    publisher = first.get("publisher") or first.get("school")
    is_paper = tag in {"inproceedings", "incollection"}
    return Record(
        title=_title(first.get("title", "")),
        authors=tuple(fields.authors),
        year=int(year) if _YEAR.fullmatch(year) else None,
        venue=journal or (first.get("booktitle") if is_paper else None) or first.get("series") or publisher,
        volume=volume,
        issue=first.get("number"),
        pages=first.get("pages"),
        publisher=publisher,
        type=kind,
        doi=doi,
        arxiv_id=arxiv_id,
        isbn=None if is_paper else first.get("isbn"),
        url=url,
        src="dblp",
        id=element.get("key"),
        notices=(RecordNotice(NoticeType.WITHDRAWAL),) if "withdrawn" in traits else (),
        editors=tuple(fields.editors),
        updated=element.get("mdate"),
        contents=first.get("crossref") if is_paper else None,
    )


def _title(text: str) -> str:
    """Give a title without the full stop that dblp puts after every one."""
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def _links(links: list[str]) -> tuple[str | None, str | None, str | None]:
    """Give DOI, arXiv id and the first other address of a record's electronic editions."""
    doi = arxiv_id = url = None
    for link in links:
        if match := _DOI.match(link):
            value = unquote(match[1]) if "%" in link else match[1]
            arxiv = doi_arxiv_id(value.lower())
            if arxiv:
                arxiv_id = arxiv_id or arxiv
            doi = doi or value.lower()
        elif _ARXIV.match(link):
            arxiv_id = arxiv_id or clean_arxiv_id(link)
        elif url is None and not link.startswith(_NO_ADDRESS):
            url = link
    return doi, arxiv_id, url
