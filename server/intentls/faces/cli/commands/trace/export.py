"""`intentls trace export`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import click

from intentls.engine.export import BINARY
from intentls.engine.export.export import export
from intentls.engine.ledger.queries import Query
from intentls.engine.wire import reports
from intentls.faces.cli import output
from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.progress import Progress
from intentls.faces.cli.time_option import TIME_FORMS, moment
from intentls.store.fs.replacement_file import replacing

_FORMATS = ("agent-trace", "csv", "parquet", "otel-json")


@click.command()
@click.option("--format", "form", type=click.Choice(_FORMATS), required=True, help="What to write.")
@click.option("--since", metavar="TIME", help=f"Only from this time on: {TIME_FORMS}.")
@click.option("--intent", metavar="ID", shell_complete=complete_intent, help="Only records under this intent.")
@click.option("--path", metavar="PATH", type=click.Path(), help="Only records of this file.")
@click.option(
    "--output",
    "target",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to; it is replaced only by a whole export (default: stdout).",
)
@root_option
@json_option
def command(
    form: str,
    since: str | None,
    intent: str | None,
    path: str | None,
    target: Path | None,
    root: Path | None,
    as_json: bool,
) -> int:
    """Write the ledger's records, oldest first and archives included, for other programs.

    agent-trace: JSON lines that are valid Agent Trace 0.1.0. csv and parquet: a table with one row for each range of
    lines. otel-json: OpenTelemetry log records. Records are written as they are read, so the ledger may
    have any size.

    \b
    Example:
      intentls trace export --format csv --since 30d > trace.csv
      intentls trace export --format parquet --output trace.parquet
    """
    if target is None and form in BINARY and sys.stdout.isatty():
        raise click.UsageError(f"{form} is nothing for a terminal: name a file with --output.")
    if target is None and as_json:
        raise click.UsageError(
            "The export itself goes to stdout: name a file with --output to get a document about it."
        )
    opened = open_root(root)
    query = Query(intent_id=intent, path=None if path is None else opened.path(path), since=moment("--since", since))
    stream = nullcontext(sys.stdout.buffer) if target is None else replacing(target)
    with Progress("Exporting the ledger") as progress, stream as out:
        done = export(opened.engine, opened.workspace, query, form, out, progress)
        out.flush()
    if as_json:
        output.print_json(reports.exported(done, form, str(target)))
    if done.left_out:
        output.print_error(
            f"{output.count(done.left_out, 'record')} left out: written by another program, and no {form}."
        )
    if target is not None and not as_json:
        output.print_error(f"{output.count(done.records, 'record')} written to {target}.")
    return 0
