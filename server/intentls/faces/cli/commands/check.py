"""`intentls check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.options import json_option, root_option, session_option

if TYPE_CHECKING:
    from intentls.core.verdict import Refusal
    from intentls.faces.cli.opening import Opened

_NOBODY = "intentls check"


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@session_option("Judge as this session, with its intent and what it has read.")
@click.option("--intent", metavar="ID", shell_complete=complete_intent, help="Judge as any session with this intent.")
@click.option("--tool", default="write_to_file", show_default=True, metavar="NAME", help="The tool that would do it.")
@root_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[str, ...],
    session: str | None,
    intent: str | None,
    tool: str,
    root: Path | None,
    as_json: bool,
) -> int:
    """Say whether each PATH may be changed, as the gate would; nothing is changed, nothing recorded.

    Without a session and an intent it says who may: the open intents whose scope has the path. Exits 1 if any
    path is refused.

    \b
    Example:
      intentls check src/api/weather.py --intent INT-001
      intentls check $(git diff --name-only) --session agent-1 --json
    """
    if intent is not None and session is not None:
        if context.get_parameter_source("session") is not ParameterSource.ENVIRONMENT:
            raise click.UsageError("Give either --session or --intent: a session has its own intent.")
        session = None
    from intentls.faces.cli.opening import open_root

    opened = open_root(root)
    verdicts = {path: _judge(opened, path, session, intent, tool) for path in dict.fromkeys(paths)}
    _show(verdicts, as_json)
    return 1 if any(verdicts.values()) else 0


def _judge(opened: Opened, path: str, session: str | None, intent: str | None, tool: str) -> Refusal | None:
    from intentls.engine import tools
    from intentls.engine.request import Request
    from intentls.engine.whatif import check_as

    request = Request(tools.ForeignTool(tool, (opened.path(path),)), session or _NOBODY)
    return check_as(opened.engine, request, intent) if session is None else tools.check(opened.engine, request)


def _show(verdicts: dict[str, Refusal | None], as_json: bool) -> None:
    from intentls.engine.wire import results
    from intentls.faces.cli import screen

    if as_json:
        checks = [{"path": path, **results.checked(refusal)} for path, refusal in verdicts.items()]
        screen.emit(results.ok(allowed=not any(verdicts.values()), checks=checks))
        return
    for path, refusal in verdicts.items():
        if refusal is None:
            screen.say(("allowed", screen.GOOD), f"  {path}")
        else:
            screen.say(("refused", screen.BAD), f"  {path}  ", (refusal.code, screen.STRONG))
            screen.say(f"         {_why(refusal)}")


def _why(refusal: Refusal) -> str:
    owners = f" In the scope of {', '.join(refusal.owners)}." if refusal.owners else ""
    return refusal.error + owners
