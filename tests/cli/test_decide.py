"""Decisions and baselines as a user meets them: what is printed where, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citeaudit import api
from citeaudit.cli.deciding import parse_ruling
from citeaudit.cli.main import main
from citeaudit.errors import UsageError
from citeaudit.model import Ruling
from citeaudit.settings import DecisionSettings, Settings
from tests import samples

LATE = """\
@article{shannon,
  author = {Shannon, C. E.}, title = {A Mathematical Theory of Communication},
  journal = {The Bell System Technical Journal}, volume = {27}, pages = {379--423}, year = {1958}
}
"""
INVENTED = """\
@article{nobody,
  author = {Nobody, Nora}, title = {A title that nobody has ever printed anywhere},
  journal = {No Journal}, year = {2001}
}
"""
CHECK = ("--offline", "--assume-complete", "--preset", "strict", "--quiet")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CITEAUDIT_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def refs(tmp_path: Path) -> Path:
    file = tmp_path / "refs.bib"
    file.write_text(LATE + INVENTED, encoding="utf-8")
    return file


@pytest.fixture
def report(refs: Path, tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    assert main(["check", str(refs), *CHECK, "-o", str(path)]) == 1
    return path


def decide(*words: str | Path) -> int:
    return main(["decide", *map(str, words)])


def told(capsys: pytest.CaptureFixture[str], refs: Path, *more: str) -> tuple[int, dict[str, str], str]:
    """Check anew, and give the exit code, the status of each reference and what stands on standard error."""
    capsys.readouterr()
    code = main(["check", str(refs), *CHECK, "--format", "json", *more])
    out, err = capsys.readouterr()
    return code, {row["label"]: row["verdict"]["status"] for row in json.loads(out)["references"]}, err


def test_what_is_decided_from_a_report_is_no_finding_in_later_runs(
    report: Path, refs: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert decide(report, "shannon", "--ruling", "known good", "--reason", "read in print", "--by", "Ed") == 0
    out = capsys.readouterr().out
    assert "known good: Shannon. 1958. A Mathematical Theory of Communication" in out
    assert str(data / "decisions.jsonl") in out
    assert told(capsys, refs) == (1, {"shannon": "MISMATCHED", "nobody": "NOT_FOUND"}, "")
    assert decide(report, "2", "--ruling", "not-checkable", "--reason", "a leaflet at home") == 0
    assert told(capsys, refs) == (0, {"shannon": "MISMATCHED", "nobody": "NOT_CHECKABLE"}, "")
    main(["check", str(refs), *CHECK, "--format", "json"])
    assert [row["letter"] for row in json.loads(capsys.readouterr().out)["references"]] == [None, None]
    elsewhere = refs.with_name("other.bib")
    elsewhere.write_text(LATE.replace("shannon", "s48").replace("Shannon, C. E.", "C. E. SHANNON"), encoding="utf-8")
    assert told(capsys, elsewhere)[0] == 0
    elsewhere.write_text(LATE.replace("Shannon, C. E.", "Nobody, Nora"), encoding="utf-8")
    assert told(capsys, elsewhere)[0] == 1


def test_every_report_for_people_tells_the_decision(
    report: Path, refs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decide(report, "nobody", "--ruling", "known good", "--reason", "I hold a copy", "--by", "Ed Itor")
    for form in ("table", "html", "markdown", "json"):
        capsys.readouterr()
        main(["check", str(refs), *CHECK, "--format", form])
        assert "I hold a copy" in " ".join(capsys.readouterr().out.split()), form


def test_a_document_will_do_instead_of_a_report(refs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert decide(refs, "nobody", "--ruling", "Bad_Reading", "--reason", "two entries in one") == 0
    assert told(capsys, refs)[1]["nobody"] == "UNPARSED"
    assert decide(refs, "1", "--ruling", "wrong record", "--reason", "a reprint") == 3
    assert "--record SOURCE:ID" in capsys.readouterr().err
    assert decide(refs, "1", "--ruling", "wrong record", "--reason", "a reprint", "--record", "starter:none") == 0
    assert told(capsys, refs)[1]["shannon"] == "MISMATCHED"


def test_a_wrong_record_is_the_one_reported(report: Path, refs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert decide(report, "shannon", "--ruling", "wrong record", "--reason", "the reprint of 1958") == 0
    assert told(capsys, refs)[1]["shannon"] == "UNDECIDED"
    assert decide("--list") == 0
    assert "wrong record  starter:shannon" in capsys.readouterr().out


def test_decisions_are_listed_and_taken_back(report: Path, refs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    decide("--list")
    assert capsys.readouterr().out == "nothing has been decided\n"
    decide(report, "nobody", "--ruling", "known good", "--reason", "I hold a copy", "--by", "Ed")
    capsys.readouterr()
    decide("--list")
    first, about, reason = capsys.readouterr().out.splitlines()
    mark, *_ = first.split()
    assert first.split("  ")[1:2] + first.split("  ")[3:] == ["known good", "Ed"]
    assert about == "    Nobody. 2001. A title that nobody has ever printed anywhere"
    assert reason == "    I hold a copy"
    assert decide("--remove", mark[:9]) == 0
    assert capsys.readouterr().out.startswith("taken back: known good: Nobody.")
    assert told(capsys, refs)[1]["nobody"] == "NOT_FOUND"
    assert decide("--remove", mark) == 3
    assert capsys.readouterr().err == (
        f"citeaudit: no decision with the fingerprint {mark!r}; citeaudit decide --list shows them\n"
    )


def test_teams_share_decisions(report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    decide(report, "nobody", "--ruling", "known good", "--reason", "I hold a copy")
    decide(report, "shannon", "--ruling", "wrong record", "--reason", "a reprint")
    decide(report, "shannon", "--ruling", "wrong record", "--reason", "another", "--record", "dblp:x")
    shared, team = tmp_path / "shared.jsonl", tmp_path / "team.jsonl"
    assert decide("--export", shared) == 0
    capsys.readouterr()
    assert decide("--export", "-") == 0
    assert capsys.readouterr().out == shared.read_text()
    assert decide("--import", shared, "--file", team) == 0
    assert capsys.readouterr().out == "2 of 2 decisions taken over\n"
    assert decide("--import", shared, "--file", team) == 0
    assert capsys.readouterr().out == "0 of 2 decisions taken over\n"
    held = [api.decisions(Settings(decisions=DecisionSettings(file=path))) for path in (shared, team)]
    assert list(held[0]) == list(held[1])
    decide(report, "nobody", "--ruling", "bad reading", "--reason", "newer", "--file", team)
    decide("--import", shared, "--file", team)
    decide(report, "nobody", "--ruling", "not checkable", "--reason", "newest")
    decide("--export", shared)
    capsys.readouterr()
    decide("--import", shared, "--file", team)
    assert capsys.readouterr().out == "1 of 2 decisions taken over\n"


def test_damage_is_told_once_and_the_rest_counts(
    report: Path, refs: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decide(report, "nobody", "--ruling", "known good", "--reason", "I hold a copy")
    with (data / "decisions.jsonl").open("a") as stream:
        stream.write("<<<<<<< ours\n")
    code, _, err = told(capsys, refs, "--fail-on", "NOT_FOUND")
    assert code == 0
    assert err.count("decisions.jsonl: line 2 cannot be read as a decision") == 1
    assert decide("--list") == 0
    out, err = capsys.readouterr()
    assert "I hold a copy" in out
    assert "line 2 cannot be read" in err
    assert decide("--import", data / "decisions.jsonl", "--file", data / "b.jsonl") == 0
    assert "line 2 cannot be read" in capsys.readouterr().err


WRONG = [
    pytest.param(["nobody", "--ruling", "known good"], "a decision needs a reason", id="no-reason"),
    pytest.param(["nobody", "--ruling", "known good", "--reason", "  "], "a decision needs a reason", id="blank"),
    pytest.param(["nobody", "--reason", "x"], "--ruling must be one of: known good, wrong record", id="no-ruling"),
    pytest.param(["nobody", "--ruling", "fine", "--reason", "x"], "--ruling must be one of", id="unknown-ruling"),
    pytest.param([], "say which reference of", id="which"),
    pytest.param(["99", "--ruling", "known good", "--reason", "x"], "has no reference '99' among 2", id="not-there"),
    pytest.param(
        ["nobody", "--ruling", "known good", "--reason", "x", "--record", "a:b"],
        "--record goes with the ruling 'wrong record' alone",
        id="record-without-ruling",
    ),
    pytest.param(
        ["nobody", "--ruling", "wrong record", "--reason", "x", "--record", "ab"], "must be SOURCE:ID", id="record-form"
    ),
    pytest.param(["nobody", "--ruling", "wrong record", "--reason", "x"], "no record is reported", id="no-record"),
    pytest.param(["nobody", "--list"], "name a file and a reference in it, or one of", id="two-things"),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG)
def test_a_wrong_call_is_told_and_keeps_nothing(
    report: Path, data: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert decide(report, *words) == 3
    assert sentence in capsys.readouterr().err
    assert not (data / "decisions.jsonl").exists()


def test_other_wrong_calls(tmp_path: Path, refs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert decide() == 3
    assert decide("--import", tmp_path / "none") == 3
    assert "no such file of decisions" in capsys.readouterr().err
    assert decide(tmp_path / "none.bib", "a", "--ruling", "known good", "--reason", "x") == 4
    refs.write_text("@misc{a, title={A title alone}}", encoding="utf-8")
    assert decide(refs, "a", "--ruling", "known good", "--reason", "x") == 3
    assert "nothing can be decided about this reference: the reference has no authors" in capsys.readouterr().err
    refs.write_text(LATE + LATE.replace("1958", "1948"), encoding="utf-8")
    assert decide(refs, "shannon", "--ruling", "known good", "--reason", "x") == 3
    assert "'shannon' names 2 references" in capsys.readouterr().err


def test_rulings_are_read_in_any_case() -> None:
    assert [parse_ruling(text) for text in ("Known Good", "wrong-record", "BAD_READING", " not  checkable")] == list(
        Ruling
    )
    with pytest.raises(UsageError, match="known good, wrong record, bad reading, not checkable"):
        parse_ruling(None)


def test_the_api_says_what_it_refuses(tmp_path: Path) -> None:
    settings = Settings(decisions=DecisionSettings(file=tmp_path / "team.jsonl"))
    reference = samples.reference("On the reading of references", "Ada Roe", "Bo Li", "Cy Hu", "Di Fox")
    with pytest.raises(UsageError, match="needs a reason"):
        api.decide(reference, Ruling.KNOWN_GOOD, "  ", settings=settings)
    with pytest.raises(UsageError, match="if and only if the ruling is 'wrong record'"):
        api.decide(reference, Ruling.WRONG_RECORD, "x", settings=settings)
    with pytest.raises(UsageError, match="if and only if"):
        api.decide(reference, Ruling.KNOWN_GOOD, "x", record=("a", "b"), settings=settings)
    kept = api.decide(reference, Ruling.KNOWN_GOOD, " read ", settings=settings)
    assert kept.about == "Roe, Li, Hu et al. 1999. On the reading of references"
    assert list(api.decisions(settings)) == [kept]
    api.undecide(kept, settings=settings)
    assert len(api.decisions(settings)) == 0


def test_a_baseline_counts_new_findings_only(report: Path, refs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capsys, refs, "--baseline", str(report))
    assert (code, err) == (0, "citeaudit: 2 findings of the baseline report.json not counted; 0 new findings\n")
    refs.write_text(LATE + INVENTED.replace("Nobody, Nora", "Nowhere, Ned"), encoding="utf-8")
    code, _, err = told(capsys, refs, "--baseline", str(report))
    assert code == 1
    assert "1 finding of the baseline report.json not counted; 1 new finding; 1 went away: nobody (" in err
    refs.write_text(LATE.replace("Shannon, C. E.", "Shannon, C. E. and Nobody, Nora"), encoding="utf-8")
    assert told(capsys, refs, "--baseline", str(report))[0] == 1
    refs.write_text(LATE.replace("1958", "1948"), encoding="utf-8")
    code, _, err = told(capsys, refs, "--baseline", str(report))
    assert code == 0
    assert "0 new findings; 2 went away" in err


def test_every_report_for_people_tells_of_the_baseline(
    report: Path, refs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for form in ("table", "html", "markdown", "json"):
        capsys.readouterr()
        assert main(["check", str(refs), *CHECK, "--format", form, "--baseline", str(report)]) == 0
        assert "2 findings of the baseline report.json not counted" in capsys.readouterr().out.replace("\\", ""), form


def test_a_baseline_that_is_none_stops_before_anything_is_asked(
    refs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, sentence in (("", "is no JSON report"), ('{"schema_version": "9.0"}', "version '9.0'")):
        path = tmp_path / "baseline.json"
        path.write_text(text)
        assert main(["check", str(refs), "--offline", "--baseline", str(path)]) == 3
        out, err = capsys.readouterr()
        assert out == ""
        assert sentence in err
        assert len(err.splitlines()) == 1
    assert main(["check", str(refs), "--offline", "--baseline", str(tmp_path / "none")]) == 3


def test_a_baseline_hides_no_outage_and_no_unreadable_document(
    report: Path, refs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(refs), "none.bib", *CHECK, "--baseline", str(report)]) == 4


def test_the_authors_remark_settles_for_authors_and_not_for_editors(
    refs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refs.write_text(f"{LATE}% citeaudit: ok my own preprint\n{INVENTED}", encoding="utf-8")
    assert told(capsys, refs, "--fail-on", "NOT_FOUND")[0] == 0
    for preset in ("editor", "neurips-2026", "arxiv"):
        capsys.readouterr()
        main(["check", str(refs), "--offline", "--preset", preset, "--quiet", "--format", "json"])
        row = json.loads(capsys.readouterr().out)["references"][1]
        assert (row["remark"], row["decision"]) == ("my own preprint", None)
        assert row["verdict"]["reasons"][-1]["code"] == "author_remark"
    refs.write_text(f"{LATE}% citeaudit: ok\n{INVENTED}", encoding="utf-8")
    capsys.readouterr()
    assert main(["check", str(refs), *CHECK, "--fail-on", "NOT_FOUND"]) == 1
    assert "the comment on line 5 gives no reason and has no effect" in capsys.readouterr().out


RETRACTED = """\
@article{ren, author = {Ren, Yongqiang and Stein, Derek}, year = {2011},
  title = {Coulomb forces on DNA polymers in charged fluidic nanoslits}, journal = {Physical Review Letters}}
