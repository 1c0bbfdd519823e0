"""Mend misread, misspelt and broken words of a question by the words that an index holds.

A title that was scanned, broken at line ends or typed in haste may have hardly a word left that its record holds. What
no record holds, or a single one, is looked up again: joined with its neighbours, with misread letters undone, among
the words that begin alike, parted in two, and with the letters of its beginning mended. What is found is a guess to
search by; the ranking decides, on the whole title. The work is bounded whatever the question: by `MAX_LOOKS` and
`MAX_WALKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

Known = Callable[[str], int]
"""Gives how many records hold a word."""

Begins = Callable[[str], Sequence[tuple[str, int]]]
"""Gives the words that begin so, in any order, and how many records hold each."""

MAX_LOOKS, MAX_WALKS = 1_000, 40
"""Words, and beginnings, that are looked up at most for one question.

Two questions in three whose words are all gibberish reach both bounds, and take 3.5 ms.
"""

MAX_BROKEN, MAX_NAMES = 10, 4
"""Unknown words of a title, and unknown surnames, that are mended at most: the first ones."""

MAX_PAIRS = 60
"""Neighbours that are looked up as one word, at most: the first ones."""

HELD = 2
"""Records that must hold a mended word: what a single one holds may be misread there."""

HALF = 50
"""Records that may hold the half of a broken word, at most, where it has `LEAST` letters."""

HELD_EACH = 10
"""Records that must hold each of two words that were run together."""

BEGINNING = 4
"""Letters of a beginning, the `z` of a surname not counted."""

SHORTEST, LEAST, LONGEST = 3, 5, 40
"""Letters of a word that is mended: at least; to be held against others, since short ones are alike by chance; at most.
"""

SLIPS = ((6, 1), (9, 2), (LONGEST + 1, 3))
"""Letters of a word, at most, and how many of them may be wrong beside those that are often misread."""

_CONFUSED = (
    "rn m|cl d|vv w|uu w|ii u|ii n|li h|ri n|in m|ni m|nn m|iii m|tl d|lt h|fi h|ti h|cl a|ci a|lc k|"
    "1 l|1 i|l i|i j|l t|i t|f t|r t|0 o|5 s|8 b|6 b|9 g|2 z|8 s|q g|c e|c o|e o|a o|a e|a s|"
    "h b|h n|h k|u n|u v|v y|n m|n r|m w|x z|d a|g y|i r"
)
"""What print, scanners and eyes confuse, from general knowledge; either may stand for the other."""

_DRAWN = (
    ("iii", "m"), ("rn", "m"), ("ni", "m"), ("in", "m"), ("nn", "m"), ("vv", "w"), ("uu", "w"), ("cl", "d"),
    ("tl", "d"), ("li", "h"), ("fi", "h"), ("ti", "h"), ("lt", "h"), ("ri", "n"), ("ii", "n"),
)  # fmt: skip
"""Letters that together look as another one."""

_SHAPES = str.maketrans(
    {letter: kind[0] for kind in ("lij1tf", "oec0a", "s5", "nuv", "hbk86", "gqy9", "z2x") for letter in kind}
)
"""Letters that look alike, each as the first of its kind."""

_SMALL = frozenset(("a", "an", "as", "at", "by", "de", "in", "is", "la", "of", "on", "or", "to"))
"""Words of one or two letters that are often run together with the next."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _both_ways(pairs: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one, other in (pair.split() for pair in pairs.split("|")):
        found[one] = (*found.get(one, ()), other)
        found[other] = (*found.get(other, ()), one)
    return found


_UNDONE = _both_ways(_CONFUSED)
_SIZES = sorted({len(letters) for letters in _UNDONE})


