"""`intentls list`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from intentls.faces.cli.options import json_option, root_option

if TYPE_CHECKING:
    from intentls.core.intent import Intent
    from intentls.faces.cli.screen import Cell


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
    from intentls.engine.checkout import list_intents
    from intentls.engine.wire import results
    from intentls.faces.cli import screen
    from intentls.faces.cli.opening import open_root

    opened = open_root(root, recalls=True)
    found = [intent for intent in list_intents(opened.engine) if intent.is_open or not only_open]
    configuration = opened.workspace.configuration()
    if as_json:
        screen.emit(results.intents(found))
    elif found:
        rows = [_row(intent, configuration.ignore.excludes_intent(intent.id)) for intent in found]
        screen.columns(rows, header=("id", "status", "name", "scope"))
    elif configuration.error is None:
        screen.note("No intent is declared." if not only_open else "No intent is open.")
    if configuration.error is not None:
        screen.note(configuration.error)
        return 2
    return 0


def _row(intent: Intent, ignored: bool) -> tuple[Cell, ...]:
    from intentls.faces.cli import screen

    scope = ", ".join(intent.scope.patterns) or "the whole workspace"
    if ignored:
        return (intent.id, ("IGNORED", screen.WARN), intent.name, scope)
    style = screen.GOOD if intent.is_open else screen.DIM
    return ((intent.id, screen.STRONG), (intent.status, style), intent.name, scope)
