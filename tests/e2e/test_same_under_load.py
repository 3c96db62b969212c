"""A record depends on contents, intents and history, never on how busy the machine was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.session import ledger_of, session
from tests.support.workspaces import WEATHER_INTENTS, git, make_git_repo

LONG = os.environ.get("INTENTLS_LONG") == "1"
EDITS, BUSY = (200, 6) if LONG else (20, 2)
PATIENCE_S = 300.0  # for one answer: how long it takes is no matter of this test


def edits(count: int) -> Iterator[tuple[str, str]]:
    """New files of about 8 KB and changes of them: comments, renames, methods, in two languages."""
    for number in range(count // 5):
        methods = "\n".join(
            f"    def method_{line}(self, value):\n        count = value + {line}\n        return count * {number}\n"
            for line in range(60)
        )
        python = f"class Station{number}:\n{methods}\n\nLIMIT = {number}\n"
        path = f"src/api/station_{number}.py"
        yield path, python
        yield path, python.replace("count = value + 7\n", "count = value + 7  # the seventh\n")
        yield path, python.replace("count = value + 9\n        return count", "total = value + 9\n        return total")
        script = "\n".join(
            f"export function f{line}(a: number) {{ return a + {line} * {number} }}" for line in range(60)
        )
        yield f"src/api/station_{number}.ts", script
        yield f"src/api/station_{number}.ts", script.replace("a + 5 ", "a + 55 ")


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """As many processes that only compute."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def repository(folder: Path) -> Path:
    """A repository with intents, whose user has a name."""
    root = make_git_repo(folder, {".orchestration/active_intents.yaml": WEATHER_INTENTS})
    git(root, "config", "user.name", "Ada Lovelace")
    return root


def records(root: Path, count: int = EDITS) -> list[dict[str, Any]]:
    """What a server records of so many edits, without ids and times."""
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001", session_id="agent-1")
        for path, content in edits(count):
            arguments = {"path": path, "content": content, "session_id": "agent-1"}
            answer = server.wire.command("intent.writeToFile", arguments, PATIENCE_S)
            assert answer["result"]["status"] == "ok"
    return [
        {key: value for key, value in record.items() if key not in {"id", "timestamp", "chain", "vcs"}}
        for record in ledger_of(root)
    ]


def test_edits_leave_the_same_records_quiet_and_beside_busy_processes(tmp_path: Path) -> None:
    """The records are equal but for ids and times; all name definitions and the person, and none says `too_large`."""
    quiet, loaded = repository(tmp_path / "quiet"), repository(tmp_path / "loaded")
    expected = records(quiet)
    with busy_processes(BUSY):
        actual = records(loaded)
    assert len(expected) == EDITS
    texts = [json.dumps(record) for record in expected]
    assert all('"symbols"' in text and "Ada Lovelace" in text and "too_large" not in text for text in texts)
    assert actual == expected
