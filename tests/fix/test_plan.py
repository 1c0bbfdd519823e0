"""Only what a certain record supports is proposed; where none is certain, what is needed is told."""

from __future__ import annotations

import pytest

from citeaudit.fix.edition import cited, editions
from citeaudit.fix.plan import BACKED, FIRM, SLIPS, Plan, is_firm, plan
from citeaudit.match.rules import ANCHORS, RULES
from citeaudit.model import (
    AuthorMatch,
    AuthorRelation,
    Candidate,
    Decision,
    FieldMatch,
    FieldName,
    Identifiers,
    Rank,
    Reference,
    Relation,
    Ruling,
    Status,
    Verdict,
    Version,
    WorkType,
)
from tests import samples
from tests.fix.material import LAMPS, TIDES

CITED = samples.reference(TIDES.title, "A B", year=2014).model_copy(
    update={"type": WorkType.ARTICLE_JOURNAL, "container_title": "Journal of Harbour Studies"}
)


def _field(field: FieldName, rule: str, relation: Relation = Relation.DIFFERENT, found: str | None = "y") -> FieldMatch:
    claimed = "Slow tides and the painting of harbour walls" if field is FieldName.TITLE else "x"
    found = TIDES.title if field is FieldName.TITLE else found
    return FieldMatch(field=field, claimed=claimed, found=found, relation=relation, score=0.0, rule=rule)


def _verdict(
    *fields: FieldMatch,
    work: object = TIDES,
    anchor: str = "title_authors",
    status: Status = Status.MISMATCHED,
    rank: Rank = Rank.ANCHORED,
    of: Reference | None = None,
) -> Verdict:
    one = samples.verdict(Status.MISMATCHED, of=of or CITED, found="y")
    best = Candidate.model_validate({"work": work, "fields": fields, "rank": rank, "anchor": anchor, "score": 0.9})
    return one.model_copy(update={"best": best, "fields": fields, "status": status})


def _values(made: Plan) -> dict[str, str]:
    return {change.field.value: change.value for change in made.changes}


def test_the_names_of_rules_and_anchors_are_known() -> None:
    assert RULES.keys() >= SLIPS
    assert {*FIRM, BACKED} <= ANCHORS.keys()
    assert all(RULES[name].relation is Relation.VARIANT for name in SLIPS)


@pytest.mark.parametrize(
    ("match", "value"),
    [
        pytest.param(_field(FieldName.TITLE, "title_differs"), TIDES.title, id="title"),
        pytest.param(_field(FieldName.YEAR, "year_differs"), "2014", id="year"),
        pytest.param(_field(FieldName.CONTAINER_TITLE, "venue_differs"), "Journal of Harbour Studies", id="venue"),
        pytest.param(_field(FieldName.VOLUME, "volume_differs"), "12", id="volume"),
        pytest.param(_field(FieldName.ISSUE, "issue_differs"), "3", id="issue"),
        pytest.param(_field(FieldName.PAGES, "pages_differs"), "101-119", id="pages"),
        pytest.param(_field(FieldName.DOI, "identifier_unknown", found=None), "10.5555/tides.2014_7", id="doi"),
        pytest.param(_field(FieldName.YEAR, "year_off_by_one"), "2014", id="counted-slip"),
    ],
)
def test_a_certain_record_gives_the_value(match: FieldMatch, value: str) -> None:
    made = plan(_verdict(match))
    assert _values(made) == {match.field.value: value}
    assert made.record == TIDES
    assert made.needed == ()


@pytest.mark.parametrize(
    "match",
    [
        pytest.param(_field(FieldName.TITLE, "title_subtitle"), id="subtitle"),
        pytest.param(_field(FieldName.YEAR, "year_preprint"), id="preprint"),
        pytest.param(_field(FieldName.CONTAINER_TITLE, "venue_abbreviated"), id="abbreviated"),
        pytest.param(_field(FieldName.DOI, "doi_other_than_recorded"), id="further-version"),
    ],
)
def test_another_form_is_never_changed_though_counted(match: FieldMatch) -> None:
    made = plan(_verdict(match))
    assert made.changes == ()
    assert len(made.needed) == 1
    assert "another version or form" in made.needed[0]


