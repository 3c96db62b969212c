"""The keeper's process: it answers at a socket, one thread for each connection, and ends when nobody needs it."""

from __future__ import annotations

import logging
import os
import shutil
import socketserver
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from intentls.core.errors import StoreError
from intentls.core.gate import database_address as addresses
from intentls.store.fs.file_lock import try_lock
from intentls.store.git.root_commit import folder_in_repository, root_commit
from intentls.store.layout import Layout
from intentls.store.process.liveness import this_process
from intentls.store.sessions.coordination import wire
from intentls.store.sessions.coordination.database import ClonePlace
from intentls.store.sessions.coordination.keeper import Keeper, KeeperGuest, answer
from intentls.store.sessions.coordination.keeper_files import KeeperFiles
from intentls.store.sessions.coordination.protocol import LiveSession

log = logging.getLogger(__name__)

_LOOK_S = 1.0  # between two looks at whether it is still needed
_PEER_S = 10.0  # for a question to come in


class Switchboard(socketserver.ThreadingUnixStreamServer):
    """The socket of one keeper. `digest` tells the address of its database from others."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self, path: str, keeper: Keeper, digest: str) -> None:
        super().__init__(path, _Question)
        self.keeper, self.digest = keeper, digest
        self.last_question = time.monotonic()
        self.is_outdated = threading.Event()

    def reply(self, line: bytes) -> bytes:
        """The answer to a question, as a line."""
        self.last_question = time.monotonic()
        try:
            message = wire.unpack(line)
            if message["digest"] != self.digest:
                self.is_outdated.set()
                return wire.pack({"away": "another database was named, and its keeper is being started"})
            return wire.pack(answer(self.keeper, message))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            return wire.pack({"error": f"the keeper does not understand: {error!r}"[:500]})
        except StoreError as error:
            return wire.pack({"error": str(error)})


class _Question(socketserver.StreamRequestHandler):
    """One connection: lines of questions, each with its answer."""

    timeout = _PEER_S
    server: Switchboard

    def handle(self) -> None:
        with suppress(OSError):  # whoever asks has left, or says nothing
            while line := self.rfile.readline(wire.MAX_LINE):
                self.wfile.write(self.server.reply(line))
                self.wfile.flush()


def place_of(layout: Layout, files: KeeperFiles, host: str) -> ClonePlace:
    """The place that a root's clone is, on this machine since its start. Raises StoreError, OSError."""
    name = f"{files.place_name()} {this_process().place} {layout.root}"
    return ClonePlace(root_commit(layout.root), folder_in_repository(layout.root), name, host)


def serve(
    layout: Layout,
    address: str,
    wait_s: float,
    idle_s: float,
    say: Callable[[str], object],
    end: threading.Event,
    guest: Callable[[ClonePlace], KeeperGuest],
    sessions: Callable[[], Iterable[LiveSession]] = tuple,
) -> None:
    """Be the keeper of a root until `idle_s` seconds pass without a question or live session, or `end` is set.

    `guest` makes what is kept over the same connection, `sessions` are those of this clone that others see. Returns at
    once where another process is it. Raises StoreError.
    """
    files = KeeperFiles(layout.coordination)
    files.prepare()
    descriptor = os.open(files.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _lock(descriptor, end):
            return
        place = place_of(layout, files, os.uname().nodename)
        folder = tempfile.mkdtemp(prefix="intentls-", dir=_runtime_folder())
        try:
            keeper = Keeper(address, place, wait_s, hear=files.note_news, guest=guest(place), sessions=sessions())
            _serve(files, Path(folder, "keeper"), keeper, addresses.digest(address), idle_s, say, end)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise StoreError(f"there can be no keeper of {layout.root}: {error.strerror or error}") from error
    finally:
        os.close(descriptor)


def _lock(descriptor: int, end: threading.Event) -> bool:
    """Whether this is the keeper now: one that ends has a moment for it."""
    for _ in range(20):
        if try_lock(descriptor):
            return True
        if end.wait(0.05):
            break
    return False


def _serve(
    files: KeeperFiles,
    path: Path,
    keeper: Keeper,
    digest: str,
    idle_s: float,
    say: Callable[[str], object],
    end: threading.Event,
) -> None:
    try:
        with Switchboard(str(path), keeper, digest) as server:
            own = wire.KeeperAddress(str(path), os.getpid())
            files.publish(own)
            thread = threading.Thread(target=server.serve_forever, name="intentls-keeper", daemon=True)
            thread.start()
            say(f"Keeping the leases of this clone at {path}.")
            try:
                while not (end.wait(_LOOK_S) or server.is_outdated.is_set() or files.address() != own):
                    if time.monotonic() - server.last_question > idle_s and not keeper.is_needed():
                        break
            finally:
                files.withdraw(own)
                server.shutdown()
                thread.join()
    finally:
        keeper.close()


def _runtime_folder() -> str | None:
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return runtime if runtime.startswith("/") and os.access(runtime, os.W_OK) else None
