"""An archive of LaTeX sources is read like its folder, and a hostile one is refused without touching the disk."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from citeaudit.errors import EncryptedDocumentError, ExtractionError, NoReferencesError, UnreadableDocumentError
from citeaudit.extract.latex.archive import ArchiveExtractor
from citeaudit.model import Extraction

MAIN = "\\documentclass{article}\n\\begin{document}\n\\input{sections/intro}\n\\bibliography{refs}\n\\end{document}"
ITEM = "\\bibitem{x} A. Smith. A title of it. J. Things 3 (2001) 1-2."
PROJECT = {
    "main.tex": MAIN,
    "sections/intro.tex": "Words \\cite{a, hidden, compiled}.\n",
    "refs.bib": "@misc{a, title={First}, author={Smith, Ann}, year={2001}}\n@misc{u, title={Uncited}}",
    "extra/unnamed.bib": "@misc{hidden, title={Hidden}, author={Doe, Bob}, year={2002}}",
    "old.bbl": "\\bibitem{compiled} C. Poe. Compiled title of things. J. Things 3 (2003) 1--2.",
    "figure.pdf": "%PDF-1.4",
    "__MACOSX/main.tex": "\\cite{mac}",
    ".git/refs.bib": "@misc{git, title={G}}",
}


def zipped(path: Path, files: Mapping[str, str], prefix: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(prefix + name, text)
    return path


def tarred(path: Path, files: Mapping[str, str], prefix: str = "", mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]  # the mode is a variable
        for name, text in files.items():
            info = tarfile.TarInfo(prefix + name)
            data = text.encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def read(path: Path) -> Extraction:
    return ArchiveExtractor().read(path)


def keys(extraction: Extraction) -> list[str | None]:
    return [reference.locus.citekey for reference in extraction.references]


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "tgz", "tar", "nested-zip", "nested-tar"])
def test_every_cited_key_is_found_in_any_archive(tmp_path: Path, kind: str) -> None:
    prefix = "folder/" if "nested" in kind else ""
    if "zip" in kind:
        path = zipped(tmp_path / "paper.zip", PROJECT, prefix)
    elif kind == "tar":
        path = tarred(tmp_path / "paper.tar", PROJECT, mode="w")
    else:
        path = tarred(tmp_path / f"paper.{kind.rpartition('-')[2]}", PROJECT, prefix)
    extraction = read(path)
    assert extraction.format == "archive"
    assert keys(extraction) == ["a", "hidden", "compiled"]
    assert extraction.references[0].locus.path == f"{path}/{prefix}refs.bib"
    assert extraction.citations[0].locus.path == f"{path}/{prefix}sections/intro.tex"
    assert extraction.self_check.dangling == ()


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        pytest.param(
            "2401.00001.gz", MAIN.replace("\\input{sections/intro}", ITEM), ["x"], id="source",
        ),
        pytest.param("refs.bib.gz", "@misc{k, title={T}}", ["k"], id="bib"),
        pytest.param("upload.gz", "@misc{k, title={T}}", ["k"], id="unnamed"),
        pytest.param("part.tex.gz", ITEM, ["x"], id="fragment"),
    ],
)  # fmt: skip
def test_one_gzipped_file_is_read(tmp_path: Path, name: str, text: str, found: list[str]) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()))
    assert keys(read(path)) == found


def test_archive_without_latex_gives_its_lists(tmp_path: Path) -> None:
    files = {"one.bib": "@misc{a, title={A}}", "two.bib": "@misc{b, title={B}}", "empty.bib": " "}
    bibs = zipped(tmp_path / "a.zip", files)
    assert keys(read(bibs)) == ["a", "b"]
    assert read(bibs).self_check.read == 2
    assert keys(read(zipped(tmp_path / "b.zip", {"old.bbl": PROJECT["old.bbl"]}))) == ["compiled"]


def test_likeliest_document_is_read_and_the_others_told(tmp_path: Path) -> None:
    files = {**PROJECT, "cover/letter.tex": MAIN, "empty.tex": MAIN.replace("\\input{sections/intro}", "")}
    extraction = read(zipped(tmp_path / "a.zip", files))
    assert keys(extraction)[0] == "a"
    assert "main.tex was read as the main file" in extraction.self_check.notes[0]
    assert "empty.tex, cover/letter.tex" in extraction.self_check.notes[0]


def test_document_that_cites_nothing_gives_way(tmp_path: Path) -> None:
    files = {**PROJECT, "main.tex": MAIN.replace("\\input{sections/intro}", ""), "z.tex": MAIN}
    assert keys(read(zipped(tmp_path / "a.zip", files)))[0] == "a"


@pytest.mark.parametrize("name", ["../evil.bib", "/abs/evil.bib", "C:\\evil.bib", "a/../../evil.bib"])
def test_names_that_lead_outside_are_passed_over(tmp_path: Path, name: str) -> None:
    files = {name: "@misc{k, title={T}}"}
    for path in (zipped(tmp_path / "a.zip", files), tarred(tmp_path / "a.tgz", files)):
        with pytest.raises(NoReferencesError, match="holds no LaTeX source"):
            read(path)


def test_links_in_archives_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
            info = tarfile.TarInfo("refs.bib")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    zip_path = tmp_path / "a.zip"
    with zipfile.ZipFile(zip_path, "w") as packed:
        link = zipfile.ZipInfo("refs.bib")
        link.external_attr = 0o120777 << 16
        packed.writestr(link, "/etc/passwd")
    for one in (path, zip_path):
        with pytest.raises(NoReferencesError, match="holds no LaTeX source"):
            read(one)


def test_archives_that_grow_without_measure_are_refused(tmp_path: Path) -> None:
    bomb = b"a" * 40_000_000
    zip_path = tmp_path / "a.zip"
    with zipfile.ZipFile(zip_path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("refs.bib", bomb)
    gz_path = tmp_path / "a.gz"
    gz_path.write_bytes(gzip.compress(bomb))
    for path in (zip_path, gz_path, tarred(tmp_path / "a.tgz", {"refs.bib": bomb.decode()})):
        with pytest.raises(UnreadableDocumentError, match="beyond every measure"):
            read(path)


def test_archive_of_very_many_files_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {f"{number}.x": "" for number in range(20_001)})
    with pytest.raises(UnreadableDocumentError, match="more than 20,000 files"):
        read(path)


def test_locked_archive_says_so(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"refs.bib": "@misc{k, title={T}}"})
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(data)
    with pytest.raises(EncryptedDocumentError, match="needs a password"):
        read(path)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "is empty; name another file", id="empty"),
        pytest.param(b"words", "is no archive", id="words"),
        pytest.param(b"PK\x03\x04broken", "is damaged", id="zip"),
        pytest.param(gzip.compress(b"\\cite{a}" * 999)[:30], "is damaged", id="gzip"),
        pytest.param(gzip.compress(b"\0\1\2\3"), "neither an archive nor a text", id="binary"),
        pytest.param(gzip.compress(b""), "neither an archive nor a text", id="nothing"),
    ],
)
def test_damaged_archive_says_so(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    with pytest.raises(UnreadableDocumentError, match=says):
        read(path)


def test_missing_archive_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocumentError, match="no such file"):
        read(tmp_path / "a.zip")


@pytest.mark.parametrize("kind", ["zip", "tgz"])
def test_cut_archive_is_refused_or_read(tmp_path: Path, kind: str) -> None:
    whole = (zipped if kind == "zip" else tarred)(tmp_path / f"a.{kind}", PROJECT).read_bytes()
    path = tmp_path / f"cut.{kind}"
    for cut in range(1, len(whole), 53):
        path.write_bytes(whole[:cut])
        with pytest.raises(ExtractionError, match=r"cut\."):
            read(path)


@pytest.mark.parametrize(
    ("head", "name", "claimed"),
    [
        pytest.param(b"PK\x03\x04....main.tex", "paper.zip", True, id="zip"),
        pytest.param(b"PK\x03\x04....[Content_Types].xml", "paper.zip", False, id="office-by-content"),
        pytest.param(b"PK\x03\x04....", "paper.docx", False, id="office-by-name"),
        pytest.param(b"\x1f\x8b\x08", "2401.00001", True, id="gzip-without-suffix"),
        pytest.param(b"\0" * 257 + b"ustar", "paper", True, id="tar"),
        pytest.param(b"@misc{a}", "paper.zip", False, id="text"),
    ],
)
def test_content_decides_what_is_an_archive(head: bytes, name: str, claimed: bool) -> None:
    assert ArchiveExtractor.claims(head, Path(name)) is claimed


def test_directory_that_names_a_zip_of_the_future_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("main.tex", "\\documentclass{article}")
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 6] = 128  # version needed to extract
    path.write_bytes(bytes(data))
    with pytest.raises(UnreadableDocumentError, match="damaged"):
        ArchiveExtractor().read(path)


def test_what_comes_with_a_paper_is_no_document_of_the_archive(tmp_path: Path) -> None:
    source = "\\documentclass{article}\n\\begin{document}\\cite{a}\\bibliography{refs}\\end{document}"
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("anc/main.tex", source.replace("{a}", "{b}") + "%" * 5_000)
        archive.writestr("paper/paper.tex", source)
        archive.writestr("paper/refs.bib", "@book{a, title={A Title of Rows}, author={Doe, J}, year=2001}")
    read = ArchiveExtractor().read(path)
    assert [one.title for one in read.references] == ["A Title of Rows"]
    assert not any("anc/" in note for note in read.self_check.notes)
