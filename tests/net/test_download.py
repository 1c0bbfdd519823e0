"""Files over a real port: whole or not at all, gone on with where they broke off, replaced by nothing else."""

from __future__ import annotations

import gzip
import logging
import random
import resource
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError, SourceUnavailableError, UsageError
from citeaudit.net import download as downloads
from citeaudit.net.client import Client, Means
from citeaudit.net.download import Download, Fetched, Wanted, read_digest
from citeaudit.net.part import Part, Version, is_whole_gzip
from citeaudit.net.wire import Caps
from tests.services.depot import MODIFIED, PAGE, Depot, Mishap, Stored, depot
from tests.services.moments import Clock
from tests.services.quick import skip
from tests.services.scripted import Reply, scripted

NAME = "works.xml.gz"
PATH = f"/{NAME}"


def packed(seed: int = 1, size: int = 150_000) -> bytes:
    """Give a gzip file of about that size."""
    return gzip.compress(random.Random(seed).randbytes(size), mtime=0)  # noqa: S311 - no secret


BODY, OTHER = packed(1), packed(2)


@pytest.fixture
def shop() -> Iterator[Depot]:
    with depot() as kept:
        yield kept


def fetch(
    shop: Depot, folder: Path, held: Fetched | None = None, clock: Clock | None = None, **options: Any
) -> Fetched:
    means = options.pop("means", None) or (
        Means(clock=clock, stopwatch=clock, sleep=clock.sleep) if clock else Means(sleep=skip)
    )
    heard: Callable[[int], None] | None = options.pop("heard", None)
    wanted: dict[str, Any] = {"source": "dump", "url": f"{shop.url}{PATH}", "name": NAME, "ceiling": 10**7} | options

    async def run() -> Fetched:
        async with Client(trusted={"dump": shop.url}, limits={}, means=means) as client:
            return await Download(client, means, heard).fetch(Wanted(**wanted), folder, held)

    return anyio.run(run)


def test_file_arrives_byte_for_byte_and_nothing_else_is_left(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    heard: list[int] = []
    got = fetch(shop, tmp_path / "deep" / "er", heard=heard.append)
    folder = tmp_path / "deep" / "er"
    assert (folder / NAME).read_bytes() == BODY
    assert [path.name for path in folder.iterdir()] == [NAME]
    assert (got.size, got.version.total, sum(heard)) == (len(BODY), len(BODY), len(BODY))
    assert shop.asked[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="by-its-tag"),
        pytest.param({"etag": "", "modified": MODIFIED}, id="by-its-date"),
        pytest.param({"etag": 'W/"weak"', "modified": MODIFIED}, id="weak-tag-and-date"),
    ],
)
def test_cut_in_the_middle_is_gone_on_with(shop: Depot, tmp_path: Path, options: dict[str, str]) -> None:
    shop.put(PATH, BODY, **options)
    shop.mishaps[PATH] = [Mishap(cut=70_000), Mishap(cut=50_000)]
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH) == ["", "bytes=70000-", "bytes=120000-"]


def test_more_cuts_than_attempts_are_no_obstacle_while_bytes_come(shop: Depot, tmp_path: Path) -> None:
    body = packed(3, 1_000_000)
    shop.put(PATH, body)
    shop.mishaps[PATH] = [Mishap(cut=80_000) for _ in range(12)]
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == body
    assert len(shop.asked) == 13


def test_next_run_goes_on_where_the_last_one_ended(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    shop.mishaps[PATH] = [Mishap(cut=100_000)] + [Mishap(503)] * 5
    with pytest.raises(SourceUnavailableError, match="server error"):
        fetch(shop, tmp_path)
    assert (tmp_path / f"{NAME}.part").read_bytes() == BODY[:100_000]
    assert not (tmp_path / NAME).exists()
    heard: list[int] = []
    fetch(shop, tmp_path, heard=heard.append)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH)[-1] == "bytes=100000-"
    assert sum(heard) == len(BODY) - 100_000


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(Stored(BODY, '"1"'), Stored(OTHER, '"2"'), id="changed"),
        pytest.param(Stored(BODY, "", MODIFIED), Stored(OTHER, "", MODIFIED.replace("10:", "11:")), id="changed-date"),
        pytest.param(Stored(BODY, '"1"', ranges=False), Stored(BODY, '"1"', ranges=False), id="no-ranges"),
        pytest.param(Stored(BODY), Stored(BODY), id="no-tag-and-no-date"),
        pytest.param(Stored(BODY, 'W/"1"'), Stored(BODY, 'W/"1"'), id="weak-tag"),
    ],
)
def test_what_cannot_be_gone_on_with_starts_afresh(shop: Depot, tmp_path: Path, first: Stored, second: Stored) -> None:
    shop.files[PATH] = first
    shop.mishaps[PATH] = [Mishap(cut=90_000, then=second)]
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == second.body


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param((("ETag", '"other"'), ("Content-Range", "bytes 90000-150022/150023")), id="other-tag"),
        pytest.param((("Content-Range", "bytes 90000-150022/777777"),), id="other-size"),
        pytest.param((("Content-Range", "bytes 1-150022/150023"),), id="other-place"),
        pytest.param((("Content-Range", "lines 3-4"),), id="no-range"),
        pytest.param((), id="nothing-said"),
    ],
)
def test_rest_that_is_not_of_the_same_file_is_never_appended(
    shop: Depot, tmp_path: Path, headers: tuple[tuple[str, str], ...]
) -> None:
    shop.put(PATH, BODY)
    kind = ("Content-Type", "application/octet-stream")
    shop.mishaps[PATH] = [Mishap(cut=90_000), Mishap(206, b"x" * 60_023, (kind, *headers))]
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH) == ["", "bytes=90000-", ""]


