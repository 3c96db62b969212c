"""Real servers at work on one root at the same time.

`make soak` gives each server 500 writes and each race 50 rounds; `make test` fewer of both.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from intentls.core.hashing import content_hash
from tests.support.forked_servers import Nursery, arm, calls, let_go, wait_until_it_waits
from tests.support.invariants import check_whole, untraced
from tests.support.launcher import Orders
from tests.support.session import Session, ledger_of
from tests.support.workspaces import WEATHER_FILES, intents_yaml, make_workspace

LONG = os.environ.get("INTENTLS_LONG") == "1"
SERVERS = 8
WRITES = 500 if LONG else 10
REFUSALS = 4  # beside each write
RACERS = 4
ROUNDS = 50 if LONG else 12


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_workspace(tmp_path / "root", intents_yaml({"INT-001": ["src/**"]}))


@contextmanager
def servers(nursery: Nursery, root: Path, count: int) -> Iterator[list[Session]]:
    with ExitStack() as running:
        started = [running.enter_context(nursery.serve(root)) for _ in range(count)]
        for session in started:
            session.do("selectActiveIntent", intent_id="INT-001")
        yield started


def command(session: Session, name: str, **arguments: object) -> int:
    """Ask without waiting."""
    return session.wire.ask("workspace/executeCommand", {"command": f"intent.{name}", "arguments": [arguments]})


def test_eight_servers_lose_no_record_and_tear_no_line(
    nursery: Nursery, root: Path, figure: Callable[[str], None]
) -> None:
    """Each writes files of its own, and is refused others; each is one whole line, and every chain verifies."""

    def write(number: int, session: Session) -> list[str]:
        answers = []
        for turn in range(WRITES):
            # Refusals are recorded without waiting for the disk: many at once.
            refused = [command(session, "writeToFile", path="docs/a.md", content="") for _ in range(REFUSALS)]
            # Some lines are longer than a page, and than what a pipe takes at once.
            text = "".join(f"{turn} {line}\n" for line in range(1 + (turn * 37) % 200))
            path = f"src/{number}/{turn % 20}.py"
            answers.append(session.do("writeToFile", path=path, content=text)["trace_id"])
            for question in refused:
                assert session.wire.answer(question)["result"]["code"] == "SCOPE_VIOLATION"
        return answers

    began = time.monotonic()
    with servers(nursery, root, SERVERS) as started:
        with ThreadPoolExecutor(SERVERS) as pool:
            answered = list(pool.map(write, range(SERVERS), started))
        took = time.monotonic() - began
        check_whole(started[0])
    lines = (root / ".orchestration" / "agent_trace.jsonl").read_bytes().splitlines(keepends=True)
    assert all(line.endswith(b"}\n") for line in lines)
    records = [json.loads(line) for line in lines]
    assert len(records) == SERVERS * WRITES * (1 + REFUSALS)
    written = [record["id"] for record in records if record["success"]]
    assert Counter(written) == Counter(id_ for ids in answered for id_ in ids)
    for ids in answered:
        assert [found for found in written if found in set(ids)] == ids  # each server's in the order of its answers
    assert untraced(root, {path: _bytes(data) for path, data in WEATHER_FILES.items()}) == []
    said = f"{len(written)} changes and {len(records) - len(written)} refusals on record, whole"
    figure(f"{SERVERS} servers x {WRITES} writes: {said}; {len(lines) / took:.0f} a second")


def test_of_writers_with_the_same_base_exactly_one_wins(
    nursery: Nursery, root: Path, figure: Callable[[str], None]
) -> None:
    """Every time; all others are told that the file changed, and the winner's content stands."""
    file = root / "src" / "contended.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text("start\n")
    won: Counter[int] = Counter()
    with servers(nursery, root, RACERS) as started:
        for turn in range(ROUNDS):
            base = content_hash(file.read_bytes())
            texts = [f"round {turn}, racer {number}\n" for number in range(RACERS)]
            questions = [
                command(session, "writeToFile", path="src/contended.py", content=text, expected_content_hash=base)
                for session, text in zip(started, texts, strict=True)
            ]
            answers = [
                session.wire.answer(question)["result"] for session, question in zip(started, questions, strict=True)
            ]
            winners = [number for number, answer in enumerate(answers) if answer["status"] == "ok"]
            assert len(winners) == 1, answers
            assert file.read_text() == texts[winners[0]]
            losers = [answer for answer in answers if answer["status"] != "ok"]
            assert {(answer["code"], answer["action_hint"]) for answer in losers} == {("STALE_CONTEXT", "read_file")}
            won[winners[0]] += 1
        check_whole(started[0])
    changed = [record for record in ledger_of(root) if record["success"]]
    assert len(changed) == ROUNDS
    figure(f"{RACERS} writers with one base, {ROUNDS} rounds: exactly 1 winner each time")


