"""`intentls expand`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.actions.effects import drive
from intentls.engine.agents import request_scope
from intentls.faces.cli.commands.intents.declaration_edit import SESSION, conclude
from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option, session_option
from intentls.faces.cli.workspace_question import ask_workspace


@click.command()
@click.argument("intent", shell_complete=complete_intent)
@click.argument("path", required=False)
@click.option("--glob", metavar="GLOB", help="Add this glob, instead of one file.")
@click.option("--reason", metavar="TEXT", required=True, help="Why. It goes on record, for reviewers to read.")
@session_option("Who widens it, for the ledger.")
@root_option
@json_option
def command(
    intent: str,
    path: str | None,
    glob: str | None,
    reason: str,
    session: str | None,
    root: Path | None,
    as_json: bool,
) -> int:
    """Add the file PATH, or a glob, to the scope of INTENT, as one small edit of the file that declares it.

    \b
    Example:
      intentls expand INT-001 docs/api.md --reason "the new route is documented there"
      intentls expand INT-001 --glob "docs/api/**" --reason "one page for each route"
    """
    if (path is None) == (glob is None):
        raise click.UsageError("Give either PATH or --glob GLOB.")
    if not reason.strip():
        raise click.UsageError("--reason: say why.")
    opened = open_root(root)
    argument = None if path is None else opened.path(path)
    steps = request_scope.expand_scope(opened.engine, session or SESSION, intent, argument, glob, reason)
    return conclude(drive(steps, ask_workspace), f"{intent} may change {glob or path} now.", as_json=as_json)
