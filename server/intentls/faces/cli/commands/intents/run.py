"""`intentls run`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from intentls.core.gate.policy import RunMode
from intentls.engine.confinement.request import FACE, RunRequest
from intentls.engine.confinement.run_root import RunRoot
from intentls.engine.confinement.scope_hull import hull_of
from intentls.engine.confinement.writable import writable_places
from intentls.engine.tools.open_calls import settle_orphans
from intentls.engine.wire import reports
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.cli import output
from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.confined.run import run
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.root_option import current_folder, governing_root
from intentls.late_module import LateModule
from intentls.store.confinement.confined_process import NotConfined

if TYPE_CHECKING:
    from intentls.faces.cli.commands.intents import held_review
    from intentls.faces.cli.confined import strictly
else:
    held_review = LateModule("intentls.faces.cli.commands.intents.held_review")
    strictly = LateModule("intentls.faces.cli.confined.strictly")


@click.command(context_settings={"ignore_unknown_options": False, "allow_interspersed_args": False})
@click.argument("command_line", nargs=-1, metavar="COMMAND...", type=click.UNPROCESSED)
@click.option("--intent", metavar="ID", shell_complete=complete_intent, help="The intent whose scope it keeps.")
@click.option("--model", metavar="NAME", help="The model that works in it, for the ledger.")
@click.option("--strict", is_flag=True, help="Let the kernel refuse writes outside of the scope at once.")
@click.option("--no-network", is_flag=True, help="Give it no network (staged runs).")
@click.option("--writable", multiple=True, metavar="DIR", help="A folder beside the scope that it may change.")
@click.option("--dry-run", is_flag=True, help="Say what would be confined, and how; run nothing.")
@click.option("--review", "is_review", is_flag=True, help="Show what earlier runs hold, to land it or to drop it.")
@root_option
@json_option
def command(
    command_line: tuple[str, ...],
    intent: str | None,
    model: str | None,
    strict: bool,
    no_network: bool,
    writable: tuple[str, ...],
    dry_run: bool,
    is_review: bool,
    root: Path | None,
    as_json: bool,
) -> int:
    """Run COMMAND so that the kernel keeps it in an intent's scope.

    Staged, as long as this machine can: COMMAND sees the whole tree, and what it writes goes into a layer of its own.
    What changed lands whenever it is quiet, judged as each guarded edit is; what the gate refuses is held. With
    --strict a write outside of the scope fails at once. It exits with COMMAND's own code, and with 2 where this machine
    can't confine it: it never runs unconfined.

    \b
    Example:
      intentls run --intent INT-001 -- claude
      intentls run --intent INT-001 --strict -- make format
      intentls run --review
    """
    governing = governing_root(root)
    workspace = Engine(Headless(FACE, (governing,)), settle_orphans).workspace(governing)
    if is_review:
        if command_line:
            raise click.UsageError("--review shows what is held, and runs nothing.")
        return held_review.review(workspace, as_json=as_json)
    if not command_line:
        raise click.UsageError("Name the command: `intentls run --intent ID -- COMMAND`.")
    intent_id = intent or workspace.sessions.load(FACE).intent_id
    if as_json and not dry_run:
        raise click.UsageError("--json goes with --review and --dry-run: what COMMAND prints is its own.")
    if intent_id is None:
        raise click.UsageError("Name the intent with --intent; `intentls list` shows them.")
    policy = workspace.configuration().policy.run
    mode = RunMode.STRICT if strict else policy.mode
    here = current_folder()
    folder = here if here.is_relative_to(governing) else governing
    places = writable_places(
        governing, workspace.configuration().policy.run, writable, "" if dry_run else command_line[0]
    )
    request = RunRequest(command_line, folder, intent_id, places, model, network=not no_network)
    if dry_run:
        return _show(workspace, request, mode, as_json=as_json)
    if mode is RunMode.STRICT:
        if not request.network:
            raise click.UsageError("A strict run can't take the network away: leave out --strict or --no-network.")
        return strictly.run_strictly(governing, request)
    try:
        return run(RunRoot.of(workspace), request)
    except NotConfined as error:
        if mode is RunMode.STAGED or not request.network:
            raise
        return strictly.run_strictly_instead(governing, request, error)


def _show(workspace: Workspace, request: RunRequest, mode: RunMode, *, as_json: bool) -> int:
    rough = hull_of(workspace, request.intent_id)
    scope = workspace.configuration().intents.intents[request.intent_id].scope
    if as_json:
        answer = reports.ok(
            intent_id=request.intent_id,
            owned_scope=list(scope.patterns),
            mode=mode.value,
            hull=[*rough.folders, *rough.files],
            wider=list(rough.wider),
            writable=[str(place) for place in request.places.writable],
            read_only=[str(place) for place in request.places.read_only],
            copied=[str(place) for place in request.places.copied],
            network=request.network,
        )
        output.print_json(answer)
        return 0
    output.print_line((request.intent_id, output.STRONG), f"  {', '.join(scope.patterns) or 'the whole workspace'}")
    output.print_line(f"mode: {mode.value}")
    if mode is not RunMode.STAGED:
        for name in (*rough.folders, *rough.files):
            output.print_line(f"  strict, writable: {name or '.'}")
        for reason in rough.wider:
            output.print_line(f"  strict, wider: {reason}")
    for place in request.places.writable:
        output.print_line(f"  writable: {place}")
    for place in request.places.copied:
        output.print_line(f"  copied: {place}")
    for place in request.places.read_only:
        output.print_line(f"  read-only: {place}")
    output.print_line(f"network: {'as outside' if request.network else 'none'}")
    return 0
