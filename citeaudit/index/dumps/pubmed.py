"""Read PubMed's baseline and update files (https://ftp.ncbi.nlm.nih.gov/pubmed/, `pubmed26n0001.xml.gz`).

Elements: https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html and the PubMed DTD. The list of deleted
citations at the end of an update file is passed over: what PubMed deletes are mostly duplicates, and a record too
many accuses nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from citeaudit.identifiers import find_doi
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.xml import Dialect, Element, read_xml, split_xml, text_of, where
from citeaudit.index.store.record import About, Listing, Malformed, Name, Record, RecordNotice
from citeaudit.index.store.tidy import tidy
from citeaudit.model import NoticeType

WHOLE_BYTES = 120_000_000
"""Packed bytes up to which a file is given to a worker as one: 30,000 citations take 20 to 60 MB."""

_DIALECT = Dialect("PubMed XML", "PubmedArticleSet", ("PubmedArticle", "PubmedBookArticle", "DeleteCitation"))
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_ARTICLE_NUMBER = re.compile(r"[A-Za-z]{0,3}\d{1,10}")
_FROM_COMMENTS = {
    "RetractionIn": NoticeType.RETRACTION,
    "RetractedandRepublishedIn": NoticeType.RETRACTION,
    "ExpressionOfConcernIn": NoticeType.CONCERN,
    "ErratumIn": NoticeType.CORRECTION,
    "PartialRetractionIn": NoticeType.CORRECTION,
    "CorrectedandRepublishedIn": NoticeType.CORRECTION,
}
"""`RefType` of a note in a work that something was published about it."""
_ABOUT = {
    "RetractionOf": NoticeType.RETRACTION,
    "ExpressionOfConcernFor": NoticeType.CONCERN,
    "ErratumFor": NoticeType.CORRECTION,
    "PartialRetractionOf": NoticeType.CORRECTION,
}
"""`RefType` of a note in a notice, with the work it is about."""
_RETRACTED = "Retracted Publication"
_PREPRINT = "Preprint"


class PubmedDump:
    """Reads PubMed XML."""

    name = "pubmed"
    suffixes = (".xml", ".xml.gz")

    def split(self, path: Path) -> Iterator[Unit]:
        """Give a file of usual size as one unit, so that workers unpack it; a larger one or a tar in pieces.

        Raises:
            IndexBuildError: As `split_xml`; of a file given whole `read` raises it.
        """
        if path.is_file() and path.name.lower().endswith(self.suffixes) and path.stat().st_size <= WHOLE_BYTES:
            yield Unit(path, "line 1", None)
        else:
            yield from split_xml(path, _DIALECT)

    def read(self, unit: Unit) -> Iterator[Record | Listing | Fault]:
        """Give the works of a unit; errors are those of `split_xml`."""
        for part in split_xml(unit.path, _DIALECT) if unit.data is None else (unit,):
            for element in read_xml(part, _DIALECT):
                yield from _read(part, element)


def _read(unit: Unit, element: Element | Fault) -> Iterator[Record | Fault]:
    if isinstance(element, Fault):
        yield element
        return
    if element.tag == "PubmedArticle":
        citation = element.find("MedlineCitation")
    elif element.tag == "PubmedBookArticle":
        citation = element.find("BookDocument")
    else:
        return
    if citation is None:
        yield Fault(where(unit, element, None), "has no citation")
        return
    pmid = text_of(citation.find("PMID"))
    try:
        make = _article if element.tag == "PubmedArticle" else _chapter
        yield tidy(make(element, citation, pmid))
    except Malformed as error:
        yield Fault(where(unit, element, pmid), str(error))


def _article(element: Element, citation: Element, pmid: str | None) -> Record:
    article = citation.find("Article")
    if article is None:
        raise Malformed("has no article")
    parts = {child.tag: child for child in article}
    vernacular = text_of(parts.get("VernacularTitle"))
    title = text_of(parts.get("ArticleTitle")) or vernacular or ""
    journal, volume, issue, year = _journal(parts.get("Journal"))
    doi, pmcid = _identifiers(element.find("PubmedData/ArticleIdList"), article)
    kinds = {kind.text for kind in parts["PublicationTypeList"]} if "PublicationTypeList" in parts else set()
    authors, complete = _authors(parts.get("AuthorList"))
    notices, about = _comments(citation.find("CommentsCorrectionsList"))
    if _RETRACTED in kinds and all(notice.type is not NoticeType.RETRACTION for notice in notices):
        notices = (*notices, RecordNotice(NoticeType.RETRACTION))
    return Record(
        title=_title(title),
        authors=authors,
        authors_complete=complete,
        year=year,
        venue=journal,
        volume=volume,
        issue=issue,
        pages=_pages(parts.get("Pagination"), article),
        type="preprint" if _PREPRINT in kinds else "article-journal",
        doi=doi,
        pmid=pmid,
        pmcid=pmcid,
        src="pubmed",
        notices=notices,
        titles=(_title(vernacular),) if vernacular and vernacular != title else (),
        about=about,
        updated=_date(citation.find("DateRevised")),
    )


def _chapter(element: Element, document: Element, pmid: str | None) -> Record:
    """Read a part of a book, or a book, of the NCBI Bookshelf."""
    del element
    book = document.find("Book")
    if book is None:
        raise Malformed("has no book")
    own, whole = text_of(document.find("ArticleTitle")), text_of(book.find("BookTitle"))
    lists = {people.get("Type"): people for parent in (book, document) for people in parent.iterchildren("AuthorList")}
    authors, complete = _authors(lists.get("authors"))
    doi, pmcid = _identifiers(document.find("ArticleIdList"), None)
    publisher = text_of(book.find("Publisher/PublisherName"))
    return Record(
        title=_title(own or whole or ""),
        authors=authors,
        authors_complete=complete,
        year=_year(book.find("PubDate")),
        venue=whole if own else publisher,
        publisher=publisher,
        type="chapter" if own else "book",
        doi=doi,
        pmid=pmid,
        pmcid=pmcid,
        isbn=None if own else text_of(book.find("Isbn")),
        src="pubmed",
        editors=_authors(lists.get("editors"))[0],
        updated=_date(document.find("DateRevised")),
    )


def _title(text: str) -> str:
    """Give a title without its final full stop; the brackets of a translated one stay for the comparison to see."""
    text = " ".join(text.split())
    return text[:-1] if text.endswith(".") and not text.endswith(("..", "].")) else text


def _journal(journal: Element | None) -> tuple[str | None, str | None, str | None, int | None]:
    if journal is None:
        return None, None, None, None
    issue = journal.find("JournalIssue")
    name = text_of(journal.find("Title")) or text_of(journal.find("ISOAbbreviation"))
    if issue is None:
        return name, None, None, None
    parts = {child.tag: child for child in issue}
    return name, text_of(parts.get("Volume")), text_of(parts.get("Issue")), _year(parts.get("PubDate"))


def _year(date: Element | None) -> int | None:
    """Give the year of a `PubDate`, the first of a range (`1998 Dec-1999 Jan`)."""
    if date is None:
        return None
    found = _YEAR.search(text_of(date.find("Year")) or text_of(date.find("MedlineDate")) or "")
    return int(found[0]) if found else None


def _date(element: Element | None) -> str | None:
    if element is None:
        return None
    parts = [(text_of(element.find(name)) or "").zfill(2) for name in ("Year", "Month", "Day")]
    return (
        "-".join(parts) if all(part.isdecimal() for part in parts) and len("".join(parts)) == len("YYYYMMDD") else None
    )


def _authors(people: Element | None) -> tuple[tuple[Name, ...], bool | None]:
    """Give the authors, and `False` where the list says that it is cut.

    `ValidYN="N"` marks a misspelt name that a corrected one stands beside.
    """
    if people is None:
        return (), None
    valid = [one for one in people.iterchildren("Author") if one.get("ValidYN") != "N"]
    names = tuple(name for one in valid or people.iterchildren("Author") if (name := _name(one)))
    return names, False if people.get("CompleteYN") == "N" else None


def _name(author: Element) -> Name | None:
    parts = {child.tag: child for child in author}
    family = text_of(parts.get("LastName"))
    if family:
        return Name(family, text_of(parts.get("ForeName")) or _spaced(text_of(parts.get("Initials"))))
    group = text_of(parts.get("CollectiveName"))
    return Name(literal=group) if group else None


def _spaced(initials: str | None) -> str | None:
    """Write `JR` as `J. R.`, so that it is no given name."""
    return " ".join(f"{letter}." for letter in initials if letter.isalpha()) or None if initials else None


def _pages(pagination: Element | None, article: Element) -> str | None:
    """Give the pages as printed (`123-8`), else the article number that some publishers give as their own key."""
    if pagination is not None:
        printed = text_of(pagination.find("MedlinePgn"))
        if printed:
            return printed
        first, last = text_of(pagination.find("StartPage")), text_of(pagination.find("EndPage"))
        if first:
            return f"{first}-{last}" if last and last != first else first
    for place in article.iterchildren("ELocationID"):
        number = text_of(place) or ""
        if place.get("EIdType") == "pii" and _ARTICLE_NUMBER.fullmatch(number):
            return number
    return None


def _identifiers(listed: Element | None, article: Element | None) -> tuple[str | None, str | None]:
    """Give DOI and PubMed Central id; references have such lists too, so that only the article's own counts."""
    found: dict[str, str] = {}
    for one in listed if listed is not None else ():
        text = text_of(one)
        if text:
            found.setdefault(one.get("IdType") or "", text)
    if "doi" not in found and article is not None:
        for place in article.iterchildren("ELocationID"):
            text = text_of(place)
            if text and place.get("EIdType") == "doi" and place.get("ValidYN") != "N":
                found.setdefault("doi", text)
    pmcid = found.get("pmc")
    return found.get("doi"), pmcid.partition(".")[0] if pmcid else None


def _comments(comments: Element | None) -> tuple[tuple[RecordNotice, ...], tuple[About, ...]]:
    """Give the notices about the work, and the works that it is a notice about."""
    notices: list[RecordNotice] = []
    about: list[About] = []
    for one in comments if comments is not None else ():
        kind = one.get("RefType") or ""
        if kind in _FROM_COMMENTS:
            source = text_of(one.find("RefSource")) or ""
            year = _YEAR.search(source)
            notices.append(RecordNotice(_FROM_COMMENTS[kind], find_doi(source), int(year[0]) if year else None))
        elif kind in _ABOUT:
            pmid = text_of(one.find("PMID"))
            doi = None if pmid else find_doi(text_of(one.find("RefSource")) or "")
            if pmid or doi:
                about.append(About(_ABOUT[kind], "pmid" if pmid else "doi", pmid or doi or ""))
    return tuple(dict.fromkeys(notices)), tuple(dict.fromkeys(about))