class _Looker:
    """Looks words up, each once, and no more than is allowed."""

    def __init__(self, known: Known, begins: Begins) -> None:
        self._known, self._begins = known, begins
        self._held: dict[str, int] = {}
        self._walked: dict[str, Sequence[tuple[str, int]]] = {}

    def known(self, word: str) -> int:
        """Give how many records hold a word; none where no more may be looked up."""
        held = self._held.get(word)
        if held is None:
            if len(self._held) >= MAX_LOOKS:
                return 0
            held = self._held[word] = self._known(word)
        return held

    def begins(self, beginning: str) -> Sequence[tuple[str, int]]:
        """Give the words that begin so; none where no more may be looked up."""
        walked = self._walked.get(beginning)
        if walked is None:
            if len(self._walked) >= MAX_WALKS:
                return ()
            walked = self._walked[beginning] = self._begins(beginning)
        return walked

    def best(self, forms: Iterable[str]) -> tuple[str, ...]:
        """Give the form that most records hold, the first of equal ones."""
        most, best = HELD - 1, ""
        held, look = self._held, self._known
        for form in forms:  # a thousand times a question, and so without calls of our own
            count = held.get(form)
            if count is None:
                if len(held) >= MAX_LOOKS:
                    break
                count = held[form] = look(form)
            if count > most:
                most, best = count, form
        return (best,) if best else ()


def mended(words: Sequence[str], known: Known, begins: Begins) -> list[str]:
    """Give words to search by: those that are there, and what the unknown ones may have been.

    Args:
        words: Folded words in their order, none empty, and surname terms (`z` before).
        known: Looks a word up; called `MAX_LOOKS` times at most.
        begins: Looks a beginning up; called `MAX_WALKS` times at most.

    Returns:
        The words, without the rarer halves of broken ones; then those that were found. None twice.
    """
    look = _Looker(known, begins)
    found: dict[str, None] = {}
    halves: set[int] = set()
    for at, joined in _joined(words, look):
        halves.update(place for place in (at, at + 1) if look.known(words[place]) < look.known(joined))
        found[joined] = None
    broken = [at for at, word in enumerate(words) if at not in halves and _is_broken(word, look)]
    names = [at for at in broken if _is_name(words[at])]
    left = [*[at for at in broken if not _is_name(words[at])][:MAX_BROKEN], *names[:MAX_NAMES]]
    for step in (_misread, _alike, _parted, _begun, _edited):
        more = [(at, step(words, at, look)) for at in left]
        found.update(dict.fromkeys(word for _, some in more for word in some))
        left = [at for at, some in more if not some]
    kept = [word for at, word in enumerate(words) if at not in halves]
    return list(dict.fromkeys((*kept, *found)))


def _is_name(word: str) -> bool:
    """Whether it is a surname term; a word of a title that begins so is mended as one, and that is no matter."""
    return word.startswith("z")


def _is_broken(word: str, look: _Looker) -> bool:
    return SHORTEST <= len(word) <= LONGEST and look.known(word) < HELD


def _joined(words: Sequence[str], look: _Looker) -> Iterator[tuple[int, str]]:
    """Give neighbours that are halves of one word: more records hold it than the rarer of the two."""
    for at, (one, other) in enumerate(pairwise(words[:MAX_PAIRS])):
        if not _is_name(one) and not _is_name(other) and len(one) + len(other) <= LONGEST:
            held = look.known(one + other)
            if held >= HELD and held > min(look.known(one), look.known(other)):
                yield at, one + other


def _forms(words: Sequence[str], at: int, look: _Looker) -> Iterator[str]:
    """Give a word, alone and joined with its neighbours."""
    word = words[at]
    yield word
    if _is_name(word):
        return
    if at + 1 < len(words) and _may_be_half(words[at + 1], look):
        yield word + words[at + 1]
    if at and _may_be_half(words[at - 1], look):
        yield words[at - 1] + word


def _may_be_half(word: str, look: _Looker) -> bool:
    return not _is_name(word) and (len(word) < LEAST or look.known(word) < HALF)


# --- the steps: each gives the words that one word may have been ---------------------------------------------


def _misread(words: Sequence[str], at: int, look: _Looker) -> tuple[str, ...]:
    """Undo one misreading, anywhere."""
    return look.best(one for form in _forms(words, at, look) for one in undone(form))


