"""A quotation carries the reference and page the text gives it, and none where the text gives none."""

from __future__ import annotations

import pytest

from citeaudit.extract.intext.body import Body, Mark, MarkKind, Note, Place
from citeaudit.extract.intext.link import link
from citeaudit.model import Locus, Person, Reference


def work(family: str, year: int, title: str, label: int) -> Reference:
    return Reference(
        raw=f"{family}, A. ({year}). {title}. Weir Press.",
        authors=(Person(family=family, given="A."),),
        year=year,
        title=title,
        locus=Locus(label=str(label)),
    )


WORKS = (
    work("Smith", 2020, "The slow tide of the northern harbours", 1),
    work("Jones", 2018, "Bells", 2),
    work("Müller", 2019, "Die stille Stadt", 3),
    work("Lee", 2001, "Lamps", 4),
)
Found = list[tuple[str, int, str | None]]


def found(body: Body | str) -> Found:
    linked = link(Body(text=body) if isinstance(body, str) else body, WORKS)
    return [
        (quote.text, place, quote.claimed_page)
        for place, reference in enumerate(linked.references, 1)
        for quote in reference.quotes
    ]


WORDS = "the tide keeps its own books"


@pytest.mark.parametrize(
    "marks",
    [
        "“{}”",
        '"{}"',
        "„{}“",
        "„{}”",
        "«{}»",
        "«\u00a0{}\u00a0»",
        "« {} »",
        "»{}«",
        "‹{}›",
        "‘{}’",
        "'{}'",
        "‚{}‘",
        "``{}''",
        "「{}」",
        "『{}』",
        "”{}”",
    ],
)
def test_marks_of_all_languages(marks: str) -> None:
    assert found(f"It is said that {marks.format(WORDS)} (Smith, 2020, p. 3).") == [(WORDS, 1, "3")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"“{WORDS}” (Smith, 2020, pp. 14–15).", (1, "14–15"), id="behind"),
        pytest.param(f"“{WORDS}.” (Smith, 2020, p. 14)", (1, "14"), id="behind-the-stop"),
        pytest.param(f"As Smith (2020, p. 14) writes: “{WORDS}.” Others (Jones, 2018) differ.", (1, "14"), id="before"),
        pytest.param(f"Smith (2020) argued that “{WORDS}” (p. 14).", (1, "14"), id="page-behind"),
        pytest.param(f"“{WORDS},” wrote Smith (2020, p. 4), and left.", (1, "4"), id="spoken-behind"),
        pytest.param(f"“{WORDS}”, as he said in a letter (Smith, 2020).", (1, None), id="end-of-sentence"),
        pytest.param(
            f"Smith (2020) holds “{WORDS}”, while others doubt it (Jones, 2018).", (1, None), id="later-clause"
        ),
        pytest.param(f"Unlike Jones (2018), the text says “{WORDS}” (Smith, 2020, p. 3).", (1, "3"), id="nearest"),
        pytest.param(
            f"Jones (2018) denied it, but “{WORDS}” was the verdict of Smith (2020).", (1, None), id="contrast"
        ),
        pytest.param(f"“{WORDS}” (Smith, 2020, p. 3, emphasis added).", (1, "3"), id="emphasis-inside"),
        pytest.param(f"“{WORDS}” [emphasis added] (Smith, 2020, p. 3).", (1, "3"), id="emphasis-before"),
        pytest.param(f"He cites (Jones, 2018). Smith says that “{WORDS}” (p. 9).", (1, "9"), id="name-and-page"),
        pytest.param(f"It is old (Smith, 2020). He adds “{WORDS}” (ibid., p. 5).", (1, "5"), id="ibid"),
        pytest.param(f"Das ist alt (Müller 2019). „{WORDS}“ (ebd., S. 12).", (3, "12"), id="ebd"),
        pytest.param(f"It is old (Smith, 2020, p. 4). And “{WORDS}” (p. 14).", (1, "14"), id="page-alone"),
        pytest.param(f"“{WORDS}” (Smith, 2020, p. 3; see also Jones, 2018).", (1, "3"), id="aside"),
        pytest.param(f"“{WORDS}” (Miller, 1950, as cited in Smith, 2020, p. 3).", (1, "3"), id="second-hand"),
        pytest.param(f"Smith (2020) writes:\n\n“{WORDS}.”\n\nWe agree.", (1, None), id="own-paragraph"),
    ],
)
def test_whose_words_they_are(text: str, expected: tuple[int, str | None]) -> None:
    told = found(text)
    assert [(place, page) for _, place, page in told] == [expected]
    assert told[0][0].rstrip(".") == WORDS


