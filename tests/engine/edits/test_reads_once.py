"""A guarded edit loads its session once and reads each of its files once; a hook resolves its paths once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import DeleteFile, EditFile, RenameFile, WriteFile
from intentls.engine.actions.request import EditRequest, EditResult, Plan
from intentls.engine.agents import hook_events
from intentls.engine.agents.hook_events import ToolCall
from intentls.engine.edits.perform import perform
from intentls.engine.intents.checkout import select
from intentls.engine.tools.host_tools import ToolPermission
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.file_contents import Contents
from intentls.engine.workspace.host import Headless
from intentls.store.sessions.sessions import Sessions
from tests.support.workspaces import make_workspace

WEATHER = "src/api/weather.py"


class Calls:
    """Counts what the engine does: sessions loaded and updated, contents read, paths resolved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.counts: Counter[str] = Counter()
        for owner, name in ((Sessions, "load"), (Sessions, "update"), (Contents, "read"), (Engine, "resolve")):
            monkeypatch.setattr(owner, name, self._counted(name, getattr(owner, name)))

    def _counted(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            self.counts[f"read {arguments[1]}" if name == "read" else name] += 1
            return method(*arguments, **options)

        return counted


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """A root in which session `s1` has selected INT-001 and holds the leases of an earlier edit."""
    engine = Engine(Headless("cli", (make_workspace(tmp_path / "work"),)))
    assert not isinstance(drive(select(engine, "s1", "INT-001", None, None)), Refusal)
    assert isinstance(drive(perform(engine, EditRequest(WriteFile(WEATHER, "a = 1\n"), "s1"))), EditResult)
    return engine


@pytest.mark.parametrize(
    "plan",
    [
        WriteFile(WEATHER, "a = 2\n"),
        EditFile(WEATHER, "1", "2"),
        DeleteFile(WEATHER),
        RenameFile(WEATHER, "src/api/climate.py"),
    ],
    ids=lambda plan: plan.tool_name,
)
def test_a_guarded_edit_loads_its_session_and_reads_its_files_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, plan: Plan
) -> None:
    """One load for the decision and the record; the update that notes what was written reads and overwrites at once."""
    calls = Calls(monkeypatch)
    assert isinstance(drive(perform(engine, EditRequest(plan, "s1"))), EditResult)
    reads = {f"read {path}": 1 for path in plan.paths}
    assert calls.counts == {"resolve": 1, "load": 1, "update": 1, **reads}


def test_a_refused_edit_loads_its_session_and_reads_its_file_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal is recorded for the session that was judged."""
    calls = Calls(monkeypatch)
    assert isinstance(drive(perform(engine, EditRequest(WriteFile("docs/a.md", ""), "s1"))), Refusal)
    assert calls.counts == {"resolve": 1, "load": 1, "read docs/a.md": 1}


def test_a_hook_before_a_tool_resolves_and_reads_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept for the report is what was judged."""
    path = str(engine.host.folders()[0] / WEATHER)
    calls = Calls(monkeypatch)
    assert isinstance(hook_events.before(engine, ToolCall("s1", "edit", (path,), "t1")), ToolPermission)
    assert calls.counts == {"resolve": 1, "load": 1, f"read {WEATHER}": 1}


def test_a_hook_after_a_tool_resolves_and_reads_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session is loaded for the record; the update that notes what the tool wrote reads and overwrites at once."""
    path = engine.host.folders()[0] / WEATHER
    call = ToolCall("s1", "edit", (str(path),), "t1")
    hook_events.before(engine, call)
    path.write_text("a = 3\n")
    calls = Calls(monkeypatch)
    assert hook_events.after(engine, call, success=True) is None
    assert calls.counts == {"resolve": 1, "load": 1, "update": 1, f"read {WEATHER}": 1}
