"""Tell whether a recorded list of authors is whole: no evidence against a cited one if it was cut or damaged.

Dumps stop after the first authors or within a name, keep the last one alone, or hold editors, publishers, initials
without a name and given names without the family.
"""

from __future__ import annotations

from collections.abc import Sequence

from citeaudit.match.likeness import liken
from citeaudit.match.names import Likeness, Name, is_house
from citeaudit.model import Person

ONE_MORE = 2
"""Cited authors up to which a record of one author is taken to list all."""
TWO_PARTS = 2
"""Given names, a whole one and an initial, of which a record that breaks off in a name keeps both."""
_MAX_PERSON = 3  # words of an unsplit name up to which it is taken for a person's


def stops(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Whether a record stops after the first authors: it has them in order, and at most half of those cited.

    A name that was added to a list in the record's own length stays a stranger, and so does one beside a single author:
    records of a first author alone are known by their form where they are read.
    """
    if len(found) * 2 > len(cited) or (len(found) == 1 and len(cited) <= ONE_MORE):
        return False
    return _opens(cited, found)


def last_alone(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Whether a record has the last of three authors or more, and no other."""
    return len(found) == 1 and len(cited) > ONE_MORE and liken(cited[-1], found[0]) >= Likeness.INITIALS


def with_group(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Whether a record lists one person, and a group to which the further cited ones may belong."""
    groups = sum(name.group for name in found)
    return groups > 0 and len(found) - groups == 1 and len(cited) > 1


def breaks(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Whether a record stops within a name: its last has the given name and initial of the cited one at its place.

    So `Hao Wang, Philip S. Yu` becomes `Hao Wang, S Philip` where a dump takes the initial for an end.
    """
    last = len(found) - 1
    if last < 1 or len(cited) <= last or len(cited[last].given) < TWO_PARTS:
        return False
    return sorted(found[last].words) == sorted(cited[last].given) and _opens(cited[:last], found[:last])


def _opens(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    return all(liken(one, two) >= Likeness.INITIALS for one, two in zip(cited, found, strict=False))


def damaged(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Whether a recorded name is a rest of one: initials alone, or the given name of a cited author alone."""
    givens = _givens(cited)
    return any(_rest(name, givens) for name in found)


def names_others(cited: Sequence[Name], found: Sequence[Name]) -> bool:
    """Whether a record that no cited person fits names someone in full, a person or a group that is no publisher.

    Its list may be cut or damaged, and then it proves little; but what is whole in it is another's.
    """
    givens = _givens(cited)
    whole = any(not _rest(name, givens) and not is_house(name.words) for name in found)
    return whole and not any(name.group for name in cited)


def _givens(cited: Sequence[Name]) -> set[str]:
    """Give the given names in full that are no one's family name."""
    givens = {word for name in cited for word in name.given if len(word) > 1}
    return givens - {word for name in cited for word in name.families}


def _rest(name: Name, givens: set[str]) -> bool:
    if all(len(word) == 1 for word in name.words):
        return True
    return len(name.words) == 1 and name.words[0] in givens


def collective(people: Sequence[Person]) -> bool:
    """Whether a list is one unsplit name, too long for a person's: a group of any kind."""
    lone = people[0] if len(people) == 1 else None
    return lone is not None and not lone.family and len((lone.literal or "").split()) > _MAX_PERSON
