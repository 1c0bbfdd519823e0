"""Every known trap in finding a quote: what must be found, by which reading, and what must not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from citeaudit.pdf import read_pages
from citeaudit.quotes.locate import Source, Tier
from tests.quotes import prints

Reader = Callable[..., Source]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Give a source of lines, each page a list, or of HTML; each PDF is made once."""
    folder, known = tmp_path_factory.mktemp("quotes"), dict[object, Source]()

    def make(*pages: str | tuple[str, ...]) -> Source:
        if pages not in known:
            path = folder / f"{len(known)}.pdf"
            if isinstance(pages[0], str):
                prints.boxed(path, pages[0])
            else:
                prints.printed(path, *(list(texts) for texts in pages))
            known[pages] = Source.of_pdf(read_pages(path))
        return known[pages]

    return make


HYPHEN = ("We report a marked improve-", "ment of the margin in all years.")
POWER = "<p>We counted about 10<sup>5</sup> cells in each of the samples.</p>"
CITED = ("Prior work [12, 13] has shown this (Miller et al., 2020) in mice.",)
THIN = "<p>In the years 2024–2025 the share rose to 12\u2009000 units of goods.</p>"
DEBATE = ("The committee met twice in the spring, and after much debate it approved", "the new rules for all members.")
MODEL = ("In short, we find no evidense for the model as it stands today in print.",)
LONG = ("The first page ends in the middle of a sentence that", "goes over the end of the")
NEXT = ("page and is finished at the top of the next one,", "as many sentences are.")

