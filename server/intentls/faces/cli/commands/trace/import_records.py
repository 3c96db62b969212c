"""`intentls trace import`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.ledger.import_records import import_records
from intentls.engine.wire import reports
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.progress import Progress


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be taken in.")
@root_option
@json_option
def command(file: Path, dry_run: bool, root: Path | None, as_json: bool) -> int:
    """Take in the Agent Trace records of another tool: FILE has one a line.

    They become records of the ledger that are marked as imported: shown, exported and used by blame if their content
    hashes fit, but never treated as this tool's own. A record with an id that the ledger has already is skipped; an
    invalid one is reported with its line, and the exit code is 1.

    \b
    Example:
      intentls trace import .agent-trace/traces.jsonl --dry-run
      intentls trace import .agent-trace/traces.jsonl --json
    """
    workspace = open_root(root).workspace
    with Progress("Importing records") as progress:
        outcome = import_records(workspace, file, dry_run=dry_run, progress=progress)
    if as_json:
        output.print_json(reports.imported(outcome, dry_run=dry_run))
    else:
        output.print_table([(f"line {bad.line}", ("not valid", output.BAD), bad.message) for bad in outcome.problems])
        there = f"; {outcome.duplicates:,} already there" if outcome.duplicates else ""
        refused = f"; {outcome.bad:,} not valid" if outcome.bad else ""
        output.print_line(
            ("would import" if dry_run else "imported", output.WARN if dry_run else output.GOOD),
            f"  {output.count(outcome.records, 'record')}{there}{refused}",
        )
    return 1 if outcome.bad else 0
