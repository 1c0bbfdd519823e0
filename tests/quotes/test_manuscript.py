"""Quotations of a manuscript against its sources: each status, and what must not be said of anybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.model import BAD_QUOTES, Locus, Quote, QuoteCheck, QuoteStatus, Reference
from citeaudit.quotes.copies import Copy
from citeaudit.quotes.manuscript import WEAK, Cited, Manuscript
from tests import samples
from tests.quotes import prints
from tests.quotes.papers import MILLS, TIDES, paper

RISE = "The tide at the old pier rose by 12 centimetres in the course of a single night"
WAVE = "The keeper did not see the wave that took the lower lamp away"
GRAIN = "Grain was carried by cart to the windmills on the ridge"
INVENTED = "The council has since paid for a tower of white stone at the end of the mole"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("library")
    paper(made / "tides.pdf", "Night tides", "N. Weir", *TIDES, first=41)
    paper(made / "mills.pdf", "Mills", "A. Baker", *MILLS)
    listed = [*MILLS[0][1:], "References", f"[1] N. Weir. {RISE}. 2001."]
    appended = [*listed, "Appendix", f"{WAVE}."]
    paper(made / "listed.pdf", "Listed", "C. Stone", listed)
    paper(made / "appended.pdf", "Appended", "C. Stone", appended)
    paper(made / "more.pdf", "More", "C. Stone", listed, ["B. Details of the account", "", *TIDES[1], *MILLS[0]])
    document = prints.empty()
    page = document.new_page()
    prints.lines(page, ["What everyone may read stands here in black on white.", "And more of it follows here."])
    prints.line(page, RISE, y=300, color=(1, 1, 1))
    prints.saved(document, made / "hidden.pdf")
    prints.printed(made / "scan.pdf", [])
    (made / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"garbage" * 9)
    (made / "notes.txt").write_text(f"Night tides\nNora Weir\n\n{RISE}.\n", "utf-8")
    (made / "page.html").write_text("<p>The tide at the old <b>pier</b> rose by 12 centimetres</p> in all", "utf-8")
    return made


def checked(
    copy: Path | Copy, *quotes: Quote, pages: str | None = None, **others: Path | Copy
) -> tuple[QuoteCheck, ...]:
    """Check quotations of reference 1, which has this copy; the names of the others are their citation keys."""
    first = samples.reference("Night tides", "Nora Weir").model_copy(update={"quotes": quotes, "pages": pages})
    cited = {1: Cited("1", first, _copy(copy))}
    for number, (name, other) in enumerate(others.items(), 2):
        cited[number] = Cited(name, samples.reference(name), _copy(other))
    manuscript = Manuscript(cited)
    return tuple(manuscript.check(1, quote) for quote in quotes)


def _copy(copy: Path | Copy) -> Copy:
    return copy if isinstance(copy, Copy) else Copy(copy, by="title")


def one(copy: Path | Copy, text: str, page: str | None = None, **others: Path) -> QuoteCheck:
    [check] = checked(copy, Quote(text=text, claimed_page=page), pages=None, **others)
    return check


CASES = [
    pytest.param("tides.pdf", RISE, "1", QuoteStatus.VERIFIED, id="number-of-the-pdf"),
    pytest.param("tides.pdf", RISE, "41", QuoteStatus.VERIFIED, id="printed-number"),
    pytest.param("tides.pdf", WAVE, "41-42", QuoteStatus.VERIFIED, id="range"),
    pytest.param("tides.pdf", RISE, None, QuoteStatus.VERIFIED, id="no-page"),
    pytest.param("tides.pdf", RISE, "passim", QuoteStatus.VERIFIED, id="no-page-in-words"),
    pytest.param("tides.pdf", RISE, "900", QuoteStatus.VERIFIED, id="page-of-another-version"),
    pytest.param("tides.pdf", RISE, "42", QuoteStatus.WRONG_PAGE, id="wrong-printed-number"),
    pytest.param("tides.pdf", RISE, "2", QuoteStatus.WRONG_PAGE, id="wrong-number"),
    pytest.param("tides.pdf", RISE.replace("12", "21"), "1", QuoteStatus.CLOSE_MATCH, id="number-altered"),
    pytest.param(
        "tides.pdf", "The keeper ... see the wave that took the lower lamp", "2", QuoteStatus.CLOSE_MATCH, id="not"
    ),
    pytest.param("tides.pdf", INVENTED, "1", QuoteStatus.NOT_FOUND, id="invented"),
    pytest.param("tides.pdf", GRAIN, "1", QuoteStatus.NOT_FOUND, id="of-no-cited-work"),
    pytest.param("tides.pdf", "the tide", "1", QuoteStatus.TOO_SHORT, id="short"),
    pytest.param("listed.pdf", RISE, None, QuoteStatus.REFERENCES, id="reference-list"),
    pytest.param("appended.pdf", WAVE, None, QuoteStatus.VERIFIED, id="appendix"),
    pytest.param("more.pdf", WAVE, None, QuoteStatus.VERIFIED, id="more-text-behind-the-list"),
    pytest.param("hidden.pdf", RISE, None, QuoteStatus.HIDDEN, id="hidden"),
    pytest.param("scan.pdf", RISE, "1", QuoteStatus.NO_TEXT, id="scan"),
    pytest.param("broken.pdf", RISE, "1", QuoteStatus.UNREADABLE, id="broken"),
    pytest.param("notes.txt", RISE, "3", QuoteStatus.VERIFIED, id="text-without-pages"),
    pytest.param("page.html", RISE, "3", QuoteStatus.NOT_CHECKABLE, id="markup"),
]


@pytest.mark.parametrize(("name", "text", "page", "status"), CASES)
def test_each_status(folder: Path, name: str, text: str, page: str | None, status: QuoteStatus) -> None:
    check = one(folder / name, text, page)
    assert check.status is status, check
    assert (check.text, check.claimed_page, check.source, check.doc) == (text, page, name, "1")
    assert check.reason or check.status in {QuoteStatus.VERIFIED, *BAD_QUOTES}


def test_evidence_of_what_was_found(folder: Path) -> None:
    check = one(folder / "tides.pdf", WAVE, "42")
    assert (check.found_page, check.pages, check.tier) == (2, (2,), "exact")
    assert [box.page for box in check.boxes] == [2]
    wrong = one(folder / "tides.pdf", WAVE, "43")
    assert (wrong.found_page, wrong.status) == (2, QuoteStatus.WRONG_PAGE)


def test_evidence_of_what_was_altered(folder: Path) -> None:
    check = one(folder / "tides.pdf", RISE.replace("12", "21"), "1")
    assert check.differences == ("21 -> 12",)
    assert (check.closest_page, bool(check.closest), check.similarity) == (1, True, 0.94)
    assert [box.page for box in check.boxes] == [1]


OMITTED = [
    pytest.param("The keeper did [...] see the wave that took", "[...] -> not", id="brackets"),
    pytest.param("The keeper did … see the wave that took", "[...] -> not", id="sign"),
    pytest.param("The keeper did ... see the wave ... lower lamp away", "[...] -> not", id="two"),
    pytest.param("Keeper did ... the sun and moon", None, id="not-there"),
    pytest.param("The keeper did ... survey of the sea wall found no", None, id="too-far"),
    pytest.param("did ... see the wave that took the lower lamp", None, id="short-part"),
    pytest.param("The keeper did [indeed] see the ship that took the lower lamp", None, id="inserted"),
]


@pytest.mark.parametrize(("text", "difference"), OMITTED)
def test_a_negation_left_out_by_an_ellipsis_is_told(tmp_path: Path, text: str, difference: str | None) -> None:
    filler = [f"Line {number} of a long account in which nothing of note is told." for number in range(9)]
    page = [TIDES[1][0], *filler, *TIDES[2]]
    check = one(paper(tmp_path / "a.pdf", "Tides", "N. Weir", page), text)
    if difference is None:
        assert not any(part.startswith("[...]") for part in check.differences)
        return
    assert check.status is QuoteStatus.CLOSE_MATCH
    assert check.differences[0] == difference
    assert (check.closest or "").startswith("The keeper did not see the wave")
    assert (check.closest_page, bool(check.boxes)) == (1, True)


def test_what_cannot_be_compared_is_noted(folder: Path) -> None:
    assert "the copy has no page 900" in one(folder / "tides.pdf", RISE, "900").notes
    assert "the cited page was not compared" in one(folder / "tides.pdf", RISE, "passim").notes


def test_the_pages_of_the_reference_say_which_page_is_meant(folder: Path) -> None:
    quote = Quote(text=GRAIN, claimed_page="201")
    [right] = checked(folder / "mills.pdf", quote, pages="201-202")
    [wrong] = checked(folder / "mills.pdf", quote.model_copy(update={"claimed_page": "202"}), pages="201-202")
    assert (right.status, wrong.status) == (QuoteStatus.VERIFIED, QuoteStatus.WRONG_PAGE)


def test_another_cited_source_is_named(folder: Path) -> None:
    check = one(folder / "tides.pdf", GRAIN, "1", baker1999=folder / "mills.pdf")
    assert (check.status, check.found_in, check.found_page) == (QuoteStatus.MISATTRIBUTED, "baker1999", 1)
    assert (check.source, check.boxes, check.pages) == ("tides.pdf", (), ())


def test_without_a_copy_nothing_is_said(folder: Path) -> None:
    none = Copy(None, QuoteStatus.MISSING_DOCUMENT, "no copy in the library")
    check = one(none, GRAIN, "1", baker1999=folder / "mills.pdf")
    assert (check.status, check.reason) == (QuoteStatus.MISSING_DOCUMENT, "no copy in the library")
    assert check.source is None


@pytest.mark.parametrize("text", [INVENTED, RISE.replace("12", "21")], ids=["invented", "altered"])
def test_another_version_proves_nothing(folder: Path, text: str) -> None:
    check = one(Copy(folder / "tides.pdf", by="arxiv_id", other_version=True), text, "1")
    assert check.status is QuoteStatus.OTHER_VERSION
    assert check.reason


def test_pages_of_another_version_may_differ(folder: Path) -> None:
    check = one(Copy(folder / "tides.pdf", by="arxiv_id", other_version=True), RISE, "2")
    assert check.status is QuoteStatus.VERIFIED
    assert any("pages may differ" in note for note in check.notes)


def test_a_copy_known_by_its_name_alone_can_only_confirm(folder: Path) -> None:
    named = Copy(folder / "tides.pdf", by="name", weak=True)
    good = one(named, RISE, "1")
    assert (good.status, good.notes) == (QuoteStatus.VERIFIED, (WEAK,))
    assert one(named, INVENTED, "1").status is QuoteStatus.NOT_CHECKABLE


def test_a_manuscript_read_by_ocr_accuses_nobody(folder: Path) -> None:
    quote = Quote(text=INVENTED)
    read = Reference(raw="r", quotes=(quote,), recognised=True)
    manuscript = Manuscript({1: Cited("1", read, Copy(folder / "tides.pdf", by="title"))})
    assert manuscript.check(1, quote).status is QuoteStatus.NOT_CHECKABLE


def shared(folder: Path, text: str, second: Copy) -> list[QuoteCheck]:
    quote = Quote(text=text, locus=Locus(page=3))
    references = [samples.reference(title).model_copy(update={"quotes": (quote,)}) for title in ("a", "b")]
    copies = (Copy(folder / "tides.pdf", by="title"), second)
    cited = {
        place: Cited(str(place), one, copy) for place, (one, copy) in enumerate(zip(references, copies, strict=True), 1)
    }
    manuscript = Manuscript(cited)
    return [manuscript.check(place, quote) for place in (1, 2)]


def test_a_quotation_of_two_works_need_stand_in_one(folder: Path) -> None:
    first, second = shared(folder, GRAIN, Copy(folder / "mills.pdf", by="title"))
    assert (first.status, first.found_in) == (QuoteStatus.NOT_CHECKABLE, "2")
    assert second.status is QuoteStatus.VERIFIED
    first, _ = shared(folder, GRAIN, Copy(None, QuoteStatus.MISSING_DOCUMENT, "no copy in the library"))
    assert first.status is QuoteStatus.NOT_CHECKABLE
    both = shared(folder, INVENTED, Copy(folder / "mills.pdf", by="title"))
    assert [check.status for check in both] == [QuoteStatus.NOT_FOUND] * 2


def test_a_page_set_sideways_is_read(tmp_path: Path) -> None:
    document = prints.empty()
    page = document.new_page()
    page.insert_text((300, 700), f"{RISE}.", fontsize=9, rotate=90)
    check = one(prints.saved(document, tmp_path / "a.pdf"), RISE, "1")
    assert (check.status, check.found_page) == (QuoteStatus.VERIFIED, 1)


def test_of_two_places_the_cited_one_counts(tmp_path: Path) -> None:
    head = "On the long voyage of the grey geese to the southern lakes"
    path = paper(tmp_path / "a.pdf", "Geese", "N. Weir", [f"{head}.", "Text."], ["Other words."], [f"{head}.", "More."])
    check = one(path, head, "3")
    assert (check.status, check.found_page, check.pages) == (QuoteStatus.VERIFIED, 3, (1, 3))
    assert [box.page for box in check.boxes] == [3]
