"""Record verdicts on labelled sets once, then replay them under any preset in seconds, and print what they are worth.

    python benchmarks/verdicts.py record --shared DIR --work DIR          # indexes and evidence: minutes
    python benchmarks/verdicts.py table  --shared DIR --work DIR [--into docs/benchmarks.md]
    python benchmarks/verdicts.py score  NAME --shared DIR --work DIR --preset strict --complete
    python benchmarks/verdicts.py show   NAME ... --of real|unreal        # wrong rows of half A, never of half B
    python benchmarks/verdicts.py disagreements NAME ...                  # id, verdict and rules of every wrong row
    python benchmarks/verdicts.py halves --shared DIR --work DIR          # how the rows fall into the halves
    python benchmarks/verdicts.py rates  --shared DIR --work DIR          # citeaudit/report/rates.tsv

NAME is one of hallmark, citeaudit-works, citeaudit-twins. DIR of --shared holds `data/` and `tools/`; nothing of it is
copied but counts. A replay weighs every recorded answer anew (matching, choice of the record, policy); it reads no
reference anew and asks no index, so changes of those need `record`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import verdict_rows as rows_of
from verdict_rows import SETS, Row

from citeaudit.match.rank import rank
from citeaudit.match.rules import RULES
from citeaudit.model import Alarm, Evidence, Policy, Relation, Status, Verdict
from citeaudit.policy import conclude
from citeaudit.settings import load

COMMAND = [sys.executable, "-m", "citeaudit"]
RATES = Path(__file__).parents[1] / "citeaudit" / "report" / "rates.tsv"
CANDIDATES, TIMED = 50, 200
START, END = "<!-- verdicts: begin -->", "<!-- verdicts: end -->"
FLAGGED = (Status.MISMATCHED, Status.NOT_FOUND)
_PLAIN = (Relation.SAME, Relation.NOT_CITED, Relation.UNKNOWN)

Judged = list[tuple[Row, Verdict | None]]


class Bench:
    """The recorded sets, each read once, and replays of them, each made once."""

    def __init__(self, shared: Path, work: Path) -> None:
        """Keep the folders."""
        self.shared, self.work = shared, work
        self.score = rows_of.scorer(shared)
        self._rows: dict[str, list[Row]] = {}
        self._runs: dict[tuple[str, str, bool], Judged] = {}

    def rows(self, name: str) -> list[Row]:
        """Give the rows of a set."""
        if name not in self._rows:
            self._rows[name] = rows_of.load(name, self.shared, self.work)
        return self._rows[name]

    def run(self, name: str, preset: str, *, complete: bool) -> Judged:
        """Give every row of a set with its verdict under a preset."""
        at = (name, preset, complete)
        if at not in self._runs:
            self._runs[at] = list(rows_of.judged(self.rows(name), policy_of(preset), complete=complete))
        return self._runs[at]

    def figures(self, judged: Judged) -> dict[str, Any]:
        """Give the figures of the shared scorer, with those of the risk."""
        pairs = [(row.unreal, _prediction(verdict)) for row, verdict in judged]
        told: dict[str, Any] = self.score.figures(pairs, lambda one: one["status"] in FLAGGED)
        risks = [(one["risk"], unreal) for unreal, one in pairs if one["risk"] is not None]
        told["risk_given"] = self.score.ratio(len(risks), len(pairs))
        told["auroc"] = round(self.score.auroc(risks) or 0.0, 4) if risks else None
        told["ece"] = round(self.score.ece(risks, 0.01), 4) if risks else None
        return told


def policy_of(preset: str) -> Policy:
    """Give the knobs of a preset, without the user's own settings."""
    return load(preset=preset, flags={"offline": True}).policy


def part(
    judged: Judged, half: str = "all", subset: str | None = None, group: str | None = None, kinds: Sequence[str] = ()
) -> Judged:
    """Give the rows of a half, a part of the index and a group; of the altered ones only those of `kinds`, if any."""
    keep = rows_of.chosen(half, subset, group)
    return [
        (row, verdict) for row, verdict in judged if keep(row) and (not kinds or not row.unreal or row.altered in kinds)
    ]


