"""Settling classes: a change set that is complete is judged as a whole, and a record says where that differs.

The change set of a commit is what it changes against its first parent; that of a commit to come is what is staged. When
an intent closes, each of the last commits since its first record is one, and what is not committed yet is another. A
merge is none: each side was settled where it was made. `core.ledger.settlement` has the rules and an example.

All work is bounded by counts, and what exceeds them is said in the record (`change_set.too_large`).
"""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

import intentls
from intentls.core.errors import ConfigurationError, IntentlsError, LedgerUnavailable
from intentls.core.gate.refusal import ScopeValidation
from intentls.core.hashing import hash_of
from intentls.core.ledger.record import ClassSource, Record, Vcs
from intentls.core.ledger.record_json import RecordJson, files_of, is_evidence_of_content, text_of
from intentls.core.ledger.settlement import (
    CHANGE_SET,
    SETTLE,
    SUPERSEDES,
    SettledClass,
    Step,
    change_set_digest,
    digest_of,
    is_provisional,
    settled_classes,
    steps_between,
)
from intentls.core.ledger.trace_state import TraceState
from intentls.core.mutation.classes import Change, worst
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from intentls.engine.branch_check.comparison import ComparisonRequest, compare
from intentls.engine.branch_check.repository_at_commit import RepositoryAtCommit
from intentls.engine.ledger.settled_classes import SESSION, SettledClasses, settlements
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.late_module import LateModule
from intentls.store.clock import timestamp
from intentls.store.git.commits import (
    ChangedFile,
    changed_between,
    changed_files,
    commit_id,
    commits_since,
    is_merge,
    work_tree,
)
from intentls.store.git.stage_ledger import is_merging, tree_of_index
from intentls.store.layout import LEDGER_NAME, ORCHESTRATION, TRACE_NAME
from intentls.store.ledger_search.query import RecordQuery

if TYPE_CHECKING:
    from intentls.core.mutation import classify
else:
    classify = LateModule("intentls.core.mutation.classify")

log = logging.getLogger(__name__)

_MAX_NODES = 2_000_000  # of all trees of one change set
_MAX_FILES = 200  # of one change set
_MAX_STEPS = 200  # records of one file that are looked at
_MAX_COMMITS = 20  # of one intent, the newest


class Settlement(Struct, frozen=True):
    """What was settled in one root, and the id of the record that says so."""

    root: Path
    record_id: str
    superseded: tuple[SettledClass, ...]


class _ChangeSet(Struct, frozen=True):
    """`state` names the commit or the tree that has the other files; `revision` is what the record is made on."""

    top: Path
    files: tuple[ChangedFile, ...]
    state: str
    revision: str | None


def settle_commit(start: Path, commit: str, *, only: Path | None = None) -> tuple[Settlement, ...]:
    """Settle what a commit changed, in every root that governs a file of it, or in `only` one.

    Nothing of a merge, and nothing while git itself makes commits. Raises ConfigurationError, LedgerUnavailable.
    """
    top = work_tree(start)
    revision = commit_id(top, commit)
    if is_merge(top, revision) or is_merging(top):
        return ()
    return _settled(_ChangeSet(top, changed_files(top, revision), revision, revision), only)


def settle_staged(start: Path, index: Path | None) -> tuple[Settlement, ...]:
    """Settle what is staged, before it is committed: a commit waits for this, and never fails for it."""
    try:
        top = work_tree(start)
        tree, head = tree_of_index(top, index), _head(top)
        if tree is None or head is None or is_merging(top):
            return ()
        return _settled(_ChangeSet(top, changed_between(top, head, tree), tree, head), None)
    except Exception:  # the classes stay provisional
        log.exception("what is staged could not be settled")
        return ()


def settle_closed(workspace: Workspace, intent_id: str) -> tuple[Settlement, ...]:
    """Settle what was done for an intent, if it is closed now. Never raises."""
    intent = workspace.configuration().intents.intents.get(intent_id)
    return () if intent is None or intent.is_open else settle_intent(workspace, intent_id)


