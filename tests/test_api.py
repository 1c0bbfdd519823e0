"""The Python doors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

import citeaudit
from citeaudit import api, settings
from citeaudit.agents.toolbox import Event
from citeaudit.api import extract
from citeaudit.errors import ConfigError, IndexBuildError, UnreadableDocumentError, UsageError
from citeaudit.model import Status
from tests.index.build import built
from tests.index.work import quick_folder

REFERENCE = (
    "[1] C. E. Shannon. A mathematical theory of communication. Bell System Technical Journal, 27:379-423, 1948.\n"
)


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    file = tmp_path / "list.txt"
    file.write_text(REFERENCE, encoding="utf-8")
    return file


def test_check_is_the_door_without_a_loop(listed: Path) -> None:
    events: list[Event] = []
    audit = citeaudit.check(listed, offline=True, tell=events.append)
    assert audit.counts[Status.VERIFIED] == 1
    assert audit.coverage == 1.0
    assert audit.offline
    assert {event.document for event in events} == {str(listed)}


def test_audit_is_the_door_within_one(listed: Path) -> None:
    async def both() -> None:
        one = await citeaudit.audit(listed, settings=settings.load(preset="offline"))
        several = await citeaudit.audit_all([str(listed), "gone.txt"], settings=settings.load(preset="offline"))
        assert several[0] == one.model_copy(
            update={key: getattr(several[0], key) for key in ("verdicts", "started_at", "finished_at")}
        )
        assert isinstance(several[1], citeaudit.Unreadable)

    anyio.run(both)


def test_extract_looks_nothing_up(listed: Path) -> None:
    extraction = extract(listed)
    assert extraction.path == str(listed)
    assert extraction.references[0].year == 1948


def test_a_document_that_cannot_be_read_is_an_error_here(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocumentError, match="is a folder"):
        citeaudit.check(tmp_path, offline=True)
    with pytest.raises(UnreadableDocumentError, match="no such file"):
        citeaudit.check(tmp_path / "gone.pdf", offline=True)
    odd = tmp_path / "sheet.xlsx"
    odd.write_bytes(b"PK\x03\x04")
    with pytest.raises(UnreadableDocumentError, match=r"no reader takes \.xlsx files; known: .*\.pdf"):
        extract(odd)


def test_settings_come_from_one_side_only(listed: Path) -> None:
    with pytest.raises(UsageError, match="not both: offline"):
        citeaudit.check(listed, settings=settings.load(), offline=True)


def test_a_folder_that_is_no_index_is_told_before_the_work(listed: Path, tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match="no-index"):
        citeaudit.check(listed, offline=True, indexes=(str(tmp_path / "no-index"),))


def test_an_unknown_source_lists_the_known_ones(listed: Path) -> None:
    with pytest.raises(ConfigError, match=r"sources\.nope: unknown source; known: arxiv, crossref, example"):
        citeaudit.check(listed, sources={"nope": {"base_url": "http://127.0.0.1:1"}})


def test_a_source_without_an_address_is_not_asked(listed: Path) -> None:
    audit = citeaudit.check(listed, sources={"example": {}})
    assert [health.source for health in audit.health] == ["starter"]


def test_a_source_that_is_down_is_said_and_accuses_nobody(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("[1] Nora Nobody. A title that nobody has printed anywhere. 2001.\n", encoding="utf-8")
    audit = citeaudit.check(file, sources={"example": {"base_url": "http://127.0.0.1:9"}})
    assert audit.verdicts[0].status is Status.UNDECIDED
    assert audit.verdicts[0].outage
    assert [health.failures for health in audit.health if health.source == "example"] == [("NETWORK",)]


def test_check_works_inside_a_running_loop_as_notebooks_have_one(listed: Path) -> None:
    async def cell() -> int:
        return len(citeaudit.check(listed, offline=True).verdicts)

    assert anyio.run(cell) == 1


def test_answers_of_another_address_are_remembered_apart(tmp_path: Path) -> None:
    """What a mirror said must not stand for the service itself."""
    public = settings.load(flags={"sources": {"crossref": {"enabled": True}}})
    mirror = settings.load(flags={"sources": {"crossref": {"enabled": True, "base_url": "http://127.0.0.1:9"}}})
    ((first,), (second,)) = (api.make_sources(one) for one in (public, mirror))
    assert first.version != second.version
    del tmp_path


def test_a_policy_that_counts_no_rule_is_refused(listed: Path) -> None:
    with pytest.raises(ConfigError, match=r"policy: unknown rule bogus"):
        citeaudit.check(listed, offline=True, policy={"counted": ["title_plural", "bogus"]})


@pytest.mark.parametrize("url", ["http://xn--0/", "http://[::1", "http://127.0.0.1:99999"])
def test_an_address_that_cannot_be_one_is_told_at_start(listed: Path, url: str) -> None:
    with pytest.raises(ConfigError, match=r"sources\.example\.base_url"):
        citeaudit.check(listed, sources={"example": {"base_url": url}})


@pytest.mark.parametrize(
    ("names", "told"),
    [
        pytest.param(["mine"], ["mine"], id="own"),
        pytest.param(["crossref", "arxiv"], ["crossref (index)", "arxiv (index)"], id="service"),
        pytest.param(["Crossref"], ["Crossref (index)"], id="letters"),
        pytest.param(["mine", "mine", "mine"], ["mine", "mine (index)", "mine (index 2)"], id="each-other"),
        pytest.param(["starter"], ["starter (index)"], id="starter"),
    ],
)
def test_no_two_indexes_or_services_have_one_name(
    listed: Path, tmp_path: Path, names: list[str], told: list[str]
) -> None:
    folders = []
    for place, name in enumerate(names):
        (tmp_path / str(place)).mkdir()
        folder = built(tmp_path / str(place))
        manifest = json.loads((folder / "index.json").read_bytes())
        (folder / "index.json").write_text(json.dumps(manifest | {"name": name}), encoding="utf-8")
        folders.append(str(folder))
    audit = citeaudit.check(listed, offline=True, indexes=("starter", *folders))
    assert {lookup.source for lookup in audit.verdicts[0].evidence.lookups} == {"starter", *told}
    assert {one.source for one in audit.health} == {"starter", *told}
    assert {f"index {name}" for name in ("starter", *told)} < audit.versions.keys()


def test_an_index_that_cannot_be_opened_has_no_age(listed: Path, tmp_path: Path) -> None:
    folder = built(tmp_path)
    (folder / "index.json").write_text("{", encoding="utf-8")
    audit = citeaudit.check(listed, offline=True, indexes=(str(folder),))
    assert audit.versions[f"index {folder.name}"] == "at an unknown time"


@pytest.mark.parametrize("name", ["nosuch", "x" * 300, "no/such"])
def test_a_name_that_is_no_index_says_where_was_looked(listed: Path, name: str) -> None:
    with pytest.raises(IndexBuildError, match="no such folder, and no index of that name in the data directory"):
        citeaudit.check(listed, offline=True, indexes=(name,))


DENIED = """
import os, sys
from pathlib import Path
from citeaudit.cli.main import main
call = ["check", sys.argv[1], "--offline", "-q", "--index", sys.argv[2], "--format", "markdown"]
main([*call, "-o", f"{sys.argv[1]}.md"])  # the interpreter's own files may be closed to others, too
(Path(sys.argv[2]) / sys.argv[3]).chmod(0)
os.setgid(65534), os.setuid(65534)
sys.exit(main(call))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("locked", [".", "index.json", "parts", "parts/000001/works.db"])
def test_an_index_that_may_not_be_read_is_no_answer_and_no_traceback(locked: str) -> None:
    with quick_folder() as root:  # the folders of pytest are closed to others
        root.chmod(0o755)
        (root / "refs.txt").write_text("[1] Nora Nobody. A title that nobody has printed anywhere. 2001.\n")
        folder = built(root)
        done = subprocess.run(
            [sys.executable, "-c", DENIED, str(root / "refs.txt"), str(folder), locked],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ | {f"XDG_{one}_HOME": f"{root}/{one}" for one in ("CACHE", "CONFIG", "DATA")},
            cwd=root,
        )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    for told in (done.stdout, done.stderr):
        assert "no permission to read" in told
        assert "build it again" not in told
        assert "connection" not in told
