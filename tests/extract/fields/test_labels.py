"""Labels of words, dates, typefaces, kinds and whole lists."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.extract.fields.dates import read_date
from citeaudit.extract.fields.kinds import case_name, kind_of, kind_of_whole
from citeaudit.extract.fields.labeller import SCALE, TITLED, Label, dump, evidence, label, load, model, pack
from citeaudit.extract.fields.reader import Hints, frame, list_style, read_fields, read_many
from citeaudit.extract.fields.rules import before_name, chinese, is_title_first, uncapitalised
from citeaudit.extract.fields.tokens import MAX_TOKENS, kind, tokens
from citeaudit.extract.fields.typeface import adjusted, leading, runs, volume
from citeaudit.extract.fields.venue import Venue, read_venue, with_name
from citeaudit.model import Locus, Reference, WorkType

NET = "On the reading of printed references"


def families(reference: Reference) -> list[str]:
    return [person.family or person.literal or "" for person in reference.authors]


# --- words and labels


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("Doe, J. (1999) Title.", ["Doe,", "J.", "(1999)", "Title."], id="white-space"),
        pytest.param("Math.Zeit 12,55", ["Math.", "Zeit", "12,", "55"], id="lost-space-after-stop"),
        pytest.param("网络研究.物理", ["网络研究.", "物理"], id="no-spaces"),
        pytest.param("Soc,Doe", ["Soc,", "Doe"], id="lost-space-after-comma"),
        pytest.param("", [], id="empty"),
    ],
)
def test_reference_is_parted_into_words(text: str, words: list[str]) -> None:
    assert [token.text for token in tokens(text)] == words


@given(st.text(max_size=200))
def test_words_stand_where_they_say(text: str) -> None:
    found = tokens(text)
    assert all(text[token.start : token.end] == token.text for token in found)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert len(found) <= MAX_TOKENS + 100


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        pytest.param("(2001),", ("2001", "year", "(", "),"), id="year"),
        pytest.param("12(3):", ("12(3", "volume", "", "):"), id="volume"),
        pytest.param("J.", ("j", "initial", "", "."), id="initial"),
        pytest.param("1-9.", ("1-9", "range", "", "."), id="range"),
        pytest.param("XGBoost", ("xgboost", "camel", "", ""), id="camel"),
        pytest.param("--", ("", "mark", "--", ""), id="mark"),
        pytest.param("ABC", ("abc", "upper", "", ""), id="upper"),
        pytest.param("Wei", ("wei", "short-capital", "", ""), id="short"),
        pytest.param("iPod", ("ipod", "odd", "", ""), id="odd"),
    ],
)
def test_word_has_a_shape(token: str, expected: tuple[str, str, str, str]) -> None:
    assert kind(token) == expected


def test_labels_follow_the_reference() -> None:
    text = f"Ada B. Lovelace and Charles Babbage. {NET}. Journal of Printed Things, 13(1):1–14, 1960."
    found = label(text, frame(text)[0])
    titled = [token.text for token, name in zip(found.tokens, found.labels, strict=True) if name in TITLED]
    assert " ".join(titled) == f"{NET}."
    assert found.labels[0] is Label.AUTHOR
    assert found.labels.count(Label.TITLE) == 1
    assert found.margin > 1
    assert label("", frame("")[0]).labels == []


def test_list_that_prints_no_titles_outweighs_a_doubtful_one() -> None:
    text = "A. Author, North Materials 12, 345 (2005)."
    assert not TITLED & set(label(text, frame(text)[0], titled=-60.0).labels)
    assert TITLED & set(label(text, frame(text)[0], titled=60.0).labels)


def test_model_file_reads_back_what_was_written() -> None:
    features = {"a": pack({Label.AUTHOR: 1.5, Label.TITLE: -2.0}), "b": pack({Label.LATER_AUTHOR: -0.25})}
    steps = {(Label.AUTHOR, Label.TITLE): 0.5, (Label.TITLE, Label.MORE_TITLE): -0.5}
    again = load(dump(features, steps))
    assert again.features == features
    assert again.out_of[0] == ((3, SCALE // 2),)


def test_evidence_has_a_row_for_each_word() -> None:
    text = "Doe, J. (2001). A title. North Press."
    listed = tokens(text)
    assert len(evidence(listed, frame(text)[0])) == len(listed)


def test_model_is_small() -> None:
    assert 5_000 < len(model().features) < 60_000


def test_reading_is_quick() -> None:
    raws = [
        f"Doe{place}, J., & Roe, B. ({1950 + place}). {NET} {place}. Journal of Printed Things, {place}(2), 5-9."
        for place in range(60)
    ]
    read_many(raws[:5])
    started = time.process_time()
    read_many(raws)
    assert time.process_time() - started < 60 * 0.01  # the promise is 0.7 ms on an idle machine


# --- whole lists


def test_list_is_read_as_its_references_are() -> None:
    raws = [f"Doe, {letter}. (2012). {NET}. North Journal, 1(2), 3-4." for letter in "ABCDEF"]
    loci = [Locus(page=2, label=str(place)) for place in range(6)]
    found = read_many(raws, path="a.pdf", loci=loci, hints=[Hints(doi=f"10.1000/{place}") for place in range(6)])
    assert [reference.raw for reference in found] == raws
    assert [reference.locus.label for reference in found] == ["0", "1", "2", "3", "4", "5"]
    assert {reference.locus.path for reference in found} == {"a.pdf"}
    assert found[3].identifiers.doi == "10.1000/3"
    assert [reference.title for reference in read_many(raws)] == [NET] * 6
    assert read_many([]) == []
    with pytest.raises(ValueError, match="argument 2"):
        read_many(raws, hints=[Hints()])


def test_style_of_a_list_reaches_its_doubtful_references() -> None:
    raws = [f"A. Author{letter}, Phys. Rev. Lett. 94, 20700{place} (2005)." for place, letter in enumerate("abcdef")]
    assert list_style(raws) == "initials/,/untitled"
    assert all(
        reference.title is None for reference in read_many([*raws, "A. Author, North Materials 12, 345 (2005)."])
    )


# --- dates


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(f"Doe, J. (2024a). {NET}. North Journal, 3(2), 4-5.", (2024, "a", None, None), id="suffix"),
        pytest.param(f"Doe, J. (1987 [1922]). {NET}. London: North Press.", (1987, None, 1922, None), id="brackets"),
        pytest.param(f"Doe, J. (1922/1987). {NET}. London: North Press.", (1987, None, 1922, None), id="slash"),
        pytest.param(f"Doe, J. (n.d.). {NET}. North Press.", (None, None, None, "n.d."), id="no-date"),
        pytest.param(f"Doe, J. (in press). {NET}. North Journal.", (None, None, None, "in press"), id="in-press"),
        pytest.param(f"Doe, J. (o. J.): {NET}. Berlin: Nord Verlag.", (None, None, None, "o. J."), id="german"),
        pytest.param(f"Doe, J. {NET}. North Journal, forthcoming.", (None, None, None, "forthcoming"), id="at-the-end"),
    ],
)
def test_time_of_issue_is_read(raw: str, expected: tuple[object, ...]) -> None:
    found = read_fields(raw)
    assert (found.year, found.year_suffix, found.original_year, found.status) == expected


def test_first_edition_is_earlier_than_the_one_cited() -> None:
    assert read_date(1967, "", "New York 1967 (zuerst 1938)").original == 1938
    assert read_date(1999, "(1999/2001)", "").year == 2001
    assert read_date(2005, "", "12 (2005) 2001/2003").original is None
    assert read_date(None, "", "").year is None


# --- italic and bold


def test_bold_title_before_its_authors() -> None:
    raw = "3. A study of printed things Jane Doe, John Graham-Roe Nature (2018-01-31) https://doi.org/10.1000/abc"
    found = read_fields(raw, hints=Hints(bold=("A study of", "printed things"), italic=("Nature",)))
    assert found.title == "A study of printed things"
    assert families(found) == ["Doe", "Graham-Roe"]
    assert (found.year, found.container_title, found.identifiers.doi) == (2018, "Nature", "10.1000/abc")
    plain = read_fields(raw, hints=Hints(bold=("A study of printed things",)))
    assert plain.title == "A study of printed things"
    assert (
        read_fields("A study of printed things (2018)", hints=Hints(bold=("A study of printed things",))).authors == ()
    )


@pytest.mark.parametrize(
    ("text", "title", "italic", "expected"),
    [
        pytest.param("Doe J. A title. North Mind 3", "A title. North Mind", ("North Mind",), "A title", id="venue"),
        pytest.param("Doe J. A title, in North Mind 3", "A title, in North Mind", ("North Mind",), "A title", id="in"),
        pytest.param("Doe J. A title. A part. Press", "A title", ("A title. A part",), "A title. A part", id="book"),
        pytest.param(
            "Doe J. On Homo sapiens today. X",
            "On Homo sapiens today",
            ("Homo sapiens",),
            "On Homo sapiens today",
            id="species",
        ),
        pytest.param(
            "Doe J. Homo sapiens today. X",
            "Homo sapiens today",
            ("Homo sapiens",),
            "Homo sapiens today",
            id="species-first",
        ),
        pytest.param("Doe J. A title. X", "A title", ("12", "not there"), "A title", id="no-words"),
    ],
)
def test_italic_words_mend_a_title(text: str, title: str, italic: tuple[str, ...], expected: str) -> None:
    place = text.index(title)
    start, end = adjusted(text, (place, place + len(title)), italic)
    assert text[start:end] == expected


def test_italic_venue_is_no_part_of_the_title() -> None:
    raw = f"Doe, J., {NET}, North Mind of Things, 1999."
    assert read_fields(raw, hints=Hints(italic=("North Mind of Things",))).title == NET


def test_runs_are_found_in_order() -> None:
    assert runs("a bb cc bb", ["bb", "bb"]) == [(2, 4), (8, 10)]
    assert runs("a bb cc", ["a", "bb", "zz"]) == [(0, 4)]
    assert leading("Some title here (2001)", ["12"]) is None
    assert leading("Some title", ["Some title"]) is None
    assert volume(["94", "2001"]) == "94"
    assert volume(["94", "95"]) is None
    assert read_fields("A. Doe, Phys. Rev. Lett., 2001.", hints=Hints(bold=("94",))).volume == "94"


# --- kinds, venues and rules


@pytest.mark.parametrize(
    ("raw", "kind_"),
    [
        pytest.param("Doe v. Board of Things, 347 U.S. 483 (1954).", WorkType.LEGAL_CASE, id="case"),
        pytest.param("BGH, Urteil vom 3. Mai 2001, NJW 2001, 12.", WorkType.LEGAL_CASE, id="court"),
        pytest.param("ISO 9001:2015. Quality of things. Geneva: ISO; 2015.", WorkType.STANDARD, id="standard"),
        pytest.param("J. Doe, U.S. Patent No. 5,123,456 (1992).", WorkType.PATENT, id="patent"),
        pytest.param(f"Doe J (2020). {NET}. R package version 1.2-0.", WorkType.SOFTWARE, id="package"),
        pytest.param(f"Doe J. {NET}. 2020. https://github.com/doe/things", WorkType.SOFTWARE, id="code-host"),
        pytest.param(f"Doe, J. (2020). {NET} [Data set]. Zenodo.", WorkType.DATASET, id="data"),
        pytest.param(f"Doe, J. (2020, May 3). {NET}. New York Times.", WorkType.NEWS, id="news"),
    ],
)
def test_kind_beyond_papers_is_told(raw: str, kind_: WorkType) -> None:
    assert read_fields(raw).type is kind_


def test_case_is_named_by_its_parties() -> None:
    found = read_fields("Doe v. Board of Things, 347 U.S. 483 (1954).")
    assert (found.title, found.authors) == ("Doe v. Board of Things", ())
    assert case_name("On the reading of things") is None
    assert kind_of_whole("Doe, J. Title") is None


def test_volume_of_a_series_makes_no_publisher() -> None:
    raw = f"Doe, Y., & Roe, Y. (1995). {NET}. Journal of the Royal Statistical Society: Series B (Methodological), 57(1), 289-300."  # noqa: E501
    found = read_fields(raw)
    assert found.container_title == "Journal of the Royal Statistical Society: Series B (Methodological)"
    assert (found.volume, found.type, found.publisher) == ("57", WorkType.ARTICLE_JOURNAL, None)


_NO_VENUE = Venue(None, None, None, None, None, ())


@pytest.mark.parametrize(
    ("venue", "labelled", "container", "publisher"),
    [
        pytest.param(
            _NO_VENUE._replace(container="Rev. Mod"), "Rev. Mod. Phys.", "Rev. Mod. Phys", None, id="cut-short"
        ),
        pytest.param(_NO_VENUE._replace(container="Mind 8"), "Mind", "Mind", None, id="number"),
        pytest.param(_NO_VENUE, "North University Press", None, "North University Press", id="press"),
        pytest.param(_NO_VENUE, "In Mind of Things", "Mind of Things", None, id="container"),
        pytest.param(
            _NO_VENUE._replace(container="Oldenbourg Verlag"),
            "Oldenbourg Verlag",
            None,
            "Oldenbourg Verlag",
            id="press-not-container",
        ),
        pytest.param(
            _NO_VENUE._replace(publisher="Series B", volume="3"), "Acts: Series B", "Acts: Series B", None, id="series"
        ),
        pytest.param(_NO_VENUE._replace(container="Mind"), "Other", "Mind", None, id="rules-stay"),
        pytest.param(_NO_VENUE, "Doe (Hrsg.) Buch", None, None, id="editors"),
    ],
)
def test_labelled_venue_is_weighed(venue: Venue, labelled: str, container: str | None, publisher: str | None) -> None:
    found = with_name(venue, labelled)
    assert (found.container, found.publisher) == (container, publisher)


@pytest.mark.parametrize(
    ("text", "container", "publisher", "volume_"),
    [
        pytest.param("Machine Things 8, 279-292, 1992", "Machine Things", None, "8", id="number-before-pages"),
        pytest.param("3. Aufl. Frankfurt a. M.: Suhrkamp.", None, "Suhrkamp", None, id="german-edition"),
        pytest.param("(2nd ed.). London: North Press.", None, "North Press", None, id="edition"),
    ],
)
def test_what_follows_a_title_is_read(
    text: str, container: str | None, publisher: str | None, volume_: str | None
) -> None:
    found = read_venue(text)
    assert (found.container, found.publisher, found.volume) == (container, publisher, volume_)


def test_kind_without_words_is_told_by_what_is_there() -> None:
    assert kind_of("", url="https://example.org", has_volume=False, container=None, publisher=None) is WorkType.WEBPAGE
    assert kind_of("", url=None, has_volume=False, container=None, publisher=None) is WorkType.UNKNOWN
    assert (
        kind_of("", url=None, has_volume=False, container="Das Buch", publisher=None, editors=True) is WorkType.CHAPTER
    )


@pytest.mark.parametrize(
    ("title", "rest", "expected"),
    [
        pytest.param(
            "A study of anodes. Electrochim", "Acta 2017, 252, 1-2", ("A study of anodes", "Electrochim"), id="short"
        ),
        pytest.param("A study of panels. North Press", "London", ("A study of panels", "North Press"), id="press"),
        pytest.param("A study. Introduction", "London", ("A study. Introduction", ""), id="subtitle"),
        pytest.param("A study of anodes", "Acta 2017", ("A study of anodes", ""), id="nothing"),
    ],
)
def test_name_of_a_journal_is_parted_from_the_title(title: str, rest: str, expected: tuple[str, str]) -> None:
    assert before_name(title, rest) == expected


def test_chinese_standard_has_no_stops_in_names() -> None:
    found = read_fields("LIN S, COST D J. Error control of things[M]. 2nd ed. Cambridge: North Press, 2004: 1-9.")
    assert (found.title, families(found), found.year) == ("Error control of things", ["Lin", "Cost"], 2004)
    assert chinese("Lin, S. Title of things[J]. Things, 2004") is None
    assert chinese("No mark. At all") is None
    assert uncapitalised("UNESCO") == "UNESCO"
    body = read_fields("北方协会, 南方协会, 等. 投资指南: 大陆[M]. 北京: 北方出版社, 2015.")
    assert body.title == "投资指南: 大陆"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        pytest.param("A study of things Jane Doe, John Roe Journal (2018-01-31)", True, id="manubot"),
        pytest.param("A. Doe, B. Roe, Phys. Rev. Lett. 94, 12 (2018)", False, id="physics"),
        pytest.param("Doe, D., Roe, K.: Reading by things. Conference on Things (2015)", False, id="springer"),
        pytest.param("Too short (2015)", False, id="short"),
        pytest.param("A study of things Jane Doe", False, id="undated"),
    ],
)
def test_list_with_titles_first_is_known(text: str, first: bool) -> None:
    assert is_title_first(text) is first


def test_body_after_a_person_is_an_author_of_its_own() -> None:
    assert families(read_fields("Roe, George M., and North Institute. Regenesis of things. Basic Books, 2012.")) == [
        "Roe",
        "North Institute",
    ]


def test_journal_alone_is_no_author() -> None:
    found = read_fields("Expert Systems with Things 38 (2011) 2536–2549")
    assert found.authors == ()
    assert found.title is None


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(f"“{NET}”, J. Doe, A. Roe, arXiv, 2011.", id="quoted-title-first"),
        pytest.param(f"{NET} Jane Doe, John Roe North Journal (2018-01-31)", id="title-first"),
        pytest.param(f"Doe J D. {NET}. North Journal, 2005, 94:102301", id="spaced-initials"),
    ],
)
def test_people_are_found_by_their_labels(raw: str) -> None:
    assert families(read_fields(raw))[0] == "Doe"


@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=3), st.lists(st.text(max_size=20), max_size=3))
def test_any_hints_are_taken(raw: str, italic: list[str], bold: list[str]) -> None:
    found = read_fields(raw, hints=Hints(italic=tuple(italic), bold=tuple(bold)))
    assert 0.0 <= found.parse_score < 1.0


def test_bold_author_list_is_no_title() -> None:
    raw = f"Doe JA, Roe B. {NET}. North Things. 2010;12(3):45-50."
    found = read_fields(raw, hints=Hints(bold=("Doe JA, Roe B",)))
    assert (found.title, families(found)) == (NET, ["Doe", "Roe"])
