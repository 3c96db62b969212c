"""Small JSON files in one directory, one for each key, shared by all processes.

Each use reads the file; all that is kept in memory is which value some bytes are. A value may be lost at any time, so
it is written in one step but not forced to disk, and a file that can't be read holds no value. What is changed under
the lock is overwritten in place (`two_slots`): a reader finds the value before or the one after, whatever is killed
meanwhile.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar

from intentls.core.errors import IntentlsError, StoreError
from intentls.store.clock import now_ns
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import Stamp, file_stamp, is_racy, read_whole
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.fs.state_directory import make_directory
from intentls.store.fs.two_slots import TornFile, first, newest, overwrite

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_READABLE = 40  # characters of the key that a file name shows
_HEX_DIGITS = 32  # of the key's hash, which makes the name unique
_SUFFIX = ".json"
_MAX_KEPT = 64  # files, each
_MAX_KEPT_BYTES = 1 << 16  # at most
_LOOKS = 10  # at a file that others overwrite: two changes during one look tear it


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
        self._listed: tuple[Stamp, tuple[T, ...]] | None = None
        self._kept: dict[str, tuple[bytes, T]] = {}  # by file name: its bytes, and the value in them
        # Taken while path locks are held, so it needs a directory of its own: locks of one directory don't nest.
        self._locks = Locks(directory / "locks")

    def load(self, key: str) -> T | None:
        """The value of a key, if there is one and its file is sound; else that is logged."""
        name = self._file_name(key)
        return self._value(name, lambda: self._newest(name), key)

    def save(self, key: str, value: T | None) -> None:
        """Write the value of a key, or remove it. The last writer wins: `update` changes what is there."""
        file = self._directory / self._file_name(key)
        try:
            if value is None:
                file.unlink(missing_ok=True)
            else:
                self._replace(file, first(self._bytes_of(value)))
        except OSError as error:
            raise StoreError(f"{file} can't be written: {because(error)}.") from error

    def update(self, key: str, change: Callable[[T | None], T | None], lock: str, holder: str) -> None:
        """Load, `change` and store (None: remove), under the lock called `lock` that holds across processes.

        `change` must not use this store. `holder` is how others see who has the lock. Raises LockTimeout.
        """
        name = self._file_name(key)
        with self._locks.hold([lock], holder), ExitStack() as opened:
            try:
                descriptor = opened.enter_context(self._files.editable(name))
            except IntentlsError:  # what can only be read, or is no file
                descriptor = None
            if descriptor is None:
                self._change_whole(key, change)
                return
            file = read_whole(descriptor, os.fstat(descriptor).st_size)
            before = self._value(name, lambda: self._decoded(name, file), key)
            after = change(before)
            if after == before:
                return
            if before is None or after is None or not self._overwrite(descriptor, file, after):
                self.save(key, after)
                return
        # What a process listed counts as long as the directory looks the same.
        with suppress(OSError):
            os.utime(self._directory)

    def _change_whole(self, key: str, change: Callable[[T | None], T | None]) -> None:
        before = self.load(key)
        after = change(before)
        if after != before:
            self.save(key, after)

    def _overwrite(self, descriptor: int, file: bytes, value: T) -> bool:
        """Whether the value was written in place. If not, all is as it was."""
        try:
            return overwrite(descriptor, file, self._bytes_of(value))
        except OSError as error:
            log.debug("a %s is not overwritten but replaced: %s", self._kind, error)
            return False

    def _bytes_of(self, value: T) -> bytes:
        return json.dumps(self._encode(value)).encode("ascii")

    def _replace(self, file: Path, data: bytes) -> None:
        try:
            replace_bytes(file, data)
        except FileNotFoundError:  # `.state/` may be deleted at any time
            make_directory(self._directory)
            replace_bytes(file, data)

    def all(self) -> tuple[T, ...]:
        """Every value, by key; damaged files are left out (logged). One `stat` where nothing changed."""
        now, stamp = now_ns(), file_stamp(self._directory)
        if stamp is not None and self._listed is not None and self._listed[0] == stamp:
            return self._listed[1]
        values = self._list()
        self._listed = None if stamp is None or is_racy(stamp, now) else (stamp, values)
        return values

    def _list(self) -> tuple[T, ...]:
        try:
            names = [file.name for file in self._directory.iterdir() if file.suffix == _SUFFIX]
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StoreError(f"{self._directory} can't be listed: {because(error)}.") from error
        return tuple(sorted((value for value in map(self._read, names) if value is not None), key=self._key_of))

    def _read(self, name: str) -> T | None:
        return self._value(name, lambda: self._newest(name))

    def _value(self, name: str, read: Callable[[], T | None], key: str | None = None) -> T | None:
        """The value that `read` gives; None for none, for a damaged one (logged) and for that of another key."""
        try:
            value = read()
        except (IntentlsError, ValueError, TypeError, OverflowError, RecursionError) as error:
            log.warning("%s file %s counts as empty: %s", self._kind, self._directory / name, error)
            return None
        if key is not None and value is not None and self._key_of(value) != key:
            log.warning("%s is the file of another %s", name, self._kind)
            return None
        return value

    def _newest(self, name: str) -> T | None:
        """The newest whole value of a file. Raises TornFile where no look shows one."""
        for look in range(_LOOKS):
            file = self._files.read(name)
            try:
                return None if file is None else self._decoded(name, file)
            except TornFile:
                if look == _LOOKS - 1:
                    raise
        return None

    def _decoded(self, name: str, file: bytes) -> T:
        """The newest whole value in a file's bytes, which are mostly those of the last time. Values don't change."""
        kept = self._kept.get(name)
        if kept is not None and kept[0] == file:
            return kept[1]
        value = self._parse(newest(file))
        if len(self._kept) >= _MAX_KEPT:
            self._kept.clear()
        if len(file) <= _MAX_KEPT_BYTES:
            self._kept[name] = file, value
        return value

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
