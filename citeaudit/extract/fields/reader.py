"""Read the fields of one printed reference string.

Order of work: label and identifiers off; the author list (`fields_authors`); a year at its place; the title
by marks that leave no doubt, else by weighing its possible ends (`fields_breaks`); then what is left
(`fields_venue`). Nothing here raises for text: what makes no sense comes back with a low `parse_score`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit import identifiers as ids
from citeaudit.extract.fields.authors import AuthorSpan, NameStyle, scan
from citeaudit.extract.fields.breaks import choose
from citeaudit.extract.fields.features import Context
from citeaudit.extract.fields.rules import before_meeting, stopless, with_series
from citeaudit.extract.fields.score import Reading, score
from citeaudit.extract.fields.text import is_acknowledged, joined, strip_identifiers, unlabelled
from citeaudit.extract.fields.venue import find_year, kind_of, read_venue
from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.model.frozen import Frozen
from citeaudit.model.reference import Identifiers, Locus, Person, Reference, WorkType
from citeaudit.text.names import is_group, parse_people


class Hints(Frozen):
    """What the caller knows about a reference beside its text."""

    doi: str | None = None
    """From a link annotation; wins over the text, as do the other identifiers."""
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    isbn: str | None = None
    url: str | None = None
    style: str | None = None
    """Style of the whole list as `list_style` gives it."""


_NONE = AuthorSpan(NameStyle.NONE, 0, 0, 0, "", truncated=False)
_YEAR_NEXT = re.compile(
    r"[\s,.]*[(\[]?\s?(?:(?P<first>(?:1[5-9]|20)\d\d)[a-z]?(?!\d)(?:\s?[-–/]\s?\d{2,4})?|in press|forthcoming|"
    r"n\.\s?d\.|o\.\s?J\.|to appear|im Erscheinen|im Druck|submitted)"
    r"(?:\s?[(\[/]?(?P<second>(?:1[5-9]|20)\d\d)[)\]])?"
    r"(?:,\s?[A-Z][a-z]{2,8}\.?(?:\s\d{1,2})?(?:\s?[-–]\s?(?:[A-Z][a-z]+\s)?\d{1,2})?)?\s?[)\]]?"
    r"(?P<mark>\s?[.,:;]|\s)\s?(?![-–]\s?\d)",
    re.IGNORECASE,
)
_ROLE_NEXT = re.compile(r"[(\[](?:Hrsg|Hg|eds?|editors?)\b\.?[)\]]\s?[.,:;]?\s?", re.IGNORECASE)
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
    "《": "》",
}
#: "Title. 2025." with nothing between: no venue is printed.
_YEAR_ALONE = re.compile(r"(?P<title>[^\n]{4,400}?[^\s.])(?:\.|(?<=[?!])\.?)\s(?P<year>(?:1[5-9]|20)\d\d)[a-z]?\.?")
_SENTENCE = re.compile(r"[^\W\d_]{3}\.\s|[,.]\s[Ii]n\s(?:[Pp]roc|[A-Z])")
_TAIL_DATE = re.compile(r",\s(?:[A-Z][a-zäé]{2,8}\.?\s(?:\d{1,2},\s)?)?(?:1[5-9]|20)\d\d[a-z]?$")
_LONGEST_TITLE = 40  # words
_BARE_YEAR = re.compile(r"[^\W\d_]\.?\s(?:1[5-9]|20)\d\d[a-z]?\s$")
"""A year between names and title with no mark about it."""
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
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
        if ended or re.match(r"\s(?:in|In|[A-Z(\d])", text[place + 1 : place + 4]):
            return place
        fallback = place
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
    return Cut(title, rest, 0.95, "quotes")


def _later_quote(text: str, start: int) -> tuple[int, Cut] | None:
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


def _cut(text: str, start: int, context: Context) -> Cut:
    """Separate the title from what follows it."""
    if start > 0 and not _TWO_LETTERS.search(text, start):
        return Cut(None, text[start:], 0.9, "nothing")  # authors and a year, with an identifier at best
    sure = marked(text, start)
    if sure is not None:
        return sure
    alone = _YEAR_ALONE.fullmatch(text, start) if context.mark == "." else None
    if alone is not None and not _SENTENCE.search(alone.group("title")):
        return Cut(alone.group("title").strip(), alone.group("year"), 0.95, "alone")
    bare = stopless(text, start) if context.mark == "y" and _BARE_YEAR.search(text[:start]) else None
    if bare is not None:
        return Cut(bare[0], bare[1], 0.9, "stopless")
    best, margin = choose(text, start, context)
    end, after = best.end, best.after
    if best.kind in {"comma", "colon"}:
        end, after = with_series(text, end, after)
    if best.kind in {"period", "query"} and context.mark in {"y", ":"}:
        end, after = _with_subtitle(text, start, end, after)
    title = text[start:end].strip(" ,.;:/“”„\"«»'‘’") if best.kind != "none" else ""
    rest = text[after:]
    if best.kind in {"in", "bare"}:
        rest = text[best.end :].lstrip(" .,:;")
    dated = _TAIL_DATE.search(title)
    if dated is not None and len(title) > len(dated.group()):
        title, rest = title[: dated.start()], f"{dated.group().strip(' ,.')} {rest}"
    title, meeting = before_meeting(title)
    rest = f"{meeting}. {rest}" if meeting else rest
    return Cut(title or None, rest, min(0.95, 0.6 + margin / 10), best.kind)


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


def _year_at(text: str, start: int) -> tuple[int | None, int, str]:
    """Read a year that stands right after the authors: the year, where the title starts, the mark."""
    match = _YEAR_NEXT.match(text, start)
    if match is None:
        return None, start, ""
    year = match.group("second") or match.group("first")
    role = _ROLE_NEXT.match(text, match.end())
    return (int(year) if year else None), (role.end() if role else match.end()), "y"


def _people(text: str, span: AuthorSpan) -> tuple[tuple[Person, ...], bool]:
    if span.style is NameStyle.NONE or span.end == 0:
        return (), False
    listed = text[: span.end]
    if span.style is NameStyle.GROUP:
        name = listed.strip(" .,:_—–-")
        return ((Person(literal=name),) if name else ()), span.truncated
    people, truncated = parse_people(listed)
    return people, truncated or span.truncated


def before_title(text: str, hints: Hints) -> tuple[AuthorSpan, int | None, int, Context]:
    """Read up to the title: the author list, a year at its place, where the title starts, and the context."""
    span = next(scan(text), _NONE)
    year, start, year_mark = _year_at(text, span.after)
    return span, year, start, Context(str(span.style), year_mark or span.mark, hints.style)


def _read(text: str, hints: Hints) -> Reading:
    """Take a cleaned reference apart."""
    span, year, start, context = before_title(text, hints)
    cut = None
    if span.style is NameStyle.NONE:
        later = _later_quote(text, 0)
        if later is not None:
            lead, cut = later
            people, truncated = parse_people(text[:lead])
            start = lead
    if cut is None:
        people, truncated = _people(text, span)
        cut = _cut(text, start, context)
    venue = read_venue(cut.rest)
    if year is None:
        year = find_year(cut.rest) or find_year(text[span.end : start])
    return Reading(text, span, context.mark, people, truncated, year, cut.title, cut.rest, venue, cut.sure, cut.rule)


def _merged(found: Identifiers, hints: Hints) -> Identifiers:
    """Let what link annotations say win over the text."""
    given = {
        "doi": ids.clean_doi(hints.doi),
        "arxiv_id": ids.clean_arxiv_id(hints.arxiv_id) or ids.doi_arxiv_id(hints.doi),
        "pmid": ids.clean_pmid(hints.pmid),
        "pmcid": ids.clean_pmcid(hints.pmcid),
        "isbn": ids.clean_isbn(hints.isbn),
        "url": ids.clean_url(hints.url),
    }
    return found.model_copy(update={name: value for name, value in given.items() if value})


def read_fields(
    raw: str, *, path: str | None = None, locus: Locus | None = None, hints: Hints | None = None
) -> Reference:
    """Read one printed reference; never raises for its text.

    Args:
        raw: The reference as printed; line ends and a leading label are allowed. At most 4,000 characters are read.
        path: The document, for the locus, unless that names one.
        locus: Where it stands.
        hints: Identifiers from link annotations and the style of the list.

    Returns:
        The fields with `parse_score`: above 0.8 where authors, title and year are all plausible, below 0.35
        where the string made no sense. It is never 1, which is kept for typed fields.
    """
    hints = hints or Hints()
    locus = locus or Locus()
    if path is not None and locus.path is None:
        locus = locus.model_copy(update={"path": path})
    stripped = strip_identifiers(unlabelled(joined(raw)))
    reading = _read(stripped.text, hints)
    found = _merged(stripped.identifiers, hints)
    venue = reading.venue
    kind = kind_of(
        reading.rest,
        url=found.url is not None,
        has_volume=venue.volume is not None,
        container=venue.container,
        publisher=venue.publisher,
    )
    if stripped.arxiv and kind in {WorkType.UNKNOWN, WorkType.WEBPAGE}:
        kind = WorkType.PREPRINT
    if kind is WorkType.THESIS and venue.container:
        school = venue.container.rpartition(", ")[2]
        venue = venue._replace(container=None, publisher=venue.publisher or school)
    return Reference(
        raw=raw or " ",
        type=kind,
        title=reading.title,
        authors=reading.people,
        authors_truncated=reading.truncated,
        editors=venue.editors,
        year=reading.year,
        container_title=venue.container,
        volume=venue.volume,
        issue=venue.issue,
        pages=venue.pages,
        publisher=venue.publisher,
        identifiers=found,
        locus=locus,
        acknowledged=is_acknowledged(stripped.text),
        parse_score=score(reading, found),
    )


_SAMPLE = 40
"""References of a list that decide its style."""
_CLEAR = 0.7
"""Share of a list that settles whether its references print titles; between that and its opposite: mixed."""


def list_style(raws: Sequence[str]) -> str | None:
    """Give the style that most references of a list share, or `None` where there is no majority.

    The style is `names/mark/titles`: how names are written (`NameStyle`), what closes the author list, and
    whether titles are printed (`titled`, `untitled`, `mixed`). At most 40 references, evenly spread, are read.
    """
    sample = list(raws)[:: max(1, len(raws) // _SAMPLE)][:_SAMPLE]
    seen: Counter[str] = Counter()
    titled = 0
    for raw in sample:
        text = strip_identifiers(unlabelled(joined(raw))).text
        reading = _read(text, Hints())
        titled += reading.title is not None
        if reading.span.style is not NameStyle.NONE:
            seen[f"{reading.span.style}/{reading.mark}"] += 1
    if not seen or seen.most_common(1)[0][1] * 2 <= len(sample):
        return None
    share = titled / len(sample)
    titles = "titled" if share >= _CLEAR else "untitled" if share <= 1 - _CLEAR else "mixed"
    return f"{seen.most_common(1)[0][0]}/{titles}"
