"""Which document of a library is the cited work: by identifier, else by title and an author; never by guessing.

A document is judged by what it says of itself before a quotation is looked for in it: one that bears the identifier or
the name of a work and is another is the wrong document, and says nothing about a quotation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from citeaudit.identifiers import bare_arxiv_id, doi_arxiv_id
from citeaudit.model import Identifiers, QuoteStatus, Reference, Work, WorkType
from citeaudit.quotes.cards import Card
from citeaudit.quotes.library import Held, Library
from citeaudit.text.normalize import fold, key
from citeaudit.text.titles import Likeness, compare_titles, is_generic

NO_COPY = "no copy in the library"
SHARED_WORDS = 0.6
"""Share of the words of a title that a document must have for its titles to be compared at all."""
LONG = 20
"""Letters from which a title that stands in the text of a first page stands there for itself."""
SHORTEST_NAME = 3
"""Letters of a family name that is looked for among the words of a page."""
NAMED = 3
"""Documents that are named where several fit."""
_VERSION = re.compile(r"v\d{1,3}$")


class Copy(NamedTuple):
    """The document that stands for a reference, or why there is none."""

    path: Path | None
    status: QuoteStatus = QuoteStatus.VERIFIED
    """Without a path: MISSING_DOCUMENT, WRONG_DOCUMENT or UNREADABLE."""
    reason: str | None = None
    by: str = ""
    """What it was known by: `doi`, `arxiv_id`, `pmid`, `title`, `name`."""
    weak: bool = False
    """It is known by its file name, or by an identifier printed on it, alone: it can confirm and prove nothing."""
    other_version: bool = False
    """It is another version than the cited one, such as a preprint: what it lacks may stand in the other."""


class _Sought(NamedTuple):
    """What the cited work can be known by."""

    levels: tuple[tuple[str, frozenset[str]], ...]
    """Identifiers in the order in which they count: those cited, those recorded, those of other versions."""
    titles: tuple[str, ...]
    families: frozenset[str]
    years: frozenset[str]
    names: frozenset[str]
    """Keys of file names that say the same."""

    @property
    def dois(self) -> frozenset[str]:
        return frozenset(one for scheme, ids in self.levels if scheme == "doi" for one in ids)


def find_copy(reference: Reference, works: Sequence[Work], library: Library) -> Copy:
    """Find the document of a library that is the cited work.

    Args:
        reference: As cited.
        works: Records of that work, best first; none where it was not found.
        library: Read before.

    Returns:
        The copy. Where several documents fit equally, there is none.
    """
    sought = _sought(reference, works)
    held = list(library.held.values())
    wrong: list[Held] = []
    for scheme, ids in sought.levels:
        fitting: list[Held] = []
        for one in held:
            sure = _bears(one.card, scheme, ids)
            if sure is None or not (sure or _titled(one, sought.titles)):
                continue
            (wrong if _contradicts(one, sought.titles) else fitting).append(one)
        if fitting:
            return _confirmed(_chosen(fitting, scheme, reference, sought), library, sought)
    fitting = [one for one in held if _is_titled(one, sought)]
    if fitting:
        return _chosen(fitting, "title", reference, sought)
    named = [one for one in held if _hints(one.path, sought.names)]
    return _by_name([*wrong, *named], reference, sought)


def _sought(reference: Reference, works: Sequence[Work]) -> _Sought:
    cited = reference.identifiers
    recorded = [work.identifiers for work in works]
    versions = [version.identifiers for work in works for version in work.versions]
    levels = (
        ("doi", _dois([cited])),
        ("arxiv_id", _arxiv([cited])),
        ("pmid", _pubmed([cited])),
        ("doi", _dois(recorded)),
        ("arxiv_id", _arxiv(recorded)),
        ("pmid", _pubmed(recorded)),
        ("doi", _dois(versions)),
        ("arxiv_id", _arxiv(versions)),
    )
    titles = tuple(dict.fromkeys(title for title in (reference.title, *(work.title for work in works)) if title))
    people = [*reference.authors, *reference.editors, *(person for work in works for person in work.authors)]
    families = (fold(person.family or person.literal or "") for person in people)
    years = {str(year) for year in (reference.year, *(work.year for work in works)) if year}
    names = {reference.locus.citekey or "", *(one for _, ids in levels for one in ids)}
    return _Sought(
        tuple((scheme, ids) for scheme, ids in levels if ids),
        titles,
        frozenset(family for family in families if len(family) >= SHORTEST_NAME or (family and not family.isascii())),
        frozenset(years),
        frozenset(filter(None, (*map(key, names), *(key(one) for one in titles if len(key(one)) >= LONG)))),
    )


def _dois(of: Iterable[Identifiers]) -> frozenset[str]:
    return frozenset(one.doi for one in of if one.doi and not doi_arxiv_id(one.doi))


def _arxiv(of: Iterable[Identifiers]) -> frozenset[str]:
    found = (one.arxiv_id or doi_arxiv_id(one.doi) for one in of)
    return frozenset(bare_arxiv_id(one) for one in found if one)


def _pubmed(of: Iterable[Identifiers]) -> frozenset[str]:
    return frozenset(found for one in of for found in (one.pmid, one.pmcid) if found)


def _bears(card: Card, scheme: str, ids: frozenset[str]) -> bool | None:
    """Say whether a document bears one of the identifiers: as its own (true), or somewhere (false)."""
    if scheme == "doi":
        return True if ids & set(card.own_dois) else (False if ids & set(card.dois) else None)
    if scheme == "arxiv_id":
        if card.own_arxiv_id and bare_arxiv_id(card.own_arxiv_id) in ids:
            return True
        named = {*map(bare_arxiv_id, card.arxiv_ids), *filter(None, map(doi_arxiv_id, card.dois))}
        return False if ids & named else None
    return False if ids & {*card.pmids, *card.pmcids} else None


def _alike(one: Held, titles: Iterable[str]) -> bool:
    """Whether what may be the title of a document is one of these."""
    for title in titles:
        words = set(fold(title).split())
        if not words or len(words & one.words) < SHARED_WORDS * len(words):
            continue
        if any(compare_titles(title, own).likeness is not Likeness.OTHER for own in one.card.titles):
            return True
    return False


def _titled(one: Held, titles: Sequence[str]) -> bool:
    """Whether a document has one of these titles, or it stands in the text of its first page."""
    letters = one.card.head.replace(" ", "")
    return _alike(one, titles) or any(len(key(title)) >= LONG and key(title) in letters for title in titles)


def _is_titled(one: Held, sought: _Sought) -> bool:
    """Whether title and one author of the work stand on the first page; a generic title needs the year, too."""
    if not any(_is_there(family, one) for family in sought.families):
        return False
    told = [title for title in sought.titles if not is_generic(title) or sought.years & one.words]
    return _alike(one, told)


def _is_there(family: str, one: Held) -> bool:
    return all(word in one.words for word in family.split()) if family else False


def _contradicts(one: Held, titles: Sequence[str]) -> bool:
    """Whether the title of a document, where it is certain, is none of these."""
    return bool(one.card.heading and titles) and not _titled(one, titles)


def _hints(path: Path, names: frozenset[str]) -> bool:
    """Whether a file is called after the work: by its citation key, an identifier, or its title."""
    stem = key(path.stem)
    return stem in names or _VERSION.sub("", stem) in names or any(len(name) >= LONG and name in stem for name in names)


def _chosen(fitting: Sequence[Held], by: str, reference: Reference, sought: _Sought) -> Copy:
    """Give the one document that fits; a version that is cited, a title and a file name tell several apart."""
    cited = reference.identifiers.arxiv_id
    tests: tuple[Callable[[Held], bool], ...] = (
        lambda one: cited is not None and one.card.own_arxiv_id == cited,
        lambda one: _alike(one, sought.titles),
        lambda one: _hints(one.path, sought.names),
    )
    left = list({one.digest: one for one in fitting}.values())
    for test in tests:
        if len(left) > 1:
            left = [one for one in left if test(one)] or left
    if len(left) > 1:
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        told = ", ".join(one.path.name for one in left[:NAMED])
        return Copy(None, QuoteStatus.MISSING_DOCUMENT, f"several files of the library may be it: {told}{more}")
    return Copy(left[0].path, by=by, other_version=_is_other(left[0].card, reference, sought))


def _confirmed(copy: Copy, library: Library, sought: _Sought) -> Copy:
    """Call a copy weak whose title is not seen, unless its metadata or arXiv's stamp say which work it is."""
    if copy.path is None:
        return copy
    one = library.held[copy.path]
    stamped = copy.by == "arxiv_id" and one.card.own_arxiv_id is not None
    sure = stamped or (copy.by == "doi" and one.card.noted) or not sought.titles or _titled(one, sought.titles)
    return copy._replace(weak=not sure)