def test_part_that_was_whole_already_is_not_fetched_again(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    part = Part(tmp_path / NAME)
    part.begin(Version(etag=shop.files[PATH].etag, total=len(BODY)))
    with part.open() as append:
        append(BODY)
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert not shop.asked


def test_server_that_has_nothing_beyond_makes_it_whole(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    part = Part(tmp_path / NAME)
    part.begin(Version(etag=shop.files[PATH].etag))  # killed before the size was known
    with part.open() as append:
        append(BODY)
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH) == [f"bytes={len(BODY)}-"]


@pytest.mark.parametrize(
    "info", [None, b"", b"{", b"[1]", b'{"total": -4}'], ids=["none", "empty", "cut", "list", "less"]
)
def test_part_without_what_names_its_version_is_thrown_away(shop: Depot, tmp_path: Path, info: bytes | None) -> None:
    shop.put(PATH, BODY)
    (tmp_path / f"{NAME}.part").write_bytes(OTHER[:5000])
    if info is not None:
        (tmp_path / f"{NAME}.part.info").write_bytes(info)
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH) == [""]


# what may not take its place


WRONG = [
    pytest.param(Stored(PAGE, media_type="text/html; charset=utf-8"), "web page", id="page"),
    pytest.param(Stored(PAGE), "web page", id="page-of-another-type"),
    pytest.param(Stored(BODY, media_type="text/html"), "web page", id="called-a-page"),
    pytest.param(Stored(b'{"error": "no"}', media_type="application/json"), "error message", id="json"),
    pytest.param(Stored(b"<Error><Code>NoSuchKey</Code></Error>"), "error message", id="xml"),
    pytest.param(Stored(b"plain words"), "not packed", id="words"),
    pytest.param(Stored(b""), "not packed", id="nothing"),
    pytest.param(Stored(BODY, encoding="br"), "was not asked for", id="brotli"),
]


@pytest.mark.parametrize(("stored", "told"), WRONG)
def test_anything_else_replaces_neither_the_file_nor_its_part(
    shop: Depot, tmp_path: Path, stored: Stored, told: str
) -> None:
    (tmp_path / NAME).write_bytes(OTHER)
    shop.put(PATH, BODY)
    shop.mishaps[PATH] = [Mishap(cut=100_000, then=stored)]
    with pytest.raises(MalformedAnswerError, match=told):
        fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == OTHER
    assert (tmp_path / f"{NAME}.part").read_bytes() == BODY[:100_000]
    shop.put(PATH, BODY)
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH)[-1] == "bytes=100000-"