@pytest.mark.parametrize(
    ("match", "told"),
    [
        pytest.param(
            _field(FieldName.PMID, "identifier_unknown"), "The PMID cannot be settled by the record", id="not-recorded"
        ),
        pytest.param(_field(FieldName.PUBLISHER, "x"), "may be that of another version", id="no-rule"),
    ],
)
def test_what_the_record_does_not_say_is_told(match: FieldMatch, told: str) -> None:
    made = plan(_verdict(match))
    assert made.changes == ()
    assert told in made.needed[0]


def test_a_record_that_lists_some_authors_changes_none() -> None:
    some = TIDES.model_copy(update={"authors_complete": False})
    made = plan(_verdict(_field(FieldName.AUTHORS, "author_not_in_record"), work=some, of=CITED))
    assert made.changes == ()
    assert "The authors cannot be settled by the record" in made.needed[0]


def test_a_variant_is_nothing_to_do_and_an_incomplete_list_only_on_request() -> None:
    assert plan(_verdict(_field(FieldName.TITLE, "title_damaged", Relation.VARIANT))) == Plan(record=TIDES)
    short = _verdict(
        _field(FieldName.AUTHORS, "authors_incomplete", Relation.VARIANT), of=samples.reference("x", "Marit Ørsted")
    )
    assert plan(short).changes == ()
    assert _values(plan(short, all_variants=True)) == {"authors": "Marit Ørsted, Jonas P. Quill, Anneke van der Berg"}


@pytest.mark.parametrize("anchor", sorted(ANCHORS.keys() - FIRM - {BACKED}))
def test_an_uncertain_record_proposes_nothing(anchor: str) -> None:
    made = plan(_verdict(_field(FieldName.YEAR, "year_differs"), anchor=anchor))
    assert made.changes == ()
    assert made.needed == (
        "The record that came back may be another work: compare it with the copy that was used first.",
    )


def test_other_authors_need_two_fields_that_agree_and_a_second_source() -> None:
    wrong = _field(FieldName.AUTHORS, "authors_differ")
    year, venue = (_field(name, "x", Relation.SAME) for name in (FieldName.YEAR, FieldName.CONTAINER_TITLE))
    assert plan(_with_second(_verdict(wrong, year, anchor=BACKED))).changes == ()
    assert plan(_verdict(wrong, year, venue, anchor=BACKED)).changes == ()
    assert len(plan(_with_second(_verdict(wrong, year, venue, anchor=BACKED))).changes) == 1


@pytest.mark.parametrize(("rule", "changes"), [("authors_differ", 0), ("authors_stock_names", 1)])
def test_names_of_no_one_need_no_second_source(rule: str, changes: int) -> None:
    made = plan(_verdict(_field(FieldName.AUTHORS, rule)))
    assert len(made.changes) == changes
    assert bool(made.needed) is not bool(changes)


def test_where_no_author_is_shared_the_record_is_trusted_in_nothing() -> None:
    wrong = (_field(FieldName.AUTHORS, "authors_differ"), _field(FieldName.VOLUME, "volume_differs"))
    assert plan(_verdict(*wrong)).changes == ()


@pytest.mark.parametrize("relation", [Relation.VARIANT, Relation.DIFFERENT])
def test_what_may_be_another_version_as_a_whole_is_left(relation: Relation) -> None:
    assert "year_of_other_version" in RULES
    pages = _field(FieldName.PAGES, "pages_differs")
    made = plan(_verdict(pages, _field(FieldName.YEAR, "year_of_other_version", relation)))
    assert made.changes == ()
    assert len(plan(_verdict(pages)).changes) == 1


