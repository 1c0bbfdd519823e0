from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.pdf import Destination, Face, Link, Span, child, document
from citeaudit.pdf.content import decode
from citeaudit.pdf.document import library
from citeaudit.pdf.spans import merge

Maker = Callable[..., Path]


def load(path: Path) -> Any:
    """Read in this process and pass the answer through JSON, as the pipe does."""
    return decode(json.loads(json.dumps(document.read({"path": str(path), "pages": 50}))))


def test_lines_come_with_places_and_sizes(make_pdf: Maker) -> None:
    text = load(make_pdf([["First line", "Second line"], ["Third"]]))
    assert [page.number for page in text.pages] == [1, 2]
    first = text.pages[0].lines[0]
    assert first.text == "First line"
    assert (round(first.x0), first.spans[0].size, first.upright) == (72, 10.0, True)
    assert first.y0 < first.y1 < text.pages[0].lines[1].y1
    assert text.has_text
    assert not text.repaired


def test_page_without_text_has_no_lines(make_pdf: Maker) -> None:
    assert not load(make_pdf([[]])).has_text


def test_faces_links_outline_and_metadata_are_read(tmp_path: Path) -> None:
    pymupdf = library()
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 100), "bold", fontname="hebo")
    page.insert_text((72, 120), "slanted", fontname="heit")
    page.insert_text((72, 140), "turned", rotate=90)
    document.new_page()
    page = document[0]
    place = pymupdf.Rect(72, 90, 100, 102)
    page.insert_link({"kind": pymupdf.LINK_URI, "from": place, "uri": "https://doi.org/10.1/x"})
    page.insert_link(
        {"kind": pymupdf.LINK_GOTO, "from": pymupdf.Rect(72, 110, 100, 122), "page": 1, "to": pymupdf.Point(30, 40)}
    )
    page.insert_link({"kind": pymupdf.LINK_URI, "from": place, "uri": "https://x.org/" + "y" * 3000})
    document.set_toc([[1, "Start", 1], [2, "Part", 2]])
    document.set_metadata({"title": "A title", "subject": ""})
    path = tmp_path / "rich.pdf"
    document.save(path)
    text = load(path)
    lines = {line.text: line for line in text.pages[0].lines}
    assert lines["bold"].spans[0].face & Face.BOLD
    assert lines["slanted"].spans[0].face & Face.ITALIC
    assert not lines["turned"].upright
    uri, goto = text.pages[0].links
    assert uri == Link(72.0, 90.0, 100.0, 102.0, "https://doi.org/10.1/x")
    assert (goto.uri, goto.target_page, round(goto.target_x), round(goto.target_y)) == (None, 2, 30, 40)
    assert text.toc == ((1, "Start", 1), (2, "Part", 2))
    assert text.metadata["title"] == "A title"
    assert "subject" not in text.metadata


