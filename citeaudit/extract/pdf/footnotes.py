"""Read bibliographies that stand in notes: each work once, where it is first named in full.

Notes of the humanities cite in words (Chicago Manual of Style 18, 13.18 to 13.39; German footnotes): words before a
citation, several works in one note, comments behind, and `ibid.`, `ebd.`, `a. a. O.` or a short title afterwards.
Nothing here reads running text: what comes in are notes, and what does not look like a citation is left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz import fuzz

from citeaudit.extract.ditto import Back, Kind, back, expand, family, fold, stands_for_authors
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.extract.pdf.hyphens import unbreak
from citeaudit.extract.pdf.layout import Layout, Row, vocabulary
from citeaudit.extract.pdf.likeness import years
from citeaudit.extract.pdf.noteparts import LEAST_WORDS, is_archive, is_citation, led, parts
from citeaudit.extract.pdf.notewords import ENDNOTES, LOCATOR, NAMED, UNDATED, YEAR
from citeaudit.model.reference import Identifiers, Reference

SHORT_WORDS = 16
"""Words of a short form at most: a name, a short title, a page."""
SAME = 98
"""Likeness, 0 to 100, of the letters of two citations from which they name one work; a reply differs by a word."""
OPENING = 6
"""Letters with which two citations of one work open alike."""
SAME_TITLE = 90
"""Likeness, 0 to 100, of two titles from which a note and an entry of the list name one work."""
TELLING = 16
"""Letters of a title that tell a work where they stand in the words of another reference."""
ENOUGH_ALONE = 2
"""Full citations from which notes are the bibliography of a document without a list."""
ENOUGH_BESIDE = 4
"""Full citations from which the notes of a document with a list are read as well."""
NOTE_SHARE = 0.1
"""Share of the entries of a list that must point back for it to be a list of notes."""
_LABELLED = re.compile(r"^[\[(]?(?P<n>\d{1,4})[.)\]]?\s{0,9}(?=\S)")


class NoteText(NamedTuple):
    """A note as it is printed."""

    label: str
    """`12`, `*`; empty where none is known."""
    text: str
    """Without its label, in one line."""
    rows: tuple[Row, ...] = ()
    """Where it stands; empty outside PDFs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteCitation:
    """A work that notes cite."""

    raw: str
    """Its first full citation, without the words around it."""
    label: str
    """Of the note that holds it."""
    rows: tuple[Row, ...] = ()
    """Of that note."""
    again: tuple[str, ...] = ()
    """Labels of later notes that name it again, in order; once for each time."""
    authors_from: int | None = None
    """Place, in what `cite` gives, of the work whose authors `Ders.` or a dash stands for."""
    alone: bool = True
    """The note holds no other citation, so that a link in its rows is this one's."""
    archive: bool = False
    """A file of an archive or a bare address: no work that indexes of literature hold."""


ReadNote = Callable[[NoteCitation, str], Reference]
"""Reads the fields of a citation from the text that is given."""


def find_notes(layout: Layout, words: Mapping[str, int] | None = None) -> tuple[NoteCitation, ...]:
    """Give the works that the notes of a document cite, each once, in the order of their first full citation.

    Args:
        layout: Its notes at the foot of pages are read, and notes under a heading of their own.
        words: Of the document, by `vocabulary`, where they are known already.
    """
    return cite(note_texts(layout, words))


def note_texts(layout: Layout, words: Mapping[str, int] | None = None) -> tuple[NoteText, ...]:
    """Give the notes of a document: those at the foot of pages, then those under a heading of their own."""
    if words is None:
        words = vocabulary([*layout.rows, *(row for note in layout.notes for row in note.rows)])
    foot = [
        NoteText(note.label, _unlabelled(unbreak([row.text for row in note.rows], words), note.label), note.rows)
        for note in layout.notes
    ]
    return (*foot, *_endnotes(layout.rows, words))


def cite(notes: Iterable[NoteText]) -> tuple[NoteCitation, ...]:
    """Give the works that notes cite, each once, in the order of their first full citation.

    Args:
        notes: In the order of the document; labels may start again with each chapter.
    """
    reader = _Reader()
    for note in notes:
        reader.read(note)
    return tuple(reader.works)


def are_notes(entries: Sequence[str]) -> bool:
    """Tell whether what was read as a list of references is one of notes: entries that point back.

    Args:
        entries: As printed, with or without their labels.
    """
    pointing = sum(back(led(_LABELLED.sub("", entry, count=1))) is not None for entry in entries)
    return pointing >= max(2, NOTE_SHARE * len(entries))


