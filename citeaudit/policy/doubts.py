"""What may explain a difference without any fault of the reference: it is then left to a person."""

from __future__ import annotations

from collections.abc import Iterator

from citeaudit.model import IDENTIFIER_KINDS, AuthorRelation, FieldName, Reason
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
        "venue_preprint",
    }
)
"""Rules by which a reference is of another version of the work than every recorded one."""
LEAST_RECORDED = 2
"""Authors of a record from which one more may be that of another version; a record of one is often cut."""


def doubts(case: Case, best: Judged) -> Iterator[Reason]:
    """Give what may explain that a record differs: a slip of reading, a neighbouring work, another version."""
    yield from _slipped(case, best)
    yield from _beside(case, best)
    yield from _otherwise_signed(case, best)


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
    hold the cited work beside this record.
    """
    named = {match.rule for match in best.fields} & {"identifier_names_another", "identifier_unknown"}
    differs = any(match.field in _CORE for match in best.differing)
    if case.covered or named or not differs or best.candidate.identifier_of:
        return
    rules = {match.rule for match in best.fields}
    moved = bool(rules & {"venue_differs", "venue_unknown"}) and bool(rules & {"volume_differs", "pages_differs"})
    for match in best.fields:
        if match.rule.endswith("_other_than_recorded") or (moved and match.rule in _NOT_RECORDED):
            work = best.candidate.work
            text = (
                f"The reference cites the {label(match.field)} {match.claimed}, but the record in {work.source} has"
                f" {match.found or 'none'}: {quoted(work.title)} may be a neighbour of the work cited."
            )
            yield reason_of("another_identifier", text, (work.source,), match.field)


def _otherwise_signed(case: Case, best: Judged) -> Iterator[Reason]:
    """Say that one author more may have signed the version cited, which no record is of.

    All recorded authors must be cited, and nothing else may differ. An index that would hold that version tells.
    """
    if case.covered or [match.rule for match in best.differing] != ["author_not_in_record"]:
        return
    (authors,) = best.differing
    relations = [person.relation for person in authors.people]
    rest = {relation for relation in relations if relation is not AuthorRelation.PHANTOM}
    alone = len(relations) - 1 >= LEAST_RECORDED and relations.count(AuthorRelation.PHANTOM) == 1
    if not alone or not rest <= {AuthorRelation.SAME, AuthorRelation.VARIANT}:
        return
    if any(match.rule in _OTHER_VERSION for match in best.fields):
        work = best.candidate.work
        text = (
            f"All else agrees, and the reference is of another version than the one recorded in {work.source}:"
            " an author may have come or gone between them."
        )
        yield reason_of("another_version", text, (work.source,), FieldName.AUTHORS)
