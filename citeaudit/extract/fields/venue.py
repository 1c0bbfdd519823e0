"""Read what follows the title of a printed reference: container, volume, issue, pages, publisher, kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.model.reference import Person
from citeaudit.text.names import parse_people

_RANGE = r"[A-Za-z]{0,2}\d{1,7}[A-Za-z]?(?:\s?[-–‐‒—−]{1,2}\s?[A-Za-z]{0,2}\d{1,7}[A-Za-z]?)?"
_PAGE_CUE = r"(?:pp?\.?\s?|S\.\s?|pages?\s|art(?:icle)?\.?\s)?"
# What it begins with comes first, what must not stand before it second: the search for a first letter is fast.
_VOLUME = r"(?P<volume>[A-Z\d](?<![\w.].)(?:(?<=[A-Z])\d{1,4}|(?<=\d)\d{0,3})[A-Z]?)"
_VOLUME_AFTER = _VOLUME.replace(r"[\w.]", r"[\w.–-]")
_VOLUME_FORMS = (
    # vol(issue):pages
    re.compile(
        rf"{_VOLUME}\s?\((?P<issue>(?!(?:1[5-9]|20)\d\d\))[^()]{{1,14}})\)"
        rf"(?:\s?[:,;.]\s?{_PAGE_CUE}(?P<pages>{_RANGE}))?"
    ),
    # vol. 3, no. 2, pp. 4-5
    re.compile(
        r"[VvBbJjtТ](?<!\w.)(?:(?<=[Vv])ol(?:ume)?s?\.?|(?<=v)\.|(?<=[Bb])d\.|(?<=[Jj])g\.|(?<=[tТ])\.)\s?(?P<volume>[A-Z]?\d{1,4}[A-Z]?|[IVXLC]{1,6}\b)"
        r"(?:\s?[,.(:;]?\s?(?:no?s?\.|[Ii]ssue|[Nn]r\.|[Hh]\.|[Hh]eft|n[°º]|núm\.|fasc\.|№)\s?(?P<issue>\w{1,6}))?"
    ),
    # 94, 207004 (2005); 12:345-350
    re.compile(
        rf"{_VOLUME_AFTER}\s?(?:,\s?(?:no\.?\s?|[Hh]\.\s?|[Nn]r\.\s?)?(?P<issue>\d{{1,3}}))?\s?(?:\(\d{{4}}\)\s?)?"
        rf"[:,]\s?{_PAGE_CUE}(?P<pages>{_RANGE})(?!\w)"
    ),
    # 15 (1999) 1-20
    re.compile(rf"{_VOLUME_AFTER}\s?\(\d{{4}}\)[,:]?\s?{_PAGE_CUE}(?P<pages>{_RANGE})?"),
    # Journal Name 12, H. 3
    re.compile(r"(?P<volume>\d(?<![\w.–-].)\d{0,2})(?=,\s?(?:H\.|no\.|Nr\.|Heft)\s?(?P<issue>\d{1,3}))"),
)
_PAGES = re.compile(
    rf"(?:\bpp?\.?\s?|\bS\.\s?|\b[Pp]ages?\s|\bSeiten?\s|\bpág(?:s|inas?)?\.?\s|\bС\.\s?|页)(?P<pages>{_RANGE})|"
    r"(?<![\w/.-])(?P<bare>\d{1,5}\s?[-–‐‒—−]{1,2}\s?\d{1,5})(?![\w/-])"
)
_IN = re.compile(
    r"^(?:in|In|IN|en|En|dans|Dans|em|Em)\s?:\s?|^(?:In|in|dans|En|In:)\s(?=[A-ZÄÖÜÉ(“\"\d])|^//\s?|^In:\s?"
)
_EDITORS = re.compile(
    r"^(?P<names>[^()]{3,200}?)\s?[(\[]\s?(?:Eds?|eds?|Hrsg|Hg|hrsg|editors?|Herausgeber|orgs?|coords?|edd)\b\.?\s?[)\]]"
    r"\s?[,.:;]?\s?"
)
_EDITORS_FIRST = re.compile(r"^(?P<names>[^()\d]{3,200}?),\s?(?:[Ee]ds?\.?|Hrsg\.|Hg\.)(?:,\s|:\s)")
"""`in Doe B., Roe C., eds, ASP Conf. Ser.`"""
_EDITORS_LATER = re.compile(
    r"\s?\((?:[Ee]ds?\.?|[Ee]dited by)\s(?P<bracketed>[^()]{3,200})\)|"
    r",\s(?P<names>(?:[^\W\d_a-z]\.[\s-]?){1,3}[^,()]{2,30}(?:,\s(?:and\s)?(?:[^\W\d_a-z]\.[\s-]?){1,3}[^,()]{2,30}){0,8}),?\s"
    r"[Ee]ds?\.(?=[\s,])"
)
"""`Handbook (eds Doe, B. & Roe, C.)`, `Handbook, B. Doe, C. Roe, Eds. (Wiley`"""
_EDITED_BY = re.compile(
    r"[,.]?\s(?:edited by|ed\. by|hrsg\. (?:v\.|von)|ed\.|eds\.)\s(?P<names>[^,.():]{3,80})", re.IGNORECASE
)
_ROLE = (
    r"(?:[Ee]d(?:ited)?|[Tt]rans(?:l|lated)?|[Cc]omm|[Aa]nnot|[Ii]ntrod|[Rr]ev|[Cc]omp|[Hh]rsg|[Hh]erausgegeben|[Üü]bers"
    r"|[Bb]earb|[Tt]rad)\b\.?"
)
_RESPONSIBILITY = re.compile(
    rf"(?:^|(?<=[.,;])\s)(?P<roles>{_ROLE}(?:(?:,|,?\s(?:and|und|et|&))\s{_ROLE}){{0,3}})\s(?:by|von|v\.|par|por)\s"
    r"(?P<names>[^()\d:]{3,160}?)(?<!\b[^\W\d_])\.(?=\s|$)\s?"
)
"""`Ed. and trans. by A. B. Roe and C. Doe. `; the dot behind an initial does not end the names."""
_YEAR = re.compile(r"(?<!\d)(?<![.:–-])(?P<year>(?:1[5-9]|20)\d\d)[a-z]?(?![\d/:]|[-–.]\d)")
_SPAN_YEAR = re.compile(r"(?<![\d.:–-])(?P<year>(?:1[5-9]|20)\d\d)\s?[-–/]\s?\d{2,4}(?!\d)")
_PAREN_YEAR = re.compile(
    r"[(\[]\s?(?:[^()\[\]]{0,100},\s?|(?:[A-Z][a-zäé]{2,8}\.?[\s/–-]{0,3}){1,2}(?:\d{1,2},?\s)?)?"
    r"(?P<year>(?:1[5-9]|20)\d\d)[a-z]?(?:\s?[-–/]\s?\d{2,4})?\s?[)\]]"
)
_CITY = re.compile(
    r"(?:^|[.,;(]\s?)(?P<place>[A-ZÄÖÜ](?:[\w’'/ -]|a\.\s?M\.|\.(?!\s[A-ZÄÖÜ])){2,40}(?:,\s[A-Z][\w. ]{1,14})?)\s?:\s"
    r"(?P<publisher>[A-ZÄÖÜ][^,;:()\d]{1,70})"
)
_STOP = re.compile(
    r",?\s[(\[]?(?=(?:1[5-9]|20)\d\d\b)|[.,;]?\s\(|;\s?|"
    r"[.,]\s?(?=(?:[Vv]ol|[Vv]\.|no\.|[Nn]r\.|[Bb]d\.|[Jj]g\.|pp?\.|S\.|[Pp]ages?|[Vv]olume|edited|ed\.|eds\.|[Hh]rsg|[Hh]\.|"
    r"n\.|pág)\b)|,\s(?=\d)|\s(?=\d{1,4}\s?[(:,])|\.\s(?=[A-Z][^.]{3,})|\s?[-–]\s(?=\d)|$"
)
_MARK = re.compile(r"^\[[A-Z/]{1,5}\]\s?")


class Venue(NamedTuple):
    """What stands after the title; `None` where nothing of the kind does."""

    container: str | None
    volume: str | None
    issue: str | None
    pages: str | None
    publisher: str | None
    editors: tuple[Person, ...]


def _dashed(pages: str | None) -> str | None:
    return re.sub(r"\s?[-–‐‒—−]{1,2}\s?", "-", pages).strip() if pages else None


_VOLUME_YEAR = re.compile(r"\d[A-Z]?\s?\(\s?(?P<year>(?:1[5-9]|20)\d\d)\s?\)(?:[,:]?\s?(?:pp?\.\s?)?[A-Z]?\d|\.?$)")


def volume_year(text: str) -> int | None:
    """Give the year in brackets that stands between volume and page, or after the page; it is beyond doubt.

    >>> volume_year("Nature 466 (2010) 2013"), volume_year("80, 2063 (1998)."), volume_year("Nature 466, 2013")
    (2010, 1998, None)
    """
    found = _VOLUME_YEAR.search(text)
    return int(found["year"]) if found is not None else None


def find_year(text: str) -> int | None:
    """Give the year of issue in what surrounds the title: one in brackets, else the last that is no page.

    >>> find_year("Phys. Rev. 94, 1999-2004 (2005)")
    2005
    """
    bracketed = list(_PAREN_YEAR.finditer(text))
    if bracketed:
        return int(bracketed[-1].group("year"))
    free = [
        match for match in _YEAR.finditer(text) if not re.search(r"(?:\bpp?\.?|\bS\.|[-–])\s?$", text[: match.start()])
    ]
    free = free or list(_SPAN_YEAR.finditer(text))
    return int(free[-1].group("year")) if free else None


_SHORT = 2
"""Letters of a word that a full stop after it shortens rather than ends."""
_LONG_PUBLISHER = 6


def _container(text: str, limit: int) -> str | None:
    """Give the name at the start of the rest, up to its numbers, year or publisher."""
    head = text[:limit]
    closed = head.find("»")
    head = head[:closed] if closed > 0 and "«" not in head[:closed] else head
    place = 0
    for match in _STOP.finditer(head):
        before = head[: match.start()]
        last = before.rsplit(None, 1)[-1].lower().strip("(") if before.strip() else ""
        if match.group().startswith(". ") and (
            last.rstrip(".") in words("abbreviation")
            or is_venue_word(last)
            or "." in last.rstrip(".")
            or len(last) <= _SHORT
        ):
            continue
        place = match.start()
        break
    else:
        place = len(head)
    name = head[:place].strip(" ,.;:()[]“”\"'»«")
    name = re.sub(r"\s?\[(?:[JMCDRPSN]|[A-Z]{1,2}/OL)\]$", "", name)
    if not re.search(r"[^\W\d_]{2}", name) or _YEAR.fullmatch(name):
        return None
    return name


_YEARLY = re.compile(r"(?:1[6-9]|20)\d\d")


def _matches(form: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Find volumes of one form; a year is none, except with an issue in brackets: `2005, 127, 1234` is volume 127."""
    match = form.search(text)
    while match is not None:
        volume, issue = match.group("volume"), match.groupdict().get("issue") or ""
        bracketed = text[match.end("volume") :].lstrip().startswith("(") and issue[:1] not in {"p", "S", ""}
        if not _YEARLY.fullmatch(volume) or bracketed:
            yield match
            return
        match = form.search(text, match.end("volume"))


