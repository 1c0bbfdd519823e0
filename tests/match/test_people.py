"""Authors: who may be one person, and who is named as too many, left out, misspelt."""

from __future__ import annotations

import pytest

from citeaudit.match.names import Likeness, is_others, is_placeholder, liken, ready, within
from citeaudit.match.people import compare_people
from citeaudit.model import Person
from tests.match.build import cite, people, record


def _like(one: str, two: str) -> Likeness:
    (left,), (right,) = people(one), people(two)
    assert liken(ready(left), ready(right)) is liken(ready(right), ready(left))
    return liken(ready(left), ready(right))


@pytest.mark.parametrize(
    ("claimed", "recorded", "expected"),
    [
        pytest.param("Ada Lovelace", "Ada Lovelace", Likeness.SAME, id="same"),
        pytest.param("Karl Müßig", "Karl Mussig", Likeness.SAME, id="folded"),
        pytest.param("Jan Häuselmann", "Jan Haeuselmann", Likeness.SAME, id="spelt-out"),
        pytest.param("Jan Hauselmann", "Jan Haeuselmann", Likeness.SAME, id="folded-and-spelt-out"),
        pytest.param("Bernd Schölkopf", "Bernd Schlkopf", Likeness.SAME, id="letter-lost"),
        pytest.param("Gabriel Peyré", "Gabriel Peyr", Likeness.SAME, id="last-letter-lost"),
        pytest.param("D. Diraçoglu", "D. Dıraçoğlu", Likeness.SAME, id="dotless-i"),
        pytest.param("Kim Bjørn", "Kim Bjorn", Likeness.SAME, id="slashed-o"),
        pytest.param("Pál Erdős", "P. Erdos", Likeness.INITIALS, id="double-acute"),
        pytest.param("Beatrix Foltyn‐Dumitru", "Beatrix Foltyn-Dumitru", Likeness.SAME, id="other-hyphen"),
        pytest.param("Nuno Santos 0001", "Nuno Santos", Likeness.SAME, id="homonym-number"),
        pytest.param("Kai-Ming He", "Kaiming He", Likeness.SAME, id="hyphen-in-given"),
        pytest.param("K.-M. He", "Kaiming He", Likeness.INITIALS, id="hyphen-in-initials"),
        pytest.param("Baldassarre, ME", "Maria Elisabetta Baldassarre", Likeness.INITIALS, id="glued-initials"),
        pytest.param("ME, Baldassarre", "Maria Elisabetta Baldassarre", Likeness.INITIALS, id="glued-read-as-family"),
        pytest.param("Kenter, RMF", "R. M. F. Kenter", Likeness.SAME, id="glued-against-dotted"),
        pytest.param(
            "Passow, Jeanette Eckel", "Eckel-Passow, Jeanette E.", Likeness.INITIALS, id="double-barrelled-cut"
        ),
        pytest.param("van den Berg, Jan", "Berg, Jan", Likeness.SAME, id="particle"),
        pytest.param("Beethoven, Ludwig van", "van Beethoven, Ludwig", Likeness.INITIALS, id="particle-in-given"),
        pytest.param("García, Ana", "García Márquez, Ana", Likeness.INITIALS, id="second-family-name"),
        pytest.param("Alex Roe", "Alexander Roe", Likeness.INITIALS, id="short-form"),
        pytest.param("M. Roe", "J. Michael Roe", Likeness.INITIALS, id="middle-name-used"),
        pytest.param("J. Michael Roe", "Michael Roe", Likeness.INITIALS, id="first-initial-dropped"),
        pytest.param("Roe, ", "Roe, Jane", Likeness.INITIALS, id="family-only"),
        pytest.param("Martin King Jr", "King, Martin", Likeness.INITIALS, id="suffix-read-as-family"),
        pytest.param("King Jr, Martin", "King, Martin", Likeness.SAME, id="suffix"),
        pytest.param("Zhang Charlie", "Charlie Zhang", Likeness.SWAPPED, id="swapped"),
        pytest.param("Graham Newbig", "Graham Neubig", Likeness.MISSPELT, id="one-letter"),
        pytest.param("Zeqi Che", "Zeqi Chen", Likeness.MISSPELT, id="letter-missing"),
        pytest.param("Sergey Ivanov", "Sergei Ivanov", Likeness.MISSPELT, id="transliteration"),
        pytest.param("Carlos Riquelme Ruiz", "Carlos Riquelme", Likeness.INITIALS, id="second-name-read-as-family"),
        pytest.param("Jiajunzhang, ", "Jiajun Zhang", Likeness.MISSPELT, id="run-together"),
        pytest.param("Wangzi Qi", "Ziqi Wang", Likeness.MISSPELT, id="split-elsewhere"),
        pytest.param("Minghui Hut", "Minghui Hu", Likeness.MISSPELT, id="letter-too-many"),
        pytest.param("Mert Grbzbalaban", "Mert Gurbuzbalaban", Likeness.MISSPELT, id="two-letters-lost"),
        pytest.param("Toms Gonzlez", "Tomas Gonzalez", Likeness.MISSPELT, id="lost-in-both-names"),
        pytest.param("Xiaoming Li", "Xiaoming Lu", Likeness.OTHER, id="short-family-exchanged"),
        pytest.param("Filip Hanzely", "Peter Richtarik Filip Hanzely", Likeness.INITIALS, id="two-people-in-one"),
        pytest.param(
            "John T. Halloran", "David M. Rocke John Halloran", Likeness.INITIALS, id="two-people-less-an-initial"
        ),
        pytest.param("Vivek Kishore", "Varsha Kishore", Likeness.GIVEN, id="given-name"),
        pytest.param("Ch. Kloc", "Christian Kloc", Likeness.INITIALS, id="two-letters-and-a-stop"),
        pytest.param("Yu. Manin", "Yuri I. Manin", Likeness.INITIALS, id="transliterated-initial"),
        pytest.param("Chr. Kloc", "Christian Kloc", Likeness.INITIALS, id="three-letters-and-a-stop"),
        pytest.param("Th. Kloc", "Christian Kloc", Likeness.GIVEN, id="other-letters-and-a-stop"),
        pytest.param("Jo Kloc", "Joseph Kloc", Likeness.GIVEN, id="two-letters-without-a-stop"),
        pytest.param("V. Kishore", "Varsha Kishore", Likeness.INITIALS, id="initial-agrees"),
        pytest.param("Li Wu", "Li Wu", Likeness.SAME, id="short-names"),
        pytest.param("Wei Li", "Wei Lu", Likeness.OTHER, id="short-names-are-compared"),
        pytest.param("X. Wang", "X. Yang", Likeness.OTHER, id="one-letter-with-initials-only"),
        pytest.param("Ada Lovelace", "Grace Hopper", Likeness.OTHER, id="other"),
        pytest.param("=OpenAI", "=OpenAI", Likeness.SAME, id="group"),
        pytest.param("=The LIGO Scientific Collaboration", "=LIGO Scientific Collaboration", Likeness.SAME, id="the"),
        pytest.param("=LSC", "=LIGO Scientific Collaboration", Likeness.SAME, id="acronym"),
        pytest.param("=Qwen Team", "=Qwen", Likeness.SAME, id="team"),
        pytest.param("DeepSeek-AI, ", "=DeepSeek-AI", Likeness.SAME, id="group-read-as-family"),
        pytest.param("=OpenAI", "=DeepMind", Likeness.OTHER, id="other-group"),
        pytest.param("=OpenAI", "Ada Lovelace", Likeness.OTHER, id="group-and-person"),
        pytest.param("=Josh Achiam", "Josh Achiam", Likeness.SAME, id="unsplit-person"),
    ],
)
def test_likeness_of_two_names(claimed: str, recorded: str, expected: Likeness) -> None:
    assert _like(claimed, recorded) is expected


