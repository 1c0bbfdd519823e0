"""Look for the sentences of PDFs in these PDFs, as they stand and with one word, number or sign changed.

    python benchmarks/quote_find.py FOLDER [--least 2000] [--misses]

A sentence is a run of 8 to 40 words of one block of text, as PyMuPDF gives it with words joined at line ends, from a
capital to a full stop, a question or an exclamation mark, NFKC. Left out are those of which a tenth or more of the
characters have no meaning. Each is looked for with its page; it is right where it is found there. Of each a copy is
made with one word exchanged, one digit changed, or a sign put before a number or taken away, in turn, so that no
sentence of the PDF comes of it; it is right where it is not found at all.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pymupdf

from citeaudit.pdf import read_pages
from citeaudit.quotes.locate import Source

SHORTEST, LONGEST = 8, 40
"""Words of a sentence."""
SHARE, MOST = 0.995, 0
"""Sentences found on their page, at least; altered ones found, at most."""
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"(])")
_SENTENCE = re.compile(r"[A-Z“\"(].*[.!?][”\")]?$")
_ODD = re.compile("[\ufffd\ue000-\uf8ff\\x00-\\x1f]")
_SPARE = ("river", "seven", "window", "policy", "carbon", "yellow", "maximum", "theory", "patient", "never", "always")


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Give page and text of each sentence of a PDF."""
    flags = pymupdf.TEXT_DEHYPHENATE | pymupdf.TEXT_MEDIABOX_CLIP
    with pymupdf.open(path) as document:
        for number, page in enumerate(document, 1):
            for block in page.get_text("blocks", flags=flags):
                if block[6]:
                    continue
                text = " ".join(unicodedata.normalize("NFKC", block[4]).split())
                for sentence in _END.split(text):
                    fit = SHORTEST <= len(sentence.split()) <= LONGEST and _SENTENCE.fullmatch(sentence)
                    if fit and 10 * len(_ODD.findall(sentence)) < len(sentence):
                        yield number, sentence


def altered(sentence: str, chance: random.Random, turn: int) -> tuple[str, str]:
    """Give the kind of a change, and the sentence with it."""
    words = sentence.split()
    numbers = [place for place, word in enumerate(words) if re.search(r"\d", word)]
    kind = ("word", "number", "sign")[turn % 3] if numbers else "word"
    if kind == "word":
        place = chance.randrange(len(words))
        words[place] = chance.choice([word for word in _SPARE if word != words[place].lower()])
        return kind, " ".join(words)
    place = chance.choice(numbers)
    word = words[place]
    if kind == "number":
        at = chance.choice([index for index, char in enumerate(word) if char.isdecimal()])
        other = chance.choice([digit for digit in "0123456789" if digit != word[at]])
        words[place] = word[:at] + other + word[at + 1 :]
    elif re.search(r"[−<>±]", word):
        words[place] = re.sub(r"[−<>±]", "", word, count=1)
    else:
        at = re.search(r"\d", word)
        start = at.start() if at else 0
        words[place] = f"{word[:start]} −{word[start:]}"
    return kind, " ".join(words)


def main() -> int:
    """Print the shares, and exit 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--least", type=int, default=2_000, help="sentences, in all")
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    chance = random.Random(7)  # noqa: S311  # a sample, no secret
    files = sorted(arguments.folder.glob("*.pdf"))
    by_file = {path: list(dict.fromkeys(sentences(path))) for path in files}
    room = arguments.least
    count: Counter[str] = Counter()
    times: list[float] = []
    for path, found in sorted(by_file.items(), key=lambda item: len(item[1])):
        chance.shuffle(found)
        share = -(-room // max(1, len(files) - count["files"]))
        chosen = found[:share]
        room -= len(chosen)
        count["files"] += 1
        source = Source.of_pdf(read_pages(path))
        known = {sentence for _, sentence in by_file[path]}
        for turn, (page, sentence) in enumerate(chosen):
            change = altered(sentence, chance, turn)
            while change[1] in known:  # a form that repeats with another number is no altered quote of it
                change = altered(sentence, chance, turn)
            _try(source, page, sentence, change, (count, times, arguments.misses, path.name))
    share = count["right"] / max(1, count["sentences"])
    print(
        f"{count['sentences']} sentences of {len(files)} PDFs: {count['right']} found on their page ({share:.2%}), "
        f"median {1_000 * statistics.median(times):.2f} ms; {count['altered']} altered: {count['wrong']} found"
        f" ({', '.join(f'{count[kind]} {kind}' for kind in ('word', 'number', 'sign'))})"
    )
    return 0 if share >= SHARE and count["wrong"] <= MOST else 1


def _try(
    source: Source,
    page: int,
    sentence: str,
    change: tuple[str, str],
    told: tuple[Counter[str], list[float], bool, str],
) -> None:
    count, times, show, name = told
    start = time.perf_counter()
    found = source.locate(sentence, page)
    times.append(time.perf_counter() - start)
    right = found is not None and any(page in one.pages for one in found.occurrences)
    count["sentences"] += 1
    count["right"] += right
    if not right and show:
        print(f"missed {name} p. {page}: {sentence}")
    kind, text = change
    count["altered"] += 1
    count[kind] += 1
    wrong = source.locate(text)
    if wrong is not None:
        count["wrong"] += 1
        if show:
            print(f"altered {kind} {name} p. {page}: {text}\n   found as {wrong.tier}: {wrong.occurrences[0].text}")


if __name__ == "__main__":
    sys.exit(main())