@pytest.mark.parametrize(
    ("text", "place", "page"),
    [
        pytest.param(f"According to [1], “{WORDS}”.", 1, None, id="according"),
        pytest.param(f"Known [2]. It is said “{WORDS}” [1, p. 3].", 1, "3", id="page"),
        pytest.param(f"Known [2]. In [1, p. 3] we read that “{WORDS}.” More [4].", 1, "3", id="page-before"),
        pytest.param(f"Known [2]. Bell wrote “{WORDS}.” [1] Later work [4] agrees.", 1, None, id="behind-the-stop"),
    ],
)
def test_numbers(text: str, place: int, page: str | None) -> None:
    assert [(one[1], one[2]) for one in found(text)] == [(place, page)]


def test_several_quotations_in_a_sentence() -> None:
    text = (
        "Where one finds “a harbour that never sleeps” (Smith, 2020, p. 3), another hears “a bell that never stops” "
        "(Jones, 2018, p. 9). Both “an old and tired coast” and “a young and restless sea” are there (Lee, 2001, p. 2)."
    )
    assert [(place, page) for _, place, page in found(text)] == [(1, "3"), (2, "9"), (4, "2"), (4, "2")]


def test_two_citations_share_a_quotation() -> None:
    assert found(f"“{WORDS}” (Smith, 2020; Jones, 2018).") == [(WORDS, 1, None), (WORDS, 2, None)]
    assert found(f"It is known [3] and said “{WORDS}” [1], [2].") == [(WORDS, 1, None), (WORDS, 2, None)]
    assert found(f"It is known [3] and said “{WORDS}” [1–4].") == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The so-called “night effect” is real (Smith, 2020).", id="term"),
        pytest.param("“The slow tide of the northern harbours” (Smith, 2020) is a classic.", id="title"),
        pytest.param("“We never slept at all that week,” said one of the keepers.", id="speech"),
        pytest.param("“We never slept at all,” she said (Participant 4, female). Smith (2020) agrees.", id="interview"),
        pytest.param("Smith (2020) came. “We never slept at all that week.” He left.", id="other-sentence"),
        pytest.param("“We never slept at all”; others had beds to sleep in (Jones, 2018).", id="behind-a-semicolon"),
        pytest.param('It was 6\' 2" tall and 4" wide (Smith, 2020, p. 3).', id="inches"),
        pytest.param("The dogs' and cats' homes were full (Smith, 2020, p. 3).", id="apostrophes"),
        pytest.param(
            "It’s the ’90s and the boys’ club isn’t what we knew (Smith, 2020, p. 3).", id="curly-apostrophes"
        ),
        pytest.param(
            "“An opening mark that is never closed (Smith, 2020).\n\nA new paragraph” here.", id="never-closed"
        ),
        pytest.param("As “a bell in the night” rings (Nobody, 1900, p. 3).", id="work-not-listed"),
    ],
)
def test_what_is_no_quotation(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "He says “one must ‘listen’ to the sea” (Smith, 2020).", "one must ‘listen’ to the sea", id="nested"
        ),
        pytest.param(
            "„Man muss ‚hören‘ und dann gehen“ (Müller 2019).", "Man muss ‚hören‘ und dann gehen", id="german"
        ),
        pytest.param("« il dit “oui” et puis plus rien » (Lee, 2001).", "il dit “oui” et puis plus rien", id="french"),
        pytest.param(
            "“the tide [...] keeps [sic] its books” (Smith, 2020).",
            "the tide [...] keeps [sic] its books",
            id="omission",
        ),
        pytest.param(
            "‘the sailors’ wives know it’s over’ (Smith, 2020).", "the sailors’ wives know it’s over", id="apostrophe"
        ),
        pytest.param("“the sea gives back,” (Smith, 2020) they say.", "the sea gives back", id="comma"),
        pytest.param(
            "“What is it? We ask again. No one knows.” (Smith, 2020)",
            "What is it? We ask again. No one knows.",
            id="sentences",
        ),
    ],
)
def test_words_are_kept_as_printed(text: str, words: str) -> None:
    assert [one[0] for one in found(text)] == [words]