@pytest.mark.parametrize("name", ["Anonymous", "N/A", "———", "___", "Unknown", "Various Authors", "no author", "..."])
def test_placeholders_are_no_one(name: str) -> None:
    assert is_placeholder(Person(literal=name))


def test_people_are_not_placeholders() -> None:
    assert not is_placeholder(Person(family="Anon", given="Jane"))
    assert is_others(Person(literal="others"))
    assert not is_others(Person(family="Others", given="Jane"))


def test_a_name_within_a_run_together_one() -> None:
    whole = ready(Person(given="OpenAI Josh", family="Achiam"))
    assert within(ready(Person(given="Josh", family="Achiam")), whole)
    assert not within(ready(Person(family="Achiam")), whole)
    assert not within(whole, whole)


@pytest.mark.parametrize(
    ("claimed", "recorded", "rule", "differences"),
    [
        pytest.param("Ada Roe; Bo Li", "Ada Roe; Bo Li", "authors_same", (), id="same"),
        pytest.param("A. Roe; B. Li", "Ada Roe; Bo Li", "authors_initials", (), id="initials"),
        pytest.param("Bo Li; Ada Roe", "Ada Roe; Bo Li", "authors_order", ("in another order",), id="order"),
        pytest.param("Ada Roe", "Ada Roe; Bo Li", "authors_incomplete", ("left out: Bo Li",), id="cut"),
        pytest.param(
            "Ada Roe",
            "Ada Roe; B C; D E; F G; H I",
            "authors_incomplete",
            ("left out: B C, D E, F G and 1 more",),
            id="cut-long",
        ),
        pytest.param("Ada Roee; Bo Li", "Ada Roe; Bo Li", "authors_misspelt", ("Ada Roee -> Ada Roe",), id="misspelt"),
        pytest.param("Li Bo; Ada Roe", "Bo Li; Ada Roe", "authors_swapped_parts", ("Li Bo -> Bo Li",), id="swapped"),
        pytest.param(
            "Ada Roe; Jane Doe; Bo Li",
            "Ada Roe; Bo Li",
            "author_not_in_record",
            ("not in the record: Jane Doe",),
            id="phantom",
        ),
        pytest.param("Cy Roe; Bo Li", "Ada Roe; Bo Li", "given_name_differs", ("Cy Roe -> Ada Roe",), id="given"),
        pytest.param(
            "Cy Fox; Di Hu", "Ada Roe; Bo Li", "authors_differ", ("Cy Fox, Di Hu -> Ada Roe, Bo Li",), id="none"
        ),
        pytest.param(
            "A B; C D; E F; G H",
            "Ada Roe",
            "authors_differ",
            ("A B, C D, E F et al. -> Ada Roe",),
            id="none-in-a-long-list",
        ),
        pytest.param("", "Ada Roe", "authors_not_cited", (), id="not-cited"),
        pytest.param("=Anonymous", "Ada Roe", "authors_placeholder", (), id="placeholder"),
        pytest.param("Ada Roe", "", "authors_not_recorded", (), id="empty-record"),
        pytest.param("Ada Roe", "=Anonymous", "authors_not_recorded", (), id="anonymous-record"),
        pytest.param("=OpenAI", "Ada Roe; Bo Li", "authors_not_comparable", (), id="group-for-persons"),
        pytest.param("Ada Roe; Bo Li", "=LIGO Collaboration", "authors_not_comparable", (), id="persons-for-group"),
        pytest.param(
            "=OpenAI", "Achiam, OpenAI Josh; Bo Li", "authors_incomplete", ("left out: Bo Li",), id="group-with-first"
        ),
        pytest.param("Bernard Ghanem; Chen Zhao", "Zhao, Bernard Ghanem Chen", "authors_initials", (), id="two-in-one"),
        pytest.param(
            "Ada Roe; =The Panel", "Ada Roe; Bo Li", "authors_incomplete", ("left out: Bo Li",), id="group-beside"
        ),
        pytest.param("Ada Roe; =The Panel", "Ada Roe", "authors_not_comparable", (), id="group-only-is-too-many"),
    ],
)
def test_lists_are_laid_side_by_side(claimed: str, recorded: str, rule: str, differences: tuple[str, ...]) -> None:
    result = compare_people(cite("T", claimed), record("T", recorded))
    assert (result.rule, result.differences) == (rule, differences)


