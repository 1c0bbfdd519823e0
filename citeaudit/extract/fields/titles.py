"""Cut the title of a printed reference from what follows it: by marks that leave no doubt, else where labels see it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.extract.fields.rules import before_meeting, before_name
from citeaudit.extract.fields.tails import ending
from citeaudit.extract.fields.typeface import adjusted
from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.text.names import is_group

_QUOTES = {
    "“": "”“",
    "„": "“”",
    "«": "»",
    "»": "«",
    '"': '"',
    "‘": "’",
    "'": "'",
    "‚": "‘’",
    "‹": "›",
    "›": "‹",
    "「": "」",
    "『": "』",
    "《": "》",
}
_LONGEST_TITLE = 40  # words
_SHORTEST_QUOTED = 4
_SHORTEST_LATER = 3  # words; what is quoted after an unread lead may be a single word of it
_GB = re.compile(r"\s?\[(?P<mark>(?:[JMCDRPSNGAZK]|DB|CP|EB)(?:/OL|/CD)?)\]\s?[.,:：．]?\s?")


class Cut(NamedTuple):
    """A reference taken apart: title and rest, how sure, by which rule."""

    title: str | None
    rest: str
    sure: float
    rule: str


def _closing(text: str, opened: int) -> int:
    """Give where the quotation that opens at `opened` closes, or -1."""
    closers = _QUOTES[text[opened]]
    single = text[opened] in "‘'‚"
    fallback = -1
    for place in range(opened + 1, min(len(text), opened + 600)):
        if text[place] not in closers:
            continue
        following = text[place + 1 : place + 2]
        if single and (following.isalnum() or not following):
            continue
        ended = following in ",.;:)" or text[place - 1] in ",.?!" or not following
        if ended and (fallback < 0 or text[opened] != "‘" or "‘" not in text[opened + 1 : place]):
            return place
        if re.match(r"\s(?:in|In|[A-Z(\d])", text[place + 1 : place + 4]):
            if text[opened] != "‘":
                return place
            fallback = place if fallback < 0 else fallback  # an apostrophe of a plural, if a mark stands later
            continue
        fallback = place if fallback < 0 or text[opened] != "‘" else fallback
    return fallback


def _quoted(text: str, start: int) -> Cut | None:
    """Cut at quotation marks that open right after the authors (or after a short lead)."""
    lead = re.compile(r"[\s.,:;(]{0,3}").match(text, start)
    opened = lead.end() if lead else start
    if opened >= len(text) or text[opened] not in _QUOTES:
        return None
    close = _closing(text, opened)
    title = text[opened + 1 : close].strip(" ,.;") if close > 0 else ""
    if len(title) < _SHORTEST_QUOTED or (" " not in title and len(title) < 2 * _SHORTEST_QUOTED):
        return None
    rest = text[close + 1 :].lstrip(" ,.;:")
    if re.match(r"[a-zäöü]{3,}\s", rest) and not re.match(
        r"(?:in|presented|edited|paper|unpublished|available|dans|arxiv|chapter|master|thesis|to appear)\b",
        rest,
        re.IGNORECASE,
    ):
        return None  # a quotation inside a longer title
    if _GOES_ON.match(text, close + 1) and len(title.split()) <= _FEW:
        return None  # `"A saying": what it means`
    if text[close + 1 : close + 3] == ". " and text[opened] in "„»«‚":
        end, after = _with_subtitle(text, opened, close + 1, close + 3)
        if end > close + 1:  # German titles open with a saying: `„…“. Subtitle, Place`
            return Cut(text[opened:end], text[after:], 0.9, "quotes")
    return Cut(title, rest, 0.95, "quotes")


_GOES_ON = re.compile(r":\s[^\W\d_]")
_FEW = 6
"""Words of a saying."""


def later_quote(text: str, start: int) -> tuple[int, Cut] | None:
    """Find a quoted title after a lead that was not read as authors; give the lead's end too."""
    for match in re.finditer(r"(?:(?<=[\s,.:(])|^)[“„«\"‘]", text[start : start + 400]):
        cut = _quoted(text, start + match.start())
        if cut is not None and len((cut.title or "").split()) >= _SHORTEST_LATER:
            return start + match.start(), cut
    return None


