"""A server is killed while it replaces a file of its own: the next start sweeps what it leaves."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.faults.edits import make_root
from tests.faults.sampling import orders_in
from tests.support.forked_servers import Nursery, arm, calls
from tests.support.invariants import check_whole, strays
from tests.support.launcher import Orders, replaced_in
from tests.support.patience import PATIENCE_S
from tests.support.session import Session
from tests.support.wire import ServerGone

FILE = "src/api/weather.py"
# Between them they replace every kind of file that is ours: session, lease, maps, lessons, snapshot.
COMMANDS: dict[str, dict[str, Any]] = {
    "selectActiveIntent": {"intent_id": "INT-001", "mutation_class": "INTENT_EVOLUTION"},
    "writeToFile": {"path": FILE, "content": "new\n", "mutation_class": "INTENT_EVOLUTION"},
    "recordLesson": {"path": FILE, "problems": "E501 line too long"},
    "preToolUse": {"tool_name": "edit", "params": {"path": FILE}},
}
TRIES = 20
FOLDERS = {"sessions", "leases", "snapshots", ".orchestration"}


def ask(session: Session, orders: Orders, command: str, do: str, **more: Any) -> int:
    """Do all that comes before `command`, and ask for that under orders; the id of its answer."""
    for name, arguments in COMMANDS.items():
        if name == command:
            arm(orders, do, **more)
            call = {"command": f"intent.{name}", "arguments": [arguments]}
            return session.wire.ask("workspace/executeCommand", call)
        assert session.do(name, **arguments)["status"] == "ok", name
    raise AssertionError(command)


def replacements(nursery: Nursery, folder: Path, command: str) -> list[str]:
    """The folders in which a command puts a temporary file in the place of another."""
    orders, root = orders_in(folder), make_root(folder / "root")
    with nursery.serve(root, orders) as session:
        assert session.wire.answer(ask(session, orders, command, "note"))["result"]["status"] == "ok"
        made = (line.split("\t") for line in calls(orders))
        return [folder for folder in dict.fromkeys(replaced_in(call, what) for _, call, what in made) if folder]


def killed(nursery: Nursery, folder: Path, command: str, kind: str) -> Path | None:
    """The root of a server that was killed there; None where another thread has replaced that file earlier."""
    orders, root = orders_in(folder), make_root(folder / "root")
    with nursery.serve(root, orders) as session:
        question = ask(session, orders, command, "kill", replacing=kind)
        with suppress(ServerGone):
            session.wire.answer(question)
            return None
        assert session.wire.process is not None
        assert session.wire.process.wait(PATIENCE_S) == -signal.SIGKILL, calls(orders)
    return root


def test_no_temporary_file_of_a_killed_server_outlives_the_next_start(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    """SIGKILL between the writing and the renaming of each: there it lies, and then it is gone."""
    kinds = set[str]()
    for command in COMMANDS:
        for kind in replacements(nursery, tmp_path / command, command):
            if kind in kinds:
                continue
            tries = (killed(nursery, tmp_path / command / kind / str(number), command, kind) for number in range(TRIES))
            root = next(root for root in tries if root is not None)
            left = {name for name in strays(root) if name.endswith(".tmp")}
            assert left, (command, kind, strays(root))
            with nursery.serve(root) as session:
                session.do("getActiveIntent")
                assert left.isdisjoint(strays(root)), (command, kind)  # what it writes itself just now has other names
                check_whole(session)
            kinds.add(kind)
    assert kinds >= FOLDERS, kinds
    figure(f"temporary files of killed servers: swept in {', '.join(sorted(kinds))}")
