"""`citeaudit extract` as a user meets it: formats, overlay, standard input."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from citeaudit import api
from citeaudit.cli.main import main
from citeaudit.pdf.document import library as pymupdf

ENTRY = (
    "@article{kestrel2011,\n  author = {Kestrel, M.}, title = {Tides and larvae},\n"
    "  journal = {J Shore Work}, year = {2011}\n}\n"
)
LIST = (
    "[1] M. Kestrel and T. Oakes. Tides and the timing of larvae. Journal of Shore Work, 12(3), 101-119, 2011.",
    "[2] P. Linden. Reading a river from its banks. Journal of Water, 14(2), 22-31, 2005.",
    "[3] I. Heath. On drains and their upkeep. Annals of Drainage, 7(1), 3-17, 1987.",
)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    document = pymupdf().open()
    page = document.new_page()
    page.insert_text((72, 72), "Tides have been seen before [1], and rivers [2, 3] as well as drains.", fontsize=9)
    page.insert_text((72, 120), "References", fontsize=14)
    for number, line in enumerate(LIST):
        page.insert_text((72, 150 + 16 * number), line, fontsize=8)
    path = tmp_path / "paper.pdf"
    path.write_bytes(document.tobytes())
    return path


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "refs.bib"
    path.write_text(ENTRY, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "begins"),
    [("x.bib", "% "), ("x.csl", "[\n"), ("x.json", '{\n  "made_by"'), ("x.txt", "/"), ("x.TXT", "/"), ("x", "/")],
)
def test_the_name_of_the_output_chooses_the_format(name: str, begins: str, library: Path, tmp_path: Path) -> None:
    assert main(["extract", str(library), "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


@pytest.mark.parametrize("form", ["bibtex", "csl-json"])
def test_lists_are_read_again(form: str, library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", str(library), "--format", form, "-o", str(tmp_path / "again")]) == 0
    assert main(["extract", str(tmp_path / "again"), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["format"], told["references"][0]["title"]) == (form, "Tides and larvae")
    assert told["references"][0]["locus"]["citekey"] == "kestrel2011"


def test_the_overlay_is_a_copy(paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = paper.read_bytes()
    assert main(["extract", str(paper), "--overlay", str(tmp_path / "drawn.pdf")]) == 0
    assert "3 references read" in capsys.readouterr().out
    with pymupdf().open(tmp_path / "drawn.pdf") as copy:
        assert "(underlined) citation" in copy[0].get_text()
        assert len(copy[0].get_drawings()) > 10
    assert paper.read_bytes() == before


def test_several_overlays_go_into_a_folder(paper: Path, library: Path, tmp_path: Path) -> None:
    (tmp_path / "drawn").mkdir()
    source = tmp_path / "paper.bib"  # of the same name, but nothing to draw on
    source.write_text(ENTRY, encoding="utf-8")
    assert main(["extract", str(paper), str(library), str(source), "--overlay", str(tmp_path / "drawn")]) == 0
    assert [one.name for one in (tmp_path / "drawn").iterdir()] == ["paper.overlay.pdf"]


@pytest.mark.parametrize(
    ("documents", "overlay", "output", "said"),
    [
        pytest.param(
            ["paper.pdf", "refs.bib"], "out.pdf", None, "several documents need a folder that exists", id="several"
        ),
        pytest.param(["paper.pdf"], "paper.pdf", None, "is one of the documents to read", id="itself"),
        pytest.param(["refs.bib"], "out.pdf", None, "only a PDF on disk can be drawn on", id="no-pdf"),
        pytest.param(["paper.pdf"], "out.pdf", "out.pdf", "name two files", id="report-too"),
        pytest.param(["paper.pdf"], "gone/out.pdf", None, "does not exist; make it first", id="no-folder"),
        pytest.param(
            ["paper.pdf", "copy/paper.pdf"], "copy", None, "two of the PDFs have the same name", id="same-name"
        ),
        pytest.param(["refs.bib"], "copy", None, "only a PDF on disk can be drawn on", id="no-pdf-into-a-folder"),
    ],
)
def test_an_overlay_that_cannot_be_is_told(
    documents: list[str],
    overlay: str,
    output: str | None,
    said: str,
    *,
    paper: Path,
    library: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(paper.parent)
    Path("copy").mkdir()
    Path("copy/paper.pdf").write_bytes(paper.read_bytes())
    more = ["-o", output] if output else []
    assert main(["extract", *documents, "--overlay", overlay, *more]) == 3
    assert said in capsys.readouterr().err
    assert not Path("out.pdf").exists()


RIS = "TY  - JOUR\nAU  - Kestrel, M.\nTI  - Tides\nER  - \n"
JATS = (
    "<article><back><ref-list><ref><element-citation><article-title>Tides</article-title><source>J</source>"
    "</element-citation></ref></ref-list></back></article>"
)


@pytest.mark.parametrize(
    ("typed", "form", "count"),
    [
        pytest.param("\n".join(LIST).encode(), "plain", 3, id="references"),
        pytest.param(b"10.1234/a\narXiv:1706.03762\nPMID 1234567\nhttps://example.org/x\n", "identifiers", 4, id="ids"),
        pytest.param(b"10.1234/a", "identifiers", 1, id="one-doi"),
        pytest.param(ENTRY.encode(), "bibtex", 1, id="bibtex"),
        pytest.param(RIS.encode(), "ris", 1, id="ris"),
        pytest.param(RIS.encode("utf-16"), "ris", 1, id="ris-in-utf-16"),
        pytest.param(b'[{"id": 1, "title": "Tides", "author": []}]', "csl-json", 1, id="csl"),
        pytest.param(JATS.encode(), "jats", 1, id="jats"),
        pytest.param(None, "pdf", 3, id="pdf"),
    ],
)
def test_standard_input_takes_any_format(
    typed: bytes | None,
    form: str,
    count: int,
    paper: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Typed:
        buffer = io.BytesIO(paper.read_bytes() if typed is None else typed)

    monkeypatch.setattr(sys, "stdin", Typed())
    assert main(["extract", "-", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["path"], told["format"], len(told["references"])) == ("-", form, count)


def test_nothing_on_standard_input_gets_its_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Typed:
        buffer = io.BytesIO(b"")

    monkeypatch.setattr(sys, "stdin", Typed())
    assert main(["extract", "-"]) == 4
    assert "citeaudit: -: " in capsys.readouterr().err


def test_a_broken_document_costs_only_itself(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, content in {
        "a.xml": b"<article>",
        "b.json": b"{broken",
        "c.ris": b"",
        "d.nbib": b"\xff\xfe\x00",
        "e.tei": b"<!DOCTYPE TEI [<!ENTITY a 'b'>]><TEI>&a;</TEI>",
        "f.pdf": b"no pdf",
        "g.bib": b"\x89PNG\r\n",
    }.items():
        (tmp_path / name).write_bytes(content)
    names = sorted(str(one) for one in tmp_path.iterdir())
    assert main(["extract", *names, "--format", "json", "-q"]) == 4
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert [one["error"] is None for one in told] == [False] * 7 + [True]
    assert err.count("\n") == 7


@pytest.mark.parametrize(
    ("names", "more", "said"),
    [
        pytest.param(
            ["a.bib", "b.bib"],
            [],
            "1 of 2 documents, a.bib: reading\n2 of 2 documents, b.bib: reading\n",
            id="several",
        ),
        pytest.param(["a.bib", "b.bib"], ["--quiet"], "", id="quiet"),
        pytest.param(["a.bib", "b.bib"], ["-q"], "", id="short"),
        pytest.param(["a.bib"], [], "", id="one"),
    ],
)
def test_progress_is_told_on_error(
    names: list[str],
    more: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in names:
        Path(name).write_text(ENTRY, encoding="utf-8")
    assert main(["extract", *names, *more]) == 0
    assert capsys.readouterr().err == said


def test_an_interrupted_reading_writes_what_was_read(
    paper: Path, library: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read = api.extract

    def stop(path: str | Path, **more: str | None) -> object:
        if Path(path) == paper:
            raise KeyboardInterrupt
        return read(path, **more)

    monkeypatch.setattr(api, "extract", stop)
    drawn = str(paper.parent)
    assert main(["extract", str(library), str(paper), "-q", "--format", "json", "--overlay", drawn]) == 130
    out, err = capsys.readouterr()
    assert json.loads(out)["references"][0]["title"] == "Tides and larvae"
    assert "interrupted after 1 of 2 documents" in err
    assert main(["extract", str(paper), "-q"]) == 130
    assert capsys.readouterr().out == ""


def test_quotations_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.md"
    path.write_text(
        'Kestrel wrote that "the timing of larvae follows the moon and not the tides" [1, p. 104].\n\n'
        "# References\n\n" + "\n\n".join(LIST) + "\n",
        encoding="utf-8",
    )
    assert main(["extract", str(path)]) == 0
    told = capsys.readouterr().out
    assert 'quotation of 1, p. 104: "the timing of larvae follows the moon and not the tides"' in told
