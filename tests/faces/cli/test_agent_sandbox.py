"""`intentls init --agent NAME --sandbox INTENT` writes a scope into the agent's own sandbox; `doctor` watches it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.conftest import Cli
from tests.support.workspaces import make_git_repo, make_workspace, write_files

AGENTS = ("claude-code", "codex")
EACH = pytest.mark.parametrize("agent", AGENTS)
FILES = {"claude-code": ".claude/settings.local.json", "codex": ".codex/config.toml"}
INTENTS = """\
active_intents:
  - id: INT-001
    name: Weather
    status: IN_PROGRESS
    owned_scope: ["src/api/**", "tests/api/*.py", "!src/api/generated/**", "!src/api/**/old.py"]
  - {id: INT-002, name: Guide, status: PLANNED, owned_scope: ["docs/**"]}
  - {id: INT-003, name: Done, status: COMPLETED, owned_scope: ["done/**"]}
  - {id: INT-004, name: All python, status: PLANNED, owned_scope: ["**/*.py"]}
  - {id: INT-005, name: All, status: PLANNED, owned_scope: []}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with a few folders, one of them ignored, in a home of its own without any program."""
    root = make_workspace(tmp_path / "root", INTENTS)
    write_files(root, {".gitignore": "build/\n", "build/out.bin": "", "src/db/a.py": "", "src/[x].py": ""})
    make_git_repo(root)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return root


def sandbox(cli: Cli, root: Path, agent: str, intent: str = "INT-001") -> str:
    result = cli("init", "--agent", agent, "--sandbox", intent, "--root", root)
    assert result.code == 0, result.err
    return result.out


def checks(cli: Cli, root: Path) -> list[tuple[str, str]]:
    found: list[dict[str, Any]] = cli("doctor", "--json", "--root", root).json["checks"]
    return [(check["level"], check["message"]) for check in found if check["name"] == "sandbox"]


def denied(root: Path) -> list[str]:
    sandbox = json.loads((root / FILES["claude-code"]).read_text())["sandbox"]
    assert (sandbox["enabled"], sandbox["allowUnsandboxedCommands"]) == (True, False)
    paths: list[str] = sandbox["filesystem"]["denyWrite"]
    return paths


def access(root: Path) -> dict[str, str]:
    settings = tomllib.loads((root / FILES["codex"]).read_text())
    assert settings["default_permissions"] == "intentls"
    assert settings["permissions"]["intentls"]["extends"] == ":workspace"
    paths: dict[str, str] = settings["permissions"]["intentls"]["filesystem"][":workspace_roots"]
    return paths


def test_claude_code_denies_what_lies_beside_the_scope(cli: Cli, root: Path) -> None:
    """Not git's folder, nor what git ignores: the gate does not look there either. A `[` would be a pattern there."""
    sandbox(cli, root, "claude-code")
    assert denied(root) == [
        *("./.claude", "./.gitattributes", "./.gitignore", "./docs", "./prototype", "./src/db"),
        *("./src/api/generated", "./.orchestration/active_intents.yaml"),
    ]


def test_codex_lets_commands_write_in_the_scope_alone(cli: Cli, root: Path) -> None:
    """What git ignores is writable, too. A folder of the scope that is not there is one that no command can make."""
    out = sandbox(cli, root, "codex")
    assert access(root) == {
        ".": "read",
        **dict.fromkeys((".orchestration", "build", "src/api", "tests/api"), "write"),
        **dict.fromkeys(("src/api/generated", ".orchestration/active_intents.yaml"), "read"),
    }
    sentence = "commands write only in src/api, tests/api, for INT-001. Make tests/api yourself: no command in it can."
    assert f"Sandbox: {sentence}" in out
    assert ("ok", f"codex: {sentence}") in checks(cli, root)


@EACH
def test_the_sandbox_follows_the_scope_when_init_is_run_again(cli: Cli, root: Path, agent: str) -> None:
    """Also without the option. In between, doctor says that it is old."""
    sandbox(cli, root, agent)
    current = (root / FILES[agent]).read_bytes()
    sandbox(cli, root, agent)
    assert (root / FILES[agent]).read_bytes() == current
    assert "warning" not in {level for level, message in checks(cli, root) if "bwrap" not in message}
    intents = root / ".orchestration/active_intents.yaml"
    intents.write_text(INTENTS.replace('"src/api/**", ', '"src/db/**", '))
    old = f"{agent}'s sandbox is older than the scope of INT-001, or than the files beside it"
    assert ("warning", old) in checks(cli, root)
    assert cli("init", "--agent", agent, "--root", root).code == 0
    assert ("warning", old) not in checks(cli, root)
    assert (root / FILES[agent]).read_bytes() != current


def test_a_file_that_came_beside_the_scope_makes_claude_codes_sandbox_old(cli: Cli, root: Path) -> None:
    """It can only deny what is there."""
    sandbox(cli, root, "claude-code")
    (root / "new.md").write_text("")
    assert "warning" in {level for level, message in checks(cli, root) if "is older than" in message}


