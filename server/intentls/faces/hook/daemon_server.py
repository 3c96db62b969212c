"""`intentls daemon`: answers hooks from a process that has everything loaded; `daemon_client` is the other end.

This process only accepts connections and hands each to a worker (`daemon_worker`), a child that answers one question
after the other with the code that a hook runs without a daemon. A worker that fails or takes too long ends without an
answer: the hook then answers by itself, and another worker takes its place.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import select
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple, NoReturn

import intentls
from intentls.core.errors import InvalidInput
from intentls.faces.hook import AGENTS, daemon_client
from intentls.faces.hook.daemon_start import STARTING, forget_clients
from intentls.faces.hook.daemon_worker import BUSY, READY, work
from intentls.store.process.ending import ENDING, on_ending

_MAX_WORKERS = 32
_MAX_IDLE = 4  # as many wait when there is little to do: one tidies up while the next hook asks
_MAX_USES = 500  # of a worker; what a long life gathers in a process ends with it
_BACKLOG = 32
_TICK_S = 30.0  # between checks that the socket is still there
# What a question before a tool loads, so that no worker has to. A test compares.
_LOADED = (
    *(f"intentls.faces.hook.dialects.{agent.replace('-', '_')}" for agent in AGENTS),
    *("intentls.faces.hook.evaluate", "intentls.store.config.intents_parser", "intentls.store.config.policy_parser"),
    *(
        "intentls.store.config.declared_files",
        "intentls.engine.records.record_writer",
        "intentls.engine.tools.predicted_edits",
        "intentls.store.git.head",
    ),
    *("intentls.store.ledger.ledger", "intentls.store.ledger.chain_heads", "intentls.store.journal.journal"),
    "intentls.store.sessions.coordination.keeper_client",  # where leases are shared
    "subprocess",  # a refusal names the person, whom git knows
)


class CanNotServe(InvalidInput):
    """There is no safe directory for the socket, or another daemon has it."""


def serve(idle_s: float, say: Callable[[str], object]) -> None:
    """Answer questions until `idle_s` seconds pass without one, the installation changes, or SIGTERM.

    `say` gets a sentence with the socket's path. Raises CanNotServe.
    """
    directory, path = daemon_client.socket_path()
    os.chdir("/")  # no folder is in use because we run
    sys.path[:] = filter(os.path.isabs, sys.path)  # nothing is loaded from the folder of a hook that asks
    for name in _LOADED:
        importlib.import_module(name)
    code = _installed()
    installed = _stamps(code)
    gc.collect()
    gc.freeze()  # what workers share with us stays shared
    on_ending(sys.exit)
    with _listening(directory, path) as (listener, is_there):
        workers = _Workers(listener)
        workers.keep_one_waiting()
        say(f"Answering hooks at {path}.")
        last = monotonic()
        while (left := last + idle_s - monotonic()) > 0:
            ready, _, _ = select.select([listener, *workers.channels], [], [], min(left, _TICK_S))
            if not is_there() or (listener in ready and _stamps(code) != installed):
                return
            if not all(workers.hear(channel) for channel in ready if channel is not listener):
                return
            if listener in ready:
                peer, _ = listener.accept()
                with peer:
                    if daemon_client.is_same_user(peer):
                        workers.give(peer)
                last = monotonic()
            workers.keep_one_waiting()


def _installed() -> list[str]:
    """What another version would change: our code, the packages beside it, Python itself."""
    code = Path(intentls.__file__).parent
    packages = {os.path.realpath(place) for place in sys.path if Path(place).is_dir()}
    return [*map(str, sorted(code.rglob("*.py"))), *sorted(packages), os.path.realpath(sys.executable)]


@contextmanager
def _listening(directory: str, path: str) -> Iterator[tuple[socket.socket, Callable[[], bool]]]:
    """The socket, and a function that says whether it is still the one at `path`. It is removed afterwards."""
    with suppress(FileExistsError):
        Path(directory).mkdir(mode=0o700)
    if not daemon_client.is_private(directory):
        raise CanNotServe(f"{directory} must be a folder of your own that nobody else may use (chmod 700)")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        with _directory_lock(directory):
            if daemon_client.is_served(path):
                raise CanNotServe(f"a daemon already answers at {path}")
            Path(path).unlink(missing_ok=True)
            _bind(listener, path)
            Path(path + STARTING).unlink(missing_ok=True)
        ours = os.lstat(path)

        def is_there() -> bool:
            with suppress(OSError):
                return os.path.samestat(os.lstat(path), ours)
            return False

        try:
            yield listener, is_there
        finally:
            with suppress(OSError):  # the directory is gone, or another installation's daemon is in it
                with _directory_lock(directory):
                    if is_there():
                        Path(path).unlink()
                        forget_clients(directory, path)
                Path(directory).rmdir()


def _bind(listener: socket.socket, path: str) -> None:
    mask = os.umask(0o177)
    try:
        listener.bind(path)
    except OSError as error:  # such as a path that is too long for a socket
        raise CanNotServe(f"there can be no socket at {path}: {error}") from error
    finally:
        os.umask(mask)
    listener.listen(_BACKLOG)


@contextmanager
def _directory_lock(directory: str) -> Iterator[None]:
    """No other daemon starts or ends here meanwhile."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _stamps(files: Iterable[str]) -> list[tuple[int, int, int] | None]:
    """The modification time, size and inode of each file; None for one that is gone."""
    stamps: list[tuple[int, int, int] | None] = []
    for name in files:
        try:
            status = os.lstat(name)
        except OSError:
            stamps.append(None)
        else:
            stamps.append((status.st_mtime_ns, status.st_size, status.st_ino))
    return stamps


