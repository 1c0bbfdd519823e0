from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.extract.intext.body import Body, MarkKind
from citeaudit.extract.pdf.body import Context, build_body
from citeaudit.extract.pdf.layout import lay_out, vocabulary
from citeaudit.extract.pdf.places import turned
from citeaudit.pdf import Face, Link, PdfLine
from tests.pdf.pages import line, of, pdf, prose, span

KEYS = {"cite.a": "a", "cite.b": "b"}


def build(pages: Sequence[list[PdfLine]], links: dict[int, list[Link]] | None = None) -> Body:
    document = pdf(pages, links=links)
    layout = lay_out(document)
    context = Context("made.pdf", vocabulary(layout.rows), turned(document))
    return build_body(document, layout.rows, layout.notes, lambda link: KEYS.get(link.name or ""), context=context)


def marked(body: Body, kind: MarkKind) -> list[tuple[str, tuple[str, ...]]]:
    return [(body.text[mark.start : mark.end], mark.keys) for mark in body.marks if mark.kind is kind]


def test_indents_and_gaps_open_paragraphs_and_hyphens_go() -> None:
    second = "Here a paragraph begins, which is long enough to reach the margin on the right, with infor-"
    third = "mation that goes on as all information of this kind goes on where there is enough of it"
    text = [*prose(3, y=110), line(second[4:], 92, 146), line(third, y=158), *prose(2, y=220)]
    body = build([text])
    paragraphs = body.text.split("\n\n")
    assert len(paragraphs) == 3
    assert paragraphs[1].startswith("a paragraph begins")
    assert "with information that goes on" in paragraphs[1]


def test_paragraph_goes_on_over_the_page() -> None:
    body = build([prose(25, y=110), prose(25, y=110)])
    assert "\n\n" not in body.text


def test_each_row_has_its_place() -> None:
    body = build([prose(2, y=110), [*prose(2, y=110), line("A last one", y=134)]])
    place = body.locus(body.text.index("A last one"))
    assert (place.path, place.page, place.boxes[0].y0) == ("made.pdf", 2, 134)
    assert [item.start for item in body.places] == sorted(item.start for item in body.places)


def test_raised_numbers_are_marked_and_those_of_notes_named() -> None:
    raised = of(
        span("as was told", 72, 134),
        span("1", 127, 131, 6, 1),
        span(" and counted", 131, 134),
        span("2,3", 191, 131, 6),
    )
    foot = of(span("1", 72, 699, 6, Face.SUPERSCRIPT), span(" Roe, Rows, 14.", 76, 700, 8))
    body = build([[*prose(2, y=110), raised, *prose(20, y=146), foot]])
    assert marked(body, MarkKind.NOTE)[0] == ("1", ("1",))
    assert ("2,3", ()) in marked(body, MarkKind.RAISED)
    (note,) = body.notes
    assert (note.label, body.text[note.start : note.end]) == ("1", "1 Roe, Rows, 14.")
    assert note.start > body.text.index("and counted")


def test_small_type_below_the_line_is_not_raised() -> None:
    body = build([[of(span("H", 72, 134), span("2", 77, 138, 6), span("O is water", 80, 134)), *prose(9, y=146)]])
    assert marked(body, MarkKind.RAISED) == []


def test_links_into_the_list_mark_their_words() -> None:
    text = "as Roe and Poe (1999) and others have told"
    links = [
        Link(72 + 5 * 3, 133, 72 + 5 * 14, 145, name="cite.a"),
        Link(72 + 5 * 16, 133, 72 + 5 * 20, 145, name="cite.a"),
        Link(72 + 5 * 26, 133, 72 + 5 * 32, 145, name="cite.b"),
        Link(72, 133, 80, 145, name="section.1"),
        Link(72, 133, 80, 145, uri="https://x.org"),
    ]
    body = build([[line(text, 72, 134), *prose(9, y=146)]], {1: links})
    assert marked(body, MarkKind.CITE) == [("Roe and Poe (1999", ("a",)), ("others", ("b",))]


@pytest.mark.parametrize(
    ("x", "size", "width", "quoted"),
    [
        pytest.param(100, 10, 66, True, id="both-margins-in"),
        pytest.param(100, 8.5, 88, True, id="smaller-type"),
        pytest.param(72, 10, 66, False, id="short-lines-at-the-margin"),
        pytest.param(100, 14, 40, False, id="larger-type"),
    ],
)
def test_text_set_apart_is_a_quotation(x: float, size: float, width: int, quoted: bool) -> None:
    inside = prose(4, x, 240, size, width)
    body = build([[*prose(10, y=110), *inside, *prose(20, y=300)]])
    quotations = marked(body, MarkKind.QUOTATION)
    assert bool(quotations) is quoted
    if quoted:
        assert quotations[0][0].startswith("We were told")


def test_document_without_text_has_an_empty_body() -> None:
    assert build([[]]).text == ""


@given(
    st.lists(st.tuples(st.floats(0, 500), st.floats(0, 800), st.text("ab1.- ", min_size=1, max_size=30)), max_size=30)
)
def test_marks_and_places_lie_in_the_text(rows: list[tuple[float, float, str]]) -> None:
    links = {1: [Link(x, y, x + 30, y + 9, name="cite.a") for x, y, _ in rows[:5]]}
    body = build([[line(text, x, y) for x, y, text in rows]], links)
    assert all(0 <= mark.start < mark.end <= len(body.text) for mark in body.marks)
    assert all(0 <= place.start <= len(body.text) for place in body.places)
    assert [mark.start for mark in body.marks] == sorted(mark.start for mark in body.marks)
