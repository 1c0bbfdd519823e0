"""Reject at a glance what no rule could anchor: most records that a search returns share a few words, no more.

Comparing two lists of authors costs far more than comparing two titles. A record whose title has too little in
common, that bears no cited identifier and whose authors are not the cited ones, is another work whatever its year
and venue; only its title is compared.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from citeaudit.match import title_forms
from citeaudit.match.anchors import NEAR_SHORT, stranger
from citeaudit.match.field import match_of
from citeaudit.match.frames import CROWD, LEAST_SHARE, exchanged
from citeaudit.match.titles import title_match
from citeaudit.model import Candidate, FieldName, Reference, Relation, Work
from citeaudit.text.normalize import MAX_TITLE, fold
from citeaudit.text.similarity import ratio
from citeaudit.text.titles import Likeness, TitleDiff, undecorated

TITLE_SHARE = 0.55
"""Share of `citeaudit.match.rank` that the title has in the score of a candidate."""

LEAST_LETTERS = 0.6
"""Share of letters in common, in order, under which titles without common words are not compared word by word."""
_ANOTHER = ("another title",)
_STRANGE = TitleDiff(Likeness.OTHER, 1.0, _ANOTHER, 1)


def glance(reference: Reference, work: Work) -> Candidate | None:
    """Give the candidate of a record that is another work by its title alone; `None` where all must be compared.

    The record must not bear a cited identifier. Rank, anchor and the rule of the title are those of the full
    comparison (`citeaudit.match.rank.weigh`); the other fields are left out and count nothing in the score.
    """
    title = reference.title
    if not title or _same_list(reference, work):
        return None
    standing = _standing(title, work)
    if standing is None:
        return None
    diff: TitleDiff | None = _STRANGE
    if standing:
        match, diff = title_match(reference, work)
    else:
        match = match_of(FieldName.TITLE, "title_differs", (title, work.title), _ANOTHER, 0.0)
    if diff is None or match.relation is not Relation.DIFFERENT or diff.distance <= NEAR_SHORT:
        return None
    rank, name = stranger(reference, work)
    score = round(TITLE_SHARE * max(0.0, 1.0 - diff.distance), 4)
    return Candidate.built(work=work, fields=(match,), rank=rank, anchor=name, score=score, identifier_of=())


def _standing(title: str, work: Work) -> bool | None:
    """Whether some title of a record may be a form of the cited one; `None` where one may be made from the other."""
    cited, akin = _bag(title), None
    for other in (work.title, *(item.title for item in work.versions)) if work.versions else (work.title,):
        if not other:
            continue
        bag = _bag(other)
        if not cited.words or not bag.words:
            return None  # of titles without a letter the whole comparison must tell
        shared = cited.each & bag.each
        if shared and _common(cited, bag, shared) and _formed(title, other):
            return None
        akin = akin or _akin(cited, bag, len(shared))
    return akin


def _same_list(reference: Reference, work: Work) -> bool:
    """Whether the record may have just the cited authors: as many, the first of one name.

    Such a record is compared in full, for it may be the one from which the authors were taken.
    """
    cited, found = reference.authors, work.authors
    if len(cited) != len(found) or not cited:
        return False
    one, two = (fold((people[0].family or people[0].literal or "")[:MAX_TITLE]) for people in (cited, found))
    return one[-3:] == two[-3:] or one[:3] == two[:3]


def _common(one: _Bag, two: _Bag, shared: frozenset[str]) -> bool:
    """Whether two titles share so many words that one may be made from the other; a bound of `frames.Frame.share`."""
    least = LEAST_SHARE * max(len(one.words), len(two.words))
    most = len(shared) + len(one.words) - len(one.each)
    return most >= least and sum(map(shared.__contains__, one.words)) >= least


def _formed(one: str, two: str) -> bool:
    """Whether one title may be made from the other, by as many people as ever: a bound of what the anchors ask."""
    return exchanged(one, two, CROWD) or title_forms.akin(one, two)


def _akin(one: _Bag, two: _Bag, shared: int) -> bool:
    """Whether two titles may yet be forms of one: they share words or many letters, or one stands in the other."""
    if shared >= LEAST_SHARE * min(len(one.words), len(two.words)):
        return True
    joined, whole = one.joined, two.joined
    return joined in whole or whole in joined or ratio(joined, whole) >= LEAST_LETTERS


class _Bag(NamedTuple):
    """The folded words of a title, in order, each once, and joined."""

    words: tuple[str, ...]
    each: frozenset[str]
    joined: str


@lru_cache(maxsize=16_384)
def _bag(title: str) -> _Bag:
    text = fold(undecorated(title))
    listed = tuple(text.split())
    return _Bag(listed, frozenset(listed), text.replace(" ", ""))
