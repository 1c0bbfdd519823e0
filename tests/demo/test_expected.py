"""The demo's comparison: silent where all is as planted, one sentence for each thing that is not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from citeaudit.demo.expected import Expectation, Planted, deviations, load
from citeaudit.model import (
    Alarm,
    Audit,
    Document,
    Evidence,
    FailedBlock,
    FieldMatch,
    FieldName,
    Flag,
    Locus,
    Reason,
    Reference,
    Relation,
    SelfCheck,
    Status,
    Verdict,
)

NOW = datetime(2020, 1, 2, tzinfo=UTC)
RIGHT = {
    "a": Expectation(status=Status.VERIFIED),
    "b": Expectation(status=Status.MISMATCHED, fields=frozenset({FieldName.YEAR})),
    "c": Expectation(status=Status.VERIFIED, flags=frozenset({Flag.RETRACTED})),
}


def verdict(
    index: int,
    key: str | None,
    status: Status = Status.VERIFIED,
    *,
    flags: tuple[Flag, ...] = (),
    fields: tuple[FieldName, ...] = (),
) -> Verdict:
    reference = Reference(raw=f"reference {index}", locus=Locus(citekey=key))
    same = FieldMatch(field=FieldName.TITLE, claimed="t", found="t", relation=Relation.SAME, score=1.0, rule="any")
    different = tuple(
        FieldMatch(field=name, claimed="1", found="2", relation=Relation.DIFFERENT, score=0.0, rule="any")
        for name in fields
    )
    return Verdict(
        status=status,
        alarm=Alarm.NONE,
        flags=flags,
        reasons=(Reason(code="any", text="Any reason."),),
        risk=None,
        fields=(same, *different),
        evidence=Evidence(index=index, reference=reference),
    )


A = verdict(1, "a")
B = verdict(2, "b", Status.MISMATCHED, fields=(FieldName.YEAR,))
C = verdict(3, "c", flags=(Flag.RETRACTED,))


def audit(*verdicts: Verdict, failed: tuple[FailedBlock, ...] = ()) -> Audit:
    return Audit(
        document=Document(path="x.bib", format="bibtex"),
        verdicts=verdicts,
        failed=failed,
        self_check=SelfCheck(method="entries", read=len(verdicts)),
        preset="default",
        offline=False,
        settings_hash="0" * 16,
        versions={},
        started_at=NOW,
        finished_at=NOW,
    )


def test_nothing_is_said_where_all_is_as_planted() -> None:
    assert deviations(audit(A, B, C), RIGHT) == ()


@pytest.mark.parametrize(
    ("verdicts", "sentences"),
    [
        pytest.param((A, B), ["c was not read"], id="missing"),
        pytest.param((A, B, C, C), ["c was read twice"], id="twice"),
        pytest.param((A, B, C, verdict(4, "d")), ["reference 4 is not one of the example (key d)"], id="unknown-key"),
        pytest.param((A, B, C, verdict(4, None)), ["reference 4 is not one of the example (key missing)"], id="no-key"),
        pytest.param(
            (verdict(1, "a", Status.NOT_FOUND), B, C), ["a: status NOT_FOUND, expected VERIFIED"], id="accused"
        ),
        pytest.param(
            (A, verdict(2, "b"), C),
            ["b: status VERIFIED, expected MISMATCHED", "b: differing fields none, expected year"],
            id="overlooked",
        ),
        pytest.param(
            (A, verdict(2, "b", Status.MISMATCHED, fields=(FieldName.YEAR, FieldName.TITLE)), C),
            ["b: differing fields title, year, expected year"],
            id="one-field-too-many",
        ),
        pytest.param((A, B, verdict(3, "c")), ["c: flags none, expected retracted"], id="flag-missing"),
        pytest.param(
            (verdict(1, "a", flags=(Flag.UNCITED, Flag.DUPLICATE)), B, C),
            ["a: flags duplicate, uncited, expected none"],
            id="flags-too-many",
        ),
    ],
)
def test_each_deviation_has_its_sentence(verdicts: tuple[Verdict, ...], sentences: list[str]) -> None:
    assert list(deviations(audit(*verdicts), RIGHT)) == sentences


def test_a_block_that_could_not_be_read_is_a_deviation() -> None:
    block = FailedBlock(raw="@article{", message="the entry is not closed")
    found = deviations(audit(A, B, C, failed=(block,)), RIGHT)
    assert found == ("a block could not be read: the entry is not closed",)


def test_table_is_read_by_key(tmp_path: Path) -> None:
    path = tmp_path / "planted.json"
    row = {"kind": "sound", "full": {"status": "VERIFIED"}, "offline": {"status": "UNDECIDED", "flags": ["uncited"]}}
    path.write_text(json.dumps({"a": row}), encoding="utf-8")
    assert load(path) == {
        "a": Planted(
            kind="sound",
            full=Expectation(status=Status.VERIFIED),
            offline=Expectation(status=Status.UNDECIDED, flags=frozenset({Flag.UNCITED})),
        )
    }


@pytest.mark.parametrize("text", ["", "[]", '{"a": {"kind": "sound"}}', '{"a": {"kind": "x", "full": 1}}'])
def test_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "planted.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValidationError):
        load(path)