FOUND = [
    (
        "ligatures",
        ("<p>The ﬁrst ofﬁcial ﬂow of the eﬃcient oﬀice was found there.</p>",),
        "The first official flow of the efficient office",
        Tier.EXACT,
    ),
    (
        "ligature in the quote",
        (("The first official flow of the efficient office was there.",),),
        "The ﬁrst oﬃcial ﬂow of the eﬃcient office",
        Tier.NORMALISED,
    ),
    ("line end", (HYPHEN,), "a marked improvement of the margin", Tier.NORMALISED),
    ("line end pasted", (HYPHEN,), "a marked improve- ment of the margin", Tier.EXACT),
    ("soft hyphen", (HYPHEN,), "a marked improve\u00adment of the margin", Tier.NORMALISED),
    (
        "real hyphen at a line end",
        (("This is a state-of-the-", "art system for reading."),),
        "This is a state-of-the-art system",
        Tier.HYPHENS,
    ),
    (
        "quotation marks and dashes",
        ("<p>They call it “the reader’s burden” – and ‘so’ do we in this text.</p>",),
        "They call it \"the reader's burden\" - and 'so' do we",
        Tier.NORMALISED,
    ),
    (
        "TeX quotes",
        ("<p>They call it “a burden of all readers” in this text here.</p>",),
        "They call it ``a burden of all readers'' in this",
        Tier.NORMALISED,
    ),
    ("range", (THIN,), "In the years 2024-2025 the share rose to 12,000 units", Tier.NORMALISED),
    ("digit grouping", (THIN,), "the share rose to 12000 units of goods", Tier.NORMALISED),
    (
        "accents",
        ("<p>The Poincaré map and the naïve Gödel numbering of Erdős were used.</p>",),
        "The Poincare map and the naive Godel numbering of Erdos",
        Tier.NORMALISED,
    ),
    (
        "decomposed accents",
        ("<p>The Poincaré map and the naïve Gödel numbering of Erdős were used.</p>",),
        "The Poincare\u0301 map and the nai\u0308ve Go\u0308del numbering",
        Tier.NORMALISED,
    ),
    (
        "raised citation",
        ("<p>These species dominate<sup>12,13</sup> the upper layers of the forest.</p>",),
        "These species dominate the upper layers of the forest",
        Tier.SUPERSCRIPTS,
    ),
    (
        "raised citation level",
        ("<p>These species dominate<sup>12,13</sup> the upper layers of the forest.</p>",),
        "These species dominate12,13 the upper layers",
        Tier.EXACT,
    ),
    ("power", (POWER,), "We counted about 10⁵ cells in each", Tier.NORMALISED),
    ("citations left out", (CITED,), "Prior work has shown this in mice.", Tier.CITATIONS),
    (
        "citations in the quote alone",
        (("Prior work has shown this effect in mice and men.",),),
        "Prior work has shown this effect [12] in mice",
        Tier.CITATIONS,
    ),
    (
        "brackets in source and quote",
        (("The time (aPTT) [APTT] was 1.5 [1.3-1.7] hours in all of them.",),),
        "The time (aPTT) [APTT] was 1.5 [1.3-1.7] hours",
        Tier.EXACT,
    ),
    (
        "note mark",
        (("The patients* were asked to sleep† for three hours a night.",),),
        "The patients were asked to sleep for three hours",
        Tier.NORMALISED,
    ),
    ("ellipsis", (DEBATE,), "The committee met twice ... approved the new rules for all members", Tier.ELIDED),
    (
        "bracketed ellipsis",
        (DEBATE,),
        "The committee met twice […] approved the new rules for all members",
        Tier.ELIDED,
    ),
    ("changed letter", (MODEL,), "[I]n short, we find no evidense for the model", Tier.EXACT),
    ("sic", (MODEL,), "we find no evidense [sic] for the model as it stands", Tier.EXACT),
    ("emphasis added", (MODEL,), "we find no evidense for the model [emphasis added]", Tier.EXACT),
    ("inserted words", (MODEL,), "we find no evidense for [this hypothesis] as it stands today", Tier.ELIDED),
    (
        "capitals",
        (("THE READER OF THIS BOOK WILL FIND the rest in the appendix.",),),
        "The Reader of this Book will find the rest",
        Tier.NORMALISED,
    ),
    (
        "Chinese",
        ("<p>一份不太简短的介绍，我们在这里说明方法的细节和结果的讨论，并且比较各种方法。</p>",),
        "我们在这里说明方法的细节",
        Tier.EXACT,
    ),
    (
        "Chinese punctuation",
        ("<p>一份不太简短的介绍，我们在这里说明方法的细节和结果的讨论。并且比较各种方法。</p>",),
        "结果的讨论，并且比较各种方法",
        Tier.NORMALISED,
    ),
    (
        "full-width digits",
        ("<p>结果表明，共有120名患者参加了这项研究，并且完成了全部的访问。</p>",),
        "共有１２０名患者参加了这项研究",
        Tier.NORMALISED,
    ),
    (
        "Hebrew",
        ('<p dir="rtl">זהו משפט ארוך בעברית שנמצא כאן לצורך הבדיקה של הקוד</p>',),
        "משפט ארוך בעברית שנמצא כאן",
        Tier.EXACT,
    ),
    ("end of a page", (LONG, NEXT), "goes over the end of the page and is finished at the top", Tier.CROSS_PAGE),
    (
        "lost letters",
        (("We find that the scientific workflow of the office works.",),),
        "We \ufffdnd that the scienti\ufffdc work\ufffdow of the o\ufffdce",
        Tier.NORMALISED,
    ),
]

