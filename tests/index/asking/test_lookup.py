"""References without a title, renamed versions, notices elsewhere in the index: what the ladder does beyond titles."""

from __future__ import annotations

import pytest

from citeaudit.index.asking.engine import LookupIndex
from citeaudit.match.queries import queries
from citeaudit.model import Lookup, Notice, NoticeType, Outcome, Query, QueryKind, Reference
from tests.index.build import ask, memory_index

JOURNAL = "Lunar Review Letters"


def _paper(title: str, *families: str, **fields: object) -> dict[str, object]:
    return {"title": title, "authors": [{"family": family, "given": "A."} for family in families], **fields}


PLACED = [
    _paper(
        "Dust in motion", "Elm", "Fir", year=1996, venue=JOURNAL, volume="77", pages="3865-3868", doi="10.5555/dust"
    ),
    _paper("Gravel at rest", "Oak", year=1996, venue=JOURNAL, volume="77", pages="3869-3870"),
    _paper("Sand in doubt", "Ash", year=1996, venue="Lawn Care", volume="77", pages="3865"),
    _paper("Boulders, one by one", "Yew", year=2001, venue=JOURNAL, volume="82", pages="e1001"),
    _paper("Pebbles", "Ivy", year=1980, venue=JOURNAL, volume="44", pages="12-15"),
    _paper("Pebbles again", "Bay", year=1980, venue=JOURNAL, volume="44", pages="12-19"),
]


@pytest.fixture(scope="module")
def places() -> LookupIndex:
    return memory_index(PLACED)


def _cited(raw: str, venue: str, volume: str, page: str, **hints: object) -> dict[str, object]:
    return {"text": raw, "container_title": venue, "volume": volume, "page": page, **hints}


@pytest.mark.parametrize(
    ("cited", "title"),
    [
        pytest.param(
            _cited("A. Elm, Lun. Rev. Lett. 77, 3865 (1996)", "Lun. Rev. Lett.", "77", "3865", year=1996),
            "Dust in motion",
            id="abbreviated-and-year",
        ),
        pytest.param(
            _cited("A. Elm, LRL 77, 3865", "LRL", "vol. 77", "3865–3868", families=("Elm",)),
            "Dust in motion",
            id="acronym-and-surname",
        ),
        pytest.param(
            _cited("A. Elm, LRL 77, 3865 (1906)", "LRL", "77", "3865", families=("Elm",), year=1906),
            "Dust in motion",
            id="year-misprinted",
        ),
        pytest.param(
            _cited(
                "E1m, Lunar Rev. Lett. 77 (1996) 3865", "Lunar Rev. Lett.", "77", "3865", families=("E1m",), year=1996
            ),
            "Dust in motion",
            id="surname-misread",
        ),
        pytest.param(
            _cited("Ash, Lawn Care 77 (1996) 3865", "Lawn Care", "77", "3865", year=1996),
            "Sand in doubt",
            id="other-venue",
        ),
        pytest.param(
            _cited("A. Yew, Lun. Rev. Lett. 82, e1001", "Lun. Rev. Lett.", "82", "e1001", families=("Yew",)),
            "Boulders, one by one",
            id="article-number",
        ),
    ],
)
def test_a_reference_without_a_title_is_found_by_its_place(
    places: LookupIndex, cited: dict[str, object], title: str
) -> None:
    (answer,) = places.search([Query.model_validate({"kind": "citation", **cited})])
    assert answer.outcome is Outcome.FOUND
    assert answer.candidates[0].title == title


def test_where_nothing_chooses_between_two_both_are_given(places: LookupIndex) -> None:
    cited = _cited("Lun. Rev. Lett. 44, 12 (1980)", "Lun. Rev. Lett.", "44", "12", year=1980)
    (answer,) = places.search([Query.model_validate({"kind": "citation", **cited})])
    assert [work.title for work in answer.candidates] == ["Pebbles", "Pebbles again"]
    chosen = {**cited, "families": ("Bay",)}
    (answer,) = places.search([Query.model_validate({"kind": "citation", **chosen})])
    assert answer.candidates[0].title == "Pebbles again"


def test_a_place_where_nothing_stands_is_a_plain_no(places: LookupIndex) -> None:
    cited = _cited("Lun. Rev. Lett. 99, 1 (1980)", "Lun. Rev. Lett.", "99", "1", year=1980)
    (answer,) = places.search([Query.model_validate({"kind": "citation", **cited})])
    assert (answer.outcome, answer.candidates) == (Outcome.NO_MATCH, ())


