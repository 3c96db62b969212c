"""Run a server as a test wants it: watched at every system call that changes something, and stopped at any.

    orders = Orders(log=folder / "calls", arm=folder / "arm")
    become(orders, ["serve"])       # in the process that is to be the server; does not come back

Nothing happens until the file `arm` is there. It holds `{"at": N, "do": ...}`, and counting begins with the call
that finds it. `do` is what happens at the N-th call, before it is made (N = 1 is the very first; after a call is
before the next one):

    "note"   nothing; every call is written to `log`, one line each
    "kill"   SIGKILL, to this process, by itself
    "wait"   the call waits until the file `arm` + ".go" is there
    "fail"   the call raises OSError with `errno`, as do the following ones, `times` (1) in all; an answer is sent

With `replacing`, a folder's name, "kill" comes instead before the first call that renames a temporary file in it: the
number of a call may differ from run to run, since other threads make calls, too. With `about`, "fail" begins at the
first call whose line in the log ends so.

The file may be replaced to begin anew. What counts is what changes a disk (see CALLS), and the write of an
answer to the client; what only reads, and what goes to stderr, does not count.
"""

from __future__ import annotations

import _pyio
import builtins
import errno
import io
import json
import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

CALLS = (
    *("open", "write", "pwrite", "pwritev", "fsync", "fdatasync", "ftruncate", "truncate", "posix_fallocate"),
    *("replace", "rename", "unlink", "remove", "mkdir", "rmdir", "link", "symlink"),
    *("chmod", "fchmod", "utime"),
)
_ON_DESCRIPTORS = frozenset(
    {"write", "pwrite", "pwritev", "fsync", "fdatasync", "ftruncate", "posix_fallocate", "fchmod"}
)
_MAKES = os.O_CREAT | os.O_TRUNC
_PATIENCE_S = 120


