"""A .bbl of either dialect gives its references: typed where it is typed, read as printed where it is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.latex.bbl import BblExtractor, Listed, read_list
from citeaudit.extract.latex.expand import expand
from citeaudit.extract.latex.files import Members
from citeaudit.model import Reference, WorkType

REVTEX = r"""\begin{thebibliography}{1}%
\makeatletter
\providecommand \@ifxundefined [1]{\@ifx{#1\undefined}}%
\bibitem [{\citenamefont {Aad}\ \emph {et~al.}(2012)\citenamefont {Aad},
  \citenamefont {Doe}}]{Aad2012}%
  \BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibfnamefont {G.}~\bibnamefont
  {Aad}}, \bibinfo {author} {\bibfnamefont {J.}~\bibnamefont {van~der Doe}}, \emph {et~al.},\ }\href
  {\doibase 10.1016/j.physletb.2012.08.020} {\bibfield  {journal}
  {\bibinfo  {journal} {Phys. Lett. B}\ }\textbf {\bibinfo {volume} {716}},\
  \bibinfo {pages} {1} (\bibinfo {year} {2012})}\BibitemShut {NoStop}%
\end{thebibliography}%
"""
NATBIB = r"""\begin{thebibliography}{2}
\providecommand{\natexlab}[1]{#1}
\providecommand{\doi}[1]{doi: #1}

\bibitem[Smith and M{\"u}ller(2020{\natexlab{a}})Smith and M{\"u}ller]{smith20}
J.~A. Smith and K.~M{\"u}ller.
\newblock Deep models for {RNA} folding.
\newblock \emph{Journal of Things}, 12\penalty0 (3):\penalty0 1--20,
  2020{\natexlab{a}}.
\newblock \doi{10.1000/abc_d}.

\bibitem[Smith(2021)]{smith21}
\bysame.
\newblock Another title about structure of things.
\newblock In \emph{Proceedings of the 3rd Conference on Things}, pages 1--9, 2021.

\end{thebibliography}
"""
IEEE = r"""\begin{thebibliography}{10}
\providecommand{\url}[1]{#1}
\csname url@samestyle\endcsname
\bibitem{ieee1}
A.~Brown, N.~Green, and L.~White, ``Machines that listen,'' in \emph{Proceedings of the Conference on Listening},
2017, pp. 5998--6008.
\bibitem{ieee2}
\BIBentryALTinterwordspacing
J.~Doe, ``A study of engines,'' \emph{IEEE Trans. Things}, vol.~3, no.~2, pp. 1--9, Jan. 2019. [Online].
  Available: \url{https://example.org/a}
\BIBentrySTDinterwordspacing
\end{thebibliography}
"""
ACM = r"""\begin{thebibliography}{1}
%%% ====
\bibitem[Lovelace and Doe(2019)]%
        {acm1}
\bibfield{author}{\bibinfo{person}{Ada Lovelace} {and} \bibinfo{person}{Jane Doe}.} \bibinfo{year}{2019}\natexlab{}.
\newblock \showarticletitle{Engines of thought}. In \bibinfo{booktitle}{\emph{Proceedings of Things}},
\bibfield{editor}{\bibinfo{person}{Ed Itor}} (Ed.). \bibinfo{publisher}{ACM}, \bibinfo{pages}{1--12}.
\newblock
\showDOI{\url{https://doi.org/10.1145/3290605}}
\end{thebibliography}
"""
ELSEVIER = r"""\begin{thebibliography}{1}
\bibitem{els} \bibinfo{author}{A.~Smith}, \bibinfo{author}{B.~Jones}, \bibinfo{title}{On engines},
\bibinfo{journal}{J. Eng.} \bibinfo{volume}{3} (\bibinfo{year}{2001}) \bibinfo{pages}{3--4}.
\end{thebibliography}
"""
APACITE = r"""\begin{thebibliography}{}
\bibitem [\protect \citeauthoryear {%
Smith%
\ \BBA {} Doe%
}{%
Smith%
\ \BBA {} Doe%
}{%
{\protect \APACyear {2020}}%
}]{%
apa1}
\APACinsertmetastar {%
apa1}%
\begin{APACrefauthors}%
Smith, J\BPBI A.%
\BCBT {}\ \BBA {} Doe, J.%
\end{APACrefauthors}%
\unskip\
\newblock
\APACrefYearMonthDay{2020}{}{}.
\newblock
{\BBOQ}\APACrefatitle {A title of note} {A title of note}.{\BBCQ}
\newblock
\APACjournalVolNumPages{Psych Review}{12}{3}{1--10}.
\newblock
\begin{APACrefDOI} \doi{10.1037/a001} \end{APACrefDOI}
\PrintBackRefs{\CurrentBib}
\end{thebibliography}
"""
AMSREFS = r"""\begin{bibdiv}\begin{biblist}
\bib{Adams95}{article}{
  author={Adams, J. F.},
  author={Doe, Jane},
  title={On spheres}, journal={Topology}, volume={3}, date={1995-03}, number={2}, pages={1--3},
}
\bib{broken
\end{biblist}\end{bibdiv}
"""
BIBLATEX = r"""% $ biblatex auxiliary file $
\refsection{0}
  \datalist[entry]{nyt/global//global/global}
    \entry{k1}{article}{}
      \name{author}{2}{}{%
        {{hash=aa}{%
           family={van der Berg},
           familyi={B\bibinitperiod},
           given={Jan\bibnamedelima A.},
           giveni={J\bibinitperiod},
        }}%
        {{un=0,hash=bb}{%
           family={Things Consortium},
           familyi={T},
        }}%
      }
      \strng{namehash}{1}
      \field{labelalpha}{BT20}
      \field{journaltitle}{Journal of Things}
      \field{number}{3}
      \field{title}{A {CNN} study}
      \field{volume}{2}
      \field{year}{2020}
      \field{pages}{1\bibrangedash 20}
      \range{pages}{20}
      \verb{doi}
      \verb 10.1000/abc_d
      \endverb
    \endentry
    \entry{k2}{book}{}
      \true{moreauthor}
      \name{author}{1}{}{%
        {{hash=cc}{Smith}{S\bibinitperiod}{John}{J\bibinitperiod}{}{}{}{}}%
      }
      \list{publisher}{1}{%
        {North Press}%
      }
      \field{title}{Book}
      \field{origyear}{1922}
      \field{year}{1987}
    \endentry
    \entry{s}{set}{}
    \endentry
  \enddatalist
  \datalist[entry]{none/global//global/global}
    \entry{k1}{article}{}
      \field{title}{A {CNN} study}
    \endentry
  \enddatalist
\endrefsection
"""


def listed(text: str) -> Listed:
    files = Members({"m.bbl": text.encode()}, "p.zip")
    return read_list(expand(files, "m.bbl"), files)


def first(text: str) -> Reference:
    return listed(text).references[0]


@pytest.mark.parametrize(
    ("text", "title", "authors", "year", "container", "doi"),
    [
        pytest.param(
            REVTEX, None, ["G. Aad", "J. van der Doe"], 2012, "Phys. Lett. B", "10.1016/j.physletb.2012.08.020",
            id="revtex",
        ),
        pytest.param(
            NATBIB, "Deep models for RNA folding", ["J. A. Smith", "K. Müller"], 2020, "Journal of Things",
            "10.1000/abc_d", id="natbib",
        ),
        pytest.param(
            IEEE, "Machines that listen", ["A. Brown", "N. Green", "L. White"], 2017,
            "Proceedings of the Conference on Listening", None, id="ieee",
        ),
        pytest.param(
            ACM, "Engines of thought", ["Ada Lovelace", "Jane Doe"], 2019, "Proceedings of Things",
            "10.1145/3290605", id="acm",
        ),
        pytest.param(ELSEVIER, "On engines", ["A. Smith", "B. Jones"], 2001, "J. Eng.", None, id="elsevier"),
        pytest.param(
            APACITE, "A title of note", ["J. A. Smith", "J. Doe"], 2020, "Psych Review", "10.1037/a001", id="apacite"
        ),
        pytest.param(AMSREFS, "On spheres", ["J. F. Adams", "Jane Doe"], 1995, "Topology", None, id="amsrefs"),
        pytest.param(
            BIBLATEX, "A CNN study", ["Jan A. van der Berg", "Things Consortium"], 2020, "Journal of Things",
            "10.1000/abc_d", id="biblatex",
        ),
    ],
)  # fmt: skip
def test_every_dialect_gives_its_fields(
    text: str, title: str | None, authors: list[str], year: int, container: str, doi: str | None
) -> None:
    reference = first(text)
    assert reference.title == title
    assert [str(person) for person in reference.authors] == authors
    assert (reference.year, reference.container_title, reference.identifiers.doi) == (year, container, doi)
    assert reference.parse_score >= 0.9


def test_typed_parts_score_near_one() -> None:
    assert [first(text).parse_score for text in (REVTEX, ACM, ELSEVIER, APACITE)] == [0.97] * 4
    assert first(BIBLATEX).parse_score == 1.0


def test_keys_labels_and_lines_are_kept() -> None:
    references = listed(IEEE).references
    assert [(ref.locus.citekey, ref.locus.label, ref.locus.line) for ref in references] == [
        ("ieee1", "1", 4),
        ("ieee2", "2", 7),
    ]
    assert references[0].locus.path == "p.zip/m.bbl"
    assert references[1].identifiers.url == "https://example.org/a"
    assert first(NATBIB).locus.label is None


def test_volume_issue_and_pages_of_a_journal_are_read() -> None:
    reference = first(NATBIB)
    assert (reference.volume, reference.issue, reference.pages) == ("12", "3", "1-20")
    assert reference.year_suffix == "a"


def test_same_authors_stand_for_those_before() -> None:
    second = listed(NATBIB).references[1]
    assert [str(person) for person in second.authors] == ["J. A. Smith", "K. Müller"]
    assert second.title == "Another title about structure of things"
    assert second.raw.startswith("———")


def test_editors_are_no_authors() -> None:
    assert [str(person) for person in first(ACM).editors] == ["Ed Itor"]


def test_shortened_lists_are_told() -> None:
    assert first(REVTEX).authors_truncated
    book = listed(BIBLATEX).references[1]
    assert book.authors_truncated
    assert (book.year, book.original_year, book.publisher) == (1987, 1922, "North Press")
    assert book.type is WorkType.BOOK


def test_entries_of_several_sortings_are_read_once() -> None:
    assert [ref.locus.citekey for ref in listed(BIBLATEX).references] == ["k1", "k2"]
    assert first(BIBLATEX).locus.label == "BT20"


def test_empty_item_and_repeated_key_are_told() -> None:
    found = listed(
        "\\bibitem{a} A. Smith. Title of a thing. J. Things 3 (2001) 1-2.\n\\bibitem{b}\n\\bibitem{a} X. Y, 2001."
    )
    assert [block.locus.citekey for block in found.failed] == ["b"]
    assert found.keys_duplicate == ("a",)


def test_alpha_label_is_kept() -> None:
    assert first("\\bibitem[Smi01]{a} A. Smith. Title of a thing. J. Things 3 (2001) 1-2.").locus.label == "Smi01"


def test_year_of_the_label_fills_a_gap() -> None:
    assert first("\\bibitem[Smith(1999b)]{a} A. Smith. A title of a thing. Journal of Things.").year == 1999


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        pytest.param(b"", UnreadableDocumentError, "is empty", id="empty"),
        pytest.param(b"\x89PNG\r\n", UnreadableDocumentError, "not text", id="image"),
        pytest.param(b"plain words", NoReferencesError, "no list of references", id="words"),
        pytest.param(b"\\begin{thebibliography}{1}\n\\end{thebibliography}", NoReferencesError, "no list", id="bare"),
    ],
)
def test_file_without_a_list_says_so(tmp_path: Path, data: bytes, error: type[Exception], says: str) -> None:
    path = tmp_path / "m.bbl"
    path.write_bytes(data)
    with pytest.raises(error, match=says):
        BblExtractor().read(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_file_of_any_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "m.bbl"
    path.write_bytes("\\bibitem{a} J. Müller. A title of a thing. J. Things 3 (2001) 1-2.".encode(encoding))
    extraction = BblExtractor().read(path)
    assert extraction.format == "bbl"
    assert str(extraction.references[0].authors[0]) == "J. Müller"


@pytest.mark.parametrize("text", [REVTEX, NATBIB, ACM, APACITE, AMSREFS, BIBLATEX])
def test_cut_list_gives_what_is_whole(text: str) -> None:
    for cut in range(0, len(text), 97):
        found = listed(text[:cut])
        assert all(reference.raw for reference in found.references)


@given(st.text(alphabet="\\{}[]abib tem,=%\n", max_size=150))
def test_any_source_is_read(text: str) -> None:
    listed("\\bibitem{a} " + text)
    listed("\\entry{k}{book}{}" + text + "\\endentry")


@pytest.mark.parametrize(
    "unit", ["\\bibitem", "\\bibitem{", "\\bibinfo{", "\\entry{", "{", "\\bib{a}{book}{", "\\href{", "="]
)
def test_hostile_list_takes_linear_time(unit: str) -> None:
    started = time.process_time()
    listed((unit * 20_000)[:50_000])
    listed(f"\\entry{{k}}{{book}}{{}}{(unit * 20_000)[:50_000]}\\endentry")
    assert time.process_time() - started < 6
