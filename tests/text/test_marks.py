"""Marks in titles and the names of preprint servers."""

from __future__ import annotations

import pytest

from citeaudit.model import NoticeType
from citeaudit.text.marks import names_arxiv, names_server, title_mark

RETRACTION, WITHDRAWAL = NoticeType.RETRACTION, NoticeType.WITHDRAWAL


@pytest.mark.parametrize(
    ("title", "mark"),
    [
        ("RETRACTED: Moths", RETRACTION),
        ("Retracted: Moths", RETRACTION),
        ("RETRACTED ARTICLE: Moths", RETRACTION),
        ("[Retracted] Moths", RETRACTION),
        ("[RETRACTED ARTICLE] Moths", RETRACTION),
        ("(Retracted) Moths: more", None),
        ("RETRACTED – Moths", RETRACTION),
        ("WITHDRAWN: Moths", WITHDRAWAL),
        ("[Withdrawn] Moths", WITHDRAWAL),
        ("REMOVED: Moths", WITHDRAWAL),
        ("Retraction: Moths", None),
        ("Retraction Note to: Moths", None),
        ("Retracted papers: a survey", None),
        ("Retracted articles and their readers", None),
        ("Withdrawn behaviour in moths", None),
        ("Removed from the lamp: moths", None),
        ("Moths. RETRACTED: later", None),
        ("", None),
    ],
)
def test_title_mark(title: str, mark: NoticeType | None) -> None:
    assert title_mark(title) is mark


@pytest.mark.parametrize(
    ("venue", "arxiv", "server"),
    [
        ("arXiv preprint arXiv:1706.03762", True, False),
        ("ArXiv", True, False),
        ("CoRR", True, False),
        ("bioRxiv", False, True),
        ("SSRN Electronic Journal", False, True),
        ("Nature", False, False),
        ("Correspondence", False, False),
        ("", False, False),
        (None, False, False),
    ],
)
def test_preprint_servers(venue: str | None, *, arxiv: bool, server: bool) -> None:
    assert (names_arxiv(venue), names_server(venue)) == (arxiv, server)
