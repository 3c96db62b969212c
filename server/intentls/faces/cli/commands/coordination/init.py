"""`intentls coordination init`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.setup.coordination import initialize
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option


@click.command()
@click.option(
    "--role", metavar="ROLE", help="The role that people and agents connect as, or are members of. Default: your own."
)
@click.option(
    "--asks-only", is_flag=True, help="The role asks questions and answers none: for machines where agents work alone."
)
@root_option
@json_option
def command(role: str | None, asks_only: bool, root: Path | None, as_json: bool) -> int:
    """Make what is missing in the database, and let a role use this repository.

    Connect as a role that may create a schema: that role owns the tables. The role given here gets the least rights
    that it needs, and sees the rows of the repositories that it was given, and of no others. Run it again for each
    repository, for each role, and after an update of intentls.

    \b
    Example:
      intentls coordination init --role agents
    """
    applied = initialize(open_root(root).workspace, role, asks_only=asks_only)
    if as_json:
        output.print_json({"applied": applied, "role": role})
        return 0
    made = f"{output.count(len(applied), 'migration')} applied" if applied else "The tables are up to date"
    output.print_error(f"{made}. {role or 'Your role'} may use this repository.")
    return 0
