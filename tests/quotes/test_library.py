"""The user's folder: what its documents say of themselves, which of them is the cited work, and what is kept of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from citeaudit.errors import ConfigError
from citeaudit.model import Identifiers, Locus, QuoteStatus, Reference, Version, Work, WorkType
from citeaudit.quotes.cards import Card, read_card
from citeaudit.quotes.copies import NO_COPY, Copy, find_copy
from citeaudit.quotes.library import Library
from tests import samples
from tests.quotes import prints
from tests.quotes.papers import MILLS, TIDES, paper

TITLE = "Night tides at the old pier of Aldwick"
DOI = "10.5555/tides.2001.7"


def opened(folder: Path, cache: Path | None = None) -> Library:
    library = Library(folder, cache)
    for path in library.files:
        library.read(path)
    return library


def tides(**told: object) -> Reference:
    return samples.reference(TITLE, "Nora Weir", "Jan Ostrand", year=2001).model_copy(update=told)


def found(folder: Path, reference: Reference, *works: Work) -> Copy:
    return find_copy(reference, works, opened(folder))


# --- Cards -------------------------------------------------------------------------------------------------


def test_a_card_tells_title_names_and_identifiers(tmp_path: Path) -> None:
    path = paper(
        tmp_path / "a.pdf",
        TITLE,
        "Nora Weir and Jan Ostrand",
        *TIDES,
        note=f"https://doi.org/{DOI}",
        stamp="arXiv:2101.01234v2 [physics.ao-ph] 5 Jan 2021",
    )
    card = read_card(path)
    assert card.heading == TITLE
    assert TITLE in card.titles
    assert (card.own_dois, card.own_arxiv_id) == ((DOI,), "2101.01234v2")
    assert "ostrand" in card.head


def test_dois_of_the_references_are_other_works(tmp_path: Path) -> None:
    text = ["A few words.", "References", f"[1] A. Baker. Mills. doi:{DOI}"]
    assert read_card(paper(tmp_path / "a.pdf", TITLE, "N. Weir", text)).dois == ()


def test_of_two_dois_on_a_page_none_is_its_own_unless_the_metadata_say_so(tmp_path: Path) -> None:
    text = ["Data: doi:10.5555/data.1", f"Paper: doi:{DOI}"]
    plain = read_card(paper(tmp_path / "a.pdf", TITLE, "N. Weir", text))
    assert (plain.own_dois, set(plain.dois)) == ((), {DOI, "10.5555/data.1"})
    told = read_card(paper(tmp_path / "b.pdf", TITLE, "N. Weir", text, metadata={"subject": f"doi:{DOI}"}))
    assert told.own_dois == (DOI,)


def test_metadata_name_the_title_where_no_line_is_larger(tmp_path: Path) -> None:
    document = prints.empty()
    prints.lines(document.new_page(), ["All lines of this page are alike in size.", "And this is the second."])
    document.set_metadata({"title": TITLE, "author": "Nora Weir"})
    card = read_card(prints.saved(document, tmp_path / "a.pdf"))
    assert card.heading == TITLE
    assert "weir" in card.head


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("a.md", f"# {TITLE}\n\nNora Weir\n\nText.", id="markdown"),
        pytest.param("a.txt", f"{TITLE[:20]}\n{TITLE[20:]}\nNora Weir\n", id="two-lines"),
        pytest.param("a.html", f"<html><head><title>{TITLE}</title></head><body>Nora Weir", id="html"),
        pytest.param("a.tex", f"\\documentclass{{article}}\n\\title{{{TITLE}}}\n\\author{{Nora Weir}}", id="tex"),
    ],
)
def test_texts_are_known_by_their_beginning(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert found(tmp_path, tides()).path == tmp_path / name


def test_a_bad_file_is_a_card_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"garbage" * 9)
    (tmp_path / "page.pdf").write_bytes(b"<html>Sign in</html>")
    paper(tmp_path / "locked.pdf", TITLE, "N. Weir", *TIDES, encryption=4, user_pw="u", owner_pw="o")
    told = {path.name: one.card.failure for path, one in opened(tmp_path).held.items()}
    assert all(told.values())
    assert told["locked.pdf"] == "pdf error: encrypted"
    assert read_card(tmp_path / "gone.txt").failure


# --- The folder --------------------------------------------------------------------------------------------


def test_folders_in_it_are_read_and_hidden_ones_are_not(tmp_path: Path) -> None:
    for place in ("b", ".trash"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "x.txt").write_text("text", "utf-8")
    (tmp_path / "a.TXT").write_text("text", "utf-8")
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert [str(path.relative_to(tmp_path)) for path in Library(tmp_path).files] == ["a.TXT", "b/x.txt"]


def test_a_library_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no folder"):
        Library(tmp_path / "none")


def test_a_second_run_reads_nothing_again(tmp_path: Path) -> None:
    folder, cache = tmp_path / "papers", tmp_path / "cache"
    folder.mkdir()
    path = paper(folder / "a.pdf", TITLE, "Nora Weir", *TIDES)
    first = opened(folder, cache)
    assert first.fresh == 1
    first.close()
    path.rename(folder / "renamed.pdf")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"garbage" * 9)
    again = opened(folder, cache)
    assert again.fresh == 1  # the broken one: a failure is not kept
    assert again.held[folder / "renamed.pdf"].card == first.held[path].card
    again.close()
    paper(folder / "renamed.pdf", "Another title altogether", "Nora Weir", *TIDES)
    os.utime(folder / "renamed.pdf", (1, 1))
    changed = opened(folder, cache)
    assert changed.held[folder / "renamed.pdf"].card.heading == "Another title altogether"
    changed.close()


def test_what_is_kept_in_another_shape_is_read_again(tmp_path: Path) -> None:
    folder, cache = tmp_path / "papers", tmp_path / "cache"
    folder.mkdir()
    path = paper(folder / "a.pdf", TITLE, "Nora Weir", *TIDES)
    first = opened(folder, cache)
    assert first._cache is not None
    first._cache.set(f"card|1|{first.held[path].digest}", {"titles": 3})
    first.close()
    again = opened(folder, cache)
    assert (again.fresh, again.held[path].card.heading) == (1, TITLE)
    again.close()


def test_a_cache_that_breaks_costs_only_time(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    paper(folder / "a.pdf", TITLE, "Nora Weir", *TIDES)
    library = Library(folder, tmp_path / "cache")
    assert library._cache is not None
    library._cache.close()
    (tmp_path / "cache" / "library" / "cache.db").write_bytes(b"no database" * 999)
    for path in library.files:
        assert library.read(path).card.heading == TITLE


def test_a_file_that_is_gone_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text", "utf-8")
    library = Library(tmp_path)
    (tmp_path / "a.txt").unlink()
    assert "cannot be opened" in (library.read(library.files[0]).card.failure or "")


# --- Copies ------------------------------------------------------------------------------------------------


def test_title_and_one_author_make_a_copy(tmp_path: Path) -> None:
    path = paper(tmp_path / "a.pdf", TITLE, "N. Weir and J. Ostrand", *TIDES)
    paper(tmp_path / "b.pdf", "Mills of the upper stream", "A. Baker", *MILLS)
    assert found(tmp_path, tides()) == Copy(path, by="title")
    assert found(tmp_path, samples.reference(TITLE, "Carl Other")).path is None
    assert found(tmp_path, samples.reference("Day tides at the old pier of Aldwick", "Nora Weir")).path is None
    assert found(tmp_path, samples.reference(TITLE)).path is None


def test_the_record_helps_where_the_reference_errs(tmp_path: Path) -> None:
    path = paper(tmp_path / "a.pdf", TITLE, "N. Weir", *TIDES)
    cited = samples.reference("Night floods at the old harbour of Aldwick", "Nora Weir")
    assert found(tmp_path, cited).path is None
    assert found(tmp_path, cited, samples.work(TITLE, "Nora Weir")).path == path


def test_a_generic_title_needs_the_year(tmp_path: Path) -> None:
    paper(tmp_path / "a.pdf", "Introduction", "Nora Weir", [*TIDES[0], "Received in 2001."])
    assert found(tmp_path, samples.reference("Introduction", "Nora Weir", year=2001)).path is not None
    assert found(tmp_path, samples.reference("Introduction", "Nora Weir", year=1988)).path is None


IDENTIFIED = [
    pytest.param(Identifiers(doi=DOI), {"note": f"doi:{DOI}"}, "doi", id="doi"),
    pytest.param(
        Identifiers(arxiv_id="2101.01234"), {"stamp": "arXiv:2101.01234v3 [cs.CL] 5 Jan 2021"}, "arxiv_id", id="stamp"
    ),
    pytest.param(
        Identifiers(doi="10.48550/arxiv.2101.01234"),
        {"stamp": "arXiv:2101.01234v1 [cs.CL] 5 Jan 2021"},
        "arxiv_id",
        id="arxiv-doi",
    ),
    pytest.param(Identifiers(pmid="12345678"), {"note": "PMID: 12345678"}, "pmid", id="pmid"),
]


@pytest.mark.parametrize(("identifiers", "told", "by"), IDENTIFIED)
def test_identifiers_make_a_copy(tmp_path: Path, identifiers: Identifiers, told: dict[str, str], by: str) -> None:
    path = paper(tmp_path / "a.pdf", TITLE, "no names", *TIDES, **told)  # type: ignore[arg-type]  # strings all
    copy = found(tmp_path, tides(identifiers=identifiers))
    assert (copy.path, copy.by) == (path, by)


WEAK = [
    pytest.param({"note": f"[1] See also doi:{DOI}"}, True, id="printed"),
    pytest.param({"metadata": {"subject": f"doi:{DOI}"}}, False, id="metadata"),
]


@pytest.mark.parametrize(("told", "weak"), WEAK)
def test_a_printed_doi_without_the_title_may_be_that_of_a_cited_work(
    tmp_path: Path, told: dict[str, object], *, weak: bool
) -> None:
    paper(tmp_path / "a.pdf", "Tides", "A. Baker", *MILLS, **told)  # type: ignore[arg-type]  # a row of arguments
    copy = found(tmp_path, tides(identifiers=Identifiers(doi=DOI)))
    assert (copy.by, copy.weak) == ("doi", weak)


def test_a_title_with_a_margin_beside_it_is_read_whole(tmp_path: Path) -> None:
    document = prints.empty()
    page = document.new_page()
    for number, part in enumerate(("Night tides at", "the old pier", "of Aldwick")):
        prints.line(page, part, x=200, y=90 + 24 * number, fontsize=18)
        prints.line(page, f"Margin {number}", x=60, y=102 + 24 * number, fontsize=8)
    prints.lines(page, ["Nora Weir", *TIDES[0]], y=200)
    assert found(tmp_path, tides()).path is None
    path = prints.saved(document, tmp_path / "a.pdf")
    assert found(tmp_path, tides()).path == path


def test_a_line_of_broken_letters_is_no_title(tmp_path: Path) -> None:
    assert read_card(paper(tmp_path / "a.pdf", "=== 12 34 === 56 78 === 90", "N. Weir", *TIDES)).heading is None


def test_identifiers_of_the_record_and_its_versions_count(tmp_path: Path) -> None:
    path = paper(tmp_path / "a.pdf", TITLE, "no names", *TIDES, stamp="arXiv:2101.01234v1 [cs.CL] 5 Jan 2021")
    version = Version(type=WorkType.PREPRINT, identifiers=Identifiers(arxiv_id="2101.01234"))
    work = samples.work(TITLE).model_copy(update={"versions": (version,)})
    copy = found(tmp_path, tides(container_title="Journal of Harbours"), work)
    assert (copy.path, copy.other_version) == (path, True)


VERSIONS = [
    pytest.param({"identifiers": Identifiers(arxiv_id="2101.01234")}, False, id="preprint-cited"),
    pytest.param({"identifiers": Identifiers(arxiv_id="2101.01234v2")}, False, id="that-version"),
    pytest.param({"identifiers": Identifiers(arxiv_id="2101.01234v1")}, True, id="another-version"),
    pytest.param(
        {"identifiers": Identifiers(arxiv_id="2101.01234"), "container_title": "Harbours"}, True, id="journal"
    ),
    pytest.param(
        {"identifiers": Identifiers(arxiv_id="2101.01234"), "container_title": "arXiv preprint"}, False, id="venue"
    ),
    pytest.param(
        {"identifiers": Identifiers(arxiv_id="2101.01234"), "pages": "1-9", "type": WorkType.PREPRINT}, False, id="type"
    ),
]


@pytest.mark.parametrize(("told", "other"), VERSIONS)
def test_a_preprint_is_another_version_than_what_was_issued(
    tmp_path: Path, told: dict[str, object], *, other: bool
) -> None:
    paper(tmp_path / "a.pdf", TITLE, "N. Weir", *TIDES, stamp="arXiv:2101.01234v2 [cs.CL] 5 Jan 2021")
    assert found(tmp_path, tides(**told)).other_version is other


def test_a_copy_with_another_doi_is_another_version(tmp_path: Path) -> None:
    paper(tmp_path / "a.pdf", TITLE, "N. Weir", *TIDES, note="doi:10.5555/preprint.9")
    copy = found(tmp_path, tides(identifiers=Identifiers(doi=DOI)))
    assert (copy.by, copy.other_version) == ("title", True)


def test_several_files_that_fit_are_none_and_one_file_twice_is_one(tmp_path: Path) -> None:
    first = paper(tmp_path / "a.pdf", TITLE, "N. Weir", *TIDES)
    (tmp_path / "same.pdf").write_bytes(first.read_bytes())
    assert found(tmp_path, tides()).path is not None
    paper(tmp_path / "draft.pdf", TITLE, "N. Weir", *MILLS)
    copy = found(tmp_path, tides())
    assert (copy.path, copy.status) == (None, QuoteStatus.MISSING_DOCUMENT)
    assert "several files" in (copy.reason or "")
    paper(tmp_path / "weir2001.pdf", TITLE, "N. Weir", *TIDES[:2])
    assert found(tmp_path, tides(locus=Locus(citekey="weir2001"))).path == tmp_path / "weir2001.pdf"


def test_a_cited_version_tells_versions_apart(tmp_path: Path) -> None:
    for version in (1, 2):
        stamp = f"arXiv:2101.01234v{version} [cs.CL] 5 Jan 2021"
        paper(tmp_path / f"{version}.pdf", TITLE, "N. Weir", *TIDES, stamp=stamp)
    assert found(tmp_path, tides(identifiers=Identifiers(arxiv_id="2101.01234v1"))).path == tmp_path / "1.pdf"


def test_a_file_with_the_identifier_and_another_title_is_the_wrong_document(tmp_path: Path) -> None:
    paper(tmp_path / "b.pdf", "Mills of the upper stream", "A. Baker", *MILLS, note=f"doi:{DOI}")
    copy = found(tmp_path, tides(identifiers=Identifiers(doi=DOI)))
    assert (copy.path, copy.status) == (None, QuoteStatus.WRONG_DOCUMENT)
    assert copy.reason == 'b.pdf is "Mills of the upper stream"'
    path = paper(tmp_path / "a.pdf", TITLE, "N. Weir", *TIDES)  # the DOI is wrong, the title is not
    assert found(tmp_path, tides(identifiers=Identifiers(doi=DOI))).path == path


NAMED = [
    pytest.param("weir2001.pdf", id="key"),
    pytest.param("10.5555_tides.2001.7.pdf", id="doi"),
    pytest.param("Weir 2001 - Night tides at the old pier of Aldwick.pdf", id="title"),
]


@pytest.mark.parametrize("name", NAMED)
def test_a_file_called_after_a_work_that_is_another_is_the_wrong_document(tmp_path: Path, name: str) -> None:
    paper(tmp_path / name, "Mills of the upper stream", "A. Baker", *MILLS)
    copy = found(tmp_path, tides(identifiers=Identifiers(doi=DOI), locus=Locus(citekey="weir2001")))
    assert copy.status is QuoteStatus.WRONG_DOCUMENT


def test_a_doi_alone_tells_a_wrong_document(tmp_path: Path) -> None:
    prints.printed(tmp_path / "weir2001.pdf", ["Some text without a title, doi:10.5555/mills.1", "and more of it."])
    copy = found(tmp_path, tides(identifiers=Identifiers(doi=DOI), locus=Locus(citekey="weir2001")))
    assert copy.reason == "weir2001.pdf is the work of DOI 10.5555/mills.1"


def test_a_name_alone_is_a_weak_hint(tmp_path: Path) -> None:
    prints.printed(tmp_path / "weir2001.pdf", ["Some text that does not say what it is."])
    cited = tides(locus=Locus(citekey="weir2001"))
    copy = found(tmp_path, cited)
    assert (copy.by, copy.weak) == ("name", True)
    (tmp_path / "weir2001.pdf").write_bytes(b"")
    assert found(tmp_path, cited).status is QuoteStatus.UNREADABLE


def test_an_empty_library_has_no_copy(tmp_path: Path) -> None:
    assert found(tmp_path, tides()) == Copy(None, QuoteStatus.MISSING_DOCUMENT, NO_COPY)
    assert found(tmp_path, Reference(raw="?")).reason == NO_COPY


def test_a_card_says_nothing_by_default() -> None:
    assert Card().titles == ()
