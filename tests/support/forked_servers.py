"""Real servers by the hundred: forked from a process that has the program imported, and nothing begun.

A server is a process of its own, with its own stdin and stdout; it runs `intentls serve` as `python -m intentls
serve` does, under a launcher's orders. All that is spared is the import, which would take most of the time.

    with Nursery.start() as nursery, nursery.serve(root, Orders(...)) as session: ...
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar

import pytest

from tests.support.connection import Session
from tests.support.launcher import Orders, become
from tests.support.patience import PATIENCE_S
from tests.support.wire import Wire

INTENTLS = (sys.executable, "-m", "intentls")
# A test whose processes are judged by who started them turns it off: a forked one has the nursery above it.
FORKS = hasattr(os, "fork")
_REPOSITORY = Path(__file__).parents[2]
_BYTES = 1 << 16

W = TypeVar("W", bound=Wire)


class Child:
    """A forked server, as `Wire` and a test look at a process."""

    def __init__(self, status: IO[str]) -> None:
        self._status = status
        self.args = "a forked server"
        self.pid = int(status.readline())
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for the signal that ended it."""
        if self.returncode is None:
            waiting = select.poll()
            waiting.register(self._status, select.POLLIN)
            if not waiting.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = int(self._status.readline())
            self._status.close()
        return self.returncode

    def poll(self) -> int | None:
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The client's end of the process that forks servers."""

    def __init__(self, channel: socket.socket, process: subprocess.Popen[bytes]) -> None:
        self._channel = channel
        self._process = process
        self._one_order = threading.Lock()  # a stream does not keep messages apart

    @classmethod
    @contextmanager
    def start(cls) -> Iterator[Nursery]:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            command = [sys.executable, "-m", "tests.support.forked_servers", str(theirs.fileno())]
            process = subprocess.Popen(command, cwd=_REPOSITORY, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
            theirs.close()
            yield cls(ours, process)
        process.wait(PATIENCE_S)

    def spawn(self, kind: type[W], cwd: Path, orders: Orders, arguments: list[str]) -> W:
        """`intentls` with these arguments in `cwd`, spoken to as by `kind`."""
        to_server, from_server = os.pipe(), os.pipe()
        log = tempfile.TemporaryFile()
        child = self._fork(cwd, orders, arguments, [to_server[0], from_server[1], log.fileno()])
        for descriptor in (to_server[0], from_server[1]):
            os.close(descriptor)
        wire = kind(os.fdopen(from_server[0], "rb"), os.fdopen(to_server[1], "wb"), child)  # type: ignore[arg-type]
        wire._log = log
        return wire

    def run(
        self,
        cwd: Path,
        orders: Orders,
        arguments: list[str],
        stdin: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """`intentls` with these arguments in `cwd`, to its end, without a terminal."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as log:
            with tempfile.TemporaryFile() as input_:
                input_.write(stdin.encode())
                input_.seek(0)
                streams = [input_.fileno(), output.fileno(), log.fileno()]
                child = self._fork(cwd, orders, arguments, streams, environment)
            try:
                code = child.wait(PATIENCE_S)
            finally:
                child.kill()
            for file in (output, log):
                file.seek(0)
            return subprocess.CompletedProcess(arguments, code, _text(output.read()), _text(log.read()))

    def _fork(
        self,
        cwd: Path,
        orders: Orders,
        arguments: list[str],
        streams: list[int],
        environment: Mapping[str, str] | None = None,
    ) -> Child:
        status = os.pipe()
        order = {"cwd": str(cwd), "orders": orders.to_json(), "arguments": arguments}
        order["environment"] = dict(os.environ if environment is None else environment)
        with self._one_order:
            socket.send_fds(self._channel, [json.dumps(order).encode()], [*streams, status[1]])
            os.close(status[1])
            return Child(os.fdopen(status[0], "r", buffering=1))

    @contextmanager
    def serve(
        self,
        root: Path,
        orders: Orders | None = None,
        options: Mapping[str, Any] | None = None,
        capabilities: Mapping[str, Any] | None = None,
    ) -> Iterator[Session]:
        """An initialised server for `root`, ended at the end, however it is by then."""
        with tempfile.TemporaryDirectory() as apart:
            orders = orders or Orders(arm=f"{apart}/arm", log=f"{apart}/calls")
            wire = self.spawn(Wire, root, orders, ["serve"])
            try:
                wire.initialize(
                    rootUri=root.as_uri(),
                    workspaceFolders=[{"uri": root.as_uri(), "name": root.name}],
                    capabilities=dict(capabilities or {}),
                    initializationOptions=dict(options or {}),
                )
                yield Session(wire, root)
            except BaseException:
                sys.stderr.write(wire.log())
                raise
            finally:
                end(wire)


_shared = contextlib.ExitStack()


@cache
def shared_nursery() -> Nursery:
    """One for all tests of a worker, once a test needs it."""
    return _shared.enter_context(Nursery.start())


def connected(kind: type[W], cwd: Path, *arguments: str) -> W:
    """`intentls` with these arguments in `cwd`, spoken to as by `kind`; forked where the system can fork."""
    if not FORKS:
        wire = kind.start([*INTENTLS, *arguments], cwd=cwd)
        assert isinstance(wire, kind)
        return wire
    return shared_nursery().spawn(kind, cwd, Orders(), list(arguments))


def run_to_its_end(
    cwd: Path, arguments: Sequence[str], environment: Mapping[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """`intentls` with these arguments in `cwd`, without a terminal; forked where the system can fork."""
    if not FORKS:
        return run_as_a_child(cwd, arguments, environment, stdin)
    return shared_nursery().run(cwd, Orders(), list(arguments), stdin, environment)


def run_as_a_child(
    cwd: Path, arguments: Sequence[str], environment: Mapping[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The same as a child of this process, for what looks at who started it. Line ends stay as they are."""
    command = [*INTENTLS, *arguments]
    done = subprocess.run(
        command, cwd=cwd, env=environment, input=stdin.encode(), capture_output=True, timeout=PATIENCE_S, check=False
    )
    return subprocess.CompletedProcess(arguments, done.returncode, _text(done.stdout), _text(done.stderr))


def _text(output: bytes) -> str:
    return output.decode("utf-8", "backslashreplace")


def end_shared_nursery() -> None:
    """End it, if there is one."""
    _shared.close()
    shared_nursery.cache_clear()


@pytest.fixture(scope="session")
def nursery() -> Nursery:
    """The one of this worker."""
    if not FORKS:
        pytest.skip("this system has no kills and no forks")
    return shared_nursery()


def end(wire: Wire) -> None:
    """End a server that may be dead already, without ceremony."""
    assert wire.process is not None
    wire.process.kill()
    wire.process.wait(PATIENCE_S)
    wire.disconnect()


def arm(orders: Orders, do: str, at: int = 0, **more: Any) -> None:
    """Let the server of these orders count from its next call on, and act at the `at`-th."""
    ready = Path(orders.arm + ".new")
    Path(orders.arm + ".go").unlink(missing_ok=True)
    ready.write_text(json.dumps({"do": do, "at": at, **more}))
    ready.replace(orders.arm)


def disarm(orders: Orders) -> None:
    Path(orders.arm).unlink(missing_ok=True)


def let_go(orders: Orders) -> None:
    """The call that waits goes on."""
    Path(orders.arm + ".go").touch()


def wait_until_it_waits(orders: Orders, timeout_s: float = PATIENCE_S) -> None:
    """Until the server stands at the call that it was told to wait at."""
    deadline = time.monotonic() + timeout_s
    while "waiting" not in calls(orders)[-1:]:
        assert time.monotonic() < deadline, calls(orders)
        time.sleep(0.005)


def calls(orders: Orders) -> list[str]:
    """What was counted so far: `number<tab>name<tab>what it is about`, and what was done."""
    log = Path(orders.log)
    return log.read_text("utf-8", "replace").splitlines() if log.exists() else []


# --- the forking process


def main(channel: int) -> None:
    import intentls.engine.confinement.landing_loop
    import intentls.faces.cli.commands.intents.run
    import intentls.faces.cli.commands.serve
    from intentls.faces.lsp.registry import create_connection

    with contextlib.suppress(ModuleNotFoundError):  # an extra
        import intentls.faces.mcp.server  # noqa: F401
    create_connection()  # what it fills are caches
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the minders
    with socket.socket(fileno=channel) as orders:
        while True:
            data, descriptors, _, _ = socket.recv_fds(orders, _BYTES, 4)
            if not data:
                return
            if os.fork() == 0:
                orders.close()
                _mind(json.loads(data), descriptors)
            for descriptor in descriptors:
                os.close(descriptor)


def _mind(order: dict[str, Any], descriptors: list[int]) -> NoReturn:
    """Fork the server, and tell its number and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *streams, status = descriptors
    pid = os.fork()
    if pid == 0:
        os.close(status)
        _serve(order, streams)
    for descriptor in streams:
        os.close(descriptor)
    os.write(status, b"%d\n" % pid)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with contextlib.suppress(BrokenPipeError):  # nobody wants to know any more
        os.write(status, b"%d\n" % code)
    os._exit(0)


def _serve(order: dict[str, Any], streams: list[int]) -> NoReturn:
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    for descriptor in streams:
        os.close(descriptor)
    # Those of the nursery know what its own streams were.
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    code = 1
    try:
        become(Orders(**order["orders"]), order["arguments"])
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main(int(sys.argv[1]))
