"""Contents from before an edit that a host makes itself, kept until the host reports the edit.

A host announces its own tool with `preToolUse` and reports it with `postToolUse`; real ranges need the
text in between. A snapshot is a convenience: without one, the whole file counts as changed.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from intentls.core.hashing import content_hash
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.primitives import keep_newest

log = logging.getLogger(__name__)

_MAX_KEPT = 500
MAX_CONTENT = 16 * 1024 * 1024
MAX_TOTAL = 256 * 1024 * 1024
"""Bytes of one content, and of all. Of a longer content only the hash is kept: what it was is unknown then."""
_MISSING, _PRESENT, _UNKEPT = b"-", b"+", b"#"


@dataclass(frozen=True, slots=True)
class PreEditSnapshot:
    """A file before an announced edit; `data` is None if there was none, and where it was too long to be kept.

    `unkept` is the hash of a content that was too long.
    """

    data: bytes | None
    unkept: str | None = None


class PreEditSnapshots:
    """One snapshot per session and path; the oldest go first."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def keep(self, session_id: str, path: str, data: bytes | None) -> None:
        """Remember what `path` holds. A full disk only costs precision, so trouble is logged, not raised."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            replace_bytes(self._file(session_id, path), _packed(data))
            keep_newest(self._directory, _MAX_KEPT, MAX_TOTAL)
        except OSError:
            log.warning("could not keep a snapshot in %s", self._directory, exc_info=True)

    def take(self, session_id: str, path: str) -> PreEditSnapshot | None:
        """The snapshot, which is gone then; None if there is none."""
        file = self._file(session_id, path)
        try:
            data = file.read_bytes()
            file.unlink(missing_ok=True)
        except OSError:
            return None
        if data.startswith(_UNKEPT):
            return PreEditSnapshot(None, data[1:].decode("ascii"))
        return PreEditSnapshot(data[1:] if data.startswith(_PRESENT) else None)

    def _file(self, session_id: str, path: str) -> Path:
        return self._directory / sha256(f"{session_id}\0{path}".encode("utf-8", "surrogatepass")).hexdigest()


def _packed(data: bytes | None) -> bytes:
    if data is None:
        return _MISSING
    return _PRESENT + data if len(data) <= MAX_CONTENT else _UNKEPT + content_hash(data).encode("ascii")
