"""One index held against the tables of contents of another, and what a whole index then testifies."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.index.asking.candidates import Held
from citeaudit.index.asking.engine import open_index
from citeaudit.index.building.builder import build, merge, update
from citeaudit.index.building.checking import verify
from citeaudit.index.coverage.covering import Compared, Share, cover
from citeaudit.index.manifest import COVERAGE, DATA, PARTS, Manifest, read
from citeaudit.index.store.keys import venue_key
from citeaudit.model import Coverage, Outcome, Query, QueryKind

NAME = "Proceedings of the {}th Conference on Lunar Farming"
CROPS = ("Tomatoes", "Barley", "Cabbage", "Lentils", "Pumpkins", "Spinach")
YEARS = (2018, 2019, 2020)


def paper(crop: str, year: int, **more: object) -> dict[str, object]:
    title = f"On Sowing {crop} in the {year - 2000}th Lunar Spring"
    return {"title": title, "authors": [{"family": "Elm", "given": "Mary"}], "year": year, **more}


def put(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def dblp(path: Path, years: tuple[int, ...], crops: tuple[str, ...] = CROPS) -> Path:
    text = ['<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n']
    for year in years:
        name = NAME.format(year - 2000)
        text.append(
            f'<proceedings key="conf/lf/{year}" mdate="2026-05-01"><title>{name}</title><year>{year}</year>'
            "</proceedings>\n"
        )
        for number, crop in enumerate(CROPS):
            if crop in crops:
                pages, title = f"{10 * number + 1}-{10 * number + 10}", paper(crop, year)["title"]
                text.append(
                    f'<inproceedings key="conf/lf/{crop}{year}" mdate="2026-05-01"><author>Mary Elm</author>'
                    f"<title>{title}</title><pages>{pages}</pages><year>{year}</year><booktitle>LF</booktitle>"
                    f"<ee>https://doi.org/10.5555/{crop.lower()}.{year}</ee><crossref>conf/lf/{year}</crossref>"
                    "</inproceedings>\n"
                )
    path.write_text("".join([*text, "</dblp>\n"]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dblp")
    build([dblp(folder / "dblp.xml", YEARS)], folder / "dblp", format="dblp")
    return folder / "dblp"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    rows = [paper(crop, year) for year in YEARS for crop in CROPS]
    build([put(tmp_path / "rows.jsonl", rows[:-1])], tmp_path / "mine")
    return tmp_path / "mine"


def held(folder: Path, year: int) -> Held | None:
    venue = venue_key(NAME.format(year - 2000))
    assert venue is not None
    with closing(Compared(folder, read(folder))) as compared:
        return compared.held(venue, year)


def asked(folder: Path, year: int = 2019, title: str = "Zebras, northern Zodiac") -> tuple[Outcome, Coverage]:
    with closing(open_index(folder)) as index:
        query = Query(
            kind=QueryKind.TITLE,
            text=title,
            families=("Yew",),
            year=year,
            container_title=NAME.format(year - 2000),
        )
        (answer,) = index.search([query])
        return answer.outcome, answer.coverage


def test_an_index_with_tables_testifies_to_what_no_table_lists(tables: Path) -> None:
    assert asked(tables) == (Outcome.NO_MATCH, Coverage.AUTHORITATIVE)
    assert asked(tables, 2021) == (Outcome.NO_MATCH, Coverage.NONE)


def test_a_table_with_a_paper_left_out_testifies_nothing(tmp_path: Path) -> None:
    crops = tuple(crop for crop in CROPS if crop != "Cabbage")
    build([dblp(tmp_path / "dblp.xml", YEARS, crops)], tmp_path / "dblp", format="dblp")
    assert asked(tmp_path / "dblp") == (Outcome.NO_MATCH, Coverage.NONE)


def test_tables_last_through_updates_and_merges(tables: Path, tmp_path: Path) -> None:
    shutil.copytree(tables, tmp_path / "dblp")
    update(tmp_path / "dblp", [put(tmp_path / "more.jsonl", [paper("Rye", 2019)])])
    assert asked(tmp_path / "dblp") == (Outcome.NO_MATCH, Coverage.AUTHORITATIVE)
    merge([tmp_path / "dblp"], tmp_path / "one")
    assert len(read(tmp_path / "one").parts) == 1
    assert asked(tmp_path / "one") == (Outcome.NO_MATCH, Coverage.AUTHORITATIVE)


def test_an_unreadable_record_of_an_update_takes_every_claim_back(tables: Path, tmp_path: Path) -> None:
    shutil.copytree(tables, tmp_path / "dblp")
    more = put(tmp_path / "more.jsonl", [paper("Rye", 2019)])
    more.write_text(more.read_text("utf-8") + "unreadable\n", encoding="utf-8")
    update(tmp_path / "dblp", [more])
    assert asked(tmp_path / "dblp") == (Outcome.NO_MATCH, Coverage.NONE)
    merge([tmp_path / "dblp"], tmp_path / "one")
    assert asked(tmp_path / "one") == (Outcome.NO_MATCH, Coverage.NONE)


def test_what_is_all_held_is_kept_for_this_content(mine: Path, tables: Path, tmp_path: Path) -> None:
    heard: list[int] = []
    shares = cover(mine, tables, tell=heard.append)
    assert shares == [
        Share("LF", year, count, 6, f"{year - 2000}th Conference on Lunar Farming")
        for year, count in ((2018, 6), (2019, 6), (2020, 5))
    ]
    assert heard[-1] == read(tables).records
    assert held(mine, 2018) == Held(6, 6, complete=True)
    assert held(mine, 2020) == Held(5, 6, complete=False)
    assert held(mine, 2021) is None
    assert Compared(mine, read(mine)).against() == ("dblp", True)

    update(mine, [put(tmp_path / "last.jsonl", [paper(CROPS[-1], 2020)])])
    assert held(mine, 2018) is None
    assert Compared(mine, read(mine)).against() == ("dblp", False)
    assert all(share.complete for share in cover(mine, tables))
    assert held(mine, 2020) == Held(6, 6, complete=True)


@pytest.mark.parametrize(
    ("row", "complete"),
    [
        pytest.param(paper("Spinach", 2020), True, id="title-and-surname"),
        pytest.param({**paper("Spinach", 2020), "authors": [{"family": "Oak"}]}, False, id="another-author"),
        pytest.param({**paper("Spinach", 2020), "authors": []}, False, id="no-author"),
        pytest.param(
            {"title": "On Sowing Spinach in the 20th Lunar Sprng", "doi": "10.5555/spinach.2020"}, True, id="doi"
        ),
        pytest.param({"title": "Sowing", "doi": "10.5555/spinach.2020"}, False, id="doi-with-a-title-not-to-be-found"),
    ],
)
def test_a_work_is_held_where_a_search_by_its_title_finds_it(
    row: dict[str, object], complete: bool, tables: Path, tmp_path: Path
) -> None:
    rows = [paper(crop, 2020) for crop in CROPS if crop != "Spinach"]
    build([put(tmp_path / "rows.jsonl", [*rows, row])], tmp_path / "mine")
    shares = {share.year: share.complete for share in cover(tmp_path / "mine", tables)}
    assert shares == {2018: False, 2019: False, 2020: complete}


def test_it_is_read_after_a_fork(mine: Path, tables: Path) -> None:
    cover(mine, tables)
    venue = venue_key(NAME.format(19))
    assert venue is not None
    with closing(Compared(mine, read(mine))) as compared:
        assert compared.held(venue, 2019) is not None
        child = os.fork()
        if not child:
            os._exit(0 if compared.held(venue, 2019) == Held(6, 6, complete=True) else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_a_damaged_comparison_claims_nothing(mine: Path, tables: Path) -> None:
    assert held(mine, 2019) is None
    assert Compared(mine, read(mine)).against() is None
    cover(mine, tables)
    (mine / PARTS / COVERAGE).write_bytes(b"no database at all, but long enough to look like one" * 20)
    assert held(mine, 2019) is None
    assert Compared(mine, read(mine)).against() is None


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param("UPDATE held SET complete = 1, listed = held", id="a-bit"),
        pytest.param("DELETE FROM meta WHERE name = 'checksum'", id="no-checksum"),
        pytest.param("DROP TABLE held", id="no-table"),
    ],
)
def test_a_comparison_that_was_changed_claims_nothing_and_is_told(mine: Path, tables: Path, harm: str) -> None:
    cover(mine, tables)
    assert verify(mine).sound
    assert asked(mine) == (Outcome.NO_MATCH, Coverage.AUTHORITATIVE)
    with closing(sqlite3.connect(mine / PARTS / COVERAGE)) as db:
        db.execute(harm)
        db.commit()
    assert held(mine, 2019) is None
    assert asked(mine) == (Outcome.NO_MATCH, Coverage.NONE)
    (problem,) = verify(mine).problems
    assert "coverage.db: " in problem
    assert problem.endswith("nothing is taken from it, run citeaudit index cover again")


def test_an_index_without_tables_is_nothing_to_compare_with(mine: Path, tmp_path: Path) -> None:
    other = shutil.copytree(mine, tmp_path / "other")
    with pytest.raises(IndexBuildError, match="knows no complete table of contents; compare with an index of dblp"):
        cover(mine, other)


def test_an_index_is_not_compared_with_itself(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tables)
    with pytest.raises(IndexBuildError, match="cannot be compared with itself"):
        cover(tmp_path / "link", tables)
    assert held(tables, 2019) is None


def test_a_comparison_that_cannot_be_written_leaves_the_old_one(mine: Path, tables: Path) -> None:
    cover(mine, tables)
    (mine / PARTS / f"{COVERAGE}.new").mkdir()
    with pytest.raises(IndexBuildError, match="could not be written"):
        cover(mine, tables)
    assert held(mine, 2019) is not None


def test_damaged_tables_are_told(mine: Path, tables: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(tables, other)
    manifest: Manifest = read(other)
    data = other / PARTS / manifest.parts[0].name / DATA
    with closing(sqlite3.connect(data)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'held'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    content = bytearray(data.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    data.write_bytes(content)
    with pytest.raises(IndexDamagedError, match="build it again"):
        cover(mine, other)
