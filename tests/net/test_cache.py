"""The cache keeps JSON text and nothing else: planted rows are a miss and gone, nothing runs, no file is touched."""

from __future__ import annotations

import os
import pickle
import sqlite3
import stat
import zlib
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest
from diskcache.core import MODE_BINARY, MODE_PICKLE, MODE_RAW, MODE_TEXT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.errors import ConfigError
from citeaudit.net.cache import JsonCache, JsonOnlyDisk, RefusedRowError, open_cache

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


class Bomb:
    """Creates a file when it is unpickled."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return (_touch, (str(self.target), "x"))


def _touch(path: str, text: str) -> None:
    Path(path).write_text(text, encoding="utf-8")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "answers"


@pytest.fixture
def cache(directory: Path) -> Iterator[JsonCache]:
    cache = open_cache(directory)
    yield cache
    cache.close()


def plant(  # a row as an attacker with write access would write it
    directory: Path,
    *,
    key: object = "key",
    raw: int = 1,
    mode: int = MODE_RAW,
    filename: str | None = None,
    value: object = None,
) -> None:
    db = sqlite3.connect(directory / "cache.db")
    db.execute(
        "INSERT INTO Cache (key, raw, store_time, access_time, access_count, size, mode, filename, value)"
        " VALUES (?, ?, 0, 0, 0, 0, ?, ?, ?)",
        (key, raw, mode, filename, value),
    )
    db.commit()
    db.close()


def test_a_value_comes_back_as_it_was(cache: JsonCache) -> None:
    value = {"title": "Über “quotes” \U0001f600", "list": [1, 2.5, None, True], "nested": {"a": []}}
    cache.set("key", value)
    assert cache.get("key") == value
    assert cache.get("other") is None
    assert cache.get("other", default=7) == 7


def test_a_large_value_stays_in_the_database(cache: JsonCache, directory: Path) -> None:
    cache.set("key", "a" * 3_000_000)
    assert len(cache.get("key")) == 3_000_000
    assert {path.name.partition("-")[0] for path in directory.iterdir()} == {"cache.db"}


@given(value=JSON)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_json_value_comes_back(value: object) -> None:
    disk = JsonOnlyDisk("/nowhere")
    size, mode, filename, text = disk.store(value, read=False)
    assert (size, filename) == (0, None)
    assert disk.fetch(mode, filename, text, read=False) == value


@pytest.mark.parametrize("key", ["text", b"bytes"])
def test_keys_are_text_or_bytes(cache: JsonCache, key: str | bytes) -> None:
    cache.set(key, 1)
    assert list(cache) == [key]
    assert cache.get(key) == 1


@pytest.mark.parametrize("key", [1, 2.0, None, ("a", "b")], ids=repr)
def test_other_keys_are_refused(cache: JsonCache, key: object) -> None:
    with pytest.raises(TypeError, match="str or bytes"):
        cache.set(key, 1)


@pytest.mark.parametrize("value", [{1, 2}, object(), b"bytes"], ids=["set", "object", "bytes"])
def test_values_that_are_not_json_are_refused(cache: JsonCache, value: object) -> None:
    with pytest.raises(TypeError):
        cache.set("key", value)


def test_files_are_refused(cache: JsonCache, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x")
    with file.open("rb") as stream, pytest.raises(TypeError, match="files"):
        cache.set("key", stream, read=True)
    with pytest.raises(RefusedRowError):
        JsonOnlyDisk(str(tmp_path)).filename()


def test_a_pickled_value_is_never_unpickled(cache: JsonCache, directory: Path, tmp_path: Path) -> None:
    target = tmp_path / "created"
    plant(directory, mode=MODE_PICKLE, value=pickle.dumps(Bomb(target)))
    assert cache.get("key") is None
    assert not target.exists()
    assert "key" not in cache


def test_a_pickled_value_under_jsondisk_packing_is_never_unpickled(
    cache: JsonCache, directory: Path, tmp_path: Path
) -> None:
    target = tmp_path / "created"
    plant(directory, mode=MODE_PICKLE, value=zlib.compress(pickle.dumps(Bomb(target))))
    assert cache.get("key") is None
    assert not target.exists()


def test_a_pickled_key_is_never_unpickled(cache: JsonCache, directory: Path, tmp_path: Path) -> None:
    target = tmp_path / "created"
    plant(directory, key=pickle.dumps(Bomb(target)), raw=0, value="1")
    cache.set("key", 1)
    assert cache.get("key") == 1
    with pytest.raises(RefusedRowError):
        list(cache)
    assert not target.exists()


FILE_ROWS = [
    pytest.param(mode, name, id=f"{kind}-{label}")
    for mode, kind in ((MODE_TEXT, "text"), (MODE_BINARY, "binary"), (MODE_PICKLE, "pickle"), (MODE_RAW, "raw"))
    for name, label in (
        ("../../etc/hostname", "dots"),
        ("../outside.val", "parent"),
        ("/etc/hostname", "absolute"),
        ("link/outside.val", "link"),
        ("inside.val", "inside"),
    )
]


@pytest.mark.parametrize(("mode", "name"), FILE_ROWS)
def test_a_row_that_names_a_file_is_a_miss_and_the_file_is_left_alone(
    cache: JsonCache, directory: Path, tmp_path: Path, mode: int, name: str
) -> None:
    outside = tmp_path / "outside.val"
    inside = directory / "inside.val"
    for file in (outside, inside):
        file.write_text('"secret"', encoding="utf-8")
    (directory / "link").symlink_to(tmp_path)
    plant(directory, mode=mode, filename=name)
    assert cache.get("key") is None
    assert "key" not in cache
    assert outside.read_text(encoding="utf-8") == inside.read_text(encoding="utf-8") == '"secret"'


def test_clearing_removes_no_file_that_a_row_names(cache: JsonCache, directory: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.val"
    outside.write_text("mine", encoding="utf-8")
    plant(directory, mode=MODE_TEXT, filename="../outside.val")
    cache.clear()
    assert outside.exists()


@pytest.mark.parametrize("value", ["not json", '{"a":', "[" * 100_000, b"1", 5, 1.5, None], ids=str)
def test_a_row_that_is_not_json_text_is_a_miss_and_gone(cache: JsonCache, directory: Path, value: object) -> None:
    plant(directory, value=value)
    assert cache.get("key", default="none") == "none"
    assert "key" not in cache


def test_the_directory_is_for_its_owner_alone(directory: Path) -> None:
    open_cache(directory).close()
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_directory_of_the_user_is_tightened(directory: Path) -> None:
    directory.mkdir(mode=0o755)
    open_cache(directory).close()
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_directory_open_to_everybody_is_refused(directory: Path) -> None:
    directory.mkdir()
    directory.chmod(0o777)
    with pytest.raises(ConfigError, match="everybody may write"):
        open_cache(directory)
    assert not list(directory.iterdir())


def test_a_directory_of_somebody_else_is_refused(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory.mkdir()
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    with pytest.raises(ConfigError, match="another user"):
        open_cache(directory)


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_path_that_cannot_be_a_directory_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(ConfigError, match="cache_dir"):
        open_cache(tmp_path / name)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"this is not a database" * 50, id="other-content"),
        pytest.param(lambda data: data[: len(data) // 2], id="truncated"),
        pytest.param(lambda data: data[:100] + b"\xff" * (len(data) - 100), id="overwritten"),
        pytest.param(lambda data: b"\x00" * 10, id="zeros"),
    ],
)
def test_a_damaged_database_is_set_aside_with_a_note(
    directory: Path, damage: object, caplog: pytest.LogCaptureFixture
) -> None:
    cache = open_cache(directory)
    cache.set("key", "x" * 50_000)
    cache.close()
    file = directory / "cache.db"
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]  # the rows above
    cache = open_cache(directory)
    assert cache.get("key") is None
    cache.set("key", 1)
    assert cache.get("key") == 1
    cache.close()
    assert (directory / "cache.db.damaged").exists()
    assert "set aside" in caplog.text


def test_planted_settings_are_set_aside(directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    open_cache(directory).close()
    db = sqlite3.connect(directory / "cache.db")
    db.execute("INSERT INTO Settings VALUES ('_disk', 'x')")
    db.commit()
    db.close()
    cache = open_cache(directory)
    cache.set("key", 1)
    assert cache.get("key") == 1
    cache.close()
    assert "unknown settings _disk" in caplog.text


def test_a_database_that_cannot_be_replaced_is_one_clear_error(
    directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    directory.mkdir()
    (directory / "cache.db").mkdir()
    (directory / "cache.db.damaged").mkdir()
    (directory / "cache.db.damaged" / "full").write_text("x", encoding="utf-8")
    with pytest.raises(ConfigError, match="name another directory"):
        open_cache(directory)


def _write(directory: str, name: str) -> None:
    cache = open_cache(Path(directory))
    for number in range(20):
        cache.set(f"{name}-{number}", number)
    cache.close()


def test_processes_share_it(directory: Path) -> None:
    spawn = get_context("spawn")
    writers = [spawn.Process(target=_write, args=(str(directory), name)) for name in ("a", "b")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    assert [writer.exitcode for writer in writers] == [0, 0]
    cache = open_cache(directory)
    assert {cache.get(f"{name}-{number}") for name in "ab" for number in range(20)} == set(range(20))
    cache.close()
