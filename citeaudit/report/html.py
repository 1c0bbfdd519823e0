"""The HTML report: one file without script or outside resources, for screens of any width and for paper."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import TextIO

from citeaudit.model import Audit, FailedBlock, SourceHealth, Unreadable, Verdict
from citeaudit.report import quotations, tally, words
from citeaudit.report.cards import badge, card, line
from citeaudit.report.groups import Groups, columns, split
from citeaudit.report.markup import Markup, element, join
from citeaudit.text.visible import shorten, visible

_RAW_WIDTH = 600


class HtmlReporter:
    """Writes one self-contained page over all documents, with an index where there are several.

    The page allows itself nothing but its own style sheet (Content-Security-Policy); every text is escaped.
    """

    format = "html"
    suffix = ".html"

    def write(self, results: Sequence[Audit | Unreadable], stream: TextIO) -> None:
        """Write the page."""
        stream.write(page(results))


def page(results: Sequence[Audit | Unreadable], *, framed: bool = False) -> str:
    """Give the page as text; `framed` leaves out links within it, which would load the outer page into a frame."""
    style = _template("report.css")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    title = f"References of {_path(results[0])}" if len(results) == 1 else f"References of {len(results)} documents"
    return Template(_template("page.html")).substitute(
        title=join(title),
        heading=join("Report on references" if len(results) == 1 else title),
        style=style,
        style_hash=f"sha256-{digest}",
        main=join(
            _index(results), *(_document(place, one, framed=framed) for place, one in enumerate(results, start=1))
        ),
    )


@cache
def _template(name: str) -> str:
    return (files("citeaudit.report") / "templates" / name).read_text(encoding="utf-8")


def _path(result: Audit | Unreadable) -> str:
    return result.path if isinstance(result, Unreadable) else result.document.path


def _index(results: Sequence[Audit | Unreadable]) -> Markup:
    if not results:
        return element("p", "No documents.")
    if len(results) == 1:
        return join()
    shown = columns(split(result.verdicts) for result in results if isinstance(result, Audit))
    names = ("document", "references", *shown)
    head = element("tr", (element("th", name, scope="col") for name in names))
    rows = []
    for place, result in enumerate(results, start=1):
        link = element("a", _path(result), href=f"#doc-{place}")
        cells = ("could not be read", *[""] * len(shown)) if isinstance(result, Unreadable) else _figures(result, shown)
        labelled = (element("td", cell, data_label=name) for name, cell in zip(names[1:], cells, strict=True))
        rows.append(element("tr", element("th", link, scope="row", data_label=names[0]), labelled))
    return element("nav", element("table", element("thead", head), element("tbody", rows)), aria_label="Documents")


def _figures(audit: Audit, names: Sequence[str]) -> tuple[str, ...]:
    groups = split(audit.verdicts)
    return tuple(str(len(group)) for group in (audit.verdicts, *map(groups.named, names)))


def _document(place: int, result: Audit | Unreadable, *, framed: bool) -> Markup:
    name = f"doc-{place}"
    heading = element("h2", element("bdi", _path(result)))
    if isinstance(result, Unreadable):
        lost = element("p", "Could not be read: ", result.message, class_="lead")
        return element("article", heading, lost, id=name, class_="document")
    groups = split(result.verdicts)
    return element(
        "article",
        heading,
        _summary(result, groups),
        join() if framed else _jumps(result, groups, name),
        _section(f"{name}-look", f"To look at ({len(groups.attention)})", _cards(groups.attention, result)),
        _section(f"{name}-open", f"Not decided ({len(groups.undecided)})", _cards(groups.undecided, result)),
        _section(f"{name}-settled", f"Decided by a person ({len(groups.settled)})", _cards(groups.settled, result)),
        _lost(result.failed, f"{name}-lost"),
        _verified(groups, f"{name}-verified"),
        _made(result, f"{name}-made"),
        id=name,
        class_="document",
    )


def _cards(verdicts: Iterable[Verdict], audit: Audit) -> Iterator[Markup]:
    return (card(one, new=tally.is_new(one, audit)) for one in verdicts)


def _summary(audit: Audit, groups: Groups) -> Markup:
    look, undecided, settled, verified = (len(group) for group in groups)
    counts = [
        element("li", element("strong", str(number)), " ", badge(status, number))
        for status, number in tally.by_status(audit)
    ]
    counts += [element("li", element("span", told, class_="badge good")) for told in tally.decided_words(audit)]
    counts += [
        element("li", element("strong", str(number)), " ", element("span", flag.value, class_="badge flag"))
        for flag, number in audit.flags.items()
    ]
    return join(
        element(
            "p",
            element("strong", f"{look} of {words.number(len(audit.verdicts), 'reference')}"),
            f" to look at, {undecided} not decided, {f'{settled} decided by a person, ' if settled else ''}"
            f"{verified} verified.",
            class_="lead",
        ),
        element("ul", counts, class_="counts") if counts else "",
        (element("p", f"{one}.", class_="quiet") for one in words.uncounted(audit)),
        element("p", f"{words.reading(audit)}. Asked: {words.asked(audit)}.", class_="quiet"),
        (element("p", f"{one}.", class_="quiet") for one in words.citing(audit.self_check, words.uncited(audit))),
        (element("p", f"{one}.", class_="quiet") for one in words.quoted(audit)),
        (element("p", f"Assumed: {one}.", class_="quiet") for one in audit.assumptions),
        (element("p", note, class_="quiet") for note in audit.notes),
        (element("p", f"{one}.", class_="quiet") for one in quotations.checked(audit)),
    )


def _jumps(audit: Audit, groups: Groups, name: str) -> Markup:
    parts = (
        ("look", "To look at", groups.attention),
        ("open", "Not decided", groups.undecided),
        ("settled", "Decided by a person", groups.settled),
        ("lost", "Could not be read", audit.failed),
        ("verified", "Verified", groups.verified),
        ("made", "How this was made", (audit,)),
    )
    shown = (element("li", element("a", text, href=f"#{name}-{part}")) for part, text, there in parts if there)
    return element("ul", shown, class_="jump")


def _section(name: str, title: str, cards: Iterator[Markup]) -> Markup:
    shown = list(cards)
    return element("section", element("h3", title), shown, id=name) if shown else join()


def _lost(failed: Sequence[FailedBlock], name: str) -> Markup:
    rows = (
        element(
            "li",
            element("strong", words.where(block.locus) or "place unknown"),
            f": {block.message}",
            element("p", element("bdi", shorten(visible(block.raw), _RAW_WIDTH)), class_="printed"),
        )
        for block in failed
    )
    shown = element("ul", rows, class_="plain")
    return _section(name, f"Could not be read as references ({len(failed)})", iter((shown,) if failed else ()))


def _verified(groups: Groups, name: str) -> Markup:
    count = len(groups.verified)
    shown = element(
        "details",
        element("summary", f"Show {words.number(count, 'reference')} that agree with a record"),
        element("ul", map(line, groups.verified), class_="plain"),
        class_="group",
    )
    return _section(name, f"Verified ({count})", iter((shown,) if count else ()))


def _made(audit: Audit, name: str) -> Markup:
    check = audit.self_check
    facts = (
        ("Read", words.reading(audit)),
        ("Labels read twice", ", ".join(check.labels_duplicate)),
        ("Reader", audit.document.format),
        ("Preset", f"{audit.preset}{', offline: nothing was asked over a network' if audit.offline else ''}"),
        ("Assumptions", "; ".join(audit.assumptions) or "none"),
        ("Versions", words.made_with(audit)),
        ("Indexes", words.indexes(audit)),
        ("Settings", audit.settings_hash),
        ("Time", f"{words.when(audit.started_at)} to {words.when(audit.finished_at)}"),
    )
    told = (join(element("dt", term), element("dd", value)) for term, value in facts if value)
    return element("section", element("h3", "How this was made"), element("dl", told), _health(audit.health), id=name)


def _health(health: Sequence[SourceHealth]) -> Markup:
    if not health:
        return element("p", "No source was asked.")
    names = ("source", "questions", "answered", "remembered", "failures")
    head = element("tr", (element("th", name, scope="col") for name in names))
    rows = []
    for one in health:
        cells = (str(one.asked), str(one.answered), str(one.from_cache), words.failures(one) or "none")
        labelled = (element("td", cell, data_label=name) for name, cell in zip(names[1:], cells, strict=True))
        rows.append(element("tr", element("th", one.source, scope="row", data_label="source"), labelled))
    return element("table", element("thead", head), element("tbody", rows))