def is_flagged(verdict: Verdict | None) -> bool:
    """Tell whether a verdict counts against the reference; a row that could not be read is never flagged."""
    return verdict is not None and verdict.status in FLAGGED


def share(judged: Judged, *, unreal: bool) -> str:
    """Give how many of the unreal or the real rows are flagged: `0.9512 (of 205)`."""
    hits = [is_flagged(verdict) for row, verdict in judged if row.unreal is unreal]
    return f"{sum(hits) / len(hits):.4f} (of {len(hits)})" if hits else "-"


def _prediction(verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {"status": Status.UNPARSED, "alarm": Alarm.NONE, "risk": None}
    return {"status": verdict.status, "alarm": verdict.alarm, "risk": verdict.risk}


def record(bench: Bench) -> None:
    """Build the indexes that are missing, and record every set anew."""
    data, work = bench.shared / "data", bench.work
    work.mkdir(parents=True, exist_ok=True)
    for name, source in (("works", "works.jsonl.xz"), ("twins", "citeaudit_twins.jsonl")):
        if not (work / name).is_dir():
            _call([*COMMAND, "index", "build", "--format", "jsonl", str(data / source), "--out", str(work / name)])
    for name, one in SETS.items():
        places = [word for index in one.indexes for word in ("--index", str(work / index))]
        files = ["--out", str(work / f"{name}.jsonl"), "--evidence", str(work / f"{name}.jsonl.gz")]
        rows = ["--data", str(data / f"{one.data}.jsonl")]
        _call([*COMMAND, "bench", one.kind, *rows, *places, *files, "--preset", "strict", "--assume-complete"])


def _call(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own commands
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")


def score(bench: Bench, asked: argparse.Namespace) -> None:
    """Print the figures of a set, and how each kind of row fares, altogether and by half."""
    judged = bench.run(asked.name, asked.preset, complete=asked.complete)
    for half in ("A", "B", "all") if asked.half == "each" else (asked.half,):
        some = part(judged, half, asked.in_index, asked.group)
        print(half, json.dumps(bench.figures(some)))
    for kind, (number, flagged, told) in sorted(_by_kind(part(judged, "all", asked.in_index, asked.group)).items()):
        print(f"{kind:34s} n {number:5d} flagged {flagged:5d} ({100 * flagged / number:5.1f} %) {dict(told)}")


def _by_kind(judged: Judged) -> dict[str, tuple[int, int, Counter[str]]]:
    groups: dict[str, list[Verdict | None]] = defaultdict(list)
    for row, verdict in judged:
        groups[f"{row.gold['kind']}{f': {row.altered}' if row.altered else ''}"].append(verdict)
    return {
        kind: (len(some), sum(map(is_flagged, some)), Counter(str(_prediction(one)["status"]) for one in some))
        for kind, some in groups.items()
    }


def show(bench: Bench, asked: argparse.Namespace) -> None:
    """Print the wrong rows of half A with what was cited, found and concluded."""
    judged = part(bench.run(asked.name, asked.preset, complete=asked.complete), "A", asked.in_index, asked.group)
    for row, verdict in _wrong(judged, asked)[: asked.number]:
        print("-" * 100)
        print(*_head(row, verdict), row.gold.get("explanation") or "", sep=" | ")
        if verdict is not None:
            _print_verdict(verdict)


def _print_verdict(verdict: Verdict) -> None:
    print("  cited:", verdict.evidence.reference.raw.replace("\n", "; ")[:400])
    for reason in verdict.reasons:
        print(f"  {reason.code}: {reason.text}")
    for candidate in verdict.evidence.candidates[:3]:
        work = candidate.work
        names = ", ".join(map(str, work.authors))[:200]
        print(f"  {candidate.rank} {candidate.anchor}: {names}. {work.title}. {work.container_title}. {work.year}.")
        told = [
            f"{one.field}:{one.rule}{list(one.differences)}" for one in candidate.fields if one.relation not in _PLAIN
        ]
        print("     ", *told)


def disagreements(bench: Bench, asked: argparse.Namespace) -> None:
    """Print every wrong row as a line of a table: id, label, verdict, rules; nothing of what was cited."""
    judged = part(
        bench.run(asked.name, asked.preset, complete=asked.complete), asked.half_or_all, asked.in_index, asked.group
    )
    print("| row | half | label | verdict | alarm | why | class |\n| --- | --- | --- | --- | --- | --- | --- |")
    for row, verdict in _wrong(judged, asked):
        print(f"| {' | '.join((row.gold['id'], row.half, *_head(row, verdict)[1:]))} | |")


def _wrong(judged: Judged, asked: argparse.Namespace) -> Judged:
    def bad(row: Row, verdict: Verdict | None) -> bool:
        if asked.of is not None and row.unreal is not (asked.of == "unreal"):
            return False
        if asked.strong:
            return not row.unreal and verdict is not None and verdict.alarm is Alarm.STRONG
        return is_flagged(verdict) is not row.unreal and (asked.kind is None or asked.kind in row.gold["kind"])

    return [(row, verdict) for row, verdict in judged if bad(row, verdict)]


def _head(row: Row, verdict: Verdict | None) -> tuple[str, ...]:
    label = f"{'real' if row.gold['real'] else row.gold['kind']}{f' ({row.altered})' if row.altered else ''}"
    if verdict is None:
        return row.gold["id"], label, "UNPARSED", "NONE", ""
    rules = [one.rule for one in verdict.fields if one.relation is Relation.DIFFERENT]
    why = ", ".join(rules or dict.fromkeys(reason.code for reason in verdict.reasons))
    return row.gold["id"], label, verdict.status, verdict.alarm, why


def halves(bench: Bench) -> None:
    """Print how the rows of each set fall into the halves, and what the altered rows of generated ones alter."""
    for name in SETS:
        rows = bench.rows(name)
        for half in ("A", "B"):
            some = [row for row in rows if row.half == half]
            print(f"{name} {half}: {len(some)} rows, {sum(row.unreal for row in some)} unreal")
        print("   altered:", dict(Counter(row.altered for row in rows if row.altered).most_common()))


def rates(bench: Bench) -> None:
    """Write how often each rule fires on real and on unreal references: `citeaudit/report/rates.tsv`.

    Counted are the rules of the verdict's fields under `strict`, index declared complete, wherever a record is the
    work; whether a preset counts the rule does not change its name.
    """
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    lines = ["rule\tset\treal\treal_with\tunreal\tunreal_with\tdate"]
    for label, name, subset in (
        ("HALLMARK dev", "hallmark", None),
        ("CiteAudit dev, work held independently", "citeaudit-works", "independent"),
    ):
        judged = part(bench.run(name, "strict", complete=True), "all", subset)
        anchored = [(row.unreal, {one.rule for one in verdict.fields}) for row, verdict in judged if _anchored(verdict)]
        total = Counter(unreal for unreal, _ in anchored)
        seen = Counter((unreal, rule) for unreal, rules in anchored for rule in rules)
        lines += [
            f"{rule}\t{label}\t{total[False]}\t{seen[False, rule]}\t{total[True]}\t{seen[True, rule]}\t{today}"
            for rule in RULES
            if seen[False, rule] or seen[True, rule]
        ]
    RATES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines) - 1} rows in {RATES.name}; now: python -m citeaudit.report.rulebook FILE")


