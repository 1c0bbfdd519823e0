"""Tell the kind of a work from the words around its title."""

from __future__ import annotations

import re

from citeaudit.extract.fields.words import is_venue_word
from citeaudit.model.reference import WorkType

_ARXIV = re.compile(r"\barXiv\b|\bCoRR\b|\bbioRxiv\b|\bmedRxiv\b|\bchemRxiv\b|\bSSRN\b|\bpreprint\b", re.IGNORECASE)
_THESIS = re.compile(
    r"\b(?:Ph\.?\s?D\.?|Master(?:’s|'s|s)?|M\.?Sc\.?|Doctoral|Diploma|Bachelor(?:’s|'s)?)\.?\s(?:thesis|dissertation|diss)|"
    r"\b(?:Diss(?:ertation)?|Habilitation(?:sschrift)?|Diplomarbeit|Tese|Thèse)\b|\[D\]|\bthesis\b",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?:tech(?:nical)?\.?\s(?:report|rep\.?)|working paper|discussion paper|report no|white paper)\b|\[R\]",
    re.IGNORECASE,
)
_CONFERENCE = re.compile(
    r"\b(?:Proc(?:eedings)?|Conference|Conf|Workshop|Symposium|Congress|NeurIPS|NIPS|ICML|ICLR|CVPR|ICCV|ECCV|AAAI|IJCAI|ACL|"
    r"EMNLP|NAACL|KDD|SIGIR|INTERSPEECH|ICASSP|Advances in [Nn]eural)\b|\[C\]"
)
_PRIVATE = re.compile(r"\b(?:personal communication|private communication|persönliche Mitteilung)\b", re.IGNORECASE)
_VISITED = re.compile(
    r"\b(?:web\s?(?:page|site)|blog(?:\s?post)?|accessed|retrieved|last visited|abgerufen|zugriff|consulté|acesso em|"
    r"consultado)\b|\[online\]",
    re.IGNORECASE,
)
_KINDS = (
    (WorkType.THESIS, _THESIS),
    (
        WorkType.PATENT,
        re.compile(
            r"\bU\.?S\.?\s?[Pp]atent\b|\bPatent\s(?:No|EP|WO|US)|\b(?:EP|WO|US|DE|JP|CN|GB)\s?[Pp]atent\b|\[P\]"
        ),
    ),
    (WorkType.STANDARD, re.compile(r"\b(?:ISO|IEC|RFC|DIN|ANSI)[/\s-]{0,2}(?:IEC\s)?\d{3,6}\b|\[S\]")),
    (WorkType.PREPRINT, _ARXIV),
    (WorkType.REPORT, _REPORT),
    (WorkType.PAPER_CONFERENCE, _CONFERENCE),
    (WorkType.PERSONAL_COMMUNICATION, _PRIVATE),
)
#: What GB/T 7714 marks denote beside those above.
_GB_KINDS = {"J": WorkType.ARTICLE_JOURNAL, "M": WorkType.BOOK, "N": WorkType.NEWS, "EB/OL": WorkType.WEBPAGE}
_LATER_KINDS = (
    (
        WorkType.SOFTWARE,
        re.compile(
            r"\bR package version\b|\[(?:computer )?(?:software|program)\]|[,.(]\s?[Vv]ersion \d|\b[Rr]elease\b",
            re.IGNORECASE,
        ),
    ),
    (
        WorkType.DATASET,
        re.compile(r"\[data\s?(?:set)?s?\]|\b(?:Dryad|figshare|PANGAEA|Zenodo|Dataverse)\b|\[DB", re.IGNORECASE),
    ),
    (
        WorkType.NEWS,
        re.compile(
            r"\b(?:New York Times|The Guardian|Washington Post|Wall Street Journal|Der Spiegel|Die Zeit|"
            r"Süddeutsche Zeitung|Frankfurter (?:Allgemeine|Rundschau)|Neue Zürcher Zeitung|Le Monde|El País|"
            r"La Repubblica|Folha de S|taz)\b"
        ),
    ),
)
_ALL_KINDS = _KINDS + _LATER_KINDS
_CUES = {
    WorkType.THESIS: ("thesis", "diss", "habilitation", "diplomarbeit", "tese", "[d]"),
    WorkType.PATENT: ("patent", "[p]"),
    WorkType.PREPRINT: ("rxiv", "corr", "ssrn", "preprint"),
    WorkType.REPORT: ("tech", "paper", "report", "[r]"),
    WorkType.PERSONAL_COMMUNICATION: ("communication", "mitteilung"),
    WorkType.SOFTWARE: ("package", "[", "version", "release"),
    WorkType.DATASET: ("[d", "dryad", "figshare", "pangaea", "zenodo", "dataverse"),
}
"""What must stand in a text for its pattern to be found there, in lower case; for text of ASCII alone."""
_STANDARD = re.compile(
    r"(?:ISO|IEC|DIN|ANSI|ASTM|RFC|IEEE Std|3GPP T[SR]|ETSI|ITU-T)[/\s:-]{0,2}(?:[A-Z]{1,4}[/\s-])?[A-Z]?\.?\d{2,6}"
)
_CASE = re.compile(
    r"(?P<name>[^\d,;]{2,100}\sv(?:s)?\.?\s[^\d,;]{2,100}?),?\s(?:[(\[](?:1[789]|20)\d\d[)\]]\s)?"
    r"\d{1,4}\s?(?:U\.\s?S\.|F\.\s?(?:[23]d|Supp)|"
    r"S\.\s?Ct|L\.\s?Ed|WLR|A\.?C\.?\s|All ER|EWCA|UKHL|UKSC|Cal\.|N\.\s?[YEW]\.)"
)
_EU_CASE = re.compile(
    r"(?:Joined )?Cases?\s[CTF]-\d{1,4}/\d\d[^,]{0,40},\s(?P<name>[^\d\[\](]{3,150}?)\s?[,.]?\s?(?=[\[(\d]|EU:|ECLI|$)"
)
"""`Case C-131/12, Doe v Roe [2014] …`"""
_COURT = re.compile(r"(?:BGH|BVerfG|BVerwG|BAG|BSG|BFH|OLG|EuGH|EGMR|BVerfGE|BVerwGE|BGHZ)\b[\s,.]")
_CODE_HOST = re.compile(r"https?://(?:www\.)?(?:github|gitlab)\.com/|CRAN\.R-project", re.IGNORECASE)


