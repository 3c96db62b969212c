"""Random kills of busy servers: nothing is ever lost, half done or off the record.

Two servers work in one root, several sessions each, with edits of every kind in random order; one of them is
killed at a random moment, and a new one takes its place. Then all that was answered must be there, and the
ledger and the files must tell the same story from the first record on.

`make soak` kills 1,000 times (`KILLS=...`), `make test` 20 times. `INTENTLS_SEED` repeats a run's choices.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from intentls.store.journal.entry_slots import EntrySlots
from intentls.store.layout import Layout
from tests.support.forked_servers import Nursery
from tests.support.invariants import lasting_strays, untraced
from tests.support.patience import PATIENCE_S
from tests.support.session import Json, Session, ledger_of
from tests.support.wire import ServerGone
from tests.support.workspaces import intents_yaml, make_workspace

LONG = os.environ.get("INTENTLS_LONG") == "1"
KILLS = int(os.environ.get("INTENTLS_KILLS") or (1000 if LONG else 20))
SEED = int(os.environ.get("INTENTLS_SEED") or random.SystemRandom().randrange(1 << 32))
SESSIONS = ("ada", "ben", "cyd")
NAMES = [f"src/{folder}/{name}.py" for folder in "ab" for name in "xyz"]
INTENTS = ".orchestration/active_intents.yaml"


@dataclass
class Asked:
    """An edit that was sent; `result` when it was answered."""

    question: int
    result: Json | None = None


@dataclass
class Worker:
    """A server that is kept busy."""

    session: Session
    employment: ExitStack
    open: list[Asked] = field(default_factory=list)
    serial: int = 0

    def give(self, dice: random.Random) -> None:
        """One more edit, without waiting for the ones before."""
        self.serial += 1
        name, arguments = an_edit(dice, f"{id(self):x}-{self.serial}")
        who = {"session_id": dice.choice(SESSIONS)}
        if "path" in arguments and dice.random() < 0.9:  # else what it rests on is old
            self._ask("readFile", {"path": arguments["path"], **who})
        self.open.append(Asked(self._ask(name, arguments | who)))

    def _ask(self, name: str, arguments: Json) -> int:
        return self.session.wire.ask(
            "workspace/executeCommand", {"command": f"intent.{name}", "arguments": [arguments]}
        )

    def collect(self, *, dead: bool) -> list[Json]:
        """The results of all that was asked; of a dead one, those that came in time."""
        results = []
        for asked in self.open:
            try:
                answer = self.session.wire.answer(asked.question, 60)
            except ServerGone:
                assert dead
                continue
            # An `old_string` that is not there any more is an error of the caller's; all else has a result.
            assert "result" in answer or answer["error"]["code"] == -32602, answer
            if "result" in answer:
                results.append(answer["result"])
        self.open.clear()
        return results


def an_edit(dice: random.Random, mark: str) -> tuple[str, Json]:
    """A command and its arguments. Many will be refused: the file is not there, or is there already."""
    path = dice.choice(NAMES)
    long = "".join(f"{mark} line {number}\n" for number in range(dice.choice((1, 3, 400))))
    patch = (
        f"diff --git a/src/p/{mark}.py b/src/p/{mark}.py\nnew file mode 100644\n--- /dev/null\n"
        f"+++ b/src/p/{mark}.py\n@@ -0,0 +1 @@\n+{mark}\n"
        f"diff --git a/src/q/{mark}.py b/src/q/{mark}.py\nnew file mode 100755\n--- /dev/null\n"
        f"+++ b/src/q/{mark}.py\n@@ -0,0 +1 @@\n+{mark}\n"
    )
    return dice.choice(
        [
            ("writeToFile", {"path": path, "content": long}),
            ("writeToFile", {"path": path, "content": long}),
            ("editFile", {"path": path, "old_string": "line 0\n", "new_string": f"line 0 {mark}\n"}),
            ("deleteFile", {"path": path}),
            ("renameFile", {"path": path, "new_path": dice.choice(NAMES)}),
            ("applyPatch", {"patch": patch}),
            ("expandScope", {"intent_id": "INT-002", "glob": f"more/{mark}/**", "reason": "soak"}),
            ("setStatus", {"intent_id": "INT-002", "status": dice.choice(("TODO", "PLANNED", "BLOCKED"))}),
        ]
    )


class Soak:
    """The root, its servers, and what was counted."""

    def __init__(self, nursery: Nursery, root: Path, dice: random.Random) -> None:
        self._nursery, self._dice = nursery, dice
        self.root = root
        self.counts: Counter[str] = Counter()
        self.promised: set[str] = set()
        self._first = {INTENTS: (root / INTENTS).read_bytes()}
        self._journal = EntrySlots(Layout(root))
        self.workers = [self._hire(), self._hire()]

    def _hire(self) -> Worker:
        employment = ExitStack()
        session = employment.enter_context(self._nursery.serve(self.root))
        for name in SESSIONS:
            assert session.do("selectActiveIntent", intent_id="INT-001", session_id=name)["status"] == "ok"
        return Worker(session, employment)

    def close(self) -> None:
        for worker in self.workers:
            worker.employment.close()

    def kill_one(self) -> None:
        """Keep both busy, kill one at a random moment, and check everything."""
        for worker in self.workers:
            for _ in range(self._dice.randrange(2, 6)):
                worker.give(self._dice)
        place = self._dice.randrange(2)
        victim = self.workers[place]
        assert victim.session.wire.process is not None
        self._wait()
        victim.session.wire.process.kill()
        assert victim.session.wire.process.wait(PATIENCE_S) == -signal.SIGKILL
        self._keep(victim.collect(dead=True))
        in_midst = self._interrupted()
        victim.employment.close()
        self.workers[place] = self._hire()
        for worker in self.workers:
            self._keep(worker.collect(dead=False))
        self._count(in_midst)
        self.check()

    def _wait(self) -> None:
        """Until the moment of the kill: every other time one at which some edit is in the journal."""
        deadline = time.monotonic() + self._dice.random() * 0.2
        if self.counts["kills"] % 2:
            while not self._interrupted() and time.monotonic() < deadline:
                time.sleep(0.0005)
            deadline = time.monotonic() + self._dice.random() * 0.004
        time.sleep(max(0.0, deadline - time.monotonic()))

    def _interrupted(self) -> set[str]:
        """The records of what stands in the journal: also edits that the survivor is just making."""
        return {str(entry.record["id"]) for _, entry in self._journal.entries()}

    def _keep(self, results: list[Json]) -> None:
        for result in results:
            if result["status"] == "ok" and result.get("trace_id") is not None:
                assert "trace" not in result
                self.promised.add(result["trace_id"])
            self.counts["answered" if result["status"] == "ok" else "refused"] += 1

    def _count(self, in_midst: set[str]) -> None:
        recorded = {record["id"]: record for record in ledger_of(self.root, torn=True)}
        completed = {id_ for id_ in in_midst if recorded.get(id_, {}).get("recovered")}
        dropped = in_midst - set(recorded)
        self.counts["killed in the midst of an edit, completed by recovery"] += len(completed)
        self.counts["killed in the midst of an edit, dropped by recovery"] += len(dropped)
        self.counts["killed before or after an edit"] += not completed and not dropped
        self.counts["kills"] += 1

    def check(self) -> None:
        """Nothing promised is missing, nothing is half done, and the whole ledger verifies."""
        found = self.workers[self._dice.randrange(2)].session.do("verifyTrace")
        # The system may stop a killed process in the middle of a write: the half of a line is reported, and left.
        assert {problem["kind"] for problem in found["problems"]} <= {"torn"}
        assert len(found["problems"]) <= self.counts["kills"]
        recorded = Counter(record["id"] for record in ledger_of(self.root, torn=True))
        assert self.promised <= set(recorded), "an answered edit is not on record"
        assert max(recorded.values(), default=1) == 1, "an edit is on record twice"
        assert untraced(self.root, self._first) == []
        for path in (self.root / "src").glob("?/*.py"):
            lines = path.read_text().splitlines()
            assert lines, f"{path} is empty"
        assert lasting_strays(self.root) == []
        self.counts["verified"] += 1


def test_busy_servers_that_are_killed_at_random_lose_nothing(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    """Whatever the moment, and whoever is at work beside them."""
    root = make_workspace(tmp_path / "root", intents_yaml({"INT-001": ["src/**"], "INT-002": ["docs/**"]}), files={})
    (root / "src").mkdir()
    began = time.monotonic()
    with closing(Soak(nursery, root, random.Random(SEED))) as soak:
        try:
            while soak.counts["kills"] < KILLS:
                soak.kill_one()
                if LONG and soak.counts["kills"] % 50 == 0:
                    print(f"{time.monotonic() - began:.0f} s", dict(soak.counts), flush=True)  # noqa: T201
        except BaseException as error:
            error.add_note(f"seed {SEED}, after {dict(soak.counts)}")
            raise
    counts = ", ".join(f"{value} {name}" for name, value in sorted(soak.counts.items()))
    figure(f"soak: {counts}; {len(ledger_of(root))} records; {time.monotonic() - began:.0f} s; seed {SEED}")
