"""A person's decision on a held change: it lands once, lands with a wider scope, or is dropped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.hashing import hash_of
from intentls.engine.actions.effects import Answer, Ask, Effect, Reply, drive
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.confinement.staged_file import LandFiles, StagedFile
from intentls.engine.edits.perform import perform
from intentls.engine.intents import checkout
from intentls.store.confinement.held_changes import HeldChange, HeldChanges, HeldRun

if TYPE_CHECKING:
    from intentls.engine.workspace.engine import Engine
    from intentls.engine.workspace.workspace import Workspace


def held_changes(workspace: Workspace) -> list[tuple[HeldRun, tuple[HeldChange, ...]]]:
    """What is held in this root, by run, oldest first. What the tree has already is held no more. Raises OSError.

    A process that is killed between landing a change and forgetting it leaves such a one.
    """
    held = HeldChanges(workspace.layout.held)
    for run in held.runs():
        for change in tuple(held.changes(run.id)):
            if _is_landed(workspace, change):
                held.drop(run.id, change.path)
    return [(run, tuple(held.changes(run.id))) for run in held.runs()]


def _is_landed(workspace: Workspace, change: HeldChange) -> bool:
    try:
        now = workspace.tree.read_with_state(change.path)
    except (InvalidPath, StoreError):
        return False
    if now is None:
        return change.after is None and not change.what
    return hash_of(now[1]) == change.after and now[0].mode == change.mode


def content_of(workspace: Workspace, run: HeldRun, change: HeldChange) -> bytes | None:
    """The held content; None where the command removed the file. Raises OSError."""
    return HeldChanges(workspace.layout.held).content(run.id, change)


def current_content(workspace: Workspace, change: HeldChange) -> bytes | None:
    """What the tree has there now; None where it has no file."""
    try:
        return workspace.tree.read(change.path)
    except InvalidPath:
        return None


def land_held(engine: Engine, workspace: Workspace, run: HeldRun, change: HeldChange, answer: Answer) -> Refusal | None:
    """Let a held change land as a person says, over what the tree has now. The refusal where it still can't.

    The record names the person. What is protected, or no file, never lands.
    """
    if change.what:
        return Refusal.of(Code.PROTECTED_PATH, change.error, paths=(change.path,))
    if run.intent_id is not None:
        selection = drive(checkout.select(engine, run.session_id, run.intent_id, None, None), _yes(answer))
        if isinstance(selection, Refusal):
            return selection
    after = content_of(workspace, run, change)
    now = hash_of(current_content(workspace, change))
    plan = LandFiles((StagedFile(change.path, now, after, change.mode),))
    # The gate compares with what the command built on, so that the person's word for a newer file is on record.
    request = EditRequest(plan, run.session_id, expected_hash=change.before, reason=run.command)
    try:
        result = drive(perform(engine, request), _yes(answer))
    finally:
        engine.end_session(run.session_id)
    if isinstance(result, EditResult):
        drop_held(workspace, run, change)
        return None
    return result


def drop_held(workspace: Workspace, run: HeldRun, change: HeldChange) -> None:
    """Hold the change no more. Raises OSError."""
    HeldChanges(workspace.layout.held).drop(run.id, change.path)


def _yes(answer: Answer) -> Callable[[Effect], Reply | bool]:
    def reply(effect: Effect) -> Reply | bool:
        if not isinstance(effect, Ask):
            return False
        return Reply(answer if answer in effect.offers else Answer.APPROVE)

    return reply
