r"""Collect what reference lists carry as types: `\bibinfo` and `\bibfield`, apacite's macros, amsrefs' fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citeaudit import identifiers as ids
from citeaudit.extract.latex.scan import braced
from citeaudit.text.latex import to_text
from citeaudit.text.names import parse_people

MAX_INFOS = 4_000

_INFO = re.compile(r"\\bib(?P<kind>info|field)\s{0,3}(?=\{)")
_TITLE = re.compile(r"\\show(?:article|book)title\s{0,3}(?=\{)")
_FAMILY = re.compile(r"\\bibnamefont\s{0,3}(?=\{)")
_GIVEN = re.compile(r"\\bibfnamefont\s{0,3}(?=\{)")
_WRAP = re.compile(r"\\bib(?:info|field)\s{0,3}\{[^{}]{0,40}\}\s{0,3}")
_HREF = re.compile(r"\\(?:href|Eprint|url|doi|Doi|DOI|path|nolinkurl)\s{0,3}\{(?P<address>[^{}]{1,1000})\}")
_DOIBASE = re.compile(r"\\doibase\s{0,3}|\\natexlab\s?\{[^{}]{0,5}\}")
_MEETING = re.compile(r"\b(?:proc|conf|symp|workshop|congress|meeting|tagung)", re.IGNORECASE)
_ROLES = {"person": "author", "author": "author", "editor": "editor", "bibinfo": "author"}
_NAMES = {"date": "year", "eid": "pages", "collaboration": "author", "article": "pages"}
_APACITE = {
    "APACrefatitle": ("", "title"),
    "APACrefbtitle": ("", "title"),
    "APACrefaetitle": ("", ""),
    "APACjournalVolNumPages": ("journal", "volume", "number", "pages"),
    "APACrefYearMonthDay": ("year", "", ""),
    "APACrefYear": ("year",),
    "APACaddressPublisher": ("address", "publisher"),
    "APACaddressInstitution": ("address", "institution"),
    "APACaddressSchool": ("address", "school"),
    "APAChowpublished": ("howpublished",),
    "APACrefnote": ("note",),
    "doi": ("doi",),
}
_APAC = re.compile(r"\\(?P<name>APAC[A-Za-z]{3,24})\s{0,3}(?=\{)")
_APAC_AUTHORS = re.compile(r"\\begin\{APACrefauthors\}(?P<names>.{1,20000}?)\\end\{APACrefauthors\}", re.DOTALL)
_APAC_SIGNS = re.compile(
    r"\\(?P<name>BPBI|BHBI|BBA|BBACOMMA|BCBT|BCBL|BCnt|BPGS|BPG|BVOL|BED|BEDS)(?![A-Za-z])\s?(?:\{\})?"
)
_APAC_LETTER = re.compile(
    r"\s?\{?\\protect\s?\\(?:APACexlab\s?\{{1,2}\s?(?:\\protect\s?\\)?)?BCnt\s?\{(?P<number>\d{1,2})\}{1,4}"
)
_ALPHABET = 26
_JURA = re.compile(r"\\jbbibargs\s{0,3}(?=\{)")
_JURA_NAME = re.compile(r"\\bibnf\s{0,3}(?=\{)|(?P<others>\\Bibetal(?![A-Za-z]))")
_JURA_FIELDS = {
    "bibapifont": "title",
    "bibtfont": "title",
    "bibjtfont": "journal",
    "bibbtfont": "booktitle",
    "artvolumeformat": "volume",
    "artnumberformat": "number",
    "artyearformat": "year",
    "jbPages": "pages",
    "jbisbn": "isbn",
    "jbdoi": "doi",
}
_JURA_FIELD = re.compile(rf"\\(?P<name>{'|'.join(_JURA_FIELDS)})\s{{0,3}}(?=\{{)")
_JURA_LETTER = re.compile(r"\\(?:bib)?el\s?\{(?P<letter>[a-z])\}")
_JURA_DATE = re.compile(r"(?:1[4-9]|20)\d\d(?:\\(?:bib)?el\s?\{[a-z]\})?(?=\s?\}|\s\\jbnote)")
_AMS_FIELD = re.compile(r"(?:^|[,\s])(?P<name>[a-z_]{2,20})\s{0,5}=\s{0,5}(?=\{)")


class Typed(NamedTuple):
    """What a list's item carries as types."""

    kind: str
    """Entry type of BibTeX, as far as the fields tell."""
    fields: dict[str, str]
    """LaTeX by BibTeX field name; empty where the item is plain text."""
    truncated: bool = False

    def is_enough(self) -> bool:
        """Whether the fields tell the work: a title beside names or a year, or journal, volume and year."""
        has = self.fields.get
        if has("title") or has("booktitle"):
            return bool((has("author") or has("editor")) and (has("year") or has("journal") or has("publisher")))
        return bool(has("author") and has("journal") and has("volume") and has("year"))

    def hints(self) -> Iterator[tuple[str, str | None]]:
        """Give the identifiers in the addresses of the item."""
        yield "doi", ids.clean_doi(self.fields.get("doi"))
        yield "arxiv_id", ids.clean_arxiv_id(self.fields.get("eprint"))
        yield "url", ids.clean_url(self.fields.get("url"))


def typed_fields(body: str) -> Typed:
    """Collect the typed parts of a list's item."""
    fields: dict[str, str] = {}
    people: dict[str, list[str]] = {"author": [], "editor": []}
    _infos(body, fields, people)
    _apacite(body, fields)
    truncated = _jurabib(body, fields, people)
    title = _TITLE.search(body)
    if title is not None and (text := braced(body, title.end())) is not None:
        fields.setdefault("title", _unwrapped(text.text))
    for role, names in people.items():
        if names:
            fields[role] = " and ".join(names)
    _addresses(body, fields)
    return Typed(_kind(fields), fields, truncated)