def marked(text: str, start: int) -> Cut | None:
    """Cut where marks leave no doubt: quotes around the title, or a `[J]` after it (GB/T 7714)."""
    quoted = _quoted(text, start)
    if quoted is not None:
        return quoted
    found = _GB.search(text, start)
    if found is None or found.start() <= start + 1:
        return None
    return Cut(text[start : found.start()].strip(" .,"), f"[{found.group('mark')}] {text[found.end() :]}", 0.95, "mark")


EDGES = " ,.;:/“”„\"«»'‘’"
_CLEAR_MARGIN = 3.0
"""Log-probability by which the best title leads where there is no doubt."""


def labelled(text: str, start: int, span: tuple[int, int] | None, margin: float, italic: Sequence[str] = ()) -> Cut:
    """Separate the title from what follows it; `span` is where the labels see it."""
    title, rest = "", text[start:]
    if span is not None:
        first, last = adjusted(text, span, italic) if italic else span
        end, after = _without_marks(text, first, last)
        if text[end : end + 1] in {".", "?", ""} and _DATED_LEAD.search(text[max(0, first - 12) : first]):
            end, after = _with_subtitle(text, first, end, after)
        title, rest = text[first:end].strip(EDGES), text[after:].lstrip(" .,:;")
    noted = _NOTED.search(title)
    if noted is not None:
        title, rest = title[: noted.start()], f"{noted.group().strip()} {rest}"
    at = text.find(title, start) if title else -1
    if at >= 0:
        length = ending(title, text[at + len(title) :])
        if length < len(title):
            title, rest = title[:length], text[at + length :].lstrip(" .,:;")
    title, meeting = before_meeting(title)
    if not meeting:
        title, meeting = before_name(title, rest)
    rest = f"{meeting}. {rest}" if meeting else rest
    sure = 0.5 + 0.45 * min(margin, _CLEAR_MARGIN) / _CLEAR_MARGIN
    return Cut(title or None, rest, sure, "labels")


_NOTED = re.compile(
    r"\s?[\[(](?:data\s?sets?|(?:computer )?(?:software|program)|online|internet|video|podcast|Ph\.?\s?D\.? thesis|"
    r"(?:unpublished )?(?:doctoral|master['’]?s?|ph\.?\s?d\.?) (?:dissertation|thesis))[\])]$|"
    r"\s\d{1,2}(?:st|nd|rd|th)\sed(?:n|ition)?$",
    re.IGNORECASE,
)
_DATED_LEAD = re.compile(r"\d[a-z]?[)\]]?\s?[.,:]?\s?[„“»]?$|:\s?$")


def _without_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Give where a title ends without the marks after it, and where the rest starts."""
    stop = end
    while stop > start and text[stop - 1] in " ,.;:":
        stop -= 1
    after = end + 1 if text[end : end + 1] == " " else end
    return stop, after


_SUBTITLE = re.compile(r"(?P<subtitle>[^\W\d_][^.;:?!\d(\[]{8,160}[^.;:?!\s,])(?P<mark>[.,?!;])\s(?P<tail>.{2,80})")
_PLACED = re.compile(r"[A-ZÄÖÜ][\w/ -]{2,30}(?:,\s[A-Z]{2}|\sa\.\s?M\.)?\s?:\s[A-ZÄÖÜ]|[Ii]n(?::\s|\s[A-ZÄÖÜ])")


_NO_SUBTITLE = frozenset(
    {"traduction", "translated", "trans", "tome", "band", "vol", "edited", "editions", "phd", "dissertation"}
)


def _with_subtitle(text: str, start: int, end: int, after: int) -> tuple[int, int]:
    """Take a subtitle into the title: what stands between its full stop and the place, `City: Press` or `In:`.

    Books in German and in the humanities print it so; journals never have a place after their name.
    """
    match = _SUBTITLE.match(text, after)
    if match is None or len(text[start : match.end("subtitle")].split()) > _LONGEST_TITLE:
        return end, after
    tokens = match.group("subtitle").split()
    first = tokens[0].lower()
    if is_group(match.group("subtitle")) or any(map(is_venue_word, tokens)) or first in words("place") | _NO_SUBTITLE:
        return end, after
    tail = match.group("tail")
    if re.split(r"[\s,./]", tail, maxsplit=1)[0].lower() not in words("place") and not _PLACED.match(tail):
        return end, after
    return match.end("subtitle"), match.start("tail")
