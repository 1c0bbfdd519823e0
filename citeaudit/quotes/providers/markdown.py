"""Citations in running text: quotes with a source in brackets or a link behind them, and block quotes with a source.

Read are `"quote" [doc, p. 3]`, `"quote" ([title](url))`, `"quote"[^1]` with its note, and `> quote` with a line such as
`— doc, p. 3` at its end or below it. Quotes without a source cite nothing and are left alone; a block quote without one
is kept with that reason. What stands in code is no citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citeaudit.quotes.providers.claims import sentence_before
from citeaudit.quotes.providers.normal import Cite, Kind, Locator, Reading, Source, because, is_url, linked, located

PROVIDER = "markdown"
_LONGEST = 4_000
_URL = r"[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500})?"
_LINK = rf"\[(?P<title>[^\[\]]{{0,500}})\]\(\s*<?(?P<url>{_URL})>?(?:\s+\"[^\"]{{0,200}}\")?\s*\)"
_QUOTE = re.compile(
    rf"\"(?P<straight>[^\"]{{1,{_LONGEST}}})\"|“(?P<curly>[^“”]{{1,{_LONGEST}}})”|„(?P<low>[^„“”]{{1,{_LONGEST}}})[“”]"
    rf"|«(?P<angle>[^«»]{{1,{_LONGEST}}})»"
)
_BEHIND = re.compile(
    rf"[.,;:]?\s{{0,3}}[(\[]?\s?(?:{_LINK})(?:,?\s*(?P<linked>pp?\.\s*[\w–-]{{1,20}}))?"
    r"|[.,;:]?\s{0,3}\[\^(?P<note>[^\[\]\s]{1,40})\]"
    r"|[.,;:]?\s{0,3}\[(?P<square>[^\[\]\n]{1,300})\](?!\()"
    r"|[.,;:]?\s{0,3}\((?P<round>[^()\n]{1,300},\s*(?:pp?\.|pages?|S\.|Seiten?)\s*[\w–-]{1,20})\)",
)
_PAGE = re.compile(
    r"[,;\s]*\(?\b(?:pp?\.|pages?|S\.|Seiten?)\s*(?P<first>[0-9]{1,6}|[ivxlcdm]{1,12})\s*(?:[-–—]\s*(?P<last>[0-9]{1,6}))?\)?[.\s]*$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\.[a-z][a-z0-9]{1,4}\b|://|\d", re.IGNORECASE)
"""What tells a source from a remark: the ending of a file, an address, a page or year."""
_SOURCE_LINE = re.compile(r"^\s*(?:[—–―]|--|-\s|Source:|Quelle:|From:|\[(?!\^))", re.IGNORECASE)
_LEAD = re.compile(r"^\s*(?:[—–―]+|--+|-\s|Source:|Quelle:|From:)\s*", re.IGNORECASE)
_NOTE = re.compile(r"^[ ]{0,3}\[\^?(?P<name>[^\[\]\s]{1,40})\]:\s*(?P<text>.{1,600})$", re.MULTILINE)
_CODE = re.compile(r"^(```|~~~)[^\n]*\n.*?(?:^\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_LINK_ALONE = re.compile(_LINK)


class _Found(NamedTuple):
    start: int
    quote: str
    cite: Cite


def read(text: str) -> Reading:
    """Read a text in Markdown, or without any markup. Never raises."""
    bare = _CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    notes = {found["name"]: found["text"].strip() for found in _NOTE.finditer(bare)}
    found = sorted([*_inline(bare, notes), *_blocks(bare)], key=lambda one: one[0])
    return Reading(text, [cite for _, cite in found])


def _inline(text: str, notes: dict[str, str]) -> Iterator[tuple[int, Cite]]:
    at = 0
    while (quote := _QUOTE.search(text, at)) is not None:
        behind = _BEHIND.match(text, quote.end())
        said = next(part for part in quote.groups() if part is not None)
        made = [] if behind is None or "\n\n" in said or not said.strip() else _of(behind, notes)
        if behind is None or not made:
            at = quote.start() + 1
            continue
        start, end = sentence_before(text, quote.end())
        raw = text[quote.start() : behind.end()].strip()
        for source, locator, wrong in made:
            cite = Cite(text[start:end], (start, end), _unfolded(said), source, locator, PROVIDER, raw, reason=wrong)
            yield quote.start(), cite
        at = behind.end()


def _unfolded(quote: str) -> str:
    """Give a quote on one line."""
    return re.sub(r"\s+", " ", quote).strip()


_Place = tuple[Source, Locator, str | None]


def _of(behind: re.Match[str], notes: dict[str, str]) -> list[_Place]:
    """Give the sources behind a quote; none where brackets hold a remark such as `[sic]`."""
    if behind["url"] is not None:
        return [_link(behind["title"], behind["url"], behind["linked"] or "")]
    if behind["note"] is not None:
        return [_noted(behind["note"], notes)]
    inner = behind["round"] or behind["square"]
    if inner in notes or inner.isdecimal():
        return [_noted(inner, notes)]
    return [named(part) for part in inner.split(";") if _NAMED.search(part)]


def _noted(name: str, notes: dict[str, str]) -> _Place:
    if name not in notes:
        locator = Locator(Kind.UNSUPPORTED, type="note")
        return Source(title=f"[{name}]"), locator, f"note [{name}] is not in the text"
    return named(notes[name])


def named(text: str) -> _Place:
    """Read a source as a text names it: a link, an address, or a document, each with its page or without.

    >>> source, locator, wrong = named("report.pdf, pp. 3–4")
    >>> source.title, locator.start, locator.end_exclusive, wrong
    ('report.pdf', 3, 5, None)
    """
    text = text.strip()
    link = _LINK_ALONE.search(text)
    if link is not None:
        return _link(link["title"], link["url"], text[link.end() :])
    page = _PAGE.search(text)
    name = text[: page.start()].strip(" ,;") if page is not None else text
    if is_url(name):
        return _link(None, name, page[0] if page is not None else "")
    locator, wrong = _paged(page) if page is not None else (Locator(Kind.NONE), None)
    return Source(title=name or None), locator, because(None if name else "names no document", wrong)


def _link(title: str | None, url: str, after: str) -> _Place:
    """Give the source of a link; `#page=` of its address counts pages of the PDF for certain, printed ones may not."""
    page, here, wrong = _PAGE.search(after), is_url(url), None
    locator = linked(url, "")
    if locator.kind is not Kind.PAGE and page is not None:
        locator, wrong = _paged(page)
    file = None if here else url.split("#", 1)[0]
    return Source(file_id=file, url=url if here else None, title=(title or "").strip() or None), locator, wrong


def _paged(page: re.Match[str]) -> tuple[Locator, str | None]:
    if not page["first"].isdecimal():
        return Locator(Kind.NONE, label=page["first"]), f"page {page['first']!r} is no number"
    first = int(page["first"])
    return located(Kind.PAGE, first, int(page["last"] or first) + 1, name="page")


def _blocks(text: str) -> Iterator[tuple[int, Cite]]:
    """Give the block quotes, each with its source line."""
    lines = text.splitlines(keepends=True)
    start = number = 0
    while number < len(lines):
        first, at = number, start
        while number < len(lines) and lines[number].lstrip(" ").startswith(">"):
            start, number = start + len(lines[number]), number + 1
        if number == first:
            start, number = start + len(lines[number]), number + 1
            continue
        quoted = [line.lstrip(" ")[1:].strip() for line in lines[first:number]]
        yield at, _block(text, at, quoted, _below(lines, number))


def _below(lines: list[str], number: int) -> str:
    """Give the line below a block quote, one blank line apart at most, where it names a source."""
    for line in lines[number : number + 2]:
        if line.strip():
            return line.strip() if _SOURCE_LINE.match(line) else ""
    return ""


def _block(text: str, at: int, quoted: list[str], below: str) -> Cite:
    while quoted and not quoted[-1]:
        quoted.pop()
    line = quoted.pop() if len(quoted) > 1 and _SOURCE_LINE.match(quoted[-1]) else below
    span = _lead_in(text, at)
    quote = _unfolded(" ".join(quoted)).strip('"“”„«»')
    place: _Place = (Source(), Locator(Kind.NONE), "names no source")
    if line:
        place = named(line if "](" in line else _LEAD.sub("", line).strip("[]"))
    source, locator, wrong = place
    reason = because(wrong, None if quote else "no quote")
    raw = "\n".join([*quoted, line]).strip()
    claim = text[slice(*span)] if span else ""
    return Cite(claim, span, quote or None, source, locator, PROVIDER, raw, reason=reason)


def _lead_in(text: str, at: int) -> tuple[int, int] | None:
    """Give the sentence that leads to a block quote; none where another quote or its source stands there."""
    before = text[max(0, at - _LONGEST) : at].rstrip().rsplit("\n", 1)[-1]
    if not before.strip() or before.lstrip().startswith((">", "#")) or _SOURCE_LINE.match(before):
        return None
    return sentence_before(text, at)
