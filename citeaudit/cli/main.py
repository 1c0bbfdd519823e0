"""`citeaudit`: the commands, and how every error becomes one sentence and an exit code."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from citeaudit.cli import bench, fixing, index
from citeaudit.errors import CiteauditError, ExtractionError, UnreadableDumpError
from citeaudit.version import __version__

USAGE, UNDECIDED, UNREADABLE = 3, 2, 4
"""Exit codes of errors; all codes are told by `citeaudit.report.exits.Exit`."""

_CLOSED = 141
"""What shells give for a program whose output was closed (128 + SIGPIPE)."""
_INTERRUPTED = 130
"""What shells expect after Ctrl-C."""

_EPILOG = (
    "Exit codes: 0 clean, 1 findings, 2 could not decide (a source failed; run again), "
    "3 usage or configuration, 4 unreadable input."
)

app = typer.Typer(
    name="citeaudit",
    help="Audit the references of a manuscript: every one looked up, compared field by field, with its evidence.",
    epilog=_EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(index.app, name="index")
app.add_typer(bench.app, name="bench")

Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders, or - for standard input.")]
Format = Annotated[
    str | None,
    typer.Option("--format", help="table, json, bibtex or csl-json (default: table, or by the name of -o)."),
]
Form = Annotated[
    str | None,
    typer.Option("--format", help="table, html, markdown, csv, json or jsonl (default: table, or by the name of -o)."),
]
Preset = Annotated[
    str | None, typer.Option("--preset", help="default, strict, editor, neurips-2026, arxiv or offline.")
]
Config = Annotated[str | None, typer.Option("--config", metavar="FILE", help="Your settings, TOML.")]
Ocr = Annotated[
    str | None,
    typer.Option("--ocr", metavar="LANGUAGES", help="Read pages without text from their images: eng, eng+deu."),
]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file.")]

Highlight = Annotated[
    str | None, typer.Option("--highlight", metavar="DIR", help="Write a highlighted copy of each PDF to this folder.")
]
Sheet = Annotated[
    str | None, typer.Option("--sheet", metavar="FILE", help="Write a PDF with a picture of each place that was found.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"citeaudit {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version


@app.command()
def check(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    paths: Paths,
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nothing over a network.")] = False,
    indexes: Annotated[
        list[str] | None, typer.Option("--index", metavar="DIR", help="Another offline index to ask. Repeatable.")
    ] = None,
    assume_complete: Annotated[
        bool, typer.Option("--assume-complete", help="Take the silence of the indexes as an answer.")
    ] = False,
    library: Annotated[
        str | None,
        typer.Option("--library", metavar="DIR", help="Your own PDFs of cited works; quotations are checked in them."),
    ] = None,
    ocr: Ocr = None,
    preset: Preset = None,
    config: Config = None,
    form: Form = None,
    output: Output = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", help="Statuses and flags that give exit code 1, with commas; or none."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="FILE", help="An earlier JSON report; only findings new to it count."),
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Check the references of documents and report a verdict with its evidence for each."""
    from citeaudit.cli import checking

    return checking.run(
        checking.Request(
            paths=tuple(paths),
            flags={
                "offline": offline or None,
                "assume_complete": assume_complete or None,
                "library": library,
                "ocr": ocr,
            },
            indexes=tuple(indexes or ()),
            preset=preset,
            config=config,
            form=form,
            output=output,
            fail_on=fail_on,
            baseline=baseline,
            quiet=quiet,
        )
    )


app.command()(fixing.fix)


@app.command()
def extract(
    paths: Paths,
    *,
    form: Format = None,
    output: Output = None,
    overlay: Annotated[
        str | None,
        typer.Option(
            "--overlay", metavar="FILE", help="Draw what was read on a copy of the PDF; a folder for several."
        ),
    ] = None,
    ocr: Ocr = None,
    quiet: Quiet = False,
) -> int:
    """Show the references of documents as they were read, without looking anything up."""
    from citeaudit.cli import extracting

    return extracting.run(extracting.Request(tuple(paths), form, output, overlay, ocr, quiet))


@app.command()
def sources(
    *,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="FILE", help="Print what would be sent about this document.")
    ] = None,
    config: Config = None,
    preset: Preset = None,
) -> int:
    """Show which services are asked, what they are sent, their limits, and how they fared last."""
    from citeaudit.cli import asking

    return asking.run(explain=explain, config=config, preset=preset)


