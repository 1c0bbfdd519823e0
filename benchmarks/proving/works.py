"""The works the proving ground cites: records of the project, a table of invented ones, and as many more as wanted."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pylatexenc.latexencode import UnicodeToLatexEncoder

HERE = Path(__file__).resolve().parent
STARTER = HERE.parents[1] / "datasets" / "starter" / "works.jsonl"

_ENCODER = UnicodeToLatexEncoder(replacement_latex_protection="braces-all", unknown_char_policy="keep")
_BIB_TYPE = {
    "article-journal": "article",
    "paper-conference": "inproceedings",
    "book": "book",
    "chapter": "incollection",
    "thesis": "phdthesis",
    "report": "techreport",
    "preprint": "article",
}
_BABEL = {"de": "ngerman", "fr": "french", "es": "spanish", "pt": "portuguese", "en": "english"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A work as it is cited; persons are (family, given), groups (name, "")."""

    key: str
    type: str
    lang: str
    title: str
    year: int
    authors: tuple[tuple[str, str], ...]
    complete: bool = True
    editors: tuple[tuple[str, str], ...] = ()
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    place: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    number: str = ""


def _person(text: str) -> tuple[str, str]:
    if text.startswith("{"):
        return text.strip("{}"), ""
    family, _, given = text.partition(", ")
    return family, given


def _persons(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(_person(each) for each in text.split("; ") if each)


def own() -> list[Work]:
    """Read the invented works of `own.tsv`."""
    lines = [line for line in (HERE / "own.tsv").read_text("utf-8").splitlines() if not line.startswith("#")]
    works = []
    for place, row in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)):
        values = {name: (value or "").strip() for name, value in row.items()}
        preprint = values["type"] == "preprint"
        works.append(
            Work(
                key=f"own{place}",
                type=values["type"],
                lang=values["lang"],
                title=values["title"],
                year=int(values["year"]),
                authors=_persons(values["authors"]),
                editors=_persons(values["editors"]),
                container=values["container"],
                volume=values["volume"],
                issue=values["issue"],
                pages=values["pages"],
                publisher=values["publisher"],
                place=values["place"],
                doi=values["doi"],
                arxiv=values["number"] if preprint else "",
                url=values["url"],
                number="" if preprint else values["number"],
            )
        )
    return works


def starter() -> list[Work]:
    """Read the records of `datasets/starter`."""
    works = []
    for line in STARTER.read_text("utf-8").splitlines():
        row = json.loads(line)
        preprint = bool(row.get("arxiv_id")) and not row.get("volume") and not row.get("pages")
        works.append(
            Work(
                key=re.sub(r"\W", "", row["id"]),
                type="preprint" if preprint else row["type"],
                lang="en",
                title=row["title"].rstrip("."),
                year=row["year"],
                authors=tuple(
                    (each.get("family") or each.get("literal", ""), each.get("given", "")) for each in row["authors"]
                ),
                complete=row["authors_complete"],
                container="" if preprint else row.get("venue", ""),
                volume=row.get("volume", ""),
                issue=row.get("issue", ""),
                pages=row.get("pages", ""),
                publisher=row.get("publisher", ""),
                doi=row.get("doi", ""),
                arxiv=row.get("arxiv_id", "") if preprint else "",
            )
        )
    return works


_FAMILIES = [
    "Abel",
    "Barrow",
    "Calder",
    "Dimitrov",
    "Eklund",
    "Farkas",
    "Goldsmith",
    "Hakimi",
    "Ibsen",
    "Jansen",
    "Kimura",
    "Lowell",
    "Moreau",
    "Nakata",
    "Ostrander",
    "Pavlov",
    "Quimby",
    "Rossetti",
    "Sandoval",
    "Tanaka",
    "Ulrich",
    "Vasquez",
    "Whitcombe",
    "Xiong",
    "Yilmaz",
    "Zelenka",
    "Ashworth",
    "Bergström",
    "Côté",
    "Delacroix",
    "Ødegård",
    "Fitzgerald",
    "McAllister",
    "Nguyen",
    "O'Connor",
    "Schäfer",
    "Szabó",
    "Tóth",
]
_GIVENS = [
    "Anna",
    "Boris",
    "Carla",
    "David",
    "Elsa",
    "Frank",
    "Gita",
    "Henrik",
    "Irene",
    "Jules",
    "Kenji",
    "Laura",
    "Maja",
    "Nils",
    "Olga",
    "Piotr",
    "Rosa",
    "Sven",
]
_WHAT = [
    "Regulation",
    "Dynamics",
    "Estimation",
    "Detection",
    "Diffusion",
    "Persistence",
    "Measurement",
    "Classification",
    "Retention",
    "Prediction",
    "Transport",
    "Recovery",
    "Collapse",
    "Inference",
]
_OF = [
    "soil moisture",
    "household debt",
    "glacial lakes",
    "protein folding",
    "voter turnout",
    "thin films",
    "speech errors",
    "urban heat",
    "coral reefs",
    "supply networks",
    "memory traces",
    "sparse matrices",
    "gene expression",
    "school meals",
    "pollinator visits",
]
_WHERE = [
    "under drought",
    "in small samples",
    "across three decades",
    "with missing data",
    "in northern Europe",
    "at low temperature",
    "after early intervention",
    "in noisy environments",
    "without supervision",
    "among first-year students",
    "in mice",
]
_JOURNALS = [
    "Journal of Applied Curiosity",
    "Annals of Field Methods",
    "Transactions on Quiet Computing",
    "Letters in Slow Physics",
    "European Review of Commons",
    "Biology of Small Things",
    "International Journal of Regional Memory",
]


