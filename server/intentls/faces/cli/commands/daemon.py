"""`intentls daemon`."""

from __future__ import annotations

import click

from intentls.faces.cli.background_verb import background_verb
from intentls.faces.hook.daemon_server import serve


@click.command()
@background_verb("End after so long without a question.", "hooks work without a daemon")
def command(idle_s: float) -> int:
    """Answer agents' hooks from a process that stays. `intentls hook` finds it by itself, and works without it.

    Ends by itself after a time without questions, and when intentls is updated. Serves this user and this installation.

    \b
    Example:
      intentls daemon &
      intentls daemon --idle 480
    """
    serve(idle_s, click.echo)
    return 0
