"""arXiv: feeds that lie, identifiers that spoil a request, and every trap of an entry."""

from __future__ import annotations

import pytest

from citeaudit.errors import FailureKind, SourceUnavailableError
from citeaudit.model import Coverage, Lookup, NoticeType, Outcome, Person, Query, QueryKind, Work, WorkType
from citeaudit.seams import Answer, Ask
from citeaudit.sources.arxiv import ArxivSource
from citeaudit.sources.arxiv.source import CONTROL_IDS, MAX_IDS
from tests.services.town.asking import arxiv_id, ask, doi, make, title
from tests.services.town.server import Town, open_town
from tests.sources.canned import NOW, Canned, good, look, only

BASE = "http://127.0.0.1"
CONTROL = CONTROL_IDS[0]
FEED = (
    '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" '
    'xmlns="http://www.w3.org/2005/Atom"><id>https://arxiv.org/api/x</id><title>arXiv Query</title>'
    "{total}{entries}</feed>"
)
PREPRINT = WorkType.PREPRINT


def entry(name: str = "2101.00001v3", inner: str = "", *, heading: str = "<title>Moths</title>") -> str:
    return f"<entry><id>http://arxiv.org/abs/{name}</id>{heading}{inner}</entry>"


def bad(name: str) -> str:
    return (
        f"<entry><id>https://arxiv.org/api/errors#incorrect_id_format_for_{name}</id><title>Error</title>"
        f"<summary>incorrect id format for {name}</summary></entry>"
    )


def feed(*entries: str, total: int | str | None = None, status: int = 200) -> Answer:
    count = len(entries) if total is None else total
    stated = f"<opensearch:totalResults>{count}</opensearch:totalResults>" if count != "unsaid" else ""
    return good(status=status, text=FEED.format(total=stated, entries="".join(entries)))


def source() -> ArxivSource:
    return ArxivSource(BASE, clock=lambda: NOW)


def read(inner: str, *, heading: str = "<title>Moths</title>") -> Work:
    return only(look(source(), Canned(feed(entry(inner=inner, heading=heading))), [arxiv_id("2101.00001")]))


def by_id(*answers: Answer, ids: tuple[str, ...] = ("2101.00001",)) -> tuple[tuple[Lookup, ...], Canned]:
    client = Canned(*answers)
    return look(source(), client, [arxiv_id(one) for one in ids]), client


# --- entries ---


def test_the_feeds_own_id_and_title_are_not_those_of_a_work() -> None:
    work = read("<published>2021-01-05T00:00:00Z</published><updated>2021-03-01T00:00:00Z</updated>")
    assert (work.title, work.source_id, work.year, work.versions) == ("Moths", "2101.00001", 2021, ())
    assert work.identifiers.pairs() == (("arxiv_id", "2101.00001v3"), ("url", "https://arxiv.org/abs/2101.00001v3"))
    assert (work.type, work.container_title) == (PREPRINT, "arXiv")


def test_wrapped_titles_and_control_characters() -> None:
    assert (
        read("", heading="<title>Moths\n  under &amp;amp; &lt;i&gt;lamps&lt;/i&gt;\u202e</title>").title
        == "Moths under & lamps"
    )


@pytest.mark.parametrize(
    ("names", "people"),
    [
        pytest.param(["Ottoline A. Fernwhistle"], [Person(family="Fernwhistle", given="Ottoline A.")], id="person"),
        pytest.param(
            ["The LIGO Collaboration", ":", "J. Roe"],
            [Person(literal="The LIGO Collaboration"), Person(family="Roe", given="J.")],
            id="collaboration",
        ),
        pytest.param(["J. Roe (for the Moth Group)"], [Person(family="Roe", given="J.")], id="in-brackets"),
        pytest.param(["", " "], [], id="empty"),
    ],
)
def test_names(names: list[str], people: list[Person]) -> None:
    inner = "".join(f"<author><name>{name}</name></author>" for name in names)
    assert list(read(inner).authors) == people


@pytest.mark.parametrize(
    ("comment", "withdrawn"),
    [
        ("This paper has been withdrawn by the author", True),
        ("Withdrawn.", True),
        ("withdrawn from arXiv due to an error", True),
        ("Withdrawn from ICLR 2020", False),
        ("This version is not withdrawn", False),
        ("12 pages", False),
        ("", False),
    ],
)
def test_withdrawn(comment: str, *, withdrawn: bool) -> None:
    work = read(f"<arxiv:comment>{comment}</arxiv:comment>")
    assert [notice.type for notice in work.notices] == ([NoticeType.WITHDRAWAL] if withdrawn else [])


