"""arXiv, in two halves: what is asked (`source`), and what its Atom feeds say (`feed`)."""

from citeaudit.sources.arxiv.source import BASE_URL, ArxivSource

__all__ = ["BASE_URL", "ArxivSource"]
