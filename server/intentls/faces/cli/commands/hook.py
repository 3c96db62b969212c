"""`intentls hook`."""

from __future__ import annotations

import click

from intentls.faces.hook import AGENTS


@click.command()
@click.argument("agent", type=click.Choice(AGENTS))
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=8.0,
    show_default=True,
    metavar="SECONDS",
    help="When to give up and refuse; keep it below the time that the agent gives its hooks.",
)
def command(agent: str, timeout: float) -> int:
    """Answer one hook event of AGENT, read on stdin; agents call this, people don't.

    Silent where the tool may run or nothing governs; the agent's own way of refusing where it may not. Exit code 2,
    with one line on stderr, on any trouble of its own: then the tool must not run.

    \b
    Example:
      intentls init --agent claude-code     (makes the agent call it)
      intentls hook claude-code < event.json
    """
    try:
        from intentls.faces.hook.main import serve

        return serve(agent, timeout)
    except Exception:  # noqa: BLE001  an installation that can't even start must refuse as well
        click.echo("intentls: refused, because the hook can't start. Reinstall intentls.", err=True)
        return 2