def test_title_mark_is_a_notice() -> None:
    assert [one.type for one in read("", heading="<title>RETRACTED: Moths</title>").notices] == [NoticeType.RETRACTION]


@pytest.mark.parametrize(
    ("place", "venue", "year"),
    [
        ("ActaAstron.56:1-50,2006", "ActaAstron", 2006),
        ("Phys. Rev. D 67, 123506 (2003)", "Phys. Rev. D", 2003),
        ("Annals of Dusk (1999)", "Annals of Dusk", 1999),
        ("34th Conference on Moths, 2017", "34th Conference on Moths, 2017", 2017),
    ],
)
def test_publication_is_a_version(place: str, venue: str, year: int) -> None:
    [version] = read(f"<arxiv:journal_ref>{place}</arxiv:journal_ref>").versions
    assert (version.container_title, version.year) == (venue, year)


def test_publication_without_a_year_says_nothing() -> None:
    assert read("<arxiv:journal_ref>Annals of Dusk, in press</arxiv:journal_ref>").versions == ()


def test_doi_revision_and_pdf_are_read() -> None:
    work = read(
        "<published>2021-01-05T00:00:00Z</published><updated>2023-01-05T00:00:00Z</updated>"
        '<arxiv:doi>10.5555/A</arxiv:doi><link title="pdf" href="http://arxiv.org/pdf/2101.00001v3"/><link href="x"/>'
    )
    assert work.identifiers.doi == "10.5555/a"
    assert [(version.type, version.year) for version in work.versions] == [(PREPRINT, 2023)]
    assert work.fulltext_urls == ("http://arxiv.org/pdf/2101.00001v3",)


# --- identifiers ---


def test_identifiers_share_a_request_dois_of_arxiv_too() -> None:
    client = Canned(feed(entry("2101.00001v1"), entry("hep-th/9901001v2")))
    queries = [arxiv_id("hep-th/9901001"), doi("10.48550/arxiv.2101.00001"), arxiv_id("2101.00001")]
    lookups = look(source(), client, queries)
    assert [lookup.candidates[0].source_id for lookup in lookups] == ["hep-th/9901001", "2101.00001", "2101.00001"]
    assert client.params == [{"id_list": "hep-th/9901001,2101.00001", "start": "0", "max_results": "2"}]


def test_a_version_is_asked_for_as_cited() -> None:
    lookups, client = by_id(feed(entry("2101.00001v1"), entry("2101.00001v3")), ids=("2101.00001v1", "2101.00001"))
    assert client.params[0]["id_list"] == "2101.00001v1,2101.00001"
    assert [lookup.candidates[0].identifiers.arxiv_id for lookup in lookups] == ["2101.00001v1", "2101.00001v1"]


def test_long_lists_are_cut() -> None:
    def rule(ask: Ask) -> Answer:
        return feed(*(entry(f"{one}v1") for one in dict(ask.params)["id_list"].split(",")))

    client = Canned(rule=rule)
    lookups = look(source(), client, [arxiv_id(f"2101.{place:05}") for place in range(1, MAX_IDS + 3)])
    assert {lookup.outcome for lookup in lookups} == {Outcome.FOUND}
    assert sorted(asked["max_results"] for asked in client.params) == ["100", "2"]


def test_missing_beside_a_found_one_is_denied() -> None:
    lookups, client = by_id(feed(entry("2101.00001v1")), ids=("2101.00001", "2101.00002"))
    assert [(one.outcome, one.coverage) for one in lookups] == [
        (Outcome.FOUND, Coverage.NONE),
        (Outcome.NO_MATCH, Coverage.AUTHORITATIVE),
    ]
    assert len(client.asked) == 1


def test_missing_alone_is_asked_again_beside_a_control() -> None:
    [lookup], client = by_id(feed(), feed(entry(f"{CONTROL}v7")))
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.AUTHORITATIVE)
    assert client.params[1]["id_list"] == f"2101.00001,{CONTROL}"


def test_a_missing_control_is_no_control_of_itself() -> None:
    [lookup], client = by_id(feed(), feed(entry(f"{CONTROL_IDS[1]}v1")), ids=(CONTROL,))
    assert client.params[1]["id_list"] == f"{CONTROL},{CONTROL_IDS[1]}"
    assert lookup.coverage is Coverage.AUTHORITATIVE


