r"""Read reference lists that BibTeX or biber wrote: .bbl files of both dialects, and lists typed into a source.

What comes typed (`\bibinfo` of REVTeX, Elsevier and ACM, the macros of apacite, amsrefs, biblatex's entries) gives
fields; the rest is read as printed text with the style of its whole list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import NoReferencesError
from citeaudit.extract.decode import read_document
from citeaudit.extract.fields.reader import Hints, list_style, read_fields
from citeaudit.extract.latex import emphasis
from citeaudit.extract.latex.biblatex import is_biblatex, read_biblatex
from citeaudit.extract.latex.bibtex_fields import reference_from_fields
from citeaudit.extract.latex.expand import Source, expand
from citeaudit.extract.latex.files import Files, Folder
from citeaudit.extract.latex.remarks import Span, assign, find_remarks, has_mark
from citeaudit.extract.latex.running import own_words, printed
from citeaudit.extract.latex.scan import braced, bracketed
from citeaudit.extract.latex.typed import Typed, amsrefs, typed_fields
from citeaudit.model.reference import Extraction, FailedBlock, Locus, Reference, SelfCheck

MAX_ITEMS = 50_000
TYPED_SCORE = 0.97
"""What typed fields of a list are worth: a style may have changed or left out some."""

_ITEM = re.compile(
    r"\\bibitem(?![A-Za-z@])\*?|\\bib(?=\s{0,3}\{[^{}\s]{1,200}\}\s{0,3}\{[a-z]{3,20}\})|"
    r"\\harvarditem(?![A-Za-z@])|\\vadjust\s?pre\{\\hypertarget\{(?P<pandoc>ref-[^{}]{1,200})\}\{\}\}"
)
"""BibTeX's items, those of amsrefs and harvard, and the anchors of pandoc 2."""
_LISTS = r"(?:[a-z]{0,10}thebibliography|bibdiv|biblist|references|CSLReferences)\*?"
_BEGIN = re.compile(rf"\\begin\s{{0,3}}\{{{_LISTS}\}}")
_END = re.compile(rf"\\end\s{{0,3}}\{{{_LISTS}\}}")
_MARGIN = re.compile(r"\\CSLLeftMargin\s{0,3}\{(?P<label>(?:[^{}]|\{[^{}]{0,3}\}){1,40})\}")
_LABEL_YEAR = re.compile(r"\((?P<year>(?:1[4-9]|20)\d\d)(?P<suffix>[a-z])?\)")
_SAME = re.compile(
    r"\A\s{0,9}-{5,8}(?=[,.])|(?:\\leavevmode\s{0,3})?\\vrule(?:\s{1,3}(?:height|depth|width)\s{0,3}-?[\d.]{1,8}\s?pt){1,3}|"
    r"\\bysame(?![A-Za-z])|\\BIB(?:entry)?dash(?![A-Za-z])|\\sameauthors?(?![A-Za-z])|\\SortNoop\{[^{}]*\}"
)
_DASH = "———"
_LONGEST_LABEL = 24


_MARKS = ("\\bibitem", "\\bib{", "\\harvarditem{", "\\harvarditem[", "{\\hypertarget{ref-")


class Listed(NamedTuple):
    """A list that was read."""

    references: tuple[Reference, ...]
    failed: tuple[FailedBlock, ...] = ()
    keys_duplicate: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences on comments without effect."""


class _Item(NamedTuple):
    """One item: its key, optional label, LaTeX, and the offset of the source at which it starts."""

    key: str
    label: str | None
    body: str
    start: int
    kind: str = ""
    """Entry type of amsrefs."""


def has_list(text: str) -> bool:
    """Whether a source holds a typed list of references or biblatex's own."""
    return any(mark in text for mark in _MARKS) or is_biblatex(text)


def _items(text: str) -> Iterator[_Item]:
    """Give the items of all lists in a source, in order."""
    start = _BEGIN.search(text)
    matches = list(_ITEM.finditer(text, start.end() if start else 0))[:MAX_ITEMS]
    limits = [*(match.start() for match in matches[1:]), len(text)]
    for match, limit in zip(matches, limits, strict=False):  # without an item, the end of the text limits nothing
        closing = _END.search(text, match.end(), limit)
        end = closing.start() if closing else limit
        if match.group() == "\\bib":
            yield from _of_amsrefs(text, match)
            continue
        if match["pandoc"]:
            yield _Item(match["pandoc"], "", text[match.end() : end], match.start())
            continue
        if match.group() == "\\harvarditem":
            yield _of_harvard(text, match, end)
            continue
        label = bracketed(text, match.end())
        key = braced(text, label.end if label else match.end())
        if key is not None and key.end <= end:
            body = text[key.end : end]
            yield _Item(" ".join(key.text.split()), label.text if label else None, body, match.start())
        else:
            yield _Item("", label.text if label else None, text[match.end() : end], match.start())


