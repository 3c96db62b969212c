"""Before a tool that may write anywhere: what the working tree holds, and what is declared, is remembered.

`shell_comparison` compares after it. A process for each announced command loads this module, and not that one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from intentls.core.errors import StoreError
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.tools import ledger_mark
from intentls.engine.tools.shell_call import ShellCall as ShellCall
from intentls.engine.tools.shell_call import ShellChanges as ShellChanges
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.config.declared_files import parse_all_intents, parse_policy
from intentls.store.fs.named_locks import Locks
from intentls.store.sessions.announced_calls import AnnouncedCall, AnnouncedCalls
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots
from intentls.store.worktree.diff import Worktree

_PATIENCE_S = 5  # a hook has a time limit of its own


def remember(workspace: Workspace, call: ShellCall) -> None:
    """A tool is about to run that may write anywhere: remember the tree and the declarations. Raises StoreError.

    What earlier calls of the session changed must be settled before: what is remembered here takes its place.
    """
    calls = announced_calls(workspace)
    with alone(workspace, call.session_id):
        remember_tree(workspace, call.session_id)
        workspace.accepted.begin(_key(call.session_id, call.key))
        _declarations(workspace).keep(call.session_id, call.key, _declared(workspace))
        others = tuple(other.name for other in calls.all() if other.session_id != call.session_id)
        intent_id = workspace.sessions.load(call.session_id).intent_id
        calls.announce(
            AnnouncedCall(
                call.session_id, call.key, call.tool_name, timestamp(), call.model, others=others, intent_id=intent_id
            )
        )


def announced_calls(workspace: Workspace) -> AnnouncedCalls:
    """The calls of this root that are not over."""
    return AnnouncedCalls(workspace.layout.announced / "calls")


def remember_tree(workspace: Workspace, session_id: str) -> None:
    """What stands there now is the base of the session's next comparison. Raises StoreError."""
    worktree_of(workspace).remember(session_id, ledger_mark.mark(workspace.layout).text)


def alone(workspace: Workspace, session_id: str) -> AbstractContextManager[None]:
    """No two processes compare at the same time, or both would record the same change."""
    return Locks(workspace.layout.locks / "shell").hold(["tree"], workspace.holder(session_id), _PATIENCE_S)


def worktree_of(workspace: Workspace) -> Worktree:
    """The working tree of this root, and where it is remembered."""
    return Worktree(workspace.root, workspace.layout.announced)


def configurations_before(workspace: Workspace, calls: Iterable[ShellCall | AnnouncedCall]) -> list[Configuration]:
    """What was declared before each of the calls, the same once: a tool can't widen its own scope, or switch the gate
    off for itself."""
    declarations = _declarations(workspace)
    snapshots = (declarations.look(call.session_id, call.key) for call in calls)
    contents = dict.fromkeys(None if snapshot is None else snapshot.data for snapshot in snapshots)
    return [workspace.configuration() if data is None else _configuration(workspace, data) for data in contents]


def end(workspace: Workspace, session_id: str, key: str) -> None:
    """The call is over: what it changed in declared files waits for a person. Raises StoreError."""
    _declarations(workspace).take(session_id, key)
    workspace.accepted.end(_key(session_id, key))
    announced_calls(workspace).close(session_id, key)


def _declarations(workspace: Workspace) -> PreEditSnapshots:
    return PreEditSnapshots(workspace.layout.announced / "terms")


def _declared(workspace: Workspace) -> bytes:
    """The files that a tool is judged by, with what counts of them now, as JSON."""
    layout, configuration = workspace.layout, workspace.configuration()
    # What counts, which after a merge with conflicts is not what the files hold.
    files = configuration.intents.files
    intents = {path: file.encode(file.text).decode("latin-1") for path, file in files.items()}
    if configuration.error is not None:
        intents = {INTENTS_FILE: _UNREADABLE.decode("latin-1")}
    contents = [_bytes(workspace, path) for path in (layout.policy, *layout.ignore_files)]
    texts = [None if data is None else data.decode("latin-1") for data in contents]
    return json.dumps([intents, *texts]).encode("ascii")


def _bytes(workspace: Workspace, path: Path) -> bytes | None:
    """A declared file; None without one. One that can't be read, such as a FIFO, is an error of the configuration."""
    try:
        return workspace.accepted.read(path.relative_to(workspace.root).as_posix())
    except (OSError, StoreError):
        return None


def _configuration(workspace: Workspace, kept: bytes) -> Configuration:
    """What `_declared` kept."""
    intents, *texts = json.loads(kept)
    policy, *ignores = (None if text is None else text.encode("latin-1") for text in texts)
    declared = parse_all_intents({path: text.encode("latin-1") for path, text in intents.items()})
    rules = IgnoreRules.parse((data or b"").decode("utf-8", "surrogateescape") for data in ignores)
    error = None if declared.valid else "The intents had errors before the tool ran."
    links = workspace.configuration().settings_links
    return Configuration(declared, parse_policy(policy), rules, error, settings_links=links)


_UNREADABLE = b"\0"  # no YAML


def _key(session_id: str, key: str) -> str:
    return f"{session_id}\0{key}"
