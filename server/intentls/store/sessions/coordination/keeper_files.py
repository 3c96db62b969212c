"""Where a clone's keeper is found: a small file of each user in `.state`, and a socket in a folder of its own."""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from intentls.core.errors import StoreError
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.path_resolution import because
from intentls.store.fs.state_directory import make_directory
from intentls.store.sessions.coordination.wire import KeeperAddress, address_from_json

_RETRY_S = 5.0  # a start that came to nothing is not tried again before
_MAX_BYTES = 4096
_NAME_BYTES = 16


class KeeperFiles:
    """The files in one directory. `user` tells the users of one clone apart."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        user = str(os.geteuid()) if hasattr(os, "geteuid") else "0"
        self.lock = directory / f"keeper-{user}.lock"
        self._address = directory / f"keeper-{user}.json"
        self._starting = directory / f"keeper-{user}.starting"
        self._name = directory / f"place-{user}"
        self._news = directory / f"keeper-{user}.news"

    def prepare(self) -> None:
        """Make the directory. Raises StoreError."""
        try:
            make_directory(self._directory)
        except OSError as error:
            raise StoreError(f"{self._directory} can't be made{because(error)}") from error

    def address(self) -> KeeperAddress | None:
        """Where the keeper listens that started last; None where there was none, or its socket is not safe to use."""
        try:
            address = address_from_json(json.loads(self._address.read_bytes()[:_MAX_BYTES]))
            folder = os.lstat(os.path.dirname(address.socket))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        is_own = stat.S_ISDIR(folder.st_mode) and folder.st_uid == os.geteuid() and not folder.st_mode & 0o077
        return address if is_own else None

    def publish(self, address: KeeperAddress) -> None:
        """Say where the keeper listens. Raises OSError."""
        replace_bytes(self._address, json.dumps(address.to_json()).encode())
        self._starting.unlink(missing_ok=True)

    def withdraw(self, address: KeeperAddress) -> None:
        """The keeper at `address` ends."""
        if self.address() == address:
            with suppress(OSError):
                self._address.unlink()

    def is_first_to_start(self) -> bool:
        """Whether nobody else starts a keeper just now. Raises StoreError."""
        self.prepare()
        try:
            os.close(os.open(self._starting, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            with suppress(OSError):
                if time.time() - self._starting.stat().st_mtime < _RETRY_S:
                    return False
                self._starting.touch()
        except OSError as error:
            raise StoreError(f"{self._starting} can't be made{because(error)}") from error
        return True

    def note_failure(self, reason: str) -> None:
        """A keeper could not start. An error here changes nothing: whoever asks learns that there is none."""
        with suppress(OSError):
            replace_bytes(self._starting, reason.encode()[:_MAX_BYTES])

    def failure(self) -> str:
        """Why the last start of a keeper failed; "" if none did."""
        try:
            return self._starting.read_bytes()[:_MAX_BYTES].decode("utf-8", "replace")
        except OSError:
            return ""

    def note_news(self) -> None:
        """Who works on what has changed, here or elsewhere: whoever watches the directory looks."""
        with suppress(OSError):
            self._news.touch(0o600)

    def place_name(self) -> str:
        """What tells this clone from all others; made on first use. Raises OSError."""
        with suppress(FileExistsError):
            descriptor = os.open(self._name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(os.urandom(_NAME_BYTES).hex())
        return self._name.read_text("ascii")
