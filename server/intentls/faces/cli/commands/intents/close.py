"""`intentls close`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.core.errors import InvalidArgument
from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.effects import drive
from intentls.engine.agents.close_intent import Closing, close, close_merged, intent_to_close
from intentls.engine.branch_check.settle import settle_closed
from intentls.engine.intents.intents_edit import declaring
from intentls.engine.wire import reports
from intentls.engine.wire.refusals import refused
from intentls.faces.cli import output
from intentls.faces.cli.commands.intents.declaration_edit import SESSION
from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.open_workspace import OpenWorkspace, open_root
from intentls.faces.cli.options import json_option, root_option, session_option
from intentls.faces.cli.workspace_question import ask_workspace


@click.command()
@click.argument("intent", required=False, shell_complete=complete_intent)
@click.option("--merged", is_flag=True, help="Close those whose branch is merged, if policy says close_intents: merge.")
@session_option("Who closes it, for the ledger; without INTENT, the session whose intent is meant.")
@root_option
@json_option
def command(intent: str | None, merged: bool, session: str | None, root: Path | None, as_json: bool) -> int:
    """Close INTENT: its status becomes COMPLETED. Nothing checks its criteria; `intentls accept` does.

    Without INTENT, that is the one of the session, of the branch that is checked out, or the default of this tree.

    \b
    Example:
      intentls close INT-001
      intentls close
      intentls close --merged
    """
    if merged and intent is not None:
        raise click.UsageError("--merged says which intents are meant: give no INTENT with it.")
    opened = open_root(root)
    if merged:
        return _close_merged(opened, session or SESSION, as_json=as_json)
    try:
        intent_id = intent or intent_to_close(opened.workspace, session)
        outcome = drive(close(opened.engine, session or SESSION, intent_id), ask_workspace)
    except InvalidArgument as error:
        raise click.UsageError(str(error)) from error
    if not isinstance(outcome, Refusal):
        settle_closed(declaring(opened.engine, intent_id), intent_id)
    if as_json:
        output.print_json(refused(outcome) if isinstance(outcome, Refusal) else reports.closed(outcome))
    elif isinstance(outcome, Refusal):
        output.print_error(outcome.error)
    else:
        _tell(outcome)
    return 1 if isinstance(outcome, Refusal) else 0


def _close_merged(opened: OpenWorkspace, session: str, *, as_json: bool) -> int:
    closings = list(close_merged(opened.engine, opened.workspace, session))
    for closing in closings:
        settle_closed(opened.workspace, closing.intent_id)
    if as_json:
        output.print_json(reports.ok(closed=[reports.closed(closing) for closing in closings]))
        return 0
    for closing in closings:
        _tell(closing)
    return 0


def _tell(closing: Closing) -> None:
    verb = "is" if closing.edit.trace_id is not None else "was already"
    output.print_error(f"{closing.intent_id} {verb} {closing.status} ({closing.edit.path}).")
    if closing.open_criteria and closing.edit.trace_id is not None:
        output.print_line(f"Its criteria, which nobody checked here (`intentls accept {closing.intent_id}` does):")
        for criterion in closing.open_criteria:
            output.print_line(f"  {output.safe(criterion)}")
