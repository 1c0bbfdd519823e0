"""What styles and numbering of a .docx say about its paragraphs (ECMA-376 part 1, 17.7 and 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from citeaudit.extract.tagged.xml import Element

MAX_BASED = 20
"""Styles that may be based on one another in a row."""

_HEADING = re.compile(r"heading (?P<level>[1-9])", re.IGNORECASE)
_QUOTES = frozenset(
    {"quote", "intense quote", "block text", "block quotation", "quotations", "blockquote", "zitat", "citation"}
)
_LISTED = frozenset(
    {"bibliography", "endnote bibliography", "references", "citavi bibliography entry", "mendeley bibliography"}
)
_LEFT_OUT = re.compile(r"toc \d|toc heading|table of figures|header|footer|index \d", re.IGNORECASE)
_OFF = frozenset({"0", "false", "off", "none"})


def is_on(properties: Element | None, name: str) -> bool | None:
    """Give whether a toggle such as `w:b` is on; `None` where it is not named."""
    found = properties.child(name) if properties is not None else None
    if found is None:
        return None
    return (found.get("val") or "1").lower() not in _OFF


def number(element: Element | None, *names: str) -> int | None:
    """Give an attribute as a whole number, or `None`."""
    value = element.get(*names) if element is not None else None
    return int(value) if value and re.fullmatch(r"-?\d{1,9}", value) else None


class Look(NamedTuple):
    """How characters look."""

    italic: bool = False
    bold: bool = False
    raised: bool = False
    hidden: bool = False

    def changed(self, properties: Element | None) -> Look:
        """Give the look after run properties were applied."""
        if properties is None:
            return self
        aligned = properties.child("vertAlign")
        raised = self.raised if aligned is None else aligned.get("val") == "superscript"
        italic, bold, hidden = (is_on(properties, name) for name in ("i", "b", "vanish"))
        return Look(
            self.italic if italic is None else italic,
            self.bold if bold is None else bold,
            raised,
            self.hidden if hidden is None else hidden,
        )


@dataclass(slots=True)
class Style:
    """One style, what it is based on already counted in."""

    name: str = ""
    heading: int = 0
    """Level from 1; 0 for none."""
    look: Look = field(default_factory=Look)
    left: int = 0
    right: int = 0
    """Indents in twips."""
    numbering: tuple[str, int] | None = None
    """Number and level of its automatic list."""

    @property
    def quotes(self) -> bool:
        """Whether it is a style for quotations."""
        return self.name.lower() in _QUOTES

    @property
    def listed(self) -> bool:
        """Whether it is a style for entries of a bibliography."""
        return self.name.lower() in _LISTED

    @property
    def left_out(self) -> bool:
        """Whether its paragraphs are no running text: tables of contents, headers."""
        return bool(_LEFT_OUT.fullmatch(self.name))


def read_styles(root: Element | None) -> dict[str, Style]:
    """Read styles by their id."""
    raw = {one.get("styleId") or "": one for one in root.children("style")} if root is not None else {}
    done: dict[str, Style] = {}
    for name in raw:
        chain: list[str] = []
        at: str | None = name
        while at in raw and at not in done and at not in chain and len(chain) < MAX_BASED:
            chain.append(at)
            based = raw[at].child("basedOn")
            at = based.get("val") if based is not None else None
        for each in reversed(chain):
            based = raw[each].child("basedOn")
            parent = done.get(based.get("val") or "") if based is not None else None
            done[each] = _style(raw[each], parent or Style())
    return done


def _style(one: Element, parent: Style) -> Style:
    named = one.child("name")
    name = (named.get("val") if named is not None else None) or ""
    paragraph = one.child("pPr")
    heading = _HEADING.fullmatch(name)
    level = int(heading["level"]) if heading else parent.heading
    if name.lower() == "title":
        level = 1
    level = outline(paragraph) or level
    left, right = indents(paragraph)
    inherited = name if _special(name) or not _special(parent.name) else parent.name
    return Style(
        name=inherited,
        heading=level,
        look=parent.look.changed(one.child("rPr")),
        left=parent.left if left is None else left,
        right=parent.right if right is None else right,
        numbering=numbered(paragraph) or parent.numbering,
    )


def _special(name: str) -> bool:
    return name.lower() in _QUOTES | _LISTED or bool(_LEFT_OUT.fullmatch(name))


def outline(properties: Element | None) -> int:
    """Give the level of a heading that a paragraph or style declares, 0 for none."""
    level = number(properties.child("outlineLvl") if properties is not None else None, "val")
    return level + 1 if level is not None and 0 <= level < 9 else 0  # noqa: PLR2004 - 9 is body text (17.3.1.20)


def indents(properties: Element | None) -> tuple[int | None, int | None]:
    """Give left and right indent in twips, `None` where not set."""
    found = properties.child("ind") if properties is not None else None
    return number(found, "left", "start"), number(found, "right", "end")


def numbered(properties: Element | None) -> tuple[str, int] | None:
    """Give number and level of the automatic list a paragraph or style belongs to."""
    found = properties.child("numPr") if properties is not None else None
    listed = found.child("numId") if found is not None else None
    if found is None or listed is None:
        return None
    return listed.get("val") or "0", max(0, number(found.child("ilvl"), "val") or 0)


@dataclass(slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"


@dataclass(slots=True)
class Numbering:
    """Counts the automatic numbers of lists."""

    abstract: dict[str, str] = field(default_factory=dict)
    """The definition that each list uses."""
    levels: dict[tuple[str, int], _Level] = field(default_factory=dict)
    starts: dict[tuple[str, int], int] = field(default_factory=dict)
    """Where single lists start again."""
    counts: dict[str, dict[int, int]] = field(default_factory=dict)
    seen: set[tuple[str, int]] = field(default_factory=set)

    def next(self, listed: str, level: int) -> str | None:
        """Count one paragraph of a list; give its number where it is printed in digits."""
        definition = self.abstract.get(listed)
        if definition is None:
            return None
        counts = self.counts.setdefault(definition, {})
        if (listed, level) in self.starts and (listed, level) not in self.seen:
            counts[level] = self.starts[listed, level] - 1
        self.seen.add((listed, level))
        kind = self.levels.get((definition, level), _Level())
        counts[level] = counts.get(level, kind.start - 1) + 1
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        return str(counts[level]) if kind.form in {"decimal", "decimalZero"} else None


def read_numbering(root: Element | None) -> Numbering:
    """Read the definitions of automatic lists."""
    made = Numbering()
    for one in root.children("abstractNum") if root is not None else ():
        for level in one.children("lvl"):
            place = (one.get("abstractNumId") or "", number(level, "ilvl") or 0)
            form = level.child("numFmt")
            start = number(level.child("start"), "val")
            made.levels[place] = _Level(1 if start is None else start, (form.get("val") if form else None) or "decimal")
    for one in root.children("num") if root is not None else ():
        name, used = one.get("numId") or "", one.child("abstractNumId")
        made.abstract[name] = (used.get("val") if used is not None else None) or ""
        for override in one.children("lvlOverride"):
            start = number(override.child("startOverride"), "val")
            if start is not None:
                made.starts[name, number(override, "ilvl") or 0] = start
    return made