def test_page_in_place_of_the_rest_costs_nothing(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    said = (("Content-Range", "bytes 100000-102046/150023"), ("Content-Type", "text/html"))
    shop.mishaps[PATH] = [Mishap(cut=100_000), Mishap(206, PAGE, said)]
    with pytest.raises(MalformedAnswerError, match="in place of the rest"):
        fetch(shop, tmp_path)
    assert (tmp_path / f"{NAME}.part").read_bytes() == BODY[:100_000]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        pytest.param(b"\xef\xbb\xbfRecord ID,Title\n1,A\n", None, id="as-expected"),
        pytest.param(b"Name,Title\n1,A\n", "begin with Record ID", id="other-columns"),
        pytest.param(PAGE, "web page", id="page"),
        pytest.param(b"Record ID\0\n", "begin with", id="zeros"),
        pytest.param(BODY, "begin with", id="packed"),
    ],
)
def test_text_must_begin_as_such_a_text_does(shop: Depot, tmp_path: Path, body: bytes, told: str | None) -> None:
    shop.put("/a.csv", body)
    options: dict[str, Any] = {
        "url": f"{shop.url}/a.csv", "name": "a.csv", "holds": "text", "heading": "Record ID"
    }  # fmt: skip
    if told is None:
        fetch(shop, tmp_path, **options)
        assert (tmp_path / "a.csv").read_bytes() == body
        return
    with pytest.raises(MalformedAnswerError, match=told):
        fetch(shop, tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_packing_of_a_packed_file_may_be_called_that_of_the_answer(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY, encoding="x-gzip", media_type="application/xml")
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY


@pytest.mark.parametrize("form", ["{0}  {1}\n", "MD5({1})= {0}\n", "{0}"], ids=["md5sum", "openssl", "bare"])
def test_published_checksum_is_kept_to(shop: Depot, tmp_path: Path, form: str) -> None:
    shop.put(PATH, BODY)
    shop.put_digest(PATH, BODY, form)
    got = fetch(shop, tmp_path, digest_url=f"{shop.url}{PATH}.md5")
    assert got.digest.startswith("md5:")
    assert fetch(shop, tmp_path, got, digest_url=f"{shop.url}{PATH}.md5") is got
    assert shop.paths() == [f"{PATH}.md5", PATH, f"{PATH}.md5"]


def test_file_that_was_put_there_by_hand_is_taken_where_its_checksum_is_right(shop: Depot, tmp_path: Path) -> None:
    shop.put_digest(PATH, BODY)
    (tmp_path / NAME).write_bytes(BODY)
    assert fetch(shop, tmp_path, digest_url=f"{shop.url}{PATH}.md5").size == len(BODY)


def test_wrong_checksum_leaves_the_old_file_and_no_part(shop: Depot, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"old")
    shop.put(PATH, BODY)
    shop.put_digest(PATH, OTHER)
    heard: list[int] = []
    with pytest.raises(MalformedAnswerError, match="checksum is published, twice"):
        fetch(shop, tmp_path, digest_url=f"{shop.url}{PATH}.md5", heard=heard.append)
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    assert (tmp_path / NAME).read_bytes() == b"old"
    assert sum(heard) == 0


def test_file_that_is_published_anew_meanwhile_is_fetched_again(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    shop.put_digest(PATH, OTHER)
    shop.mishaps[PATH] = [Mishap(then=Stored(OTHER, '"2"'))]
    fetch(shop, tmp_path, digest_url=f"{shop.url}{PATH}.md5")
    assert (tmp_path / NAME).read_bytes() == OTHER


@pytest.mark.parametrize("body", [PAGE, b"", b"soon"], ids=["page", "empty", "words"])
def test_checksum_that_is_none_is_no_leave_to_do_without(shop: Depot, tmp_path: Path, body: bytes) -> None:
    shop.put(PATH, BODY)
    shop.put(f"{PATH}.md5", body)
    with pytest.raises(MalformedAnswerError, match="checksum is none"):
        fetch(shop, tmp_path, digest_url=f"{shop.url}{PATH}.md5")


@given(st.text())
def test_only_hexadecimal_words_of_the_right_length_are_checksums(text: str) -> None:
    found = read_digest(text)
    assert not found or found.partition(":")[2] in text.lower()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        pytest.param({"ceiling": 100_000}, "more than the 100,000", id="larger-than-it-can-be"),
        pytest.param({"size": 99}, "99 by the list", id="not-as-listed"),
    ],
)
def test_size_that_cannot_be_is_refused_before_anything_is_written(
    shop: Depot, tmp_path: Path, options: dict[str, Any], told: str
) -> None:
    shop.put(PATH, BODY)
    with pytest.raises(MalformedAnswerError, match=told):
        fetch(shop, tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_size_that_is_not_told_is_bounded_all_the_same(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY, tells_size=False)
    with pytest.raises(MalformedAnswerError, match="more than the 100,000"):
        fetch(shop, tmp_path, ceiling=100_000)
    assert not (tmp_path / NAME).exists()


def test_file_of_unknown_size_must_end_as_a_packed_file_does(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY, tells_size=False)
    shop.mishaps[PATH] = [Mishap(cut=100_000)]  # looks like the end, for the size was not told
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH) == ["", ""]


