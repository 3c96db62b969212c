"""`intentls set-status`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.core.gate.refusal import Refusal
from intentls.core.intents.intent import Status
from intentls.engine.actions.effects import drive
from intentls.engine.agents import request_scope
from intentls.engine.branch_check.settle import settle_closed
from intentls.engine.intents.intents_edit import declaring
from intentls.faces.cli.commands.intents.declaration_edit import SESSION, conclude
from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option, session_option
from intentls.faces.cli.workspace_question import ask_workspace


@click.command()
@click.argument("intent", shell_complete=complete_intent)
@click.argument("status", type=click.Choice([status.value for status in Status], case_sensitive=False))
@session_option("Who sets it, for the ledger.")
@root_option
@json_option
def command(intent: str, status: str, session: str | None, root: Path | None, as_json: bool) -> int:
    """Give INTENT another STATUS, as one small edit of the file that declares it.

    \b
    Example:
      intentls set-status INT-001 IN_PROGRESS
      intentls set-status INT-001 ABANDONED
    """
    engine = open_root(root).engine
    outcome = drive(request_scope.set_status(engine, session or SESSION, intent, status), ask_workspace)
    if not isinstance(outcome, Refusal):
        settle_closed(declaring(engine, intent), intent)
    return conclude(outcome, f"{intent} is {status} now.", as_json=as_json)
