"""Names are read as printed: families, given names, bodies, lists."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.model import Person
from citeaudit.text.names import is_group, is_initials, parse_bibtex_people, parse_people, parse_person


def short(person: Person) -> str:
    """`family|given|suffix`, or `=literal`."""
    if person.literal:
        return f"={person.literal}"
    return "|".join(part or "" for part in (person.family, person.given, person.suffix)).rstrip("|")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Lovelace, Ada", "Lovelace|Ada", id="family-first"),
        pytest.param("Ada Lovelace", "Lovelace|Ada", id="given-first"),
        pytest.param("A. K. Lovelace", "Lovelace|A. K.", id="initials-first"),
        pytest.param("Ada K Lovelace", "Lovelace|Ada K", id="bare-middle-initial"),
        pytest.param("Ford, Jr., Henry", "Ford|Henry|Jr.", id="bibtex-suffix"),
        pytest.param("Ford, Henry, III", "Ford|Henry|III", id="suffix-last"),
        pytest.param("Henry Ford III", "Ford|Henry|III", id="suffix-direct"),
        pytest.param("Ludwig van Beethoven", "van Beethoven|Ludwig", id="particle"),
        pytest.param("van der Berg, Jan", "van der Berg|Jan", id="particles-first"),
        pytest.param("Goethe, Johann Wolfgang von", "von Goethe|Johann Wolfgang", id="particle-after-given"),
        pytest.param("Baldassarre ME", "Baldassarre|M. E.", id="glued"),
        pytest.param("van der Waals JD", "van der Waals|J. D.", id="glued-particles"),
        pytest.param("Serre J-P", "Serre|J.-P.", id="glued-hyphen"),
        pytest.param("Smith J. A.", "Smith|J. A.", id="dotted-after"),
        pytest.param("P.N.Hilbert", "Hilbert|P.N.", id="no-space"),
        pytest.param("Müßig, Karl", "Müßig|Karl", id="marks"),
        pytest.param("Foltyn‐Dumitru, Martha", "Foltyn‐Dumitru|Martha", id="unicode-hyphen"),
        pytest.param("Nuno Santos 0001", "Santos|Nuno", id="dblp-number"),
        pytest.param("Prof. Dr. Ada Lovelace", "Lovelace|Ada", id="titles"),
        pytest.param("Aristotle", "Aristotle", id="mononym"),
        pytest.param("OpenAI", "=OpenAI", id="camel-body"),
        pytest.param("Qwen Team", "=Qwen Team", id="team"),
        pytest.param("DeepSeek-AI", "=DeepSeek-AI", id="hyphen-body"),
        pytest.param("LIGO Scientific Collaboration", "=LIGO Scientific Collaboration", id="collaboration"),
        pytest.param("Department of Trade, Energy Office", "=Department of Trade, Energy Office", id="body-with-comma"),
        pytest.param("Aé Roe", "Roe|Aé", id="short-name-with-a-mark"),
        pytest.param("???", "=???", id="no-letters"),
        pytest.param("", "=?", id="empty"),
    ],
)
def test_person_is_read(text: str, expected: str) -> None:
    assert short(parse_person(text)) == expected


@pytest.mark.parametrize(
    ("latex", "expected", "truncated"),
    [
        pytest.param("Lovelace, Ada and Babbage, Charles", ["Lovelace|Ada", "Babbage|Charles"], False, id="two"),
        pytest.param("Ada Lovelace and others", ["Lovelace|Ada"], True, id="others"),
        pytest.param("Ada Lovelace et al.", ["Lovelace|Ada"], True, id="et-al"),
        pytest.param("Ada Lovelace and {others}", ["Lovelace|Ada"], True, id="braced-others"),
        pytest.param(r"{\'A}d{\'a}m, J. and Heged{\H u}s, B.", ["Ádám|J.", "Hegedűs|B."], False, id="accents"),
        pytest.param("{{Eckel-Passow}, Jeanette E.}", ["Eckel-Passow|Jeanette E."], False, id="protected-person"),
        pytest.param("{OpenAI} and Achiam, Josh", ["=OpenAI", "Achiam|Josh"], False, id="body-and-person"),
        pytest.param("{Barnes and Noble}", ["=Barnes and Noble"], False, id="protected-and"),
        pytest.param(
            "{Smith, Jones and Partners Institute}", ["=Smith, Jones and Partners Institute"], False, id="body-comma"
        ),
        pytest.param("Jean {de la Fontaine}", ["de la Fontaine|Jean"], False, id="protected-family"),
        pytest.param("{van der Berg}, Jan", ["van der Berg|Jan"], False, id="braced-particles"),
        pytest.param(
            "Charles Louis Xavier Joseph de la Vall{\\'e}e Poussin",
            ["de la Vallée Poussin|Charles Louis Xavier Joseph"],
            False,
            id="von-part",
        ),
        pytest.param("Lovelace, Ada\nand\nBabbage, Charles", ["Lovelace|Ada", "Babbage|Charles"], False, id="lines"),
        pytest.param("Ada Lovelace and ", ["Lovelace|Ada"], False, id="dangling-and"),
        pytest.param("Ferdinand, Anders", ["Ferdinand|Anders"], False, id="and-inside-words"),
        pytest.param("{", [], False, id="only-brace"),
        pytest.param("", [], False, id="empty"),
    ],
)
def test_bibtex_list_is_read(latex: str, expected: list[str], truncated: bool) -> None:
    people, cut = parse_bibtex_people(latex)
    assert [short(person) for person in people] == expected
    assert cut is truncated


@pytest.mark.parametrize(
    ("text", "expected", "truncated"),
    [
        pytest.param("Lovelace, A. K., Smith, J.", ["Lovelace|A. K.", "Smith|J."], False, id="initials-are-no-authors"),
        pytest.param("Zink, J. E., & Wald, H. J.", ["Zink|J. E.", "Wald|H. J."], False, id="apa"),
        pytest.param("L. Rabiner and B. Juang", ["Rabiner|L.", "Juang|B."], False, id="initials-first"),
        pytest.param("Baldassarre ME, Kenter RMF", ["Baldassarre|M. E.", "Kenter|R. M. F."], False, id="vancouver"),
        pytest.param("Amal Al Noor and Ilan Bit", ["Noor|Amal Al", "Bit|Ilan"], False, id="full"),
        pytest.param("Ada B. One, Cy Two, et al.", ["One|Ada B.", "Two|Cy"], True, id="et-al"),
        pytest.param("Ada B. One, Cy Two and others", ["One|Ada B.", "Two|Cy"], True, id="others"),
        pytest.param("Ada One u. a.", ["One|Ada"], True, id="german-et-al"),
        pytest.param("Ada One, et al., and Zoe Last", ["One|Ada", "Last|Zoe"], True, id="last-after-et-al"),
        pytest.param("Ada et al. Lovelace", ["Lovelace|Ada"], True, id="split-by-et-al"),
        pytest.param("North, R. J./South, N. G.", ["North|R. J.", "South|N. G."], False, id="slash"),
        pytest.param("Sánchez Berg, Otto; Lund, Dora", ["Sánchez Berg|Otto", "Lund|Dora"], False, id="semicolon"),
        pytest.param("Print, Laura, John Bourne", ["Print|Laura", "Bourne|John"], False, id="first-inverted"),
        pytest.param("Reader, Ruth N.", ["Reader|Ruth N."], False, id="one-inverted"),
        pytest.param("Stein, V. und P. Muster", ["Stein|V.", "Muster|P."], False, id="german-and"),
        pytest.param("Silva, Ana e Costa, Rui", ["Silva|Ana", "Costa|Rui"], False, id="portuguese-and"),
        pytest.param("Smith, Jones and Brown", ["Smith", "Jones", "Brown"], False, id="families-alone"),
        pytest.param("Berg, Jürgen and Döring, Nora", ["Berg|Jürgen", "Döring|Nora"], False, id="pairs"),
        pytest.param("SMITH, Ada, DOE, John", ["SMITH|Ada", "DOE|John"], False, id="capital-families"),
        pytest.param(
            "Prado Mar, Miguel, José Real-Luz", ["Prado Mar|Miguel", "Real-Luz|José"], False, id="double-family"
        ),
        pytest.param("King, Martin Luther, Jr.", ["King|Martin Luther|Jr"], False, id="junior"),
        pytest.param("Robert Foo, Jr., and Ada Bar", ["Foo|Robert|Jr", "Bar|Ada"], False, id="junior-in-list"),
        pytest.param("de Roo, P. J., van Dam, A.", ["de Roo|P. J.", "van Dam|A."], False, id="particles"),
        pytest.param("PrintologyAI, :, Luke Mere", ["=PrintologyAI", "Mere|Luke"], False, id="body-first"),
        pytest.param("Müller, H. (Hrsg.)", ["Müller|H."], False, id="role"),
        pytest.param("张三, 李四", ["张三", "李四"], False, id="cjk"),
        pytest.param("OpenAI", ["=OpenAI"], False, id="body"),
        pytest.param("———. ", [], False, id="ditto"),
        pytest.param("___, and Ada One", ["One|Ada"], False, id="ditto-and"),
        pytest.param("", [], False, id="empty"),
    ],
)
def test_printed_list_is_read(text: str, expected: list[str], truncated: bool) -> None:
    people, cut = parse_people(text)
    assert [short(person) for person in people] == expected
    assert cut is truncated


@pytest.mark.parametrize(
    ("text", "group", "initials"),
    [
        pytest.param("World Health Organization", True, False, id="body"),
        pytest.param("Ada Lovelace", False, False, id="person"),
        pytest.param("J.-P.", False, True, id="initials"),
        pytest.param("T M", False, True, id="bare"),
        pytest.param("A B C D E F G", False, False, id="too-many"),
        pytest.param("", False, False, id="empty"),
    ],
)
def test_bodies_and_initials_are_told_apart(text: str, group: bool, initials: bool) -> None:
    assert is_group(text) is group
    assert is_initials(text) is initials


def test_three_thousand_authors_are_read_quickly() -> None:
    latex = " and ".join(rf"M{{\"u}}ller{number}, Karl" for number in range(3_000))
    printed = ", ".join(f"K. Name{number}" for number in range(3_000))
    started = time.perf_counter()
    assert len(parse_bibtex_people(latex)[0]) == 3_000
    assert len(parse_people(printed)[0]) == 3_000
    assert time.perf_counter() - started < 30


@given(st.text(alphabet="AaBb éß.,;&-{}'\\ \n", max_size=60))
def test_any_text_gives_people_with_a_name(text: str) -> None:
    for people, _ in (parse_people(text), parse_bibtex_people(text)):
        assert all(person.family or person.literal or person.given for person in people)


@pytest.mark.parametrize("unit", ["a ", "and ", ", ", "A. ", "{", "et al. ", "A, "])
def test_hostile_lists_are_read_in_linear_time(unit: str) -> None:
    started = time.perf_counter()
    parse_people(unit * 20_000)
    parse_bibtex_people(unit * 20_000)
    assert time.perf_counter() - started < 30


@pytest.mark.parametrize(
    ("listed", "families"),
    [
        pytest.param("Poe, M. I., & Roe y Arcas, B.", ["Poe", "Roe y Arcas"], id="ampersand"),
        pytest.param("Poe, Brendan, Eider Coe, and Blaise Roe y Arcas", ["Poe", "Coe", "Roe y Arcas"], id="and"),
        pytest.param("Roe y Arcas B, Poe MI", ["Roe y Arcas", "Poe"], id="glued"),
        pytest.param("Roe y Arcas, B., Poe, M. I.", ["Roe y Arcas", "Poe"], id="inverted"),
        pytest.param("Blaise Roe y Arcas", ["Roe y Arcas"], id="alone"),
        pytest.param("García, J. y López, P.", ["García", "López"], id="conjunction-after-initials"),
        pytest.param("Ada García y Bea López", ["García", "López"], id="conjunction-between-full-names"),
        pytest.param("García y López", ["García", "López"], id="conjunction-between-family-names"),
        pytest.param("Poe, Diederik P., and Jimmy Ba.", ["Poe", "Ba"], id="short-last-name"),
        pytest.param("Press, W. H., Roe, S. A., & Poe, B. P.", ["Press", "Roe", "Poe"], id="press"),
        pytest.param("W. H. Press and S. A. Roe", ["Press", "Roe"], id="press-in-order"),
        pytest.param("Press WH", ["Press"], id="press-glued"),
        pytest.param("Group, John A.", ["Group"], id="group"),
    ],
)
def test_odd_family_names_stay_whole(listed: str, families: list[str]) -> None:
    assert [person.family for person in parse_people(listed)[0]] == families


@pytest.mark.parametrize(
    "body", ["World Bank", "Academic Press", "J. Craig Poe Institute", "R Core Team", "Consortium"]
)
def test_bodies_stay_bodies(body: str) -> None:
    assert parse_people(body)[0][0].literal == body


@pytest.mark.parametrize(
    ("latex", "families"),
    [
        pytest.param(
            r"D. Bates, M. M{\"a}chler, B. Bolker, S. Walker", ["Bates", "Mächler", "Bolker", "Walker"], id="direct"
        ),
        pytest.param("Hochreiter S, Schmidhuber J", ["Hochreiter", "Schmidhuber"], id="vancouver"),
        pytest.param("King, Jr, Martin Luther", ["King"], id="suffix"),
        pytest.param("Dayan, Peter and Abbott, L. F.", ["Dayan", "Abbott"], id="as-it-should-be"),
        pytest.param("van der Berg, Jan Peter", ["van der Berg"], id="one-name"),
    ],
)
def test_commas_in_place_of_and_still_part_people(latex: str, families: list[str]) -> None:
    assert [person.family for person in parse_bibtex_people(latex)[0]] == families
