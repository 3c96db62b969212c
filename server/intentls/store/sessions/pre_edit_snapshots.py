"""Contents from before an edit that a host makes itself, kept until the host reports the edit.

A host announces its own tool with `preToolUse` and reports it with `postToolUse`; real ranges need the
text in between. A snapshot is a convenience: without one, the whole file counts as changed.
"""

from __future__ import annotations

import json
import logging
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from intentls.core.hashing import content_hash
from intentls.store.clock import timestamp
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.primitives import keep_newest, names_in
from intentls.store.fs.state_directory import make_directory
from intentls.store.sessions.announcer import NOT_KNOWN, Announcer, announcer

log = logging.getLogger(__name__)

_MAX_KEPT = 500
MAX_CONTENT = 16 * 1024 * 1024
MAX_TOTAL = 256 * 1024 * 1024
"""Bytes of one content, and of all. Of a longer content only the hash is kept: what it was is unknown then."""
_MISSING, _PRESENT, _UNKEPT = b"-", b"+", b"#"


class PreEditSnapshot(Struct, frozen=True):
    """A file before an announced edit; `data` is None if there was none, and where it was too long to be kept.

    `unkept` is the hash of a content that was too long. `tool_name` is "" where the tool has no name. `intent_id` is
    what the session had selected, `announcer` the process that announced the edit.
    """

    data: bytes | None
    session_id: str = ""
    path: str = ""
    tool_name: str = ""
    at: str = ""
    unkept: str | None = None
    intent_id: str | None = None
    announcer: Announcer = NOT_KNOWN


class PreEditSnapshots:
    """One snapshot per session and path; the oldest go first."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def keep(
        self, session_id: str, path: str, data: bytes | None, tool_name: str = "", intent_id: str | None = None
    ) -> None:
        """Remember what `path` holds. A full disk only costs precision, so trouble is logged, not raised."""
        by = announcer() if tool_name else NOT_KNOWN
        head = json.dumps([session_id, path, tool_name, timestamp(), intent_id, by.process, by.start, by.place])
        try:
            make_directory(self._directory)
            replace_bytes(self._file(session_id, path), head.encode("ascii") + b"\n" + _packed(data))
            keep_newest(self._directory, _MAX_KEPT, MAX_TOTAL)
        except OSError:
            log.warning("could not keep a snapshot in %s", self._directory, exc_info=True)

    def take(self, session_id: str, path: str) -> PreEditSnapshot | None:
        """The snapshot, which is gone then; None if there is none."""
        snapshot = self.look(session_id, path)
        self._file(session_id, path).unlink(missing_ok=True)
        return snapshot

    def look(self, session_id: str, path: str) -> PreEditSnapshot | None:
        """The snapshot; None if there is none."""
        return _read(self._file(session_id, path))

    def all(self) -> list[PreEditSnapshot]:
        """Every snapshot: the edits that were announced and are not reported yet."""
        try:
            names = names_in(self._directory)
        except OSError:
            return []
        snapshots = (_read(self._directory / name) for name in names)
        return [snapshot for snapshot in snapshots if snapshot is not None]

    def _file(self, session_id: str, path: str) -> Path:
        return self._directory / sha256(f"{session_id}\0{path}".encode("utf-8", "surrogatepass")).hexdigest()


def _packed(data: bytes | None) -> bytes:
    if data is None:
        return _MISSING
    return _PRESENT + data if len(data) <= MAX_CONTENT else _UNKEPT + content_hash(data).encode("ascii")


def _read(file: Path) -> PreEditSnapshot | None:
    try:
        head, _, body = file.read_bytes().partition(b"\n")
        session_id, path, tool_name, at, *more = json.loads(head)
        intent_id, process, start, (boot, namespace) = more or (None, 0, "", ("", ""))
        by = Announcer(int(process), str(start), (str(boot), str(namespace)))
    except (OSError, ValueError, TypeError):
        return None
    data = body[1:] if body.startswith(_PRESENT) else None
    unkept = body[1:].decode("ascii", "replace") if body.startswith(_UNKEPT) else None
    return PreEditSnapshot(data, str(session_id), str(path), str(tool_name), str(at), unkept, intent_id, by)
