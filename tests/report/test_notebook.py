"""An audit in a notebook."""

from __future__ import annotations

import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import citeaudit
from citeaudit.model import Audit
from citeaudit.report.html import page
from citeaudit.report.notebook import show
from tests import samples
from tests.report.material import HOSTILE, full, hostile
from tests.report.test_html import Page


def test_an_audit_shows_itself_in_a_frame_without_scripts(tmp_path: Path) -> None:
    file = tmp_path / "x.bib"
    file.write_text("@article{key1, title = {A title of no work}, year = {2001}}\n", encoding="utf-8")
    audit = citeaudit.check(file, offline=True)
    told = audit._repr_html_()
    assert told == show(audit)
    ((tag, attrs),) = Page(told or "").tags
    assert tag == "iframe"
    assert attrs["srcdoc"] == page([audit], framed=True)
    assert attrs["sandbox"] == "allow-popups allow-popups-to-escape-sandbox"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_leaves_the_frame(text: str) -> None:
    told = show(hostile(text))
    assert [tag for tag, _ in Page(told).tags] == ["iframe"]
    assert unescape(told.partition('srcdoc="')[2].partition('"')[0]) == page([hostile(text)], framed=True)


def test_links_within_the_page_are_left_out_of_a_frame() -> None:
    assert 'href="#' in page([full()])
    assert 'href="#' not in page([full()], framed=True)


def test_without_reports_at_hand_it_is_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audit, "shown_by", None)
    assert samples.audit()._repr_html_() is None


def test_the_nouns_know_no_report() -> None:
    code = (
        "import sys, citeaudit.model\n"
        "assert citeaudit.model.Audit.shown_by is None\n"
        "sys.exit(any(name.startswith('citeaudit.report') for name in sys.modules))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