def _jurabib(body: str, fields: dict[str, str], people: dict[str, list[str]]) -> bool:
    r"""Read `\jbbibargs{names}{names}{}{the rest}`; tells whether the names end in `et al.`."""
    start = _JURA.search(body)
    names = braced(body, start.end()) if start else None
    if names is None:
        return False
    others = False
    for match in _JURA_NAME.finditer(names.text):
        others = others or bool(match["others"])
        family = None if match["others"] else braced(names.text, match.end())
        given = braced(names.text, family.end) if family else None
        if family and given and len(people["author"]) < MAX_INFOS:
            people["author"].append(f"{family.text}, {given.text}" if given.text.strip() else f"{{{family.text}}}")
    for match in _JURA_FIELD.finditer(body, names.end):
        value = braced(body, match.end())
        if value is not None and value.text.strip():
            text = _JURA_LETTER.sub(lambda letter: letter["letter"], value.text)
            fields.setdefault(_JURA_FIELDS[match["name"]], text)
    date = _JURA_DATE.search(body, names.end)
    if date is not None:
        fields.setdefault("year", _JURA_LETTER.sub(lambda letter: letter["letter"], date.group()))
    return others


def _infos(body: str, fields: dict[str, str], people: dict[str, list[str]]) -> None:
    editors_until = 0
    for count, match in enumerate(_INFO.finditer(body)):
        name = braced(body, match.end())
        value = braced(body, name.end) if name else None
        if name is None or value is None or count > MAX_INFOS:
            continue
        field = name.text.strip().lower()
        if match["kind"] == "field":
            if field == "editor":
                editors_until = value.end
            continue
        if field in _ROLES:
            role = "editor" if value.start < editors_until else _ROLES[field]
            people[role].append(_person(value.text))
        elif field != "note":
            fields.setdefault(_NAMES.get(field, field), _unwrapped(value.text))


def _person(latex: str) -> str:
    """Give a name as BibTeX writes it."""
    family = _FAMILY.search(latex)
    text = braced(latex, family.end()) if family else None
    if text is None:
        name = to_text(_unwrapped(latex)).strip(" ,;")
        return name if re.search(r"[\s,]", name) else f"{{{name}}}"
    given = _GIVEN.search(latex)
    first = braced(latex, given.end()) if given else None
    return f"{text.text}, {first.text}" if first else f"{{{text.text}}}"


def _unwrapped(latex: str) -> str:
    return _WRAP.sub("", _DOIBASE.sub("", latex))


def _addresses(body: str, fields: dict[str, str]) -> None:
    for match in _HREF.finditer(body):
        address = _DOIBASE.sub("https://doi.org/", match["address"]).strip().replace("\\_", "_").replace("\\%", "%")
        doi = ids.clean_doi(address)
        if doi is not None:
            fields.setdefault("doi", doi)
        elif ids.clean_arxiv_id(address) is not None:
            fields.setdefault("eprint", ids.clean_arxiv_id(address) or "")
        elif ids.clean_url(address) is not None:
            fields.setdefault("url", address)


def _kind(fields: dict[str, str]) -> str:
    has = fields.get
    if has("journal"):
        return "article"
    if has("booktitle"):
        return "inproceedings" if _MEETING.search(fields["booktitle"]) else "incollection"
    if has("school") or "thesis" in (has("type") or "").lower():
        return "phdthesis"
    if has("institution"):
        return "techreport"
    return "book" if has("publisher") else "misc"


def _apacite(body: str, fields: dict[str, str]) -> None:
    if "\\APAC" not in body:
        return
    authors = _APAC_AUTHORS.search(body)
    if authors is not None:
        people, truncated = parse_people(to_text(_APAC_SIGNS.sub(_apac_sign, authors["names"])))
        names = [f"{person.family}, {person.given}" if person.given else f"{{{person}}}" for person in people]
        fields["author"] = " and ".join([*names, "others"] if truncated else names)
    for match in _APAC.finditer(body):
        place = match.end()
        for name in _APACITE.get(match["name"], ()):
            value = braced(body, place)
            if value is None:
                break
            place = value.end
            if name and value.text.strip():
                second = name == "title" and "title" in fields
                text = _APAC_SIGNS.sub(_apac_sign, _APAC_LETTER.sub(_letter, value.text))
                fields.setdefault("booktitle" if second else name, text)


def _letter(match: re.Match[str]) -> str:
    """Give the letter after a year, which apacite counts."""
    number = int(match["number"])
    return chr(ord("a") + number - 1) if 0 < number <= _ALPHABET else ""


def _apac_sign(match: re.Match[str]) -> str:
    signs = {"BPBI": ". ", "BHBI": ".-", "BBA": "& ", "BCBT": ", ", "BCBL": ", "}
    return signs.get(match["name"], " ")


_AMS_NAMES = {"date": "year", "contribution": "note", "eprint": "eprint", "review": "", "status": "pubstate"}


def amsrefs(kind: str, body: str) -> Typed:
    r"""Read the fields of `\bib{key}{type}{…}`; authors stand one a field (amsrefs user's guide)."""
    fields: dict[str, str] = {}
    people: dict[str, list[str]] = {"author": [], "editor": []}
    place = 0
    while (match := _AMS_FIELD.search(body, place)) is not None:
        value = braced(body, match.end())
        if value is None:
            place = match.end()
            continue
        place = value.end
        name = match["name"]
        if name in people:
            people[name].append(value.text)
        else:
            fields.setdefault(_AMS_NAMES.get(name, name), value.text)
    for role, names in people.items():
        if names:
            fields[role] = " and ".join(names)
    return Typed({"thesis": "phdthesis", "report": "techreport"}.get(kind, kind), fields)
