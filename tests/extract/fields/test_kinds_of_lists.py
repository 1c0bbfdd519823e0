"""Kinds of lists that are easily misread: titles first, capitals, chapters without titles, standards, other scripts."""

from __future__ import annotations

import pytest

from citeaudit.extract.fields.reader import Hints, read_fields
from citeaudit.extract.fields.tails import ending
from citeaudit.extract.fields.venue import read_venue, volume_year
from citeaudit.model import Reference, WorkType

NET = "On the reading of printed references"
SOUND = 0.92


def families(reference: Reference) -> list[str]:
    return [person.family or person.literal or "" for person in reference.authors]


# --- title first, bold, then names


@pytest.mark.parametrize(
    ("after", "names", "container"),
    [
        pytest.param("Ada Roe Nature (2015-05-15)", ["Roe"], "Nature", id="one-name"),
        pytest.param("Ada Q. Roe Nature (2015-05-15)", ["Roe"], "Nature", id="initial"),
        pytest.param("Ada Roe, Ben de Poe North Review (2015)", ["Roe", "de Poe"], "North Review", id="particle"),
        pytest.param("Ada Roe, Ben Q. Poe Journal of Lists (2015)", ["Roe", "Poe"], "Journal of Lists", id="two-names"),
        pytest.param("C. Adam Roe Living with Lists (2019-01-16)", ["Roe"], "Living with Lists", id="initial-first"),
        pytest.param("Ada Roe eLetters Weekly (2017-09-07)", ["Roe"], "eLetters Weekly", id="small-venue"),
        pytest.param("National Lists Organization NLO (2019-02-08)", ["National Lists Organization"], "NLO", id="body"),
        pytest.param("~/ (2017-06-05)", [], None, id="nobody"),
    ],
)
def test_names_after_a_bold_title_end_where_the_venue_starts(
    after: str, names: list[str], container: str | None
) -> None:
    found = read_fields(f"{NET} {after} https://doi.org/10.1000/abc", hints=Hints(bold=(NET,)))
    assert (found.title, families(found)) == (NET, names)
    assert container is None or found.container_title == container


def test_title_first_is_seen_without_bold() -> None:
    found = read_fields("Reading lists: a study Jane Doe, Ben Roe, Carl Poe bioRxiv (2020-03-05)")
    assert (found.title, families(found), found.container_title) == (
        "Reading lists: a study",
        ["Doe", "Roe", "Poe"],
        "bioRxiv",
    )


# --- names in capitals


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        pytest.param(
            f"ROE John A., POE Ada, « {NET} », Revue des choses, vol. 12, n° 3, 1999, p. 12-15.",
            ["ROE", "POE"],
            id="french",
        ),
        pytest.param(
            f"R. ROE AND A.-L. POE, {NET}, Rev. Mod. Phys., 74 (2002), pp. 47–97.", ["ROE", "POE"], id="and-in-capitals"
        ),
        pytest.param(f"LIN S, DALY P W, WANG H. {NET}. J Print, 2001, 3(2): 1-9.", ["LIN", "DALY", "WANG"], id="glued"),
        pytest.param(
            "R. Roe and D. S. Poe Coarse Symbol Memories and their properties. Complex Systems, 2(4) 463-484, 1988.",
            ["Roe", "Poe"],
            id="no-stop-after-names",
        ),
    ],
)
def test_names_in_other_dress_are_read(raw: str, names: list[str]) -> None:
    assert families(read_fields(raw)) == names


