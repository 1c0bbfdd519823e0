"""Questions, answers and comparisons: everything a verdict rests on."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from citeaudit.errors import FailureKind
from citeaudit.model.decision import Decision
from citeaudit.model.frozen import Frozen, Score
from citeaudit.model.quotation import QuoteCheck
from citeaudit.model.reference import Reference, WorkType
from citeaudit.model.work import Work


class QueryKind(StrEnum):
    """What a source is asked by."""

    DOI = "doi"
    ARXIV_ID = "arxiv_id"
    PMID = "pmid"
    PMCID = "pmcid"
    ISBN = "isbn"
    TITLE = "title"
    CITATION = "citation"
    """The words of the reference as they stand, where no title could be read."""


IDENTIFIER_KINDS = frozenset({QueryKind.DOI, QueryKind.ARXIV_ID, QueryKind.PMID, QueryKind.PMCID, QueryKind.ISBN})
"""Kinds whose answer names one work or none."""


class Query(Frozen):
    """One question; the hints help a source to order its candidates and to say whether it covers them."""

    kind: QueryKind
    text: str
    """The identifier in its normal form, the title, or the raw reference."""
    families: tuple[str, ...] = ()
    """Family names of the cited authors, in order."""
    year: int | None = None
    container_title: str | None = None
    type: WorkType = WorkType.UNKNOWN
    doi: str | None = None
    """The DOI that the reference cites, with a question by words: an agency may answer only for its own."""
    formula: bool = False
    """The title is written with a formula, of which the text may have lost words: to find nothing by it says little."""
    volume: str | None = None
    """The cited volume, with a question by the words of a reference: where no title is known, it tells the work."""
    page: str | None = None
    """The cited first page or range of pages as printed, likewise."""


class Outcome(StrEnum):
    """How one question to one source ended. Nothing folds two of these into one."""

    FOUND = "FOUND"
    """At least one candidate that may be the work asked for."""
    NO_MATCH = "NO_MATCH"
    """The source answered, and holds nothing that may be the work."""
    AMBIGUOUS = "AMBIGUOUS"
    """The source answered with several works between which the question cannot choose."""
    UNAVAILABLE = "UNAVAILABLE"
    """No answer: an outage, a limit, a fault on either side. Says nothing about the work."""
    SKIPPED = "SKIPPED"
    """Not asked: out of scope, or nothing to ask with."""


class Coverage(StrEnum):
    """What a source's silence on this question can testify."""

    NONE = "NONE"
    """Nothing: it may simply not hold such works."""
    GENERAL = "GENERAL"
    """Works of this class and year are in its scope."""
    DECLARED = "DECLARED"
    """The user declared the index complete (`--assume-complete`)."""
    AUTHORITATIVE = "AUTHORITATIVE"
    """It holds every work of this venue and year, or every identifier of this agency."""


OFFLINE_INDEX = "offline-index"
"""Lineage of every offline index: they are made from overlapping dumps and count as one witness."""


class Failure(Frozen):
    """Why a question was not answered."""

    kind: FailureKind
    message: str


class Lookup(Frozen):
    """One question put to one source, and its one answer."""

    source: str
    lineage: str
    """Independence group: answers of one lineage count once (all offline indexes are one)."""
    query: Query
    outcome: Outcome
    candidates: tuple[Work, ...] = ()
    """Best first; may be non-empty on NO_MATCH, when every record that came back is another work."""
    coverage: Coverage = Coverage.NONE
    failure: Failure | None = None
    """Set if and only if the outcome is UNAVAILABLE."""
    reason: str | None = None
    """Why it was skipped, or what the source said."""
    retrieved_at: datetime
    """Aware, UTC."""
    from_cache: bool = False
    url: str | None = None
    """A query the reader can repeat, without keys or e-mail."""
    venue_held: int | None = None
    """With DECLARED coverage, the works that the index holds of the cited venue and year."""
    whole_until: int | None = None
    """With DECLARED coverage the last year that the index can hold in full: it ends within the next."""

    @property
    def from_index(self) -> bool:
        """Whether an index on this machine answered; it may have the name of a service."""
        return self.lineage == OFFLINE_INDEX

    @property
    def damaged(self) -> bool:
        """Whether the index that was asked cannot be used; the message of the failure then says what to run."""
        return self.failure is not None and self.failure.kind is FailureKind.DAMAGED


class FieldName(StrEnum):
    """Fields that are compared."""

    TITLE = "title"
    AUTHORS = "authors"
    YEAR = "year"
    CONTAINER_TITLE = "container_title"
    VOLUME = "volume"
    ISSUE = "issue"
    PAGES = "pages"
    PUBLISHER = "publisher"
    DOI = "doi"
    ARXIV_ID = "arxiv_id"
    PMID = "pmid"
    PMCID = "pmcid"
    ISBN = "isbn"


