"""A dump is read as it was published, and what is none, or half of one, never passes for a small one."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps import packed, unpack
from citeaudit.index.dumps.form import Unit

Pack = Callable[[bytes], bytes]
PACKS: dict[str, Pack] = {
    "plain": bytes,
    "gzip": cache(gzip.compress),
    "bzip2": cache(bz2.compress),
    "xz": cache(partial(lzma.compress, preset=1)),
    "zstd": lambda data: zstandard.ZstdCompressor(write_checksum=True, write_content_size=False).compress(data),
}
DATA = b"".join(
    b'{"n": %d, "word": "%b"}\n' % (n, blake2b(b"%d" % n, digest_size=10).hexdigest().encode()) for n in range(35_000)
)

every_packing = pytest.mark.parametrize("pack", [pytest.param(pack, id=name) for name, pack in PACKS.items()])
every_real_packing = pytest.mark.parametrize(
    "pack", [pytest.param(pack, id=name) for name, pack in PACKS.items() if name != "plain"]
)


def written(folder: Path, data: bytes, name: str = "dump") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def tarred(files: dict[str, bytes], **options: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", **options) as tar:  # type: ignore[call-overload]  # `format` alone
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def joined(units: list[Unit]) -> bytes:
    return b"".join(unit.data or b"" for unit in units)


@every_packing
def test_lines_come_in_units_of_whole_lines(tmp_path: Path, pack: Pack) -> None:
    units = list(packed.lines(written(tmp_path, pack(DATA))))
    assert joined(units) == DATA
    assert len(units) > 1
    assert all(unit.data and unit.data.endswith(b"\n") and len(unit.data) < packed.UNIT_BYTES + 100 for unit in units)
    numbers = [int(unit.place.removeprefix("line ")) for unit in units]
    assert numbers == [DATA.count(b"\n", 0, len(joined(units[:at]))) + 1 for at in range(len(units))]


@every_packing
def test_the_same_file_gives_the_same_units(tmp_path: Path, pack: Pack) -> None:
    path = written(tmp_path, pack(DATA))
    assert list(packed.lines(path)) == list(packed.lines(path))
    assert [one[1:] for one in packed.lines(path)] == [one[1:] for one in packed.lines(written(tmp_path, DATA, "b"))]


@every_packing
def test_a_missing_last_line_end_loses_nothing(tmp_path: Path, pack: Pack) -> None:
    assert joined(list(packed.lines(written(tmp_path, pack(b'{"a": 1}\n{"b": 2}'))))) == b'{"a": 1}\n{"b": 2}'


@every_real_packing
def test_members_that_follow_each_other_are_one_stream(tmp_path: Path, pack: Pack) -> None:
    half = len(DATA) // 2
    path = written(tmp_path, pack(DATA[:half]) + pack(DATA[half:]) + b"\0" * 700)
    assert joined(list(packed.lines(path))) == DATA


@every_real_packing
@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 0.9999])
def test_a_truncated_file_is_an_error(tmp_path: Path, pack: Pack, share: float) -> None:
    data = pack(DATA)
    path = written(tmp_path, data[: max(7, min(len(data) - 1, int(len(data) * share)))])
    with pytest.raises(IndexBuildError, match=r"dump: breaks off after [\d,]+ packed bytes .*fetch it again"):
        list(packed.lines(path))


@every_real_packing
def test_a_damaged_file_is_an_error(tmp_path: Path, pack: Pack) -> None:
    data = bytearray(pack(DATA))
    data[len(data) // 2 : len(data) // 2 + 40] = b"\x5a" * 40
    with pytest.raises(IndexBuildError, match=r"dump: (?:is damaged|breaks off|has bytes)"):
        list(packed.lines(written(tmp_path, bytes(data))))


@every_real_packing
def test_bytes_after_the_end_are_an_error(tmp_path: Path, pack: Pack) -> None:
    with pytest.raises(IndexBuildError, match=r"dump: (?:is damaged|has bytes after its end)"):
        list(packed.lines(written(tmp_path, pack(DATA) + b"\0" * 9 + b"<html>")))


@pytest.mark.parametrize("last", [b'{"b": "tru', b'{"b": {"c": 1}', b'{"b": {"c": 1}, '])
def test_a_truncated_plain_file_is_an_error(tmp_path: Path, last: bytes) -> None:
    with pytest.raises(IndexBuildError, match="line 2 breaks off"):
        list(packed.lines(written(tmp_path, b'{"a": 1}\n' + last)))


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b"<!DOCTYPE html><p>Please wait", "a web page", id="page"),
        pytest.param(b"\n <html lang=en><body>", "a web page", id="bare-page"),
        pytest.param(b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">', "a web page", id="xhtml"),
        pytest.param(gzip.compress(b"<!doctype HTML>Just a moment"), "a web page", id="packed-page"),
        pytest.param(b"<?xml?><Error><Code>AccessDenied</Code></Error>", "an error message", id="bucket"),
        pytest.param(b"Access Denied\n", "an error message", id="denied"),
        pytest.param(b"Rate exceeded.", "an error message", id="limit"),
        pytest.param(b"429 Too Many Requests", "an error message", id="status-line"),
        pytest.param(b'{"title": "Not Found", "status": 404}', "an error message", id="problem"),
        pytest.param(b'{"error": "no such file"}', "an error message", id="json"),
        pytest.param(b'{"message": "Forbidden"}', "an error message", id="gateway"),
        pytest.param(b'{"status":"error","x":1}', "an error message", id="status"),
        pytest.param(b"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer", id="lfs"),
        pytest.param(b"PK\x03\x04abcdef", "a ZIP archive", id="zip"),
        pytest.param(b"7z\xbc\xaf\x27\x1c00", "a 7z archive", id="7z"),
    ],
)
def test_what_is_no_dump_is_named(tmp_path: Path, data: bytes, what: str) -> None:
    with pytest.raises(IndexBuildError, match=rf"dump.* {what}") as raised:
        list(packed.lines(written(tmp_path, data)))
    assert "fetch it again" in str(raised.value) or "unpack it" in str(raised.value)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b'{"title": "The <html> element and access denied", "message": "x"}', id="words"),
        pytest.param(b'{"title": "Just a Moment", "status": "published"}', id="status"),
        pytest.param(b'{"message": {"DOI": "10.5555/x"}}', id="envelope"),
        pytest.param(b"@article{x, title={Not Found}}", id="bibtex"),
        pytest.param(b"<dblp><article><title>Access denied</title></article></dblp>", id="xml"),
    ],
)
def test_a_record_about_such_things_is_a_record(tmp_path: Path, line: bytes) -> None:
    assert joined(list(packed.lines(written(tmp_path, line + b"\n")))) == line + b"\n"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match=r"gone\.gz: cannot be read"):
        list(packed.lines(tmp_path / "gone.gz"))


def test_packed_nothing_is_an_empty_collection(tmp_path: Path) -> None:
    assert list(packed.lines(written(tmp_path, gzip.compress(b"")))) == []


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"format": tarfile.USTAR_FORMAT}, id="ustar"),
        pytest.param({"format": tarfile.GNU_FORMAT}, id="gnu"),
        pytest.param({"format": tarfile.PAX_FORMAT}, id="pax"),
    ],
)
@every_packing
def test_the_members_of_a_tar_are_read_by_name(tmp_path: Path, pack: Pack, options: dict[str, int]) -> None:
    long = "/".join(["a" * 60] * 2) + "/2.jsonl.gz"
    files = {"d/1.json.gz": gzip.compress(b'{"a": 1}\n'), "d/README.md": b"words", long: gzip.compress(b'{"b": 2}\n')}
    files |= {"d/._1.json.gz": b"\0\5", "d/3.json": b'{"c": 3}', "empty.json": b""}
    units = list(packed.lines(written(tmp_path, pack(tarred(files, **options))), (".json", ".json.gz", ".jsonl.gz")))
    assert [unit.place for unit in units] == [
        "member d/1.json.gz: line 1",
        f"member {long}: line 1",
        "member d/3.json: line 1",
    ]
    assert joined(units) == b'{"a": 1}\n{"b": 2}\n{"c": 3}'


def test_members_may_be_left_unread(tmp_path: Path) -> None:
    path = written(tmp_path, tarred({"1": DATA, "2": DATA[:1000]}))
    assert [member.name for member in packed.members(path)] == ["1", "2"]


def test_a_name_that_climbs_is_only_shown(tmp_path: Path) -> None:
    path = written(tmp_path, tarred({"../../up.json": b'{"a": 1}\n', "/etc/x.json": b'{"b": 1}\n'}))
    assert [unit.place for unit in packed.lines(path)] == [
        "member ../../up.json: line 1",
        "member /etc/x.json: line 1",
    ]
    assert [entry.name for entry in tmp_path.iterdir()] == ["dump"]


def test_links_and_folders_are_passed_over(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE):
            info = tarfile.TarInfo("a.json")
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
    assert list(packed.lines(written(tmp_path, out.getvalue()))) == []


@pytest.mark.parametrize("share", [0.2, 0.6, 0.97])
@every_packing
def test_a_truncated_tar_is_an_error(tmp_path: Path, pack: Pack, share: float) -> None:
    data = tarred({f"{n}.json": DATA[:100_000] for n in range(4)})
    path = written(tmp_path, pack(data[: int(len(data) * share)]))
    with pytest.raises(IndexBuildError, match=r"dump: (?:member|is a tar that is truncated)"):
        list(packed.lines(path))


@pytest.mark.parametrize(
    ("place", "value"),
    [pytest.param(3, b"X", id="checksum"), pytest.param(124, b"9zz", id="size"), pytest.param(148, b"zz", id="sum")],
)
def test_a_damaged_header_of_a_tar_is_an_error(tmp_path: Path, place: int, value: bytes) -> None:
    data = bytearray(tarred({"1.json": b'{"a": 1}\n', "2.json": b"{}\n"}))
    data[1024 + place : 1024 + place + len(value)] = value
    with pytest.raises(IndexBuildError, match="truncated or damaged"):
        list(packed.lines(written(tmp_path, bytes(data))))


def test_a_header_that_claims_gigabytes_is_refused(tmp_path: Path) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 2**33
    data = info.tobuf(tarfile.GNU_FORMAT) + b"\0" * 2048
    with pytest.raises(IndexBuildError, match="truncated or damaged"):
        list(packed.lines(written(tmp_path, data)))


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpack, "FREE_BYTES", 5_000_000)
    for name, pack in PACKS.items():
        if name != "plain":
            path = written(tmp_path, pack(b" " * 40_000_000))
            with pytest.raises(IndexBuildError, match="unpacks to more than 250 times"):
                list(packed.lines(path))


def test_one_endless_line_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_LINE", 3_000_000)
    data = b'{"a": 1}\n{"b": "' + b"x" * 9_000_000 + b'"}\n{"c": 3}\n'
    units = list(packed.lines(written(tmp_path, data)))
    kept = joined(units).split(b"\n")
    assert (kept[0], kept[2], len(kept)) == (b'{"a": 1}', b'{"c": 3}', 4)
    assert len(kept[1]) == packed.SHOWN


def test_an_endless_last_line_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_LINE", 3_000_000)
    units = list(packed.lines(written(tmp_path, b"x" * 9_000_000)))
    assert [len(unit.data or b"") for unit in units] == [packed.SHOWN]


@every_packing
def test_a_small_file_is_opened_where_it_is_read(tmp_path: Path, pack: Pack) -> None:
    (unit,) = packed.whole(written(tmp_path, pack(DATA)))
    assert unit.data is None
    assert packed.content(unit) == DATA


def test_what_is_too_large_to_read_at_once_is_refused(tmp_path: Path) -> None:
    (unit,) = packed.whole(written(tmp_path, gzip.compress(DATA)))
    with pytest.raises(IndexBuildError, match="more than 1,000 bytes"):
        packed.content(unit, limit=1_000)


def test_a_tar_is_no_small_file(tmp_path: Path) -> None:
    (unit,) = packed.whole(written(tmp_path, tarred({"1.json": b"{}"})))
    with pytest.raises(IndexBuildError, match="is a tar"):
        packed.content(unit)


def test_progress_counts_packed_bytes(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(DATA))
    seen: list[int] = []
    with packed.watched(lambda where, taken: seen.append(taken) if where == path else None):
        list(packed.lines(path))
    assert seen == sorted(seen)
    assert seen[-1] == path.stat().st_size
    list(packed.lines(path))
    assert seen[-1] == path.stat().st_size


@given(st.data())
def test_any_bytes_are_lines_or_a_named_error(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    body = bytearray(data.draw(st.sampled_from(SEEDS)))
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(body)))
        body[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    path.write_bytes(body)
    try:
        units = list(packed.lines(path))
    except IndexBuildError as error:
        units = []
        named = str(error)
    else:
        named = str(path)
    assert str(path) in named
    assert all(unit.data for unit in units)


SEEDS = [b"", *(pack(b'{"a": 1}\n{"b": 2}\n') for pack in PACKS.values())]
SEEDS += [pack(tarred({"1.json.gz": gzip.compress(b'{"a": 1}\n'), "2": b"{}"})) for pack in PACKS.values()]
