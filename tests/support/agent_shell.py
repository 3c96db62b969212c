"""An agent's shell in a real working tree, announced and reported as its hooks do."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from intentls.engine.actions.effects import drive
from intentls.engine.agents import hook_events
from intentls.engine.agents.hook_events import ToolCall
from intentls.engine.intents.checkout import select
from intentls.engine.tools.host_tools import ToolPermission
from intentls.engine.tools.shell_changes import ShellChanges
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.hook_process import records
from tests.support.workspaces import make_git_repo, make_workspace

CALL = ToolCall("s1", "execute_command", (), "t1", anywhere=True)
API = "src/api/weather.py"


class Shell:
    """A session under INT-001 that runs shell commands in `root`, each in a process of its own, as hooks are."""

    def __init__(self, root: Path) -> None:
        self.root = root
        drive(select(self.engine(), "s1", "INT-001", None, None))
        self._seen = len(records(root))

    def engine(self) -> Engine:
        """An engine of its own, as each hook has."""
        return Engine(Headless("hook", (self.root,)))

    def before(self, key: str = "t1") -> None:
        """The agent announces a command."""
        assert isinstance(
            hook_events.before(self.engine(), ToolCall("s1", CALL.tool_name, (), key, anywhere=True)), ToolPermission
        )

    def after(self, key: str = "t1") -> ShellChanges:
        """The agent reports it."""
        call = ToolCall("s1", CALL.tool_name, (), key, anywhere=True)
        changes = hook_events.after(self.engine(), call, success=True)
        assert changes is not None
        return changes

    def run(self, command: str) -> ShellChanges:
        """A whole command: announced, run by `sh`, reported."""
        self.before()
        subprocess.run(["sh", "-ec", command], cwd=self.root, check=True, capture_output=True)
        return self.after()

    @property
    def files(self) -> dict[str, tuple[str, str, bool]]:
        """What the ledger has got since: each path's change, verdict and whether it stands."""
        return {
            file["path"]: (file["change"], record["scope_validation"], record["success"])
            for record in self.new
            for file in record["files"]
        }

    @property
    def new(self) -> list[dict[str, Any]]:
        """The records since the session began."""
        return records(self.root)[self._seen :]


def make_shell(tmp_path: Path, policy: str | None = None, *, ignore: str | None = None, in_git: bool = True) -> Shell:
    """A shell in a new workspace."""
    root = make_workspace(tmp_path / "work", policy=policy, ignore=ignore)
    if in_git:
        make_git_repo(root, {".gitignore": "build/\n"})
    return Shell(root)


def refused(found: ShellChanges) -> set[str]:
    """The paths that the command should have left alone."""
    return {path for refusal in found.refusals for path in refusal.paths}
