"""Tell by what it says whether a reference is one that a person has decided about.

A decision must reach the same reference in another document and never a neighbour: a shared title is not enough
(`Attention is all you need` under invented names is not the paper a reviewer has seen). So title, every author in
order, year and every identifier go into the fingerprint; any other of them makes another reference. Venue, volume
and pages do not, since they are printed in dozens of forms; they do where title or authors are missing.

Given names count as printed, with one exception: a decision on `Ada Roe` also holds for `A. Roe`, who claims less,
and one on `A. Roe` never for `Ada Roe`.
"""

from __future__ import annotations

import json
import re
from hashlib import blake2b

from citeaudit.model import Identifiers, Person, Reference
from citeaudit.text.latex import to_text
from citeaudit.text.normalize import fold, squash

VERSION = "1"
"""First part of every fingerprint; raised whenever the other two change for any reference."""
INITIALS = "initials"
"""Last part of the fingerprint of a reference that gives no given name in full."""
_CORE_BYTES = 16
_GIVEN_BYTES = 6
_SHORT = "no title"
_SIGNS = str.maketrans({"+": " plus ", "#": " sharp "})
"""Signs that are all that tells some titles apart: `C++`, `C#`."""
_NO_ONE = frozenset({"", "anonymous", "anon", "unknown", "na", "noauthor", "noname", "nn", "author", "authors", "etal"})
_ARXIV_DOI = "10.48550/arxiv."
_REVISION = re.compile(r"v\d{1,3}$")
_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?")
_PARTS = re.compile(r"(?P<version>\d{1,4})-(?P<core>[0-9a-f]{32})-(?P<given>[0-9a-f]{12}|initials)")


def fingerprint(reference: Reference) -> str | None:
    r"""Give the fingerprint of a reference: `1-HASH-HASH` or `1-HASH-initials`.

    The first hash (blake2b) is of title, family names and initials, year and identifiers; the second of the given
    names. Neither changes with case, diacritics, punctuation, spacing or the LaTeX of an accent.

    Returns:
        `None` where it says too little to be told from others: without a title, or without authors and editors, it
        needs an identifier, a web address, or venue and volume and page (or year). `why_not` says which.
    """
    return None if why_not(reference) else _made(reference)


def closest(reference: Reference) -> str:
    """Give the fingerprint, or one of every word printed where there is too little for it; for comparing reports.

    Such a one equals only that of the same words; it is never one of those that decisions are kept by.
    """
    return fingerprint(reference) or f"raw-{_hash([_title(reference.raw)], _CORE_BYTES)}"


def why_not(reference: Reference) -> str | None:
    """Give a sentence on what a reference lacks for a decision to be kept about it; `None` if nothing."""
    lacking = _lacking(reference)
    if not lacking or _names_itself(reference):
        return None
    placed = reference.container_title and (reference.volume or reference.year)
    if placed and (lacking != _SHORT or (reference.volume and reference.pages)):
        return None
    return (
        f"the reference has {lacking} and neither an identifier, a web address nor a place (venue, volume, page) that"
        " would tell it from others; add one to it, or check it by hand each time"
    )


def covers(decided: str, asked: str) -> bool:
    """Whether a decision kept by one fingerprint holds for a reference with another.

    >>> core = "0" * 32
    >>> covers(f"1-{core}-{'a' * 12}", f"1-{core}-initials"), covers(f"1-{core}-initials", f"1-{core}-{'a' * 12}")
    (True, False)
    """
    return decided == asked or (core_of(decided) == core_of(asked) and asked.endswith(f"-{INITIALS}"))


def core_of(print_: str) -> str:
    """Give the part of a fingerprint that all decisions about a reference share."""
    return print_.rpartition("-")[0]


def is_fingerprint(text: str) -> bool:
    """Whether a text has the form of a fingerprint of this version."""
    match = _PARTS.fullmatch(text)
    return match is not None and match["version"] == VERSION


def _made(reference: Reference) -> str:
    people = _people(reference)
    core = [
        _title(reference.title or ""),
        "authors" if people is reference.authors else "editors",
        [[_family(person), _initials(person)] for person in people],
        reference.authors_truncated,
        reference.year,
        _identifiers(reference.identifiers),
        _elsewhere(reference) if _lacking(reference) else [],
    ]
    whole = any(len(word) > 1 for person in people for word in _given(person))
    given = [[_given(person), _folded(person.suffix)] for person in people]
    return f"{VERSION}-{_hash(core, _CORE_BYTES)}-{_hash(given, _GIVEN_BYTES) if whole else INITIALS}"


def _hash(value: object, size: int) -> str:
    text = json.dumps([f"citeaudit decision {VERSION}", value], ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=size).hexdigest()


def _lacking(reference: Reference) -> str:
    """Give what is missing of title and authors, in words; empty if nothing."""
    if not _title(reference.title or ""):
        return _SHORT
    return "" if _people(reference) else "no authors"


def _names_itself(reference: Reference) -> bool:
    return any(scheme != "issn" for scheme, _ in reference.identifiers.pairs())


def _people(reference: Reference) -> tuple[Person, ...]:
    """Give the authors, or the editors of a work without any; a list of placeholders names nobody."""
    return next((people for people in (reference.authors, reference.editors) if any(map(_is_named, people))), ())


def _is_named(person: Person) -> bool:
    return bool(person.family and person.given) or _family(person) not in _NO_ONE


def _folded(text: str | None) -> str:
    """Give folded words; LaTeX that a record or a caller left in is read first."""
    if not text:
        return ""
    return fold(to_text(text) if "\\" in text or "{" in text else squash(text))


def _title(text: str) -> str:
    """Give a title that spacing, hyphens, case and marks cannot change, and `C`, `C++` and `C#` still differ in.

    What leaves no letter or digit when folded (a title of signs) is kept as it is.
    """
    shown = squash(to_text(text) if "\\" in text or "{" in text else text)
    return fold(shown.translate(_SIGNS)).replace(" ", "") or shown.casefold()


def _family(person: Person) -> str:
    name = person.literal or person.family or person.given
    return _folded(name).replace(" ", "")


def _given(person: Person) -> list[str]:
    return [] if person.literal or not person.family else _folded(person.given).split()


def _initials(person: Person) -> str:
    return "".join(word[0] for word in _given(person))


def _identifiers(held: Identifiers) -> list[list[str]]:
    """Give the cited identifiers, sorted; an arXiv DOI is the arXiv id, and of a revision only the work counts."""
    found = {scheme: value.strip().lower() for scheme, value in held.pairs() if scheme not in ("url", "issn")}
    doi = found.get("doi", "")
    if doi.startswith(_ARXIV_DOI):
        del found["doi"]
        found.setdefault("arxiv_id", doi.removeprefix(_ARXIV_DOI))
    if "arxiv_id" in found:
        found["arxiv_id"] = _REVISION.sub("", found["arxiv_id"])
    return [[scheme, value] for scheme, value in sorted(found.items())]


def _elsewhere(reference: Reference) -> list[str]:
    """Give what else tells a reference without title or authors from others."""
    address = _SCHEME.sub("", (reference.identifiers.url or "").strip().lower()).rstrip("/")
    page = re.split(r"[-–—]", reference.pages or "", maxsplit=1)[0]
    return [address, *map(_folded, (reference.container_title, reference.volume, page, reference.publisher))]
