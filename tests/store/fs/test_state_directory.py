"""Directories below `.orchestration`: made where it is, and never instead of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intentls.core.errors import IntentlsError
from intentls.core.intents.lease import Lease, Process
from intentls.store.confinement.held_changes import HeldChanges, HeldRun
from intentls.store.fs.directory_watch import DirectoryWatch
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.state_directory import make_directory, prepare_state
from intentls.store.journal.journal import FileOp
from intentls.store.layout import Layout
from intentls.store.ledger_search.block_index import LedgerIndex
from intentls.store.questions.listeners import Listeners
from intentls.store.sessions.agent_processes import AgentProcesses
from intentls.store.sessions.editors import Editors
from intentls.store.sessions.leases import Leases
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots
from intentls.store.worktree.capture import KeptContents
from tests.store.journaling import Store

NOON = datetime(2026, 2, 18, 12, tzinfo=UTC)


def test_a_directory_is_made_with_those_above_it(root: Path) -> None:
    """As far up as `.orchestration`; one that is there already is fine."""
    directory = root / ".orchestration/.state/a/b"
    make_directory(directory)
    make_directory(directory)
    assert directory.is_dir()


def test_where_orchestration_is_missing_nothing_is_made(root: Path) -> None:
    """The error is the one of a missing directory."""
    (root / ".orchestration").rmdir()
    with pytest.raises(FileNotFoundError):
        make_directory(root / ".orchestration/.state/a")
    assert list(root.iterdir()) == []


def test_a_directory_that_stands_elsewhere_is_made_with_all_above_it(tmp_path: Path) -> None:
    """The private folder that takes the place of a linked `.orchestration` has another name."""
    make_directory(tmp_path / "private/root/.state")
    assert (tmp_path / "private/root/.state").is_dir()


def _lease(layout: Layout) -> None:
    lease = Lease("a", "s", "INT-001", NOON, NOON, NOON + timedelta(minutes=1), Process(1, "here"))
    Leases(layout.leases).update("a", lambda _: lease, "me")


def _lock(layout: Layout) -> None:
    with Locks(layout.locks / "paths").hold(["a"], "me"):
        pass


def _watch(layout: Layout) -> None:
    DirectoryWatch(layout.questions).close()


def _listen(layout: Layout) -> None:
    held = Listeners(layout.listeners).register("lsp")
    assert held is not None
    held.release()


WRITERS: dict[str, Callable[[Layout], object]] = {
    "state": prepare_state,
    "lease": _lease,
    "lock": _lock,
    "editor": lambda layout: Editors(layout.editors).note("s", "vim", (), "now"),
    "agent": lambda layout: AgentProcesses(layout.agents).note("s"),
    "snapshot": lambda layout: PreEditSnapshots(layout.snapshots).keep("s", "a", b"1"),
    "watch": _watch,
    "listener": _listen,
    "held": lambda layout: HeldChanges(layout.held).begin(HeldRun("r1", "s", "INT-001", "make", "now")),
    "content": lambda layout: KeptContents(layout.state / "tree/blobs").prepare(),
    "index": lambda layout: LedgerIndex(layout, "records").forget(),
    "edit": lambda layout: Store(layout.root).journal.commit([FileOp("a", None, b"1")], {"id": "r1"}),
    "record": lambda layout: Store(layout.root).journal.record({"id": "r1"}, durable=True),
}


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_what_still_runs_does_not_bring_a_removed_orchestration_back(
    root: Path, writer: Callable[[Layout], object]
) -> None:
    """Git went to a branch without intents, or a person removed the folder."""
    writer(Layout(root))
    assert any((root / ".orchestration").iterdir())
    shutil.rmtree(root / ".orchestration")
    with suppress(IntentlsError, OSError):
        writer(Layout(root))
    assert not (root / ".orchestration").exists()
