"""The full-text half of a part: which records hold which words. The only place that knows tantivy.

One field of words, of which only *which record holds it* is kept (no counts, no places, no text: 35 bytes a record,
4 microseconds), and one of the record's id. BM25 on this is the idf of the shared words, with a bonus for short
records.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from citeaudit.errors import IndexDamagedError
from citeaudit.index.manifest import REBUILD
from citeaudit.index.store.mending import mended
from citeaudit.index.store.opening import words_index

if TYPE_CHECKING:
    import tantivy

ENOUGH_WORDS = 3
"""Words that must remain before words of a single record are left out: a misread word is rare, too."""

ALWAYS_ASKED = 2
"""Words that are looked up however many records hold them."""

ROOM = 0.2, 10_000, 300_000
"""Records that the words after these may touch: a share of all, and its bounds.

On 801,262 records and 9,000 noisy titles a fifth takes the 99th percentile of a search from 490,000 records touched
to 160,000. Recall at 50 stays 99.98 % with surnames; of titles alone it goes from 98.4 to 98.2 %. On 5,000,000, and
2,500 titles, 300,000 and two words always asked in place of 600,000 and four take the 99th percentile of a question
from about 23 to 15 ms on a busy machine, and lose none; 150,000 and four lose one.
"""

LEAST_HEAP = 15_000_000
"""Bytes of memory that tantivy takes at least, for each thread."""

_WORDS, _ID = "t", "i"


class WordWriter:
    """Adds words to a folder; what is not committed is not there after a kill."""

    def __init__(self, folder: Path, heap: int, threads: int) -> None:
        """Create the folder, or open it as it was committed last; one that cannot be read is made anew.

        Args:
            folder: For these files alone.
            heap: Bytes of memory, at least `LEAST_HEAP` for each thread.
            threads: That sort words.
        """
        self._folder, self._heap, self._threads = folder, max(heap, threads * LEAST_HEAP), threads
        self._open()

    def _open(self) -> None:
        import tantivy

        self._document = tantivy.Document
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            index = _tantivy_index(self._folder)
            self._writer = index.writer(self._heap, self._threads)
            self.count = self._added = int(index.searcher().num_docs)
        except BaseException as error:
            if not said_by_tantivy(error):
                raise
            if not any(self._folder.iterdir()):
                raise OSError(str(error)) from error
            self.clear()

    def clear(self) -> None:
        """Throw everything away and begin anew."""
        self.close()
        shutil.rmtree(self._folder)
        self._open()

    def add(self, texts: Iterable[tuple[int, str]]) -> None:
        """Add records: id, and words with single spaces."""
        write, new = self._writer.add_document, self._document
        place = self.count
        for place, text in texts:
            document = new()
            document.add_text(_WORDS, text)
            document.add_unsigned(_ID, place)
            write(document)
        self._added = place

    def commit(self) -> None:
        """Make durable what was added."""
        self._writer.commit()
        self.count = self._added

    def finish(self) -> None:
        """Wait until files are merged, and remove those that were merged into others."""
        if self._added > self.count:
            self.commit()
        self._release()
        collector = _tantivy_index(self._folder).writer(LEAST_HEAP, 1)
        collector.garbage_collect_files()
        collector.wait_merging_threads()
        for lock in self._folder.glob(".tantivy-*.lock"):
            lock.unlink()

    def close(self) -> None:
        """Let go of the folder, and of the writer; what is not committed is lost.

        It waits for the threads that merge files: they would go on writing into a folder that is taken away.
        """
        try:
            self._release()
        except BaseException as error:
            if not said_by_tantivy(error):
                raise

    def _release(self) -> None:
        writer = self.__dict__.pop("_writer", None)
        if writer is not None:  # else it was never opened
            writer.wait_merging_threads()


def _tantivy_index(folder: Path) -> tantivy.Index:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field(_WORDS, stored=False, tokenizer_name="whitespace", index_option="basic")
    builder.add_unsigned_field(_ID, stored=False, indexed=False, fast=True)
    index = tantivy.Index(builder.build(), path=str(folder))
    plain = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("whitespace", plain)
    return index


def said_by_tantivy(error: BaseException) -> bool:
    """Whether an exception is tantivy's way to say that files cannot be read or written.

    It raises `ValueError` for what it foresees, and on corrupt files a `PanicException`, which is no `Exception` and
    cannot be imported: it is known by its name alone.
    """
    return isinstance(error, ValueError) or type(error).__name__ == "PanicException"


class WordReader:
    """Finds records by words; one for each process, safe to share between its threads."""

    def __init__(self, folder: Path) -> None:
        """Open the folder, mapped into memory.

        Raises:
            IndexDamagedError: The files are missing or corrupt.
        """
        self._folder = folder
        self._pid = 0
        self._check()

    def _check(self) -> None:
        """Open the files, in a forked process once more."""
        if self._pid == os.getpid():
            return
        try:
            with words_index(self._folder) as index:
                self._schema, self._searcher = index.schema, index.searcher()
            self.count = int(self._searcher.num_docs)
        except BaseException as error:
            if not said_by_tantivy(error) and not isinstance(error, OSError):
                raise
            raise self._damaged(error) from error
        self._pid = os.getpid()

    def search(self, terms: Iterable[str], k: int, count: int) -> list[int]:
        """Give the ids of the records that share most with the rarest of some words, best first.

        Args:
            terms: Words and surname terms.
            k: Ids to give at most.
            count: Words to look up, the rarest that any record holds.

        Raises:
            IndexDamagedError: The files are corrupt.
        """
        import tantivy

        self._check()
        try:
            words = self._rarest(dict.fromkeys(terms), count)
            if not words:
                return []
            one, should = tantivy.Query.term_query, tantivy.Occur.Should
            parts = [(should, one(self._schema, _WORDS, word, index_option="basic")) for word in words]
            hits = self._searcher.search(tantivy.Query.boolean_query(parts), k, count=False).hits
            ids = self._searcher.fast_field_values(_ID, [address for _, address in hits])
        except BaseException as error:
            if not said_by_tantivy(error):
                raise
            raise self._damaged(error) from error
        ranked = sorted((-score, int(place or 0)) for (score, _), place in zip(hits, ids, strict=True))
        return [place for _, place in ranked]

    def mended(self, terms: Sequence[str]) -> list[str]:
        """Give words, mended by those that are held here (`mending.mended`).

        Raises:
            IndexDamagedError: The files are corrupt.
        """
        self._check()
        try:
            return mended(
                terms,
                partial(self._searcher.doc_freq, _WORDS),
                partial(self._searcher.terms_with_prefix, _WORDS),
            )
        except BaseException as error:
            if not said_by_tantivy(error):
                raise
            raise self._damaged(error) from error

    def known(self, word: str) -> int:
        """Give how many records hold a word.

        Raises:
            IndexDamagedError: The files are corrupt.
        """
        self._check()
        try:
            return int(self._searcher.doc_freq(_WORDS, word))
        except BaseException as error:
            if not said_by_tantivy(error):
                raise
            raise self._damaged(error) from error

    def begins(self, beginning: str) -> list[tuple[str, int]]:
        """Give the words that begin so, with how many records hold each.

        Raises:
            IndexDamagedError: The files are corrupt.
        """
        self._check()
        try:
            return self._searcher.terms_with_prefix(_WORDS, beginning)
        except BaseException as error:
            if not said_by_tantivy(error):
                raise
            raise self._damaged(error) from error

    def _rarest(self, words: Iterable[str], count: int) -> Sequence[str]:
        frequency = self._searcher.doc_freq
        known = [(number, word) for word in words if (number := frequency(_WORDS, word))]
        known.sort(key=itemgetter(0))
        repeated = [pair for pair in known if pair[0] > 1]
        share, least, most = ROOM
        room = min(max(share * self.count, least), most)
        chosen: list[str] = []
        for number, word in (repeated if len(repeated) >= ENOUGH_WORDS else known)[:count]:
            room -= number
            if room < 0 and len(chosen) >= ALWAYS_ASKED:
                break
            chosen.append(word)
        return chosen

    def _damaged(self, error: BaseException) -> IndexDamagedError:
        return IndexDamagedError(f"{self._folder}: is damaged ({str(error)[:200]}); {REBUILD}")