def settle_intent(workspace: Workspace, intent_id: str) -> tuple[Settlement, ...]:
    """Settle the last commits since the intent's first record, and what is not committed. Never raises."""
    try:
        records = workspace.ledger.newest(RecordQuery(intent_id=intent_id))
        revisions = [(record.get("vcs") or {}).get("revision_id") for record in records if is_provisional(record)]
        if not revisions:
            return ()
        top = work_tree(workspace.root)
        settled: list[Settlement] = []
        for commit in commits_since(top, revisions[-1], _MAX_COMMITS):
            settled += settle_commit(top, commit, only=workspace.root)
        on_disk = _on_disk(top)
        return (*settled, *(() if on_disk is None else _settled(on_disk, workspace.root)))
    except (IntentlsError, OSError) as error:
        log.info("%s closes, and its classes stay provisional: %s", intent_id, error)
        return ()


def _on_disk(top: Path) -> _ChangeSet | None:
    head = _head(top)
    comparison = compare(top, ComparisonRequest(disk=True))
    if head is None or comparison.joined_id is not None:
        return None
    paths = [change.path for change in comparison.changed() if not _is_ours(change.path)]
    if len(paths) > _MAX_FILES:
        return None
    before, after = dict(comparison.base.read_all(paths)), dict(comparison.head.read_all(paths))
    files = (ChangedFile(path, _change(path, before, after), before.get(path), after.get(path)) for path in paths)
    return _ChangeSet(top, tuple(files), head, head)


def _change(path: str, before: Collection[str], after: Collection[str]) -> Change:
    return Change.ADD if path not in before else Change.DELETE if path not in after else Change.MODIFY


def _head(top: Path) -> str | None:
    try:
        return commit_id(top, "HEAD")
    except ConfigurationError:
        return None


def _settled(change_set: _ChangeSet, only: Path | None) -> tuple[Settlement, ...]:
    files = tuple(file for file in change_set.files if not _is_ours(file.path))
    change_set = replace(change_set, files=files)
    verdicts: tuple[FileClass, ...] | None = None
    settlements_: list[Settlement] = []
    for root in sorted(_roots(change_set.top, files)):
        if only not in (None, root):
            continue
        part = _RootPart.of(change_set, root)
        if part is None:
            continue
        if verdicts is None:
            verdicts = _judged(change_set)
        if verdicts is None:
            return ()
        settlement = part.settle(verdicts, change_set.revision)
        settlements_ += [] if settlement is None else [settlement]
    return tuple(settlements_)


def _is_ours(path: str) -> bool:
    return ORCHESTRATION in PurePosixPath(path).parts


def _roots(top: Path, files: Iterable[ChangedFile]) -> set[Path]:
    """The roots with a ledger that govern the files: of each file the deepest."""
    roots: set[Path] = set()
    known: dict[Path, Path | None] = {}
    for file in files:
        folder = (top / file.path).parent
        if folder not in known:
            above = (folder, *folder.parents)
            known[folder] = next((one for one in above if one.is_relative_to(top) and _has_ledger(one)), None)
        root = known[folder]
        roots |= set() if root is None else {root}
    return roots


def _has_ledger(folder: Path) -> bool:
    home = folder / ORCHESTRATION
    return os.path.lexists(home / TRACE_NAME) or os.path.lexists(home / LEDGER_NAME)


def _judged(change_set: _ChangeSet) -> tuple[FileClass, ...] | None:
    """The class of each file; none if they are too many. None: they can't be told, and stay provisional."""
    files = [FileVersions(file.path, file.change, file.before, file.after, file.old_path) for file in change_set.files]
    if len(files) > _MAX_FILES:
        return ()
    others = RepositoryAtCommit(change_set.top, change_set.state, {file.path for file in files})
    try:
        return classify.classify_change(files, nodes=_MAX_NODES, others=others)
    except (IntentlsError, OSError):  # the repository can't be read: who asked is told
        raise
    except Exception:  # an intent must close though nobody can say of what kind its changes are
        log.exception("a change set could not be classed")
        return None


