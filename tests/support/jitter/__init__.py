"""A run of the tests with other schedules: every Python process of it sleeps now and then where another one may look,
and processes get no processor for a while. `make jitter`; a test that takes for granted what it has not seen fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

IN_PROCESS = Path(__file__).with_name("in_process.py")
STALLS = Path(__file__).with_name("stalls.py")
GROUPS = Path("/sys/fs/cgroup/cpu")


def here() -> Any:
    """What makes this process sleep, see `in_process.Jitter`."""
    return sys.intentls_jitter  # type: ignore[attr-defined]


def start_in_this_process(seed: str) -> None:
    """As the `.pth` file does it in the others."""
    exec(compile(IN_PROCESS.read_text("utf-8"), str(IN_PROCESS), "exec"), {"SEED": seed, "__name__": "in_process"})


class JitteredRun:
    """The run as a whole, in the process that the user started."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._hook = Path(sysconfig.get_path("purelib"), f"intentls_jitter_{os.getpid()}.pth")
        self._stalls: subprocess.Popen[bytes] | None = None

    def pytest_configure(self) -> None:
        """Each Python that starts from now on has the hook, whatever its environment; not if this run was killed."""
        # A daemon ends when what is installed changes: it would, with the hook of another run.
        for other in self._hook.parent.glob("intentls_jitter_*.pth"):
            number = other.stem.rpartition("_")[2]
            if Path("/proc", number).is_dir():
                raise pytest.UsageError(f"process {number} runs jittered tests in this environment: one at a time")
            other.unlink()
        file = str(IN_PROCESS)
        run = f"exec(compile(open({file!r}).read(), {file!r}, 'exec'), {{'SEED': {self._seed!r}}})"
        self._hook.write_text(f"import os; os.path.isdir('/proc/{os.getpid()}') and {run}\n")
        if os.access(GROUPS / "tasks", os.W_OK):
            _remove_left_groups()
            group = GROUPS / f"intentls-jitter-{os.getpid()}"
            group.mkdir()
            command = [sys.executable, "-I", "-S", str(STALLS), str(group), self._seed]
            # A signal to the whole run, as Ctrl-C is, must not end it before it has given the group back.
            self._stalls = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
            (group / "cgroup.procs").write_text(str(os.getpid()))

    def pytest_report_header(self) -> str:
        """What a failure is repeated with."""
        stalls = "" if self._stalls else f"; no process is held back, which needs to write to {GROUPS}"
        return f"jitter: INTENTLS_JITTER={self._seed}{stalls}"

    def pytest_unconfigure(self) -> None:
        """What starts from now on is as usual."""
        self._hook.unlink(missing_ok=True)
        if self._stalls is not None:
            self._stalls.communicate()


def _remove_left_groups() -> None:
    """Control groups of runs that were killed: no process is in them any more."""
    for group in GROUPS.glob("intentls-jitter-*"):
        if not Path("/proc", group.name.rpartition("-")[2]).is_dir():
            with suppress(OSError):  # a process that the run left behind is still in it
                (group / "held").rmdir()
                group.rmdir()


class JitteredTests:
    """The tests of this process."""

    def __init__(self, seed: str) -> None:
        start_in_this_process(seed)
        here().off = True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """It sleeps in its tests only, and in what they start."""
        exempt = item.get_closest_marker("no_jitter") is not None
        if exempt:
            os.environ["INTENTLS_JITTER_OFF"] = "1"
        here().begin(item.nodeid, is_alone=True)
        try:
            return (yield)
        finally:
            here().off = True
            os.environ.pop("INTENTLS_JITTER_OFF", None)


def install(config: pytest.Config) -> None:
    """Where the environment asks for it, with any text as INTENTLS_JITTER."""
    config.addinivalue_line("markers", "no_jitter(reason): counts, measures or simulates what jitter changes")
    seed = os.environ.get("INTENTLS_JITTER")
    if seed is None:
        return
    if not hasattr(config, "workerinput"):
        run = JitteredRun(seed)
        config.pluginmanager.register(run)
    config.pluginmanager.register(JitteredTests(seed))
