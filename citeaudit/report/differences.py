"""What differs, as a person reads it at a glance: words inside a title, one line an author."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple

from citeaudit.model import AuthorMatch, AuthorRelation, FieldMatch, FieldName, Relation, Verdict
from citeaudit.policy.words import label
from citeaudit.text.normalize import key
from citeaudit.text.visible import shorten, visible

MAX_LINES = 12
"""Authors that are shown before the rest is counted."""
_MAX_WORDS = 300
"""Of one title, before two titles are shown beside each other: comparing takes their product."""

_NOTED_WIDTH = 60
"""Characters of one value of a deviation that is only noted."""
AHEAD = "lies ahead"
"""What is said of a year that no work can have yet."""

FORMS = frozenset(
    {
        "authors_initials",
        "pages_article",
        "pages_counted",
        "pages_near",
        "title_article",
        "title_cut_at_formula",
        "title_edition",
        "title_formula",
        "title_printed",
        "title_spelling",
        "title_subtitle",
        "title_translated",
        "title_version",
        "venue_abbreviated",
        "venue_preprint",
        "venue_series",
        "year_of_posting",
        "year_of_preprint",
        "year_of_volume",
        "year_turned",
    }
)
"""Rules of mere forms of the same value, which no preset counts; every other variant is noted in reports."""

_SAYS = {
    AuthorRelation.MISSPELT: "a letter differs",
    AuthorRelation.GIVEN_NAME: "given name differs",
    AuthorRelation.SWAPPED: "family and given name changed places",
}
_QUIET = frozenset({AuthorRelation.SAME, AuthorRelation.VARIANT, AuthorRelation.UNKNOWN})


class AuthorRow(NamedTuple):
    """One author who differs, for a table."""

    place: str
    """In the cited list, `+` for one the record does not have, `-` for one left out."""
    claimed: str
    found: str
    says: str
    """What differs, in words."""


def marked(claimed: str, found: str) -> str:
    """Give a title with the words that differ in braces; capitals and punctuation do not count.

    >>> marked("Graph learning for the web", "Deep learning for web pages")
    '{Graph -> Deep} learning for {- the} web {+ pages}'
    """
    old, new = visible(claimed).split(), visible(found).split()
    if max(len(old), len(new)) > _MAX_WORDS:
        return f"{' '.join(old)} -> {' '.join(new)}"
    matcher = SequenceMatcher(a=[*map(_folded, old)], b=[*map(_folded, new)], autojunk=False)
    told: list[str] = []
    for tag, start, end, low, high in matcher.get_opcodes():
        before, after = " ".join(old[start:end]), " ".join(new[low:high])
        if tag == "equal":
            told.append(before)
        elif before and after:
            told.append(f"{{{before} -> {after}}}")
        else:
            told.append(f"{{- {before}}}" if before else f"{{+ {after}}}")
    return " ".join(told)


def author_rows(match: FieldMatch) -> tuple[AuthorRow, ...]:
    """Give the authors who differ, in the order of the list, then those left out; empty where none is known.

    Where only the order differs, everyone who stands at another place than in the record is among them.
    """
    told = {one.relation for one in match.people}
    turned = AuthorRelation.MOVED in told and told.isdisjoint({AuthorRelation.PHANTOM, AuthorRelation.MISSING})
    return tuple(_row(one) for one in match.people if one.relation not in _QUIET or (turned and _is_elsewhere(one)))


def author_lines(match: FieldMatch) -> tuple[str, ...]:
    """Give one line an author who differs; many are cut, and the rest counted."""
    lines = [_line(row) for row in author_rows(match)]
    rest = len(lines) - MAX_LINES
    return (*lines[:MAX_LINES], *((f"and {rest} more",) if rest > 0 else ()))


def lines(match: FieldMatch) -> tuple[str, ...]:
    """Give what differs in a field where it can be told more closely than by its two values; empty elsewhere."""
    if match.relation is not Relation.DIFFERENT:
        return ()
    if match.field is FieldName.AUTHORS:
        return author_lines(match)
    if match.field is FieldName.TITLE and match.claimed and match.found and match.differences:
        return (marked(match.claimed, match.found),)
    return ()


def is_ahead(match: FieldMatch) -> bool:
    """Tell whether a year is one to come."""
    return match.rule == "year_in_future"


def noted(verdict: Verdict) -> str:
    """Give what deviates without counting, in one short line; empty where there is nothing but forms of the same.

    A verified reference may have a year off by one or a shortened author list, which the policy only notes.
    """
    return "; ".join(_noted(match) for match in verdict.fields if _is_noted(match))


def _is_noted(match: FieldMatch) -> bool:
    return match.relation is Relation.VARIANT and match.rule not in FORMS


def _noted(match: FieldMatch) -> str:
    close = "; ".join(match.differences[:1])
    told = close or f"{_brief(match.claimed)} -> {_brief(match.found)}"
    return f"{label(match.field)}: {_brief(told, 2 * _NOTED_WIDTH)}"


def _brief(value: str | None, width: int = _NOTED_WIDTH) -> str:
    return shorten(" ".join(visible(value or "nothing").split()), width)


def _is_elsewhere(one: AuthorMatch) -> bool:
    return one.place is not None and one.found_place is not None and one.place != one.found_place


def _row(one: AuthorMatch) -> AuthorRow:
    claimed, found = visible(one.claimed or ""), visible(one.found or "")
    place = str(one.place or "")
    match one.relation:
        case AuthorRelation.PHANTOM:
            return AuthorRow("+", claimed, "", "not in the record")
        case AuthorRelation.MISSING:
            return AuthorRow("-", "", found, "left out")
        case AuthorRelation.PLACEHOLDER:
            return AuthorRow(place, claimed, found, "a name often used as a placeholder")
        case AuthorRelation.MOVED:
            where = f"author {one.found_place} in the record" if one.found_place else "elsewhere in the record"
            return AuthorRow(place, claimed, found, where)
        case AuthorRelation.SAME | AuthorRelation.VARIANT:
            return AuthorRow(place, claimed, found, f"author {one.found_place} in the record")
        case _:
            return AuthorRow(place, claimed, found, _SAYS.get(one.relation, "differs"))


def _line(row: AuthorRow) -> str:
    if row.place in ("+", "-"):
        return f"{row.place} {row.claimed or row.found}  {row.says}"
    if row.found:
        return f"{row.place}  {row.claimed}  ->  {row.found} ({row.says})"
    return f"{row.place}  {row.claimed}  {row.says}"


def _folded(word: str) -> str:
    return key(word) or word