def test_each_paragraph_of_a_long_quotation_is_reopened() -> None:
    text = "Smith (2020, p. 7) wrote: “The first part of it.\n\n“And the second part of it.” We go on."
    assert found(text) == [("The first part of it. And the second part of it.", 1, "7")]


def block(before: str, words: str, after: str = "") -> Body:
    text = f"{before}\n\n{words}\n\n{after}"
    start = len(before) + 2
    return Body(text=text, marks=(Mark(start=start, end=start + len(words), kind=MarkKind.QUOTATION),))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(block("He says:", f"{WORDS}. (Smith, 2020, p. 4)"), [(f"{WORDS}.", 1, "4")], id="inside"),
        pytest.param(
            block("He says:", f"{WORDS}.", "(Smith, 2020, p. 4)\n\nMore."), [(f"{WORDS}.", 1, "4")], id="behind"
        ),
        pytest.param(block("Smith (2020, p. 4) says:", f"{WORDS}."), [(f"{WORDS}.", 1, "4")], id="before"),
        pytest.param(
            block("So it is put (Jones, 2018):", f"{WORDS}."), [(f"{WORDS}.", 2, None)], id="before-in-brackets"
        ),
        pytest.param(block("Smith (2020) says:", f"{WORDS}. (p. 9)"), [(f"{WORDS}.", 1, "9")], id="page-inside"),
        pytest.param(block("A keeper told us:", f"{WORDS}.", "We thank him (Lee, 2001)."), [], id="interview"),
        pytest.param(
            block("So (Lee, 2001). He says:", f"“{WORDS}” and “more of it”. (Smith, 2020)"),
            [(f"“{WORDS}” and “more of it”.", 1, None)],
            id="marks-inside",
        ),
    ],
)
def test_block_quotations(body: Body, expected: Found) -> None:
    assert found(body) == expected


def test_notes_carry_the_work_and_the_page() -> None:
    text = f"He says “{WORDS}”.1 And again, “they are never once balanced.2”"
    notes = ["Smith, The slow tide, p. 14.", "Ibid., p. 16."]
    whole = f"{text}\n\n{notes[0]}\n\n{notes[1]}"
    at = [text.index(".1") + 1, text.index(".2") + 1]
    body = Body(
        text=whole,
        marks=tuple(Mark(start=a, end=a + 1, kind=MarkKind.NOTE, keys=(str(n),)) for n, a in enumerate(at, 1)),
        notes=tuple(
            Note(label=str(n), start=whole.index(note), end=whole.index(note) + len(note))
            for n, note in enumerate(notes, 1)
        ),
    )
    assert found(body) == [(WORDS, 1, "14"), ("they are never once balanced.", 1, "16")]


def test_a_quote_tells_where_it_stands() -> None:
    text = f"First.\n\nHe says “{WORDS}” (Smith, 2020)."
    places = (Place(start=0, locus=Locus(page=1)), Place(start=8, locus=Locus(page=2, line=7)))
    [quote] = link(Body(text=text, places=places), WORKS).references[0].quotes
    assert quote.locus == Locus(page=2, line=7)


def test_quotes_that_came_with_a_reference_stay() -> None:
    first = link(Body(text=f"“{WORDS}” (Smith, 2020)."), WORKS).references
    assert link(Body(text=f"“{WORDS}” (Smith, 2020)."), first).references[0].quotes == first[0].quotes
