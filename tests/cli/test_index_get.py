"""`citeaudit index get`: says what it fetches, fetches it, and says what to do next or what stood in the way."""

from __future__ import annotations

import gzip
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeaudit.cli import getting
from citeaudit.cli.main import main
from citeaudit.index.catalogue import load
from citeaudit.net import retry
from citeaudit.net.shelf import Progress
from tests.services.depot import MODIFIED, PAGE, Depot, Mishap, depot

DBLP = b"""<?xml version="1.0" encoding="US-ASCII"?>
<!DOCTYPE dblp SYSTEM "dblp.dtd">
<dblp>
<article mdate="2026-01-01" key="journals/dusk/Fernwhistle99">
<author>Ottoline Fernwhistle</author><title>Counting lanterns at dusk.</title>
<pages>1-9</pages><year>1999</year><volume>3</volume><journal>Annals of Dusk</journal>
<ee>https://doi.org/10.5555/lantern</ee>
</article>
</dblp>
"""


@pytest.fixture
def shop() -> Iterator[Depot]:
    with depot() as kept:
        body = gzip.compress(DBLP, mtime=0)
        kept.put("/dblp.xml.gz", body, modified=MODIFIED)
        kept.put_digest("/dblp.xml.gz", body)
        yield kept


@pytest.fixture(autouse=True)
def _no_long_waits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT_S", 0.01)
    monkeypatch.setenv("CITEAUDIT_DATA_DIR", str(tmp_path / "data"))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["index", "get", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_without_a_name_all_dumps_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys)
    assert code == 0
    assert [line.partition(" ")[0] for line in out.splitlines()[:-1]] == list(load())


def test_dump_is_fetched_and_the_next_command_told(
    capsys: pytest.CaptureFixture[str], shop: Depot, tmp_path: Path
) -> None:
    code, out, err = run(capsys, "dblp", "--from", shop.url)
    folder = tmp_path / "data" / "dumps" / "dblp"
    assert code == 0
    assert gzip.decompress((folder / "dblp.xml.gz").read_bytes()) == DBLP
    assert "licence: CC0" in out
    assert f"from: {shop.url}" in out
    assert "1 file fetched, 0 here already" in out
    built = tmp_path / "data" / "indexes" / "dblp"
    command = f"citeaudit index build --format dblp {folder / 'dblp.xml.gz'} --out {built} --dump-date 2026-02-02"
    assert out.splitlines()[-1].strip() == command
    assert "1 of 1 files" in err
    code, out, _ = run(capsys, "dblp", "--from", shop.url)
    assert "0 files fetched, 1 here already" in out


def test_path_with_spaces_is_quoted_in_the_command(
    capsys: pytest.CaptureFixture[str], shop: Depot, tmp_path: Path
) -> None:
    _, out, err = run(capsys, "dblp", "--from", shop.url, "--to", str(tmp_path / "my dumps"), "--quiet")
    assert f"'{tmp_path / 'my dumps' / 'dblp.xml.gz'}'" in out
    assert not err


def test_index_is_built_when_that_is_asked_for(capsys: pytest.CaptureFixture[str], shop: Depot, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "dblp", "--from", shop.url, "--build", "--quiet")
    assert code == 0
    assert "1 record" in out
    assert (tmp_path / "data" / "indexes" / "dblp" / "index.json").is_file()


def test_dry_run_fetches_nothing(capsys: pytest.CaptureFixture[str], shop: Depot, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "dblp", "--from", shop.url, "--dry-run")
    assert code == 0
    assert "files: 1 (0 here already), about 1.1 GB" in out
    assert not shop.asked
    assert not (tmp_path / "data").exists()


def test_dry_run_reads_the_list(capsys: pytest.CaptureFixture[str], shop: Depot, tmp_path: Path) -> None:
    entry = {"url": "s3://openalex/data/jsonl/works/a.gz", "meta": {"content_length": 5_000_000, "record_count": 7}}
    shop.put("/data/jsonl/works/manifest.json", json.dumps({"files": [entry, entry | {}]}).encode())
    code, out, _ = run(capsys, "openalex", "--from", shop.url, "--dry-run")
    assert code == 0
    assert "files: 2 (0 here already), 10 MB, 14 records" in out


