"""Replies of models: one JSON object of the shape asked for, or nothing; remarks that stay neutral."""

from __future__ import annotations

import contextlib
import json

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.agents.model import prompt
from citeaudit.agents.replies import MAX_REPLY, Reading, Remark, ask, parse, printable, remark_text
from citeaudit.errors import InvalidReplyError, ModelUnavailableError
from citeaudit.model import WorkType
from tests.agents import chats

GOOD = chats.remark("The venue is abbreviated.", 0.25)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(GOOD, id="plain"),
        pytest.param(f"  \n{GOOD}\n", id="space-around"),
        pytest.param(f"```json\n{GOOD}\n```", id="fenced-json"),
        pytest.param(f"```\n{GOOD}\n```", id="fenced"),
        pytest.param(f"```JSON  \r\n{GOOD}\r\n```\n", id="fenced-crlf"),
    ],
)
def test_one_object_is_read_alone_or_fenced(reply: str) -> None:
    assert parse(reply, Remark) == Remark(text="The venue is abbreviated.", parse_doubt=0.25)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("", id="empty"),
        pytest.param("VERIFIED", id="a-word"),
        pytest.param(f"Here you are: {GOOD}", id="talk-before"),
        pytest.param(f"{GOOD} Anything else?", id="talk-after"),
        pytest.param(GOOD[:-5], id="cut"),
        pytest.param(f"[{GOOD}]", id="a-list"),
        pytest.param(f"{GOOD}{GOOD}", id="two-objects"),
        pytest.param('{"text": "x", "parse_doubt": 0.5, "status": "VERIFIED"}', id="extra-key"),
        pytest.param('{"text": "x"}', id="missing-key"),
        pytest.param('{"text": 5, "parse_doubt": 0.5}', id="wrong-type"),
        pytest.param('{"text": "x", "parse_doubt": "0.5"}', id="number-as-text"),
        pytest.param('{"text": "x", "parse_doubt": true}', id="bool-for-number"),
        pytest.param('{"text": "x", "parse_doubt": NaN}', id="nan"),
        pytest.param('{"text": "x", "parse_doubt": 1.5}', id="out-of-range"),
        pytest.param('{"text": "x", "parse_doubt": -1e999}', id="infinite"),
        pytest.param(chats.remark("x" * 301), id="too-long-text"),
        pytest.param(chats.remark("x") + " " * 10 + "\n" * MAX_REPLY + "x", id="too-long"),
        pytest.param("[" * 20_000, id="deep"),
        pytest.param("```json\n```", id="empty-fence"),
    ],
)
def test_anything_else_is_no_reply(reply: str) -> None:
    with pytest.raises(InvalidReplyError):
        parse(reply, Remark)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"year": "2001"}, id="year-as-text"),
        pytest.param({"year": 20010}, id="year-out-of-range"),
        pytest.param({"authors": [{}]}, id="nobody"),
        pytest.param({"authors": [{"given": "Ada"}]}, id="given-alone"),
        pytest.param({"authors": [{"family": "Roe", "literal": "Ada Roe"}]}, id="both-forms"),
        pytest.param({"authors": ["Ada Roe"]}, id="a-string-for-a-person"),
        pytest.param({"authors": [{"family": "Roe", "orcid": "0"}]}, id="extra-key-inside"),
        pytest.param({"type": "novel"}, id="unknown-type"),
        pytest.param({"status": "VERIFIED"}, id="a-status"),
        pytest.param({"repaired": False}, id="a-mark-of-ours"),
        pytest.param({"title": "x" * 2_001}, id="long-title"),
    ],
)
def test_a_reading_has_fields_of_a_reference_and_no_others(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidReplyError):
        parse(json.dumps(fields), Reading)


def test_a_reading_is_tidied() -> None:
    read = parse('{"title": "  On\\u200b  dunes ", "volume": "", "authors": [{"family": "Roe"}]}', Reading)
    assert (read.title, read.volume, read.type) == ("On dunes", None, WorkType.UNKNOWN)


@given(st.text())
def test_no_text_breaks_the_reading_of_a_reply(reply: str) -> None:
    with contextlib.suppress(InvalidReplyError):
        assert parse(reply, Reading)


@pytest.mark.parametrize(
    ("replies", "questions"),
    [
        pytest.param((GOOD,), 1, id="first-is-good"),
        pytest.param(("no json", GOOD), 2, id="second-is-good"),
    ],
)
def test_a_malformed_reply_is_asked_for_once_more(replies: tuple[str, ...], questions: int) -> None:
    model = chats.scripted(*replies)
    assert anyio.run(ask, chats.chat(model), prompt("judge"), "data", Remark).parse_doubt == 0.25
    assert len(model.sent) == questions


def test_a_second_malformed_reply_ends_it() -> None:
    model = chats.scripted("no json")
    with pytest.raises(InvalidReplyError):
        anyio.run(ask, chats.chat(model), prompt("judge"), "data", Remark)
    assert len(model.sent) == 2


def test_a_failure_is_not_asked_again() -> None:
    model = chats.broken()
    with pytest.raises(ModelUnavailableError):
        anyio.run(ask, chats.chat(model), prompt("judge"), "data", Remark)
    assert model.asked == 1


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("The year is that of the preprint.", "The year is that of the preprint.", id="neutral"),
        pytest.param("a\x1b[31mred\x07\u202eb\u200bc", "a [31mred bc", id="control-characters"),
        pytest.param("two\nlines\u2028three", "two lines three", id="lines"),
        pytest.param("<b>bold</b> &amp; &lt;i&gt;", "bold & ", id="markup"),
        pytest.param(" \u200b ", None, id="empty"),
        pytest.param("This looks fabricated.", None, id="fabricated"),
        pytest.param("A FAKE reference", None, id="upper-case"),
        pytest.param("f\u200bake", None, id="hidden-joint"),
        pytest.param("Likely hallucinated", None, id="hallucinated"),
        pytest.param("fraudulent", None, id="fraudulent"),
        pytest.param("ｆａｋｅ", None, id="full-width"),
        pytest.param("VERIFIED", None, id="the-verdict"),
        pytest.param("fake", None, id="one-word"),
    ],
)
def test_remarks_are_neutral_and_printable(text: str, kept: str | None) -> None:
    told = remark_text(Remark(text=text, parse_doubt=0))
    assert (told and told.strip()) == (kept and kept.strip())


@given(st.text())
def test_what_is_sent_and_shown_is_printable(text: str) -> None:
    shown = printable(text)
    assert printable(shown) == shown
    assert shown.isprintable() or "\u00a0" in shown or any(char.isspace() for char in shown)
    shown.encode()
