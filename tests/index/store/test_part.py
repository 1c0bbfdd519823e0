"""A part holds what was added, whatever stops its writer; its reader finds it, from any thread and process."""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.index.manifest import DATA, WORDS
from citeaudit.index.store import keys
from citeaudit.index.store.codec import Codec, train
from citeaudit.index.store.part import SCRATCH, PartWriter
from citeaudit.index.store.part_reader import Ids, PartReader
from citeaudit.index.store.prepare import prepare
from citeaudit.index.store.record import About, Name, Record, RecordNotice
from citeaudit.index.store.terms import text_of
from citeaudit.model import NoticeType

NOUNS = ("lever", "gear", "spring", "wheel", "pulley", "wedge", "screw", "hinge", "valve", "piston", "crank", "cam")
PLACES = ("moon", "sea", "desert", "forest", "island", "valley", "glacier", "river", "harbour", "meadow", "marsh")
FAMILIES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum", "Hazel", "Ivy", "Juniper", "Karri", "Larch")


def made(place: int) -> Record:
    chance = random.Random(place)  # noqa: S311 - no secret
    about = (About(NoticeType.RETRACTION, "doi", f"10.5555/w.{place - 1}"),) if place % 50 == 7 else ()
    return Record(
        f"{chance.choice(NOUNS)} and {chance.choice(NOUNS)} on a {chance.choice(PLACES)}: case {place % 97}",
        tuple(Name(chance.choice(FAMILIES), "A.") for _ in range(chance.randint(1, 4))),
        year=1990 + place % 30,
        venue="Journal of Things",
        volume=str(place % 20),
        pages=f"{place}-{place + 3}",
        doi=f"10.5555/w.{place}",
        src="made",
        about=about,
    )


RECORDS = [made(place) for place in range(1, 1001)]
CODEC = train(RECORDS)
ROWS = [prepare(record, CODEC) for record in RECORDS]


def written(folder: Path, count: int = len(ROWS), step: int = 100) -> Path:
    writer = PartWriter(folder, codec=CODEC)
    for first in range(0, count, step):
        writer.add(ROWS[first : min(first + step, count)])
    writer.finish({"name": "made"})
    return folder


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("plain") / "part")


@pytest.fixture
def reader(plain: Path) -> Iterator[PartReader]:
    one = PartReader(plain)
    yield one
    one.close()


def answers(folder: Path) -> list[object]:
    """Everything a part says about itself and about a spread of questions."""
    reader = PartReader(folder)
    asked = RECORDS[::37]
    found: list[object] = [reader.meta(), list(reader.scan())]
    found += [reader.exact(keys.record_keys(one)) for one in asked]
    found += [sorted(reader.search(text_of(one).split(), k=len(RECORDS))) for one in asked]
    found.append(reader.notices([keys.identifier_key("doi", f"10.5555/w.{place}") for place in range(100)]))
    reader.close()
    return found


def test_a_finished_part_has_no_other_files(plain: Path) -> None:
    assert sorted(path.name for path in plain.iterdir()) == [WORDS, DATA]
    assert not list((plain / WORDS).glob("*.lock"))
    with sqlite3.connect(plain / DATA) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


def test_everything_is_found(reader: PartReader) -> None:
    assert reader.meta()["records"] == "1000"
    assert reader.meta()["name"] == "made"
    assert list(reader.scan()) == [one._replace(updated=None) for one in RECORDS]
    assert reader.records([3, 999, 3]) == {3: RECORDS[2], 999: RECORDS[998]}
    for place in (1, 500, 1000):
        record = RECORDS[place - 1]
        for key in ROWS[place - 1].keys:
            assert place in reader.exact([key])
        assert place in reader.search(text_of(record).split(), k=50)
    assert reader.exact([12345]) == reader.exact([]) == reader.search(["nowhere"]) == reader.search([]) == []
    assert not any((reader.records([]), reader.notices([]), reader.replaced()))
    assert reader.held(1, 2000) is None


def test_more_ids_than_one_question_takes(reader: PartReader) -> None:
    assert list(reader.records(range(1000, 0, -1)).values()) == RECORDS[::-1]


def test_an_answer_is_cut_where_asked(reader: PartReader) -> None:
    key = keys.title_keys("lever")[0]
    assert reader.exact([key, *ROWS[0].keys, *ROWS[1].keys], limit=1) == [1]
    assert len(reader.search(["on", "zalder"], k=7)) == 7


