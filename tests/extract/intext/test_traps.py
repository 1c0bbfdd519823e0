"""What hostile manuscripts taught: no words are laid into the wrong mouth, nothing is accused in doubt."""

from __future__ import annotations

import time

import pytest

from citeaudit.extract.intext.body import Body, Mark, MarkKind, Note, Place
from citeaudit.extract.intext.link import Linked, link
from citeaudit.model import Locus, Person, Reference

Told = list[tuple[str, str, str | None]]


def work(family: str, year: int | None, title: str, *others: str, **more: object) -> Reference:
    people = tuple(Person(family=name, given="A.") for name in (family, *others))
    raw = f"{', '.join(f'{name}, A.' for name in (family, *others))} ({year}). {title}. Weir Press."
    return Reference(raw=raw, authors=people, year=year, title=title).model_copy(update=more)


WORKS = (
    work("Ashdown", 2002, "Clocks to argue with"),
    work("Belling", 2011, "The evaded queue"),
    work("Ostrand", 2007, "Who gets a chair"),
    work("Corrigan", 2010, "Against bronze", "Bly"),
    work("Vane", 1979, "True bells"),
    work("Dahl", 1974, "The house at Sund"),
    work("Dahl", 1979, "The salt box"),
)
LONG = "the sea gives back what it was given"


def told(linked: Linked) -> Told:
    return [
        (quote.text, reference.authors[0].family or "", quote.claimed_page)
        for reference in linked.references
        for quote in reference.quotes
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            f"While Belling (2011) speaks of a “{LONG}” (p. 80), Ostrand (2007, p. 15) prefers “a levy on idle hours”.",
            [(LONG, "Belling", "80"), ("a levy on idle hours", "Ostrand", "15")],
            id="a-page-and-the-next-speaker",
        ),
        pytest.param(
            f"The parish warns “{LONG}” (Belling, 2011, p. 2), and Ostrand (2007, p. 6) that “chairs are for others”.",
            [(LONG, "Belling", "2"), ("chairs are for others", "Ostrand", "6")],
            id="a-bracket-and-the-next-speaker",
        ),
        pytest.param(
            "“Workers on nights,” Vane (1979) found, “sleep less and complain half as much” (p. 31).",
            [("Workers on nights", "Vane", "31"), ("sleep less and complain half as much", "Vane", "31")],
            id="interrupted",
        ),
        pytest.param(
            "“The parish,” she says, “kept its time as it kept its pigs” (Ashdown, 2002, p. 3).",
            [("The parish", "Ashdown", "3"), ("kept its time as it kept its pigs", "Ashdown", "3")],
            id="interrupted-citation-behind",
        ),
        pytest.param(
            "“The parlour,” notes Vane (1979, p. 3), “was never open to those who came”.",
            [("The parlour", "Vane", "3"), ("was never open to those who came", "Vane", "3")],
            id="interrupted-citation-between",
        ),
        pytest.param(
            "“The parish sleeps,” she says, and means it. Vane (1979) holds “the bells were never rung at night”.",
            [("the bells were never rung at night", "Vane", None)],
            id="speech-is-not-interrupted",
        ),
        pytest.param(
            f"Belling, in turn, holds that “{LONG}” (2011, p. 5).", [(LONG, "Belling", "5")], id="year-and-page-behind"
        ),
        pytest.param(
            "We cite (Vane, 1979). According to Ashdown, “nobody in Belling ever weeps except into food” (p. 20).",
            [("nobody in Belling ever weeps except into food", "Ashdown", "20")],
            id="a-name-inside-the-quotation",
        ),
        pytest.param(
            f"He tells it twice: “{LONG}” (Dahl, House 55), “and salt is a poor reader” (Dahl, Salt Box 7).",
            [(LONG, "Dahl", "55"), ("and salt is a poor reader", "Dahl", "7")],
            id="words-of-the-title",
        ),
        pytest.param("The article “Beans and other short sentences” (Vane, 1979) is read.", [], id="called-an-article"),
        pytest.param(
            f"It is old (Vane, 1979).\n\n“{LONG},” said one of the keepers to us.", [], id="speech-opens-a-paragraph"
        ),
        pytest.param(
            f"(Hasan, 1960, in Ashdown, 2002, p. 3; the council 2011) say “{LONG}”.",
            [(LONG, "Ashdown", "3")],
            id="no-names-from-the-year-before",
        ),
        pytest.param(
            f"Pavlov had said that “{LONG}” (as cited in Vane, 1979, p. 145).",
            [(LONG, "Vane", "145")],
            id="second-hand-the-one-read",
        ),
    ],
)
def test_whose_words(text: str, expected: Told) -> None:
    assert told(link(Body(text=text), WORKS)) == expected