def test_a_thesis_takes_nothing_from_the_paper_drawn_from_it() -> None:
    thesis = CITED.model_copy(update={"type": WorkType.THESIS})
    wrong = [_field(name, f"{name}_differs") for name in (FieldName.TITLE, FieldName.YEAR)]
    made = plan(_verdict(*wrong, _field(FieldName.AUTHORS, "author_not_in_record"), of=thesis))
    assert made.changes == ()
    assert len(made.needed) == 3


def _with_second(one: Verdict, **update: object) -> Verdict:
    """The verdict where another source holds the same work."""
    assert one.best is not None
    work = one.best.work.model_copy(update={"source": "second", **update})
    both = (one.best, one.best.model_copy(update={"work": work}))
    return one.model_copy(update={"evidence": one.evidence.model_copy(update={"candidates": both})})


def test_an_identifier_against_the_title_is_for_a_person_to_decide() -> None:
    wrong = _field(FieldName.DOI, "identifier_names_another")
    made = plan(_verdict(wrong, anchor="identifier_other_work", rank=Rank.REJECTED))
    assert made.changes == ()
    assert made.needed == (
        "The DOI and the title do not lead to one work: decide which of the two is meant, then correct the other.",
    )


@pytest.mark.parametrize(
    ("title", "changes"),
    [
        pytest.param("Slow tides and harbours", 1, id="half-agrees"),
        pytest.param("The training of networks", 0, id="another-title"),
    ],
)
def test_an_identifier_alone_does_not_make_it_one_work(title: str, changes: int) -> None:
    match = _field(FieldName.TITLE, "title_differs").model_copy(update={"claimed": title})
    made = plan(_verdict(match, anchor="identifier"))
    assert len(made.changes) == changes
    assert bool(made.needed) is not bool(changes)


@pytest.mark.parametrize(
    ("others", "identified", "changes"),
    [
        pytest.param((), (), 1, id="all-else-agrees"),
        pytest.param((_field(FieldName.YEAR, "year_differs"),), (), 0, id="year-differs-too"),
        pytest.param((_field(FieldName.YEAR, "year_differs"),), ("doi",), 2, id="identifier"),
        pytest.param((_field(FieldName.TITLE, "title_differs"),), ("doi",), 0, id="title-differs-too"),
    ],
)
def test_other_authors_are_a_slip_only_where_the_rest_agrees(
    others: tuple[FieldMatch, ...], identified: tuple[str, ...], changes: int
) -> None:
    match = _field(FieldName.AUTHORS, "authors_mostly_differ")
    one = _verdict(match, *others, of=CITED)
    assert one.best is not None
    best = one.best.model_copy(update={"identifier_of": identified})
    assert len(plan(one.model_copy(update={"best": best})).changes) == changes


@pytest.mark.parametrize("title", ["The $k$-means of tides", "H<sub>2</sub>O", "The \\emph{tides}"])
def test_a_recorded_title_with_markup_is_for_a_person(title: str) -> None:
    work = TIDES.model_copy(update={"title": title})
    made = plan(_verdict(_field(FieldName.TITLE, "title_differs"), work=work))
    assert made.changes == ()
    assert "The title cannot be settled by the record" in made.needed[0]


def test_not_found_asks_for_what_would_settle_it() -> None:
    assert plan(samples.verdict(Status.NOT_FOUND)).needed == (
        "No record was found: a DOI, or where the work can be seen, is needed.",
    )
    assert plan(samples.verdict()).needed == ()
    assert plan(samples.verdict(Status.UNDECIDED)) == Plan()
    held = _verdict(_field(FieldName.YEAR, "year_differs"), status=Status.UNDECIDED)
    assert plan(held) == Plan()


