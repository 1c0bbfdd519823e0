"""Crossref: every trap of its records and of its answers."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest

from citeaudit.errors import SourceUnavailableError
from citeaudit.model import Coverage, Notice, NoticeType, Outcome, Person, Query, QueryKind, Work, WorkType
from citeaudit.seams import Answer, Ask
from citeaudit.sources.crossref import CrossrefSource
from citeaudit.sources.crossref.source import MAX_FILTER
from tests.services.town.asking import ask, doi, make, title
from tests.services.town.server import Town, open_town
from tests.sources.canned import NOW, Canned, good, look, only

BASE = "http://127.0.0.1"
RETRACTION, CONCERN = NoticeType.RETRACTION, NoticeType.CONCERN
NO = "Resource not found."
SHORT = (
    "Adv. Neural Inf. Process. Syst.",
    "Adv Neural Inform Process Syst 30",
    "J. Mach. Learn. Res.",
    "Proc. Mach. Learn. Res.",
    "Trans. Mach. Learn. Res.",
    "Proc. Int. Conf. Mach. Learn.",
    "Int. Conf. on Machine Learning",
    "Int. Conf. Learn. Represent.",
    "Proc. Int. Conf. Artif. Intell. Stat.",
    "Conf. Robot Learn.",
    "Lang. Resour. Eval.",
)
CORRECTIONS = ("correction", "erratum", "corrigendum")


def source(**options: Any) -> CrossrefSource:
    return CrossrefSource(BASE, clock=lambda: NOW, **options)


def listed(*items: object) -> Answer:
    return good({"status": "ok", "message-type": "work-list", "message": {"items": list(items)}})


def record(**fields: object) -> dict[str, object]:
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return {"DOI": "10.5555/A", "title": ["Moths"], "type": "journal-article", **named}


def read(**fields: object) -> Work:
    """Give the work that one record amounts to."""
    return only(look(source(), Canned(good({"message": record(**fields)})), [doi("10.5555/a")]))


def person(family: str, given: str | None = None) -> Person:
    return Person(family=family, given=given)


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        pytest.param({"title": ["The <i>de novo</i>\n      case"]}, "The de novo case", id="tags-and-spaces"),
        pytest.param({"title": ["Moths &amp;amp; lamps"]}, "Moths & lamps", id="entities-twice"),
        pytest.param({"title": ["Moths\x1b]8;;x\u202e"]}, "Moths]8;;x", id="terminal-and-bidi"),
        pytest.param({"title": ["Moths", "Motten"]}, "Moths", id="translation"),
        pytest.param({"title": "Moths"}, "Moths", id="text-for-a-list"),
        pytest.param({"title": ["Moths"], "subtitle": ["A study"]}, "Moths: A study", id="subtitle"),
        pytest.param({"title": ["Moths: a study"], "subtitle": ["A Study"]}, "Moths: a study", id="subtitle-twice"),
        pytest.param({"title": ["Half \ud835 a pair"]}, "Half ? a pair", id="lone-surrogate"),
    ],
)
def test_titles(titles: dict[str, object], expected: str) -> None:
    assert read(**titles).title == expected


def test_every_title_is_a_version() -> None:
    work = read(title=["Moths", "Motten"], subtitle=["A study"], original_title=["Mole"])
    assert [version.title for version in work.versions] == ["Moths", "Motten", "Mole"]


@pytest.mark.parametrize("value", [None, [], [None], "", [""], {}, 3.5])
def test_a_doi_without_a_title_is_no_denial(value: object) -> None:
    [lookup] = look(source(), Canned(good({"message": record(title=value)})), [doi("10.5555/a")])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)
    assert lookup.reason


@pytest.mark.parametrize(
    ("authors", "people"),
    [
        pytest.param([{"given": "Xia", "family": "Hong"}], [person("Hong", "Xia")], id="parts"),
        pytest.param([{"family": "Xia Hong"}], [person("Hong", "Xia")], id="whole-name-as-family"),
        pytest.param([{"family": "조혜린"}], [person("조혜린")], id="one-word"),
        pytest.param([{"family": "van der Berg"}], [person("van der Berg")], id="particle"),
        pytest.param([{"family": "Moth Collaboration"}], [Person(literal="Moth Collaboration")], id="body-as-family"),
        pytest.param([{"name": "LIGO Collaboration"}], [Person(literal="LIGO Collaboration")], id="body"),
        pytest.param([{"name": "OpenAI"}], [Person(literal="OpenAI")], id="body-of-one-word"),
        pytest.param(
            [{"name": "Roman Hornung, David Causeur"}],
            [person("Hornung", "Roman"), person("Causeur", "David")],
            id="two",
        ),
        pytest.param([{"given": "Madonna"}], [person("Madonna")], id="given-alone"),
        pytest.param([{}, {"family": None}, None, "x", {"affiliation": []}], [], id="nobody"),
        pytest.param(None, [], id="null"),
        pytest.param(
            [{"family": "Roe", "given": "J", "suffix": "Jr"}],
            [Person(family="Roe", given="J", suffix="Jr")],
            id="suffix",
        ),
    ],
)
def test_names(authors: object, people: list[Person]) -> None:
    assert list(read(author=authors).authors) == people


def test_et_al_as_a_name_cuts_the_list() -> None:
    work = read(author=[{"family": "Roe", "given": "J"}, {"family": "et al."}])
    assert (len(work.authors), work.authors_complete) == (1, False)


@pytest.mark.parametrize(
    ("dates", "year", "others"),
    [
        pytest.param({"issued": {"date-parts": [[2019, 5]]}}, 2019, [], id="issued"),
        pytest.param({"issued": {"date-parts": [[None]]}}, None, [], id="null-in-lists"),
        pytest.param({"issued": {"date-parts": [None]}}, None, [], id="null-in-list"),
        pytest.param({"issued": {"date-parts": []}}, None, [], id="empty"),
        pytest.param({"issued": {"date-parts": {"a": 1}}}, None, [], id="object"),
        pytest.param({"issued": None}, None, [], id="null"),
        pytest.param({"issued": {"date-parts": [["2019"]]}}, 2019, [], id="text"),
        pytest.param({"issued": {"date-parts": [[20199]]}}, None, [], id="slip"),
        pytest.param(
            {
                "published_print": {"date-parts": [[2023, 1]]},
                "published_online": {"date-parts": [[2022, 9]]},
                "issued": {"date-parts": [[2022, 9]]},
            },
            2022,
            [2023],
            id="print-after-online",
        ),
    ],
)
def test_years(dates: dict[str, object], year: int | None, others: list[int]) -> None:
    work = read(**dates)
    assert work.year == year
    assert [version.year for version in work.versions] == others


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("journal-article", WorkType.ARTICLE_JOURNAL),
        ("proceedings-article", WorkType.PAPER_CONFERENCE),
        ("posted-content", WorkType.PREPRINT),
        ("monograph", WorkType.BOOK),
        ("book-chapter", WorkType.CHAPTER),
        ("reference-entry", WorkType.REFERENCE_ENTRY),
        ("peer-review", WorkType.PEER_REVIEW),
        ("dataset", WorkType.DATASET),
        ("dissertation", WorkType.THESIS),
        ("component", WorkType.UNKNOWN),
        (None, WorkType.UNKNOWN),
        ("something new", WorkType.UNKNOWN),
    ],
)
def test_types(name: str | None, expected: WorkType) -> None:
    assert read(type=name).type is expected


@pytest.mark.parametrize(
    ("updates", "notices"),
    [
        pytest.param(
            [{"type": "retraction", "DOI": "10.5555/N", "source": s} for s in ("publisher", "retraction-watch")],
            [Notice(type=RETRACTION, doi="10.5555/n")],
            id="reported-twice",
        ),
        pytest.param(
            [{"type": "retraction"}, {"type": "retraction", "DOI": "10.5555/n", "updated": {"date-parts": [[2019]]}}],
            [Notice(type=RETRACTION, doi="10.5555/n", year=2019)],
            id="once-without-doi",
        ),
        pytest.param([{"type": "retraction"}], [Notice(type=RETRACTION)], id="without-doi"),
        pytest.param([{"type": "removal"}], [Notice(type=NoticeType.WITHDRAWAL)], id="removal"),
        pytest.param([{"type": "withdrawal"}], [Notice(type=NoticeType.WITHDRAWAL)], id="withdrawal"),
        pytest.param([{"type": "Expression of Concern"}], [Notice(type=CONCERN)], id="concern-in-words"),
        pytest.param([{"type": "expression_of_concern"}], [Notice(type=CONCERN)], id="concern"),
        pytest.param(
            [{"type": kind, "DOI": f"10.5555/{kind}"} for kind in CORRECTIONS],
            [Notice(type=NoticeType.CORRECTION, doi=f"10.5555/{kind}") for kind in CORRECTIONS],
            id="three-corrections",
        ),
        pytest.param([{"type": "new_edition"}, {"type": None}, {}, None], [], id="no-notice"),
        pytest.param(None, [], id="null"),
    ],
)
def test_notices(updates: object, notices: list[Notice]) -> None:
    assert list(read(updated_by=updates).notices) == notices


def test_a_notice_is_no_retracted_work() -> None:
    work = read(title=["Retraction: Moths"], update_to=[{"DOI": "10.5555/b", "type": "retraction"}])
    assert work.notices == ()


def test_a_title_mark_is_a_notice() -> None:
    assert [notice.type for notice in read(title=["RETRACTED: Moths"]).notices] == [RETRACTION]
    marked = read(title=["RETRACTED: Moths"], updated_by=[{"type": "retraction", "DOI": "10.5555/n"}])
    assert marked.notices == (Notice(type=RETRACTION, doi="10.5555/n"),)


def test_a_notice_in_the_same_answer_is_put_to_its_work() -> None:
    notice = record(
        DOI="10.5555/n", title=["Retraction: Moths"], update_to=[{"DOI": "10.5555/A", "type": "retraction"}]
    )
    [lookup] = look(source(), Canned(listed(notice, record())), [title("Moths")])
    assert [work.notices for work in lookup.candidates] == [(), (Notice(type=RETRACTION, doi="10.5555/n"),)]


def test_linked_preprints_are_versions() -> None:
    relation = {
        "has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2101.90001"}],
        "is-version-of": [{"id": "10.5555/a"}, {"id": 3}],
        "has-review": [{"id": "10.5555/r"}],
        "has-version": None,
    }
    [version] = read(relation=relation).versions
    assert (version.type, version.identifiers.arxiv_id) == (WorkType.PREPRINT, "2101.90001")


def test_everything_else_is_read() -> None:
    work = read(
        container_title=["Annals of Dusk"],
        short_container_title=["Ann. Dusk"],
        volume="4",
        issue="2",
        page="1-9",
        publisher="Dusk Press",
        ISBN=["http://id.crossref.org/isbn/9780306406157"],
        link=[
            {"URL": "https://example.org/a.pdf", "content-type": "application/pdf"},
            {"URL": "https://example.org/b"},
        ],
        editor=[{"family": "Roe", "given": "J"}],
    )
    assert (work.container_title, work.volume, work.issue, work.pages) == ("Annals of Dusk", "4", "2", "1-9")
    assert (work.publisher, work.identifiers.isbn, len(work.editors)) == ("Dusk Press", "9780306406157", 1)
    assert work.fulltext_urls == ("https://example.org/a.pdf",)
    assert [version.container_title for version in work.versions] == ["Ann. Dusk"]
    assert read(article_number="e124").pages == "e124"


def test_a_record_of_nonsense_is_still_a_record() -> None:
    names = ("author", "editor", "issued", "published", "container_title", "volume", "page", "link", "relation", "ISBN")
    odds: list[object] = [None, 3, "x", [3], {"a": []}, [[[]]], True, 10**5000]
    for odd in odds:
        assert read(**dict.fromkeys(names, odd)).title == "Moths"


# --- questions ---


def test_dois_share_a_request_and_odd_ones_are_asked_apart() -> None:
    def rule(ask: Ask) -> Answer:
        return (
            listed(record(DOI="10.5555/a"), record(DOI="10.5555/b"))
            if ask.lane == "list"
            else good(status=404, text=NO)
        )

    client = Canned(rule=rule)
    lookups = look(source(), client, [doi("10.5555/a"), doi("10.5555/x,y"), doi("10.5555/b"), doi("10.5555/A")])
    assert [lookup.outcome for lookup in lookups] == [Outcome.FOUND, Outcome.NO_MATCH, Outcome.FOUND, Outcome.FOUND]
    assert client.params[0]["filter"] == "doi:10.5555/a,doi:10.5555/b"
    assert [ask.url for ask in client.asked[1:]] == [
        f"{BASE}/works/10.5555%2Fx%2Cy",
        f"{BASE}/works/10.5555%2Fx%2Cy/agency",
    ]


def test_a_filter_holds_fifty() -> None:
    def rule(ask: Ask) -> Answer:
        return listed(*(record(DOI=part[4:]) for part in dict(ask.params)["filter"].split(",")))

    client = Canned(rule=rule)
    lookups = look(source(), client, [doi(f"10.5555/{place}") for place in range(MAX_FILTER + 2)])
    assert {lookup.outcome for lookup in lookups} == {Outcome.FOUND}
    assert [asked["rows"] for asked in client.params] == ["50", "2"]


def test_what_a_filter_leaves_open_is_asked_singly() -> None:
    """A service that ignores the filter, or an old DOI that has another name now."""

    def rule(ask: Ask) -> Answer:
        return listed(record(DOI="10.9999/z")) if ask.lane == "list" else good({"message": record(DOI="10.5555/new")})

    lookups = look(source(), Canned(rule=rule), [doi("10.5555/old"), doi("10.5555/older")])
    for lookup in lookups:
        [work] = lookup.candidates
        assert work.identifiers.doi == "10.5555/new"
        assert [version.identifiers.doi for version in work.versions] == [lookup.query.text]


@pytest.mark.parametrize(
    ("text", "agency", "coverage"),
    [
        pytest.param("10.48550/arxiv.1706.03762", None, Coverage.NONE, id="datacite"),
        pytest.param("10.9999/other", None, Coverage.GENERAL, id="prefix-unknown-here"),
        pytest.param("10.5555/dead", good(status=404, text=NO), Coverage.AUTHORITATIVE, id="no-agency-knows-it"),
        pytest.param("10.5555/moved", good({"message": {"agency": {}}}), Coverage.NONE, id="another-agency"),
    ],
)
def test_what_a_missing_doi_testifies(text: str, agency: Answer | None, coverage: Coverage) -> None:
    def rule(ask: Ask) -> Answer:
        if ask.lane == "list":
            return listed(record(DOI="10.5555/a"))
        if not ask.url.endswith("/agency"):
            return good(status=404, text=NO)
        assert agency is not None
        return agency

    lookup = look(source(), Canned(rule=rule), [doi("10.5555/a"), doi(text)])[1]
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, coverage)


def test_an_agency_that_cannot_be_asked_leaves_the_doi_open() -> None:
    def rule(ask: Ask) -> Answer:
        if ask.lane == "list":
            return listed(record())
        return good(status=500 if ask.url.endswith("/agency") else 404, text=NO)

    lookups = look(source(), Canned(rule=rule), [doi("10.5555/a"), doi("10.5555/dead")])
    assert [lookup.outcome for lookup in lookups] == [Outcome.FOUND, Outcome.UNAVAILABLE]


@pytest.mark.parametrize(
    ("kind", "venue", "coverage"),
    [
        (WorkType.ARTICLE_JOURNAL, "Nature", Coverage.GENERAL),
        (WorkType.PAPER_CONFERENCE, "CVPR", Coverage.GENERAL),
        (WorkType.BOOK, None, Coverage.GENERAL),
        (WorkType.CHAPTER, None, Coverage.GENERAL),
        (WorkType.UNKNOWN, "Annals of Dusk", Coverage.GENERAL),
        (WorkType.UNKNOWN, None, Coverage.NONE),
        (WorkType.PREPRINT, "bioRxiv", Coverage.GENERAL),
        (WorkType.PREPRINT, None, Coverage.NONE),
        (WorkType.ARTICLE_JOURNAL, "arXiv preprint arXiv:1706.03762", Coverage.NONE),
        (WorkType.PAPER_CONFERENCE, "Advances in Neural Information Processing Systems", Coverage.NONE),
        (WorkType.PAPER_CONFERENCE, "International Conference on Learning Representations", Coverage.NONE),
        (WorkType.ARTICLE_JOURNAL, "Journal of Machine Learning Research", Coverage.NONE),
        (WorkType.ARTICLE_JOURNAL, "Machine Learning", Coverage.GENERAL),
        *[(WorkType.PAPER_CONFERENCE, venue, Coverage.NONE) for venue in SHORT],
        (WorkType.ARTICLE_JOURNAL, "J. Mach. Vis. Appl.", Coverage.GENERAL),
        (WorkType.ARTICLE_JOURNAL, "Neural Process. Lett.", Coverage.GENERAL),
        (WorkType.ARTICLE_JOURNAL, "农业工程学报", Coverage.NONE),
        (WorkType.ARTICLE_JOURNAL, "Успехи математических наук", Coverage.NONE),
        (WorkType.THESIS, None, Coverage.NONE),
        (WorkType.WEBPAGE, None, Coverage.NONE),
        (WorkType.SOFTWARE, None, Coverage.NONE),
    ],
)
def test_what_silence_on_a_title_testifies(kind: WorkType, venue: str | None, coverage: Coverage) -> None:
    [lookup] = look(source(), Canned(listed()), [title("Moths", kind=kind, venue=venue)])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, coverage)


@pytest.mark.parametrize(
    "text",
    [
        *["基于深度学习的识别研究", "深層学習による認識", "딥러닝 기반 인식", "О структуре мотыльков"],
        *["On $L^p$ norms of moths", r"The \\mathbb{Z} of moths", "ℤ-graded moths", "Moths in H₂O", "Norms 𝐿 of moths"],
    ],
)
def test_silence_on_what_words_cannot_find_testifies_nothing(text: str) -> None:
    [lookup] = look(source(), Canned(listed()), [title(text, venue="Nature")])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)


def test_silence_on_a_title_that_lost_a_formula_testifies_nothing() -> None:
    lost = title("Moths", venue="Nature").model_copy(update={"formula": True})
    assert look(source(), Canned(listed()), [lost])[0].coverage is Coverage.NONE


def beside(query: Query, cited: str) -> Query:
    return query.model_copy(update={"doi": cited})


def registry(*held: str) -> Canned:
    """A Crossref that holds some DOIs, knows `10.5555/moved` of another agency, and finds no title."""

    def rule(ask: Ask) -> Answer:
        params = dict(ask.params)
        if ask.lane == "list":
            return listed(*(record(DOI=each) for each in held if each in params.get("filter", "")))
        name = unquote(ask.url.removeprefix(f"{BASE}/works/"))
        if name.removesuffix("/agency") == "10.5555/moved" and name.endswith("/agency"):
            return good({"message": {"agency": {"id": "istic"}}})
        return good({"message": record(DOI=name)}) if name in held else good(status=404, text=NO)

    return Canned(rule=rule)


@pytest.mark.parametrize(
    ("cited", "coverage"),
    [
        pytest.param("10.5555/a", Coverage.GENERAL, id="registered-here"),
        pytest.param("10.5555/A", Coverage.GENERAL, id="in-capitals"),
        pytest.param("10.5555/dead", Coverage.GENERAL, id="no-agency-knows-it"),
        pytest.param("10.5555/moved", Coverage.NONE, id="another-agency-knows-it"),
        pytest.param("10.9999/x", Coverage.NONE, id="unknown-here"),
        pytest.param("10.5281/zenodo.4567891", Coverage.NONE, id="datacite"),
        pytest.param("10.11975/j.issn.1002-6819.2019.01.001", Coverage.NONE, id="istic"),
        pytest.param("nonsense", Coverage.NONE, id="no-doi"),
    ],
)
@pytest.mark.parametrize("together", [True, False], ids=["together", "titles-later"])
def test_silence_on_a_title_counts_only_where_the_cited_doi_is_its_own(
    cited: str, coverage: Coverage, *, together: bool
) -> None:
    crossref, client = source(), registry("10.5555/a", "10.5555/b")
    dois, titles = [doi("10.5555/a"), doi("10.5555/b"), doi(cited)], [beside(title("Moths", venue="Nature"), cited)]
    if together:
        lookups = look(crossref, client, [*titles, *dois])
        assert lookups[0].coverage is coverage
    else:
        look(crossref, client, dois)
        assert look(crossref, client, titles)[0].coverage is coverage


@pytest.mark.parametrize(
    ("cited", "coverage"), [("10.5555/a", Coverage.GENERAL), ("10.9999/x", Coverage.NONE), ("10.5281/z", Coverage.NONE)]
)
def test_a_doi_whose_answer_was_remembered_is_asked_for(cited: str, coverage: Coverage) -> None:
    client = registry("10.5555/a")
    [lookup] = look(source(), client, [beside(title("Moths", venue="Nature"), cited)])
    assert lookup.coverage is coverage
    assert len(client.asked) == (1 if cited.startswith("10.5281") else 2)


def test_a_doi_that_cannot_be_asked_for_keeps_silence_from_testifying() -> None:
    def rule(ask: Ask) -> Answer:
        return listed() if ask.lane == "list" else good(status=404)

    [lookup] = look(source(), Canned(rule=rule), [beside(title("Moths", venue="Nature"), "10.5555/a")])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)


PROXY = [
    pytest.param(good(status=404), id="nothing"),
    pytest.param(good(status=404, text="<html><body>404 Not Found<hr>nginx</body></html>"), id="html"),
    pytest.param(good({"message": "no Route matched with those values"}, status=404), id="no-route"),
    pytest.param(good({"status": "error", "message-type": "route-not-found"}, status=404), id="own-route"),
    pytest.param(good([], status=404), id="list"),
    pytest.param(good(status=404, text="404 page not found"), id="other-words"),
]


@pytest.mark.parametrize("answer", PROXY)
@pytest.mark.parametrize("route", ["record", "agency"])
def test_a_404_of_somebody_else_is_no_answer(answer: Answer, route: str) -> None:
    def rule(ask: Ask) -> Answer:
        if ask.lane == "list":
            return listed(record(DOI="10.5555/a"))
        return answer if route == "record" or ask.url.endswith("/agency") else good(status=404, text=NO)

    lookups = look(source(), Canned(rule=rule), [doi("10.5555/a"), doi("10.5555/dead")])
    assert [lookup.outcome for lookup in lookups] == [Outcome.FOUND, Outcome.UNAVAILABLE]


@pytest.mark.parametrize(
    "answer",
    [
        good(status=404, text="Resource not found."),
        good("Resource not found.", status=404),
        good({"status": "failed", "message-type": "resource-not-found"}, status=404),
    ],
)
def test_its_own_404_is_a_no(answer: Answer) -> None:
    [lookup] = look(source(), Canned(answer), [doi("10.9999/x")])
    assert lookup.outcome is Outcome.NO_MATCH


def test_a_citation_is_asked_as_it_stands_and_proves_nothing() -> None:
    client = Canned(listed())
    [lookup] = look(source(), client, [Query(kind=QueryKind.CITATION, text="A. Roe. Moths. 1999.")])
    assert client.params[0]["query.bibliographic"] == "A. Roe. Moths. 1999."
    assert lookup.coverage is Coverage.NONE


def test_noise_is_left_out_and_damage_is_counted() -> None:
    noise = [record(DOI=f"10.5555/{kind}", type=kind) for kind in ("component", "journal-issue", "journal")]
    [lookup] = look(source(), Canned(listed(*noise, None, "x", {"DOI": "10.5555/u"}, record())), [title("Moths")])
    assert [work.source_id for work in lookup.candidates] == ["10.5555/a"]
    assert lookup.reason == "records that could not be read: 3"
    assert lookup.coverage is Coverage.NONE


def test_a_field_unknown_to_the_service_does_not_stop_the_run() -> None:
    client = Canned(good({"status": "failed"}, status=400), listed(record()), listed(record()))
    crossref = source()
    assert look(crossref, client, [title("Moths")])[0].outcome is Outcome.FOUND
    assert look(crossref, client, [title("Lamps")])[0].outcome is Outcome.FOUND
    assert ["select" in asked for asked in client.params] == [True, False, False]


@pytest.mark.parametrize(
    "answer",
    [
        good(None),
        good([]),
        good({}),
        good({"message": []}),
        good({"message": {}}),
        good({"message": {"items": {}}}),
        good({"message": {"items": [], "total-results": 12345}}),
        good({"message": {"items": [], "total-results": "many"}}),
        good(status=404),
        good({"message": {"items": []}}, status=204),
    ],
)
def test_other_shapes_are_no_answer(answer: Answer) -> None:
    with pytest.raises(SourceUnavailableError):
        look(source(), Canned(answer, answer), [title("Moths")])


@pytest.mark.parametrize("answer", [good({"message": {}}), good({"message": {"DOI": "?"}}), good(status=400)])
def test_a_single_record_without_a_doi_is_no_answer(answer: Answer) -> None:
    client = Canned(answer)
    if answer.status == 200 and answer.value == {"message": {"DOI": "?"}}:
        assert look(source(), client, [doi("10.5555/a")])[0].outcome is Outcome.NO_MATCH
        return
    with pytest.raises(SourceUnavailableError):
        look(source(), client, [doi("10.5555/a")])


def test_contact_and_key_go_out_but_not_into_the_lookup() -> None:
    client = Canned(listed(record()), good({"message": record()}))
    crossref = source(contact="mailto:ed@example.org", api_key="s3cret")
    lookups = look(crossref, client, [title("Moths"), doi("10.5555/a")])
    assert {asked["mailto"] for asked in client.params} == {"ed@example.org"}
    assert {ask.headers for ask in client.asked} == {(("Crossref-Plus-API-Token", "Bearer s3cret"),)}
    assert not any(word in f"{lookups}" for word in ("ed@example", "s3cret"))


def test_the_query_can_be_repeated() -> None:
    client = Canned(good(status=404, text=NO), listed())
    titled, by_doi = look(source(), client, [title("Moths & lamps", "Roe"), doi("10.5555/a(b)")])
    assert titled.url == f"{BASE}/works?query.bibliographic=Moths+%26+lamps+Roe&rows=5"
    assert by_doi.url == f"{BASE}/works/10.5555%2Fa%28b%29"


@pytest.mark.parametrize("base", ["http://h", "http://h/", "http://h/works", "http://h/v1"])
def test_base_urls(base: str) -> None:
    client = Canned(listed())
    look(CrossrefSource(base), client, [title("Moths")])
    assert client.asked[0].url == ("http://h/v1/works" if base.endswith("v1") else "http://h/works")


@pytest.mark.parametrize("query", [Query(kind=QueryKind.ISBN, text="9780306406157"), title("--"), doi("nonsense")])
def test_what_cannot_be_asked_is_skipped(query: Query) -> None:
    assert look(source(), Canned(), [query])[0].outcome is Outcome.SKIPPED


def test_the_town_speaks_the_same() -> None:
    with open_town(Town(pace=0.0)) as base_url:
        lookups = ask(
            make("crossref", base_url),
            base_url,
            doi("10.5555/(sici)1097<12::aid-x,1>3.0.co;2-2"),
            doi("10.5555/moths.2018"),
            doi("10.5555/dusk.2020"),
            doi("10.5555/first.light"),
            doi("10.18637/jss.v067.i01"),
        )
    odd, retracted, corrected, observatory, dateless = [lookup.candidates[0] for lookup in lookups]
    assert odd.title == "Moths, Commas and Brackets"
    assert retracted.notices == (Notice(type=RETRACTION, doi="10.5555/moths.2019.notice", year=2019),)
    assert {notice.type for notice in corrected.notices} == {NoticeType.CORRECTION, CONCERN}
    assert [str(one) for one in observatory.authors][1:] == ["Basil Quarrendon", "Ottoline Fernwhistle"]
    assert dateless.year == 2015
