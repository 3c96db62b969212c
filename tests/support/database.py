"""A PostgreSQL of the tests' own: on a Unix socket in a temporary folder, without a network, and gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg
import pytest

from intentls.store.sessions.coordination import schema
from intentls.store.sessions.coordination.connecting import connected
from tests.support.patience import PATIENCE_S, eventually

_SETTINGS = {
    "listen_addresses": "''",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "120",
    "shared_buffers": "16MB",
    "autovacuum": "off",
    "jit": "off",
}
_NUMBERS = count(1)


def binaries() -> Path | None:
    """The folder with `initdb` and `postgres`; None where PostgreSQL is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    named = shutil.which("postgres")
    folders = [*debian, *([Path(named).resolve().parent] if named else [])]
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


@dataclass
class DatabaseServer:
    """A server that runs. `folder` is its own."""

    bin: Path
    folder: Path
    process: subprocess.Popen[bytes] | None = None
    _prepared: str | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = [f"-c{name}={value.strip(chr(39))}" for name, value in _SETTINGS.items()]
        log = (self.folder / "log").open("ab")
        with log:
            self.process = subprocess.Popen(
                [*_ending_with_us(), self.bin / "postgres", "-D", self.folder / "data", "-k", self.folder, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd=self.folder,
                **_as_other_user(),
            )
        eventually(self._answers)

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """End it at once, clients or not."""
        if self.process is not None:
            os.kill(self.process.pid, number)
            self.process.wait(PATIENCE_S)
            self.process = None

    def backends(self) -> set[str]:
        """What the processes that serve connections do now, as in `ps`: "idle", or "startup" before it is listed."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        titles = []
        for child in children:
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
                titles.append(Path(f"/proc/{child}/cmdline").read_text().rstrip("\0 ").split())
        return {title[-1] for title in titles if title}

    def address(self, database: str = "postgres", user: str = "owner") -> str:
        """The address of a database here."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def new_repository(self) -> tuple[str, str]:
        """The address of a database with tables, and the id of a repository that nobody has used in it."""
        repository = os.urandom(20).hex()
        make_tables(self.prepared(), repository)
        return self.prepared(), repository

    def prepared(self) -> str:
        """The address of the database with all repositories of `new_repository`."""
        if self._prepared is None:
            self._prepared = self.new_database()
        return self._prepared

    def new_database(self) -> str:
        """The address of a new, empty database, for its owner."""
        name = f"test{os.getpid()}_{next(_NUMBERS)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0 STRATEGY wal_log')  # type: ignore[arg-type]
        return self.address(name)

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "log").read_text()
        try:
            psycopg.connect(self.address(), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


def make_tables(address: str, repository: str, role: str | None = None) -> None:
    """What `intentls coordination init` does."""
    with connected(address) as connection:
        schema.initialize(connection, repository, role)


@contextmanager
def database_server() -> Iterator[DatabaseServer]:
    """A server, until the block ends. Skips where PostgreSQL is not installed, but never in CI."""
    folder_of_programs = binaries()
    if folder_of_programs is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed: .ci/run installs it")
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        if os.geteuid() == 0:
            user = pwd.getpwnam("nobody")
            os.chown(folder, user.pw_uid, user.pw_gid)
        folder.chmod(0o755)
        subprocess.run(
            [
                *(folder_of_programs / "initdb", "-D", folder / "data", "-U", "owner", "-A", "trust"),
                *("--no-sync", "--encoding=UTF8", "--locale=C", "--no-instructions"),
            ],
            check=True,
            capture_output=True,
            cwd=folder,
            **_as_other_user(),
        )
        server = DatabaseServer(folder_of_programs, folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def database() -> Iterator[DatabaseServer]:
    """The server of this run of tests."""
    with database_server() as server:
        yield server


def _ending_with_us() -> list[str]:
    """What makes a program end when a run of tests is killed, where the system has it."""
    setpriv = shutil.which("setpriv")
    return [] if setpriv is None else [setpriv, "--pdeathsig", "INT"]


def _as_other_user() -> dict[str, int]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}  # type: ignore[dict-item]
