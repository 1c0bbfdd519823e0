"""Read the people of a printed reference, from the author list that the rules see or the words that are labelled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from citeaudit.extract.fields.authors import AuthorSpan, NameStyle
from citeaudit.extract.fields.labeller import Label, Labelled
from citeaudit.extract.fields.rules import uncapitalised
from citeaudit.extract.fields.tokens import Frame, Token
from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.model.reference import Person
from citeaudit.text.names import PARTICLES, is_group, parse_people

People = tuple[tuple[Person, ...], bool]
"""The people in order, and whether the list is cut short."""

LEAD = 3
"""Characters of marks that two readings may differ by."""
_NUMBERED = re.compile(r"\s\d{1,4}$")
"""No body is named so; a journal and its volume are."""
_PERSON_AND_BODY = re.compile(r"(?P<person>[^,]{2,60},\s[^,]{1,60}),?\s(?:and|&|und)\s(?P<body>[^,]{3,120})")
_BETWEEN = re.compile(r"[,;]\s(?:and\s|et\s|&\s)?|\s(?:and|et|&)\s")
_LEAST_CAPITALS = 2


def labels(labelled: Labelled) -> Iterable[tuple[Token, Label]]:
    """Give the words with their labels."""
    return zip(labelled.tokens, labelled.labels, strict=True)


def listed(text: str, span: AuthorSpan) -> People:
    """Read the author list that the rules see."""
    if span.style is NameStyle.NONE or span.end == 0:
        return (), False
    names = text[: span.end]
    if span.style is NameStyle.CJK:
        return parse_people(uncapitalised(names))
    mixed = _PERSON_AND_BODY.fullmatch(names.strip(" ."))
    if mixed is not None and is_group(mixed["body"]) and not is_group(mixed["person"]):
        return (*parse_people(mixed["person"])[0], Person(literal=mixed["body"])), span.truncated
    if span.style is NameStyle.GROUP:
        name = names.strip(" .,:_—–-")
        return ((Person(literal=name),) if name and not _NUMBERED.search(name) else ()), span.truncated
    turned = _capital_families(names)
    if turned:
        return turned, span.truncated
    people, truncated = parse_people(names)
    return people, truncated or span.truncated


def _capital_families(names: str) -> tuple[Person, ...]:
    """Read a list whose family names are in capitals before the given ones, without commas; nothing if it is none.

    `BARGH John A., CHAIKEN Shelly` as French lists print it, `LIN S, DALY P W` as Chinese ones do.
    """
    people: list[Person] = []
    for piece in _BETWEEN.split(names.strip(" ,;:")):
        tokens = piece.split()
        count = 0
        while count < len(tokens) and tokens[count].isupper() and len(tokens[count].strip(".")) >= _LEAST_CAPITALS:
            count += 1
        given = tokens[count:]
        if not 0 < count < len(tokens) or any("." in token[:-1] for token in tokens):
            return ()
        if not all(token[0].isupper() for token in given):
            return ()
        people.append(Person(family=" ".join(tokens[:count]), given=" ".join(given)))
    return tuple(people)


def weighed(text: str, given: Frame, span: AuthorSpan, labelled: Labelled, *, titled: bool) -> People:
    """Weigh the rules' author list against the labelled one."""
    named = [token for token, found in labels(labelled) if found is Label.AUTHOR]
    if span.style is NameStyle.NONE:
        if given.quoted is not None and given.quoted[0] > LEAD:
            return parse_people(text[: given.start])
        return by_labels(text, labelled)
    if not titled and (not named or named[-1].end + LEAD < span.end):
        # Without a title the rules tend to take the journal for the last of the names.
        return by_labels(text, labelled)
    return listed(text, span)


def by_labels(text: str, labelled: Labelled) -> People:
    """Read the people by their labels: those before the title, else those after it."""
    named = [token for token, found in labels(labelled) if found is Label.AUTHOR]
    if not named:
        named = [token for token, found in labels(labelled) if found is Label.LATER_AUTHOR]
    return parse_people(text[named[0].start : named[-1].end]) if named else ((), False)


_DATED = re.compile(r"\s?\((?:1[5-9]|20)\d\d|\s(?:1[5-9]|20)\d\d\b|\s\d+(?:st|nd|rd|th)\b|\s(?:https?://|·)")
_BODY = re.compile(
    r"(?:[\w’'&,-]+\s){1,7}?(?:Organi[sz]ation|Consortium|Collaboration|Association|Institute|Team|Group|Editors|"
    r"Foundation|Initiative|Society|Council|Committee|Network|Medicine)(?=\s)"
)
_INITIAL = re.compile(r"[^\W\d_]\.?(?:-?[^\W\d_]\.)*")
_LONGEST_NAME = 5


def after_title(text: str, start: int, reach: int) -> tuple[People, int]:
    """Read the names between a title and its venue, `Jane Q. Doe, John Roe Nature (2018-01-31)`, and where they end.

    Args:
        text: The reference.
        start: Where the title ends.
        reach: Where the names end as they are labelled; it settles how many words the last name has.
    """
    dated = _DATED.search(text, start)
    region = text[start : dated.start() if dated is not None else len(text)]
    body = _BODY.match(region)
    if body is not None and is_group(body.group()):
        return ((Person(literal=body.group().strip()),), False), start + body.end()
    done = 0
    pieces = region.split(", ")
    for piece in pieces[:-1]:
        tokens = piece.split()
        if not 1 < len(tokens) <= _LONGEST_NAME or any(map(is_venue_word, tokens[2:])):
            break
        done += len(piece) + 2
    count = _name_length(region[done:].split(), len(text[start + done : max(start + done, reach)].split()))
    last = re.compile(rf"(?:\S+\s?){{{count}}}").match(region, done) if count else None
    end = last.end() if last is not None else max(0, done - 2)
    people, truncated = parse_people(region[:end].strip(" ,"))
    return (people, truncated), start + end


def _name_length(tokens: Sequence[str], labelled: int) -> int:
    """Give how many words at the start are one full name; 0 where none is."""
    first = tokens[0] if tokens else ""
    if not first[:1].isupper() or is_group(first):
        return 0
    place = 1
    if _INITIAL.fullmatch(first) and len(tokens) > 3 and len(tokens[1].strip(".")) > 1:  # noqa: PLR2004 - C. Ada Doe Mind
        place += tokens[1].lower() in words("given") or not is_venue_word(tokens[2])
    while place < len(tokens) - 1 and (_INITIAL.fullmatch(tokens[place]) or tokens[place].lower() in PARTICLES):
        place += 1
    if place == 1 and labelled == 3 and tokens[1].lower() in words("given"):  # noqa: PLR2004 - Ada Maria Doe
        place += 1
    return place + 1 if place < len(tokens) and tokens[place][:1].isupper() else 0
