"""Where dumps live: every kind of list is read in its documented form, and in no other."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from citeaudit.errors import MalformedAnswerError, SourceError, SourceUnavailableError, UsageError
from citeaudit.index.catalogue import Dump, Plan, _links, find, load
from citeaudit.index.getting import Order, Outcome, get, look
from citeaudit.net.client import check_address
from citeaudit.settings import addresses, presets
from tests.services.depot import MODIFIED, PAGE, Depot, Mishap, depot
from tests.services.quick import QUICK

KEY = SecretStr("s3cret-key")
BODY = b"\x1f\x8b" + b"any bytes" * 300
MANIFEST = "/data/jsonl/works/manifest.json"


@pytest.fixture
def shop() -> Iterator[Depot]:
    with depot() as kept:
        yield kept


def order(name: str, shop: Depot, folder: Path, **options: Any) -> Order:
    return Order(dump=find(name), folder=folder, base_url=shop.url, means=QUICK, limits={}, **options)


def plan(name: str, shop: Depot, folder: Path, **options: Any) -> Plan:
    return anyio.run(look, order(name, shop, folder, **options)).plan


def bring(name: str, shop: Depot, folder: Path, **options: Any) -> Outcome:
    return anyio.run(get, order(name, shop, folder, **options))


def put_json(shop: Depot, path: str, value: object) -> None:
    shop.put(path, json.dumps(value).encode(), media_type="application/json")


def put_folder(
    shop: Depot, folder: str, names: list[str], *, form: str = '<a href="{0}">{0}</a>  2026-01-29  19M'
) -> None:
    links = "\n".join(form.format(name) for name in names)
    page = f"<html><title>Index of /{folder}</title><pre><a href='../'>Parent</a>\n{links}\n</pre></html>"
    shop.put(f"/{folder}/", page.encode(), media_type="text/html;charset=UTF-8")
    for name in names:
        shop.put(f"/{folder}/{name}", BODY + name.encode())
        shop.put_digest(f"/{folder}/{name}", BODY + name.encode(), "MD5({1})= {0}\n")


def put_pubmed(shop: Depot, baseline: int = 3, updates: int = 2) -> list[str]:
    first = [f"pubmed26n{number:04}.xml.gz" for number in range(1, baseline + 1)]
    later = [f"pubmed26n{number:04}.xml.gz" for number in range(baseline + 1, baseline + updates + 1)]
    put_folder(shop, "baseline", first)
    put_folder(shop, "updatefiles", later)
    return [*(f"baseline/{name}" for name in first), *(f"updatefiles/{name}" for name in later)]


def put_manifest(shop: Depot, names: list[str], key: str = "files", **meta: Any) -> None:
    entries = []
    for name in names:
        shop.put(f"/data/jsonl/works/{name}", BODY + name.encode())
        size = {"content_length": len(BODY) + len(name), "record_count": 10}
        entries.append({"url": f"s3://openalex/data/jsonl/works/{name}", "meta": size | meta})
    put_json(shop, MANIFEST, {"date": "2026-06-25", "entity": "works", key: entries})


def put_release(shop: Depot, names: list[str], release: str = "2026-09-17") -> None:
    put_json(shop, "/release/latest", {"release_id": release, "README": "...", "datasets": []})
    signed = [f"{shop.url}/bucket/{name}?X-Amz-Signature=s1gned%2F{name}" for name in names]
    put_json(shop, f"/release/{release}/dataset/papers", {"name": "papers", "README": "...", "files": signed})
    for name in names:
        shop.put(f"/bucket/{name}", BODY + release.encode())


# the table


@pytest.mark.parametrize("name", list(load()))
def test_every_row_says_what_a_person_must_know(name: str) -> None:
    dump = find(name)
    assert dump.what.endswith(".")
    assert dump.licence
    assert dump.assumed.endswith(".")
    assert dump.terms.startswith("https://")
    assert date(2025, 1, 1) < dump.as_of <= date(2027, 1, 1)
    if dump.base_url is not None:
        check_address(dump.base_url)
        assert dump.base_url.startswith("https://")


def test_rows_are_no_presets_and_no_services() -> None:
    assert "dumps" not in presets()
    assert {dump.way.source for dump in load().values() if dump.way.kind == "api"} <= set(addresses())


def test_unknown_name_is_told_with_those_that_are_known() -> None:
    with pytest.raises(UsageError, match="unknown dump 'dplb'; known: dblp, acl"):
        find("dplb")


@pytest.mark.parametrize(
    "change",
    [
        {"colour": "red"},
        {"size_bytes": 0},
        {"way": {"kind": "magic"}},
        {"way": {"kind": "files", "base_url": "https://example.org", "files": []}},
        {"way": {"kind": "files", "base_url": "https://e.org", "files": [{"path": "a", "name": "../a"}]}},
    ],
    ids=["unknown-key", "no-size", "unknown-way", "no-files", "name-that-leads-away"],
)
def test_row_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    good = find("dblp").model_dump()
    Dump.model_validate(good)
    with pytest.raises(ValidationError):
        Dump.model_validate(good | change)


# fixed addresses


@pytest.mark.parametrize(
    ("name", "path", "body"),
    [
        pytest.param("acl", "/master", BODY, id="acl"),
        pytest.param("retraction-watch", "/retraction_watch.csv", b"Record ID,Title\n1,A\n", id="retraction-watch"),
        pytest.param("dblp", "/dblp.xml.gz", BODY, id="dblp"),
    ],
)
def test_file_at_a_fixed_address(shop: Depot, tmp_path: Path, name: str, path: str, body: bytes) -> None:
    shop.put(path, body, modified=MODIFIED)
    shop.put_digest(path, body)
    outcome = bring(name, shop, tmp_path)
    assert [each.read_bytes() for each in outcome.tally.paths] == [body]
    assert (outcome.path, outcome.day, outcome.outdated) == (outcome.tally.paths[0], date(2026, 2, 2), ())


# folders on the web


def test_folder_of_hundreds_of_which_some_are_here(shop: Depot, tmp_path: Path) -> None:
    put_pubmed(shop, 5, 0)
    put_folder(shop, "updatefiles", ["pubmed26n0300.xml.gz"])
    assert bring("pubmed", shop, tmp_path).tally.fetched == 6
    names = put_pubmed(shop, 150, 60)
    assert anyio.run(look, order("pubmed", shop, tmp_path)).there == 5
    shop.asked.clear()
    outcome = bring("pubmed", shop, tmp_path)
    assert (outcome.tally.fetched, outcome.tally.kept) == (205, 5)
    assert [str(path.relative_to(tmp_path)) for path in outcome.tally.paths] == names
    assert "/baseline/pubmed26n0001.xml.gz" not in shop.paths()
    assert outcome.outdated == ("updatefiles/pubmed26n0300.xml.gz",)
    assert all((tmp_path / name).read_bytes() == BODY + name.rpartition("/")[2].encode() for name in names)


@pytest.mark.parametrize(
    "form",
    [
        '<a href="{0}">{0}</a>',
        "<A HREF='{0}'>{0}</A>",
        '<td><a class="x" href = "./{0}">link</a>',
        '<a href="/baseline/{0}">{0}</a>',
    ],
    ids=["plain", "capitals", "table", "absolute"],
)
def test_page_of_links_in_the_ways_servers_write_them(shop: Depot, tmp_path: Path, form: str) -> None:
    put_pubmed(shop)
    put_folder(shop, "baseline", ["pubmed26n0001.xml.gz"], form=form)
    wanted = plan("pubmed", shop, tmp_path).wanted
    assert wanted[0].url == f"{shop.url}/baseline/pubmed26n0001.xml.gz"
    assert wanted[0].digest_url == f"{wanted[0].url}.md5"


@pytest.mark.parametrize(
    "link",
    [
        "../pubmed26n0001.xml.gz",
        "../../etc/pubmed26n0001.xml.gz",
        "sub/pubmed26n0001.xml.gz",
        "https://example.org/pubmed26n0001.xml.gz",
        "//example.org/pubmed26n0001.xml.gz",
        "http://[x/pubmed26n0001.xml.gz",
        "pubmed26n0001.xml.gz.md5",
        "pubmed26n0001.xml.gz?x=1",
        "xpubmed26n0001.xml.gz",
        "README.txt",
        "%2e%2e%2fpubmed26n0001.xml.gz",
    ],
)
def test_link_to_anything_else_is_passed_over(shop: Depot, tmp_path: Path, link: str) -> None:
    put_pubmed(shop)
    put_folder(shop, "baseline", [link])
    with pytest.raises(MalformedAnswerError, match="page of baseline lists 0 files"):
        plan("pubmed", shop, tmp_path)


def test_page_that_asks_for_a_person_is_no_empty_folder(shop: Depot, tmp_path: Path) -> None:
    shop.put("/baseline/", PAGE, media_type="text/html")
    with pytest.raises(MalformedAnswerError, match="lists 0 files"):
        bring("pubmed", shop, tmp_path)


@given(st.text())
def test_any_page_gives_names_below_it_or_none(page: str) -> None:
    for name in _links(page, "https://example.org/a/"):
        assert isinstance(name, str)


def test_page_of_brackets_takes_no_time() -> None:
    assert list(_links("<a href=" * 500_000, "https://example.org/")) == []


# lists of a bucket


@pytest.mark.parametrize("key", ["files", "entries"], ids=["since-2026", "before"])
def test_manifest_gives_addresses_sizes_and_records(shop: Depot, tmp_path: Path, key: str) -> None:
    names = ["updated_date=2026-06-24/part_0001.gz", "updated_date=2026-06-24/part_0000.gz"]
    put_manifest(shop, names, key)
    today = plan("openalex", shop, tmp_path)
    assert (today.records, today.day, today.size) == (20, date(2026, 6, 25), 2 * len(BODY) + 2 * len(names[0]))
    outcome = bring("openalex", shop, tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in outcome.tally.paths] == sorted(names)
    assert outcome.day == date(2026, 6, 25)
    shop.asked.clear()
    assert bring("openalex", shop, tmp_path).tally.kept == 2
    assert shop.paths() == [MANIFEST]


def test_size_that_is_not_as_listed_is_refused(shop: Depot, tmp_path: Path) -> None:
    put_manifest(shop, ["part_0000.gz"], content_length=7)
    with pytest.raises(MalformedAnswerError, match="7 by the list of files"):
        bring("openalex", shop, tmp_path)


@pytest.mark.parametrize(
    "url",
    [
        "s3://openalex/data/jsonl/works/../../../etc/passwd",
        "s3://openalex/data/jsonl/works//etc/passwd",
        "s3://openalex/data/jsonl/works/.hidden.gz",
        "s3://openalex/data/jsonl/works/",
        "s3://openalex/data/jsonl/works/a b.gz",
        "s3://openalex/data/jsonl/authors/part_0000.gz",
        "s3://elsewhere/data/jsonl/works/part_0000.gz",
        "https://example.org/part_0000.gz",
        "",
    ],
)
def test_list_that_leads_elsewhere_is_refused(shop: Depot, tmp_path: Path, url: str) -> None:
    put_json(shop, MANIFEST, {"files": [{"url": url, "meta": {"content_length": 1}}]})
    with pytest.raises(MalformedAnswerError, match="where none is expected"):
        plan("openalex", shop, tmp_path)


@pytest.mark.parametrize(
    "body",
    [
        PAGE,
        b"",
        b"[]",
        b"{}",
        b'{"files": []}',
        b'{"files": [{"url": 1}]}',
        b'{"files": [{"url": "s3://openalex/data/jsonl/works/a.gz"}]}',
        b'{"files": [{"url": "s3://openalex/data/jsonl/works/a.gz", "meta": {"content_length": -1}}]}',
        b"[" * 200_000,
    ],
    ids=["page", "nothing", "list", "object", "no-files", "number", "no-size", "less-than-nothing", "deep"],
)
def test_list_in_another_form_is_no_dump(shop: Depot, tmp_path: Path, body: bytes) -> None:
    shop.put(MANIFEST, body)
    with pytest.raises(MalformedAnswerError, match="list of files"):
        plan("openalex", shop, tmp_path)


def test_list_that_never_ends_is_cut_short(shop: Depot, tmp_path: Path) -> None:
    shop.put(MANIFEST, b" " * 9_000_000)
    with pytest.raises(MalformedAnswerError, match="more than 8,000,000 bytes"):
        plan("openalex", shop, tmp_path)


# signed addresses


def test_signed_addresses_are_asked_for_with_the_key_and_used_without(
    shop: Depot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    put_release(shop, ["20260917_0001.gz", "20260917_0000.gz"])
    outcome = bring("s2", shop, tmp_path, key=KEY)
    assert outcome.path == tmp_path / "2026-09-17"
    assert [path.name for path in outcome.tally.paths] == ["20260917_0000.gz", "20260917_0001.gz"]
    assert outcome.day == date(2026, 9, 17)
    for one in shop.asked:
        assert ("x-api-key" in one.headers) is one.path.startswith("/release/")
        assert one.path.startswith("/release/") or one.query.startswith("X-Amz-Signature=s1gned%2F")
    assert "s3cret" not in caplog.text
    assert "s1gned" not in caplog.text
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or not {b"s3cret", b"s1gned"} & set(path.read_bytes().split(b'"'))


def test_files_of_another_release_are_other_files(shop: Depot, tmp_path: Path) -> None:
    put_release(shop, ["0000.gz"])
    bring("s2", shop, tmp_path, key=KEY)
    assert bring("s2", shop, tmp_path, key=KEY).tally.kept == 1
    put_release(shop, ["0000.gz"], "2026-09-24")
    outcome = bring("s2", shop, tmp_path, key=KEY)
    assert (outcome.tally.fetched, outcome.outdated) == (1, ())
    assert outcome.tally.paths[0].read_bytes().endswith(b"2026-09-24")


@pytest.mark.parametrize("key", [None, SecretStr("")], ids=["none", "empty"])
def test_without_a_key_nothing_is_asked(shop: Depot, tmp_path: Path, key: SecretStr | None) -> None:
    with pytest.raises(UsageError, match=r"sources\.semantic_scholar\.api_key .* CITEAUDIT_SOURCES__SEMANTIC_SCHOLAR"):
        bring("s2", shop, tmp_path, key=key)
    assert not shop.asked


@pytest.mark.parametrize("status", [401, 403, 500])
def test_refused_key_is_told_without_it(shop: Depot, tmp_path: Path, status: int) -> None:
    shop.mishaps["/release/latest"] = [Mishap(status, b'{"message": "s3cret-key"}') for _ in range(5)]
    with pytest.raises(SourceUnavailableError) as caught:
        bring("s2", shop, tmp_path, key=KEY)
    assert "s3cret" not in str(caught.value)


def test_key_does_not_go_along_with_a_redirect(shop: Depot, tmp_path: Path) -> None:
    with depot() as other:
        shop.mishaps["/release/latest"] = [Mishap(302, headers=(("Location", f"{other.url}/release/latest"),))]
        with pytest.raises(SourceError):
            bring("s2", shop, tmp_path, key=KEY)
        assert not other.asked


def test_signed_address_on_a_machine_that_is_not_public_is_refused(shop: Depot, tmp_path: Path) -> None:
    with depot() as other:
        put_release(shop, [])
        there = f"{other.url}/0000.gz?X-Amz-Signature=s1gned"
        put_json(shop, "/release/2026-09-17/dataset/papers", {"files": [there]})
        with pytest.raises(SourceUnavailableError, match="not one that may be asked") as caught:
            bring("s2", shop, tmp_path, key=KEY)
        assert not other.asked
        assert "s1gned" not in str(caught.value)


@pytest.mark.parametrize(
    ("release", "dataset"),
    [
        pytest.param([], {}, id="list"),
        pytest.param({"release_id": ".."}, {"files": ["https://e.org/a.gz"]}, id="release-above"),
        pytest.param({"release_id": "2026-09-17/../x"}, {"files": ["https://e.org/a.gz"]}, id="release-elsewhere"),
        pytest.param({"release_id": "2026-09-17"}, {"error": "no"}, id="no-files"),
        pytest.param({"release_id": "2026-09-17"}, {"files": [1]}, id="numbers"),
        pytest.param({"release_id": "2026-09-17"}, {"files": []}, id="empty"),
        pytest.param({"release_id": "2026-09-17"}, {"files": ["https://e.org/"]}, id="no-name"),
        pytest.param({"release_id": "2026-09-17"}, {"files": ["https://e.org/a%2F..%2F.b"]}, id="name-that-leads-away"),
        pytest.param({"release_id": "2026-09-17"}, {"files": ["https://[x/a.gz"]}, id="no-address"),
    ],
)
def test_service_that_answers_in_another_form_gives_no_dump(
    shop: Depot, tmp_path: Path, release: object, dataset: object
) -> None:
    put_json(shop, "/release/latest", release)
    put_json(shop, "/release/2026-09-17/dataset/papers", dataset)
    with pytest.raises(MalformedAnswerError):
        plan("s2", shop, tmp_path, key=KEY)
    assert all(one.path in {"/release/latest", "/release/2026-09-17/dataset/papers"} for one in shop.asked)


@pytest.mark.parametrize("name", ["crossref", "arxiv", "datacite"])
def test_dump_for_a_person_is_not_fetched(shop: Depot, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be fetched by a program"):
        bring(name, shop, tmp_path)
    assert not shop.asked
