"""Read what titles and venues say besides their words: that a work was retracted, that a venue is a preprint server."""

from __future__ import annotations

import re

from citeaudit.model.work import NoticeType
from citeaudit.text.normalize import fold

_HEAD = 60  # characters in which such a mark stands
_WHAT = r"(?:\s+(?:article|paper|chapter|manuscript))?\s*[\])]?\s*[:.\-–—]"
_RETRACTED = re.compile(rf"^[\[(]?\s*retracted{_WHAT}", re.IGNORECASE)
_WITHDRAWN = re.compile(rf"^[\[(]?\s*(?:withdrawn|removed){_WHAT}", re.IGNORECASE)
_BRACKETED = re.compile(r"^\[\s*(retracted|withdrawn|removed)(?:\s+article)?\s*\]", re.IGNORECASE)
_ARXIV = re.compile(r"\b(?:arxiv|corr|computing research repository)\b")
_SERVER = re.compile(
    r"\b(?:biorxiv|medrxiv|chemrxiv|psyarxiv|techrxiv|eartharxiv|ssrn|research square|preprints?(?: org)?|openreview)\b"
)


def title_mark(title: str) -> NoticeType | None:
    """Give the notice that publishers put before the title of the work itself, or `None`.

    `Retraction: ...` and `Retraction Note to ...` are titles of notices, not of retracted works.

    >>> title_mark("RETRACTED ARTICLE: Growth of things"), title_mark("Retraction Note: Growth of things")
    (<NoticeType.RETRACTION: 'retraction'>, None)
    """
    head = title[:_HEAD].strip()
    bracketed = _BRACKETED.match(head)
    if _RETRACTED.match(head) or (bracketed and bracketed.group(1).lower() == "retracted"):
        return NoticeType.RETRACTION
    return NoticeType.WITHDRAWAL if _WITHDRAWN.match(head) or bracketed else None


def names_arxiv(venue: str | None) -> bool:
    """Whether a venue string names arXiv or CoRR.

    >>> names_arxiv("CoRR abs/1706.03762"), names_arxiv("bioRxiv"), names_arxiv(None)
    (True, False, False)
    """
    return bool(venue) and _ARXIV.search(fold(venue[:_HEAD] if venue else "")) is not None


def names_server(venue: str | None) -> bool:
    """Whether a venue string names another preprint server: bioRxiv, SSRN.

    >>> names_server("bioRxiv"), names_server("Annals of Physics")
    (True, False)
    """
    return bool(venue) and not names_arxiv(venue) and _SERVER.search(fold(venue[:_HEAD] if venue else "")) is not None
