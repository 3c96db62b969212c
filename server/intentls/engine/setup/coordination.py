"""Setting up what machines share: the tables in a database, and the process that keeps a clone's part of them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.core.errors import ConfigurationError, StoreError
from intentls.core.gate.database_address import shown
from intentls.engine.workspace.live_sessions import recent
from intentls.engine.workspace.workspace import Workspace
from intentls.late_module import LateModule
from intentls.store.git.root_commit import root_commit
from intentls.store.sessions.coordination.keeper_client import KeeperClient, wait_s
from intentls.store.sessions.coordination.keeper_files import KeeperFiles
from intentls.store.sessions.coordination.protocol import VARIABLE, CoordinationAway, chosen_address

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.rows import TupleRow

    from intentls.store.sessions.coordination import connecting, keeper_server, schema
    from intentls.store.sessions.coordination.database import ClonePlace
    from intentls.store.sessions.coordination.keeper import KeeperGuest
    from intentls.store.sessions.coordination.schema import DatabaseState
else:  # they need psycopg, which is not installed everywhere
    connecting = LateModule("intentls.store.sessions.coordination.connecting")
    keeper_server = LateModule("intentls.store.sessions.coordination.keeper_server")
    schema = LateModule("intentls.store.sessions.coordination.schema")

_SETTLE_S = 5.0  # that a person waits for the keeper


class CoordinationStatus(Struct, frozen=True):
    """How leases are shared. `address` has no secret; None where files are the store.

    `trouble` is why other machines can't be asked now. `database` is what was seen of it, None if it could not be
    looked at. `hint` says what to do; `is_usable` whether leases are shared all the same.
    """

    address: str | None
    repository: str | None = None
    trouble: str | None = None
    database: DatabaseState | None = None
    hint: str | None = None

    @property
    def is_usable(self) -> bool:
        """Whether leases are kept as they should be."""
        return self.trouble is None and (self.database is None or self.database.is_ready)


def initialize(workspace: Workspace, role: str | None, *, asks_only: bool = False) -> list[int]:
    """Make what is missing in the database, and let `role` use this repository; the migrations that were applied.

    `asks_only`: the role's questions are answered by others, and it answers none.

    Raises ConfigurationError where no database is named, StoreError.
    """
    _needed_address(workspace)
    repository = root_commit(workspace.root)
    with _connected(workspace) as connection:
        return schema.initialize(connection, repository, role, asks_only=asks_only)


def prune(workspace: Workspace) -> int:
    """Delete rows of what has long been over; how many. Raises as `initialize`."""
    with _connected(workspace) as connection:
        return schema.prune(connection)


def coordination_status(workspace: Workspace) -> CoordinationStatus:
    """How this root's leases are shared, and whether that works now. Raises StoreError."""
    address = _address(workspace)
    if address is None:
        return CoordinationStatus(None)
    try:
        repository = root_commit(workspace.root)
        with _connected(workspace) as connection:
            database = schema.state(connection, repository)
    except (StoreError, ConfigurationError) as error:
        return CoordinationStatus(shown(address), trouble=str(error))
    hint = _hint(database)
    coordination = workspace.coordination
    trouble = None
    if database.is_ready and isinstance(coordination, KeeperClient):
        trouble = coordination.settle(_SETTLE_S)
    return CoordinationStatus(shown(address), repository, trouble, database, hint)


def keep(
    workspace: Workspace,
    idle_s: float,
    say: Callable[[str], object],
    end: threading.Event,
    guest: Callable[[ClonePlace], KeeperGuest],
) -> None:
    """Be the process that has the connection of this clone, until nobody needs it or `end` is set. Raises as above."""
    try:
        address = _needed_address(workspace)
        keeper_server.serve(
            workspace.layout,
            address,
            wait_s(os.environ),
            idle_s,
            say,
            end,
            guest,
            lambda: recent(workspace),
        )
    except (StoreError, ConfigurationError) as error:
        KeeperFiles(workspace.layout.coordination).note_failure(str(error).rstrip("."))
        raise


_NO_DATABASE = f"No database is named: set `coordination` in policy.yaml, or {VARIABLE}, to postgresql://HOST/DATABASE."


def _address(workspace: Workspace) -> str | None:
    return chosen_address(workspace.configuration().policy.coordination, os.environ)


def _needed_address(workspace: Workspace) -> str:
    address = _address(workspace)
    if address is None:
        raise ConfigurationError(_NO_DATABASE)
    if find_spec("psycopg") is None:
        raise ConfigurationError("Leases in a database need psycopg: pip install 'intentls[postgresql]'.")
    return address


def _hint(database: DatabaseState) -> str | None:
    if database.migration < database.needed:
        return "the tables are missing or old: run `intentls coordination init` as their owner"
    if not database.may_use:
        return "this role may not use this repository: its owner runs `intentls coordination init --role ROLE`"
    if database.bypasses_rights:
        return "this role sees the rows of all repositories: let people and agents connect as another one"
    return None


@contextmanager
def _connected(workspace: Workspace) -> Iterator[Connection[TupleRow]]:
    address = _needed_address(workspace)
    try:
        with connecting.connected(address) as connection:
            yield connection
    except CoordinationAway as away:
        raise StoreError(f"Coordination Away: {away}.") from None