def quoted(before: str, *blocks: str, after: str = "", page: int | None = None) -> Body:
    text, marks = before, []
    for block in blocks:
        text += "\n\n"
        marks.append(Mark(start=len(text), end=len(text) + len(block), kind=MarkKind.QUOTATION))
        text += block
    places = (Place(start=0, locus=Locus(page=page)),) if page else ()
    return Body(text=f"{text}\n\n{after}", marks=tuple(marks), places=places)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            quoted("So Vane (1979):", "The night keeps books.", "They are never read. (p. 201)"),
            [("The night keeps books. They are never read.", "Vane", "201")],
            id="two-paragraphs",
        ),
        pytest.param(
            quoted("So they say:", f"{LONG}. (Vane, 1979, p. 2)", "And so does it. (Belling, 2011, p. 3)"),
            [("And so does it.", "Belling", "3"), (f"{LONG}.", "Vane", "2")],
            id="two-blocks-with-their-citations",
        ),
        pytest.param(
            quoted("Waiting is old (Vane, 1979).", "I sat there from seven and forgot what I came for."),
            [],
            id="interview-behind-a-citation",
        ),
        pytest.param(
            quoted("So Vane (1979):", "This part of the argument rests on a distinction for the", page=2),
            [],
            id="torn-off-in-a-pdf",
        ),
        pytest.param(
            quoted("Others read on.", "Vane (1979) lists three uses and explains:", f"{LONG}.", page=2),
            [(f"{LONG}.", "Vane", None)],
            id="an-introduction-set-like-a-block-in-a-pdf",
        ),
        pytest.param(
            quoted("So Vane (1979):", "wood for minor needs, in the agreed quantity only.” (Vane, 1979, p. 3)", page=2),
            [],
            id="starts-inside-marks-in-a-pdf",
        ),
        pytest.param(
            quoted("See Vane (1979):", "Green tea (waste) 100 100 498 [6] walnut shell 100 200 280 (Vane, 1979)"),
            [],
            id="row-of-a-table",
        ),
        pytest.param(
            quoted("So Vane (1979):", "342] and every member is bound to plant willow trees.", page=2),
            [],
            id="starts-inside-a-bracket-in-a-pdf",
        ),
    ],
)
def test_blocks(body: Body, expected: Told) -> None:
    assert told(link(body, WORKS)) == expected


def noted(text: str, *notes: str) -> Body:
    """Build a text in which `^` stands for the mark of the next note."""
    plain, marks = "", []
    for number, piece in enumerate(text.split("^")):
        if number:
            marks.append(Mark(start=len(plain), end=len(plain) + 1, kind=MarkKind.NOTE, keys=(str(number),)))
            plain += str(number)
        plain += piece
    found = []
    for number, note in enumerate(notes, 1):
        plain += "\n\n"
        found.append(Note(label=str(number), start=len(plain), end=len(plain) + len(note)))
        plain += note
    return Body(text=plain, marks=tuple(marks), notes=tuple(found))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            noted(
                f"He says “{LONG}”.^", "Vane, True bells, S. 9. Belling calls it “a tax on legs” (Belling, 2011, p. 4)."
            ),
            [("a tax on legs", "Belling", "4"), (LONG, "Vane", "9")],
            id="a-note-that-quotes-another",
        ),
        pytest.param(
            noted(f"“{LONG}”.^ Then “and none has ever asked for it”.^", "Vane, True bells, p. 9.", "Ivi, p. 12."),
            [(LONG, "Vane", "9"), ("and none has ever asked for it", "Vane", "12")],
            id="ivi",
        ),
        pytest.param(
            noted("The “old quay” is by no means old.^", "See Vane, True bells, p. 20-25."),
            [],
            id="term-with-a-see-note",
        ),
        pytest.param(
            noted(f"“{LONG}”, someone said to us and left.^", "Cfr. Vane, True bells, p. 20-25."),
            [],
            id="speech-with-a-see-note",
        ),
        pytest.param(
            noted(
                f"One “{LONG}”.^", "Vane, True bells, p. 2. It is “a poor tune in the rain” (Belling, Queue, S. 25)."
            ),
            [("a poor tune in the rain", "Belling", "25"), (LONG, "Vane", "2")],
            id="short-title-inside-a-note",
        ),
    ],
)
def test_notes(body: Body, expected: Told) -> None:
    assert sorted(told(link(body, WORKS))) == sorted(expected)


