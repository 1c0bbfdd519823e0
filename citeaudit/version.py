"""Versions that a report states."""

__version__ = "0.1.0"

SCHEMA_VERSION = "1.5"
"""Of the JSON report, `docs/report.schema.json`; the first number changes when a reader of it must."""
