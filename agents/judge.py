"""Fifth agent: the verdict rules, and an opinion that may annotate or lessen."""

from __future__ import annotations

import json

from citeaudit import policy
from citeaudit.agents.model import Chat, each, prompt
from citeaudit.agents.replies import Remark, ask, printable, remark_text
from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.errors import ModelError
from citeaudit.model import Evidence, FieldMatch, Opinion, Policy, Rank, Status, Verdict
from citeaudit.seams import Judge

ASKED = frozenset({Status.UNDECIDED, Status.MISMATCHED})
"""Statuses about which a model is asked for a remark."""
MAX_VALUE = 1_000
"""Characters of one claimed or found value that are sent."""


class RulesJudge:
    """The judge that ships: no model, no opinion beyond the rules."""

    name = "rules"

    async def judge(self, evidence: Evidence) -> Opinion | None:
        """Give none: the rules have said all there is to say."""
        del evidence
        return None


class ModelJudge:
    """Asks a model for a remark where another judge has none, and there are claimed and found fields to compare.

    The model is sent these fields and nothing else. One of these serves one document.
    """

    def __init__(self, chat: Chat, first: Judge, rules: Policy, *, limit: int) -> None:
        """Keep what is asked; `limit` is the most references about which the model is."""
        self.name = chat.name
        self.asked = 0
        self.failures: list[str] = []
        """What went wrong, one a reference without a usable reply."""
        self._chat, self._first, self._rules, self._limit = chat, first, rules, limit

    async def judge(self, evidence: Evidence) -> Opinion | None:
        """Give the opinion of the first judge, else the remark of the model; never raises for the model's failure."""
        opinion = await self._first.judge(evidence)
        fields = () if opinion else comparable(policy.decide(evidence, self._rules))
        if not fields or self.asked >= self._limit:
            return opinion
        self.asked += 1
        try:
            remark = await ask(self._chat, prompt("judge"), _data(fields), Remark)
        except ModelError as error:
            self.failures.append(str(error))
            return None
        text = remark_text(remark)
        return Opinion(judge=self.name, text=text, parse_doubt=remark.parse_doubt) if text else None

    @property
    def told(self) -> str:
        """What was sent and came back, to stand in an event; empty where nothing was sent."""
        if not self.asked:
            return ""
        failed = f", {len(self.failures)} without a usable reply ({self.failures[0]})" if self.failures else ""
        return f"; fields of {self.asked} references were sent to {self.name}{failed}"


class JudgeAgent:
    """Decides every reference."""

    def __init__(self, toolbox: Toolbox) -> None:
        """Keep the toolbox."""
        self._tools = toolbox
        self._policy = toolbox.settings.policy

    async def __call__(self, evidences: tuple[Evidence, ...]) -> tuple[Verdict, ...]:
        """Give one verdict a reference, in order; repaired readings are weighed with the readings they belong to."""
        tools = self._tools
        limit = tools.settings.model.max_references
        model = ModelJudge(tools.model, tools.judge, self._policy, limit=limit) if tools.model else None
        judge = model or tools.judge
        repaired = {one.index: one for one in evidences if one.reference.repaired}
        as_read = [one for one in evidences if not one.reference.repaired]

        async def decide(evidence: Evidence) -> Verdict:
            return await self._decide(evidence, _second(evidence, repaired.get(evidence.index)), judge)

        verdicts = await each(decide, as_read)
        told = model.told if model else ""
        tools.tell(Event("judge", f"decided{told}", len(verdicts), len(verdicts)))
        return verdicts

    async def _decide(self, as_read: Evidence, repaired: Evidence | None, judge: Judge) -> Verdict:
        draft = policy.conclude(as_read, repaired, self._policy)
        opinion = await judge.judge(draft.evidence)
        if opinion is None:
            return draft
        heard = {"opinion": opinion}
        again = repaired.model_copy(update=heard) if repaired else None
        return policy.conclude(as_read.model_copy(update=heard), again, self._policy)


def comparable(draft: Verdict) -> tuple[FieldMatch, ...]:
    """Give the fields that a model would be sent about a verdict: those of the best record that is not another work."""
    if draft.status not in ASKED:
        return ()
    candidates = (one for one in draft.evidence.candidates if one.rank is not Rank.REJECTED)
    fields = draft.fields or next((one.fields for one in candidates), ())
    return tuple(match for match in fields if match.claimed and match.found)


def _data(fields: tuple[FieldMatch, ...]) -> str:
    rows = [{"field": one.field.value, "claimed": _cut(one.claimed), "found": _cut(one.found)} for one in fields]
    return json.dumps({"fields": rows}, ensure_ascii=False)


def _cut(value: str | None) -> str:
    return printable((value or "")[:MAX_VALUE])


def _second(as_read: Evidence, repaired: Evidence | None) -> Evidence | None:
    """Give a repaired reading the quotations of the reference, and how checking them went."""
    if repaired is None:
        return None
    reference = repaired.reference.model_copy(update={"quotes": as_read.reference.quotes})
    return repaired.model_copy(update={"reference": reference, "quote_checks": as_read.quote_checks})
