"""How long an answer is waited for: never for a keeper that hangs twice, and not too short on a busy machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from intentls.store.layout import Layout
from intentls.store.process.liveness import waits_for_processor
from intentls.store.sessions.coordination import connecting, looking, wire
from intentls.store.sessions.coordination import connection as connection_module
from intentls.store.sessions.coordination.connection import BackgroundConnection, Open
from intentls.store.sessions.coordination.keeper_client import KeeperClient
from intentls.store.sessions.coordination.keeper_files import KeeperFiles
from intentls.store.sessions.coordination.looking import look_for
from intentls.store.sessions.coordination.protocol import Claim, CoordinationAway
from intentls.store.sessions.coordination.wire import KeeperAddress
from tests.support.database import DatabaseServer
from tests.support.keepers import WAIT_S
from tests.support.patience import PATIENCE_S, eventually


class Clock:
    """Seconds that pass only when a look takes them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 1000.0
        self.looks: list[float] = []
        monkeypatch.setattr(looking, "elapsed_s", lambda: self.seconds)

    def look(self, takes: Callable[[int], float], answer_after: int | None = None) -> Callable[[float], str]:
        """A look that takes so many of its lengths, by its number from 1, and has an answer at last."""

        def look(length: float) -> str:
            self.looks.append(length)
            if len(self.looks) == answer_after:
                return "answer"
            self.seconds += length * takes(len(self.looks))
            raise TimeoutError

        return look


def test_an_answer_that_never_comes_is_waited_for_exactly_as_long_as_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight looks of 5 ms for 40 ms, where the process runs all the time."""
    clock = Clock(monkeypatch)
    with pytest.raises(TimeoutError):
        look_for(clock.look(lambda _: 1), 0.04)
    assert clock.looks == [0.005] * 8
    assert clock.seconds == pytest.approx(1000.04)


@pytest.mark.parametrize("slept", range(1, 9))
def test_a_process_that_slept_through_its_deadline_still_looks(monkeypatch: pytest.MonkeyPatch, slept: int) -> None:
    """It was stopped for a minute in any of its looks: the answer that comes afterwards counts."""
    clock = Clock(monkeypatch)
    assert look_for(clock.look(lambda number: 12_000 if number == slept else 1, slept + 1), 0.04) == "answer"
    assert clock.seconds >= 1060


def test_a_wait_ends_on_a_machine_that_is_always_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look is slept through."""
    clock = Clock(monkeypatch)
    with pytest.raises(TimeoutError):
        look_for(clock.look(lambda _: 100), 0.04)
    assert len(clock.looks) == 16


