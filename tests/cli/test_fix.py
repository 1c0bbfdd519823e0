"""`citeaudit fix`: a diff or a changed file, exit codes, and what is refused."""

from __future__ import annotations

import json
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from citeaudit.cli.fixing import Outcome, Request, _code, _give, _patched
from citeaudit.cli.main import main
from citeaudit.errors import UsageError
from citeaudit.fix.document import Fixed
from citeaudit.model import Status
from citeaudit.report.exits import Exit
from tests import samples

WRONG = """\
% my list
@string{cacm = {Communications of the ACM}}
@article{wordnet,
  author  = {Miller, George A.},
  title   = {{WordNet}: A grammatical database for {English}},
  journal = cacm, year = 1995,
}
@article{blei2003, author = "Blei, D. M. and Ng, A. Y. and Quillfeather, M.",
  title = "Latent {D}irichlet allocation", journal = "J. Mach. Learn. Res.", year = "2003"}
"""
RIGHT = WRONG.replace("A grammatical", "A Lexical").replace("Quillfeather, M.", "Jordan, Michael I.")
UNKNOWN = """\
@article{tides,
  title = {A title that nobody has ever printed anywhere at all}, author = {Poe, N.}, year = 2001
}
"""


@pytest.fixture
def refs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "refs.bib"
    file.write_bytes(WRONG.encode())
    return file


