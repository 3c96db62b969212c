"""`intentls mcp` as a verb."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

from intentls.faces.cli import main
from intentls.faces.mcp import server
from intentls.faces.mcp.server import McpOptions


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[McpOptions]:
    """What the server would be started with."""
    monkeypatch.delenv("INTENTLS_SESSION", raising=False)
    options: list[McpOptions] = []

    def serve(given: McpOptions) -> int:
        options.append(given)
        return 0

    monkeypatch.setattr(server, "serve", serve)
    return options


def test_the_options_reach_the_server(served: list[McpOptions], tmp_path: Path) -> None:
    """`--root`, `--session` and `--trust`; without them the server decides."""
    assert main._code(["mcp"]) == 0
    assert main._code(["mcp", "--root", str(tmp_path), "--session", "agent-1", "--trust"]) == 0
    assert served == [McpOptions(), McpOptions(tmp_path, "agent-1", trusted=True)]


def test_the_session_may_come_from_the_environment(served: list[McpOptions], monkeypatch: pytest.MonkeyPatch) -> None:
    """INTENTLS_SESSION is the session's name here as it is for every verb."""
    monkeypatch.setenv("INTENTLS_SESSION", "agent-2")
    assert main._code(["mcp"]) == 0
    assert served == [McpOptions(session_id="agent-2")]


def test_a_missing_library_is_said_with_the_way_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the extra the verb ends with 2 and says how to install it."""
    original = builtins.__import__

    def lacking(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "mcp":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return original(name, *rest)

    for name in [name for name in sys.modules if name.startswith("intentls.faces.mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", lacking)
    code = main._code(["mcp"])
    monkeypatch.undo()
    assert code == 2
    assert "pip install 'intentls[mcp]'" in capsys.readouterr().err
