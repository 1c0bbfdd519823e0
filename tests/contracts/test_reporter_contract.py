"""What every registered reporter promises, whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from citeaudit import registry
from citeaudit.model import Audit, Unreadable
from citeaudit.report.writing import write_atomic
from citeaudit.seams import Reporter
from tests import samples
from tests.report.material import HOSTILE, LOST, NOTHING, full, hostile, written

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def _made(name: str) -> Reporter:
    return cast("Callable[[], Reporter]", registry.load("reporter", name))()


def test_no_two_formats_write_files_of_one_name() -> None:
    suffixes = [_made(name).suffix for name in registry.names("reporter")]
    assert len(set(suffixes)) == len(suffixes)


@pytest.mark.parametrize("name", registry.names("reporter"))
class TestReporter:
    """Given audits, documents that could not be read, or nothing at all."""

    @pytest.fixture
    def reporter(self, name: str) -> Reporter:
        return _made(name)

    def test_it_is_called_as_it_is_registered(self, name: str, reporter: Reporter) -> None:
        assert reporter.format == name
        assert re.fullmatch(r"\.[a-z]+", reporter.suffix)

    def test_it_is_told_in_the_documentation(self, reporter: Reporter, repository: Path) -> None:
        told = (repository / "docs" / "reports.md").read_text(encoding="utf-8")
        assert f"| `{reporter.format}` | `{reporter.suffix}` |" in told
        commands = (repository / "docs" / "commands.md").read_text(encoding="utf-8")
        assert f"`{reporter.format}`" in commands
        assert f"`{reporter.suffix}`" in commands

    @pytest.mark.parametrize(
        "results",
        [
            pytest.param((), id="nothing"),
            pytest.param((LOST,), id="unreadable"),
            pytest.param((NOTHING,), id="no-references"),
            pytest.param((full(), LOST, NOTHING), id="three-documents"),
        ],
    )
    def test_every_run_has_a_report(self, reporter: Reporter, results: tuple[Audit | Unreadable, ...]) -> None:
        text = written(reporter, results)
        assert written(reporter, results) == text
        if LOST in results:
            assert "lost.pdf" in text
            assert "is empty; save it again" in " ".join(text.split())
        if len(results) > 1:
            assert text.index("paper.pdf") < text.index("lost.pdf")

    def test_no_reference_is_left_out(self, reporter: Reporter) -> None:
        text = written(reporter, [full()])
        assert {f"key{number}" for number in range(1, 7)} <= set(re.findall(r"key\d", text))

    def test_people_are_not_judged(self, reporter: Reporter) -> None:
        assert not re.search(
            r"\b(fake|hallucinat|fraud|invented|fabricat)", written(reporter, [full(), LOST]), re.IGNORECASE
        )

    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    def test_foreign_text_holds_no_control_characters(self, reporter: Reporter, text: str) -> None:
        assert not _CONTROL.search(written(reporter, [hostile(text), Unreadable(path=text, message=text)]))

    def test_a_file_name_in_no_encoding_can_be_written(self, reporter: Reporter, tmp_path: Path) -> None:
        target = tmp_path / f"report{reporter.suffix}"
        write_atomic(target, lambda stream: reporter.write([samples.audit(path="x\udcff.bib")], stream))
        assert target.read_text(encoding="utf-8") or reporter.format in ("jsonl", "csv")

    def test_the_stream_stays_open_for_others(self, reporter: Reporter, tmp_path: Path) -> None:
        with (tmp_path / "report").open("w", encoding="utf-8") as stream:
            reporter.write([full()], stream)
            assert not stream.closed