def test_the_diff_is_shown_and_nothing_is_changed(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", str(refs), "--offline"]) == 1
    out, err = capfd.readouterr()
    assert out.splitlines()[:2] == ["--- refs.bib", "+++ refs.bib"]
    assert [line for line in out.splitlines()[2:] if line[0] in "+-"] == [
        "-  title   = {{WordNet}: A grammatical database for {English}},",
        "+  title   = {{WordNet}: A Lexical database for {English}},",
        '-@article{blei2003, author = "Blei, D. M. and Ng, A. Y. and Quillfeather, M.",',
        '+@article{blei2003, author = "Blei, D. M. and Ng, A. Y. and Jordan, Michael I.",',
    ]
    assert f"{refs}: 2 fields of 2 entries would change" in err
    assert refs.read_bytes() == WRONG.encode()


def test_a_file_is_changed_in_its_place_and_is_clean_then(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refs.chmod(0o600)
    assert main(["fix", str(refs), "--offline", "--write"]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "2 fields of 2 entries changed" in err
    assert refs.read_bytes() == RIGHT.encode()
    assert stat.S_IMODE(refs.stat().st_mode) == 0o600
    assert main(["fix", str(refs), "--offline", "--quiet"]) == 0
    assert capfd.readouterr() == ("", "")
    assert main(["check", str(refs), "--offline", "--quiet"]) == 0


def test_what_a_person_must_find_out_is_told(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refs.write_text(UNKNOWN, encoding="utf-8")
    assert main(["fix", "refs.bib", "--offline", "--assume-complete", "--preset", "strict"]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "refs.bib: nothing to change; 1 entry to look at\n" in err
    assert "refs.bib: tides (line 1): No record was found: a DOI, or where the work can be seen, is needed." in err


def test_what_stays_undecided_is_named(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refs.write_text(WRONG + UNKNOWN + "@article{}\n", encoding="utf-8")
    assert main(["fix", "refs.bib", "--offline"]) == 1
    err = capfd.readouterr().err
    assert "refs.bib: 2 fields of 2 entries would change; 2 entries to look at\n" in err
    assert "refs.bib: tides (line 10): Undecided, look it up: " in err
    assert "refs.bib: entry without a key (line 13): The entry says too little to be looked up: complete it.\n" in err


def test_an_entry_that_cannot_be_read_is_named(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refs.write_text(RIGHT + "@article{broken, title = {never closed\n", encoding="utf-8")
    assert main(["fix", "refs.bib", "--offline"]) == 4
    out, err = capfd.readouterr()
    assert out == ""
    assert "refs.bib: nothing to change; 1 entry to look at\n" in err
    assert "refs.bib: broken (line 10): the entry could not be read: " in err


def test_a_clean_file_has_nothing_to_change(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refs.write_text(RIGHT, encoding="utf-8")
    assert main(["fix", "refs.bib", "--offline"]) == 0
    assert capfd.readouterr().err.endswith("refs.bib: nothing to change\n")


@pytest.mark.parametrize("other", ["refs.bib", "./refs.bib"])
def test_a_file_named_twice_has_one_diff(refs: Path, other: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "refs.bib", other, "--offline", "--quiet"]) == 1
    assert capfd.readouterr().out.count("--- refs.bib\n") == 1


def test_a_protected_file_is_not_written(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refs.chmod(0o444)
    assert main(["fix", "refs.bib", "--offline", "--write"]) == 3
    assert "refs.bib: is protected against writing" in capfd.readouterr().err
    assert refs.read_bytes() == WRONG.encode()
    assert main(["fix", "refs.bib", "--offline", "--quiet"]) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is needed")
@pytest.mark.parametrize(
    ("shell", "told"),
    [
        pytest.param(">&-", "standard output is closed", id="closed"),
        pytest.param("> /dev/full", "standard output cannot be written", id="full"),
    ],
)
def test_an_output_that_takes_nothing_is_one_sentence(refs: Path, shell: str, told: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m citeaudit fix refs.bib --offline --quiet {shell}"
    done = subprocess.run(["sh", "-c", command], cwd=refs.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_an_entry_that_its_author_vouches_for_is_left_alone(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = WRONG.replace("@article{wordnet", "% citeaudit: ok the printed title says so\n@article{wordnet")
    refs.write_text(told.replace("Quillfeather, M.", "Jordan, M. I."), encoding="utf-8")
    assert main(["fix", str(refs), "--offline"]) == 0
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        pytest.param("paper.tex", "fix changes .bib files only", id="other-kind"),
        pytest.param("-", "fix changes .bib files only", id="standard-input"),
        pytest.param("missing.bib", "is not a file", id="missing"),
        pytest.param("table.bib", "was read as", id="other-content"),
    ],
)
def test_what_is_no_bib_file_is_refused(refs: Path, name: str, told: str, capfd: pytest.CaptureFixture[str]) -> None:
    (refs.parent / "paper.tex").write_text("\\documentclass{article}", encoding="utf-8")
    (refs.parent / "table.bib").write_text('[{"type": "book", "title": "A map of Kiel"}]', encoding="utf-8")
    code = main(["fix", name, "--offline"])
    out, err = capfd.readouterr()
    assert (code, out) == (3, "")
    assert told in err


def test_write_and_diff_exclude_each_other(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", str(refs), "--write", "--diff"]) == 3
    assert "name one of them" in capfd.readouterr().err


def test_a_file_that_cannot_be_read_is_told(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refs.write_text("nothing of the kind\n", encoding="utf-8")
    assert main(["fix", str(refs), "--offline"]) in (3, 4)
    assert "refs.bib" in capfd.readouterr().err


def test_a_broken_neighbour_gives_code_4_only_without_changes(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = "@article{broken, title = {never closed\n"
    refs.write_text(WRONG + broken, encoding="utf-8")
    assert main(["fix", str(refs), "--offline", "--quiet"]) == 1
    refs.write_text(RIGHT + broken, encoding="utf-8")
    assert main(["fix", str(refs), "--offline", "--quiet"]) == 4
    capfd.readouterr()


def test_an_index_of_ones_own_is_asked(refs: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    title, authors = "Slow tides and the measurement of harbour walls", [{"family": "Quill", "given": "Jo"}]
    dump = tmp_path / "works.jsonl"
    dump.write_text(json.dumps({"title": title, "authors": authors, "year": 2014}) + "\n", encoding="utf-8")
    assert main(["index", "build", str(dump), "--out", str(tmp_path / "mine"), "--quiet"]) == 0
    refs.write_text(
        "@misc{q, author={Quill, Jo}, title={Slow tides and the measurement of harbour walls}, year={2001}}",
        encoding="utf-8",
    )
    capfd.readouterr()
    assert main(["fix", str(refs), "--offline", "--quiet", "--index", str(tmp_path / "mine")]) == 1
    assert "year={2014}}" in capfd.readouterr().out


def test_several_files_each_have_their_diff(refs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (refs.parent / "more").mkdir()
    (refs.parent / "more" / "other.bib").write_bytes(WRONG.replace("\n", "\r\n").encode())
    assert main(["fix", "refs.bib", "more/other.bib", "--offline", "--quiet"]) == 1
    out = capfd.readouterr().out
    assert "--- refs.bib\n" in out
    assert "--- more/other.bib\n" in out


def test_a_file_elsewhere_keeps_its_path(refs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert _patched(str(refs)) == str(refs)
    assert _patched("../refs.bib") == "../refs.bib"


def test_an_outage_is_code_2_whatever_is_proposed() -> None:
    failed = samples.verdict(Status.UNDECIDED, outage=True)
    assert _code([samples.audit(failed)], [], ()) is Exit.UNDECIDED
    assert _code([samples.audit(samples.verdict())], [], ()) is Exit.CLEAN


def test_a_file_that_changes_meanwhile_is_not_overwritten(refs: Path) -> None:
    request = Request(paths=(str(refs),), write=True, flags={})
    with pytest.raises(UsageError, match="has changed while it was read"):
        _give(Outcome(str(refs), Fixed(b"as it should be", ())), b"as it was", request)
    assert refs.read_bytes() == WRONG.encode()
