"""Files are changed in the wrong values alone, whatever the rest looks like, and stay put right."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.fix.document import diff
from citeaudit.model import Policy, Relation, Status
from tests.fix.material import fixed, verdicts

RIGHT = r"""@article{tides,
  author = {{\O}rsted, Marit and Quill, Jonas P. and van der Berg, Anneke},
  title = {Slow tides and the measurement of harbour walls},
  journal = {Journal of Harbour Studies},
  year = {2014},
  volume = 12, number = {3}, pages = {101--119},
  doi = {10.5555/tides.2014_7}
}
"""

NASTY = {
    "comments": "% above\n{}\n% below @article{{no, title={{x}}}}\n@comment{{ @article{{x, year=1}} }}\n",
    "windows": "{}",
    "mark": "{}",
    "strings": '@string{{jhs = "Journal of Harbour Studies"}}\n{}',
    "preamble": '@preamble{{"\\newcommand{{\\x}}{{y}}"}}\n\n\n{}',
    "no-end": "{}",
    "two-a-line": "@misc{{one, title={{Nothing that is known anywhere at all}}}} {}",
    "broken-neighbour": "{}\n@article{{broken, title = {{never closed\n\n",
}


def _wrapped(name: str, entry: str) -> bytes:
    text = NASTY[name].format(entry)
    if name == "windows":
        text = text.replace("\n", "\r\n")
    if name == "no-end":
        text = text.rstrip("\n")
    if name == "strings":
        text = text.replace("{Journal of Harbour Studies}", "jhs")
    return (b"\xef\xbb\xbf" if name == "mark" else b"") + text.encode()


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        pytest.param("tides and the measurement", "tides and the painting", id="title"),
        pytest.param("Quill, Jonas P.", "Moor, Edda", id="author"),
        pytest.param("{2014}", "{2009}", id="year"),
    ],
)
def test_a_wrong_value_is_put_right_and_nothing_else_moves(name: str, right: str, wrong: str) -> None:
    good = _wrapped(name, RIGHT)
    bad = _wrapped(name, RIGHT.replace(right, wrong))
    assert good != bad
    result = fixed(bad)
    assert result.content == good
    assert result.changes == 1
    assert fixed(result.content).content == good


@pytest.mark.parametrize("name", NASTY)
def test_with_nothing_wrong_the_bytes_are_the_same(name: str) -> None:
    good = _wrapped(name, RIGHT)
    result = fixed(good)
    assert (result.content, result.changes) == (good, 0)
    assert diff("refs.bib", good, result.content) == b""


def test_after_the_change_no_field_differs() -> None:
    bad = RIGHT.replace("tides and the", "tides and a painting of the").replace("{2014}", "{2001}").encode()
    assert [one.status for one in verdicts(bad)] == [Status.MISMATCHED]
    result = fixed(bad)
    again = verdicts(result.content)
    assert [one.status for one in again] == [Status.VERIFIED]
    assert all(match.relation is not Relation.DIFFERENT for one in again for match in one.fields)


def test_a_doubled_key_changes_the_entry_that_is_wrong() -> None:
    bad = RIGHT + RIGHT.replace("{2014}", "{2001}") + RIGHT
    assert fixed(bad.encode()).content == (RIGHT * 3).encode()


def test_two_equal_entries_on_one_line_are_both_changed() -> None:
    line = " ".join(RIGHT.split()).replace("{2014}", "{2001}")
    result = fixed(f"{line} {line}".encode())
    assert result.content == f"{line} {line}".replace("{2001}", "{2014}").encode()
    assert result.changes == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param('year = "2009"', 'year = "2014"', id="quotes"),
        pytest.param("year = 2009", "year = 2014", id="bare"),
        pytest.param("year = {2009a}", "year = {2014a}", id="letter"),
        pytest.param("date = {2009-05-02}", "date = {2014-05-02}", id="date"),
        pytest.param("YEAR={{2009}}", "YEAR={{2014}}", id="doubled-braces"),
        pytest.param("month = may, year = 2009", "month = may, year = 2014", id="month"),
        pytest.param('year = "20" # "09"', 'year = "2014"', id="joined"),
    ],
)
def test_values_keep_their_delimiters(before: str, after: str) -> None:
    bad, good = (RIGHT.replace("year = {2014}", told) for told in (before, after))
    assert fixed(bad.encode()).content.decode() == good


def test_a_letter_with_a_mark_is_written_as_the_file_writes_it() -> None:
    wrong = RIGHT.replace(r"{\O}rsted, Marit", "Moor, Edda")
    assert rb"{{\O}rsted, Marit and Quill, Jonas P. and" in fixed(wrong.encode()).content
    marked = "% Überblick\n" + wrong
    assert "{Ørsted, Marit and Quill, Jonas P. and" in fixed(marked.encode()).content.decode()
    legacy = marked.encode("cp1252")
    content = fixed(legacy).content
    assert content.startswith("% Überblick\n".encode("cp1252"))
    assert rb"{{\O}rsted, Marit" in content


def test_a_legacy_file_keeps_every_byte_elsewhere() -> None:
    text = "% Stra\xdfe \x85 \x93so\x94 \xe9\n" + RIGHT.replace("{2014}", "{2001}").replace("\n", "\r\n")
    assert fixed(text.encode("latin-1")).content == text.replace("{2001}", "{2014}").encode("latin-1")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_file_of_wide_characters_is_left_alone_and_told(encoding: str) -> None:
    bad = RIGHT.replace("{2014}", "{2001}").encode(encoding)
    result = fixed(bad)
    if encoding != "utf-16-le":
        assert result.content == bad
        assert "save it as UTF-8" in result.done[0].left[0]
    else:
        assert result.content.decode(encoding) == RIGHT or result.content == bad


def test_a_file_that_has_changed_meanwhile_is_left_alone() -> None:
    from citeaudit.fix.document import Task, fix
    from citeaudit.fix.plan import plan

    bad = RIGHT.replace("{2014}", "{2001}")
    tasks = [Task(one.evidence.reference, plan(one)) for one in verdicts(bad.encode())]
    for other in (bad.replace("volume", "number"), "", "\n" + bad):
        result = fix(other.encode(), tasks)
        assert (result.content, result.changes) == (other.encode(), 0)
        assert len(result.done[0].left) == 1


def test_the_diff_is_one_that_patch_takes(tmp_path: Path) -> None:
    old = ("% \xdc\r\n" + RIGHT.replace("{2014}", "{2001}").rstrip("\n") + "\r\n\tx").encode("latin-1")
    new = fixed(old).content
    shown = diff("my refs.bib", old, new)
    assert shown.startswith(b"--- my refs.bib\t\n+++ my refs.bib\t\n@@ ")
    assert shown.endswith(b"+\tx\n\\ No newline at end of file\n") or b"\\ No newline" in shown or new.endswith(b"x")
    (tmp_path / "my refs.bib").write_bytes(old)
    done = subprocess.run(["git", "apply", "-p0"], cwd=tmp_path, input=shown, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "my refs.bib").read_bytes() == new


def test_a_last_line_without_end_stays_one() -> None:
    shown = diff("a.bib", b"one\ntwo", b"one\nthree")
    assert shown == (
        b"--- a.bib\n+++ a.bib\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+three\n"
        b"\\ No newline at end of file\n"
    )


@settings(max_examples=60, deadline=None)
@given(
    st.text('ab%@{}"\\\r\n,=#é ', max_size=40),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["2014", "2001"]),
)
def test_what_stands_around_an_entry_is_never_touched(junk: str, end: str, year: str) -> None:
    entry = RIGHT.replace("{2014}", f"{{{year}}}").replace("\n", end)
    tail = f"{end}% {junk.replace('@', '')}{end}"
    content = (f"% head{end}" + entry + tail).encode()
    result = fixed(content)
    assert result.content == content.replace(b"{2001}", b"{2014}")


def test_strict_presets_change_slips_but_not_other_forms() -> None:
    policy = Policy(counted=("year_off_by_one", "authors_initials", "venue_abbreviated"))
    bad = RIGHT.replace("{2014}", "{2015}").replace("Quill, Jonas P.", "Quill, J.").replace("Journal of", "J.")
    result = fixed(bad.encode(), policy=policy)
    assert result.content.decode() == bad.replace("{2015}", "{2014}")