def _numbers(text: str) -> tuple[int, dict[str, str]]:
    """Give where the first volume-like group starts, and its parts."""
    best: tuple[int, dict[str, str]] = (len(text), {})
    for form in _VOLUME_FORMS:
        for match in _matches(form, text):
            found = {name: value for name, value in match.groupdict().items() if value}
            if match.start() < best[0] or (match.start() == best[0] and len(found) > len(best[1])):
                best = (match.start(), found)
    return best


_EDITION = re.compile(
    r"^[(\[]?(?:\d{1,2}(?:st|nd|rd|th|\.|ª|a)?,?\s(?:[a-zäöü.]{3,12}\s(?:u\.\s[a-zäöü.]{3,12}\s)?)?"
    r"(?:[Ee]d(?:n|ition|ição|ición)?|Aufl(?:age)?|éd)\b|(?:[Ss]econd|[Tt]hird|[Ff]ourth|[Rr]ev(?:ised)?\.?|[Nn]ew)\s[Ee]d(?:ition|n)?\b)"
    r"\.?\s?[)\]]?[.,;:]?\s?"
)
_BRACKETED = re.compile(r"^[\[(]?[^\[\]()]{2,24}\][\s.,:]{0,3}")
_NAMES_ONLY = re.compile(r"\d|[(\[](?:[Hh]rsg|[Hh]g|[Ee]ds?)\b|:\s[A-ZÄÖÜ].*:\s")


