"""The notes of a document that cites in them: first in full, then short, with words before and comments behind."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from typed import Runs, format_work
from works import Work

LIST_STYLE = {"denote": "de", "chinote": "chicago", "frnote": "fr"}
"""The style of the list beside notes of a style."""

_LEADS = {
    "denote": ("Vgl. ", "Vgl. auch ", "Siehe ", "So auch ", "Dazu ausführlich ", "Vgl. hierzu ", "Zum Folgenden "),
    "chinote": ("See ", "See also ", "Cf. ", "For an overview see ", "On this point see ", "Compare "),
    "frnote": ("Voir ", "Cf. ", "Voir aussi ", "Sur ce point, voir "),
}
_ALSO = {"denote": "; vgl. auch ", "chinote": "; see also ", "frnote": " ; voir aussi "}
_COMMENTS = {
    "denote": (
        "Diese Unterscheidung wird im Folgenden nicht weiter verfolgt.",
        "Den Hinweis verdanke ich einem Gespräch nach dem Vortrag.",
        "Die Zahlen sind gerundet und dienen nur der Orientierung.",
    ),
    "chinote": (
        "I use the word in its older sense throughout.",
        "The numbers are rounded and serve as orientation only.",
        "Names of places follow the spelling of the period.",
    ),
    "frnote": ("Nous employons ce mot dans son sens ancien.", "Les chiffres sont arrondis."),
}
_ARCHIVES = (
    "Landesarchiv Nordmark, Abt. 301, Nr. 2214, Bl. 17.",
    "Stadtarchiv Altenfels, Bestand B 12, Akte 45, Schreiben vom 3. Mai 1911.",
    "https://www.amtsblatt.example.de/archiv/1911 (12.03.2014).",
)
_IBID = {"denote": ("Ebd.", "Ebd., S. {page}.", "Ebenda, S. {page}."), "chinote": ("Ibid.", "Ibid., {page}.")}
_IBID["frnote"] = ("Ibid., p. {page}.", "Ibid.")


@dataclass
class Planned:
    """The notes, and what they cite."""

    notes: list[Runs] = field(default_factory=list)
    archives: list[str] = field(default_factory=list)


def _short(work: Work, style: str, note: int, rng: random.Random, *, opcit: bool) -> str:
    family, page = work.authors[0][0], rng.randint(3, 240)
    title = " ".join(work.title.split(" ")[:3]).rstrip(".,:;")
    if style == "denote":
        return rng.choice(
            (
                f"{family}, {title}, S. {page}",
                f"{family}, a. a. O., S. {page}",
                f"{family} (Anm. {note}), S. {page}",
                f"{family}: a.a.O., S. {page} f.",
            )
        )
    if style == "frnote":
        return rng.choice((f"{family}, op. cit., p. {page}", f"{family}, {title}…, op. cit., p. {page}"))
    if opcit:
        return rng.choice((f"{family}, op. cit., p. {page}", f"{family}, loc. cit."))
    return rng.choice((f"{family}, “{title},” {page}", f"{family}, {title}, {page}"))


def plan(works: list[Work], style: str, rng: random.Random, features: frozenset[str]) -> Planned:
    """Lay out the notes: each work in full once, and about as many notes that name one again."""
    planned = Planned()
    first: dict[str, int] = {}
    last: Work | None = None
    queue = list(works)
    while queue:
        number = len(planned.notes) + 1
        turn = rng.random()
        if last is not None and turn < 0.16:  # noqa: PLR2004
            form = rng.choice(_IBID[style]).format(page=rng.randint(3, 240))
            planned.notes.append([(form, "")])
            continue
        if first and turn < 0.34:  # noqa: PLR2004
            last = rng.choice([work for work in works if work.key in first])
            short = _short(last, style, first[last.key], rng, opcit="opcit" in features)
            planned.notes.append([(f"{rng.choice(('', *_LEADS[style][:2]))}{short}.", "")])
            continue
        if turn < 0.44:  # noqa: PLR2004
            last = None
            planned.notes.append([(_comment(style, rng, planned, features), "")])
            continue
        taken = [queue.pop(0) for _ in range(min(len(queue), 1 if rng.random() < 0.75 else 2))]  # noqa: PLR2004
        planned.notes.append(_full(taken, style, rng))
        first |= {work.key: number for work in taken}
        last = taken[0] if len(taken) == 1 else None
    return planned


def _comment(style: str, rng: random.Random, planned: Planned, features: frozenset[str]) -> str:
    if "archive" in features and rng.random() < 0.6:  # noqa: PLR2004
        found = rng.choice(_ARCHIVES)
        planned.archives.append(found)
        return found
    return rng.choice(_COMMENTS[style])


def _full(works: list[Work], style: str, rng: random.Random) -> Runs:
    runs: Runs = [(rng.choice(_LEADS[style]), "")] if rng.random() < 0.4 else []  # noqa: PLR2004
    for place, work in enumerate(works):
        if place:
            runs.append((rng.choice(("; ", _ALSO[style])), ""))
        runs += format_work(work, style)
        if rng.random() < 0.3 and style == "denote":  # noqa: PLR2004
            runs.append((f", hier S. {rng.randint(3, 240)}", ""))
    runs.append((".", ""))
    if rng.random() < 0.2:  # noqa: PLR2004
        runs.append((f" {rng.choice(_COMMENTS[style])}", ""))
    return runs
