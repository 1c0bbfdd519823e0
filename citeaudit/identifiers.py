"""Clean and find identifiers of works: DOI, arXiv, PubMed, ISBN, ISSN, URL.

Every `clean_x` takes a whole field (or `None`) and gives the normal form or `None`; each is idempotent.
Every `locate_x` looks into running text and says where the identifier stands, so that a reader can cut it
out; `find_x` gives its value alone. Nothing here touches the network: an identifier that passes is
well formed, which says nothing about its existence.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

MAX_RAW = 2_000
"""Characters of a field that are looked at; an identifier is never that long."""


class Found(NamedTuple):
    """An identifier in running text; `start` and `end` are a half-open span that includes its cue (`doi:`)."""

    value: str
    start: int
    end: int


_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")
_DASHES = str.maketrans({"‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "﹣": "-", "－": "-"})


def _tidy(raw: str | None) -> str:
    """Give the field without invisible characters, with plain dashes, cut to `MAX_RAW`."""
    if not raw:
        return ""
    text = unicodedata.normalize("NFKC", raw[:MAX_RAW]).translate(_DASHES)
    return _INVISIBLE.sub("", text).strip()


# --- DOI -------------------------------------------------------------------------------------------------
# Syntax: DOI Handbook 2.2 (prefix `10.` + registrant of 4 to 9 digits, suffix any printable character);
# Crossref's own recommendation for matching: https://www.crossref.org/blog/dois-and-matching-regular-expressions/

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9})?/[!-~]{1,400}")
_DOI_END = re.compile(
    r"[?#]|&(?:amp|quot|lt|gt);|</|<(?!\d)|https?:|[;,|](?=(?:doi:|https?:|10\.\d{4}))|[\"`{}\\^]", re.IGNORECASE
)
_DOI_TAIL = re.compile(r"(?:/(?:full|abstract|epdf|pdf|meta|html|fulltext|issuetoc)|\.pdf)$")
_DOI_VERSION = re.compile(r"^(10\.48550/arxiv\..{1,40}?)v\d{1,3}$")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}


def _trim(text: str) -> str:
    """Drop closing punctuation and brackets that were never opened (the SICI's own pairs stay)."""
    while text:
        last = text[-1]
        opened = _PAIRS.get(last)
        if opened is None:
            if last not in ".,;:!'*_-\u2019\u201d([<&":
                break
        elif text.count(opened) >= text.count(last):
            break
        text = text[:-1]
    return text


def _doi_once(text: str) -> str:
    match = _DOI.search(text)
    if match is None:
        return ""
    body = match.group()
    cut = _DOI_END.search(body)
    if cut is not None:
        body = body[: cut.start()]
    body = _DOI_TAIL.sub("", _trim(body.lower()))
    version = _DOI_VERSION.match(body)
    return version.group(1) if version else body


def clean_doi(raw: str | None) -> str | None:
    """Give the normal form of a DOI: lower case, no resolver, no `doi:`, no closing punctuation.

    Versions of arXiv DOIs (`10.48550/arXiv.…v2`) are dropped: DataCite registers the paper, not its versions.

    >>> clean_doi("https://doi.org/10.1002/(SICI)1097-0258(19980815/30)17:15/16%3C1661::AID-SIM968%3E3.0.CO;2-2).")
    '10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2'
    """
    text = _tidy(raw).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    for _ in range(len(text) + 1):  # every round but the last makes it shorter or lower case
        plain = _doi_once(unquote(text))
        if plain == text:
            break
        text = plain
    return text if _DOI.fullmatch(text) else None


_DOI_START = re.compile(
    r"(?:\(|\[)?(?:https?\s?:\s?//\s?)?(?:(?:dx\s?\.\s?)?doi\s?\.\s?org\s?/\s?|doi\s?[:=]?\s?|DOI\s)?10\s?\.\s?\d{4,9}(?:\.\d{1,9})?\s?/\s?",
    re.IGNORECASE,
)
_MAY_START = re.compile(r"10\s?\.\s?\d{4}")
_PIECE = re.compile(r"[!-~‐‑–]{1,400}")
_NEXT_PIECE = re.compile(r"\s{1,2}([a-z0-9(][!-~]{0,200})")
_BARE_YEAR = re.compile(r"\s{1,2}(?:19|20)\d\d[.,;)]?(?=$|\s(?!\d\d[.\d]))")
_SPLIT_YEAR = re.compile(r"\.(?:19|20)\d\d\.$")


def _joins(suffix: str, piece: str) -> bool:
    """Whether a DOI broken by a space goes on: `10.4049/jimmunol. 1700893`, `10.1016/j. x. 2014. 09.003`."""
    last = suffix[-1]
    if last in "/_-":
        return True
    if last != "." or not re.search(r"\d", piece) or piece.startswith(("http", "doi", "(")):
        return bool(last == "." and not re.search(r"\d", suffix) and re.match(r"[a-z]{2,12}\.", piece))
    if not re.search(r"\d", suffix):
        return True
    return bool(_SPLIT_YEAR.search(suffix) and re.match(r"\d{2}[.\d]", piece))


def locate_doi(text: str, start: int = 0) -> Found | None:
    """Give the first DOI at or after `start`, repaired where a line end broke it, or `None`."""
    if _MAY_START.search(text, start) is None:  # most texts hold none, and this looks for a fixed word
        return None
    for match in _DOI_START.finditer(text, start):
        piece = _PIECE.match(text, match.end())
        if piece is None:
            continue
        prefix = "10." + re.sub(r"\s", "", match.group()).rpartition("10.")[2]
        suffix, end = piece.group(), piece.end()
        for _ in range(4):
            more = _NEXT_PIECE.match(text, end)
            if more is not None and _BARE_YEAR.match(text, more.start()):
                break
            if more is None or _trim(suffix.rstrip(".,;")) == "" or not _joins(suffix, more.group(1)):
                break
            suffix, end = suffix + more.group(1), more.end()
        value = clean_doi(prefix + suffix)
        if value is not None:
            return Found(value, match.start(), end)
    return None


def find_doi(text: str) -> str | None:
    """Give the first DOI in running text, or `None`."""
    found = locate_doi(text)
    return found.value if found else None


# --- arXiv -----------------------------------------------------------------------------------------------
# https://info.arxiv.org/help/arxiv_identifier.html: YYMM.NNNN from 0704, YYMM.NNNNN from 1501; before that
# archive/YYMMNNN. The month makes most invented ids fail.

_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|"
    "funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|"
    "plasm-ph|q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(v[1-9]\d{0,2})?")
