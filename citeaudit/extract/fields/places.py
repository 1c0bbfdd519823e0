"""Describe the place of each word of a printed reference for the labeller: what stands about it and came before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citeaudit.extract.fields.tokens import Frame, Token, ends_sentence, kind

_INSIDE = frozenset({"in", "en", "em", "dans"})
_CLOSE = 40
"""Characters before a volume that are near it."""
_STEPS = ((20, "20"), (8, "8"), (3, "3"))
"""Words after the supposed start of the title, and the name of that distance."""


_NEAR = [next((name for least, name in _STEPS if gap >= least), str(gap)) for gap in range(_STEPS[0][0] + 1)]
_CAPPED = [min(number, 3) for number in range(64)] + [3] * 2_000
_CAPPED_4 = [min(number, 4) for number in range(64)] + [4] * 2_000
_CAPPED_6 = [min(number, 6) for number in range(64)] + [6] * 2_000
"""Tables, since this is the inner loop and a call of `min` costs more."""


def _near(gap: int) -> str:
    """Name the distance from the supposed start of the title, in words."""
    if gap < 0:
        return "-1" if gap == -1 else "<"
    return _NEAR[gap] if gap < len(_NEAR) else _NEAR[-1]


def _last_in(kinds: Sequence[tuple[str, str, str, str]]) -> int:
    """Give the last `In` or the like that follows a mark or has a colon, or -1."""
    for place in range(len(kinds) - 1, 0, -1):
        if kinds[place][0] in _INSIDE and (kinds[place - 1][3] or ":" in kinds[place][3]):
            return place
    return -1


Group = tuple[str | int | bool, ...]
"""What is said of a word's place, by what it depends on; `names` spells it out. Groups recur."""


def names(group: Group) -> tuple[str, ...]:
    """Spell out the features of a group."""
    match group:
        case ("lead", near, mark, style, early):
            return (f"near={near}", f"near={near}{mark}", f"near={near}{style}/{mark}", f"early={early}/{near}")
        case ("marks", before, shape, after, following):
            return (
                f"before+shape={before}/{shape}",
                f"shape+next={shape}/{following}",
                f"after+next={after}/{following}",
                f"before+shape+after={before}/{shape}/{after}",
            )
        case ("passed", stop, ahead, mark, before, comma, coming, since):
            return (
                f"stops={stop}/{ahead}{mark}",
                f"stops+before={stop}/{ahead}/{before}",
                f"commas={comma}/{coming}{mark}/{min(int(stop), 1)}",
                f"since={since}/{min(int(stop), 2)}",
            )
        case ("about", quote, volume, stop, before, side, near, first, last):
            found = [f"volume={volume}", f"volume+stops={volume}/{stop}{before}", f"first={first}", f"last={last}"]
            found += [str(quote)] if quote else []
            return (*found, f"in-{side}", f"in-{side}/{before}/{near}") if side else tuple(found)
    return ()


def places(listed: Sequence[Token], frame: Frame) -> Iterator[tuple[Group, Group, Group, Group]]:
    """Describe the place of each word, in the order of the words."""
    count, mark, style = len(listed), frame.mark, frame.style
    kinds = [kind(token.text) for token in listed]
    stops = [ends_sentence(token.text) for token in listed]
    commas = ["," in found[3] for found in kinds]
    lead = next((place for place, token in enumerate(listed) if token.start >= frame.start), count)
    last_in = _last_in(kinds)
    year = next((place for place in range(count) if kinds[place][1] == "year"), -1)
    early = year >= 0 and listed[year].start < frame.start
    all_stops, all_commas = sum(stops[lead:]), sum(commas[lead:])
    before = "^"
    passed = paused = since = 0
    for place, token in enumerate(listed):
        _, shape, _, after = kinds[place]
        following = kinds[place + 1][1] if place + 1 < count else "$"
        near, last, head = _near(place - lead), _CAPPED_4[count - 1 - place], before[:1]
        stop, ahead = _CAPPED[passed], _CAPPED[all_stops - passed]
        side = "" if last_in < 0 else "before" if place < last_in else "at" if place == last_in else "past"
        quote, volume = _about(token.start, frame)
        yield (
            ("lead", near, mark, style, early),
            ("marks", before, shape, after, following),
            ("passed", stop, ahead, mark, head, _CAPPED_4[paused], _CAPPED_4[all_commas - paused], _CAPPED_6[since]),
            ("about", quote, volume, stop, head, side, near, _CAPPED_4[place], last),
        )
        before = after
        since += 1
        if place >= lead and (stops[place] or commas[place]):
            passed, paused, since = passed + stops[place], paused + (not stops[place]), 0


def _about(start: int, frame: Frame) -> tuple[str, str]:
    """Name where a word stands to the quotation marks and to the volume."""
    quote = ""
    if frame.quoted is not None:
        first, last = frame.quoted
        quote = "quoted" if first <= start < last else "quote-later" if start < first else "quote-past"
    return quote, "past" if start >= frame.volume else "close" if frame.volume - start < _CLOSE else "far"
