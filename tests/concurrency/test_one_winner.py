"""Two servers that would both find the same base in place, if the first did not have the file's lock."""

from __future__ import annotations

import time
from pathlib import Path

from intentls.core.hashing import content_hash
from tests.support.forked_servers import Nursery, arm, calls, let_go, wait_until_it_waits
from tests.support.invariants import check_whole
from tests.support.launcher import Orders
from tests.support.session import Session
from tests.support.workspaces import intents_yaml, make_workspace

FILE = "src/a.py"
PATIENCE_S = 2.0


def number_of(session: Session, orders: Orders, *words: str) -> int:
    """Which call of a write of FILE, from 1, is the first whose line has all these words."""
    arm(orders, "note")
    before = len(calls(orders))
    assert session.do("writeToFile", path=FILE, content="rehearsal\n")["status"] == "ok"
    made: list[str] = calls(orders)[before:]
    return 1 + next(index for index, line in enumerate(made) if all(word in line for word in words))


def test_nobody_compares_while_another_is_between_comparing_and_writing(nursery: Nursery, tmp_path: Path) -> None:
    """One server is stopped when it has judged, the other just before it replaces the file: only one gets there.

    Without a lock both would have compared with what is there by then, and the second would overwrite the first.
    """
    root = make_workspace(tmp_path / "root", intents_yaml({"INT-001": ["src/**"]}))
    early, late = (Orders(arm=str(tmp_path / f"arm{n}"), log=str(tmp_path / f"calls{n}")) for n in (1, 2))
    with nursery.serve(root, early) as first, nursery.serve(root, late) as second:
        for session in (first, second):
            session.do("selectActiveIntent", intent_id="INT-001")
            session.do("writeToFile", path=FILE, content="start\n")
        staging = number_of(first, early, "/stage/", "open")
        # The second is rehearsed as it will be: while the first has a slot of the journal, and it takes another one.
        arm(early, "wait", staging)
        aside = {"command": "intent.writeToFile", "arguments": [{"path": "src/aside.py", "content": "a\n"}]}
        waiting = first.wire.ask("workspace/executeCommand", aside)
        wait_until_it_waits(early)
        second.do("readFile", path=FILE)
        second.do("writeToFile", path=FILE, content="a slot is made\n")
        replacing = number_of(second, late, "/stage/", "replace")
        let_go(early)
        assert first.wire.answer(waiting)["result"]["status"] == "ok"
        base = content_hash((root / FILE).read_bytes())
        asked = []
        for session, orders, at in ((first, early, staging), (second, late, replacing)):
            arm(orders, "wait", at)
            arguments = {"path": FILE, "content": f"{at}\n", "expected_content_hash": base}
            call = {"command": "intent.writeToFile", "arguments": [arguments]}
            asked.append(session.wire.ask("workspace/executeCommand", call))
            if session is first:
                wait_until_it_waits(early)
        deadline = time.monotonic() + PATIENCE_S
        while "waiting" not in calls(late)[-1:] and time.monotonic() < deadline:
            time.sleep(0.01)  # it gets as far as it can: with a lock, not to the point where it is told to wait
        let_go(early)
        answers = [first.wire.answer(asked[0])["result"]]
        let_go(late)
        answers.append(second.wire.answer(asked[1])["result"])
        assert [answer["status"] for answer in answers] == ["ok", "error"], answers
        assert answers[1]["code"] == "STALE_CONTEXT"
        assert (root / FILE).read_text() == f"{staging}\n"
        check_whole(first)
