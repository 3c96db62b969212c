"""Tests that run on both stores of leases, live sessions and questions: files, and a database.

`pytestmark = pytest.mark.usefixtures("each_store")` runs the tests of a module twice, unchanged: as they are, and with
each root that `make_workspace` makes kept in a repository of its own of the tests' PostgreSQL. What a test starts finds
the database by its environment.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from intentls.store.sessions.coordination.keeper_client import WAIT_VARIABLE
from intentls.store.sessions.coordination.protocol import VARIABLE
from tests.support import workspaces
from tests.support.database import DatabaseServer
from tests.support.patience import PATIENCE_S

_REPOSITORY = Path(__file__).parents[2]
_WAIT_MS = "10000"  # a busy machine is slow


class KeeperProcess:
    """The process that keeps the roots of one test after another; see `keeper_process`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.keeper_process"],
            cwd=_REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def serve(self, root: Path, address: str, repository: str) -> None:
        """Keep this root in the database from now on."""
        self._do([str(root), address, repository])

    def end_all(self) -> None:
        """Keep no root any more."""
        self._do(None)

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE_S)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _do(self, order: list[str] | None) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n", "the keepers' process has ended"


@pytest.fixture(scope="session")
def keeper_process(_hermetic_git: None) -> Iterator[KeeperProcess]:
    """The keepers of this run of tests."""
    process = KeeperProcess()
    try:
        yield process
    finally:
        process.close()


@contextmanager
def kept_in(database: DatabaseServer, keepers: KeeperProcess) -> Iterator[None]:
    """Each root that is made shares its leases, live sessions and questions by way of the database."""
    address = database.prepared()

    def serve(root: Path) -> None:
        keepers.serve(root, *database.new_repository())

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, address)
        patch.setenv(WAIT_VARIABLE, _WAIT_MS)
        patch.setattr(workspaces, "WHEN_MADE", serve)
        try:
            yield
        finally:
            keepers.end_all()


@pytest.fixture(params=["files", "postgresql"])
def each_store(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each of the two stores in turn."""
    if request.param == "files":
        yield
        return
    server: DatabaseServer = request.getfixturevalue("database")
    keepers: KeeperProcess = request.getfixturevalue("keeper_process")
    with kept_in(server, keepers):
        yield
