from __future__ import annotations

import pytest

from citeaudit.pdf.glyphs import meanings, replace, table


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param("con\ue104icts and in\ue104uence", "conflicts and influence", id="inferred"),
        pytest.param("the e\ue105ect of di\ue105erent o\ue105ers", "the effect of different offers", id="another"),
        pytest.param("\uf001rst \uf002ow", "first flow", id="assigned"),
        pytest.param("x\ue777y", "x\ue777y", id="unknown"),
        pytest.param("e\ufffdect, di\ufffderent, Ho\ufffdman", "effect, different, Hoffman", id="no-code-at-all"),
        pytest.param("e\ufffdect, (E)-\ufffd-farnesene", "effect, (E)-\ufffd-farnesene", id="symbol-stays"),
        pytest.param("e\ufffdect, \ufffdrst, \ufffdnd", "e\ufffdect, \ufffdrst, \ufffdnd", id="several-ligatures"),
    ],
)
def test_private_characters_get_the_letters_their_words_tell(text: str, read: str) -> None:
    assert replace(text, meanings([text])) == read


def test_table_holds_single_characters_and_lower_case_stems() -> None:
    known, stems = table()
    assert all(len(char) == 1 for char in known)
    assert all(stem == stem.lower() for found in stems.values() for stem in found)


def test_glyphs_without_a_name_are_told_apart_by_font_and_number() -> None:
    from citeaudit.pdf.glyphs import UNNAMED, Unnamed

    unnamed = Unnamed()
    words = [
        ("e\ufffdect", "e\x1bect"),
        ("speci\ufffdc", "speci\x1cc"),
        ("Ho\ufffdman", "Ho\x1bman"),
        ("x\ufffd", "xy\x1b"),
    ]
    told = [unnamed.tell(text, numbered, "F1") for text, numbered in words]
    assert [replace(text, meanings(told)) for text in told] == ["effect", "specific", "Hoffman", "x\ufffd"]
    other = unnamed.tell("a\ufffdb", "a\x1bb", "F2")
    assert other not in told
    assert UNNAMED.sub("\ufffd", other) == "a\ufffdb"
