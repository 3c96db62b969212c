"""Changing what an intent says of itself: its status and its scope, as one minimal text edit each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from intentls.core.errors import ConfigurationError, InvalidArgument
from intentls.core.hashing import hash_of
from intentls.core.intents.intent import Intent, Status
from intentls.core.ledger.record import Contributor, ContributorType
from intentls.core.mutation.classes import Change
from intentls.core.patterns.glob import Glob
from intentls.core.patterns.protected_paths import INTENTS_FILE, INTENTS_FOLDER
from intentls.engine.actions.acceptance import accept_written, unconfirmed_note, waiting_changes
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.conflict_markers import conflict_message, conflict_spans
from intentls.store.config.intents_edit import YamlEdit, add_globs, apply, set_status
from intentls.store.config.intents_parser import IntentsFile, parse_intents
from intentls.store.journal.journal import FileOp

_MAGIC = re.compile(r"[\\*?\[\]{}()!+@#]")


class IntentsEdit(Struct, frozen=True):
    """A text edit of a file of intents that was made; `trace_id` is None if there was nothing to change.

    `degraded` if its record has to wait until the ledger can be written.
    """

    intent_id: str
    path: str
    edit: YamlEdit
    trace_id: str | None
    degraded: bool = False


def known_status(status: str) -> Status:
    """The status of that name. Raises InvalidArgument."""
    try:
        return Status(status)
    except ValueError as error:
        raise InvalidArgument("status", f"unknown status {status!r}; known are {', '.join(Status)}") from error


def change_status(
    engine: Engine,
    intent_id: str,
    status: str,
    session_id: str,
    *,
    approved_by: str | None = None,
    root: str | None = None,
) -> IntentsEdit:
    """Give an intent another status; `approved_by` is the person who let the session do so, where one was asked.

    Raises InvalidArgument, ConfigurationError.
    """
    new_status = known_status(status)
    workspace = declaring(engine, intent_id, root)
    who, why = contributor_of(workspace, session_id), None
    if approved_by is not None:
        who, why = Contributor(ContributorType.HUMAN), f"approved by {approved_by}"
    return _edit(
        workspace, intent_id, "set_status", session_id, who, lambda f: set_status(f, intent_id, new_status), why
    )


def expand_scope(
    engine: Engine,
    intent_id: str,
    path: str | None,
    glob: str | None,
    session_id: str,
    reason: str,
    root: str | None = None,
) -> IntentsEdit:
    """Add one file, or a glob, to an intent's `owned_scope`.

    Raises InvalidGlob, InvalidPath, InvalidArgument, ConfigurationError.
    """
    workspace = declaring(engine, intent_id, root)
    globs = [scope_glob(engine, workspace, intent_id, path, glob)]
    who = contributor_of(workspace, session_id)
    return _edit(
        workspace, intent_id, "expand_scope", session_id, who, lambda f: add_globs(f, intent_id, globs), reason or None
    )


def scope_glob(engine: Engine, workspace: Workspace, intent_id: str, path: str | None, glob: str | None) -> str:
    """The glob to add for one file (`path`) or for `glob`. Raises InvalidArgument, InvalidGlob, InvalidPath."""
    if glob is not None and path is None:
        return Glob(glob).pattern
    if path is None or glob is not None:
        raise InvalidArgument("path", "give either path or glob")
    relative = engine.path_resolver.resolve(path, workspace.root).relative_to(workspace.root)
    if relative is None:
        raise InvalidArgument("path", f"{path} lies outside the root of {intent_id}")
    return literal_glob(relative)


def approved_expansion(
    workspace: Workspace, intent_id: str, glob: str, session_id: str, *, by: str, reason: str
) -> IntentsEdit:
    """Add a glob that the session asked for, with its reason, and `by` approved. Raises as `expand_scope`."""
    person = Contributor(ContributorType.HUMAN)
    why = f"{reason} (approved by {by})"
    return _edit(
        workspace, intent_id, "expand_scope", session_id, person, lambda f: add_globs(f, intent_id, [glob]), why
    )


def widen_scope(workspace: Workspace, intent_id: str, paths: Iterable[str], session_id: str, *, by: str) -> None:
    """Add exactly these paths: a person said so when an edit was refused."""
    globs = [literal_glob(path) for path in paths]
    person = Contributor(ContributorType.HUMAN)
    reason = f"approved by {by}"
    _edit(workspace, intent_id, "expand_scope", session_id, person, lambda f: add_globs(f, intent_id, globs), reason)


def complete(workspace: Workspace, intent: Intent, session_id: str, acceptance: Mapping[str, object]) -> IntentsEdit:
    """Give an intent whose acceptance criteria were checked the status COMPLETED; `acceptance` goes on record.

    Raises ConfigurationError, also if the intent is not what it was when they were checked.
    """

    def make(file: IntentsFile) -> YamlEdit:
        if file.intents.get(intent.id) != intent:
            raise ConfigurationError(
                f"{intent.id} was changed while its criteria were checked; look at it and try again"
            )
        return set_status(file, intent.id, Status.COMPLETED)

    who = contributor_of(workspace, session_id)
    return _edit(workspace, intent.id, "accept_intent", session_id, who, make, acceptance=acceptance)


def literal_glob(path: str) -> str:
    """The glob that matches `path` and nothing else."""
    return _MAGIC.sub(lambda magic: "\\" + magic[0], path)


def declaring(engine: Engine, intent_id: str, root: str | None = None) -> Workspace:
    """The workspace that declares this intent: that of `root`, else the first that does.

    Raises InvalidArgument, InvalidPath, ConfigurationError.
    """
    for workspace in engine.workspaces() if root is None else (engine.root_named(root),):
        configuration = workspace.configuration()
        if configuration.error is not None:
            raise ConfigurationError(configuration.error)
        if intent_id in configuration.intents.intents:
            return workspace
    raise InvalidArgument(
        "intent_id", f"no workspace folder declares {intent_id} in {INTENTS_FILE} or {INTENTS_FOLDER}/"
    )


def contributor_of(workspace: Workspace, session_id: str) -> Contributor:
    """Who changes a declaration.

    A session that named its model, or speaks MCP, is an agent's; any other may be a person's or an agent's.
    """
    model = workspace.sessions.load(session_id).model
    is_agent = model is not None or workspace.host.face == "mcp"
    return Contributor(ContributorType.AI if is_agent else ContributorType.UNKNOWN, model)


def _edit(
    workspace: Workspace,
    intent_id: str,
    tool_name: str,
    session_id: str,
    by: Contributor,
    make: Callable[[IntentsFile], YamlEdit],
    reason: str | None = None,
    acceptance: Mapping[str, object] | None = None,
) -> IntentsEdit:
    path = workspace.configuration().intents.paths.get(intent_id, INTENTS_FILE)
    with workspace.journal.hold([str(workspace.root / path)], workspace.holder(session_id)):
        before = workspace.tree.read(path)
        _refuse_unsaved(workspace, path, before)
        _refuse_unconfirmed(workspace, path)
        file = parse_intents(before, path)
        _refuse_conflicted(path, before)
        if intent_id not in file.intents:
            raise InvalidArgument("intent_id", f"{intent_id} is not declared in {path}")
        edit = make(file)
        after = file.encode(apply(file.text, edit))
        if after == before:
            return IntentsEdit(intent_id, path, edit, None)
        state = workspace.tree.state(path)
        planned = PlannedEdit(path, Change.MODIFY, before, after, state.mode if state is not None else None)
        record = RecordWriter(workspace).declaration_edit(session_id, tool_name, intent_id, planned, by, reason)
        operation = FileOp(path, hash_of(before), after, planned.mode)
        line = record.to_json() | ({} if acceptance is None else {"acceptance": acceptance})
        degraded = not workspace.journal.commit((operation,), line).traced
        workspace.note_trace(degraded=degraded)
        workspace.pending.written(path, after)
        accept_written(workspace, path, after)
    return IntentsEdit(intent_id, path, edit, record.id, degraded)


def _refuse_unsaved(workspace: Workspace, path: str, on_disk: bytes | None) -> None:
    content = workspace.contents.read(path)
    if content.document is not None and content.data != on_disk:
        raise ConfigurationError(f"{path} has unsaved changes in the editor; save it and try again")


def _refuse_unconfirmed(workspace: Workspace, path: str) -> None:
    """An edit would build on what no person has accepted, and accept it."""
    if any(change.path == path for change in waiting_changes(workspace)):
        raise ConfigurationError(unconfirmed_note([path]))


def _refuse_conflicted(path: str, on_disk: bytes | None) -> None:
    spans = conflict_spans(on_disk or b"")
    if spans:
        raise ConfigurationError(f"{path} can't be changed: {conflict_message(spans[0])}")
