"""Scanned documents on the command line: what is said without recognition, and what is read with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citeaudit.cli.main import main
from citeaudit.pdf.document import TESSDATA, library

NO_LANGUAGE = not any(Path(folder, "eng.traineddata").is_file() for folder in TESSDATA)
LINES = (
    "References",
    "[1] Shannon, C. E. A Mathematical Theory of Communication.",
    "Bell System Technical Journal, 27, 379-423, 1948.",
    "[2] Turing, A. M. Computing Machinery and Intelligence.",
    "Mind, 59, 433-460, 1950.",
    "[3] Lovelace, A. Notes on the Analytical Engine. 1843.",
)


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    pymupdf = library()
    printed = pymupdf.open().new_page()
    for at, text in enumerate(LINES):
        printed.insert_text((60, 90 + 26 * at), text, fontsize=14)
    made = pymupdf.open()
    page = made.new_page()
    page.insert_image(page.rect, pixmap=printed.get_pixmap(dpi=150))
    path = tmp_path / "scan.pdf"
    made.save(path)
    return path


@pytest.mark.parametrize("command", [["extract"], ["check", "--offline"]], ids=lambda command: command[0])
def test_scan_says_how_it_can_be_read(scan: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, str(scan)]) == 4
    assert "holds no text layer, only images; let it be read from them with --ocr eng" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["extract"], ["check", "--offline"]], ids=lambda command: command[0])
def test_language_that_is_not_installed_is_named(
    scan: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, str(scan), "--ocr", "tlh"]) == 3
    assert "Tesseract for tlh is not here; install tesseract-ocr with it" in capsys.readouterr().err


@pytest.mark.skipif(NO_LANGUAGE, reason="Tesseract's English data is not installed")
def test_scan_is_read_where_that_is_asked_for(scan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", str(scan), "--ocr", "eng", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["references"]
    assert [(one["recognised"], one["cited"]) for one in told] == [(True, None)] * 3


def test_recognition_is_no_matter_for_documents_with_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    assert main(["extract", str(path), "--ocr", "tlh"]) == 0
    assert "Shannon" in capsys.readouterr().out


def test_text_that_others_recognised_accuses_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pymupdf = library()
    page = pymupdf.open().new_page()
    page.insert_image(page.rect, pixmap=pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 40)))
    for at, text in enumerate(("It was shown in [2] and [7].", *LINES)):
        page.insert_text((60, 90 + 26 * at), text.replace("Shannon", "Shaimon"), fontsize=12, render_mode=3)
    path = tmp_path / "layered.pdf"
    page.parent.save(path)
    assert main(["check", str(path), "--offline", "--assume-complete", "--preset", "strict", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert all(one["recognised"] for one in told["references"])
    assert "MISMATCHED" not in {one["verdict"]["status"] for one in told["references"]}
    assert told["self_check"]["dangling"] == []
    assert "probably from character recognition" in " ".join(told["self_check"]["notes"])
