"""Prepare a printed reference for reading: one line, no label, identifiers taken out."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import NamedTuple

from citeaudit import identifiers as ids
from citeaudit.model.reference import Identifiers
from citeaudit.text.normalize import squash

MAX_READ = 4_000
"""Characters of a reference that are read; longer strings are cut."""

_MARKUP = re.compile(r"</?(?:i|b|em|italic|bold|sub|sup|sc|strong|u|span|p|br)\b[^<>]{0,80}>", re.IGNORECASE)
_BROKEN = re.compile(r"([^\W\d_])[-‐\u00ad]\s?\n\s*(?=([^\W\d_]))")
_LABEL = re.compile(
    r"^\s*(?:\[\s?[\w+*.:-]{1,24}(?:\s?[,;]?\s?\d{4}[a-z]?)?\s?\]\.?|\(\s?\d{1,4}\s?\)|\d{1,4}\s?[.)](?!\d)|"
    r"\d{1,4}\s(?=[^\W\d_]\S*[\s,.])|\d{1,3}-(?=[^\W\d_a-z][^\W\d_A-Z]+\s[^\W\d_a-z]{1,3}[,.])|[•►▪■◦*]|[-–—]\s(?=\w))\s*"
)
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\uf000-\uf0ff\x00-\x08\x0b\x0c\x0e-\x1f]")
#: Words whose hyphen at a line end is their own (`pre-trained`); other broken words are joined.
_KEEP_HYPHEN = frozenset(
    {
        "self",
        "non",
        "pre",
        "semi",
        "multi",
        "cross",
        "co",
        "state",
        "fine",
        "large",
        "long",
        "short",
        "high",
        "low",
        "real",
        "end",
    }
    | {
        "based",
        "level",
        "well",
        "anti",
        "inter",
        "intra",
        "sub",
        "meta",
        "post",
        "quasi",
        "two",
        "three",
        "zero",
        "one",
        "few",
    }
    | {"time", "data", "open", "hand", "hard", "near", "full", "half", "cost", "model", "off", "on"}
)
_LEFTOVER = re.compile(
    r"[\s,;.(\[]*\b(?:URL|doi|DOI|Available(?:\s(?:at|from|online|as|in))?|Retrieved(?:\s[^.:]{0,40})?\sfrom|"
    r"Disponível em|Disponible en|Online(?: unter)?|arXiv(?:\spreprint)?|ISBN|ISSN|PMID|PMCID|"
    r"(?:eprint|e-print)s?|abgerufen|"
    r"from|see|At)"
    r"\s?:?[\s.,;)\]]*$",
    re.IGNORECASE,
)
_ACCESSED = re.compile(
    r"[\s,.;]{0,6}[(\[]?\b(?:(?:last\s|date\s)?(?:accessed|retrieved|viewed|visited|checked)|acesso em|"
    r"consulted|consultado|consulté|abgerufen|zugriff|letzter zugriff|stand)\b"
    r"[^()\[\]]{0,60}?(?:19|20)\d\d(?:[-./]\d{1,2}){0,2}[^()\[\]\w]{0,3}[)\]]?\.?|"
    r"(?<=\s)\[(?:19|20)\d\d-\d\d-\d\d\]",  # GB/T 7714 prints the day of access so
    re.IGNORECASE,
)
#: Marks that extraction set apart from their letter: `S¨oder`, `Bure˘s`.
_ACCENT_APART = re.compile(r"([¨´`ˆ˜ˇ˘˚])\s?([A-Za-z])")
_ACCENTS = dict(zip("¨´`ˆ˜ˇ˘˚", "\u0308\u0301\u0300\u0302\u0303\u030c\u030c\u030a", strict=True))
#: `Nature ,12` and `Phys .Rev`: the space stands on the wrong side of the mark.
_LOOSE_MARK = re.compile(r"\s([,;.])(?=[A-Za-z\d][\w-])(?!\.\d)")
#: `Räumen.Math. Z.`: a space was lost.
_LOST_SPACE = re.compile(r"([.])(?<=[a-zäöüéèß]{3}[.])(?=[A-ZÄÖÜ][a-z])")

#: `Karl(1969).Psychologie` and `2001:Wo`: spaces were lost about the year.
_LOST_ABOUT_YEAR = re.compile(
    r"(?<=[^\W\d_])(?=\((?:1[5-9]|20)\d\d[a-z]?\))|(?<=\d{4}:)(?=[^\W\d_]{2})|(?<=\d{4}\)[.,:])(?=[^\W\d_]{2}|[“„\"])"
)
_MAY_BE_LOST = re.compile(r"\(\d|:(?<=\d:)[^\W\d_]|\)(?<=\d\))[.,:]\S")


def _accent(match: re.Match[str]) -> str:
    whole = unicodedata.normalize("NFC", match.group(2) + _ACCENTS[match.group(1)])
    return whole if len(whole) == 1 else match.group()


def _shortened(text: str) -> str:
    """Cut to `MAX_READ` characters; what goes is the middle of the author list, which makes references long."""
    if len(text) <= MAX_READ:
        return text
    head = text[: MAX_READ // 2].rpartition(", ")[0] or text[: MAX_READ // 2]
    tail = text[-(MAX_READ // 2 - 4) :]
    return f"{head}, {tail.partition(', ')[2] or tail}"


def joined(raw: str) -> str:
    r"""Give the reference on one line: line-end hyphens closed, markup and invisible characters gone.

    >>> joined("Stack-\nguard for fine-\ntuned models")
    'Stackguard for fine-tuned models'
    """

    def close(match: re.Match[str]) -> str:
        head = raw[: match.start() + 1].rsplit(None, 1)[-1].lower() if match.start() < MAX_READ else ""
        keep = head in _KEEP_HYPHEN or match.group(2).isupper() or "-" in head
        return f"{match.group(1)}-" if keep else match.group(1)

    raw = raw if len(raw) <= MAX_READ * 2 else _shortened(raw)
    text = _LOOSE_MARK.sub(r"\1 ", _ACCENT_APART.sub(_accent, _BROKEN.sub(close, raw)))
    text = unicodedata.normalize("NFKC", _MARKUP.sub("", text)).replace("``", "“").replace("''", "”")
    return _shortened(squash(_INVISIBLE.sub("", text)).replace(",,", ","))


_CAPITAL_AND = re.compile(r"(?<=[^\W\d_a-z]{2})(,?\s)(AND|UND|ET)(?=\s(?:[^\W\d_a-z]\.[-\s]?){1,3}[^\W\d_a-z])")
"""`R. ALBERT AND A.-L. BARABÁSI`"""
_SEE = re.compile(
    r"^(?:[Vv]gl\.|[Ss]iehe|[Cc]f\.|See)(?:\s(?:auch|also|dazu|hierzu|z\.\s?B\.|e\.g\.|for example))?[:,]?\s"
    r"(?=[^\W\d_])"
)


def unlabelled(text: str) -> str:
    """Drop a printed label from the front: `[12]`, `12.`, `(3)`, `[Abc99]`; and a footnote's `Vgl.`, `See also`."""
    for pattern in (_LABEL, _SEE):
        match = pattern.match(text)
        if match is not None and match.end() < len(text):
            text = text[match.end() :]
    return text


