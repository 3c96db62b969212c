"""`intentls trace restore`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.ledger.removed_segments import restore
from intentls.engine.wire import reports
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option


@click.command()
@root_option
@json_option
def command(root: Path | None, as_json: bool) -> int:
    """Put back the segments of the ledger that history took out, byte for byte as they were.

    A `git revert` of a squashed pull request, for example, removes what the request added to .orchestration/trace/,
    the records among it; the changes happened all the same, and so did the revert. Commit what comes back.

    \b
    Example:
      intentls trace restore
    """
    restored = restore(open_root(root).workspace)
    if as_json:
        output.print_json(reports.restored(restored))
    elif not restored:
        output.print_error("No segment is missing.")
    else:
        output.print_table(
            [
                (("restored", output.GOOD), segment.name, output.count(segment.records, "record"), _by(segment.commit))
                for segment in restored
            ]
        )
    return 0


def _by(commit: str | None) -> str:
    return "" if commit is None else f"removed by {commit[:12]}"
