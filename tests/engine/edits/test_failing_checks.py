"""A check of the gate that fails refuses the edit: nothing is written, and the refusal is on record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from intentls.core.gate import gate
from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import DeleteFile, EditFile, WriteFile
from intentls.engine.actions.request import EditRequest, EditResult, Plan
from intentls.engine.edits.perform import perform
from intentls.engine.intents.checkout import select
from intentls.engine.tools import host_tools
from intentls.engine.tools.host_tools import HostTool
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.session import ledger_of
from tests.support.workspaces import make_workspace

WEATHER = "src/api/weather.py"


def fail(*_: object) -> Refusal | None:
    """A check with a mistake in it."""
    raise RuntimeError


@pytest.fixture(params=["GATE", "CONTENT"])
def break_check(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let the last check by path, or the last one by content, fail from now on."""
    checks = getattr(gate, request.param)
    return lambda: monkeypatch.setattr(gate, request.param, (*checks, fail))


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """A root in which session `s1` has selected INT-001 and written a file."""
    engine = Engine(Headless("cli", (make_workspace(tmp_path / "work"),)))
    drive(select(engine, "s1", "INT-001", None, None))
    assert isinstance(drive(perform(engine, EditRequest(WriteFile(WEATHER, "a = 1\n"), "s1"))), EditResult)
    return engine


@pytest.mark.parametrize(
    "plan",
    [WriteFile(WEATHER, "a = 2\n"), WriteFile("src/api/new.py", ""), EditFile(WEATHER, "1", "2"), DeleteFile(WEATHER)],
    ids=["write", "create", "edit", "delete"],
)
def test_an_edit_whose_check_fails_is_refused_and_on_record(
    engine: Engine, plan: Plan, break_check: Callable[[], None], tmp_path: Path
) -> None:
    """The gate never fails open."""
    break_check()
    refusal = drive(perform(engine, EditRequest(plan, "s1")))
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.HOOK_ERROR
    assert (tmp_path / "work" / WEATHER).read_text() == "a = 1\n"
    assert not (tmp_path / "work/src/api/new.py").exists()
    newest = ledger_of(tmp_path / "work")[-1]
    assert (newest["success"], newest["code"], newest["session_id"]) == (False, "HOOK_ERROR", "s1")


def test_a_tool_whose_check_fails_is_not_let_pass(engine: Engine, break_check: Callable[[], None]) -> None:
    """The host that announces it gets the refusal."""
    break_check()
    answer = drive(host_tools.before_tool(engine, EditRequest(HostTool("edit", (WEATHER,)), "s1")))
    assert isinstance(answer, Refusal)
    assert answer.code is Code.HOOK_ERROR