def test_of_writers_who_create_the_same_file_exactly_one_wins(nursery: Nursery, root: Path) -> None:
    """A file that a patch adds must not be there yet; a rename must not replace anything."""
    patch = (
        "diff --git a/src/{0}.py b/src/{0}.py\nnew file mode 100644\n"
        "--- /dev/null\n+++ b/src/{0}.py\n@@ -0,0 +1 @@\n+{1}\n"
    )
    with servers(nursery, root, RACERS) as started:
        for turn in range(ROUNDS // 4):
            questions = [
                command(session, "applyPatch", patch=patch.format(f"new{turn}", number))
                for number, session in enumerate(started)
            ]
            answers = [
                session.wire.answer(question)["result"] for session, question in zip(started, questions, strict=True)
            ]
            (winner,) = (number for number, answer in enumerate(answers) if answer["status"] == "ok")
            assert (root / "src" / f"new{turn}.py").read_text() == f"{winner}\n"
        check_whole(started[0])


def test_the_lock_of_a_killed_server_blocks_nobody(nursery: Nursery, root: Path, tmp_path: Path) -> None:
    """Whoever waits for it goes on at once, on what the dead one's edit really left."""
    orders = Orders(arm=str(tmp_path / "arm"), log=str(tmp_path / "calls"))
    with nursery.serve(root, orders) as victim, servers(nursery, root, 1) as (other,):
        victim.do("selectActiveIntent", intent_id="INT-001")
        victim.do("writeToFile", path="src/a.py", content="0\n")
        arm(orders, "wait", _call_that(victim, orders, "/stage/", "replace"))
        command(victim, "writeToFile", path="src/a.py", content="victim\n")
        wait_until_it_waits(orders)
        question = command(other, "writeToFile", path="src/a.py", content="other\n")
        with pytest.raises(AssertionError, match="waited"):
            other.wire.answer(question, 0.3)
        assert victim.wire.process is not None
        victim.wire.process.kill()
        answer = other.wire.answer(question)["result"]
        assert answer["status"] == "ok", answer
        check_whole(other)
    assert (root / "src" / "a.py").read_text() == "other\n"
    assert [record["files"][0]["path"] for record in ledger_of(root)] == ["src/a.py"] * len(ledger_of(root))


def test_who_waits_in_vain_is_told_who_has_it(nursery: Nursery, root: Path, tmp_path: Path) -> None:
    """Waiting is bounded; the refusal names the process and the session, and says to try again."""
    orders = Orders(arm=str(tmp_path / "arm"), log=str(tmp_path / "calls"))
    with nursery.serve(root, orders) as holder, servers(nursery, root, 2) as (same, different):
        holder.do("selectActiveIntent", intent_id="INT-001", session_id="slow agent")
        holder.do("writeToFile", path="src/a.py", content="0\n", session_id="slow agent")
        arm(orders, "wait", _call_that(holder, orders, "/stage/", "replace", session_id="slow agent"))
        slow = command(holder, "writeToFile", path="src/a.py", content="slow\n", session_id="slow agent")
        wait_until_it_waits(orders)
        began = time.monotonic()
        question = command(same, "writeToFile", path="src/a.py", content="other\n")
        # Nobody else is held up by it.
        assert different.do("writeToFile", path="src/b.py", content="b\n")["status"] == "ok"
        with pytest.raises(AssertionError, match="waited"):
            same.wire.answer(question, 0.01)
        refusal = same.wire.answer(question)["result"]
        assert time.monotonic() - began > 9
        assert (refusal["code"], refusal["action_hint"]) == ("HOOK_ERROR", "retry")
        assert holder.wire.process is not None
        assert f"a.py is locked by lsp process {holder.wire.process.pid} (session slow agent)" in refusal["error"]
        let_go(orders)
        assert holder.wire.answer(slow)["result"]["status"] == "ok"
        assert same.do("writeToFile", path="src/a.py", content="now\n")["status"] == "ok"
        check_whole(same)


def _call_that(session: Session, orders: Orders, *words: str, **more: str) -> int:
    """The number, in a write of `src/a.py`, of the first call whose line has all these words."""
    arm(orders, "note")
    before = len(calls(orders))
    session.do("writeToFile", path="src/a.py", content="rehearsal\n", **more)
    made: list[str] = calls(orders)[before:]
    return 1 + next(index for index, line in enumerate(made) if all(word in line for word in words))


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
