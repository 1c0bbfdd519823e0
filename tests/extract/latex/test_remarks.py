"""What authors say beside their references: where it is read, whose it is, and what never happens to an entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit import api
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.extract.latex.remarks import MAX_REASON, Remark, Span, assign, find_remarks, reason_of, value_lines
from citeaudit.model import Extraction

ENTRY = "@article{a,\n  title={X},\n  author={Roe, A.},\n  year=2001\n}\n"
OTHER = "@misc{b, title={Y}}\n"
NO_REASON = "gives no reason and has no effect; write % citeaudit: ok REASON"


def read(text: str) -> Extraction:
    return read_bibtex(text, path="x.bib")


def remarks(text: str) -> list[str | None]:
    return [reference.remark for reference in read(text).references]


PLACES = [
    pytest.param(f"% citeaudit: ok my own\n{ENTRY}{OTHER}", id="line-before"),
    pytest.param(f"{OTHER[:0]}% citeaudit: ok my own\n% a comment\n  % another\n{ENTRY}{OTHER}", id="comments-between"),
    pytest.param(ENTRY.replace("{a,\n", "{a,\n% citeaudit: ok my own\n") + OTHER, id="after-the-key"),
    pytest.param(ENTRY.replace("{a,", "{a, % citeaudit: ok my own") + OTHER, id="behind-the-key"),
    pytest.param(ENTRY.replace("{X},\n", "{X},\n\t%% CiteAudit : OK: my own\n") + OTHER, id="between-fields"),
    pytest.param(ENTRY.replace("\n}", "\n  % citeaudit:ok - my   own\n}") + OTHER, id="before-the-end"),
    pytest.param(f"\n\n{ENTRY[:0]}% citeaudit: ok my own\n{ENTRY}\n{OTHER}", id="after-blank-lines"),
    pytest.param(f"% citeaudit: ok my own\n\n% a comment\n \n{ENTRY}{OTHER}", id="blank-lines-between"),
    pytest.param(f"% citeaudit: ok my own\n% n = 5 copies; ask a@b.example (or c)\n{ENTRY}{OTHER}", id="words-between"),
    pytest.param(f"% title={{Z}}}}\n% citeaudit: ok my own\n{ENTRY}{OTHER}", id="after-a-disabled-field"),
    pytest.param(
        f"% citeaudit: ok my own\n% citeaudit: ok see @misc{{c, title={{Z}}}}\n{ENTRY}{OTHER}",
        id="reason-like-an-entry",
    ),
    pytest.param(
        ENTRY.replace("{X},\n", '"{X}",\n% a } stray "brace\n% citeaudit: ok my own\n').replace("2001", "{2001}")
        + OTHER,
        id="behind-a-quoted-value",
    ),
]


@pytest.mark.parametrize("text", PLACES)
def test_a_remark_belongs_to_the_entry_beside_it(text: str) -> None:
    extraction = read(text)
    assert [one.remark for one in extraction.references] == ["my own", None]
    assert extraction.self_check.notes == ()
    first = extraction.references[0]
    assert (first.title, first.year, str(first.authors[0])) == ("X", 2001, "A. Roe")
    assert first.raw in text
    assert first.raw.startswith("@article{a,")
    assert first.raw.endswith("}")


HARD = [
    "checked, by phone = yes",
    "see @misc{c, title={Z}}",
    'said "yes',
    "50% of it",
    "a } brace",
    "a { brace",
    "a = {b},",
]


@pytest.mark.parametrize("reason", HARD)
@pytest.mark.parametrize("inside", [True, False], ids=["inside", "before"])
def test_no_reason_breaks_an_entry(reason: str, inside: bool) -> None:
    line = f"% citeaudit: ok {reason}\n"
    text = ENTRY.replace("{X},\n", f"{{X}},\n{line}") if inside else f"{line}{ENTRY}"
    extraction = read(f"{text}{OTHER}")
    plain = read(f"{ENTRY}{OTHER}")
    assert [one.title for one in extraction.references] == [one.title for one in plain.references]
    assert extraction.failed == ()
    assert extraction.references[0].remark == reason
    assert extraction.references[0].authors == plain.references[0].authors


WITHOUT = [
    "% citeaudit: ok",
    "% citeaudit: ok  ",
    "% citeaudit: ok .",
    "% citeaudit: ignore",
    "% citeaudit:",
    "% citeaudit: okay so",
]


@pytest.mark.parametrize("line", WITHOUT)
def test_without_a_reason_there_is_one_warning_and_no_effect(line: str) -> None:
    extraction = read(f"{OTHER}{line}\n{ENTRY}")
    assert [one.remark for one in extraction.references] == [None, None]
    assert extraction.self_check.notes == (f"the comment on line 2 {NO_REASON}",)


DISABLED = "% @article{c,\n%  title={Z},\n%  year=2001\n% }\n"
ASTRAY = [
    pytest.param(f"{ENTRY}% citeaudit: ok mine\n", 6, id="at-the-end"),
    pytest.param(f"% citeaudit: ok mine\n@string{{x = {{y}}}}\n{ENTRY}", 1, id="before-a-string"),
    pytest.param(f"{ENTRY}% citeaudit: ok\n", 6, id="at-the-end-without-reason"),
    pytest.param(f"% citeaudit: ok mine\nsome words\n{ENTRY}", 1, id="before-words"),
    pytest.param(f"% citeaudit: ok mine\n{DISABLED}{ENTRY}", 1, id="before-a-disabled-entry"),
    pytest.param(f"% citeaudit: ok mine\n\n{DISABLED}\n{ENTRY}", 1, id="blank-lines-around-a-disabled-entry"),
    pytest.param(f"% citeaudit: ok mine\n{DISABLED.replace('% @', '%@')}{ENTRY}", 1, id="disabled-without-blank"),
    pytest.param(f"% citeaudit: ok mine\n%title = {{Z}},\n{ENTRY}", 1, id="before-a-field-disabled"),
    pytest.param(f"% citeaudit: ok mine\n% year = 2001,\n{ENTRY}", 1, id="before-a-bare-field-disabled"),
    pytest.param(f"% citeaudit: ok mine\n%% @ Book (c,\n{ENTRY}", 1, id="disabled-with-blanks"),
    pytest.param(f"% citeaudit: ok mine\n@article{{c, title={{{{Z\n{ENTRY}", 1, id="before-a-broken-entry"),
    pytest.param(f"% citeaudit: ok mine\n  % }}\n{ENTRY}", 1, id="inside-what-is-disabled"),
    pytest.param(
        f"{DISABLED.replace('{c,', '{c,' + chr(10) + '% citeaudit: ok mine')}{ENTRY}", 2, id="within-disabled"
    ),
    pytest.param(f"{ENTRY.strip()} % citeaudit: ok mine\n", 5, id="behind-the-end"),
    pytest.param(ENTRY.replace("{X},", "{X}, %% CiteAudit:ok mine"), 2, id="behind-a-field"),
]


@pytest.mark.parametrize(("text", "line"), ASTRAY)
def test_beside_no_entry_it_is_told(text: str, line: int) -> None:
    extraction = read(text)
    assert {one.remark for one in extraction.references} == {None}
    told = f"the comment on line {line} stands at no reference and has no effect; put it right before one"
    assert extraction.self_check.notes == (told,)


IN_VALUES = [
    pytest.param("{X\n% citeaudit: ok mine\n of sand}", id="braces"),
    pytest.param('"X {y}\n% citeaudit: ok mine\n of sand"', id="quotes"),
    pytest.param("{X {y\n% citeaudit: ok\n} of sand}", id="inner-braces-without-reason"),
]


@pytest.mark.parametrize("value", IN_VALUES)
def test_inside_a_value_it_is_told_and_has_no_effect(value: str) -> None:
    extraction = read(ENTRY.replace("{X}", value) + OTHER)
    assert [one.remark for one in extraction.references] == [None, None]
    told = "the comment on line 3 stands inside a value and has no effect; put it right before its reference"
    assert extraction.self_check.notes == (told,)


def test_a_comment_without_effect_stays_in_the_source_of_its_entry() -> None:
    text = ENTRY.replace("{X},\n", "{X},\n% citeaudit: ok\n")
    assert read(text).references[0].raw == text.strip()
    assert [one.raw for one in read(f"{OTHER.strip()} {text}").references] == [OTHER.strip(), text.strip()]


def test_other_comments_say_nothing() -> None:
    assert remarks(f"% citeaudit is a program\n% ok\nciteaudit: ok mine\n{ENTRY}") == [None]
    assert remarks(ENTRY.replace("{X}", "{% citeaudit: ok mine}")) == [None]


def test_the_first_of_several_counts_and_notes_are_few() -> None:
    assert remarks(f"% citeaudit: ok one\n% citeaudit: ok two\n{ENTRY}") == ["one"]
    assert remarks(f"% citeaudit: ok\n% citeaudit: ok two\n{ENTRY}") == ["two"]
    assert len(read("% citeaudit: ok\n\n" * 50 + ENTRY).self_check.notes) == 20
    assert remarks("% citeaudit: ok one\n@misc{a, title={X}} @misc{b, title={Y}}\n") == ["one", None]


def test_a_long_reason_is_cut_and_hidden_characters_are_shown() -> None:
    assert len(reason_of(" ok " + "x" * 900) or "") == MAX_REASON
    assert reason_of(" ok a\u202eb") == "a\\u202eb"


def test_lines_are_counted_over_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    from citeaudit.extract.latex import bibtex_blocks

    monkeypatch.setattr(bibtex_blocks, "STRETCH", 50)
    parts = [f"% citeaudit: ok number {place}\n@misc{{k{place}, title={{T{place}}}}}\n" for place in range(20)]
    assert remarks("".join(parts)) == [f"number {place}" for place in range(20)]


@given(st.text(alphabet='% citeaudit:ok@misc{a,}=\n"x', max_size=120))
def test_blanking_keeps_every_place(text: str) -> None:
    shown, found = find_remarks(text)
    assert len(shown) == len(text)
    assert [place for place, char in enumerate(shown) if char == "\n"] == [
        place for place, char in enumerate(text) if char == "\n"
    ]
    assert bool(found) == (shown != text)


def test_blanks_and_lines() -> None:
    text = "x\n % citeaudit: ok a\n@misc{b, %citeaudit: ok\n"
    assert find_remarks(text, 5) == (
        "x\n                  \n@misc{b,               \n",
        [Remark(6, "a"), Remark(7, None)],
    )
    assert assign([Remark(2, "in")], [Span(1, 3), Span(4, 4)], "@\n\n\n@").reasons == {0: "in"}
    assert assign([Remark(3, "in")], [Span(1, 3), Span(4, 4)], "@\n\n\n@").reasons == {0: "in"}
    assert assign([Remark(8, "at")], [Span(9, 9), Span(9, 9)], "% x\n@ @", 8).reasons == {0: "at"}
    assert assign([Remark(1, "at")], [Span(7, 7)], "% x").reasons == {}


def test_lines_inside_values_are_told() -> None:
    text = '@misc(a,\n x={1\n2},\n% {\n y="3 {4}\n5",\n z=6\n)'
    assert value_lines(text, 11) == {13, 16}
    assert value_lines("@misc{a, x={%\n}\n y={{1}\n 2}}", 1) == {2, 4}


LIST = r"""\documentclass{article}
\begin{document}
See \cite{a,b,c}.
\begin{thebibliography}{9}
% citeaudit: ok my own leaflet
\bibitem{a} A. Roe. On the quiet growth of dune grasses. Journal of Dunes, 3:1--9, 2001.
% citeaudit: ok
\bibitem{b} D. Fox. A calculus of elastic shells. Journal of Shells, 4:1--9, 1980.

