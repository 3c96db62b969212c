"""The demo's workspace: a clone of a real repository, with three intents that own its directories."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import ConfigurationError

_NAMES = ("app", "docs", "tests")


class DemoWorkspace(Struct, frozen=True):
    """`code`, `prose` and `checks` are three directories, owned by INT-001, INT-002 and INT-003."""

    root: Path
    source: str
    code: str
    prose: str
    checks: str


def clone(repository: Path, into: Path) -> DemoWorkspace:
    """Clone `repository` into the directory `into` and declare three intents. Raises ConfigurationError."""
    if not (repository / ".git").exists():
        raise ConfigurationError(f"{repository} is no git repository; name one with --repo PATH")
    _git("clone", "--quiet", "--no-hardlinks", str(repository), str(into), cwd=repository)
    code, prose, checks = _directories(into)
    workspace = DemoWorkspace(into, str(repository), code, prose, checks)
    _declare(workspace)
    return workspace


def _directories(root: Path) -> tuple[str, str, str]:
    """The three top directories with most files, the one with most Python first; `_NAMES` where there are fewer."""
    tracked = _git("ls-files", "-z", cwd=root).split("\0")
    tops = Counter(path.split("/")[0] for path in tracked if "/" in path and not path.startswith("."))
    python = Counter(path.split("/")[0] for path in tracked if path.endswith(".py") and "/" in path)
    ranked = sorted(tops, key=lambda top: (-python[top], -tops[top], top))
    first, second, third = [*ranked, *(name for name in _NAMES if name not in tops)][:3]
    return first, second, third


def _declare(workspace: DemoWorkspace) -> None:
    directory = workspace.root / ".orchestration"
    directory.mkdir(exist_ok=True)
    for name in ("agent_trace.jsonl", "AGENT.md", "intent_map.md", "spatial_map.json"):
        (directory / name).unlink(missing_ok=True)
    (directory / "active_intents.yaml").write_text(_INTENTS.format(w=workspace), encoding="utf-8")
    (directory / "policy.yaml").write_text(_POLICY.format(python=sys.executable), encoding="utf-8")
    _git("add", "--all", cwd=workspace.root)
    author = ("-c", "user.name=intentls demo", "-c", "user.email=demo@localhost")
    _git(*author, "commit", "--quiet", "--no-verify", "-m", "Declare three intents", cwd=workspace.root)


def _git(*arguments: str, cwd: Path) -> str:
    try:
        process = subprocess.run(
            ["git", *arguments], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
        )
    except FileNotFoundError as error:
        raise ConfigurationError("git is not installed; the demo clones a real repository with it") from error
    except subprocess.CalledProcessError as error:
        raise ConfigurationError(f"git {arguments[0]} failed: {error.stderr.strip()}") from error
    return process.stdout


_INTENTS = """\
# Three intents, so that every path has an owner.
active_intents:
  - id: INT-001
    name: Teach the code to greet
    status: IN_PROGRESS
    owned_scope: ["{w.code}/**"]
    constraints: ["Standard library only"]
    acceptance_criteria: ["greet('Ada') says hello to Ada"]
  - id: INT-002
    name: Tell people about it
    status: IN_PROGRESS
    owned_scope: ["{w.prose}/**"]
  - id: INT-003
    name: Check it
    status: PLANNED
    owned_scope: ["{w.checks}/**"]
"""

_POLICY = """\
hitl: deny
linters:
  - name: ruff
    files: ["**/*.py"]
    command: ["{python}", -m, ruff, check, --isolated, --output-format, sarif, "{{file}}"]
    format: sarif
"""
