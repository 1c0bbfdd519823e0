"""Lists that BibTeX styles write with commands of their own, and what their emphasis and blocks say."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.errors import NoReferencesError
from citeaudit.extract.latex.bbl import read_list
from citeaudit.extract.latex.expand import expand
from citeaudit.extract.latex.files import Members
from citeaudit.extract.latex.tex import LatexExtractor
from citeaudit.model import Reference

HARVARD = r"""\begin{thebibliography}{xx}
\harvarditem{Erd{\H{o}}s \harvardand\ Green}{1960}{e60}
Erd{\H{o}}s, P. \harvardand\ Green, A.  \harvardyearleft 1960\harvardyearright , `On the growth of graphs', {\em
  Journal of Graphs} {\bf 5},~17--61.
\harvarditem[Doe]{Doe}{1964{\em a}}{d64}
Doe, P.~W.  \harvardyearleft 1964{\em a}\harvardyearright , `Broken symmetries of things', {\em Letters} {\bf 13},~508.
\end{thebibliography}"""
JURABIB = r"""\begin{thebibliography}{}
\bibitem[{Green\jbdy {1960}}{}{{0}{}{article}{1960}{}{}{}{17}{1960}}{{On the growth of graphs}{}{}{2}{}{}{}{}{}}]{g60}
 \jbbibargs {\bibnf {Green} {Paul} {P.} {} {}\Bibbtasep \bibnf {Doe} {Ann} {A.} {} {}} {Paul GreenAnn Doe}
  {aus} {\bibapifont {On the growth of graphs}\bibatsep\ \bibJTsep \bibjtfont {Journal of Graphs}\ajtsep\
  \artvolumeformat {5} \artyearformat {1960\bibel {a}} \jbPages{17--61}} {\bibartperiodhowcited} \jbdoitem
  {{Green}{Paul}{P.}{}{}} {} {} \bibAnnoteFile {g60}
\end{thebibliography}"""
BABELBIB = r"""\begin{thebibliography}{1}
\bibitem {g60}
\btxnamefont {\btxlastnamefont {Green}, Paul} \btxandlong {}\ \btxnamefont {Ann \btxlastnamefont {Doe}}\btxauthorcolon\
  \btxjtitlefont {\btxifchangecase {On the growth of graphs}{On the Growth of Graphs}}.
\newblock \btxjournalfont {Journal of Graphs}, 5:17--61, 1960.
\end{thebibliography}"""
ABNT = r"""\begin{thebibliography}{}
\bibitem[Green 1960]{g60}
\abntrefinfo{Green}{GREEN}{1960a}
{GREEN, P. On the growth of graphs. \emph{Journal of Graphs}, v.~5, p. 17--61, 1960.}
\end{thebibliography}"""
SMF = r"""\providecommand{\og}{``}\providecommand{\fg}{''}\providecommand{\smfandname}{\&}
\begin{thebibliography}{1}
\bibitem{g60}
{\scshape P.~Green {\normalfont \smfandname} A.~Doe}, {\og On the growth of graphs\fg}, \emph{Journal of Graphs}
  \textbf{5} (1960), p.~17--61.
\end{thebibliography}"""
APACITE = r"""\begin{thebibliography}{}
\bibitem [\protect \citeauthoryear {Green}{Green}{{\protect \APACyear {1960}}{\protect \APACexlab {{\protect \BCnt
  {2}}}}}]{g60}
\begin{APACrefauthors}Green, P.\end{APACrefauthors}\unskip\
\newblock \APACrefYearMonthDay{1960{\protect \BCnt {2}}}{}{}.
\newblock {\BBOQ}\APACrefatitle {On the growth of graphs} {On the growth of graphs}.{\BBCQ}
\newblock \APACjournalVolNumPages{Journal of Graphs}{5}{}{17--61}.
\end{thebibliography}"""
MCITE = r"""\begin{mcitethebibliography}{15}
\bibitem[Green(1960)]{g60}
Green,~P. On the growth of graphs. \emph{Journal of Graphs} \textbf{1960}, \emph{5}, 17--61\relax
\mciteSetBstMidEndSepPunct{}{}{}
\end{mcitethebibliography}
This is text behind the list, and no reference."""
PANDOC_TWO = r"""\begin{CSLReferences}{1}{0}
\leavevmode\vadjust pre{\hypertarget{ref-g60}{}}%
Green, Paul. 1960. {``On the Growth of Graphs.''} \emph{Journal of Graphs} 5: 17--61.

