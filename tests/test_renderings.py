"""A true work stays VERIFIED however a style prints it, and when the marks on its letters are lost."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.model import Person, Status, Work


def _load() -> ModuleType:
    path = Path(__file__).parents[1] / "benchmarks" / "renderings.py"
    spec = importlib.util.spec_from_file_location("renderings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["renderings"] = module
    spec.loader.exec_module(module)
    return module


renderings = _load()

GIVEN = ["Ada", "Björn", "Céline", "Dino M.", "Eva Maria", "Ford", "Gül", "Hana", "Iñigo", "Jean-Luc"]
FAMILIES = ["Roe", "Müßig", "Doğan", "Östergren", "van der Berg", "Núñez", "Hartmann", "Li", "Kowalska", "Smith"]
TOPICS = [
    "quiet growth of coastal dune grasses",
    "sparse codes for narrow channels",
    "sediment transport beneath winter storms",
    "bounded walks on random lattices",
    "late harvests in northern valleys",
]
FRAMES = [
    "On the {}",
    "A survey of {}",
    "Measuring {} with small sensors",
    "Why {} matter: evidence from {year} fields",
]
VENUES = ["Journal of Widget Research", "Annals of Quiet Studies", "Proceedings of the Conference on Dunes"]
PEOPLE = st.lists(
    st.builds(Person, given=st.sampled_from(GIVEN), family=st.sampled_from(FAMILIES)),
    min_size=1,
    max_size=8,
    unique_by=lambda person: person.family,
).map(tuple)


def _work(authors: tuple[Person, ...], topic: str, frame: str, venue: str, year: int) -> Work:
    title = frame.format(topic, year="open")
    places = {"container_title": venue, "volume": str(year - 1970), "pages": f"{year - 1900}-{year - 1890}"}
    return Work(source="made", source_id=title, title=title, authors=authors, year=year, **places)


WORKS = st.builds(
    _work, PEOPLE, st.sampled_from(TOPICS), st.sampled_from(FRAMES), st.sampled_from(VENUES), st.integers(1985, 2024)
)


@pytest.mark.parametrize("style", sorted(renderings.STYLES))
@settings(deadline=None, max_examples=8, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(work=WORKS)
def test_a_true_work_stays_verified(style: str, work: Work) -> None:
    text = renderings.render(work, style)
    for printed in (text, renderings.unmarked(text)):
        verdict = renderings.check(printed, work)
        assert verdict is not None, printed
        assert verdict.status is Status.VERIFIED, (printed, verdict.fields)


def test_marks_are_dropped_and_letters_stay() -> None:
    assert renderings.unmarked("Müßig, Doğan, Östergren") == "Mußig, Dogan, Ostergren"