@dataclass(frozen=True)
class Orders:
    """How a server is to be run; without a `log` nothing is watched. `limit` is the size (bytes) that no file may
    outgrow; `clock` a file that holds by how many seconds the clock is wrong; with `apart` the stage is as if on
    another file system; `environment` is added to its own."""

    arm: str = ""
    log: str = ""
    limit: int | None = None
    clock: str | None = None
    apart: bool = False
    environment: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class Watch:
    """Counts the calls of this process and does what it was told at one of them."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._lock = threading.RLock()
        self._stamp: tuple[int, int] | None = None
        self._plan: dict[str, Any] = {}
        self._made = 0
        self._process = os.getpid()
        self._real = {name: getattr(os, name) for name in CALLS if hasattr(os, name)}
        self._log = self._real["open"](orders.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)

    def install(self) -> None:
        """From here on every call goes through this watch."""
        replaced = {name: self._watched(name, real) for name, real in self._real.items()}
        for name, call in replaced.items():
            setattr(os, name, call)
        # What asks which calls know descriptors must find the replaced ones, too.
        for sets in ("supports_dir_fd", "supports_fd", "supports_follow_symlinks"):
            known = getattr(os, sets)
            setattr(os, sets, known | {replaced[name] for name, real in self._real.items() if real in known})
        # The interpreter's own files write without asking `os`; those in plain Python do ask.
        for module in (io, builtins):
            module.open = self._open_file  # type: ignore[attr-defined]

    def _open_file(self, file: Any, mode: str = "r", *args: Any, **more: Any) -> Any:
        return (_pyio.open if set(mode) & set("wax+") else _C_OPEN)(file, mode, *args, **more)

    def _watched(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            with self._lock:
                if self._counts(name, args) and self._is_armed():
                    self._made += 1
                    self._act(name, args)
            if name == "replace" and self._orders.apart and "dst_dir_fd" in more and os.path.isabs(args[0]):
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
            return real(*args, **more)

        return call

    def _counts(self, name: str, args: tuple[Any, ...]) -> bool:
        if name == "open":
            return bool(args[1] & _MAKES)
        if name != "write":
            return True
        mode = os.fstat(args[0]).st_mode
        return args[0] != 2 and (stat.S_ISREG(mode) or stat.S_ISFIFO(mode))

    def _is_armed(self) -> bool:
        if os.getpid() != self._process:  # what this process forks has no orders
            return False
        try:
            found = os.stat(self._orders.arm)
        except FileNotFoundError:
            return False
        stamp = (found.st_ino, found.st_mtime_ns)
        if stamp != self._stamp:
            with _C_OPEN(self._orders.arm, "rb") as file:
                self._plan = json.loads(file.read())
            self._stamp, self._made = stamp, 0
        return True

    def _act(self, name: str, args: tuple[Any, ...]) -> None:
        what, at = self._plan["do"], self._plan.get("at", 0)
        self._note(f"{self._made}\t{name}\t{_shown(name, args)}")
        if "about" in self._plan and not at and _shown(name, args).endswith(self._plan["about"]):
            at = self._plan["at"] = self._made
        is_meant = self._made == at or self._plan.get("replacing") == replaced_in(name, _shown(name, args))
        if what == "kill" and is_meant:
            self._note("killed")
            os.kill(os.getpid(), signal.SIGKILL)
        elif what == "wait" and self._made == at:
            self._note("waiting")
            end = time.monotonic() + _PATIENCE_S
            while not os.path.exists(self._orders.arm + ".go"):
                if time.monotonic() > end:
                    raise TimeoutError("the test never let it go on")
                time.sleep(0.002)
        elif what == "fail" and 0 < at <= self._made < at + self._plan.get("times", 1) and not _is_answer(name, args):
            raise OSError(self._plan["errno"], os.strerror(self._plan["errno"]))

    def _note(self, line: str) -> None:
        self._real["write"](self._log, line.encode("utf-8", "replace") + b"\n")


def become(orders: Orders, arguments: list[str]) -> NoReturn:
    """Be `intentls` with these arguments, under these orders."""
    from intentls.faces.cli.main import run

    os.environ.update(orders.environment)
    if orders.limit is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (orders.limit, orders.limit))
    if orders.clock is not None:
        _bend_clock(Path(orders.clock))
    if orders.log:
        Watch(orders).install()
    sys.argv = ["intentls", *arguments]
    run(arguments)
    raise SystemExit(0)


def _bend_clock(file: Path) -> None:
    from intentls.store import clock

    def wrong_by() -> float:
        return float(file.read_text())

    real_ns, real = clock.now_ns, time.time
    time.time = lambda: real() + wrong_by()
    clock.now = lambda: datetime.now(UTC) + timedelta(seconds=wrong_by())
    clock.now_ns = lambda: real_ns() + int(wrong_by() * 1e9)


def replaced_in(name: str, shown: str) -> str:
    """The folder of the temporary file that a call puts into the place of another; "" if it does not."""
    source = Path(shown.split(" ")[0])
    return source.parent.name if name in ("replace", "rename") and source.name.endswith(".tmp") else ""


def _is_answer(name: str, args: tuple[Any, ...]) -> bool:
    return name == "write" and stat.S_ISFIFO(os.fstat(args[0]).st_mode)


def _shown(name: str, args: tuple[Any, ...]) -> str:
    """What a call is about, for people who read the log."""
    try:
        if name in _ON_DESCRIPTORS:
            mode = os.fstat(args[0]).st_mode
            return "the client" if stat.S_ISFIFO(mode) else os.readlink(f"/proc/self/fd/{args[0]}")
        return " ".join(os.fsdecode(arg) for arg in args if isinstance(arg, str | bytes | os.PathLike))
    except OSError:  # no /proc on this system
        return ""


_C_OPEN = io.open

if __name__ == "__main__":
    sys.path.pop(0)  # this file's own folder
    become(Orders(**json.loads(sys.argv[1])), sys.argv[2:])
