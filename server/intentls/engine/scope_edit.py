"""Changing what an intent says of itself: its status and its scope, as one minimal text edit each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from intentls.core.errors import ConfigurationError, InvalidArgument
from intentls.core.hashing import hash_of
from intentls.core.intent import Status
from intentls.core.patch import Change
from intentls.core.trace import Contributor, ContributorType
from intentls.engine.engine import Engine
from intentls.engine.record import RecordWriter
from intentls.engine.request import PlannedEdit
from intentls.engine.workspace import Workspace
from intentls.store.intents import IntentsFile, parse_intents
from intentls.store.intents_edit import TextEdit, add_globs, apply, set_status
from intentls.store.journal import FileOp
from intentls.store.layout import INTENTS_NAME, ORCHESTRATION

_PATH = f"{ORCHESTRATION}/{INTENTS_NAME}"
_MAGIC = re.compile(r"[\\*?\[\]{}()!+@#]")


@dataclass(frozen=True, slots=True)
class MadeEdit:
    """A text edit of `active_intents.yaml` that was made; `trace_id` is None if there was nothing to change.

    `degraded` if its record has to wait until the ledger can be written.
    """

    intent_id: str
    path: str
    edit: TextEdit
    trace_id: str | None
    degraded: bool = False


def change_status(engine: Engine, intent_id: str, status: str, session_id: str) -> MadeEdit:
    """Give an intent another status. Raises InvalidArgument, ConfigurationError."""
    try:
        wanted = Status(status)
    except ValueError as error:
        raise InvalidArgument("status", f"unknown status {status!r}; known are {', '.join(Status)}") from error
    workspace = _declaring(engine, intent_id)
    who = _who(workspace, session_id)
    return _edit(workspace, intent_id, "set_status", session_id, who, lambda file: set_status(file, intent_id, wanted))


def expand_scope(
    engine: Engine, intent_id: str, path: str | None, glob: str | None, session_id: str, reason: str
) -> MadeEdit:
    """Add one file, or a glob, to an intent's `owned_scope`.

    Raises InvalidGlob, InvalidPath, InvalidArgument, ConfigurationError.
    """
    workspace = _declaring(engine, intent_id)
    if path is not None:
        below = engine.atlas.place(path, workspace.root).below(workspace.root)
        if below is None:
            raise InvalidArgument("path", f"{path} lies outside the root of {intent_id}")
        glob = literal_glob(below)
    wanted = [glob] if glob is not None else []
    who = _who(workspace, session_id)
    return _edit(
        workspace, intent_id, "expand_scope", session_id, who, lambda f: add_globs(f, intent_id, wanted), reason or None
    )


def widen_scope(workspace: Workspace, intent_id: str, paths: Iterable[str], session_id: str, *, by: str) -> None:
    """Add exactly these paths: a person said so when an edit was refused."""
    wanted = [literal_glob(path) for path in paths]
    person = Contributor(ContributorType.HUMAN)
    reason = f"approved by {by}"
    _edit(workspace, intent_id, "expand_scope", session_id, person, lambda f: add_globs(f, intent_id, wanted), reason)


def literal_glob(path: str) -> str:
    """The glob that matches `path` and nothing else."""
    return _MAGIC.sub(lambda magic: "\\" + magic[0], path)


def _declaring(engine: Engine, intent_id: str) -> Workspace:
    for workspace in engine.workspaces():
        configuration = workspace.configuration()
        if configuration.error is not None:
            raise ConfigurationError(configuration.error)
        if intent_id in configuration.intents.intents:
            return workspace
    raise InvalidArgument("intent_id", f"no workspace folder declares {intent_id} in {_PATH}")


def _who(workspace: Workspace, session_id: str) -> Contributor:
    """A session that named its model is an agent's; of any other we can't tell who sits behind it."""
    model = workspace.sessions.load(session_id).model
    return Contributor(ContributorType.UNKNOWN if model is None else ContributorType.AI, model)


def _edit(
    workspace: Workspace,
    intent_id: str,
    tool_name: str,
    session_id: str,
    by: Contributor,
    make: Callable[[IntentsFile], TextEdit],
    reason: str | None = None,
) -> MadeEdit:
    with workspace.journal.hold([str(workspace.layout.intents)], workspace.holder(session_id)):
        before = workspace.tree.read(_PATH)
        _refuse_unsaved(workspace, before)
        file = parse_intents(before)
        if intent_id not in file.intents:
            raise InvalidArgument("intent_id", f"{intent_id} is not declared in {_PATH}")
        edit = make(file)
        after = file.encode(apply(file.text, edit))
        if after == before:
            return MadeEdit(intent_id, _PATH, edit, None)
        state = workspace.tree.state(_PATH)
        planned = PlannedEdit(_PATH, Change.MODIFY, before, after, state.mode if state is not None else None)
        record = RecordWriter(workspace).event(
            session_id=session_id,
            tool_name=tool_name,
            intent_id=intent_id,
            edit=planned,
            contributor=by,
            reason=reason,
        )
        operation = FileOp(_PATH, hash_of(before), after, planned.mode)
        degraded = not workspace.journal.commit((operation,), record.to_json()).traced
        workspace.note_trace(degraded=degraded)
        workspace.pending.written(_PATH, after)
    return MadeEdit(intent_id, _PATH, edit, record.id, degraded)


def _refuse_unsaved(workspace: Workspace, on_disk: bytes | None) -> None:
    content = workspace.contents.read(_PATH)
    if content.document is not None and content.data != on_disk:
        raise ConfigurationError(f"{_PATH} has unsaved changes in the editor; save it and try again")