def test_a_paper_of_this_run_is_the_better_control() -> None:
    arxiv = source()
    client = Canned(feed(entry("2101.00007v1")), feed(), feed(entry("2101.00007v1")))
    look(arxiv, client, [arxiv_id("2101.00007")])
    [lookup] = look(arxiv, client, [arxiv_id("2101.00002")])
    assert client.params[2]["id_list"] == "2101.00002,2101.00007"
    assert lookup.coverage is Coverage.AUTHORITATIVE


def test_a_missing_version_says_nothing_of_the_paper() -> None:
    lookups, _ = by_id(feed(entry("2101.00001v1")), ids=("2101.00001", "2101.00002v9"))
    assert (lookups[1].outcome, lookups[1].coverage) == (Outcome.NO_MATCH, Coverage.NONE)


LOST = FailureKind.MALFORMED


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([feed(), feed()], id="empty-for-the-control-too"),
        pytest.param([feed(total=1), feed(total=2)], id="announced-but-not-sent"),
        pytest.param([feed(total="unsaid"), feed(total="unsaid")], id="no-total"),
        pytest.param([feed(total="many"), feed(entry(f"{CONTROL}v1"), total=2)], id="one-withheld"),
        pytest.param([feed(bad("2101.00001"))], id="error"),
        pytest.param([feed(bad("2101.00001"), status=400)], id="error-with-its-status"),
        pytest.param([feed(bad("someone-else"))], id="error-about-another"),
        pytest.param([feed(entry(heading="")), feed(entry(heading=""), entry(f"{CONTROL}v1"))], id="no-title"),
        pytest.param([feed(status=400)], id="refused-without-reason"),
        pytest.param([feed(status=404)], id="no-such-address"),
        pytest.param([good(text="")], id="nothing"),
        pytest.param([good(text="Rate exceeded.")], id="limit-in-words"),
        pytest.param([good(text="<rss/>")], id="another-feed"),
        pytest.param([good(text="<feed")], id="cut"),
        pytest.param([good(text='<!DOCTYPE feed [<!ENTITY a "b">]><feed>&a;</feed>')], id="entities"),
        pytest.param([good(text='<!DOCTYPE feed SYSTEM "file:///etc/passwd"><feed/>')], id="external"),
    ],
)
def test_no_answer(answers: list[Answer]) -> None:
    with pytest.raises(SourceUnavailableError):
        by_id(*answers)


def test_one_refused_identifier_does_not_spoil_the_others() -> None:
    lookups, client = by_id(
        feed(bad("2101.00002")),
        feed(entry("2101.00001v1"), entry("2101.00003v1")),
        ids=("2101.00001", "2101.00002", "2101.00003"),
    )
    assert [lookup.outcome for lookup in lookups] == [Outcome.FOUND, Outcome.UNAVAILABLE, Outcome.FOUND]
    assert client.params[1]["id_list"] == "2101.00001,2101.00003"


def test_errors_without_end_are_given_up() -> None:
    def rule(ask: Ask) -> Answer:
        return feed(bad(dict(ask.params)["id_list"].split(",")[0]))

    client = Canned(rule=rule)
    with pytest.raises(SourceUnavailableError):
        look(source(), client, [arxiv_id(f"2101.{place:05}") for place in range(1, 30)])
    assert len(client.asked) <= 6


def test_what_is_no_identifier_is_not_sent() -> None:
    [lookup] = look(source(), Canned(), [arxiv_id("abc")])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)


# --- titles ---


@pytest.mark.parametrize(
    ("query", "search"),
    [
        pytest.param(title('The "big": (deep) moths, again'), 'ti:"The big deep moths again"', id="signs"),
        pytest.param(title("Moths \\& \\emph{lamps} and all of it"), 'ti:"Moths lamps and all of it"', id="latex"),
        pytest.param(title("50% of all moths, roughly"), 'ti:"50 of all moths roughly"', id="per-cent"),
        pytest.param(title("Don’t count your moths"), 'ti:"Don\'t count your moths"', id="apostrophe"),
        pytest.param(title("Network in network", "Lin", "Chen"), 'ti:"Network in network" AND au:"Lin"', id="short"),
        pytest.param(title("Network in network"), 'ti:"Network in network"', id="short-alone"),
        pytest.param(title("A rather long title of moths", "Lin"), 'ti:"A rather long title of moths"', id="long"),
    ],
)
def test_search(query: Query, search: str) -> None:
    client = Canned(feed(entry()))
    [lookup] = look(source(), client, [query])
    assert lookup.outcome is Outcome.FOUND
    assert client.params[0]["search_query"] == search