# --- volumes, chapters and books of title-less lists


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(
            "J. Doe and B. Roe, J. Am. Chem. Soc., 2005, 127, 1234–1240.",
            (None, "J. Am. Chem. Soc", "127", "1234-1240", 2005),
            id="year-is-no-volume",
        ),
        pytest.param(
            "R. Poe et al., Nature 466 (2010) 2013.", (None, "Nature", "466", None, 2010), id="page-like-year"
        ),
        pytest.param(
            "J. Doe, in Reading Lists, edited by B. Roe (Academic, New York, 1990), Vol. 2, p. 12.",
            (None, "Reading Lists", "2", "12", 1990),
            id="chapter",
        ),
        pytest.param(
            "J. Doe, B. Roe, Reading Lists (Wiley, New York, ed. 3, 1999).",
            ("Reading Lists", None, None, None, 1999),
            id="edition-is-no-volume",
        ),
        pytest.param(
            f"Doe, J. (2015). {NET}. In Proceedings of the 12th Conference of Lists, Bonn, June 3–5, 2015 (pp. 12–20).",
            (NET, "Proceedings of the 12th Conference of Lists, Bonn", None, "12-20", 2015),
            id="days-are-no-pages",
        ),
        pytest.param(
            "Doe, J. & Roe, B. Reading Lists 2nd edn (Cambridge Univ. Press, 2003).",
            ("Reading Lists", None, None, None, 2003),
            id="edition-is-no-title",
        ),
    ],
)
def test_place_in_a_list_without_titles_is_read(raw: str, expected: tuple[object, ...]) -> None:
    found = read_fields(raw)
    assert (found.title, found.container_title, found.volume, found.pages, found.year) == expected


@pytest.mark.parametrize(
    ("text", "editors", "container"),
    [
        pytest.param(
            "in Handbook of Lists (eds Roe, B. & Poe, C.) 12–45 (Springer, 2004)",
            ["Roe", "Poe"],
            "Handbook of Lists",
            id="nature",
        ),
        pytest.param(
            "in Reading Lists, B. Roe, C. Poe, Eds. (Wiley, New York, 1999), pp. 12–20",
            ["Roe", "Poe"],
            "Reading Lists",
            id="science",
        ),
        pytest.param("in Roe B., Poe C., eds, ASP Conf. Ser. Vol. 123", ["Roe", "Poe"], "ASP Conf. Ser", id="mnras"),
    ],
)
def test_editors_are_no_container(text: str, editors: list[str], container: str) -> None:
    found = read_venue(text)
    assert [person.family for person in found.editors] == editors
    assert found.container == container


def test_chapter_without_a_title_is_a_chapter() -> None:
    raw = "Doe, J. in Handbook of Lists (eds Roe, B. & Poe, C.) 12–45 (Springer, 2004)."
    assert read_fields(raw).type is WorkType.CHAPTER


def test_publisher_and_place_may_change_places() -> None:
    assert read_venue("Wiley: New York, 2001; pp 12–20").publisher == "Wiley"
    assert read_venue("(Wiley, New York, 2001), p. 12").pages == "12"
    assert volume_year("Nature 466, 2013") is None


# --- law, standards, patents


@pytest.mark.parametrize(
    ("raw", "title", "kind"),
    [
        pytest.param(
            "Case C-131/12, Doe SL v Agencia de Listas [2014] ECLI:EU:C:2014:317.",
            "Doe SL v Agencia de Listas",
            WorkType.LEGAL_CASE,
            id="european-case",
        ),
        pytest.param(
            "ISO/IEC 27001:2013, Information things — Requirements.",
            "Information things — Requirements",
            WorkType.STANDARD,
            id="standard",
        ),
        pytest.param(
            "RFC 2119. Key words for use in lists. 1997.", "Key words for use in lists", WorkType.STANDARD, id="rfc"
        ),
        pytest.param(f"Doe J. {NET}. EP Patent 1234567 B1. 2005 May 3.", NET, WorkType.PATENT, id="patent"),
        pytest.param(
            f"Doe, J. (2012). {NET} (Doctoral dissertation). University of North, Oslo.",
            NET,
            WorkType.THESIS,
            id="thesis",
        ),
        pytest.param(
            f"Doe, J. (2019). {NET} (Version 2.1) [Computer software]. North Press.",
            NET,
            WorkType.SOFTWARE,
            id="program",
        ),
    ],
)
def test_work_that_is_no_paper_keeps_its_name(raw: str, title: str, kind: WorkType) -> None:
    found = read_fields(raw)
    assert (found.title, found.type) == (title, kind)


