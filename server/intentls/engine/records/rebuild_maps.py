"""The derived maps anew, from the ledger alone: for when they were lost, merged by hand, or fell behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from intentls.core.derived.intent_map import MapSection
from intentls.core.ledger.lesson_record import RECORD_LESSON
from intentls.core.ledger.record_json import (
    ATTEST,
    UNTRACKED,
    FileJson,
    Record,
    files_of,
    objects,
    text_of,
)
from intentls.core.mutation.classes import Change, MutationClass
from intentls.engine.records.recorded_lessons import bring_locked
from intentls.engine.workspace.workspace import Workspace
from intentls.store.derived import MAX_ENTRIES, LineSpan, SpatialEntry, SpatialOperation

MAPPED = frozenset({MutationClass.INTENT_EVOLUTION, MutationClass.FILE_CREATION})
"""The classes of change that put a file into the intent map."""

_HOLDER = "rebuild"
# What changes an intent's own declaration maps nothing; a lesson and an attestation change nothing when they are made.
_UNMAPPED = frozenset({"new_intent", "set_status", "expand_scope", "accept_intent", ATTEST, RECORD_LESSON})


class RebuildResult(Struct, frozen=True):
    """Whether the files changed, and how many records they were made from."""

    records: int
    map_changed: bool
    spatial_changed: bool


def rebuild_maps(workspace: Workspace) -> RebuildResult:
    """Let `intent_map.md` and `spatial_map.json` say what the ledger says, and AGENT.md have all lessons of it.

    What people wrote into these files stays, and so do the entries that other tools made of what they read. Raises
    LedgerUnavailable, StoreError, LockTimeout.
    """
    with workspace.derived_lock.hold(("derived files",), workspace.holder(_HOLDER)):
        result = rebuild_locked(workspace)
        bring_locked(workspace, deleted_too=True)
        return result


def rebuild_locked(workspace: Workspace) -> RebuildResult:
    """The same, for a caller that holds the lock of the derived files."""
    generation = workspace.ledger.generation()
    replay = _Replay()
    for record in workspace.ledger.oldest_first():
        replay.feed(record)
    foreign = [entry for entry in workspace.derived.read_spatial() if entry.operation_type is SpatialOperation.READ]
    spatial = [*foreign, *_newest_entries(workspace)]
    layout, derived = workspace.layout, workspace.derived
    result = RebuildResult(
        replay.records,
        # Where there is nothing to say and no file that says otherwise, none is made.
        (bool(replay.files) or layout.intent_map.exists()) and derived.rebuild_map(_sections(workspace, replay)),
        (bool(spatial) or layout.spatial_map.exists()) and derived.rebuild_spatial(spatial),
    )
    derived.note_generation(generation)
    return result


def _newest_entries(workspace: Workspace) -> Iterable[SpatialEntry]:
    """As many of the newest entries as are kept, and as many again: a clock may have been set back."""
    spatial: dict[object, SpatialEntry] = {}
    for record in workspace.ledger.newest_first():
        if len(spatial) >= 2 * MAX_ENTRIES:
            break
        if _changed_something(record):
            for entry in _entries(record):
                known = spatial.get(entry.key)
                if known is None or known.timestamp < entry.timestamp:
                    spatial[entry.key] = entry
    return spatial.values()


def _sections(workspace: Workspace, replay: _Replay) -> dict[str, MapSection]:
    """Those with files in the order in which they got their first, then the others that are known."""
    declared = workspace.configuration().intents.intents
    known = [*replay.files, *sorted({*declared, *replay.emptied} - set(replay.files))]
    return {
        intent_id: MapSection(
            declared[intent_id].name if intent_id in declared else "", tuple(sorted(replay.files.get(intent_id, ())))
        )
        for intent_id in known
    }


class _Replay:
    """Follows the records, oldest first. `files` are those of each intent that has any, `emptied` had some once."""

    def __init__(self) -> None:
        self.records = 0
        self.files: dict[str, set[str]] = {}
        self.emptied: set[str] = set()
        self._intents: dict[str, set[str]] = {}  # by path

    def feed(self, record: Record) -> None:
        """Take in one record; refusals changed nothing."""
        if _changed_something(record):
            self.records += 1
            self._map(record, [file for file in files_of(record) if isinstance(file.get("path"), str)])

    def _map(self, record: Record, files: list[FileJson]) -> None:
        """Renames and deletions are so for every intent; then the record's own intent gets what is new."""
        for file in files:
            old_path = text_of(file, "old_path")
            for owner in self._intents.pop(old_path or "", ()):
                self.files[owner].remove(old_path or "")
                self._add(owner, file["path"])
        remaining = {file["path"] for file in files if file.get("change") != Change.DELETE}
        for path in {file["path"] for file in files} - remaining:
            for owner in self._intents.pop(path, ()):
                self._remove(owner, path)
        intent_id = record.get("intent_id")
        if isinstance(intent_id, str) and intent_id != UNTRACKED and text_of(record, "mutation_class") in MAPPED:
            for path in remaining:
                self._add(intent_id, path)

    def _add(self, intent_id: str, path: str) -> None:
        self.files.setdefault(intent_id, set()).add(path)
        self._intents.setdefault(path, set()).add(intent_id)

    def _remove(self, intent_id: str, path: str) -> None:
        self.files[intent_id].remove(path)
        if not self.files[intent_id]:
            self.emptied.add(intent_id)
            del self.files[intent_id]


def _changed_something(record: Record) -> bool:
    return record.get("success") is True and text_of(record, "tool_name") not in _UNMAPPED


def _entries(record: Record) -> Iterator[SpatialEntry]:
    """As `engine.maps` made them when the record was written."""
    intent_id, timestamp = record.get("intent_id"), record.get("timestamp")
    if not isinstance(intent_id, str) or intent_id == UNTRACKED or not isinstance(timestamp, str):
        return
    for file in files_of(record):
        operation = SpatialOperation.WRITE if file.get("change") == Change.ADD else SpatialOperation.MODIFY
        for conversation in objects(file.get("conversations")):
            for where in objects(conversation.get("ranges")):
                start, end, hash_ = where.get("start_line"), where.get("end_line"), where.get("content_hash")
                if isinstance(file.get("path"), str) and isinstance(start, int) and isinstance(end, int):
                    yield SpatialEntry(
                        file_path=file["path"],
                        intent_id=_intent_of(conversation) or intent_id,
                        operation_type=operation,
                        timestamp=timestamp,
                        line_range=LineSpan(start, end),
                        content_hash=hash_ if isinstance(hash_, str) else None,
                    )


def _intent_of(conversation: Record) -> str | None:
    """The intent that a conversation worked under, where it names one."""
    values = (found.get("value") for found in objects(conversation.get("related")))
    return next((value for value in values if isinstance(value, str)), None)