_OLD = re.compile(
    rf"({_ARCHIVES})(?:\.[A-Za-z]{{2}}(?:-[A-Za-z]{{2,3}})?)?/(\d{{2}})(\d{{2}})(\d{{3}})(v[1-9]\d{{0,2}})?",
    re.IGNORECASE,
)
_ARXIV_LEAD = re.compile(
    r"^(?:https?://)?(?:(?:www\.|export\.|[a-z]{2}\.)?arxiv\.org/(?:abs|pdf|html|format|ps|e-print)/|(?:dx\.)?(?:doi\.org/)?10\.48550/arxiv\.|arxiv\s?:?\s?|abs/)",
    re.IGNORECASE,
)
_MONTHS = frozenset(f"{month:02}" for month in range(1, 13))
_FIRST_NEW, _FIRST_FIVE, _LAST_NEW = 704, 1501, 9000
_FIRST_OLD_YEAR, _LAST_OLD = 91, 703


def _new_id(match: re.Match[str]) -> str | None:
    year, month, number, version = match.groups()
    stamp = int(year + month)
    if month not in _MONTHS or not _FIRST_NEW <= stamp < _LAST_NEW or int(number) == 0:
        return None
    if len(number) != (5 if stamp >= _FIRST_FIVE else 4):
        return None
    return f"{year}{month}.{number}{version or ''}"