@EACH
def test_another_intent_takes_the_place_of_the_first(cli: Cli, root: Path, agent: str) -> None:
    sandbox(cli, root, agent)
    sandbox(cli, root, agent, "INT-002")
    assert ("docs" in access(root)) if agent == "codex" else ("./docs" not in denied(root) and "./src" in denied(root))
    assert (root / FILES[agent]).read_text().count("INT-00") == 1


@EACH
def test_a_sandbox_of_an_intent_that_is_closed_stays_and_is_a_warning(cli: Cli, root: Path, agent: str) -> None:
    sandbox(cli, root, agent)
    before = (root / FILES[agent]).read_bytes()
    intents = root / ".orchestration/active_intents.yaml"
    intents.write_text(INTENTS.replace("IN_PROGRESS", "DONE"))
    assert cli("init", "--agent", agent, "--root", root).code == 0
    assert (root / FILES[agent]).read_bytes() == before
    assert ("warning", f"{agent}'s sandbox is for INT-001, which is no open intent") in checks(cli, root)
    intents.write_text(INTENTS.replace('"src/api/**", ', '"**", '))
    assert ("warning", f"{agent}'s sandbox can't hold the scope of INT-001 any more") in checks(cli, root)


@EACH
def test_removing_the_hooks_removes_the_sandbox(cli: Cli, root: Path, agent: str) -> None:
    """What else is in the file stays, byte for byte."""
    theirs = {"claude-code": '{\n    "model": "x"\n}', "codex": '# mine\nmodel = "x"\n\n[features]\nhooks = true\n'}[
        agent
    ]
    write_files(root, {FILES[agent]: theirs})
    sandbox(cli, root, agent)
    assert (root / FILES[agent]).read_text() != theirs
    assert cli("init", "--agent", agent, "--remove", "--root", root).code == 0
    assert (root / FILES[agent]).read_text() == theirs
    (root / FILES[agent]).unlink()
    sandbox(cli, root, agent)
    assert cli("init", "--agent", agent, "--remove", "--root", root).code == 0
    assert not (root / FILES[agent]).exists()
    assert checks(cli, root) == []


@pytest.mark.parametrize(
    ("agent", "theirs"),
    [
        ("claude-code", '{"sandbox": {"enabled": false}}'),
        ("claude-code", "// no"),
        ("codex", 'sandbox_mode = "read-only"\n'),
        ("codex", 'default_permissions = ":workspace"\n'),
        ("codex", "= 3\n"),
    ],
)
def test_a_sandbox_of_ones_own_is_left_alone(cli: Cli, root: Path, agent: str, theirs: str) -> None:
    write_files(root, {FILES[agent]: theirs})
    result = cli("init", "--agent", agent, "--sandbox", "INT-001", "--root", root)
    assert result.code != 0
    assert "left alone" in result.err
    assert (root / FILES[agent]).read_text() == theirs


@EACH
@pytest.mark.parametrize("intent", ["INT-003", "INT-004", "INT-005", "INT-999"])
def test_what_no_sandbox_can_hold_is_refused(cli: Cli, root: Path, agent: str, intent: str) -> None:
    """A closed or unknown intent, and a scope all over the workspace."""
    result = cli("init", "--agent", agent, "--sandbox", intent, "--root", root)
    assert result.code != 0
    assert intent in result.err
    assert not (root / FILES[agent]).exists()


def test_codexs_older_sandbox_setting_is_a_warning(cli: Cli, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Codex takes it instead of any profile."""
    monkeypatch.delenv("CODEX_HOME", raising=False)
    settings = root.parent / "home/.codex/config.toml"
    write_files(root.parent, {"home/.codex/config.toml": 'sandbox_mode = "workspace-write"\n'})
    sandbox(cli, root, "codex")
    message = f"codex uses workspace-write instead of this sandbox: {settings} has sandbox_mode"
    assert ("warning", message) in checks(cli, root)
    settings.write_text("sandbox_mode = 3\n")
    assert "warning" not in {level for level, _ in checks(cli, root)}


def test_claude_codes_sandbox_without_its_programs_is_a_warning(
    cli: Cli, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claude Code then runs commands without it."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("intentls.engine.setup.agent_sandboxes.shutil.which", lambda name: name == "bwrap" or None)
    sandbox(cli, root, "claude-code")
    message = "claude-code runs commands without its sandbox: socat can't be found"
    assert ("warning", message) in checks(cli, root)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--sandbox", "INT-001"),
        ("--agent", "gemini", "--sandbox", "INT-001"),
        ("--agent", "codex", "--user", "--sandbox", "INT-001"),
        ("--agent", "codex", "--remove", "--sandbox", "INT-001"),
    ],
)
def test_the_option_is_for_a_project_of_two_agents(cli: Cli, root: Path, arguments: tuple[str, ...]) -> None:
    result = cli("init", *arguments, "--root", root)
    assert result.code == 2
    assert "use it with --agent claude-code or codex" in result.err


@EACH
def test_no_sandbox_is_written_through_a_link(cli: Cli, root: Path, tmp_path: Path, agent: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("")
    (root / FILES[agent]).parent.mkdir(exist_ok=True)
    (root / FILES[agent]).symlink_to(elsewhere)
    result = cli("init", "--agent", agent, "--sandbox", "INT-001", "--root", root)
    assert result.code != 0
    assert "is a symbolic link" in result.err
    assert elsewhere.read_text() == ""
