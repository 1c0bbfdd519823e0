"""Bytes of any origin become text with plain line ends."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import UnreadableDocumentError
from citeaudit.extract import decode as module
from citeaudit.extract.decode import decode, read_document

TEXT = "Ćirić — naïve\nsecond line\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding", "noted"),
    [
        pytest.param(TEXT.encode(), TEXT, "utf-8", False, id="utf-8"),
        pytest.param(codecs.BOM_UTF8 + TEXT.encode(), TEXT, "utf-8-sig", False, id="bom"),
        pytest.param(TEXT.encode("utf-16"), TEXT, "utf-16", False, id="utf-16-with-mark"),
        pytest.param(TEXT.encode("utf-32"), TEXT, "utf-32", False, id="utf-32-with-mark"),
        pytest.param("plain text here\n".encode("utf-16-le"), "plain text here\n", "utf-16-le", True, id="utf-16-le"),
        pytest.param("plain text here\n".encode("utf-16-be"), "plain text here\n", "utf-16-be", True, id="utf-16-be"),
        pytest.param("Müller — x\n".encode("cp1252"), "Müller — x\n", "cp1252", True, id="cp1252"),
        pytest.param(b"a\r\nb\rc\n", "a\nb\nc\n", "utf-8", False, id="line-ends"),
        pytest.param(b"only\rmac\rlines", "only\nmac\nlines", "utf-8", False, id="cr-only"),
        pytest.param(b"a\x0cb", "a\nb", "utf-8", False, id="form-feed"),
        pytest.param(b"abcdefgh\x00ijkl", "abcdefghijkl", "utf-8", True, id="null"),
        pytest.param(codecs.BOM_UTF8 + b"ok \xff", "ok �", "utf-8-sig", True, id="bom-but-broken"),
        pytest.param(b"", "", "utf-8", False, id="empty"),
        pytest.param(b"\x81\x8d", "��", "cp1252", True, id="undefined-in-cp1252"),
    ],
)
def test_bytes_become_text(data: bytes, text: str, encoding: str, noted: bool) -> None:
    decoded = decode(data)
    assert decoded.text == text
    assert decoded.encoding == encoding
    assert (decoded.note is not None) is noted


@given(st.binary(max_size=200))
def test_any_bytes_decode_without_carriage_returns(data: bytes) -> None:
    text = decode(data).text
    assert "\r" not in text
    assert "\x00" not in text


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b" \n\t\n", "is empty", id="blank"),
        pytest.param(codecs.BOM_UTF8, "is empty", id="only-a-mark"),
        pytest.param(b"%PDF-1.7\n", "is not text", id="pdf"),
        pytest.param(b"PK\x03\x04rest", "is not text", id="zip"),
    ],
)
def test_document_that_is_no_text_gets_its_sentence(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "refs.txt"
    path.write_bytes(data)
    with pytest.raises(UnreadableDocumentError, match=says):
        read_document(path)


def test_directory_and_missing_file_get_their_sentences(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocumentError, match="is a directory"):
        read_document(tmp_path)
    with pytest.raises(UnreadableDocumentError, match="cannot be read"):
        read_document(tmp_path / "absent.bib")


def test_document_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "refs.txt"
    path.write_bytes(b"x" * 100)
    monkeypatch.setattr(module, "MAX_BYTES", 50)
    with pytest.raises(UnreadableDocumentError, match="larger"):
        read_document(path)


def test_readable_document_comes_with_its_note(tmp_path: Path) -> None:
    path = tmp_path / "refs.txt"
    path.write_bytes("Müller\r".encode("cp1252"))
    decoded = read_document(path)
    assert decoded.text == "Müller\n"
    assert decoded.note is not None