ALTERED = [
    (
        "share in a larger share",
        (("The share rose to 112% of the plan in the first year of it.",),),
        "12% of the plan in the first year",
    ),
    (
        "count in a larger count",
        (("We found it in 31 of 2310 cases that were looked at closely.",),),
        "We found it in 31 of 231",
    ),
    (
        "word in a longer word",
        (("We found the other cases that were looked at closely today.",),),
        "he other cases that were looked at",
    ),
    (
        "lost minus",
        ("<p>The margin fell and reached −12.5% at the end of the year.</p>",),
        "The margin fell and reached 12.5% at the end",
    ),
    (
        "lost minus at the start",
        ("<p>The margin fell and reached −12.5% at the end of the year.</p>",),
        "12.5% at the end of the year",
    ),
    (
        "comparator",
        (("The effect was significant (p < 0.05) in both of the groups.",),),
        "The effect was significant (p > 0.05) in both",
    ),
    (
        "currency",
        ("<p>The price was €45 for each of the units that were sold there.</p>",),
        "The price was 45 for each of the units",
    ),
    (
        "currency at the start",
        ("<p>The price was €45 for each of the units that were sold there.</p>",),
        "45 for each of the units that were sold",
    ),
    (
        "percent at the end",
        (("The share of all the members rose to 45% of the plan.",),),
        "The share of all the members rose to 45",
    ),
    (
        "negation",
        (("We did not find an effect of the drug on sleep in any group.",),),
        "We did find an effect of the drug on sleep",
    ),
    (
        "order",
        (("We did not find an effect of the drug on sleep in any group.",),),
        "an effect of the drug We did not find on sleep",
    ),
    (
        "digit lost at the start",
        (("Operating margin improved to 18.4%, compared with last year.",),),
        "margin improved to 8.4%, compared with last",
    ),
    (
        "decimal format",
        (("The level was set at 0,05 for all of the tests that follow.",),),
        "The level was set at 0.05 for all of the tests",
    ),
    ("power left out", (POWER,), "We counted about 10 cells in each of the samples"),
    ("other citations", (CITED,), "Prior work [12, 14] has shown this (Miller et al., 2020) in mice."),
    (
        "swallowed negation",
        (("Under clause nine the landlord is not permitted to terminate it.",),),
        "the landlord is … permitted to terminate it",
    ),
    ("parts in another order", (DEBATE,), "approved the new rules ... The committee met twice"),
    (
        "joined numbers",
        (("The values were 12 and 13 14 in the samples of the year.",),),
        "The values were 12 and 1314 in the samples",
    ),
    (
        "joined words",
        (("There is no table of such results in any of the books.",),),
        "There is notable of such results in any of the books",
    ),
    (
        "figures in brackets",
        (("The key is 'a::2009' in all of the tables of the book.",),),
        "The key is [a::2008] in all of the tables",
    ),
    ("unit", (("Each of them was given 5 mg of the drug in the morning.",),), "Each of them was given 5 g of the drug"),
    (
        "word",
        (("Each of them was given 5 mg of the drug in the morning.",),),
        "Each of them was given 5 mg of the drug in the evening",
    ),
]


@pytest.mark.parametrize(("pages", "quote", "tier"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND])
def test_found(made: Reader, pages: tuple[str, ...], quote: str, tier: Tier) -> None:
    found = made(*pages).locate(quote)
    assert found is not None
    assert found.tier is tier
    assert not found.hidden


@pytest.mark.parametrize(("pages", "quote"), [row[1:] for row in ALTERED], ids=[row[0] for row in ALTERED])
def test_altered(made: Reader, pages: tuple[str, ...], quote: str) -> None:
    assert made(*pages).locate(quote) is None


@pytest.mark.parametrize(
    ("pages", "quote", "note"),
    [
        ((THIN,), "the share rose to 12000 units of goods", "digit grouping"),
        ((POWER,), "We counted about 105 cells in each of the samples", "raised digits written level"),
        (("<p>The Poincaré map and the naïve Gödel numbering were used.</p>",), "The Poincare map and the", "accents"),
        ((HYPHEN,), "We report a marked improve", "ends in a cut word"),
        ((("We find the work ofthe last ten years in good order.",),), "the work of the last ten years", "spacing"),
    ],
)
def test_notes(made: Reader, pages: tuple[str, ...], quote: str, note: str) -> None:
    found = made(*pages).locate(quote)
    assert found is not None
    assert note in found.notes


def test_omitted_words_are_told(made: Reader) -> None:
    found = made(DEBATE).locate("The committee met twice ... approved the new rules for all members")
    assert found is not None
    assert found.omitted == ("in the spring, and after much debate it",)


def test_every_occurrence_has_its_lines(made: Reader) -> None:
    sentence = ("Net revenue rose by a third in the", "southern region of the country.")
    found = made((*sentence, "Other words stand here.", *sentence)).locate("rose by a third in the southern region")
    assert found is not None
    assert [[piece.text for piece in one.pieces] for one in found.occurrences] == [
        ["rose by a third in the", "southern region"]
    ] * 2
    assert found.occurrences[0].pieces[0].line.y0 < found.occurrences[1].pieces[0].line.y0


def test_pages_of_an_occurrence(made: Reader) -> None:
    found = made(LONG, NEXT).locate("goes over the end of the page and is finished")
    assert found is not None
    assert found.occurrences[0].pages == (1, 2)


