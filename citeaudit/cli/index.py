"""`citeaudit index`: build an offline index, and see what one holds."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Build an offline index of works, and see what one holds.", no_args_is_help=True)


@app.command()
def build(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Records; .xz and .gz are unpacked.")],
    *,
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Folder of the index; an old one is replaced.")],
    form: Annotated[str, typer.Option("--format", help="Form of the records: jsonl.")] = "jsonl",
    name: Annotated[str | None, typer.Option("--name", help="Name in reports. [default: name of the folder]")] = None,
) -> int:
    """Build an index from files of records."""
    from citeaudit.cli import indexing

    return indexing.build_index(tuple(files), out, form, name)


@app.command()
def info(folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder of an index.")]) -> int:
    """Show what an index holds and what its silence can testify."""
    from citeaudit.cli import indexing

    return indexing.show(folder)
