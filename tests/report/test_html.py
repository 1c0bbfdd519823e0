"""The HTML report, parsed: escaped, self-contained, complete, readable."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.model import (
    Alarm,
    Audit,
    AuthorMatch,
    AuthorRelation,
    FieldMatch,
    FieldName,
    Flag,
    Outcome,
    QuoteCheck,
    QuoteStatus,
    Relation,
    SelfCheck,
    Status,
    Unreadable,
)
from citeaudit.report.cards import compare
from citeaudit.report.html import HtmlReporter
from citeaudit.report.markup import Markup, element, join
from citeaudit.text.visible import visible
from tests import samples
from tests.report.material import HOSTILE, LOST, NOTHING, full, hostile, written

VOID = {"meta", "br", "hr"}
INERT = {"html", "head", "meta", "title", "style", "body", "header", "main", "footer", "nav", "article", "section"}
INERT |= {"h1", "h2", "h3", "h4", "p", "ul", "li", "dl", "dt", "dd", "a", "bdi", "span", "strong", "q", "mark"}
INERT |= {"table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre", "code"}
SAFE = {
    "class",
    "id",
    "href",
    "rel",
    "target",
    "scope",
    "data-label",
    "aria-label",
    "lang",
    "charset",
    "name",
    "content",
}


class Page(HTMLParser):
    """A page as a browser would take it apart, and whether it is well formed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    @property
    def said(self) -> str:
        return " ".join(" ".join(self.words).split())

    def values(self, attribute: str) -> list[str]:
        return [told for _, attrs in self.tags if (told := attrs.get(attribute)) is not None]


def _page(*results: Audit | Unreadable) -> Page:
    return Page(written(HtmlReporter(), results))


def _glued(page: Page) -> str:
    return " ".join("".join(page.words).split())


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_and_does_nothing(text: str) -> None:
    page = _page(hostile(text), Unreadable(path=text, message=text))
    assert {tag for tag, _ in page.tags} <= INERT
    assert {name for _, attrs in page.tags for name in attrs} <= SAFE | {"http-equiv"}
    calm = _page(hostile("word"), Unreadable(path="word", message="word"))
    ignored = ("mark",)  # where two values differ depends on the words
    assert [tag for tag, _ in page.tags if tag not in ignored] == [tag for tag, _ in calm.tags if tag not in ignored]
    shown = " ".join(visible(text).split())
    assert _glued(page).count(shown) >= 20
    assert "\u202e" not in "".join(page.words)


def test_authors_who_differ_are_a_table_of_words() -> None:
    people = (
        AuthorMatch(relation=AuthorRelation.SAME, claimed="Ada Poe", found="Ada Poe", place=1, found_place=1),
        AuthorMatch(relation=AuthorRelation.GIVEN_NAME, claimed="M. Jones", found="Karl Jones", place=2, found_place=2),
        *(AuthorMatch(relation=AuthorRelation.PHANTOM, claimed="<b>J. Roe", found=None, place=n) for n in range(3, 18)),
    )
    one = samples.verdict(Status.MISMATCHED, found="On the writing of references")
    authors = FieldMatch(
        field=FieldName.AUTHORS,
        claimed="x",
        found="y",
        relation=Relation.DIFFERENT,
        score=0.0,
        rule="author_not_in_record",
        people=people,
    )
    page = _page(samples.audit(one.model_copy(update={"fields": (*one.fields, authors)})))
    assert "2 M. Jones Karl Jones given name differs + <b>J. Roe not in the record +" in page.said
    assert "and 4 more" in page.said
    assert "b" not in {tag for tag, _ in page.tags}


