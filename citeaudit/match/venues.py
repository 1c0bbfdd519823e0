"""Compare the names of journals, proceedings and books.

Venue names are abbreviated in as many ways as there are styles, so a name is only ever found *the same*,
*abbreviated*, *a part* or *the series* of the other, *a preprint server* or *another*; none of that alone accuses.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from citeaudit.match.venue_kin import are_kin
from citeaudit.match.venue_list import is_word
from citeaudit.match.venue_names import MAX_VENUE, Venue, core_of, parse, section_of, shortens, unlettered, words_of
from citeaudit.text.lists import read_rows
from citeaudit.text.normalize import fold

_PREPRINT = re.compile(
    r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|techrxiv|psyarxiv|eartharxiv|ssrn|e ?prints?|preprints?|openreview"
    r"|research square|computing research repository)\b"
)
_PREPRINT_DOI = re.compile(
    r"10\.(?:48550/arxiv|2139/ssrn|1101/\d|64898/|26434/|36227/techrxiv|31234/osf|31219/osf|31223/|20944/preprints"
    r"|21203/rs)"
)  # arXiv, SSRN, bioRxiv and medRxiv (all digits), ChemRxiv, TechRxiv, PsyArXiv, OSF, EarthArXiv, Preprints.org, RS
_MIN_ACRONYM = 3
_MIN_CUT = 3
"""Words a venue name has at least where it may have lost its last one: `Journal of Machine Learning` (Research)."""
_PLACES = frozenset({"u a", "usa", "us", "uk", "u k"})  # `s` is a small word
_SPONSORS = frozenset(
    {
        "aaai",
        "acl",
        "eurographics",
        "ifip",
        "isca",
        "sigchi",
        "sigir",
        "sigkdd",
        "sigmod",
        "sigplan",
        "sigsac",
        "usenix",
    }
)

ORDER = ("venue_same", "venue_abbreviated", "venue_series", "venue_part", "venue_preprint", "venue_differs")
"""Rules that `venue_rule` gives, the closest first."""


def is_preprint(name: str) -> bool:
    """Whether a venue string names a preprint server: `arXiv preprint arXiv:1706.03762`, `CoRR`.

    >>> is_preprint("CoRR abs/1706.03762"), is_preprint("Physical Review Letters")
    (True, False)
    """
    return _PREPRINT.search(fold(name[:MAX_VENUE])) is not None


def is_preprint_doi(doi: str) -> bool:
    """Whether a DOI is of a kind that only preprints have; that of a publication may share the prefix of bioRxiv.

    >>> is_preprint_doi("10.1101/2020.01.01.123456"), is_preprint_doi("10.1101/gr.123456")
    (True, False)
    """
    return _PREPRINT_DOI.match(doi[:MAX_VENUE].lower()) is not None


@lru_cache(maxsize=16_384)
def venue_rule(claimed: str, found: str) -> str:
    """Give the name of the rule that relates two venue names: one of `ORDER`.

    >>> venue_rule("Phys. Rev. Lett.", "Physical Review Letters"), venue_rule("ICML 2021", "PMLR")
    ('venue_abbreviated', 'venue_series')
    """
    one, two = parse(claimed), parse(found)
    if one.text.replace(" ", "") == two.text.replace(" ", ""):
        return "venue_same"
    if is_preprint(claimed) or is_preprint(found):
        return "venue_preprint"
    if are_kin(one, two):
        return "venue_differs"
    if _series(one, two) or _series(two, one):
        return "venue_series"
    if _related(one, two):
        return "venue_abbreviated" if one.part == two.part else "venue_part"
    return "venue_differs"


def is_vague(name: str) -> bool:
    """Whether a venue string tells no venue: `Proceedings of the`, `2019`.

    >>> is_vague("Proceedings of the 2019"), is_vague("Proceedings of CHI")
    (True, False)
    """
    return not parse(name).telling


@lru_cache(maxsize=4_096)
def is_plain(claimed: str, found: str) -> bool:
    """Whether two names are the same word by word, each perhaps cut short, or known to stand for each other.

    >>> is_plain("Nat. Methods", "Nature Methods"), is_plain("Nat. Med.", "Nature Methods")
    (True, False)
    """
    left, right = words_of(claimed), words_of(found)
    if len(left) == len(right) and all(a.startswith(b) or b.startswith(a) for a, b in zip(left, right, strict=True)):
        return True
    one, two = parse(claimed), parse(found)
    return one.text in one.forms and bool(one.forms & two.forms)


def _related(one: Venue, two: Venue) -> bool:
    """Whether two names are of one venue, or of one and a part of it."""
    if one.forms and two.forms:
        if one.forms & two.forms:
            return True
        if not one.part and not two.part:
            return False
    if _acronym(one, two) or _acronym(two, one):
        return True
    if one.kind and two.kind and one.kind != two.kind:
        return False  # a journal and a meeting on the same matter
    return _cores(one, two) or _cut(one.content, two.content)


def _cores(one: Venue, two: Venue) -> bool:
    """Whether the telling words of both are the same or shorten each other, in order."""
    left, right = (_unsponsored(venue.core) for venue in (one, two))
    first, second = section_of(one.content), section_of(two.content)
    if not left or not right or (first and second and first != second):
        return False
    if len(left) == len(right) == 1 and left[0] in one.acronyms and right[0] in two.acronyms:
        return left == right  # an acronym is not cut: ICML, ICMLA
    if first or second:
        left, right = (unlettered(core, first or second) for core in (left, right))
    if len(left) > len(right):
        left, right = right, left
    rest = " ".join(right[len(left) :])
    if len(left) == len(right) == 1 and left != right and _other_word(*sorted((left[0], right[0]), key=len)):
        return False
    return (not rest or rest in _PLACES) and all(map(shortens, left, right))


def _other_word(short: str, long: str) -> bool:
    """Whether two names of one word each are other names, though the letters fit: `Neuron`, `Neuroscience`; `Cells`."""
    return is_word(short) and (not long.startswith(short) or (long == f"{short}s" and is_word(long)))


def _unsponsored(core: tuple[str, ...]) -> tuple[str, ...]:
    while len(core) > 1 and core[0] in _SPONSORS:
        core = core[1:]
    return core


def _cut(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether the one is the other without its last word, as a field cut too early is; a last letter is no word."""
    short, long = sorted((one, two), key=len)
    if len(short) < _MIN_CUT or len(long) != len(short) + 1 or len(long[-1]) == 1 or len(core_of(short)) <= 1:
        return False
    return all(map(shortens, short, long))


def _acronym(short: Venue, long: Venue) -> bool:
    """Whether capitals in the one stand in the other or spell the initials of its words."""
    words, initials = set(long.text.split()), "".join(word[0] for word in long.content)
    shorts = {name for name in short.acronyms if len(name) >= _MIN_ACRONYM and name not in _SPONSORS}
    return any(name in words or initials.endswith(name) for name in shorts)


@cache
def _members() -> tuple[tuple[tuple[str, ...], frozenset[str]], ...]:
    rows = read_rows("citeaudit.match", "venue_series.tsv")
    return tuple((tuple(name.split()), frozenset(members.split())) for name, members in rows)


def _series(series: Venue, venue: Venue) -> bool:
    """Whether the one is a series or journal in which the papers of the other appear."""
    padded = f" {' '.join(series.content)} "
    for words, members in _members():
        if f" {' '.join(words)} " in padded and len(series.content) <= len(words) + 1:
            return ("*" in members and venue.kind != "journal") or bool(members & (venue.forms | venue.acronyms))
    return False
