"""What a user names is what is read: files, folders, patterns, standard input."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.errors import UnreadableDocumentError, UsageError
from citeaudit.extract import reader
from citeaudit.pdf.overlay import MARK

ENTRY = "@article{a, title = {A title of no work}, year = {2001}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Documents at three depths, hidden ones, and files that no reader takes; also the working folder."""
    for name in (
        "b.bib",
        "a.BIB",
        "c.txt",
        "d.png",
        ".hidden.bib",
        "one/x.bib",
        "one/two/y.bib",
        "one/two/z.png",
        ".secret/s.bib",
        "pictures/p.png",
        "odd[1].bib",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(ENTRY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param(["b.bib"], ["b.bib"], id="file"),
        pytest.param(["gone.bib"], ["gone.bib"], id="missing-file-is-told-when-read"),
        pytest.param(["-"], ["-"], id="standard-input"),
        pytest.param(["d.png"], ["d.png"], id="named-file-whatever-it-is"),
        pytest.param(["one"], ["one/two/y.bib", "one/x.bib"], id="folder"),
        pytest.param(["*.bib"], ["b.bib", "odd[1].bib"], id="star"),
        pytest.param(["*.[Bb][Ii][Bb]"], ["a.BIB", "b.bib", "odd[1].bib"], id="set"),
        pytest.param(["?.bib"], ["b.bib"], id="question-mark"),
        pytest.param(["**/*.bib"], ["b.bib", "odd[1].bib", "one/two/y.bib", "one/x.bib"], id="any-folders"),
        pytest.param(["one/**"], ["one/two/y.bib", "one/x.bib"], id="all-below"),
        pytest.param(["on*"], ["one/two/y.bib", "one/x.bib"], id="folder-that-matches"),
        pytest.param(["./?.txt", "c.txt"], ["c.txt"], id="twice"),
        pytest.param(["odd[1].bib"], ["odd[1].bib"], id="file-of-that-very-name"),
        pytest.param(["odd[[]1].bib"], ["odd[1].bib"], id="bracket-in-brackets"),
        pytest.param(["c.txt", "*.bib"], ["c.txt", "b.bib", "odd[1].bib"], id="order-of-the-call"),
        pytest.param([".secret/*.bib"], [".secret/s.bib"], id="hidden-if-named"),
        pytest.param(["a" * 5_000], ["a" * 5_000], id="name-of-no-file-system"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_names_stand_for_documents(names: list[str], found: list[str]) -> None:
    assert list(reader.find(names)) == found


def test_a_pattern_may_begin_at_the_root(folder: Path) -> None:
    assert reader.find([f"{folder}/one/**/*.bib"]) == (f"{folder}/one/two/y.bib", f"{folder}/one/x.bib")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        pytest.param([], "name at least one file or folder", id="nothing"),
        pytest.param(["*.tex"], r"\*.tex: the pattern matches no document that can be read \(.*\.pdf", id="no-match"),
        pytest.param(["*.png"], r"\*.png: the pattern matches no document", id="no-reader"),
        pytest.param(["gone/**/*.pdf"], "gone/.*: the pattern matches no document", id="no-folder"),
        pytest.param(["pic*"], r"pic\*: the pattern matches no document", id="folder-without-documents"),
        pytest.param(["b.bib", "?"], r"\?: the pattern matches no document", id="one-of-several"),
        pytest.param(["a" * 5_000 + "*"], "the pattern matches no document", id="name-of-no-file-system"),
        pytest.param(["pictures"], "pictures: the folder holds no document", id="folder"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_stands_for_nothing_is_named(names: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        reader.find(names)


def test_the_suffix_chooses_the_reader_and_the_content_comes_first(folder: Path) -> None:
    assert reader.read(folder / "b.bib").format == "bibtex"
    assert reader.read(folder / "a.BIB").format == "bibtex"
    plain = folder / "list"
    plain.write_text("[1] N. Nobody. A title of no work. 2001.\n", encoding="utf-8")
    assert reader.read(plain).format == "plain"
    (folder / "paper.bib").write_bytes(b"%PDF-1.7 and nothing more")
    with pytest.raises(UnreadableDocumentError):
        reader.read(folder / "paper.bib")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("d.png", "no reader takes .png files"),
        ("gone.bib", "no such file"),
        ("one", "is a folder"),
        ("a" * 5_000, "cannot be opened"),
    ],
)
def test_what_cannot_be_read_is_named(name: str, said: str, folder: Path) -> None:
    with pytest.raises(UnreadableDocumentError, match=said):
        reader.read(folder / name)


RIS = "TY  - JOUR\nAU  - Kestrel, M.\nTI  - Tides and larvae\nER  - \n"
LATEX = (
    "\\documentclass{article}\\begin{document}As in \\cite{a}.\n"
    "\\begin{thebibliography}{1}\n\\bibitem{a} M. Kestrel. Tides and larvae. J. Shore Work, 12:101--119, 2011.\n"
    "\\end{thebibliography}\n"
)
REFERENCE = "[1] N. Nobody. A title of no work. Journal of Nothing, 12(3), 45-67, 2001.\n"


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        pytest.param("x.txt", RIS.encode(), "ris", id="ris-named-txt"),
        pytest.param("x.docx", RIS.encode("utf-16"), "ris", id="ris-named-docx-in-utf-16"),
        pytest.param("x.txt", ENTRY.encode(), "bibtex", id="bibtex-named-txt"),
        pytest.param("x", ENTRY.encode("utf-16"), "bibtex", id="bibtex-in-utf-16-without-name"),
        pytest.param("x", REFERENCE.encode(), "plain", id="pasted"),
        pytest.param("x.xml", RIS.encode(), "ris", id="ris-named-xml"),
        pytest.param("x.txt", LATEX.encode(), "latex", id="latex-named-txt"),
        pytest.param("x", LATEX.partition("\n")[2].encode(), "bbl", id="bbl-without-name"),
        pytest.param("x.ris", b'[{"title": "Tides", "author": []}]', "csl-json", id="csl-named-ris"),
        pytest.param("x", b"10.1234/abc\n10.1234/def", "identifiers", id="dois"),
        pytest.param("x.md", b"1. 10.1234/abc\n2. https://example.org/a", "identifiers", id="list-of-identifiers"),
        pytest.param("x.pdf", f"% refs\n{ENTRY}".encode(), "bibtex", id="bibtex-named-pdf"),
        pytest.param("x.docx", ENTRY.encode(), "bibtex", id="bibtex-named-docx"),
        pytest.param("x.pdf", LATEX.encode(), "latex", id="latex-named-pdf"),
        pytest.param("x.bib", LATEX.encode(), "latex", id="latex-named-bib"),
    ],
)
def test_the_content_comes_before_the_name(name: str, content: bytes, form: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    assert reader.read(tmp_path / name).format == form


def test_a_folder_leaves_out_what_is_no_document(tmp_path: Path) -> None:
    for name, text in {
        "refs.bib": ENTRY,
        "library.json": '[{"title": "Tides"}]',
        "package.json": '{"name": "x"}',
        "settings.xml": "<settings/>",
        "report.md": "# Report on references\n\n## Document refs.bib\n",
        "report.json": '{\n  "schema_version": "1.0",\n  "document": {}\n}',
        "read.txt": "refs.bib\n  1 reference read of 1 announced (by entries)\n",
        "list.ris": RIS,
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [Path(one).name for one in reader.find([str(tmp_path)])] == ["library.json", "list.ris", "refs.bib"]
    assert [Path(one).name for one in reader.find([f"{tmp_path}/*.json"])] == ["library.json"]


def test_a_folder_names_a_paper_once(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(LATEX, encoding="utf-8")
    for name in ("main.pdf", "other.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-1.7\n")
    (tmp_path / "seen.pdf").write_bytes(b"%PDF-1.7\n" + b" " * 9_000 + b"\n%%EOF\n" + MARK)
    assert [Path(one).name for one in reader.find([str(tmp_path)])] == ["main.tex", "other.pdf"]


def test_a_report_named_by_mistake_is_told(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("# Report on references\n\nx\n", encoding="utf-8")
    with pytest.raises(UnreadableDocumentError, match="is a report that citeaudit has written; name the manuscript"):
        reader.read(tmp_path / "report.md")


@pytest.mark.parametrize("suffix", [".bib", ".txt", ".xml", ".json", ".ris", ".nbib", ".enw", ".tei"])
def test_100_mb_are_refused_at_once(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"big{suffix}"
    with path.open("wb") as file:
        file.write(b"x")
        file.truncate(100_000_000)
    with pytest.raises(UnreadableDocumentError, match=r"is larger than \d\d MB; split it"):
        reader.read(path)