FILLER = "Nothing here cites anything at all. " * 10
MOST = "(Ashdown, 2002). (Belling, 2011). (Ostrand, 2007). (Corrigan & Bly, 2010). (Vane, 1979). (Dahl, 1974). "


def printed(references: tuple[Reference, ...], page: int = 9) -> tuple[Reference, ...]:
    return tuple(each.model_copy(update={"locus": Locus(page=page)}) for each in references)


@pytest.mark.parametrize(
    ("text", "references", "expected"),
    [
        pytest.param(MOST, WORKS, False, id="beyond-doubt"),
        pytest.param(MOST + "In Dahl, there is (1979).", WORKS, None, id="name-and-year-stand-near"),
        pytest.param(
            MOST + "See The salt box by her.",
            (*WORKS[:6], work("Dahl", 1979, "The salt box again")),
            False,
            id="half-a-title",
        ),
        pytest.param(
            MOST + "See A salt box of hers.",
            (*WORKS[:6], work("Dahl", 1979, "A salt box of hers")),
            None,
            id="its-title",
        ),
        pytest.param(MOST, (*WORKS[:6], work("Dahl", None, "Cut in two")), None, id="without-a-year"),
        pytest.param(
            MOST + "(Dahl u. a. 1979)", (*WORKS[:6], work("Dahl", 1979, "Salz", "Ems", "Inn")), True, id="u-a"
        ),
        pytest.param(
            MOST + "[Dahl et collab. (1979)]", (*WORKS[:6], work("Dahl", 1979, "Sel", "Ems", "Inn")), True, id="collab"
        ),
    ],
)
def test_uncited_only_beyond_doubt(text: str, references: tuple[Reference, ...], expected: bool | None) -> None:
    linked = link(Body(text=FILLER + text), references)
    assert [each.cited for each in linked.references[:6]] == [True] * 6
    assert linked.references[6].cited is expected


def test_a_long_run_that_nothing_cites_is_a_chapter_that_was_not_read() -> None:
    many = tuple(work(f"Name{chr(97 + n)}", 1990, f"Work {n}") for n in range(25))
    text = FILLER + " ".join(f"(Name{chr(97 + n)}, 1990)." for n in range(16))
    assert {each.cited for each in link(Body(text=text), printed(many)).references[16:]} == {None}
    assert {each.cited for each in link(Body(text=text), many).references[16:]} == {False}


def test_beside_a_reference_cut_in_two_and_in_a_list_cut_often_nothing_is_uncited() -> None:
    many = printed(tuple(work(f"Name{chr(97 + n % 26)}{n // 26}", 1990, f"Work {n}") for n in range(60)))
    names = [each.authors[0].family for each in many]
    cut = (*many[:58], many[58].model_copy(update={"year": None, "raw": "Cut"}), many[59])
    text = FILLER + " ".join(f"({name}, 1990)." for name in names[:57])
    linked = link(Body(text=text), cut)
    assert [each.cited for each in linked.references[57:]] == [None, None, None]
    assert link(Body(text=f"{text} (Miller, 2003)."), cut).dangling == ("Miller 2003",)
    often = tuple(each.model_copy(update={"year": None}) if place > 56 else each for place, each in enumerate(many))
    assert link(Body(text=f"{text} (Miller, 2003)."), often).dangling == ()