def _of_amsrefs(text: str, match: re.Match[str]) -> Iterator[_Item]:
    key = braced(text, match.end())
    kind = braced(text, key.end) if key else None
    fields = braced(text, kind.end) if kind else None
    if key and kind and fields:
        yield _Item(key.text.strip(), None, fields.text, match.start(), kind.text)


def _of_harvard(text: str, match: re.Match[str], end: int) -> _Item:
    r"""Read `\harvarditem[short]{label}{year}{key}` of the harvard package; author-year, so without a label."""
    short = bracketed(text, match.end())
    place = short.end if short else match.end()
    groups: list[str] = []
    while len(groups) < 3 and (group := braced(text, place)) is not None:  # noqa: PLR2004 - label, year, key
        groups.append(group.text)
        place = group.end
    if len(groups) < 3:  # noqa: PLR2004
        return _Item("", "", text[match.end() : end], match.start())
    year = printed(groups[1]).replace(" ", "")
    return _Item(" ".join(groups[2].split()), f"({year})", text[place:end], match.start())


def _label(item: _Item, number: int) -> str | None:
    """Give the printed label: the number, or a short label such as `Abc99`; of author-year lists there is none."""
    margin = _MARGIN.search(item.body[:400])
    if margin is not None:
        return printed(margin["label"]).strip("[]().{} ") or None
    if item.label is None:
        return str(number)
    label = printed(item.label).strip("[]{} ")
    return label if 0 < len(label) <= _LONGEST_LABEL and not re.search(r"[\s()]", label) else None


class _Place(NamedTuple):
    source: Source
    files: Files

    def locus(self, offset: int, *, label: str | None = None, key: str | None = None) -> Locus:
        spot = self.source.spot(offset)
        path = self.files.shown(spot.file) if spot else None
        return Locus(path=path, line=spot.line if spot else None, label=label, citekey=key or None)


def read_list(source: Source, files: Files) -> Listed:
    """Read every reference list in a joined source; empty where there is none.

    Never raises for one bad entry; see `Listed.failed`.
    """
    place = _Place(source, files)
    if is_biblatex(source.text):
        found = read_biblatex(source.text, place.locus)
        return Listed(tuple(found))
    items = list(_items(source.text))
    words = own_words(source.text)

    def shown(latex: str) -> str:
        return printed(_SAME.sub(f"{_DASH} ", latex), words)

    texts = [shown(_MARGIN.sub("", item.body)) for item in items]
    style = list_style([text for text in texts if text])
    references: list[Reference] = []
    failed: list[FailedBlock] = []
    printed_items: list[tuple[int, str, str, Hints]] = []
    for number, (item, text) in enumerate(zip(items, texts, strict=True), 1):
        locus = place.locus(item.start, label=_label(item, number), key=item.key)
        if not text:
            raw = item.body.strip()[:4_000] or f"\\bibitem{{{item.key}}}"
            failed.append(FailedBlock(raw=raw, message="the item of the list holds no text", locus=locus))
            continue
        before = references[-1] if references else None
        italic, bold = emphasis.emphasised(item.body, shown)
        hints = Hints(style=style, italic=italic, bold=bold)
        references.append(_reference(item, text, hints, locus, before))
        printed_items.append((len(references) - 1, item.body, text, hints))
    _complete(references, printed_items, shown)
    notes = _remark(references, [item.start for item, text in zip(items, texts, strict=True) if text], place)
    return Listed(tuple(references), tuple(failed), _repeated(references), tuple(notes))


def _remark(references: list[Reference], starts: Sequence[int], place: _Place) -> list[str]:
    """Give references what their author says of them, in place, and a sentence for each comment without effect."""
    notes: list[str] = []
    spots: dict[str, list[tuple[int, int]]] = {}
    for number, start in enumerate(starts):
        spot = place.source.spot(start)
        if spot is not None:
            spots.setdefault(spot.file, []).append((spot.line, number))
    for file, found in spots.items():
        decoded = place.files.text(file)
        if decoded is None or not has_mark(decoded.text):
            continue
        _, remarks = find_remarks(decoded.text)
        reasons, told = assign(remarks, [Span(line, line) for line, _ in found], decoded.text)
        for at, reason in reasons.items():
            number = found[at][1]
            references[number] = references[number].model_copy(update={"remark": reason})
        notes += told
    return notes


