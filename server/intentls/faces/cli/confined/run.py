"""The short way of `intentls run --intent ID -- COMMAND`: the command starts without what only its end needs.

What the intent's file says may come from an earlier reading here; what lands is judged by what is read afresh.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from intentls.core.gate.policy import RunPolicy
from intentls.engine.confinement.request import RunRequest, RunResult
from intentls.engine.confinement.run_root import RunRoot
from intentls.engine.confinement.staged_run import run_staged
from intentls.engine.confinement.writable import writable_places
from intentls.faces.cli.engine_warnings import kept_warnings
from intentls.faces.cli.root_option import current_folder, governing_root
from intentls.late_module import LateModule
from intentls.late_pattern import late_pattern
from intentls.store.confinement.confined_process import NotConfined

if TYPE_CHECKING:
    from intentls.engine.actions.effects import Effect, Reply
    from intentls.faces.cli import workspace_question
    from intentls.faces.cli.confined import report, strictly
else:
    report = LateModule("intentls.faces.cli.confined.report")
    workspace_question = LateModule("intentls.faces.cli.workspace_question")
    strictly = LateModule("intentls.faces.cli.confined.strictly")

_ID = late_pattern(r"[A-Za-z0-9._-]+")


def answer(arguments: Sequence[str]) -> int | None:
    """The command's exit code; None for what takes the long way.

    That is other options, a policy that says how commands run, and a root in which a killed process left something.
    """
    match arguments:
        case ["--intent", intent_id, "--", *command] if command and _ID.fullmatch(intent_id):
            return _start(intent_id, tuple(command))
        case _:
            return None


def _start(intent_id: str, command: tuple[str, ...]) -> int | None:
    root = governing_root(None)
    start = RunRoot.read(root)
    if start is None or start.configuration.policy.run != RunPolicy():
        return None
    here = current_folder()
    folder = here if here.is_relative_to(root) else root
    request = RunRequest(command, folder, intent_id, writable_places(root, RunPolicy(), program=command[0]))
    try:
        return run(start, request)
    except NotConfined as error:
        return strictly.run_strictly_instead(root, request, error)


def run(root: RunRoot, request: RunRequest) -> int:
    """Run the command staged, and say what came of it; its exit code. Raises NotConfined, StoreError."""
    sys.stderr.write(f"intentls: Staged under {request.intent_id}: changes land through the gate, others are held.\n")
    sys.stderr.flush()
    with kept_warnings():
        result = run_staged(root, request, _ask)
    aside = request.places.put_aside(result.run_id) if isinstance(result, RunResult) else []
    if isinstance(result, RunResult) and result.is_uneventful and not aside:
        return result.exit_code
    return report.tell(result, aside)


def _ask(effect: Effect) -> Reply | bool:
    return workspace_question.ask_workspace(effect)
