"""`intentls daemon`."""

from __future__ import annotations

import socket

import click

from intentls.faces.hook.daemon_server import serve


@click.command()
@click.option(
    "--idle",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="MINUTES",
    help="End after so long without a question.",
)
def command(idle: float) -> int:
    """Answer agents' hooks from a process that stays. `intentls hook` finds it by itself, and works without it.

    Ends by itself after a time without questions, and when intentls is updated. Serves this user and this installation.

    \b
    Example:
      intentls daemon &
      intentls daemon --idle 480
    """
    if not hasattr(socket, "AF_UNIX"):
        raise click.UsageError("this system has no Unix sockets; hooks work without a daemon")

    serve(idle * 60, click.echo)
    return 0
