"""An import that is cut off, or finds a ledger that can't be written: run again, each record is there once."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from intentls.core.errors import LedgerUnavailable
from intentls.engine.ledger import import_records as module
from intentls.engine.ledger.import_records import import_records
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.journal import entry_slots
from intentls.store.ledger.ledger import Ledger
from tests.store.journaling import Killed, at_call, die
from tests.support.workspaces import make_workspace

RECORDS = 7
IDS = [str(uuid.UUID(int=number)) for number in range(1, RECORDS + 1)]


def opened(root: Path) -> Workspace:
    """As another process opens it."""
    return Engine(Headless("cli", (root,))).workspace(root)


def ids(workspace: Workspace) -> list[str]:
    return [record["id"] for record in workspace.ledger.oldest_first()]


@contextmanager
def unwritable() -> Iterator[None]:
    """The ledger can be read, and takes no record."""

    def full(*_: object, **__: object) -> None:
        raise LedgerUnavailable("the disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ledger, "append", full)
        yield


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seven records; the journal takes three at a time."""
    monkeypatch.setattr(module, "_BATCH", 3)
    where = {"start_line": 1, "end_line": 1}
    record = {
        "version": "0.1.0",
        "timestamp": "2026-01-23T14:30:00Z",
        "tool": {"name": "other", "version": "1"},
        "files": [{"path": "src/a.py", "conversations": [{"contributor": {"type": "ai"}, "ranges": [where]}]}],
    }
    made = tmp_path / "theirs.jsonl"
    made.write_text("".join(f"{json.dumps({**record, 'id': id_})}\n" for id_ in IDS))
    return made


@pytest.mark.parametrize("late", [False, True], ids=["before the call", "after the call"])
def test_an_import_that_is_killed_at_any_call_loses_and_doubles_nothing(tmp_path: Path, file: Path, late: bool) -> None:
    """Whole batches that were entered follow by themselves; the next run takes in the rest."""
    there = []
    for number in range(0, 400, 6):
        root = make_workspace(tmp_path / str(number))
        killed = True
        with at_call(number, die, late=late):
            try:
                import_records(opened(root), file)
                killed = False
            except Killed:
                pass
        workspace = opened(root)
        workspace.journal.recover()
        there.append(len(ids(workspace)))
        assert ids(workspace) == IDS[: there[-1]]
        again = import_records(workspace, file)
        assert (again.records, again.duplicates) == (RECORDS - there[-1], there[-1])
        assert ids(workspace) == IDS
        assert workspace.ledger.verify().problems == ()
        if not killed:
            break
    assert there == sorted(there)
    assert {0, 3, 7} <= set(there) <= {0, 3, 6, 7}


def test_an_import_stops_where_the_ledger_can_not_be_written(tmp_path: Path, file: Path) -> None:
    """It claims nothing; what the journal holds follows, and is not taken in a second time."""
    workspace = opened(make_workspace(tmp_path / "root"))
    with unwritable(), pytest.raises(LedgerUnavailable, match="What waits follows once it can"):
        import_records(workspace, file)
    assert [record["id"] for record in workspace.journal.waiting()] == IDS[2::-1]
    again = import_records(workspace, file)
    assert (again.records, again.duplicates) == (4, 3)
    assert ids(workspace) == IDS
    assert workspace.ledger.verify().problems == ()


def test_an_import_says_so_where_nothing_can_be_held(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the ledger nor the journal: nothing waits."""
    workspace = opened(make_workspace(tmp_path / "root"))
    monkeypatch.setattr(entry_slots, "_MAX_SLOTS", 0)
    with unwritable(), pytest.raises(LedgerUnavailable, match="Make it writable and run the import again"):
        import_records(workspace, file)
