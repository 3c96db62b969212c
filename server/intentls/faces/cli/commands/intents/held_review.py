"""`intentls run --review`: what confined commands changed and the gate did not let land, for a person to decide on."""

from __future__ import annotations

import sys
from typing import Final

import click
from msgspec.structs import asdict

from intentls.core.gate.refusal import Code
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.actions.authority import not_a_person
from intentls.engine.actions.effects import Answer
from intentls.engine.confinement.held import content_of, current_content, drop_held, held_changes, land_held
from intentls.engine.confinement.landing_loop import settle
from intentls.engine.confinement.left_behind import left_behind
from intentls.engine.wire import reports
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.cli import output
from intentls.faces.cli.confined.report import tell_settled
from intentls.faces.cli.engine_warnings import show_warnings
from intentls.faces.cli.text_difference import print_difference
from intentls.store.confinement.held_changes import HeldChange, HeldRun

_CHOICES: Final = {
    "l": "l to land it once",
    "w": "w to land it and widen the scope",
    "d": "d to drop it",
    "": "Enter to keep it held",
}

_WHY: Final[dict[str, str]] = {
    Code.SCOPE_VIOLATION: "is outside of the scope",
    Code.STALE_CONTEXT: "changed while the command ran: this is how it would overwrite what is there now",
    Code.INTENTIGNORE_PATH_BLOCKED: "is excluded by .intentignore",
    Code.PROTECTED_PATH: "is protected: it never lands",
    Code.PATH_OUTSIDE_WORKSPACE: "is outside of the workspace: it never lands",
}
_NEVER_LANDS: Final = (Code.PROTECTED_PATH, Code.PATH_OUTSIDE_WORKSPACE)


def review(workspace: Workspace, *, as_json: bool) -> int:
    """Show what is held, and on a terminal take a person's decision on each; 1 while something is held.

    What killed runs left is landed or held first. `as_json`: print it as one document, and ask nothing.
    """
    show_warnings()
    engine = Engine(Headless("cli", (workspace.root,), can_ask=True))
    tell_settled(settle(engine, workspace, left_behind(workspace.layout)))
    held = held_changes(workspace)
    if as_json:
        runs = [{**asdict(run), "changes": [asdict(change) for change in changes]} for run, changes in held]
        output.print_json(reports.ok(runs=runs))
        return 1 if held else 0
    if not held:
        output.print_error("Nothing is held.")
        return 0
    asks = sys.stdin.isatty()
    if asks and (reason := not_a_person(workspace)) is not None:
        output.print_error(reason)
        asks = False
    left = 0
    for run, changes in held:
        output.print_line((run.command, output.STRONG), f"  {run.intent_id or 'no intent'}, {output.moment(run.at)}")
        for change in changes:
            _print(workspace, run, change)
            if not asks or not _decide(engine, workspace, run, change):
                left += 1
    return 1 if left else 0


def _print(workspace: Workspace, run: HeldRun, change: HeldChange) -> None:
    error = output.safe(change.error)
    output.print_line((change.path, output.WARN), f"  {error if change.what else _WHY.get(change.code, error)}")
    if not change.what:
        before, after = current_content(workspace, change), content_of(workspace, run, change)
        print_difference(change.path, _text(before), _text(after))


def _decide(engine: Engine, workspace: Workspace, run: HeldRun, change: HeldChange) -> bool:
    """Take one decision; whether the change is held no more."""
    offered = _offered(change)
    text = ", ".join(words for letter, words in _CHOICES.items() if letter in offered)
    letter = click.prompt(text, default="", show_default=False, prompt_suffix=": ").strip().lower()[:1]
    if letter == "d":
        drop_held(workspace, run, change)
        return True
    if letter == "" or letter not in offered:
        return False
    refusal = land_held(engine, workspace, run, change, Answer.APPROVE if letter == "l" else Answer.EXPAND_SCOPE)
    if refusal is not None:
        output.print_error(refusal.error)
    return refusal is None


def _offered(change: HeldChange) -> tuple[str, ...]:
    """The letters of what can be done with a change."""
    if change.what or change.code in _NEVER_LANDS:
        return "d", ""
    return ("l", "w", "d", "") if change.code == Code.SCOPE_VIOLATION else ("l", "d", "")


def _text(data: bytes | None) -> object:
    if data is None:
        return None
    return False if is_binary(data) else TextFormat.of(data).decode(data)
