"""After a commit: a record that says which records it took in. It can be made again, and it never stops a commit."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct

import intentls
from intentls.core.errors import LedgerUnavailable
from intentls.core.gate.refusal import ScopeValidation
from intentls.core.ledger.hash_chain import encode, parse
from intentls.core.ledger.record import ClassSource, Record, Vcs
from intentls.core.ledger.record_json import RecordJson, files_of
from intentls.core.ledger.trace_state import TraceState
from intentls.core.mutation.classes import MutationClass
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.git.commits import added_lines, changed_paths, commit_id, git_paths, work_tree
from intentls.store.git.ledger_at_commit import is_segment
from intentls.store.layout import LEDGER_NAME, ORCHESTRATION, TRACE_NAME

TOOL_NAME = "git_commit"
KEY = "binding"
# While git itself makes commits, one after the other, it wants the work tree as it left it.
_UNDER_WAY = ("rebase-merge", "rebase-apply", "sequencer", "CHERRY_PICK_HEAD", "REVERT_HEAD")


class CommitBinding(Struct, frozen=True):
    """What was bound in one root: the ids of `records` whose files the commit has; the others are still `waiting`.

    `record_id` is the binding's own, None if there was one for this commit already.
    """

    root: Path
    revision: str
    records: tuple[str, ...]
    waiting: tuple[str, ...]
    record_id: str | None


def bind(start: Path, commit: str, session_id: str, *, only: Path | None = None) -> tuple[CommitBinding, ...]:
    """Bind the records that `commit` took in, in every root whose ledger it changed, or in `only` one.

    Nothing is bound while a rebase is under way, and by a commit that takes in nothing but bindings.
    Raises ConfigurationError, StoreError.
    """
    top = work_tree(start)
    if any(os.path.lexists(path) for path in git_paths(top, _UNDER_WAY)):
        return ()
    revision = commit_id(top, commit)
    changed = changed_paths(top, revision)
    ledgers: dict[str, list[str]] = {}
    for file in changed:
        prefix, found, name = file.rpartition(f"{ORCHESTRATION}/{TRACE_NAME}/")
        if not found:
            prefix, found, name = file.rpartition(f"{ORCHESTRATION}/{LEDGER_NAME}")
        if found and (not name or is_segment(f"{TRACE_NAME}/{name}")):
            ledgers.setdefault(prefix, []).append(file)
    return tuple(
        _bound(top, revision, prefix, files, changed, session_id)
        for prefix, files in ledgers.items()
        if only in (None, top / prefix)
    )


def _bound(
    top: Path, revision: str, prefix: str, ledger: Iterable[str], changed: Iterable[str], session_id: str
) -> CommitBinding:
    paths = {path.removeprefix(prefix) for path in changed if path.startswith(prefix)}
    taken: list[str] = []
    waiting: list[str] = []
    intents: set[str] = set()
    for record in _records(dict.fromkeys(line for file in ledger for line in added_lines(top, revision, file))):
        touched = {str(file.get(key)) for file in files_of(record) for key in ("path", "old_path") if file.get(key)}
        if touched & paths:
            taken.append(str(record["id"]))
            intents.add(str(record.get("intent_id")))
        else:
            waiting.append(str(record["id"]))
    root = top / prefix if prefix else top
    bound = CommitBinding(root, revision, tuple(taken), tuple(waiting), None)
    if not taken:
        return bound
    workspace = Engine(Headless("cli", (root,))).workspace(root)
    if _is_known(workspace, revision):
        return bound
    binding = _record(bound, session_id, intents.pop() if len(intents) == 1 else None)
    if workspace.journal.record(binding, durable=False) is not TraceState.RECORDED:
        raise LedgerUnavailable(f"{workspace.layout.ledger} can't be written, so {revision[:12]} is not bound yet.")
    return CommitBinding(root, revision, bound.records, bound.waiting, str(binding["id"]))


def _records(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The changes among the lines that a commit added to a ledger."""
    for line in lines:
        record = parse(line)
        if record is not None and record.get("success") is True and files_of(record) and "id" in record:
            yield record


def _is_known(workspace: Workspace, revision: str) -> bool:
    """Whether this commit has its binding."""
    found = chain(workspace.journal.waiting(), workspace.ledger.newest_first(encode(revision)))
    return any(
        record.get("tool_name") == TOOL_NAME and (record.get("vcs") or {}).get("revision") == revision
        for record in found
    )


def _record(bound: CommitBinding, session_id: str, intent_id: str | None) -> RecordJson:
    """It changed no file, so it names none: a binding must never stand in for a record of a change."""
    record = Record(
        id=str(uuid.uuid4()),
        timestamp=timestamp(),
        vcs=Vcs(bound.revision),
        tool_version=intentls.__version__,
        session_id=session_id,
        tool_name=TOOL_NAME,
        mutation_class=MutationClass.UNKNOWN,
        mutation_class_source=ClassSource.INFERRED,
        scope_validation=ScopeValidation.EXEMPT,
        success=True,
        files=(),
        intent_id=intent_id,
    )
    binding = {"records": list(bound.records), "waiting": list(bound.waiting)}
    return {**record.to_json(), "metadata": {KEY: binding}}