def test_a_reference_hands_on_volume_and_page_only_without_a_title() -> None:
    cited = Reference(
        raw="A. Elm, Lun. Rev. Lett. 77, 3865 (1996)", container_title="Lun. Rev. Lett.", volume="77", pages="3865"
    )
    (query,) = queries(cited)
    assert (query.kind, query.volume, query.page) == (QueryKind.CITATION, "77", "3865")
    (query,) = queries(cited.model_copy(update={"title": "Dust in motion"}))
    assert (query.kind, query.volume, query.page) == (QueryKind.TITLE, None, None)


# --- versions ----------------------------------------------------------------------------------------------

DRAFT = _paper("Do moons dream of cheese?", "Gum", "Hay", year=2020, arxiv_id="2001.00001")
PRINTED = _paper("Cheese dreams of moons", "Gum", "Hay", year=2021, venue=JOURNAL, doi="10.5555/dreams")


@pytest.mark.parametrize(
    ("draft", "printed"),
    [
        pytest.param({"doi": "10.5555/dreams"}, {}, id="shared-identifier"),
        pytest.param({"related": [("published", "doi", "10.5555/dreams")]}, {}, id="draft-names-the-other"),
        pytest.param({}, {"related": [("preprint", "arxiv_id", "2001.00001")]}, id="printed-names-the-other"),
    ],
)
@pytest.mark.parametrize("by", ["draft", "printed"])
def test_a_renamed_version_belongs_to_the_work(draft: dict[str, object], printed: dict[str, object], by: str) -> None:
    index = memory_index([{**DRAFT, **draft}, {**PRINTED, **printed}])
    (work,) = ask(index, str((DRAFT if by == "draft" else PRINTED)["title"])).candidates
    assert work.title == (DRAFT if by == "draft" else PRINTED)["title"]
    assert {work.title, *(one.title for one in work.versions)} >= {DRAFT["title"], PRINTED["title"]}
    assert dict(work.identifiers.pairs()) == {"doi": "10.5555/dreams", "arxiv_id": "2001.00001"}


def test_a_relation_without_a_common_author_gathers_nothing() -> None:
    other = {**PRINTED, "authors": [{"family": "Nobody"}], "related": [("preprint", "arxiv_id", "2001.00001")]}
    (work,) = ask(memory_index([DRAFT, other]), "Do moons dream of cheese?").candidates
    assert work.versions == ()


def test_papers_that_bear_the_doi_of_their_proceedings_are_no_versions() -> None:
    rows = [
        _paper("Dust in motion", "Gum", "Hay", year=2020, doi="10.5555/proceedings"),
        _paper("Gravel at rest", "Oak", "Hay", year=2020, doi="10.5555/proceedings"),
    ]
    index = memory_index(rows)
    for row in rows:
        (work,) = ask(index, str(row["title"])).candidates
        assert (work.title, work.versions) == (row["title"], ())
    assert len(ask(index, "10.5555/proceedings", QueryKind.DOI).candidates) == 2


def test_chapters_of_one_book_are_no_versions() -> None:
    rows = [_paper(f"Chapter on {name} and more", "Gum", isbn="9780306406157") for name in ("dust", "gravel")]
    index = memory_index(rows)
    assert [len(work.versions) for work in ask(index, "9780306406157", QueryKind.ISBN).candidates] == [0, 0]
    (work, *_) = ask(index, "Chapter on dust and more").candidates
    assert work.versions == ()


def test_an_identifier_that_only_the_other_version_names_leads_to_the_work() -> None:
    index = memory_index([{**PRINTED, "related": [("preprint", "arxiv_id", "2001.00001")]}])
    (work,) = ask(index, "2001.00001", QueryKind.ARXIV_ID).candidates
    assert work.title == PRINTED["title"]
    assert [dict(one.identifiers.pairs()) for one in work.versions] == [{"arxiv_id": "2001.00001"}]


def test_titles_in_another_script_are_told_apart() -> None:
    rows = [_paper("是的研究方法論", "Wang"), _paper("事的研究方法論", "Li")]
    works = ask(memory_index(rows), "事的研究方法論").candidates
    assert works[0].title == "事的研究方法論"


def test_a_translated_title_is_a_title() -> None:
    row = {**PRINTED, "titles": ["Käse träumt von Monden"]}
    for title in ("Käse träumt von Monden", "Kase traeumt von Monden", "Kaese träumt von Mon den"):
        (work,) = ask(memory_index([row]), title, hints={"families": ("Gum",)}).candidates
        assert work.title == PRINTED["title"]


