"""Where a test's hook daemon listens, and the workspace that it is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.hook import daemon_client
from tests.support.patience import PATIENCE_S
from tests.support.workspaces import make_git_repo, make_workspace


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's daemon has its socket, in a path that is short enough for one."""
    folder = tmp_path_factory.mktemp("d")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.setenv("INTENTLS_HOOK_DAEMON", "manual")
    monkeypatch.setattr(daemon_client, "MAX_ANSWER_S", float(PATIENCE_S))
    for name in ("CLAUDE_PROJECT_DIR", "INTENTLS_SESSION"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace in which session s1 has selected INT-001."""
    root = make_git_repo(make_workspace(tmp_path / "work"))
    take_up(root)
    return root


def take_up(root: Path, intent: str = "INT-001", session: str = "s1") -> None:
    """Check an intent out, as the command line does."""
    drive(select(Engine(Headless("cli", (root,))), session, intent, None, None))
