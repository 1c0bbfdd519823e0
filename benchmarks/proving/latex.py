"""Turn a recipe into LaTeX: class, packages, running text with citations, the list or the notes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import notes
from prose import HEADINGS, paragraph, sentence
from typed import Runs, format_work
from works import Work, bib_entry, encode

LANGUAGES = ("de", "fr", "es", "pt", "it", "pl", "cs", "sv", "nl", "da")
_BABEL = {"de": "ngerman", "fr": "french", "es": "spanish", "pt": "portuguese", "en": "english"}
_CLASSES = {
    "article": r"\documentclass[10pt]{article}",
    "article2": r"\documentclass[10pt,twocolumn]{article}",
    "report": r"\documentclass[11pt,twoside]{report}",
    "book": r"\documentclass[10pt,twoside]{book}",
    "amsart": r"\documentclass{amsart}",
    "scrartcl": r"\documentclass[11pt]{scrartcl}",
    "revtex-aps": r"\documentclass[aps,prl,reprint]{revtex4-2}",
    "revtex-aip": r"\documentclass[aip,preprint]{revtex4-2}",
    "mnras": r"\documentclass[fleqn,usenatbib]{mnras}",
    "aastex": r"\documentclass{aastex631}",
    "ieee2": r"\documentclass[conference]{IEEEtran}",
    "ieee1": r"\documentclass[journal,onecolumn]{IEEEtran}",
    "acmart": r"\documentclass[sigconf,nonacm]{acmart}",
    "llncs": r"\documentclass{llncs}",
    "elsarticle": r"\documentclass[preprint,3p]{elsarticle}",
}
_PLAIN = frozenset({"article", "article2", "report", "book", "scrartcl"})
_FONTS = (r"\usepackage{lmodern}", r"\usepackage{mathptmx}", r"\usepackage{mathpazo}", "")
_TRADITIONAL = frozenset({"numeric", "alphabetic", "authoryear", "authortitle", "verbose-ibid"})
"""biblatex styles that are set with BibTeX; the others need Biber."""
_PACKAGES = {
    "three": r"\usepackage{multicol}",
    "lineleft": r"\usepackage{lineno}\linenumbers",
    "lineboth": r"\usepackage[switch]{lineno}\linenumbers",
    "wide": r"\usepackage[left=7cm,right=2cm]{geometry}",
    "landscape": r"\usepackage{pdflscape}",
    "natlike": r"\usepackage{natbib}",
    "harvard": r"\usepackage{harvard}",
    "apacite": r"\usepackage{apacite}",
    "babelbib": r"\usepackage{babelbib}",
    "gerapali": r"\usepackage{bibgerm}",
    "cjk": r"\usepackage{CJKutf8}",
    "gbt": r"\usepackage{gbt7714}",
    "hyper": r"\usepackage[hidelinks]{hyperref}",
}
_WHO = r"\author{Nora Quill}"
_OWN_DOI = "10.5550/quiet.2021.14.033"


@dataclass(frozen=True, slots=True)
class Recipe:
    """One row of `recipes.tsv`."""

    name: str
    kind: str
    cls: str
    style: str
    n: int
    features: frozenset[str]

    @property
    def lang(self) -> str:
        """Give the language, English unless a feature names another."""
        return next((lang for lang in LANGUAGES if lang in self.features), "en")


@dataclass(slots=True)
class Source:
    """The files of a document and what it cites."""

    files: dict[str, str]
    printed: list[tuple[Work, str]]
    """Works in the order of the source, with the words printed for them where they are typed."""
    notes_only: list[str] = field(default_factory=list)
    """What looks like a citation and is none of a work."""
    steps: tuple[str, ...] = ("pdflatex", "bibtex main", "pdflatex", "pdflatex")


def build(recipe: Recipe, works: list[Work], rng: random.Random) -> Source:
    """Write the source of a recipe."""
    return _BUILDERS[recipe.kind](recipe, works, rng)


def tex(runs: Runs, *, hidden: bool = False) -> str:
    """Write typed runs as LaTeX."""
    made = []
    for part, face in runs:
        if face == "doi":
            doi = part.rsplit("doi.org/", 1)[-1].rsplit("doi:", 1)[-1].strip(" .")
            shown = (
                rf" \href{{https://doi.org/{doi}}}{{[Crossref]}}"
                if hidden
                else rf" {_doi_lead(part)}\url{{{_shown(part, doi)}}}"
            )
            made.append(shown)
            continue
        command = {"i": r"\textit", "b": r"\textbf", "sc": r"\textsc"}.get(face)
        made.append(f"{command}{{{encode(part)}}}" if command else encode(part))
    return "".join(made)


def _doi_lead(part: str) -> str:
    return "doi:" if part.strip().startswith("doi:") else ""


def _shown(part: str, doi: str) -> str:
    return f"https://doi.org/{doi}" if "doi.org" in part else doi


def _preamble(recipe: Recipe, rng: random.Random) -> list[str]:
    lines = [_CLASSES[recipe.cls], r"\usepackage[T1]{fontenc}"]
    if recipe.cls in _PLAIN:
        lines.append(rng.choice(_FONTS))
        lines.append(rf"\usepackage[{_BABEL.get(recipe.lang, 'english')}]{{babel}}")
        if not recipe.features & {"wide"} and rng.random() < 0.5:  # noqa: PLR2004
            lines.append(r"\usepackage[a4paper,margin=2.4cm]{geometry}")
    for feature, package in _PACKAGES.items():
        if feature in recipe.features and feature != "hyper":
            lines.append(package)
    lines.append(r"\usepackage{url}" if recipe.cls != "acmart" else "")
    if "furniture" in recipe.features:
        lines += [
            r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}",
            r"\fancyhead[L]{Journal of Quiet Results \textbf{2021}, 14, 33}\fancyhead[R]{\thepage}",
            rf"\fancyfoot[L]{{\footnotesize https://doi.org/{_OWN_DOI}}}",
            r"\fancyfoot[R]{\footnotesize www.quiet.example.org}",
        ]
    if "running" in recipe.features and recipe.cls == "article":
        lines.append(r"\pagestyle{headings}")
    return [line for line in lines if line]


def _closing(recipe: Recipe) -> list[str]:
    """Give what must stand last before the text."""
    lines = [_PACKAGES["hyper"]] if "hyper" in recipe.features and recipe.cls not in ("acmart", "aastex") else []
    return [
        *lines,
        r"\providecommand{\href}[2]{#2}\providecommand{\doi}[1]{doi:~#1}\providecommand{\selectlanguage}[1]{}",
        r"\providecommand{\bibinfo}[2]{#2}\providecommand{\natexlab}[1]{#1}\providecommand{\urlprefix}{URL }",
        r"\emergencystretch=2em",
    ]


def _title(recipe: Recipe, rng: random.Random) -> str:
    title, who = encode(sentence(recipe.lang, rng)), "Nora Quill and Otto Fenn"
    match recipe.cls:
        case "revtex-aps" | "revtex-aip":
            return rf"\title{{{title}}}{_WHO}\affiliation{{Institute of Quiet Results}}\date{{\today}}\maketitle"
        case "acmart":
            at = r"\affiliation{\institution{Quiet}\city{Bergen}\country{Norway}}"
            return rf"\title{{{title}}}{_WHO}{at}\maketitle"
        case "elsarticle":
            abstract = rf"\begin{{abstract}}{title}.\end{{abstract}}"
            return rf"\begin{{frontmatter}}\title{{{title}}}{_WHO}{abstract}\end{{frontmatter}}"
        case "llncs":
            return rf"\title{{{title}}}\author{{Nora Quill}}\institute{{Institute of Quiet Results}}\maketitle"
        case "aastex":
            return rf"\title{{{title}}}\author{{Nora Quill}}\affiliation{{Institute of Quiet Results}}"
    made = rf"\title{{{title}}}\author{{{who}}}\date{{}}\maketitle"
    if "furniture" in recipe.features:
        article = rf"Quill, N.; Fenn, O. {title}. \emph{{J. Quiet Results}} \textbf{{2021}}, 14, 33. https://doi.org/{_OWN_DOI}"
        made += rf"\noindent\fbox{{\parbox{{0.95\linewidth}}{{\small Cite as: {article}}}}}" "\n\n"
    return made


def _groups(works: Sequence[Work], rng: random.Random) -> list[list[Work]]:
    queue, groups = list(works), []
    while queue:
        size = rng.choice((1, 1, 1, 2, 3))
        groups.append(queue[:size])
        queue = queue[size:]
    return groups


def _running(recipe: Recipe, works: Sequence[Work], rng: random.Random, cite: Callable[[list[Work]], str]) -> str:
    """Write paragraphs in which every work is cited once."""
    made, heads = [], ("Introduction", "Material", "Results", "Discussion")
    groups = _groups(works, rng)
    per = max(1, len(groups) // 4 + 1)
    for place, group in enumerate(groups):
        if place % per == 0:
            made.append(rf"\section{{{heads[min(place // per, 3)]}}}")
        text = encode(paragraph(recipe.lang, rng, rng.randint(1, 3)))
        made.append(f"{text} {encode(sentence(recipe.lang, rng))}{cite(group)}.")
        if place % 3 == 2:  # noqa: PLR2004
            made.append("")
    return "\n".join(made)


def _keys(group: Sequence[Work]) -> str:
    return ",".join(work.key for work in group)


def _table(rng: random.Random, rows: int = 18) -> str:
    lines = [
        rf"Site {place} & {rng.random():.3f} & {rng.randint(1900, 2020)} & {rng.randint(1, 99)} \\"
        for place in range(1, rows)
    ]
    head = r"\begin{center}\begin{tabular}{lrrr} Site & Share & Year & Count \\ \hline "
    return head + "\n".join(lines) + r"\end{tabular}\end{center}"


def _after(recipe: Recipe, rng: random.Random) -> str:
    made = []
    if "appendix" in recipe.features:
        made.append(r"\clearpage\appendix\section{Questionnaire and Tables}")
        made += [
            encode(paragraph(recipe.lang, rng, 6)),
            _table(rng),
            encode(paragraph(recipe.lang, rng, 8)),
            _table(rng),
        ]
    if "bios" in recipe.features:
        for name in ("Nora Quill", "Otto Fenn"):
            made.append(
                rf"\begin{{IEEEbiographynophoto}}{{{name}}} received the degree in quiet engineering from the "
                r"University of Glenmoor in 1998 and 2003. From 2004 to 2011 the author was with the Institute of "
                r"Quiet Results. "
                rf"{paragraph('en', rng, 3)}\end{{IEEEbiographynophoto}}"
            )
    return "\n\n".join(made)


def _heading(recipe: Recipe, rng: random.Random) -> str:
    if "nohead" in recipe.features:
        return ""
    heading = rng.choice(HEADINGS[recipe.lang])
    if recipe.cls == "aastex" or recipe.style == "apsrev4-2":
        heading = "References"
    return rf"\textsc{{{heading}}}" if "smallcaps" in recipe.features else encode(heading)


def _names(heading: str) -> str:
    """Set the heading of the list whatever the class calls it."""
    return "\n".join(rf"\ifdefined{name}\renewcommand{{{name}}}{{{heading}}}\fi" for name in (r"\refname", r"\bibname"))


def _wrap(recipe: Recipe, body: str) -> str:
    if "cjk" in recipe.features:
        return rf"\begin{{CJK*}}{{UTF8}}{{gbsn}}{body}\clearpage\end{{CJK*}}"
    return body


def _document(recipe: Recipe, preamble: Sequence[str], body: Sequence[str], rng: random.Random) -> str:
    inner = _wrap(recipe, "\n".join([_title(recipe, rng), *body]))
    return "\n".join([*preamble, *_closing(recipe), r"\begin{document}", inner, r"\end{document}", ""])


def _bibtex(recipe: Recipe, works: list[Work], rng: random.Random) -> Source:
    bib = "".join(bib_entry(work) for work in works)
    preamble = _preamble(recipe, rng)
    if "chapters" in recipe.features:
        return _bib_chapters(recipe, works, rng, bib, preamble)
    steps: tuple[str, ...] = ("pdflatex", "bibtex main", "pdflatex", "pdflatex")
    heading = _heading(recipe, rng)
    style = rf"\bibliographystyle{{{recipe.style}}}"
    command = "citep" if "natlike" in recipe.features and rng.random() < 0.7 else "cite"  # noqa: PLR2004
    listing = r"\bibliography{refs}"
    if "three" in recipe.features:
        listing = r"\begin{multicols}{3}\footnotesize\bibliography{refs}\end{multicols}"
    main, more = list(works), []
    body_extra: list[str] = []
    if "supplement" in recipe.features:
        preamble.append(r"\usepackage{multibib}\newcites{sup}{Supplementary References}")
        main, more = works[: len(works) * 2 // 3], works[len(works) * 2 // 3 :]
        steps = ("pdflatex", "bibtex main", "bibtex sup", "pdflatex", "pdflatex")
        body_extra = [
            r"\clearpage\section*{Supplementary Methods}",
            _running(recipe, more, rng, lambda group: rf"~\citesup{{{_keys(group)}}}"),
            rf"\bibliographystylesup{{{recipe.style}}}\bibliographysup{{refs}}",
        ]
    body = [
        _names(heading) if recipe.cls != "acmart" else "",
        _running(recipe, main, rng, lambda group: rf"~\{command}{{{_keys(group)}}}"),
        r"\begin{landscape}" + _table(rng) + r"\end{landscape}" if "landscape" in recipe.features else "",
        style,
        listing,
        *body_extra,
        _after(recipe, rng),
    ]
    ordered = [(work, "") for work in [*main, *more]]
    return Source({"main.tex": _document(recipe, preamble, body, rng), "refs.bib": bib}, ordered, steps=steps)


def _bib_chapters(recipe: Recipe, works: list[Work], rng: random.Random, bib: str, preamble: list[str]) -> Source:
    preamble.append(r"\usepackage{bibunits}")
    body = [_names(_heading(recipe, rng))]
    for place, part in enumerate(_thirds(works), 1):
        body.append(rf"\chapter{{{encode(sentence(recipe.lang, rng))}}}\begin{{bibunit}}[{recipe.style}]")
        body.append(_running(recipe, part, rng, lambda group: rf"~\cite{{{_keys(group)}}}"))
        body.append(r"\putbib[refs]\end{bibunit}")
        del place
    steps = ("pdflatex", "bibtex bu1", "bibtex bu2", "bibtex bu3", "pdflatex", "pdflatex")
    files = {"main.tex": _document(recipe, preamble, body, rng), "refs.bib": bib}
    return Source(files, [(work, "") for work in works], steps=steps)


def _thirds(works: Sequence[Work]) -> list[Sequence[Work]]:
    step = len(works) // 3 + 1
    return [works[start : start + step] for start in range(0, len(works), step)]


def _biblatex(recipe: Recipe, works: list[Work], rng: random.Random) -> Source:
    bib = "".join(bib_entry(work, biblatex=True) for work in works)
    backend = "bibtex" if recipe.style in _TRADITIONAL else "biber"
    preamble = [*_preamble(recipe, rng), r"\usepackage{csquotes}"]
    if recipe.style == "chicago-notes":
        preamble.append(r"\usepackage[notes,backend=biber]{biblatex-chicago}")
    else:
        preamble.append(rf"\usepackage[style={recipe.style},backend={backend}]{{biblatex}}")
    preamble.append(r"\addbibresource{refs.bib}")
    cite = r"\footcite" if "foot" in recipe.features else r"~\parencite"
    if "foot" in recipe.features:
        body = [_foot_running(recipe, works, rng)]
    else:
        body = [_running(recipe, works, rng, lambda group: rf"{cite}{{{_keys(group)}}}")]
    if "nolist" not in recipe.features:
        heading = rf"[title={{{_heading(recipe, rng)}}}]" if rng.random() < 0.6 else ""  # noqa: PLR2004
        body.append(rf"\printbibliography{heading}")
    body.append(_after(recipe, rng))
    steps = ("pdflatex", f"{backend} main", "pdflatex", "pdflatex")
    ordered = [(work, "") for work in works]
    return Source({"main.tex": _document(recipe, preamble, body, rng), "refs.bib": bib}, ordered, steps=steps)


def _foot_running(recipe: Recipe, works: Sequence[Work], rng: random.Random) -> str:
    made = [r"\section{Introduction}"]
    seen: list[Work] = []
    for work in works:
        seen.append(work)
        made.append(
            f"{encode(sentence(recipe.lang, rng))}.{_footcite(work, rng)} {encode(paragraph(recipe.lang, rng, 2))}"
        )
        while rng.random() < 0.35:  # noqa: PLR2004
            again = work if rng.random() < 0.5 else rng.choice(seen)  # noqa: PLR2004
            made.append(f"{encode(sentence(recipe.lang, rng))}.{_footcite(again, rng)}")
        if rng.random() < 0.3:  # noqa: PLR2004
            made.append("")
    return "\n".join(made)


def _footcite(work: Work, rng: random.Random) -> str:
    page = f"[{rng.randint(2, 300)}]" if rng.random() < 0.5 else ""  # noqa: PLR2004
    return rf"\footcite{page}{{{work.key}}}"


def _typed(recipe: Recipe, works: list[Work], rng: random.Random) -> Source:
    preamble = [*_preamble(recipe, rng), r"\raggedbottom"]
    if (
        "hanging" in recipe.features
        or "dash" in recipe.features
        or "gaps" in recipe.features
        or recipe.features & {"ragged"}
    ):
        works = sorted(works, key=lambda work: (work.authors[0][0].casefold(), work.authors, work.year))
    parts = _thirds(works) if "chapters" in recipe.features else [works]
    if "supplement" in recipe.features:
        parts = [works[: len(works) * 2 // 3], works[len(works) * 2 // 3 :]]
    heading, body, printed, spare = _heading(recipe, rng), [], [], []
    for place, part in enumerate(parts):
        if "chapters" in recipe.features:
            body.append(rf"\chapter{{{encode(sentence(recipe.lang, rng))}}}")
        elif place:
            body.append(r"\clearpage\section*{Supplementary Methods}")
        body.append(_typed_text(recipe, part, rng))
        shown = heading if not place or "chapters" in recipe.features else "Supplementary References"
        entries = _entries(recipe, part, rng)
        printed += [(work, words) for entry in entries for work, words, _ in entry]
        body.append(_typed_list(recipe, entries, shown, spare))
    body.append(_after(recipe, rng))
    return Source({"main.tex": _document(recipe, preamble, body, rng)}, printed, spare, ("pdflatex", "pdflatex"))


_Entry = list[tuple[Work, str, str]]
"""The works of one entry: work, words, LaTeX."""


def _entries(recipe: Recipe, works: Sequence[Work], rng: random.Random) -> list[_Entry]:
    groups = _groups(works, rng) if "compound" in recipe.features else [[work] for work in works]
    entries: list[_Entry] = []
    above: Work | None = None
    for group in groups:
        entry: _Entry = []
        for work in group:
            dash = "dash" in recipe.features and above is not None and above.authors == work.authors
            runs = format_work(work, recipe.style, dash=dash)
            entry.append((work, "".join(part for part, _ in runs), tex(runs, hidden="hidden" in recipe.features)))
            above = work
        entries.append(entry)
    return entries


def _typed_text(recipe: Recipe, works: Sequence[Work], rng: random.Random) -> str:
    numbers = {work.key: place for place, work in enumerate(works, 1)}

    def cite(group: list[Work]) -> str:
        if recipe.style in ("vancouver", "bmc", "acs", "rsc"):
            return rf"~[{', '.join(str(numbers[work.key]) for work in group)}]"
        return encode(f" ({'; '.join(f'{work.authors[0][0]} {work.year}' for work in group)})")

    return _running(recipe, works, rng, cite)


def _typed_list(recipe: Recipe, entries: list[_Entry], heading: str, spare: list[str]) -> str:
    size = r"\footnotesize" if "article2" in recipe.cls or "three" in recipe.features else r"\small"
    head = rf"\section*{{{heading}}}" if heading else r"\bigskip"
    if "running" in recipe.features:
        head += rf"\markright{{{heading.upper()}}}"
    items = [_item(recipe, place, entry) for place, entry in enumerate(entries, 1)]
    if "notesrefs" in recipe.features:
        for place in (9, 17):
            words = "The sample was dried for two days at room temperature before it was weighed."
            spare.append(words)
            items.insert(place, _labelled(recipe, place + 1, words))
        items = [_relabelled(recipe, place, item) for place, item in enumerate(items, 1)]
    setup = {
        "hanging": r"\leftmargin=1.6em\itemindent=-1.6em\labelwidth=0pt\labelsep=0pt\itemsep=1pt plus 1pt\parsep=0pt",
        "gaps": r"\leftmargin=0pt\itemindent=0pt\labelwidth=0pt\labelsep=0pt\itemsep=7pt\parsep=0pt",
        "ragged": r"\leftmargin=0pt\itemindent=0pt\labelwidth=0pt\labelsep=0pt\itemsep=0pt\parsep=0pt",
        "marginlabels": r"\leftmargin=0pt\labelwidth=2em\labelsep=1em\itemsep=2pt\parsep=0pt",
        "superlabels": r"\leftmargin=0pt\itemindent=0pt\labelwidth=0pt\labelsep=0pt\itemsep=1pt\parsep=0pt",
    }
    chosen = next((made for name, made in setup.items() if name in recipe.features), "")
    chosen = chosen or r"\leftmargin=2.2em\labelwidth=1.8em\labelsep=0.4em\itemsep=1pt\parsep=0pt"
    ragged = r"\raggedright" if recipe.features & {"ragged", "gaps"} else ""
    listed = rf"{{{size}{ragged}\begin{{list}}{{}}{{{chosen}}}" + "\n".join(items) + r"\end{list}}"
    if "three" in recipe.features:
        return rf"{head}\begin{{multicols}}{{3}}\raggedright{listed}\end{{multicols}}"
    return f"{head}\n{listed}"


def _item(recipe: Recipe, place: int, entry: _Entry) -> str:
    if len(entry) == 1:
        return _labelled(recipe, place, entry[0][2])
    parts = [f"{chr(97 + index)})~{made.rstrip('.')}" for index, (_, _, made) in enumerate(entry)]
    return _labelled(recipe, place, "; ".join(parts) + ".")


def _labelled(recipe: Recipe, place: int, words: str) -> str:
    label = f"[{place}]"
    if "ends" in recipe.features:
        label = f"{place}."
    elif recipe.features & {"roundlabels", "compound"}:
        label = f"({place})"
    elif "marginlabels" in recipe.features:
        label = str(place)
    elif "superlabels" in recipe.features:
        return rf"\item[] \textsuperscript{{{place}}}{words}"
    elif recipe.features & {"hanging", "ragged", "gaps"}:
        return rf"\item[] {words}"
    return rf"\item[{label}\hfill] {words}" if label.startswith("[") is False else rf"\item[{{{label}}}] {words}"


def _relabelled(recipe: Recipe, place: int, item: str) -> str:
    return _labelled(recipe, place, item.split("] ", 1)[1])


def _notes(recipe: Recipe, works: list[Work], rng: random.Random) -> Source:
    planned = notes.plan(works, recipe.style, rng, recipe.features)
    preamble = _preamble(recipe, rng)
    endnotes = "endnotes" in recipe.features
    body = [r"\section{Einleitung}" if recipe.lang == "de" else r"\section{Introduction}"]
    for place, runs in enumerate(planned.notes, 1):
        mark = rf"\textsuperscript{{{place}}}" if endnotes else rf"\footnote{{{tex(runs)}}}"
        body.append(
            f"{encode(sentence(recipe.lang, rng))}.{mark} {encode(paragraph(recipe.lang, rng, rng.randint(1, 3)))}"
        )
        if place % 4 == 0:
            body.append("")
    if endnotes:
        head = "Anmerkungen" if recipe.lang == "de" else "Notes"
        items = [rf"\item[{place}.] {tex(runs)}" for place, runs in enumerate(planned.notes, 1)]
        body.append(
            rf"\section*{{{head}}}{{\small\begin{{list}}{{}}{{\itemsep=0pt}}" + "\n".join(items) + r"\end{list}}"
        )
    if "both" in recipe.features:
        listed = sorted(works, key=lambda work: (work.authors[0][0].casefold(), work.year))
        style = notes.LIST_STYLE[recipe.style]
        entries: list[_Entry] = [[(work, "", tex(format_work(work, style)))] for work in listed]
        both = Recipe(recipe.name, "typed", recipe.cls, style, recipe.n, frozenset({"hanging", recipe.lang}))
        body.append(_typed_list(both, entries, rng.choice(HEADINGS[recipe.lang]), []))
    printed = [(work, "".join(part for part, _ in format_work(work, recipe.style))) for work in works]
    return Source(
        {"main.tex": _document(recipe, preamble, body, rng)}, printed, planned.archives, ("pdflatex", "pdflatex")
    )


_BUILDERS: dict[str, Callable[[Recipe, list[Work], random.Random], Source]] = {
    "bibtex": _bibtex,
    "biblatex": _biblatex,
    "typed": _typed,
    "notes": _notes,
}