@pytest.mark.parametrize("name", ["crossref", "arxiv", "datacite"])
def test_what_a_person_must_fetch_is_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    code, out, _ = run(capsys, name, "--to", str(tmp_path))
    assert code == 3
    assert f"{name} cannot be fetched by a program:" in out
    assert f"citeaudit index build --format {name} {tmp_path} --out" in out
    assert run(capsys, name, "--dry-run")[0] == 0


def test_large_dump_is_not_fetched_without_a_word(capsys: pytest.CaptureFixture[str], shop: Depot) -> None:
    code, _, err = run(capsys, "openalex", "--from", shop.url)
    assert code == 3
    assert "about 670 GB would be fetched; add --yes" in err
    assert not shop.asked


class Terminal(io.StringIO):
    """Standard input with a person at it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "code"), [("y\n", 2), ("n\n", 3), ("", 3)], ids=["yes", "no", "nothing"])
def test_person_at_a_terminal_is_asked(
    capsys: pytest.CaptureFixture[str], shop: Depot, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    got, _, err = run(capsys, "openalex", "--from", shop.url)
    assert got == code
    assert "Fetch about 670 GB? [y/N] " in err
    assert bool(shop.asked) is (code == 2)


class Screen(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_is_one_line_that_moves(shop: Depot, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    assert main(["index", "get", "dblp", "--from", shop.url]) == 0
    assert screen.getvalue().startswith("\r\x1b[K0 of 1 files, ")
    assert screen.getvalue().count("\n") == 1
    assert screen.getvalue().endswith("\n")


def test_what_went_wrong_stands_on_a_line_of_its_own(shop: Depot, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    shop.put("/dblp.xml.gz", b"\x1f\x8b" + bytes(200_000))
    shop.put_digest("/dblp.xml.gz", b"another")
    assert main(["index", "get", "dblp", "--from", shop.url]) == 2
    assert "\nciteaudit: dblp: " in screen.getvalue()


@pytest.mark.parametrize(
    ("mishaps", "told"),
    [
        pytest.param([Mishap(503)] * 5, "server error", id="outage"),
        pytest.param([Mishap(429, headers=(("Retry-After", "3000"),))], "wait for 3,000 s", id="limit"),
        pytest.param([Mishap(cut=40)] * 5, "connection failed", id="cut"),
    ],
)
def test_outage_is_two_and_says_to_run_again(
    capsys: pytest.CaptureFixture[str], shop: Depot, mishaps: list[Mishap], told: str
) -> None:
    shop.mishaps["/dblp.xml.gz"] = list(mishaps)
    code, _, err = run(capsys, "dblp", "--from", shop.url, "--quiet")
    assert code == 2
    assert told in err
    assert err.endswith("what has arrived is kept: run the same command again to go on\n")
    assert len(err.splitlines()) == 1


def test_page_in_place_of_a_dump_is_told_with_where_to_look(capsys: pytest.CaptureFixture[str], shop: Depot) -> None:
    shop.put("/dblp.xml.gz", PAGE, media_type="text/html")
    code, _, err = run(capsys, "dblp", "--from", shop.url, "--quiet")
    assert code == 2
    assert "dblp.xml.gz: a web page came in its place" in err
    assert "nothing was replaced: see https://dblp.org/" in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(["dplb"], "unknown dump 'dplb'; known: dblp", id="unknown"),
        pytest.param(["dblp", "--from", "ftp://example.org"], "--from: the address begins with neither", id="ftp"),
        pytest.param(["dblp", "--from", "http://"], "--from: the address names no host", id="no-host"),
        pytest.param(["s2", "--yes"], "needs a key", id="no-key"),
    ],
)
def test_call_that_cannot_be_carried_out_is_three(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 3
    assert told in err


def test_offline_settings_hold(
    capsys: pytest.CaptureFixture[str], shop: Depot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEAUDIT_OFFLINE", "true")
    code, _, err = run(capsys, "dblp", "--from", shop.url)
    assert code == 3
    assert "the settings are offline" in err
    assert not shop.asked


def test_key_of_the_settings_is_sent_and_shown_nowhere(
    capsys: pytest.CaptureFixture[str], shop: Depot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEAUDIT_SOURCES__SEMANTIC_SCHOLAR__API_KEY", "s3cret-key")
    shop.mishaps["/release/latest"] = [Mishap(403, b"s3cret-key") for _ in range(3)]
    code, out, err = run(capsys, "s2", "--from", shop.url, "--yes")
    assert code == 2
    assert shop.asked[0].headers["x-api-key"] == "s3cret-key"
    assert "s3cret" not in out + err


def test_files_that_are_published_no_more_are_named(
    capsys: pytest.CaptureFixture[str], shop: Depot, tmp_path: Path
) -> None:
    for year in (25, 26):
        page = "".join(f'<a href="pubmed{year}n{number:04}.xml.gz">x</a>' for number in (1, 2, 3, 4, 5))
        for folder in ("baseline", "updatefiles"):
            shop.put(f"/{folder}/", page.encode(), media_type="text/html")
            for number in (1, 2, 3, 4, 5):
                shop.put(f"/{folder}/pubmed{year}n{number:04}.xml.gz", gzip.compress(b"x"))
                shop.put_digest(f"/{folder}/pubmed{year}n{number:04}.xml.gz", gzip.compress(b"x"))
        code, out, _ = run(capsys, "pubmed", "--from", shop.url, "--yes", "--quiet", "--to", str(tmp_path))
        assert code == 0
    assert "no longer published, but still there: 10 files (baseline/pubmed25n0001.xml.gz, " in out


def test_build_leaves_out_what_is_published_no_more(
    capsys: pytest.CaptureFixture[str], shop: Depot, tmp_path: Path
) -> None:
    for names in (["a.gz", "b.gz"], ["b.gz"]):
        entries = []
        for name in names:
            work: dict[str, object] = {
                "id": f"https://openalex.org/W{ord(name[0])}",
                "title": f"Lanterns counted in {name}",
            }
            work |= {"publication_year": 1999, "type": "article", "authorships": [], "language": "en"}
            body = gzip.compress(json.dumps(work).encode(), mtime=0)
            shop.put(f"/data/jsonl/works/{name}", body)
            url = f"s3://openalex/data/jsonl/works/{name}"
            entries.append({"url": url, "meta": {"content_length": len(body), "record_count": 1}})
        shop.put("/data/jsonl/works/manifest.json", json.dumps({"files": entries}).encode())
        code, out, _ = run(capsys, "openalex", "--from", shop.url, "--yes", "--quiet", "--build")
        assert code == 0
    assert "no longer published, but still there: 1 file (a.gz);" in out
    assert "indexes/openalex: 1 record" in out


def test_interrupted_run_says_how_to_go_on(shop: Depot, tmp_path: Path) -> None:
    shop.put("/dblp.xml.gz", b"\x1f\x8b" + bytes(2_000_000))
    shop.slow_s = 0.02
    script = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from citeaudit.cli.main import main\n"
        f"sys.exit(main(['index', 'get', 'dblp', '--from', '{shop.url}', '--to', '{tmp_path}']))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    part = tmp_path / "dblp.xml.gz.part"
    deadline = time.monotonic() + 30
    while not (part.is_file() and part.stat().st_size > 100_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"interrupted; what has arrived is kept: run the same command again to go on" in err
    assert part.stat().st_size > 100_000


def test_progress_is_a_line_for_a_person() -> None:
    now = Progress(3, 1_334, 2_500_000_000, 50_000_000_000, 12_000_000.0)
    assert getting.progress_words(now) == "3 of 1,334 files, 2.5 GB of 50 GB, 12 MB/s, 1.1 h left"
    assert getting.progress_words(Progress(0, 1, 0, None, 0.0)) == "0 of 1 files, 0 bytes, 0 bytes/s"
