"""How the quotations of a reference fared, in words: `2 quotes: 1 verified on p. 4, 1 altered (not -> may)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citeaudit.model import BAD_QUOTES, Audit, QuoteCheck, QuoteStatus, Verdict
from citeaudit.report.words import numbered
from citeaudit.text.visible import shorten, visible

LOOKED_FOR = BAD_QUOTES | {QuoteStatus.VERIFIED, QuoteStatus.OTHER_VERSION}
"""Statuses of quotations that were looked for in a copy; with all others nothing can be said."""
NEAR = 0.4
"""Similarity from which the nearest passage is worth showing."""
_PAGES = 6
"""Pages and differences that are named before the rest is left out."""
_MANY = 3
"""Quotations that a letter tells of."""
_SHORT = 120
_WIDTH = 300
"""Characters of a passage."""


def summary(verdict: Verdict) -> str:
    """Give one line on the quotations of a reference; empty where there is none or nobody looked."""
    checks = [check for check in verdict.evidence.quote_checks if check.status is not QuoteStatus.SKIPPED]
    if not checks:
        return ""
    groups = [[check for check in checks if check.status is status] for status in QuoteStatus]
    told = [_told(group[0].status, group) for group in groups if group and group[0].status in LOOKED_FOR]
    left = [check for check in checks if check.status not in LOOKED_FOR]
    reasons = dict.fromkeys(check.reason or check.status.value for check in left)
    told += [
        f"{sum((one.reason or one.status.value) == reason for one in left)} not checked ({reason})"
        for reason in reasons
    ]
    return visible(f"{numbered(len(checks), 'quote')}: {', '.join(told)}")


def problems(verdict: Verdict) -> tuple[tuple[QuoteCheck, str], ...]:
    """Give the quotations that a person should look at, each with what was found instead."""
    bad = (check for check in verdict.evidence.quote_checks if check.status in BAD_QUOTES)
    return tuple((check, visible("; ".join(_found(check)))) for check in bad)


def sentences(verdict: Verdict, name: str) -> tuple[str, ...]:
    """Give a neutral sentence on each quotation that a person should look at, for a letter.

    Args:
        verdict: On the reference.
        name: What the reference is called there: `reference 8`.
    """
    bad = [check for check in verdict.evidence.quote_checks if check.status in BAD_QUOTES]
    told = [
        f"The quotation “{shorten(visible(one.text), _SHORT)}” tied to {name} {_stands(one)}." for one in bad[:_MANY]
    ]
    return (*told, f"{len(bad) - _MANY} more differ.") if len(bad) > _MANY else tuple(told)


def _stands(check: QuoteCheck) -> str:
    """Say in a letter how a quotation stands to the copy that was looked at."""
    match check.status:
        case QuoteStatus.WRONG_PAGE:
            return f"was found on page {check.found_page} of the copy at hand, not on the cited {check.claimed_page}"
        case QuoteStatus.CLOSE_MATCH:
            return f"reads otherwise in its source ({visible(_some(check.differences, '; '))})"
        case QuoteStatus.MISATTRIBUTED:
            return f"was found in reference {visible(check.found_in or '')} instead"
        case QuoteStatus.HIDDEN | QuoteStatus.REFERENCES:
            return f"was {check.status.value}"
        case _:
            return "was not found in its source"


def checked(audit: Audit) -> tuple[str, ...]:
    """Give one line on the quotations of a document that were looked for; empty where none was."""
    statuses = [check.status for verdict in audit.verdicts for check in verdict.evidence.quote_checks]
    counts = [(status, statuses.count(status)) for status in QuoteStatus if status in LOOKED_FOR]
    total = sum(number for _, number in counts)
    if not total:
        return ()
    told = ", ".join(f"{number} {status}" for status, number in counts if number)
    return (f"{numbered(total, 'quotation')} looked for in the library: {told}",)


def _told(status: QuoteStatus, group: Sequence[QuoteCheck]) -> str:
    match status:
        case QuoteStatus.VERIFIED:
            pages = _some(str(check.found_page) for check in group if check.found_page)
            return f"{len(group)} verified{f' on p. {pages}' if pages else ''}"
        case QuoteStatus.WRONG_PAGE:
            pages = _some(f"p. {check.found_page}, cited p. {check.claimed_page}" for check in group)
            return f"{len(group)} on another page ({pages})"
        case QuoteStatus.CLOSE_MATCH:
            return f"{len(group)} altered ({_some((part for one in group for part in one.differences), '; ')})"
        case QuoteStatus.MISATTRIBUTED:
            return f"{len(group)} in another source ({_some(f'reference {one.found_in}' for one in group)})"
        case _:
            return f"{len(group)} {status.value}"


def _found(check: QuoteCheck) -> Iterator[str]:
    """Say what was found in place of what is claimed."""
    if check.found_in:
        yield f"it stands in reference {check.found_in}{_page(check.found_page)}"
    elif check.found_page:
        cited = f", cited p. {check.claimed_page}" if check.status is QuoteStatus.WRONG_PAGE else ""
        yield f"found on p. {check.found_page} of the PDF{cited}"
    if check.differences:
        yield f"differs: {_some(check.differences, '; ')}"
    if check.closest and (check.similarity or 0) >= NEAR and not check.found_in:
        yield f"closest{_page(check.closest_page)}: {shorten(check.closest, _WIDTH)}"
    if check.source:
        yield f"looked for in {check.source}"


def _page(page: int | None) -> str:
    return f", p. {page}" if page else ""


def _some(parts: Iterator[str] | Sequence[str], apart: str = ", ") -> str:
    """Give a few of the parts, each once."""
    listed = list(dict.fromkeys(parts))
    return apart.join(listed[:_PAGES]) + (" ..." if len(listed) > _PAGES else "")
