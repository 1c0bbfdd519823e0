"""Tell a form of a work that was only posted (a preprint) from one that was published."""

from __future__ import annotations

from citeaudit.match.venues import is_preprint, is_preprint_doi
from citeaudit.model import Version, Work, WorkType


def is_posted(form: Work | Version) -> bool:
    """Whether a record is a preprint by its type, its venue or its DOI."""
    named = is_preprint(form.container_title or "") or is_preprint_doi(form.identifiers.doi or "")
    return form.type is WorkType.PREPRINT or named


def is_only_posted(work: Work) -> bool:
    """Whether every known form of a work is a preprint.

    A record without type and venue counts as one where an arXiv id is all that it has.
    """
    forms: list[Work | Version] = [work, *work.versions]
    return all(is_posted(form) or _bare(form) for form in forms)


def _bare(form: Work | Version) -> bool:
    ids = form.identifiers
    return form.type is WorkType.UNKNOWN and not form.container_title and bool(ids.arxiv_id) and not ids.doi