NAMED = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[(cite.a)[3 0 R/XYZ 50 150 null]
(gone)[9 0 R/XYZ 1 1 null]]>>>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Annots[5 0 R]
/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 35>>stream
BT /F1 9 Tf 50 140 Td (A row) Tj ET
endstream endobj
5 0 obj<</Type/Annot/Subtype/Link/Rect[10 10 20 20]/Border[0 0 0]/A<</S/GoTo/D(cite.a)>>>>endobj
trailer<</Root 1 0 R>>
%%EOF"""


def test_named_destinations_come_in_page_space(tmp_path: Path) -> None:
    path = tmp_path / "named.pdf"
    path.write_bytes(NAMED)
    text = load(path)
    assert text.destinations["cite.a"] == Destination(1, 50.0, 50.0)
    assert "gone" not in text.destinations
    assert text.pages[0].links[0].name == "cite.a"
    assert text.repaired


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"%PDF-1.7 nothing", "damaged", id="damaged"),
    ],
)
def test_hopeless_files_have_their_kind(tmp_path: Path, content: bytes, kind: str) -> None:
    path = tmp_path / "bad.pdf"
    path.write_bytes(content)
    with pytest.raises(document.DocumentError) as caught:
        load(path)
    assert caught.value.kind == kind


def test_missing_file_names_the_reason(tmp_path: Path) -> None:
    with pytest.raises(document.DocumentError) as caught:
        load(tmp_path / "absent.pdf")
    assert (caught.value.kind, caught.value.detail) == ("unreadable", "No such file or directory")


def test_other_formats_are_refused_by_content(tmp_path: Path) -> None:
    path = tmp_path / "picture.pdf"
    path.write_bytes(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>')
    with pytest.raises(document.DocumentError) as caught:
        load(path)
    assert caught.value.kind in {"not-pdf", "damaged"}


def test_encrypted_and_long_documents_have_their_kind(make_pdf: Maker) -> None:
    locked = make_pdf([["x"]], name="locked.pdf", encryption=4, user_pw="u", owner_pw="o")
    long = make_pdf([["x"]] * 51, name="long.pdf")
    kinds = []
    for path in (locked, long):
        with pytest.raises(document.DocumentError) as caught:
            load(path)
        kinds.append((caught.value.kind, caught.value.detail))
    assert kinds == [("encrypted", ""), ("pages", "51")]


def span(text: str, x0: float, x1: float, size: float = 10.0, flags: int = 0) -> dict[str, Any]:
    return {"text": text, "size": size, "flags": flags, "bbox": (x0, 0.0, x1, size)}


@pytest.mark.parametrize(
    ("spans", "texts"),
    [
        pytest.param([span("a", 0, 5), span(" ", 5, 7), span("b", 7, 12)], ["a b"], id="words-and-spaces"),
        pytest.param([span("a", 0, 5), span("b", 5, 9, flags=2)], ["a", "b"], id="italic"),
        pytest.param([span("a", 0, 5), span("2", 5, 7, size=6)], ["a", "2"], id="superscript"),
        pytest.param([span("a", 0, 5), span(" ", 5, 9, flags=2), span("b", 9, 12)], ["a b"], id="italic-space"),
        pytest.param([span("a", 0, 5, size=9.96), span("b", 5, 9, size=10.04)], ["ab"], id="scaled-words"),
        pytest.param([span("", 0, 0)], [], id="nothing"),
    ],
)
def test_neighbouring_spans_of_one_face_are_joined(spans: list[dict[str, Any]], texts: list[str]) -> None:
    assert [row[0] for row in merge(spans)] == texts


@given(st.lists(st.tuples(st.text("aB2 .-", min_size=1, max_size=5), st.sampled_from([0, 2, 16])), max_size=8))
def test_joining_loses_no_character(parts: list[tuple[str, int]]) -> None:
    spans = [span(text, 5.0 * index, 5.0 * index + 4, flags=flags) for index, (text, flags) in enumerate(parts)]
    merged = merge(spans)
    assert "".join(row[0] for row in merged) == "".join(text for text, _ in parts)
    assert all(Span._make(row).x0 <= Span._make(row).x1 for row in merged)


def test_answers_are_one_line_of_json() -> None:
    def fine(request: dict[str, object]) -> dict[str, object]:
        return {"seen": request["text"]}

    request = {"job": "fine", "text": "Zeile\nö", "answer_bytes": 1000}
    reply = child.answer(json.dumps(request).encode(), {"fine": fine})
    assert reply.count(b"\n") == 1
    assert json.loads(reply) == {"ok": {"seen": "Zeile\nö"}}


@pytest.mark.parametrize(
    ("error", "reply"),
    [
        pytest.param(document.DocumentError("pages", "9"), {"error": "pages", "detail": "9"}, id="document"),
        pytest.param(MemoryError(), {"error": "memory", "detail": ""}, id="memory"),
        pytest.param(RuntimeError("code=4"), {"error": "crashed", "detail": "RuntimeError"}, id="library"),
        pytest.param(RecursionError(), {"error": "crashed", "detail": "RecursionError"}, id="recursion"),
    ],
)
def test_errors_are_answers(error: Exception, reply: dict[str, str]) -> None:
    def job(request: dict[str, object]) -> dict[str, object]:
        raise error

    assert json.loads(child.answer(b'{"job": "job", "answer_bytes": 99}', {"job": job})) == reply


def test_answer_that_is_too_long_is_an_error() -> None:
    reply = child.answer(b'{"job": "job", "answer_bytes": 9}', {"job": lambda _: {"text": "x" * 99}})
    assert json.loads(reply) == {"error": "answer", "detail": ""}


def test_requests_are_served_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    given_s: list[int] = []
    monkeypatch.setattr(child, "allow_cpu", given_s.append)
    line = b'{"job": "echo", "cpu_s": 7, "answer_bytes": 999, "n": %d}\n'
    answers = io.BytesIO()
    child.serve(io.BytesIO(line % 1 + line % 2), answers, {"echo": lambda request: {"n": request["n"]}})
    assert [json.loads(row)["ok"]["n"] for row in answers.getvalue().splitlines()] == [1, 2]
    assert given_s == [7, 7]


@pytest.mark.parametrize(("hard", "limit"), [(resource.RLIM_INFINITY, 30), (12, 12)])
def test_processor_time_is_counted_from_now(monkeypatch: pytest.MonkeyPatch, hard: int, limit: int) -> None:
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: seen.append(pair))
    child.allow_cpu(30)
    assert seen[0][1] == hard
    assert seen[0][0] >= limit


def test_limits_never_exceed_those_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1, 50 if kind == resource.RLIMIT_NOFILE else -1))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, pair: seen.update({kind: pair}))
    child.confine(memory_bytes=1000, open_files=64)
    assert seen == {
        resource.RLIMIT_AS: (1000, 1000),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_NOFILE: (50, 50),
        resource.RLIMIT_CORE: (0, 0),
    }


def test_child_needs_nothing_but_pymupdf_and_the_standard_library() -> None:
    source = (
        "import sys, citeaudit.pdf.document as document; document.library();"
        "heavy = {'pydantic', 'httpx', 'langchain', 'rich', 'anyio'} & set(sys.modules); print(sorted(heavy))"
    )
    seen = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "[]"


def test_main_confines_silences_and_serves(make_pdf: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(child, "confine", lambda *_: done.append("confine"))
    monkeypatch.setattr(child, "silence", lambda: done.append("silence"))
    monkeypatch.setattr(child, "leash", lambda _: done.append("leash"))
    monkeypatch.setattr(child, "serve", lambda *_: done.append("serve"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    child.main(["1000", "64", "5"])
    assert done == ["confine", "silence", "leash", "serve"]


def test_silenced_process_answers_on_a_copy_of_its_output(monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[tuple[int, int]] = []
    reader, writer = os.pipe()
    monkeypatch.setattr(os, "dup", lambda _: writer)
    monkeypatch.setattr(os, "dup2", lambda source, target: copies.append((source, target)))
    with child.silence() as answers:
        answers.write(b"x")
    assert os.read(reader, 9) == b"x"
    assert [target for _, target in copies] == [1, 2]
    os.close(reader)
    os.close(copies[0][0])