def _by_name(named: Sequence[Held], reference: Reference, sought: _Sought) -> Copy:
    """Give what is called after the work, or bears its identifier, although its content does not say that it is it."""
    named = list({one.digest: one for one in named}.values())
    for one in named:
        if one.card.failure:
            return Copy(None, QuoteStatus.UNREADABLE, f"{one.path.name}: {one.card.failure}")
    wrong = [one for one in named if _is_another(one, sought)]
    if wrong:
        card = wrong[0].card
        what = f'"{card.heading}"' if card.heading else f"the work of DOI {card.own_dois[0]}"
        return Copy(None, QuoteStatus.WRONG_DOCUMENT, f"{wrong[0].path.name} is {what}")
    if len(named) == 1:
        return Copy(named[0].path, by="name", weak=True, other_version=_is_other(named[0].card, reference, sought))
    return Copy(None, QuoteStatus.MISSING_DOCUMENT, NO_COPY)


def _is_another(one: Held, sought: _Sought) -> bool:
    own, dois = set(one.card.own_dois), sought.dois
    if _titled(one, sought.titles):
        return False
    return _contradicts(one, sought.titles) or bool(own and dois and not own & dois)


def _is_other(card: Card, reference: Reference, sought: _Sought) -> bool:
    """Whether a copy is another version than the cited one."""
    cited = reference.identifiers
    if card.own_arxiv_id is not None:
        version = _VERSION.search(cited.arxiv_id or "")
        return _is_published(reference) or (version is not None and not card.own_arxiv_id.endswith(version[0]))
    return bool(card.own_dois and sought.dois and not sought.dois & set(card.own_dois))


def _is_published(reference: Reference) -> bool:
    """Whether a reference cites what a journal, a conference or a publisher has issued."""
    if reference.type is WorkType.PREPRINT:
        return False
    doi, venue = reference.identifiers.doi, reference.container_title or ""
    issued = bool(doi) and doi_arxiv_id(doi) is None
    return issued or bool(reference.volume or reference.pages) or bool(venue and "arxiv" not in venue.casefold())