@app.command()
def decide(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    source: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="A JSON report, or a document such as a .bib.")
    ] = None,
    which: Annotated[
        str | None, typer.Argument(metavar="[WHICH]", help="Label, citation key or number of a reference in it.")
    ] = None,
    *,
    ruling: Annotated[
        str | None, typer.Option("--ruling", help="known good, wrong record, bad reading or not checkable.")
    ] = None,
    reason: Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why; never empty.")] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides.")] = None,
    record: Annotated[
        str | None, typer.Option("--record", metavar="SOURCE:ID", help="With wrong record: which, if not the reported.")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="Show what has been decided.")] = False,
    remove: Annotated[str | None, typer.Option("--remove", metavar="FINGERPRINT", help="Take a decision back.")] = None,
    export: Annotated[
        str | None, typer.Option("--export", metavar="FILE", help="Write the decisions in force, JSON lines.")
    ] = None,
    take: Annotated[
        str | None, typer.Option("--import", metavar="FILE", help="Take over decisions, unless newer ones are here.")
    ] = None,
    file: Annotated[
        str | None, typer.Option("--file", metavar="FILE", help="Keep them in this file, not that of the settings.")
    ] = None,
    config: Config = None,
) -> int:
    """Keep what a person has decided about a reference, for every later run."""
    from citeaudit.cli import deciding

    return deciding.run(
        deciding.Request(
            source=source,
            which=which,
            ruling=ruling,
            reason=reason,
            by=by,
            record=record,
            show=show,
            remove=remove,
            export=export,
            take=take,
            file=file,
            config=config,
        )
    )


@app.command()
def quotes(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    answers: Annotated[
        list[str],
        typer.Argument(metavar="ANSWERS...", help="Quotes to check: answers.json, JSONL or CSV; several are compared."),
    ],
    *,
    docs: Annotated[str, typer.Option("--docs", metavar="DIR", help="Folder of the cited documents.")] = ".",
    form: Annotated[
        str | None,
        typer.Option("--format", help="table, json, csv, html or pdf (default: table, or by the name of -o)."),
    ] = None,
    output: Output = None,
    compat: Annotated[
        str | None, typer.Option("--compat", help="notebook: statuses and ratios of the published notebook, no guards.")
    ] = None,
    most: Annotated[
        float | None,
        typer.Option("--max-unsupported", metavar="SHARE", help="Exit 1 only above this share of unsupported quotes."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Heading of the HTML and PDF report.")] = "Citation check",
    highlight: Highlight = None,
    sheet: Sheet = None,
    quiet: Quiet = False,
) -> int:
    """Check whether documents say what is quoted from them, and where."""
    from citeaudit.cli import evidence, quoting

    return quoting.run(
        quoting.Request(
            answers=tuple(answers),
            docs=docs,
            form=form,
            output=output,
            compat=compat,
            most=most,
            title=title,
            targets=evidence.Targets(highlight, sheet),
            quiet=quiet,
        )
    )


@app.command()
def ground(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    response: Annotated[
        str, typer.Argument(metavar="RESPONSE", help="A model's response with citations, as its API gives it; or -.")
    ],
    docs: Annotated[
        list[str] | None,
        typer.Argument(metavar="DOC...", help="The documents, in the order they were sent."),
    ] = None,
    *,
    folder: Annotated[
        str | None, typer.Option("--docs", metavar="DIR", help="Folder of the documents, in the order of their names.")
    ] = None,
    output: Output = None,
    origin: Annotated[str, typer.Option("--origin", help="top-left or bottom-left.")] = "top-left",
    unit: Annotated[str, typer.Option("--unit", help="pt, or px of the page as displayed.")] = "pt",
    dpi: Annotated[float | None, typer.Option("--dpi", help="Pixels an inch, with --unit px (150).")] = None,
    highlight: Highlight = None,
    sheet: Sheet = None,
    snippets: Annotated[
        str | None, typer.Option("--snippets", metavar="DIR", help="Write a PNG of each place to this folder.")
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Find the words that a model's response cites: page and rectangles of each, as JSON."""
    from citeaudit.cli import evidence, grounding

    return grounding.run(
        grounding.Request(
            response=response,
            docs=tuple(docs or ()),
            folder=folder,
            output=output,
            origin=origin,
            unit=unit,
            dpi=dpi,
            targets=evidence.Targets(highlight, sheet, snippets),
            quiet=quiet,
        )
    )


@app.command()
def demo() -> int:
    """Audit the example manuscript that ships, once with a small local service and once offline."""
    from citeaudit.demo.run import run as run_demo

    return run_demo()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code; errors have become a sentence on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(arguments, prog_name="citeaudit", standalone_mode=False)
    except TyperException as error:
        told = error.format_message() if hasattr(error, "format_message") else str(error)
        called = getattr(getattr(error, "ctx", None), "command_path", "citeaudit")
        return _say(f"{told.rstrip('.')}; see {called} --help", USAGE) if told else USAGE  # bare: the help was shown
    except (ExtractionError, UnreadableDumpError) as error:
        return _say(str(error), UNREADABLE)
    except CiteauditError as error:
        return _say(str(error), USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted; run again to go on, answers so far are kept", _INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _CLOSED
    except Exception:
        logging.getLogger("citeaudit").exception("unexpected error: please report it with the lines below")
        return UNDECIDED
    return code if isinstance(code, int) else 0


def run() -> NoReturn:
    """Run as the `citeaudit` command."""
    sys.exit(main())


def _say(message: str, code: int) -> int:
    from citeaudit.text.visible import visible

    sys.stderr.write(f"citeaudit: {visible(message)}\n")
    return code
