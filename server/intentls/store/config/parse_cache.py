"""What declared files said when they were last parsed, for a process that lives for one question.

Parsing YAML and validating it takes such a process longer to import than all the rest takes together. So each process
that parses keeps the result in `.state/known/`. It is used only if all of this matches: the file's bytes (by hash),
the file itself (a stamp that no clone and no copy reproduces), our version, Python's, and the kept file's own
checksum. Else the file is parsed. Of a file with an error nothing is kept.

Only a process that records nothing may trust it: any program of the same user could have forged it.
"""

from __future__ import annotations

import json
import logging
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import intentls
from intentls.core.hashing import content_hash
from intentls.store.fs.own_file import read_own, write_own
from intentls.store.fs.primitives import stamp_of
from intentls.store.layout import MAX_BYTES

log = logging.getLogger(__name__)

T = TypeVar("T")

_FORMAT: Final = 3
_MAX_KEPT: Final = 16 * MAX_BYTES


class ParseCache(Generic[T]):
    """The parse of a declared file, or of several that are parsed together, kept in the file `kept`.

    `sources` are the files. `pack` gives what JSON can hold, None for what is not to be kept; `unpack` undoes it, given
    the bytes. Unless it is trusted, they are always parsed, and the result only kept for other processes.
    """

    def __init__(
        self,
        sources: Sequence[Path],
        kept: Path,
        parse: Callable[[bytes | None], T],
        pack: Callable[[T], Any],
        unpack: Callable[[Any, bytes], T],
        *,
        trusted: bool,
    ) -> None:
        self._sources = sources
        self._kept = kept
        self._parse = parse
        self._pack = pack
        self._unpack = unpack
        self._trusted = trusted

    def read(self, data: bytes | None) -> T:
        """What `parse` would say of the bytes. Raises what it raises, and nothing else."""
        key = self._key(data) if data and len(data) <= MAX_BYTES else None
        if data is None or key is None:
            return self._parse(data)
        if self._trusted:
            try:
                return self._unpack(self._load(key), data)
            except (OSError, ValueError, TypeError, LookupError, RecursionError) as error:
                log.debug("%s can't be used: %s", self._kept, error)
        value = self._parse(data)
        self._keep(key, self._pack(value))
        return value

    def _key(self, data: bytes) -> list[str | int] | None:
        """What must be the same for the kept to hold; None where a file is not simply there."""
        try:
            statuses = [source.lstat() for source in self._sources]
        except OSError:
            return None
        if not all(stat.S_ISREG(status.st_mode) for status in statuses):
            return None
        # A stamp's inode and time of last change can't be chosen by those who ship a workspace.
        stamps = (number for status in statuses for number in stamp_of(status))
        return [_FORMAT, intentls.__version__, sys.version, content_hash(data), *stamps]

    def _load(self, key: list[str | int]) -> Any:
        """Raises OSError where nothing is kept, ValueError where it can't be trusted."""
        kept_key, packed = json.loads(read_own(self._kept, _MAX_KEPT))
        if kept_key != key:
            raise ValueError("it is of another file, or of another version")
        return packed

    def _keep(self, key: list[str | int], packed: Any) -> None:
        if packed is None:
            return
        body = json.dumps([key, packed]).encode("ascii")
        try:
            write_own(self._kept, body)
        except OSError as error:
            log.debug("%s can't be written: %s", self._kept, error)