class MuteKeeper:
    """Takes questions and answers one when it is told to."""

    def __init__(self, layout: Layout, folder: str) -> None:
        layout.coordination.mkdir(parents=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{folder}/keeper")
        self._listener.listen(16)
        self._listener.settimeout(PATIENCE_S)
        self.calls: list[socket.socket] = []
        KeeperFiles(layout.coordination).publish(KeeperAddress(f"{folder}/keeper", 0))

    def accept(self) -> None:
        """The next question comes in."""
        self.calls.append(self._listener.accept()[0])

    def has_more(self) -> bool:
        """Whether another question waits."""
        self._listener.settimeout(0)
        try:
            self.accept()
        except BlockingIOError:
            return False
        finally:
            self._listener.settimeout(PATIENCE_S)
        return True

    def close(self) -> None:
        for call in (self._listener, *self.calls):
            call.close()


@pytest.fixture
def mute(tmp_path: Path) -> Iterator[tuple[MuteKeeper, KeeperClient]]:
    """A keeper that hangs, and a client of it."""
    layout = Layout(tmp_path)
    with tempfile.TemporaryDirectory(prefix="mute-", dir="/tmp") as folder:
        keeper = MuteKeeper(layout, folder)
        try:
            yield keeper, KeeperClient(layout, "postgresql:///none", 0.04, lambda _: None)
        finally:
            keeper.close()


def test_of_many_questions_only_the_first_waits_for_a_keeper_that_hangs(
    mute: tuple[MuteKeeper, KeeperClient],
) -> None:
    """The others are not even sent. When the answer has come, however late, it is asked again."""
    keeper, client = mute
    claim = Claim("s", "INT-001", ("x",), timedelta(minutes=1))
    for question in (lambda: client.take(claim), lambda: client.fences("s", ["x"]), client.standing) * 20:
        with pytest.raises(CoordinationAway, match="does not answer"):
            question()
    keeper.accept()
    assert not keeper.has_more()
    keeper.calls[0].sendall(wire.pack({"leases": [], "new": [], "away": False, "ends_s": None}))
    client._answer_s = WAIT_S
    asking = threading.Thread(target=client.trouble)
    asking.start()
    keeper.accept()
    keeper.calls[1].sendall(wire.pack({"trouble": None}))
    asking.join(PATIENCE_S)
    assert not asking.is_alive()


def test_a_keeper_that_hung_and_was_killed_is_not_waited_for(mute: tuple[MuteKeeper, KeeperClient]) -> None:
    """Its end is seen, and another is asked for."""
    keeper, client = mute
    with pytest.raises(CoordinationAway, match="does not answer"):
        client.standing()
    keeper.accept()
    keeper.close()
    with pytest.raises(CoordinationAway, match="is being started"):
        client.standing()


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system shows no threads")
def test_a_process_that_waits_for_a_processor_is_told_from_one_that_waits_for_something_else() -> None:
    """The first is busy, the second sleeps."""
    for code, is_busy in (("while True: pass", True), ("input()", False)):
        with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
            try:
                eventually(lambda pid=process.pid, busy=is_busy: waits_for_processor(pid) is busy)  # type: ignore[misc]
            finally:
                process.kill()


class Heard:
    """A connection that listens, and what it heard."""

    def __init__(self, address: str) -> None:
        self.channels: list[str] = []
        self.connection = BackgroundConnection(
            address,
            greet=lambda connection: connection.execute("LISTEN news"),
            tick=lambda _: None,
            hear=self.channels.append,
        )


@pytest.fixture
def heard(database: DatabaseServer) -> Iterator[Heard]:
    made = Heard(database.address())
    try:
        eventually(lambda: made.connection.trouble is None)
        yield made
    finally:
        made.connection.close()


def test_news_that_come_with_an_answer_are_heard(heard: Heard) -> None:
    """They are read from the network with it, so nothing is there to be read later."""
    heard.connection.ask(lambda connection: connection.execute("SELECT pg_notify('news', '')"), WAIT_S)
    eventually(lambda: heard.channels == ["news"])


def test_a_piece_of_work_that_fails_costs_no_connection(heard: Heard) -> None:
    """Whether the database refuses it, or it is a mistake of ours."""

    def mistake(connection: Open) -> None:
        raise OverflowError("date value out of range")

    with pytest.raises(OverflowError):
        heard.connection.ask(mistake, WAIT_S)
    with pytest.raises(CoordinationAway, match="refuses"):
        heard.connection.ask(lambda connection: connection.execute("SELECT 1/0"), WAIT_S)
    assert heard.connection.ask(_one, WAIT_S) == (1,)


def _one(connection: psycopg.Connection[tuple[object, ...]]) -> tuple[object, ...] | None:
    return connection.execute("SELECT 1").fetchone()


def test_a_queue_that_moves_is_no_database_that_is_late(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits in vain behind others learns so. The next is turned away for it only if not one of those ended."""
    ends = {name: threading.Event() for name in ("first", "second")}
    patience = threading.Event()

    def until_patience_ends(look: Callable[[float], object], seconds: float) -> object:
        if seconds == WAIT_S:
            return look_for(look, seconds)
        patience.wait(PATIENCE_S)
        raise TimeoutError

    def wait_for(name: str) -> Callable[[Open], object]:
        return lambda _: ends[name].wait(PATIENCE_S)

    monkeypatch.setattr(connection_module, "look_for", until_patience_ends)
    with ThreadPoolExecutor(3) as pool:
        busy = [pool.submit(heard.connection.ask, wait_for("first"), WAIT_S)]
        eventually(lambda: heard.connection._busy_since is not None)
        busy.append(pool.submit(heard.connection.ask, wait_for("second"), WAIT_S))
        eventually(lambda: len(heard.connection._jobs) == 1)
        impatient = pool.submit(heard.connection.ask, _one, 0.04)
        eventually(lambda: len(heard.connection._jobs) == 2)
        ends["first"].set()
        busy[0].result(PATIENCE_S)
        eventually(lambda: len(heard.connection._jobs) == 1)  # the second has begun, so the end of the first is counted
        patience.set()
        assert "too long" in str(impatient.exception(PATIENCE_S))
        assert heard.connection.trouble is None
        with pytest.raises(CoordinationAway, match="too long"):
            heard.connection.ask(_one, 0.04)
        assert heard.connection.trouble is not None
        ends["second"].set()
        busy[1].result(PATIENCE_S)
    eventually(lambda: heard.connection.trouble is None)


class StoppedBackends:
    """Stops the process that serves a connection, as a machine in trouble does: nothing says that it is gone."""

    def __init__(self) -> None:
        self._stopped: int | None = None
        self.hangs = threading.Event()

    def stop_first(self, connection: Open) -> None:
        """Stop it, unless one was stopped before, and ask it something."""
        if self._stopped is None:
            pid = connection.info.backend_pid
            os.kill(pid, signal.SIGSTOP)
            self._stopped = pid
            self.hangs.set()
        connection.execute("SELECT 1")

    def go_on(self) -> None:
        """Let it go on, so that the server can end."""
        if self._stopped is not None:
            os.kill(self._stopped, signal.SIGCONT)


@pytest.fixture
def backends() -> Iterator[StoppedBackends]:
    made = StoppedBackends()
    yield made
    made.go_on()


def test_a_connection_that_hangs_before_its_first_job_is_given_up_for_another(
    database: DatabaseServer, backends: StoppedBackends, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keeper would wait for it for ever, and the database would stay away."""
    monkeypatch.setattr(connection_module, "_HANGS_S", 0.5)
    connection = BackgroundConnection(
        database.address(), greet=backends.stop_first, tick=lambda _: None, hear=lambda _: None
    )
    try:
        eventually(lambda: connection.trouble is None)
        assert connection.ask(_one, WAIT_S) == (1,)
    finally:
        connection.close()


def test_a_connection_that_hangs_while_nobody_asks_is_trouble(
    database: DatabaseServer, backends: StoppedBackends, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looks at the state learns so, and the connection comes back by itself."""
    monkeypatch.setattr(connection_module, "_HANGS_S", 0.5)
    connection = BackgroundConnection(
        database.address(), greet=lambda _: None, tick=backends.stop_first, hear=lambda _: None, tick_s=0.05
    )
    try:
        eventually(lambda: connection._connection is not None)
        eventually(lambda: "too long" in str(connection.trouble))
        eventually(lambda: connection.trouble is None)
    finally:
        connection.close()


def test_a_keeper_ends_although_its_new_connection_hangs(database: DatabaseServer, backends: StoppedBackends) -> None:
    """At once, and its thread with it."""
    connection = BackgroundConnection(
        database.address(), greet=backends.stop_first, tick=lambda _: None, hear=lambda _: None
    )
    assert backends.hangs.wait(PATIENCE_S)
    connection.close()
    assert not connection._thread.is_alive()


def test_a_server_that_hangs_after_the_greeting_is_away(
    database: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a connection is set to is asked with no time limit of the server's yet."""
    monkeypatch.setattr(connecting, "_SETTINGS", "SELECT pg_sleep(3600)")
    with pytest.raises(CoordinationAway, match="can't be used"):
        connecting.connect(database.address())
