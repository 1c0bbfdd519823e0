"""Compare the cited title with every title of a work."""

from __future__ import annotations

import re

from citeaudit.match.field import SCORE, match_of
from citeaudit.match.rules import RULES
from citeaudit.match.slips import cut_short, printed
from citeaudit.match.title_forms import edition
from citeaudit.model import FieldMatch, FieldName, Reference, Work, WorkType
from citeaudit.text.normalize import fold, key
from citeaudit.text.signs import Sign, compare_signs
from citeaudit.text.titles import Likeness, TitleDiff, compare_titles, translations, undecorated
from citeaudit.text.titlewords import formulas_apart, title_words
from citeaudit.text.wordforms import is_english

LEAST_WORDS = 2
"""Words that a title and its translation have at least."""
_RULE_OF = {
    Likeness.EQUAL: "title_same",
    Likeness.CUT: "title_subtitle",
    Likeness.ARTICLES: "title_article",
    Likeness.SPELLING: "title_spelling",
    Likeness.FORMULA: "title_formula",
    Likeness.SMALL: "title_small_words",
    Likeness.PLURAL: "title_plural",
    Likeness.INFLECTED: "title_inflected",
    Likeness.DAMAGED: "title_damaged",
    Likeness.OTHER: "title_differs",
}
_PLACE = {likeness: place for place, likeness in enumerate(Likeness)}
_PAPERS = frozenset({WorkType.ARTICLE_JOURNAL, WorkType.PAPER_CONFERENCE, WorkType.PREPRINT, WorkType.PEER_REVIEW})
_TELLING = (Sign.JOINED, Sign.OTHER)
_PART = re.compile(r"(?:part )?(?:[ivx]{1,5}|\d{1,2})")


def title_match(reference: Reference, work: Work) -> tuple[FieldMatch, TitleDiff | None]:
    """Compare with the title of the work and of its versions; the difference is `None` where no title is cited.

    A title that is cited or recorded beside its translation may be either; the difference is then that of a title
    and one without its subtitle, so that it never anchors by itself.
    """
    if not reference.title:
        return match_of(FieldName.TITLE, "title_not_cited", (None, work.title)), None
    best, found = _unlike(reference.title, work.title), work.title
    rule = _title_rule(best, reference.title, found)
    for version in work.versions:
        if version.title and best.likeness is not Likeness.EQUAL:
            diff = _unlike(reference.title, version.title)
            if _worth(diff) < _worth(best):
                best, found = diff, version.title
                rule = "title_version" if diff.likeness is Likeness.EQUAL else _title_rule(diff, reference.title, found)
    if best.likeness in (Likeness.CUT, Likeness.OTHER) and _translated(reference.title, work):
        rule, found, best = "title_translated", work.title, best._replace(likeness=Likeness.CUT)
    elif rule in ("title_differs", "title_longer") and printed(reference, work):
        rule, found = "title_printed", work.title
    elif rule == "title_differs" and _book(reference, work) and edition(reference.title, found):
        rule, best = "title_edition", best._replace(likeness=Likeness.CUT)
    elif rule == "title_differs":
        rule = cut_short(reference, work) or rule
    score = max(SCORE.get(RULES[rule].relation, 0.0), 1.0 - best.distance)
    return match_of(FieldName.TITLE, rule, (reference.title, found), best.differences, score), best


def _book(reference: Reference, work: Work) -> bool:
    """Whether the work may come in editions, as books, reports and standards do: no article, no journal."""
    kinds = {reference.type, work.type}
    if work.type is WorkType.BOOK or not kinds.isdisjoint(_PAPERS):
        return work.type is WorkType.BOOK
    return kinds != {WorkType.UNKNOWN} or not (reference.container_title or work.container_title)


def _unlike(claimed: str, found: str) -> TitleDiff:
    """Compare two titles; a number that the claimed one adds makes it another part of a series, not a subtitle.

    Titles of the same letters differ if a sign stands in place of another: `p < 0.05` and `p > 0.05`.
    """
    diff = compare_titles(claimed, found)
    if diff.likeness is Likeness.EQUAL:
        sign, differences = compare_signs(claimed, found)
        if sign in _TELLING:
            return TitleDiff(Likeness.OTHER, 1 / max(1, len(key(found))), differences, 1)
        return diff._replace(differences=differences)
    if diff.likeness is not Likeness.CUT or len(key(claimed)) <= len(key(found)):
        return diff
    rest = fold(undecorated(claimed)).removeprefix(fold(undecorated(found))).strip()
    if not _PART.fullmatch(rest):
        return diff
    return TitleDiff(Likeness.OTHER, diff.distance, (f"not in the record: {rest}",), 1, numbers_only=True)


def _translated(claimed: str, work: Work) -> bool:
    """Whether one side holds the title and its translation, and the other one of the two."""
    titles = (work.title, *(version.title for version in work.versions if version.title))
    if not any(map(translations, (claimed, *titles))):
        return False
    cited = _languages(claimed)
    pairs = [(part, found) for found in titles for part in cited]
    pairs += [(claimed, part) for found in titles for part in _languages(found)]
    return any(compare_titles(*pair).likeness not in (Likeness.CUT, Likeness.OTHER) for pair in pairs)


def _languages(title: str) -> tuple[str, ...]:
    """Give a title and its translation; none where the brackets hold a remark, or more in the same language."""
    parts = translations(title)
    if not parts:
        return ()
    same = all(map(is_english, parts)) or any(len(title_words(part)) < LEAST_WORDS for part in parts)
    return () if same else parts


def _title_rule(diff: TitleDiff, claimed: str, found: str) -> str:
    if diff.likeness in (Likeness.EQUAL, Likeness.OTHER) and (sign := compare_signs(claimed, found).sign):
        return "title_signs_lost" if sign is Sign.LOST else "title_sign_differs"
    if diff.likeness is Likeness.FORMULA and formulas_apart(claimed, found):
        return "title_formula_differs"
    longer = diff.likeness is Likeness.CUT and len(key(undecorated(claimed))) > len(key(undecorated(found)))
    return "title_longer" if longer else _RULE_OF[diff.likeness]


def _worth(diff: TitleDiff) -> tuple[int, float]:
    return _PLACE[diff.likeness], diff.distance
