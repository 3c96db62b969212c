"""What was done, learned and decided, by words and by files: a small database in `.state/`, derived and deletable.

SQLite's FTS5 ranks the rows (`text_rows`) by BM25; where Python's SQLite lacks it, those with the words come newest
first. The rows are a function of the records, the lessons and the intents: an index that grew with the ledger answers
as one that is made at once. While the ledger's file is the same one and has only been appended to, what is new is read;
else all records are read, and those rows are made again whose records are others now. Where the disk refuses, or
another process holds the file too long, it is made in memory.

    the index knows a1, a2; a merge makes the ledger a1, b1, a2     -> b1's row is made
    the other branch is checked out, and the ledger is a1           -> the rows of b1 and a2 are made again without them
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from msgspec.structs import asdict

from intentls.core.ledger.record_json import Record, text_of
from intentls.core.ledger.record_text import words_in
from intentls.store.fs.state_directory import make_directory, prepare_state
from intentls.store.layout import Layout
from intentls.store.ledger_search.text_rows import (
    Hit,
    IntentText,
    Kind,
    RecordPart,
    TextSources,
    digest,
    intent_row,
    is_plain,
    lesson_row,
    one_line,
    words_of,
)

log = logging.getLogger(__name__)

T = TypeVar("T")
_Row: TypeAlias = tuple[Kind, str]  # its kind and its key

_VERSION: Final = 2
_BUSY_S: Final = 5.0
_CACHE_KIB: Final = 32 * 1024
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)",
    "CREATE TABLE doc (id INTEGER PRIMARY KEY, kind TEXT, key TEXT, intent_id TEXT, timestamp TEXT, data TEXT, "
    "words TEXT, UNIQUE (kind, key))",
    "CREATE INDEX doc_intent ON doc (intent_id)",
    "CREATE TABLE intent (id TEXT PRIMARY KEY, digest TEXT)",
    "CREATE TABLE record (place INTEGER PRIMARY KEY, digest TEXT, kind TEXT, key TEXT)",
    "CREATE TABLE path (path TEXT, doc INTEGER, PRIMARY KEY (path, doc)) WITHOUT ROWID",
)
_TEXT = "CREATE VIRTUAL TABLE text USING fts5(subject, body, paths, symbols, tokenize='porter unicode61')"
# Of the columns of `text`, in their order: when a person asks for words, and when an intent looks for what is like it.
_ASKED, _ALIKE = "2, 1, 2, 1", "1, 0.5, 4, 1"

_LESSONS, _INTENTS, _FILE, _NEWEST = "lessons", "intents", "file", "newest"  # keys of `meta`


class FullTextIndex:
    """The index of one root."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._intents: tuple[Mapping[str, IntentText], str] = ({}, _digest_of({}))  # the last ones, with their digest

    def ask(self, sources: TextSources, question: Callable[[TextRows], T]) -> T:
        """What `question` finds in the rows of these sources. Raises what `newest_first` and `question` raise."""
        for _ in range(2):
            try:
                return self._answer(self._file(), sources, question)
            except sqlite3.OperationalError:  # busy, full, read-only
                log.info("the text index can't be written now; it is made in memory", exc_info=True)
                break
            except (sqlite3.DatabaseError, ValueError, TypeError):
                log.warning("the text index is damaged; it is made again", exc_info=True)
                self._remove()
            except OSError:
                log.info("there is no place for the text index; it is made in memory", exc_info=True)
                break
        return self._answer(None, sources, question)

    def _answer(self, file: Path | None, sources: TextSources, question: Callable[[TextRows], T]) -> T:
        with closing(self._opened(file, sources)) as db:
            return question(TextRows(db, ranks=_has_ranking(db)))

    def _opened(self, file: Path | None, sources: TextSources) -> sqlite3.Connection:
        name = ":memory:" if file is None else str(file)
        db = sqlite3.connect(name, timeout=_BUSY_S, isolation_level=None)
        try:
            db.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
            db.execute("PRAGMA synchronous=OFF")  # it can be made again
            _catch_up(db, sources, self._state_of(sources))
        except BaseException:
            db.close()
            raise
        return db

    def _state_of(self, sources: TextSources) -> dict[str, str]:
        """What the rows depend on, in short. The digest of the same object is made once: there may be thousands."""
        kept, of_intents = self._intents
        if kept is not sources.intents:
            of_intents = _digest_of(sources.intents)
            self._intents = (sources.intents, of_intents)
        return {
            _FILE: json.dumps(sources.stamp),
            _INTENTS: of_intents,
            _LESSONS: digest(sources.lessons),
        }

    def _file(self) -> Path:
        prepare_state(self._layout)
        status = self._layout.state.stat()
        # The name ties it to this directory: none comes along with a copy.
        file = self._layout.texts / f"{status.st_dev:x}-{status.st_ino:x}.sqlite3"
        make_directory(file.parent)
        return file

    def _remove(self) -> None:
        with suppress(OSError):
            file = self._file()
            Path(f"{file}-journal").unlink(missing_ok=True)
            file.unlink(missing_ok=True)


