"""A real server is killed at every step of recording what has happened: a save, and a host's own edit.

The change stands whatever happens to the server. Its record is there once or not at all, and once it was entered in the
journal it is there.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from intentls.core.hashing import hash_of
from tests.faults.edits import OLD, make_root
from tests.faults.sampling import chosen, orders_in
from tests.support.forked_servers import Nursery, arm, calls
from tests.support.invariants import check_whole
from tests.support.launcher import Orders
from tests.support.patience import PATIENCE_S
from tests.support.session import Session, ledger_of
from tests.support.wire import ServerGone

FILE = "src/api/weather.py"
NEW = OLD + "# more\n"
SHORT = 4  # kills of each way in `make test`


def prepare_save(session: Session) -> None:
    session.open(FILE)
    session.type(FILE, NEW)


def save(session: Session) -> int:
    """Save, and ask something that is answered after it."""
    session.save(FILE, NEW)
    return session.wire.ask("workspace/executeCommand", {"command": "intent.getActiveIntent", "arguments": [{}]})


def prepare_report(session: Session) -> None:
    session.do("preToolUse", tool_name="write_to_file", params={"path": FILE})
    (session.root / FILE).write_text(NEW)


def report(session: Session) -> int:
    arguments = {"tool_name": "write_to_file", "params": {"path": FILE}, "success": True}
    return session.wire.ask("workspace/executeCommand", {"command": "intent.postToolUse", "arguments": [arguments]})


WAYS = {"a save": (prepare_save, save), "a host's report": (prepare_report, report)}


def act(nursery: Nursery, orders: Orders, root: Path, way: str, do: str, at: int = 0) -> bool:
    """Whether the server answered."""
    prepare, go = WAYS[way]
    with nursery.serve(root, orders) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        prepare(session)
        session.do("listIntents")
        arm(orders, do, at)
        question = go(session)
        if do == "kill":
            assert session.wire.process is not None
            try:
                session.wire.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:  # beside busy processes it takes fewer steps: it is killed after the last
                session.wire.process.kill()
            assert session.wire.process.wait(PATIENCE_S) == -signal.SIGKILL, calls(orders)
        try:
            return bool(session.wire.answer(question)["result"]["status"] == "ok")
        except ServerGone:
            return False


@pytest.mark.parametrize("way", WAYS)
def test_a_server_killed_at_any_step_of_recording_leaves_the_record_once_or_not_at_all(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None], way: str
) -> None:
    """Killed later, it is there; whoever comes next finds the ledger whole and can work."""
    orders, root = orders_in(tmp_path / "rehearsal"), make_root(tmp_path / "rehearsal" / "root")
    assert act(nursery, orders, root, way, "note")
    made = calls(orders)
    there = []
    for at in chosen(made, SHORT):
        orders, root = orders_in(tmp_path / str(at)), make_root(tmp_path / str(at) / "root")
        answered = act(nursery, orders, root, way, "kill", at)
        with nursery.serve(root) as session:
            check_whole(session)
            found = [record["files"][0] for record in ledger_of(root)]
            assert [(file["pre_hash"], file["post_hash"]) for file in found] in (
                [],
                [(hash_of(OLD.encode()), hash_of(NEW.encode()))],
            ), made[at - 1]
            assert found or not answered, "answered, and lost"
            assert (root / FILE).read_text() == NEW
            session.do("selectActiveIntent", intent_id="INT-001")
            assert session.do("writeToFile", path="src/api/rain.py", content="next\n")["status"] == "ok"
            check_whole(session)
        there.append(bool(found))
    assert (there[0], there[-1]) == (False, True)
    figure(f"kill points of recording {way}: {len(there)} tried of {len(made)}, each once or not at all")
