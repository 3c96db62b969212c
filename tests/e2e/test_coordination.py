"""Two clones that share their leases, by the verbs and agents' hooks that people run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.database import DatabaseServer
from tests.support.patience import PATIENCE_S, eventually
from tests.support.processes import runs
from tests.support.workspaces import make_git_repo, make_workspace

Json = dict[str, Any]
INTENTS = """\
active_intents:
  - {id: INT-001, name: One, status: IN_PROGRESS, owned_scope: ["src/**"]}
"""
SECRET = "t0psecret"


class Clone:
    """A clone whose verbs find the database by their environment."""

    def __init__(self, root: Path, address: str) -> None:
        self.root = root
        self.environment = {
            **os.environ,
            "INTENTLS_COORDINATION": address,
            "INTENTLS_COORDINATION_WAIT_MS": "9000",
            "HOME": str(root.parent),
        }

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """A verb to its end."""
        return subprocess.run(
            [sys.executable, "-m", "intentls", *arguments],
            cwd=self.root,
            env=self.environment,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE_S,
        )

    def hook(self, event: str, path: str, session: str = "s") -> str:
        """What an agent's hook answers before or after it writes a file."""
        tool = {"file_path": str(self.root / path), "content": "two\n"}
        message = {"hook_event_name": event, "session_id": session, "tool_name": "Write", "tool_input": tool}
        done = self.run("hook", "claude-code", stdin=json.dumps({**message, "cwd": str(self.root)}))
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, path: str) -> None:
        """An agent writes a file, with its hooks before and after."""
        assert "deny" not in self.hook("PreToolUse", path)
        (self.root / path).write_text("two\n")
        self.hook("PostToolUse", path)

    def records(self) -> list[Json]:
        """The ledger's records of changes."""
        lines = (self.root / ".orchestration/agent_trace.jsonl").read_text().splitlines()
        return [record for record in map(json.loads, lines) if record["tool_name"] == "write_to_file"]

    @property
    def keeper(self) -> int | None:
        """The keeper's process, while there is one."""
        file = self.root / f".orchestration/.state/coordination/keeper-{os.geteuid()}.json"
        return int(json.loads(file.read_text())["pid"]) if file.exists() else None

    def end_keeper(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it, and wait until it is gone."""
        pid = self.keeper
        if pid is not None and runs(pid):
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, number)
            eventually(lambda: not runs(pid))


@pytest.fixture
def clones(tmp_path: Path, database: DatabaseServer) -> Iterator[tuple[Clone, Clone]]:
    """Two clones of one repository; the session s of each works under INT-001."""
    address = database.new_database().replace("owner@", f"owner:{SECRET}@")
    files = {"src/a.py": "one\n", "src/b.py": "one\n"}
    first = make_git_repo(make_workspace(tmp_path / "one", INTENTS, files, policy="leases: enforce\n"))
    subprocess.run(["git", "clone", "-q", str(first), str(tmp_path / "two")], check=True)
    one, two = Clone(first, address), Clone(tmp_path / "two", address)
    try:
        assert one.run("coordination", "init").returncode == 0
        for clone in (one, two):
            assert clone.run("coordination", "status").returncode == 0
            assert clone.run("select", "INT-001", "--session", "s").returncode == 0
        yield one, two
    finally:
        for clone in (one, two):
            clone.end_keeper()


def test_a_file_that_an_agent_changes_on_one_machine_is_refused_on_the_other(clones: tuple[Clone, Clone]) -> None:
    """The record has the fence, the refusal says who and where. A keeper that is killed loses nothing, and no file ever
    has the secret.
    """
    one, two = clones
    one.write("src/a.py")
    (file,) = one.records()[-1]["files"]
    assert file["lease"]["since"] <= file["lease"]["used"]
    answer = two.hook("PreToolUse", "src/a.py")
    assert '"permissionDecision": "deny"' in answer
    assert f"src/a.py is being changed by session s on {os.uname().nodename} under INT-001" in answer
    status = two.run("coordination", "status", "--json").stdout
    assert SECRET not in status
    shown = json.loads(status)
    assert (shown["database"]["leases"], shown["database"]["sessions"]) == (1, 2)
    one.end_keeper(signal.SIGKILL)
    assert "deny" in two.hook("PreToolUse", "src/a.py")
    assert "Coordination Away" in one.hook("PreToolUse", "src/a.py")
    assert one.run("coordination", "status").returncode == 0
    assert "deny" not in one.hook("PreToolUse", "src/a.py")
    files = [path for path in one.root.rglob("*") if path.is_file()]
    assert [path for path in files if SECRET.encode() in path.read_bytes()] == []


def test_the_verbs_say_what_is_missing(tmp_path: Path) -> None:
    """No database, no repository, an address that is none."""
    clone = Clone(make_workspace(tmp_path / "w", INTENTS), "files")
    done = clone.run("coordination", "status")
    assert (done.returncode, done.stdout.strip()) == (0, "leases  in files, for this machine alone")
    done = clone.run("coordination", "init")
    assert (done.returncode, "No database is named" in done.stderr) == (2, True)
    clone.environment["INTENTLS_COORDINATION"] = "postgresql:///none?host=/nowhere"
    done = clone.run("coordination", "init")
    assert (done.returncode, "is in no git repository" in done.stderr) == (2, True)
