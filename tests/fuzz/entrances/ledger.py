"""agent_trace.jsonl, which git, an editor or an attacker may have filled with anything."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

import msgspec

from intentls.core.ledger.verifier import MAX_PROBLEMS
from intentls.engine.actions.effects import drive
from intentls.engine.blame.blame import blame_content
from intentls.engine.intents import checkout
from intentls.engine.ledger import queries
from intentls.engine.ledger.queries import Query
from intentls.engine.records.rebuild_maps import rebuild_maps
from intentls.engine.wire.answers import BlameAnswer, VerificationAnswer
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.fuzz.bounded import bounded
from tests.fuzz.sandbox import new_folder
from tests.support.workspaces import intents_yaml, make_workspace

FILE = "src/a.py"
CONTENT = b"one\ntwo\nthree\n"


def ledger(data: bytes) -> None:
    """Whatever the ledger holds: it is verified, queried, blamed and put into a context, and stays as it is."""
    root, engine = _engine()
    file = root / ".orchestration/agent_trace.jsonl"
    file.write_bytes(data)
    lines = data.count(b"\n") + 1
    with bounded("verifying"):
        found = queries.verify(engine)
    assert 0 <= found.records <= lines and len(found.problems) <= MAX_PROBLEMS
    assert all(0 <= problem.line <= lines and problem.message for problem in found.problems)
    msgspec.json.encode(VerificationAnswer.of(found))
    workspace = engine.workspace(root)
    with bounded("reading backwards and forwards"):
        backwards, forwards = list(workspace.ledger.newest_first()), list(workspace.ledger.oldest_first())
    assert len(backwards) == len(forwards) <= lines
    assert backwards == forwards[::-1] or data.count(b"NaN")
    with bounded("querying"):
        for wanted in (Query(), Query(path=FILE, limit=5), Query(intent_id="INT-001", session_id="s")):
            entries = queries.query(engine, wanted)
            assert len(entries) <= wanted.limit
    with bounded("blaming"):
        ranges = blame_content(workspace, FILE, CONTENT)
    numbers = [line for where in ranges for line in range(where.start_line, where.end_line + 1)]
    assert numbers == list(range(1, CONTENT.count(b"\n") + 1)), "each line has one answer"
    msgspec.json.encode(BlameAnswer.of(FILE, ranges))
    with bounded("checking out"):
        drive(checkout.select(engine, "s", "INT-001", None, None))
    with bounded("rebuilding the maps"):
        rebuild_maps(workspace)
    assert file.read_bytes() == data, "reading changed the ledger"


@cache
def _engine() -> tuple[Path, Engine]:
    """One workspace for all inputs: making it costs more than asking it."""
    logging.getLogger("intentls").setLevel(logging.CRITICAL)
    root = make_workspace(new_folder() / "w", intents_yaml({"INT-001": ["src/**"]}), {FILE: CONTENT})
    return root, Engine(Headless("fuzz", (root,)))
