"""The command line as a user meets it: what is printed where, and the exit code."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from citeaudit.cli.main import main
from citeaudit.settings import Settings

GOOD = """\
@article{shannon1948,
  author = {Shannon, C. E.}, title = {A Mathematical Theory of Communication},
  journal = {The Bell System Technical Journal}, volume = {27}, pages = {379--423}, year = {1948}
}
"""
INVENTED = """\
@article{nobody2001,
  author = {Nobody, Nora}, title = {A title that nobody has ever printed anywhere},
  journal = {No Journal}, year = {2001}
}
"""


@pytest.fixture
def manuscript(tmp_path: Path) -> Path:
    file = tmp_path / "refs.bib"
    file.write_text(GOOD + INVENTED, encoding="utf-8")
    return file


def test_check_reports_on_output_and_progress_on_error(manuscript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(manuscript), "--offline"]) == 0
    out, err = capsys.readouterr()
    assert "2 references read" in out
    assert "shannon1948" in out
    assert "1 verified, 1 undecided" in out
    assert "references read" in err
    assert "\x1b" not in out + err


def test_quiet_says_nothing_on_error(manuscript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(manuscript), "--offline", "--quiet"])
    assert capsys.readouterr().err == ""


def test_declared_complete_in_strict_is_a_finding(manuscript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", str(manuscript), "--offline", "--assume-complete", "--preset", "strict", "--format", "json"]
    assert main(arguments) == 1
    told = json.loads(capsys.readouterr().out)
    assert [one["verdict"]["status"] for one in told["references"]] == ["VERIFIED", "NOT_FOUND"]
    assert told["assumptions"] == ["index starter is complete (--assume-complete)"]
    assert main([*arguments, "--fail-on", "none"]) == 0
    assert main([*arguments, "--fail-on", "verified"]) == 1


def test_several_inputs_are_a_list_and_nothing_is_lost(
    manuscript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.bib"
    empty.touch()
    assert main(["check", str(empty), str(manuscript), "gone.bib", "--offline", "--format", "json"]) == 4
    told = json.loads(capsys.readouterr().out)
    assert [len(one["references"]) for one in told] == [0, 2, 0]
    assert "empty" in told[0]["error"]
    assert "no such file" in told[2]["error"]


def test_a_folder_stands_for_its_documents(manuscript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (manuscript.parent / "list.txt").write_text("[1] Nora Nobody. A title of no work. 2001.\n", encoding="utf-8")
    (manuscript.parent / "picture.png").write_bytes(b"\x89PNG")
    main(["check", str(manuscript.parent), "--offline", "--format", "json"])
    told = json.loads(capsys.readouterr().out)
    assert [Path(one["document"]["path"]).name for one in told] == ["list.txt", "refs.bib"]


def test_output_goes_to_a_file_in_the_form_of_its_name(manuscript: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    assert main(["check", str(manuscript), "--offline", "-o", str(target)]) == 0
    assert len(json.loads(target.read_text(encoding="utf-8"))["references"]) == 2
    assert main(["check", str(manuscript), "--offline", "-o", str(target), "--format", "table"]) == 0
    assert target.read_text(encoding="utf-8").startswith(str(manuscript))


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("report.txt", "{path}"),
        ("report.html", "<!doctype html>"),
        ("report.HTML", "<!doctype html>"),
        ("report.md", "# Report on references"),
        ("report.csv", '"document","index"'),
        ("report.json", "{{"),
        ("report.jsonl", '{{"document": "{path}"'),
        ("report", "{path}"),
    ],
)
def test_the_suffix_of_a_file_chooses_the_format(name: str, begins: str, manuscript: Path, tmp_path: Path) -> None:
    target = tmp_path / name
    assert main(["check", str(manuscript), "--offline", "-q", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8").startswith(begins.format(path=manuscript))


def test_extract_takes_its_own_formats_by_suffix(manuscript: Path, tmp_path: Path) -> None:
    for name, begins in (("read.json", "{"), ("read.txt", str(manuscript))):
        assert main(["extract", str(manuscript), "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_a_pattern_that_the_shell_left_stands_for_its_documents(
    manuscript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (manuscript.parent / "other.bib").write_text(GOOD, encoding="utf-8")
    assert main(["check", f"{manuscript.parent}/*.bib", "--offline", "-q", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [Path(one["document"]["path"]).name for one in told] == ["other.bib", "refs.bib"]


def test_standard_input_is_a_document(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Typed:
        buffer = io.BytesIO(GOOD.encode())

    monkeypatch.setattr(sys, "stdin", Typed())
    assert main(["check", "-", "--offline", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["document"]["path"] == "-"
    assert told["references"][0]["label"] == "shannon1948"


def test_extract_shows_what_was_read(manuscript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", str(manuscript)]) == 0
    assert "2 references read of 2 announced (by entries)" in capsys.readouterr().out
    assert main(["extract", str(manuscript), "gone.bib", "--format", "json"]) == 4
    told = json.loads(capsys.readouterr().out)
    assert told[0]["references"][0]["title"].startswith("A Mathematical Theory")
    assert told[1]["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["nonsense"], "No such command 'nonsense'", id="command"),
        pytest.param(["check"], "Missing argument", id="no-path"),
        pytest.param(["check", "x.bib", "--nonsense"], "No such option", id="option"),
        pytest.param(
            ["check", "x.bib", "--format", "doc"],
            "unknown format 'doc'; known: csv, html, json, jsonl, markdown, table",
            id="format",
        ),
        pytest.param(
            ["extract", "x.bib", "--format", "doc"],
            "unknown format 'doc'; known: bibtex, csl-json, json, table",
            id="extract-format",
        ),
        pytest.param(
            ["check", "x.bib", "-o", "r.xyz"],
            "r.xyz: no report has the suffix .xyz; known: .csv, .html, .json, .jsonl, .md, .txt; or name one with",
            id="suffix",
        ),
        pytest.param(
            ["extract", "x.bib", "-o", "out.docx"],
            "no report has the suffix .docx; known: .bib, .csl, .json, .txt",
            id="extract-suffix",
        ),
        pytest.param(["check", "*.bib"], "*.bib: the pattern matches no document", id="pattern"),
        pytest.param(["check", "x.bib", "--preset", "nope"], "unknown preset 'nope'", id="preset"),
        pytest.param(["check", "x.bib", "--config", "gone.toml"], "gone.toml: cannot be read", id="config"),
        pytest.param(["check", "x.bib", "--fail-on", "WRONG"], "--fail-on does not know WRONG", id="fail-on"),
        pytest.param(["check", "x.bib", "--fail-on", ""], "an empty list", id="fail-on-empty"),
        pytest.param(["check", "x.bib", "--index", "gone"], "gone", id="index"),
        pytest.param(["check", "x.bib", "-o", "gone/x.json"], "does not exist", id="output"),
        pytest.param(["index", "info", "gone"], "gone", id="index-info"),
        pytest.param(["bench", "extraction", "--pdfs", "gone", "--out", "x"], "holds no PDF", id="bench"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_three(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_an_empty_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path), "--offline"]) == 3
    assert "holds no document" in capsys.readouterr().err


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    assert "check" in capsys.readouterr().out


def test_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("citeaudit ")


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt, 130), (BrokenPipeError, 141), (ZeroDivisionError, 2)])
def test_even_the_unexpected_has_an_exit_code(
    error: type[BaseException],
    code: int,
    manuscript: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object, **__: object) -> Settings:
        raise error

    monkeypatch.setattr("citeaudit.cli.checking.load", fail)
    assert main(["check", str(manuscript)]) == code
    del capfd


def test_an_index_is_built_shown_and_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], manuscript: Path
) -> None:
    records = tmp_path / "mine.jsonl"
    record = {
        "title": "A title that nobody has ever printed anywhere",
        "authors": [{"family": "Nobody", "given": "Nora"}],
        "year": 2001,
    }
    records.write_text(f"{json.dumps(record)}\nbroken\n", encoding="utf-8")
    assert main(["index", "build", str(records), "--out", str(tmp_path / "mine"), "--format", "jsonl"]) == 0
    assert "1 record, 1 left out" in capsys.readouterr().out
    assert main(["index", "info", str(tmp_path / "mine")]) == 0
    assert capsys.readouterr().out.startswith("mine: ")
    assert main(["check", str(manuscript), "--offline", "--index", str(tmp_path / "mine"), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["verdict"]["status"] for one in told["references"]] == ["VERIFIED", "VERIFIED"]
    assert {one["source"] for one in told["references"][1]["lookups"]} == {"starter", "mine"}


def test_sources_tell_what_they_are_sent_and_how_they_fared(
    manuscript: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEAUDIT_SOURCES__EXAMPLE__BASE_URL", "http://127.0.0.1:9")
    assert main(["sources"]) == 0
    before = capsys.readouterr().out
    assert "example: asked" in before
    assert "crossref: not asked" in before
    assert "No contact is set" in before
    assert main(["check", str(manuscript), "--quiet"]) == 2
    capsys.readouterr()
    assert main(["sources"]) == 0
    assert "last: 0 of 1 questions answered, failed: NETWORK" in capsys.readouterr().out
    assert main(["sources", "--preset", "offline"]) == 0
    assert "nothing leaves this machine" in capsys.readouterr().out


def test_explain_lists_what_would_leave_the_machine(
    manuscript: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEAUDIT_SOURCES__EXAMPLE__BASE_URL", "http://127.0.0.1:9")
    assert main(["sources", "--explain", str(manuscript)]) == 0
    out = capsys.readouterr().out
    assert "at most these 2 questions" in out
    assert "example (http://127.0.0.1:9): 2 questions" in out
    assert "  title A Mathematical Theory of Communication" in out
    assert main(["sources", "--explain", str(manuscript), "--preset", "offline"]) == 0
    assert "nothing would be sent" in capsys.readouterr().out
    assert main(["sources", "--explain", "gone.bib"]) == 4


@pytest.mark.parametrize("command", ["check", "extract"])
def test_a_report_never_replaces_a_document_or_a_device(
    command: str, manuscript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = manuscript.read_bytes()
    assert main([command, str(manuscript), "-o", str(manuscript)]) == 3
    assert "is one of the documents to read" in capsys.readouterr().err
    assert main([command, str(tmp_path), "-o", str(manuscript)]) == 3
    assert manuscript.read_bytes() == before
    pipe = tmp_path.parent / f"{tmp_path.name}-pipe"
    os.mkfifo(pipe)
    assert main([command, str(manuscript), "-o", str(pipe)]) == 3
    assert "is not a regular file" in capsys.readouterr().err


def test_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "fifo.bib")
    assert main(["check", str(tmp_path / "fifo.bib"), "--offline", "-q"]) == 4
    assert "is not a regular file" in capsys.readouterr().err


def test_what_cannot_be_read_is_said_on_error_even_if_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.bib").touch()
    assert main(["check", str(tmp_path / "empty.bib"), "--offline", "-q", "-o", str(tmp_path / "x.json")]) == 4
    assert capsys.readouterr().err.count("\n") == 1


def test_an_entry_that_cannot_be_read_is_not_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.bib"
    broken.write_text("@article{x, title={Never closed\n\n" + GOOD, encoding="utf-8")
    assert main(["check", str(broken), "--offline", "-q", "--format", "json"]) == 4
    told = json.loads(capsys.readouterr().out)
    assert [one["verdict"]["status"] for one in told["references"]] == ["VERIFIED"]
    assert len(told["failed"]) == 1


def test_an_interrupted_run_reports_what_was_finished(
    manuscript: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from citeaudit import api

    second = tmp_path / "second.bib"
    second.write_text(INVENTED, encoding="utf-8")
    read = api.extract

    def stop(path: str | Path, **more: str | None) -> object:
        if Path(path) == second:
            raise KeyboardInterrupt
        return read(path, **more)

    monkeypatch.setattr(api, "extract", stop)
    assert main(["check", str(manuscript), str(second), "--offline", "-q", "--format", "json"]) == 130
    out, err = capsys.readouterr()
    assert len(json.loads(out)["references"]) == 2
    assert "interrupted after 1 of 2 documents" in err


def test_extract_tells_of_a_lost_entry_by_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.bib"
    cut.write_text(GOOD + "@book{lost, title = {Half a", encoding="utf-8")
    assert main(["extract", str(cut)]) == 4
    assert "A Mathematical Theory" in capsys.readouterr().out.replace("\n", " ").replace("  ", " ")


def test_an_outage_is_told_at_the_end(
    manuscript: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEAUDIT_SOURCES__EXAMPLE__BASE_URL", "http://127.0.0.1:9")
    assert main(["check", str(manuscript), "-q"]) == 2
    assert "1 reference stays undecided because example failed; check the connection" in capsys.readouterr().err


def test_a_memory_that_cannot_be_made_is_done_without(
    manuscript: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CITEAUDIT_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setenv("CITEAUDIT_SOURCES__EXAMPLE__BASE_URL", "http://127.0.0.1:9")
    assert main(["check", str(manuscript), "--format", "json"]) == 2
    out, err = capsys.readouterr()
    assert len(json.loads(out)["references"]) == 2
    assert "going on without a memory" in err


def test_a_named_format_goes_into_a_file_of_any_name(manuscript: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.xyz"
    assert main(["check", str(manuscript), "--offline", "-q", "--format", "csv", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8").startswith('"document"')


def test_several_documents_are_counted_while_they_are_read(
    manuscript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = tmp_path / "second.bib"
    second.write_text(INVENTED, encoding="utf-8")
    main(["check", str(manuscript), str(second), "--offline"])
    assert f"2 of 2 documents, {second}: reading" in capsys.readouterr().err
