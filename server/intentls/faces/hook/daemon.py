"""`intentls daemon`: answers hooks from a process that has everything loaded (its other end is `faces/hook/asking`).

Each question is answered by a child of its own, in the asking process's folder and environment, along the way that a
hook takes by itself (`main.answered`). So the daemon remembers nothing from question to question, and a question that
goes wrong is only a child that ends without an answer: whoever asked then finds it alone.
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
from intentls.faces.hook import AGENTS, MOST_BYTES, asking
from intentls.faces.hook.main import answered

_PARTS = 8  # of a question
_MOST_CHILDREN = 32
_MOST_QUESTION = MOST_BYTES + (1 << 22)  # the event, and the asking process's surroundings
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_TICK_S = 30.0  # to see that the socket and the installation are still there
# What a question before a tool loads, so that no child has to. A test compares.
_LOADED = (
    *(f"intentls.faces.hook.dialects.{agent.replace('-', '_')}" for agent in AGENTS),
    *("intentls.faces.hook.governed", "intentls.store.intents", "intentls.store.policy_file"),
    *("intentls.store.known_declared", "intentls.engine.record", "intentls.engine.foresight", "intentls.store.vcs"),
    *("intentls.store.ledger", "intentls.store.writers"),
)


class CanNotServe(InvalidInput):
    """There is no safe place for the socket, or another daemon has it."""


def serve(idle_s: float, say: Callable[[str], object]) -> None:
    """Answer questions until `idle_s` seconds pass without one, the installation changes, or SIGTERM.

    `say` is told in a sentence where. Raises CanNotServe.
    """
    folder, path = asking.meeting_place()
    for name in _LOADED:
        importlib.import_module(name)
    code = [str(path) for path in Path(intentls.__file__).parent.rglob("*.py")]
    installed, children = _installed(code), _Children()
    gc.collect()
    gc.freeze()  # what children share with us stays shared
    for number in _ENDING:
        signal.signal(number, _end)
    with _listening(folder, path) as (listener, is_there):
        say(f"Answering hooks at {path}.")
        last = monotonic()
        while (left := last + idle_s - monotonic()) > 0:
            ready, _, _ = select.select([listener], [], [], min(left, _TICK_S))
            children.bury()
            if not is_there() or _installed(code) != installed:
                return
            if ready:
                children.answer(listener)
                last = monotonic()


def _end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  the signature of a handler
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(0)


@contextmanager
def _listening(folder: str, path: str) -> Iterator[tuple[socket.socket, Callable[[], bool]]]:
    """The socket, and whether it is still the one that is found at `path`. It is gone afterwards."""
    with suppress(FileExistsError):
        Path(folder).mkdir(mode=0o700)
    if not asking.is_private(folder):
        raise CanNotServe(f"{folder} must be a folder of your own that nobody else may use (chmod 700)")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        with _alone(folder):
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
            with suppress(OSError):  # the folder is gone, or another installation's daemon is in it
                with _alone(folder):
                    if is_there():
                        Path(path).unlink()
                Path(folder).rmdir()


def _bind(listener: socket.socket, path: str) -> None:
    mask = os.umask(0o177)
    try:
        listener.bind(path)
    except OSError as error:  # such as a path that is too long for a socket
        raise CanNotServe(f"there can be no socket at {path}: {error}") from error
    finally:
        os.umask(mask)
    listener.listen(_MOST_CHILDREN)


@contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Nobody else of us begins or ends here meanwhile."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
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


def _installed(files: Iterable[str]) -> list[tuple[int, int, int] | None]:
    """Our code as it is now."""
    found: list[tuple[int, int, int] | None] = []
    for name in files:
        try:
            seen = os.lstat(name)
        except OSError:
            found.append(None)
        else:
            found.append((seen.st_mtime_ns, seen.st_size, seen.st_ino))
    return found


class _Children:
    """Those that answer now."""

    def __init__(self) -> None:
        self._running = 0

    def bury(self) -> None:
        """Forget those that have ended; wait for one where there are too many."""
        with suppress(ChildProcessError):
            while self._running and os.waitpid(-1, 0 if self._running >= _MOST_CHILDREN else os.WNOHANG)[0]:
                self._running -= 1

    def answer(self, listener: socket.socket) -> None:
        """Leave the next question to a child."""
        peer, _ = listener.accept()
        with peer:
            # A child that has our handlers still must not take a signal for the end of the daemon.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
            try:
                if os.fork() == 0:
                    _answer_and_exit(listener, peer, before)
                self._running += 1
            except OSError:
                return  # too many processes: whoever asks finds the answer alone
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answer_and_exit(listener: socket.socket, peer: socket.socket, mask: Iterable[int]) -> NoReturn:
    """An answer or none: whatever goes wrong ends the child, and whoever asks finds the answer alone."""
    try:
        listener.close()  # or else it would be open, and nobody there, when the daemon is killed
        for number in _ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.alarm(math.ceil(asking.MOST_SECONDS))
        if asking.is_ours(peer):
            peer.sendall(_answer(_read(peer)))
    finally:
        os._exit(0)


def _read(peer: socket.socket) -> bytes:
    pieces, size = [], 0
    while size <= _MOST_QUESTION and (piece := peer.recv(1 << 20)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _answer(question: bytes) -> bytes:
    """What a hook of the asking process would leave. Raises ValueError and OSError where that can't be said here."""
    who, agent, always, folder, standing, mask, names, event = asking.unpack(question, _PARTS)
    os.chdir(folder)
    if who != asking.identity() or standing != asking.standing():
        raise ValueError("another version asks, or one that sees other files")
    os.umask(int(mask))
    os.environ.clear()
    os.environb.update(dict(pair.split(b"=", 1) for pair in names.split(b"\0") if pair))
    reply = answered(agent.decode(), lambda: event, always=bool(always))
    return asking.pack([str(reply.code).encode(), reply.out, reply.err])
