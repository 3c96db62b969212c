"""What a guarded write over a file costs where nothing happened beside it: looks at the journal, and hashes."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from intentls.core import hashing
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.edits.perform import perform
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.store.sessions.sessions import Session

PATH = "src/api/weather.py"


@pytest.fixture
def engine(workspace: Path) -> Engine:
    """A process that wrote the file before."""
    engine = Engine(Headless("lsp", (workspace,), own_session="s1"))
    engine.workspace(workspace).sessions.save(Session("s1", "INT-001"))
    for number in range(2):
        write(engine, f"NUMBER = {number}\n")
    return engine


def write(engine: Engine, text: str) -> None:
    assert isinstance(drive(perform(engine, EditRequest(WriteFile(PATH, text), "s1"))), EditResult)


def test_a_write_lists_the_journal_three_times(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the lock of its path, to number its entry, and before its record: others may have come in between."""
    listed: Counter[str] = Counter()
    list_directory = os.listdir

    def counting(directory: Any) -> list[str]:
        listed[Path(directory).name] += 1
        return list_directory(directory)

    monkeypatch.setattr(os, "listdir", counting)
    write(engine, "NUMBER = 3\n")
    assert (listed["journal"], listed["stage"]) == (3, 2)


def test_a_write_hashes_what_it_read_and_what_it_writes_no_oftener_than_it_must(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old text each time that it is read, and for its record; the new one for its record and the journal."""
    hashed: Counter[bytes] = Counter()
    content_hash = hashing.content_hash

    def counting(data: bytes) -> str:
        hashed[data] += 1
        return content_hash(data)

    monkeypatch.setattr(hashing, "content_hash", counting)
    write(engine, "NUMBER = 4\n")
    assert hashed == {b"NUMBER = 1\n": 4, b"NUMBER = 4\n": 2}
