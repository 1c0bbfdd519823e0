"""Pick the place at which the title of a printed reference ends.

After the author list every mark (`.`, `?`, `,`, `:`, `(`, `In`) is a candidate; each is described by what
stands on both sides (`fields_features`), and a linear model picks one. One more candidate says that no title
is printed at all, as physics and chemistry journals have it. The weights are data (`break_weights.json`,
fitted by `benchmarks/train_breaks.py`); marks that leave no doubt (quotes, `[J]`) come before this in `fields`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from citeaudit.extract.fields.features import BREAK, Break, Context, features

MAX_BREAKS = 60
"""Candidates that are weighed; titles end long before."""

#: What the rest of the list adds to the reading that no title is printed; about the margin of a doubtful case.
_LIST_BIAS = {"untitled": 1.5, "titled": -1.5}
_NUMBERED = re.compile(
    r"(?<![\w-])[A-Z]?\d{1,4}\s?[,:(]\s?[A-Za-z]?\d|\bvol\b|\bpp?\.\s?\d|(?<![\w-])\d{1,4}\s\d{1,6}\b|,\s(?!(?:1[5-9]|20)\d\d\b)\d{1,5}\b"
)


def breaks(text: str, start: int) -> Iterator[Break]:
    """Give the candidates from `start` on, at most `MAX_BREAKS`, in their order."""
    count = 0
    for match in BREAK.finditer(text, start):
        if match.start() <= start:
            continue
        kind = match.lastgroup or "end"
        end = match.start() + (1 if kind == "query" else 0)
        yield Break(kind, end, match.end() - (1 if kind == "paren" else 0))
        count += 1
        if count >= MAX_BREAKS or kind == "end":
            return


@cache
def weights() -> dict[str, float]:
    """Give the weight of each feature."""
    path = files(__package__).joinpath("break_weights.json")
    return {name: float(value) for name, value in json.loads(path.read_text(encoding="utf-8"))["weights"].items()}


def candidates(text: str, start: int) -> list[tuple[Break, int]]:
    """Give each candidate with its rank among those of its kind; the first is `none`."""
    out: list[tuple[Break, int]] = [(Break("none", start, start), 0)]
    seen: dict[str, int] = {}
    for candidate in breaks(text, start):
        rank = seen.get(candidate.kind, 0)
        seen[candidate.kind] = rank + 1
        out.append((candidate, rank))
    return out


def choose(text: str, start: int, context: Context) -> tuple[Break, float]:
    """Give the best candidate and by how much it beats the second."""
    table = weights()
    bias = _LIST_BIAS.get((context.listed or "").rpartition("/")[2], 0.0)
    scored = []
    for candidate, rank in candidates(text, start):
        value = sum(table.get(name, 0.0) for name in features(text, start, candidate, context, rank))
        scored.append((value + (bias if candidate.kind == "none" else 0.0), candidate))
    if len(scored) > 1 and not _NUMBERED.search(text, start):
        scored = scored[1:]  # a title-less reference gives at least a volume or a page
    scored.sort(key=lambda pair: -pair[0])
    margin = scored[0][0] - scored[1][0] if len(scored) > 1 else 1.0
    return scored[0][1], margin
