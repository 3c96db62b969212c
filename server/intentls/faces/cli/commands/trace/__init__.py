"""`intentls trace`: a group of its own, each of its verbs loaded when it is called."""

from __future__ import annotations

import click

from intentls.faces.cli.lazy_group import LazyGroup

_VERBS = {
    "log": "Show the newest records.",
    "verify": "Check every line of the ledger against its chain.",
    "restore": "Put back the segments that history took out.",
    "archive": "Move the ledger's older part into an archive.",
    "bind": "Say which records a commit took in.",
    "export": "Write records for other programs: Agent Trace, CSV, Parquet, OpenTelemetry.",
    "import": "Take in Agent Trace records of other tools.",
}
_MODULES = {"import": "import_records"}


@click.command(cls=LazyGroup, package="intentls.faces.cli.commands.trace", verbs=_VERBS, modules=_MODULES)
def command() -> None:
    """Read and verify the ledger, archive its older part, and exchange records with other tools.

    \b
    Example:
      intentls trace log --intent INT-001
      intentls trace verify
    """
