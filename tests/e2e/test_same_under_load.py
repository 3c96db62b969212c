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
from tests.support.workspaces import WEATHER_INTENTS, write_files

EDITS = 200 if os.environ.get("INTENTLS_LONG") else 40
BUSY = 6


def edits() -> Iterator[tuple[str, str]]:
    """New files of about 8 KB and changes of them: comments, renames, methods, in two languages."""
    for number in range(EDITS // 5):
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


def records(root: Path, busy: int) -> list[dict[str, Any]]:
    """What a server records of the edits, without ids and times."""
    write_files(root, {".orchestration/active_intents.yaml": WEATHER_INTENTS})
    with busy_processes(busy), session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001", session_id="agent-1")
        for path, content in edits():
            assert server.do("writeToFile", path=path, content=content, session_id="agent-1")["status"] == "ok"
    return [
        {key: value for key, value in record.items() if key not in {"id", "timestamp", "chain"}}
        for record in ledger_of(root)
    ]


def test_edits_leave_the_same_records_quiet_and_beside_six_busy_processes(tmp_path: Path) -> None:
    """The records are equal but for ids and times, and all name definitions."""
    quiet, loaded = records(tmp_path / "quiet", 0), records(tmp_path / "loaded", BUSY)
    assert len(quiet) == EDITS
    assert all('"symbols"' in json.dumps(record) for record in quiet)
    assert quiet == loaded
