"""`intentls list`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from intentls.faces.cli.options import json_option, root_option

if TYPE_CHECKING:
    from intentls.core.intents.intent import Intent
    from intentls.faces.cli.output import Cell


@click.command()
@click.option("--open", "only_open", is_flag=True, help="Only those under which work may go on.")
@root_option
@json_option
def command(only_open: bool, root: Path | None, as_json: bool) -> int:
    """List the intents: what is to be done, and which files each may change.

    \b
    Example:
      intentls list --open
      intentls list --json
    """
    from intentls.engine.intents.checkout import list_intents
    from intentls.engine.wire import results
    from intentls.faces.cli import output
    from intentls.faces.cli.open_workspace import open_root

    opened = open_root(root, trust_cache=True)
    found = [intent for intent in list_intents(opened.engine) if intent.is_open or not only_open]
    configuration = opened.workspace.configuration()
    if as_json:
        output.emit(results.intents(found))
    elif found:
        rows = [_row(intent, configuration.ignore.excludes_intent(intent.id)) for intent in found]
        output.columns(rows, header=("id", "status", "name", "scope"))
    elif configuration.error is None:
        output.note("No intent is declared." if not only_open else "No intent is open.")
    if configuration.error is not None:
        output.note(configuration.error)
        return 2
    return 0


def _row(intent: Intent, ignored: bool) -> tuple[Cell, ...]:
    from intentls.faces.cli import output

    scope = ", ".join(intent.scope.patterns) or "the whole workspace"
    if ignored:
        return (intent.id, ("IGNORED", output.WARN), intent.name, scope)
    style = output.GOOD if intent.is_open else output.DIM
    return ((intent.id, output.STRONG), (intent.status, style), intent.name, scope)
