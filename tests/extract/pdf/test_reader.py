from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.pdf.labels import by_labels
from citeaudit.extract.pdf.reader import PdfExtractor
from citeaudit.model import Locus, Reference
from citeaudit.pdf import Destination, Link, PdfText, close_pools
from citeaudit.pdf.document import TESSDATA, library
from tests.pdf.pages import line, listed, pdf, prose, reference

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "pdfs"


@pytest.fixture(scope="module", autouse=True)
def end_pools() -> Iterator[None]:
    yield
    close_pools()


def read(pages: Sequence[Any], **more: Any) -> Any:
    return PdfExtractor().extract(pdf(pages, **more), "made.pdf")


def raws(extraction: Any) -> list[str]:
    return [item.raw for item in extraction.references]


def expected(count: int) -> list[str]:
    return [reference(at) for at in range(count)]


Writer = Callable[[list[list[tuple[float, float, str]]]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Write a PDF of placed lines by hand; a line that starts with `#name#` gets a named destination."""

    def make(pages: list[list[tuple[float, float, str]]]) -> Path:
        objects: list[bytes] = []
        names: list[tuple[str, int, float, float]] = []
        for number, lines in enumerate(pages):
            drawn = []
            for x, y, text in lines:
                if text.startswith("#"):
                    name, text = text[1:].split("#", 1)  # noqa: PLW2901
                    names.append((name, number, x, 842 - y + 9))
                escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
                drawn.append(f"BT /F1 9 Tf {x:g} {842 - y:g} Td ({escaped}) Tj ET")
            content = "\n".join(drawn).encode("cp1252")
            objects.append(b"<</Length %d>>stream\n" % len(content) + content + b"\nendstream")
        first_page = 4 + len(objects)
        dests = "".join(f"({n})[{first_page + p} 0 R/XYZ {x:g} {y:g} null]" for n, p, x, y in sorted(names))
        kids = " ".join(f"{first_page + at} 0 R" for at in range(len(pages)))
        head = [
            f"<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[{dests}]>>>>>>".encode(),
            f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        ]
        page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>"
        tail = [page.format(4 + at).encode() for at in range(len(pages))]
        body = b"%PDF-1.4\n"
        for at, item in enumerate([*head, *objects, *tail], start=1):
            body += b"%d 0 obj" % at + item + b"endobj\n"
        path = tmp_path / "made.pdf"
        path.write_bytes(body + b"trailer<</Root 1 0 R>>\n%%EOF")
        return path

    return make


def placed(lines: Sequence[Any], names: Sequence[str] = ()) -> list[tuple[float, float, str]]:
    """Lines of the builders as placed text, each reference with the next of the names."""
    left = iter(names)
    return [
        (item.x0, item.y1, f"#{next(left)}#{item.text}" if names and "J. R., and" in item.text else item.text)
        for item in lines
    ]


def test_named_destinations_give_starts_and_keys(write: Writer) -> None:
    names = [f"cite.key{at}" for at in range(9)]
    body = placed(prose(30))
    path = write([body, [(72, 110, "References"), *placed(listed(expected(9), y=130), names)]])
    extraction = PdfExtractor().read(path)
    assert raws(extraction) == expected(9)
    assert [item.locus.citekey for item in extraction.references] == [f"key{at}" for at in range(9)]
    assert extraction.format == "pdf"
    check = extraction.self_check
    assert check.method.startswith("destinations")
    assert (check.read, check.expected, check.destinations) == (9, 9, 9)
    assert check.complete
    first = extraction.references[0]
    assert (first.locus.path, first.locus.page) == (str(path), 2)
    assert first.locus.boxes[0].page == 2
    assert first.year == 1990
    assert [person.family for person in first.authors] == ["Adamsa", "Frank"]


def test_numbered_list_in_two_columns_is_read_in_order(write: Writer) -> None:
    texts = [f"[{at + 1}] {text}" for at, text in enumerate(expected(14))]
    columns = [*listed(texts[:7], 60, 130, width=50, hang=14), *listed(texts[7:], 320, 100, width=50, hang=14)]
    path = write([placed(prose(30)), [(60, 110, "REFERENCES"), *placed(columns)]])
    extraction = PdfExtractor().read(path)
    assert raws(extraction) == expected(14)
    assert [item.locus.label for item in extraction.references] == [str(at) for at in range(1, 15)]
    assert (extraction.self_check.method, extraction.self_check.expected) == ("labels", 14)


def test_author_year_list_with_hanging_indents_is_read(write: Writer) -> None:
    path = write([placed(prose(30)), [(72, 110, "Literaturverzeichnis"), *placed(listed(expected(10), y=130))]])
    extraction = PdfExtractor().read(path)
    assert raws(extraction) == expected(10)
    assert extraction.self_check.method == "indents"
    assert extraction.self_check.expected is None


def test_document_without_references_is_an_error_of_its_own(write: Writer) -> None:
    path = write([placed(prose(40)), placed(prose(40))])
    with pytest.raises(NoReferencesError, match=r"nothing in it looks like a list of references") as caught:
        PdfExtractor().read(path)
    assert caught.value.path == str(path)


def test_scan_without_text_says_to_run_ocr(tmp_path: Path) -> None:
    pymupdf = library()
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, pixmap=pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 40)))
    path = tmp_path / "scan.pdf"
    document.save(path)
    with pytest.raises(UnreadableDocumentError, match=r"no text layer.*--ocr eng"):
        PdfExtractor().read(path)


def test_words_cut_by_line_ends_are_mended_by_the_words_of_the_document() -> None:
    body = [*prose(20), line("An interpretation of this, by a well-known and self-made reader", y=400)]
    entries = [
        line("Adams, J. R. (1999). On the interpre-", 72, 150),
        line("tation of self-", 84, 162),
        line("made rows. Journal of Layout, 3(2), 1-9.", 84, 174),
        *listed(expected(6), y=186),
    ]
    extraction = read([body, [line("References", y=130, size=14), *entries]])
    assert raws(extraction)[0].startswith("Adams, J. R. (1999). On the interpretation of self-made rows.")


def test_links_give_identifiers_to_their_references() -> None:
    entries = listed(expected(6), y=150)
    target = entries[3]
    link = Link(target.x0, target.y0, target.x1, target.y1, uri="https://doi.org/10.1000/hidden")
    extraction = read([prose(30), [line("References", y=130, size=14), *entries]], links={2: [link]})
    dois = [item.identifiers.doi for item in extraction.references]
    assert dois == [None, "10.1000/hidden", None, None, None, None]


@pytest.mark.parametrize(
    ("linked", "cited"),
    [
        pytest.param(range(6), [True] * 6, id="all"),
        pytest.param(range(5), [True] * 5 + [False], id="one-not"),
        pytest.param((0, 1), [True, True] + [None] * 4, id="too-few-links-to-tell"),
        pytest.param((), [None] * 6, id="no-links"),
    ],
)
def test_references_without_a_link_are_uncited_only_where_others_have_one(
    linked: Sequence[int], cited: list[bool | None]
) -> None:
    entries = listed(expected(6), y=150)
    firsts = [item for item in entries if "J. R., and" in item.text]
    destinations = {f"cite.k{at}": Destination(2, 72.0, item.y0) for at, item in enumerate(firsts)}
    links = {1: [Link(80, 80, 90, 90, name=f"cite.k{at}") for at in linked]}
    extraction = read(
        [prose(30), [line("References", y=130, size=14), *entries]], destinations=destinations, links=links
    )
    assert [item.cited for item in extraction.references] == cited


def test_self_check_names_missing_labels_and_what_was_noticed() -> None:
    entries = [f"[{at + 1}] {reference(at)}" for at in range(9) if at != 4]
    made = pdf([prose(30), listed(entries, y=150)])
    damaged = PdfText(made.pages, made.destinations, made.metadata, made.toc, repaired=True, broken_pages=(7,))
    check = PdfExtractor().extract(damaged, "x.pdf").self_check
    assert check.labels_missing == ("5",)
    assert (check.read, check.expected, check.complete) == (8, 9, False)
    assert "mended" in check.notes[0]
    assert check.notes[1] == "Pages that could not be read: 7."
    assert "No heading" in check.notes[2]


def test_two_lists_are_both_read_and_said_so() -> None:
    second = [line("Supplementary References", y=60, size=14), *listed([reference(at) for at in range(9, 14)], y=80)]
    extraction = read([prose(30), [line("References", y=130, size=14), *listed(expected(9), y=150)], prose(40), second])
    assert len(extraction.references) == 14
    assert "2 lists of references were read." in extraction.self_check.notes


def test_review_copy_is_read_without_its_line_numbers() -> None:
    pages = []
    number = 0
    for content in (prose(40, y=100, x=110, width=70), listed(expected(9), 110, 130)):
        page = []
        for item in [line("References", 110, 110, 10), *content] if content[0].text.startswith("Adams") else content:
            number += 1
            page += [line(str(number), 60 - 3 * len(str(number)), item.y0 + 3, size=6), item]
        pages.append(page)
    extraction = read(pages)
    assert raws(extraction) == expected(9)
    assert "Numbers of lines were left out." in extraction.self_check.notes


def test_piece_without_words_is_a_failed_block() -> None:
    entries = [f"[{at + 1}] {reference(at)}" for at in range(6)]
    entries[2] = "[3] 12, 1999, 45-67 (8)."
    extraction = read([prose(30), [line("References", y=130, size=14), *listed(entries, y=150)]])
    assert [block.locus.label for block in extraction.failed] == ["3"]
    assert len(extraction.references) == 5


def test_parts_can_be_exchanged() -> None:
    def first_words(raws: Sequence[str], *, loci: Sequence[Locus], **more: object) -> list[Reference]:
        return [
            Reference(raw=raw, title=raw.split(maxsplit=1)[0], locus=locus)
            for raw, locus in zip(raws, loci, strict=True)
        ]

    entries = [f"[{at + 1}] {reference(at)}" for at in range(6)]
    extractor = PdfExtractor(segmenters=[by_labels], field_reader=first_words)
    made = pdf([prose(30), [line("References", y=130, size=14), *listed(entries, y=150)]])
    extraction = extractor.extract(made, "x")
    assert extraction.references[0].title == "Adamsa,"


def test_reference_that_turns_a_page_has_a_box_on_each() -> None:
    entries = listed([f"[{at + 1}] {reference(at)}" for at in range(6)], y=150, width=50)
    turned = [line(item.text, item.x0, 100 + 12 * at) for at, item in enumerate(entries[-1:])]
    extraction = read([prose(30), [line("References", y=130, size=14), *entries[:-1]], turned])
    assert [box.page for box in extraction.references[-1].locus.boxes] == [2, 3]
    assert raws(extraction)[-1] == reference(5)


def test_extractor_does_not_import_pymupdf_here() -> None:
    import subprocess

    source = "import sys, citeaudit.extract.pdf.reader; print('pymupdf' in sys.modules)"
    seen = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "False"


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared PDFs are not here")
def test_real_papers_are_read_whole() -> None:
    extractor = PdfExtractor()
    complete = 0
    paths = sorted(SHARED.glob("*.pdf"))[::3]  # a third of them; `make bench` reads and scores them all
    for path in paths:
        extraction = extractor.read(path)
        assert extraction.references
        complete += extraction.self_check.complete
    assert complete >= 0.9 * len(paths)


def picture(words: Sequence[str]) -> Any:
    """A page drawn as an image."""
    pymupdf = library()
    page = pymupdf.open().new_page()
    for at, text in enumerate(words):
        page.insert_text((60, 90 + 22 * at), text, fontsize=13)
    return page.get_pixmap(dpi=150)


SCANNED = ("References", *(f"[{at + 1}] {text}" for at in range(6) for text in (reference(at)[:75],)))
NO_LANGUAGE = not any(Path(folder, "eng.traineddata").is_file() for folder in TESSDATA)


@pytest.mark.skipif(NO_LANGUAGE, reason="Tesseract's English data is not installed")
def test_scan_is_read_by_ocr_where_that_is_asked_for(tmp_path: Path) -> None:
    pymupdf = library()
    made = pymupdf.open()
    page = made.new_page()
    page.insert_image(page.rect, pixmap=picture(SCANNED))
    path = tmp_path / "scan.pdf"
    made.save(path)
    with pytest.raises(UnreadableDocumentError, match="--ocr"):
        PdfExtractor().read(path)
    extraction = PdfExtractor(ocr=True).read(path)
    assert len(extraction.references) == 6
    assert max(item.parse_score for item in extraction.references) <= 0.6
    assert any("optical character recognition" in note for note in extraction.self_check.notes)


def paged(tmp_path: Path, *, listed_as_image: bool) -> Path:
    """Text with a heading above an image, and a list elsewhere or none."""
    pymupdf = library()
    made = pymupdf.open()
    page = made.new_page()
    for at, row in enumerate(prose(20)):
        page.insert_text((72, 90 + 14 * at), row.text[:80], fontsize=10)
    page.insert_text((72, 400), "References", fontsize=14)
    page.insert_image(pymupdf.Rect(60, 420, 540, 800), pixmap=picture(SCANNED))
    if not listed_as_image:
        page = made.new_page()
        page.insert_text((72, 100), "References", fontsize=14)
        for at, row in enumerate(listed([f"[{at + 1}] {reference(at)}" for at in range(6)], y=130)):
            page.insert_text((row.x0, row.y0 + 8 + 0 * at), row.text, fontsize=10)
    path = tmp_path / "paged.pdf"
    made.save(path)
    return path


NOTES = (
    "Jane Roe, The Reading of Rows (Bonn: Example Press, 1962), 10.",
    "Ibid., 52.",
    "Paul Poe, “On Columns,” Journal of Layout 27, no. 3 (1948): 379.",
    "Roe, Reading, 77.",
    "Ada Lopez, “Margins Told,” Journal of Layout 45, no. 1 (2004): 5-32.",
    "Ibid.",
    "See Roe, Reading, 80-81.",
    "Kim Hills, “Gutters Crossed,” Journal of Layout 12, no. 4 (2021): 211-39.",
)


@pytest.mark.parametrize("form", ["{}. {}", "[{}] {}"], ids=["dot", "brackets"])
def test_numbered_list_without_a_heading_that_points_back_is_one_of_notes(form: str) -> None:
    notes = listed([form.format(at, text) for at, text in enumerate(NOTES, 1)], y=500, hang=0, width=90)
    extraction = read([[*prose(20, y=110), *notes]])
    assert [item.locus.label for item in extraction.references] == ["1", "3", "5", "8"]
    assert [item.year for item in extraction.references] == [1962, 1948, 2004, 2021]
    assert (extraction.self_check.method, extraction.self_check.expected) == ("notes", None)


def test_list_that_is_an_image_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(
        NoReferencesError, match="on page 1, is an image on a page with text, which --ocr does not read"
    ):
        PdfExtractor().read(paged(tmp_path, listed_as_image=True))


def test_second_list_that_is_an_image_is_noted(tmp_path: Path) -> None:
    extraction = PdfExtractor().read(paged(tmp_path, listed_as_image=False))
    assert len(extraction.references) == 6
    assert any("above an image on page 1" in note for note in extraction.self_check.notes)


def test_scanned_pages_of_a_text_without_a_list_are_worth_reading(tmp_path: Path) -> None:
    pymupdf = library()
    made = pymupdf.open()
    made.new_page().insert_text((72, 90), prose(1)[0].text[:80], fontsize=10)
    page = made.new_page()
    page.insert_image(page.rect, pixmap=picture(SCANNED))
    made.save(tmp_path / "half.pdf")
    with pytest.raises(NoReferencesError, match="holds scanned pages; have them read with --ocr eng"):
        PdfExtractor().read(tmp_path / "half.pdf")


def test_scanned_pages_among_others_are_named(tmp_path: Path) -> None:
    pymupdf = library()
    made = pymupdf.open(paged(tmp_path, listed_as_image=False))
    page = made.new_page()
    page.insert_image(page.rect, pixmap=picture(["Appendix"]))
    made.new_page()
    path = tmp_path / "mixed.pdf"
    made.save(path)
    check = PdfExtractor().read(path).self_check
    note = "Pages without text, probably scanned: 3; use --ocr eng (or another language) to have them read."
    assert note in check.notes
    assert (check.read, check.expected) == (6, None)  # the list may go on behind what was read


def test_italic_and_bold_runs_are_hints(tmp_path: Path) -> None:
    from citeaudit.extract.fields.reader import Hints, read_many
    from citeaudit.pdf import Face
    from tests.pdf.pages import of, span

    seen: list[Hints] = []

    def spy(raws: Sequence[str], *, hints: Sequence[Hints], **more: Any) -> list[Reference]:
        seen.extend(hints)
        return read_many(raws, hints=hints, **more)

    rows = []
    for at in range(6):
        head, tail = reference(at).split(". Journal of Layout, ")
        y = 130.0 + 40 * at
        rows += [line(head[:80], 72, y), line(head[80:] + ". Journal", 84, y + 12)]
        rows[-1] = of(span(f"{head[80:]}. ", 84, y + 12), span("Journal of", 300, y + 12, face=Face.ITALIC))
        number, pages = tail.split(", ", 1)
        volume = span(f" {number}, ", 150, y + 24, face=Face.BOLD)
        rows.append(of(span("Layout, ", 84, y + 24, face=Face.ITALIC), volume, span(pages, 220, y + 24)))
    document = pdf([[line("References", y=110, size=14), *rows]])
    PdfExtractor(field_reader=spy).extract(document, "made.pdf")
    assert seen[0].italic == ("Journal of Layout,",)
    assert seen[0].bold == ("3(2),",)


def test_boxes_of_turned_pages_are_those_of_the_page_before(tmp_path: Path) -> None:
    pymupdf = library()
    made = pymupdf.open(paged(tmp_path, listed_as_image=False))
    upright = PdfExtractor().read(tmp_path / "paged.pdf")
    turned = pymupdf.open()
    for page in made:
        # The same content on a page that is turned for display and drawn turned back.
        other = turned.new_page(width=page.rect.height, height=page.rect.width)
        other.show_pdf_page(other.rect, made, page.number, rotate=90)
        other.set_rotation(90)
    path = tmp_path / "turned.pdf"
    turned.save(path)
    extraction = PdfExtractor().read(path)
    assert raws(extraction) == raws(upright)
    box, flat = extraction.references[0].locus.boxes[0], upright.references[0].locus.boxes[0]
    page_height = 842
    assert abs((box.y1 - box.y0) - (flat.x1 - flat.x0)) < 3
    assert box.x1 <= page_height


def test_citations_in_the_text_are_linked_to_the_list() -> None:
    text = [line(f"This was told before [{at}] and again by others.", 72, 110 + 12 * at) for at in (1, 2, 3, 9)]
    entries = listed([f"[{at + 1}] {reference(at)}" for at in range(6)], y=330)
    extraction = read([[*text, line("References", y=300, size=14), *entries]])
    assert [item.references for item in extraction.citations][:3] == [(1,), (2,), (3,)]
    assert extraction.self_check.citations == len(extraction.citations)
