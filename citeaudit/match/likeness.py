"""Say how a claimed name stands to a recorded one.

Initials, particles, a middle or a second family name left out, marks folded, spelt out or lost and another
romanisation are other forms of one name; one wrong letter is a slip; another given name is another person.
"""

from __future__ import annotations

from citeaudit.match.given import MIN_GARBLED, compare_given
from citeaudit.match.names import TWO_NAMES, Likeness, Name
from citeaudit.match.romanised import VOWELS, eastern, is_eastern, japanese, lost, one_surname, sounds
from citeaudit.text.similarity import edits

MIN_GARBLED_ALONE = 6
"""Letters a family name needs where the given names cannot confirm it in full: `Wang` and `Yang` are two people."""
MOST_LETTERS = 4
"""Letters that two spellings of one family name may not share: two letters wrong make at most four."""
MOST_WRONG = 2
"""Letters of such a name that may be wrong where the given names agree in full: `Farhadi`, `Fahardi`."""
MIN_CUT = 7
"""Letters of a family name that may be another cut short where the given names agree in full: Gholami, Gholaminejad."""
MIN_JOINED = 8
"""Letters a whole name needs to be recognised however it is split: `Jiajunzhang`."""
MIN_WORDS = 3
"""Words of a name whose order may be any; two that change places are turned round."""
MIN_WORD = 3
"""Letters of a word that tells something: `de`, `Li` and `Jr` stand in many names."""


def liken(claimed: Name, found: Name) -> Likeness:
    """Tell how two names stand to each other; the order of the two does not matter."""
    if claimed.group or found.group:
        return _like_groups(claimed, found)
    if claimed.keys.isdisjoint(found.keys):
        return _unlike(claimed, found)
    if _same_family(claimed, found):
        like = compare_given(claimed, found)
        joined = like is Likeness.GIVEN and (within(claimed, found) or within(found, claimed))
        return Likeness.INITIALS if joined else like
    if _swapped(claimed, found) or _swapped(found, claimed) or _reordered(claimed, found):
        return Likeness.SWAPPED
    if _turned(claimed, found) or _turned(found, claimed):
        return Likeness.INITIALS
    if _romanised(claimed, found) or _shorter(claimed, found) or _shorter(found, claimed):
        return Likeness.INITIALS
    if _unsplit(claimed, found) or _unsplit(found, claimed):
        return Likeness.INITIALS
    return Likeness.MISSPELT if _joined(claimed, found) or _garbled(claimed, found) else Likeness.OTHER


def _like_groups(one: Name, two: Name) -> Likeness:
    """Compare two names of which one at least is a group's, or a single word that may be a family name."""
    if _same_group(one, two):
        return Likeness.SAME
    if one.group and two.group:
        return Likeness.OTHER
    group, person = (one, two) if one.group else (two, one)
    lone = len(group.words) == 1 and group.families & person.families
    return Likeness.INITIALS if lone and person.given else Likeness.OTHER


def _unlike(claimed: Name, found: Name) -> Likeness:
    """Compare names without a word in common: most are dismissed by their letters."""
    family, whole = claimed.letters
    other, letters = found.letters
    if (family ^ other).bit_count() > MOST_LETTERS and (whole ^ letters).bit_count() > 1:
        return Likeness.OTHER
    if _romanised(claimed, found):
        return Likeness.INITIALS
    if _unsplit(claimed, found) or _unsplit(found, claimed):
        return Likeness.INITIALS
    return Likeness.MISSPELT if _joined(claimed, found) or _garbled(claimed, found) else Likeness.OTHER


def _shorter(short: Name, long: Name) -> bool:
    """Whether one name is the other with its parts cut, read otherwise or as initials."""
    return _glued(short, long) or _ends(short, long) or _initialled(short, long) or _part(short, long)


def slipped(one: Name, two: Name) -> bool:
    """Whether letters of a misspelt name differ that neither a lost mark nor another split of the name explains."""
    words = ("".join(one.words), "".join(two.words))
    if words[0] in (words[1], "".join(two.family + two.given)) or sorted(one.words) == sorted(two.words):
        return False
    parts = (("".join(one.family), "".join(two.family)), ("".join(one.given), "".join(two.given)))
    return not all(a == b or lost(a, b, VOWELS) or a[:1] == b[:1] == min(a, b, key=len) for a, b in parts)


def within(part: Name, whole: Name) -> bool:
    """Whether a name stands inside a longer one, as `Josh Achiam` in `OpenAI Josh Achiam`.

    Some records run names together: a company with a person, or two persons.
    """
    small, large = part.words, whole.words
    if len(small) >= len(large) or (len(small) < 2 and not part.group):  # noqa: PLR2004 - one bare word stands in anything
        return False
    if any(large[start : start + len(small)] == small for start in range(len(large) - len(small) + 1)):
        return True
    full = {word for word in small if len(word) > 1}
    return len(large) >= TWO_NAMES and len(full) > 1 and full <= set(large)


def _same_family(claimed: Name, found: Name) -> bool:
    """Whether two family names agree, a second surname left out being agreement."""
    if claimed.families & found.families:
        return True
    short, long = sorted((claimed, found), key=lambda name: len(name.family))
    ends = (long.family[0], long.family[-1]) if len(long.family) > 1 else ()
    if len(short.family) == 1 and len(short.family[0]) > 2 and short.family[0] in ends:  # noqa: PLR2004
        return True
    return sorted(claimed.words) == sorted(found.words) and claimed.words[-1:] == found.words[-1:]


def _swapped(one: Name, two: Name) -> bool:
    """Whether `one` has its parts in the other order."""
    if not one.given or not two.given or "".join(one.given) not in two.families:
        return False
    return "".join(one.family) == "".join(two.given) or one.family[:1] == two.given[:1]


