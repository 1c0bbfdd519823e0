"""`citeaudit index` as a user meets it: real runs on small invented records."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

import pytest

from citeaudit import registry
from citeaudit.cli import holdings, indexing
from citeaudit.cli.forms import WHAT
from citeaudit.cli.main import main
from citeaudit.index.building.filling import Progress
from citeaudit.index.building.running import BuildReport
from citeaudit.index.building.signals import Interrupted
from citeaudit.index.manifest import Counts, Covered, SourceInfo, read, write

MEETING = "Proceedings of the {}th Conference on Lunar Farming"
CROPS = ("Tomatoes", "Barley", "Cabbage", "Lentils", "Pumpkins", "Spinach")
ROWS: list[dict[str, object]] = [
    {
        "title": "Growing Tomatoes on the Moon: A Feasibility Study",
        "authors": [{"family": "Alder", "given": "Ruth"}, {"family": "Van der Berg", "given": "Piet"}],
        "year": 2011,
        "venue": "Journal of Lunar Farming",
        "volume": "4",
        "pages": "11-29",
        "doi": "10.5555/moon.1",
        "src": "farm",
    },
    {
        "title": "Growing tomatoes on the moon: a feasibility study",
        "authors": [{"family": "Alder", "given": "R."}, {"family": "Berg", "given": "P. van der"}],
        "year": 2010,
        "arxiv_id": "1001.0001",
    },
    {
        "title": "RETRACTED: Cheese as a Building Material",
        "authors": [{"family": name} for name in ("Gum", "Holm", "Ivy", "Jute", "Kelp")],
        "year": 2005,
        "doi": "10.5555/cheese",
        "pmid": "12345",
        "src": "farm",
    },
]


def crops(year: int) -> list[dict[str, object]]:
    """Give six papers of the meeting of a year, without its name."""
    return [
        {
            "title": f"On Sowing {crop} in the {year - 2000}th Lunar Spring",
            "authors": [{"family": "Elm", "given": "Mary"}],
            "year": year,
        }
        for crop in CROPS
    ]


def dblp(years: Iterable[int]) -> str:
    """Give a dump in dblp's form: proceedings, and their papers one after the other from page 1."""
    text = ['<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n']
    for year in years:
        key = f"conf/lf/{year}"
        text.append(
            f'<proceedings key="{key}" mdate="2026-05-01"><editor>Ola Birch</editor>'
            f"<title>{MEETING.format(year - 2000)}</title><booktitle>LF</booktitle><year>{year}</year></proceedings>\n"
        )
        for number, row in enumerate(crops(year)):
            pages = f"{10 * number + 1}-{10 * number + 10}"
            text.append(
                f'<inproceedings key="{key}p{number}" mdate="2026-05-01"><author>Mary Elm</author>'
                f"<title>{row['title']}.</title><pages>{pages}</pages><year>{year}</year><booktitle>LF</booktitle>"
                f"<crossref>{key}</crossref><url>db/conf/lf/lf{year}.html#p{number}</url></inproceedings>\n"
            )
    return "".join([*text, "</dblp>\n"])


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEAUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def put(name: str, rows: list[dict[str, object]], more: str = "") -> str:
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    Path(name).write_text(text + more, encoding="utf-8")
    return name


Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str, code: int = 0) -> str:
        assert main(["index", *arguments]) == code
        return capsys.readouterr().out

    return call


