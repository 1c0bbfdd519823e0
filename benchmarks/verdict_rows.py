"""Labelled rows beside what was recorded about them: halves by work, and what an altered row alters.

Labels are read here and nowhere in `citeaudit/`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rapidfuzz import fuzz

from citeaudit.bench.witness import Witness, again, read
from citeaudit.model import Policy, Verdict, Work
from citeaudit.text.normalize import fold, key

NEAR = 60.0
"""Least likeness (0 to 100) of the printed string to `names title year` of a record taken for the true work."""


class Set(NamedTuple):
    """A recorded set: what was judged, against which indexes, and where its labels are."""

    kind: str
    """Subcommand of `citeaudit bench`."""
    data: str
    indexes: tuple[str, ...]

    @property
    def gold(self) -> str:
        """Name of the file of labels."""
        return f"{self.data}_gold.jsonl"


SETS = {
    "hallmark": Set("hallmark", "hallmark_dev", ("works",)),
    "citeaudit-works": Set("citeaudit", "citeaudit_dev", ("works",)),
    "citeaudit-twins": Set("citeaudit", "citeaudit_dev", ("works", "twins")),
}
"""By the name of the evidence file, `NAME.jsonl.gz` in the work folder."""


class Row(NamedTuple):
    """A labelled row."""

    gold: dict[str, Any]
    """`id`, `real`, `kind`, `group`, sometimes `work_in_index` and `explanation`."""
    witness: Witness
    half: str
    """`A` may be read, `B` is only counted."""
    altered: str
    """What differs from the true work: see `altered`; empty for real rows and sets that name the kind themselves."""

    @property
    def unreal(self) -> bool:
        """Whether the label says that the reference is not real as cited."""
        return not self.gold["real"]


def load(name: str, shared: Path, work: Path) -> list[Row]:
    """Give the rows of a recorded set, in the order of the evidence."""
    gold = {str(one["id"]): one for one in _lines(shared / "data" / SETS[name].gold)}
    rows = []
    for witness in read(work / f"{name}.jsonl.gz"):
        label = gold[witness.id]
        generated = label["group"] == "generated" and not label["real"]
        kind = altered(witness) if generated and witness.verdict else ""
        rows.append(Row(label, witness, half(witness), kind))
    return rows


def half(witness: Witness) -> str:
    """Give `A` or `B` by a hash of the title of the work found when the row was recorded, else of the cited title.

    Rows of one work fall into one half, so that what is read in one never tells about the other.
    """
    verdict = witness.verdict
    title = ""
    if verdict is not None:
        found = verdict.best.work.title if verdict.best is not None and verdict.best.anchored else None
        title = key(found or verdict.evidence.reference.title or "")
    digest = hashlib.sha1((title or witness.id).encode(), usedforsecurity=False).hexdigest()
    return "A" if int(digest, 16) % 2 == 0 else "B"


def altered(witness: Witness) -> str:
    """Say what an altered row of the form `Names. Title. Year.` alters: `title`, `authors`, `year`, joined by `+`.

    Method, independent of our verdict and of our reading of the fields: the true work is the record, among all that
    came back for the row, whose `names title year` is most like the printed string; `no work` under `NEAR`. Title and
    year are then compared literally with the printed string: its folded words must end in those of the title, before
    the year, which must be that of the record or of one of its versions. Where both agree, what was altered can only be
    the authors. Where one differs, the authors count as altered, too, if a family name of the record is not printed
    before the title.
    Records of another collection write given names otherwise, so these are not compared.
    """
    verdict = witness.verdict
    if verdict is None:
        return "no work"
    printed = fold(verdict.evidence.reference.raw).split()
    works = {(work.source, work.source_id): work for lookup in verdict.evidence.lookups for work in lookup.candidates}
    string = " ".join(printed)
    ranked = sorted(((_likeness(string, work), id_) for id_, work in works.items()), reverse=True)
    if not ranked or ranked[0][0] < NEAR:
        return "no work"
    return _differing(printed, works[ranked[0][1]])


def _likeness(string: str, work: Work) -> float:
    names = " ".join(f"{one.given or ''} {one.family or one.literal or ''}" for one in work.authors)
    return fuzz.ratio(string, fold(f"{names} {work.title} {work.year or ''}"))


def _differing(printed: list[str], work: Work) -> str:
    year = printed[-1] if printed and printed[-1].isdigit() else ""
    words = printed[:-1] if year else printed
    title = fold(work.title).split()
    years = {str(one) for one in (work.year, *(version.year for version in work.versions)) if one}
    same_title = words[-len(title) :] == title
    same_year = not years or year in years
    if same_title and same_year:
        return "authors"
    before = words[: -len(title)] if same_title else words
    families = [fold(one.family or one.literal or "").split() for one in work.authors]
    same_authors = all(set(family) <= set(before) for family in families)
    parts = (("title", same_title), ("authors", same_authors), ("year", same_year))
    return "+".join(name for name, same in parts if not same)


def judged(rows: Iterable[Row], policy: Policy, *, complete: bool) -> Iterator[tuple[Row, Verdict | None]]:
    """Give each row with the verdict that the rules of today reach on its recorded answers."""
    for row in rows:
        verdict = row.witness.verdict
        yield row, again(verdict, policy, assume_complete=complete) if verdict else None


def scorer(shared: Path) -> Any:
    """Give the module of the shared scorer: its figures are used, so that they mean the same everywhere."""
    sys.path.insert(0, str(shared / "tools"))
    import score_verdicts

    return score_verdicts


def chosen(half: str, subset: str | None, group: str | None) -> Callable[[Row], bool]:
    """Give the test for rows of a half (or `all`), of a part of the index (`independent`, `any`), and of a group."""

    def keep(row: Row) -> bool:
        there = row.gold.get("work_in_index")
        inside = subset is None or (there == subset if subset == "independent" else bool(there))
        return inside and half in ("all", row.half) and (group is None or row.gold["group"] == group)

    return keep


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
