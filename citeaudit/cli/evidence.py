"""What the commands that find quotes in PDFs share: how far they are, and where highlighted copies and pictures go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from citeaudit.errors import UsageError
from citeaudit.quotes.showing import Shown, copies, pictures, sheet
from citeaudit.report.writing import check_target, write_bytes
from citeaudit.text.visible import visible


@dataclass(frozen=True, slots=True)
class Targets:
    """What is to be written beside the report."""

    highlight: str | None = None
    """Folder of highlighted copies."""
    sheet: str | None = None
    """File of a contact sheet."""
    snippets: str | None = None
    """Folder of pictures."""

    def __bool__(self) -> bool:
        """Whether anything is to be written."""
        return any((self.highlight, self.sheet, self.snippets))


@contextmanager
def counted(noun: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Give a listener for how many of how many are done; `None` where nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return

    def tell(number: int, of: int) -> None:
        sys.stderr.write(f"\r{number} of {of} {noun}")
        sys.stderr.flush()

    yield tell
    sys.stderr.write("\n")


def look(targets: Targets, documents: Collection[Path], output: str | None = None) -> None:
    """Make sure the evidence can be written, before the work begins.

    Raises:
        UsageError: A folder is a file, or the evidence would replace a document or the report.
    """
    inputs = [str(path) for path in documents]
    for folder in (targets.highlight, targets.snippets):
        if folder is not None and Path(folder).exists() and not Path(folder).is_dir():
            raise UsageError(f"{folder}: is a file; name a folder for the evidence")
    if targets.highlight is not None and Path(targets.highlight).is_dir():
        for target in _named(Path(targets.highlight), sorted(documents)).values():
            check_target(target, inputs)
    if targets.sheet is not None:
        if output is not None and Path(targets.sheet).absolute() == Path(output).absolute():
            raise UsageError(f"{targets.sheet}: is named for the report and for the sheet; name two files")
        check_target(Path(targets.sheet), inputs)


def write(targets: Targets, shown: Mapping[int, Shown], marked: Sequence[Shown], documents: Collection[Path]) -> None:
    """Write the evidence; folders are made.

    Args:
        targets: Where to.
        shown: For sheet and pictures, by 0-based index of the row; a picture is called by its 1-based number.
        marked: For the highlighted copies.
        documents: None of which is replaced.

    Raises:
        UsageError: A file cannot be written.
        UnreadableDocumentError, EncryptedDocumentError: A document cannot be drawn.
    """
    inputs = [str(path) for path in documents]
    if targets.highlight is not None:
        made = copies(marked)
        for path, target in _named(_folder(targets.highlight), sorted(documents)).items():
            if path in made:
                write_bytes(target, made[path], inputs)
    if targets.sheet is not None:
        if shown:
            write_bytes(Path(targets.sheet), sheet(shown.values()), inputs)
        else:
            sys.stderr.write(f"citeaudit: {visible(targets.sheet)}: not written, for there is nothing to show\n")
    if targets.snippets is not None:
        folder = _folder(targets.snippets)
        for index, png in pictures(shown, None)[0].items():
            write_bytes(folder / f"{index + 1:03d}.png", png, inputs)


def _folder(name: str) -> Path:
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{name}: the folder cannot be made ({error.strerror or error})") from error
    return path


def _named(folder: Path, documents: Sequence[Path]) -> dict[Path, Path]:
    """Give a file in a folder for each document: of its name, with a number where another has the same."""
    taken: dict[Path, Path] = {}
    for path in dict.fromkeys(documents):
        names = [f"{path.stem}.pdf", *(f"{path.stem}-{n}.pdf" for n in range(2, len(documents) + 2))]
        taken[path] = next(folder / name for name in names if folder / name not in taken.values())
    return taken
