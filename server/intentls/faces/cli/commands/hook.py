"""`intentls hook`."""

from __future__ import annotations

import click

from intentls.faces.hook import AGENTS, DEFAULT_TIMEOUT_S
from intentls.faces.hook.main import serve


@click.command()
@click.argument("agent", type=click.Choice(AGENTS))
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=DEFAULT_TIMEOUT_S,
    show_default=True,
    metavar="SECONDS",
    help="When to give up and refuse; keep it below the time that the agent gives its hooks.",
)
@click.option(
    "--answer",
    "always",
    is_flag=True,
    help="Say also that a tool may run, to agents that take silence for a failed hook (Cursor's failClosed).",
)
def command(agent: str, timeout: float, always: bool) -> int:
    """Answer one hook event of AGENT, read on stdin; agents call this, people don't.

    Silent where the tool may run or nothing governs; the agent's own way of refusing where it may not. Exit code 2,
    with one line on stderr, on any trouble of its own: then the tool must not run.

    \b
    Example:
      intentls init --agent claude-code     (makes the agent call it)
      intentls hook claude-code < event.json
    """
    try:
        return serve(agent, timeout, always=always)
    except Exception:  # noqa: BLE001  an installation that can't even start must refuse as well
        click.echo("intentls: refused, because the hook can't start. Reinstall intentls.", err=True)
        return 2
