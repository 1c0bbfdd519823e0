"""The CSV report: one row a reference, for spreadsheets. Its columns are told in `docs/reports.md`."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from citeaudit.model import Audit, Identifiers, Outcome, Person, Unreadable, Verdict
from citeaudit.report import differences, letters, quotations, tally, trail, words
from citeaudit.report.suggestion import suggest

COLUMNS = (
    "document",
    "index",
    "label",
    "status",
    "alarm",
    "flags",
    "risk",
    "title",
    "authors",
    "year",
    "container_title",
    "doi",
    "arxiv_id",
    "disagreements",
    "reasons",
    "found_title",
    "found_authors",
    "found_year",
    "found_venue",
    "found_identifiers",
    "sources_answered",
    "sources_failed",
    "raw",
    "letter",
    "suggested",
    "needed",
    "link",
    "retrieved",
    "repeat",
    "decided",
    "new",
    "noted",
    "quotations",
)
"""In the order of the file; the first line holds these names."""

NUMERIC = frozenset({"index", "risk", "year", "found_year"})
"""Columns that hold a number or nothing; they are never guarded, so that spreadsheets can count with them."""

UNREADABLE = "UNREADABLE"
"""Stands under `status` in the one row of a document that could not be read; the message is under `reasons`."""

_LIST, _SENTENCES = "; ", " | "
"""Between the parts of a cell: names and keys; sentences."""

_FORMULA = frozenset("=+-@")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Never part of a reference, and a danger to terminals and spreadsheets; tabs and line ends stay."""

_HIDDEN = re.compile(r"[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Zero-width characters, and those that change the direction of what follows: a title must read as it stands."""

_ANSWERS = frozenset({Outcome.FOUND, Outcome.NO_MATCH, Outcome.AMBIGUOUS})


class CsvReporter:
    """Writes UTF-8 CSV after RFC 4180, every cell in quotes, text guarded against being run as a formula."""

    format = "csv"
    suffix = ".csv"

    def write(self, results: Sequence[Audit | Unreadable], stream: TextIO) -> None:
        """Write the names of the columns, then a row a reference; the stream must not translate line ends."""
        rows = csv.writer(stream, quoting=csv.QUOTE_ALL)
        rows.writerow(COLUMNS)
        for result in results:
            for cells in _cells(result):
                rows.writerow([_cell(column, cells.get(column)) for column in COLUMNS])


def plain(text: str) -> str:
    r"""Give the text without control characters other than tabs and line ends; other invisible ones are written out.

    >>> plain("a\x00b\x1b[31m"), plain("a\u202eb")
    ('ab[31m', 'a\\u202eb')
    """
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", _CONTROL.sub("", text))


def guard(text: str) -> str:
    """Give the text with an apostrophe before what a spreadsheet could run as a formula.

    That is a text whose first character after spaces is one of `= + - @`, also in their wide forms, or which begins
    with a tab or line end. A text that already has apostrophes there gets one more, so that `unguard` is exact.
    Rule: OWASP ASVS 4.0.3, 5.3.10 and its page on CSV injection.

    >>> guard("=1+1"), guard("A title")
    ("'=1+1", 'A title')
    """
    return f"'{text}" if _runs(text) else text


def unguard(cell: str) -> str:
    """Give the text that `guard` was given.

    >>> unguard("'=1+1"), unguard("'t Hooft")
    ('=1+1', "'t Hooft")
    """
    return cell[1:] if cell.startswith("'") and _runs(cell[1:]) else cell


def _runs(text: str) -> bool:
    for character in text.lstrip("'"):
        if character in "\t\r\n":
            return True
        if not character.isspace() and unicodedata.category(character) != "Cf":
            return unicodedata.normalize("NFKC", character)[0] in _FORMULA
    return False


def _cell(column: str, value: str | float | None) -> str:
    if value is None:
        return ""
    return guard(plain(value)) if isinstance(value, str) and column not in NUMERIC else str(value)


def _cells(result: Audit | Unreadable) -> Iterator[dict[str, str | float | None]]:
    if isinstance(result, Unreadable):
        yield {"document": result.path, "status": UNREADABLE, "reasons": result.message}
        return
    for verdict in result.verdicts:
        yield (
            {"document": result.document.path}
            | _judged(verdict)
            | _claimed(verdict)
            | _found(verdict)
            | _acted(verdict)
            | _decided(verdict, result)
        )


def _judged(verdict: Verdict) -> dict[str, str | float | None]:
    lookups = verdict.evidence.lookups
    return {
        "index": verdict.evidence.index,
        "status": verdict.status.value,
        "alarm": verdict.alarm.value,
        "flags": _LIST.join(flag.value for flag in verdict.flags),
        "risk": None if verdict.risk is None else round(verdict.risk, 6),
        "disagreements": _SENTENCES.join(words.disagreements(verdict)),
        "reasons": _SENTENCES.join(reason.text for reason in verdict.reasons),
        "sources_answered": _distinct(one.source for one in lookups if one.outcome in _ANSWERS),
        "sources_failed": _distinct(one.source for one in lookups if one.outcome is Outcome.UNAVAILABLE),
    }


def _claimed(verdict: Verdict) -> dict[str, str | float | None]:
    reference = verdict.evidence.reference
    return {
        "label": reference.locus.label or reference.locus.citekey,
        "title": reference.title,
        "authors": _names(reference.authors, truncated=reference.authors_truncated),
        "year": reference.year,
        "container_title": reference.container_title,
        "doi": reference.identifiers.doi,
        "arxiv_id": reference.identifiers.arxiv_id,
        "raw": reference.raw,
    }


def _found(verdict: Verdict) -> dict[str, str | float | None]:
    if verdict.best is None:
        return {}
    work = verdict.best.work
    return {
        "found_title": work.title,
        "found_authors": _names(work.authors, truncated=not work.authors_complete),
        "found_year": work.year,
        "found_venue": work.container_title,
        "found_identifiers": _keys(work.identifiers),
    }


def _acted(verdict: Verdict) -> dict[str, str | float | None]:
    moment, told = trail.seen(verdict), suggest(verdict)
    return {
        "letter": letters.sentence(verdict),
        "suggested": told.plain if told else None,
        "needed": _SENTENCES.join(told.needed) if told else None,
        "link": trail.address(verdict),
        "retrieved": f"{moment:%Y-%m-%dT%H:%M:%SZ}" if moment else None,
        "repeat": _SENTENCES.join(one.text for one in trail.repeats(verdict)),
    }


def _decided(verdict: Verdict, audit: Audit) -> dict[str, str | float | None]:
    decision = verdict.evidence.decision
    new = "yes" if tally.is_new(verdict, audit) else "no"
    return {
        "decided": decision.ruling.value if decision else None,
        "new": None if audit.new is None else new,
        "noted": differences.noted(verdict),
        "quotations": quotations.summary(verdict) or None,
    }


def _names(people: Iterable[Person], *, truncated: bool) -> str:
    return _LIST.join((*map(str, people), *(("et al.",) if truncated else ())))


def _keys(identifiers: Identifiers) -> str:
    return _LIST.join(f"{scheme}:{value}" for scheme, value in identifiers.pairs())


def _distinct(names: Iterable[str]) -> str:
    return _LIST.join(dict.fromkeys(names))
