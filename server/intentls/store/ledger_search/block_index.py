"""Which blocks of a ledger's file may hold what a query asks for: a small database in `.state/` for each large file.

It is derived and never needed. A block is whole lines; the index knows the keys of its records (`query`) and its
newest timestamp, nothing else: the answer is read from the ledger itself and each record compared. Where the index
has no answer (there is none, another process is writing it, it does not fit the file) the file is read backward.

It fits a file that is the same one, has not become shorter, still has the same bytes at the beginning and at the end
of what was indexed, and was not touched without growing; each block is compared with its checksum when it is read. It
lies in a directory named after the `.state/` that it was made in, so that none comes along with a clone or a copy.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from intentls.store.fs.atomic_write import read_at
from intentls.store.fs.state_directory import make_directory, prepare_state
from intentls.store.layout import Layout
from intentls.store.ledger_search.query import Block, IndexedBlock

log = logging.getLogger(__name__)

_VERSION = 1
_BUSY_S: Final = 0.02  # as long as a search waits while the index is written: less than reading the file takes
_SAMPLE = 4096  # bytes
_CACHE_KIB = 32 * 1024
_TABLES = (
    "CREATE TABLE seen (generation BLOB, identity TEXT, size INTEGER, mtime INTEGER, end INTEGER, sample BLOB)",
    "CREATE TABLE block (start INTEGER PRIMARY KEY, length INTEGER, checksum INTEGER, newest TEXT)",
    "CREATE TABLE word (word INTEGER, start INTEGER, PRIMARY KEY (word, start)) WITHOUT ROWID",
)


class BlockMatches(Struct, frozen=True):
    """The blocks before some offset that may hold a match, last first; `more` if there may be more of them.

    The index knows the file up to `end`. Answers of different generations don't go together.
    """

    generation: bytes
    end: int
    blocks: Sequence[Block]
    more: bool


class LedgerIndex:
    """The index of one file of a ledger."""

    def __init__(self, layout: Layout, name: str) -> None:
        self._layout = layout
        self._name = name

    def look_up(
        self, descriptor: int, keys: Sequence[int], since: str, before: int | None, limit: int
    ) -> BlockMatches | None:
        """The blocks before an offset (None: all) that have all the keys, and a timestamp not older than `since`.

        At most `limit`, the last ones. None if the index has no answer now.
        """
        try:
            file = self._file()
            if not file.exists():
                return None
            with closing(_connect(f"{file.as_uri()}?mode=ro", _BUSY_S)) as db:
                db.execute("BEGIN")
                stamp = _read_stamp(db)
                if stamp is None or not stamp.fits(descriptor):
                    return None
                blocks = _blocks(db, keys, since, stamp.end if before is None else before, limit)
        except (sqlite3.Error, OSError):
            log.debug("the ledger's index can't be asked now", exc_info=True)
            return None
        return BlockMatches(stamp.generation, stamp.end, blocks, len(blocks) == limit)

    def extend(self, descriptor: int, describe: Callable[[int], Iterable[IndexedBlock]]) -> int | None:
        """Take in the blocks that `describe` gives from an offset on, all or none. How many bytes that were.

        None if that can't be done now; another process may be doing it. What does not fit the file is forgotten first.
        """
        try:
            with closing(self._begin()) as db:
                stamp = _read_stamp(db)
                if stamp is None or not stamp.fits(descriptor):
                    stamp = _begin_anew(db, descriptor)
                end = _add(db, stamp.end, describe(stamp.end))
                _update_stamp(db, descriptor, end)
                db.execute("COMMIT")
                return end - stamp.end
        except sqlite3.OperationalError:  # busy, mostly
            log.debug("the ledger's index can't be extended now", exc_info=True)
        except sqlite3.DatabaseError:
            log.warning("the ledger's index is damaged; it will be made again", exc_info=True)
            self._remove()
        except OSError:
            log.warning("the ledger's index can't be written", exc_info=True)
        return None

    def carry_over(self, old: int, new: int, common: int) -> None:
        """Let it be the index of the open file `new`, whose first `common` bytes are those of `old`, if it is old's."""
        try:
            if not self._file().exists():
                return
            with closing(self._begin()) as db:
                stamp = _read_stamp(db)
                if stamp is None or not stamp.fits(old):
                    return
                db.execute("DELETE FROM block WHERE start + length > ?", (common,))
                (end,) = db.execute("SELECT coalesce(max(start + length), 0) FROM block").fetchone()
                db.execute("DELETE FROM word WHERE start >= ?", (end,))
                db.execute("UPDATE seen SET generation = ?, identity = ?", (os.urandom(16), _identity(os.fstat(new))))
                _update_stamp(db, new, end)
                db.execute("COMMIT")
        except (sqlite3.Error, OSError):
            log.debug("the ledger's index will be made again", exc_info=True)

    def forget(self) -> None:
        """It does not fit the file after all."""
        with suppress(sqlite3.Error, OSError), closing(self._begin()) as db:
            db.execute("DELETE FROM seen")
            db.execute("COMMIT")

    def _file(self) -> Path:
        status = self._layout.state.stat()
        return self._layout.index / f"{status.st_dev:x}-{status.st_ino:x}" / f"{self._name}.sqlite3"

    def _begin(self) -> sqlite3.Connection:
        """A connection that is writing, to tables of this version. It never waits."""
        prepare_state(self._layout)
        file = self._file()
        if not file.parent.exists():
            shutil.rmtree(self._layout.index, ignore_errors=True)  # what came along with a copy
            make_directory(file.parent)
        db = _connect(file.as_uri(), 0)
        try:
            db.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
            db.execute("BEGIN IMMEDIATE")
            if db.execute("PRAGMA user_version").fetchone() != (_VERSION,):
                for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                    db.execute(f'DROP TABLE "{table}"')
                for table in _TABLES:
                    db.execute(table)
                db.execute(f"PRAGMA user_version={_VERSION}")
        except BaseException:
            db.close()
            raise
        return db

    def _remove(self) -> None:
        with suppress(OSError):
            file = self._file()
            Path(f"{file}-journal").unlink(missing_ok=True)  # first: it must not be taken for a later file's
            file.unlink()


