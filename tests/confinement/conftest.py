"""A tree whose scope is `src/**`, and the program that runs commands in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.confinement.machine import can_confine
from tests.support.forked_servers import Nursery, nursery
from tests.support.launcher import Orders
from tests.support.patience import PATIENCE_S, eventually
from tests.support.session import ledger_of
from tests.support.workspaces import intents_yaml, make_git_repo, make_workspace

__all__ = ["FILES", "Tree", "nursery", "tree"]

FILES = {"src/a.py": "a = 1\n", "src/b.py": "b = 1\n", "docs/d.md": "d\n", ".gitignore": "build/\n"}


@dataclass(frozen=True, slots=True)
class Tree:
    """A committed tree with `INT-001` over `src/**`, and a home of its own."""

    root: Path
    home: Path
    nursery: Nursery

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.home), "XDG_STATE_HOME": str(self.home / "state")}

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "intentls", "run", *arguments]

    def run(
        self, *arguments: str, stdin: str = "", environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """`intentls run` with these arguments, to its end, forked from a process that has the program imported."""
        orders = Orders(environment=environment or self.environment)
        return self.nursery.run(self.root, orders, ["run", *arguments], stdin)

    def start(self, line: str) -> subprocess.Popen[str]:
        """A line of a shell, begun staged under INT-001 as a user begins it; its streams are pipes."""
        return subprocess.Popen(
            self.command("--intent", "INT-001", "--", "sh", "-c", line),
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @contextmanager
    def stopped_after(
        self, line: str, first: str = "true", landed: Callable[[], object] = lambda: True
    ) -> Iterator[subprocess.Popen[str]]:
        """A run that is stopped, whose command has done `line` meanwhile: nothing of that has landed.

        It does `first` while the run still lands, until `landed`.
        """
        with self.start(f"{first}; echo ready; read go; {line}; echo done; read go") as process:
            assert process.stdout is not None
            assert process.stdin is not None
            assert process.stdout.readline() == "ready\n"
            eventually(landed)
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            process.stdin.write("go\n")
            process.stdin.flush()
            assert process.stdout.readline() == "done\n"
            yield process

    def kill_after(self, line: str, first: str = "true", landed: Callable[[], object] = lambda: True) -> None:
        """A run that is killed when its command has done `line`, as in `stopped_after`."""
        with self.stopped_after(line, first, landed) as process:
            process.kill()
            process.wait(PATIENCE_S)
            assert process.stdout is not None
            assert process.stdout.read() == ""  # the command's end closed it

    def staged(self, line: str, *options: str) -> subprocess.CompletedProcess[str]:
        """A line of a shell, staged under INT-001."""
        return self.run("--intent", "INT-001", *options, "--", "sh", "-c", line)

    def read(self, name: str) -> str | None:
        path = self.root / name
        return path.read_text() if path.exists() else None

    @property
    def records(self) -> list[dict[str, Any]]:
        return ledger_of(self.root)

    @property
    def runs_left(self) -> list[Path]:
        """The directories of runs that are not cleared away."""
        return [path for path in self.home.glob("state/intentls/runs/*/*") if path.is_dir()]


@pytest.fixture
def own_folder() -> Iterator[Path]:
    """A folder apart from pytest's, which each session that begins closes to other users, for all sessions."""
    with tempfile.TemporaryDirectory(prefix="intentls-", ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()


@pytest.fixture
def tree(own_folder: Path, nursery: Nursery) -> Tree:
    if not can_confine("staged", "root"):
        pytest.skip("this machine has no user namespaces for an overlay")
    home = own_folder / "home"
    home.mkdir()
    root = make_workspace(own_folder / "tree", intents=intents_yaml({"INT-001": ["src/**"]}), files=FILES)
    return Tree(make_git_repo(root), home, nursery)
