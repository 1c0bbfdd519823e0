"""Semantic Scholar, in two halves: what is asked (`source`), and what its records say (`records`)."""

from citeaudit.sources.semantic_scholar.source import BASE_URL, SemanticScholarSource

__all__ = ["BASE_URL", "SemanticScholarSource"]
