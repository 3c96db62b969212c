"""The processes of a program, each with its true parent: an agent's hooks and commands are children of the agent.

A process that has `intentls` imported forks all others, so each costs milliseconds. The first one stands for the
person at the machine; `Host.agent()` forks another from it, whose children are an agent's.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn

from tests.support.patience import PATIENCE_S
from tests.support.wire import Wire

_REPOSITORY = Path(__file__).parents[2]
_BYTES = 1 << 20
_TIMEOUT_S = float(PATIENCE_S)
_LOADED = (
    *("intentls.faces.hook.main", "intentls.faces.hook.evaluate", "intentls.faces.hook.dialects.claude_code"),
    *("intentls.engine.tools.shell_changes", "intentls.engine.tools.tool_reports", "intentls.faces.mcp.server"),
    *("intentls.faces.cli.commands.serve", "intentls.faces.cli.commands.blame", "intentls.faces.lsp.registry"),
    *("intentls.faces.cli.commands.intents.select", "intentls.faces.cli.commands.trace.verify"),
    *("intentls.faces.cli.commands.intents.new", "intentls.faces.cli.commands.branch.check"),
    *("intentls.faces.cli.commands.branch.attest", "intentls.faces.cli.commands.map"),
)
SHELL = "sh"
"""As the first argument: run the second one by `sh -ec`; else it is a verb of intentls."""


@dataclass(frozen=True)
class Finished:
    """How a process ended: its exit code (negative: the signal's number) and both outputs."""

    code: int
    out: str
    err: str


class Child:
    """A process that lasts, as `Wire` looks at one."""

    def __init__(self, status: IO[str]) -> None:
        self._status = status
        self.args = "a forked server"
        self.pid = int(status.readline())
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for the signal that ended it."""
        if self.returncode is None:
            if not _ready([self._status.fileno()], timeout):
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = int(self._status.readline())
            self._status.close()
        return self.returncode

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(self.pid, signal.SIGKILL)


class Host:
    """A process that starts others."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel

    @classmethod
    @contextmanager
    def start(cls) -> Iterator[Host]:
        """The person's, a fresh process."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            command = [sys.executable, "-m", "tests.authority.processes", str(theirs.fileno())]
            process = subprocess.Popen(command, cwd=_REPOSITORY, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
            theirs.close()
            yield cls(ours)
        process.wait(PATIENCE_S)

    @contextmanager
    def agent(self) -> Iterator[Host]:
        """An agent's: whatever it starts is below it."""
        ours, theirs = socket.socketpair()
        with ours:
            self._order({"arguments": None}, [theirs.fileno()])
            theirs.close()
            yield Host(ours)

    def run(
        self,
        arguments: list[str],
        cwd: Path,
        *,
        env: Mapping[str, str] | None = None,
        given: bytes = b"",
        limit: int | None = None,
        kill_after_s: float | None = None,
    ) -> Finished:
        """Run to the end. `limit`: no file may outgrow so many bytes, as on a full disk."""
        with tempfile.TemporaryFile() as stdin:
            stdin.write(given)
            stdin.seek(0)
            out, err = os.pipe(), os.pipe()
            child = self._child(arguments, cwd, env, [stdin.fileno(), out[1], err[1]], limit)
            for descriptor in (out[1], err[1]):
                os.close(descriptor)
            if kill_after_s is not None:
                _ready([child._status.fileno()], kill_after_s)
                child.kill()
            texts = _read_both(out[0], err[0])
            return Finished(child.wait(_TIMEOUT_S), *texts)

    def serve(self, arguments: list[str], cwd: Path, kind: type[Wire], env: Mapping[str, str] | None = None) -> Wire:
        """A server, with a wire to it."""
        stdin, stdout = os.pipe(), os.pipe()
        log = tempfile.TemporaryFile()  # it lives as long as the wire
        child = self._child(arguments, cwd, env, [stdin[0], stdout[1], log.fileno()], None)
        for descriptor in (stdin[0], stdout[1]):
            os.close(descriptor)
        wire = kind(os.fdopen(stdout[0], "rb"), os.fdopen(stdin[1], "wb"), child)  # type: ignore[arg-type]
        wire._log = log
        return wire

    def _child(
        self, arguments: list[str], cwd: Path, env: Mapping[str, str] | None, streams: list[int], limit: int | None
    ) -> Child:
        status = os.pipe()
        environment = _environment() | dict(env or {})
        order = {"arguments": arguments, "cwd": str(cwd), "env": environment, "limit": limit}
        self._order(order, [*streams, status[1]])
        os.close(status[1])
        return Child(os.fdopen(status[0], "r", buffering=1))

    def _order(self, order: Mapping[str, Any], descriptors: list[int]) -> None:
        socket.send_fds(self._channel, [json.dumps(order).encode()], descriptors)
        assert self._channel.recv(1)  # it was read: the next one is a message of its own


def _ready(descriptors: Iterable[int], timeout_s: float | None) -> list[int]:
    """Those that can be read, or that have ended. `select` would fail in a process with a thousand open files."""
    waiting = select.poll()
    for descriptor in descriptors:
        waiting.register(descriptor, select.POLLIN)
    return [ready for ready, _ in waiting.poll(None if timeout_s is None else timeout_s * 1000)]


def _environment() -> dict[str, str]:
    """This process's, without what an agent around the tests would have set, and with no daemon to ask."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE_", "INTENTLS_"))}
    return kept | {"XDG_RUNTIME_DIR": os.devnull, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def _read_both(out: int, err: int) -> tuple[str, str]:
    texts = {out: b"", err: b""}
    waiting = [out, err]
    while waiting:
        ready = _ready(waiting, _TIMEOUT_S)
        assert ready, "the process hangs"
        for descriptor in ready:
            piece = os.read(descriptor, 1 << 16)
            texts[descriptor] += piece
            if not piece:
                waiting.remove(descriptor)
                os.close(descriptor)
    return texts[out].decode(), texts[err].decode()


# --- the forking process


def main(channel: int) -> None:
    """Fork what is ordered until the channel closes."""
    import importlib

    for name in _LOADED:
        importlib.import_module(name)
    from intentls.faces.lsp.registry import create_connection

    create_connection()  # what it fills are caches
    gc.collect()
    gc.freeze()
    _serve_orders(socket.socket(fileno=channel))


def _serve_orders(orders: socket.socket) -> NoReturn:
    """Each process is a child of this one, and its number and its end are told on its status pipe."""
    ends: dict[int, int] = {}  # the status pipe of each child
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker)
    while True:
        if woken in _ready([orders.fileno(), woken], None):
            os.read(woken, 1 << 12)
            _tell_ends(ends)
            continue
        data, descriptors, _, _ = socket.recv_fds(orders, _BYTES, 4)
        if not data:
            os._exit(0)
        order = json.loads(data)
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            orders.close()
            for descriptor in (woken, waker, *ends.values()):
                os.close(descriptor)
            if order["arguments"] is None:
                _serve_orders(socket.socket(fileno=descriptors[0]))
            os.close(descriptors[-1])
            _become(order, descriptors[:-1])
        if order["arguments"] is not None:
            ends[pid] = descriptors.pop()
            os.write(ends[pid], b"%d\n" % pid)
        for descriptor in descriptors:
            os.close(descriptor)
        orders.send(b".")


def _tell_ends(ends: dict[int, int]) -> None:
    for pid in list(ends):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            with contextlib.suppress(BrokenPipeError):  # the test has ended
                os.write(ends[pid], b"%d\n" % os.waitstatus_to_exitcode(status))
            os.close(ends.pop(pid))


def _become(order: dict[str, Any], streams: list[int]) -> NoReturn:
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    for descriptor in streams:
        os.close(descriptor)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    if order["limit"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["limit"], order["limit"]))
    if order["arguments"][0] == SHELL:
        os.execvp("sh", ["sh", "-ec", *order["arguments"][1:]])
    # Those of the forking process know what its own streams were.
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)
    sys.argv = ["intentls", *order["arguments"]]
    code = 1
    try:
        from intentls.__main__ import run

        run()
        code = 0
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    main(int(sys.argv[1]))