def drawn(path: Path, draw: Callable[[pymupdf.Page], None]) -> Source:
    """Give the source of a page drawn by a function."""
    document = prints.empty()
    draw(document.new_page())
    return Source.of_pdf(read_pages(prints.saved(document, path)))


def test_hidden_text_is_told(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        prints.lines(page, ["What is read stands here in black for everyone."])
        prints.line(page, "What nobody reads stands here in white on white paper.", y=200, color=(1, 1, 1))

    found = drawn(tmp_path / "a.pdf", draw).locate("What nobody reads stands here in white")
    assert found is not None
    assert found.hidden


def test_what_is_drawn_twice_is_found_once(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        for shift in (0.0, 0.3):
            prints.line(page, "A line in bold by drawing it twice over itself.", x=72 + shift)

    found = drawn(tmp_path / "a.pdf", draw).locate("in bold by drawing it twice over")
    assert found is not None
    assert len(found.occurrences) == 1


def columns(page: pymupdf.Page, order: str) -> None:
    """Draw two columns; line by line across them, or one after the other."""
    left = [
        "The left column tells of the",
        "river and of the towns along",
        "its banks, which were many",
        "in those years of the trade",
    ]
    right = [
        "whereas the right one tells",
        "of hills and of the villages",
        "between them, which were",
        "few and far from the river",
    ]
    places = [(72, text, row) for row, text in enumerate(left * 6)] + [
        (320, text, row) for row, text in enumerate(right * 6)
    ]
    if order == "across":
        places.sort(key=lambda one: (one[2], one[0]))
    for x, text, row in places:
        prints.line(page, text, x=x, y=100 + 14 * row)


@pytest.mark.parametrize("order", ["down", "across"])
def test_columns(tmp_path: Path, order: str) -> None:
    source = drawn(tmp_path / "a.pdf", lambda page: columns(page, order))
    assert source.locate("The left column tells of the river and of the towns along its banks") is not None
    assert source.locate("the towns along of hills and of the villages its banks, which") is None


def test_turned_text(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        prints.lines(page, ["The body of the page stands upright as ever."])
        page.insert_text((40, 600), "A stamp that runs up the margin of it", fontsize=11, rotate=90)

    assert drawn(tmp_path / "a.pdf", draw).locate("A stamp that runs up the margin") is not None


def test_a_figure_in_between(made: Reader) -> None:
    page = (
        "The argument of this paper begins in the first part of a",
        "Figure 1: A drawing of the model and its parts.",
        "sentence that a figure parts from its second half.",
    )
    found = made(page).locate("begins in the first part of a sentence that a figure parts from")
    assert found is not None
    assert found.tier is Tier.CROSS_BLOCK


@pytest.mark.parametrize("quote", ["", " ", "…", "...", "—", "[...]", "“”", "\ufffd", "\x00", "[1]", "a" * 5_000])
def test_nothing_to_find(made: Reader, quote: str) -> None:
    assert made(HYPHEN).locate(quote) is None


def test_letters_drawn_twice_one_by_one(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        x = 72.0
        for char in "Each letter of this line is printed twice, which makes it bold.":
            for shift in (0.0, 0.3):
                prints.line(page, char, x=x + shift)
            x += 6

    assert drawn(tmp_path / "a.pdf", draw).locate("of this line is printed twice, which makes") is not None


def test_what_lies_off_the_page_is_not_there(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        prints.line(page, "This line begins near the edge and runs on far beyond the paper", x=400)

    assert drawn(tmp_path / "a.pdf", draw).locate("and runs on far beyond the paper") is None


def test_the_layer_of_a_scan_is_told(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        prints.picture(page)
        prints.line(page, "The words of a scan are drawn unseen over its image.", render_mode=3)

    found = drawn(tmp_path / "a.pdf", draw).locate("are drawn unseen over its image")
    assert found is not None
    assert not found.hidden
    assert found.occurrences[0].layer


def test_a_page_with_nothing_but_turned_text(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((40, 600), "All of this page runs up its margin here", fontsize=11, rotate=90)

    source = drawn(tmp_path / "a.pdf", draw)
    assert source.locate("this page runs up its margin") is not None
    assert source.locate("this page runs down its margin") is None
