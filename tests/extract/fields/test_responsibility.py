"""Who edited and who translated a work is no venue."""

from __future__ import annotations

import time

import pytest

from citeaudit.extract.fields.reader import read_fields


@pytest.mark.parametrize(
    ("raw", "container", "editors", "publisher"),
    [
        pytest.param(
            "K. Aurich. “On rows.” In: Handbook of Rows. Ed. by D. W. Lucas and E. Roe. Oxford: Clarendon Press, 1968",
            "Handbook of Rows",
            ["D. W. Lucas", "E. Roe"],
            "Clarendon Press",
            id="initials",
        ),
        pytest.param(
            "Aristotle. De Anima. Ed. by Robert Drew Hicks. Cambridge: Cambridge University Press, 1907.",
            None,
            ["Robert Drew Hicks"],
            "Cambridge University Press",
            id="at-the-start",
        ),
        pytest.param(
            "Müller, Anna: Die Stadt. In: Das Land. Hrsg. von K. Roe und L. Doe. Berlin: Springer, 1999, S. 3–14.",
            "Das Land",
            ["K. Roe", "L. Doe"],
            "Springer",
            id="german",
        ),
        pytest.param(
            "Weir, Ada. Rows in Motion. Trans. by P. H. Field and F. M. Corn. New York: Putnam, 1929.",
            None,
            [],
            "Putnam",
            id="translators-are-no-editors",
        ),
    ],
)
def test_people_behind_their_role(raw: str, container: str | None, editors: list[str], publisher: str) -> None:
    reference = read_fields(raw)
    assert reference.container_title == container
    assert [str(person) for person in reference.editors] == editors
    assert reference.publisher == publisher


@pytest.mark.parametrize("unit", ["Ed. by A. ", "Ed. and trans. by ", ". Ed., "])
def test_many_roles_cost_no_time(unit: str) -> None:
    start = time.process_time()
    read_fields(f"Roe, A. Rows. {unit * 1_000}")
    assert time.process_time() - start < 2
