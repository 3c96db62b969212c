"""`intentls coordination prune`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.setup.coordination import prune
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option


@click.command()
@root_option
@json_option
def command(root: Path | None, as_json: bool) -> int:
    """Delete the rows of leases, sessions and questions that are over for a day. Connect as the owner of the tables.

    Nothing needs it but the disk: a row is about 300 bytes, and there is one for each file that was ever changed.

    \b
    Example:
      intentls coordination prune
    """
    deleted = prune(open_root(root).workspace)
    if as_json:
        output.print_json({"deleted": deleted})
    else:
        output.print_error(f"{output.count(deleted, 'row')} deleted.")
    return 0
