"""Build the proving ground: PDFs of many styles and layouts with what they cite.

Half of them are to learn from, half to judge by.

Run as `python benchmarks/proving/make.py OUT [--only PART]`. Needs pdflatex, bibtex, biber and LibreOffice, with the
TeX packages for publishers, humanities and languages; a document that cannot be built is named and left out.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import latex
import office
import pymupdf
from latex import Recipe, Source
from rapidfuzz import fuzz
from typed import UNTITLED
from works import Work, sample

HERE = Path(__file__).resolve().parent
HALVES = ("dev", "heldout")
NEAR = 92
"""Likeness of a title to the words of the PDF from which it counts as printed; figures and signs may differ."""
STEP_TIMEOUT_S = 120
_NO_WORK: dict[str, object] = {"authors": [], "type": "note", "title_in_pdf": False, "uncertain": True}
"""Gold of what looks like a citation and is none of a work: it counts neither way."""


def recipes() -> list[Recipe]:
    """Read `recipes.tsv`."""
    lines = [line for line in (HERE / "recipes.tsv").read_text("utf-8").splitlines() if not line.startswith("#")]
    return [
        Recipe(
            row["name"],
            row["kind"],
            row["cls"],
            row["style"],
            int(row["n"]),
            frozenset(part for part in (row["features"] or "").split(",") if part),
        )
        for row in csv.DictReader(lines, delimiter="\t")
    ]


def half(name: str) -> str:
    """Say in which half a document stands: by its name alone, so that it never moves."""
    return HALVES[hashlib.sha256(name.encode()).digest()[0] % 2]


def build(recipe: Recipe, out: Path) -> dict[str, object] | None:
    """Build one document; `None` where the tools refuse it."""
    seed = int.from_bytes(hashlib.sha256(recipe.name.encode()).digest()[:6])
    rng = random.Random(seed)  # noqa: S311  # nothing secret
    works = sample(recipe.n, rng, recipe.lang, family="family" in recipe.features or "dash" in recipe.features)
    make = office.build if recipe.kind.startswith("office") else latex.build
    source = make(recipe, works, rng)
    with tempfile.TemporaryDirectory(prefix="proving-") as folder:
        place = Path(folder)
        for name, text in source.files.items():
            (place / name).write_text(text, "utf-8")
        for step in source.steps:
            _run(step, place)
        made = place / "main.pdf"
        if not made.exists():
            log = place / "main.log"
            errors = (
                re.findall(r"^! .*(?:\n.*){0,3}", log.read_text("utf-8", "replace"), re.MULTILINE)
                if log.exists()
                else []
            )
            print(f"{recipe.name}: not built: {errors[:1]}", file=sys.stderr)
            return None
        folder_out = out / half(recipe.name)
        (folder_out / "pdfs").mkdir(parents=True, exist_ok=True)
        (folder_out / "gold").mkdir(parents=True, exist_ok=True)
        pdf = folder_out / "pdfs" / f"{recipe.name}.pdf"
        shutil.copy(made, pdf)
    gold = _gold(recipe, source, pdf)
    (folder_out / "gold" / f"{recipe.name}.json").write_text(json.dumps(gold, ensure_ascii=False, indent=1), "utf-8")
    missing = sum(1 for one in gold if one["uncertain"])
    print(f"{recipe.name}: {len(gold)} works, {missing} uncertain, {half(recipe.name)}")
    return {
        "id": recipe.name,
        "file": f"pdfs/{recipe.name}.pdf",
        "gold": f"gold/{recipe.name}.json",
        "kind": recipe.kind,
        "style": recipe.style,
        "language": recipe.lang,
        "features": sorted(recipe.features),
        "n_refs": len(gold),
        "origin": "compiled",
        "split": half(recipe.name),
    }


def _run(step: str, place: Path) -> None:
    program, *arguments = step.split()
    if program == "pdflatex":
        arguments = ["-interaction=nonstopmode", "main.tex"]
    elif program == "soffice":
        arguments = [f"-env:UserInstallation=file://{place}/profile", "--headless", "--convert-to", "pdf", "main.fodt"]
    try:
        subprocess.run([program, *arguments], cwd=place, capture_output=True, timeout=STEP_TIMEOUT_S, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        print(f"{step}: took too long", file=sys.stderr)


def _letters(text: str) -> str:
    """Fold to letters and digits, as the scorer does."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain if char.isalnum()).lower().replace("ß", "ss").replace("ı", "i")


def _gold(recipe: Recipe, source: Source, pdf: Path) -> list[dict[str, object]]:
    with pymupdf.open(pdf) as document:
        text = "\n".join(page.get_text(sort=False) for page in document)
        links = " ".join(str(link.get("uri", "")) for page in document for link in page.get_links()).lower()
    letters, packed = _letters(text), re.sub(r"\s", "", text).lower()
    rows = [_row(recipe, work, words, letters, packed + " " + links, packed) for work, words in source.printed]
    return [*rows, *(dict.fromkeys(rows[0]) | _NO_WORK | {"raw": words} for words in source.notes_only)]


def _row(recipe: Recipe, work: Work, words: str, letters: str, reachable: str, packed: str) -> dict[str, object]:
    title = _letters(work.title)
    titled = title in letters or (len(title) > 30 and fuzz.partial_ratio(title, letters) >= NEAR)  # noqa: PLR2004
    if recipe.style in UNTITLED and words:
        titled = title in _letters(words)
    named = _letters(work.authors[0][0]) in letters and str(work.year) in packed
    doi = "text" if work.doi and work.doi in packed else "link" if work.doi and work.doi in reachable else None
    arxiv = "text" if work.arxiv and work.arxiv in packed else None
    return {
        "raw": words or None,
        "title": work.title,
        "authors": [family for family, _ in work.authors],
        "year": str(work.year) if str(work.year) in packed else None,
        "venue": work.container or None,
        "doi": work.doi or None,
        "arxiv": work.arxiv or None,
        "key": work.key,
        "type": work.type,
        "title_in_pdf": titled,
        "uncertain": not (titled or named),
        "doi_in_pdf": doi,
        "arxiv_in_pdf": arxiv,
    }


def main() -> int:
    """Build all documents, or those whose name holds a word."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    chosen = [recipe for recipe in recipes() if asked.only in recipe.name]
    rows = [row for recipe in chosen if (row := build(recipe, asked.out)) is not None]
    for side in HALVES:
        file = asked.out / side / "manifest.json"
        old = json.loads(file.read_text("utf-8")) if file.exists() and asked.only else []
        new = [row for row in rows if row["split"] == side]
        kept = [row for row in old if row["id"] not in {each["id"] for each in new}]
        if kept or new:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(kept + new, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
