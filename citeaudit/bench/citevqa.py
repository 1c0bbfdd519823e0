"""Strict Attributed Accuracy: an answer counts where it is right and what it points at is what it rests on.

From the rule of CiteVQA (github.com/opendatalab/CiteVQA), not from its published code, which divides the judge's scores
by 20 before it compares them with 4: an item scores 1 if its answer is worth at least 4 of 5, and either the relevance
of its regions at least 4 of 5 or at least 0.6 of the wanted regions are hit. Items without wanted regions are left out
and counted.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

from citeaudit.bench.located import Cited, Library
from citeaudit.bench.regions import Overlap, Region, bare, compare, of_fields, parse
from citeaudit.errors import UsageError
from citeaudit.report.writing import write_atomic

GOOD = 4.0
"""Least score of a judge, of 5, that counts."""
LEAST_RECALL = 0.6
FULL = 5.0
_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?(?![.,]?\d)")
_GROUPED = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W\d_]+|[%$€£°<>≤≥~≈]")
_TURNS = frozenset(
    {"not", "no", "never", "neither", "nor", "without", "except", "less", "more", "fewer", "over", "under", "below"}
    | {"above", "least", "most", "about", "around", "nearly", "almost", "<", ">", "≤", "≥", "~", "≈"}
)
"""Words by which a number is not the number itself."""
_PERCENT = re.compile(r"\bper\s?cent(?:age)?\b|\bpct\b")


class Item(BaseModel):
    """A question with what was wanted and what was answered; whatever else a row holds is not read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str = ""
    question: str
    gold_answer: str
    gold_boxes: str | tuple[str | dict[str, object], ...] = ()
    """Text with `<bbox .../>`, or a list of such texts or of objects."""
    predicted_answer: str = ""
    predicted_boxes: str | tuple[str | dict[str, object], ...] | None = None
    """As `gold_boxes`; without it, those in the predicted answer, or where its citations are found."""
    citations: tuple[Cited, ...] = ()
    """Passages the answer rests on, to be located."""
    ans: float | None = Field(default=None, ge=0, le=FULL)
    """Score of the answer that a judge has given, 0 to 5."""
    rel: float | None = Field(default=None, ge=0, le=FULL)
    """The same of the relevance of its regions."""


class Judge(Protocol):
    """Gives scores of 0 to 5."""

    def answer(self, item: Item) -> float:
        """Say how good the answer is."""
        ...

    def relevance(self, item: Item, predicted: Sequence[Region]) -> float | None:
        """Say how relevant the regions are; `None` where that cannot be judged."""
        ...


class RulesJudge:
    """Takes the scores a row brings; else an answer is worth 5 if it is the wanted one or its number, and 0 if not."""

    def answer(self, item: Item) -> float:
        """Say how good the answer is."""
        if item.ans is not None:
            return item.ans
        return FULL if same_answer(item.gold_answer, bare(item.predicted_answer), item.question) else 0.0

    def relevance(self, item: Item, predicted: Sequence[Region]) -> float | None:  # noqa: ARG002  # the seam's
        """Give the score a row brings; whether a region is relevant is not for rules to say."""
        return item.rel


class Scored(NamedTuple):
    """What an item scores."""

    id: str
    overlap: Overlap
    ans: float
    rel: float | None
    saa: bool
    predicted: tuple[Region, ...]


class Scores(NamedTuple):
    """What a set scores."""

    items: tuple[Scored, ...]
    excluded: int
    """Items without wanted regions."""

    def table(self) -> dict[str, float | int | None]:
        """Give means as CiteVQA's tables print them: shares times 100, scores of judges times 20."""
        overlaps = [one.overlap for one in self.items]
        relevant = [one.rel for one in self.items if one.rel is not None]
        return {
            "items": len(self.items),
            "excluded": self.excluded,
            "saa": _mean(100.0 * one.saa for one in self.items),
            "ans": _mean(20 * one.ans for one in self.items),
            "rel": _mean(20 * score for score in relevant),
            "recall": _mean(100 * one.recall for one in overlaps),
            "precision": _mean(100 * one.precision for one in overlaps),
            "f1": _mean(100 * one.f1 for one in overlaps),
            "page_recall": _mean(100 * one.page_recall for one in overlaps),
        }


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return round(fmean(listed), 1) if listed else None


def is_attributed(ans: float, rel: float | None, recall: float) -> bool:
    """Whether an answer is right and rests on what it points at."""
    return ans >= GOOD and ((rel is not None and rel >= GOOD) or recall >= LEAST_RECALL)


