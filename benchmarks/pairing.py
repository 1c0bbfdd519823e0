"""Time citeaudit and a peer on the same PDFs, in turns, and print the ratio of their medians.

    python benchmarks/pairing.py PDF_DIR --peer-python VENV/bin/python --peer RUN_SCRIPT [--rounds 3] [--core 0]

The peer's script is called as `RUN_SCRIPT PDF_DIR OUT.json` and writes `{"pdfs": {name: {"seconds": float}}}`. Rounds
alternate, so that whatever else the machine does falls on both; every process is kept on one core. The best round of
each PDF counts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def ours(pdfs: list[Path]) -> dict[str, float]:
    """Give the seconds that each PDF takes in a warm worker."""
    from citeaudit.errors import ExtractionError
    from citeaudit.extract.pdf.reader import PdfExtractor
    from citeaudit.pdf import close_pools

    extractor, seconds = PdfExtractor(), {}
    extractor.read(pdfs[0])  # warms worker and tables
    for path in pdfs:
        start = time.perf_counter()
        try:
            extractor.read(path)
        except ExtractionError as error:
            print(path.name, error, file=sys.stderr)
        seconds[path.stem] = time.perf_counter() - start
    close_pools()
    return seconds


def theirs(python: Path, script: Path, folder: Path) -> dict[str, float]:
    """Give the seconds that each PDF takes the peer, as its script reports them."""
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "peer.json"
        subprocess.run([python, script, folder, out], check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # named by the caller
        return {name: entry["seconds"] for name, entry in json.loads(out.read_text())["pdfs"].items()}


def best(rounds: list[dict[str, float]]) -> dict[str, float]:
    """Give the least time of each PDF."""
    return {name: min(each[name] for each in rounds) for name in rounds[0]}


def main() -> None:
    """Run the rounds and print what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peer-python", type=Path, required=True)
    parser.add_argument("--peer", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", type=int, default=0)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {arguments.core})
    pdfs = sorted(arguments.folder.glob("*.pdf"))
    pairs = [
        (ours(pdfs), theirs(arguments.peer_python, arguments.peer, arguments.folder)) for _ in range(arguments.rounds)
    ]
    mine, other = best([pair[0] for pair in pairs]), best([pair[1] for pair in pairs])
    for name in sorted(mine):
        print(f"{name:40} {mine[name]:7.3f} {other.get(name, float('nan')):7.3f}")
    medians = statistics.median(mine.values()), statistics.median(other.values())
    means = statistics.mean(mine.values()), statistics.mean(other.values())
    print(f"{'median s/PDF':40} {medians[0]:7.3f} {medians[1]:7.3f}   ratio {medians[0] / medians[1]:.2f}")
    print(f"{'mean s/PDF':40} {means[0]:7.3f} {means[1]:7.3f}   ratio {means[0] / means[1]:.2f}")


if __name__ == "__main__":
    main()
