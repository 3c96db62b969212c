"""No process that a run of tests started is there after it: no server, daemon, keeper or database.

A process is known by a mark in the environment, or by the run's temporary folder where a test made an environment of
its own. Linux only, which tells both.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S

_MARK = "INTENTLS_TEST_RUN"
_LEFT = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Mark what this run starts; a worker of pytest-xdist has the mark of its run."""
    if not hasattr(config, "workerinput"):
        os.environ[_MARK] = os.urandom(8).hex()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where a process is left, once those that are just ending have had time."""
    if hasattr(session.config, "workerinput"):
        return
    folder = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    marks = (f"{_MARK}={os.environ[_MARK]}".encode(), os.fsencode(folder) + b"/")
    end = time.monotonic() + PATIENCE_S
    while (left := list(left_processes(marks))) and time.monotonic() < end:
        time.sleep(0.1)
    session.config.stash[_LEFT] = left
    if left:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which, and of which test."""
    left = config.stash.get(_LEFT, [])
    if left:
        terminalreporter.section("processes that tests left behind", red=True)
        for line in left:
            terminalreporter.line(line)


def left_processes(marks: tuple[bytes, ...]) -> Iterator[str]:
    """The other processes with one of these in their environment or command, each with its test as far as known."""
    above = {os.getpid(), os.getppid()}
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) in above:
            continue
        with suppress(OSError):  # it has ended, or is another user's
            command, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
            if any(mark in environment or mark in command for mark in marks) and b"multiprocessing" not in command:
                whose = [
                    each for each in environment.split(b"\0") if each.startswith((b"PYTEST_CURRENT_TEST=", b"HOME="))
                ]
                yield os.fsdecode(b" ".join((process.name.encode(), command.replace(b"\0", b" ").strip(), *whose)))
