"""Guarded edits of any path: whatever it is spelled like, nothing but a file in scope changes."""

from __future__ import annotations

from functools import cache

from intentls.core.errors import InvalidInput, InvalidPatch
from intentls.core.patch.unified_diff import parse_patch
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import ApplyPatch, DeleteFile, RenameFile, WriteFile
from intentls.engine.actions.request import EditRequest, EditResult, Plan
from intentls.engine.edits.perform import perform as perform_edit
from intentls.engine.intents import checkout
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.fuzz.bounded import bounded
from tests.fuzz.sandbox import Sandbox, changes, forbidden


def write(path: str, content: str) -> None:
    """`write_to_file` and `delete_file` with any path."""
    perform(WriteFile(path, content))
    perform(DeleteFile(path))


def rename(path: str, new_path: str) -> None:
    """`rename_file` from any path to any other."""
    perform(RenameFile(path, new_path))


def patch(text: str) -> None:
    """`apply_patch` with any text."""
    try:
        files = parse_patch(text)
    except InvalidPatch:
        return
    perform(ApplyPatch(files))


def perform(plan: Plan) -> None:
    """Carry out `plan` under an intent whose scope is `src/**`, and compare everything else with what it was."""
    sandbox, engine = _opened()
    before = sandbox.everything()
    outcome = None
    with bounded(plan.tool_name):
        try:
            outcome = drive(perform_edit(engine, EditRequest(plan, "s")))
        except InvalidInput as refusal:
            assert str(refusal)
    changed = changes(before, sandbox.everything())
    assert not forbidden(changed), (plan, forbidden(changed))
    assert isinstance(outcome, EditResult) or not changed, (plan, outcome, changed)
    if changed:
        sandbox.restore()


@cache
def _opened() -> tuple[Sandbox, Engine]:
    sandbox = Sandbox()
    engine = Engine(Headless("fuzz", (sandbox.root,)))
    drive(checkout.select(engine, "s", "INT-001", None, None))
    return sandbox, engine