def with_name(venue: Venue, labelled: str) -> Venue:
    """Weigh the name that the rules found against the one that was labelled.

    The label wins where the rules cut a name short at one of its own stops (`Rev. Mod | Phys.`, `Society: Series B`)
    or found none; whether it is a container or a publisher is told by its words and by a volume.
    """
    name = _IN.sub("", _BRACKETED.sub("", labelled)).strip(" ,.;:[]“”\"'»«")
    name = name.strip("()") if name.count("(") != name.count(")") or name.startswith("(") else name
    name = name.strip(" ,.;:")
    if len(name) < _LEAST_NAME or _NAMES_ONLY.search(name.replace("(Methodological)", "")):
        return venue
    if venue.volume and name.endswith(f" {venue.volume}"):
        name = name.removesuffix(venue.volume).strip(" ,.")
    container, publisher = venue.container, venue.publisher
    if container and container != name and (name.startswith(container) or name.endswith(f" {container}")):
        return venue._replace(container=name)
    if container and container.startswith(name) and re.fullmatch(r"[\s.,:]{0,3}[\d. ]{1,8}", container[len(name) :]):
        return venue._replace(container=name)
    if publisher and publisher in name and venue.volume:
        return venue._replace(container=name, publisher=None)
    pressed = any(word.strip(".,").lower() in words("publisher") for word in name.split())
    if (
        container == name
        and publisher is None
        and pressed
        and venue.volume is None
        and not is_venue_word(name.split()[0])
    ):
        return venue._replace(container=None, publisher=name)
    if container is None and publisher is None:
        return venue._replace(publisher=name) if pressed and venue.volume is None else venue._replace(container=name)
    return venue


