"""Legacy encodings are told apart only where the bytes leave no doubt, and mending never harms honest text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.extract.decode import decode, is_text, peek
from citeaudit.extract.encodings import mend
from citeaudit.extract.reader import read

GERMAN = "Müller, Jörg: Größe und Maß der Städte. Köln 1998.\nGröning, Käthe: Über Äpfel. Zürich 2001.\n"
FRENCH = "Lefèvre, Zoé. Théorie de l’été à Orléans. Besançon, 2004.\nGœtz, Réné. La forêt. Nîmes.\n"
CHINESE = (
    "张伟, 李娜. 城市交通网络的结构研究[J]. 中国公路学报, 2015, 28(3): 11-20.\n"
    "王芳. 河流生态系统的管理[M]. 北京: 科学出版社, 2009.\n"
)
JAPANESE = (
    "山田太郎「都市における交通のしくみについて」『日本の研究』第12巻, 2015年.\n"
    "鈴木花子『川のながれをよむ』東京, 2009年.\n"
)
KOREAN = "김철수, 이영희. 도시 교통의 구조에 대한 연구. 한국학보, 2015.\n박민수. 강의 흐름을 읽는 방법. 서울, 2009.\n"


@pytest.mark.parametrize(
    ("text", "encoding", "told"),
    [
        pytest.param(GERMAN, "cp1252", "cp1252", id="german-windows"),
        pytest.param(FRENCH, "cp1252", "cp1252", id="french-windows"),
        pytest.param(GERMAN, "latin-1", "cp1252", id="german-latin-1"),
        pytest.param(GERMAN, "mac_roman", "mac_roman", id="german-mac"),
        pytest.param(FRENCH, "mac_roman", "mac_roman", id="french-mac"),
        pytest.param(CHINESE, "gb18030", "gb18030", id="chinese"),
        pytest.param(CHINESE, "gbk", "gb18030", id="chinese-gbk"),
        pytest.param(JAPANESE, "cp932", "cp932", id="japanese-windows"),
        pytest.param(JAPANESE, "shift_jis", "cp932", id="japanese"),
        pytest.param(GERMAN + CHINESE, "utf-8", "utf-8", id="utf-8"),
        pytest.param(CHINESE, "utf-16", "utf-16", id="utf-16"),
        pytest.param(GERMAN * 40, "utf-16-le", "utf-16-le", id="utf-16-without-mark"),
        pytest.param(GERMAN * 40, "utf-16-be", "utf-16-be", id="utf-16-be-without-mark"),
    ],
)
def test_text_comes_back_as_it_was_written(text: str, encoding: str, told: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert decoded.encoding == told
    assert (decoded.note is None) is (encoding in {"utf-8", "utf-16"})


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        pytest.param(KOREAN, "euc_kr", id="korean"),
        pytest.param(JAPANESE, "euc_jp", id="japanese-euc"),
        pytest.param(CHINESE.replace("张", "章"), "big5hkscs", id="traditional"),
    ],
)
def test_what_could_be_another_language_is_not_taken_for_chinese(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding, errors="ignore"))
    assert decoded.encoding == "cp1252"
    assert decoded.note == "not valid UTF-8: read as Windows-1252; check accented letters"


def test_a_few_bad_bytes_do_not_cost_the_others() -> None:
    data = (GERMAN * 5).encode() + "Café".encode("cp1252")
    decoded = decode(data)
    assert decoded.text == GERMAN * 5 + "Café"
    assert decoded.note is not None
    assert "a few bytes" in decoded.note


def test_a_character_cut_at_the_end_does_not_either() -> None:
    decoded = decode((GERMAN + "ü").encode()[:-1])
    assert decoded.text.startswith(GERMAN)


@pytest.mark.parametrize(
    ("encoding", "declared", "name"),
    [("latin-1", "ISO-8859-1", "cp1252"), ("iso8859-15", "ISO-8859-15", "iso8859-15"), ("koi8-r", "KOI8-R", "koi8-r")],
)
def test_a_declared_encoding_is_believed_where_it_fits(encoding: str, declared: str, name: str) -> None:
    text = f"<?xml version='1.0' encoding='{declared}'?><a>{'Привет' if 'koi' in encoding else 'Grüße'}</a>"
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding, decoded.note) == (text, name, None)


@pytest.mark.parametrize("declared", ["no-such", "utf-8", "ascii"])
def test_a_declaration_that_does_not_fit_is_not(declared: str) -> None:
    data = f"<?xml version='1.0' encoding='{declared}'?><a>Grüße</a>".encode("cp1252")
    assert "Grüße" in decode(data).text


@pytest.mark.parametrize(
    ("broken", "right"),
    [
        pytest.param("MÃ¼ller und GÃ¶del", "Müller und Gödel", id="umlauts"),
        pytest.param("GarcÃ\xada PÃ©rez â€œXâ€\x9d â€“ 3", "García Pérez “X” – 3", id="quotes"),
        pytest.param("MiliÄ‡ â€“ Å\xa0ariÄ‡", "Milić – Šarić", id="caron"),
        pytest.param("Itâ€™s", "It’s", id="apostrophe"),
    ],
)
def test_what_was_saved_wrongly_is_mended(broken: str, right: str) -> None:
    decoded = decode(broken.encode())
    assert decoded.text == right
    assert decoded.note is not None
    assert "were mended" in decoded.note


@pytest.mark.parametrize(
    "text",
    [
        GERMAN,
        FRENCH,
        CHINESE,
        "“A MAÇÃ” foi “SÃO”",
        "„Ä“ und „Ö“",
        "Ångström, Â, â€",
        "±5 µm, ½ °C, Ã",
        "â la carte €5",
    ],
)
def test_honest_text_stays_as_it_is(text: str) -> None:
    assert mend(text) == text


@given(st.text(max_size=200))
def test_mending_again_changes_nothing_more_than_text(text: str) -> None:
    assert len(mend(text)) <= len(text)


@given(st.text(alphabet=st.characters(max_codepoint=0x17F, exclude_categories=["Cs", "Cc"]), max_size=60))
def test_utf8_without_traces_is_kept(text: str) -> None:
    if mend(text) == text:
        assert decode(text.encode()).text in {text, text.removeprefix("\ufeff")}


@pytest.mark.parametrize(
    ("head", "text", "whole"),
    [
        pytest.param(b"TY  - JOUR\r\nTI", "TY  - JOUR\nTI", True, id="plain"),
        pytest.param("TY  - ü".encode("utf-16"), "TY  - ü", True, id="utf-16"),
        pytest.param("TY  - x\r\n".encode("utf-16-le"), "TY  - x\n", True, id="utf-16-without-mark"),
        pytest.param("\ufeffTY".encode(), "TY", True, id="mark"),
        pytest.param(b"PK\x03\x04abcdefgh\0", "PK\x03\x04abcdefgh", False, id="zip"),
        pytest.param(b"text\0\0more text", "textmore text", False, id="nulls"),
    ],
)
def test_the_beginning_tells_the_kind(head: bytes, text: str, whole: bool) -> None:
    assert peek(head) == text
    assert is_text(head) is whole


def test_line_ends_of_all_kinds_become_one() -> None:
    assert decode("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h".encode()).text == "a\nb\nc\nd\ne\nf\ng\nh"


@pytest.mark.parametrize(
    ("encoding", "name", "title"),
    [
        pytest.param("utf-8-sig", "Ćirić", "Grundriß — ein Überblick", id="mark"),
        pytest.param("cp1252", "Müller", "Grundriß — ein Überblick", id="windows"),
        pytest.param("utf-16", "Ćirić", "Grundriß — ein Überblick", id="utf-16"),
        pytest.param("gbk", "张伟", "城市交通网络的结构研究及其管理方法", id="chinese-console"),
        pytest.param("cp932", "山田", "都市における交通のしくみとながれについて", id="japanese-console"),
        pytest.param("mac_roman", "Lefèvre", "Théorie de l’été", id="mac"),
    ],
)
def test_no_entry_of_a_library_is_lost(encoding: str, name: str, title: str, tmp_path: Path) -> None:
    entry = f"@article{{one,\r\n  author = {{{name}, A.}},\r\n  title = {{{title}}},\r\n  year = {{2001}}\r\n}}\r\n"
    (tmp_path / "x.bib").write_bytes((entry + entry.replace("one", "two")).encode(encoding))
    first, second = read(tmp_path / "x.bib").references
    assert (first.title, first.authors[0].family, first.locus.citekey) == (title, name, "one")
    assert (second.title, second.locus.citekey) == (title, "two")
