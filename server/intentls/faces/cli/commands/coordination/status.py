"""`intentls coordination status`."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import asdict

from intentls.engine.setup.coordination import CoordinationStatus, coordination_status
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.output import Cell


@click.command()
@root_option
@json_option
def command(root: Path | None, as_json: bool) -> int:
    """Show where leases and live sessions are kept, and whether other machines can be asked.

    Exits 1 if they can't. The address is shown without user, password and options.

    \b
    Example:
      intentls coordination status
      intentls coordination status --json
    """
    status = coordination_status(open_root(root, trust_cache=True).workspace)
    if as_json:
        output.print_json({"kind": "files" if status.address is None else "postgresql", **asdict(status)})
    else:
        output.print_table(_rows(status))
    return 0 if status.is_usable else 1


def _rows(status: CoordinationStatus) -> list[tuple[Cell, Cell]]:
    if status.address is None:
        return [("leases", "in files, for this machine alone")]
    rows: list[tuple[Cell, Cell]] = [("leases", status.address)]
    if status.repository is not None:
        rows.append(("repository", status.repository))
    if status.database is not None:
        seen = status.database
        rows.append(("server", f"PostgreSQL {seen.server}"))
        rows.append(("tables", f"migration {seen.migration} of {seen.needed}"))
        if seen.may_use:
            standing = f"{output.count(seen.leases, 'lease')}, {output.count(seen.sessions, 'session')} at work"
            rows.append(("standing", standing))
    if status.hint is not None:
        rows.append(("to do", (status.hint, output.WARN)))
    if status.trouble is not None:
        rows.append(("trouble", (status.trouble, output.BAD)))
    elif status.database is not None and status.database.may_use:
        rows.append(("keeper", "connected"))
    return rows