class _FileStamp(Struct, frozen=True):
    """The file as it was when the index was last extended. `sample` is of what stood before `end`."""

    generation: bytes
    identity: str
    size: int
    mtime: int
    end: int
    sample: bytes

    def fits(self, descriptor: int) -> bool:
        """Whether the open file is that one, and has at most grown."""
        now = os.fstat(descriptor)
        if _identity(now) != self.identity or now.st_size < self.size:
            return False
        if now.st_size == self.size and now.st_mtime_ns != self.mtime:
            return False
        return _sample(descriptor, self.end) == self.sample


def _connect(uri: str, patience_s: float) -> sqlite3.Connection:
    return sqlite3.connect(uri, timeout=patience_s, isolation_level=None, uri=True)


def _read_stamp(db: sqlite3.Connection) -> _FileStamp | None:
    row = db.execute("SELECT * FROM seen").fetchone()
    return None if row is None else _FileStamp(*row)


def _begin_anew(db: sqlite3.Connection, descriptor: int) -> _FileStamp:
    for table in ("seen", "block", "word"):
        db.execute(f"DELETE FROM {table}")
    now = os.fstat(descriptor)
    stamp = _FileStamp(os.urandom(16), _identity(now), 0, 0, 0, b"")
    db.execute("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?)", astuple(stamp))
    return stamp


def _add(db: sqlite3.Connection, end: int, described: Iterable[IndexedBlock]) -> int:
    rows: list[tuple[int, int]] = []
    for block, keys, newest in described:
        db.execute("INSERT INTO block VALUES (?, ?, ?, ?)", (*block, newest))
        rows += ((key, block.start) for key in keys)
        end = block.start + block.length
    rows.sort()  # neighbours go to the same pages
    db.executemany("INSERT INTO word VALUES (?, ?)", rows)
    return end


def _update_stamp(db: sqlite3.Connection, descriptor: int, end: int) -> None:
    now = os.fstat(descriptor)
    db.execute(
        "UPDATE seen SET size = ?, mtime = ?, end = ?, sample = ?",
        (now.st_size, now.st_mtime_ns, end, _sample(descriptor, end)),
    )


def _blocks(db: sqlite3.Connection, keys: Sequence[int], since: str, before: int, limit: int) -> list[Block]:
    if keys:
        more = "".join(" AND EXISTS (SELECT 1 FROM word WHERE word = ? AND start = first.start)" for _ in keys[1:])
        rows = db.execute(
            "SELECT block.start, length, checksum FROM word AS first CROSS JOIN block ON block.start = first.start "
            f"WHERE word = ? AND first.start < ?{more} AND coalesce(newest, ?) >= ? "
            "ORDER BY first.start DESC LIMIT ?",
            (keys[0], before, *keys[1:], since, since, limit),
        )
    else:
        rows = db.execute(
            "SELECT start, length, checksum FROM block WHERE start < ? AND coalesce(newest, ?) >= ? "
            "ORDER BY start DESC LIMIT ?",
            (before, since, since, limit),
        )
    return [Block(*row) for row in rows]


def _identity(status: os.stat_result) -> str:
    return f"{status.st_dev:x}:{status.st_ino:x}"


def _sample(descriptor: int, end: int) -> bytes:
    """What tells one file from another that has become as long."""
    size = min(_SAMPLE, end)
    return sha256(read_at(descriptor, size, 0) + read_at(descriptor, size, end - size)).digest()