@article{right, author = {Shannon, C. E.}, title = {A Mathematical Theory of Communication}, year = {1948}}
@article{late, author = {Shannon, C. E.}, title = {A Mathematical Theory of Communication}, year = {1958}}
"""


def test_a_decision_that_changes_nothing_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, path = tmp_path / "r.bib", tmp_path / "r.json"
    file.write_text(RETRACTED, encoding="utf-8")
    assert main(["check", str(file), *CHECK, "-o", str(path)]) == 1
    for ruling in ("known good", "not checkable", "bad reading"):
        capsys.readouterr()
        assert decide(path, "right", "--ruling", ruling, "--reason", "read in print") == 0
        err = capsys.readouterr().err
        assert err == f"citeaudit: the reference is VERIFIED, so '{ruling}' has no effect while it is\n"
    decide(path, "ren", "--ruling", "known good", "--reason", "read in print")
    assert capsys.readouterr().err.splitlines()[-1] == (
        "citeaudit: the reference is flagged retracted; a decision has no effect on that, and it is reported as before"
    )
    decide(path, "late", "--ruling", "known good", "--reason", "read in print")
    decide(path, "ren", "--ruling", "wrong record", "--reason", "another")
    decide(file, "right", "--ruling", "known good", "--reason", "read in print")
    assert "has no effect" not in capsys.readouterr().err


def test_new_findings_are_marked_and_what_was_not_judged_is_kept(
    report: Path, refs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refs.write_text(LATE.replace("1958", "1963") + INVENTED, encoding="utf-8")
    capsys.readouterr()
    assert main(["check", str(refs), *CHECK, "--format", "json", "--baseline", str(report)]) == 1
    out, err = capsys.readouterr()
    assert {row["label"]: row["new"] for row in json.loads(out)["references"]} == {"shannon": True, "nobody": False}
    assert "1 went away: shannon" in err
    refs.write_bytes(b"")
    assert main(["check", str(refs), *CHECK, "--baseline", str(report)]) == 4
    err = capsys.readouterr().err
    assert "2 not judged this time, and kept: shannon (A Mathematical Theory of Communication), nobody (" in err
    assert "went away" not in err


def test_a_document_of_readings_that_a_person_calls_bad_is_read(refs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refs.write_text(INVENTED, encoding="utf-8")
    decide(refs, "nobody", "--ruling", "bad reading", "--reason", "two entries in one")
    assert told(capsys, refs) == (0, {"nobody": "UNPARSED"}, "")
    assert told(capsys, refs, "--fail-on", "UNPARSED")[0] == 0
