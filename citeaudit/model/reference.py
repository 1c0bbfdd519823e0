"""What a manuscript claims: people, identifiers, references, and how reading them went."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from citeaudit.model.frozen import Frozen, Score


class WorkType(StrEnum):
    """Kind of a work: CSL 1.0.2 type names where CSL has one."""

    ARTICLE_JOURNAL = "article-journal"
    PAPER_CONFERENCE = "paper-conference"
    PREPRINT = "preprint"
    """CSL calls this `article`; the clearer word is used here."""
    BOOK = "book"
    CHAPTER = "chapter"
    THESIS = "thesis"
    REPORT = "report"
    STANDARD = "standard"
    SOFTWARE = "software"
    DATASET = "dataset"
    WEBPAGE = "webpage"
    PATENT = "patent"
    LEGAL_CASE = "legal_case"
    NEWS = "article-newspaper"
    PERSONAL_COMMUNICATION = "personal_communication"
    REFERENCE_ENTRY = "entry-encyclopedia"
    PEER_REVIEW = "review"
    UNKNOWN = "unknown"
    """The reader could not tell."""


class Person(Frozen):
    """A name in CSL-JSON parts; `literal` alone for groups and names that must not be split."""

    family: str | None = None
    given: str | None = None
    """Given names or initials as printed, `"J. R."` or `"Ada"`."""
    literal: str | None = None
    suffix: str | None = None
    """`Jr`, `III`."""
    orcid: str | None = None

    def __str__(self) -> str:
        """Give the name as a reader expects it: given, family, suffix; or the literal."""
        if self.literal:
            return self.literal
        return " ".join(part for part in (self.given, self.family, self.suffix) if part)


class Identifiers(Frozen):
    """Identifiers in their normal form; readers clean before they build it (`citeaudit.identifiers`)."""

    doi: str | None = None
    """Lower case, without resolver or `doi:`."""
    arxiv_id: str | None = None
    """Without `arXiv:`; the version, if cited, is kept: `1706.03762v7`."""
    pmid: str | None = None
    pmcid: str | None = None
    """With its prefix: `PMC5334499`."""
    isbn: str | None = None
    """Thirteen digits."""
    issn: str | None = None
    url: str | None = None

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Give `(scheme, value)` for each identifier that is there, in the order of the fields."""
        return tuple((name, value) for name, value in self.__dict__.items() if value)


class Box(Frozen):
    """A rectangle on a PDF page: points, origin top-left of the unrotated page."""

    page: int = Field(ge=1)
    """1-based PDF page."""
    x0: float
    y0: float
    x1: float
    y1: float


class Locus(Frozen):
    """Where something stands in the manuscript."""

    path: str | None = None
    """As the user named the file."""
    page: int | None = Field(default=None, ge=1)
    """1-based PDF page on which it starts."""
    line: int | None = Field(default=None, ge=1)
    """1-based line of a text file on which it starts; of a word processor's document, the 1-based paragraph."""
    boxes: tuple[Box, ...] = ()
    label: str | None = None
    """The printed label without brackets: `12`, `Abc99`."""
    citekey: str | None = None
    """The key of a .bib entry, or the one a PDF destination carries."""


class Quote(Frozen):
    """A passage the manuscript says a reference contains."""

    text: str
    locus: Locus = Locus()
    claimed_page: str | None = None
    """As printed: `14`, `xii`, `3-4`."""


class Reference(Frozen):
    """What the manuscript claims about one work; field names are CSL-JSON's."""

    raw: str
    """The reference as printed, or the source of a .bib entry; never empty."""
    type: WorkType = WorkType.UNKNOWN
    title: str | None = None
    authors: tuple[Person, ...] = ()
    """In the printed order."""
    authors_truncated: bool = False
    """The list ends in `et al.`, `and others` or the like."""
    editors: tuple[Person, ...] = ()
    year: int | None = None
    """The year of issue; `None` where it is missing or in words (`in press`), see `status`."""
    year_suffix: str | None = None
    """The letter that tells works of one year apart: `a` for `2024a`."""
    original_year: int | None = None
    """The year of the first edition, where it is printed beside the other: 1922 for `1987 [1922]`."""
    status: str | None = None
    """CSL `status`, in the words printed: `in press`, `forthcoming`, `n.d.`."""
    container_title: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    """The cited range, CSL `page`: `123-145`."""
    publisher: str | None = None
    identifiers: Identifiers = Identifiers()
    locus: Locus = Locus()
    quotes: tuple[Quote, ...] = ()
    cited: bool | None = None
    """Whether the text cites it; `None` where the reader cannot tell."""
    acknowledged: bool = False
    """The citation itself says that the work is retracted or withdrawn."""
    remark: str | None = None
    """Why the author holds it to be right, from a comment beside it: `% citeaudit: ok REASON`."""
    parse_score: Score = 1.0
    """How well the fields were read: 1 where they came typed (.bib), lower where they were guessed."""
    repaired: bool = False
    """The fields were read by a model, each of them printed in `raw`; such a reading never accuses."""
    recognised: bool = False
    """The characters were recognised from an image (OCR); such a reading never accuses either."""


class Citation(Frozen):
    """A place in the running text that cites references."""

    text: str
    """The marker as printed: `[3, 5-7]`, `(Smith, 2020, p. 14)`."""
    locus: Locus = Locus()
    references: tuple[int, ...] = ()
    """1-based places in `Extraction.references`; empty where nothing in the list answers to it."""
    missing: tuple[str, ...] = ()
    """What the marker names and the list does not hold: `12`, `Smith 2020`, `key`."""
    sentence: str = ""
    """The sentence around it, at most 1,000 characters."""
    claimed_page: str | None = None
    """The page the marker names: `14`, `3-4`."""


class FailedBlock(Frozen):
    """A piece of the document that should be a reference but could not be read as one."""

    raw: str
    """At most 4,000 characters of it."""
    message: str
    """What is wrong, in words for the user."""
    locus: Locus = Locus()


class SelfCheck(Frozen):
    """What the reader can tell about its own completeness."""

    method: str
    """What the list was cut by: `entries`, `destinations`, `labels`, `indents`, `lines`, or joined by `+`."""
    read: int = Field(ge=0)
    """References read."""
    expected: int | None = Field(default=None, ge=0)
    """References the document itself announces; `None` where nothing announces a number."""
    labels_missing: tuple[str, ...] = ()
    """Printed labels of the sequence that were not seen."""
    labels_duplicate: tuple[str, ...] = ()
    destinations: int | None = Field(default=None, ge=0)
    """Citation destinations in a PDF; `None` where the document has none."""
    citations: int | None = Field(default=None, ge=0)
    """Citations found in the running text; `None` where there is none to look at (a .bib, a list alone)."""
    dangling: tuple[str, ...] = ()
    """What the text cites and the list does not hold, each once: `12`, `Smith 2020`, `key`."""
    notes: tuple[str, ...] = ()
    """Sentences for the user: what was noticed, what to look at."""

    @property
    def complete(self) -> bool:
        """Whether nothing speaks against every reference having been read."""
        return not self.labels_missing and (self.expected is None or self.read >= self.expected)


class Extraction(Frozen):
    """All that a reader found in one document."""

    path: str
    format: str
    """Name of the reader: `pdf`, `bibtex`, `plain`."""
    references: tuple[Reference, ...]
    """In the order of the document."""
    citations: tuple[Citation, ...] = ()
    """In the order of the running text."""
    failed: tuple[FailedBlock, ...] = ()
    self_check: SelfCheck
