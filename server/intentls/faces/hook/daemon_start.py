"""A hook that found no daemon starts one for the next, and notes for the compiled client where it listens."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import intentls
from intentls.faces.hook import daemon_client
from intentls.faces.hook.daemon_client import DAEMON_MANUAL, DAEMON_VARIABLE, CompiledClient

STARTING = ".starting"
"""Behind the socket's name: this file is there while a daemon starts."""

_NOTE = "client-"
_RETRY_S = 60.0  # a start that came to nothing is not tried again before


def prepare_next(client: CompiledClient | None) -> None:
    """Start a daemon if there is none, and note for `client` where it is. Trouble means that the next hook has none."""
    is_started_by_hand = os.environ.get(DAEMON_VARIABLE) == DAEMON_MANUAL
    if not daemon_client.may_ask() or (is_started_by_hand and client is None):
        return
    directory, path = daemon_client.socket_path()
    with suppress(OSError):
        with suppress(FileExistsError):
            Path(directory).mkdir(mode=0o700)
        if not daemon_client.is_private(directory):
            return
        if client is not None:
            _note(Path(directory, _NOTE + client.key), Path(path).name)
        if not is_started_by_hand and not daemon_client.is_served(path) and _is_first(Path(path + STARTING)):
            from intentls.store.process.run import start_detached  # once a daemon, and slow to import

            start_detached([sys.executable, "-P", "-m", "intentls", "daemon"])


def forget_clients(directory: str, path: str) -> None:
    """Remove the notes that lead to the daemon at `path`, which ends. Raises OSError."""
    for note in Path(directory).glob(f"{_NOTE}*"):
        lines = note.read_bytes().split(b"\n")
        if len(lines) > 1 and lines[1] == os.fsencode(Path(path).name):
            note.unlink()


def _note(file: Path, socket_name: str) -> None:
    """Three lines: the version, the socket's name, and what a hook of this installation says of itself."""
    content = b"\n".join([intentls.__version__.encode(), os.fsencode(socket_name), daemon_client.identity()])
    with suppress(FileNotFoundError):
        if file.read_bytes() == content:
            return
    written = file.with_name(f"{file.name}.{os.getpid()}")
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(content)
    written.replace(file)


def _is_first(starting: Path) -> bool:
    """Whether no other hook starts a daemon just now."""
    try:
        os.close(os.open(starting, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if time.time() - starting.stat().st_mtime < _RETRY_S:
            return False
        starting.touch()
    return True