def test_a_letter_a_suggestion_and_a_command_can_be_copied() -> None:
    held = samples.lookup(Outcome.NO_MATCH, lineage="offline-index")
    one = samples.verdict(Status.MISMATCHED, found="On the writing of references", lookups=(held,))
    page = _page(samples.audit(one, samples.verdict(Status.NOT_FOUND, index=2)))
    for told in (
        "For a letter: Reference 1 cites the title “On the reading of references”; the record",
        "As it would agree with the record Ada Lovelace, Royal Society. 1999. On the writing of references.",
        "citeaudit index search index 'On the reading of references'",
        "Needed: No record was found: a DOI, or where the work can be seen, is needed.",
    ):
        assert told in page.said, told
    assert "@misc{lovelace1999reading,\n  author = {" in "".join(page.words)
    assert [tag for tag, _ in page.tags].count("pre") == 1


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_every_link_goes_to_a_registry_a_service_or_the_page(text: str) -> None:
    page = _page(hostile(text), full())
    for tag, attrs in page.tags:
        if tag != "a":
            continue
        href = attrs["href"] or ""
        if href.startswith("#"):
            assert href[1:] in page.values("id")
        else:
            assert re.match(r"https?://(doi\.org|arxiv\.org|api\.example\.org)/", href)
            assert (attrs["rel"], attrs["target"]) == ("noopener noreferrer", "_blank")


def test_ids_are_ours_and_stand_once() -> None:
    ids = _page(full(), full(), hostile("x y\"'")).values("id")
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"doc-\d+(-[a-z]+)?", one) for one in ids)


def test_the_page_needs_nothing_from_elsewhere_and_forbids_it() -> None:
    text = written(HtmlReporter(), [full(), LOST])
    style = text.partition("<style>")[2].partition("</style>")[0]
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy[1] == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"url\(|@import|</", style)
    assert not re.search(r"<(script|link|img|iframe|object|form|base)\b|\bstyle=|\bsrc=", text)
    assert 'name="referrer" content="no-referrer"' in text


def test_the_page_fits_phones_paper_and_the_dark() -> None:
    text = written(HtmlReporter(), [full()])
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
    for rule in ("@media print", "prefers-color-scheme: dark", "max-width: 700px", "details::details-content"):
        assert rule in text
    cells = [attrs for tag, attrs in Page(text).tags if tag == "td"]
    assert all(attrs.get("data-label") for attrs in cells)


def _palettes() -> list[tuple[str, dict[str, str]]]:
    text = written(HtmlReporter(), [])
    light, dark = re.findall(r":root \{([^}]+)\}", text)
    read = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block)) for block in (light, dark)]
    return [("light", read[0]), ("dark", read[0] | read[1])]


def _luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize(("name", "palette"), _palettes(), ids=lambda one: one if isinstance(one, str) else "")
def test_every_pair_of_colours_has_the_contrast_of_wcag_aa(name: str, palette: dict[str, str]) -> None:
    del name
    pairs = [(f"{kind}-ink", f"{kind}-paper") for kind in ("good", "differs", "absent", "open", "strong")]
    pairs += [(ink, paper) for ink in ("ink", "quiet-ink", "link-ink") for paper in ("paper", "card-paper")]
    for ink, paper in pairs:
        low, high = sorted((_luminance(palette[ink]), _luminance(palette[paper])))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, paper)


def test_summary_first_then_what_needs_a_person_then_the_rest() -> None:
    said = _page(full()).said
    order = ("2 of 6 references", "To look at (2)", "Not decided (3)", "not be read as references (1)", "Verified (1)")
    places = [said.index(part) for part in (*order, "How this was made Read")]
    assert places == sorted(places)


def test_a_finding_shows_claim_record_reasons_and_answers() -> None:
    said = _page(full()).said
    for told in (
        "key2 differs from the record strong evidence, look here first retracted",
        "title On the reading of references On the writing of references On the {reading -> writing} of references",
        "The sample says MISMATCHED.",
        "Record in index, retrieved 2026-01-02 12:00 UTC: 1999. On the writing of references.",
        "Answers (fine: found, slow: failed; 2026-01-02 12:00 UTC)",
        "fine title: On the reading of references found 2026-01-02 12:00 UTC, remembered ask again",
        "slow title: On the reading of references failed: no answer 2026-01-02 12:00 UTC",
        "line 7 : no closing brace @article{broken",
        "Assumed: index mine is complete (--assume-complete).",
        "slow 2 0 0 no answer in time",
        "Versions citeaudit 0, rules 1, schema 1.0 Settings 0000000000000000",
    ):
        assert told in said, told
    assert "https://api.example.org/works?q=a%20b" in _page(full()).values("href")


