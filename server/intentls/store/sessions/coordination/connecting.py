"""Opening a connection to the database: safe by default, bounded in time, and without a secret in what goes wrong."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg
from psycopg.rows import TupleRow

from intentls.core.gate.database_address import InvalidAddress, with_tls, without_secret
from intentls.store.sessions.coordination.protocol import CoordinationAway

_CONNECT_S = 3
_SETTINGS = (
    "SET statement_timeout = '2s'; SET lock_timeout = '1s'; SET idle_in_transaction_session_timeout = '5s'; "
    "SET search_path = ''; SET timezone = 'UTC'"
)


def connect(address: str) -> psycopg.Connection[TupleRow]:
    """A connection that commits each statement and gives up each after two seconds. Raises CoordinationAway."""
    try:
        connection = psycopg.connect(
            with_tls(address),
            autocommit=True,
            connect_timeout=_CONNECT_S,
            application_name="intentls",
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            tcp_user_timeout=5000,
        )
    except InvalidAddress as error:
        raise CoordinationAway(f"the database has no usable address: {error}") from None
    except (psycopg.Error, UnicodeError) as error:
        raise CoordinationAway(f"the database can't be reached: {reason(error, address)}") from None
    try:
        with cut_after(_CONNECT_S, connection):
            connection.execute(_SETTINGS)
    except psycopg.Error as error:
        connection.close()
        raise CoordinationAway(f"the database can't be used: {reason(error, address)}") from None
    return connection


@contextmanager
def cut_after(seconds: float, connection: psycopg.Connection[TupleRow]) -> Iterator[None]:
    """Cut the connection if the block takes longer: a server that is stopped says nothing, and keeps no limit."""
    timer = threading.Timer(seconds, cut, [connection])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def cut(connection: psycopg.Connection[TupleRow]) -> None:
    """Wake whoever waits for this connection's socket: it is over."""
    with suppress(OSError, psycopg.Error):
        descriptor = os.dup(connection.fileno())
        with socket.socket(fileno=descriptor) as line:
            line.shutdown(socket.SHUT_RDWR)


@contextmanager
def connected(address: str) -> Iterator[psycopg.Connection[TupleRow]]:
    """A connection for a while. Raises CoordinationAway, also for what the database refuses meanwhile."""
    try:
        with connect(address) as connection:
            yield connection
    except psycopg.Error as error:
        raise CoordinationAway(f"the database refuses: {reason(error, address)}") from None


def reason(error: Exception, address: str) -> str:
    """The first line of a database's message, without what is secret."""
    lines = without_secret(str(error), address).strip().splitlines()
    return lines[0].rstrip(".")[:300] if lines else type(error).__name__
