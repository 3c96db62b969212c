"""Exactly one winner among hosts that share nothing but the database: own processes, names and clocks.

Each is in namespaces of its own (processes, host name, network, mounts, and the seconds since the machine's start),
where this user may make them. `make soak` has 50 clients on 5 hosts in 300 rounds, `make test` 4 on 2 in 3.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.support.database import DatabaseServer

LONG = os.environ.get("INTENTLS_LONG") == "1"
HOSTS, CLIENTS, ROUNDS = (5, 10, 300) if LONG else (2, 2, 3)
APART_S = 240
_REPOSITORY = Path(__file__).parents[2]


class Host:
    """The `number`-th host: its clocks are that many times four minutes ahead of the first one's."""

    def __init__(self, number: int, shared: tuple[str, str], folder: Path, stack: ExitStack) -> None:
        self.name = f"host{number}"
        apart = APART_S * number
        program = [sys.executable, "-m", "tests.concurrency.simulated_host", str(folder), self.name, *shared]
        self._process = subprocess.Popen(
            [*apart_from_us(self.name, apart), *program, str(CLIENTS), str(apart)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=_REPOSITORY,
        )
        stack.callback(self._process.communicate)
        self.about = self.hear()

    def order(self, value: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()

    def hear(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def apart_from_us(name: str, seconds: int) -> list[str]:
    """What runs a program in namespaces of its own, as the host `name`; nothing where that is not allowed."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return []
    spaces = [unshare, "--uts", "--ipc", "--pid", "--mount", "--net", "--time", "--fork", "--kill-child"]
    clocks = ["--boottime", str(seconds), "--monotonic", str(seconds)]
    command = [*spaces, *clocks, "sh", "-c", 'hostname "$0"; exec "$@"', name]
    tried = subprocess.run([*command, "true"], capture_output=True)
    return command if tried.returncode == 0 else []


def test_of_hosts_that_share_nothing_else_one_wins_each_round(database: DatabaseServer, tmp_path: Path) -> None:
    """The winner is the same for all, and its fence is the highest so far, whatever the clocks say."""
    shared = database.new_repository()
    with ExitStack() as stack:
        hosts = [Host(number, shared, tmp_path, stack) for number in range(HOSTS)]
        if apart_from_us("one", 0):
            assert [one.about["host"] for one in hosts] == [one.name for one in hosts]
            counts = [one.about["counts"] for one in hosts]
            assert max(counts) - min(counts) > APART_S / 2
        last = 0
        for turn in range(ROUNDS):
            for one in hosts:
                one.order("src/a.py")
            seen = [tuple(claim) for one in hosts for claim in one.hear()]
            assert sum(is_new for *_, is_new in seen) == 1, f"round {turn}: {seen}"
            assert len({claim[:3] for claim in seen}) == 1, f"round {turn}: {seen}"
            fence = seen[0][2]
            assert fence > last
            last = fence
            for one in hosts:
                one.order(None)
            for one in hosts:
                one.hear()
