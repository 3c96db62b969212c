"""The intent with which sessions of this working tree begin: one small file, chosen by `intentls select INTENT`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from intentls.core.errors import StoreError
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import READ_NO_LINK

_MAX_BYTES: Final = 64 * 1024


class DefaultIntent:
    """The file at `path`. One that came with a clone or a copy says nothing: it names the directory that it is of."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> str | None:
        """The intent's id; None if none was chosen here."""
        try:
            descriptor = os.open(self._path, READ_NO_LINK)
        except OSError:
            return None
        try:
            with open(descriptor, "rb") as file:
                intent_id, directory = json.loads(file.read(_MAX_BYTES))
        except (OSError, ValueError, TypeError):
            return None
        return intent_id if isinstance(intent_id, str) and directory == self._directory() else None

    def write(self, intent_id: str | None) -> None:
        """Choose an intent, or none. Raises StoreError."""
        try:
            if intent_id is None:
                self._path.unlink(missing_ok=True)
            else:
                replace_bytes(self._path, json.dumps([intent_id, self._directory()]).encode("ascii"), mode=0o600)
        except OSError as error:
            raise StoreError(f"{self._path} can't be written: {because(error)}") from error

    def _directory(self) -> list[int]:
        status = self._path.parent.stat()
        return [status.st_dev, status.st_ino]
