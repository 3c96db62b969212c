"""`intentls coordination`: a group of its own, each of its verbs loaded when it is called."""

from __future__ import annotations

import click

from intentls.faces.cli.lazy_group import LazyGroup

_VERBS = {
    "status": "Show where leases are kept, and whether other machines can be asked.",
    "init": "Make the tables in the database, and let a role use this repository.",
    "prune": "Delete rows of what has long been over.",
    "serve": "Keep this clone's connection; started by itself where it is needed.",
}


@click.command(cls=LazyGroup, package="intentls.faces.cli.commands.coordination", verbs=_VERBS)
def command() -> None:
    """Share leases and live sessions with other machines, in a PostgreSQL database.

    \b
    Example:
      export INTENTLS_COORDINATION=postgresql://owner@db.example/intentls
      intentls coordination init --role agents
      intentls coordination status
    """