def count(citations: Sequence[NoteCitation], *, beside_list: bool) -> bool:
    """Tell whether notes are a bibliography: enough of them cite in full."""
    full = sum(not citation.archive for citation in citations)
    return full >= (ENOUGH_BESIDE if beside_list else ENOUGH_ALONE)


def read_citations(citations: Sequence[NoteCitation], read: ReadNote) -> tuple[Reference, ...]:
    """Read the fields of what notes cite, and fill in the authors for which `Ders.` or a dash stands.

    Args:
        citations: As `cite` gives them.
        read: Reads one citation from a text: its `raw`, or that with names in place of the mark. Files of archives
            come back without fields, so that nothing is looked up for them.
    """
    made: list[Reference] = []
    for citation in citations:
        reference = read(citation, citation.raw)
        if citation.archive:
            reference = Reference(
                raw=reference.raw,
                locus=reference.locus,
                identifiers=Identifiers(url=reference.identifiers.url),
                parse_score=0.0,
            )
        elif citation.authors_from is not None:
            pair = (made[citation.authors_from], reference)
            reference = expand(pair, partial(_reread, read, citation))[1]
        made.append(reference)
    return tuple(made)


def _reread(read: ReadNote, citation: NoteCitation, _reference: Reference, text: str) -> Reference:
    return read(citation, text)


def merge(listed: Sequence[Reference], noted: Sequence[Reference]) -> tuple[Reference, ...]:
    """Add to a list what only the notes cite.

    Args:
        listed: The list's references; they win.
        noted: The notes' references.

    Returns:
        The list, then works of the notes that are not in it.
    """
    if not listed:
        return tuple(noted)
    near: defaultdict[object, list[_Key]] = defaultdict(list)
    for reference in listed:
        key = _key(reference)
        for mark in {key.year, key.name, key.title, key.title[:TELLING]}:
            near[mark].append(key)
    return (*listed, *(one for one in noted if one.title and not _listed(_key(one), near)))


class _Key(NamedTuple):
    name: str
    year: int | None
    title: str
    raw: str


def _key(reference: Reference) -> _Key:
    people = reference.authors or reference.editors
    name = fold(people[0].family or people[0].literal or "") if people else ""
    return _Key(name, reference.year, fold(reference.title or ""), fold(reference.raw))


def _listed(note: _Key, near: Mapping[object, Sequence[_Key]]) -> bool:
    """Whether the list names the work of a note: by its title, or by author and year."""
    windows = {note.raw[at : at + TELLING] for at in range(len(note.raw) - TELLING + 1)}
    for mark in (note.title, note.year, note.name, *sorted(windows & near.keys())):
        if any(_alike(note, entry) for entry in near.get(mark, ())):
            return True
    return False


def _alike(note: _Key, entry: _Key) -> bool:
    telling = min(len(note.title), len(entry.title)) >= TELLING
    if telling and fuzz.partial_ratio(note.title, entry.title) >= SAME_TITLE:
        return True
    if note.title and note.title == entry.title:
        return True
    if len(note.title) >= TELLING and note.title in entry.raw:
        return True
    if len(entry.title) >= TELLING and entry.title in note.raw:
        return True
    return bool(note.name) and note.year == entry.year and note.name in entry.raw


def _unlabelled(text: str, label: str) -> str:
    # Some producers set the label twice, raised and as text.
    return text.lstrip("[(").removeprefix(label).lstrip(" .)]") if label else text


def _endnotes(rows: Sequence[Row], words: Mapping[str, int]) -> list[NoteText]:
    """Give the notes under each heading of notes; they run 1, 2, 3 and end with the next heading of a list."""
    notes: list[NoteText] = []
    group: list[Row] = []
    label, within = "", False
    for row in [*rows, None]:
        opened = row is not None and bool(ENDNOTES.fullmatch(row.text))
        number = _next(row, label) if row is not None and within else None
        ended = row is None or opened or (within and (is_heading(row.text) or is_heading(row.text, "end")))
        if (number or ended) and label and group:
            text = unbreak([each.text for each in group], words)
            notes.append(NoteText(label, _unlabelled(text, label), tuple(group)))
        if ended:
            within, label, group = opened, "", []
        elif number:
            label, group = number, [row] if row else []
        elif row is not None and label:
            group.append(row)
    return notes


