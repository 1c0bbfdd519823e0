"""`citeaudit bench`: write predictions for the scorers, through the same path that `check` uses."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    help="Run a labelled set through the same path as check, and write predictions.", no_args_is_help=True
)

Data = Annotated[str, typer.Option("--data", metavar="FILE", help="Rows, JSONL.")]
Indexes = Annotated[list[str], typer.Option("--index", metavar="DIR", help="Offline index. Repeatable.")]
Out = Annotated[str, typer.Option("--out", metavar="FILE", help="Predictions to write.")]
Preset = Annotated[
    str | None, typer.Option("--preset", help="default, strict, editor, neurips-2026, arxiv or offline.")
]
Complete = Annotated[bool, typer.Option("--assume-complete", help="Take the silence of the indexes as an answer.")]
Proof = Annotated[
    str | None,
    typer.Option("--evidence", metavar="FILE", help="Whole verdicts to write as well, JSONL; packed as FILE.gz."),
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="A chat model that helps, provider:model, as in check.")
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="Only the first N rows.")]


@app.command()
def extraction(pdfs: Annotated[str, typer.Option("--pdfs", metavar="DIR", help="Folder of PDFs.")], out: Out) -> int:
    """Read every PDF of a folder and write what was read."""
    from citeaudit.bench.extraction import run

    return run(pdfs, out)


@app.command(name="citeaudit")
def citation_strings(  # noqa: PLR0913  # one parameter an option
    data: Data,
    indexes: Indexes,
    out: Out,
    *,
    preset: Preset = None,
    assume_complete: Complete = False,
    limit: Limit = None,
    evidence: Proof = None,
    model: Model = None,
) -> int:
    """Judge citation strings: rows of `id` and `citation`."""
    from citeaudit.bench.verdicts import Task, run

    return run(Task(data, tuple(indexes), out, preset, assume_complete, limit, evidence, model))


@app.command()
def hallmark(  # noqa: PLR0913  # one parameter an option
    data: Data,
    indexes: Indexes,
    out: Out,
    *,
    preset: Preset = None,
    assume_complete: Complete = False,
    limit: Limit = None,
    evidence: Proof = None,
    model: Model = None,
) -> int:
    """Judge BibTeX entries: rows of `id`, `bibtex_type` and `fields`."""
    from citeaudit.bench.verdicts import Task, run

    return run(Task(data, tuple(indexes), out, preset, assume_complete, limit, evidence, model))


@app.command()
def citevqa(
    data: Annotated[str, typer.Argument(metavar="FILE", help="Items, JSONL.")],
    *,
    docs: Annotated[
        str | None, typer.Option("--docs", metavar="DIR", help="Folder of the PDFs in which passages are located.")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="What each item scores, JSONL.")] = None,
) -> int:
    """Score answers and the regions they point at by Strict Attributed Accuracy."""
    import json

    from citeaudit.bench.citevqa import run
    from citeaudit.cli.output import send

    told = json.dumps(run(data, docs, out).table(), indent=1)
    send(lambda stream: stream.writelines((told, "\n")), None)
    return 0