def kind_of_whole(text: str) -> WorkType | None:
    """Give the kind that the start of a reference speaks for: a standard or a case at law."""
    if _STANDARD.match(text):
        return WorkType.STANDARD
    lawful = _CASE.match(text[:300]) or _EU_CASE.match(text[:400]) or _COURT.match(text)
    return WorkType.LEGAL_CASE if lawful else None


def case_name(text: str) -> str | None:
    """Give the parties of a case: `Doe v. Roe`."""
    match = _CASE.match(text[:300]) or _EU_CASE.match(text[:400])
    return match["name"].strip(" .") if match is not None else None


_STANDARD_TITLE = re.compile(
    r"[^,.:;]{2,24}?(?:[:-](?:19|20)\d\d(?:-\d\d)?)?(?:\s\((?:19|20)\d\d\))?[.,:;]\s(?P<title>[^\W\d_][^.;]{7,200}?)"
    r"(?:\.|;|,\s(?:(?:19|20)\d\d|Geneva|International|Beuth)|$)"
)


def standard_name(text: str) -> str | None:
    """Give the title of a standard that starts with its number: `ISO 9001:2015. Quality of things. Geneva`."""
    match = _STANDARD_TITLE.match(text) if _STANDARD.match(text) else None
    return match["title"].strip(" ,") if match is not None else None


def kind_of(
    text: str, *, url: str | None, has_volume: bool, container: str | None, publisher: str | None, editors: bool = False
) -> WorkType:
    """Give the kind of work that the words after the title speak for.

    Args:
        text: What follows the title.
        url: An address printed there.
        has_volume: Whether a volume is.
        container: The name of what holds the work.
        publisher: Its publisher.
        editors: Whether editors of a container are named.
    """
    marked = re.match(r"\[([A-Z/]{1,5})\]", text)
    if marked is not None and marked.group(1) in _GB_KINDS:
        return _GB_KINDS[marked.group(1)]
    numbered = bool(has_volume and container)
    low = text.lower() if text.isascii() else None
    for kind, pattern in _KINDS if numbered else _ALL_KINDS:
        if low is not None and kind in _CUES and not any(map(low.__contains__, _CUES[kind])):
            continue  # looking for words costs less than the pattern
        if pattern.search(text):
            return kind
    if numbered:
        return WorkType.ARTICLE_JOURNAL
    if url and _CODE_HOST.match(url):
        return WorkType.SOFTWARE
    if url and _VISITED.search(text) and not any(map(is_venue_word, (container or "").split())):
        return WorkType.WEBPAGE
    if publisher:
        return WorkType.CHAPTER if container else WorkType.BOOK
    if container:
        venue = any(map(is_venue_word, container.split()))
        return WorkType.ARTICLE_JOURNAL if venue else WorkType.CHAPTER if editors else WorkType.UNKNOWN
    return WorkType.WEBPAGE if url else WorkType.UNKNOWN
