"""A real server is killed at every step of a guarded write; the next one finds all of it, or nothing.

A kill comes before each call that changes something, and after the last one: after a call is before the next.
`make soak` takes every kill point of every edit; `make test` takes them evenly, and each edit's last.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.edits import EDITS, Edit, happened, make_root, ready
from tests.support.aftermath import check_whole, contents
from tests.support.launcher import Orders
from tests.support.nursery import Nursery, arm, calls
from tests.support.session import Session
from tests.support.wire import ServerGone

LONG = os.environ.get("INTENTLS_LONG") == "1"
KILLS = 10  # of each edit, in `make test`


def orders_in(folder: Path, **more: bool) -> Orders:
    folder.mkdir(exist_ok=True)
    return Orders(arm=str(folder / "arm"), log=str(folder / "calls"), **more)  # type: ignore[arg-type]


def rehearse(nursery: Nursery, folder: Path, edit: Edit, **more: bool) -> tuple[list[str], dict[str, bytes | None]]:
    """The calls of an edit that nothing disturbs, and what its files hold afterwards."""
    orders, root = orders_in(folder / "rehearsal", **more), make_root(folder / "rehearsal" / "root")
    with nursery.serve(root, orders) as session:
        ready(session, edit)
        arm(orders, "note")
        answer = session.wire.answer(edit.ask(session))
        assert answer["result"]["status"] == "ok", answer
        assert "trace" not in answer["result"]
        made = calls(orders)
    return made, contents(root, list(edit.paths))


def kill(nursery: Nursery, orders: Orders, root: Path, edit: Edit, at: int) -> bool:
    """Have the server killed at its `at`-th call of the edit; whether its client had the answer already."""
    with nursery.serve(root, orders) as session:
        ready(session, edit)
        arm(orders, "kill", at)
        question = edit.ask(session)
        assert session.wire.process is not None
        assert session.wire.process.wait(20) == -signal.SIGKILL, calls(orders)
        try:
            return bool(session.wire.answer(question)["result"]["status"] == "ok")
        except ServerGone:
            return False


def check_after(session: Session, edit: Edit, before: dict[str, bytes | None], after: dict[str, bytes | None]) -> bool:
    """What a fresh server finds; whether the edit happened."""
    check_whole(session)
    done = happened(session.root, edit, before, after)
    session.do("selectActiveIntent", intent_id="INT-001")
    for path in ("src/api/next.py", "src/api/rain.py"):
        assert session.do("writeToFile", path=path, content="next\n")["status"] == "ok"
    check_whole(session)
    return done


def chosen(points: int) -> list[int]:
    """The kill points to try, out of 1 to `points`."""
    if LONG or points <= KILLS:
        return list(range(1, points + 1))
    return sorted({1 + round(index * (points - 1) / (KILLS - 1)) for index in range(KILLS)})


def kill_everywhere(nursery: Nursery, folder: Path, edit: Edit, **more: bool) -> tuple[int, int]:
    """(kill points tried, kill points there are)."""
    made, after = rehearse(nursery, folder, edit, **more)
    before = contents(make_root(folder / "before"), list(edit.paths))
    outcomes, problems = [], []
    for at in chosen(len(made)):
        orders, root = orders_in(folder / str(at), **more), make_root(folder / str(at) / "root")
        try:
            answered = kill(nursery, orders, root, edit, at)
            with nursery.serve(root) as session:
                done = check_after(session, edit, before, after)
            assert done or not answered, "answered, and lost"
            outcomes.append(done)
        except AssertionError as error:
            problems.append(f"killed at call {at} of {len(made)} ({made[at - 1]}): {error}")
    assert not problems, "\n".join(problems)
    assert outcomes == sorted(outcomes), f"an edit that had happened is gone: {outcomes}"
    assert outcomes[0] is False, "the first call is before anything"
    assert outcomes[-1] is True, "the last call is the answer"
    return len(outcomes), len(made)


@pytest.mark.parametrize("name", EDITS)
def test_a_server_killed_at_any_step_of_a_write_leaves_all_of_it_or_nothing(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None], name: str
) -> None:
    """Files and record agree, nothing is left over, the ledger verifies, and the next write works."""
    tried, there = kill_everywhere(nursery, tmp_path, EDITS[name])
    figure(f"kill points of {name}: {tried} tried of {there}, all whole")


@pytest.mark.parametrize("name", ["a patch of three files"])
def test_the_same_where_the_stage_is_on_another_file_system(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None], name: str
) -> None:
    """The copy beside the destination is a temporary file of ours in somebody's folder: it goes, too."""
    tried, there = kill_everywhere(nursery, tmp_path, EDITS[name], apart=True)
    figure(f"kill points of {name}, copied from another file system: {tried} tried of {there}, all whole")
