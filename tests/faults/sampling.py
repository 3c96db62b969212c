"""Which of many points are tried: all of them in a long run, evenly chosen ones in a short one."""

from __future__ import annotations

import os
from pathlib import Path

from tests.faults.edits import Edit, make_root, ready
from tests.support.forked_servers import Nursery, arm, calls
from tests.support.invariants import contents
from tests.support.launcher import Orders

LONG = os.environ.get("INTENTLS_LONG") == "1"


def chosen(made: list[str], short: int) -> list[int]:
    """Which of these calls (from 1): all of them, or `short` that lie evenly, the first and the last among them,
    and besides all those that touch somebody's files, each with the one after it."""
    points = len(made)
    if LONG or points <= short:
        return list(range(1, points + 1))
    even = {1 + round(index * (points - 1) / (short - 1)) for index in range(short)}
    touching = {number for number, line in enumerate(made[:-1], 1) if _touches_files(line)}
    return sorted(even | touching | {number + 1 for number in touching})


def _touches_files(call: str) -> bool:
    """Whether the last thing that a call names lies outside `.orchestration`."""
    _, _, what = call.split("\t")
    return "/.orchestration/" not in what.rpartition(" ")[2]


def is_entered(made: list[str]) -> bool | None:
    """Whether the change was in the journal when these calls had been noted, the last of which may not have been made.

    None where that is not certain: other threads make calls as well, so the number of a call tells nothing.
    """
    entry = next((number for number, call in enumerate(made) if "\tpwrite\t" in call and "/journal/" in call), None)
    if entry is None:
        return False
    next_steps = ("/.state/segments.json", "/agent_trace.jsonl", "/trace/")
    return True if any(step in call for call in made[entry + 1 :] for step in next_steps) else None


def orders_in(folder: Path, *, apart: bool = False) -> Orders:
    """Orders whose files lie in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    return Orders(arm=str(folder / "arm"), log=str(folder / "calls"), apart=apart)


def rehearse(
    nursery: Nursery, folder: Path, edit: Edit, *, apart: bool = False
) -> tuple[list[str], dict[str, bytes | None], dict[str, bytes | None]]:
    """The calls of an edit that nothing disturbs, and what its files hold before and after it."""
    orders, root = orders_in(folder / "rehearsal", apart=apart), make_root(folder / "rehearsal" / "root")
    with nursery.serve(root, orders) as session:
        ready(session, edit)
        before = contents(root, list(edit.paths))
        arm(orders, "note")
        answer = session.wire.answer(edit.ask(session))
        assert answer["result"]["status"] == "ok", answer
        assert "trace" not in answer["result"]
        made = calls(orders)
    return made, before, contents(root, list(edit.paths))