_EMPTY = re.compile(r"[\s,;.]{0,6}(?:\(\s?\)|\[\s?\]|<\s?>|[|])")
_MAY_BE_EMPTY = re.compile(r"\(\s?\)|\[\s?\]|<\s?>|[|]")
_CLOSING = re.compile(r"\s?([.,;:])(?:\s?[.,;:]){1,20}\s?$")


class Stripped(NamedTuple):
    """A reference without its identifiers."""

    text: str
    identifiers: Identifiers
    arxiv: bool
    """Whether an arXiv id stood in the text, so that a preprint server is its venue."""


_LOCATORS = (
    ("doi", ids.locate_doi),
    ("arxiv_id", ids.locate_arxiv_id),
    ("pmcid", ids.locate_pmcid),
    ("pmid", ids.locate_pmid),
    ("isbn", ids.locate_isbn),
    ("issn", ids.locate_issn),
    ("url", ids.locate_url),
)

_CUES = {
    "doi": ("10",),
    "arxiv_id": ("arxiv", "abs/", "[", "/"),
    "pmcid": ("pmc",),
    "pmid": ("pm", "pubmed", "medline"),
    "isbn": ("isbn",),
    "issn": ("issn",),
    "url": ("http", "ftp:", "www."),
}
"""What must stand in a text that holds an identifier."""
_DAYS = ("accessed", "retrieved", "viewed", "visited", "checked", "acesso", "consult", "abgerufen", "zugriff", "stand")
"""The same, the day of access."""