\bibitem{c} C. Hu. Sand ripples under standing waves. Journal of Waves, 5:1--9, 1990.
\end{thebibliography}
\end{document}
"""


def test_items_of_a_list_may_be_remarked(tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    path.write_text(LIST, encoding="utf-8")
    extraction = api.extract(path)
    assert [one.remark for one in extraction.references] == ["my own leaflet", None, None]
    assert f"the comment on line 7 {NO_REASON}" in extraction.self_check.notes
    compiled = tmp_path / "refs.bbl"
    compiled.write_text(LIST[LIST.index("\\begin{thebib") : LIST.index("\\end{document}")], encoding="utf-8")
    extraction = api.extract(compiled)
    assert [one.remark for one in extraction.references] == ["my own leaflet", None, None]
    assert f"the comment on line 4 {NO_REASON}" in extraction.self_check.notes


ITEM = LIST[LIST.index("\\bibitem{a}") : LIST.index("% citeaudit: ok\n")]
BESIDE_ITEMS = [
    pytest.param(f"% citeaudit: ok mine\n%{ITEM}", None, id="before-a-disabled-item"),
    pytest.param("% citeaudit: ok mine\n\n% a comment\n", "mine", id="gap"),
    pytest.param(f"{ITEM.strip()} % citeaudit: ok mine\n", None, id="behind-an-item"),
    pytest.param(f"% citeaudit: ok mine\n\\iffalse\n{ITEM}\\fi\n", None, id="before-what-is-left-out"),
    pytest.param(
        f"{ITEM.replace(' On', chr(10) + '% citeaudit: ok mine' + chr(10) + 'On')}", None, id="inside-an-item"
    ),
]


@pytest.mark.parametrize(("before", "reason"), BESIDE_ITEMS)
def test_a_remark_at_an_item_holds_for_the_next_alone(tmp_path: Path, before: str, reason: str | None) -> None:
    path = tmp_path / "paper.tex"
    path.write_text(LIST.replace("% citeaudit: ok my own leaflet\n", before.replace("{a}", "{z}")), encoding="utf-8")
    extraction = api.extract(path)
    assert {one.locus.citekey: one.remark for one in extraction.references}["a"] == reason
    assert all(one.remark is None for one in extraction.references if one.locus.citekey != "a")
    astray = [note for note in extraction.self_check.notes if "stands at no reference" in note]
    assert len(astray) == (0 if reason else 1)


def test_remarks_are_read_where_a_source_cites_a_bib(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(f"% citeaudit: ok mine\n{ENTRY}% citeaudit: ok\n{OTHER}", encoding="utf-8")
    (tmp_path / "more.bib").write_text("@misc{d, title={Z}}\n% citeaudit: ok astray\n", encoding="utf-8")
    path = tmp_path / "paper.tex"
    path.write_text(
        "\\documentclass{article}\n\\begin{document}\n\\cite{a,b,d}\n\\bibliography{refs,more}\n\\end{document}\n",
        encoding="utf-8",
    )
    extraction = api.extract(path)
    assert [one.remark for one in extraction.references] == ["mine", None, None]
    assert f"refs.bib: the comment on line 7 {NO_REASON}" in extraction.self_check.notes
    assert any(note.startswith("more.bib: the comment on line 2 stands at no") for note in extraction.self_check.notes)


def test_a_list_beside_a_source_keeps_its_notes(tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    path.write_text(
        "\\documentclass{article}\n\\begin{document}\n\\cite{a,b}\n\\bibliography{refs}\n\\end{document}\n",
        encoding="utf-8",
    )
    listed = LIST[LIST.index("\\begin{thebib") : LIST.index("\\end{document}")]
    path.with_suffix(".bbl").write_text(listed, encoding="utf-8")
    extraction = api.extract(path)
    assert [one.remark for one in extraction.references] == ["my own leaflet", None, None]
    assert f"the comment on line 4 {NO_REASON}" in extraction.self_check.notes