def _complete(
    references: list[Reference], items: Sequence[tuple[int, str, str, Hints]], shown: Callable[[str], str]
) -> None:
    """Make titles whole that were read in part, in place; see `emphasis`."""
    plain = [item for item in items if not typed_fields(item[1]).is_enough()]
    blocks = [emphasis.blocks_of(body, shown) for _, body, _, _ in plain]
    titled = emphasis.titles_in_blocks(blocks, [references[place] for place, _, _, _ in plain])
    for (place, body, text, hints), parts in zip(plain, blocks, strict=True):
        marked = emphasis.set_as_title(body, shown)
        block = parts[1].rstrip(" .") if titled and len(parts) > 1 else None
        candidates = [one for one in (*hints.italic, block) if one]
        reference = references[place]
        if _DASH not in text[:8]:
            read = emphasis.with_title(reference, text, candidates, hints, sure=marked)
            kept = {"year": reference.year, "year_suffix": reference.year_suffix} if read is not reference else {}
            references[place] = read.model_copy(update=kept) if kept else read


def _repeated(references: Sequence[Reference]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for reference in references:
        if reference.locus.citekey:
            seen[reference.locus.citekey] = seen.get(reference.locus.citekey, 0) + 1
    return tuple(key for key, count in seen.items() if count > 1)


def _reference(item: _Item, text: str, hints: Hints, locus: Locus, before: Reference | None) -> Reference:
    typed = amsrefs(item.kind, item.body) if item.kind else typed_fields(item.body)
    enough = typed.is_enough()
    reference = _from_typed(typed, text, locus) if enough else _from_text(typed, text, hints, locus, before)
    if _DASH in text[:8] and before is not None and not reference.authors:
        reference = reference.model_copy(
            update={"authors": before.authors, "authors_truncated": before.authors_truncated}
        )
    return _dated(reference, item.label)


def _from_typed(typed: Typed, text: str, locus: Locus) -> Reference:
    reference = reference_from_fields(typed.kind, typed.fields, raw=text, locus=locus)
    update: dict[str, object] = {"parse_score": min(TYPED_SCORE, reference.parse_score)}
    if typed.kind in {"inproceedings", "incollection"} and not typed.fields.get("title"):
        update["title"] = None  # styles of physics print the book alone
        update["container_title"] = reference.container_title or reference.title
    if typed.truncated or re.search(r"\bet\.?\sal\b", text[:600]):
        update["authors_truncated"] = True
    return reference.model_copy(update=update)


def _from_text(typed: Typed, text: str, hints: Hints, locus: Locus, before: Reference | None) -> Reference:
    """Read an item as printed; a dash for the authors of the item before is replaced for the reading alone."""
    known = hints.model_copy(update={name: value for name, value in typed.hints() if value})
    shown = text
    if text.startswith(_DASH) and before is not None and before.authors:
        shown = f"{_joined([str(person) for person in before.authors])}{text.removeprefix(_DASH)}"
    reference = read_fields(shown, locus=locus, hints=known)
    if shown is text:
        return reference
    assert before is not None  # noqa: S101 - narrowed above
    same = {"raw": text, "authors": before.authors, "authors_truncated": before.authors_truncated}
    return reference.model_copy(update=same)


def _joined(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]


def _dated(reference: Reference, label: str | None) -> Reference:
    """Take year and letter from natbib's label (`Smith et al.(2020a)`) where the item did not give them."""
    match = _LABEL_YEAR.search(printed(label)) if label else None
    if match is None:
        return reference
    update: dict[str, object] = {}
    if reference.year is None:
        update["year"] = int(match["year"])
    if match["suffix"] and reference.year_suffix is None:
        update["year_suffix"] = match["suffix"]
    return reference.model_copy(update=update) if update else reference


def extraction(listed: Listed, *, path: str, name: str, notes: Sequence[str] = ()) -> Extraction:
    """Give a list as the reading of a whole document.

    Raises:
        NoReferencesError: It holds no reference, not even a broken one.
    """
    if not listed.references and not listed.failed:
        raise NoReferencesError("holds no list of references (no \\bibitem and no \\entry)", path=path)
    return Extraction(
        path=path,
        format=name,
        references=listed.references,
        failed=listed.failed,
        self_check=SelfCheck(
            method="entries",
            read=len(listed.references),
            expected=len(listed.references) + len(listed.failed),
            labels_duplicate=listed.keys_duplicate,
            notes=tuple(dict.fromkeys((*notes, *listed.notes))),
        ),
    )


class BblExtractor:
    """Reads .bbl files of BibTeX and biblatex."""

    name = "bbl"
    suffixes = (".bbl",)

    def read(self, path: Path) -> Extraction:
        """Read the references of a .bbl file.

        Never raises for one bad entry; see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds no list.
        """
        read_document(path)  # for its errors
        files = Folder(path.parent)
        source = expand(files, path.name)
        return extraction(read_list(source, files), path=str(path), name=self.name, notes=source.notes)
