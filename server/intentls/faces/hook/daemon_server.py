"""`intentls daemon`: answers hooks from a process that has everything loaded; `daemon_client` is the other end.

Each question is answered by a child process of its own, in the asking process's directory and environment, by the code
that a hook runs without a daemon (`main.answer_event`). So the daemon remembers nothing between questions, and a
question that fails is only a child that ends without an answer: the hook then answers by itself. One child always waits
for the next question, so that no question waits for a fork.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import math
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import NoReturn

import intentls
from intentls.core.errors import InvalidInput
from intentls.faces.hook import AGENTS, MAX_EVENT_BYTES, HookOptions, daemon_client
from intentls.faces.hook.main import answer_event
from intentls.store.process import ancestry

_PARTS = 9  # of a question
_MAX_CHILDREN = 32
_MAX_QUESTION = MAX_EVENT_BYTES + (1 << 22)  # the event, and the asking process's surroundings
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_TICK_S = 30.0  # between checks that the socket and the installation are still there
# What a question before a tool loads, so that no child has to. A test compares.
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
    "subprocess",  # a refusal names the person, whom git knows
)


class CanNotServe(InvalidInput):
    """There is no safe directory for the socket, or another daemon has it."""


def serve(idle_s: float, say: Callable[[str], object]) -> None:
    """Answer questions until `idle_s` seconds pass without one, the installation changes, or SIGTERM.

    `say` gets a sentence with the socket's path. Raises CanNotServe.
    """
    directory, path = daemon_client.socket_path()
    for name in _LOADED:
        importlib.import_module(name)
    code = [str(path) for path in Path(intentls.__file__).parent.rglob("*.py")]
    installed = _stamps(code)
    gc.collect()
    gc.freeze()  # what children share with us stays shared
    for number in _ENDING:
        signal.signal(number, _end)
    with _listening(directory, path) as (listener, is_there):
        children = _Children(listener, lambda: _stamps(code) == installed)
        waiting = children.wait()
        say(f"Answering hooks at {path}.")
        last = monotonic()
        while (left := last + idle_s - monotonic()) > 0:
            ready, _, _ = select.select([waiting], [], [], min(left, _TICK_S))
            if not is_there() or not children.are_current():
                return
            if ready:
                if not os.read(waiting, 1):
                    return  # it was killed while it waited: somebody wants the daemon to end
                os.close(waiting)
                waiting = children.wait()
                last = monotonic()


def _end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  the signature of a handler
    for ending in _ENDING:
        signal.signal(ending, signal.SIG_IGN)
    sys.exit(0)


@contextmanager
def _listening(directory: str, path: str) -> Iterator[tuple[socket.socket, Callable[[], bool]]]:
    """The socket, and a function that says whether it is still the one at `path`. It is removed afterwards."""
    with suppress(FileExistsError):
        Path(directory).mkdir(mode=0o700)
    if not daemon_client.is_private(directory):
        raise CanNotServe(f"{directory} must be a folder of your own that nobody else may use (chmod 700)")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        with _directory_lock(directory):
            if _is_served(path):
                raise CanNotServe(f"a daemon already answers at {path}")
            Path(path).unlink(missing_ok=True)
            _bind(listener, path)
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
                Path(directory).rmdir()


def _bind(listener: socket.socket, path: str) -> None:
    mask = os.umask(0o177)
    try:
        listener.bind(path)
    except OSError as error:  # such as a path that is too long for a socket
        raise CanNotServe(f"there can be no socket at {path}: {error}") from error
    finally:
        os.umask(mask)
    listener.listen(_MAX_CHILDREN)


@contextmanager
def _directory_lock(directory: str) -> Iterator[None]:
    """No other daemon starts or ends here meanwhile."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _is_served(path: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
        try:
            peer.connect(path)
        except OSError:  # none there, or left behind by a daemon that was killed
            return False
        return True


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


class _Children:
    """The children that answer, and the one that waits. `are_current`: the code on disk is still what is loaded."""

    def __init__(self, listener: socket.socket, are_current: Callable[[], bool]) -> None:
        self.are_current = are_current
        self._listener = listener
        self._running = 0
        self._parent, self._alive = os.pipe()  # reads as ended for the children when we have ended, however

    def wait(self) -> int:
        """Have a child wait for a question: a descriptor to read from once it has one. Raises OSError."""
        with suppress(ChildProcessError):
            while self._running and os.waitpid(-1, 0 if self._running > _MAX_CHILDREN else os.WNOHANG)[0]:
                self._running -= 1
        begun, begin = os.pipe()
        # A child that has our handlers still must not take a signal for the end of the daemon.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        try:
            if os.fork() == 0:
                self._answer_and_exit(begin, before)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._running += 1
        os.close(begin)
        return begun

    def _answer_and_exit(self, begin: int, mask: Iterable[int]) -> NoReturn:
        """Answer one question, or none: any error ends the child, and the hook then answers by itself."""
        try:
            os.close(self._alive)
            for number in _ENDING:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            gc.unfreeze()
            gc.get_objects()  # copies their pages now, before the question: that takes a quarter of an answer's time
            ready, _, _ = select.select([self._listener.fileno(), self._parent], [], [])
            if self._parent not in ready:
                peer, _ = self._listener.accept()
                os.write(begin, b"!")
                self._listener.close()  # else it would stay open, with no process to answer, when the daemon is killed
                signal.alarm(math.ceil(daemon_client.MAX_ANSWER_S))
                if daemon_client.is_same_user(peer) and self.are_current():
                    peer.sendall(_answer(_read(peer)))
        finally:
            os._exit(0)


def _read(peer: socket.socket) -> bytes:
    pieces, size = [], 0
    while size <= _MAX_QUESTION and (piece := peer.recv(1 << 20)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _answer(question: bytes) -> bytes:
    """The output of a hook of the asking process. Raises ValueError and OSError where it can't be found here."""
    identity, agent, always, directory, cwd, mask, names, pid, event = daemon_client.unpack(question, _PARTS)
    os.chdir(directory)
    if identity != daemon_client.identity() or cwd != daemon_client.cwd_identity():
        raise ValueError("another version asks, or one that sees other files")
    os.umask(int(mask))
    os.environ.clear()
    os.environb.update(dict(pair.split(b"=", 1) for pair in names.split(b"\0") if pair))
    ancestry.asking.set(int(pid))
    reply = answer_event(agent.decode(), lambda: event, HookOptions(always=bool(always)))
    return daemon_client.pack([str(reply.code).encode(), reply.out, reply.err])
