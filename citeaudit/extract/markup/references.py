"""Read one reference of a marked-up list: its links, its emphasis, the cells of its row, then its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import unquote

from citeaudit import identifiers as ids
from citeaudit.extract.fields.reader import Hints, list_style, read_fields
from citeaudit.extract.markup.blocks import Span, SpanKind
from citeaudit.extract.markup.lists import ASSISTANT, LIST, WHOLE, Piece, external
from citeaudit.extract.pdf.likeness import likeness
from citeaudit.model.reference import Identifiers, Locus, Reference, WorkType
from citeaudit.text.names import parse_people
from citeaudit.text.normalize import key

FEW = 6
"""Words beside a link that is a title: a site, a date of access; more is a reference in words."""
LONGEST = 30
"""Words that can be a title before an address."""
CLAIMED = 0.5
"""Parse score of a source inside the text, whose link may stand on words that are no title."""
LINKED = 0.7
"""Parse score of a reference whose title is the text of its link."""
TABLED = 0.8
"""Parse score of a reference read from the cells of a table with a column for titles."""
SURE = 0.8
"""Parse score from which a title that was read is kept against the words of a link."""
UNTITLED = 0.5
"""Parse score of a reference that is an address alone."""

_SEARCH = re.compile(
    r"https?://(?:scholar\.google\.|(?:www\.)?google\.[a-z.]{2,6}/(?:search|scholar)|(?:www\.)?worldcat\.org/search"
    r"|search\.|[\w.-]{1,80}/search\?)",
    re.IGNORECASE,
)
_SOCIAL = re.compile(
    r"https?://(?:[\w-]{1,60}\.)?(?:facebook|twitter|x|linkedin|instagram|pinterest|whatsapp|t|reddit|threads)"
    r"\.(?:com|me)/(?:share|sharer|sharing|intent|pin/create|submit|home)\b",
    re.IGNORECASE,
)
_TRACKING = re.compile(r"(?<=[?&])utm_[a-z]{2,20}=[^&#]{0,200}&?")
"""What chat assistants and newsletters hang on addresses."""
_PMID = re.compile(r"https?://(?:pubmed\.ncbi\.nlm\.nih\.gov/|(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed/)(\d{1,8})\b")
_PMC = re.compile(
    r"https?://(?:www\.|europe)?(?:ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov)/[^\s]{0,20}(PMC\d{3,9})"
)
_SITE = re.compile(r"\s(?:[-–—|·•])\s(?P<site>[^|·•]{2,60})$|\s\((?P<host>[\w-]{1,60}(?:\.[\w-]{1,60}){1,4})\)$")
_SITES = re.compile(
    r"(?:wikipedia|pmc|pubmed|arxiv|researchgate|sciencedirect|springer\w*|nature|science|jstor|ncbi|medium|youtube|github"
    r"|ieee\w*(?: xplore)?|acm digital library|ssrn|biorxiv|medrxiv|semantic scholar|openreview(?:\.net)?|frontiers"
    r"|wiley online library|oxford academic|cambridge core|taylor & francis(?: online)?|plos(?: one)?|mdpi)\b.{0,40}",
    re.IGNORECASE,
)
_ARXIV_HEAD = re.compile(r"^\[\d{4}\.\d{4,5}(?:v\d)?\]\s")
_LABEL = re.compile(r"^(?:\[\d{1,4}\]|\d{1,4}[.)])\s")
_GENERIC = re.compile(
    r"(?:\[?\d{1,4}\]?|link|source|here|click here|read more|more|see|doi|pdf|full text|article"
    r"|abstract|website|website link|crossref|pubmed|google scholar|view(?: article)?|quelle|hier|lien|ici"
    r"|fuente|url|html|download|original|archived?)",
    re.IGNORECASE,
)
_MARKER = re.compile(r"[^\W\d_][^\d]{0,120}[\s(,]{1,3}(?:1[5-9]|20)\d\d[a-z]?\)?(?:,\s?pp?\.\s?[\d-]{1,12})?")
"""An author-year marker: `Vaswani et al., 2017`; a title that ends in a year is given up with it."""
_CUT = re.compile(r"(?:\.\.\.|…)$")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_ACCESSED = re.compile(
    r"[(\[]?\b(?:last\s)?(?:accessed|retrieved|visited|abgerufen|zugriff|zuletzt|stand|consulté|consultado|acesso)\b[^()\[\]]{0,40}[)\]]?",
    re.IGNORECASE,
)
_OPENING = frozenset("“„«»\"‘'‚")
_COLUMNS = {
    "title": {"title", "titel", "titre", "título", "titulo", "source", "sources", "paper", "study", "work", "quelle",
              "reference", "article", "publication title"},
    "authors": {"author", "authors", "author(s)", "autor", "autoren", "auteur", "auteurs", "autores"},
    "year": {"year", "date", "jahr", "année", "año", "ano", "published"},
    "container": {"journal", "venue", "container", "zeitschrift", "revue", "revista", "publication", "published in"},
    "link": {"doi", "url", "link", "doi/url", "url/doi", "identifier", "access"},
}  # fmt: skip
"""Heads of columns in tables of sources."""


def is_source(span: Span) -> bool:
    """Whether a link can name a source: an address outside, that is no search and no button to share."""
    return external(span) and not any(sign.match(span.value) for sign in (_SEARCH, _SOCIAL, ASSISTANT))


def address(span: Span) -> str:
    """Give the address of a link in the form in which two are compared."""
    bare = _TRACKING.sub("", span.value.strip().partition("#")[0]).rstrip("/?&")
    return bare.removeprefix("http://").removeprefix("https://").casefold()


def identifiers_of(spans: Iterable[Span]) -> Identifiers:
    """Give what links say: the first DOI, arXiv, PubMed and PMC identifiers, and the first address that is none."""
    found: dict[str, str] = {}
    for span in spans:
        if not is_source(span):
            continue
        target = unquote(span.value)
        pmid, pmc = _PMID.match(target), _PMC.match(target)
        values = {
            "doi": ids.clean_doi(target) or (ids.find_doi(target) if "10." in target else None),
            "arxiv_id": ids.clean_arxiv_id(target) if "arxiv" in target.lower() else None,
            "pmid": ids.clean_pmid(pmid.group(1)) if pmid else None,
            "pmcid": ids.clean_pmcid(pmc.group(1)) if pmc else None,
        }
        known = {name: value for name, value in values.items() if value}
        for name, value in known.items():
            found.setdefault(name, value)
        url = ids.clean_url(span.value) if not known or "doi.org" not in target.lower() else None
        if url:
            found.setdefault("url", url)
    return Identifiers(**found)


def kind_of(identifiers: Identifiers) -> WorkType:
    """Give the type that identifiers alone tell."""
    if identifiers.doi or identifiers.pmid or identifiers.pmcid:
        return WorkType.UNKNOWN
    if identifiers.arxiv_id:
        return WorkType.PREPRINT
    return WorkType.WEBPAGE if identifiers.url else WorkType.UNKNOWN


def link_title(text: str) -> tuple[str | None, str | None]:
    """Give the title a link's text holds, and the site it names; `None` where the text is no title.

    >>> link_title("On the rows of things - PubMed")
    ('On the rows of things', 'PubMed')
    >>> link_title("click here")
    (None, None)
    """
    text = " ".join(text.split())[:1_000].strip(' "“”')
    text = _LABEL.sub("", _ARXIV_HEAD.sub("", text))
    site = None
    match = _SITE.search(text)
    if match is not None and (match["host"] or "|" in match.group() or _SITES.fullmatch(match["site"] or "")):
        text, site = text[: match.start()].strip(), (match["site"] or match["host"]).strip()
    bare = text.strip(" .,:;[]()")
    cites = _MARKER.fullmatch(bare) is not None
    looks = cites or "://" in bare or bare.lower().startswith(("www.", "doi:", "10.", "arxiv:"))
    if looks or _GENERIC.fullmatch(bare) or len(bare.split()) < 3 or _CUT.search(text):  # noqa: PLR2004
        return None, site
    return text.rstrip(" .,;:"), site


def style_of(pieces: Sequence[Piece]) -> str | None:
    """Give the style that the references of a list share, see `list_style`."""
    return list_style([piece.text for piece in pieces if not piece.cells])


def read_piece(piece: Piece, *, path: str, style: str | None) -> Reference:
    """Read one reference of a list; never raises for its text."""
    locus = Locus(path=path, line=piece.line, label=piece.label)
    found = identifiers_of(piece.spans)
    if piece.cells:
        single = _single(piece)
        return read_piece(single, path=path, style=style) if single is not None else _tabled(piece, found, locus)
    linked = _linked(piece, found, locus)
    if linked is not None:
        return linked
    hints = Hints(
        **dict(found.pairs()),
        style=style,
        italic=_texts(piece, SpanKind.ITALIC),
        bold=_texts(piece, SpanKind.BOLD),
    )
    reference = _with_linked_title(piece, read_fields(piece.text, locus=locus, hints=hints), hints)
    reference = _without_site(reference)
    if reference.title and ("://" in reference.title or _GENERIC.fullmatch(reference.title)):
        reference = reference.model_copy(update={"title": None, "parse_score": min(reference.parse_score, UNTITLED)})
    return reference


def _without_site(reference: Reference) -> Reference:
    """Part the site from a title without authors: what a report prints is the name of a page, `Title - arXiv`."""
    title, site = link_title(reference.title) if reference.title and not reference.authors else (None, None)
    if title is None or site is None:
        return reference
    return reference.model_copy(update={"title": title, "container_title": reference.container_title or site})


def _single(piece: Piece) -> Piece | None:
    """Give the text of a row that is a label and one reference: a table that only sets them side by side."""
    filled = [cell for cell in piece.cells if cell]
    label = filled[0].strip(" .[]()") if len(filled) == 2 else ""  # noqa: PLR2004 - label and reference
    if not label.isdigit() or piece.head:
        return None
    at = len(piece.text) - len(filled[1])
    spans = tuple(span.moved(-at) for span in piece.spans if span.start >= at)
    return replace(piece, text=piece.text[at:], label=piece.label or label, spans=spans, cells=())


def _with_linked_title(piece: Piece, read: Reference, hints: Hints) -> Reference:
    """Read again with the linked words in quotation marks, where a link inside a reference stands on its title."""
    for span in piece.spans:
        text = piece.text[span.start : span.end]
        if not is_source(span) or likeness(text) >= WHOLE or len(text) > 0.9 * len(piece.text):
            continue
        title, _ = link_title(text)
        if title is None or piece.text[max(0, span.start - 1) : span.start] in _OPENING:
            continue
        same = read.title is not None and (key(title) in key(read.title) or key(read.title) in key(title))
        if not same and (read.title is not None and read.parse_score >= SURE):
            continue
        quoted = f"{piece.text[: span.start]}“{title}”{piece.text[span.end :]}"
        again = read_fields(quoted, locus=read.locus, hints=hints)
        if again.title is None or key(again.title) != key(title):
            continue
        score = again.parse_score if same else min(again.parse_score, LINKED)
        return again.model_copy(update={"raw": piece.text, "parse_score": score})
    return read


def _texts(piece: Piece, kind: SpanKind) -> tuple[str, ...]:
    whole = 0.8 * len(piece.text)  # emphasis on nearly everything says nothing
    texts = (
        piece.text[span.start : span.end].replace("\n", " ").strip()
        for span in piece.spans
        if span.kind is kind and span.end - span.start < whole
    )
    return tuple(text for text in texts if text)


def _linked(piece: Piece, found: Identifiers, locus: Locus) -> Reference | None:
    """Read an entry that is a link and little else; `None` for a printed reference with links in it."""
    links = [span for span in piece.spans if is_source(span)]
    if not links:
        return None
    shown = [span for span in links if link_title(piece.text[span.start : span.end])[0]]
    best = max(shown or links, key=lambda span: span.end - span.start)
    rest = piece.text[: best.start] + " " + piece.text[best.end :]
    for span in links:
        if span is not best and span.end > span.start:
            rest = rest.replace(piece.text[span.start : span.end], " ")
    rest = _ACCESSED.sub("", rest).strip(" \t\n-–—:|.,;()[]<>")
    words = [word for word in re.findall(r"[^\W_]+", rest) if not word.isdigit()]
    if words and (likeness(rest) >= LIST or _YEAR.search(rest) or len(words) > LONGEST):
        return None
    text = piece.text[best.start : best.end]
    if likeness(text) >= WHOLE and _YEAR.search(text):
        return None  # the whole reference is the link
    if shown and len(words) <= FEW:
        return linked_reference(piece.text, link_title(piece.text[best.start : best.end]), found, locus)
    if shown:
        return None
    if not words:
        return linked_reference(piece.text, (None, None), found, locus)
    made = linked_reference(piece.text, link_title(rest), found, locus)
    return made.model_copy(update={"parse_score": UNTITLED})  # words before an address: a title, or a remark


def linked_reference(raw: str, named: tuple[str | None, str | None], found: Identifiers, locus: Locus) -> Reference:
    """Give the reference a link stands for: title and site as `link_title` gives them, its target the identifiers."""
    title, site = named
    return Reference(
        raw=raw or found.url or found.doi or " ",
        type=kind_of(found),
        title=title,
        container_title=site,
        identifiers=found,
        locus=locus,
        parse_score=LINKED if title else UNTITLED,
    )


def _tabled(piece: Piece, found: Identifiers, locus: Locus) -> Reference:
    """Read a row of a table of sources: by the names of its columns, or as one text without them."""
    named: dict[str, str] = {}
    for head, cell in zip(piece.head, piece.cells, strict=False):
        for column, names in _COLUMNS.items():
            if head.strip(" *:#").casefold() in names and cell:
                named.setdefault(column, cell)
    first = piece.cells[0].strip(" .[]()")
    label = locus.label or (first if first.isdigit() and len(first) < 4 else None)  # noqa: PLR2004 - not a year
    locus = locus.model_copy(update={"label": label})
    printed = ". ".join(cell.rstrip(".") for cell in piece.cells if cell and cell.strip(" .[]()") != label)
    title = named.get("title")
    if title is None or len(title.split()) < 2:  # noqa: PLR2004
        hints = Hints(**dict(found.pairs()))
        read = read_fields(printed or piece.text, locus=locus, hints=hints)
        return read.model_copy(update={"raw": piece.text, "parse_score": min(read.parse_score, UNTITLED)})
    people, truncated = parse_people(named.get("authors", ""))
    year = _YEAR.search(named.get("year", ""))
    text = named.get("link", "")
    given = Identifiers(doi=ids.find_doi(text), arxiv_id=ids.find_arxiv_id(text), url=ids.clean_url(text))
    merged = found.model_copy(
        update={name: value for name, value in given if value and not getattr(found, name) and name != "url"}
    )
    clean = link_title(title)[0] or title.strip()
    return Reference(
        raw=piece.text,
        type=kind_of(merged),
        title=clean,
        authors=people,
        authors_truncated=truncated,
        year=int(year.group()) if year else None,
        container_title=named.get("container"),
        identifiers=merged,
        locus=locus,
        parse_score=TABLED,
    )
