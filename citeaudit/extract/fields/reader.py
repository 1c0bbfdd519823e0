"""Read the fields of one printed reference string.

Order of work: label and identifiers off; the author list (`fields_authors`); a year at its place; the title
by marks that leave no doubt, else by weighing its possible ends (`fields_breaks`); then what is left
(`fields_venue`). Nothing here raises for text: what makes no sense comes back with a low `parse_score`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from citeaudit import identifiers as ids
from citeaudit.extract.fields import titles
from citeaudit.extract.fields.authors import AuthorSpan, NameStyle, scan
from citeaudit.extract.fields.dates import Date, read_date
from citeaudit.extract.fields.kinds import case_name, kind_of, kind_of_whole, standard_name
from citeaudit.extract.fields.labeller import TITLED, Label, Labelled, label
from citeaudit.extract.fields.people import LEAD, after_title, by_labels, labels, listed, weighed
from citeaudit.extract.fields.rules import chinese, is_title_first, stopless
from citeaudit.extract.fields.score import score
from citeaudit.extract.fields.signs import Reading
from citeaudit.extract.fields.text import Stripped, is_acknowledged, joined, strip_identifiers, unlabelled
from citeaudit.extract.fields.titles import EDGES, Cut, later_quote, marked
from citeaudit.extract.fields.tokens import Frame, Token
from citeaudit.extract.fields.typeface import leading, runs, volume
from citeaudit.extract.fields.venue import find_year, first_number, read_venue, volume_year, with_name
from citeaudit.model.frozen import Frozen
from citeaudit.model.reference import Identifiers, Locus, Reference, WorkType
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
    italic: tuple[str, ...] = ()
    """The texts of the italic runs inside the reference, in order; runs over a line end are one."""
    bold: tuple[str, ...] = ()
    """The texts of its bold runs."""


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
_BARE_YEAR = re.compile(r"[^\W\d_]\.?\s(?:1[5-9]|20)\d\d[a-z]?\s$")
"""A year between names and title with no mark about it."""
_OPENING = re.compile(r"(?!(?:in|In|Journal)\b)[^\W\d_a-z][^()\[\]]{1,80}")
"""What may open a title that is labelled from a later word on."""
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")


_INITIALS = re.compile(r"(?:[^\W\d_]\.[-\s]?){1,4}\s?[:,.;]?\s?")


def _span(labelled: Labelled) -> tuple[int, int] | None:
    """Give where the labelled title stands."""
    titled = [token for token, found in zip(labelled.tokens, labelled.labels, strict=True) if found in TITLED]
    return (titled[0].start, titled[-1].end) if titled else None


def _year_at(text: str, start: int) -> tuple[int | None, int, str]:
    """Read a year that stands right after the authors: the year, where the title starts, the mark."""
    match = _YEAR_NEXT.match(text, start)
    if match is None:
        return None, start, ""
    year = match.group("second") or match.group("first")
    role = _ROLE_NEXT.match(text, match.end())
    return (int(year) if year else None), (role.end() if role else match.end()), "y"


def frame(text: str) -> tuple[Frame, AuthorSpan, int | None, Cut | None]:
    """Read by rules what stands before the title, and a title whose marks leave no doubt."""
    marked_gb = chinese(text)
    if marked_gb is not None:
        end, title, rest = marked_gb
        span = AuthorSpan(NameStyle.CJK, end, title[0], 1, ".", truncated=False)
        given = Frame("cjk", ".", title[0], title, first_number(text, title[1]))
        return given, span, None, Cut(text[title[0] : title[1]].strip(" .,"), rest, 0.95, "mark")
    if is_title_first(text):
        return Frame("first", "", 0, None, len(text)), _NONE, None, None
    span = next(scan(text), _NONE)
    year, start, year_mark = _year_at(text, span.after)
    cut = None
    if start == 0 or _TWO_LETTERS.search(text, start):
        cut = marked(text, start)
    if cut is None and span.style is NameStyle.NONE:
        later = later_quote(text, 0)
        start, cut = later if later is not None else (start, None)
    place = text.find(cut.title, start) if cut is not None and cut.title else -1
    quoted = (place, place + len(cut.title or "")) if cut is not None and place >= 0 else None
    return Frame(str(span.style), year_mark or span.mark, start, quoted, first_number(text, start)), span, year, cut


_LIST_BIAS = {"untitled": -2.0, "titled": 1.0}
"""What the rest of the list adds to the reading that a title is printed."""


def _read(text: str, hints: Hints) -> Reading:
    """Take a cleaned reference apart."""
    bold = leading(text, hints.bold) if hints.bold else None
    if bold is not None and (is_title_first(text) or not _named(text, bold)):
        return _title_first(text, bold, hints)
    given, span, year, cut = frame(text)
    labelled = label(text, given, titled=_LIST_BIAS.get((hints.style or "").rpartition("/")[2], 0.0))
    start = given.start
    if cut is None and start > 0 and not _TWO_LETTERS.search(text, start):
        cut = Cut(None, text[start:], 0.9, "nothing")  # authors and a year, with an identifier at best
    if cut is None and given.mark == "y" and _BARE_YEAR.search(text[:start]):
        bare = stopless(text, start)
        cut = Cut(bare[0], bare[1], 0.9, "stopless") if bare is not None else None
    seen = _span(labelled)
    begun = _begun(text, seen, given, span) if seen is not None and cut is None else seen
    if cut is None and begun is not None and _HELD_BY.fullmatch(text, start, max(start, begun[0])):
        begun = None  # "A. Doe, in Handbook of Lists": what holds the work, not its title
    nameless = _family_after(text, begun[0]) if cut is None and begun is not None else 0
    if nameless and begun is not None and nameless < begun[1]:
        people, truncated = parse_people(text[:nameless])
        begun, start, year = (nameless, begun[1]), nameless, None
    elif cut is None and begun is not None and begun[0] != start:
        people, truncated = by_labels(text, labelled)
        start, year = begun[0], None
    else:
        people, truncated = weighed(text, given, span, labelled, titled=cut is not None or begun is not None)
    if cut is None:
        cut = titles.labelled(text, start, begun, labelled.margin, hints.italic)
    first = given.style == "first" and cut.title is not None and text.find(cut.title, 0, len(cut.title) + LEAD) >= 0
    if first and text.endswith(cut.rest):
        base = len(text) - len(cut.rest)
        (people, truncated), end = after_title(text, base, _named_to(labelled, base))
        cut = cut._replace(rest=text[end:].lstrip(" .,;:"))
    later = next(scan(cut.rest), _NONE) if not people and given.quoted and given.quoted[0] <= LEAD else _NONE
    if later.style in _LIST_STYLES:
        (people, truncated), cut = listed(cut.rest, later), cut._replace(rest=cut.rest[later.after :])
    date = _dated(text, year, labelled, cut.rest, (span.end, start))
    venue = read_venue(cut.rest)
    if not first or not people:
        venue = with_name(venue, _labelled_venue(text, labelled))
    reading = Reading(text, span, given.mark, people, truncated, date, cut.title, cut.rest, venue, cut.sure, cut.rule)
    return reading._replace(margin=labelled.margin, start=start)


def _dated(text: str, year: int | None, labelled: Labelled, rest: str, gap: tuple[int, int]) -> Date:
    """Give the time of issue; `gap` is where the names end and the title starts."""
    certain = volume_year(rest)
    named = _labelled_year(labelled)
    if named is not None and any(int(since["year"]) == named for since in _SINCE.finditer(rest)):
        named = None
    year = year or certain or named or find_year(rest) or find_year(text[gap[0] : gap[1]])
    return read_date(year, text[min(gap) : gap[1]], rest if certain is None else "")


_HELD_BY = re.compile(r"[\s.,]{0,2}[Ii]n:?\s")


def _begun(text: str, seen: tuple[int, int], given: Frame, span: AuthorSpan) -> tuple[int, int]:
    """Give where the title stands by its labels, where the rules know better where it starts."""
    first, last = seen
    start = given.start
    if first < start and _INITIALS.fullmatch(text, first, start):
        return start, max(start, last)
    if given.mark == "y" and _OPENING.fullmatch(text, start, max(start, first)):
        return start, last  # after a year nothing stands before the title
    body = span.style is NameStyle.GROUP and span.mark == "." and " " in text[: span.end]
    if body and first == 0 < start < last and is_group(text[: span.end]):
        return start, last
    if 0 < first < span.end and span.style is NameStyle.FULL and span.names >= CLOSED and _closed(text, span):
        return start, max(start, last)  # the labels lost the thread in the middle of a list that closes itself
    return seen


_LAST_NAME = re.compile(r",?\s(?:and|&)\s[^,;:?!()\d]{2,60}\Z")
CLOSED = 3
"""Full names from which a list that ends in `and` and a last one leaves no doubt where it ends."""


def _closed(text: str, span: AuthorSpan) -> bool:
    """Whether a list of names ends in `and`, one more name and a full stop."""
    return span.mark == "." and _LAST_NAME.search(text, max(0, span.end - 70), span.end) is not None


_INITIALS_LAST = re.compile(r"(?:,|\sand|\s&|\sund)\s(?:[^\W\d_a-z]\.[\s-]?){1,4}\Z")
_FAMILY_NEXT = re.compile(r"[^\W\d_a-z][\w’'-]+\s(?=[^\W\d_a-z])")


def _family_after(text: str, first: int) -> int:
    """Give where a title starts that was read with the last family name: `and D. S. | Roe Coarse-coded memories`."""
    if not _INITIALS.match(text) or not _INITIALS_LAST.search(text, max(0, first - 40), first):
        return 0
    family = _FAMILY_NEXT.match(text, first)
    return family.end() if family is not None else 0


def _named_to(labelled: Labelled, base: int) -> int:
    """Give where the names after a title end by their labels."""
    return max(
        (token.end for token, found in labels(labelled) if found is Label.LATER_AUTHOR and token.start >= base),
        default=base,
    )


def _named(text: str, bold: tuple[int, int]) -> bool:
    """Whether a bold run is the author list, which some journals print so."""
    bolded = text[bold[0] : bold[1]]
    return any(span.style is not NameStyle.GROUP for span in (*scan(text), *scan(f"{bolded}. ")) if span.end > 0)


def _title_first(text: str, bold: tuple[int, int], hints: Hints) -> Reading:
    """Read a reference that prints its title first, in bold, and then the authors."""
    title, rest = text[bold[0] : bold[1]], text[bold[1] :].lstrip(" .,;:")
    base = len(text) - len(rest)
    given = Frame(str(NameStyle.NONE), "", bold[0], bold, first_number(text, bold[1]))
    labelled = label(text, given, titled=1.0)
    venues = [span for span in runs(text, hints.italic) if span[0] >= base]
    if venues:
        end = venues[0][0]
        people, truncated = parse_people(_ROLE_LAST.sub("", text[base:end])) if end > base else ((), False)
    else:
        (people, truncated), end = after_title(text, base, _named_to(labelled, base))
    after = text[end:].lstrip(" .,;:")
    date = read_date(_labelled_year(labelled) or find_year(rest), "", rest)
    venue = read_venue(after)
    span = AuthorSpan(NameStyle.FULL, end, end, len(people), "", truncated=truncated)
    return Reading(text, span, "bold", people, truncated, date, title.strip(EDGES), after, venue, 0.95, "bold", 5.0)


_ROLE_LAST = re.compile(r"\s?[(\[](?:editors?|eds?\.?|Hrsg\.?|Hg\.?)[)\]]\s*$", re.IGNORECASE)


_LIST_STYLES = frozenset(
    {NameStyle.INVERTED, NameStyle.GLUED, NameStyle.INITIALS, NameStyle.FULL, NameStyle.REVERSED, NameStyle.LISTED}
)


def _labelled_venue(text: str, labelled: Labelled) -> str:
    """Give the first container or publisher by its labels, or nothing."""
    named: list[Token] = []
    for token, found in labels(labelled):
        if found is Label.VENUE and named:
            break
        if found in {Label.VENUE, Label.MORE_VENUE}:
            named.append(token)
    return text[named[0].start : named[-1].end] if named else ""


_SINCE = re.compile(r"\([^()]{1,60}\s:\s(?P<year>(?:1[5-9]|20)\d\d)\)")
"""By what PubMed tells journals of one name apart: place and first year, `Cerebral cortex (New York, N.Y. : 1991)`."""


def _labelled_year(labelled: Labelled) -> int | None:
    """Give the year by its label."""
    for token, found in labels(labelled):
        if found in {Label.YEAR, Label.LATER_YEAR}:
            match = _PLAIN_YEAR.search(token.text)
            if match is not None:
                return int(match.group())
    return None


_PLAIN_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


def _merged(found: Identifiers, hints: Hints) -> Identifiers:
    """Let what link annotations say win over the text."""
    if not (hints.doi or hints.arxiv_id or hints.pmid or hints.pmcid or hints.isbn or hints.url):
        return found
    given = {
        "doi": ids.clean_doi(hints.doi),
        "arxiv_id": ids.clean_arxiv_id(hints.arxiv_id) or ids.doi_arxiv_id(hints.doi),
        "pmid": ids.clean_pmid(hints.pmid),
        "pmcid": ids.clean_pmcid(hints.pmcid),
        "isbn": ids.clean_isbn(hints.isbn),
        "url": ids.clean_url(hints.url),
    }
    return found.model_copy(update={name: value for name, value in given.items() if value})


def taken_apart(raw: str, hints: Hints | None = None) -> tuple[Reading, Identifiers]:
    """Give what `read_fields` weighs: the reading and the identifiers."""
    hints = hints or Hints()
    stripped = strip_identifiers(unlabelled(joined(raw)))
    return _read(stripped.text, hints), _merged(stripped.identifiers, hints)


def read_fields(
    raw: str, *, path: str | None = None, locus: Locus | None = None, hints: Hints | None = None
) -> Reference:
    """Read one printed reference; never raises for its text.

    Args:
        raw: The reference as printed; line ends and a leading label are allowed. At most 4,000 characters are read.
        path: The document, for the locus, unless that names one.
        locus: Where it stands.
        hints: Identifiers from link annotations, the style of the list, italic and bold runs.

    Returns:
        The fields with `parse_score`, the probability that title, first author and year are right or left empty
        (`score`); under 0.35 where the string made no sense. It is never 1, which is kept for typed fields.
    """
    hints = hints or Hints()
    stripped = strip_identifiers(unlabelled(joined(raw)))
    return _reference(raw, stripped, _read(stripped.text, hints), hints, _placed(locus, path))


def read_many(
    raws: Sequence[str],
    *,
    path: str | None = None,
    loci: Sequence[Locus] | None = None,
    hints: Sequence[Hints] | None = None,
) -> list[Reference]:
    """Read all references of one list, in their order; its style is decided once, from these readings.

    Only the references that the style may change are read a second time, so this costs about half of
    `list_style` and then `read_fields` for each.

    Args:
        raws: The references as printed.
        path: The document, for loci that name none.
        loci: Where they stand, one for each.
        hints: What is known of each beside its text; a style given there wins.

    Raises:
        ValueError: There are not as many loci or hints as references.
    """
    given = list(hints) if hints is not None else [Hints()] * len(raws)
    stripped = [strip_identifiers(unlabelled(joined(raw))) for raw in raws]
    readings = [_read(one.text, hint) for one, hint in zip(stripped, given, strict=True)]
    style = _style(readings)
    titles = (style or "").rpartition("/")[2]
    out = []
    places = loci if loci is not None else [Locus()] * len(raws)
    for raw, one, reading, hint, locus in zip(raws, stripped, readings, given, places, strict=True):
        doubtful = titles in _LIST_BIAS and hint.style is None and reading.rule == "labels" and reading.sure < _SURE
        again = _read(one.text, hint.model_copy(update={"style": style})) if doubtful else reading
        out.append(_reference(raw, one, again, hint, _placed(locus, path)))
    return out


_INSIDE = re.compile(r"[Ii]n:?\s")
_SURE = 0.94
"""Readings from here on are not changed by the style of the list."""


def _placed(locus: Locus | None, path: str | None) -> Locus:
    locus = locus or Locus()
    return locus.model_copy(update={"path": path}) if path is not None and locus.path is None else locus


def _reference(raw: str, stripped: Stripped, reading: Reading, hints: Hints, locus: Locus) -> Reference:
    """Put the reference together."""
    found = _merged(stripped.identifiers, hints)
    venue, title, people = reading.venue, reading.title, reading.people
    kind = kind_of(
        reading.rest,
        url=found.url,
        has_volume=venue.volume is not None,
        container=venue.container,
        publisher=venue.publisher,
        editors=bool(venue.editors),
    )
    kind = kind_of_whole(reading.text) or kind
    if kind is WorkType.LEGAL_CASE:
        title, people, venue = case_name(reading.text) or title, (), venue._replace(container=None)
    if kind is WorkType.STANDARD:
        title = standard_name(reading.text) or title
    if title is None and venue.publisher and _INSIDE.match(reading.rest):
        kind = WorkType.CHAPTER  # "in Handbook of Lists, edited by …", of which no title of its own is printed
    if stripped.arxiv and kind in {WorkType.UNKNOWN, WorkType.WEBPAGE}:
        kind = WorkType.PREPRINT
    if kind is WorkType.THESIS and venue.container:
        parts = venue.container.split(", ")
        school = next((part for part in parts if "niv" in part), parts[-1])
        venue = venue._replace(container=None, publisher=venue.publisher or school)
    return Reference(
        raw=raw or " ",
        type=kind,
        title=title,
        authors=people,
        authors_truncated=reading.truncated,
        editors=venue.editors,
        year=reading.date.year,
        year_suffix=reading.date.suffix,
        original_year=reading.date.original,
        status=reading.date.status,
        container_title=venue.container,
        volume=venue.volume or volume(hints.bold),
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
    return _style([_read(strip_identifiers(unlabelled(joined(raw))).text, Hints()) for raw in sample])


def _style(readings: Sequence[Reading]) -> str | None:
    """Give the style of a list by its readings."""
    seen: Counter[str] = Counter()
    titled = 0
    for reading in readings:
        titled += reading.title is not None
        if reading.span.style is not NameStyle.NONE:
            seen[f"{reading.span.style}/{reading.mark}"] += 1
    if not seen or seen.most_common(1)[0][1] * 2 <= len(readings):
        return None
    share = titled / len(readings)
    titles = "titled" if share >= _CLEAR else "untitled" if share <= 1 - _CLEAR else "mixed"
    return f"{seen.most_common(1)[0][0]}/{titles}"