@pytest.mark.parametrize("ruling", [Ruling.KNOWN_GOOD, Ruling.BAD_READING, Ruling.NOT_CHECKABLE])
def test_what_a_person_has_settled_is_left_alone(ruling: Ruling) -> None:
    one = _verdict(_field(FieldName.YEAR, "year_differs"))
    decision = Decision(fingerprint="f", ruling=ruling, reason="seen")
    settled = one.evidence.model_copy(update={"decision": decision})
    assert plan(one.model_copy(update={"evidence": settled})) == Plan()


def test_authors_carry_how_each_stands() -> None:
    people = (AuthorMatch(relation=AuthorRelation.PHANTOM, claimed="A B", found=None, place=1),)
    match = _field(FieldName.AUTHORS, "author_not_in_record").model_copy(update={"people": people})
    (change,) = plan(_verdict(match, of=CITED)).changes
    assert (change.people, change.persons) == (people, TIDES.authors)


@pytest.mark.parametrize(
    ("changes", "year"),
    [
        pytest.param({"type": WorkType.PAPER_CONFERENCE, "container_title": "Lamp Meeting"}, 2019, id="venue"),
        pytest.param({"type": WorkType.PREPRINT, "container_title": None}, 2017, id="kind"),
        pytest.param({"container_title": "arXiv preprint arXiv:1703.01234"}, 2017, id="server"),
        pytest.param({"identifiers": Identifiers(arxiv_id="1703.01234v2")}, 2017, id="arxiv-id"),
        pytest.param({"identifiers": Identifiers(doi="10.5555/lamps.9"), "year": 2017}, 2019, id="doi"),
        pytest.param({"year": 2017}, 2019, id="year-alone-is-weaker-than-kind"),
    ],
)
def test_the_version_is_the_one_that_is_cited(changes: dict[str, object], year: int) -> None:
    reference = samples.reference(LAMPS.title, "Ada Farrow", year=None).model_copy(update=changes)
    assert [one.year for one in cited(reference, LAMPS)] == [year]


def test_versions_that_disagree_and_fit_alike_give_no_value() -> None:
    twice = LAMPS.model_copy(
        update={"versions": (Version(type=WorkType.PAPER_CONFERENCE, year=2020, container_title="Other"),)}
    )
    reference = samples.reference(LAMPS.title, "Ada Farrow", year=1990)
    assert [one.year for one in cited(reference, twice)] == [2019, 2020]
    made = plan(_verdict(_field(FieldName.YEAR, "year_differs"), work=twice, of=reference))
    assert made.changes == ()
    assert len(editions(twice)) == 2


def test_a_record_is_firm_only_where_it_is_anchored() -> None:
    firm, open_ = _verdict().best, _verdict(rank=Rank.POSSIBLE).best
    assert firm is not None
    assert open_ is not None
    assert (is_firm(firm), is_firm(open_)) == (True, False)


@pytest.mark.parametrize("rule", ["venue_differs", "venue_part", "year_of_other_version"])
def test_authors_do_not_come_or_go_where_another_version_may_be_cited(rule: str) -> None:
    field = FieldName.YEAR if rule.startswith("year") else FieldName.CONTAINER_TITLE
    relation = Relation.DIFFERENT if rule == "venue_differs" else Relation.VARIANT
    people = (AuthorMatch(claimed="A B", place=1, found=None, relation=AuthorRelation.PHANTOM),)
    authors = _field(FieldName.AUTHORS, "author_not_in_record").model_copy(update={"people": people})
    made = plan(_verdict(authors, _field(field, rule, relation)))
    assert "authors" not in _values(made)
    assert any("author" in told for told in made.needed)


@pytest.mark.parametrize("source", ["at $\\sqrt{s}=13$ TeV", "\\SI{10}{\\micro\\meter} walls"])
def test_titles_with_formulas_are_left_to_a_person(source: str) -> None:
    of = CITED.model_copy(update={"raw": f"@article{{a, title = {{Slow tides {source}}}}}"})
    made = plan(_verdict(_field(FieldName.TITLE, "title_differs"), of=of))
    assert _values(made) == {}
    assert made.needed