class Relation(StrEnum):
    """How a claimed field stands to the recorded one."""

    SAME = "SAME"
    VARIANT = "VARIANT"
    """Another form of the same: abbreviation, subtitle left out, preprint year."""
    DIFFERENT = "DIFFERENT"
    """The only relation that can accuse."""
    NOT_CITED = "NOT_CITED"
    """The reference leaves it out."""
    UNKNOWN = "UNKNOWN"
    """The record lacks it, or it cannot be compared."""


class AuthorRelation(StrEnum):
    """How one cited author stands to the recorded list."""

    SAME = "SAME"
    VARIANT = "VARIANT"
    """The same name in another form: initials, particles, marks folded, a transliteration."""
    MISSPELT = "MISSPELT"
    """A letter differs."""
    GIVEN_NAME = "GIVEN_NAME"
    """The family name is an author's, the given name is not."""
    SWAPPED = "SWAPPED"
    """Family and given name have changed places."""
    MOVED = "MOVED"
    """An author, at another place of the list."""
    PHANTOM = "PHANTOM"
    """Not among the authors of a record that lists them all."""
    MISSING = "MISSING"
    """An author whom a list that claims to be whole leaves out."""
    PLACEHOLDER = "PLACEHOLDER"
    """Words that stand for no one: `Anonymous`, `First Author`."""
    UNKNOWN = "UNKNOWN"
    """It cannot be compared: a group against persons, or a record that lists only some authors."""


class AuthorMatch(Frozen):
    """One author of a reference beside the author of the record that it stands for."""

    relation: AuthorRelation
    claimed: str | None
    """The name as cited; `None` for a missing author."""
    found: str | None
    """The name as recorded; `None` where the record has no such author."""
    place: int | None = Field(default=None, ge=1)
    """1-based place in the cited list; `None` for a missing author."""
    found_place: int | None = Field(default=None, ge=1)
    """1-based place in the recorded list."""


class FieldMatch(Frozen):
    """One field of a reference beside the same field of a work."""

    field: FieldName
    claimed: str | None
    """For people to read; `None` if the reference leaves it out."""
    found: str | None
    """For people to read; `None` if the record lacks it."""
    relation: Relation
    score: Score
    rule: str
    """Name of the rule that decided: a key of `citeaudit.match.rules.RULES`."""
    differences: tuple[str, ...] = ()
    """What differs, smallest parts first: `graph -> deep`, `not in the record: Jane Roe`."""
    people: tuple[AuthorMatch, ...] = ()
    """Of the authors field: one a cited author in order, then the missing ones; empty for every other field."""


class Rank(StrEnum):
    """How firmly a candidate is the work that the reference denotes."""

    EXACT = "EXACT"
    """Anchored, and nothing that was compared differs: the search may stop."""
    ANCHORED = "ANCHORED"
    """It is that work, though some field may differ."""
    POSSIBLE = "POSSIBLE"
    """It may be; too little to tell (a generic title, no authors to compare)."""
    REJECTED = "REJECTED"
    """Another work."""


class Candidate(Frozen):
    """A work weighed against a reference, field by field."""

    work: Work
    fields: tuple[FieldMatch, ...]
    """One a compared field, in the order of `FieldName`."""
    rank: Rank
    anchor: str
    """Name of the rule that ranked it: a key of `citeaudit.match.rules.ANCHORS`."""
    score: Score
    """Overall agreement, to order candidates of one rank."""
    identifier_of: tuple[str, ...] = ()
    """Schemes of cited identifiers that resolve to this work (`doi`, `arxiv_id`)."""

    @property
    def anchored(self) -> bool:
        """Whether this is the work that the reference denotes."""
        return self.rank in (Rank.EXACT, Rank.ANCHORED)

    def match(self, field: FieldName) -> FieldMatch | None:
        """Give the comparison of one field, or `None` where it was not compared."""
        return next((item for item in self.fields if item.field is field), None)


class Opinion(Frozen):
    """What a judge adds; may annotate a verdict or make it less accusing, never more."""

    judge: str
    text: str
    parse_doubt: Score = 0.0
    """How likely the disagreement comes from misreading the reference."""


class Evidence(Frozen):
    """Everything known about one reference; stages only append to it."""

    index: int = Field(ge=1)
    """1-based place of the reference in its document."""
    reference: Reference
    lookups: tuple[Lookup, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    quote_checks: tuple[QuoteCheck, ...] = ()
    opinion: Opinion | None = None
    decision: Decision | None = None
    """What a person has decided about this reference."""
    duplicate_of: int | None = None
    """Index of an earlier reference to the same work."""
    duplicate_label: str | None = None
    """Printed label or citation key of that reference, where it has one."""

    @property
    def repeats(self) -> str | None:
        """Give the reference that this one repeats as reports name it: its label or key, else its place.

        Of two with one key the place is given. `None` where it repeats none.
        """
        if self.duplicate_of is None:
            return None
        locus, named = self.reference.locus, self.duplicate_label
        return named if named and named != (locus.label or locus.citekey) else str(self.duplicate_of)
