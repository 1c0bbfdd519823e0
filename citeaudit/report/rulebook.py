"""The tables of `docs/how-a-verdict-is-reached.md`, from the tables that the rules themselves are named in.

`python -m citeaudit.report.rulebook FILE` writes them into a document, between its two marker lines.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from citeaudit.errors import UsageError
from citeaudit.match.rules import ANCHORS, RULES
from citeaudit.policy import REASONS, RULES_VERSION
from citeaudit.settings import load, presets

START, END = "<!-- tables: begin -->", "<!-- tables: end -->"


def tables() -> str:
    """Give the Markdown of all tables: reasons, anchors, rules with the presets that count them."""
    counted = {name: load(preset=name).policy.counted for name in presets()}
    rules = [
        (f"`{name}`", rule.relation, rule.description, ", ".join(p for p in presets() if name in counted[p]) or "-")
        for name, rule in RULES.items()
    ]
    return "\n\n".join(
        (
            f"Version {RULES_VERSION} of the rules; every report states the version it was made with.",
            "## Reasons\n\n" + _table(("reason", "meaning"), ((f"`{code}`", text) for code, text in REASONS.items())),
            "## How a record is tied to a reference\n\n"
            + _table(("anchor", "meaning"), ((f"`{name}`", text) for name, text in ANCHORS.items())),
            "## How two fields compare\n\n" + _table(("rule", "relation", "meaning", "counted by"), rules),
        )
    )


def insert(document: str) -> str:
    """Give the document with the tables between its markers.

    Raises:
        UsageError: A marker is missing.
    """
    before, begin, rest = document.partition(START)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise UsageError(f"the document needs the lines {START} and {END}")
    return f"{before}{START}\n\n{tables()}\n\n{END}{after}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(insert(target.read_text(encoding="utf-8")), encoding="utf-8")
