"""Crossref, in two halves: what is asked (`source`), and what its records say (`records`)."""

from citeaudit.sources.crossref.source import BASE_URL, CrossrefSource

__all__ = ["BASE_URL", "CrossrefSource"]
