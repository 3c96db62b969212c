"""`intentls trace archive`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.ledger.archive import ArchiveRequest, ArchiveResult, UnverifiedLedger, archive
from intentls.engine.wire import reports
from intentls.engine.wire.answers import Problem
from intentls.engine.workspace.people import signature
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.progress import Progress
from intentls.faces.cli.time_option import TIME_FORMS, moment
from intentls.store.archiving.archive_prefix import ArchiveAllBut, ArchiveBefore

_SESSION = "intentls trace archive"


@click.command()
@click.option("--before", metavar="DATE", help=f"Move older records, up to the first that is not older: {TIME_FORMS}.")
@click.option("--keep", metavar="N", type=click.IntRange(min=0), help="Move all but the newest N records.")
@click.option("--dry-run", is_flag=True, help="Only say what would be moved.")
@root_option
@json_option
def command(before: str | None, keep: int | None, dry_run: bool, root: Path | None, as_json: bool) -> int:
    """Move the ledger's older part, byte for byte, into a compressed file in .orchestration/archive/.

    It stays a part of the ledger: `trace log`, `trace verify` and `blame` read it as before. A record at the end of the
    ledger says what was moved. Exits 1, and moves nothing, if the ledger does not verify. Commit the archive together
    with the ledger.

    \b
    Example:
      intentls trace archive --before 2026-01-01 --dry-run
      intentls trace archive --keep 10000
    """
    until = moment("--before", before)
    if (until is None) == (keep is None):
        raise click.UsageError("Say what to move: --before DATE, or --keep N.")
    wish = ArchiveBefore(until) if until is not None else ArchiveAllBut(keep or 0)
    workspace = open_root(root).workspace
    order = ArchiveRequest(wish, signature(workspace), _SESSION, dry_run)
    with Progress("Verifying the ledger") as progress:
        outcome = archive(workspace, order, progress)
    if isinstance(outcome, UnverifiedLedger):
        _explain(outcome, as_json)
    elif as_json:
        output.print_json(reports.archived(outcome, dry_run=dry_run))
    else:
        _tell(outcome)
    return 1 if isinstance(outcome, UnverifiedLedger) else 0


def _explain(unsound: UnverifiedLedger, as_json: bool) -> None:
    problems = unsound.verification.problems
    if as_json:
        error = "The ledger does not verify. Nothing was moved."
        output.print_json(
            {"status": "error", "error": error, "problems": [Problem.of(problem) for problem in problems]}
        )
        return
    first = problems[0]
    output.print_error(
        f"The ledger does not verify, so nothing was moved: {output.count(len(problems), 'problem')}, the first in "
        f"{first.place} ({first.kind}). `intentls trace verify` shows them."
    )


def _tell(outcome: ArchiveResult) -> None:
    if outcome.finished is not None:
        output.print_line(
            ("finished", output.GOOD), f"  an earlier run that was cut off: {reports.archive_path(outcome.finished)}"
        )
    prefix = outcome.prefix
    if not prefix.length:
        output.print_error(f"There is nothing to move. {output.count(prefix.kept, 'record')} in the ledger.")
        return
    amount = f"{output.count(prefix.records, 'record')} ({output.size(prefix.length)})"
    times = f"{output.moment(prefix.first)} to {output.moment(prefix.last)}"
    if outcome.moved is None:
        output.print_line(("would move", output.WARN), f"  {amount}, {times}; {prefix.kept:,} would stay")
        return
    output.print_line(("moved", output.GOOD), f"  {amount}, {times}; {prefix.kept:,} stay")
    output.print_line(f"into   {reports.archive_path(outcome.moved)} ({output.size(outcome.moved.archive.size)})")
