"""Markers lead to their references, and what is not certain stays open."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.extract.intext.body import Body, Mark, MarkKind, Note, Place
from citeaudit.extract.intext.link import Linked, link
from citeaudit.model import Locus, Person, Reference


def work(
    family: str, year: int | None, title: str, *others: str, label: str | None = None, **more: object
) -> Reference:
    people = tuple(Person(family=name, given="A.") for name in (family, *others))
    raw = f"{', '.join(f'{name}, A.' for name in (family, *others))} ({year}). {title}. Weir Press."
    locus = Locus(label=label, citekey=str(more.pop("key")) if "key" in more else None)
    made = Reference(raw=raw, authors=people, year=year, title=title, locus=locus)
    return made.model_copy(update=more)


AUTHORS = (
    work("Smith", 2020, "Tidal memory", "Jones"),
    work("Müller", 2019, "Die stille Stadt"),
    Reference(
        raw="World Health Organization (2021). Report on sound.",
        title="Report on sound",
        year=2021,
        authors=(Person(literal="World Health Organization"),),
    ),
    work("Lee", 2019, "On lamps", "Kim", "Park", year_suffix="a"),
    work("Lee", 2019, "On candles", "Kim", "Park", year_suffix="b"),
    work("van der Berg", 2005, "Winds of the north"),
    work("Smith", 2018, "A lone walk"),
    work("Dupont", 2018, "Les quais", "Roy", "Petit"),
    work("García Márquez", 1967, "Los años"),
    work("O’Brien", 2001, "Wells"),
    work("Freud", 1987, "Träume", original_year=1922),
    work("Okafor", None, "Soon to come", status="in press"),
    Reference(
        raw="张三. 城市的记忆[J]. 城市学报, 2020.", title="城市的记忆", year=2020, authors=(Person(literal="张三"),)
    ),
)
NUMBERED = tuple(work(f"Name{chr(96 + n)}", 1990 + n, f"Work number {n}", label=str(n)) for n in range(1, 13))
PLENTY = "This is well known [1]. So is that [2, 3]. And more [4]. "


def numbered(text: str) -> Linked:
    return link(Body(text=PLENTY + text), NUMBERED)


def last(linked: Linked) -> tuple[tuple[int, ...], str | None]:
    return linked.citations[-1].references, linked.citations[-1].claimed_page


@pytest.mark.parametrize(
    ("text", "references", "page"),
    [
        pytest.param("(Smith & Jones 2020)", (1,), None, id="two-authors"),
        pytest.param("(Smith and Jones, 2020, p. 14)", (1,), "14", id="page"),
        pytest.param("(Smith and Jones, 2020, pp. 14–15)", (1,), "14–15", id="pages"),
        pytest.param("Smith and Jones (2020)", (1,), None, id="spoken"),
        pytest.param("Smith and Jones’s (2020, p. xii)", (1,), "xii", id="possessive-roman"),
        pytest.param("(see e.g. Smith 2018, p. 14)", (7,), "14", id="led-in"),
        pytest.param("(vgl. Müller 2019: 45f.)", (2,), "45f", id="german-colon"),
        pytest.param("(Müller 2019, S. 45)", (2,), "45", id="german-page"),
        pytest.param("Müllers Buch, so Müller 2019, überzeugt", (2,), None, id="without-brackets"),
        pytest.param("(Smith/Jones 2020, S. 3)", (1,), "3", id="slash"),
        pytest.param("(Dupont et coll., 2018, p. 3)", (8,), "3", id="french"),
        pytest.param("(Smith y Jones, 2020, pág. 3)", (1,), "3", id="spanish"),
        pytest.param("(Lee et al., 2019a,b)", (4, 5), None, id="letters"),
        pytest.param("(Lee et al. 2019a, 2019b)", (4, 5), None, id="years-without-names"),
        pytest.param("(Lee et al. 2019b)", (5,), None, id="one-letter"),
        pytest.param("(Lee et al. 2019a–b)", (4, 5), None, id="letters-to"),
        pytest.param("(Smith & Jones, 2020; Lee et al., 2019a; Müller, 2019)", (1, 4, 2), None, id="several"),
        pytest.param("the WHO (2021)", (3,), None, id="acronym"),
        pytest.param("(World Health Organization [WHO], 2021)", (3,), None, id="body-with-acronym"),
        pytest.param("the World Health Organization (2021, p. 2)", (3,), "2", id="body"),
        pytest.param("Van der Berg (2005)", (6,), None, id="particle"),
        pytest.param("(Berg 2005)", (6,), None, id="particle-left-out"),
        pytest.param("(García 1967)", (9,), None, id="half-a-double-name"),
        pytest.param("(O'Brien 2001)", (10,), None, id="apostrophe"),
        pytest.param("(Freud 1922/1987)", (11,), None, id="two-years"),
        pytest.param("(Freud, 1922)", (11,), None, id="first-edition"),
        pytest.param("(Okafor, in press)", (12,), None, id="in-press"),
        pytest.param("（张三，2020）", (13,), None, id="chinese"),
        pytest.param("根据张三（2020）的研究", (13,), None, id="chinese-spoken"),
        pytest.param("Smith [2018]", (7,), None, id="square-year"),
        pytest.param("However, Smith (2018)", (7,), None, id="capital-before"),
        pytest.param("In Berlin, Ada Smith (2018)", (7,), None, id="given-name"),
        pytest.param("(Smith, 2018, chap. 3)", (7,), None, id="chapter-is-no-page"),
    ],
)
def test_authors_and_year(text: str, references: tuple[int, ...], page: str | None) -> None:
    assert last(link(Body(text=f"It is so {text}."), AUTHORS)) == (references, page)


@pytest.mark.parametrize(
    "text",
    [
        "In May 2020 it rained.",
        "from 1914–1918",
        "(n = 2019)",
        "the year 2020 was dry",
        "(1914–1918)",
        "in 2018, Smith left",
    ],
)
def test_years_in_the_text_are_no_citations(text: str) -> None:
    assert not link(Body(text=text), AUTHORS).citations


def test_several_works_of_a_name_and_year_lead_nowhere_and_are_not_dangling() -> None:
    twins = (work("Roe", 2001, "One"), work("Roe", 2001, "Two"), *AUTHORS)
    linked = link(Body(text="Yes (Roe, 2001). (Smith, 2018). (Müller, 2019). (Freud, 1987). (Berg, 2005)."), twins)
    assert linked.citations[0].references == ()
    assert linked.dangling == ()
    second = link(Body(text="Yes (Roe & Poe, 2001)."), (work("Roe", 2001, "One", "Poe"), twins[1]))
    assert second.citations[0].references == (1,)


@pytest.mark.parametrize(
    ("text", "references", "page"),
    [
        pytest.param("[5]", (5,), None, id="one"),
        pytest.param("[5, 7-9]", (5, 7, 8, 9), None, id="list-and-range"),
        pytest.param("[5–7]", (5, 6, 7), None, id="dash"),
        pytest.param("[5]–[7]", (5, 6, 7), None, id="range-of-brackets"),
        pytest.param("[12, p. 3]", (12,), "3", id="page"),
        pytest.param("[12, pp. 3, 7; 5]", (12, 5), "3", id="pages-then-label"),
        pytest.param("[12, S. 3 f.]", (12,), "3 f", id="german-page"),
        pytest.param("[12: 45]", (12,), "45", id="colon"),
        pytest.param("[12, Theorem 2]", (12,), None, id="theorem"),
        pytest.param("[see 5, 6]", (5, 6), None, id="led-in"),
        pytest.param("［5］", (5,), None, id="wide"),
    ],
)
def test_square_numbers(text: str, references: tuple[int, ...], page: str | None) -> None:
    assert last(numbered(f"Thus {text}.")) == (references, page)


@pytest.mark.parametrize(
    "text", ["[0, 1]", "x ∈ [1, 2]", "in the interval [1, 2]", "[sic]", "[...]", "[2.5]", "by equation (3)"]
)
def test_brackets_that_cite_nothing(text: str) -> None:
    assert len(numbered(f"Here {text} stands.").citations) == 3


def test_intervals_in_an_author_year_paper_are_no_citations() -> None:
    text = "On [1, 2] we follow Smith (2018); see (Müller 2019), (Freud 1987). Equation (3) holds."
    assert [c.references for c in link(Body(text=text), AUTHORS).citations] == [(7,), (2,), (11,)]


def test_numbers_in_round_brackets_count_only_where_the_list_is_cited_so() -> None:
    round_ = "First (1). Then (2, 3). Again (4-6), and (7). By eq. (8) and Fig. (9)."
    assert [c.references for c in link(Body(text=round_), NUMBERED).citations] == [(1,), (2, 3), (4, 5, 6), (7,)]
    assert not link(Body(text="By (3) and (4) we have it."), NUMBERED).citations


def raised(text: str) -> Body:
    """Build a body in which `^3^` is raised."""
    plain, marks = "", []
    for place, piece in enumerate(text.split("^")):
        if place % 2:
            marks.append(Mark(start=len(plain), end=len(plain) + len(piece), kind=MarkKind.RAISED))
        plain += piece
    return Body(text=plain, marks=tuple(marks))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("A word.^3^", 1, id="behind-stop"),
        pytest.param("A word^3,5–7^ goes on", 1, id="list"),
        pytest.param("bound to AaegOBP39^3,5^ as shown", 1, id="behind-a-name-with-digits"),
        pytest.param("about 10^3^ Pa", 0, id="exponent"),
        pytest.param("some 12 m^2^ wide", 0, id="unit"),
        pytest.param("the ^14^C method", 0, id="isotope"),
        pytest.param("H^2^O", 0, id="chemistry"),
        pytest.param("our 1^st^ ward", 0, id="ordinal"),
        pytest.param("a note.^*^", 0, id="sign"),
    ],
)
def test_raised_numbers(text: str, count: int) -> None:
    linked = link(raised(f"Known.^1^ Shown.^2^ {text} is so."), NUMBERED)
    assert len(linked.citations) == 2 + count


def test_superscript_digits_without_marks() -> None:
    linked = link(Body(text="Known.¹ Shown twice.²⁻⁴ The area is 12 m²."), NUMBERED)
    assert [c.references for c in linked.citations] == [(1,), (2, 3, 4)]


def test_alpha_labels() -> None:
    listed = (
        work("Abe", 1999, "One", label="Abe99"),
        work("Knuth", 1984, "Two", label="Knu84"),
        work("Fay", 2012, "T", label="FGH+12"),
    )
    linked = link(Body(text="See [Abe99, Knu84, p. 5], [FGH+12] and [Zed01]; not [draft]. Again [Abe99]."), listed)
    assert [c.references for c in linked.citations] == [(1, 2), (3,), (), (1,)]
    assert linked.dangling == ("Zed01",)


def test_the_documents_own_pointers() -> None:
    listed = (work("Abe", 1999, "One", key="abe"), work("Bo", 1984, "Two", key="bo"))
    text = "So Abe (1999) says. Also [bo] and [nobody]."
    marks = (
        Mark(start=text.index("Abe"), end=text.index(" says"), kind=MarkKind.CITE, keys=("abe",), locator="p. 4"),
        Mark(start=text.index("[bo"), end=text.index(" and ["), kind=MarkKind.CITE, keys=("bo",), locator="7--8"),
        Mark(start=text.index("[nob"), end=len(text) - 1, kind=MarkKind.CITE, keys=("nobody",)),
    )
    linked = link(Body(text=text, marks=marks), listed)
    assert [(c.references, c.claimed_page) for c in linked.citations] == [((1,), "4"), ((2,), "7–8"), ((), None)]
    assert linked.citations[2].missing == ("nobody",)
    linked = link(Body(text=text, marks=(marks[1],)), listed)
    assert [c.references for c in linked.citations] == [(1,), (2,)]


def test_links_into_the_list_explain_the_marker_around_them() -> None:
    listed = (work("Abe", 1999, "One", key="a"), work("Abe", 1999, "Two", key="b"), work("Bo", 1984, "Three", key="c"))
    text = "This holds (Abe, 1999, p. 3; Bo, 1984)."
    marks = (
        Mark(start=text.index("Abe"), end=text.index("Abe") + 3, kind=MarkKind.CITE, keys=("b",)),
        Mark(start=text.index("1984"), end=text.index("1984") + 4, kind=MarkKind.CITE, keys=("c",)),
    )
    [citation] = link(Body(text=text, marks=marks), listed).citations
    assert (citation.text, citation.references, citation.claimed_page) == ("(Abe, 1999, p. 3; Bo, 1984)", (2, 3), "3")


def test_labels_beyond_the_list_are_dangling_but_a_list_cut_short_is_not() -> None:
    all_cited = "Many [1-12]. One [5]. Two [6]. Three [7]. "
    assert link(Body(text=all_cited + "Beyond [13]."), NUMBERED).dangling == ("13",)
    assert link(Body(text=all_cited + "Beyond [13-30]."), NUMBERED).dangling == ()
    gap = tuple(r for r in NUMBERED if r.locus.label != "6")
    linked = link(Body(text=all_cited), gap)
    assert linked.dangling == ()
    assert link(Body(text=all_cited + "Beyond [13]."), gap).dangling == ()


CITED = "Known (Smith, 2018). (Müller, 2019). (Freud, 1987). (Berg, 2005). (O’Brien, 2001). (Smith & Jones, 2020). "


@pytest.mark.parametrize(
    ("text", "dangling"),
    [
        pytest.param("So (Miller, 2003).", ("Miller 2003",), id="not-listed"),
        pytest.param("So (Miller & Poe, 2003).", ("Miller & Poe 2003",), id="pair"),
        pytest.param("So Miller et al. (2003).", ("Miller et al. 2003",), id="spoken"),
        pytest.param("So (Müller, 2018).", ("Müller 2018",), id="other-year"),
        pytest.param("So (Smyth, 2018).", ("Smyth 2018",), id="name-no-one-bears"),
        pytest.param("So (Freudd, 1987).", (), id="slip-of-a-letter"),
        pytest.param("So (Jones, 2020).", (), id="second-author"),
        pytest.param("So (UNESCO, 2015).", (), id="acronym"),
        pytest.param("So (Miller, 1950, as cited in Smith, 2018).", (), id="second-hand"),
        pytest.param("So (March 2003).", (), id="month"),
        pytest.param("So (Miller, in press).", (), id="in-press"),
    ],
)
def test_dangling_authors(text: str, dangling: tuple[str, ...]) -> None:
    assert link(Body(text=CITED + text), AUTHORS).dangling == dangling


def test_cited_is_false_only_where_most_of_the_list_is_cited() -> None:
    filler = "Nothing here cites anything at all. " * 10
    most = link(Body(text=filler + "Many [1-10]." + " Again [1]."), NUMBERED)
    assert [r.cited for r in most.references] == [True] * 10 + [False] * 2
    few = link(Body(text=filler + "Few [1], [2]."), NUMBERED)
    assert [r.cited for r in few.references] == [True] * 2 + [None] * 10
    kept = link(Body(text=filler), (NUMBERED[0].model_copy(update={"cited": True}), *NUMBERED[1:]))
    assert [r.cited for r in kept.references] == [True] + [None] * 11


def test_a_list_per_chapter_is_taken_by_place() -> None:
    def listed(page: int, name: str) -> tuple[Reference, ...]:
        return tuple(
            work(name, 1990 + n, f"{name} {n}").model_copy(update={"locus": Locus(label=str(n), page=page)})
            for n in range(1, 5)
        )

    text = "One [1]. Two [2].\n\nThree [1]. Four [2-4]."
    places = (Place(start=0, locus=Locus(page=1)), Place(start=text.index("Three"), locus=Locus(page=11)))
    linked = link(Body(text=text, places=places), (*listed(10, "Early"), *listed(20, "Late")))
    assert [c.references for c in linked.citations] == [(1,), (2,), (5,), (6, 7, 8)]
    assert linked.citations[2].locus.page == 11


def test_numbers_in_tables_are_no_citations() -> None:
    table = " ".join(f"{n}.12 ({n % 9 + 1}) {n}45 {n}999 [{n % 9 + 1}]" for n in range(1, 30))
    assert len(numbered(f"\n\n{table}\n\nText goes on here.").citations) == 3


@pytest.mark.parametrize(
    ("note", "references", "page"),
    [
        pytest.param("Anna Smith, A lone walk, London 2018, p. 14.", (7,), "14", id="in-full"),
        pytest.param("Smith, Lone Walk, 14.", (7,), "14", id="short"),
        pytest.param("Smith, 2018, p. 3", (7,), "3", id="author-year"),
        pytest.param("Müller, 45.", (2,), "45", id="name-and-page"),
        pytest.param("Müller, a.a.O., S. 46.", (2,), "46", id="a-a-o"),
        pytest.param("O’Brien, op. cit., p. 9", (10,), "9", id="op-cit"),
        pytest.param("Vgl. Müller, Die stille Stadt, S. 12; Freud, Träume, S. 3.", (2, 11), "12", id="two-works"),
    ],
)
def test_notes_name_works(note: str, references: tuple[int, ...], page: str | None) -> None:
    text = "It is known.1 More follows."
    body = Body(
        text=f"{text}\n\n{note}",
        marks=(Mark(start=12, end=13, kind=MarkKind.NOTE, keys=("1",)),),
        notes=(Note(label="1", start=len(text) + 2, end=len(text) + 2 + len(note)),),
    )
    first = link(body, AUTHORS, notes_hold_references=True).citations[0]
    assert (first.references, first.claimed_page) == (references, page)


def test_a_note_that_only_points_elsewhere_lends_its_work_to_no_quotation() -> None:
    text = "He says “the tide keeps its own books”.1"
    note = "1See also Smith, A lone walk, p. 12."
    body = Body(
        text=f"{text}\n\n{note}",
        marks=(Mark(start=len(text) - 1, end=len(text), kind=MarkKind.NOTE, keys=("1",)),),
        notes=(Note(label="1", start=len(text) + 2, end=len(text) + 2 + len(note)),),
    )
    linked = link(body, AUTHORS)
    assert [(c.references, c.claimed_page) for c in linked.citations] == [((7,), "12")]
    assert not any(reference.quotes for reference in linked.references)


def test_open_markers_keep_their_candidates_from_counting_as_uncited() -> None:
    twins = (work("Roe", 2001, "One"), work("Roe", 2001, "Two"), work("Poe", 1999, "Three"), *AUTHORS[:7])
    text = (
        "Known (Smith, 2018). (Müller, 2019). (Berg, 2005). (Smith & Jones, 2020). (Lee et al., 2019a,b). (WHO, 2021). "
    )
    text += "One of two (Roe, 2001). " + "Nothing is cited here. " * 12
    assert [reference.cited for reference in link(Body(text=text), twins).references[:3]] == [None, None, False]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("Citation: Range F and Virányi Z (2015) On dogs.", [], id="the-article-itself"),
        pytest.param("(Lee; Kim; Park, 2019b)", [(5,)], id="semicolons-between-authors"),
        pytest.param("(April, 1961)", [], id="month"),
        pytest.param("(Miller, 2003)", [()], id="unknown"),
    ],
)
def test_names_as_other_styles_write_them(text: str, places: list[tuple[int, ...]]) -> None:
    linked = link(Body(text=CITED + text), AUTHORS)
    assert [c.references for c in linked.citations[6:] if c.references or c.missing] == places


@pytest.mark.parametrize("ibid", ["Ibid., p. 15.", "Ebd., S. 15.", "ibid., 15", "Ebenda, S. 15"])
def test_ibid_is_the_work_of_the_note_before(ibid: str) -> None:
    text, notes = "One.1 Two.2 Three.3", ["Smith, A lone walk, p. 14.", ibid, "A remark of ours."]
    spans, whole = [], text
    for place, note in enumerate(notes, 1):
        spans.append(Note(label=str(place), start=len(whole) + 2, end=len(whole) + 2 + len(note)))
        whole += f"\n\n{note}"
    at = [text.index(f"{n}", 3) for n in (1, 2, 3)]
    marks = tuple(Mark(start=a, end=a + 1, kind=MarkKind.RAISED) for a in at)
    linked = link(Body(text=whole, marks=marks, notes=tuple(spans)), AUTHORS)
    assert [(c.references, c.claimed_page) for c in linked.citations] == [((7,), "14"), ((7,), "15")]


def test_sentences_stand_around_the_marker() -> None:
    text = "Dr. A. Smith et al. found it, cf. Fig. 3. It holds, e.g. here.[3] The next one [4] does too. [5] And more. "
    text += "[6] shows it."
    linked = link(Body(text=text + " [1] [2] [7] [8]"), NUMBERED)
    told = {c.references: c.sentence for c in linked.citations}
    assert told[(3,)] == "It holds, e.g. here.[3]"
    assert told[(4,)] == told[(5,)] == "The next one [4] does too. [5]"
    assert told[(6,)].startswith("[6] shows it.")


def test_author_and_page() -> None:
    listed = (work("Achebe", 1990, "One"), work("Byatt", 1991, "Two"), work("Carey", 1992, "Three"))
    text = 'He walks (Achebe 14). She does not (Byatt 3-4; Carey 9). "It is all one to the sea," it says (Carey 7). '
    text += 'He adds that "the sea is not asked" (8).'
    linked = link(Body(text=text), listed)
    assert [c.references for c in linked.citations] == [(1,), (2, 3), (3,), (3,)]
    assert [q.claimed_page for q in linked.references[2].quotes] == ["7", "8"]


def test_nothing_to_link() -> None:
    assert link(Body(text="Text (Smith 2018) [1]."), ()) == Linked(references=(), citations=(), dangling=())
    assert link(Body(text=""), AUTHORS).references == AUTHORS


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="aS. [](12,–-;“”\"'«»\n0é张p:/&"), st.booleans())
def test_any_text_is_taken(text: str, labelled: bool) -> None:
    references = NUMBERED if labelled else AUTHORS
    linked = link(Body(text=text), references)
    assert len(linked.references) == len(references)
    for citation in linked.citations:
        assert all(1 <= place <= len(references) for place in citation.references)
        assert re.sub(r"\s", "", citation.text) in re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    "piece", ["[", '"', "“", "(", "a", "[1] ", "(p. 1) ", "“a\n\n", "Smith 2018 ", "(2018", "'a' ", ". "]
)
def test_a_long_line_of_one_kind_is_read_in_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert len(link(Body(text=text), NUMBERED).references) == len(NUMBERED)


def test_a_link_in_prose_does_not_hide_the_numbers() -> None:
    opening = "It was shown by Namea et al. (1991). "
    mark = Mark(start=16, end=35, kind=MarkKind.CITE, keys=("1",))
    linked = link(Body(text=opening + PLENTY + "According to [5], it holds [6].", marks=(mark,)), NUMBERED)
    assert [each.references for each in linked.citations] == [(1,), (1,), (2, 3), (4,), (5,), (6,)]
