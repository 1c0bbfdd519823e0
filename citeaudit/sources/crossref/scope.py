"""What Crossref answers for: which DOIs, which venues, which titles its silence may count on."""

from __future__ import annotations

import re

from citeaudit.model import Query, QueryKind, WorkType
from citeaudit.text.marks import names_arxiv, names_server
from citeaudit.text.normalize import fold

#: Prefixes of DataCite, most cited first: arXiv, Zenodo, figshare, Dryad, OSF, Mendeley Data, HAL, SSHRC stores.
_DATACITE = frozenset(
    {"10.48550", "10.5281", "10.6084", "10.5061", "10.17605", "10.17632", "10.7910", "10.3886", "10.17863", "10.3929"}
    | {"10.4230", "10.13140", "10.25384", "10.14288", "10.57967", "10.60692", "10.70675", "10.11588", "10.24432"}
    | {"10.5880", "10.15468", "10.18419", "10.5445", "10.4121", "10.1594"}
)
#: Prefixes of the Chinese agency (ISTIC), whose journals often have their DOIs there alone.
_ISTIC = frozenset({"10.11975", "10.13328", "10.3969", "10.3321", "10.16383", "10.11999"})
_COVERED = frozenset({WorkType.ARTICLE_JOURNAL, WorkType.PAPER_CONFERENCE, WorkType.BOOK, WorkType.CHAPTER})
#: Venues that register no DOIs, or did so only for some years; names are matched in full and as ISO 4 shortens them.
_UNREGISTERED = re.compile(
    r"\b(?:neurips|nips|iclr|icml|pmlr|jmlr|tmlr|aistats|colt|uai|corl|usenix|osdi|nsdi|ceur|lrec"
    r"|neural inf(?:orm(?:ation)?)? proc(?:ess(?:ing)?)? sys(?:t(?:ems?)?)?"
    r"|learn(?:ing)? repr(?:es(?:ent(?:ations?)?)?)?"
    r"|mach(?:ine)? learn(?:ing)? res(?:earch)?"
    r"|conf(?:erence)?(?: on)? (?:mach(?:ine)? learn(?:ing)?|robot learn(?:ing)?|learn(?:ing)? theory)"
    r"|conf(?:erence)?(?: on)? lang(?:uage)? model(?:l?ing)?"
    r"|lang(?:uage)? resour(?:ces?)?(?: and)? eval(?:uation)?"
    r"|artif(?:icial)? intell(?:igence)?(?: and)? stat(?:ist(?:ics)?)?"
    r"|uncertain(?:ty)?(?: in)? artif(?:icial)? intell(?:igence)?)\b"
)
#: Cyrillic, kana, Han, Hangul: many journals in these scripts register elsewhere or nowhere, or under other titles.
_OTHER_SCRIPT = re.compile(
    "[\u0400-\u052f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[\U00020000-\U0003ffff]"
)
#: Formulas: LaTeX, and the signs that it becomes. Each deposits them in its own way, and a search drops them.
_FORMULA = re.compile("[$\\\\^_{}\u2100-\u214f\u2190-\u22ff\u2070-\u209f\U0001d400-\U0001d7ff]")


def prefix(doi: str) -> str:
    """Give what stands before the slash: whom the agency has given it to.

    >>> prefix("10.5281/zenodo.1")
    '10.5281'
    """
    return doi.partition("/")[0]


def elsewhere(doi: str) -> bool:
    """Whether the prefix is known to be another agency's."""
    return prefix(doi) in _DATACITE or prefix(doi) in _ISTIC


def covers(query: Query) -> bool:
    """Whether silence on a title may say something: class and venue register here, and words can find it.

    The DOI of the reference is for the caller to look at.
    """
    venue = query.container_title
    if query.kind is QueryKind.CITATION or names_arxiv(venue) or _UNREGISTERED.search(fold(venue or "")):
        return False
    if query.formula or _FORMULA.search(query.text) or _OTHER_SCRIPT.search(f"{query.text} {venue or ''}"):
        return False
    if query.type is WorkType.PREPRINT:
        return names_server(venue)
    return query.type in _COVERED or (query.type is WorkType.UNKNOWN and bool(venue))