def strip_identifiers(text: str) -> Stripped:
    """Take identifiers out of the text, so that their digits are not read as years or pages."""
    values: dict[str, str] = {}
    low = text.lower()
    for name, locate in _LOCATORS:
        if not any(cue in low for cue in _CUES[name]):
            continue  # most references hold none; looking for words costs less than the patterns
        for _ in range(3):
            found = locate(text)
            if found is None:
                break
            values.setdefault(name, found.value)
            # A mark in place of the identifier keeps sentences apart.
            head = text[: found.start]
            lead = _LEFTOVER.search(head[-80:])
            if lead is not None:
                head = head[: len(head) - len(head[-80:]) + lead.start()]
                head += "" if head.endswith((".", ",")) else "."
            text = f"{head} {text[found.end :].lstrip(' ;')}".strip()
    if any(map(low.__contains__, _DAYS)) or "[19" in low or "[20" in low:
        text = _ACCESSED.sub(".", text)
    text = squash(text)
    arxiv = "arxiv_id" in values
    doi_arxiv = ids.doi_arxiv_id(values.get("doi"))
    if doi_arxiv:
        values.setdefault("arxiv_id", doi_arxiv)
    if _MAY_BE_EMPTY.search(text):
        text = _EMPTY.sub("", text)
    text = _LOST_SPACE.sub(". ", text)
    if _MAY_BE_LOST.search(text):
        text = _LOST_ABOUT_YEAR.sub(" ", text)
    if text.rstrip()[-1:] in {".", ",", ":", ";"}:
        text = _CLOSING.sub(r"\1", text)
    text = _CAPITAL_AND.sub(lambda match: match.group().lower(), text)
    return Stripped(text, Identifiers(**values) if values else _NOTHING, arxiv)


_NOTHING = Identifiers()


_MARK = r"(?:retracted|withdrawn|retractada|retirad[oa]|zurückgezogen)"
_WORK = r"(?:article|paper|publication|work|study|preprint|chapter|manuscript|report|letter|version)"
_NOTICE = re.compile(
    # at the start: RETRACTED: Title, Retracted article: Title, [Retracted] Title, Retraction: Title
    rf"^\W{{0,5}}{_MARK}(?:\s{_WORK})?\s?[:\])–—]|^\W{{0,5}}(?:retraction|withdrawal)\s?[:\]]|"
    # after a stop: Title. Retracted. and Title. Retracted article: see vol. 3.
    rf"(?<=[.,;:)\]?!]\s)(?-i:RETRACTED|WITHDRAWN|Retracted|Withdrawn)(?:\s{_WORK})?(?=\s?[:.,;]|\s?$|\s\d)|"
    # In capitals anywhere, unless all is in capitals
    r"(?-i:(?<![A-Z]{2}\s)\b(?:RETRACTED|WITHDRAWN)(?:\s(?:ARTICLE|PAPER))?\b(?!\s[A-Z]{2}))(?!\s(?:articles|papers|publications)\b)|"
    # in brackets: (retracted 2011), [retracted article], (this article has been retracted)
    rf"[\[(]\s?(?:(?:this|the|since|now|later|subsequently)\s|{_WORK}\s|(?:has|have|was)\s|been\s){{0,5}}{_MARK}"
    rf"(?:\s{_WORK})?(?:\s?[,.;:]?\s?(?:in|on|by|from|due|see|because)\b[^\[\]()]{{0,80}}|[\s,.;:]{{0,3}}\d[^\[\]()]{{0,80}})?\s?[\])]",
    re.IGNORECASE,
)
_SAID = re.compile(rf"\b(?:{_MARK}|retraction\s(?:in|notice|published))\b", re.IGNORECASE)
#: Words before the mark with which a note says something else: a denial, a question, another paper.
_DENIED = re.compile(
    r"(?:\b(?:not|never|no|neither|nor|without|nicht|nie|if|whether|should|would|could|may|might)|n['’]t)\b[\s,-]{1,3}(?:[\w'’]{1,30}[\s,-]{1,3}){0,5}$|"
    r"\b(?:un|non|about|on|of|for|from|among|against|were|are|all|many|some|other|cit(?:es|ing))\b[\s-]{1,3}(?:\w{1,30}[\s-]{1,3}){0,2}$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\s{0,3}(?:and\s\w+\s)?(?:articles|papers|publications|works|studies|literature|preprints|science)\b",
    re.IGNORECASE,
)
_STEMS = ("retract", "withdraw", "retirad", "zurückgezogen")
"""Every mark holds one of these; nearly all citations hold none."""
_MAX_NOTES = 20
"""Mentions in a note that are looked at."""


def is_acknowledged(printed: str, notes: str = "") -> bool:
    """Whether a citation itself says that the work is retracted or withdrawn.

    In running text (`printed`) only a mark counts (`RETRACTED:`, `[Retracted]`), since papers about retracted
    papers exist; in `notes` the bare word does, unless it is denied or said of other papers.

    >>> is_acknowledged("RETRACTED: A study of things"), is_acknowledged("Citations of retracted papers")
    (True, False)
    >>> is_acknowledged("", "Retracted"), is_acknowledged("", "Has never been retracted")
    (True, False)
    """
    low = (printed + notes).lower()
    if not any(map(low.__contains__, _STEMS)):
        return False
    for match in islice(_SAID.finditer(notes), _MAX_NOTES):
        before = notes[max(0, match.start() - 200) : match.start()]
        if not _DENIED.search(before) and not _ABOUT.match(notes, match.end()):
            return True
    return _NOTICE.search(printed) is not None
