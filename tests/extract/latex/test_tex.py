"""A LaTeX manuscript gives what it cites, from whatever holds its bibliography, and where it says so."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import ExtractionError, NoReferencesError, UnreadableDocumentError
from citeaudit.extract.intext.body import MarkKind
from citeaudit.extract.latex.expand import expand
from citeaudit.extract.latex.files import Members
from citeaudit.extract.latex.project import covered
from citeaudit.extract.latex.running import Text, read_running
from citeaudit.extract.latex.tex import LatexExtractor
from citeaudit.model import Extraction

BIB = """@string{j = "Journal of Things"}
@article{a, title={First title}, author={Smith, Ann}, journal=j, year=2001}
% citeaudit: ok checked by hand
@article{b,
  % a comment, with a comma
  title={Second title}, author={Doe, Bob}, journal=j, year=2002}
@book{c, title={Third title}, author={Roe, Cy}, year=2003}
@book{d, title={Fourth title}, author={Poe, Di}, year=2004}
"""
BBL = """\\begin{thebibliography}{1}
\\bibitem{a} A. Smith. First title of things. J. Things 3 (2001) 1--2.
\\bibitem{z} Z. Last. Last title of things. J. Things 4 (2002) 1--2.
\\end{thebibliography}
"""


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "main.tex"


def document(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n\\cite{{after}}"


def read(path: Path) -> Extraction:
    return LatexExtractor().read(path)


def keys(extraction: Extraction) -> list[str | None]:
    return [reference.locus.citekey for reference in extraction.references]


def running(body: str, preamble: str = "") -> Text:
    files = Members({"m.tex": document(body, preamble).encode()}, "p.zip")
    return read_running(expand(files, "m.tex"), files)


def test_references_are_what_is_cited_in_its_order(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main_tex=document("See \\citep[p.~14]{b, a}.\n\n\\textcite{gone}. \\bibliography{refs}"),
        refs_bib=BIB,
    )
    extraction = read(main)
    assert extraction.format == "latex"
    assert keys(extraction) == ["b", "a"]
    assert [ref.container_title for ref in extraction.references] == ["Journal of Things"] * 2
    assert extraction.references[0].locus.path == str(tmp_path / "refs.bib")
    assert extraction.references[0].locus.line == 4
    assert "% a comment, with a comma" in extraction.references[0].raw
    assert extraction.self_check.dangling == ("gone",)
    assert "2 entries of refs.bib are not cited" in extraction.self_check.notes
    assert extraction.self_check.citations == 2
    assert extraction.citations[0].references == (1, 2)
    assert extraction.citations[0].claimed_page == "14"
    assert extraction.citations[0].locus.line == 4


def test_nocite_star_lists_everything(tmp_path: Path) -> None:
    main = write(tmp_path, main_tex=document("\\cite{c}\\nocite{*}\\bibliography{refs}"), refs_bib=BIB)
    assert keys(read(main)) == ["c", "a", "b", "d"]


def test_nocite_lists_what_it_names(tmp_path: Path) -> None:
    main = write(tmp_path, main_tex=document("\\cite{c}\\nocite{d}\\bibliography{refs}"), refs_bib=BIB)
    assert keys(read(main)) == ["c", "d"]


def test_included_files_are_followed_inside_the_folder(tmp_path: Path) -> None:
    outside = tmp_path / "secret.tex"
    outside.write_text("\\cite{d}")
    main = write(
        tmp_path / "paper",
        main_tex=document(
            "\\input{sections/one}\n\\include{two}\\input three.tex\n\\import{deep/}{four}\\subfile{five}"
            "\\input{../secret}\\input{/etc/passwd}\\input{absent}\\addbibresource{refs.bib}"
        ),
        sections__one_tex="\\cite{a}\n\\input{main}",
        two_tex="\\cite{b}",
        three_tex="\\cite{c}\\endinput\\cite{no}",
        deep__four_tex="\\cite{e4}",
        five_tex=document("\\cite{e5}", preamble="\\cite{preamble}"),
        refs_bib=BIB,
    )
    extraction = read(main)
    assert keys(extraction) == ["a", "b", "c"]
    assert set(extraction.self_check.dangling) == {"e4", "e5"}
    notes = " ".join(extraction.self_check.notes)
    assert "../secret, /etc/passwd, absent" in notes
    assert "includes itself" in notes
    assert extraction.citations[0].locus.path == str(tmp_path / "paper" / "sections" / "one.tex")


@pytest.mark.parametrize(
    ("head", "name", "claimed"),
    [
        pytest.param(b"% x\n\\documentclass{article}", "2401.00001", True, id="without-suffix"),
        pytest.param(b"\\documentclass{article}", "paper.txt", True, id="text"),
        pytest.param(b"\\documentclass{article}", "howto.md", False, id="told-by-its-name"),
        pytest.param(b"\0\\documentclass", "x", False, id="binary"),
        pytest.param(b"[1] A. Smith. Title.", "refs.txt", False, id="list"),
    ],
)
def test_beginning_tells_a_document(head: bytes, name: str, claimed: bool) -> None:
    assert LatexExtractor.claims(head, Path(name)) is claimed


def test_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.bib").write_text(BIB)
    main = write(tmp_path / "paper", main_tex=document("\\cite{a}\\bibliography{refs}"))
    (tmp_path / "paper" / "refs.bib").symlink_to(tmp_path / "secret.bib")
    with pytest.raises(NoReferencesError, match="their bibliography is not there"):
        read(main)


@pytest.mark.parametrize(
    "dead",
    [
        pytest.param("% \\cite{d}", id="comment"),
        pytest.param("\\iffalse \\cite{d} \\iftrue x \\fi \\cite{d}\n\\cite{d}\n\\fi", id="iffalse"),
        pytest.param("\\begin{verbatim}\n\\cite{d}\n\\end{verbatim}", id="verbatim"),
        pytest.param("\\begin{comment}\n\\cite{d}\n\\end{comment}", id="comment-environment"),
        pytest.param("\\verb|\\cite{d}|", id="verb"),
        pytest.param("\\begin{lstcode}\n\\begin{document}\\cite{d}\\end{document}\n\\end{lstcode}", id="example"),
        pytest.param("\\begin{lstlisting}\n\\cite{d}\n\\end{lstlisting}", id="listing"),
        pytest.param("\\Cref{d} \\citestyle{d} \\ref{d}", id="other-commands"),
    ],
)
def test_dead_text_cites_nothing(tmp_path: Path, dead: str) -> None:
    body = f"100\\% \\cite{{a}} \\url{{http://x.org/a%20b}}\n{dead}\n\\iffalse x \\else \\cite{{c}}\\fi"
    body += "\\bibliography{refs}"
    main = write(tmp_path, main_tex=document(body), refs_bib=BIB)
    assert keys(read(main)) == ["a", "c"]


def test_list_in_the_source_is_read(tmp_path: Path) -> None:
    main = write(tmp_path, main_tex=document(f"See \\cite{{z,gone}}.\n{BBL}"))
    extraction = read(main)
    assert keys(extraction) == ["a", "z"]
    assert [ref.cited for ref in extraction.references] == [False, True]
    assert extraction.references[1].title == "Last title of things"
    assert extraction.references[1].locus.line == 7
    assert extraction.self_check.dangling == ("gone",)


def test_compiled_list_stands_in_for_a_missing_bib(tmp_path: Path) -> None:
    main = write(tmp_path, main_tex=document("\\cite{z}\\bibliography{refs}"), main_bbl=BBL)
    extraction = read(main)
    assert keys(extraction) == ["a", "z"]
    assert any("not there: refs" in note for note in extraction.self_check.notes)
    assert any("read from the .bbl" in note for note in extraction.self_check.notes)


def test_compiled_list_fills_what_one_bib_lacks(tmp_path: Path) -> None:
    main = write(tmp_path, main_tex=document("\\cite{z,a}\\bibliography{refs,gone}"), refs_bib=BIB, main_bbl=BBL)
    extraction = read(main)
    assert keys(extraction) == ["a", "z"]
    assert extraction.self_check.dangling == ()


def test_bib_inside_the_source_is_read(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main_tex=f"\\begin{{filecontents*}}{{own.bib}}\n{BIB}\\end{{filecontents*}}\n"
        + document("\\cite{a}\\bibliography{own}"),
    )
    extraction = read(main)
    assert keys(extraction) == ["a"]
    assert (extraction.references[0].locus.path, extraction.references[0].locus.line) == (str(main), 3)


def test_several_bibs_share_their_strings_and_parents(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main_tex=document("\\cite{x}\\bibliography{strings, refs, more}"),
        strings_bib='@string{conf = "Proceedings of Things"}',
        refs_bib="@inproceedings{x, title={X}, author={A, B}, crossref={p}}\n@misc{y, title={Y}}",
        more_bib="@proceedings{p, title=conf, year=1999}\n@misc{x, title={X again}}",
    )
    extraction = read(main)
    assert keys(extraction) == ["x"]
    assert extraction.references[0].container_title == "Proceedings of Things"
    assert extraction.references[0].year == 1999
    assert extraction.self_check.labels_duplicate == ("x",)
    assert any("refs.bib 1, more.bib 2" in note for note in extraction.self_check.notes)


def test_keys_may_differ_in_case_and_sets_give_their_members(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main_tex=document("\\cite{KEY, s, alias}\\bibliography{refs}"),
        refs_bib="@misc{key, title={K}, ids={alias}}\n@set{s, entryset={m1, m2}}\n"
        "@misc{m1, title={M}}\n@misc{m2, title={N}}",
    )
    assert keys(read(main)) == ["key", "m1", "m2"]


@pytest.mark.parametrize(
    ("command", "cited", "page"),
    [
        pytest.param("\\cite{a,b}", ("a", "b"), None, id="cite"),
        pytest.param("\\citep*[see][p.~14]{a}", ("a",), "14", id="natbib"),
        pytest.param("\\parencite[14--16]{a}", ("a",), "14-16", id="biblatex"),
        pytest.param("\\Textcite[][S.~7]{a}", ("a",), "7", id="capital"),
        pytest.param("\\autocites(see)()[1]{a}[p. 2]{b}", ("a", "b"), "2", id="multiple"),
        pytest.param("\\footfullcite{a}", ("a",), None, id="footfull"),
        pytest.param("\\citeauthor{a}", ("a",), None, id="author"),
        pytest.param("\\citeyearpar{a}", ("a",), None, id="year"),
        pytest.param("\\supercite{a}", ("a",), None, id="super"),
        pytest.param("\\volcite{2}[33]{a}", ("a",), "33", id="volume"),
        pytest.param("\\citealp[Theorem 3]{a}", ("a",), None, id="no-page"),
        pytest.param("\\cite[see {[x]}, p.~3]{a}", ("a",), "3", id="bracket-inside"),
        pytest.param("\\cite\n  {a,\n b}", ("a", "b"), None, id="line-end"),
        pytest.param("\\shortciteA<see>[12]{a}", ("a",), "12", id="apacite"),
        pytest.param("\\mine[9]{a}", ("a",), "9", id="own-wrapper"),
        pytest.param("\\deep{a}", ("a",), None, id="own-wrapper-of-wrapper"),
        pytest.param("\\old{a}", ("a",), None, id="def"),
    ],
)
def test_every_citation_command_is_marked(command: str, cited: tuple[str, ...], page: str | None) -> None:
    preamble = "\\newcommand{\\mine}[2][]{(\\citep[#1]{#2})}\n\\newcommand\\deep[1]{\\mine{#1}}\\def\\old#1{\\cite{#1}}"
    text = running(f"Before {command} after.", preamble)
    marks = [mark for mark in text.body.marks if mark.kind is MarkKind.CITE]
    assert [(mark.keys, mark.locator) for mark in marks] == [(cited, page)]
    assert text.cited == cited
    assert text.body.text.startswith("Before ")
    assert text.body.text.endswith(" after.")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("Caf\\'e na\\\"{\\i}ve \\O re --- ``so''", "Café naïve Øre — “so”", id="accents"),
        pytest.param("$\\alpha$-rays, \\(x^2\\) and \\[ y \\] end", "α-rays, x^2 and y end", id="mathematics"),
        pytest.param("\\textbf{Bold \\emph{both}} {\\it it}", "Bold both it", id="fonts"),
        pytest.param("\\href{https://x.org}{link} \\url{https://y.org}", "link https://y.org", id="links"),
        pytest.param("One\n\n\nTwo\\\\three~four", "One\n\nTwo three four", id="paragraphs"),
        pytest.param("\\section{Title} Text\\label{x} in~\\ref{y}", None, id="heads"),
        pytest.param("A \\enquote{b \\enquote*{c}} d", "A “b ‘c’” d", id="quotes"),
        pytest.param("\\etal and \\ie", "et al. and i.e.", id="own-macro"),
        pytest.param("\\begin{tikzpicture} x \\end{tikzpicture}y", "y", id="picture"),
        pytest.param("100\\% of 5\\,\\& 6", "100% of 5 & 6", id="escapes"),
    ],
)
def test_running_text_is_readable(body: str, expected: str | None) -> None:
    text = running(body, "\\newcommand{\\etal}{et al.\\ }").body.text
    if expected is not None:
        assert text == expected
    else:
        assert text.split() == ["Title", "Text", "in"]


@pytest.mark.parametrize(
    ("body", "passage", "cited"),
    [
        pytest.param("\\begin{quote}A long passage.\\end{quote} \\cite{k}", "A long passage.", "k", id="quote"),
        pytest.param(
            "\\begin{displayquote}[{\\cite[7]{k}}]\nA long passage.\n\\end{displayquote}", "A long passage.", "k",
            id="displayquote",
        ),
        pytest.param("\\blockquote[\\cite{k}]{A long passage.}", "A long passage.", "k", id="blockquote"),
        pytest.param("\\blockcquote[7]{k}{A long passage.}", "A long passage.", "k", id="blockcquote"),
        pytest.param("\\foreignblockquote{german}[\\cite{k}]{Ein Satz.}", "Ein Satz.", "k", id="foreign"),
    ],
)  # fmt: skip
def test_block_quotations_are_marked(body: str, passage: str, cited: str) -> None:
    text = running(body)
    quotations = [mark for mark in text.body.marks if mark.kind is MarkKind.QUOTATION]
    assert [text.body.text[mark.start : mark.end] for mark in quotations] == [passage]
    assert text.cited == (cited,)


def test_inline_quotations_carry_their_citation() -> None:
    text = running("So \\textcquote[33]{k}{quoted words} and \\textquote[\\cite{m}]{more words}.")
    assert text.body.text == "So “quoted words” [k, 33] and “more words” [m]."


def test_notes_stand_behind_the_text() -> None:
    text = running("Word\\footnote{See \\cite[5]{k}.} goes on\\footnotemark.\\footnotetext{Later.}")
    assert [text.body.text[note.start : note.end] for note in text.body.notes] == ["See [k, 5].", "Later."]
    assert text.body.text.startswith("Word¹ goes on")
    assert [mark.keys for mark in text.body.marks] == [("1",), ("k",)]


def test_quotation_is_tied_to_its_reference(tmp_path: Path) -> None:
    body = "As he says, ``the whole is more than its many parts'' \\citep[p.~14]{a}.\n\\bibliography{refs}"
    quotes = read(write(tmp_path, main_tex=document(body), refs_bib=BIB)).references[0].quotes
    assert [(quote.text, quote.claimed_page) for quote in quotes] == [("the whole is more than its many parts", "14")]


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        pytest.param(b"", UnreadableDocumentError, "is empty", id="empty"),
        pytest.param(b"PK\x03\x04 zip", UnreadableDocumentError, "not text", id="archive"),
        pytest.param(b"just words", UnreadableDocumentError, "is not LaTeX", id="words"),
        pytest.param(document("No citations").encode(), NoReferencesError, "cites nothing", id="nothing"),
        pytest.param(document("\\cite{a}").encode(), NoReferencesError, "no bibliography is named", id="unnamed"),
        pytest.param(document("\\cite{a}\\bibliography{x}").encode(), NoReferencesError, r"\(x\)", id="lost"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, data: bytes, error: type[Exception], says: str) -> None:
    path = tmp_path / "main.tex"
    path.write_bytes(data)
    with pytest.raises(error, match=says):
        read(path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
def test_source_of_any_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    write(tmp_path, refs_bib=BIB)
    main = tmp_path / "main.tex"
    main.write_bytes(document("Größe \\cite{a}\\bibliography{refs}").encode(encoding))
    extraction = read(main)
    assert keys(extraction) == ["a"]
    assert extraction.citations[0].sentence.startswith("Größe")


def test_cut_source_gives_what_is_whole(tmp_path: Path) -> None:
    text = document("See \\citep[p.~14]{b, a}.\\footnote{x \\cite{c}} \\enquote{q} \\bibliography{refs}")
    write(tmp_path, refs_bib=BIB)
    for cut in range(1, len(text), 7):
        main = tmp_path / "main.tex"
        main.write_text(text[:cut])
        with contextlib.suppress(ExtractionError):
            assert set(keys(read(main))) <= {"a", "b", "c"}


def test_documents_cover_what_they_use(tmp_path: Path) -> None:
    write(
        tmp_path,
        main_tex=document("\\input{part}\\bibliography{refs}"),
        part_tex="\\cite{a}",
        fragment_tex="words",
        refs_bib=BIB,
        other_bib=BIB,
        main_bbl=BBL,
        slides_tex=document("\\cite{b}\\bibliography{refs}"),
        notes__loose_tex="words",
    )
    (tmp_path / "broken.tex").write_bytes(b"")
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    left = {path.relative_to(tmp_path).as_posix() for path in set(files) - covered(files)}
    assert left == {"main.tex", "slides.tex", "other.bib", "broken.tex"}
    assert covered([tmp_path / "other.bib"]) == set()


def test_documents_that_include_each_other_leave_one(tmp_path: Path) -> None:
    write(tmp_path, main_tex=document("\\input{two}"), two_tex=document("\\input{main}"))
    files = [tmp_path / "main.tex", tmp_path / "two.tex"]
    assert len(covered(files)) == 1


@given(st.text(alphabet="\\{}[]$%cite abquo\n~`'-&", max_size=150))
def test_any_source_is_read(text: str) -> None:
    body = running(text, "\\newcommand{\\a}[1]{#1\\b}\\newcommand{\\b}{\\a{x}}").body
    assert all(0 <= mark.start < mark.end <= len(body.text) for mark in body.marks)
    assert all("\n" not in paragraph for paragraph in body.text.split("\n\n"))


_UNITS = [
    *("a", "{", "}", "$", "\\", "\\cite{", "\\cite[", "\\begin{", "\\verb|", "\\[", "\\footnote{", "\\enquote{", "\\m"),
    *("\\iffalse ", "\\textquote[", "\\parencites[a]{b}", "\\newcommand{\\x", "\\begin{equation}", "\\url{"),
]


@pytest.mark.parametrize("unit", _UNITS)
def test_hostile_source_takes_linear_time(unit: str) -> None:
    line = (unit * 30_000)[:30_000]
    started = time.process_time()
    running(line, "\\newcommand{\\m}{\\n\\n\\n}\\newcommand{\\n}{\\o\\o\\o}\\newcommand{\\o}{x}")
    running("\n".join(line[start : start + 300] for start in range(0, len(line), 300)))
    assert time.process_time() - started < 3


def test_piped_source_is_told_to_be_named(tmp_path: Path) -> None:
    folder = tmp_path / "citeaudit-x"
    folder.mkdir()
    (folder / "stdin").write_text(document("\\cite{a}\\bibliography{x}"), encoding="utf-8")
    with pytest.raises(NoReferencesError, match="name the file instead of piping it"):
        read(folder / "stdin")


def test_files_of_every_installation_are_not_missed(tmp_path: Path) -> None:
    main = write(tmp_path, main_tex=document(f"\\input{{glyphtounicode}}\\input{{gone}}\\cite{{z}}\n{BBL}"))
    assert any("not there: gone" in note for note in read(main).self_check.notes)
    assert not any("glyphtounicode" in note for note in read(main).self_check.notes)
