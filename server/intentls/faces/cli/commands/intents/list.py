"""`intentls list`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.core.intents.intent import Intent
from intentls.engine.intents.checkout import list_intents
from intentls.engine.wire.answers import IntentsAnswer
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.output import Cell


@click.command()
@click.option("--open", "only_open", is_flag=True, help="Only open intents: those that may be worked on.")
@root_option
@json_option
def command(only_open: bool, root: Path | None, as_json: bool) -> int:
    """List the intents: their status, and which files each may change.

    \b
    Example:
      intentls list --open
      intentls list --json
    """
    opened = open_root(root, trust_cache=True)
    intents = [intent for intent in list_intents(opened.engine) if intent.is_open or not only_open]
    configuration = opened.workspace.configuration()
    if as_json:
        output.print_json(IntentsAnswer.of(intents))
    elif intents:
        rows = [_row(intent, configuration.ignore.excludes_intent(intent.id)) for intent in intents]
        output.print_table(rows, header=("id", "status", "name", "scope"))
    elif configuration.error is None:
        output.print_error("No intent is declared." if not only_open else "No intent is open.")
    if configuration.error is not None:
        output.print_error(configuration.error)
        return 2
    return 0


def _row(intent: Intent, ignored: bool) -> tuple[Cell, ...]:
    scope = ", ".join(intent.scope.patterns) or "the whole workspace"
    if ignored:
        return (intent.id, ("IGNORED", output.WARN), intent.name, scope)
    style = output.GOOD if intent.is_open else output.DIM
    return ((intent.id, output.STRONG), (intent.status, style), intent.name, scope)
