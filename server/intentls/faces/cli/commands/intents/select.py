"""`intentls select`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from intentls.core.gate.refusal import ActionHint, Refusal
from intentls.engine.actions.authority import not_a_person, refused_session
from intentls.engine.actions.effects import drive
from intentls.engine.intents import checkout
from intentls.engine.intents.checkout import list_intents
from intentls.engine.wire import arguments, reports
from intentls.engine.wire.answers import SelectionAnswer, SessionAnswer
from intentls.engine.wire.refusals import refused
from intentls.engine.workspace.live_sessions import connect
from intentls.engine.workspace.other_machines import taken_elsewhere
from intentls.faces.cli import output
from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.open_workspace import OpenWorkspace, open_root
from intentls.faces.cli.options import json_option, root_option, session_option
from intentls.faces.cli.workspace_question import ask_workspace


@click.command()
@click.argument("intent", required=False, shell_complete=complete_intent)
@session_option("The session that gets the intent: any name; editors, agents and the command line know it by this.")
@click.option("--mutation-class", metavar="CLASS", help="The class of its changes, for example BUG_FIX.")
@click.option("--model", metavar="NAME", help="The model that works in this session, for the ledger.")
@click.option("--clear", is_flag=True, help="Clear the session's intent instead.")
@root_option
@json_option
def command(
    intent: str | None,
    session: str | None,
    mutation_class: str | None,
    model: str | None,
    clear: bool,
    root: Path | None,
    as_json: bool,
) -> int:
    """Select INTENT for a session, and print its context: scope, constraints, recent changes, lessons.

    From then on the session may change files in the intent's scope, through every way in. Without --session, INTENT
    becomes the default of this working tree: sessions that begin afterwards start with it.

    \b
    Example:
      intentls select INT-001
      intentls select INT-001 --session agent-1 --model anthropic/claude-opus-4-5
      intentls select --clear --session agent-1
    """
    if clear and (intent or mutation_class or model):
        raise click.UsageError("--clear clears the intent that the session has: give only --session with it.")
    if not clear and intent is None:
        raise click.UsageError("Name the intent; `intentls list` shows them.")
    if session is None and (mutation_class or model):
        raise click.UsageError("Name the session with --session ID, or in INTENTLS_SESSION.")
    opened = open_root(root)
    if session is None:
        return _choose(opened, intent, as_json=as_json)
    if (reason := refused_session(opened.workspace, session)) is not None:
        raise click.UsageError(reason)
    if intent is None:
        return _clear(opened, session, as_json)
    return _select(opened, intent, session, mutation_class, model, as_json)


def _choose(opened: OpenWorkspace, intent: str | None, *, as_json: bool) -> int:
    """With which intent sessions begin here; None: with none."""
    if (reason := not_a_person(opened.workspace)) is not None:
        raise click.UsageError(f"{reason} An agent names its own session with --session.")
    refusal = checkout.choose_default(opened.workspace, intent)
    if as_json:
        answer = reports.ok(intent_id=intent, session_id=None)
        output.print_json(answer if refusal is None else refused(refusal))
    elif refusal is not None:
        output.print_error(refusal.error + _alternatives(opened, refusal))
    else:
        output.print_error(f"Sessions that begin here now start with {intent or 'no intent'}.")
        if intent is not None:
            connect(opened.workspace)
            _warn(taken_elsewhere(opened.workspace, intent, for_agent=False))
    return 0 if refusal is None else 1


def _select(
    opened: OpenWorkspace, intent: str, session: str, mutation_class: str | None, model: str | None, as_json: bool
) -> int:
    declared = arguments.mutation_class(mutation_class)
    outcome = drive(checkout.select(opened.engine, session, intent, declared, model), ask_workspace)
    if as_json:
        output.print_json(refused(outcome) if isinstance(outcome, Refusal) else SelectionAnswer.of(outcome))
    if isinstance(outcome, Refusal):
        if not as_json:
            output.print_error(outcome.error + _alternatives(opened, outcome))
        return 1
    if not as_json:
        click.echo(outcome.context.text.encode("utf-8", "replace"))
        output.print_error(f"{session} works under {intent} now.")
        _warn(outcome.warnings)
    return 0


def _warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        output.print_error(warning)


def _alternatives(opened: OpenWorkspace, refusal: Refusal) -> str:
    """The intents that could be taken up instead, where that is what is needed."""
    if refusal.action_hint is not ActionHint.SELECT_ACTIVE_INTENT:
        return ""
    ignored = opened.workspace.configuration().ignore.excludes_intent
    usable = [intent.id for intent in list_intents(opened.engine) if intent.is_open and not ignored(intent.id)]
    return f" Open intents: {', '.join(usable)}." if usable else " No intent is open."


def _clear(opened: OpenWorkspace, session: str, as_json: bool) -> int:
    cleared = checkout.clear(opened.engine, session)
    if as_json:
        output.print_json(SessionAnswer.of(cleared))
    else:
        output.print_error(f"{session} works under no intent now.")
    return 0
