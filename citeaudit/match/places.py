"""Compare where a work appeared: venue, volume, issue, pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from citeaudit.match.field import match_of
from citeaudit.match.posted import is_only_posted
from citeaudit.match.venue_list import is_listed, is_venue
from citeaudit.match.venue_names import parse
from citeaudit.match.venues import ORDER, is_preprint, is_vague, venue_rule
from citeaudit.model import FieldMatch, FieldName, Reference, Version, Work
from citeaudit.text.normalize import fold

_LEADING = re.compile(r"[a-z]*\d+[a-z]?")
_ROMAN = re.compile(r"(?=[ivxlc])(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VOLUME = re.compile(r"(?:vol(?:ume)? )?(?:([a-z]) ?|s(?:er(?:ies)?)? ?(\d{1,2}) )?(\d{1,6})(?: ?([a-z]))?")
_LETTERED = re.compile(r"\s{0,3}([A-HX])\s?\d")
_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_TOLD = frozenset({"venue_differs", "venue_main", "venue_unknown"})
"""Rules by which two venues are told beside each other as a difference."""
_MAX_FIELD = 200
_MIN_ARTICLE = 3
"""Digits from which a number beside a range may be that of an article; shorter ones are pages."""


def venue_match(reference: Reference, work: Work) -> FieldMatch | None:
    """Compare the venue with those of all versions; `None` where neither side has one."""
    names = [name for name in (work.container_title, *(version.container_title for version in work.versions)) if name]
    claimed = reference.container_title
    if not claimed:
        return match_of(FieldName.CONTAINER_TITLE, "venue_not_cited", (None, names[0])) if names else None
    if is_vague(claimed) and not is_preprint(claimed):
        return match_of(FieldName.CONTAINER_TITLE, "venue_vague", (claimed, names[0] if names else None))
    if not names:
        return match_of(FieldName.CONTAINER_TITLE, _unrecorded(claimed, work), (claimed, None))
    if all(map(is_preprint, names)) and _unrecorded(claimed, work) != "venue_not_recorded":
        return match_of(FieldName.CONTAINER_TITLE, "venue_posted", (claimed, names[0]))  # a server is no venue
    full = _sectioned(claimed, reference.volume)
    rules = ((min(venue_rule(claimed, name), venue_rule(full, name), key=ORDER.index), name) for name in names)
    rule, found = min(rules, key=lambda pair: ORDER.index(pair[0]))
    if rule == "venue_differs" and is_venue(claimed) and not is_listed(claimed):
        rule = "venue_unknown"
    if rule == "venue_part" and not parse(claimed).part and _in_year(reference.year, found, work):
        rule = "venue_main"  # but a record may be coarse: indexes file Findings and tracks under the meeting
    diff = (f"{claimed} -> {found}",) if rule in _TOLD else ()
    return match_of(FieldName.CONTAINER_TITLE, rule, (claimed, found), diff)


def _sectioned(venue: str, volume: str | None) -> str:
    """Give a venue with the letter of its section, which physicists write before the volume: `Phys. Lett.`, `B716`."""
    hit = _LETTERED.match((volume or "")[:_MAX_FIELD])
    return f"{venue.rstrip(' .,')} {hit.group(1)}" if hit else venue


def _in_year(year: int | None, venue: str, work: Work) -> bool:
    """Whether a version appeared in that venue in the cited year; of a workshop paper the meeting may print another."""
    forms: tuple[Work | Version, ...] = (work, *work.versions)
    return any(form.container_title == venue and form.year == year for form in forms) and year is not None


def _unrecorded(claimed: str, work: Work) -> str:
    """Name the rule for a cited venue where no version has one: a preprint that nothing says was published."""
    if is_preprint(claimed) or not is_venue(claimed) or not is_only_posted(work):
        return "venue_not_recorded"
    return "venue_unsupported" if is_listed(claimed) else "venue_unknown"


def number_matches(reference: Reference, work: Work) -> Iterable[FieldMatch | None]:
    """Compare volume, issue and pages, in this order; `None` for what neither side has."""
    forms: tuple[Work | Version, ...] = (work, *work.versions)
    yield _number(FieldName.VOLUME, reference.volume, tuple(form.volume for form in forms))
    yield _number(FieldName.ISSUE, reference.issue, (work.issue,))
    yield _number(FieldName.PAGES, reference.pages, tuple(form.pages for form in forms), _bound(reference, forms))


def _bound(reference: Reference, forms: tuple[Work | Version, ...]) -> frozenset[str]:
    """Give the pages of versions in the very venue and volume cited: one volume paginates a text once."""
    venue, volume = reference.container_title, reference.volume
    if not venue or not volume or not reference.pages:
        return frozenset()
    here = (form for form in forms if form.pages and form.volume and _same_volume(volume, form.volume))
    named = ((form.pages or "", form.container_title) for form in here)
    return frozenset(pages for pages, name in named if name and venue_rule(venue, name) in ORDER[:2])


def _number(
    name: FieldName, claimed: str | None, values: tuple[str | None, ...], bound: frozenset[str] = frozenset()
) -> FieldMatch | None:
    known = [value for value in values if value]
    same = _same_volume if name is FieldName.VOLUME else _same_number
    if not claimed:
        return match_of(name, f"{name}_not_cited", (None, known[0])) if known else None
    if not known:
        return match_of(name, f"{name}_not_recorded", (claimed, None))
    equal = next((value for value in known if same(claimed, value)), None)
    if equal is not None:
        return match_of(name, f"{name}_same", (claimed, equal))
    if name is FieldName.PAGES:
        rules = ((rule, value) for value in known if (rule := _pages_rule(claimed, value, once=value in bound)))
        for rule, value in rules:
            return match_of(name, rule, (claimed, value))
    return match_of(name, f"{name}_differs", (claimed, known[0]), (f"{claimed} -> {known[0]}",))


def _same_number(claimed: str, found: str) -> bool:
    """Whether two volumes, issues or page ranges agree: the same text, or the same first number and no other last one.

    `123-45` is `123-145`; a lone first page is its range; `e0123` is `0123`, and so is `A0123`.
    """
    one, two = fold(claimed[:_MAX_FIELD]), fold(found[:_MAX_FIELD])
    if one == two:
        return True
    left, right = _numbers(one), _numbers(two)
    if not left or not right or left[0] != right[0]:
        return False
    return min(len(left), len(right)) == 1 or _last(left[0], left[1]) == _last(right[0], right[1])


def _last(first: str, last: str) -> str:
    """Give a last page in full: only a number shorter than the first page is an abbreviated one."""
    return first[: max(len(first) - len(last), 0)] + last


def _same_volume(claimed: str, found: str) -> bool:
    """Whether two volumes agree, one perhaps in roman numbers, or with the letter or number of its series.

    `XII` is `12`; `A247` and `247 A` are `247`; `s2-42`, the second series of the Proceedings of the London
    Mathematical Society, is `42`.
    """
    if _same_number(claimed, found):
        return True
    (one, number), (two, other) = _volume(claimed), _volume(found)
    return number == other != 0 and (not one or not two or one == two)


def _volume(text: str) -> tuple[str, int]:
    """Take a volume apart into the name of its series, often empty, and its number; 0 where it has none."""
    plain = fold(text[:_MAX_FIELD])
    hit = _VOLUME.fullmatch(plain)
    if hit:
        return hit.group(1) or hit.group(2) or hit.group(4) or "", int(hit.group(3))
    return "", _roman(plain) if _ROMAN.fullmatch(plain) else 0


def _roman(text: str) -> int:
    """Give the value of a roman number in small letters."""
    values = [_DIGITS[letter] for letter in text]
    return sum(-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True))


def _numbers(text: str) -> list[str]:
    """Give the numbers of a folded field without leading zeros; roman ones in figures."""
    found = _LEADING.findall(text)
    if not found:
        return [str(_roman(word)) for word in text.split() if _ROMAN.fullmatch(word)]
    return [re.sub(r"^[ae]?0*(?=\d)", "", number) for number in found]


def _pages_rule(claimed: str, found: str, *, once: bool) -> str | None:
    """Name the rule by which two ranges may be of one text: collections paginate anew, or number articles.

    A volume has the text `once`: in it two ranges of one length are not both right, unless one names the article too.
    """
    one, two = (_range(_numbers(fold(text[:_MAX_FIELD]))) for text in (claimed, found))
    if one is None or two is None:
        return "pages_article" if _article(claimed, found) or _article(found, claimed) else None
    if abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1:
        return "pages_near"
    apart = once or one[1] - one[0] != two[1] - two[0] or _misread(one, two)
    return "pages_counted" if one == two or not apart else None


def _misread(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Whether leading digits of both ends were lost, or both ends are a page or two off: no pagination of its own."""
    (first, last), (other, end) = sorted((one, two))
    lost = str(other).endswith(str(first)) and str(end).endswith(str(last)) and first > 1
    return lost or (first > 1 and other <= last)


def _range(numbers: list[str]) -> tuple[int, int] | None:
    """Give first and last page; `355 1 355 34` is page 1 to 34 of article 355."""
    if len(numbers) == 4 and numbers[0] == numbers[2]:  # noqa: PLR2004 - article and page, twice
        numbers = [numbers[1], numbers[3]]
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):  # noqa: PLR2004
        return None
    first, last = numbers[0], _last(*numbers)
    return (int(first), int(last)) if int(first) < int(last) else None


def _article(number: str, pages: str) -> bool:
    """Whether the one is the number of an article, and the other counts its pages from one."""
    one = _LEADING.findall(fold(number[:_MAX_FIELD]))
    counted = _range(_numbers(fold(pages[:_MAX_FIELD])))
    return len(one) == 1 and len(re.sub(r"\D", "", one[0])) >= _MIN_ARTICLE and counted is not None and counted[0] == 1


def first_page(pages: str | None) -> str | None:
    """Give the first page of a range, folded; `None` where there is no number.

    >>> first_page("S123--S145"), first_page("in press")
    ('s123', None)
    """
    hit = _LEADING.search(fold((pages or "")[:_MAX_FIELD]))
    return hit.group() if hit else None
