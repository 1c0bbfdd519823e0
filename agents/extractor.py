"""First agent: from an extraction to one open file of evidence a reference, and a second where a model reads anew."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from citeaudit.agents.model import Chat, each, prompt
from citeaudit.agents.printed import is_printed
from citeaudit.agents.replies import Reading, ask, printable
from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.errors import ModelError
from citeaudit.identifiers import clean_arxiv_id, clean_doi
from citeaudit.match.duplicates import find_duplicates
from citeaudit.model import Evidence, Extraction, Person, Reference

UNCLEAR = 0.6
"""Parse score under which a reference is read anew: of such readings about half are wrong, above it three in four are
right (docs/models/reference-labels.md)."""
MAX_SENT = 4_000
"""Characters of a reference that is sent; what is longer is no reference but a piece of the document."""
REPAIRED_SCORE = 0.5
"""Parse score of a repaired reading: enough to be looked up, too little for a STRONG alarm (`SOUND_PARSE`)."""

_TRUNCATED = re.compile(r"\bet\.?\s?al\b|\band others\b|\bu\.\s?a\.", re.IGNORECASE)


class ExtractorAgent:
    """Opens the evidence of every reference and notes duplicates.

    With a model configured, references that the reader scored low are read anew. Such a reading is a second file of
    evidence under the same index, behind all others; the first goes its way as it would without a model, and the
    judge brings the two together.
    """

    def __init__(self, toolbox: Toolbox) -> None:
        """Keep the toolbox."""
        self._tools = toolbox

    async def __call__(self, extraction: Extraction) -> tuple[Evidence, ...]:
        """Give the evidence to be filled, in the order of the document, then that of repaired readings."""
        originals = find_duplicates(extraction.references)
        count = len(extraction.references)
        self._tools.tell(Event("extractor", f"{count} references read", count, count, extraction.path))
        evidences = tuple(_opened(place, extraction.references, originals.get(place)) for place in range(1, count + 1))
        if self._tools.model is None:
            return evidences
        return evidences + await self._repair(evidences, self._tools.model)

    async def _repair(self, evidences: tuple[Evidence, ...], chat: Chat) -> tuple[Evidence, ...]:
        sent = unclear([one.reference for one in evidences], self._tools.settings.model.max_references)
        if not sent:
            return ()
        self._tools.tell(Event("extractor", f"sending {len(sent)} unclear references to {chat.name}", 0, len(sent)))
        failures: list[str] = []

        async def read(place: int) -> Evidence | None:
            evidence = evidences[place]
            try:
                repaired = await read_anew(evidence.reference, chat)
            except ModelError as error:
                failures.append(str(error))
                return None
            # Quotations wait with the first reading; whichever verdict stands, they are checked once.
            update = {"reference": repaired and repaired.model_copy(update={"quotes": ()})}
            return evidence.model_copy(update=update) if repaired else None

        repaired = tuple(one for one in await each(read, sent) if one is not None)
        reason = f"; {len(failures)} without a usable reply ({failures[0]})" if failures else ""
        message = f"{len(repaired)} of {len(sent)} read anew{reason}"
        self._tools.tell(Event("extractor", message, len(sent), len(sent)))
        return repaired


def _opened(place: int, references: Sequence[Reference], original: int | None) -> Evidence:
    """Give the evidence of the reference at a place (from 1), which may repeat an earlier one."""
    first = references[original - 1].locus if original else None
    named = (first.label or first.citekey) if first else None
    return Evidence(index=place, reference=references[place - 1], duplicate_of=original, duplicate_label=named)


def unclear(references: Sequence[Reference], limit: int) -> tuple[int, ...]:
    """Give the places (from 0) of the references whose `raw` a model would be sent, at most `limit`."""
    places = (
        place
        for place, reference in enumerate(references)
        if reference.parse_score < UNCLEAR and len(reference.raw) <= MAX_SENT and reference.raw.strip()
    )
    return tuple(place for _, place in zip(range(limit), places, strict=False))


async def read_anew(reference: Reference, chat: Chat) -> Reference | None:
    """Give a reference as a model reads it, or `None` where its reading is not printed or brings nothing.

    Raises:
        ModelError: No usable reply.
    """
    data = json.dumps({"reference": printable(reference.raw)}, ensure_ascii=False)
    return repair(reference, await ask(chat, prompt("extractor"), data, Reading))


def repair(reference: Reference, reading: Reading) -> Reference | None:
    """Give the reference with the fields of a reading.

    Returns:
        `None` unless all of the reading is printed in `raw`, it is enough to look the work up, and it differs from
        what was read. Raw text, place and quotations stay; so do identifiers that were read already, which may come
        from links.
    """
    enough = reading.title or (reading.container_title and reading.volume)
    if not enough or not is_printed(reading, reference.raw):
        return None
    ids = {"doi": clean_doi(reading.doi), "arxiv_id": clean_arxiv_id(reading.arxiv_id)}
    held = dict(reference.identifiers.pairs())
    missing = {name: value for name, value in ids.items() if value and name not in held}
    fields = {
        "title": reading.title,
        "authors": tuple(Person(family=one.family, given=one.given, literal=one.literal) for one in reading.authors),
        "authors_truncated": reference.authors_truncated or _TRUNCATED.search(reference.raw) is not None,
        "year": reading.year,
        "container_title": reading.container_title,
        "volume": reading.volume,
        "issue": reading.issue,
        "pages": reading.pages,
        "identifiers": reference.identifiers.model_copy(update=missing),
        "type": reading.type,
    }
    if reference.model_copy(update=fields) == reference:
        return None
    score = max(reference.parse_score, REPAIRED_SCORE)
    return reference.model_copy(update={**fields, "parse_score": score, "repaired": True})