def test_a_list_that_says_so_lacks_no_one() -> None:
    found = record("T", "Ada Roe; Bo Li; Cy Hu")
    assert compare_people(cite("T", "Ada Roe", authors_truncated=True), found).rule == "authors_same"
    assert compare_people(cite("T", "Ada Roe; =others"), found).rule == "authors_same"


def test_an_incomplete_record_makes_no_phantom() -> None:
    found = record("T", "Ada Roe", authors_complete=False)
    assert compare_people(cite("T", "Ada Roe"), found).rule == "authors_same"
    assert compare_people(cite("T", "Ada Roe; Bo Li"), found).rule == "authors_not_comparable"
    assert compare_people(cite("T", "Cy Hu", authors_truncated=True), found).rule == "authors_not_comparable"
    assert compare_people(cite("T", "Cy Hu; Di Fu"), found).rule == "authors_differ"


def test_a_record_of_first_and_last_author_run_together_makes_no_phantom() -> None:
    found = record("T", "Peter Richtarik Filip Hanzely")
    assert (
        compare_people(cite("T", "Filip Hanzely; Nikita Doikov; Peter Richtarik"), found).rule
        == "authors_not_comparable"
    )
    assert compare_people(cite("T", "Ada Roe; Bo Li"), found).rule == "authors_differ"


def test_editors_stand_in() -> None:
    assert compare_people(cite("T", "", editors="Ada Roe"), record("T", "", editors="Ada Roe")).rule == "authors_same"
    assert (
        compare_people(cite("T", "Bo Li; Ada Roe"), record("T", "Bo Li", editors="Ada Roe")).rule == "authors_initials"
    )


def test_most_invented_given_names_are_all_listed() -> None:
    recorded = "; ".join(f"{given} Li" for given in ("Ada", "Bo", "Cy"))
    result = compare_people(cite("T", "Xu Li; Yo Li; Zed Li"), record("T", recorded))
    assert result.rule == "given_name_differs"
    assert len(result.differences) == 3


def test_three_thousand_authors_are_compared_quickly() -> None:
    names = "; ".join(f"G{number} Family{number}" for number in range(3_000))
    shuffled = "; ".join(f"G{number} Family{number}" for number in reversed(range(3_000)))
    result = compare_people(cite("T", shuffled), record("T", names))
    assert result.rule == "authors_order"
    assert result.matched == 3_000
