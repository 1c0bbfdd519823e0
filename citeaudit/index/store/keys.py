"""Exact keys: whatever a record may be asked for by name becomes one number of 48 bits.

One kind of key for identifiers, titles, places in a journal, venues and a collection's own ids; the kind goes into
the hash. Two things share a key by chance once in 281 million million pairs, so every hit is held against its record.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

from citeaudit.identifiers import bare_arxiv_id, doi_arxiv_id
from citeaudit.index.store.record import Record
from citeaudit.text.folding import folded
from citeaudit.text.normalize import MAX_TITLE, plain, squash
from citeaudit.text.titles import undecorated

MIN_HEAD = 8
"""Characters, folded, that a title must have before the colon to be found by that part alone."""

KEY_BYTES = 6
"""SQLite keeps a signed integer of up to six bytes in six; eight would take two bytes more a row."""

_LATIN_END = "\u0250"
"""First code point after the Latin letters, but for Latin Extended Additional (U+1E00 to U+1EFF)."""

_FOREIGN = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_HEAD_END = re.compile(r":\s|\s[-–—]\s")
_DECORATED = ("invited", "poster", "[retracted", "[withdrawn", "retracted", "withdrawn", "temporary")
_DECORATED_STARTS = frozenset(letter for word in _DECORATED for letter in (word[0], word[0].upper()))
_DECORATED_ENDS = (")", "]", ").", "].")
_ARTICLES = frozenset({"the", "a", "an", "le", "la", "les", "der", "die", "das", "el", "il"})
_PAGE_WORDS = frozenset({"p", "pp", "page", "pages", "art", "article", "no", "number", "nr", "id", "paper", "eid"})
_VOLUME_WORDS = frozenset({"vol", "volume", "v", "band", "bd", "jg", "tome", "tom"})
_DIGITS = 12
_WORD = re.compile(r"[a-z]{1,6}\d{1,12}|\d{1,12}[a-z]{0,2}|[a-z]{1,12}")


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=KEY_BYTES).digest(), "big", signed=True)


def _squeezed(text: str) -> str:
    return folded(text).replace(" ", "")


def identifier_key(scheme: str, value: str) -> int:
    """Give the key of an identifier in its normal form (`citeaudit.identifiers`).

    Args:
        scheme: `doi`, `arxiv_id` (its version does not count), `pmid`, `pmcid` or `isbn`.
        value: In its normal form.
    """
    return _hash(f"{scheme}:{bare_arxiv_id(value) if scheme == 'arxiv_id' else value}")


def title_keys(title: str) -> tuple[int, ...]:
    """Give the keys a title is found by, that of the whole title first; no key twice.

    After the whole: the title without what indexes add (`(Extended Abstract)`), the part before a colon or a spaced
    dash, and for a title that is mostly of another script its letters as they stand, since transliteration merges
    titles (`是` and `事`).
    """
    return tuple(dict.fromkeys(_title_keys(title if title.isprintable() else squash(title), folded(title))))


def _title_keys(title: str, words: str) -> list[int]:
    """Give the keys of a title whose only white space is the plain space."""
    whole = words.replace(" ", "")
    keys = [_hash(f"t:{whole}")] if whole else []
    if _may_be_decorated(title) and (short := _squeezed(undecorated(title))) and short != whole:
        keys.append(_hash(f"t:{short}"))
    ascii_only = title.isascii()
    if (": " in title or " - " in title or not ascii_only) and (head := head_key(title)) is not None:
        keys.append(_hash(f"t:{head}"))
    if not ascii_only and (raw := raw_title(title)) is not None:
        keys.append(_hash(f"r:{raw}"))
    return keys


def _may_be_decorated(title: str) -> bool:
    if title.endswith(_DECORATED_ENDS):
        return True
    return title[:1] in _DECORATED_STARTS and title[:12].lower().startswith(_DECORATED)


def head_key(title: str) -> str | None:
    """Give the folded key of the part before a colon or a spaced dash, if there is one that says enough."""
    found = _HEAD_END.search(title[:MAX_TITLE])
    if found is None:
        return None
    part = _squeezed(title[: found.start()])
    return part if len(part) >= MIN_HEAD else None


def raw_title(title: str) -> str | None:
    """Give the letters and digits of a title as they stand, if at least half of its letters are not Latin.

    >>> raw_title("深層学習 入門"), raw_title("Über Größe")
    ('深層学習入門', None)
    """
    if "&" not in title and _FOREIGN.search(title) is None:
        return None
    text = "".join(letter for letter in plain(title[:MAX_TITLE]).casefold() if letter.isalnum())
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(letter >= _LATIN_END and not "\u1e00" <= letter <= "\u1eff" for letter in letters)
    return text if 2 * foreign >= len(letters) > 0 else None


def locator_keys(venue: str | None, volume: str | None, pages: str | None) -> tuple[int, ...]:
    """Give the key of a place in a journal, for references without a title; empty where a part is missing.

    Of the venue only the first letter counts, the/a and the like aside, since references abbreviate. Pages are cut to
    the first (`123-45`, `L12`, `xi-xx`), or to the number of the article (`e1000`, `123:1-123:20`).
    """
    if not venue or not volume or not pages:
        return ()
    letter, book, page = _initial(venue), _number(volume, _VOLUME_WORDS), first_page(pages)
    return (_hash(f"l:{letter}:{book}:{page}"),) if letter and book and page else ()


def first_page(pages: str) -> str | None:
    """Give the first page, or the number of the article, in lower case without leading zeros.

    >>> first_page("0123-45"), first_page("Article e1000"), first_page("123:1-123:20"), first_page("xi-xx")
    ('123', 'e1000', '123', 'xi')
    """
    first = pages.partition("-")[0]  # `123-45` and its like are 9 of 10: a third of the time of the expression
    if len(first) <= _DIGITS and first.isdigit() and first.isascii():
        return first.lstrip("0") or None
    return _number(pages, _PAGE_WORDS)


def _number(text: str, skipped: frozenset[str]) -> str | None:
    text = text[:60]
    if text.isdigit() and text.isascii():
        return text.lstrip("0") or None
    for found in _WORD.finditer(text.lower()):
        word = found.group()
        if word not in skipped:
            return word.lstrip("0") or None
    return None


@lru_cache(maxsize=50_000)
def _initial(venue: str) -> str:
    return next((word[0] for word in folded(venue).split() if word not in _ARTICLES), "")


def own_key(source: str | None, own_id: str) -> int:
    """Give the key of what a collection calls a work itself.

    Args:
        source: The collection, `Record.src`.
        own_id: Its own id, `Record.id`.
    """
    return _hash(f"o:{source or ''}:{own_id}")


def replacing_key(record: Record) -> int | None:
    """Give the key by which a newer record of the same collection finds the one it replaces.

    The collection's own id, else the identifier that stands for it (readers leave out an id that repeats one).
    """
    if record.id:
        return own_key(record.src, record.id)
    for scheme in ("doi", "arxiv_id", "pmid"):
        value = getattr(record, scheme)
        if value:
            return identifier_key(scheme, value)
    return None


@lru_cache(maxsize=50_000)
def venue_key(venue: str) -> int | None:
    """Give the key of a venue by its folded name; `None` where nothing remains of it."""
    words = folded(venue)
    return _hash(f"v:{words}") if words else None


def record_keys(record: Record) -> tuple[int, ...]:
    """Give all keys a tidy record is found by, none twice, titles first.

    Its identifiers and those of its other versions (an arXiv DOI is an arXiv id, too), its titles, its place in a
    journal, and the collection's own id.
    """
    return keys_of(record, folded(record.title))[0]


def keys_of(record: Record, words: str) -> tuple[tuple[int, ...], int | None]:
    """Give all keys of a tidy record (`record_keys`), and which of them is its `replacing_key`.

    Args:
        record: Tidied.
        words: Its title, folded.
    """
    keys = _title_keys(record.title, words)
    for title in record.titles:
        keys += title_keys(title)
    own: int | None = None
    doi, arxiv_id, pmid = record.doi, record.arxiv_id, record.pmid
    if pmid:
        keys.append(own := _hash(f"pmid:{pmid}"))
    if arxiv_id:
        keys.append(own := identifier_key("arxiv_id", arxiv_id))
    if doi:
        keys.append(own := _hash(f"doi:{doi}"))
        if doi.startswith("10.48550/") and (named := doi_arxiv_id(doi)):
            keys.append(identifier_key("arxiv_id", named))
    if record.id:
        keys.append(own := own_key(record.src, record.id))
    if record.pmcid:
        keys.append(_hash(f"pmcid:{record.pmcid}"))
    if record.isbn:
        keys.append(_hash(f"isbn:{record.isbn}"))
    for one in record.related:
        keys.append(identifier_key(one.scheme, one.value))
    if record.volume and record.pages:
        keys += locator_keys(record.venue, record.volume, record.pages)
    return tuple(dict.fromkeys(keys)), own