def test_the_rarest_words_are_looked_up(tmp_path: Path) -> None:
    titles = ["common one", "common two", "common three rare", "common four rare", "common five odd rare", "six odd"]
    writer = PartWriter(tmp_path)
    writer.add(prepare(Record(title), writer.codec) for title in titles)
    writer.finish({})
    reader = PartReader(tmp_path)
    assert reader.search(["common", "rare"], count=1) == [3, 4, 5]
    assert reader.search(["rare", "common", "unknown", "odd"])[0] == 5
    assert 1 not in reader.search(["common", "rare", "odd", "one"], count=2), "a word of one record takes no place"
    assert reader.search(["one", "rare"], count=1) == [1], "unless few others remain"


def test_words_that_very_many_records_hold_are_left_out_where_others_remain(tmp_path: Path) -> None:
    rare = ("alpha", "beta", "gamma", "delta")
    writer = PartWriter(tmp_path)
    titles = (f"everywhere {' '.join(rare) if place < 20 else place}" for place in range(11_000))
    writer.add(prepare(Record(title), writer.codec) for title in titles)
    writer.finish({})
    reader = PartReader(tmp_path)
    assert sorted(reader.search([*rare, "everywhere"], k=20_000)) == list(range(1, 21))
    assert len(reader.search([rare[0], "everywhere"], k=20_000)) == 11_000


def test_equal_scores_come_in_the_order_of_ids(tmp_path: Path) -> None:
    writer = PartWriter(tmp_path)
    for _ in range(5):
        writer.add([prepare(Record("same words"), writer.codec)] * 4)
        writer.checkpoint("")
    writer.finish({})
    assert PartReader(tmp_path).search(["same", "words"]) == list(range(1, 21))


def test_notices_are_found_by_what_they_are_about(reader: PartReader) -> None:
    key, other = (keys.identifier_key("doi", f"10.5555/w.{place}") for place in (56, 57))
    assert reader.notices([key, other]) == {
        key: (RecordNotice(NoticeType.RETRACTION, "10.5555/w.57", RECORDS[56].year),)
    }


def test_tables_of_others_are_kept(tmp_path: Path) -> None:
    writer = PartWriter(tmp_path)
    writer.add([prepare(RECORDS[0], writer.codec)])
    writer.db.execute("INSERT INTO held VALUES (7, 2000, 10, 12, 0), (7, 2001, 3, NULL, 1)")
    writer.db.executemany("INSERT INTO replaced VALUES (?, ?)", [("a", 3), ("b", 9), ("a", 800)])
    writer.finish({})
    reader = PartReader(tmp_path)
    assert reader.held(7, 2000) == (10, 12, False)
    assert reader.held(7, 2001) == (3, None, True)
    replaced = reader.replaced()
    assert {part: [place for place in range(1000) if place in ids] for part, ids in replaced.items()} == {
        "a": [3, 800],
        "b": [9],
    }
    assert [len(ids) for ids in replaced.values()] == [2, 1]


def test_sets_of_ids() -> None:
    ids = Ids([1, 9, 9, 64])
    assert [place for place in range(-5, 99) if place in ids] == [1, 9, 64]
    assert len(ids) == 3
    assert "1" not in ids
    assert not Ids([])


# --- whatever stops the writer -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_adding_stopping_and_reopening_in_any_order_gives_the_same_part(tmp_path: Path, plain: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    writer = PartWriter(tmp_path / "part", codec=CODEC)
    while writer.count < len(ROWS):
        saved = 0
        for _ in range(chance.randint(1, 4)):
            writer.add(ROWS[writer.count : writer.count + chance.randint(0, 300)])
            if chance.random() < 0.5:
                writer.checkpoint(str(writer.count))
                saved = writer.count
        writer.close()
        writer = PartWriter(tmp_path / "part")
        assert writer.codec.dictionary == CODEC.dictionary
        assert writer.count == int(writer.state or 0) >= saved
    writer.finish({"name": "made"})
    assert answers(tmp_path / "part") == answers(plain)


CHILD = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_part import CODEC, ROWS, PartWriter
writer = PartWriter(Path(sys.argv[1]), codec=CODEC)
print("open", flush=True)
while writer.count < len(ROWS):
    writer.add(ROWS[writer.count : writer.count + 60])
    writer.checkpoint(str(writer.count))
