"""What a publisher's page says in its head that the article cites: `citation_reference` entries.

Format: `citation_title=...;citation_author=...;citation_journal_title=...` (Highwire tags), or the reference as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeaudit.extract.fields.reader import read_fields
from citeaudit.extract.markup.assemble import Found
from citeaudit.extract.markup.typed import composed, matching, together
from citeaudit.extract.tagged.record import Record, pages
from citeaudit.model.reference import Locus, Reference, WorkType

_FIELD = re.compile(r"(?:^|;)\s{0,5}citation_([a-z_]{2,40})\s{0,3}=\s{0,3}")


def published(content: str, path: str) -> Reference:
    """Read one entry; one without named fields is read as printed text."""
    marks = list(_FIELD.finditer(content))
    if not marks:
        return read_fields(content, locus=Locus(path=path))
    record = Record(type=WorkType.UNKNOWN)
    values: dict[str, str] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        value = content[mark.end() : following.start() if following else len(content)].strip(" ;")
        name = mark.group(1)
        if name == "author":
            for part in value.split(";") if ";" in value else [value]:
                record.add_person(part)
        elif value:
            values.setdefault(name, value)
    record.title = values.get("title")
    record.date = values.get("publication_date") or values.get("year") or values.get("date")
    book = values.get("inbook_title") or values.get("conference_title")
    record.container = values.get("journal_title") or book
    record.type = WorkType.ARTICLE_JOURNAL if "journal_title" in values else record.type
    record.volume, record.issue = values.get("volume"), values.get("issue") or values.get("number")
    record.pages = pages(values.get("firstpage") or values.get("pages"), values.get("lastpage"))
    record.publisher = values.get("publisher") or values.get("technical_report_institution")
    record.ids = [(name, values[name]) for name in ("doi", "pmid", "pmcid", "isbn") if name in values]
    record.ids += [("arxiv_id", values["arxiv_id"])] if "arxiv_id" in values else []
    made = record.reference("-", Locus(path=path))
    return made.model_copy(update={"raw": composed(made)})


def with_published(found: Found | None, contents: Sequence[str], path: str) -> Found:
    """Complete what was read from a page by what its head lists; without a list on the page the head's is taken."""
    typed = [published(content, path) for content in contents]
    if found is None or (typed and found.method == "links"):
        return Found(references=tuple(typed), method="entries")
    if not typed:
        return found
    free = list(typed)
    made: list[Reference] = []
    for reference in found.references:
        place = matching(reference, free)
        made.append(reference if place is None else together(reference, free.pop(place)))
    return Found(
        references=tuple(made),
        method=found.method,
        blocks=found.blocks,
        names=found.names,
        notes=found.notes,
        lists=found.lists,
    )
