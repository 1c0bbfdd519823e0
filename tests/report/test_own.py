"""Whatever a reporter writes is known again as a report, so that a folder can be checked twice."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from citeaudit import registry
from citeaudit.extract.own import is_report
from citeaudit.model import Extraction, Reference, SelfCheck
from citeaudit.report.extraction import write_json, write_table
from citeaudit.report.extraction_bibtex import write_bibtex
from citeaudit.report.extraction_csl import write_csl
from citeaudit.seams import Reporter
from tests.report.material import LOST, full, written

READ = Extraction(
    path="x.bib", format="x", references=(Reference(raw="x"),), self_check=SelfCheck(method="lines", read=1)
)


@pytest.mark.parametrize("name", registry.names("reporter"))
@pytest.mark.parametrize("results", [(full(),), (full(), LOST)], ids=["one", "two"])
def test_every_report_is_known(name: str, results: tuple[object, ...]) -> None:
    reporter = cast("Callable[[], Reporter]", registry.load("reporter", name))()
    text = written(reporter, results)  # type: ignore[arg-type]  # a row of both kinds
    assert is_report(text.encode()[:4_096], Path(f"report{reporter.suffix}"))


@pytest.mark.parametrize(
    ("write", "suffix", "known"),
    [
        (write_json, ".json", True),
        (write_table, ".txt", True),
        (write_bibtex, ".bib", False),
        (write_csl, ".json", False),
    ],
)
def test_what_extract_writes_is_known_unless_it_is_a_list(
    write: Callable[[list[Extraction], io.StringIO], None], suffix: str, known: bool
) -> None:
    stream = io.StringIO()
    write([READ], stream)
    assert is_report(stream.getvalue().encode()[:4_096], Path(f"x{suffix}")) is known


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# References\n\n[1] x", "x.md"),
        ('[{"title": "x"}]', "x.json"),
        ("# Report on references\n", "x.tex"),
        ("", "x.txt"),
    ],
)
def test_documents_are_none(text: str, name: str) -> None:
    assert not is_report(text.encode(), Path(name))
