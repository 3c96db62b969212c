"""The tables in the database: making them, who may use them, what stands in them, and tidying up."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql
from psycopg.rows import TupleRow

from intentls.core.errors import StoreError

_MIGRATION = re.compile(r"^-- migration (\d+)$", re.MULTILINE)
_LOCK = 0x696E74656E746C73  # "intentls": two that make the tables at once do it one after the other
_KEPT_DAYS = 1  # rows of what is over


class DatabaseState(Struct, frozen=True):
    """What `status` tells. `migration` is the last that was applied, 0 for none; `needed` the last that there is.

    `may_use`: this repository is one of this role's. `bypasses_rights`: the role sees the rows of all repositories.
    """

    server: str
    migration: int
    needed: int
    may_use: bool
    bypasses_rights: bool
    leases: int
    sessions: int

    @property
    def is_ready(self) -> bool:
        """Whether this role can keep leases here."""
        return self.migration >= self.needed and self.may_use


def migrations() -> list[tuple[int, str]]:
    """The numbered parts of schema.sql, in order."""
    parts = _MIGRATION.split(files("intentls.store.sessions.coordination").joinpath("schema.sql").read_text("utf-8"))
    return [(int(number), text) for number, text in zip(parts[1::2], parts[2::2], strict=True)]


def initialize(
    connection: psycopg.Connection[TupleRow], repository: str, role: str | None, *, asks_only: bool = False
) -> list[int]:
    """Apply the migrations that are missing, and let `role` (default: the connection's own) use the repository.

    `asks_only`: the role may not answer questions. The numbers that were applied. Raises psycopg.Error.
    """
    with connection.transaction():
        connection.execute("SELECT pg_catalog.pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("CREATE SCHEMA IF NOT EXISTS intentls")
        applied = _applied(connection)
        missing = [(number, text) for number, text in migrations() if number > applied]
        for number, text in missing:
            connection.execute(text.encode())  # our own file
            connection.execute("INSERT INTO intentls.migrations (number) VALUES (%s)", (number,))
        user = role or _one(connection, "SELECT current_user")
        _grant(connection, user)
        connection.execute(
            "INSERT INTO intentls.repositories (id, role) VALUES (%s, %s) ON CONFLICT DO NOTHING", (repository, user)
        )
        answerers: LiteralString = (
            "DELETE FROM intentls.answerers WHERE repository = %s AND role = %s"
            if asks_only
            else "INSERT INTO intentls.answerers (repository, role) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        )
        connection.execute(answerers, (repository, user))
    return [number for number, _ in missing]


def state(connection: psycopg.Connection[TupleRow], repository: str) -> DatabaseState:
    """How the database stands, as this role sees it. Raises psycopg.Error."""
    server, needed = str(_one(connection, "SHOW server_version")), migrations()[-1][0]
    applied = _applied(connection)
    if not applied:
        return DatabaseState(server, 0, needed, may_use=False, bypasses_rights=False, leases=0, sessions=0)
    return DatabaseState(
        server,
        applied,
        needed,
        may_use=bool(_one(connection, "SELECT count(*) FROM intentls.repositories WHERE id = %s", repository)),
        bypasses_rights=not _one(connection, "SELECT pg_catalog.row_security_active('intentls.leases')"),
        leases=_one(
            connection,
            "SELECT count(*) FROM intentls.leases WHERE repository = %s AND until > clock_timestamp()",
            repository,
        ),
        sessions=_one(
            connection,
            "SELECT count(*) FROM intentls.sessions"
            " WHERE repository = %s AND seen > clock_timestamp() - interval '15 minutes'",
            repository,
        ),
    )


def prune(connection: psycopg.Connection[TupleRow]) -> int:
    """Delete the rows of what has been over for a day; how many. Raises psycopg.Error."""
    deleted = 0
    for table, column in (("leases", "until"), ("sessions", "seen"), ("questions", "until"), ("listeners", "seen")):
        statement = sql.SQL("DELETE FROM intentls.{} WHERE {} < clock_timestamp() - make_interval(days => %s)")
        cursor = connection.execute(statement.format(sql.Identifier(table), sql.Identifier(column)), (_KEPT_DAYS,))
        deleted += cursor.rowcount
    return deleted


def _applied(connection: psycopg.Connection[TupleRow]) -> int:
    if _one(connection, "SELECT to_regclass('intentls.migrations')") is None:
        return 0
    return int(_one(connection, "SELECT coalesce(max(number), 0) FROM intentls.migrations"))


def _grant(connection: psycopg.Connection[TupleRow], role: str) -> None:
    """The least that a keeper needs: it reads, claims, shows and takes back.

    What a question says, an answer and the role that gave it can't be changed.
    """
    rights: tuple[LiteralString, ...] = (
        "GRANT USAGE ON SCHEMA intentls TO {}",
        "GRANT SELECT ON intentls.migrations, intentls.repositories, intentls.answerers TO {}",
        "GRANT SELECT, INSERT, UPDATE ON intentls.leases TO {}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON intentls.sessions, intentls.listeners TO {}",
        "GRANT SELECT, INSERT, DELETE, UPDATE (closed, is_taken) ON intentls.questions TO {}",
        "GRANT SELECT, DELETE, INSERT (repository, key, place, digest, action, about) ON intentls.answers TO {}",
    )
    for right in rights:
        connection.execute(sql.SQL(right).format(sql.Identifier(role)))


def _one(connection: psycopg.Connection[TupleRow], query: LiteralString, *values: object) -> Any:
    """The one value that the query gives."""
    row = connection.execute(query, values or None).fetchone()
    if row is None:
        raise StoreError("the database gives no answer")
    return row[0]
