"""The Markdown report, read by a Markdown parser: foreign text is text, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from citeaudit.model import (
    Alarm,
    Audit,
    Identifiers,
    Outcome,
    Query,
    QueryKind,
    QuoteCheck,
    QuoteStatus,
    Reason,
    Status,
    Unreadable,
)
from citeaudit.report.markdown import MarkdownReporter, escape
from citeaudit.text.visible import visible
from tests import samples
from tests.report.material import HOSTILE, LOST, NOTHING, full, hostile, written

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _written(*results: Audit | Unreadable) -> str:
    return written(MarkdownReporter(), results)


def _tokens(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def _said(text: str) -> str:
    """What a reader sees: the text of all tokens on one line."""
    return " ".join("".join(one.content if one.type == "text" else " " for one in _tokens(text)).split())


def _shown(text: str) -> str:
    return " ".join(visible(text).split())


def _links(text: str) -> set[str]:
    return {str(token.attrs["href"]) for token in _tokens(text) if token.type == "link_open"}


def test_summary_first_then_what_needs_a_person_then_the_rest() -> None:
    text = _written(full())
    parts = ("## Document", "Read: ", "### To look at (2)", "### Not decided (3)", "### Verified (1)", "Made 2026")
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_a_finding_says_what_differs_and_who_answered() -> None:
    said = _said(_written(full()))
    for told in (
        "Reference key2: differs from the record",
        "field claimed found title On the reading of references On the writing of references",
        "Attention: strong evidence, look here first",
        "Differs: On the {reading -> writing} of references",
        "Note: the work has been retracted, which the citation does not say",
        "Record in index: 1999. On the writing of references.",
        "Answers: fine: found, slow: failed",
        "Could not be read, line 7: no closing brace (printed: @article{broken)",
        "Assumed: index mine is complete (--assume-complete)",
        "Asked: fine (2 of 2 questions answered); slow (0 of 2 questions answered, failed: no answer in time)",
        "key4 : Lovelace 1999. On the reading of references undecided: The sample says UNDECIDED.",
    ):
        assert told in said, told


def test_identifiers_of_the_record_are_links_and_claimed_addresses_are_not() -> None:
    keys = Identifiers(doi="10.1000/a(b)<c>", arxiv_id="1706.03762v7", isbn="9780306406157", url="http://x.example/")
    one = samples.verdict(Status.MISMATCHED, found="On the writing of references")
    assert one.best is not None
    best = one.best.model_copy(update={"work": samples.work(identifiers=keys)})
    text = _written(samples.audit(one.model_copy(update={"best": best})))
    assert _links(text) == {"https://doi.org/10.1000/a%28b%29%3Cc%3E", "https://arxiv.org/abs/1706.03762v7"}
    assert "doi:10.1000/a(b)<c> arxiv:1706.03762v7 isbn:9780306406157 http://x.example/" in _said(text)


def test_a_finding_can_be_copied_and_asked_again() -> None:
    text = _written(full())
    said = _said(text)
    for told in (
        "Retrieved: 2026-01-02 12:00 UTC",
        "Ask again: fine (asked 2026-01-02 12:00 UTC)",
        "Suggested: Ada Lovelace. 1999. On the writing of references.",
        "For a letter: Reference key2 cites the title",
        "Needed: No record was found: a DOI, or where the work can be seen, is needed.",
        "For a letter: For reference key3, “On the reading of references”, no record was found in index",
    ):
        assert told in said, told
    assert "https://api.example.org/works?q=a%20b" in _links(text)
    (block,) = [token.content for token in _tokens(text) if token.type == "fence"]
    assert block.startswith("@misc{lovelace1999reading,\n  author = {Lovelace, Ada},\n")
    assert "\n> Reference key2 cites the title" in text


def test_a_block_of_code_is_ended_by_nothing_within() -> None:
    source = "@misc{k, title = {On the drawing of maps ``` ```` # x}, author = {Poe, A.}, year = {2013}}"
    cited = samples.reference("On the reading of references", "Ada Poe", raw=source)
    lookup = samples.lookup(lineage="offline-index", query=Query(kind=QueryKind.TITLE, text="a `b` ``c"))
    one = samples.verdict(Status.MISMATCHED, found="On the writing of references", of=cited, lookups=(lookup,))
    tokens = list(_tokens(_written(samples.audit(one))))
    fences = [token.content for token in tokens if token.type == "fence"]
    assert len(fences) == 1
    assert fences[0].startswith("@")
    lost = samples.verdict(Status.NOT_FOUND, lookups=(lookup,))
    codes = [token.content for token in _tokens(_written(samples.audit(lost))) if token.type == "code_inline"]
    assert codes == ["citeaudit index search index 'a `b` ``c'"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_and_does_nothing(text: str) -> None:
    report = _written(hostile(text), Unreadable(path=text, message=text), samples.audit(path="b.bib"))
    calm = _written(hostile("word"), Unreadable(path="word", message="word"), samples.audit(path="b.bib"))
    kinds = [token.type for token in _tokens(report) if token.type not in ("text", "text_special", "softbreak")]
    assert kinds == [token.type for token in _tokens(calm) if token.type not in ("text", "text_special", "softbreak")]
    assert all(link.startswith(("https://doi.org/", "https://arxiv.org/abs/")) for link in _links(report))
    assert _said(report).count(_shown(text)) >= 20
    assert "\u202e" not in report


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        pytest.param("www.x.example", "www\\.x.example", id="bare-host"),
        pytest.param("http://x.example", "http\\://x.example", id="bare-address"),
        pytest.param("mailto:a@x.example", "mailto\\:a\\@x.example", id="mail"),
        pytest.param("Language models (2020), pp. 1-2", "Language models (2020), pp. 1-2", id="plain"),
        pytest.param("**#1** & <b>", "\\*\\*\\#1\\*\\* \\& \\<b\\>", id="markup"),
    ],
)
def test_what_others_would_link_is_broken_and_plain_words_stay_readable(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@pytest.mark.parametrize(
    "place", ["- Note: {}", "| a | b |\n| --- | --- |\n| {} | {} |", "#### Reference {}: x", "- **{}**: x\n  - y: {}"]
)
@given(st.text(min_size=1).filter(str.strip))
def test_any_text_is_one_line_that_reads_as_it_is(place: str, text: str) -> None:
    told = place.replace("{}", escape(text))
    assert [one.type for one in _tokens(told)] == [one.type for one in _tokens(place.replace("{}", "word"))]
    assert _said(told).count(_shown(text)) >= place.count("{}")


def test_several_documents_begin_with_an_overview() -> None:
    said = _said(_written(full(), LOST, NOTHING))
    assert "document to look at not decided verified paper.pdf 2 3 1 lost.pdf could not be read none.bib 0 0 0" in said
    assert "Document lost.pdf Could not be read: is empty; save it again" in said
    assert "No documents." in _written()
    assert "Result: no references" in _written(NOTHING)


def test_quotations_and_what_could_not_be_read_are_shown() -> None:
    one = samples.verdict(Status.UNPARSED, alarm=Alarm.REVIEW, of=samples.reference(None, raw="[7] ???"))
    checks = (
        QuoteCheck(text="as is", status=QuoteStatus.VERIFIED),
        QuoteCheck(text="as was", status=QuoteStatus.NOT_FOUND),
    )
    evidence = one.evidence.model_copy(update={"quote_checks": checks})
    said = _said(_written(samples.audit(one.model_copy(update={"evidence": evidence}))))
    assert "Quotation, not found: as was" in said
    assert "as is" not in said
    assert "Printed: [7] ???" in said


def test_an_undecided_reference_says_how_the_record_differs() -> None:
    held = samples.verdict(Status.MISMATCHED, found="On the writing of references")
    reason = Reason(code="field_differs", text="The year differs from the record in mine (rule year_differs): 1 -> 2.")
    one = held.model_copy(update={"status": Status.UNDECIDED, "reasons": (reason,)})
    said = _said(_written(samples.audit(one)))
    assert "undecided: title: On the {reading -> writing} of references; The year differs from the record" in said
    assert "(rule" not in said
    assert "preset offline;" in _said(
        _written(samples.audit(one).model_copy(update={"preset": "offline", "offline": True}))
    )
    assert "preset default, offline;" in _said(_written(samples.audit(one).model_copy(update={"offline": True})))


def test_questions_beyond_the_first_are_counted() -> None:
    lookups = [samples.lookup(Outcome.NO_MATCH, source=f"mine{place}", lineage="offline-index") for place in range(8)]
    said = _said(_written(samples.audit(samples.verdict(Status.NOT_FOUND, lookups=tuple(lookups)))))
    assert said.count("Ask again:") == 7
    assert "Ask again: and 2 more" in said
