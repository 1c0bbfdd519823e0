"""Splitting and parsing XML that may be huge, broken or hostile."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps import xml
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.xml import Dialect, read_xml, resolved, split_xml, text_of
from tests.index.dumps.xml_reading import SAMPLES, dump, read

FLAT = Dialect("test XML", "dump", ("rec", "note"))
START = b"<?xml version='1.0'?>\n<dump>"

LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE {root} [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefghi", "bcdefghij", strict=True))
    + "]>\n<{root}>&j;</{root}>"
)
BOMBS = {
    "billion-laughs": LAUGHS,
    "external": '<!DOCTYPE {root} [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n<{root}>&x;</{root}>',
    "quadratic": '<!DOCTYPE {root} [<!ENTITY x "' + "y" * 20_000 + '">]>\n<{root}>' + "&x;" * 1_000 + "</{root}>",
    "parameter": '<!DOCTYPE {root} [<!ENTITY % p SYSTEM "http://127.0.0.1/evil.dtd"> %p;]>\n<{root}></{root}>',
    "subset-beside-external": '<!DOCTYPE {root} SYSTEM "x.dtd" [<!ENTITY a "b">]>\n<{root}></{root}>',
    "subset-after-comment": "<!-- quiet --><!DOCTYPE {root} [<!ELEMENT a ANY>]>\n<{root}></{root}>",
    "hidden-in-comment-end": "<!DOCTYPE {root} SYSTEM '>' [<!ENTITY a 'b'>]><{root}></{root}>",
}
ROOTS = {"dblp": "dblp", "acl": "collection", "pubmed": "PubmedArticleSet"}


def units(path: Path, data: bytes, dialect: Dialect = FLAT) -> list[Unit]:
    path.write_bytes(data)
    return list(split_xml(path, dialect))


def texts(found: list[Unit]) -> list[str | None]:
    return [text_of(one) for unit in found for one in read_xml(unit, FLAT) if not isinstance(one, Fault)]


@pytest.mark.parametrize("name", ROOTS)
@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_declared_entities_are_refused(name: str, bomb: str, tmp_path: Path) -> None:
    path = tmp_path / "dump.xml"
    path.write_text(bomb.replace("{root}", ROOTS[name]))
    started = time.perf_counter()
    with pytest.raises(IndexBuildError, match="declares entities or elements of its own"):
        read(name, path)
    assert time.perf_counter() - started < 2


def test_a_bomb_among_the_records_costs_only_itself(tmp_path: Path) -> None:
    inner = b'<!DOCTYPE dump [<!ENTITY a "ha">]><rec>&a;</rec>'
    found = units(tmp_path / "x.xml", START + b"<rec>one</rec>\n" + inner + b"\n<rec>two</rec></dump>")
    assert texts(found) == ["one", "&a;", "two"]
    assert [one.where for unit in found for one in read_xml(unit, FLAT) if isinstance(one, Fault)] == ["line 3"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-7"])
def test_encodings_that_hide_tags_are_refused(encoding: str, tmp_path: Path) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><dump><rec>x</rec></dump>'
    with pytest.raises(IndexBuildError, match=r"encoding|is no test XML"):
        units(tmp_path / "x.xml", text.encode(encoding))
    with pytest.raises(IndexBuildError, match="encoding"):
        units(tmp_path / "y.xml", text.encode())


@pytest.mark.parametrize(
    ("head", "text"),
    [
        pytest.param(b'<?xml version="1.0" encoding="ISO-8859-1"?>\n', b"M\xfcller", id="latin-1"),
        pytest.param(b"\xef\xbb\xbf", "Müller".encode(), id="mark"),
        pytest.param(b'<?xml version="1.0" encoding="us-ascii"?>', b"M&#252;ller", id="ascii"),
        pytest.param(b'<!DOCTYPE dump SYSTEM "dump.dtd">', b"M&uuml;ller", id="named"),
        pytest.param(b"<!-- a <dump> --><?x y?>\n<!DOCTYPE dump PUBLIC \"-//a>b//EN\" 'c'>", b"M&#xFC;ller", id="all"),
    ],
)
def test_what_may_stand_before_the_root(head: bytes, text: bytes, tmp_path: Path) -> None:
    assert texts(units(tmp_path / "x.xml", head + b"<dump a='b'><rec>" + text + b"</rec></dump>")) == ["Müller"]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"<other><rec/></other>", id="other-root"),
        pytest.param(b"<dumper><rec/></dumper>", id="longer-name"),
        pytest.param(b"<!-- never closed <dump><rec></rec></dump>", id="open-comment"),
        pytest.param(b"<?xml version='1.0'?>" + b" " * 120_000 + b"<dump></dump>", id="far-root"),
        pytest.param(b"<!doctype dump><dump></dump>", id="lower-case-doctype"),
        pytest.param(b'{"title": "a"}', id="json"),
        pytest.param(b"<dump/>", id="nothing"),
        pytest.param(b"", id="empty"),
        pytest.param(b"<!DOCTYPE html><html><body>Just a moment</body></html>", id="web-page"),
    ],
)
def test_what_is_no_such_dump_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match=r"x\.xml"):
        units(tmp_path / "x.xml", data)


@pytest.mark.parametrize(
    "end",
    [b"", b"<rec>half", b"<rec>half</rec", b"<!-- </dump>", b"</dump", b"</dump>more", b"</dump><!--", b"</dumper>"],
)
def test_a_truncated_file_is_refused(end: bytes, tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match="breaks off"):
        units(tmp_path / "x.xml", START + b"<rec>one</rec>\n" + end)


@pytest.mark.parametrize("end", [b"</dump>\n", b"</dump >", b"</dump><!-- </dump -->\n<?done?> "])
def test_a_whole_file_may_end_in_comments(end: bytes, tmp_path: Path) -> None:
    if b"<!--" in end:
        end = end.replace(b"</dump -", b"-")
    assert texts(units(tmp_path / "x.xml", START + b"<rec>one</rec>" + end)) == ["one"]


@pytest.mark.parametrize(
    "trap",
    [
        pytest.param(b"<!-- </rec> <rec> -->", id="comment"),
        pytest.param(b"<![CDATA[ </rec><rec> ]]>", id="cdata"),
        pytest.param(b"<?note </rec><rec> ?>", id="instruction"),
        pytest.param(b"<!----><!-- > -->", id="empty-comment"),
    ],
)
def test_tags_that_are_none_do_not_fool_the_splitter(
    trap: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml, "UNIT_BYTES", 64)  # so that traps stand at every place of a piece
    data = START + b"".join(b"<rec>%d%s</rec>\n" % (number, trap) for number in range(200)) + b"</dump>"
    found = units(tmp_path / "x.xml", data)
    assert len(found) > 10
    read_texts = texts(found)
    assert [text.split("<")[0].strip() for text in read_texts if text] == [
        (str(number) + (" </rec><rec> " if b"CDATA" in trap else "")).split("<")[0].strip() for number in range(200)
    ]
    assert not [one for unit in found for one in read_xml(unit, FLAT) if isinstance(one, Fault)]


def test_units_join_to_the_whole_and_know_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "UNIT_BYTES", 100)
    data = b"<dump>\n" + b"".join(b"<rec>\n%d</rec>\n\n" % number for number in range(100)) + b"</dump>\n"
    found = units(tmp_path / "x.xml", data)
    assert texts(found) == [str(number) for number in range(100)]
    lines = data.split(b"\n")
    for unit in found:
        assert lines[int(unit.place.removeprefix("line ")) - 1] == b"<rec>"
    assert found == units(tmp_path / "x.xml", data)


def test_a_broken_record_costs_only_itself_and_is_placed(tmp_path: Path) -> None:
    bad = [
        b'<rec key="a/b">x</wrong></rec>',
        b"<rec>never closed",
        b"<rec>a & b</rec>",
        b"closed twice</rec>",
        b"<rec>\x01</rec>",
    ]
    data = b"<dump>\n" + b"\n".join(b"<rec>%d</rec>\n%s" % (place, one) for place, one in enumerate(bad))
    found = units(tmp_path / "x.xml", data + b"\n<note>end</note></dump>")
    assert [one for one in texts(found) if one] == ["0", "1", "2", "3", "4", "end"]
    told = [one for unit in found for one in read_xml(unit, FLAT) if isinstance(one, Fault)]
    assert [one.where for one in told] == ["line 3 (a/b)", "line 5", "line 7", "line 9", "line 11"]
    assert all(one.why.startswith("is no well-formed XML: ") for one in told)


def test_a_unit_beyond_reading_is_one_fault() -> None:
    unit = Unit(Path("x.xml"), "line 7", b"<dump><a></dump>")
    assert [one.where for one in read_xml(unit, FLAT) if isinstance(one, Fault)] == ["line 7"]
    assert [one.where for one in read_xml(Unit(Path("x"), "odd", b"nothing"), FLAT)] == ["odd"]


def test_memory_is_bounded_and_a_record_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "MAX_ELEMENT", 4_000_000)
    path = tmp_path / "x.xml"
    path.write_bytes(START + b"<rec>" + b"x" * 30_000_000 + b"</rec></dump>")
    tracemalloc.start()
    with pytest.raises(IndexBuildError, match="more than 4,000,000 bytes"):
        list(split_xml(path, FLAT))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 25_000_000


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(b"<!--" * 400_000, id="open-comments"),
        pytest.param(b"<![CDATA[" * 200_000, id="open-cdata"),
        pytest.param(b"</rec" * 300_000, id="half-tags"),
        pytest.param(b"<rec>" * 60_000, id="deep"),
        pytest.param(b"&" * 1_500_000, id="ampersands"),
        pytest.param(b"<rec " + b"a" * 1_500_000, id="long-tag"),
    ],
)
def test_hostile_input_takes_linear_time(hostile: bytes, tmp_path: Path) -> None:
    started = time.perf_counter()
    try:
        for unit in units(tmp_path / "x.xml", START + hostile + b"</rec></dump>"):
            list(read_xml(unit, FLAT))
    except IndexBuildError:
        pass
    assert time.perf_counter() - started < 8


def test_depth_is_limited(tmp_path: Path) -> None:
    found = units(
        tmp_path / "x.xml", START + b"<rec>" + b"<i>" * 5_000 + b"</i>" * 5_000 + b"</rec><rec>ok</rec></dump>"
    )
    assert [one for one in texts(found) if one] == ["ok"]


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (b"&eacute;&Scaron;&szlig;", b"&#233;&#352;&#223;"),
        (b"&amp;&lt;&gt;&quot;&apos;", b"&amp;&lt;&gt;&quot;&apos;"),
        (b"&nothere; &#233; &", b"&amp;nothere; &#233; &"),
        (b"&AMP;", b"&#38;"),
        pytest.param(
            b"&a;&\xc3\xa9;&" + b"b" * 99 + b";", b"&amp;a;&amp;\xc3\xa9;&amp;" + b"b" * 99 + b";", id="unknown"
        ),
    ],
)
def test_named_characters(raw: bytes, wanted: bytes) -> None:
    assert resolved(raw) == wanted


SAMPLE_OF: dict[str, Callable[[], Path]] = {
    "dblp": lambda: SAMPLES / "dblp.xml",
    "acl": lambda: SAMPLES / "2020.vst.xml",
    "pubmed": lambda: SAMPLES / "pubmed.xml",
}


@pytest.mark.parametrize("name", SAMPLE_OF)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_samples_never_break_a_reader(name: str, data: st.DataObject, tmp_path: Path) -> None:
    raw = bytearray(SAMPLE_OF[name]().read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(raw) - 1))
        length = data.draw(st.integers(0, 40))
        new = data.draw(
            st.binary(max_size=12)
            | st.sampled_from(
                [b"<", b">", b"&", b"</", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"&x;", b"<!ENTITY a 'b'>", b"\0"]
            )
        )
        raw[place : place + length] = new
    path = tmp_path / "mutated.xml"
    path.write_bytes(raw)
    form = dump(name)
    try:
        for unit in form.split(path):
            for found in form.read(unit):
                assert type(found).__name__ in {"Record", "Listing", "Fault"}
    except IndexBuildError:
        pass
