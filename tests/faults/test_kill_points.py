"""A real server is killed at every step of a guarded write; the next one finds all of it, or nothing.

A kill comes before each call that changes something, and the last of these is the answer: after a call is before
the next. `make soak` takes every kill point of every edit; `make test` those that touch the files, and some others.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.edits import EDITS, Edit, happened, make_root, ready
from tests.faults.sampling import chosen, is_entered, orders_in, rehearse
from tests.support.forked_servers import Nursery, arm, calls
from tests.support.invariants import Contents, check_whole
from tests.support.launcher import Orders
from tests.support.patience import PATIENCE_S
from tests.support.session import Session
from tests.support.wire import ServerGone

SHORT = 2  # kills of each edit in `make test`, besides those at its files themselves


def kill(nursery: Nursery, orders: Orders, root: Path, edit: Edit, at: int) -> bool:
    """Have the server killed at its `at`-th call of the edit; whether its client had the answer already.

    A busy machine's rehearsal may have made a call more, of something that goes on beside the edit. Then it is killed
    after its answer.
    """
    with nursery.serve(root, orders) as session:
        ready(session, edit)
        arm(orders, "kill", at)
        question = edit.ask(session)
        assert session.wire.process is not None
        try:
            is_answered = bool(session.wire.answer(question)["result"]["status"] == "ok")
        except ServerGone:
            is_answered = False
        session.wire.process.kill()
        assert session.wire.process.wait(PATIENCE_S) == -signal.SIGKILL, calls(orders)
        return is_answered


def check_after(session: Session, edit: Edit, before: Contents, after: Contents) -> bool:
    """What a fresh server finds; whether the edit happened."""
    check_whole(session)
    done = happened(session.root, edit, before, after)
    session.do("selectActiveIntent", intent_id="INT-001")
    assert session.do("writeToFile", path="src/api/rain.py", content="next\n")["status"] == "ok"
    check_whole(session)
    return done


def kill_everywhere(nursery: Nursery, folder: Path, edit: Edit, *, apart: bool = False) -> tuple[int, int]:
    """(kill points tried, kill points there are)."""
    made, before, after = rehearse(nursery, folder, edit, apart=apart)
    outcomes, problems = [], []
    for at in chosen(made, SHORT):
        orders, root = orders_in(folder / str(at), apart=apart), make_root(folder / str(at) / "root")
        try:
            answered = kill(nursery, orders, root, edit, at)
            with nursery.serve(root) as session:
                done = check_after(session, edit, before, after)
            assert done or not answered, "answered, and lost"
            assert is_entered(calls(orders)) in (None, done)
            outcomes.append(done)
        except AssertionError as error:
            problems.append(f"killed at call {at} of {len(made)} ({made[at - 1]}): {error}")
    assert not problems, "\n".join(problems)
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


def test_a_server_killed_at_any_step_of_its_start_is_followed_by_one_that_works(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    """The very first server of a root."""
    made = start_and_die(nursery, make_root(tmp_path / "root"), tmp_path / "rehearsal", 0)
    tried = chosen(made, SHORT)
    for at in tried:
        root = make_root(tmp_path / str(at) / "root")
        start_and_die(nursery, root, tmp_path / str(at), at)
        with nursery.serve(root) as session:
            session.do("selectActiveIntent", intent_id="INT-001")
            assert session.do("writeToFile", path="src/api/next.py", content="next\n")["status"] == "ok"
            check_whole(session)
        assert (root / ".orchestration" / ".state" / ".gitignore").read_bytes().endswith(b"\n*\n")
    figure(f"kill points of a first start: {len(tried)} tried of {len(made)}, all whole")


def test_a_server_killed_at_any_step_of_settling_a_killed_edit_leaves_it_to_the_next(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    """In the end the edit is complete, and on record once."""
    edit = EDITS["a patch of three files"]
    rehearsed, before, after = rehearse(nursery, tmp_path, edit)
    middle = 1 + next(index for index, call in enumerate(rehearsed, 1) if "/stage/" in call and "replace" in call)

    def settle_and_die(at: int) -> list[str]:
        root = tmp_path / str(at) / "root"
        kill(nursery, orders_in(root.parent / "first"), make_root(root), edit, middle)
        made = start_and_die(nursery, root, root.parent, at)
        with nursery.serve(root) as session:
            check_whole(session)
            assert happened(root, edit, before, after)
        return made

    made = settle_and_die(0)
    tried = chosen(made, SHORT)
    for at in tried:
        settle_and_die(at)
    figure(f"kill points of settling a killed edit: {len(tried)} tried of {len(made)}, all whole")


def start_and_die(nursery: Nursery, root: Path, folder: Path, at: int) -> list[str]:
    """Start a server that is killed at its `at`-th call (0: not at all); the calls that it made."""
    orders = orders_in(folder)
    arm(orders, "kill" if at else "note", at)
    try:
        with nursery.serve(root, orders) as session:
            session.do("verifyTrace")
    except ServerGone:
        assert at
    return calls(orders)
