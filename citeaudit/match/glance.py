"""Reject at a glance what no rule could anchor: most records that a search returns share a few words, no more.

Comparing two lists of authors costs far more than comparing two titles. A record whose title has too little in
common, that bears no cited identifier and whose authors are not the cited ones, is another work whatever its year
and venue; only its title is compared.
"""

from __future__ import annotations

from functools import lru_cache

from citeaudit.match import title_forms
from citeaudit.match.anchors import NEAR_SHORT, Facts, stranger
from citeaudit.match.compare import Comparison
from citeaudit.match.field import match_of
from citeaudit.match.frames import CROWD, LEAST_SHARE, exchanged
from citeaudit.match.people import Alignment
from citeaudit.match.titles import title_match
from citeaudit.model import Candidate, FieldName, Reference, Relation, Work
from citeaudit.text.normalize import MAX_TITLE, fold, words
from citeaudit.text.similarity import ratio
from citeaudit.text.titles import Likeness, TitleDiff, undecorated

TITLE_SHARE = 0.55
"""Share of `citeaudit.match.rank` that the title has in the score of a candidate."""

LEAST_LETTERS = 0.6
"""Share of letters in common, in order, under which titles without common words are not compared word by word."""
_ANOTHER = ("another title",)


def glance(reference: Reference, work: Work) -> Candidate | None:
    """Give the candidate of a record that is another work by its title alone; `None` where all must be compared.

    The record must not bear a cited identifier. Rank, anchor and the rule of the title are those of the full
    comparison (`citeaudit.match.rank.weigh`); the other fields are left out and count nothing in the score.
    """
    title = reference.title
    titles = [other for other in (work.title, *(item.title for item in work.versions)) if other]
    if not title or not titles or _same_list(reference, work) or not all(_bag(one)[0] for one in (title, *titles)):
        return None  # of titles without a letter the whole comparison must tell
    if any(_common(title, other) and _formed(title, other) for other in titles):
        return None
    if any(_akin(title, other) for other in titles):
        match, diff = title_match(reference, work)
    else:
        match = match_of(FieldName.TITLE, "title_differs", (title, work.title), _ANOTHER, 0.0)
        diff = TitleDiff(Likeness.OTHER, 1.0, _ANOTHER, 1)
    if diff is None or match.relation is not Relation.DIFFERENT or diff.distance <= NEAR_SHORT:
        return None
    rank, name = stranger(Facts(reference, work, Comparison((match,), diff, Alignment(""), None), ()))
    score = round(TITLE_SHARE * max(0.0, 1.0 - diff.distance), 4)
    return Candidate.built(work=work, fields=(match,), rank=rank, anchor=name, score=score, identifier_of=())


def _same_list(reference: Reference, work: Work) -> bool:
    """Whether the record may have just the cited authors: as many, the first of one name.

    Such a record is compared in full, for it may be the one from which the authors were taken.
    """
    cited, found = reference.authors, work.authors
    if len(cited) != len(found) or not cited:
        return False
    one, two = (fold((people[0].family or people[0].literal or "")[:MAX_TITLE]) for people in (cited, found))
    return one[-3:] == two[-3:] or one[:3] == two[:3]


def _common(one: str, two: str) -> bool:
    """Whether two titles share so many words that one may be made from the other; a bound of `frames.Frame.share`."""
    (left, _, _), (right, known, _) = _bag(one), _bag(two)
    return sum(word in known for word in left) >= LEAST_SHARE * max(len(left), len(right))


def _formed(one: str, two: str) -> bool:
    """Whether one title may be made from the other, by as many people as ever: a bound of what the anchors ask."""
    return exchanged(one, two, CROWD) or title_forms.akin(one, two)


def _akin(one: str, two: str) -> bool:
    """Whether two titles may yet be forms of one: they share words or many letters, or one stands in the other."""
    (left, known, joined), (right, others, whole) = _bag(one), _bag(two)
    short = min(len(left), len(right))
    if not short or len(known & others) >= LEAST_SHARE * short:
        return True
    return joined in whole or whole in joined or ratio(joined, whole) >= LEAST_LETTERS


@lru_cache(maxsize=16_384)
def _bag(title: str) -> tuple[tuple[str, ...], frozenset[str], str]:
    """Give the folded words of a title in order, each once, and joined."""
    listed = words(undecorated(title[:MAX_TITLE]))
    return listed, frozenset(listed), "".join(listed)
