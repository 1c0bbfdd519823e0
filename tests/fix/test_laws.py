"""Laws of `fix` over made entries: applied once it has no more to say, nothing else moves, nothing gets worse."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.extract.decode import decode
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.fix.document import diff
from citeaudit.model import Identifiers, Person, Work, WorkType
from citeaudit.settings import load
from tests.fix.material import LAMPS, TIDES, fixed

STRICT = load(preset="strict").policy
POSTED = LAMPS.versions[0]
_DAMAGE = ("Ã", "\ufffd", "1,2", "ØRSTED", "TIDES", "Эрстед", "n/a", "Editor", "ahead", "Orsted")


def _damaged(**update: object) -> Work:
    return TIDES.model_copy(update=update)


def _people(*names: tuple[str, str]) -> tuple[Person, ...]:
    return tuple(Person(family=family, given=given) for family, given in names)


RECORDS = st.sampled_from(
    [
        TIDES,
        LAMPS,
        LAMPS.model_copy(update={"versions": ()}),
        _damaged(title=TIDES.title.upper()),
        _damaged(title="Slow tÃ®des and the measurement of harbour walls"),
        _damaged(authors=_people(("Ørsted1,2", "Marit"), ("Quill1,2", "Jonas P."), ("van der Berg1,2", "Anneke"))),
        _damaged(authors=_people(("ØRSTED", "MARIT"), ("QUILL", "JONAS P."), ("VAN DER BERG", "ANNEKE"))),
        _damaged(authors=_people(("Эрстед", "Марит"), ("Квилл", "Йонас"))),
        _damaged(authors=_people(("Orsted", "M."), ("Quill", "J. P."), ("van der Berg", "A."))),
        _damaged(authors=_people(("Editor", "Ann"), ("Editorson", "Bo")), type=WorkType.BOOK),
        _damaged(authors=(Person(literal="Ørsted, M."), Person(literal="Quill, J. P."))),
        _damaged(pages="n/a-n/a", volume="ahead-of-print", year=2),
        _damaged(container_title="JOURNAL OF HARBOUR STUDIES", year=2015),
        _damaged(identifiers=Identifiers(arxiv_id="1403.01234"), container_title="arXiv", volume=None, pages=None),
    ]
)
TITLES = st.sampled_from(
    [
        *("{Slow} tides and the measurement\n   of harbour walls", "Slow tides and the management of {Harbour} walls"),
        *("Slow tide and the measurement of harbor walls", "{{Slow tides and measurement of harbour walls}}"),
        *("Learning to sort lamps by colour without supervision", "Learning to sort {LAMPS} by shape"),
    ]
)
NAMES = st.lists(
    st.sampled_from(
        [
            *("{\\O}rsted, Marit", "Ørsted, M.", "Jonas P. Quill", "Quil, Jonas Peter", "van der Berg, Anneke"),
            *("Berg, Anneke van der", "Farrow, Ada", "B. Winter", "Quillfeather, Mo", "{Harbour Board}", "others"),
        ]
    ),
    min_size=1,
    max_size=4,
    unique=True,
)
PLACES = st.fixed_dictionaries(
    {},
    optional={
        "year": st.sampled_from(["{2014}", "2013", '"2004"', "{2019}", '"20" # "17"', "{2014a}"]),
        "date": st.sampled_from(["{2014-05}", "{2004-05-01}"]),
        "journal": st.sampled_from(["{Journal of Harbour Studies}", "jhs", "{Nature}", "{arXiv preprint 1703.01234}"]),
        "booktitle": st.sampled_from(["{Proceedings of the Conference on Lamp Science}", '"Workshop on Lamps"']),
        "volume": st.sampled_from(["12", "{13}", "{7}"]),
        "number": st.sampled_from(["{3}", "4"]),
        "pages": st.sampled_from(["{101--119}", '"101-118"', "{1--9}", "{33--40}", "{7}"]),
        "eprint": st.sampled_from(["{1703.01234}", "{1703.99999v2}", "{arXiv:2413.01234}"]),
        "doi": st.sampled_from(["{10.5555/tides.2014_7}", "{https://doi.org/10.5555/lamps.9}", "{10.5555/zz}"]),
    },
)
KINDS = st.sampled_from(["article", "inproceedings", "misc", "phdthesis", "Book"])
HEAD = "% list\n@string{jhs = {Journal of Harbour Studies}}\n"


@st.composite
def entries(draw: st.DrawFn) -> str:
    """An entry, right or wrong in any of its fields."""
    told = {"title": f"{{{draw(TITLES)}}}", "author": f"{{{' and '.join(draw(NAMES))}}}", **draw(PLACES)}
    lines = ",\n".join(f"  {name} = {value}" for name, value in told.items())
    return f"@{draw(KINDS)}{{key,\n{lines}\n}}"


_SLOW = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@_SLOW
@given(entries(), RECORDS, st.booleans(), st.booleans())
def test_once_applied_nothing_more_is_proposed(entry: str, work: Work, strict: bool, every: bool) -> None:
    policy = STRICT if strict else None
    once = fixed((HEAD + entry).encode(), work, policy=policy, all_variants=every)
    twice = fixed(once.content, work, policy=policy, all_variants=every)
    assert twice.content == once.content
    assert twice.changes == 0


@_SLOW
@given(entries(), RECORDS)
def test_nothing_damaged_is_written(entry: str, work: Work) -> None:
    new = fixed((HEAD + entry).encode(), work, policy=STRICT).content.decode()
    told = _DAMAGE if "rsted" in entry else _DAMAGE[:-1]  # a mark that only the record could have is not missed
    assert [mark for mark in told if mark in new and mark not in entry] == []


@_SLOW
@given(
    entries(), RECORDS, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", "\n", "\n\n% end"]), st.booleans()
)
def test_line_ends_marks_and_neighbours_stay(entry: str, work: Work, end: str, tail: str, bom: bool) -> None:
    head = ("\ufeff" if bom else "") + HEAD
    old = (head + entry + tail).replace("\n", end).encode()
    new = fixed(old, work, policy=STRICT).content
    assert new.startswith(head.replace("\n", end).encode())
    assert new.endswith(("\n}" + tail).replace("\n", end).encode())
    assert new.count(b"\r\n") <= old.count(b"\r\n")  # a title over two lines may lose one
    assert (b"\n" in new.replace(b"\r\n", b"")) == (b"\n" in old.replace(b"\r\n", b""))
    (one,) = read_bibtex(decode(new).text, path="refs.bib").references
    assert one.locus.citekey == "key"


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is needed")
@pytest.mark.parametrize("tool", ["patch", "git"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("tail", ["", "\n"], ids=["no-final-line-end", "final-line-end"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte-order-mark"])
def test_the_diff_makes_the_very_bytes(tmp_path: Path, tool: str, end: str, tail: str, mark: str) -> None:
    if tool == "git" and shutil.which("git") is None:
        pytest.skip("git is needed")
    text = "@article{key, author = {Ørsted, M. and Loe, Mo and van der Berg, A.},\n year = {2014},\n title = {%s},\n"
    text = (mark + HEAD + text % TIDES.title + " journal = {Nature}}" + tail).replace("\n", end)
    old = text.encode()
    new = fixed(old, TIDES, policy=STRICT).content
    assert new != old
    (tmp_path / "refs.bib").write_bytes(old)
    (tmp_path / "refs.diff").write_bytes(diff("refs.bib", old, new))
    commands = {"patch": ["patch", "--binary", "-p0", "-i", "refs.diff"], "git": ["git", "apply", "-p0", "refs.diff"]}
    subprocess.run(commands[tool], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "refs.bib").read_bytes() == new
