"""Declared files that an agent's command changed: they count when a person has accepted them.

A person does so by saving the file in an editor, by `intentls confirm`, or by a commit outside of an agent's command.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.patterns.protected_paths import POLICY_FILE, is_declared_file
from intentls.engine.actions.authority import acts_for_agent
from intentls.engine.workspace.file_contents import document_bytes
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Refusal
    from intentls.engine.workspace.workspace import Workspace
    from intentls.store.sessions.accepted_files import WaitingChange

log = logging.getLogger(__name__)

_PROTECTED_DECLARED = frozenset({POLICY_FILE, f"{ORCHESTRATION}/{IGNORE_NAME}"})


def is_declared(path: str) -> bool:
    """Whether a root-relative path is a file that people declare: intents, policy or ignore rules."""
    return is_declared_file(path) or path in _PROTECTED_DECLARED


def unconfirmed_note(paths: Iterable[str]) -> str:
    """What to say where declared files wait for a person; "" where none does."""
    names = ", ".join(paths)
    if not names:
        return ""
    return (
        f"[{names}] changed during an agent's command: what it said before counts until a person accepts the change "
        "(save it in an editor, run `intentls confirm`, or commit it)."
    )


def with_note(refusal: Refusal, paths: Iterable[str]) -> Refusal:
    """The refusal, which says as well that declared files wait for a person."""
    note = unconfirmed_note(paths)
    return replace(refusal, error=f"{refusal.error} {note}") if note else refusal


def waiting_changes(workspace: Workspace) -> tuple[WaitingChange, ...]:
    """The declared files that wait for a person, with what counts and what is there. Raises StoreError."""
    return workspace.accepted.waiting()


def confirm(workspace: Workspace, changes: Iterable[WaitingChange]) -> None:
    """A person has looked at these changes and accepts them. Raises StoreError; ask `not_a_person` before."""
    for change in changes:
        workspace.accepted.accept(change.path, change.now)


def accept_written(workspace: Workspace, path: str, data: bytes | None) -> None:
    """A person changed the file through us, or approved that it is changed: that counts. Trouble is logged."""
    if not is_declared(path):
        return
    try:
        workspace.accepted.accept(path, data)
    except StoreError:
        log.warning("%s was approved, and still has to be confirmed", path, exc_info=True)


def accept_saved(workspace: Workspace, path: str, text: str, session_id: str) -> None:
    """A person's editor that shows `text` saved the file. Nothing is accepted where the disk holds another content."""
    if not is_declared(path) or acts_for_agent(workspace, session_id):
        return
    try:
        on_disk = workspace.tree.read(path)
    except (InvalidPath, StoreError):
        log.info("what was saved in %s can't be read", path, exc_info=True)
        return
    if document_bytes(text, on_disk) == on_disk:
        accept_written(workspace, path, on_disk)
