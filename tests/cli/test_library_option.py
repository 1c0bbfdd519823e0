"""`citeaudit check --library`: from the words of a manuscript to what its sources say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from citeaudit.cli.main import main
from tests.quotes.papers import TIDES, paper

TEX = r"""\documentclass{article}
\begin{document}
The survey says that ``the tide at the old pier rose by 12 centimetres in the course of a single night''
\cite[p.~1]{weir2001}. It adds that ``the keeper did see the wave that took the lower lamp away''
\cite[p.~2]{weir2001}.
\begin{thebibliography}{1}
\bibitem{weir2001} N. Weir. Night tides at the old pier of Aldwick. \emph{Journal of Harbours}, 3:1--3, 2001.
\end{thebibliography}
\end{document}
"""


@pytest.fixture
def manuscript(tmp_path: Path) -> Path:
    (tmp_path / "library").mkdir()
    paper(tmp_path / "library" / "a.pdf", "Night tides at the old pier of Aldwick", "Nora Weir", *TIDES)
    path = tmp_path / "paper.tex"
    path.write_text(TEX, "utf-8")
    return path


def told(manuscript: Path, *words: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Give the quotations and the flags of the one reference."""
    out = manuscript.with_name("report.json")
    main(["check", str(manuscript), "--offline", "-q", "-o", str(out), *words])
    [reference] = json.loads(out.read_text("utf-8"))["references"]
    return reference["quotes"], reference["verdict"]["flags"]


def test_quotations_are_checked_in_the_folder(manuscript: Path) -> None:
    quotes, flags = told(manuscript, "--library", str(manuscript.parent / "library"))
    assert [quote["status"] for quote in quotes] == ["verified", "close match"]
    assert [quote["source"] for quote in quotes] == ["a.pdf"] * 2
    assert flags == ["quote"]


def test_without_the_option_they_are_skipped(manuscript: Path) -> None:
    quotes, flags = told(manuscript)
    assert [quote["status"] for quote in quotes] == ["skipped"] * 2
    assert flags == []


def test_a_finding_where_it_is_asked_for(manuscript: Path) -> None:
    words = ["check", str(manuscript), "--offline", "-q", "--library", str(manuscript.parent / "library")]
    out = str(manuscript.with_name("r.json"))
    assert main([*words, "-o", out]) == 0
    assert main([*words, "-o", out, "--fail-on", "quote"]) == 1


def test_a_folder_that_is_not_there_is_an_error_of_use(manuscript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(manuscript), "--offline", "-q", "--library", str(manuscript.parent / "none")]) == 3
    assert "is no folder" in capsys.readouterr().err
