"""Blame in a process that blamed before says what blame in a new process says."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.blame.version_graph import VersionGraph
from intentls.engine.blame.blame import OwnedRange, blame_content
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from tests.support.agent_edits import Agent
from tests.support.workspaces import intents_yaml, make_workspace


def opened(root: Path) -> Workspace:
    """As a process that was just started opens it."""
    return Engine(Headless("lsp", (root,), own_session="reader")).workspace(root)


def blamed(workspace: Workspace, path: str) -> list[OwnedRange]:
    return blame_content(workspace, path, (workspace.root / path).read_bytes())


def orders_built(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many versions each blame builds from here on."""
    counts: list[int] = []
    build_order = VersionGraph._build_order

    def counting(graph: VersionGraph[object], *arguments: object) -> object:
        order = build_order(graph, *arguments)  # type: ignore[arg-type]
        counts.append(len(order))
        return order

    monkeypatch.setattr(VersionGraph, "_build_order", counting)
    return counts


def test_a_recorded_edit_adds_the_work_of_its_own_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many versions there are, the one that came since the last blame is built."""
    root = make_workspace(tmp_path / "w", intents_yaml({"A": ["src/**"]}), {})
    agent, reader = Agent(root, "one").select("A"), opened(root)
    lines = [f"value_{number} = measure({number})\n" for number in range(40)]
    for number in range(20):
        lines[number] = f"total_{number} = count({number})\n"
        agent.write("src/a.py", "".join(lines))
    blamed(reader, "src/a.py")
    counts = orders_built(monkeypatch)
    blamed(reader, "src/a.py")
    assert sum(counts) == 0
    lines[30] = "other = count(30)\n"
    agent.write("src/a.py", "".join(lines))
    counts.clear()
    ranges = blamed(reader, "src/a.py")
    assert sum(counts) <= 1  # none where the record is spliced into what is kept
    assert [(part.start_line, part.end_line) for part in ranges if part.start_line == 31] == [(31, 31)]


def test_a_ledger_that_was_made_again_is_read_again(tmp_path: Path) -> None:
    """Lines that are gone from the ledger are nobody's, though an earlier blame knew them."""
    root = make_workspace(tmp_path / "w", intents_yaml({"A": ["src/**"]}), {})
    agent, reader = Agent(root, "one").select("A"), opened(root)
    agent.write("src/a.py", "first = 1\nsecond = 2\n")
    agent.write("src/a.py", "first = 1\nsecond = 2\nthird = 3\n")
    assert all(part.record for part in blamed(reader, "src/a.py"))
    ledger = root / ".orchestration" / "agent_trace.jsonl"
    for file in (ledger, *(root / ".orchestration" / "trace").glob("*")):
        file.unlink()
    assert blamed(reader, "src/a.py") == blamed(opened(root), "src/a.py")
    assert not any(part.record for part in blamed(reader, "src/a.py"))
