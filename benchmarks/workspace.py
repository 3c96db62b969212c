"""`workspace/diagnostic` in a big working tree: when the first findings come, and whether it can be given up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.client import SERVE, Client
from benchmarks.repositories import name, repository, settle
from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import elapsed
from intentls.store.git.status import read_status

ELSEWHERE = """\
active_intents:
  - id: INT-001
    name: Measure
    status: IN_PROGRESS
    owned_scope: ["docs/**"]
"""
CANCELLED = "-32800"
TRIES = 10


def changed(scale: Scale) -> Path:
    """The working tree: each changed file is out of the active intent's scope, so that each has a finding."""
    files, dirty = scale.of(full=(100_000, 1_000), quick=(1_000, 1_000))
    scale.say(f"{files} files: making them")
    root = repository(scale.folder / "work", files, ELSEWHERE)
    for number in range(dirty):
        (root / name(number * (files // dirty))).write_text("CHANGED = 1\n")
    (root / ".orchestration/policy.yaml").write_text("closed_files: all\n")  # each file has its finding
    settle(root, not scale.quick)
    return root


def first_findings(scale: Scale) -> Iterator[Pair]:
    """From the request to the first findings, in a server that has just started; git's listing and 1 s may pass."""
    root = changed(scale)
    for number in range(scale.of(full=-1, quick=0), scale.of(full=9, quick=2)):
        scale.say(f"round {number}")
        listing = elapsed(lambda: read_status(root))
        with Client(SERVE, root) as client:
            start = asked(client, root)
            found = findings(client)
            took = time.perf_counter() - start
        if not any(each["items"] for each in found):
            raise AssertionError("the first result holds no finding")
        if number >= 0:
            yield Pair(took, listing + 1.0)


def giving_up(scale: Scale) -> Iterator[Pair]:
    """From `$/cancelRequest`, sent after the first findings, to the answer of a cancelled request."""
    root = changed(scale)
    for number in range(scale.of(full=-1, quick=0), scale.of(full=9, quick=2)):
        scale.say(f"round {number}")
        took = given_up(root)
        if number >= 0:
            yield Pair(took, 0.1)


def given_up(root: Path) -> float:
    """Seconds until the answer says that it was cancelled.

    A server that had finished before it could read of it has nothing to give up. That is so where this process has to
    wait for a processor, and it is asked again. AssertionError if it is always so.
    """
    for _ in range(TRIES):
        with Client(SERVE, root) as client:
            asked(client, root)
            findings(client)
            start = time.perf_counter()
            client.notify("$/cancelRequest", {"id": client.last_id})
            try:
                client.answer(client.last_id)
            except RuntimeError as answer:
                if CANCELLED not in str(answer):
                    raise
                return time.perf_counter() - start
    raise AssertionError("it was not given up")


def asked(client: Client, root: Path) -> float:
    """Take the intent up and ask for the findings; when that was."""
    client.initialize(root, workspace={"diagnostics": {}}, textDocument={"diagnostic": {}})
    client.command("intent.selectActiveIntent", intent_id="INT-001")
    start = time.perf_counter()
    client.ask("workspace/diagnostic", {"previousResultIds": [], "partialResultToken": "part"})
    return start


def findings(client: Client) -> list[dict[str, list[object]]]:
    """The first partial result. RuntimeError if the answer comes before it."""
    while True:
        message = client.read()
        if message.get("method") == "$/progress" and message["params"]["token"] == "part":
            found: list[dict[str, list[object]]] = message["params"]["value"]["items"]
            return found
        if "method" not in message and message["id"] == client.last_id:
            raise RuntimeError(f"no partial result: {str(message)[:200]}")
        if "method" in message and "id" in message:
            client.decline(message["id"])


ROWS = (
    Row(
        key="diagnostics",
        what="workspace diagnostics, 100,000 files, 1,000 changed: first result",
        ours="request to first result",
        peer="git's listing and 1 s",
        target="<= 1 s after git's listing",
        limit=1,
        run=first_findings,
    ),
    Row(
        key="diagnostics-cancel",
        what="the same, given up",
        ours="cancel to answer",
        peer="the goal",
        target="<= 100 ms",
        limit=1,
        run=giving_up,
    ),
)
