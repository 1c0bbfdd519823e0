"""The file of decisions: only ever added to, whole lines, two writers at once, damage told and never spread."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from citeaudit.decisions.fingerprint import fingerprint
from citeaudit.decisions.store import MAX_BYTES, MAX_REASON, Decisions, Store, dump, parse
from citeaudit.errors import ConfigError
from citeaudit.model import Decision, Reference, Ruling
from tests.match.build import cite

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
ONE = cite("On the quiet growth of dune grasses", "Ada Roe; Bo Li", 2001)
TWO = cite("A calculus for elastic shells", "Di Fox", 1980)


def decided(reference: Reference = ONE, ruling: Ruling = Ruling.KNOWN_GOOD, **fields: Any) -> Decision:
    mark = fingerprint(reference)
    assert mark is not None
    values = {"reason": "read in print", "decided_at": NOON, "about": "Roe. 2001", **fields}
    return Decision(fingerprint=mark, ruling=ruling, **values)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "new" / "folder" / "decisions.jsonl")


def test_what_is_kept_is_found_again(store: Store) -> None:
    assert list(store.read()) == []
    kept = decided(by="Ed")
    store.add([kept])
    held = store.read()
    assert (list(held), held.damage, len(held)) == ([kept], None, 1)
    assert held.find(ONE) == kept
    assert held.find(TWO) is None
    assert held.find(cite(ONE.title, "Nora Nobody; Ned Nowhere", 2001)) is None
    assert held.find(cite(None, "", None)) is None


def test_full_names_reach_initials_and_the_closer_one_wins(store: Store) -> None:
    short = cite(ONE.title, "A. Roe; B. Li", 2001)
    store.add([decided(reason="full")])
    assert store.read().find(short) == decided(reason="full")
    store.add([decided(short, reason="short")])
    store.add([decided(reason="full again")])
    held = store.read()
    assert held.find(short) == decided(short, reason="short")
    assert held.find(ONE) == decided(reason="full again")
    third = cite(ONE.title, "Anna Roe; Ben Li", 2001)
    assert held.find(third) is None


def test_of_two_on_fuller_names_the_later_holds(store: Store) -> None:
    store.add([decided(reason="earlier"), decided(cite(ONE.title, "Anna Roe; Ben Li", 2001), reason="later")])
    found = store.read().find(cite(ONE.title, "A. Roe; B. Li", 2001))
    assert found is not None
    assert found.reason == "later"


def test_the_last_decision_holds_and_earlier_lines_stay(store: Store) -> None:
    store.add([decided()])
    store.add([decided(ruling=Ruling.NOT_CHECKABLE, reason="a leaflet")])
    assert [one.ruling for one in store.read()] == [Ruling.NOT_CHECKABLE]
    assert len(store.path.read_text().splitlines()) == 2


def test_wrong_records_add_up(store: Store) -> None:
    rulings = [decided(ruling=Ruling.WRONG_RECORD, record=("dblp", name)) for name in ("a", "b", "a")]
    store.add(rulings)
    (held,) = store.read()
    assert held.records == {("dblp", "a"), ("dblp", "b")}
    assert held.record == ("dblp", "a")
    assert parse(dump([held]).encode(), "x").find(ONE) == held
    store.add([held])
    assert [one.records for one in store.read()] == [held.records]
    store.add([decided()])
    assert [one.records for one in store.read()] == [frozenset()]


def test_taking_back_adds_a_line(store: Store) -> None:
    kept = decided()
    store.add([kept, decided(TWO)])
    store.remove(kept, reason="it was another edition", at=NOON, by="Ed")
    assert [one.fingerprint for one in store.read()] == [decided(TWO).fingerprint]
    last = json.loads(store.path.read_text().splitlines()[-1])
    assert (last["ruling"], last["reason"], last["by"], last["about"]) == (
        "removed",
        "it was another edition",
        "Ed",
        "Roe. 2001",
    )
    store.add([kept])
    assert store.read().find(ONE) == kept


def test_decisions_are_named_by_the_beginning_of_their_fingerprint() -> None:
    held = Decisions([decided(), decided(TWO)])
    assert held.named(decided().fingerprint) == (decided(),)
    assert held.named(decided(TWO).fingerprint[:12]) == (decided(TWO),)
    assert len(held.named("1-")) == 2
    assert held.named("") == ()
    assert held.named("2-") == ()


DAMAGE = [
    pytest.param(b"<<<<<<< ours", id="merge-marker"),
    pytest.param(b'{"form":1,"finger', id="cut-off"),
    pytest.param(b"\xff\xfe\x00", id="no-utf-8"),
    pytest.param(b"[]", id="no-object"),
]


@pytest.mark.parametrize("line", DAMAGE)
def test_a_damaged_line_costs_only_itself(store: Store, line: bytes) -> None:
    store.add([decided()])
    with store.path.open("ab") as stream:
        stream.write(line)
    before = store.path.read_bytes()
    store.add([decided(TWO)])
    held = store.read()
    assert [one.fingerprint for one in held] == [decided().fingerprint, decided(TWO).fingerprint]
    told = "line 2 cannot be read as a decision; it is passed over and stays in the file, mend it by hand"
    assert held.damage == f"{store.path}: {told}"
    assert store.path.read_bytes().startswith(before)


CHANGES = [
    pytest.param({"form": 2}, id="later-form"),
    pytest.param({"fingerprint": "1-abc"}, id="no-fingerprint"),
    pytest.param({"fingerprint": "2" + decided().fingerprint[1:]}, id="later-fingerprint"),
    pytest.param({"ruling": "fine"}, id="no-ruling"),
    pytest.param({"reason": "  "}, id="no-reason"),
    pytest.param({"decided_at": "2026-01-02T12:00:00"}, id="no-zone"),
    pytest.param({"decided_at": None}, id="no-time"),
    pytest.param({"record": ["dblp", "a"]}, id="a-record-without-the-ruling"),
    pytest.param({"ruling": "wrong record"}, id="the-ruling-without-a-record"),
    pytest.param({"mood": "good"}, id="unknown-key"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_no_whole_decision_is_damage(change: dict[str, object]) -> None:
    row = {**json.loads(dump([decided()])), **change}
    held = parse(json.dumps(row).encode(), "team.jsonl")
    assert list(held) == []
    assert (held.damage or "").startswith("team.jsonl: line 1 ")


def test_many_damaged_lines_are_counted() -> None:
    held = parse(b"\xef\xbb\xbf" + dump([decided()]).encode() + b"\n" + b"x\n" * 7, "team.jsonl")
    assert len(held) == 1
    assert held.damage == (
        "team.jsonl: lines 3, 4, 5, 6, 7 and 2 more cannot be read as a decision; they are passed over and stay in the"
        " file, mend it by hand"
    )


WRONG = [
    pytest.param({"reason": " "}, "reason", id="blank-reason"),
    pytest.param({"reason": "x" * (MAX_REASON + 1)}, "reason", id="endless-reason"),
    pytest.param({"decided_at": None}, "decided_at", id="no-time"),
    pytest.param({"decided_at": NOON.replace(tzinfo=None)}, "zone", id="no-zone"),
    pytest.param({"fingerprint": "raw-1"}, "fingerprint", id="no-fingerprint"),
    pytest.param({"record": ("a", "b")}, "record", id="record"),
]


@pytest.mark.parametrize(("fields", "told"), WRONG)
def test_what_is_not_whole_is_refused_and_nothing_is_written(store: Store, fields: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        store.add([decided(), decided().model_copy(update=fields)])
    assert not store.path.exists()


def test_reasons_stay_on_one_line(store: Store) -> None:
    store.add([decided(reason="two\n lines\u2028 of reason", about="a\nb")])
    assert len(store.path.read_bytes().splitlines()) == 1
    assert [(one.reason, one.about) for one in store.read()] == [("two lines of reason", "a b")]


def test_a_file_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    folder = Store(tmp_path)
    with pytest.raises(ConfigError, match="cannot be read"):
        folder.read()
    with pytest.raises(ConfigError, match="cannot be kept"):
        folder.add([decided()])
    below = tmp_path / "file"
    below.write_text("")
    with pytest.raises(ConfigError, match="cannot be kept"):
        Store(below / "decisions.jsonl").add([decided()])


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(ConfigError, match="64 MB"):
        Store(path).read()


def test_a_full_disk_leaves_the_file_as_it_was(store: Store) -> None:
    store.add([decided()])
    before = store.path.read_bytes()
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from citeaudit.decisions.store import Store, parse\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "path = Path(sys.argv[1])\n"
        "held = list(parse(path.read_bytes(), 'x'))\n"
        "size = path.stat().st_size + 50\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
        "Store(path).add(held)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(store.path)], capture_output=True, text=True, check=False)
    assert "the decision cannot be kept" in done.stderr
    assert store.path.read_bytes() == before


def test_two_processes_write_at_once(store: Store) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from citeaudit.decisions.store import Store, parse\n"
        "(one,) = parse(sys.argv[2].encode(), 'x')\n"
        "sys.stdin.readline()\n"
        "for number in range(25):\n"
        "    reason = f'{sys.argv[3]} {number} ' + 'x' * 900\n"
        "    Store(Path(sys.argv[1])).add([one.model_copy(update={'reason': reason})])\n"
    )
    line = dump([decided()])
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(store.path), line, name], stdin=subprocess.PIPE, text=True)
        for name in ("one", "two")
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0, 0]
    rows = [json.loads(text) for text in store.path.read_text().splitlines()]
    assert sorted(row["reason"].split(" x")[0] for row in rows) == sorted(
        f"{name} {number}" for name in ("one", "two") for number in range(25)
    )
    assert store.read().damage is None


def test_a_file_that_may_only_be_read_is_read(store: Store) -> None:
    store.add([decided()])
    store.path.chmod(0o444)
    assert len(store.read()) == 1


def test_times_keep_their_zone(store: Store) -> None:
    later = NOON.astimezone(tz=None) + timedelta(days=1)
    store.add([decided(decided_at=later)])
    assert [one.decided_at for one in store.read()] == [later]
