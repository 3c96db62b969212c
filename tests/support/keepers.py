"""Clones on simulated hosts, each with a keeper of its own in this process, over one database."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import psycopg

from intentls.core.gate.database_address import digest
from intentls.store.layout import Layout
from intentls.store.sessions.coordination.database import ClonePlace
from intentls.store.sessions.coordination.elapsed import elapsed_s
from intentls.store.sessions.coordination.keeper import Keeper
from intentls.store.sessions.coordination.keeper_client import KeeperClient
from intentls.store.sessions.coordination.keeper_files import KeeperFiles
from intentls.store.sessions.coordination.keeper_server import Switchboard
from intentls.store.sessions.coordination.wire import KeeperAddress
from tests.support.patience import PATIENCE_S, eventually

WAIT_S = float(PATIENCE_S)
"""How long an answer may take where a test is about what it says: a busy machine is slow."""


@dataclass
class SimulatedHost:
    """A clone with its keeper; `seconds` is added to what it counts."""

    name: str
    keeper: Keeper
    client: KeeperClient
    layout: Layout
    repository: str
    seconds: float = 0.0

    def wait(self, seconds: float) -> None:
        """All that is leased is so much older, for the database and for this host."""
        self.seconds += seconds
        with psycopg.connect(self.client.address, autocommit=True) as connection:
            connection.execute(
                "UPDATE intentls.leases"
                " SET since = since - %(age)s, renewed = renewed - %(age)s, until = until - %(age)s"
                " WHERE repository = %(repository)s",
                {"age": timedelta(seconds=seconds), "repository": self.repository},
            )

    def connect(self) -> None:
        """Wait until the keeper has its connection."""
        eventually(lambda: self.keeper.trouble() is None)


@contextmanager
def host(
    folder: Path,
    shared: tuple[str, str],
    name: str,
    *,
    wait_s: float = WAIT_S,
    tick_s: float = 20.0,
    is_connected: bool = True,
) -> Iterator[SimulatedHost]:
    """A simulated host called `name` whose clone is in `folder`. `shared`: the database's address, and a repository."""
    address, repository = shared
    layout = Layout(folder / name)
    layout.coordination.mkdir(parents=True, exist_ok=True)
    place = ClonePlace(repository, "", f"{name} {folder}", name)
    made: list[SimulatedHost] = []

    def count_s() -> float:
        return elapsed_s() + (made[0].seconds if made else 0.0)

    keeper = Keeper(address, place, wait_s, count_s=count_s, tick_s=tick_s)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="keep-", dir="/tmp") as socket_folder,
            Switchboard(f"{socket_folder}/keeper", keeper, digest(address)) as server,
        ):
            KeeperFiles(layout.coordination).publish(KeeperAddress(f"{socket_folder}/keeper", 0))
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
            thread.start()
            client = KeeperClient(layout, address, wait_s, lambda _: None)
            made.append(SimulatedHost(name, keeper, client, layout, repository))
            try:
                if is_connected:
                    made[0].connect()
                yield made[0]
            finally:
                server.shutdown()
                thread.join(PATIENCE_S)
    finally:
        keeper.close()