@pytest.mark.parametrize(
    ("kind", "venue", "searches"),
    [
        (PREPRINT, "arXiv preprint arXiv:2101.00001", 2),
        (PREPRINT, None, 2),
        (WorkType.UNKNOWN, "CoRR abs/2101.00001", 2),
        (PREPRINT, "bioRxiv", 1),
        (WorkType.ARTICLE_JOURNAL, "Nature", 1),
    ],
)
def test_silence_on_a_title_testifies_nothing(kind: WorkType, venue: str | None, searches: int) -> None:
    arxiv = source()
    client = Canned(feed(entry()), feed(), feed())
    look(arxiv, client, [title("Moths of the south")])  # that searches find something does not prove this one
    [lookup] = look(arxiv, client, [title("Moths of the north", kind=kind, venue=venue)])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)
    assert client.params[1:] == client.params[1:2] * searches


def test_other_works_found_by_title_testify_nothing() -> None:
    [lookup] = look(source(), Canned(feed(entry())), [title("Moths of the north", kind=PREPRINT)])
    assert (lookup.outcome, lookup.coverage) == (Outcome.FOUND, Coverage.NONE)


def test_an_empty_feed_that_passes_costs_nothing() -> None:
    [lookup] = look(source(), Canned(feed(), feed(entry())), [title("Moths", kind=PREPRINT)])
    assert lookup.outcome is Outcome.FOUND


def test_a_damaged_record_keeps_silence_from_testifying() -> None:
    [lookup] = look(source(), Canned(feed(entry(heading=""))), [title("Moths of the north", kind=PREPRINT)])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)
    assert lookup.reason == "records that could not be read: 1"


@pytest.mark.parametrize("answers", [[feed(total=3), feed(total=3)], [feed(bad("x"))]])
def test_no_answer_to_a_title(answers: list[Answer]) -> None:
    with pytest.raises(SourceUnavailableError) as caught:
        look(source(), Canned(*answers), [title("Moths of the north")])
    assert caught.value.kind is LOST


def test_results_that_were_withheld_are_asked_for_again() -> None:
    [lookup] = look(source(), Canned(feed(total=3), feed(entry(), total=3)), [title("Moths of the north")])
    assert lookup.outcome is Outcome.FOUND


@pytest.mark.parametrize(
    "query",
    [
        doi("10.1038/nature14539"),
        title("--"),
        Query(kind=QueryKind.CITATION, text="Roe. Moths."),
        Query(kind=QueryKind.PMID, text="7"),
    ],
)
def test_what_it_is_not_asked(query: Query) -> None:
    [lookup] = look(source(), Canned(), [query])
    assert lookup.outcome is Outcome.SKIPPED
    assert lookup.reason


@pytest.mark.parametrize("base", ["http://h", "http://h/", "http://h/api", "http://h/api/", "http://h/api/query"])
def test_base_urls(base: str) -> None:
    client = Canned(feed(entry()))
    look(ArxivSource(base), client, [arxiv_id("2101.00001")])
    assert client.asked[0].url == "http://h/api/query"


def test_the_town_speaks_the_same() -> None:
    with open_town(Town(pace=0.0)) as base_url:
        lookups = ask(
            make("arxiv", base_url),
            base_url,
            arxiv_id("1706.03762v1"),
            arxiv_id("2101.90002"),
            arxiv_id("hep-th/9901001"),
            arxiv_id("1602.03837"),
            title("Attention Is All You Need", "Vaswani"),
            title("Lanterns that nobody has counted", kind=PREPRINT),
        )
    assert [lookup.outcome for lookup in lookups] == [*[Outcome.NO_MATCH], *[Outcome.FOUND] * 4, Outcome.NO_MATCH]
    assert [one.type for one in lookups[1].candidates[0].notices] == [NoticeType.WITHDRAWAL]
    assert lookups[3].candidates[0].identifiers.doi == "10.1103/physrevlett.116.061102"
    assert lookups[5].coverage is Coverage.NONE