def test_a_table_of_answers_is_even_and_offers_only_what_can_be_asked_again() -> None:
    for audit in (full(), samples.audit(samples.verdict(Status.NOT_FOUND))):
        text = written(HtmlReporter(), [audit])
        for table in re.findall(r"<table[^>]*>(.*?)</table>", text):
            widths = {len(re.findall(r"<t[hd]\b", row)) for row in re.findall(r"<tr.*?</tr>", table)}
            assert len(widths) == 1
        assert (">again<" in text) == ("ask again" in text)


def test_what_was_verified_is_folded() -> None:
    text = written(HtmlReporter(), [samples.audit(samples.verdict())])
    assert re.search(r'<details class="group"><summary>Show 1 reference that agree', text)
    assert "<details open" not in text


def test_deviations_that_do_not_count_are_shown_as_such() -> None:
    one = samples.verdict(Status.MISMATCHED, found="On the writing of references")
    variant = one.fields[0].model_copy(
        update={"field": "year", "claimed": "1999", "found": "2000", "relation": Relation.VARIANT, "differences": ()}
    )
    named = one.fields[0].model_copy(
        update={"field": "doi", "claimed": "10.1/x", "found": "Another", "rule": "identifier_names_another"}
    )
    unknown = one.fields[0].model_copy(
        update={"field": "pmid", "claimed": "1", "found": None, "rule": "identifier_unknown", "differences": ()}
    )
    fields = (*one.fields, variant, named, unknown)
    said = _page(samples.audit(one.model_copy(update={"fields": fields}))).said
    assert "year 1999 2000 another form, not counted" in said
    assert "DOI 10.1/x names another work: Another" in said
    assert "PMID 1 not known to its registry The registry of the cited identifier does not know it." in said


def test_opinions_quotations_and_gaps_in_reading_are_shown() -> None:
    one = samples.verdict(Status.VERIFIED, Flag.QUOTE, alarm=Alarm.REVIEW, lookups=())
    checks = (QuoteCheck(text="as was", status=QuoteStatus.WRONG_PAGE),)
    evidence = one.evidence.model_copy(update={"quote_checks": checks, "lookups": ()})
    check = SelfCheck(
        method="labels", read=1, expected=3, labels_missing=("2",), labels_duplicate=("3",), notes=("Look.",)
    )
    audit = samples.audit(one.model_copy(update={"evidence": evidence})).model_copy(update={"self_check": check})
    said = _page(audit.model_copy(update={"offline": True})).said
    for told in (
        "Quotation, wrong page: as was",
        "Answers (nobody asked)",
        "1 reference read of 3 announced (by labels); missing: 2; more than once: 3. Asked: nobody. Look.",
        "Labels read twice 3",
        "offline: nothing was asked over a network",
        "No source was asked.",
    ):
        assert told in said, told


def test_several_documents_begin_with_an_index() -> None:
    page = _page(full(), LOST, NOTHING)
    assert page.said.startswith(
        "References of 3 documents References of 3 documents document references to look at not decided verified "
        "paper.pdf 6 2 3 1 lost.pdf could not be read none.bib 0 0 0 0 paper.pdf"
    )
    assert page.values("href")[:3] == ["#doc-1", "#doc-2", "#doc-3"]
    assert "No documents." in _page().said
    assert "nav" not in {tag for tag, _ in _page(LOST).tags}


@given(st.text(), st.text())
def test_marking_what_differs_changes_no_word(claimed: str, found: str) -> None:
    for told, marked in zip((claimed, found), compare(claimed, found), strict=True):
        assert "".join(Page(marked).words) == "".join(Page(join(visible(told))).words)


def test_what_differs_is_marked() -> None:
    assert compare("On deep nets", "On wide nets") == (
        'On <mark class="claimed">deep</mark> nets',
        'On <mark class="found">wide</mark> nets',
    )
    assert compare("Ada Lovelace", "Alan Turing") == (
        '<mark class="claimed">Ada Lovelace</mark>',
        '<mark class="found">Alan Turing</mark>',
    )
    assert "mark" not in compare("a " * 400, "b " * 400)[0]


def test_markup_is_only_what_we_built() -> None:
    assert element("p", "<b>", element("b", "x"), ["&", Markup("<br>")], class_='"', title=None) == (
        '<p class="&quot;">&lt;b&gt;<b>x</b>&amp;<br></p>'
    )
    assert element("td", data_label=Markup('"')) == '<td data-label="&quot;"></td>'
