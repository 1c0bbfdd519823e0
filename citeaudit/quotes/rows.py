"""What is asked of a quote and what came of it: one row a quote, in and out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace

from citeaudit.model import Box, QuoteStatus

CLOSE = 0.7
"""Word ratio from which a passage is a close match; the notebook's."""


Status = QuoteStatus
"""How checking one quote ended; the first five are the notebook's words."""
_WORDS = {Status.MISATTRIBUTED: Status.NOT_FOUND}
"""What the notebook would call what it cannot say.

What could not be judged keeps its own name: a scan or a locked file is no evidence that a quote is not there.
"""
NOTEBOOK = (Status.VERIFIED, Status.WRONG_PAGE, Status.CLOSE_MATCH, Status.NOT_FOUND, Status.MISSING_DOCUMENT)
"""The statuses of the notebook, in its order."""
UNSUPPORTED = frozenset(
    {
        Status.CLOSE_MATCH,
        Status.NOT_FOUND,
        Status.MISSING_DOCUMENT,
        Status.MISATTRIBUTED,
        Status.HIDDEN,
        Status.REFERENCES,
    }
)
"""Statuses under which the cited document was not shown to say what is quoted.

Too short or too long a quote, a document without text, one that is unreadable, another document than the cited one and
what cannot be checked say nothing about the quote: they are counted apart, and `unsupported_rate` leaves them out.
"""
UNDECIDED = frozenset(
    {
        Status.TOO_SHORT,
        Status.TOO_LONG,
        Status.NO_TEXT,
        Status.UNREADABLE,
        Status.WRONG_DOCUMENT,
        Status.OTHER_VERSION,
        Status.NOT_CHECKABLE,
    }
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A quote to check."""

    id: str
    doc: str
    """Name of the document, as cited."""
    quote: str
    page: int | None = None
    """1-based page of the PDF."""
    claim: str = ""
    """What the answer says, where it is known."""
    label: str = ""
    """Page as printed, where the citing text gives that: `1703`, `xii`."""


@dataclass(frozen=True, slots=True)
class Row:
    """What checking one quote gave."""

    id: str
    doc: str
    page: int | None
    quote: str
    status: Status
    found_page: int | None = None
    """1-based."""
    similarity: float | None = None
    """Word ratio of the nearest passage, two decimals."""
    closest: str | None = None
    closest_page: int | None = None
    differences: tuple[str, ...] = ()
    """`quote -> source`."""
    tier: str | None = None
    """How the quote had to be read to be found (`citeaudit.quotes.locate.Tier`)."""
    occurrences: tuple[tuple[Box, ...], ...] = ()
    """Boxes of each place where the quote stands, one a line."""
    notes: tuple[str, ...] = ()
    """What differs, or was left out, without changing what is said."""
    found_doc: str | None = None
    """Name of the other document in which the quote stands."""
    reason: str | None = None
    """Why the quote could not be judged."""
    claim: str = ""

    @classmethod
    def of(cls, wanted: Wanted, status: Status, **told: object) -> Row:
        """Give the row of a quote; `told` are fields of the row."""
        made = cls(wanted.id, wanted.doc, wanted.page, wanted.quote, status, claim=wanted.claim)
        return replace(made, **told)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """Give the fields as JSON takes them.

        `status` is the notebook's word where it has one for what was found, `finding` ours; `rects` holds page and
        rectangle of each line of each occurrence.
        """
        told: dict[str, object] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "occurrences":
                told["rects"] = [_rects(boxes) for boxes in self.occurrences]
            elif field.name == "claim":
                continue
            else:
                told[field.name] = list(value) if isinstance(value, tuple) else value
        compared = self.status is Status.NO_TEXT and self.similarity is not None  # with what of it can be read
        told["status"] = (Status.NOT_FOUND if compared else _WORDS.get(self.status, self.status)).value
        told["finding"] = self.status.value
        return told


def _rects(boxes: Iterable[Box]) -> list[dict[str, object]]:
    return [{"page": box.page, "rect": [round(side, 1) for side in (box.x0, box.y0, box.x1, box.y1)]} for box in boxes]


def summarize(rows: Iterable[Row]) -> dict[str, int | float]:
    """Count the statuses, the notebook's first; others only where they occur.

    `unsupported_rate` is the share, of all quotes, of those not shown to stand in the cited document: close match, not
    found, missing document, misattributed, and what stands only in hidden text or in a list of references.
    A wrong page is not unsupported (the notebook's rule).
    """
    listed = [row.status for row in rows]
    summary: dict[str, int | float] = {"citations": len(listed)}
    for status in Status:
        count = listed.count(status)
        if count or status in NOTEBOOK:
            summary[status.value] = count
    unsupported = sum(status in UNSUPPORTED for status in listed)
    summary["unsupported_rate"] = round(unsupported / len(listed), 3) if listed else 0.0
    return summary


def wanted_of(answers: Iterable[Mapping[str, object]]) -> list[Wanted]:
    """Give the quotes of answers in the notebook's shape: `id`, and `citations` with `doc`, `page` and `quote`.

    A citation that lacks one of them keeps what it has: its page is none, its document or quote empty.
    """
    found = []
    for answer in answers:
        listed = answer.get("citations")
        for one in listed if isinstance(listed, list) else ():
            if not isinstance(one, Mapping):
                continue
            page = one.get("page")
            number = page if isinstance(page, int) and not isinstance(page, bool) else None
            found.append(
                Wanted(
                    str(answer.get("id", "")),
                    str(one.get("doc") or ""),
                    str(one.get("quote") or ""),
                    number,
                    str(answer.get("answer") or ""),
                )
            )
    return found