def _alike(words: Sequence[str], at: int, look: _Looker) -> tuple[str, ...]:
    """Find a word with the same beginning."""
    return _nearest(((form, 0) for form in _forms(words, at, look)), look)


def _parted(words: Sequence[str], at: int, look: _Looker) -> tuple[str, ...]:
    """Find two known words that were run together: those of which the rarer is held most."""
    word = words[at]
    best = HELD_EACH - 1
    parts: tuple[str, ...] = ()
    for cut in range(1, 1 if _is_name(word) else len(word)):
        one, other = word[:cut], word[cut:]
        if all(len(part) >= SHORTEST or part in _SMALL for part in (one, other)) and look.known(one) > best:
            held = min(look.known(one), look.known(other))
            if held > best:
                best, parts = held, (one, other)
    return parts


def _begun(words: Sequence[str], at: int, look: _Looker) -> tuple[str, ...]:
    """Find a word whose beginning was misread or misspelt."""
    end = _end(words[at])
    forms = ((one, 1) for form in _forms(words, at, look) for one in (*undone(form, end), *_typed(form, end)))
    return _nearest(forms, look)


def _edited(words: Sequence[str], at: int, look: _Looker) -> tuple[str, ...]:
    """Put in or replace one letter of the beginning."""
    word = words[at]
    if len(word) < LEAST:
        return ()
    return look.best(
        word[:place] + letter + word[place + cut :]
        for place in range(int(_is_name(word)), _end(word))
        for cut in (0, 1)
        for letter in _LETTERS
    )


# --- forms ---------------------------------------------------------------------------------------------------


def _end(word: str) -> int:
    """Give the letters of its beginning."""
    return BEGINNING + _is_name(word)


def undone(word: str, end: int = LONGEST) -> list[str]:
    """Give a word with one misreading undone, each way once, at the places before `end`; the `z` of a surname stays.

    >>> undone("horn", 2)
    ['liorn', 'ltorn', 'fiorn', 'tiorn', 'born', 'norn', 'korn', 'h0rn', 'hcrn', 'hern', 'harn']
    """
    forms: list[str] = []
    for at in range(int(_is_name(word)), min(end, len(word))):
        before = word[:at]
        for size in _SIZES:
            others = _UNDONE.get(word[at : at + size])
            if others and at + size <= len(word):
                after = word[at + size :]
                forms += [before + other + after for other in others]
    return forms


def _typed(word: str, end: int) -> Iterator[str]:
    """Give a word with two letters of its beginning swapped, and without each of them."""
    for at in range(int(_is_name(word)), min(end, len(word) - 1)):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        yield word[:at] + word[at + 1 :]


def _nearest(forms: Iterable[tuple[str, int]], look: _Looker) -> tuple[str, ...]:
    """Give the word that is most like any of some forms; of those equally like, the one that most records hold.

    Args:
        forms: With what each has cost already.
        look: Looks up.
    """
    best: tuple[float, int, str] | None = None
    for form, cost in dict.fromkeys(forms):
        size = len(form) - _is_name(form)
        counts = dict(look.begins(form[: _end(form)])) if LEAST <= size <= LONGEST else {}
        if not counts:
            continue
        slips = next(slips for most, slips in SLIPS if size <= most)
        shape = _shape(form)
        for word, wrong, _ in process.extract(
            form, list(counts), scorer=OSA.distance, score_cutoff=slips + 2, limit=None
        ):
            drawn = OSA.distance(shape, _shape(word))
            if drawn <= slips and counts[word] >= HELD:
                one = (cost + drawn + wrong / 4, -counts[word], word)  # a letter misread costs a quarter of another
                best = one if best is None or one < best else best
    return () if best is None else (best[2],)


@lru_cache(maxsize=20_000)
def _shape(word: str) -> str:
    """Give a word as it looks from afar: two words that scanners confuse have nearly the same."""
    for drawn, other in _DRAWN:
        if drawn in word:
            word = word.replace(drawn, other)
    return word.translate(_SHAPES)