def _old_id(match: re.Match[str]) -> str | None:
    archive, year, month, number, version = match.groups()
    early = int(year) < _FIRST_OLD_YEAR
    if month not in _MONTHS or (early and int(year + month) > _LAST_OLD) or number == "000":
        return None
    return f"{archive.lower()}/{year}{month}{number}{(version or '').lower()}"


def clean_arxiv_id(raw: str | None) -> str | None:
    """Give an arXiv id without `arXiv:` or URL; the version, if there, is kept, a subject class is not.

    >>> clean_arxiv_id("https://arxiv.org/pdf/1706.03762v7.pdf"), clean_arxiv_id("arXiv:2412. 08905")
    ('1706.03762v7', '2412.08905')
    >>> clean_arxiv_id("2413.01234") is None
    True
    """
    text = re.sub(r"\s*\.\s*(?=\d)", ".", _tidy(raw))
    for _ in range(3):
        text = _ARXIV_LEAD.sub("", text).strip()
    text = re.sub(r"(?:\.pdf)?[.,;)\]]*$", "", re.sub(r"\s*[\[(][a-z-]+(?:\.[A-Za-z-]+)?[\])]?\s*$", "", text))
    for pattern, build in ((_NEW, _new_id), (_OLD, _old_id)):
        match = pattern.fullmatch(text)
        if match is not None:
            return build(match)
    return None


_ARXIV_CUE = re.compile(
    r"(?:https?://)?(?:www\.|export\.)?(?:arxiv\.org\s?/\s?(?:abs|pdf|html)\s?/\s?|(?:doi\.org/)?10\.48550/arxiv\.|arxiv\s?:\s?|\babs/)",
    re.IGNORECASE,
)
_ARXIV_NAME = re.compile(r"arxiv[^\d\n]{0,40}?(?=\d{4}\.\d{4})", re.IGNORECASE)
_LOOSE_NEW = re.compile(r"(\d{2})(\d{2})\s?\.\s?(\d{4,5})(?!\d)(v[1-9]\d{0,2})?(?:\.pdf)?")
_BARE_NEW = re.compile(
    r"(?<![\d.])(\d{2})(\d{2})\.(\d{4,5})(?![\d.]\d)(v[1-9]\d{0,2})?(?=\s?\[[a-z-]{2,9}(?:\.[A-Za-z-]{2,3})?\])"
)
_BARE_OLD = re.compile(rf"(?<![\w/.-])(?:arxiv\s?:\s?)?{_OLD.pattern}(?!\d)", re.IGNORECASE)
_TAG = re.compile(r"\s?\[[a-z-]{2,9}(?:\.[A-Za-z-]{2,4})?\]")


def locate_arxiv_id(text: str) -> Found | None:
    """Give the first arXiv id that a cue marks as one (`arXiv:`, `abs/`, `[cs.LG]`, an old archive), or `None`."""
    for cue in (_ARXIV_CUE, _ARXIV_NAME):
        for lead in cue.finditer(text):
            for pattern, build in ((_LOOSE_NEW, _new_id), (_OLD, _old_id)):
                match = pattern.match(text, lead.end())
                value = build(match) if match else None
                if match and value:
                    tag = _TAG.match(text, match.end())
                    return Found(value, lead.start(), tag.end() if tag else match.end())
    for pattern, build in ((_BARE_NEW, _new_id), (_BARE_OLD, _old_id)):
        for match in pattern.finditer(text):
            value = build(match)
            if value:
                tag = _TAG.match(text, match.end())
                return Found(value, match.start(), tag.end() if tag else match.end())
    return None


def find_arxiv_id(text: str) -> str | None:
    """Give the first arXiv id in running text, or `None`; bare numbers without a cue are not taken."""
    found = locate_arxiv_id(text)
    return found.value if found else None


