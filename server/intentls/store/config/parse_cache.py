"""What a declared file said when it was last read, for a process that lives for one question.

Parsing YAML and judging it by a schema takes such a process longer to import than all the rest takes together. So
whoever parses keeps what came of it in `.state/known/`. It is believed only if everything fits: the file's bytes (by
hash), the file itself (a stamp that no clone and no copy reproduces), our version, Python's, and the kept file's own
checksum. Else the file is parsed as ever. Of a file with an error nothing is kept.

And it is believed only by who asks and records nothing (`believes`): anybody who runs programs as this user could have
forged it.
"""

from __future__ import annotations

import json
import logging
import os
import stat
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import intentls
from intentls.core.hashing import content_hash
from intentls.store.fs.atomic_write import OWN, replace_bytes
from intentls.store.layout import MAX_BYTES

log = logging.getLogger(__name__)

T = TypeVar("T")

_FORMAT: Final = 1
_MOST_KEPT: Final = 16 * MAX_BYTES
_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


class ParseCache(Generic[T]):
    """One declared file, `source`, and what is known of it, `kept`.

    `pack` gives what JSON can hold, None for what is not to be kept; `unpack` undoes it, given the file's bytes.
    Without `believes` the file is parsed, and only kept for others.
    """

    def __init__(
        self,
        source: Path,
        kept: Path,
        parse: Callable[[bytes | None], T],
        pack: Callable[[T], Any],
        unpack: Callable[[Any, bytes], T],
        *,
        believes: bool,
    ) -> None:
        self._source = source
        self._kept = kept
        self._parse = parse
        self._pack = pack
        self._unpack = unpack
        self._believes = believes

    def read(self, data: bytes | None) -> T:
        """What `parse` would say of the file's bytes. Raises what it raises, and nothing else."""
        key = self._key(data) if data and len(data) <= MAX_BYTES else None
        if data is None or key is None:
            return self._parse(data)
        if self._believes:
            try:
                return self._unpack(self._load(key), data)
            except (OSError, ValueError, TypeError, LookupError, RecursionError) as error:
                log.debug("%s is parsed: what is known of it does not serve (%s)", self._source, error)
        found = self._parse(data)
        self._keep(key, self._pack(found))
        return found

    def _key(self, data: bytes) -> list[str | int] | None:
        """What must be the same for the kept to hold; None for a file that is not simply there."""
        try:
            found = self._source.lstat()
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        # The inode and the time of its last change can be chosen by nobody who ships a workspace.
        stamp = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        return [_FORMAT, intentls.__version__, sys.version, content_hash(data), *stamp]

    def _load(self, key: list[str | int]) -> Any:
        """Raises OSError where nothing is kept, ValueError where it is not to be believed."""
        checksum, _, body = self._bytes().partition(b"\n")
        if checksum != _checksum(body):
            raise ValueError("it is damaged")
        kept_key, packed = json.loads(body)
        if kept_key != key:
            raise ValueError("it is of another file, or of another version")
        return packed

    def _bytes(self) -> bytes:
        descriptor = os.open(self._kept, os.O_RDONLY | OWN)
        try:
            found = os.fstat(descriptor)
            owner = getattr(os, "geteuid", lambda: found.st_uid)()
            if not stat.S_ISREG(found.st_mode) or found.st_uid != owner or found.st_mode & _OTHERS_MAY_WRITE:
                raise ValueError("others may have written it")
            with open(descriptor, "rb", closefd=False) as file:
                return file.read(_MOST_KEPT)
        finally:
            os.close(descriptor)

    def _keep(self, key: list[str | int], packed: Any) -> None:
        if packed is None:
            return
        body = json.dumps([key, packed]).encode("ascii")
        try:
            self._kept.parent.mkdir(exist_ok=True)
            replace_bytes(self._kept, _checksum(body) + b"\n" + body, mode=0o600)
        except OSError as error:
            log.debug("what %s says is not kept: %s", self._source, error)


def _checksum(body: bytes) -> bytes:
    return sha256(body).hexdigest().encode("ascii")
