"""Corrections that a record supports: what to change in a reference, and how to write it into a .bib file."""
