"""Put the comparison of one field on record, by the rule that decided."""

from __future__ import annotations

from citeaudit.match.rules import RULES
from citeaudit.model import FieldMatch, FieldName, Relation

SCORE = {Relation.SAME: 1.0, Relation.VARIANT: 0.8}
"""Score of a relation where the comparison gives none of its own."""


def match_of(
    field: FieldName,
    rule: str,
    texts: tuple[str | None, str | None],
    diff: tuple[str, ...] = (),
    score: float | None = None,
) -> FieldMatch:
    """Give the match of one field; `texts` are the claimed and the found value for people, `rule` a key of `RULES`."""
    relation = RULES[rule].relation
    return FieldMatch.built(
        field=field,
        claimed=texts[0],
        found=texts[1],
        relation=relation,
        score=SCORE.get(relation, 0.0) if score is None else score,
        rule=rule,
        differences=diff,
        people=(),
    )
