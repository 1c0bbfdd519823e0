"""What a file looks like: for the message about one that was named with another `--format`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps.packed import members

_FORMS: tuple[tuple[re.Pattern[bytes], str, str], ...] = tuple(
    (re.compile(pattern), name, form)
    for pattern, name, form in (
        (rb"%PDF-", "PDF", ""),
        (rb"(?m:^)\s{0,8}@[A-Za-z]{2,40}\s{0,8}[{(]", "BibTeX", "bibtex"),
        (rb"(?m:^)TY  ?- ", "RIS", "ris"),
        (rb"(?m:^)PMID ?- ", "PubMed's tagged export", "nbib"),
        (rb"(?m:^)%0 [A-Z]", "EndNote's tagged export", "endnote"),
        (rb"<dblp[\s>]", "dblp's XML", "dblp"),
        (rb"<PubmedArticleSet[\s>]", "PubMed's XML", "pubmed"),
        (rb"<collection\s+id=", "the ACL Anthology's XML", "acl"),
        (rb"<records>\s{0,99}<record>", "EndNote's XML", "endnote-xml"),
        (rb"Record ID,Title,", "Retraction Watch's table", "retraction-watch"),
        (rb"[\w\" ]{1,40}(?:[,;\t][\w\" ]{0,40}){2,99}\r?\n", "a table (CSV)", ""),
    )
)
_ANYWHERE = re.compile(rb"<")
"""Roots of XML stand behind a prolog; of the others only the beginning of a line counts, of some only the first."""

_ROWS: tuple[tuple[Callable[[dict[str, Any]], bool], str, str], ...] = (
    (lambda row: "corpusid" in row or "externalids" in row, "Semantic Scholar's records", "s2"),
    (lambda row: str(row.get("id")).startswith("https://openalex.org/"), "OpenAlex's records", "openalex"),
    (lambda row: "attributes" in row, "DataCite's records", "datacite"),
    (lambda row: "authors_parsed" in row, "arXiv's records", "arxiv"),
    (lambda row: "DOI" in row and type(row.get("title")) is list, "Crossref's records", "crossref"),
    (lambda row: type(row.get("title")) is str and ("issued" in row or "author" in row), "CSL-JSON", "csl"),
    (lambda row: type(row.get("title")) is str, "records in the form of docs/index.md", "jsonl"),
)
_NAMES = re.compile(rb'"([A-Za-z_-]{1,40})"\s{0,4}:\s{0,4}("https://openalex\.org/|\[|")?')
_VALUES: dict[bytes, Any] = {b"[": [], b'"': "", b"": None}


def looks_like(head: bytes) -> tuple[str, str]:
    """Give what a file looks like by its beginning, and the `--format` for it; empty where it cannot be told.

    >>> looks_like(b"@article{ash, title={Moss}}"), looks_like(b"%PDF-1.7"), looks_like(b"dust")
    (('BibTeX', 'bibtex'), ('PDF', ''), ('', ''))
    """
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] in (b"{", b"["):
        row = _first_row(start)
        return next(((name, form) for fits, name, form in _ROWS if fits(row)), ("", ""))
    is_xml = _ANYWHERE.match(start) is not None
    for pattern, name, form in _FORMS:
        whole = is_xml or pattern.pattern.startswith(b"(?m:^)")
        if pattern.search(start) if whole else pattern.match(start):
            return name, form
    return "", ""


def _first_row(start: bytes) -> dict[str, Any]:
    """Give the first object, or of one that is longer than what is seen the names in it, with the kind of value."""
    line = start.partition(b"\n")[0]
    for text in (line, start):
        try:
            row = orjson.loads(text)
        except orjson.JSONDecodeError:
            continue
        while type(row) is list and row:
            row = row[0]
        return row if type(row) is dict else {}
    found: dict[str, Any] = {}
    for name, value in _NAMES.findall(start):
        found.setdefault(name.decode(), _VALUES.get(value, value.decode().lstrip('"')))
    return found


def advice(path: Path, given: str) -> str:
    """Give what to do about a file in which nothing can be read: the `--format` for it, if it shows.

    Args:
        path: The file; it is opened once more.
        given: The `--format` with which it was read.
    """
    name = form = ""
    try:
        for member in members(path):
            name, form = looks_like(member.head)
            break
    except IndexBuildError:
        pass
    if form and form != given:
        return f"it looks like {name}: --format {form}"
    return f"it looks like {name}, which is not read" if name and not form else "check the file and --format"