def score(items: Iterable[Item], judge: Judge | None = None, library: Library | None = None) -> Scores:
    """Score a set.

    Args:
        items: In any order.
        judge: Gives the scores of answers and relevance; rules without one.
        library: Where the documents of citations are, for items that bring passages instead of regions.

    Raises:
        UsageError: A citation names a document that is not there.
        ExtractionError: It cannot be read.
    """
    judge = judge or RulesJudge()
    scored: list[Scored] = []
    excluded = 0
    for item in items:
        wanted = regions_of(item.gold_boxes)
        if not wanted:
            excluded += 1
            continue
        predicted = _predicted(item, library)
        overlap = compare(wanted, predicted)
        ans, rel = judge.answer(item), judge.relevance(item, predicted)
        scored.append(Scored(item.id, overlap, ans, rel, is_attributed(ans, rel, overlap.recall), predicted))
    return Scores(tuple(scored), excluded)


def _predicted(item: Item, library: Library | None) -> tuple[Region, ...]:
    if item.predicted_boxes is not None:
        return regions_of(item.predicted_boxes)
    if item.citations and library is not None:
        return tuple(dict.fromkeys(region for one in item.citations for region in library.locate(one)))
    return parse(item.predicted_answer)


def regions_of(boxes: str | Iterable[str | dict[str, object]]) -> tuple[Region, ...]:
    """Give the regions of a row, each once."""
    if isinstance(boxes, str):
        return parse(boxes)
    found: list[Region] = []
    for box in boxes:
        read = parse(box) if isinstance(box, str) else (of_fields(box),)
        found += [region for region in read if region is not None]
    return tuple(dict.fromkeys(found))


def same_answer(gold: str, predicted: str, question: str = "") -> bool:
    """Whether two answers are the same words, or the same number.

    A number is the same where the other answer holds no second one, and names the unit that the wanted one does, or
    the question names it.

    >>> same_answer("12%", "It grew by 12 percent."), same_answer("1,200", "1200 boats"), same_answer("12", "-12")
    (True, True, False)
    """
    one, two = _folded(gold), _folded(predicted)
    if one and re.findall(r"[^\W_]+|[-%$€£°<>≤≥]", one) == re.findall(r"[^\W_]+|[-%$€£°<>≤≥]", two):
        return True
    numbers, others = _numbers(one), _numbers(two)
    if len(numbers) != 1 or set(others) != set(numbers):
        return False
    words, more = set(_WORD.findall(one)), set(_WORD.findall(two))
    return words <= more | set(_WORD.findall(_folded(question))) and not (more - words) & _TURNS


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("\u2212", "-")
    return _PERCENT.sub("%", _GROUPED.sub("", text)).strip(" .\n")


def _numbers(text: str) -> list[Decimal]:
    return [Decimal(found.replace(",", ".")) for found in _NUMBER.findall(text)]


def read(path: str) -> Iterator[Item]:
    """Give the items of a JSONL file; blanks in names of keys may stand for underscores.

    Raises:
        UsageError: The file cannot be read, or a line is no item.
    """
    number = 0
    try:
        with Path(path).open(encoding="utf-8") as lines:
            for line in lines:
                number += 1
                if line.strip():
                    row = json.loads(line)
                    yield Item.model_validate({key.replace(" ", "_"): value for key, value in row.items()})
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, AttributeError) as error:  # no UTF-8, no JSON, no object, no item
        needs = "a line is an object with question, gold_answer and gold_boxes"
        raise UsageError(f"{path}, line {number}: is not an item of CiteVQA; {needs}") from error


def run(data: str, docs: str | None = None, out: str | None = None) -> Scores:
    """Score a file of items and, where a file is named for it, write what each scores, one JSON object a line.

    Raises:
        UsageError: The data cannot be read, a document is not there, or the result cannot be written.
        ExtractionError: A document cannot be read.
    """
    scores = score(list(read(data)), library=Library(Path(docs)) if docs else None)
    if out:
        write_atomic(Path(out), lambda stream: stream.writelines(f"{json.dumps(_row(one))}\n" for one in scores.items))
    return scores


def _row(one: Scored) -> dict[str, object]:
    shares = {name: round(value, 4) for name, value in one.overlap._asdict().items()}
    boxes = [region.written() for region in one.predicted]
    return {"id": one.id, "saa": int(one.saa), "ans": one.ans, "rel": one.rel, **shares, "predicted_boxes": boxes}
