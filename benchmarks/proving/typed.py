"""References as people type them: a dozen styles, each a list of runs (text, face)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from works import Work

Runs = list[tuple[str, str]]
"""Text and face: `` (plain), `i` (italic), `b` (bold), `sc` (small caps)."""

Person = tuple[str, str]


def text(runs: Runs) -> str:
    """Give the words alone."""
    return "".join(part for part, _ in runs)


def _initials(given: str, stop: str = ".", gap: str = " ") -> str:
    parts = [part for part in re.split(r"[\s.]+", given) if part]
    return gap.join("-".join(f"{half[0]}{stop}" for half in part.split("-") if half) for part in parts)


def _listed(names: Sequence[str], last: str, comma: str = ", ") -> str:
    if len(names) < 2:  # noqa: PLR2004
        return "".join(names)
    return comma.join(names[:-1]) + last + names[-1]


def _inverted(people: Sequence[Person], *, short: bool = False) -> list[str]:
    return [f"{family}, {_initials(given) if short else given}" if given else family for family, given in people]


def _direct(people: Sequence[Person]) -> list[str]:
    return [f"{given} {family}".strip() for family, given in people]


def _etal(work: Work, mark: str = " et al.") -> str:
    return "" if work.complete else mark


def _dashed(pages: str) -> str:
    return pages.replace("-", "–")


def _imprint(work: Work) -> str:
    return ": ".join(part for part in (work.place, work.publisher) if part)


def _apa(work: Work) -> Runs:
    names = _inverted(work.authors, short=True)
    lead = _listed(names, ", & ") + _etal(work, ", et al.")
    runs: Runs = [
        (
            f"{lead.rstrip('.')}{'.' if lead.endswith('.') else '.' if not work.authors[0][1] else ''} ({work.year}). ",
            "",
        )
    ]
    if work.type == "article-journal":
        runs += [(f"{work.title}. ", ""), (f"{work.container}, {work.volume}", "i")]
        runs += [
            (f"({work.issue})" if work.issue else "", ""),
            (f", {_dashed(work.pages)}." if work.pages else ".", ""),
        ]
    elif work.type in ("chapter", "paper-conference"):
        editors = _listed(_direct_initials(work.editors), " & ")
        eds = f"{editors} (Ed{'s' if len(work.editors) > 1 else ''}.), " if editors else ""
        runs += [(f"{work.title}. In {eds}", ""), (work.container, "i")]
        runs += [(f" (pp. {_dashed(work.pages)})." if work.pages else ".", "")]
        runs += [(f" {work.publisher}." if work.publisher else "", "")]
    else:
        runs += [(work.title, "i"), (_tail(work), "")]
    return [*runs, (f" https://doi.org/{work.doi}" if work.doi else "", "doi")]


def _direct_initials(people: Sequence[Person]) -> list[str]:
    return [f"{_initials(given)} {family}".strip() for family, given in people]


def _tail(work: Work) -> str:
    match work.type:
        case "thesis":
            return f" [Doctoral dissertation, {work.publisher}]."
        case "preprint":
            return f". arXiv:{work.arxiv}."
        case "webpage":
            return f". {work.url}"
        case "report" | "standard" | "patent":
            return f" ({work.number}). {work.publisher}." if work.publisher else f" ({work.number})."
    return f". {_imprint(work)}." if _imprint(work) else "."


def _mla(work: Work) -> Runs:
    names = _inverted(work.authors[:1]) + _direct(work.authors[1:])
    lead = (names[0] + ", et al" if len(names) > 2 or not work.complete else _listed(names, ", and ")).rstrip(".")  # noqa: PLR2004
    runs: Runs = [(f"{lead}. ", "")]
    if work.container:
        runs += [(f"“{work.title}.” ", ""), (work.container, "i")]
        numbers = [f"vol. {work.volume}" if work.volume else "", f"no. {work.issue}" if work.issue else ""]
        numbers += [_imprint(work), str(work.year), f"pp. {_dashed(work.pages)}" if work.pages else ""]
        return [*runs, (", " + ", ".join(part for part in numbers if part) + ".", "")]
    runs += [(work.title, "i"), (f". {work.publisher + ', ' if work.publisher else ''}{work.year}.", "")]
    return [*runs, (f" {work.url}." if work.url else "", "")]


def _chicago(work: Work) -> Runs:
    names = _inverted(work.authors[:1]) + _direct(work.authors[1:])
    lead = (_listed(names, ", and ") + _etal(work, ", et al")).rstrip(".")
    runs: Runs = [(f"{lead}. {work.year}. ", "")]
    if work.type == "article-journal":
        issue = f" ({work.issue})" if work.issue else ""
        tail = f" {work.volume}{issue}: {_dashed(work.pages)}." if work.pages else f" {work.volume}{issue}."
        return [*runs, (f"“{work.title}.” ", ""), (work.container, "i"), (tail, "")]
    if work.container:
        eds = f", edited by {_listed(_direct(work.editors), ' and ')}" if work.editors else ""
        pages = f", {_dashed(work.pages)}" if work.pages else ""
        imprint = f" {_imprint(work)}." if _imprint(work) else ""
        return [*runs, (f"“{work.title}.” In ", ""), (work.container, "i"), (f"{eds}{pages}.{imprint}", "")]
    return [*runs, (work.title, "i"), (_tail(work), "")]


def _vancouver(work: Work) -> Runs:
    names = [f"{family} {_initials(given, '', '')}".strip() for family, given in work.authors[:6]]
    lead = ", ".join(names) + (", et al" if len(work.authors) > 6 or not work.complete else "")  # noqa: PLR2004
    runs: Runs = [(f"{lead}. {work.title}. ", "")]
    if work.type == "article-journal":
        issue = f"({work.issue})" if work.issue else ""
        runs += [(f"{work.container}. {work.year};{work.volume}{issue}{':' + work.pages if work.pages else ''}.", "")]
    elif work.container:
        runs += [(f"In: {work.container}. {_imprint(work) + '; ' if _imprint(work) else ''}{work.year}.", "")]
        runs += [(f" p. {work.pages}." if work.pages else "", "")]
    else:
        runs += [
            (
                f"{_tail(work).lstrip(' .')} {work.year}."
                if work.type != "book"
                else f"{_imprint(work)}; {work.year}.",
                "",
            )
        ]
    return [*runs, (f" doi:{work.doi}" if work.doi else "", "doi")]


def _bmc(work: Work) -> Runs:
    names = [f"{family} {_initials(given, '', '')}".strip() for family, given in work.authors]
    runs: Runs = [(", ".join(names) + _etal(work, ", et al.") + ": ", ""), (f"{work.title}.", "b")]
    if work.container:
        runs += [(" ", ""), (work.container, "i"), (f" {work.year}", "")]
        runs += [(", ", ""), (work.volume, "b")] if work.volume else []
        return [*runs, (f":{_dashed(work.pages)}." if work.pages else ".", "")]
    return [
        *runs,
        (
            f" {_imprint(work)}; {work.year}."
            if work.publisher
            else f" {work.number or work.url or work.arxiv} {work.year}.",
            "",
        ),
    ]


def _jss(work: Work) -> Runs:
    names = [f"{family} {_initials(given, '', '')}".strip() for family, given in work.authors]
    lead = ", ".join(names) + _etal(work, ", et al.")
    runs: Runs = [(f"{lead} ({work.year}). ", "")]
    if work.container:
        runs += [
            (f"“{work.title}.” ", ""),
            ("" if work.type == "article-journal" else "In ", ""),
            (work.container, "i"),
        ]
        runs += [(", ", ""), (work.volume, "b"), (f"({work.issue})" if work.issue else "", "")] if work.volume else []
        runs += [(f", {_dashed(work.pages)}." if work.pages else ".", "")]
        return [*runs, (f" doi:{work.doi}." if work.doi else "", "doi")]
    return [*runs, (work.title, "i"), (_tail(work), "")]


def _acs(work: Work) -> Runs:
    lead = "; ".join(_inverted(work.authors, short=True)) + _etal(work, "; et al.")
    if work.type in ("article-journal", "paper-conference", "preprint"):
        name = work.container or f"arXiv:{work.arxiv}"
        runs: Runs = [(f"{lead} ", ""), (name, "i"), (" ", ""), (str(work.year), "b")]
        runs += [(", ", ""), (work.volume, "i")] if work.volume else []
        return [*runs, (f", {_dashed(work.pages)}." if work.pages else ".", "")]
    return [(f"{lead} ", ""), (work.title, "i"), (f"; {work.publisher or work.number or work.url}, {work.year}.", "")]


def _rsc(work: Work) -> Runs:
    lead = _listed(_direct_initials(work.authors), " and ") + _etal(work)
    if work.container:
        runs: Runs = [(f"{lead}, ", ""), (work.container, "i"), (f", {work.year}", "")]
        runs += [(", ", ""), (work.volume, "b")] if work.volume else []
        return [*runs, (f", {_dashed(work.pages)}." if work.pages else ".", "")]
    return [(f"{lead}, ", ""), (work.title, "i"), (f", {work.publisher or work.number or work.url}, {work.year}.", "")]


def _de(work: Work) -> Runs:
    lead = "/".join(_inverted(work.authors)) + _etal(work, " u.a.")
    head: Runs = [(f"{lead} ({work.year}): {work.title}.", "")]
    if work.type == "article-journal":
        volume = f", Jg. {work.volume}" if work.volume else ""
        issue = f", H. {work.issue}" if work.issue else ""
        return [*head, (f" In: {work.container}{volume}{issue}{', S. ' + work.pages if work.pages else ''}.", "")]
    if work.container:
        eds = f"{'/'.join(_inverted(work.editors))} (Hrsg.): " if work.editors else ""
        imprint = f". {_imprint(work)}" if _imprint(work) else ""
        return [*head, (f" In: {eds}{work.container}{imprint}{', S. ' + work.pages if work.pages else ''}.", "")]
    if work.type == "thesis":
        return [*head, (f" Dissertation. {work.publisher}.", "")]
    return [*head, (f" {_imprint(work) or work.number or work.url or 'arXiv:' + work.arxiv}.", "")]


def _denote(work: Work) -> Runs:
    lead = "/".join(_direct(work.authors)) + _etal(work, " u. a.")
    if work.type == "article-journal":
        return [(f"{lead}, {work.title}, in: {work.container} {work.volume} ({work.year}), S. {work.pages or '1'}", "")]
    if work.container:
        eds = f"{'/'.join(_direct(work.editors))} (Hg.), " if work.editors else ""
        place = f"{work.place} " if work.place else ""
        pages = f", S. {work.pages}" if work.pages else ""
        return [(f"{lead}, {work.title}, in: {eds}{work.container}, {place}{work.year}{pages}", "")]
    where = work.place or work.publisher or "o. O."
    return [(f"{lead}, {work.title}, {where} {work.year}", "")]


def _chinote(work: Work) -> Runs:
    lead = _listed(_direct(work.authors), ", and " if len(work.authors) > 2 else " and ") + _etal(work)  # noqa: PLR2004
    if work.type == "article-journal":
        issue = f", no. {work.issue}" if work.issue else ""
        tail = f" {work.volume}{issue} ({work.year}){': ' + _dashed(work.pages) if work.pages else ''}"
        return [(f"{lead}, “{work.title},” ", ""), (work.container, "i"), (tail, "")]
    imprint = f" ({_imprint(work) + ', ' if _imprint(work) else ''}{work.year})"
    if work.container:
        eds = f", ed. {_listed(_direct(work.editors), ' and ')}" if work.editors else ""
        return [(f"{lead}, “{work.title},” in ", ""), (work.container, "i"), (f"{eds}{imprint}", "")]
    return [(f"{lead}, ", ""), (work.title, "i"), (imprint, "")]


def _frnote(work: Work) -> Runs:
    lead = _listed(_direct(work.authors), " et ") + _etal(work)
    if work.type == "article-journal":
        issue = f", n° {work.issue}" if work.issue else ""
        pages = f", p. {work.pages}" if work.pages else ""
        return [
            (f"{lead}, « {work.title} », ", ""),
            (work.container, "i"),
            (f", vol. {work.volume}{issue}, {work.year}{pages}", ""),
        ]
    imprint = ", ".join(part for part in (work.place, work.publisher, str(work.year)) if part)
    if work.container:
        eds = f"{_listed(_direct(work.editors), ' et ')} (dir.), " if work.editors else ""
        return [(f"{lead}, « {work.title} », dans {eds}", ""), (work.container, "i"), (f", {imprint}", "")]
    return [(f"{lead}, ", ""), (work.title, "i"), (f", {imprint}", "")]


def _fr(work: Work) -> Runs:
    lead = ", ".join(f"{family.upper()} {given}".strip() for family, given in work.authors) + _etal(work, " et al.")
    if work.container:
        numbers = [
            f"vol. {work.volume}" if work.volume else "",
            f"n° {work.issue}" if work.issue else "",
            _imprint(work),
        ]
        numbers += [str(work.year), f"p. {work.pages}" if work.pages else ""]
        tail = ", ".join(part for part in numbers if part)
        return [(f"{lead}, « {work.title} », ", ""), (work.container, "i"), (f", {tail}.", "")]
    imprint = ", ".join(
        part for part in (work.place, work.publisher or work.number or work.url, str(work.year)) if part
    )
    return [(f"{lead}, ", ""), (work.title, "i"), (f", {imprint}.", "")]


def _es(work: Work) -> Runs:
    lead = _listed(_inverted(work.authors, short=True), " y ") + _etal(work, " et al.")
    if work.container:
        issue = f"({work.issue})" if work.issue else ""
        tail = f", {work.volume}{issue}" if work.volume else ""
        pages = f", pp. {work.pages}" if work.pages else ""
        return [(f"{lead} ({work.year}): «{work.title}», ", ""), (work.container, "i"), (f"{tail}{pages}.", "")]
    return [(f"{lead} ({work.year}): ", ""), (work.title, "i"), (f". {_imprint(work) or work.number or work.url}.", "")]


def _pt(work: Work) -> Runs:
    names = [f"{family.upper()}, {given}" if given else family.upper() for family, given in work.authors]
    lead = "; ".join(names) + _etal(work, " et al")
    if work.type == "article-journal":
        parts = [
            f"v. {work.volume}",
            f"n. {work.issue}" if work.issue else "",
            f"p. {work.pages}" if work.pages else "",
        ]
        tail = ", ".join([part for part in parts if part] + [str(work.year)])
        return [(f"{lead.rstrip('.')}. {work.title}. ", ""), (work.container, "b"), (f", {tail}.", "")]
    imprint = f"{_imprint(work) + ', ' if _imprint(work) else ''}{work.year}"
    if work.container:
        pages = f", p. {work.pages}" if work.pages else ""
        return [(f"{lead.rstrip('.')}. {work.title}. In: ", ""), (work.container, "b"), (f". {imprint}{pages}.", "")]
    return [(f"{lead.rstrip('.')}. ", ""), (work.title, "b"), (f". {imprint}.", "")]


def _it(work: Work) -> Runs:
    lead = _listed(_direct_initials(work.authors), " e ") + _etal(work)
    if work.container:
        tail = f", {work.volume}" if work.volume else ""
        pages = f", pp. {work.pages}" if work.pages else ""
        return [(f"{lead}, ", ""), (work.title, "i"), (f", in «{work.container}»{tail}, {work.year}{pages}.", "")]
    return [
        (f"{lead}, ", ""),
        (work.title, "i"),
        (f", {', '.join(p for p in (work.publisher, work.place) if p)} {work.year}.", ""),
    ]


STYLES: dict[str, Callable[[Work], Runs]] = {
    "apa": _apa,
    "mla": _mla,
    "chicago": _chicago,
    "vancouver": _vancouver,
    "bmc": _bmc,
    "jss": _jss,
    "acs": _acs,
    "rsc": _rsc,
    "de": _de,
    "denote": _denote,
    "chinote": _chinote,
    "frnote": _frnote,
    "fr": _fr,
    "es": _es,
    "pt": _pt,
    "it": _it,
}
UNTITLED = frozenset({"acs", "rsc"})
"""Styles that print no titles of articles."""


def format_work(work: Work, style: str, *, dash: bool = False) -> Runs:
    """Write a work in a style; with `dash`, its authors are the ones above and a dash stands for them."""
    runs = [(part, face) for part, face in STYLES[style](work) if part]
    if not dash:
        return runs
    names = _inverted(work.authors[:1]) + _direct(work.authors[1:])
    lead = (_listed(names, ", and ") + _etal(work, ", et al")).rstrip(".")
    first = runs[0][0]
    return [("———" + first[len(lead) :], ""), *runs[1:]] if first.startswith(lead) else runs
