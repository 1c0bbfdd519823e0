"""Formats in which the fields come named: JATS, TEI, CSL-JSON, RIS, MEDLINE, EndNote, and lists of identifiers."""
