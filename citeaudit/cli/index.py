"""`citeaudit index`: build offline indexes, keep them up to date, and see what they hold."""

from __future__ import annotations

from typing import Annotated

import typer

from citeaudit.cli import getting

app = typer.Typer(help="Build offline indexes of works, and see what they hold.", no_args_is_help=True)

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Dumps, or folders of them; packed ones, too.")]
Form = Annotated[str, typer.Option("--format", help="Form of the dumps; see citeaudit index formats.")]
Index = Annotated[str, typer.Argument(metavar="INDEX", help="Folder of an index, or its name in the data directory.")]
Jobs = Annotated[
    str | None, typer.Option("--jobs", metavar="N", help="Processes; without it one a core, or one for little data.")
]
MinYear = Annotated[str | None, typer.Option("--min-year", metavar="YEAR", help="Leave out older records.")]
DumpDate = Annotated[
    str | None, typer.Option("--dump-date", metavar="DATE", help="Day of the dumps, YYYY-MM-DD: where coverage ends.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an index even by one with far fewer records.")]
Config = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="Your settings, TOML; they name the data directory.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]

app.command()(getting.get)


@app.command()
def build(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    files: Files,
    *,
    form: Form = "jsonl",
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Folder of the index; an old one is replaced.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Name in reports, and without --out of the index in the data directory."),
    ] = None,
    min_year: MinYear = None,
    jobs: Jobs = None,
    dump_date: DumpDate = None,
    force: Force = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only estimate size and time.")] = False,
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Build an index from dumps. Run again after an interruption, it goes on."""
    from citeaudit.cli import indexing, places

    wanted = indexing.Wanted(
        files=tuple(files),
        form=form,
        min_year=places.year("--min-year", min_year, "build"),
        jobs=places.jobs("--jobs", jobs, "build"),
        dump_date=dump_date,
        force=force,
        quiet=quiet,
        config=config,
    )
    return indexing.estimate(wanted, out, name) if dry_run else indexing.build_index(wanted, out, name)


@app.command()
def update(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    index: Index,
    files: Files,
    *,
    form: Form = "jsonl",
    min_year: MinYear = None,
    jobs: Jobs = None,
    dump_date: DumpDate = None,
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Add the records of further dumps to an index; those that it has already are replaced.

    A record is recognised by its collection and own id, its DOI, arXiv id or PubMed number. One that has none of
    these is added again by each update.
    """
    from citeaudit.cli import indexing, places

    wanted = indexing.Wanted(
        files=tuple(files),
        form=form,
        min_year=places.year("--min-year", min_year, "update"),
        jobs=places.jobs("--jobs", jobs, "update"),
        dump_date=dump_date,
        quiet=quiet,
        config=config,
    )
    return indexing.update_index(index, wanted)


@app.command()
def merge(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    indexes: Annotated[list[str], typer.Argument(metavar="INDEX...", help="Folders or names; one alone is compacted.")],
    *,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="Folder of the new index, or one of INDEX, which is then replaced."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Name in reports, and without --out of the index in the data directory."),
    ] = None,
    jobs: Jobs = None,
    force: Annotated[bool, typer.Option("--force", help="Also replace an index there that is not merged.")] = False,
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Make one index of several, or of the parts that updates left."""
    from citeaudit.cli import indexing, places

    wanted = indexing.Wanted(jobs=places.jobs("--jobs", jobs, "merge"), force=force, quiet=quiet, config=config)
    return indexing.merge_indexes(tuple(indexes), out, name, wanted)


@app.command()
def info(
    index: Index,
    *,
    years: Annotated[bool, typer.Option("--years", help="Also the records of each year.")] = False,
    venue: Annotated[
        str | None, typer.Option("--venue", metavar="NAME", help="Also how much of a venue is held, by year.")
    ] = None,
    config: Config = None,
) -> int:
    """Show what an index holds, how old it is, and what its silence can testify."""
    from citeaudit.cli import holdings

    return holdings.show(index, years=years, venue=venue, config=config)


@app.command()
def search(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    index: Index,
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="A title, or a whole reference.")] = None,
    *,
    doi: Annotated[str | None, typer.Option("--doi", help="A DOI.")] = None,
    arxiv: Annotated[str | None, typer.Option("--arxiv", help="An arXiv id.")] = None,
    pmid: Annotated[str | None, typer.Option("--pmid", help="A PubMed id.")] = None,
    form: Annotated[str, typer.Option("--format", help="table or json.")] = "table",
    config: Config = None,
) -> int:
    """Show what an index has for a title, a reference or an identifier."""
    from citeaudit.cli import holdings

    return holdings.search(index, {"text": text, "doi": doi, "arxiv_id": arxiv, "pmid": pmid}, form, config)


@app.command()
def verify(index: Index, *, config: Config = None, quiet: Quiet = False) -> int:
    """Read an index to its end and say what is wrong with it; exit code 1 if anything is."""
    from citeaudit.cli import indexing

    return indexing.verify_index(index, quiet=quiet, config=config)


@app.command()
def cover(
    index: Index,
    *,
    against: Annotated[
        str, typer.Option("--against", metavar="INDEX", help="Index of a collection with tables of contents.")
    ],
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Find out of which proceedings and journals an index holds every work that another one lists."""
    from citeaudit.cli import holdings

    return holdings.compare(index, against, quiet=quiet, config=config)


@app.command(name="list")
def list_indexes(*, config: Config = None) -> int:
    """List the indexes in the data directory; every check asks them. Exit code 1 if one is damaged."""
    from citeaudit.cli import holdings

    return holdings.show_all(config)


@app.command()
def formats() -> int:
    """List the forms of dumps that can be read."""
    from citeaudit.cli import holdings

    return holdings.show_formats()