def _next(row: Row, label: str) -> str | None:
    """Give the label of a row if it is the one that follows."""
    match = _LABELLED.match(row.text)
    return match["n"] if match and int(match["n"]) == (int(label) if label else 0) + 1 else None


class _Reader:
    """Reads notes in order and knows what was named before."""

    def __init__(self) -> None:
        self.works: list[NoteCitation] = []
        self._letters: list[str] = []
        """Of each work, folded."""
        self._opening: defaultdict[str, list[int]] = defaultdict(list)
        """Works by the first of their letters."""
        self._named: defaultdict[str, list[int]] = defaultdict(list)
        """Works by each word before the title."""
        self._files: set[str] = set()
        self._last: int | None = None

    def read(self, note: NoteText) -> None:
        """Read one note."""
        before, found = len(self.works), parts(note.text)
        for part in found:
            place = self._place(part, note)
            if place is not None:
                self._last = place
        if len(found) > 1:
            self.works[before:] = [replace(work, alone=False) for work in self.works[before:]]

    def _place(self, part: str, note: NoteText) -> int | None:
        """Give which work a part names; a new one is kept."""
        same = stands_for_authors(part)
        rest = part[same:]
        pointed = back(rest)
        if same and pointed is not None:
            pointed = Back(Kind.IBID)
        if pointed is not None:
            if not years(part) or pointed.kind is Kind.IBID:
                return self._again(self._find(pointed, part), note)
            return None
        if is_archive(part):
            return self._keep(NoteCitation(raw=part, label=note.label, rows=note.rows, archive=True))
        if same and self._last is not None and not years(rest):
            return self._again(self._last, note)
        if NAMED.fullmatch(part) or (not YEAR.search(part) and not UNDATED.search(part)):
            return self._again(self._find(Back(Kind.SHORT, family(part)), part), note)
        if not is_citation(part):
            return None
        found = self._same(part)
        if found is not None:
            return self._again(found, note)
        authors = self._last if same else None
        return self._keep(NoteCitation(raw=part, label=note.label, rows=note.rows, authors_from=authors))

    def _keep(self, citation: NoteCitation) -> int | None:
        letters, place = fold(citation.raw), len(self.works)
        if citation.archive:
            if letters in self._files:
                return None
            self._files.add(letters)
        self.works.append(citation)
        self._letters.append(_undigited(letters))
        if citation.archive:
            return None
        self._opening[letters[:OPENING]].append(place)
        for word in _head(citation.raw):
            self._named[word].append(place)
        return place

    def _again(self, place: int | None, note: NoteText) -> int | None:
        if place is not None:
            work = self.works[place]
            self.works[place] = replace(work, again=(*work.again, note.label))
        return place

    def _find(self, pointed: Back, part: str) -> int | None:
        """Give the work a short form means: the last one by that name, a likely title or note first."""
        if pointed.kind is Kind.IBID:
            return self._last
        if not pointed.name or len(part.split()) > SHORT_WORDS:
            return None
        named = self._named.get(pointed.name)
        if not named:
            return None
        title = fold(LOCATOR.sub("", part.partition(",")[2]))
        year = YEAR.search(part)

        def fit(place: int) -> tuple[bool, bool, bool, int]:
            work = self.works[place]
            told = bool(pointed.note) and work.label == pointed.note
            dated = year is not None and year[0] in work.raw
            return told, dated, len(title) > LEAST_WORDS and title in self._letters[place], place

        return max(named, key=fit)

    def _same(self, part: str) -> int | None:
        """Give the work that was cited in full before and is here again, pages apart."""
        folded, dates = fold(part), set(YEAR.findall(part))
        letters = _undigited(folded)
        for place in self._opening.get(folded[:OPENING], ()):
            other = self._letters[place]
            least = min(len(letters), len(other))
            dated = not dates.isdisjoint(YEAR.findall(self.works[place].raw))
            if dated and least and fuzz.ratio(letters[:least], other[:least]) >= SAME:
                return place
        return None


def _undigited(letters: str) -> str:
    return "".join(char for char in letters if not char.isdigit())


def _head(raw: str) -> set[str]:
    """Give the folded words before the title: those a short form may take its name from."""
    lead = re.split(r"[“„«\"]|(?<=[^\W\d_]{3})[:.]\s", raw[:240], maxsplit=1)[0]
    words = [fold(word) for word in re.split(r"[\s/,;]+", lead)]
    return {*words, *("".join(pair) for pair in pairwise(words))}