def test_a_named_index_lies_in_the_data_directory_and_is_found_by_its_name(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "no index in" in run("list")
    put("rows.jsonl", ROWS, "broken\n")
    assert main(["index", "build", "rows.jsonl", "--name", "moon", "--dump-date", "2026-05-01"]) == 0
    out, err = capsys.readouterr()
    assert "moon: 3 records, 1 left out\n" in out
    assert "rows.jsonl: line 4: not JSON" in out
    assert "checking files: 3 records" in err
    assert (tmp_path / "data" / "indexes" / "moon" / "index.json").is_file()
    assert run("list").startswith("moon: 3 records from jsonl, built ")
    shown = run("info", "moon", "--years")
    assert "2 from farm (dump of 2026-05-01, last year 2011)" in shown
    assert "1 from no named collection" in shown
    assert "authors 100%" in shown
    assert "years 2005 to 2011; 0 records without a year\n    2005: 1\n    2010: 1\n" in shown
    assert "no coverage statement: what it lacks may exist all the same" in shown
    assert main(["index", "build", "rows.jsonl", "--out", "other", "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_an_update_and_a_merge_say_what_they_did(run: Run, tmp_path: Path) -> None:
    run("build", put("rows.jsonl", ROWS), "--out", "moon")
    more = [{**ROWS[0], "year": 2012}, {**ROWS[0], "title": "A Rover that Waters Plants", "doi": "10.5555/rover"}]
    said = run("update", "moon", put("more.jsonl", more), "--min-year", "2000")
    assert f"{tmp_path / 'moon'}: 2 records read, 1 of them replaces an older one; the index now has 4\n" in said
    assert "4 records in 2 parts" in run("info", "moon")
    assert "both: 4 records" in run("merge", "moon", "--out", "both", "--name", "fields")
    shown = run("info", "both")
    assert shown.startswith("fields: built ")
    assert "4 records, " in shown
    assert "both: 2 records, 1 too old\n" in run("build", "rows.jsonl", "--out", "both", "--min-year", "2010")


def test_an_update_adds_what_it_cannot_recognise_again(run: Run) -> None:
    rows = put("rows.jsonl", [{"title": "A Rover that Waters Plants"}, ROWS[0]], "broken\n")
    run("build", rows, "--out", "moon")
    said = run("update", "moon", rows)
    assert "2 records read, 1 of them replaces an older one, 1 left out; the index now has 3\n" in said


def test_a_merge_names_its_folder_as_the_user_names_an_index(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "data" / "indexes"
    for name in ("moon", "sun"):
        run("build", put("rows.jsonl", ROWS), "--name", name)
    assert f"{kept / 'both'}: 3 records, 0 left out, 3 held twice\n" in run("merge", "moon", "sun", "--name", "both")
    run("update", "moon", "rows.jsonl")
    assert f"{kept / 'moon'}: 3 records, 0 left out\n" in run("merge", "moon", "--out", "moon")
    assert "in 2 parts" not in run("info", "moon")
    run("merge", "sun", "--out", "beside")
    assert Path("beside/index.json").is_file()


def test_the_data_directory_of_a_settings_file_is_used(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CITEAUDIT_DATA_DIR")
    mine = tmp_path / "mine"
    Path("mine.toml").write_text(f'data_dir = "{mine}"\n', encoding="utf-8")
    config = ("--config", "mine.toml")
    assert f"{mine / 'indexes' / 'moon'}: 3 records" in run("build", put("rows.jsonl", ROWS), "--name", "moon", *config)
    assert "of them replace older ones" in run("update", "moon", "rows.jsonl", *config)
    assert f"{mine / 'indexes' / 'moon'}: 3 records" in run("merge", "moon", "--name", "moon", *config)
    for command in ("info", "verify"):
        assert "moon: " in run(command, "moon", *config)
    assert run("list", *config).startswith("moon: 3 records")
    assert "Cheese" in run("search", "moon", "--doi", "10.5555/cheese", *config)
    run("cover", "moon", "--against", "gone", *config, code=3)


def test_the_index_that_ships_is_shown_and_searched(run: Run) -> None:
    assert run("info", "starter").startswith("starter: ships with the program, compiled ")
    assert "Attention Is All You Need\n" in run("search", "starter", "attention is all you need")


def test_an_unreadable_data_directory_is_told(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no index in" in run("list")
    Path("data").mkdir()
    Path("data/indexes").write_text("", encoding="utf-8")
    assert main(["index", "list"]) == 3
    assert "indexes: cannot be read (Not a directory); check the setting data_dir" in capsys.readouterr().err


@pytest.mark.parametrize("left", ["building", "parts", "writer.lock"])
def test_a_folder_without_a_finished_index_is_told(left: str, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path("data/indexes/begun", left).mkdir(parents=True)
    for index in ("begun", "data/indexes/begun"):
        assert main(["index", "info", index]) == 3
        assert f"{index}: no index was finished here; run the build again" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"", b"<!doctype html><html>No</html>", b"\x1f\x8b\x08\x00"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_dump_that_cannot_be_read_is_four(content: bytes | None, jobs: str, run: Run) -> None:
    if content is not None:
        Path("dump.jsonl").write_bytes(content)
    run("build", "dump.jsonl", "--out", "x", "--jobs", jobs, "-q", code=4)


def test_many_collections_are_shown_in_short_and_misdated_years_are_set_apart(run: Run) -> None:
    rows: list[dict[str, object]] = [
        {"title": f"Moon Crop {number}", "src": f"farm {number}", "year": 2094 if number else 2001}
        for number in range(12)
    ]
    run("build", put("rows.jsonl", [*rows, {**rows[3], "title": "Moon Crop of old", "year": 2002}]), "--out", "moon")
    shown = run("info", "moon")
    assert "  2 from farm 3\n" in shown
    assert shown.count(" from farm") == 10
    assert "  2 from 2 more\n" in shown
    assert "  years 2001 to 2002; 0 records without a year, 11 with a later one\n" in shown


def test_an_estimate_writes_nothing(run: Run) -> None:
    put("rows.jsonl", ROWS, "broken\n")
    said = run("build", "rows.jsonl", "--out", "moon", "--dry-run", "--jobs", "1")
    assert said.startswith("moon: 1 file, ")
    assert "about 3 records" in said
    assert "with 1 process" in said
    assert "25.0% of the records looked at cannot be read" in said
    assert not Path("moon").exists()


def test_verify_gives_one_where_a_file_was_changed(run: Run) -> None:
    run("build", put("rows.jsonl", ROWS), "--out", "moon")
    assert run("verify", "moon", "--quiet").startswith("moon: sound; ")
    (data,) = Path("moon").glob("parts/*/works.db")
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 0xFF
    data.write_bytes(content)
    said = run("verify", "moon", code=1)
    assert said.startswith("moon: not sound; ")
    assert "its content was changed" in said
    assert "build it again with" in said
    Path("moon/index.json").write_text("{}", encoding="utf-8")
    assert "index.json is damaged" in run("verify", "moon", code=1)


def test_search_shows_versions_and_notices(run: Run) -> None:
    run("build", put("rows.jsonl", ROWS), "--name", "moon")
    said = run("search", "moon", "growing tomatos on the moon, a feasability study")
    assert "Growing Tomatoes on the Moon: A Feasibility Study\n      Ruth Alder, Piet Van der Berg\n" in said
    assert (
        "      Journal of Lunar Farming, 2011, 10.5555/moon.1, 1001.0001\n      also: preprint, 2010, 1001.0001\n"
        in said
    )
    for question in (("--doi", "https://doi.org/10.5555/CHEESE"), ("--pmid", "12345")):
        said = run("search", "moon", *question)
        assert said.startswith("1.00  Cheese as a Building Material\n      Gum, Holm, Ivy and 2 more\n")
        assert said.endswith("      retraction\n")
    reference = (
        "Alder, R., van der Berg, P. Growing tomatoes on the moon: a feasibility study. J. Lunar Farm. 4 (2011)."
    )
    score, _, title = run("search", "moon", reference).partition("\n")[0].partition("  ")
    assert (float(score) > 0.85, title.lower()) == (True, "growing tomatoes on the moon: a feasibility study")
    assert "nothing in moon is like it" in run("search", "moon", "Zebras, northern Zodiac")
    (found,) = json.loads(run("search", "moon", "--arxiv", "1001.0001v2", "--format", "json"))
    assert found["score"] == 1.0
    assert found["is_notice_about"] == []
    assert found["work"]["identifiers"]["arxiv_id"] == "1001.0001"


def test_search_says_what_a_notice_is_about(run: Run) -> None:
    columns = (
        "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,"
        "RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,"
        "Reason,Paywalled,Notes"
    )
    row = (
        "1,Cheese as a Building Material,,,Lunar Letters,,,Ann Gum,,Research Article;,3/1/2007 0:00,10.5555/notice,0,"
        "2/1/2005 0:00,10.5555/cheese,0,Retraction,+Error in Data;,No,"
    )
    Path("watch.csv").write_text(f"{columns}\n{row}\n", encoding="utf-8")
    run("build", "watch.csv", "--format", "retraction-watch", "--name", "watch")
    assert "      retraction (10.5555/notice, 2007)\n" in run("search", "watch", "--doi", "10.5555/cheese")

    item = {
        "DOI": "10.5555/notice",
        "title": ["Retraction: Cheese as a Building Material"],
        "type": "journal-article",
        "author": [{"family": "Gum", "given": "Ann", "sequence": "first"}],
        "issued": {"date-parts": [[2007]]},
        "update-to": [{"DOI": "10.5555/cheese", "type": "retraction", "updated": {"date-parts": [[2007, 3, 1]]}}],
    }
    Path("crossref.jsonl").write_text(json.dumps(item) + "\n", encoding="utf-8")
    run("build", "crossref.jsonl", "--format", "crossref", "--name", "registry")
    assert "      is a retraction of 10.5555/cheese\n" in run("search", "registry", "--doi", "10.5555/notice")


def test_tables_of_contents_are_shown_and_compared(run: Run) -> None:
    Path("dblp.xml").write_text(dblp((2018, 2019, 2020)), encoding="latin-1")
    run("build", "dblp.xml", "--format", "dblp", "--name", "dblp")
    shown = run("info", "dblp", "--venue", MEETING.format(19))
    assert "tables of contents: 3 venues in a year held whole, which may be cited by 6 full names\n" in shown
    assert "2019: 6 of 6 listed, complete" in shown
    assert "newest record 2026-05-01" in shown
    assert "no table of contents" not in shown
    assert "2018: 6 held, no table of contents known" in run("info", "dblp", "--venue", "LF")
    assert "fewer than five works" in run("info", "dblp", "--venue", "Journal of Nothing")

    rows = [row for year in (2018, 2019) for row in crops(year)] + crops(2020)[1:]
    run("build", put("rows.jsonl", rows), "--name", "mine")
    said = run("cover", "mine", "--against", "dblp", "-q")
    assert "2 of 3 venues and years that " in said
    assert " 100.0%  6 of 6  2018  18th Conference on Lunar Farming (LF)\n" in said
    assert "  83.3%  5 of 6  2020  20th Conference on Lunar Farming (LF)\n" in said
    shown = run("info", "mine", "--venue", "18th Conference on Lunar Farming")
    assert "was compared with the tables of contents of dblp: 4 full names of venues in a year are complete\n" in shown
    assert "    2018: 6 of 6 listed, complete\n" in shown
    run("update", "mine", put("last.jsonl", crops(2020)[:1]))
    assert "was changed since; compare it again" in run("info", "mine")
    assert "3 of 3 venues and years" in run("cover", "mine", "--against", "dblp")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["build", "rows.jsonl"], "say where the index is to lie: --out DIR, or --name NAME", id="nowhere"),
        pytest.param(["build", "rows.jsonl", "--name", "../up"], "--name ../up: only letters, digits", id="name"),
        pytest.param(
            ["build", "rows.jsonl", "--out", "x", "--dump-date", "May"], "May: is no date; write it", id="date"
        ),
        pytest.param(
            ["build", "rows.jsonl", "--out", "x", "--dump-date", "9999-12-31"], "lies in the future", id="date-ahead"
        ),
        pytest.param(
            ["build", "rows.jsonl", "--out", "x", "--format", "nope"], "unknown format 'nope'; known: acl", id="form"
        ),
        pytest.param(
            ["build", "rows.jsonl", "--out", "x", "--min-year", "3000"],
            "--min-year 3000: give a year from 1 to 2",
            id="year-ahead",
        ),
        pytest.param(
            ["update", "moon", "rows.jsonl", "--min-year", "abc"],
            "; see citeaudit index update --help",
            id="no-year",
        ),
        pytest.param(
            ["build", "rows.jsonl", "--out", "x", "--jobs", "0"],
            "--jobs 0: give a number of processes from 1 to 256; see citeaudit index build --help",
            id="jobs",
        ),
        pytest.param(["build"], "'FILE...'; see citeaudit index build --help", id="no-file"),
        pytest.param(["merge", "moon"], "--name NAME for the data directory, or --out with one", id="merge-nowhere"),
        pytest.param(["update", "gone", "rows.jsonl"], "gone: no such folder, and no index of that name", id="update"),
        pytest.param(["merge", "gone", "--out", "x"], "gone: no such folder", id="merge"),
        pytest.param(["verify", "gone"], "gone: no such folder", id="verify"),
        pytest.param(["info", "."], "is no index (index.json is missing)", id="no-index"),
        pytest.param(["info", "old"], "was built by another version of citeaudit; build it again with", id="version"),
        pytest.param(["search", "moon"], "ask one question: TEXT, --doi, --arxiv or --pmid", id="no-question"),
        pytest.param(["search", "moon", "x", "--doi", "10.5/x"], "ask one question", id="two-questions"),
        pytest.param(["search", "moon", "--doi", "x"], "x: is no doi", id="no-doi"),
        pytest.param(["search", "moon", "?!"], "no letters or digits", id="no-letters"),
        pytest.param(
            ["search", "moon", "x", "--format", "xml"], "unknown format 'xml'; known: table, json", id="search-form"
        ),
        pytest.param(["cover", "moon", "--against", "moon"], "cannot be compared with itself", id="cover"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_three(
    arguments: list[str], said: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run("build", put("rows.jsonl", ROWS), "--out", "moon", "-q")
    Path("old").mkdir()
    Path("old/index.json").write_text('{"schema_version": 1, "normaliser_version": 1}', encoding="utf-8")
    run(*arguments, code=3)
    err = capsys.readouterr().err
    del err
    assert main(["index", *arguments]) == 3
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("citeaudit: ")
    assert said in told


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        pytest.param(lambda file: file.write_text("{", encoding="utf-8"), "index.json is damaged", id="half"),
        pytest.param(Path.unlink, "index.json cannot be read", id="gone"),
    ],
)
def test_a_damaged_index_is_listed_and_a_check_says_what_to_run(
    run: Run, capsys: pytest.CaptureFixture[str], harm: Callable[[Path], object], said: str
) -> None:
    for name in ("moon", "sun"):
        run("build", put("rows.jsonl", ROWS), "--name", name)
    harm(Path("data/indexes/moon/index.json"))
    Path("data/indexes/begun/parts").mkdir(parents=True)
    Path("data/indexes/empty").mkdir()
    assert said in run("list", code=1)
    put("refs.bib", [], "@book{a, title = {A Lexicon of Marble Penguins}, author = {Zyx, Q.}, year = {2001}}\n")
    assert main(["check", "refs.bib", "--offline", "--assume-complete", "-q", "--format", "json"]) == 2
    out, err = capsys.readouterr()
    assert '"UNDECIDED"' in out
    assert "undecided because moon failed; " in err
    assert said in err
    assert "build it again with: citeaudit index build" in err
    assert "connection" not in err


def test_written_coverage_is_shown(run: Run) -> None:
    run("build", put("rows.jsonl", ROWS), "--out", "moon")
    lines = (
        {"container_title": "Lunar Letters", "from": 1990, "to": 2025, "complete": True},
        {"types": ["book"], "from": 2000, "to": 2025},
    )
    covered = tuple(Covered.model_validate(line) for line in lines)
    write(Path("moon"), read(Path("moon")).model_copy(update={"coverage": covered}))
    shown = run("info", "moon")
    assert "covers every work of Lunar Letters, 1990 to 2025\n  covers book, 2000 to 2025\n" in shown


def test_formats_are_listed_with_a_line_each(run: Run) -> None:
    said = run("formats")
    assert "crossref: Crossref's public data file and snapshots (.json, .jsonl, .ndjson)\n" in said
    assert set(registry.names("dump")) == set(WHAT)
    assert "a ZIP only for acl" in said
    assert "`" not in said
    assert all(": " in line for line in said.splitlines())


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        ({}, "the records carry no date: how far the index reaches is not known"),
        (
            {"a": SourceInfo(records=1, dump_date=date(2026, 11, 29))},
            "dump of 2026-11-29, 1 day ago; works of 2026 may be missing",
        ),
        (
            {"a": SourceInfo(records=1, updated=date(2024, 11, 30)), "b": SourceInfo(records=1)},
            "newest record 2024-11-30, 730 days ago; works of 2024 and later may be missing",
        ),
        (
            {"a": SourceInfo(records=1, updated=date(2026, 11, 30))},
            "newest record 2026-11-30, today; works of 2026 may be missing",
        ),
    ],
    ids=["unknown", "dump", "one-undated", "today"],
)
def test_staleness_is_one_line(sources: dict[str, SourceInfo], said: str) -> None:
    assert holdings.staleness(Counts(sources=sources), date(2026, 11, 30)) == said


def test_an_interrupted_build_says_that_the_same_command_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    def stop(tell: object) -> None:
        del tell
        raise KeyboardInterrupt

    assert indexing._run(Path("moon"), indexing.Wanted(), stop) == 130  # type: ignore[arg-type]
    assert "moon: interrupted; the index is as it was, and the same command goes on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (1, "and the same command goes on after 1 record"),
        (1_200, "and the same command goes on after 1,200 records"),
        (0, "and nothing is kept to go on from"),
    ],
)
def test_an_interrupted_build_says_how_much_is_kept(capsys: pytest.CaptureFixture[str], kept: int, said: str) -> None:
    def stop(tell: object) -> None:
        del tell
        raise Interrupted(kept)

    assert indexing._run(Path("moon"), indexing.Wanted(), stop) == 130  # type: ignore[arg-type]
    assert capsys.readouterr().err.endswith(f"moon: interrupted; the index is as it was, {said}\n")


def test_progress_is_a_line_a_phase_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with indexing.telling(quiet=False) as tell:
        assert tell is not None
        for records in (1, 2, 3):
            tell(Progress("reading records", records, 0.0, 10, 0, None))
        tell(Progress("checking files", 3, 21_000.0, 0, 10, 5.0))
        tell(Progress("checking files", 3, 21_000.0, 10, 10, 0.0))
    assert capsys.readouterr().err.splitlines() == [
        "reading records: 1 record",
        "checking files: 3 records, 0 %, about 5 s left",
        "checking files: 3 records, 100 %",
    ]


def test_progress_moves_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    with indexing.telling(quiet=False) as tell:
        assert tell is not None
        tell(Progress("reading records", 120_000, 21_000.0, 34, 100, 200.0))
    with indexing.telling(quiet=True) as tell:
        assert tell is None


def test_nothing_moves_after_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def work(tell: Callable[[Progress], None] | None) -> BuildReport:
        assert tell is not None
        tell(Progress("checking files", 3, 0.0, 10, 10, None))
        return BuildReport(name="moon", records=3, added=3, malformed=0, seconds=1.0, size_bytes=10)

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    assert indexing._run(Path("moon"), indexing.Wanted(), work) == 0
    assert terminal.getvalue().endswith("moon: 3 records, 0 left out\n  10 bytes, 1 s\n")