def test_text_of_unknown_size_must_end_where_a_line_does(shop: Depot, tmp_path: Path) -> None:
    lines = b"Record ID,Title\n" + b"12,Dusk\n" * 1000
    shop.put("/a.csv", lines, tells_size=False)
    shop.mishaps["/a.csv"] = [Mishap(cut=5003)]
    fetch(shop, tmp_path, url=f"{shop.url}/a.csv", name="a.csv", holds="text", heading="Record ID")
    assert (tmp_path / "a.csv").read_bytes() == lines
    assert len(shop.asked) == 2


@pytest.mark.parametrize(
    ("data", "is_whole"),
    [
        pytest.param(BODY, True, id="one"),
        pytest.param(BODY + OTHER, True, id="two-members"),
        pytest.param(BODY + b"\0" * 40_000, True, id="padded"),
        pytest.param(BODY[:-1], False, id="cut"),
        pytest.param(BODY + OTHER[:-9], False, id="second-cut"),
        pytest.param(BODY + b"no", False, id="something-after"),
        pytest.param(b"", False, id="empty"),
        pytest.param(gzip.compress(b"0" * 5_000_000), True, id="well-packed"),
    ],
)
def test_end_of_a_packed_file_is_told(tmp_path: Path, data: bytes, is_whole: bool) -> None:
    (tmp_path / "a.gz").write_bytes(data)
    assert is_whole_gzip(tmp_path / "a.gz") is is_whole


# servers that are busy, slow, or elsewhere


@pytest.mark.parametrize("status", [429, 503])
def test_wait_that_is_asked_for_is_kept(shop: Depot, tmp_path: Path, status: int) -> None:
    clock = Clock()
    shop.put(PATH, BODY)
    shop.mishaps[PATH] = [Mishap(status, headers=(("Retry-After", "7"),))]
    fetch(shop, tmp_path, clock=clock)
    assert max(clock.slept) == 7.0


def test_long_wait_is_kept_too_because_nobody_waits_for_a_dump(shop: Depot, tmp_path: Path) -> None:
    clock = Clock()
    shop.put(PATH, BODY)
    shop.mishaps[PATH] = [Mishap(429, headers=(("Retry-After", "300"),))]
    fetch(shop, tmp_path, clock=clock)
    assert max(clock.slept) == 300.0


@pytest.mark.parametrize(
    ("seconds", "times"), [pytest.param("3600", 1, id="an-hour"), pytest.param("500", 4, id="again-and-again")]
)
def test_wait_beyond_patience_is_for_the_user(shop: Depot, tmp_path: Path, seconds: str, times: int) -> None:
    clock = Clock()
    shop.mishaps[PATH] = [Mishap(429, headers=(("Retry-After", seconds),)) for _ in range(9)]
    with pytest.raises(SourceUnavailableError, match=f"wait for {int(seconds):,} s") as caught:
        fetch(shop, tmp_path, clock=clock)
    assert caught.value.kind is FailureKind.RATE_LIMITED
    assert len(shop.asked) == times


def test_silent_connection_is_given_up_and_gone_on_with(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    shop.mishaps[PATH] = [Mishap(stall=80_000)]
    fetch(shop, tmp_path, means=Means(Caps(silence_s=0.3), sleep=skip))
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH) == ["", "bytes=80000-"]


def test_connection_that_only_drips_is_given_up(shop: Depot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "WINDOW_S", 0.2)
    monkeypatch.setattr(downloads, "LEAST_BYTES", 10**6)
    monkeypatch.setattr(downloads, "GAIN_BYTES", 10**6)
    shop.put(PATH, packed(5, 400_000))
    shop.slow_s = 0.05
    with pytest.raises(SourceUnavailableError, match="fewer than") as caught:
        fetch(shop, tmp_path)
    assert caught.value.kind is FailureKind.TIMED_OUT


def test_file_that_keeps_breaking_off_ends(shop: Depot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "ROUNDS", 2)
    monkeypatch.setattr(downloads, "GAIN_BYTES", 1)
    shop.put(PATH, BODY)
    shop.mishaps[PATH] = [Mishap(cut=2000) for _ in range(99)]
    with pytest.raises(SourceUnavailableError, match="broke off 2 times"):
        fetch(shop, tmp_path)


