"""`intentls confirm`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from intentls.engine.actions.acceptance import confirm, waiting_changes
from intentls.engine.actions.authority import not_a_person
from intentls.engine.wire import reports
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.text_difference import print_difference
from intentls.store.sessions.accepted_files import WaitingChange


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--yes", is_flag=True, help="Accept without asking, for scripts.")
@root_option
@json_option
def command(paths: tuple[str, ...], yes: bool, root: Path | None, as_json: bool) -> int:
    """Accept what an agent's command changed in declared files (default: in all of them).

    Intents, policy and ignore rules count as a person left them. This shows what would count, and asks. An agent can
    not answer: the verb is refused in whatever an agent's process started. A save in an editor, and a commit, accept a
    file as well. Exits 1 if something still waits.

    \b
    Example:
      intentls confirm
      intentls confirm .orchestration/policy.yaml --yes
    """
    workspace = open_root(root).workspace
    waiting = waiting_changes(workspace)
    unknown = sorted(set(paths) - {change.path for change in waiting})
    if unknown:
        raise click.UsageError(f"Nothing waits in {', '.join(unknown)}; `intentls status` shows what does.")
    chosen = tuple(change for change in waiting if not paths or change.path in paths)
    reason = not_a_person(workspace) if chosen else None
    if not as_json:
        _show(chosen)
    accepted = chosen if reason is None and (yes or _agreed(chosen, as_json)) else ()
    confirm(workspace, accepted)
    if as_json:
        output.print_json(reports.confirmed(chosen, accepted, reason))
    elif reason is not None:
        output.print_error(reason)
    elif accepted:
        output.print_error(f"{output.count(len(accepted), 'file')} accepted.")
    elif not chosen:
        output.print_error("Nothing waits: every declared file is as a person left it.")
    return 0 if len(accepted) == len(chosen) else 1


def _agreed(changes: tuple[WaitingChange, ...], as_json: bool) -> bool:
    if not changes:
        return False
    if as_json or not sys.stdin.isatty():
        if not as_json:
            output.print_error("Nothing is accepted: there is no terminal to ask on. Look at it, and give --yes.")
        return False
    return click.confirm("Shall this count?", default=False, err=True)


def _show(changes: tuple[WaitingChange, ...]) -> None:
    for change in changes:
        print_difference(change.path, _text(change.accepted), _text(change.now))


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "backslashreplace")