def bare_arxiv_id(arxiv_id: str) -> str:
    """Give an arXiv id without its version.

    >>> bare_arxiv_id("1706.03762v7")
    '1706.03762'
    """
    return re.sub(r"v\d{1,3}$", "", arxiv_id)


def doi_arxiv_id(doi: str | None) -> str | None:
    """Give the arXiv id that an arXiv DOI names, or `None` for any other DOI.

    >>> doi_arxiv_id("10.48550/arxiv.1706.03762")
    '1706.03762'
    """
    value = clean_doi(doi) or ""
    return clean_arxiv_id(value.removeprefix("10.48550/arxiv.")) if value.startswith("10.48550/arxiv.") else None


# --- PubMed ----------------------------------------------------------------------------------------------

_PMID_CUE = re.compile(
    r"\b(?:PMID|PubMed(?:\sID)?)\s?:?\s?(\d{3,8})\b|(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d{3,8})\b",
    re.IGNORECASE,
)
_PMCID_DIGITS = 3  # shorter numbers are never printed with the prefix
_PMCID = re.compile(r"\bPMC\s?:?\s?(?:ID:?\s?)?(?:PMC)?(\d{3,9})\b", re.IGNORECASE)


def clean_pmid(raw: str | None) -> str | None:
    """Give the digits of a PubMed id (1 to 8, no leading zeros)."""
    text = _tidy(raw)
    match = _PMID_CUE.search(text) or re.fullmatch(r"(\d{1,8})", text, re.ASCII)
    if match is None:
        return None
    return (match.group(1) or match.group(2)).lstrip("0") or None


def clean_pmcid(raw: str | None) -> str | None:
    """Give a PubMed Central id with its prefix: `PMC5334499`."""
    text = _tidy(raw)
    match = _PMCID.search(text) or re.fullmatch(r"(\d{3,9})", text, re.ASCII)
    digits = match.group(1).lstrip("0") if match else ""
    return f"PMC{digits}" if len(digits) >= _PMCID_DIGITS else None


def locate_pmid(text: str) -> Found | None:
    """Give the first PubMed id that carries its name, or `None`."""
    match = _PMID_CUE.search(text)
    value = clean_pmid(match.group()) if match else None
    return Found(value, match.start(), match.end()) if match and value else None


def locate_pmcid(text: str) -> Found | None:
    """Give the first PubMed Central id, or `None`."""
    match = _PMCID.search(text)
    value = clean_pmcid(match.group()) if match else None
    return Found(value, match.start(), match.end()) if match and value else None


# --- ISBN, ISSN ------------------------------------------------------------------------------------------
# Check digits: ISBN Users' Manual (7th ed.) and ISO 3297.

_ISBN_DIGITS = 13
_ISBN = re.compile(r"(?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dXx]")
_ISBN_CUE = re.compile(r"ISBN(?:[- ]?1[03])?\s?[:#]?\s?", re.IGNORECASE)
_ISSN = re.compile(r"(\d{4})[- ]?(\d{3}[\dXx])")
_ISSN_CUE = re.compile(r"\be?-?ISSN\s?:?\s?(\d{4}[-–]?\d{3}[\dXx])\b", re.IGNORECASE)


def _sum13(digits: str) -> int:
    return sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))


def clean_isbn(raw: str | None) -> str | None:
    """Give thirteen digits, ten-digit ones converted; a wrong check digit gives `None`.

    >>> clean_isbn("ISBN 0-306-40615-2")
    '9780306406157'
    """
    text = _ISBN_CUE.sub("", _tidy(raw))
    match = _ISBN.fullmatch(text.strip(" .,;()"))
    if match is None or not match.group().isascii():
        return None
    digits = re.sub(r"[- ]", "", match.group()).upper()
    if len(digits) == _ISBN_DIGITS:
        return digits if digits.isdigit() and _sum13(digits) % 10 == 0 else None
    if sum((10 - place) * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits)) % 11:
        return None
    body = "978" + digits[:9]
    return f"{body}{-_sum13(body) % 10}"


