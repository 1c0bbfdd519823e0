"""BibTeX and LaTeX sources."""