\leavevmode\vadjust pre{\hypertarget{ref-d64}{}}%
\CSLLeftMargin{{[}2{]} }\CSLRightInline{Doe, Ann. 1964. {``Another Title of Things.''} \emph{Letters} 13: 5--9.}
\end{CSLReferences}"""
PANDOC_THREE = r"""\begin{CSLReferences}{1}{0}
\bibitem[\citeproctext]{ref-g60}
Green, Paul. 1960. {``On the Growth of Graphs.''} \emph{Journal of Graphs} 5: 17--61.
\end{CSLReferences}"""


def references(text: str) -> tuple[Reference, ...]:
    files = Members({"a.bbl": text.encode()}, "x")
    return read_list(expand(files, "a.bbl"), files).references


@pytest.mark.parametrize(
    ("text", "family"),
    [
        pytest.param(HARVARD.replace("Erd{\\H{o}}s", "Green"), "Green", id="harvard"),
        pytest.param(JURABIB, "Green", id="jurabib"),
        pytest.param(BABELBIB, "Green", id="babelbib"),
        pytest.param(ABNT, "GREEN", id="abntex"),
        pytest.param(SMF, "Green", id="words-of-its-own"),
        pytest.param(APACITE, "Green", id="apacite-with-counted-letter"),
        pytest.param(MCITE, "Green", id="mcite"),
        pytest.param(PANDOC_TWO, "Green", id="pandoc-2"),
        pytest.param(PANDOC_THREE, "Green", id="pandoc-3"),
    ],
)
def test_lists_of_every_style_give_title_author_and_year(text: str, family: str) -> None:
    first = references(text)[0]
    assert (first.title or "").lower() == "on the growth of graphs"
    assert first.authors[0].family == family
    assert first.year == 1960
    assert "behind the list" not in first.raw


def test_harvard_items_keep_key_and_letter() -> None:
    found = references(HARVARD)
    assert [one.locus.citekey for one in found] == ["e60", "d64"]
    assert (found[1].year, found[1].year_suffix) == (1964, "a")


def test_pandoc_list_keeps_its_anchors_and_printed_labels() -> None:
    found = references(PANDOC_TWO)
    assert [(one.locus.citekey, one.locus.label) for one in found][1] == ("ref-d64", "2")
    assert "[2]" not in found[1].raw


ITEM = r"\bibitem{k%d} J.~Smith and K.~Doe. \newblock %s. \newblock {\em Journal of Things}, %d:1--20, 20%02d."
TITLES = ("Adam: A method for the study of things", "Deep models of folding", "Rows and lists", "Walks: A short guide")


def test_blocks_of_a_list_make_titles_whole() -> None:
    items = " ".join(ITEM % (place, title, place + 1, place) for place, title in enumerate(TITLES, 10))
    assert [one.title for one in references(rf"\begin{{thebibliography}}{{9}}{items}\end{{thebibliography}}")] == [
        *TITLES
    ]


@pytest.mark.parametrize(
    ("item", "title", "authors"),
    [
        pytest.param(
            r"D.~E. Knuth, \emph{The Art of Things, Volume 1: Basic Ways}, 3rd~ed.\hskip 1em plus 0.5em minus "
            r"0.4em\relax Reading, MA: Addison-Wesley, 1997.",
            "The Art of Things, Volume 1: Basic Ways",
            1,
            id="book-in-italics-and-stretching-space",
        ),
        pytest.param(
            r"{\sc {Office of Rows}}, {\em Row Statistics 2016: Watching the Rows}, Office of Rows, Geneva, 2016.",
            "Row Statistics 2016: Watching the Rows",
            1,
            id="title-that-holds-a-year",
        ),
    ],
)
def test_emphasis_makes_titles_whole(item: str, title: str, authors: int) -> None:
    found = references(rf"\begin{{thebibliography}}{{9}}\bibitem{{k}} {item}\end{{thebibliography}}")[0]
    assert (found.title, len(found.authors)) == (title, authors)
    assert " plus " not in found.raw


@pytest.mark.parametrize(
    "dash",
    [
        pytest.param("------", id="ieee"),
        pytest.param(r"\leavevmode\vrule height 2pt depth -1.6pt width 23pt", id="siam"),
        pytest.param(r"\bysame", id="amsplain"),
    ],
)
def test_every_dash_stands_for_the_authors_before(dash: str) -> None:
    text = (
        r"\begin{thebibliography}{9}\bibitem{a} P.~W. Higgs, ``Broken rows and the masses of things,'' \emph{Letters}, "
        rf"vol.~13, pp. 508--509, 1964. \bibitem{{b}} {dash}, ``Broken rows and fields,'' \emph{{Letters}}, vol.~12, "
        r"pp. 132--133, 1964.\end{thebibliography}"
    )
    assert [one.authors[0].family for one in references(text)] == ["Higgs", "Higgs"]


def test_book_of_a_part_without_printed_title_is_no_title() -> None:
    text = (
        r"\begin{thebibliography}{9}\bibitem{v} \bibfield {author} {\bibinfo {author} {\bibfnamefont {A.}~\bibnamefont "
        r"{Green}},\ }in\ \emph {\bibinfo {booktitle} {Advances in Rows}} (\bibinfo {publisher} {Press},\ \bibinfo "
        r"{year} {1998})\ pp.\ \bibinfo {pages} {5--9}\end{thebibliography}"
    )
    found = references(text)[0]
    assert (found.title, found.container_title, found.year) == (None, "Advances in Rows", 1998)


def test_wrapper_from_a_package_beside_the_source_cites(tmp_path: Path) -> None:
    (tmp_path / "mine.sty").write_text("\\newcommand{\\src}[1]{(see \\citep{#1})}\n", encoding="utf-8")
    (tmp_path / "refs.bib").write_text(
        "@book{a, title={A Title of Rows}, author={Doe, J}, year=2001}", encoding="utf-8"
    )
    main = tmp_path / "main.tex"
    main.write_text(
        "\\documentclass{article}\\usepackage[x]{graphicx, mine}\n\\begin{document}Text \\src{a}.\n"
        "\\bibliography{refs}\\end{document}",
        encoding="utf-8",
    )
    read = LatexExtractor().read(main)
    assert [one.locus.citekey for one in read.references] == ["a"]
    assert read.references[0].cited


def test_bibliography_outside_the_folder_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "chap").mkdir()
    (tmp_path / "refs.bib").write_text("@book{a, title={A Title}}", encoding="utf-8")
    main = tmp_path / "chap" / "main.tex"
    main.write_text(
        "\\documentclass{article}\n\\begin{document}\\cite{a}\\bibliography{../refs}\\end{document}", encoding="utf-8"
    )
    with pytest.raises(NoReferencesError, match="outside the folder"):
        LatexExtractor().read(main)