def test_notes_that_were_not_read_leave_open_what_is_cited() -> None:
    notes = ["Ashdown, Clocks to argue with, p. 1.", "Belling, Evaded queue, p. 2.", "Ostrand, Who gets a chair, p. 3."]
    notes += ["Corrigan, Against bronze, p. 4.", "Vane, True bells, p. 5."]
    body = noted(FILLER + "One.^ Two.^ Three.^ Four.^ Five.^", *notes)
    whole = link(body, WORKS)
    assert [each.cited for each in whole.references] == [True] * 5 + [False] * 2
    lost = noted(FILLER + "One.^ Two.^ Three.^ Four.^ Five.^ Six.^", *notes)
    assert [each.cited for each in link(lost, WORKS).references] == [True] * 5 + [None] * 2
    raised = Mark(start=lost.marks[-1].start, end=lost.marks[-1].end, kind=MarkKind.RAISED)
    again = Body(text=lost.text, marks=(*lost.marks[:-1], raised), notes=lost.notes)
    assert [each.cited for each in link(again, WORKS).references] == [True] * 5 + [None] * 2
    assert all(citation.text != "6" for citation in link(again, WORKS).citations)


@pytest.mark.parametrize(
    ("text", "references"),
    [
        pytest.param("(Erdős, 1960)", (work("ERD ŐS", 1960, "Random graphs"),), id="accent-set-apart"),
        pytest.param("(Hasan und Kane 2010; Durkee u. a. 2021)", (work("Hasan", 2010, "X", "Kane"),), id="u-a-between"),
        pytest.param(
            "(Deepwater, 2022)", (work("Noone", None, "Cut", raw="Deepwater, S., and Ansah, K."),), id="cut-in-two"
        ),
    ],
)
def test_not_dangling(text: str, references: tuple[Reference, ...]) -> None:
    assert not [name for name in link(Body(text=MOST + text), (*WORKS, *references)).dangling if "Durkee" not in name]


def test_a_key_that_no_entry_bears_is_certain_whatever_the_count() -> None:
    listed = (work("Abe", 1999, "One", locus=Locus(citekey="abe")),)
    text = "So [@Abe] and [@nobody]."
    marks = (
        Mark(start=3, end=9, kind=MarkKind.CITE, keys=("Abe",)),
        Mark(start=14, end=23, kind=MarkKind.CITE, keys=("nobody",)),
    )
    assert link(Body(text=text, marks=marks), listed).dangling == ("nobody",)
    assert link(Body(text=text, marks=marks), printed(listed)).dangling == ()


LISTED = tuple(
    work(f"Name{chr(97 + n % 26)}", 1950 + n, f"Work {n}", locus=Locus(label=str(n + 1))) for n in range(100)
)


@pytest.mark.parametrize(
    "unit",
    [
        *("[", "(", '"', "“", "“”", "et al. ", "7", "^", "¹", "ibid. ", "(ibid.) ", "(p. 3) ", "'", "``", "«", "„"),
        *("[1-100]", "“a b c d” [1] ", "(Namea, House 5) ", "(2001, p. 3) ", "“A,” she says, “b” (p. 3). ", "a, "),
    ],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    taken = []
    for size in (30_000, 120_000):
        text = (unit * (size // len(unit) + 1))[:size]
        runs = []
        for _ in range(3):  # the least of three: other work on the machine shows in single times
            start = time.process_time()
            link(Body(text=text), LISTED)
            runs.append(time.process_time() - start)
        taken.append(min(runs))
    assert taken[1] < max(10 * taken[0], 0.5)


def test_many_pointers_take_linear_time() -> None:
    count = 10_000
    marks = tuple(Mark(start=9 * n, end=9 * n + 3, kind=MarkKind.CITE, keys=(str(n % 100 + 1),)) for n in range(count))
    start = time.process_time()
    link(Body(text="[7] word. " * count, marks=marks), LISTED)
    assert time.process_time() - start < 3