def invent(count: int, rng: random.Random) -> list[Work]:
    """Make up journal articles, no two with one title."""
    titles = [f"{what} of {of} {where}" for what in _WHAT for of in _OF for where in _WHERE]
    works = []
    for place, title in enumerate(rng.sample(titles, count)):
        year, volume, first = rng.randint(1962, 2023), rng.randint(2, 140), rng.randint(1, 1800)
        names = rng.sample(_FAMILIES, rng.choice((1, 1, 2, 2, 3, 4, 6)))
        works.append(
            Work(
                key=f"inv{place}",
                type="article-journal",
                lang="en",
                title=title,
                year=year,
                authors=tuple((name, rng.choice(_GIVENS)) for name in names),
                container=rng.choice(_JOURNALS),
                volume=str(volume),
                issue=str(rng.randint(1, 12)) if rng.random() < 0.6 else "",  # noqa: PLR2004
                pages=f"{first}-{first + rng.randint(3, 30)}",
                doi=f"10.5555/{rng.choice('abcdefgh')}{volume}.{first}" if rng.random() < 0.5 else "",  # noqa: PLR2004
            )
        )
    return works


def sample(count: int, rng: random.Random, lang: str, *, family: bool = False) -> list[Work]:
    """Draw the works of one document, those in its language first among the invented ones.

    Args:
        count: How many.
        rng: Seeded.
        lang: Of the document.
        family: Draw several works of the same authors, as lists with dashes need.
    """
    mine = own()
    near = [work for work in mine if work.lang == lang]
    far = [work for work in mine if work.lang != lang]
    share = 0.75 if lang == "de" else 0.45 if lang != "en" else 0.35
    drawn = rng.sample(near, min(len(near), max(1, int(count * share))))
    drawn += rng.sample(far, min(len(far), count // 12))
    rest = starter()
    rng.shuffle(rest)
    pool = rest + invent(max(0, count - len(rest)), rng)
    drawn += pool[: max(0, count - len(drawn))]
    drawn = drawn[:count]
    if family:
        drawn = _related(drawn, rng)
    rng.shuffle(drawn)
    return drawn


def _related(works: Iterable[Work], rng: random.Random) -> list[Work]:
    """Give the authors of some works a second and a third work."""
    drawn = list(works)
    extra = [
        replace(one, key=f"{one.key}r", authors=rng.choice(drawn).authors)
        for one in invent(max(2, len(drawn) // 4), rng)
    ]
    return drawn[: len(drawn) - len(extra)] + extra


def encode(text: str) -> str:
    """Write text for BibTeX: accents as commands, so that it cuts and sorts names right."""
    return str(_ENCODER.unicode_to_latex(text))


def _names(people: Iterable[tuple[str, str]], *, others: bool = False) -> str:
    names = [f"{encode(family)}, {encode(given)}" if given else f"{{{encode(family)}}}" for family, given in people]
    return " and ".join([*names, *(["others"] if others else [])])


def _title(text: str) -> str:
    """Protect words that keep their capitals."""
    return " ".join(f"{{{word}}}" if re.search(r"[^\W\d_]\w*[A-Z]", word) else word for word in encode(text).split(" "))


def bib_entry(work: Work, *, biblatex: bool = False) -> str:
    """Write a work as an entry of a .bib file."""
    kind = _BIB_TYPE.get(work.type, "misc")
    fields: dict[str, str] = {
        "author": _names(work.authors, others=not work.complete),
        "title": _title(work.title) if work.lang == "en" else f"{{{encode(work.title)}}}",
        "year": str(work.year),
        "volume": work.volume,
        "number": work.issue,
        "pages": work.pages.replace("-", "--"),
        "publisher": encode(work.publisher),
        "address": encode(work.place),
        "editor": _names(work.editors),
        "doi": work.doi,
        "url": work.url,
        "language": _BABEL[work.lang] if not biblatex else "",
        "langid": _BABEL[work.lang] if biblatex else "",
    }
    fields |= _particular(work, kind, biblatex=biblatex)
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{kind}{{{work.key},\n{body}\n}}\n"


def _particular(work: Work, kind: str, *, biblatex: bool) -> dict[str, str]:
    match kind:
        case "article" if work.type == "preprint":
            return {"journal": f"arXiv preprint arXiv:{work.arxiv}"}
        case "article":
            return {"journal": encode(work.container)}
        case "inproceedings" | "incollection":
            return {"booktitle": encode(work.container), "number": ""}
        case "phdthesis":
            return {"school": encode(work.publisher), "publisher": ""}
        case "techreport":
            return {"institution": encode(work.publisher), "number": encode(work.number), "publisher": ""}
        case "misc":
            shown = rf"\url{{{work.url}}}" if work.url and not biblatex else encode(work.number)
            return {"howpublished": shown, "publisher": "", "address": ""}
    return {}