writer.finish({{"name": "made"}})
print("done", flush=True)
"""


def test_a_part_survives_kills_at_any_moment(tmp_path: Path, plain: Path) -> None:
    """Killed after a growing share of the time that a whole run takes, at least ten times, each going on."""
    code = CHILD.format(tests=str(Path(__file__).parent))
    folder, chance, wait, kills = tmp_path / "part", random.Random(5), 0.0, 0  # noqa: S311 - no secret
    for _ in range(100):
        child = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        with child:
            assert child.stdout.readline() == "open\n"
            time.sleep(chance.uniform(0, wait))
            child.send_signal(signal.SIGKILL)
            finished = "done" in child.stdout.read()
        if finished:
            break
        kills += 1
        wait = 0.01 if kills < 8 else wait + 0.1
    assert finished
    assert kills >= 8
    assert answers(folder) == answers(plain)


def left_behind(folder: Path, at: str) -> None:
    """Bring a half-written part to a state that a kill between two steps leaves."""
    writer = PartWriter(folder, codec=CODEC)
    writer.add(ROWS[:400])
    writer.checkpoint("400")
    writer.add(ROWS[400:500])
    if at == "between-data-and-keys":
        writer._commit("500")
    elif at == "between-keys-and-words":
        writer._commit("500")
        writer._keys.execute("UPDATE done SET count = 500")
        writer._keys.commit()
    elif at == "keys-ahead":  # what a power cut may leave
        writer._keys.execute("UPDATE done SET count = 500")
        writer._keys.commit()
    elif at == "words-ahead":
        writer._open_words.commit()
    elif at == "rows-without-checkpoint":
        writer.db.commit()
    elif at == "keys-lost":
        writer.close()
        (folder / SCRATCH).unlink()
    elif at == "keys-garbled":
        writer.close()
        (folder / SCRATCH).write_bytes(b"no database" * 1000)
    elif at == "words-lost":
        writer.close()
        shutil.rmtree(folder / WORDS)
    elif at == "words-garbled":
        writer.close()
        (folder / WORDS / "meta.json").write_bytes(b"{")
    elif at == "before-sealing":
        writer.checkpoint("500")
        writer._open_words.finish()
    writer.close()


@pytest.mark.parametrize(
    "at",
    [
        "between-data-and-keys",
        "between-keys-and-words",
        "keys-ahead",
        "words-ahead",
        "rows-without-checkpoint",
        "keys-lost",
        "keys-garbled",
        "words-lost",
        "words-garbled",
        "before-sealing",
    ],
)
def test_a_part_left_between_two_steps_is_gone_on_with(tmp_path: Path, plain: Path, at: str) -> None:
    left_behind(tmp_path / "part", at)
    writer = PartWriter(tmp_path / "part")
    assert writer.count == int(writer.state) in (400, 500)
    writer.add(ROWS[writer.count :])
    writer.finish({"name": "made"})
    assert answers(tmp_path / "part") == answers(plain)


def test_a_part_sealed_but_not_cleaned_is_cleaned(tmp_path: Path) -> None:
    folder = written(tmp_path / "part", 50)
    (folder / SCRATCH).write_bytes(b"left behind")
    writer = PartWriter(folder)
    assert writer.sealed
    assert writer.count == 50
    with pytest.raises(IndexBuildError, match="finished"):
        writer.add(ROWS[:1])
    writer.finish({})
    assert sorted(path.name for path in folder.iterdir()) == [WORDS, DATA]


def test_a_part_begun_by_another_version_is_not_gone_on_with(tmp_path: Path) -> None:
    writer = PartWriter(tmp_path)
    writer.db.execute("UPDATE meta SET value = '1' WHERE name = 'schema_version'")
    writer.checkpoint("")
    writer.close()
    with pytest.raises(IndexDamagedError, match="another version"):
        PartWriter(tmp_path)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM meta WHERE name = 'records'",
        "UPDATE meta SET value = 'many' WHERE name = 'records'",
        "DELETE FROM work WHERE id = 3",
        "UPDATE work SET data = x'00' WHERE id = 3",
    ],
)
def test_a_half_part_that_is_damaged_is_not_gone_on_with(tmp_path: Path, statement: str) -> None:
    writer = PartWriter(tmp_path)
    writer.add(prepare(record, writer.codec) for record in RECORDS[:5])
    writer.checkpoint("")
    writer.db.execute(statement)
    writer.db.commit()
    writer.close()
    shutil.rmtree(tmp_path / WORDS)
    with pytest.raises(IndexDamagedError, match="delete it and build again"):
        PartWriter(tmp_path)


def test_a_file_that_is_no_database_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / DATA).write_bytes(b"no database" * 1000)
    with pytest.raises(IndexDamagedError, match="delete it and build again"):
        PartWriter(tmp_path)


def _fill_disk(folder: Path) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit is then an error, as on a full disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
    try:
        written(folder, step=50)
    except IndexBuildError as error:
        os._exit(11 if "cannot be written" in str(error) else 12)
    os._exit(13)


def test_a_full_disk_is_an_error_that_says_so_and_the_part_is_gone_on_with(tmp_path: Path, plain: Path) -> None:
    writer = PartWriter(tmp_path / "part", codec=CODEC)
    writer.close()
    child = multiprocessing.get_context("fork").Process(target=_fill_disk, args=(tmp_path / "part",))
    child.start()
    child.join(30)
    assert child.exitcode == 11
    written_again = PartWriter(tmp_path / "part")
    written_again.add(ROWS[written_again.count :])
    written_again.finish({"name": "made"})
    assert answers(tmp_path / "part") == answers(plain)


# --- readers -----------------------------------------------------------------------------------------------


def test_threads_and_forked_processes_may_share_a_reader(reader: PartReader) -> None:
    def check(places: Sequence[int]) -> bool:
        return all(
            place in reader.search(text_of(RECORDS[place - 1]).split()) and place in reader.exact(ROWS[place - 1].keys)
            for place in places
        )

    parts = [range(first, 1000, 40) for first in range(1, 9)]
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(check, parts))
    children = []
    for places in parts[:3]:
        child = os.fork()
        if child == 0:
            os._exit(0 if check(places) else 1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    assert check(parts[0])


def test_an_unfinished_part_cannot_be_read(tmp_path: Path) -> None:
    writer = PartWriter(tmp_path)
    writer.close()
    with pytest.raises(IndexDamagedError, match="never finished"):
        PartReader(tmp_path)
    with pytest.raises(IndexDamagedError, match="unable to open"):
        PartReader(tmp_path / "nowhere")


def test_a_part_of_another_version_cannot_be_read(tmp_path: Path) -> None:
    writer = PartWriter(tmp_path)
    writer.finish({"normaliser_version": "0"})
    with pytest.raises(IndexDamagedError, match="another version"):
        PartReader(tmp_path)


@pytest.mark.parametrize(
    ("statement", "ask"),
    [
        ("DELETE FROM work WHERE id = 3", "records"),
        ("UPDATE work SET data = x'0000' WHERE id = 3", "records"),
        ("UPDATE work SET data = 'text' WHERE id = 3", "records"),
        ("UPDATE notice SET type = 'party'", "notices"),
        ("DROP TABLE key", "exact"),
    ],
)
def test_damaged_rows_are_an_error_and_never_fewer_answers(tmp_path: Path, statement: str, ask: str) -> None:
    folder = written(tmp_path / "part", 60)
    with sqlite3.connect(folder / DATA) as db:
        db.execute(statement)
    db.close()
    reader = PartReader(folder)
    calls: dict[str, Callable[[], object]] = {
        "records": lambda: reader.records([1, 3]),
        "notices": lambda: reader.notices([keys.identifier_key("doi", "10.5555/w.6")]),
        "exact": lambda: reader.exact([1]),
    }
    with pytest.raises(IndexDamagedError, match="citeaudit index build"):
        calls[ask]()
    reader.close()


@pytest.mark.parametrize("suffix", ["meta.json", "term", "idx", "fast", "fieldnorm"])
@pytest.mark.parametrize("harm", ["gone", "empty", "cut"])
def test_damaged_words_are_an_error_and_never_fewer_answers(
    tmp_path: Path, plain: Path, suffix: str, harm: str
) -> None:
    folder = tmp_path / "part"
    shutil.copytree(plain, folder)
    for path in (folder / WORDS).glob(f"*{suffix}"):
        data = path.read_bytes()
        path.unlink()
        if harm != "gone":
            path.write_bytes(b"" if harm == "empty" else data[: len(data) // 2])
    reader = PartReader(folder)
    with pytest.raises(IndexDamagedError, match="citeaudit index build"):
        reader.search(text_of(RECORDS[0]).split())
    assert reader.records([1]) == {1: RECORDS[0]}, "records are still there"


def test_a_part_without_records_answers(tmp_path: Path) -> None:
    PartWriter(tmp_path, codec=Codec()).finish({})
    reader = PartReader(tmp_path)
    assert (reader.exact([1]), reader.search(["a"]), list(reader.scan())) == ([], [], [])
