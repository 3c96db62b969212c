"""Each call of a guarded write fails in turn, once or from then on: the answer tells the truth, the server lives.

`make soak` takes every call of every edit; `make test` takes those that touch the files themselves, and a few others.
"""

from __future__ import annotations

import errno
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faults.edits import EDITS, Edit, happened, make_root, ready
from tests.faults.sampling import chosen, orders_in, rehearse
from tests.support.forked_servers import Nursery, arm, disarm
from tests.support.invariants import Contents, check_whole, contents, strays
from tests.support.session import Session

SHORT = 2  # calls of each edit in `make test`, besides those that touch its files themselves
FOREVER = 1 << 30
DISASTERS = {
    "a call fails once": {"errno": errno.EIO},
    "the disk is read-only from then on": {"errno": errno.EROFS, "times": FOREVER},
}


def what_is_said(session: Session, answer: dict[str, Any], edit: Edit, before: Contents, after: Contents) -> str:
    """Judge the answer by what the files hold now: `done`, `degraded`, `refused`, or `open` if it promises nothing."""
    assert "result" in answer, answer
    result = answer["result"]
    now = contents(session.root, list(edit.paths))
    if result["status"] == "ok":
        assert now == after, "answered, and not there"
        if result.get("trace") != "degraded":
            assert happened(session.root, edit, before, after), "answered, and not on record"
            return "done"
        return "degraded"
    assert (result["error_type"], result["code"]) == ("HOOK_BLOCKED", "HOOK_ERROR")
    assert result["action_hint"] == "retry"
    assert "Traceback" not in result["error"]
    if "it is settled and recorded as soon as" in result["error"]:
        return "open"
    assert now == before, f"refused, and there: {result['error']}"
    assert "Nothing was changed." in result["error"]
    return "refused"


def fail_once(nursery: Nursery, folder: Path, edit: Edit, at: int, before: Contents, after: Contents, how: Any) -> str:
    """Let the `at`-th call of the edit fail; what was said of it, with everything checked."""
    orders, root = orders_in(folder), make_root(folder / "root")
    with nursery.serve(root, orders) as session:
        ready(session, edit)
        arm(orders, "fail", at, **how)
        answer = session.wire.answer(edit.ask(session))
        said = what_is_said(session, answer, edit, before, after)
        disarm(orders)
        # The disk works again: the next write also brings what is missing on record.
        assert session.do("writeToFile", path="src/api/next.py", content="next\n")["status"] == "ok"
        there = happened(root, edit, before, after)
        assert said == "open" or there == (said != "refused")
        assert session.do("verifyTrace")["problems"] == []
        assert [name for name in strays(root) if not name.endswith(".tmp")] == []
        session.wire.shutdown()
    with nursery.serve(root) as session:
        check_whole(session)
    return said


@pytest.mark.parametrize("disaster", DISASTERS)
@pytest.mark.parametrize("name", EDITS)
def test_whatever_call_fails_the_answer_tells_what_happened(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None], name: str, disaster: str
) -> None:
    """Done and on record, or done with a record to come, or refused and as before; never anything else."""
    edit = EDITS[name]
    made, before, after = rehearse(nursery, tmp_path, edit)
    said: Counter[str] = Counter()
    problems = []
    for at in chosen(made[:-1], SHORT):  # the last is the answer itself
        try:
            said[fail_once(nursery, tmp_path / str(at), edit, at, before, after, DISASTERS[disaster])] += 1
        except AssertionError as error:
            problems.append(f"call {at} of {len(made)} ({made[at - 1]}): {error}")
    assert not problems, "\n".join(problems)
    figure(f"failing calls of {name}, {disaster}: {json.dumps(said)}")
