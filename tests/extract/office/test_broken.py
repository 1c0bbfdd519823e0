"""Broken, hostile and misnamed documents end in one clear sentence."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import pytest

from citeaudit.errors import EncryptedDocumentError, ExtractionError, NoReferencesError, UnreadableDocumentError
from citeaudit.extract import reader
from citeaudit.extract.office.reader import DocxExtractor
from tests.extract.office.build import ROOT, TYPES, W, docx, heading, paragraph

ONE = "Smith, J. (2020). On the rows of no list. Journal of Rows, 12(3), 45–67."
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + f"<w:document {W}>&b;</w:document>"
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + f"<w:document {W}>&a;</w:document>"


def zipped(**parts: str | bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return stream.getvalue()


def word(document: str) -> bytes:
    return zipped(**{"[Content_Types]_xml": TYPES, "_rels/.rels": ROOT, "word__document_xml": document})


def damaged() -> bytes:
    """A document whose text part has been overwritten in the middle."""
    data = bytearray(word("".join(f"<w:p>{place}</w:p>" for place in range(5_000))))
    at = data.index(b"word/document.xml") + 60
    data[at : at + 400] = b"\xff" * 400
    return bytes(data)


def locked() -> bytes:
    """A document whose parts say that they are encrypted."""
    data = word("<w:document/>")
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := data.find(mark, at + 1)) >= 0:
            data = data[: at + offset] + bytes([data[at + offset] | 1]) + data[at + offset + 1 :]
    return data


@pytest.mark.parametrize(
    ("name", "data", "error", "words"),
    [
        pytest.param("a.docx", b"", UnreadableDocumentError, "is empty", id="empty"),
        pytest.param("a.docx", b"just text\n", UnreadableDocumentError, "it is plain text", id="text"),
        pytest.param("a.docx", b"{\\rtf1 x}", UnreadableDocumentError, "it is RTF", id="rtf"),
        pytest.param("a.docx", b"<a>x</a>", UnreadableDocumentError, "HTML or XML", id="xml"),
        pytest.param("a.docx", b"%PDF-1.4", UnreadableDocumentError, "it is a PDF", id="pdf"),
        pytest.param("a.docx", b"\x00\x01\x02", UnreadableDocumentError, "something else", id="binary"),
        pytest.param("a.doc", OLE + b"\0" * 600, UnreadableDocumentError, "save it as .docx", id="old-word"),
        pytest.param(
            "a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), EncryptedDocumentError, "password", id="protected"
        ),
        pytest.param("a.docx", locked(), EncryptedDocumentError, "password", id="locked-zip"),
        pytest.param(
            "a.odt", zipped(mimetype="x", content_xml="<x/>"), UnreadableDocumentError, "save it as .docx", id="odt"
        ),
        pytest.param("a.docx", zipped(other="x"), UnreadableDocumentError, "no Word document", id="zip"),
        pytest.param("a.docx", b"PK\x03\x04 broken", UnreadableDocumentError, "damaged or cut", id="cut-short"),
        pytest.param(
            "a.docx",
            word(f"<w:document {W}><w:body><w:p>" * 3)[:-60],
            UnreadableDocumentError,
            "damaged or cut",
            id="no-directory",
        ),
        pytest.param("a.docx", damaged(), UnreadableDocumentError, "damaged", id="damaged-part"),
        pytest.param("a.docx", word(BOMB), UnreadableDocumentError, "entities", id="entity-bomb"),
        pytest.param("a.docx", word(OUTSIDE), UnreadableDocumentError, "entities", id="entity-from-outside"),
        pytest.param("a.docx", word("no xml"), UnreadableDocumentError, "XML", id="no-xml"),
        pytest.param("a.docx", word("<w:document xmlns:w='w'/>"), UnreadableDocumentError, "holds none", id="no-body"),
        pytest.param("a.docx", word("<a>" * 3_000), UnreadableDocumentError, "nested", id="deep"),
        pytest.param(
            "a.docx", zipped(**{f"p{n}": "" for n in range(20_001)}), UnreadableDocumentError, "parts", id="many-parts"
        ),
    ],
)
def test_bad_document_is_refused_with_a_sentence(
    tmp_path: Path, name: str, data: bytes, error: type[ExtractionError], words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(error, match=words) as caught:
        DocxExtractor().read(path)
    assert caught.value.path == str(path)


def test_bomb_is_refused_at_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(word(" " * 60_000_000))
    started = time.monotonic()
    with pytest.raises(UnreadableDocumentError, match="unpacks to more than 40 MB"):
        DocxExtractor().read(path)
    assert time.monotonic() - started < 5


def test_large_pictures_do_no_harm(tmp_path: Path) -> None:
    parts = {"word/media/image1.png": "x" * 100_000_000}
    path = docx(tmp_path / "a.docx", heading("References"), paragraph(ONE), parts=parts)
    assert len(DocxExtractor().read(path).references) == 1


def test_names_with_dots_lead_nowhere(tmp_path: Path) -> None:
    evil = ROOT.replace("word/document.xml", "../../../../etc/passwd")
    path = docx(tmp_path / "a.docx", paragraph("x"), parts={"_rels/.rels": evil, "../../evil.xml": "x"})
    with pytest.raises(UnreadableDocumentError, match="no Word document"):
        DocxExtractor().read(path)
    assert not (tmp_path.parent.parent / "evil.xml").exists()


@pytest.mark.parametrize("path", ["gone.docx", "."])
def test_no_file_is_told(tmp_path: Path, path: str) -> None:
    with pytest.raises(UnreadableDocumentError):
        DocxExtractor().read(tmp_path / path)


def test_no_references_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoReferencesError):
        DocxExtractor().read(docx(tmp_path / "a.docx", paragraph("Only words without any source.")))


def test_text_that_breaks_off_is_read_up_to_there(tmp_path: Path) -> None:
    whole = f"<w:document {W}><w:body>{heading('References')}{paragraph(ONE)}{paragraph('Jones')}"
    path = tmp_path / "a.docx"
    path.write_bytes(word(whole))
    found = DocxExtractor().read(path)
    assert found.references[0].year == 2020
    assert any("broken at line" in note for note in found.self_check.notes)


def test_content_decides_before_the_name(tmp_path: Path) -> None:
    path = docx(tmp_path / "a.txt", heading("References"), paragraph(ONE))
    assert DocxExtractor.claims(path.read_bytes()[:4_096], path)
    assert not DocxExtractor.claims(b"PK\x03\x04 main.tex", Path("a.zip"))
    assert DocxExtractor.claims(OLE, Path("a.doc"))
    assert reader.read(path.rename(tmp_path / "b.docx")).format == "docx"
