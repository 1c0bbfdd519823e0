"""A report is written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import pytest

from citeaudit.errors import UsageError
from citeaudit.report.writing import check_target, write_atomic


def _write(text: str) -> Callable[[TextIO], None]:
    def write(stream: TextIO) -> None:
        stream.write(text)

    return write


def test_a_report_replaces_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_text("old", encoding="utf-8")
    write_atomic(target, _write("größer"))
    assert target.read_text(encoding="utf-8") == "größer"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failure_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_text("old", encoding="utf-8")

    def fail(stream: TextIO) -> None:
        stream.write("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_atomic(target, fail)
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_target_that_cannot_be_written_is_named_before_the_work(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    for target, said in (
        (tmp_path, "is a folder"),
        (tmp_path / "no" / "report", "does not exist"),
        (link, "is a symbolic link"),
    ):
        with pytest.raises(UsageError, match=said):
            check_target(target)


def test_a_full_disk_is_one_sentence() -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        write_atomic(Path("/proc/report"), _write("x"))
