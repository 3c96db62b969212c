"""`intentls hook`."""

from __future__ import annotations

import click

from intentls.faces.hook import AGENTS, DEFAULT_TIMEOUT_S, HookOptions
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
    "--wait",
    "wait_s",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="How much longer it may take where a person is asked; --timeout and this together must stay below the time "
    "that the agent gives its hooks.",
)
@click.option(
    "--answer",
    "always",
    is_flag=True,
    help="Also print that a tool may run, for agents that treat no output as a failed hook (Cursor's failClosed).",
)
@click.option(
    "--go-on",
    "goes_on",
    is_flag=True,
    help="Let the run go on after a refusal, for agents that end it otherwise (Cline CLI).",
)
def command(agent: str, timeout: float, wait_s: float | None, always: bool, goes_on: bool) -> int:
    """Answer one hook event of AGENT, read on stdin. Agents call this; people do not.

    Prints nothing if the tool may run or no root governs; otherwise the agent's own way of refusing. If the hook
    itself fails, it exits with 2 and one line on stderr: then the tool must not run.

    \b
    Example:
      intentls init --agent claude-code     (makes the agent call it)
      intentls hook claude-code < event.json
    """
    try:
        return serve(agent, timeout, HookOptions(always, goes_on, wait_s))
    except Exception:  # noqa: BLE001  an installation that can't even start must refuse as well
        click.echo("intentls: refused, because the hook can't start. Reinstall intentls.", err=True)
        return 2
