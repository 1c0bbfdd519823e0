"""The documents of a request, as callers name them: a folder, files in the order they were sent, or by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from citeaudit.errors import UsageError
from citeaudit.quotes.providers.normal import Source, doc_of
from citeaudit.quotes.shelf import Shelf

Documents = str | Path | Mapping[str, Path] | Sequence[str | Path]
"""A folder or a file, files by name, or files in their order."""


class Sent(NamedTuple):
    """Documents, and the order in which a model was given them."""

    shelf: Shelf
    order: tuple[str, ...]
    """Names; one that was sent twice is there twice."""

    def name(self, source: Source) -> str:
        """Name the document that a citation is from, which need not be among these.

        A place in the order decides; then title, file or the end of an address. What names nothing is from the only
        document, where there is but one.
        """
        if source.index is not None and 0 <= source.index < len(self.order):
            return self.order[source.index]
        told = [one for one in (source.title, source.file_id, source.url) if one]
        for one in [*told, *(Path(unquote(urlsplit(url).path)).name for url in told[-1:] if source.url)]:
            if one in self.shelf:
                return one
        if source == Source() and len(self.shelf) == 1:
            return next(iter(self.shelf))
        return doc_of(source)


def open_documents(docs: Documents) -> Sent:
    """Give documents, each opened when it is first asked for.

    Args:
        docs: A folder (its documents are in the order of their names), a file, files by name, or files in their order.
            Files are named by file name and stem; two with the same file name by their paths.

    Raises:
        UsageError: There is no such folder or file, or none was named.
    """
    if isinstance(docs, Mapping):
        shelf = Shelf({name: Path(path) for name, path in docs.items()})
        return Sent(shelf, tuple(docs))
    if isinstance(docs, str | Path):
        path = Path(docs)
        if path.is_dir():
            shelf = Shelf.of_folder(path)
            return Sent(shelf, tuple(shelf))
        if not path.exists():
            raise UsageError(f"{docs}: no such folder; name the folder of the cited documents")
        docs = [path]
    if not docs:
        raise UsageError("no document was named; name those that the model was given, in their order")
    return _in_order([Path(one) for one in docs])


def _in_order(paths: Sequence[Path]) -> Sent:
    same = Counter(path.name for path in dict.fromkeys(paths))
    order = [path.name if same[path.name] == 1 else str(path) for path in paths]
    named = dict(zip(order, paths, strict=True))
    for path in paths:
        for alias in (path.name, path.stem, str(path)):
            named.setdefault(alias, path)
    return Sent(Shelf(named), tuple(order))
