"""The processes above this one: who started the program that runs, as far as the system tells.

Linux tells in `/proc`, other Unix systems through `ps`. Elsewhere, and where `/proc` hides processes, nothing is known.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from msgspec import Struct

_PROC = Path("/proc")
_MAX_DEPTH = 64
_ENDED = (b"Z", b"X")  # its parent has not noticed yet
_PS = "LC_ALL=C ps -axo pid=,ppid=,lstart=,args= 2>/dev/null"
_PS_FIELDS = 7  # the two numbers, and the five words of a date, before the arguments

asking: ContextVar[int | None] = ContextVar("asking", default=None)
"""The process for which this one answers, where it is another: a hook that asks the daemon."""

_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox"})
_WRAPPERS = frozenset({"env", "nice", "nohup", "timeout", "setsid", "stdbuf", "uv", "uvx", "pipx", "time"})
_INITS = frozenset({"systemd", "init", "launchd", "tini", "dumb-init", "docker-init", "catatonit"})


class UnknownAncestry(Exception):
    """The system does not say which processes are above this one."""


class RunningProcess(Struct, frozen=True):
    """A process that ran when it was looked at. `start` tells it from a later one of the same number."""

    pid: int
    parent: int
    start: str
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the program, without its folder and the mark of a login shell."""
        return os.path.basename(self.arguments[0]).removeprefix("-") if self.arguments else ""

    @property
    def is_shell(self) -> bool:
        """Whether it is a command shell."""
        return self.name in _SHELLS

    @property
    def is_interactive_shell(self) -> bool:
        """Whether it is a shell at which somebody types: it was given neither a script nor a command.

        Example: `-bash` and `zsh -i` are; `sh -c "make"` and `bash build.sh` are not.
        """
        words = self.arguments[1:]
        options = all(word.startswith("-") and (word.startswith("--") or "c" not in word) for word in words)
        return self.is_shell and options

    @property
    def is_wrapper(self) -> bool:
        """Whether it only runs another program: a shell with a command or a script, `env`, `timeout`, `uv run`."""
        return (self.is_shell and not self.is_interactive_shell) or self.name in _WRAPPERS

    @property
    def is_init(self) -> bool:
        """Whether it takes in the processes whose parent ended. Number 1 may be a person's shell in a container."""
        return self.name in _INITS or (self.pid == 1 and not self.is_interactive_shell)


def own_ancestors() -> tuple[RunningProcess, ...]:
    """The processes above this one, or above that for which it answers, nearest first. Raises UnknownAncestry.

    Those above this one are as they were when this was first asked.
    """
    process = asking.get()
    return _ancestors_of_this() if process is None else ancestors(process)


@cache
def _ancestors_of_this() -> tuple[RunningProcess, ...]:
    return ancestors(os.getpid())


def ancestors(pid: int) -> tuple[RunningProcess, ...]:
    """The processes above `pid`, nearest first. Raises UnknownAncestry."""
    return _chain(pid, running if has_proc() else listed_processes().get)


def running(pid: int) -> RunningProcess | None:
    """The process of this number; None where there is none. Raises UnknownAncestry."""
    if not has_proc():
        return listed_processes().get(pid)
    try:
        status = (_PROC / str(pid) / "stat").read_bytes()
        command = (_PROC / str(pid) / "cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    except OSError as error:
        raise UnknownAncestry(str(error)) from error
    # The second field is the program's name in parentheses, and may itself have blanks and parentheses in it.
    fields = status.rpartition(b")")[2].split()
    if fields[0] in _ENDED:
        return None
    arguments = command.rstrip(b"\0").split(b"\0") if command else []
    return RunningProcess(pid, int(fields[1]), fields[19].decode(), tuple(map(os.fsdecode, arguments)))


def is_running(pid: int, start: str) -> bool:
    """Whether the process that started then still runs. Raises UnknownAncestry."""
    process = running(pid)
    return process is not None and process.start == start


def _chain(pid: int, look: Callable[[int], RunningProcess | None]) -> tuple[RunningProcess, ...]:
    process = look(pid)
    if process is None:
        raise UnknownAncestry(f"process {pid} can't be seen")
    chain: list[RunningProcess] = []
    while process.parent > 0 and len(chain) < _MAX_DEPTH:
        parent = look(process.parent)
        if parent is None:
            raise UnknownAncestry(f"process {process.parent} can't be seen")
        chain.append(parent)
        process = parent
    return tuple(chain)


def has_proc() -> bool:
    """Whether this system shows its processes in `/proc` as Linux does."""
    return sys.platform == "linux"


def listed_processes() -> dict[int, RunningProcess]:
    """All processes by number, as `ps` lists them. Raises UnknownAncestry where there is no `ps`."""
    if os.name != "posix":
        raise UnknownAncestry("this system does not say which process started another")
    processes = {}
    with os.popen(_PS) as listed:  # `subprocess` takes long to import, and a hook waits for it
        lines = listed.read().splitlines()
    for line in lines:
        words = line.split()
        if len(words) >= _PS_FIELDS:
            pid, parent, date = int(words[0]), int(words[1]), " ".join(words[2:_PS_FIELDS])
            processes[pid] = RunningProcess(pid, parent, date, tuple(words[_PS_FIELDS:]))
    if not processes:
        raise UnknownAncestry("there is no `ps` that lists the processes")
    return processes