_LEAST_NAME = 3


def first_number(text: str, start: int) -> int:
    """Give where the first volume-like group from `start` on stands; the length of the text where there is none."""
    return start + _numbers(text[start:])[0]


_LAST_NUMBER = re.compile(r"(?<=[^\W\d_])\s(?P<volume>\d{1,4})$")


_MEETING_DAYS = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mai|Juni|Juli|Okt|Dez)[a-zäé]{0,6}\.?\s\d{1,2}"
    r"(?:\s?[-–]\s?(?:[A-Z][a-z]{2,8}\.?\s)?\d{1,2})?,?(?=\s(?:1[89]|20)\d\d)"
)
_DESCRIBED = re.compile(
    r"^(?:[(\[]?(?:Version|Computer|Data|Software|Doctoral|Master|Ph\.?\s?D|Unpublished|Online)[^()\[\]]{0,30}[)\]]"
    r"[\s.,:]{0,3}){1,2}",
    re.IGNORECASE,
)
_PRESS = re.compile(
    r"\(?(?P<publisher>[^\W\d_a-z][^(),:;\d]{2,50}),\s(?P<place>[^\W\d_a-z][^():;\d,]{1,30}(?:,\s[A-Z]{2})?),\s"
    r"(?:(?:ed\.\s?\d+|\d+(?:st|nd|rd|th)\sed(?:\.|n|ition)?),\s)?(?:1[5-9]|20)\d\d\)"
)
"""`(Wiley, New York, ed. 3, 1999)`"""


def _is_press(match: re.Match[str]) -> bool:
    """Whether publisher and place are such."""
    name = [word.strip(".").lower() for word in re.split(r"[\s/&-]+", match["publisher"])]
    place = match["place"].lower().split(",")[0]
    return (
        any(word in words("publisher") for word in name)
        or place in words("place")
        or place.split()[0] in words("place")
    )


def read_venue(text: str) -> Venue:
    """Read what stands after the title."""
    press = _PRESS.match(text)
    if press is not None and _is_press(press):
        tail = read_venue(text[press.end() :].lstrip(" .,")) if text[press.end() :].strip(" .,") else None
        pages, volume = (tail.pages, tail.volume) if tail is not None else (None, None)
        return Venue(None, volume, None, pages, press["publisher"].strip(), ())
    return _read_venue(_MEETING_DAYS.sub("", _DESCRIBED.sub("", text)))


