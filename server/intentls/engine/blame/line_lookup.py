"""Finds the records that wrote or removed a line, by its hash, and bounds how much of the ledger is read for it."""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.errors import InvalidPath
from intentls.core.ledger.record_json import FileJson, files_of, is_imported, text_of
from intentls.core.text.line_hashes import WIDTH, bare_lines, line_hash, split_hashes
from intentls.engine.blame.record_history import Entry, line_hashes_of
from intentls.engine.workspace.workspace import Workspace

_MAX_RECORDS = 40  # that are looked at for one line
_MAX_BYTES = 512 * 1024 * 1024  # of ledger that are read for one blame, all searches together
_COMPRESSION = 8  # an archive holds about this many times its own size


class LineSearch:
    """The searches for one blame. A line is looked up once, and a file is read once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._entries: dict[bytes, list[Entry]] = {}
        self._current: dict[str, set[bytes]] = {}
        self._bytes_left = _MAX_BYTES

    def entries_with(self, hash_: bytes) -> list[Entry]:
        """The entries that wrote or removed a line, the newest first; [] when too much of the ledger was read."""
        if hash_ not in self._entries:
            self._entries[hash_] = list(self._search(hash_))
        return self._entries[hash_]

    def _search(self, hash_: bytes) -> Iterator[Entry]:
        ledger = self._workspace.ledger
        self._bytes_left -= ledger.size() + _COMPRESSION * ledger.archived_size()
        if self._bytes_left < 0:
            return
        for count, record in enumerate(ledger.newest_first(hash_)):
            if count == _MAX_RECORDS:
                return
            for file in files_of(record) if record.get("success") is True and not is_imported(record) else ():
                if text_of(file, "path") is not None:
                    yield record, file

    def current_hashes(self, path: str) -> set[bytes]:
        """The hashes of the lines that a file has now; none if there is no such file."""
        if path not in self._current:
            try:
                data = self._workspace.contents.read(path).data
            except InvalidPath:
                data = None
            self._current[path] = set(map(line_hash, bare_lines(data or b"")))
        return self._current[path]


def writes(file: FileJson, hash_: bytes) -> bool:
    """Whether an entry claims a line."""
    return any(hash_ in _split(hashes) for hashes in line_hashes_of(file))


def removed_by(file: FileJson) -> list[bytes]:
    """The hashes of the lines that an entry removed or changed, in order."""
    return _split(text_of(file, "removed_line_hashes"))


def _split(text: str | None) -> list[bytes]:
    return split_hashes(text, len(text) // WIDTH) or [] if text else []