@pytest.mark.parametrize(
    ("status", "error", "told"),
    [
        pytest.param(404, MalformedAnswerError, "is not there", id="missing"),
        pytest.param(410, MalformedAnswerError, "is not there", id="gone"),
        pytest.param(204, MalformedAnswerError, "unexpected status 204", id="no-content"),
        pytest.param(304, MalformedAnswerError, "unexpected status 304", id="unchanged-unasked"),
        pytest.param(206, MalformedAnswerError, "unexpected status 206", id="part-unasked"),
        pytest.param(401, SourceUnavailableError, "asks for a key", id="key"),
        pytest.param(403, SourceUnavailableError, "declined", id="forbidden"),
        pytest.param(500, SourceUnavailableError, "server error", id="broken"),
    ],
)
def test_status_that_is_no_file(shop: Depot, tmp_path: Path, status: int, error: type[SourceError], told: str) -> None:
    shop.mishaps[PATH] = [Mishap(status) for _ in range(5)]
    with pytest.raises(error, match=told):
        fetch(shop, tmp_path)
    assert not list(tmp_path.iterdir())


def test_redirect_within_the_address_the_user_set_is_followed_with_its_range(shop: Depot, tmp_path: Path) -> None:
    shop.put("/there", BODY)
    go = (("Location", "/there"),)
    shop.mishaps[PATH] = [Mishap(302, headers=go), Mishap(302, headers=go)]
    shop.mishaps["/there"] = [Mishap(cut=60_000)]
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges("/there") == ["", "bytes=60000-"]


@pytest.mark.parametrize(
    "where",
    ["http://localhost/x", "http://169.254.169.254/latest", "http://[::1]/x", "file:///etc/passwd", "http://[x"],
)
def test_redirect_to_what_is_not_public_is_refused(shop: Depot, tmp_path: Path, where: str) -> None:
    shop.mishaps[PATH] = [Mishap(302, headers=(("Location", where),))]
    with pytest.raises(SourceError):
        fetch(shop, tmp_path)
    assert shop.paths() == [PATH]
    assert not list(tmp_path.iterdir())


def test_redirect_to_another_port_of_this_machine_is_refused(shop: Depot, tmp_path: Path) -> None:
    with scripted(Reply(body=BODY)) as other:
        shop.mishaps[PATH] = [Mishap(302, headers=(("Location", f"{other.url}/x"),))]
        with pytest.raises(MalformedAnswerError, match="not followed"):
            fetch(shop, tmp_path)
        assert not other.asked


def test_address_that_nobody_trusts_is_not_asked(shop: Depot, tmp_path: Path) -> None:
    with scripted(Reply(body=BODY)) as other:
        with pytest.raises(SourceUnavailableError, match="not one that may be asked"):
            fetch(shop, tmp_path, url=f"{other.url}/x")
        assert not other.asked


def test_signature_in_an_address_stands_in_no_message_log_or_file(
    shop: Depot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    shop.put(PATH, BODY)
    shop.mishaps[PATH] = [Mishap(cut=70_000)] + [Mishap(500)] * 5
    with pytest.raises(SourceError) as caught:
        fetch(shop, tmp_path, url=f"{shop.url}{PATH}?X-Amz-Signature=s3cret%2F1")
    assert shop.asked[0].query == "X-Amz-Signature=s3cret%2F1"
    assert "s3cret" not in str(caught.value)
    assert "s3cret" not in caplog.text
    assert all(b"s3cret" not in path.read_bytes() for path in tmp_path.iterdir())


# what is there already


@pytest.mark.parametrize("options", [{}, {"etag": "", "modified": MODIFIED}], ids=["tag", "date"])
def test_unchanged_file_is_not_sent_again(shop: Depot, tmp_path: Path, options: dict[str, str]) -> None:
    shop.put(PATH, BODY, **options)
    held = fetch(shop, tmp_path)
    assert fetch(shop, tmp_path, held) is held
    shop.put(PATH, OTHER)
    assert fetch(shop, tmp_path, held) is not held
    assert (tmp_path / NAME).read_bytes() == OTHER


def test_full_disk_leaves_what_has_arrived_and_says_what_to_do(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    (tmp_path / NAME).write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(UsageError, match=r"cannot be written \(file too large\); make room .* run again"):
            fetch(shop, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert (tmp_path / NAME).read_bytes() == b"old"
    fetch(shop, tmp_path)
    assert (tmp_path / NAME).read_bytes() == BODY
    assert shop.ranges(PATH) == ["", "bytes=100000-"]


def test_file_that_does_not_fit_is_not_begun(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"bytes more and .* are free; make room"):
        Part(tmp_path / "not" / "yet" / NAME).check_room(10**18)


def test_planted_link_is_not_written_through(shop: Depot, tmp_path: Path) -> None:
    shop.put(PATH, BODY)
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    (tmp_path / f"{NAME}.part").symlink_to(victim)
    with pytest.raises(UsageError, match="cannot be written"):
        fetch(shop, tmp_path)
    assert victim.read_bytes() == b"mine"