# --- notices -----------------------------------------------------------------------------------------------

WORK = _paper("Cheese as a Building Material", "Gum", year=2005, doi="10.5555/cheese", pmid="77")


@pytest.mark.parametrize(
    "about", [("retraction", "doi", "10.5555/cheese"), ("retraction", "pmid", "77")], ids=["doi", "pmid"]
)
def test_a_notice_elsewhere_in_the_index_marks_the_work(about: tuple[str, str, str]) -> None:
    notice = _paper("Cheese as a Building Material", "Gum", year=2009, doi="10.5555/notice", about=[about])
    index = memory_index([notice, WORK])
    expected = (Notice(type=NoticeType.RETRACTION, doi="10.5555/notice", year=2009),)
    for answer in (
        ask(index, "Cheese as a Building Material", hints={"families": ("Gum",), "year": 2009}),
        ask(index, "Cheese as a Buildlng Materia1", hints={"year": 2009}),
        ask(index, "10.5555/cheese", QueryKind.DOI),
    ):
        work = answer.candidates[0]
        assert (work.identifiers.doi, work.notices, work.versions) == ("10.5555/cheese", expected, ())


def test_a_notice_of_any_version_marks_the_work() -> None:
    draft = _paper("Cheese as a Building Material", "Gum", year=2004, doi="10.5555/draft")
    notice = _paper("A notice", "Editor", year=2009, doi="10.5555/n", about=[("withdrawal", "doi", "10.5555/draft")])
    (work,) = ask(memory_index([notice, WORK, draft]), "Cheese as a Building Material").candidates
    assert [one.type for one in work.notices] == [NoticeType.WITHDRAWAL]


def test_a_bare_mark_yields_to_the_notice_itself() -> None:
    notice = _paper("A notice", "Editor", year=2009, doi="10.5555/n", about=[("retraction", "doi", "10.5555/cheese")])
    marked = {**WORK, "title": "RETRACTED: Cheese as a Building Material"}
    (work,) = ask(memory_index([marked, notice]), "Cheese as a Building Material").candidates
    assert [one.doi for one in work.notices] == ["10.5555/n"]


def test_a_notice_that_is_cited_itself_comes_first() -> None:
    title = "Retraction notice to cheese as a building material"
    notice = _paper(title, "Gum", year=2009, about=[("retraction", "doi", "10.5555/cheese")])
    assert ask(memory_index([WORK, notice]), title).candidates[0].title == title


def test_a_peer_review_is_no_version_and_comes_later() -> None:
    review = _paper("Cheese as a Building Material", "Gum", year=2005, type="review", doi="10.5555/review")
    works = ask(memory_index([review, WORK]), "Cheese as a Building Material", hints={"families": ("Gum",)}).candidates
    assert [work.identifiers.doi for work in works] == ["10.5555/cheese", "10.5555/review"]
    assert works[0].versions == ()


@pytest.mark.parametrize(
    ("fields", "about"),
    [
        pytest.param({"arxiv_id": "2001.00001"}, ("withdrawal", "doi", "10.48550/arxiv.2001.00001"), id="arxiv-doi"),
        pytest.param(
            {"related": [("published", "doi", "10.5555/printed")]},
            ("withdrawal", "doi", "10.5555/printed"),
            id="version-not-held",
        ),
    ],
)
def test_a_notice_reaches_a_work_by_its_other_identifiers(
    fields: dict[str, object], about: tuple[str, str, str]
) -> None:
    work = _paper("Cheese as a Building Material", "Gum", year=2005, **fields)
    notice = _paper("A notice", "Editor", year=2009, doi="10.5555/n", about=[about])
    (found,) = ask(memory_index([notice, work]), "Cheese as a Building Material").candidates
    assert [one.type for one in found.notices] == [NoticeType.WITHDRAWAL]


def test_an_answer_has_every_field_of_a_validated_one() -> None:
    answer = ask(memory_index(), "Introduction")
    assert Lookup.model_validate(answer.model_dump()) == answer
    assert set(answer.__dict__) == set(Lookup.model_fields)


def test_a_list_is_answered_as_its_questions_one_by_one() -> None:
    index = memory_index()
    kinds = (QueryKind.TITLE, QueryKind.CITATION, QueryKind.DOI)
    texts = ("Introduction", "Growing Tornatoes on the Mooii", "10.5555/moon.1", "zzqx", "")
    questions = [Query(kind=kind, text=text) for kind in kinds for text in texts]
    assert index.search(questions) == tuple(answer for one in questions for answer in index.search([one]))
