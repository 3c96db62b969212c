"""Looking for the records that wrote a line, by its hash, without reading a large ledger too often."""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.errors import InvalidPath
from intentls.core.text.line_hashes import WIDTH, bare_lines, line_hash, split_hashes
from intentls.core.untrusted_json import Record, files_of, is_imported, text_of
from intentls.engine.blame.record_history import line_hashes_of
from intentls.engine.workspace.workspace import Workspace

_MOST_RECORDS = 40  # that are looked at for a line
_MOST_BYTES = 512 * 1024 * 1024  # of ledger that are read for one file, all questions together
_PACKED = 8  # times as much is in an archive as its size says


class LineSearch:
    """The questions that are asked for one file. A line is looked for once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.unowned: set[bytes] = set()  # lines whose writer was looked for
        self.followed: set[tuple[int, bytes]] = set()  # lines of entries whose moves were looked for
        self._found: dict[bytes, list[tuple[Record, Record]]] = {}
        self._now: dict[str, set[bytes]] = {}
        self._left = _MOST_BYTES

    def mentions(self, hash_: bytes) -> list[tuple[Record, Record]]:
        """(record, entry of a file) of what wrote or removed a line, the newest first; [] if too much was read."""
        if hash_ not in self._found:
            self._found[hash_] = list(self._read(hash_))
        return self._found[hash_]

    def _read(self, hash_: bytes) -> Iterator[tuple[Record, Record]]:
        ledger = self._workspace.ledger
        self._left -= ledger.size() + _PACKED * ledger.archived_size()
        if self._left < 0:
            return
        for count, record in enumerate(ledger.newest_first(hash_)):
            if count == _MOST_RECORDS:
                return
            for file in files_of(record) if record.get("success") is True and not is_imported(record) else ():
                if text_of(file, "path") is not None:
                    yield record, file

    def now_in(self, path: str) -> set[bytes]:
        """The hashes of what a file has now; none if there is no such file."""
        if path not in self._now:
            try:
                data = self._workspace.contents.read(path).data
            except InvalidPath:
                data = None
            self._now[path] = set(map(line_hash, bare_lines(data or b"")))
        return self._now[path]


def writes(file: Record, hash_: bytes) -> bool:
    """Whether an entry claims a line."""
    return any(hash_ in _apart(each) for each in line_hashes_of(file))


def removed_by(file: Record) -> list[bytes]:
    """The hashes of the lines that an entry removed or changed, in order."""
    return _apart(text_of(file, "removed_line_hashes"))


def _apart(text: str | None) -> list[bytes]:
    return split_hashes(text, len(text) // WIDTH) or [] if text else []
