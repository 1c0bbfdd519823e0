"""Put what was read from a tagged format together: references, broken entries, and how complete the reading is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from citeaudit.errors import NoReferencesError
from citeaudit.extract.intext.body import Body
from citeaudit.extract.intext.link import link
from citeaudit.extract.tagged.xml import Element
from citeaudit.model.reference import Extraction, FailedBlock, Locus, Reference, SelfCheck

MAX_BROKEN = 1_000
"""Broken entries that are told one by one; a file with more is read up to there."""
BREAKS_OFF = "the file breaks off inside this entry; get the complete file"
MAX_NOTES = 20
"""Sentences in the self-check."""


def outcome(
    path: str,
    form: str,
    references: Sequence[Reference],
    *,
    failed: Sequence[FailedBlock] = (),
    notes: Sequence[str | None] = (),
    body: Body | None = None,
) -> Extraction:
    """Give the extraction; with a running text its citations are linked.

    Where an entry could not be read, no citation is said to lead to none: it may lead to that one.

    Raises:
        NoReferencesError: There is neither a reference nor a broken entry.
    """
    if not references and not failed:
        raise NoReferencesError(f"holds no reference as {form} files have them; name the file with the list", path=path)
    linked = link(body, references) if body is not None and body.text.strip() and references else None
    keys = Counter(one.locus.citekey for one in references if one.locus.citekey)
    return Extraction(
        path=path,
        format=form,
        references=linked.references if linked else tuple(references),
        citations=linked.citations if linked else (),
        failed=tuple(failed),
        self_check=SelfCheck(
            method="entries",
            read=len(references),
            expected=len(references) + len(failed),
            labels_duplicate=tuple(key for key, count in keys.items() if count > 1) if form in _KEYED else (),
            citations=len(linked.citations) if linked else None,
            dangling=linked.dangling if linked and not failed else (),
            notes=tuple(note for note in notes if note)[:MAX_NOTES],
        ),
    )


_KEYED = frozenset({"csl-json"})
"""Formats in which a key that stands twice is an oversight; in JATS one label may hold several works."""


def lost(root: Element, entries: Iterable[Element], lists: frozenset[str], path: str) -> list[FailedBlock]:
    """Give the entry, or the list between two entries, inside which an XML document breaks off; mostly none.

    Args:
        root: The document.
        entries: All its entries.
        lists: Names of the elements that hold entries.
        path: As the user named it.
    """
    if not root.cut:
        return []
    for entry in entries:
        if entry.cut:
            return [broken(entry.text(" "), BREAKS_OFF, path, entry.line)]
    for one in root.iter(*lists):
        if one.cut:
            message = "the file breaks off inside this list, and what follows was not read; get the complete file"
            return [broken("(the list goes on)", message, path, one.line)]
    return []


def broken(raw: str, message: str, path: str, line: int | None) -> FailedBlock:
    """Give a piece that could not be read, cut to what is kept."""
    return FailedBlock(raw=raw.strip()[:4_000] or "(empty entry)", message=message, locus=Locus(path=path, line=line))
