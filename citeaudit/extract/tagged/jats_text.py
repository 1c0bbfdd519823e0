"""The running text of a JATS article: paragraphs, citation marks, block quotations and notes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeaudit.extract.intext.body import Body, MarkKind
from citeaudit.extract.tagged.running import Running
from citeaudit.extract.tagged.xml import Element
from citeaudit.model.reference import Reference

_BLOCKS = frozenset({"p", "title", "td", "th", "caption", "disp-quote", "list-item", "verse-group", "attrib", "def"})
_SKIPPED = frozenset(
    {"ref-list", "tex-math", "math", "graphic", "label", "object-id", "front-stub", "sub-article-front", "sig-block"}
)
_DASH = re.compile(r"\s*[-–—−]\s*")


def body_of(root: Element, references: Sequence[Reference], path: str) -> Body | None:
    """Give the running text of an article, or `None` where the file holds only its list."""
    running = Running(path)
    order = list(dict.fromkeys(one.locus.citekey for one in references if one.locus.citekey))
    notes: list[Element] = []
    found = False
    for part in root.iter("body", "app-group", "ack"):
        found = True
        _walk(part, running, order, notes)
    if not found:
        return None
    notes += [one for group in root.iter("fn-group") for one in group.children("fn")]
    seen: set[int] = set()
    for one in notes:
        if id(one) not in seen:
            seen.add(id(one))
            label = one.child("label")
            with running.note(one.get("id") or (label.text().strip() if label else "")):
                _walk(one, running, order, [])
    return running.body()


def _walk(element: Element, running: Running, order: Sequence[str], notes: list[Element]) -> None:
    """Add the text of an element; inline elements go on in the paragraph they stand in."""
    previous: str | None = None
    gap = ""
    for part in element.parts:
        if isinstance(part, str):
            running.add(part)
            gap += part
            continue
        kind = (part.get("ref-type") or "").lower()
        if part.tag == "xref" and kind in {"bibr", "ref", "bib"}:
            keys = tuple((part.get("rid") or "").split())
            if previous and keys and _DASH.fullmatch(gap):
                keys = (*_between(order, previous, keys[0]), *keys)
            with running.mark(MarkKind.CITE, keys, part.line):
                running.add(part.text())
            previous, gap = (keys[-1] if keys else None), ""
            continue
        _other(part, kind, running, order, notes)
        gap += "x"


def _other(part: Element, kind: str, running: Running, order: Sequence[str], notes: list[Element]) -> None:
    """Add any element but a citation."""
    if part.tag in _SKIPPED:
        return
    if part.tag == "xref" and kind in {"fn", "table-fn", "endnote"}:
        with running.mark(MarkKind.NOTE, tuple((part.get("rid") or "").split()), part.line):
            running.add(part.text())
    elif part.tag == "fn":
        label = part.child("label")
        key = part.get("id") or (label.text().strip() if label else "")
        with running.mark(MarkKind.NOTE, (key,), part.line):
            running.add(label.text() if label else "")
        notes.append(part)
    elif part.tag == "sup" and not any(part.iter("xref")):
        with running.mark(MarkKind.RAISED, (), part.line):
            running.add(part.text())
    elif part.tag == "disp-quote":
        running.paragraph(part.line)
        with running.mark(MarkKind.QUOTATION, (), part.line):
            _walk(part, running, order, notes)
        running.paragraph(part.line)
    elif part.tag in _BLOCKS:
        running.paragraph(part.line)
        _walk(part, running, order, notes)
        running.paragraph(part.line)
    else:
        _walk(part, running, order, notes)


def _between(order: Sequence[str], first: str, last: str) -> tuple[str, ...]:
    """Give the keys that a range `[3]-[7]` leaves out, in the order of the list."""
    if first not in order or last not in order:
        return ()
    return tuple(order[order.index(first) + 1 : order.index(last)])
