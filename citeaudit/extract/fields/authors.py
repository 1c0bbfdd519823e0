"""Find where the author list of a printed reference ends.

Several readings of the start are tried: names of one style (`fields_names`), a body, a list of mixed style
that is clearly closed, whatever stands before a year. The one that reaches farthest comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citeaudit.extract.fields.names import (
    FAMILY,
    INITIALS,
    ORDER,
    UPPER,
    WORD,
    NameStyle,
    group_at,
    take_names,
)
from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.text.names import PARTICLES, has_surname, is_group

__all__ = ["AuthorSpan", "NameStyle", "scan"]


class AuthorSpan(NamedTuple):
    """An author list at the start of a reference; spans are half-open."""

    style: NameStyle
    end: int
    """Where the names end, closing punctuation and role words left out."""
    after: int
    """Where the next field starts."""
    names: int
    """Names taken."""
    mark: str
    """What closes the list: `.`, `,`, `:`, `;`, `(`, `"` or nothing."""
    truncated: bool


_ET_AL = re.compile(
    r"[\s,;]{0,2}(?:and\s|&\s|und\s)?"
    r"(?:\(?et\.?\s?al(?![^\W\d_])\.?\)?|and others|u\.\s?a\.|y otros|e outros|\.\.\.|…|等)[.,]?",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"[\s,.]{0,2}(?:[(\[]\s?(?:eds?|hrsg|hg|herausgeber|editors?|edd|a c(?:ura)?\. ?di|a cura di|dirs?|"
    r"orgs?|coords?|comps?|"
    r"trans|übers)\b\.?\s?[)\]]|(?:eds?|editors?|hrsg|edd)\b\.?(?=[\s,:(]))",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"\s?([.,:;]|(?=[(\[“”\"„«‘'‚])|(?=\d{4})|$)\s?")


_NO_SPAN = AuthorSpan(NameStyle.NONE, 0, 0, 0, "", truncated=False)


def _finish(text: str, style: NameStyle, end: int, count: int) -> AuthorSpan:
    """Take `et al.`, roles and the closing mark that follow the names."""
    cut = _ET_AL.match(text, end)
    end = cut.end() if cut is not None else end
    role = _ROLE.match(text, end)
    after = role.end() if role is not None else end
    close = _CLOSE.match(text, after)
    if close is not None:
        mark = close.group(1) or text[close.end() : close.end() + 1]
        if not close.group(1) and cut is not None and cut.group()[-1] in ".,":
            mark = cut.group()[-1]
        return AuthorSpan(style, end, close.end(), count, mark or _dot(text, end), cut is not None)
    if cut is not None or text[after - 1 : after] == ".":
        return AuthorSpan(style, end, after + (text[after : after + 1] == " "), count, ".", cut is not None)
    return AuthorSpan(style, end, after, count, _dot(text, end), truncated=False) if role is not None else _NO_SPAN


def _dot(text: str, end: int) -> str:
    return "." if text[end - 1 : end] == "." else ""


_GROUP_END = re.compile(
    r"\.\s|\s?[(\[](?=(?:1[5-9]|20)\d\d)|:\s|,\s(?=(?:1[5-9]|20)\d\d)|\s(?=(?:1[5-9]|20)\d\d[.:])|"
    r"\s\((?:Hrsg|Hg|eds?)\b|,\s(?=[\"“„«])"
)
_DITTO = re.compile(r"[_—–−-][_—–−\s-]{1,40}(?=[.,:(\d])")
_LONE = re.compile(rf"{FAMILY}(?=\s?[(\[]?(?:1[5-9]|20)\d\d|:\s|,\s(?:1[5-9]|20)\d\d\b)")
_LONGEST_BODY = 12
"""Words in the name of a body."""


def _group(text: str) -> AuthorSpan | None:
    """Give a list that is one body (and its people), a lone family name before a year, or a ditto dash."""
    ditto = _DITTO.match(text)
    if ditto is not None:
        return _finish(text, NameStyle.GROUP, ditto.end(), 0)
    named = group_at(text, 0)
    if named > 0 and re.match(r"[,.:;]?\s|\s?\(", text[named : named + 2]):
        separator = re.match(r"[,:;]\s", text[named : named + 2])
        end, count, _ = take_names(text, NameStyle.INITIALS, start=named + 2) if separator else (-1, 0, False)
        return _finish(text, NameStyle.GROUP if end < 0 else NameStyle.INITIALS, max(named, end), count + 1)
    close = _GROUP_END.search(text, 1, 160)
    if (
        close is not None
        and not re.search('["“„«]', text[: close.start()])
        and is_group(text[: close.start()])
        and not has_surname(text)
        and len(text[: close.start()].split()) <= _LONGEST_BODY
    ):
        return _finish(text, NameStyle.GROUP, close.start(), 1)
    end, count, closed = take_names(text, NameStyle.FAMILY)
    if end > 0 and (closed or _LONE.match(text)) and re.match(r"[.,]?\s?[(\[]?(?:1[5-9]|20)\d\d", text[end : end + 8]):
        return _finish(text, NameStyle.FAMILY, end, count)
    return None


_INNER_MARK = re.compile(r"[,;&]|\s(?:and|und|et|y)\s")


def _span(text: str, style: NameStyle, *, loose: bool) -> AuthorSpan | None:
    """Give the reading of the start of `text` in one style, or `None`."""
    end, count, closed = take_names(text, style, loose=loose)
    if end <= 0:
        return None
    span = _finish(text, style, end, count)
    if span.style is NameStyle.NONE:
        # The last name may have run into the title: "… and Ada Y. Less is more".
        stop = text.rfind(". ", max(0, end - 80), end)
        inner = _INNER_MARK.search(text, stop, end) if stop > 0 else None
        if stop <= 0 or inner is not None:
            return None
        span = _finish(text, style, stop, count)
    if loose and not (span.mark == "." and (closed or span.truncated)):
        return None
    return span


_LISTED_END = re.compile(r"(?:,\s|\s)(?:and|&)\s[^,;:?!()]{2,60}?(?<!\s[^\W\d_a-z])\.\s(?=\S)|\bet al\.\s(?=\S)")
_INNER_STOP = re.compile(r"[^\W\d_]{3}\.\s")
_NOT_LISTED = re.compile(r"[(\[]|\d{4}|[\w.]:\s|\.\s–")
_LEAST_NAMED = 0.8
"""Share of pieces that must look like names."""
_LONGEST_NAME = 6
_SHORT_NAME = 3
_BETWEEN = re.compile(r",\sand\s|,\s|\sand\s|\s&\s")


def _is_named(piece: str) -> bool:
    """Whether a piece between commas looks like a full name: two to six words, at most one in lower case."""
    tokens = piece.split()
    if not 1 < len(tokens) <= _LONGEST_NAME or not tokens[-1][0].isupper():
        return False
    small = sum(token[0].islower() and token not in PARTICLES for token in tokens)
    return small <= 1 and not any(map(is_venue_word, tokens[1:]))


def _is_couple(pieces: list[str]) -> bool:
    """Whether two short pieces are a mononym and a name: `Ada and Charles Babbage`."""
    short = all(piece[0].isupper() and len(piece.split()) <= _SHORT_NAME for piece in pieces)
    return short and list(map(_is_named, pieces)) in ([True, False], [False, True])


def _listed(text: str) -> AuthorSpan | None:
    """Give the reading of a list whose names follow no one style but which is clearly closed."""
    for match in _LISTED_END.finditer(text):
        truncated = match.group().startswith("et al")
        stop = match.start() if truncated else match.end() - 2
        pieces = [found for piece in _BETWEEN.split(text[:stop]) if (found := piece.strip(" :."))]
        if _NOT_LISTED.search(text, 0, stop) or any(map(_INNER_STOP.search, pieces[:1] + pieces[-1:])):
            return None
        if any(len(piece.split()) > _LONGEST_NAME for piece in pieces):
            return None
        if pieces and (
            sum(_is_named(piece) or is_group(piece) for piece in pieces) >= _LEAST_NAMED * len(pieces)
            or _is_couple(pieces)
        ):
            return AuthorSpan(NameStyle.LISTED, match.end() - 2, match.end(), len(pieces), ".", truncated)
    return None


_DATED = re.compile(
    r"(?P<names>[^\"“„«»”:?!(\[]{2,400}?(?:\s?[(\[](?:Hrsg|Hg|eds?)\.?[)\]])?)[.,]{0,2}\s?(?P<paren>[(\[])?"
    r"(?:1[5-9]|20)\d\d[a-z]?(?(paren)[^()\[\]]{0,12}[)\]])(?P<mark>\s?[.,:;])\s"
)
_BARRED = re.compile('["“„«»”:?!]')
"""What cannot stand before the year."""
_ANY_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_SMALL = re.compile(r"(?<![\w'’.-])[^\W\d_A-Z]{4,}\b")
_NO_NAMES = re.compile(r"\d|[^\W\d_]{4}\.\s")
_MANY_WORDS = 8


def _before_year(text: str) -> AuthorSpan | None:
    """Take what stands before a year at the front as the authors, whatever its style, if it is no sentence."""
    barred = _BARRED.search(text)
    if _ANY_YEAR.search(text, 0, barred.start() if barred is not None else len(text)) is None:
        return None  # what follows looks at every letter
    match = _DATED.match(text)
    if match is None:
        return None
    names = match.group("names")
    small = [token for token in _SMALL.findall(names) if token.islower() and token not in PARTICLES]
    if len(small) > 1 + names.count(",") // 2 or _NO_NAMES.search(names):
        return None
    bare = not match.group("paren") and match.group("mark").strip() != ":"
    if bare and (small or len(names.split()) > _MANY_WORDS):
        return None
    end = match.end("names")
    return AuthorSpan(NameStyle.LISTED, end, end, 1, "(", truncated=bool(_ET_AL.search(names)))


_SPLIT_NAME = re.compile(rf"(?:{WORD}|{INITIALS})(?:\s(?:{WORD}|{INITIALS})){{0,2}}\s?et al\.\s{FAMILY}(?=\.\s)")
_FIRST_ALONE = re.compile(rf"{FAMILY},?\set\sal\.?(?=[.,:]?\s)")


def _et_al(text: str) -> AuthorSpan | None:
    """Read `Ada et al. Lovelace. Title` (a name split by a converter) and `Lovelace et al. Title`."""
    match = _SPLIT_NAME.match(text)
    if match is not None:
        return AuthorSpan(NameStyle.FULL, match.end(), match.end() + 2, 1, ".", truncated=True)
    match = _FIRST_ALONE.match(text)
    if match is None:
        return None
    name = match.group().rpartition(" et")[0]
    return _finish(text, NameStyle.FAMILY, len(name), 1)


_ONE_WORD = re.compile(rf"{UPPER}[\w’'-]{{2,30}}\.\s(?={UPPER}[\w’'-]+\s\S)")


def _lone_word(text: str) -> AuthorSpan | None:
    """Take a single word before the first full stop as a body: `Ariadne. A thread …`."""
    match = _ONE_WORD.match(text)
    if match is None or any(
        is_venue_word(token) or token.lower() in words("publisher")
        for token in text[match.end() : match.end() + 60].split()[:3]
    ):
        return None
    return AuthorSpan(NameStyle.GROUP, match.end() - 2, match.end(), 1, ".", truncated=False)


_ODD_WORD = re.compile(r"[^\W\d_a-z]{3,}[\w-]*|[^\W\d_a-z][\w-]*[^\W\d_a-z]{2,}[\w-]*")  # CONSORT, XGBoost
_TWO_WORDS = re.compile(r"[\w’'-]+\sand\s[\w’'-]+")
_GLUED_END = re.compile(r"[^\W\d_]\s[^\W\d_a-z]{1,3}$")
_PLACED = re.compile(
    r"(?P<place>[^\W\d_a-z][\w. ]{1,30}?)(?:,\s[A-Z][A-Za-z.]{1,3})?"
    r"(?:,\s(?:USA|U\.S\.A\.|UK|U\.K\.|[A-Z]\w{3,15}))?\s?:\s"
)


def _overran(text: str, span: AuthorSpan, glued: AuthorSpan | None) -> bool:
    """Whether a reading took the head of the title for a name.

    After it stands a place and a colon, which no title precedes; or its last name is the last of a list
    `Chen T, Guestrin C` with the first word of the title: `Guestrin C. XGBoost: A scalable ...`.
    """
    placed = _PLACED.match(text, span.after) if span.names > 1 and span.mark == "." else None
    if placed is not None and all(word in words("place") for word in placed["place"].lower().split()):
        return True
    if glued is None or span.end <= glued.end or not _GLUED_END.search(text, max(0, glued.end - 6), glued.end):
        return False
    more = text[glued.after : span.end]
    if span.names == glued.names + 1:  # "Giddens A. Modernity and Self-Identity: Self and ..."
        return span.mark == ":" and bool(_TWO_WORDS.fullmatch(more))
    # One name is no list: "Robert W. Cox" is whole, "Moher D. CONSORT" is not.
    odd = glued.names > 1 or (bool(_ODD_WORD.fullmatch(more)) and not text[: glued.end].split(maxsplit=1)[0].isupper())
    return span.names <= glued.names and not span.truncated and odd


def scan(text: str) -> Iterator[AuthorSpan]:
    """Give the readings of the start of `text` as an author list, most likely first; there may be none.

    Args:
        text: One reference on one line, without label.
    """
    spans: list[tuple[float, AuthorSpan]] = []
    for rank, style in enumerate(ORDER):
        for loose in (False, True) if style in {NameStyle.INITIALS, NameStyle.FULL} else (False,):
            span = _span(text, style, loose=loose)
            if span is None:
                continue
            wide = style is NameStyle.REVERSED and span.names == 1 and " " in text[: text.find(",")]
            weight = span.after - rank / 10 - loose / 20 - (1_000 if wide and span.mark != "(" else 0)
            spans.append((weight, span))
    body = _group(text)
    if body is not None and body.style is not NameStyle.NONE:
        spans.append((body.after + (50 if body.style is not NameStyle.FAMILY else -20), body))
    listed = _listed(text)
    if listed is not None:
        spans.append((listed.after - 1.0, listed))
    dated = _before_year(text)
    if dated is not None:
        spans.append((dated.after - 2.0, dated))
    for weight, other in ((2.0, _et_al(text)), (0.0, _lone_word(text) if not spans else None)):
        if other is not None and other.style is not NameStyle.NONE:
            spans.append((other.after + weight, other))
    strict = next((span for _, span in spans if span.style is NameStyle.GLUED and span.mark == "."), None)
    spans = [(weight - 500 * _overran(text, span, strict), span) for weight, span in spans]
    spans.sort(key=lambda pair: -pair[0])
    yield from (span for _, span in spans)