class _RootPart(Struct, frozen=True):
    """What a change set did in one root, and the records that did it. Paths are relative to the root."""

    workspace: Workspace
    prefix: str
    digest: str
    count: int
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, change_set: _ChangeSet, root: Path) -> _RootPart | None:
        """None if there is nothing to settle, or it is settled already."""
        prefix = "" if root == change_set.top else f"{root.relative_to(change_set.top).as_posix()}/"
        own = [file for file in change_set.files if file.path.startswith(prefix)]
        hashes = [(file.path.removeprefix(prefix), hash_of(file.before), hash_of(file.after)) for file in own]
        workspace = Engine(Headless("cli", (root,))).workspace(root)
        digest = change_set_digest(hashes)
        if any(digest_of(record) == digest for record in settlements(workspace)):
            return None
        steps = [
            step for path, before, after in hashes for step in steps_between(_steps(workspace, path), before, after)
        ]
        if not any(is_provisional(record) for record, _ in steps):
            return None
        return cls(workspace, prefix, digest, len(own), tuple(steps))

    def settle(self, verdicts: Sequence[FileClass], revision: str | None) -> Settlement | None:
        """Append the record, if there is anything to say. Raises LedgerUnavailable."""
        own = {
            path: replace(verdict, path=path)
            for verdict in verdicts
            if verdict.path.startswith(self.prefix) and (path := verdict.path.removeprefix(self.prefix))
        }
        superseded = settled_classes(self.steps, own, SettledClasses.of(self.workspace))
        too_large = sum(verdict.is_too_large for verdict in own.values()) if own else self.count
        if not superseded and not too_large:
            return None
        record = self._record(superseded, own, too_large, revision)
        if self.workspace.journal.record(record, durable=False) is not TraceState.RECORDED:
            raise LedgerUnavailable(
                f"{self.workspace.layout.ledger} can't be written, so the classes stay provisional."
            )
        return Settlement(self.workspace.root, str(record["id"]), superseded)

    def _record(
        self,
        superseded: Sequence[SettledClass],
        verdicts: dict[str, FileClass],
        too_large: int,
        revision: str | None,
    ) -> RecordJson:
        """It changed no file, so it names none."""
        intents = {text_of(record, "intent_id") for record, _ in self.steps}
        record = Record(
            id=str(uuid.uuid4()),
            timestamp=timestamp(),
            vcs=None if revision is None else Vcs(revision),
            tool_version=intentls.__version__,
            session_id=SESSION,
            tool_name=SETTLE,
            mutation_class=worst(verdict.mutation_class for verdict in verdicts.values()),
            mutation_class_source=ClassSource.INFERRED,
            scope_validation=ScopeValidation.EXEMPT,
            success=True,
            files=(),
        )
        intent = {"intent_id": next(iter(intents))} if len(intents) == 1 else {}
        change_set = {"digest": self.digest, "files": self.count} | ({"too_large": too_large} if too_large else {})
        body = {SUPERSEDES: [one.to_json() for one in superseded], CHANGE_SET: change_set}
        return {**record.to_json(), **intent, **body}  # type: ignore[typeddict-item]


def _steps(workspace: Workspace, path: str) -> Iterator[Step]:
    """What records did to a file, the newest first, followed back through renames."""
    name: str | None = path
    renaming: str | None = None
    while name is not None:
        former: str | None = None
        for record in workspace.ledger.newest(RecordQuery(path=name), _MAX_STEPS):
            if renaming is not None:
                renaming = None if record.get("id") == renaming else renaming
                continue
            if record.get("success") is not True or not is_evidence_of_content(record):
                continue
            for file in files_of(record):
                if file.get("path") == name:
                    yield record, file
                    former = text_of(file, "old_path")
            if former not in (None, name):
                renaming = text_of(record, "id")
                break
        name = former if renaming is not None else None