def _anchored(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.best is not None


def table(bench: Bench, into: Path | None) -> None:
    """Print the tables of docs/benchmarks.md, or put them between its marks: the promises, by half, and the kinds."""
    lines = list(_table(bench))
    if into is None:
        print("\n".join(lines))
        return
    before, begin, rest = into.read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{into}: needs the lines {START} and {END}")
    into.write_text("\n".join((f"{before}{START}\n", *lines, f"\n{END}{after}")), encoding="utf-8")


def _table(bench: Bench) -> Iterable[str]:
    yield "| promise | target | half A | half B | all |\n| --- | --- | --- | --- | --- |"
    for name, target, cells in _promises(bench):
        yield f"| {name} | {target} | {' | '.join(cells)} |"
    yield "\n| HALLMARK dev, strict, assume-complete: flagged | target | half A | half B | all | default, all |"
    yield "| --- | --- | --- | --- | --- | --- |"
    strict = bench.run("hallmark", "strict", complete=True)
    default = bench.run("hallmark", "default", complete=False)
    for kind in sorted({row.gold["kind"] for row in bench.rows("hallmark")}):
        cells = [_kind_share(part(strict, half), kind) for half in ("A", "B", "all")]
        target = _KINDS.get(kind, ">= 0.90")
        yield f"| {kind} | {target} | {' | '.join(cells)} | {_kind_share(default, kind)} |"


_KINDS = {"valid": "<= 0.025", "wrong_venue": ">= 0.80", "placeholder_authors": ">= 0.80"}


def _kind_share(judged: Judged, kind: str) -> str:
    hits = [is_flagged(verdict) for row, verdict in judged if row.gold["kind"] == kind]
    return f"{sum(hits)} of {len(hits)} ({sum(hits) / len(hits):.3f})" if hits else "-"


def _promises(bench: Bench) -> Iterable[tuple[str, str, list[str]]]:
    hallmark = bench.run("hallmark", "strict", complete=True)
    usual = bench.run("hallmark", "default", complete=False)
    for key, name, target in (
        ("f1", "F1", ">= 0.965"),
        ("detection_rate", "detection", ">= 0.95"),
        ("false_positive_rate", "false positives", "<= 0.025"),
        ("strong_recall", "STRONG recall", ">= 0.40"),
        ("auroc", "AUROC of the risk", ">= 0.98"),
        ("ece", "ECE of the risk at prior 0.01", "<= 0.03"),
        ("risk_given", "risk given", ">= 0.95"),
    ):
        yield f"HALLMARK dev, strict, assume-complete: {name}", target, _figure(bench, hallmark, key)
    for key, name, target in (
        ("false_positive_rate", "false positives", "<= 0.01"),
        ("detection_rate", "detection", "reported"),
    ):
        yield f"HALLMARK dev, default: {name}", target, _figure(bench, usual, key)
    yield "HALLMARK dev, default: NOT_FOUND without coverage", "0", [_lost(part(usual, one)) for one in _HALVES]
    yield from _generated(bench)
    yield from _real_world(bench)
    yield from _strong(bench)
    yield f"weigh and decide, {CANDIDATES} candidates, ms a reference", "<= 2", ["", "", _speed(bench)]


_HALVES = ("A", "B", "all")
_NAMED = ("title", "authors")


def _generated(bench: Bench) -> Iterable[tuple[str, str, list[str]]]:
    twins = bench.run("citeaudit-twins", "strict", complete=True)
    works = bench.run("citeaudit-works", "strict", complete=True)
    usual = bench.run("citeaudit-works", "default", complete=False)
    both = bench.run("citeaudit-twins", "default", complete=False)
    label = "CiteAudit dev generated"
    rows: list[tuple[str, str, Judged, str, bool, Sequence[str]]] = [
        ("strict, any: unreal flagged", ">= 0.97", twins, "any", True, ()),
        ("strict, independent: real flagged", "<= 0.025", works, "independent", False, ()),
        ("default, independent: real flagged", "<= 0.008", usual, "independent", False, ()),
        ("default, independent: title- or author-altered flagged", ">= 0.97", usual, "independent", True, _NAMED),
        ("default, any: title- or author-altered flagged", ">= 0.97", both, "any", True, _NAMED),
        ("default, any: title-altered flagged", "", both, "any", True, ("title",)),
        ("default, any: author-altered flagged", "", both, "any", True, ("authors",)),
        ("default, any: only the year altered, flagged", "", both, "any", True, ("year",)),
    ]
    for name, target, judged, subset, unreal, kinds in rows:
        some = [part(judged, half, subset, "generated", kinds) for half in _HALVES]
        yield f"{label}, {name}", target, [share(one, unreal=unreal) for one in some]


def _real_world(bench: Bench) -> Iterable[tuple[str, str, list[str]]]:
    for preset, complete, target in (("default", False, ">= 0.80"), ("strict", True, "")):
        judged = bench.run("citeaudit-works", preset, complete=complete)
        some = [part(judged, half, "independent", "realworld") for half in _HALVES]
        cells = [str(bench.figures(one)["balanced_accuracy"]) for one in some]
        name = f"CiteAudit dev real-world, {preset}{', assume-complete' if complete else ''}, independent"
        yield f"{name}: balanced accuracy", target, cells


def _strong(bench: Bench) -> Iterable[tuple[str, str, list[str]]]:
    for preset, complete in (("strict", True), ("default", False)):
        every: Judged = bench.run("hallmark", preset, complete=complete) + bench.run(
            "citeaudit-works", preset, complete=complete
        )
        cells = []
        for half in _HALVES:
            alarms = [
                verdict is not None and verdict.alarm is Alarm.STRONG
                for row, verdict in part(every, half)
                if not row.unreal
            ]
            cells.append(f"{sum(alarms) / len(alarms):.4f} ({sum(alarms)} of {len(alarms)})")
        yield f"STRONG on real references, HALLMARK and CiteAudit dev, {preset}", "<= 0.002", cells


def _figure(bench: Bench, judged: Judged, key: str) -> list[str]:
    return [str(bench.figures(part(judged, half))[key]) for half in _HALVES]


def _lost(judged: Judged) -> str:
    return str(sum(verdict is not None and verdict.status is Status.NOT_FOUND for _, verdict in judged))


def _speed(bench: Bench) -> str:
    """Time weighing and deciding with as many records as an unlucky reference brings, those of other rows added."""
    policy = policy_of("strict")
    verdicts = [row.witness.verdict for row in bench.rows("hallmark") if row.witness.verdict is not None]
    works = [work for one in verdicts for lookup in one.evidence.lookups for work in lookup.candidates]
    spent = []
    for place, verdict in enumerate(verdicts[:TIMED]):
        first, *rest = verdict.evidence.lookups
        more = works[place * CANDIDATES : (place + 1) * CANDIDATES] or works[:CANDIDATES]
        unique = {(work.source, work.source_id): work for work in (*first.candidates, *more)}
        wide = first.model_copy(update={"candidates": tuple(unique.values())[:CANDIDATES]})
        start = perf_counter()
        ranked = rank(verdict.evidence.reference, (wide, *rest))
        conclude(
            Evidence(index=1, reference=verdict.evidence.reference, lookups=(wide, *rest), candidates=ranked),
            None,
            policy,
        )
        spent.append((perf_counter() - start) * 1000)
    return f"{statistics.median(spent):.2f} (median of {len(spent)})"


def main() -> int:
    """Run the command that was named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("record", "table", "halves", "rates", "score", "show", "disagreements"):
        one = commands.add_parser(name)
        if name in ("score", "show", "disagreements"):
            _add_rows(one, name)
        if name == "table":
            one.add_argument("--into", type=Path, help="the document to put the tables into, docs/benchmarks.md")
        one.add_argument("--shared", type=Path, required=True)
        one.add_argument("--work", type=Path, required=True)
    asked = parser.parse_args()
    bench = Bench(asked.shared, asked.work)
    if asked.command == "table":
        table(bench, asked.into)
    elif asked.command in ("record", "halves", "rates"):
        {"record": record, "halves": halves, "rates": rates}[asked.command](bench)
    else:
        {"score": score, "show": show, "disagreements": disagreements}[asked.command](bench, asked)
    return 0


def _add_rows(parser: argparse.ArgumentParser, command: str) -> None:
    parser.add_argument("name", choices=sorted(SETS))
    parser.add_argument("--preset", default="default")
    parser.add_argument("--complete", action="store_true", help="the indexes were declared complete")
    parser.add_argument("--in-index", choices=["independent", "any"])
    parser.add_argument("--group", choices=["generated", "realworld"])
    if command == "score":
        parser.add_argument("--half", choices=["A", "B", "all", "each"], default="each")
        return
    parser.add_argument("--of", choices=["real", "unreal"])
    parser.add_argument("--kind", help="only kinds whose name holds this")
    parser.add_argument("--strong", action="store_true", help="real rows with a STRONG alarm instead of wrong rows")
    if command == "show":
        parser.add_argument("-n", "--number", type=int, default=40)
    else:
        parser.add_argument("--half", dest="half_or_all", choices=["A", "all"], default="all")


if __name__ == "__main__":
    sys.exit(main())