_RESPONSIBLE = re.compile(r"^/\s?[^/–—]{2,200}?\s?[–—]\s?")
"""Who is responsible for a work, between its title and place in Russian lists: `/ И. И. Иванов. – М. : Наука`."""


def _parted(text: str) -> tuple[str, tuple[Person, ...], int, bool]:
    """Give the text without its editors, these, where later ones start, and whether it opens with `In`."""
    editors: tuple[Person, ...] = ()
    inside = _IN.match(text)
    if inside is not None:
        text = text[inside.end() :]
        named = _EDITORS.match(text) or _EDITORS_FIRST.match(text)
        if named is not None:
            editors = parse_people(named.group("names"))[0]
            text = text[named.end() :]
    for said in list(_RESPONSIBILITY.finditer(text))[3::-1]:
        if not editors and re.match(r"[Ee]d|[Hh]", said["roles"]):
            editors = parse_people(said["names"])[0]
        text = f"{text[: said.start()]} {text[said.end() :]}".strip()
    bracketed = _EDITORS_LATER.search(text) if not editors else None
    if bracketed is not None:
        editors = parse_people(bracketed["bracketed"] or bracketed["names"])[0]
        text = f"{text[: bracketed.start()]} {text[bracketed.end() :].lstrip(' ,')}"
    edited = _EDITED_BY.search(text)
    if edited is not None and not editors:
        editors = parse_people(edited.group("names"))[0]
    return text, editors, edited.start() if edited is not None else len(text), inside is not None


def _read_venue(text: str) -> Venue:
    text = _RESPONSIBLE.sub("", _EDITION.sub("", _MARK.sub("", text), count=1), count=1)
    text, editors, edited, inside = _parted(text)
    start, found = _numbers(text)
    if text[max(0, start - 1) : start] in {"-", "–"}:
        start, found = len(text), {}  # "12–45 (Springer" are pages
    pages = found.get("pages")
    if pages is None or not re.search(r"\d\s?[-–]", pages):
        printed = _PAGES.search(text)
        if printed is not None and (pages is None or printed.group("pages")):
            pages = printed.group("pages") or printed.group("bare")
            start = min(start, printed.start())
    city = _CITY.search(text)
    publisher = _pressed(city) if city is not None else None
    limit = min(start, city.start() if city is not None else len(text), edited)
    container = _container(text, limit)
    numbered = _LAST_NUMBER.search(container or "") if "volume" not in found else None
    if container and numbered is not None and pages is not None:  # "Machine Learning 8, 279-292"
        container, found = container[: numbered.start()], {**found, "volume": numbered["volume"]}
    if container and all(token.strip(".,").lower() in words("place") for token in container.split()):
        container = None
    if publisher is None:
        container, publisher = _publisher(text, container, inside=inside, numbered=bool(found))
    if pages is not None and _YEAR.fullmatch(pages):
        pages = None  # "33, 2020" is volume and year
    return Venue(container, found.get("volume"), found.get("issue"), _dashed(pages), publisher, editors)


def _is_place(name: str) -> bool:
    return name.lower() in words("place") or words("place").issuperset(name.lower().split())


def _pressed(city: re.Match[str]) -> str:
    """Give the publisher of `Place: Publisher`, also where the two are printed the other way round."""
    publisher, place = city["publisher"].strip(" ."), city["place"]
    turned = _is_place(publisher) and not _is_place(place)
    return place if turned else publisher


def _publisher(text: str, container: str | None, *, inside: bool, numbered: bool) -> tuple[str | None, str | None]:
    """Tell a publisher from a container where no place stands before it."""
    if container and not inside and not numbered:
        tokens = [token.strip(".,").lower() for token in container.split()]
        if any(token in words("publisher") for token in tokens) and not any(
            token in {"journal", "review", "proceedings"} for token in tokens
        ):
            return None, container
    for piece in re.split(r"[,.;(]\s?", text)[1:]:
        tokens = [token.strip(".,)").lower() for token in piece.split()]
        if (
            0 < len(tokens) <= _LONG_PUBLISHER
            and piece[:1].isupper()
            and any(token in words("publisher") - words("place") for token in tokens)
        ):
            return container, piece.strip(" .)") or None
    return container, None