def clean_issn(raw: str | None) -> str | None:
    """Give `NNNN-NNNC` with a right check digit, or `None`.

    >>> clean_issn("03785955")
    '0378-5955'
    """
    match = _ISSN.fullmatch(re.sub(r"^e?-?ISSN\s?:?\s?", "", _tidy(raw), flags=re.IGNORECASE).strip(" .,;()"))
    if match is None or not match.group().isascii():
        return None
    digits = (match.group(1) + match.group(2)).upper()
    total = sum((8 - place) * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits))
    return f"{digits[:4]}-{digits[4:]}" if total % 11 == 0 else None


def locate_isbn(text: str) -> Found | None:
    """Give the first ISBN that carries its name and a right check digit, or `None`."""
    dashed = text.translate(_DASHES)  # one code point each, so spans hold
    for cue in _ISBN_CUE.finditer(text):
        match = _ISBN.match(dashed, cue.end())
        value = clean_isbn(match.group()) if match else None
        if match and value:
            return Found(value, cue.start(), match.end())
    return None


def locate_issn(text: str) -> Found | None:
    """Give the first ISSN that carries its name and a right check digit, or `None`."""
    match = _ISSN_CUE.search(text)
    value = clean_issn(match.group(1)) if match else None
    return Found(value, match.start(), match.end()) if match and value else None


# --- URL -------------------------------------------------------------------------------------------------

_URL = re.compile(r"(?:https?\s?:\s?//\s?|ftp://|www\.)[^\s<>\"“”{}|\\^`]{2,1000}", re.IGNORECASE)
_URL_MORE = re.compile(r"\s((?!(?:1[5-9]|20)\d\d\b)[a-z0-9~?=&_%.#-][^\s<>\"“”{}|\\^`]{0,300})")
_HOST = re.compile(
    r"(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]\.?$", re.IGNORECASE
)


def clean_url(raw: str | None) -> str | None:
    """Give an http, https or ftp URL with a plausible host and no closing punctuation, or `None`.

    The path keeps its case; spaces, control characters and hosts without a dot make it `None`.
    """
    text = _INVISIBLE.sub("", (raw or "")[:MAX_RAW]).strip().strip("<>")
    text = re.sub(r"^\\url\s*\{(.*)\}$", r"\1", text)
    if text.lower().startswith("www."):
        text = "http://" + text
    text = _trim(text)
    if re.search(r"[\s<>\"{}|\\^`\x00-\x1f\x7f]", text):
        return None
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https", "ftp"} or not _HOST.match(host):
        return None
    return text


def _goes_on(body: str, piece: str) -> bool:
    """Whether a URL broken by a space goes on with `piece`."""
    if body.endswith("."):  # inside the host: `https://some-site. github.io/`
        return (
            "/" not in body[8:]
            and re.match(r"[a-z0-9-]{2,30}(?:\.[a-z]{2,10})?/|[a-z0-9-]{2,30}\.[a-z]{2,10}\b", piece) is not None
        )
    return body.endswith(("/", "-", "_", "=", "&", "?", "%")) and re.search(r"[\d/._=-]", piece) is not None


def locate_url(text: str, start: int = 0) -> Found | None:
    """Give the first URL at or after `start`, joined where a space after `/` broke it, or `None`."""
    for match in _URL.finditer(text, start):
        body, end = match.group(), match.end()
        for _ in range(4):
            more = _URL_MORE.match(text, end)
            if more is None or not _goes_on(body, more.group(1)):
                break
            body, end = body + more.group(1), more.end()
        value = clean_url(re.sub(r"\s", "", body))
        if value is not None:
            return Found(value, match.start(), end)
    return None
