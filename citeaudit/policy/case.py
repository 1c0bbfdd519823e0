"""Evidence seen from the questions that the verdict rules ask."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from citeaudit.match.anchors import is_about
from citeaudit.match.chimera import Chimera, parts
from citeaudit.match.claims import claims
from citeaudit.match.rules import NO_ONE
from citeaudit.model import (
    IDENTIFIER_KINDS,
    Candidate,
    Coverage,
    Evidence,
    FieldMatch,
    FieldName,
    Lookup,
    Outcome,
    Policy,
    QueryKind,
    Rank,
    Reference,
    Relation,
    WorkType,
)
from citeaudit.policy.words import sources
from citeaudit.text.normalize import fold, key
from citeaudit.text.titles import is_generic

FAR_TITLE = 0.6
"""Title score under which a record with a cited identifier is quite another title; see `citeaudit.match.rank.NEAR`."""
SOUND_PARSE = 0.8
"""Parse score, a probability, from which silence about a reading may count: 95 of 100 such readings are right in title,
authors and year, see docs/models/reference-labels.md. At 0.92 it would be 97, and one in four right readings more would
stay undecided; on the labelled verdicts no reference was accused less for it."""
FEW_WORDS = 2
"""Words of a title up to which silence about it says nothing: others may print it otherwise."""
MIN_PRINTED = 15
"""Folded letters from which a recorded title that stands in the printed text is no accident."""
OUTSIDE = frozenset(
    {
        WorkType.WEBPAGE,
        WorkType.SOFTWARE,
        WorkType.DATASET,
        WorkType.STANDARD,
        WorkType.THESIS,
        WorkType.REPORT,
        WorkType.PERSONAL_COMMUNICATION,
        WorkType.LEGAL_CASE,
        WorkType.PATENT,
        WorkType.NEWS,
    }
)
"""Classes that no source can be expected to hold."""
_PAPERS = frozenset({WorkType.ARTICLE_JOURNAL, WorkType.PAPER_CONFERENCE, WorkType.PREPRINT})
_VOLUMES = frozenset({WorkType.BOOK, WorkType.REFERENCE_ENTRY})
WORDS = (QueryKind.TITLE, QueryKind.CITATION)
OTHERS = ("title_other_authors", "homonym")
"""Anchors of a record that has the title alone."""
_AGREE = (Relation.SAME, Relation.VARIANT)
_NAMING = frozenset(kind.value for kind in IDENTIFIER_KINDS)
_FIELDS = {field: place for place, field in enumerate(FieldName)}
_BY_VERSION = frozenset(
    {FieldName.YEAR, FieldName.CONTAINER_TITLE, FieldName.VOLUME, FieldName.ISSUE, FieldName.PAGES}
    | {FieldName.DOI, FieldName.ARXIV_ID, FieldName.PMID, FieldName.PMCID, FieldName.ISBN}
)


class Judged(NamedTuple):
    """An anchored candidate with its fields as the policy reads them."""

    candidate: Candidate
    fields: tuple[FieldMatch, ...]

    @property
    def differing(self) -> tuple[FieldMatch, ...]:
        """Fields that differ under the policy."""
        return tuple(item for item in self.fields if item.relation is Relation.DIFFERENT)

    @property
    def placed(self) -> bool:
        """Whether volume and pages are those of the record: it is of just the version cited."""
        volume, pages = (self.candidate.match(field) for field in (FieldName.VOLUME, FieldName.PAGES))
        return volume is not None and pages is not None and volume.relation is pages.relation is Relation.SAME


@dataclass(frozen=True)
class Case:
    """Evidence seen from the questions that the rules ask; each answer is worked out once."""

    evidence: Evidence
    policy: Policy

    @property
    def reference(self) -> Reference:
        """What the manuscript claims."""
        return self.evidence.reference

    @cached_property
    def anchored(self) -> tuple[Candidate, ...]:
        """Records of the work; `strays` are not among them."""
        return tuple(item for item in self._near if self._held(item) and item not in self.strays)

    @cached_property
    def _near(self) -> tuple[Candidate, ...]:
        """Records that are not rejected: few of all, and looked through many times."""
        return tuple(item for item in self.evidence.candidates if item.rank is not Rank.REJECTED)

    def _held(self, candidate: Candidate) -> bool:
        """Whether a record is taken for the work; of one title, an index that holds all works would hold the other."""
        homonym = candidate.rank is Rank.POSSIBLE and candidate.anchor == "homonym"
        return candidate.anchored or (homonym and self.covered)

    @cached_property
    def strays(self) -> tuple[Candidate, ...]:
        """Records with a cited identifier but a far title, beside one that title and authors both confirm.

        Alone such a record is the work, wrongly titled; beside the true one it is a further paper of the same people.
        """
        anchored = [item for item in self._near if item.anchored]
        return tuple(filter(_far, anchored)) if any(map(certain, anchored)) else ()

    @cached_property
    def possible(self) -> tuple[Candidate, ...]:
        """Records that may be the work, best first."""
        open_ = (item for item in self._near if item.rank is Rank.POSSIBLE and not self._held(item))
        return tuple(sorted(open_, key=place_of))

    @property
    def ambiguous(self) -> bool:
        """Whether something came back that may be the work."""
        return bool(self.possible) or any(item.outcome is Outcome.AMBIGUOUS for item in self.evidence.lookups)

    @cached_property
    def failed(self) -> tuple[Lookup, ...]:
        """Questions of any kind that were never answered."""
        return self._with(Outcome.UNAVAILABLE)

    @cached_property
    def silent(self) -> tuple[Lookup, ...]:
        """Covering answers of *no match* to the title or the words of the reference."""
        words = (item for item in self._with(Outcome.NO_MATCH) if item.query.kind in WORDS)
        return tuple(item for item in words if item.coverage is not Coverage.NONE and item not in self.outrun)

    @cached_property
    def outrun(self) -> tuple[Lookup, ...]:
        """Answers of *no match* of an index declared complete to a work that may be newer than what it holds.

        A declaration is the user's word about the years that the index can hold in full. A work of a later year that
        cites an identifier which nobody denies may simply not have reached it.
        """
        ids, year = self.reference.identifiers, self.newest
        open_ = [scheme for scheme, _ in ids.pairs() if scheme in _NAMING and scheme not in self.refuted]
        if year is None or not open_:
            return ()
        answers = (item for item in self._with(Outcome.NO_MATCH) if item.coverage is Coverage.DECLARED)
        return tuple(item for item in answers if not self.whole(item))

    def whole(self, lookup: Lookup) -> bool:
        """Whether an index declared complete can hold works of the year cited in full."""
        return last_year(lookup) >= (self.newest or 0)

    @property
    def newest(self) -> int | None:
        """The latest year that the reference names: its own, or that of its arXiv id; `None` where it names none."""
        years = (self.reference.year, _arxiv_year(self.reference.identifiers.arxiv_id))
        return max(filter(None, years), default=None)

    @cached_property
    def refuted(self) -> frozenset[str]:
        """Schemes whose cited identifier names another work or none, or cannot be one."""
        doubted = {item.field.value for item in self.claims if item.relation is not Relation.SAME}
        return frozenset({*self.foreign, *self.dead, *doubted})

    @cached_property
    def today(self) -> date | None:
        """The day of the newest answer, UTC; `None` where nothing was asked."""
        return max((item.retrieved_at.date() for item in self.evidence.lookups), default=None)

    @cached_property
    def claims(self) -> tuple[FieldMatch, ...]:
        """What is wrong with the reference by itself: a date to come, an identifier that cannot be one."""
        return claims(self.reference, self.today) if self.today else ()

    @cached_property
    def lineages(self) -> frozenset[str]:
        """Independent groups of sources among `silent`."""
        return frozenset(item.lineage for item in self.silent)

    @cached_property
    def foreign(self) -> dict[str, Candidate]:
        """Schemes whose cited identifier resolves to another work, with that work."""
        rejected = (item for item in self.evidence.candidates if item.anchor == "identifier_other_work")
        others = sorted((*rejected, *self.strays), key=place_of)
        named = {scheme: item for item in reversed(others) for scheme in item.identifier_of}
        return {scheme: item for scheme, item in named.items() if scheme not in self.confirmed}

    @property
    def foreign_fields(self) -> tuple[FieldMatch | None, ...]:
        """How the authors of the works that cited identifiers name stand to those cited."""
        return tuple(item.match(FieldName.AUTHORS) for item in self.foreign.values())

    @cached_property
    def dead(self) -> dict[str, tuple[str, ...]]:
        """Schemes whose cited identifier its own registry does not know, with the sources that said so."""
        asked: dict[str, list[Lookup]] = {}
        for lookup in self.evidence.lookups:
            if lookup.query.kind in IDENTIFIER_KINDS:
                asked.setdefault(self._cited_as(lookup.query.kind.value), []).append(lookup)
        return {
            scheme: sources(item for item in lookups if denies(item))
            for scheme, lookups in sorted(asked.items())
            if scheme not in self.confirmed and scheme not in self.foreign and _unknown(lookups)
        }

    @cached_property
    def confirmed(self) -> frozenset[str]:
        """Schemes whose cited identifier an anchored or a possible record has."""
        held = {scheme for item in (*self.anchored, *self.possible) for scheme in item.identifier_of}
        same = {match.field.value for item in self.anchored for match in item.fields if match.relation is Relation.SAME}
        return frozenset(held | same)

    @property
    def venue_held(self) -> tuple[tuple[Coverage, int], ...]:
        """What indexes that were asked by title hold of the cited venue and year, with their coverage."""
        asked = (item for item in self.evidence.lookups if item.query.kind is QueryKind.TITLE)
        return tuple((item.coverage, item.venue_held) for item in asked if item.venue_held is not None)

    @cached_property
    def chimera(self) -> Chimera | None:
        """The works from which the reference is put together; `None` where it is not certain that it is."""
        return parts(self.reference, self.evidence.candidates)

    @cached_property
    def companions(self) -> tuple[Candidate, ...]:
        """Records of what the reference is a reply to or a notice about, or of such a text about the work cited."""
        title = self.reference.title or ""
        about = (item for item in self.evidence.candidates if item.anchor == "companion")
        of_it = (item for item in about if is_about(title, item.work.title) or is_about(item.work.title, title))
        return tuple(sorted(of_it, key=place_of))

    @property
    def counted_claims(self) -> tuple[FieldMatch, ...]:
        """`claims` as the policy counts them."""
        return tuple(_count(item, self.policy) for item in self.claims)

    @cached_property
    def best(self) -> Judged | None:
        """The anchored record that speaks most for the reference."""
        judged = [Judged(item, self._read(item)) for item in self.anchored]
        return min(judged, key=_preference) if judged else None

    @cached_property
    def named(self) -> Judged | None:
        """The record of others that a cited identifier names, where nothing else may be the work.

        `None` wherever that may be a slip: a title too short, or printed beside the one that was read; a record
        without authors; the identifier of a whole volume. And `None` where the policy only notes such an identifier.
        """
        reference = self.reference
        if "identifier_names_another" in self.policy.noted:
            return None
        if self.best is not None or self.ambiguous or reference.type in OUTSIDE or self.brief or not reference.title:
            return None
        judged = [Judged(item, self._read(item)) for item in self.foreign.values() if self._elsewhere(item)]
        return min(judged, key=_preference) if judged else None

    def _elsewhere(self, candidate: Candidate) -> bool:
        """Whether a record is another work by other authors, and not what the reference stands in."""
        work, relations = candidate.work, {item.field: item.relation for item in candidate.fields}
        core = (FieldName.TITLE, FieldName.AUTHORS)
        authors = candidate.match(FieldName.AUTHORS)
        if authors is None or authors.rule not in NO_ONE or not work.authors:
            return False
        title = key(work.title)
        volume = key(self.reference.container_title or "")
        slip = len(title) >= MIN_PRINTED and title in key(self.reference.raw)
        whole = work.type in _VOLUMES and self.reference.type not in _VOLUMES
        held = bool(volume) and (volume in title or title in volume)
        isbn = candidate.identifier_of == (FieldName.ISBN.value,)
        return all(relations.get(field) is Relation.DIFFERENT for field in core) and not (slip or whole or held or isbn)

    @property
    def covered(self) -> bool:
        """Whether an index that answered by words is complete for such works, or was declared so."""
        answered = (Outcome.FOUND, Outcome.NO_MATCH, Outcome.AMBIGUOUS)
        words = [item for item in self.evidence.lookups if item.query.kind in WORDS and item.outcome in answered]
        if any(item.coverage is Coverage.AUTHORITATIVE for item in words):
            return True
        declared = (item for item in words if item.coverage is Coverage.DECLARED)
        return any(map(self.whole, declared))

    @property
    def brief(self) -> bool:
        """Whether the title is too short or too common for silence about it to say anything."""
        title = self.reference.title or ""
        return bool(title) and (is_generic(title) or len(fold(title).split()) <= FEW_WORDS)

    @property
    def telling(self) -> bool:
        """Whether the reference says enough to identify one work: a title, an identifier, or a place in a volume."""
        reference = self.reference
        placed = reference.container_title and reference.volume and reference.pages
        named = any(scheme in _NAMING for scheme, _ in reference.identifiers.pairs())
        return bool(reference.title or named or (placed and (reference.year or reference.authors)))

    @property
    def sound(self) -> bool:
        """Whether the reading is good enough for a STRONG alarm; that of a model or from an image never is."""
        guessed = self.reference.repaired or self.reference.recognised
        return self.reference.parse_score >= SOUND_PARSE and not guessed

    @property
    def paper(self) -> bool:
        """Whether the reference is of a class that sources can be expected to hold."""
        reference = self.reference
        if reference.type is WorkType.UNKNOWN:
            ids = reference.identifiers
            known = self.best is not None and self.best.candidate.work.type in _PAPERS
            return bool(known or reference.container_title or ids.doi or ids.arxiv_id or ids.pmid)
        return reference.type in _PAPERS

    def _cited_as(self, scheme: str) -> str:
        """Give the scheme under which an identifier stands in the reference: an arXiv id may stand there as a DOI."""
        ids = self.reference.identifiers
        return "doi" if scheme == "arxiv_id" and ids.doi and not ids.arxiv_id else scheme

    def _with(self, outcome: Outcome) -> tuple[Lookup, ...]:
        return tuple(lookup for lookup in self.evidence.lookups if lookup.outcome is outcome)

    def _read(self, candidate: Candidate) -> tuple[FieldMatch, ...]:
        """Give the fields as the policy counts them, versions of the work lending what this record lacks."""
        fields = _doubted(candidate.fields, self.claims)
        return tuple(self._conflict(self._lend(candidate, _count(item, self.policy))) for item in fields)

    def _lend(self, candidate: Candidate, match: FieldMatch) -> FieldMatch:
        """Take a field that differs from a record of the same work in which it agrees.

        What cannot be is outweighed by a record that has the very same value, and by nothing else.
        """
        if match.relation is not Relation.DIFFERENT or match.field not in _BY_VERSION or not certain(candidate):
            return match
        others = (item.match(match.field) for item in sorted(self.anchored, key=place_of) if certain(item))
        better = (_count(item, self.policy) for item in others if item is not None)
        agree = (Relation.SAME,) if match.rule in {item.rule for item in self.claims} else _AGREE
        return min((item for item in better if item.relation in agree), key=_agreement, default=match)

    def _conflict(self, match: FieldMatch) -> FieldMatch:
        scheme = match.field.value
        if scheme in self.foreign:
            title = self.foreign[scheme].work.title
            return _count(_differ(match, "identifier_names_another", title), self.policy)
        dead = scheme in self.dead
        return _count(_differ(match, "identifier_unknown", None), self.policy) if dead else match


def _doubted(fields: tuple[FieldMatch, ...], claims: tuple[FieldMatch, ...]) -> tuple[FieldMatch, ...]:
    """Put what is wrong with the reference by itself in place of what its record says of that field.

    A record that has the very same value outweighs it, and a difference from the record says more than a doubt.
    """
    known = {item.field: item for item in fields}
    for claim in claims:
        held = known.get(claim.field)
        certain = held is not None and (
            held.relation in (Relation.SAME, Relation.DIFFERENT)
            or (held.rule.endswith("_other_than_recorded") and claim.relation is Relation.VARIANT)
        )
        if not certain or (claim.relation is Relation.DIFFERENT and held is not None and held.rule == "year_differs"):
            known[claim.field] = claim.model_copy(update={"found": held.found}) if held else claim
    return tuple(sorted(known.values(), key=lambda item: _FIELDS[item.field]))


def _count(match: FieldMatch, policy: Policy) -> FieldMatch:
    """Read a field as the policy does: some rules count as differences, some differences are only noted."""
    if match.relation is not Relation.DIFFERENT and match.rule in policy.counted:
        return match.model_copy(update={"relation": Relation.DIFFERENT})
    if match.relation is Relation.DIFFERENT and match.rule in policy.noted:
        return match.model_copy(update={"relation": Relation.VARIANT})
    return match


def _arxiv_year(arxiv_id: str | None) -> int | None:
    """Give the year in which arXiv gave out an id of the form that it has had since 2007."""
    form = re.match(r"(\d{2})\d{2}\.\d{4,5}", arxiv_id or "")
    return 2000 + int(form.group(1)) if form else None


def _differ(match: FieldMatch, rule: str, found: str | None) -> FieldMatch:
    differences = (f"{match.claimed} -> {found or 'not registered'}",)
    update = {"relation": Relation.DIFFERENT, "rule": rule, "score": 0.0, "found": found, "differences": differences}
    return match.model_copy(update=update)


def certain(candidate: Candidate) -> bool:
    """Whether title and authors both say that this record is of the work."""
    matches = (candidate.match(FieldName.TITLE), candidate.match(FieldName.AUTHORS))
    return all(match is not None and match.relation in _AGREE for match in matches)


def _far(candidate: Candidate) -> bool:
    """Whether only an identifier ties a record to the reference, the title being quite another."""
    if candidate.anchor != "identifier":
        return False
    title = candidate.match(FieldName.TITLE)
    return title is not None and title.relation is Relation.DIFFERENT and title.score < FAR_TITLE


def _agreement(match: FieldMatch) -> tuple[bool, float, str]:
    return match.relation is not Relation.SAME, -match.score, match.found or ""


def _preference(judged: Judged) -> tuple[bool, int, int, float, str, str]:
    """Order anchored candidates: compared by authors first, then fewest differences.

    A record without authors or year has little that could differ; it must not outbid one that has them.
    """
    authors = judged.candidate.match(FieldName.AUTHORS)
    year = judged.candidate.match(FieldName.YEAR)
    vague = authors is None or authors.relation is Relation.UNKNOWN or judged.candidate.anchor in OTHERS
    vague = vague or (year is not None and year.relation is Relation.UNKNOWN)
    return vague, len(judged.differing), *place_of(judged.candidate)


def place_of(candidate: Candidate) -> tuple[int, float, str, str]:
    """Give the order of a candidate: rank, score, then names, so that ties never depend on arrival."""
    return list(Rank).index(candidate.rank), -candidate.score, candidate.work.source, candidate.work.source_id


def last_year(lookup: Lookup) -> int:
    """Give the last year that an index holds in full; where its end is unknown, the year before the answer."""
    return lookup.retrieved_at.year - 1 if lookup.whole_until is None else lookup.whole_until


def denies(lookup: Lookup) -> bool:
    """Whether a registry says that it does not know what it alone would."""
    return lookup.outcome is Outcome.NO_MATCH and lookup.coverage is Coverage.AUTHORITATIVE


def _unknown(lookups: list[Lookup]) -> bool:
    """Whether a registry denies an identifier that no other source found and no source failed to answer for."""
    open_ = any(item.outcome in (Outcome.UNAVAILABLE, Outcome.FOUND, Outcome.AMBIGUOUS) for item in lookups)
    return not open_ and any(map(denies, lookups))