class TextRows:
    """The rows, as they are while it is open."""

    def __init__(self, db: sqlite3.Connection, *, ranks: bool) -> None:
        self._db = db
        self._ranks = ranks

    def search(self, words: str, limit: int) -> list[Hit]:
        """The rows with all the words, best first; those with any of them where none has all."""
        terms = words_in(words)
        return self._matching(terms, "AND", limit, _ASKED) or self._matching(terms, "OR", limit, _ASKED)

    def similar(self, text: str, limit: int, but: str | None = None) -> list[Hit]:
        """The pieces of work of other intents than `but` that share words with `text`, best first."""
        if not self._ranks:
            return []
        return self._matching(
            words_in(text), "OR", limit, _ALIKE, "AND doc.kind = ? AND doc.intent_id IS NOT ?", ("record", but)
        )

    def touching(self, contains: Callable[[str], bool], limit: int, but: str | None = None) -> list[Hit]:
        """The pieces of work of other intents than `but` on files for which `contains` is true, newest first."""
        paths = [path for (path,) in self._db.execute("SELECT DISTINCT path FROM path") if contains(path)]
        self._db.execute("CREATE TEMP TABLE IF NOT EXISTS chosen (path TEXT PRIMARY KEY) WITHOUT ROWID")
        self._db.execute("DELETE FROM chosen")
        self._db.executemany("INSERT INTO chosen VALUES (?)", ((path,) for path in paths))
        rows = self._db.execute(
            "SELECT DISTINCT doc.id, doc.data, doc.timestamp, doc.key FROM chosen JOIN path USING (path) "
            "JOIN doc ON doc.id = path.doc WHERE doc.kind = ? AND doc.intent_id IS NOT ? "
            "ORDER BY doc.timestamp DESC, doc.key LIMIT ?",
            ("record", but, limit),
        )
        return [_hit(row[1]) for row in rows]

    def _matching(
        self,
        words: list[str],
        operator: str,
        limit: int,
        weights: str,
        more: str = "",
        values: tuple[str | None, ...] = (),
    ) -> list[Hit]:
        if not words:
            return []
        if self._ranks:
            query = f" {operator} ".join(f'"{word}"' for word in words)
            rows = self._db.execute(
                f"SELECT doc.data FROM text JOIN doc ON doc.id = text.rowid WHERE text MATCH ? {more} "
                f"ORDER BY bm25(text, {weights}), doc.timestamp DESC, doc.kind, doc.key LIMIT ?",
                (query, *values, limit),
            )
        else:
            condition = f" {operator} ".join(["instr(words, ?) > 0"] * len(words))
            rows = self._db.execute(
                f"SELECT data FROM doc WHERE ({condition}) ORDER BY timestamp DESC, kind, key LIMIT ?", (*words, limit)
            )
        return [_hit(data) for (data,) in rows]


def _catch_up(db: sqlite3.Connection, sources: TextSources, target: dict[str, str]) -> None:
    """Take in what is new. A reader that finds everything as it is writes nothing, and waits for nobody."""
    if _is_ready(db) and target.items() <= _meta(db).items():
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        if not _is_ready(db):
            _create(db)
        known = _meta(db)
        if known.get(_INTENTS) != target[_INTENTS]:
            _take_intents(db, sources)
        if known.get(_FILE) != target[_FILE]:
            _take_records(db, sources, known, target)
        if known.get(_LESSONS) != target[_LESSONS]:
            _take_lessons(db, sources)
        db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", target.items())
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def _digest_of(intents: Mapping[str, IntentText]) -> str:
    return digest(sorted((id_, one.name, one.description, one.is_open) for id_, one in intents.items()))


