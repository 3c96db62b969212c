"""Small JSON files in one directory, one for each key, shared by all processes.

Nothing is kept in memory: each use reads the file. A value may be lost at any time, so it is written in one step but
not forced to disk, and a file that can't be read holds no value.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar

from intentls.core.errors import IntentlsError, StoreError
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import because
from intentls.store.fs.rooted_files import RootedFiles

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_READABLE = 40  # characters of the key that a file name shows
_HEX_DIGITS = 32  # of the key's hash, which makes the name unique
_SUFFIX = ".json"


class KeyedFiles(Generic[T]):
    """The files of one directory. Safe to use from several threads and processes.

    `kind` names a value in messages, `file_name` gives the name for a key, `key_of` the key that a value is for.
    `encode` gives what JSON can hold; `decode` undoes it, and raises ValueError, TypeError or OverflowError for
    anything else. Every method raises StoreError where the disk refuses, and what `file_name` raises.
    """

    def __init__(
        self,
        directory: Path,
        kind: str,
        file_name: Callable[[str], str],
        key_of: Callable[[T], str],
        encode: Callable[[T], dict[str, Any]],
        decode: Callable[[dict[str, Any]], T],
    ) -> None:
        self._directory = directory
        self._kind = kind
        self._file_name, self._key_of, self._encode, self._decode = file_name, key_of, encode, decode
        self._files = RootedFiles(directory)
        # Taken while path locks are held, so it needs a directory of its own: locks of one directory don't nest.
        self._locks = Locks(directory / "locks")

    def load(self, key: str) -> T | None:
        """The value of a key, if there is one and its file is sound; else that is logged."""
        name = self._file_name(key)
        value = self._read(name)
        if value is not None and self._key_of(value) != key:
            log.warning("%s is the file of another %s", name, self._kind)
            return None
        return value

    def save(self, key: str, value: T | None) -> None:
        """Write the value of a key, or remove it. The last writer wins: hold the lock to change what is there."""
        file = self._directory / self._file_name(key)
        try:
            if value is None:
                file.unlink(missing_ok=True)
            else:
                self._write(file, json.dumps(self._encode(value)).encode("ascii"))
        except OSError as error:
            raise StoreError(f"{file} can't be written: {because(error)}.") from error

    def _write(self, file: Path, data: bytes) -> None:
        try:
            replace_bytes(file, data)
        except FileNotFoundError:  # `.state/` may be deleted at any time
            self._directory.mkdir(parents=True, exist_ok=True)
            replace_bytes(file, data)

    def hold(self, name: str, holder: str) -> AbstractContextManager[None]:
        """A lock across processes; `holder` is how others see who has it. Raises LockTimeout."""
        return self._locks.hold([name], holder)

    def all(self) -> list[T]:
        """Every value, by key; damaged files are left out (logged)."""
        try:
            names = [file.name for file in self._directory.iterdir() if file.suffix == _SUFFIX]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"{self._directory} can't be listed: {because(error)}.") from error
        return sorted((value for value in map(self._read, names) if value is not None), key=self._key_of)

    def _read(self, name: str) -> T | None:
        try:
            data = self._files.read(name)
            return None if data is None else self._parse(data)
        except (IntentlsError, ValueError, TypeError, OverflowError, RecursionError) as error:
            log.warning("%s file %s counts as empty: %s", self._kind, self._directory / name, error)
            return None

    def _parse(self, data: bytes) -> T:
        values = json.loads(data)
        if not isinstance(values, dict):
            raise TypeError(f"there is no {self._kind} in it")
        return self._decode(values)


def name_of(key: str, part: slice) -> str:
    """The name of a key's file: a readable part of the key, and the key's hash."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", key)[part]
    digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{readable}-{digest[:_HEX_DIGITS]}{_SUFFIX}"
