"""Read personal and group names, one by one or as printed and BibTeX lists.

Names keep the printed form; nothing is guessed beyond which words are family and which given. Initials run
together (`Baldassarre ME`) are written apart (`M. E.`), so that no reader takes them for a given name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from citeaudit.model.reference import Person
from citeaudit.text.latex import to_text
from citeaudit.text.lists import read_words
from citeaudit.text.normalize import squash

MAX_NAMES = 100_000
"""Characters of a printed list that are looked at; 3,000 authors take about 60,000."""

PARTICLES = read_words("citeaudit.text", "particles.txt")
"""Lower-case words that belong to a family name (van, de, al-)."""

_SUFFIX = re.compile(
    r"^(?:jr|sr|junior|senior|filho|júnior|neto|i{2,3}|iv|2nd|3rd|4th|esq|ph\.?d|m\.?d)\.?$", re.IGNORECASE
)
_ROMAN = re.compile(r"^(?:II|III|IV|Jr\.?|Sr\.?|2nd|3rd)$")
_GROUP = re.compile(
    r"\b(?:collaborations?|consortium|team|group|gruppe|committee|association|organi[sz]ation|ministry|ministerium|"
    r"bundesministerium|department|dept|institute?|institut|instituto|university|universität|commission|council|society|"
    r"agency|bureau|office|network|initiative|project|foundation|corporation|company|bank|federation|union|systems|"
    r"technologies|solutions|centre|center|academy|board|services?|program(?:me)?|task force|investigators|developers|"
    r"contributors|inc|ltd|gmbh|llc|statistisches|bundesamt|partei|verband|international|national|european|federal|"
    r"government|laborator(?:y|ies)|library|museum|press|hospital|working|study|research|verein|stiftung|amt|kommission|"
    r"rat|presse|nations|states|fund|authority|administration|labs?)\b|(?-i:\bAI\b)",
    re.IGNORECASE,
)
_GROUP_LOW = re.compile(_GROUP.pattern.removesuffix(r"|(?-i:\bAI\b)"))
_AI = re.compile(r"\bAI\b")
"""Both together are `_GROUP` for text of ASCII alone, in a fraction of its time."""
_CAMEL = re.compile(r"^(?:[A-Z][a-z]+(?:[A-Z]{2,}|-AI|\.AI)|[A-Z]{3,}[a-z]*|[A-Z][a-z]+[A-Z][a-z]*AI|[a-z]+[A-Z]\w*)$")
_KNOWN_GROUPS = frozenset(
    {"anthropic", "google", "meta", "microsoft", "nvidia", "wikipedia", "mistral", "deepseek", "ibm", "apple", "amazon"}
    | {"unesco", "eurostat"}
)
#: Words of bodies that are family names too.
_SURNAMES = frozenset(
    {"press", "church", "bank", "office", "amt", "rat", "union", "board", "group", "fund", "labs", "house"}
)
_GIVEN = re.compile(
    r"(?!(?:The|A|An|Der|Die|Das)\s)[^\W\d_a-z](?:[\w'’-]{0,30}|\.)(?:[\s-]?[^\W\d_a-z](?:\.|[\w'’-]{0,30}(?![\w.])|)){0,4}\.?"
    r"(?=\s?(?:[,;&.(:]|$|\s(?:and|und|et|u\.)\b))"
)
_TITLED = re.compile(r"^(?:(?:prof|dr|sir|dame|mr|mrs|ms|hon|rev)\.?\s+)+(?=\S)", re.IGNORECASE)
_MOST_INITIALS = 6
_LONGEST_FAMILY = 4  # "de la Vallée Poussin"
_PAIR = 2
_INNER = frozenset({"y", "e", "i"})
"""Conjunctions inside double family names."""
_INITIAL = re.compile(r"^(?:[^\W\d_a-z]\.?|(?:[^\W\d_]{1,2}\.)(?:[-‐–]?[^\W\d_]{1,2}\.)*|[A-Z](?:[-‐–][A-Z])?)$")
_GLUED = re.compile(r"^[^\W\d_a-z]{1,4}$|^[^\W\d_a-z][-‐][^\W\d_a-z]$")
_DOTTED = re.compile(r"^(?:[^\W\d_]{1,2}\.[-‐–]?){1,6}[^\W\d_]?\.?$")


@lru_cache(maxsize=8_192)
def is_group(text: str) -> bool:
    """Whether a name is that of a body, not of a person.

    >>> is_group("LIGO Scientific Collaboration"), is_group("Ada Lovelace")
    (True, False)
    """
    bare = text.strip(" .")
    named = _GROUP_LOW.search(bare.lower()) or _AI.search(bare) if bare.isascii() else _GROUP.search(bare)
    return (named is not None and not has_surname(bare)) or bool(_CAMEL.match(bare)) or bare.lower() in _KNOWN_GROUPS


def has_surname(text: str) -> bool:
    """Whether a list starts with a person whose family name is a word of bodies too: `Press, W. H.`, `Press WH`.

    >>> has_surname("Press, William H., Saul A. Teukolsky"), has_surname("World Bank, International Press")
    (True, False)
    """
    head, _, rest = text[:400].partition(",")
    words = head.split()
    if not words or len(words) > _LONGEST_FAMILY:
        return False
    given = _GIVEN.match(rest.strip())
    if len(words) == 1:
        return bool(_GROUP.search(head)) and given is not None and not _GROUP.search(given.group())
    if words[0].lower() in _SURNAMES:
        return all(_glued(word) or _DOTTED.match(word) for word in words[1:])  # Press WH
    initials = sum(bool(_DOTTED.match(word)) for word in words[:-1])
    return words[-1].lower() in _SURNAMES and initials > 0 and not any(map(_GROUP.search, words[:-1]))


def is_initials(text: str) -> bool:
    """Whether a piece is initials alone: `T. M.`, `J.-P.`, `TM`, `J`."""
    tokens = text.replace("\u00a0", " ").split()
    if not tokens or len(tokens) > _MOST_INITIALS:
        return False
    return all(_INITIAL.match(token) or _DOTTED.match(token) or _glued(token) for token in tokens)


def _glued(text: str) -> bool:
    """Whether these are initials written together, `TM`; `Aé` is a short name."""
    return bool(_GLUED.match(text)) and not any(letter.islower() for letter in text)


def _apart(glued: str) -> str:
    """Write `ME` as `M. E.` and `J-P` as `J.-P.`; leave dotted ones."""
    if "." in glued or not _glued(glued):
        return glued
    if "-" in glued or "‐" in glued:
        return ".-".join(re.split("[-‐]", glued)) + "."
    return " ".join(f"{letter}." for letter in glued)


def _given(text: str) -> str | None:
    words = text.strip(" ,;").split()
    if len(words) == 1 and len(words[0]) > 1:
        return _apart(words[0])
    return " ".join(words) or None


def _clean(text: str) -> str:
    text = squash(text.replace("\u00a0", " "))
    text = re.sub(r"[\d*†‡§¶∗]{1,12}$", "", text).strip(" ,;:")
    return _TITLED.sub("", text)


def _group(text: str) -> Person:
    return Person(literal=text.strip(" ,.;"))


def _inverted(parts: Sequence[str]) -> Person:
    """Build from the pieces between commas: family, given | family, suffix, given | family, given, suffix."""
    family, rest = parts[0], [part for part in parts[1:] if part]
    suffix = next((part for part in rest if _SUFFIX.match(part)), None)
    given = " ".join(part for part in rest if part is not suffix)
    words = given.split()
    if suffix is None and len(words) > 1 and _ROMAN.match(words[-1]):
        suffix, given = words[-1], " ".join(words[:-1])
    if len(words) > 1 and all(word.lower() in PARTICLES for word in words[-1:]) and words[-1].islower():
        # "Goethe, Johann Wolfgang von": the particle belongs to the name, German style.
        split = next(place for place, word in enumerate(words) if all(w in PARTICLES for w in words[place:]))
        family, given = " ".join([*words[split:], family]), " ".join(words[:split])
    return Person(family=family.strip(" .") or None, given=_given(given), suffix=suffix)


def _direct(text: str) -> Person:
    """Build from words in reading order: `Given von Family`, `Family ME`, `J. R. Family`."""
    words = text.split()
    suffix = None
    if len(words) > len(("given", "family")) and _ROMAN.match(words[-1]):
        suffix, words = words[-1], words[:-1]
    if len(words) == 1:
        match = re.match(r"^((?:[^\W\d_]{1,2}\.[-‐]?)+)([^\W\d_]{2,}.*)$", words[0])
        if match:  # "P.N.Hilbert"
            return Person(family=match.group(2), given=match.group(1), suffix=suffix)
        return Person(family=words[0].strip(".") or words[0], suffix=suffix)
    tail = len(words)
    while tail > 1 and (_glued(words[tail - 1]) or _DOTTED.match(words[tail - 1])):
        tail -= 1
    leading = bool(_INITIAL.match(words[0]) or _DOTTED.match(words[0]))
    if tail < len(words) and not leading and not (len(words) - tail == 1 and words[0].isupper() and len(words[0]) > 1):
        return Person(family=" ".join(words[:tail]), given=_given(" ".join(words[tail:])), suffix=suffix)
    start = len(words) - 1
    for place in range(1, len(words) - 1):
        if words[place].lower() in PARTICLES and words[place][0].islower():
            # "Santiago Ramón y Cajal": the conjunction stands inside the family name, not before it
            start = place - 1 if words[place] in _INNER and place > 1 else place
            break
    family = " ".join(words[start:])
    glued = re.match(r"^((?:[^\W\d_a-z]\.)+)([^\W\d_]{3,}.*)$", family)
    if glued:  # "H.J. N.Berg"
        return Person(family=glued.group(2), given=" ".join([*words[:start], glued.group(1)]), suffix=suffix)
    given = " ".join(words[:start])
    return Person(family=family.strip("."), given=_given(given), suffix=suffix)


@lru_cache(maxsize=16_384)
def parse_person(text: str) -> Person:
    """Build one name; bodies become `literal`, a bare word a family name. Text without letters stays literal.

    >>> str(parse_person("Baldassarre ME")), parse_person("van der Berg, Jan").family
    ('M. E. Baldassarre', 'van der Berg')
    """
    name = _clean(text)
    if not re.search(r"[^\W\d_]", name):
        return Person(literal=squash(text) or "?")
    parts = [part.strip() for part in name.split(",")]
    parts = [part for part in parts if part]
    if len(parts) > 1 and (not _GROUP.search(name) or has_surname(name)):
        return _inverted(parts)
    if is_group(name) or len(parts) > 1:
        return _group(name)
    return _direct(parts[0])


# --- BibTeX ----------------------------------------------------------------------------------------------


def _split_depth(text: str, separator: re.Pattern[str]) -> list[str]:
    """Split where `separator` matches outside braces."""
    depths, depth = [], 0
    for char in text:
        depth = depth + 1 if char == "{" else max(0, depth - 1) if char == "}" else depth
        depths.append(depth)
    parts, last = [], 0
    for match in separator.finditer(text):
        if depths[match.start()] == 0:
            parts.append(text[last : match.start()])
            last = match.end()
    return [*parts, text[last:]]


_LONGEST_MARK = 60  # characters of "and others" with whatever LaTeX around it
_AND = re.compile(r"(?:^|\s)and(?=\s|$)", re.IGNORECASE)
_COMMA = re.compile(",")
_SPACE = re.compile(r"[\s~]+")


_MAX_WRAPS = 6  # more braces around one name are no protection but an attack


def _unwrap(latex: str) -> tuple[str, bool]:
    """Take off braces that enclose the whole name; tell whether there were any."""
    name, wrapped = latex.strip(), False
    for _ in range(_MAX_WRAPS):
        if not (name.startswith("{") and name.endswith("}")):
            break
        depth = 0
        for place, char in enumerate(name):
            depth += (char == "{") - (char == "}")
            if depth == 0 and place < len(name) - 1:
                return name, wrapped
        if re.match(r"\{\\[^A-Za-z]|\{\\[A-Za-z]{1,2}[\s{]", name):
            return name, wrapped  # an accent, not a protection
        name, wrapped = name[1:-1].strip(), True
    return name, wrapped


def _bibtex_person(latex: str) -> Person:
    name, wrapped = _unwrap(latex)
    parts = [to_text(part) for part in _split_depth(name, _COMMA)]
    parts = [part for part in parts if part]
    if not re.search(r"[^\W\d_]", parts[0] if parts else ""):
        return Person(literal=squash(latex))
    if len(parts) > 1:
        joined = ", ".join(parts)
        return _group(joined) if wrapped and _GROUP.search(joined) else _inverted(parts)
    if wrapped or is_group(parts[0]):
        return _group(parts[0])
    words = [to_text(word) for word in _split_depth(name, _SPACE) if word]
    if len(words) > 1 and " " in words[-1]:  # "Jean {de la Fontaine}"
        return Person(family=words[-1], given=_given(" ".join(words[:-1])))
    return parse_person(parts[0])


def parse_bibtex_people(latex: str) -> tuple[tuple[Person, ...], bool]:
    r"""Read a BibTeX list joined by `and`: the people, and whether `and others` cuts it short.

    >>> [person.family for person in parse_bibtex_people(r"{\'A}d{\'a}m, J. and {{Eckel-Passow}, J. E.} and others")[0]]
    ['Ádám', 'Eckel-Passow']
    """
    people: list[Person] = []
    truncated = False
    for part in _split_depth(squash(latex[: MAX_NAMES * 3]), _AND):
        plain = to_text(part) if len(part) < _LONGEST_MARK else ""
        if re.fullmatch(r"(?:others|et\.? al\.?|\.\.\.|…)", plain, re.IGNORECASE):
            truncated = True
        elif re.search(r"[^\W\d_]", part):
            tail = re.sub(r"[\s,]{1,3}et\.?\s?al\.?\s?$", "", part)
            truncated = truncated or tail != part
            people += _comma_list(tail) or [_bibtex_person(tail)]
    return tuple(people), truncated


_LIST_PIECES = 3


def _comma_list(latex: str) -> list[Person]:
    """Read a list that was joined by commas where BibTeX wants `and`; empty where the commas are those of one name.

    One name has at most three pieces, the middle one a suffix (`King, Jr, Martin`); in `Hochreiter S, Schmidhuber J`
    every piece is a whole name.
    """
    pieces = [to_text(part) for part in _split_depth(latex, _COMMA) if part.strip()]
    whole = [len(piece.split()) > 1 for piece in pieces]
    ends = [is_initials(piece.split()[-1]) for piece in pieces if piece]
    several = len(pieces) >= _LIST_PIECES and not any(map(_SUFFIX.match, pieces[1:]))
    if (several and all(whole)) or (len(pieces) > 1 and all(whole) and all(ends)):
        return list(parse_people(", ".join(pieces))[0])
    return []


# --- printed lists ---------------------------------------------------------------------------------------

_ET_AL = re.compile(
    r"[\s,;&]{0,3}(?:\b(?:and|und|et|y)\s)?(?:\(?\bet\.?\s*al(?:ii|\b)\.?\)?|\band\s+(?:others|colleagues)\b|\bu\.\s?a\.|\by\s+otros\b|\be\s+outros\b|"
    r"\bund\s+andere\b|…|\.\.\.|等)[\s.,;:]*",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"[\s,]{0,3}[(\[]?\b(?:eds?|hrsg|hg|herausgeber|editors?|edd|a c\. di|a cura di|"
    r"dir|orgs?|coords?|comps?|trans|übers|ed\. by)\b\.?[)\]]?[\s.,:;]{0,4}$",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(r"\s{0,2}(?:,\s{0,2})?(?:[&・、]|\+|\s(?:and|und|et|y|e|og|och|en|i|u\.)\s|＆)\s*")
_DITTO = re.compile(r"^[\s_—–−-]{2,}[.,:]?\s*")


def _is_family(piece: str) -> bool:
    """Whether a piece can be a family name standing before its initials or given names."""
    words = piece.split()
    if not 1 <= len(words) <= _LONGEST_FAMILY or any(_INITIAL.match(word) and len(word) > 1 for word in words):
        return False
    named = [word for word in words if word not in PARTICLES]  # capitalised, Das and Du are names of their own
    return bool(named) and all(word[0].isupper() or "’" in word or "'" in word for word in named)


def _pair(pieces: Sequence[str]) -> list[str] | None:
    """Join `Family`, `Initials` pieces; `None` where the list is not of that kind."""
    if len(pieces) < _PAIR or not _is_family(pieces[0]):
        return None
    if not is_initials(pieces[1]):  # one name alone, then pairs: "Priyanka, Täuber, U. C., Pleimling, M."
        pairs = pieces[1:]
        if len(pairs) < 2 * _PAIR or len(pairs) % _PAIR or not all(map(is_initials, pairs[1::_PAIR])):
            return None
        if not all(map(_is_family, pairs[::_PAIR])):
            return None
    out: list[str] = []
    for piece in pieces:
        if (out and "," not in out[-1] and is_initials(piece)) or (out and _SUFFIX.match(piece)):
            out[-1] = f"{out[-1]}, {piece}"
        else:
            out.append(piece)
    return out


def _words(piece: str) -> int:
    # Du, Bin and Da are particles only in lower case: capitalised they are names of their own
    return sum(word not in PARTICLES for word in piece.split())


def _is_multiple(piece: str) -> bool:
    return _words(piece) > 1


def _is_person(first: Sequence[str]) -> bool:
    return not is_group(first[0]) or has_surname(", ".join(first[:_PAIR]))


def _names(groups: Sequence[Sequence[str]]) -> list[str]:
    """Put the pieces between commas together to names; `groups` are the parts between conjunctions."""
    flat = [piece for group in groups for piece in group]
    paired = _pair(flat)
    if paired is not None:
        return paired
    if (
        len(flat) % _PAIR == 0
        and all(piece.isupper() and len(piece) > 1 for piece in flat[::2])
        and not any(piece.isupper() for piece in flat[1::2])
    ):
        return [
            f"{family}, {given}" for family, given in zip(flat[::2], flat[1::2], strict=True)
        ]  # SMITH, Ada, DOE, John
    first = groups[0]
    if len(first) > _PAIR and _words(first[0]) == _PAIR and _words(first[1]) == 1 and all(map(_is_multiple, flat[2:])):
        return [
            ", ".join(first[:2]),
            *flat[2:],
        ]  # a double family name before its given name, the rest in reading order
    if len(first) >= _PAIR and _words(first[0]) == 1 and _is_family(first[0]) and _is_person(first):
        others = [piece for group in groups[1:] for piece in group]
        if len(groups) > 1 and all(len(group) == _PAIR for group in groups):
            return [", ".join(group) for group in groups]  # Family, Given and Family, Given
        if len(flat) == _PAIR and len(first) == _PAIR:
            return [", ".join(first)]
        rest = [*first[2:], *others]
        if rest and all(_words(piece) > 1 for piece in rest):
            return [", ".join(first[:2]), *rest]  # only the first is inverted
        if _words(first[1]) > 1 and len(first) == _PAIR:
            return [", ".join(first), *others]
    return flat


def _pieces(text: str) -> list[str]:
    pieces = [
        piece.strip(" .:") if not re.search(r"[^\W\d_]\.$", piece.strip()) else piece.strip()
        for piece in text.split(",")
    ]
    merged: list[str] = []
    for piece in pieces:
        if not re.search(r"[^\W\d_]", piece):
            continue
        if merged and _SUFFIX.match(piece) and not is_initials(merged[-1]) and " " in merged[-1]:
            merged[-1] = f"{merged[-1]} {piece.strip('.')}"
        else:
            merged.append(piece)
    return merged


_LISTING = re.compile(r"[&;]|\s(?:and|und)\s")
_Y = re.compile(r"(?P<left>[^,;&]{1,60}?)\s(?P<y>[yi])\s(?P<right>[^\s,;&]{2,40})(?P<after>\s?[^;&]{0,12})")
_KEPT = "\x00"
"""Stands for the spaces about a conjunction that belongs to a family name."""


def _inner(match: re.Match[str]) -> str:
    """Mark ` y ` inside a double family name, as in `Agüera y Arcas, B.`; `García, J. y López, P.` has none."""
    left, right, after = match["left"].split(), match["right"], match["after"].strip()
    if not left or not right[0].isupper() or is_initials(left[-1]):
        return match.group()
    initials = after.lstrip(",").split()
    glued = bool(initials) and bool(is_initials(initials[0].strip(",")))
    alone = not after or (after[0] in ",." and not glued)
    if (len(left) == 1 and glued) or (len(left) > 1 and alone):
        return f"{match['left']}{_KEPT}{match['y']}{_KEPT}{right}{match['after']}"
    return match.group()


def _kept(text: str) -> str:
    """Mark each ` y ` that belongs to a name: all of them where another conjunction joins the list."""
    if " y " not in text and " i " not in text:
        return text
    if _LISTING.search(text):
        return re.sub(r"\s([yi])\s", rf"{_KEPT}\1{_KEPT}", text)
    return _Y.sub(_inner, text)


def _split(text: str) -> Iterable[str]:
    yield from (name.replace(_KEPT, " ") for name in _parted(_kept(text)))


def _parted(text: str) -> Iterable[str]:
    if ";" in text:
        for part in text.split(";"):
            yield from (piece for piece in _CONJUNCTION.split(f" {part.strip()} ") if piece.strip())
        return
    slashed = [part.strip() for part in re.split(r"\s*/\s*", text)]
    if len(slashed) > 1 and all(part[:1].isupper() or part.split(" ")[0] in PARTICLES for part in slashed):
        yield from slashed
        return
    groups = [pieces for part in _CONJUNCTION.split(f" {text} ") if (pieces := _pieces(part))]
    if groups:
        yield from _names(groups)


#: A converter's way to print the only name it has: `Ada et al. Lovelace`.
_SPLIT_NAME = re.compile(r"^([^,;&]{1,40}?) et\.? al\. ([^\s,;&]{2,40})$")


@lru_cache(maxsize=1_024)
def parse_people(text: str) -> tuple[tuple[Person, ...], bool]:
    """Read a printed list of names: the people in order, and whether `et al.` or the like cuts it short.

    Initials never become authors of their own; a ditto dash at the start stands for nobody and is left out.

    >>> [str(person) for person in parse_people("Lovelace, A. K., Smith, J.")[0]]
    ['A. K. Lovelace', 'J. Smith']
    """
    listed = _DITTO.sub("", squash(text[:MAX_NAMES]))
    split = _SPLIT_NAME.match(listed)
    if split is not None:
        return (Person(family=split.group(2).strip("."), given=_given(split.group(1))),), True
    cut = _ET_AL.search(f"{listed} ")
    truncated = cut is not None
    if cut is not None:
        # Names after the mark are kept: "A. One, et al., and Z. Last" lists both ends.
        tail = listed[cut.end() :].strip(" ,;.&")
        listed = listed[: cut.start()] + (f", {tail}" if re.match(r"[^\W\d_]", tail) else "")
    listed = _ROLE.sub("", listed).strip(" ,;:")
    if not re.search(r"[^\W\d_]", listed):
        return (), truncated
    if is_group(listed) and _GROUP.search(listed) and not re.search(r"[,;&]|\band\b", listed):
        return (_group(listed),), truncated
    listed = _unstopped(listed)
    return tuple(parse_person(name) for name in _split(listed) if re.search(r"[^\W\d_]", name)), truncated


_SHORT_LAST = re.compile(r"[^\W\d_]{2,}\s[^\W\d_a-z][^\W\d_A-Z]\.$")
_STOPPED = re.compile(r"\.\s*(?:[,;&]|\band\b)")


def _unstopped(listed: str) -> str:
    """Take the full stop off a list that ends in a short family name (`Wenhao Cui and Jie Hu.`).

    It belongs to the name where other names end in one too (`Ivanov Yu., Petrov A.`).
    """
    inverted = "," in listed and " " not in listed.partition(",")[0]  # Family, Given M., and Jimmy Ba.
    return listed[:-1] if _SHORT_LAST.search(listed) and (inverted or not _STOPPED.search(listed)) else listed