# --- other scripts: year and identifiers in any case, never a doubtful title with a high score


@pytest.mark.parametrize(
    ("raw", "year"),
    [
        pytest.param(
            "Иванов И. И., Петров П. П. Чтение списков // Журнал вещей. 2010. Т. 12, № 3. С. 45–67.", 2010, id="russian"
        ),
        pytest.param(
            "山田太郎, 鈴木花子: 印刷の読み方. 情報学会誌, Vol. 12, No. 3, pp. 45-67, 2010.", 2010, id="japanese"
        ),
        pytest.param("山田太郎『印刷物の読み方』岩波書店、2010年。", 2010, id="japanese-book"),
        pytest.param("김철수, 이영희, 인쇄된 목록의 읽기, 정보학회지, pp. 45-67, 2010.", 2010, id="korean"),
    ],
)
def test_other_scripts_are_doubted(raw: str, year: int) -> None:
    found = read_fields(raw)
    assert found.year == year
    assert found.parse_score < SOUND


def test_russian_title_ends_at_the_slashes() -> None:
    found = read_fields("Иванов И. И. Чтение списков // Журнал вещей. 2010. Т. 12, № 3. С. 45–67.")
    assert (found.title, found.container_title, found.volume) == ("Чтение списков", "Журнал вещей", "12")


# --- where a title ends


@pytest.mark.parametrize(
    ("title", "after", "expected"),
    [
        pytest.param("A study of things. Doktorarbeit", ". Berlin", "A study of things", id="thesis"),
        pytest.param("A study of things, S. 12-13", ", in: Mind", "A study of things", id="pages"),
        pytest.param("A study of things (Series", ". Things 3), Bonn", "A study of things", id="open-bracket"),
        pytest.param("A study of things. Boston, London", ": Press", "A study of things", id="places"),
        pytest.param("Do things talk? London", ": Press", "Do things talk?", id="place-after-question"),
        pytest.param("A study of things. In Books, Lists", ", eds. A. Roe", "A study of things", id="container"),
        pytest.param("A study of things, Journal of Lists", ", 70(1), 5", "A study of things", id="journal"),
        pytest.param("A study of things, Inst", ". Hautes Etudes", "A study of things", id="short-journal"),
        pytest.param("A study of things. Population", ", Space and Place, 14", "A study of things", id="first-word"),
        pytest.param("A study of things", ". Berlin", "A study of things", id="nothing"),
        pytest.param("Lists, maps and rows (1914-18)", ". Berlin", "Lists, maps and rows (1914-18)", id="whole"),
    ],
)
def test_title_runs_on_no_further(title: str, after: str, expected: str) -> None:
    assert title[: ending(title, after)] == expected


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        pytest.param(
            "Roe, Harald (2002): „Opa war kein Lehrer“. Lesen und Schreiben im Gedächtnis, Frankfurt a.M.",
            "„Opa war kein Lehrer“. Lesen und Schreiben im Gedächtnis",
            id="german-saying",
        ),
        pytest.param(
            "Roe, A. and Poe, E. (2003) ‘Reading in Peoples’ Understanding of Lists’, Applied Things 52: 363-82.",
            "Reading in Peoples’ Understanding of Lists",
            id="plural-apostrophe",
        ),
        pytest.param(
            "World Lists Organization. Reading guidelines. 4th ed. Geneva: WLO; 2011.", "Reading guidelines", id="body"
        ),
        pytest.param(
            "Goßler S et al 2010 The ten metre prototype Class. Quantum Grav. 27 084023",
            "The ten metre prototype",
            id="no-stop-before-the-journal",
        ),
    ],
)
def test_title_is_whole(raw: str, title: str) -> None:
    assert read_fields(raw).title == title
