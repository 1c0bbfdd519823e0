"""A pipeline fails on new findings only: what was reported before, as gravely, is old."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from citeaudit import api
from citeaudit.decisions.baseline import Baseline, read_baseline
from citeaudit.decisions.saved import is_report, read_reports
from citeaudit.errors import UsageError
from citeaudit.model import (
    Alarm,
    Audit,
    FailedBlock,
    FieldName,
    Flag,
    Identifiers,
    Outcome,
    Reason,
    Reference,
    Relation,
    SelfCheck,
    Status,
    Unreadable,
    Verdict,
)
from citeaudit.report.exits import Exit, exit_code, findings
from citeaudit.report.json_report import JsonReporter
from citeaudit.settings import Settings
from tests import samples

COUNTED = Settings().policy.fail_on
ROE = samples.reference("On the reading of references", "Ada Roe", "Bo Li", year=1999, label="1")
FOX = samples.reference("A calculus of elastic shells", "Di Fox", year=1980, label="2")
EMPTY = samples.reference(None, year=None, raw="Something unreadable, n.d.", label="3")
M, N, V, U = Status.MISMATCHED, Status.NOT_FOUND, Status.VERIFIED, Status.UNDECIDED
SETTLED = (Reason(code="decided_by_person", text="Ed decided."),)


def one(status: Status = M, *flags: Flag, of: Reference = ROE, **fields: Any) -> Verdict:
    values = {"alarm": Alarm.REVIEW, **fields}
    names: tuple[str, ...] = ("reasons", "fields")
    update = {key: values.pop(key) for key in names if key in values}
    verdict = samples.verdict(status, *flags, of=of, found="Another title" if status is M else None, **values)
    return verdict.model_copy(update=update)


def differing(*claims: tuple[FieldName, str]) -> Verdict:
    verdict = one()
    match = verdict.fields[0]
    fields = tuple(match.model_copy(update={"field": field, "claimed": claimed}) for field, claimed in claims)
    return verdict.model_copy(update={"fields": fields})


def saved(tmp_path: Path, *results: Audit | Unreadable) -> Path:
    stream = io.StringIO()
    JsonReporter().write(results, stream)
    path = tmp_path / "baseline.json"
    path.write_text(stream.getvalue(), encoding="utf-8")
    return path


def baseline(tmp_path: Path, *verdicts: Verdict, **audit: Any) -> Baseline:
    held = samples.audit(*verdicts).model_copy(update=audit)
    return read_baseline(saved(tmp_path, held), COUNTED)


YEAR, TITLE = (FieldName.YEAR, "1999"), (FieldName.TITLE, "On the reading")
OLD = [
    pytest.param(one(), one(), id="the-same"),
    pytest.param(one(N), one(M), id="graver-before"),
    pytest.param(one(N), one(N), id="not-found-still"),
    pytest.param(differing(YEAR, TITLE), differing(YEAR), id="fewer-fields"),
    pytest.param(differing((FieldName.TITLE, "On the Reading!")), differing(TITLE), id="same-claim-in-another-form"),
    pytest.param(one(alarm=Alarm.STRONG), one(), id="louder-before"),
    pytest.param(one(V, Flag.RETRACTED), one(V, Flag.RETRACTED), id="the-same-notice"),
    pytest.param(one(M, Flag.RETRACTED), one(V, Flag.RETRACTED), id="notice-alone-is-left"),
    pytest.param(one(M, Flag.UNCITED), one(), id="flags-that-do-not-count"),
    pytest.param(one(), one(M, Flag.CORRECTED), id="a-new-flag-that-does-not-count"),
    pytest.param(one(of=EMPTY), one(of=EMPTY), id="too-little-cited-but-the-same-words"),
    pytest.param(
        one(M, Flag.RETRACTED, reasons=SETTLED), one(M, Flag.RETRACTED, reasons=SETTLED), id="settled-but-retracted"
    ),
]
NEW = [
    pytest.param(one(M), one(N), id="graver-status"),
    pytest.param(differing(YEAR), differing(YEAR, TITLE), id="a-further-field"),
    pytest.param(differing(YEAR), differing((FieldName.YEAR, "2001")), id="another-claim"),
    pytest.param(one(), one(alarm=Alarm.STRONG), id="louder"),
    pytest.param(one(M), one(M, Flag.RETRACTED), id="a-notice"),
    pytest.param(one(V, Flag.RETRACTED), one(V, Flag.RETRACTED, Flag.WITHDRAWN), id="a-further-notice"),
    pytest.param(one(V, Flag.RETRACTED), one(M, Flag.RETRACTED), id="a-field-beside-the-notice"),
    pytest.param(one(V), one(M), id="was-verified"),
    pytest.param(one(U), one(M), id="was-undecided"),
    pytest.param(one(of=FOX), one(), id="another-reference"),
    pytest.param(one(of=samples.reference(ROE.title, "Nora Nobody", year=1999)), one(), id="title-shared-alone"),
    pytest.param(one(M, reasons=SETTLED), one(M), id="a-decision-was-taken-back"),
    pytest.param(one(of=EMPTY), one(of=EMPTY.model_copy(update={"raw": "Something else"})), id="other-words"),
]


@pytest.mark.parametrize(("before", "after"), OLD)
def test_what_was_reported_as_gravely_is_old(tmp_path: Path, before: Verdict, after: Verdict) -> None:
    held = baseline(tmp_path, before)
    assert held.knows(after)
    audit = samples.audit(after)
    assert exit_code([audit], COUNTED) is Exit.FINDINGS or not findings(audit, frozenset(COUNTED))
    assert exit_code([audit], COUNTED, held.knows) is Exit.CLEAN


@pytest.mark.parametrize(("before", "after"), NEW)
def test_what_is_graver_or_another_is_new(tmp_path: Path, before: Verdict, after: Verdict) -> None:
    held = baseline(tmp_path, before)
    assert not held.knows(after)
    assert exit_code([samples.audit(after)], COUNTED, held.knows) is Exit.FINDINGS


def test_what_was_below_the_least_alarm_was_no_finding(tmp_path: Path) -> None:
    loud = one(alarm=Alarm.STRONG)
    assert not baseline(tmp_path, one(), least_alarm=Alarm.STRONG).knows(loud)
    assert not baseline(tmp_path, one(), least_alarm=Alarm.STRONG).knows(one())
    assert baseline(tmp_path, loud, least_alarm=Alarm.STRONG).knows(loud)
    quiet = one(M, Flag.RETRACTED)
    assert baseline(tmp_path, quiet, least_alarm=Alarm.STRONG).knows(one(V, Flag.RETRACTED))


def test_only_what_this_run_counts_is_compared(tmp_path: Path) -> None:
    path = saved(tmp_path, samples.audit(one(V), one(V, Flag.UNCITED, of=FOX)))
    held = read_baseline(path, (Status.VERIFIED, Flag.UNCITED))
    assert held.knows(one(V))
    assert held.knows(one(V, Flag.UNCITED, of=FOX))
    assert not held.knows(one(V, Flag.UNCITED))


def test_the_sentence_counts_old_new_and_gone(tmp_path: Path) -> None:
    held = baseline(tmp_path, one(), one(N, of=FOX, index=2))
    (audit,), compared = api.compare([samples.audit(one(), one(N, of=EMPTY))], held)
    assert (len(compared.old), len(compared.new), len(compared.gone)) == (1, 1, 1)
    gone = "1 went away: 2 (A calculus of elastic shells)"
    told = f"1 finding of the baseline baseline.json not counted; 1 new finding; {gone}"
    assert compared.sentence("baseline.json") == told
    assert isinstance(audit, Audit)
    assert audit.compared == told
    assert audit.notes == (told, *audit.self_check.notes)
    assert samples.audit().notes == samples.audit().self_check.notes


def test_a_graver_finding_has_not_gone_away(tmp_path: Path) -> None:
    _, compared = api.compare([samples.audit(one(N))], baseline(tmp_path, one(M)))
    assert (compared.old, compared.new, compared.gone) == ((), (one(N),), ())
    assert compared.sentence("b") == "0 findings of the baseline b not counted; 1 new finding"


def test_many_that_went_away_are_counted(tmp_path: Path) -> None:
    every = [
        one(of=samples.reference(f"A title of number {place}", "Ada Roe", label=str(place))) for place in range(12)
    ]
    _, compared = api.compare([samples.audit()], baseline(tmp_path, *every))
    assert compared.sentence("b").endswith("9 (A title of number 9) and 2 more")


def test_what_was_no_finding_cannot_go_away(tmp_path: Path) -> None:
    other = (*SETTLED, Reason(code="no_match", text="No match."))
    held = baseline(tmp_path, one(V), one(U, of=FOX), one(M, reasons=other, of=EMPTY))
    _, compared = api.compare([samples.audit()], held)
    assert compared.gone == ()
    ten = [one(of=samples.reference(f"A title of number {place}", "Ada Roe", label=None)) for place in range(10)]
    _, compared = api.compare([samples.audit()], baseline(tmp_path, *ten))
    assert compared.sentence("b").endswith("1 (A title of number 8), 1 (A title of number 9)")


def test_several_documents_are_told_apart(tmp_path: Path) -> None:
    lost = Unreadable(path="c.pdf", message="no such file; check the path")
    path = saved(tmp_path, samples.audit(one(), path="a.bib"), lost, samples.audit(one(of=FOX), path="b.bib"))
    held = read_baseline(path, COUNTED)
    results, compared = api.compare(
        [samples.audit(one(), path="a.bib"), lost, samples.audit(one(V, of=FOX), path="b.bib")], held
    )
    assert [result.compared for result in results if isinstance(result, Audit)] == [
        "1 finding of the baseline baseline.json not counted; 0 new findings",
        "0 findings of the baseline baseline.json not counted; 0 new findings",
    ]
    assert results[1] == lost
    assert len(compared.gone) == 1


DOWN = samples.lookup(Outcome.UNAVAILABLE, source="crossref")
LOST = Unreadable(path="elsewhere/a.bib", message="is empty; save it again")


def run(*verdicts: Verdict, path: str = "a.bib", check: SelfCheck | None = None, **update: Any) -> Audit:
    audit = samples.audit(*verdicts, path=path)
    return audit.model_copy(update={**update, **({"self_check": check} if check else {})})


PIECE = FailedBlock(raw="@misc{a", message="the entry could not be read")
WHOLE = SelfCheck(method="labels", read=2, expected=2)
UNJUDGED = [
    pytest.param([run(one(U))], id="undecided-now"),
    pytest.param([run(one(Status.UNPARSED))], id="unreadable-now"),
    pytest.param([run(one(V), one(U))], id="one-of-two-that-are-the-same-is-undecided"),
    pytest.param([LOST], id="the-document-was-not-read"),
    pytest.param([LOST, run(one(V, of=FOX), path="b.bib")], id="beside-one-that-was"),
    pytest.param([run(one(V, of=FOX), failed=(PIECE,))], id="a-piece-was-not-read"),
    pytest.param([run(one(V, of=FOX), path="c.bib", failed=(PIECE,))], id="of-another-name"),
    pytest.param([run(check=SelfCheck(method="labels", read=1, expected=2))], id="fewer-than-announced"),
    pytest.param([run(check=SelfCheck(method="labels", read=2, labels_missing=("1",)))], id="labels-missing"),
]
GONE = [
    pytest.param([run(one(V))], id="verified-now"),
    pytest.param([run(one(Status.NOT_CHECKABLE))], id="of-another-kind"),
    pytest.param([run(one(U, reasons=SETTLED))], id="decided-by-a-person"),
    pytest.param([run(one(V, lookups=(DOWN,)))], id="verified-beside-an-outage"),
    pytest.param([run(one(V, of=FOX), check=WHOLE)], id="no-longer-cited"),
    pytest.param([run(one(V, of=FOX), path="x/y.bib")], id="another-version-of-the-document"),
    pytest.param([run(check=SelfCheck(method="labels", read=2, expected=1))], id="more-than-announced"),
]


@pytest.mark.parametrize("results", UNJUDGED)
def test_what_was_not_judged_has_not_gone_away(tmp_path: Path, results: list[Audit | Unreadable]) -> None:
    held = read_baseline(saved(tmp_path, samples.audit(one(), path="a.bib")), COUNTED)
    _, compared = api.compare(results, held)
    assert (compared.gone, compared.unjudged) == ((), ("1 (On the reading of references)",))
    told = "0 new findings; 1 not judged this time, and kept: 1 (On the reading of references)"
    assert compared.sentence("b").endswith(told)


@pytest.mark.parametrize("results", GONE)
def test_what_was_judged_or_is_no_longer_cited_has_gone(tmp_path: Path, results: list[Audit | Unreadable]) -> None:
    held = read_baseline(saved(tmp_path, samples.audit(one(), path="a.bib")), COUNTED)
    _, compared = api.compare(results, held)
    assert (compared.gone, compared.unjudged) == (("1 (On the reading of references)",), ())


@pytest.mark.parametrize("windows", [True, False])
def test_a_document_that_was_not_asked_for_was_not_judged(tmp_path: Path, windows: bool) -> None:
    path = "old\\b.bib" if windows else "old/b.bib"
    both = (samples.audit(one(), path="a.bib"), samples.audit(one(of=FOX), path=path))
    held = read_baseline(saved(tmp_path, *both), COUNTED)
    _, compared = api.compare([run(one(V))], held)
    assert compared.gone == ("1 (On the reading of references)",)
    assert compared.unjudged == ("2 (A calculus of elastic shells)",)
    _, compared = api.compare([run(one(V)), run(path="new/b.bib")], held)
    assert len(compared.gone) == 2


def test_a_notice_has_not_gone_away_where_someone_did_not_answer(tmp_path: Path) -> None:
    held = read_baseline(saved(tmp_path, samples.audit(one(V, Flag.RETRACTED), path="a.bib")), COUNTED)
    assert api.compare([run(one(V, lookups=(DOWN,)))], held)[1].unjudged
    assert api.compare([run(one(V))], held)[1].gone


def test_what_is_new_is_marked(tmp_path: Path) -> None:
    held = baseline(tmp_path, one())
    (audit,), _ = api.compare([samples.audit(one(), one(N, of=FOX, index=2), one(V, index=3))], held)
    assert isinstance(audit, Audit)
    assert audit.new == (2,)
    assert samples.audit(one()).new is None
    results, _ = api.compare([samples.audit(one(N)), samples.audit(one())], held)
    assert [result.new for result in results if isinstance(result, Audit)] == [(1,), ()]


def test_editors_and_identifiers_come_back_from_a_report(tmp_path: Path) -> None:
    edited = ROE.model_copy(update={"authors": (), "editors": ROE.authors, "identifiers": Identifiers(doi="10.1/x")})
    assert baseline(tmp_path, one(of=edited)).knows(one(of=edited))


BROKEN = [
    pytest.param(b"{", "is no JSON report; make one", id="no-json"),
    pytest.param(b"\xff\xfe", "is no JSON report; make one", id="no-utf-8"),
    pytest.param(b"[" * 100_000, "is no JSON report; make one", id="too-deep"),
    pytest.param(b"{}", "is no JSON report of this program", id="another-object"),
    pytest.param(b"[1]", "is no JSON report of this program", id="a-list"),
    pytest.param(b"[]", "holds no report", id="nothing"),
    pytest.param(b'{"schema_version": "2.0"}', "is a report of version '2.0', and this program reads", id="later"),
    pytest.param(b'{"schema_version": "1.0", "references": 1}', "is damaged at document", id="damaged"),
]


@pytest.mark.parametrize(("data", "told"), BROKEN)
def test_what_is_no_report_is_told_in_a_sentence(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(data)
    with pytest.raises(UsageError) as caught:
        read_reports(path)
    assert told in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_missing_or_endless_report_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name one that is there"):
        read_reports(tmp_path / "none.json")
    path = tmp_path / "endless.json"
    with path.open("wb") as stream:
        stream.truncate(513 * 2**20)
    with pytest.raises(UsageError, match="larger than 512 MB"):
        read_reports(path)


def test_older_and_later_reports_of_this_version_are_read(tmp_path: Path) -> None:
    path = saved(tmp_path, samples.audit(one()))
    data = json.loads(path.read_text())
    del data["least_alarm"], data["compared"]
    for row in data["references"]:
        del row["editors"], row["remark"], row["decision"]
        row["mood"] = "new"
    path.write_text("\ufeff" + json.dumps({**data, "schema_version": "1.0"}), encoding="utf-8")
    assert read_baseline(path, COUNTED).knows(one())


def test_reports_are_told_from_other_files(tmp_path: Path) -> None:
    assert is_report(saved(tmp_path, samples.audit(one())))
    other = tmp_path / "csl.json"
    other.write_text('[{"title": "x"}]')
    assert not is_report(other)
    assert not is_report(tmp_path / "none")
    assert not is_report(Path("a\0b"))


def test_a_difference_counts_only_where_fields_differ(tmp_path: Path) -> None:
    verdict = one()
    variant = verdict.fields[0].model_copy(update={"relation": Relation.VARIANT, "field": FieldName.YEAR})
    assert baseline(tmp_path, verdict).knows(verdict.model_copy(update={"fields": (*verdict.fields, variant)}))
    missing = verdict.fields[0].model_copy(update={"claimed": None})
    assert not baseline(tmp_path, verdict).knows(verdict.model_copy(update={"fields": (missing,)}))
