"""Tell page furniture from text: running heads and feet, page numbers, watermarks, numbers of lines.

All rules are geometric; none knows a publisher.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from rapidfuzz import fuzz

from citeaudit.pdf import PdfLine, PdfPage

MARGIN = 0.12
"""Share of the page height, top and bottom, in which running heads and feet stand."""
REPEATS = 3
"""Pages on which a line must recur to count as a running head; two in documents of up to four pages."""
SHORT = 4
"""Pages of such a document."""
STAMPED = 0.6
"""Share of the pages on which a text stands at one and the same place, wherever that is, to be a watermark."""
MOST_STAMPED = 0.2
"""Share of the lines of a document that watermarks may be."""
MIN_LINE_NUMBERS = {1: 8, 2: 6, 5: 4, 10: 4}
"""Lines from one number to the next, and bare numbers in one vertical line from which they count as line numbers."""
NUMBERED = 0.5
"""Share of the pages that must have numbers of lines."""
REACH = 0.3
"""Share of the page height over which numbers of lines must reach; the last page may be short."""
LEVEL = 0.3
"""Difference in height, in heights of the line, up to which two pieces stand on one line."""
CLEAR = 0.4
"""Space, in heights of the line, from which a head or foot stands clear of the text."""
FOOT = 0.6
"""Share of the pages on which a last line must stand clear of the text at one height to be a foot."""
MISREAD = 70
"""Likeness of one foot to another of those around it; OCR misreads a letter in ten, and the page numbers differ."""
MAX_FOOT = 200
"""Characters of a foot that are compared."""
FAR = 1.5
"""Space above it, in its heights."""
SAME_HEIGHT = 6.0
"""Points by which the heights of heads or feet may differ; scans lie unevenly."""
MAX_OFFSETS = 4
"""Numbers of one printed line at the edge that may be that of the page."""
Key = tuple[int, float, str]
"""Page, upper edge and text of a line."""
ALIKE = 60
"""Letters of a line that are compared with those of others."""
_NUMBER = re.compile(r"\d{1,5}")
_LABEL = re.compile(r"\s{0,4}(?P<open>[\[(]?)(?P<n>\d{1,4})(?P<close>[.)\]])(?!\d)")
_NOT_LETTER = re.compile(r"[\W\d_]+")
_PAGE_NUMBER = re.compile(r"[\divxlc]{1,7}|(?:page\s)?\d{1,5}\s?(?:/|of|von|de|sur)\s?\d{1,5}", re.IGNORECASE)
_AT_END = re.compile(r"^\D{0,3}(\d{1,5})\b|\b(\d{1,5})\D{0,3}$")


def running(pages: Sequence[PdfPage], lines: Sequence[Sequence[PdfLine]]) -> set[Key]:
    """Find running heads and feet: lines near the edge that recur at one height, and bare page numbers there.

    Args:
        pages: The pages.
        lines: Those of their lines that are to be read, page by page.

    Returns:
        Page number, upper edge and text of each such line.
    """
    seen: dict[tuple[str, int], list[Key]] = defaultdict(list)
    edges: dict[int, list[PdfLine]] = {}
    within: Counter[str] = Counter()
    for page, content in zip(pages, lines, strict=True):
        top, bottom = MARGIN * page.height, (1 - MARGIN) * page.height
        labels = _labels(content)
        edges[page.number] = [line for line in content if not top < line.y0 < bottom and line not in labels]
        within.update(_letters(line.text) for line in content if top < line.y0 < bottom)
        for line in edges[page.number]:
            text = line.text
            if letters := _letters(text):
                seen[letters, round(line.y0 / 6)].append((page.number, line.y0, text))
    least = REPEATS if len(pages) > SHORT else 2
    found: set[Key] = set()
    for (letters, height), keys in seen.items():
        near = [*keys, *seen.get((letters, height + 1), ()), *seen.get((letters, height - 1), ())]
        # Entries of a list may be alike but for their numbers: such lines stand all over the page.
        if len({page for page, _, _ in near}) >= least and within[letters] < len(near):
            found.update(keys)
    found |= _paged(edges)
    found |= _feet(pages, lines)
    for page, content in zip(pages, lines, strict=True):
        rest = [line for line in content if (page.number, line.y0, line.text) not in found]
        found.update((page.number, line.y0, line.text) for line in _page_numbers(rest, page.height))
    return found


def _letters(text: str) -> str:
    return _NOT_LETTER.sub("", text).lower()[:ALIKE]


def _labels(content: Sequence[PdfLine]) -> set[PdfLine]:
    """Give the lines of a page that carry a label of a running sequence: `[12]` where `[11]` or `[13]` opens another.

    A bare number may be that of the page.
    """
    opened = {line: match for line in content if (match := _LABEL.match(line.spans[0].text))}
    kinds = {(match["open"], match["close"], int(match["n"])) for match in opened.values()}
    return {
        line
        for line, match in opened.items()
        if kinds & {(match["open"], match["close"], int(match["n"]) + step) for step in (-1, 1)}
    }


def _paged(edges: dict[int, list[PdfLine]]) -> set[Key]:
    """Find heads and feet that change from page to page, by the page number that they hold.

    The outermost printed line counts alone; its number must run with the pages.
    """
    outer: dict[int, list[list[PdfLine]]] = {}
    offsets: Counter[int] = Counter()
    numbers: dict[int, set[int]] = {}
    for page, content in edges.items():
        if not content:
            continue
        top, bottom = min(content, key=lambda line: line.y0), max(content, key=lambda line: line.y1)
        outer[page] = [group for edge in (top, bottom) if (group := _alone(edge, content))]
        numbers[page] = {number - page for group in outer[page] for number in _numbers(group)}
        offsets.update(numbers[page])
    if not offsets:
        return set()
    best, count = offsets.most_common(1)[0]
    if count < (REPEATS if len(edges) > SHORT else 2) or count < NUMBERED * len(outer):
        return set()
    return {
        (page, line.y0, line.text)
        for page, groups in outer.items()
        for group in groups
        if page + best in _numbers(group)
        for line in group
    }


def _feet(pages: Sequence[PdfPage], lines: Sequence[Sequence[PdfLine]]) -> set[Key]:
    """Find feet by their place: OCR reads the same words a little differently on each page."""
    feet: list[tuple[int, list[PdfLine]]] = []
    filled = 0
    for page, content in zip(pages, lines, strict=True):
        filled += bool(content)
        foot = _foot(content, (1 - MARGIN) * page.height)
        if foot and _labels(content).isdisjoint(foot):
            feet.append((page.number, foot))
    if len(feet) < max(REPEATS, FOOT * filled):
        return set()
    usual = median(foot[0].y0 for _, foot in feet)
    level = [(page, foot) for page, foot in feet if abs(foot[0].y0 - usual) <= SAME_HEIGHT]
    texts = ["".join(line.text for line in foot) for _, foot in level]
    level = [
        level[at]
        for at, text in enumerate(texts)
        if _recurs(text, [*texts[max(0, at - 2) : at], *texts[at + 1 : at + 3]])
    ]
    if len(level) < max(REPEATS, FOOT * filled):
        return set()
    return {(page, line.y0, line.text) for page, foot in level for line in foot}


def _recurs(text: str, near: Sequence[str]) -> bool:
    """Whether nearly the same text stands on one of the pages around, odd or even."""
    return any(fuzz.ratio(text[:MAX_FOOT], other[:MAX_FOOT]) >= MISREAD for other in near)


def _foot(content: Sequence[PdfLine], bottom: float) -> list[PdfLine]:
    """Give the last printed line of a page where it stands far below the text; a scan may be a little askew."""
    if not content:
        return []
    last = max(content, key=lambda line: line.y1)
    height = last.y1 - last.y0
    foot = [line for line in content if line.y0 > last.y0 - height]
    if min(line.y0 for line in foot) <= bottom:
        return []
    above = max((line.y1 for line in content if line.y0 <= last.y0 - height), default=0.0)
    return foot if min(line.y0 for line in foot) - above >= FAR * height else []


def _alone(edge: PdfLine, content: Sequence[PdfLine]) -> list[PdfLine]:
    """Give the printed line of a piece at the edge; nothing where it does not stand clear of the text."""
    middle, height = (edge.y0 + edge.y1) / 2, edge.y1 - edge.y0
    group = [line for line in content if abs((line.y0 + line.y1) / 2 - middle) <= LEVEL * height]
    members = set(group)
    clear = all(
        line.y0 >= edge.y1 + CLEAR * height or line.y1 <= edge.y0 - CLEAR * height
        for line in content
        if line not in members
    )
    return group if clear else []


def _numbers(group: Sequence[PdfLine]) -> set[int]:
    """Give the numbers that stand at either end of the pieces of one printed line."""
    found = [match[1] or match[2] for line in group for match in _AT_END.finditer(line.text.strip())]
    return {int(number) for number in found[:MAX_OFFSETS]}


def stamped(pages: Sequence[PdfPage], lines: Sequence[Sequence[PdfLine]]) -> set[Key]:
    """Find watermarks: texts that stand at one and the same place on most pages, whatever their height."""
    if len(pages) < REPEATS:
        return set()
    seen: dict[tuple[str, int, int], list[Key]] = defaultdict(list)
    for page, content in zip(pages, lines, strict=True):
        for line in content:
            text = line.text
            seen[text, round(line.x0), round(line.y0)].append((page.number, line.y0, text))
    least = max(REPEATS, STAMPED * len(pages))
    found = {
        key
        for (text, _, _), keys in seen.items()
        if len(keys) >= least and len({page for page, _, _ in keys}) >= least and not _NUMBER.fullmatch(text.strip())
        for key in keys
    }
    # A form repeats whole pages: that is its text.
    return found if len(found) <= MOST_STAMPED * sum(map(len, lines)) else set()


def _page_numbers(lines: Sequence[PdfLine], height: float) -> list[PdfLine]:
    """Find bare numbers that stand alone as the first or last line of a page; a label has text beside it."""
    if not lines:
        return []
    top, bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    return [
        line
        for line in lines
        if (line.y0 == top or line.y1 == bottom)
        and not 2 * MARGIN * height < line.y0 < (1 - 2 * MARGIN) * height
        and _PAGE_NUMBER.fullmatch(line.text.strip())
        and not any(other is not line and other.y0 < line.y1 and line.y0 < other.y1 for other in lines)
    ]


def numbered(
    pages: Sequence[PdfPage], contents: Sequence[Sequence[PdfLine]]
) -> tuple[list[set[PdfLine]], set[tuple[str, int]]]:
    """Find the numbers of lines of a review copy, in one margin or both.

    Args:
        pages: The pages.
        contents: Their lines.

    Returns:
        The numbers page by page, and the vertical lines on which they stand; both empty for other documents.
    """
    numbers = [line_numbers(lines, page.height) for page, lines in zip(pages, contents, strict=True)]
    # A table may number its rows on one page; a review copy numbers its lines on all.
    if sum(bool(found) for found in numbers) < NUMBERED * sum(bool(lines) for lines in contents):
        return [set() for _ in numbers], set()
    return numbers, {(side, round(place)) for found in numbers for line in found for side, place in _edges(line)}


def line_numbers(lines: Sequence[PdfLine], height: float) -> set[PdfLine]:
    """Find the numbers of lines in review copies: bare numbers in one vertical line, rising evenly at an even pitch.

    Labels of references are spaced unevenly, because references have different lengths; the marks of an axis do
    not reach down the page.

    Args:
        lines: The lines of one page.
        height: Of the page, points.

    Returns:
        Those that are numbers of lines.
    """
    aligned: dict[tuple[str, int], list[PdfLine]] = defaultdict(list)
    for line in lines:
        if len(line.spans[0].text) <= 7 and _NUMBER.fullmatch(line.text.strip()):  # noqa: PLR2004  # spares most lines
            for side, place in _edges(line):
                aligned[side, round(place)].append(line)
    found: set[PdfLine] = set()
    least = min(MIN_LINE_NUMBERS.values())
    for side, place in sorted(aligned):
        group = [line for shift in (-1, 0, 1) for line in aligned.get((side, place + shift), ())]
        group.sort(key=lambda line: line.y0)
        if len(group) >= least and group[-1].y0 - group[0].y0 >= REACH * height and _even(group, lines):
            found.update(group)
    return found


def _edges(line: PdfLine) -> tuple[tuple[str, float], tuple[str, float]]:
    """Give both edges: numbers of lines are set flush left or flush right."""
    return ("left", line.x0), ("right", line.x1)


def on_edge(line: PdfLine, edges: set[tuple[str, int]]) -> bool:
    """Whether a line is a bare number where other pages number their lines: a last page has too few to tell."""
    if not edges or not _NUMBER.fullmatch(line.text.strip()):
        return False
    return any((side, round(place) + shift) in edges for side, place in _edges(line) for shift in (-1, 0, 1))


def _even(group: Sequence[PdfLine], lines: Sequence[PdfLine]) -> bool:
    """Whether bare numbers rise by one step at one pitch, and number most of the printed lines."""
    values = [int(line.text) for line in group]
    steps = [second - first for first, second in pairwise(values)]
    pitches = [second.y0 - first.y0 for first, second in pairwise(group)]
    step, pitch = Counter(steps).most_common(1)[0][0], median(pitches)
    if len(group) < MIN_LINE_NUMBERS.get(step, len(group) + 1):
        return False
    members = set(group)
    printed = len({round(line.y0 / 4) for line in lines if line not in members})
    # A figure may interrupt the numbers, and a heading their pitch.
    rising = sum(value == step for value in steps) >= 0.8 * len(steps)
    level = sum(abs(value - pitch) <= 0.2 * pitch for value in pitches) >= 0.6 * len(pitches)
    return rising and level and len(group) * step >= 0.4 * printed