class _Worker(NamedTuple):
    """A process that answers, and our end of what connects us."""

    pid: int
    channel: socket.socket


class _Workers:
    """The processes that answer: one at a time each. One always waits, so that no question waits for a fork."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []
        self._uses: Counter[int] = Counter()

    @property
    def channels(self) -> list[socket.socket]:
        """What to listen to, beside the socket for hooks."""
        return [worker.channel for worker in (*self._idle, *self._busy)]

    def keep_one_waiting(self) -> None:
        """Start a worker where none waits and there are not too many. Raises OSError."""
        if not self._idle and len(self._busy) < _MAX_WORKERS:
            self._idle.append(self._start())

    def give(self, peer: socket.socket) -> None:
        """Have a worker answer; nobody does where all are busy or the worker has ended."""
        if self._idle:
            worker = self._idle.pop()  # the last that answered has most at hand
            self._busy.append(worker)
            self._uses[worker.pid] += 1
            with suppress(OSError):
                socket.send_fds(worker.channel, [BUSY], [peer.fileno()])

    def hear(self, channel: socket.socket) -> bool:
        """A worker is ready, or has ended. False if it ended while it waited: somebody wants the daemon to end."""
        worker = next(worker for worker in (*self._idle, *self._busy) if worker.channel is channel)
        was_idle = worker in self._idle
        said = b""
        with suppress(ConnectionResetError):
            said = channel.recv(1)
        (self._idle if was_idle else self._busy).remove(worker)
        if said != READY:
            self._end(worker)
            return not was_idle
        if len(self._idle) < _MAX_IDLE and self._uses[worker.pid] < _MAX_USES:
            self._idle.append(worker)
        else:
            self._end(worker)
        return True

    def _end(self, worker: _Worker) -> None:
        worker.channel.close()  # at which it ends
        self._uses.pop(worker.pid, None)
        with suppress(ChildProcessError):
            os.waitpid(worker.pid, 0)

    def _start(self) -> _Worker:
        ours, theirs = socket.socketpair()
        # A child that has our handlers still must not take a signal for the end of the daemon.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            pid = os.fork()
            if pid == 0:
                self._be_worker(ours, theirs, before)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        return _Worker(pid, ours)

    def _be_worker(self, ours: socket.socket, theirs: socket.socket, mask: Iterable[int]) -> NoReturn:
        """Never returns. Nothing of the daemon's stays open, so that its end is seen, however it ends."""
        try:
            ours.close()
            self._listener.close()
            for channel in self.channels:
                channel.close()
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            work(theirs)
        finally:
            os._exit(0)
