"""`intentls coordination serve`."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from intentls.engine.setup.coordination import keep
from intentls.faces.cli.background_verb import background_verb
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import root_option
from intentls.late_module import LateModule
from intentls.store.process.ending import on_ending

if TYPE_CHECKING:
    from intentls.engine.questions import exchange
else:
    exchange = LateModule("intentls.engine.questions.exchange")  # it needs psycopg, which is not installed everywhere


@click.command()
@background_verb(
    "End after so long without a question, when no session is at work.", "leases of other machines need them"
)
@root_option
def command(idle_s: float, root: Path | None) -> int:
    """Keep this clone's connection to the database, for the editor, hooks, MCP servers and verbs of this user.

    Whatever needs it starts it, so nobody has to. It ends by itself.

    \b
    Example:
      intentls coordination serve --idle 480
    """
    end = threading.Event()
    on_ending(end.set)
    workspace = open_root(root).workspace
    keep(workspace, idle_s, click.echo, end, lambda place: exchange.QuestionExchange(workspace, place))
    return 0