def _is_ready(db: sqlite3.Connection) -> bool:
    ready: bool = db.execute("PRAGMA user_version").fetchone() == (_VERSION,)
    return ready


def _meta(db: sqlite3.Connection) -> dict[str, str]:
    return dict(db.execute("SELECT key, value FROM meta"))


def _has_ranking(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'text'").fetchone() is not None


def _create(db: sqlite3.Connection) -> None:
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL").fetchall():
        db.execute(f'DROP TABLE IF EXISTS "{table}"')
    for statement in _TABLES:
        db.execute(statement)
    try:
        db.execute(_TEXT)
    except sqlite3.OperationalError as error:
        log.info("SQLite has no FTS5 here, so nothing is ranked by its words: %s", error)
    db.execute(f"PRAGMA user_version={_VERSION}")


def _take_records(db: sqlite3.Connection, sources: TextSources, known: dict[str, str], target: dict[str, str]) -> None:
    """The records that were appended, if that is all that happened; else all whose rows have others now."""
    newest, appended = known.get(_NEWEST), None
    if newest and _is_same_file(known[_FILE], target[_FILE]):
        appended = _appended(sources, newest)
    if appended is None:
        _compare_records(db, sources, target)
        return
    parts = [RecordPart.of(record) for record in appended]
    _note_records(db, ((digest(record), _row_of(part)) for record, part in zip(appended, parts, strict=True)))
    _add(db, parts, sources)
    if appended:
        target[_NEWEST] = _newest_id(appended[-1])


def _appended(sources: TextSources, newest: str) -> list[Record] | None:
    """The records after the one with the id `newest`, oldest first; None if that is not there any more."""
    appended: list[Record] = []
    for record in sources.newest_first():
        if text_of(record, "id") == newest:
            return appended[::-1]
        appended.append(record)
    return None


def _compare_records(db: sqlite3.Connection, sources: TextSources, target: dict[str, str]) -> None:
    """Make those rows again that stand for other records than before, or for the same ones in another order."""
    rows = db.execute("SELECT digest, kind, key FROM record ORDER BY place").fetchall()
    before: dict[str, _Row | None] = {mark: (kind, key) if kind else None for mark, kind, key in rows}
    now: dict[str, _Row | None] = {}
    parts: dict[str, RecordPart | None] = {}
    newest_id, count = "", 0
    for record in sources.newest_first():
        newest_id, count = newest_id if count else _newest_id(record), count + 1
        mark = digest(record)
        if mark not in before:
            parts[mark] = RecordPart.of(record)
        now[mark] = before[mark] if mark in before else _row_of(parts[mark])
    now = dict(reversed(now.items()))
    changed = {*map(now.get, now.keys() - before.keys()), *map(before.get, before.keys() - now.keys())}
    is_plain_list = count == len(now) and len(rows) == len(before)
    if not is_plain_list or [mark for mark in before if mark in now] != [mark for mark in now if mark in before]:
        changed = {*now.values(), *before.values()}
    for row in changed:
        for (number,) in db.execute("SELECT id FROM doc WHERE kind = ? AND key = ?", row or ("", "")).fetchall():
            _drop(db, number)
    if is_plain_list and changed.isdisjoint(now[mark] for mark in now if mark in before):
        _add(db, [parts[mark] for mark in now if mark in parts], sources)
    else:
        records = [record for record in sources.newest_first() if now.get(digest(record)) in changed]
        _add(db, [RecordPart.of(record) for record in reversed(records)], sources)
    db.execute("DELETE FROM record")
    _note_records(db, now.items())
    target[_NEWEST] = newest_id


def _row_of(part: RecordPart | None) -> _Row | None:
    return None if part is None else (part.kind, part.key)


def _newest_id(record: Record) -> str:
    id_ = text_of(record, "id") or ""
    return one_line(id_, len(id_))


def _note_records(db: sqlite3.Connection, records: Iterable[tuple[str, _Row | None]]) -> None:
    """Which records there are, in their order, and the rows that stand for them."""
    rows = ((mark, *(row or (None, None))) for mark, row in records)
    db.executemany("INSERT INTO record (digest, kind, key) VALUES (?, ?, ?)", rows)


def _add(db: sqlite3.Connection, parts: Iterable[RecordPart | None], sources: TextSources) -> None:
    """Take records into their rows, oldest first."""
    rows: dict[_Row, Hit] = {}
    for part in parts:
        if part is not None:
            hit = rows.get((part.kind, part.key)) or _load(db, part.kind, part.key) or part.empty
            hit.add(part)
            rows[part.kind, part.key] = hit
    for (_, key), hit in rows.items():
        _write(db, hit, key, sources.intents)


def _is_same_file(before: str, now: str) -> bool:
    """Whether a stamp is that of the same file, not shorter than it was. See `store.fs.primitives.stamp_of`."""
    old, new = json.loads(before), json.loads(now)
    return bool(old and new and old[3:] == new[3:] and old[2] <= new[2])


def _take_intents(db: sqlite3.Connection, sources: TextSources) -> None:
    """The closed intents; and the work of those whose names or descriptions have changed."""
    _drop_kind(db, "intent")
    for id_, intent in sources.intents.items():
        if not intent.is_open:
            key, hit = intent_row(id_, intent)
            _write(db, hit, key, sources.intents)
    known = dict(db.execute("SELECT id, digest FROM intent"))
    now = {id_: digest([intent.name, intent.description]) for id_, intent in sources.intents.items() if is_plain(id_)}
    changed = {id_ for id_ in known.keys() | now.keys() if known.get(id_) != now.get(id_)}
    for id_ in changed:
        rows = db.execute("SELECT key, data FROM doc WHERE intent_id = ? AND kind IN ('record', 'decision')", (id_,))
        for key, data in rows.fetchall():
            _write(db, _hit(data), key, sources.intents)
    db.executemany("DELETE FROM intent WHERE id = ?", ((id_,) for id_ in changed))
    db.executemany("INSERT INTO intent VALUES (?, ?)", ((id_, now[id_]) for id_ in changed & now.keys()))


def _take_lessons(db: sqlite3.Connection, sources: TextSources) -> None:
    _drop_kind(db, "lesson")
    for date, path, text in sources.lessons:
        key, hit = lesson_row(date, path, text)
        _write(db, hit, key, sources.intents)


def _load(db: sqlite3.Connection, kind: str, key: str) -> Hit | None:
    row = db.execute("SELECT data FROM doc WHERE kind = ? AND key = ?", (kind, key)).fetchone()
    return None if row is None else _hit(row[0])


def _hit(data: str) -> Hit:
    return Hit(**json.loads(data))


def _write(db: sqlite3.Connection, hit: Hit, key: str, intents: Mapping[str, IntentText]) -> None:
    """Put the row in place of an older one of its key."""
    row = db.execute("SELECT id FROM doc WHERE kind = ? AND key = ?", (hit.kind, key)).fetchone()
    if row is not None:
        _drop(db, row[0])
    columns = words_of(hit, intents)
    written = db.execute(
        "INSERT INTO doc (kind, key, intent_id, timestamp, data, words) VALUES (?, ?, ?, ?, ?, ?)",
        (hit.kind, key, hit.intent_id, hit.timestamp, json.dumps(asdict(hit)), " ".join(columns).lower()),
    )
    if _has_ranking(db):
        db.execute(
            "INSERT INTO text (rowid, subject, body, paths, symbols) VALUES (?, ?, ?, ?, ?)",
            (written.lastrowid, *columns),
        )
    db.executemany("INSERT OR IGNORE INTO path VALUES (?, ?)", ((path, written.lastrowid) for path in hit.paths))


def _drop_kind(db: sqlite3.Connection, kind: str) -> None:
    for (row,) in db.execute("SELECT id FROM doc WHERE kind = ?", (kind,)).fetchall():
        _drop(db, row)


def _drop(db: sqlite3.Connection, row: int) -> None:
    (data,) = db.execute("SELECT data FROM doc WHERE id = ?", (row,)).fetchone()
    db.executemany("DELETE FROM path WHERE path = ? AND doc = ?", ((path, row) for path in _hit(data).paths))
    db.execute("DELETE FROM doc WHERE id = ?", (row,))
    if _has_ranking(db):
        db.execute("DELETE FROM text WHERE rowid = ?", (row,))
