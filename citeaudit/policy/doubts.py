"""What may explain a difference without any fault of the reference: it is then left to a person."""

from __future__ import annotations

from collections.abc import Iterator

from citeaudit.model import IDENTIFIER_KINDS, AuthorRelation, FieldName, Reason, Relation
from citeaudit.policy.case import SOUND_PARSE, Case, Judged
from citeaudit.policy.words import label, quoted, reason_of
from citeaudit.text.normalize import fold

_CORE = (FieldName.TITLE, FieldName.AUTHORS, FieldName.YEAR)
_NOT_RECORDED = frozenset(f"{kind.value}_not_recorded" for kind in IDENTIFIER_KINDS)
_OTHER_VERSION = frozenset(
    {
        "year_off_by_one",
        "year_of_edition",
        "year_of_other_version",
        "year_of_posting",
        "year_of_preprint",
        "year_preprint",
        "venue_posted",
        "venue_preprint",
    }
)
"""Rules by which a reference is of another version of the work than every recorded one."""
_OTHER_PLACE = frozenset({"venue_differs", "venue_main", "venue_part", "venue_unknown"})
"""Rules by which it is so too, but where a cited identifier is the record's: a workshop, a journal after a meeting."""
_EDITION = "year_of_edition"
REPRINT_YEARS = 25
"""Years after every recorded version from which a year may be that of a reprint: classics are, a generation later."""
MOST_JOINED = 2
"""Authors who may have joined a later edition of a book, at any place of the list; a translator is one of them."""
LEAST_RECORDED = 2
"""Authors of a record from which one more may be that of another version; a record of one is often cut."""


def doubts(case: Case, best: Judged) -> Iterator[Reason]:
    """Give what may explain that a record differs: a slip of reading, a neighbouring work, another version."""
    yield from _slipped(case, best)
    yield from _beside(case, best)
    yield from _otherwise_signed(case, best)
    yield from _reprinted(case, best)


def _slipped(case: Case, best: Judged) -> Iterator[Reason]:
    """Say that an uncertain reading differs only where the reference prints what the record says."""
    reference, work = case.reference, best.candidate.work
    if reference.parse_score >= SOUND_PARSE:
        return
    words = fold(reference.raw).split()
    names = [fold(person.family or person.literal or "").split() for person in work.authors]
    printed = {
        FieldName.AUTHORS: bool(names) and all(name and set(name) <= set(words) for name in names),
        FieldName.TITLE: f" {fold(work.title)} " in f" {' '.join(words)} ",
    }
    if all(printed.get(match.field, False) for match in best.differing):
        score = f"{reference.parse_score:.2f}"
        text = (
            f"The reading is uncertain (parse score {score}), and the reference prints what the record says; compare."
        )
        yield reason_of("uncertain_reading", text, (work.source,))


def _beside(case: Case, best: Judged) -> Iterator[Reason]:
    """Say that the record lacks the identifier cited, so that the difference may be a neighbour's.

    It has another of that scheme, or none and stands in another venue on other pages: the journal version of a paper.
    An identifier that is known to name another work or none speaks for itself, and so does an index that would
    hold the cited work beside this record. No neighbour stands on the same pages of the same volume.
    """
    named = {match.rule for match in best.fields} & {"identifier_names_another", "identifier_unknown"}
    differs = any(match.field in _CORE for match in best.differing)
    if case.covered or named or not differs or best.candidate.identifier_of or best.placed:
        return
    rules = {match.rule for match in best.fields}
    moved = bool(rules & {"venue_differs", "venue_unknown"}) and bool(rules & {"volume_differs", "pages_differs"})
    for match in best.fields:
        if match.rule.endswith("_other_than_recorded") or (moved and match.rule in _NOT_RECORDED):
            work, title = best.candidate.work, best.candidate.match(FieldName.TITLE)
            agrees = title is not None and title.relation in (Relation.SAME, Relation.VARIANT)
            what = "another version of the work cited, or a namesake" if agrees else "a neighbour of the work cited"
            text = (
                f"The reference cites the {label(match.field)} {match.claimed}, but the record in {work.source} has"
                f" {match.found or 'none'}: {quoted(work.title)} may be {what}."
            )
            yield reason_of("another_identifier", text, (work.source,), match.field)


def _otherwise_signed(case: Case, best: Judged) -> Iterator[Reason]:
    """Say that one author more may have signed the version cited, which no record is of.

    All recorded authors must be cited, and nothing else may differ. An index that would hold that version tells.
    """
    if case.covered or [match.rule for match in best.differing] != ["author_not_in_record"]:
        return
    rules = {match.rule for match in best.fields}
    (authors,) = best.differing
    if not _joined([person.relation for person in authors.people], edition=_EDITION in rules):
        return
    elsewhere = bool(rules & _OTHER_PLACE) and not best.candidate.identifier_of
    if elsewhere or rules & _OTHER_VERSION:
        work = best.candidate.work
        text = (
            f"All else agrees, and the reference is of another version than the one recorded in {work.source}:"
            " an author may have come or gone between them."
        )
        yield reason_of("another_version", text, (work.source,), FieldName.AUTHORS)


def _joined(relations: list[AuthorRelation], *, edition: bool) -> bool:
    """Whether the list is the recorded one and one author more, or two in another edition of a book."""
    more = relations.count(AuthorRelation.PHANTOM)
    kept = [relation for relation in relations if relation is not AuthorRelation.PHANTOM]
    allowed = {AuthorRelation.SAME, AuthorRelation.VARIANT} | ({AuthorRelation.MOVED} if edition else set())
    least, most = (1, MOST_JOINED) if edition else (LEAST_RECORDED, 1)
    return 1 <= more <= most and len(kept) >= least and set(kept) <= allowed


def _reprinted(case: Case, best: Judged) -> Iterator[Reason]:
    """Say that a much later year without any place of publication may be that of a reprint or a translation."""
    reference, work = case.reference, best.candidate.work
    placed = reference.container_title or reference.volume or reference.pages or best.candidate.identifier_of
    if case.covered or placed or [match.rule for match in best.differing] != ["year_differs"]:
        return
    years = [year for year in (work.year, *(version.year for version in work.versions)) if year is not None]
    if reference.year is not None and years and reference.year >= max(years) + REPRINT_YEARS:
        text = (
            f"All else agrees, and the reference names no place of publication: {reference.year} may be the year of a"
            f" later printing than the one recorded in {work.source}."
        )
        yield reason_of("another_version", text, (work.source,), FieldName.YEAR)
