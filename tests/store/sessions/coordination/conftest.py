"""A database server that tests may disturb."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.database import DatabaseServer, database_server


@pytest.fixture(scope="session")
def fragile() -> Iterator[DatabaseServer]:
    """A server that tests stop, start and fill, and leave as it was."""
    with database_server() as server:
        yield server