def _reordered(one: Name, two: Name) -> bool:
    """Whether two names have the same three words or more in another order, as Vietnamese ones are printed."""
    return len(one.words) >= MIN_WORDS and sorted(one.words) == sorted(two.words)


def _turned(short: Name, whole: Name) -> bool:
    """Whether `whole` has the family name first, and `short` its initials: `V. D. Nguyen` for `Nguyen Van Duc`.

    A family name alone says that where it is a usual one of a people that puts it first; else the initials must be two.
    """
    if not short.given or not whole.given or whole.given[0] not in short.families or len(whole.given[0]) == 1:
        return False
    rest = whole.given[1:] + whole.family
    initials = "".join(word[0] for word in short.given)
    if not all(len(word) == 1 for word in short.given) or not (is_eastern(whole.given[0]) or len(rest) > 1):
        return False
    if len(rest) == 1:
        letters = iter(rest[0][1:])
        return rest[0][0] == initials[0] and all(letter in letters for letter in initials[1:])
    return sorted(initials) == sorted(word[0] for word in rest)


def _ends(short: Name, long: Name) -> bool:
    """Whether `long` only adds a second family name that was read as the family: `Carlos Riquelme Ruiz`."""
    words = short.words
    return len(words) > 1 and len(words[0]) > 1 and long.words[:-1] == words


def _glued(one: Name, two: Name) -> bool:
    """Whether `one` was read as `Baldassarre` given to a family `ME`, the initials of `two`."""
    family, initials = "".join(one.family), "".join(word[0] for word in two.given)
    return 0 < len(family) <= 3 and "".join(one.given) in two.families and initials.startswith(family)  # noqa: PLR2004


def _initialled(short: Name, long: Name) -> bool:
    """Whether the family name is an initial on one side, as in South India: `Lokesh N` for `Lokesh Nagalapatti`."""
    family, given = "".join(short.family), "".join(short.given)
    if len(family) != 1 or len(given) < MIN_GARBLED:
        return False
    return given == "".join(long.given) and "".join(long.family).startswith(family)


def _part(short: Name, long: Name) -> bool:
    """Whether all whole words of one name stand in the other in order, as `Ana Reyes` in `S. Ana Reyes Soto`."""
    small, large = ([word for word in name.words if len(word) >= MIN_WORD] for name in (short, long))
    if not 1 < len(small) < len(large) + (len(short.words) < len(long.words)):
        return False
    if len("".join(small)) <= MIN_JOINED:
        return False
    rest = iter(large)
    return all(word in rest for word in small)


def _romanised(one: Name, two: Name) -> bool:
    """Whether the family names are one in two romanisations, and the given names agree in one of them."""
    left, right = "".join(one.family), "".join(two.family)
    slavic = sounds(left, right, slavic=True)
    if slavic or japanese(left, right):
        if compare_given(one, two) >= Likeness.INITIALS:
            return True
        return slavic and bool(one.given and two.given) and sounds(one.given[0], two.given[0], slavic=True)
    if not one.given or not two.given or not one_surname(left, right):
        return False
    given = ("".join(one.given), "".join(two.given))
    return compare_given(one, two) >= Likeness.INITIALS or (left != right and eastern(*given, pinyin=True))


def _garbled(one: Name, two: Name) -> bool:
    """Whether letters of the family name are wrong or lost, and the given names bear out that it is one person.

    One wrong letter or lost marked ones need the given names in full, or a long name; two wrong ones both.
    """
    left, right = "".join(one.family), "".join(two.family)
    longest = max(len(left), len(right))
    if longest < MIN_GARBLED:
        return False
    gone = any(lost(a, b) for a in one.families for b in two.families)
    wrong = edits(left, right)
    first, second = "".join(one.given), "".join(two.given)
    whole = min(len(first), len(second)) > 1
    if (
        whole
        and first == second
        and min(len(left), len(right)) >= MIN_CUT
        and (left.startswith(right) or right.startswith(left))
    ):
        return True
    if wrong > 1 and not gone:
        close = wrong == MOST_WRONG and longest >= MIN_GARBLED_ALONE and left[:1] == right[:1]
        return close and whole and first == second
    if whole and (first == second or (gone and compare_given(one, two) >= Likeness.MISSPELT)):
        return True
    return longest >= MIN_GARBLED_ALONE and compare_given(one, two) >= Likeness.MISSPELT


def _unsplit(one: Name, two: Name) -> bool:
    """Whether one name is the other as one word, in either order: `caizijian` for Zijian Cai."""
    if len(one.words) != 1 or len(two.words) < 2 or len(one.words[0]) < MIN_JOINED:  # noqa: PLR2004 - a name and a name
        return False
    return one.words[0] in ("".join(two.words), "".join(two.family + two.given))


def _joined(one: Name, two: Name) -> bool:
    """Whether two names have the same letters, split elsewhere or not at all, up to one letter too many."""
    left, right = "".join(one.words), "".join(two.words)
    if min(len(left), len(right)) < MIN_JOINED:
        return False
    if right in (left, "".join(one.family + one.given)) or left == "".join(two.family + two.given):
        return True
    return len(left) != len(right) and edits(left, right) == 1


def _same_group(one: Name, two: Name) -> bool:
    """Whether two groups are one: the same words, an acronym, or a longer form of the name."""
    left, right = (tuple(word for word in name.words if word != "the") for name in (one, two))
    if "".join(left) == "".join(right):
        return True
    if not left or not right:
        return False
    short, long = sorted((left, right), key=len)
    if one.group and two.group and long[: len(short)] == short:
        return True
    return len(short) == 1 and len(short[0]) > 2 and short[0] == "".join(word[0] for word in long)  # noqa: PLR2004
