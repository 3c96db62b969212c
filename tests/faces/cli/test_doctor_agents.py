"""`intentls doctor` tells of each agent whether its hooks really run. The agents' programs here are shell scripts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from intentls.engine.agents.install_hooks import AGENTS, NEXT_STEPS
from intentls.store.setup import agent_programs
from tests.faces.cli.conftest import Cli
from tests.support.workspaces import make_workspace, write_files

EACH = pytest.mark.parametrize("agent", AGENTS)
TRUSTING = ("codex", "gemini", "copilot")
NO_TRUST = "does not trust this project: no hook runs"


class Machine:
    """A home folder, and a folder of programs that is all of the PATH."""

    def __init__(self, folder: Path, cli: Cli) -> None:
        self.home, self.programs, self.root = folder / "home", folder / "bin", make_workspace(folder / "root")
        self._cli = cli
        self.home.mkdir()
        self.programs.mkdir()

    def has(self, name: str, script: str) -> None:
        """A program of this name is on the PATH."""
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def init(self, agent: str, *options: str) -> None:
        """Its hooks are set up."""
        assert self._cli("init", "--agent", agent, *options, "--root", self.root).code == 0

    def doctor(self) -> list[tuple[str, str, str | None]]:
        """What is said of hooks: level, message and advice."""
        checks = self._cli("doctor", "--json", "--root", self.root).json["checks"]
        return [(found["level"], found["message"], found.get("advice")) for found in checks if found["name"] == "hooks"]

    def warns(self) -> list[str]:
        """The messages of the warnings."""
        return [message for level, message, _ in self.doctor() if level == "warning"]


@pytest.fixture
def machine(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with every agent, which trusts nothing yet, and with our program."""
    place = Machine(tmp_path, cli)
    for name in ("CODEX_HOME", "GEMINI_CLI_TRUST_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(place.home))
    monkeypatch.setenv("PATH", str(place.programs))
    place.has("a-shell", "exit 0")
    monkeypatch.setenv("SHELL", str(place.programs / "a-shell"))
    for agent, program in agent_programs._PROGRAMS.items():
        place.has(program, f"echo '{agent} 9.8.7'")
    place.has("intentls", f"exec '{sys.executable}' -m intentls \"$@\"")
    return place


def trust(machine: Machine, agent: str) -> None:
    """The person accepted the agent's dialogs."""
    root = str(machine.root)
    files = {
        "codex": {
            ".codex/config.toml": f'[projects."{root}"]\ntrust_level = "trusted"\n'
            f'[hooks.state."{root}/.codex/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n'
        },
        "gemini": {".gemini/trustedFolders.json": json.dumps({root: "TRUST_FOLDER"})},
        "copilot": {".copilot/config.json": json.dumps({"trusted_folders": [root]})},
    }
    write_files(machine.home, files.get(agent, {}))


@EACH
def test_an_agent_that_is_set_up_well_has_no_warning(machine: Machine, agent: str) -> None:
    """Its release is named; the hook that it would call was called, and refused what it must refuse."""
    machine.init(agent)
    trust(machine, agent)
    assert machine.doctor()[0] == ("ok", f"{agent} is {agent} 9.8.7", "")
    assert machine.warns() == []


@EACH
def test_an_agent_that_is_not_installed_has_no_release(machine: Machine, agent: str) -> None:
    """Nor is there anything to say of its trust."""
    machine.init(agent)
    (machine.programs / agent_programs._PROGRAMS[agent]).unlink()
    assert "9.8.7" not in str(machine.doctor())
    assert machine.warns() == []


@EACH
@pytest.mark.parametrize(
    ("script", "trouble"),
    [
        (None, "intentls is not on the PATH"),
        ("exit 0", "another program than this one answers (exit code 0)"),
        ("echo refused >&2; exit 2", "another program than this one answers (exit code 2)"),
        ("exec /bin/sleep 600", "it can't be started, or takes over"),
    ],
    ids=["missing", "silent", "another", "hanging"],
)
def test_a_hook_that_does_not_answer_is_a_warning(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, agent: str, script: str | None, trouble: str
) -> None:
    machine.init(agent)
    trust(machine, agent)
    if script is None:
        (machine.programs / "intentls").unlink()
    else:
        machine.has("intentls", script)
        monkeypatch.setattr(agent_programs, "_TIMEOUT_S", 0.2 if "sleep" in script else 60)
    message = next(message for message in machine.warns() if "does not answer" in message)
    assert message.startswith(f"{agent}'s hook does not answer: {trouble}")


@pytest.mark.parametrize("agent", TRUSTING)
def test_an_agent_that_does_not_trust_the_project_is_a_warning(machine: Machine, agent: str) -> None:
    """Its hooks never run, and the agent does not say so. The advice is what `init --agent` said, too."""
    machine.init(agent)
    assert ("warning", f"{agent} {NO_TRUST}", NEXT_STEPS[agent]) in machine.doctor()


@pytest.mark.parametrize("accepted", ["project", "hook"])
def test_codex_asks_for_the_project_and_for_each_hook(machine: Machine, accepted: str) -> None:
    """One of both is not enough."""
    machine.init("codex")
    trust(machine, "codex")
    path = machine.home / ".codex/config.toml"
    text = path.read_text()
    hook = text.index("[hooks.")
    path.write_text(text[:hook] if accepted == "project" else text[hook:])
    assert machine.warns() == [f"codex {NO_TRUST}"]


@pytest.mark.parametrize(
    ("level", "folder", "is_trusted"),
    [
        ("TRUST_FOLDER", "..", True),
        ("TRUST_PARENT", "../other/one", False),
        ("TRUST_PARENT", "../beside", True),
        ("DO_NOT_TRUST", ".", False),
    ],
)
def test_gemini_trusts_folders_below_what_it_trusts(
    machine: Machine, level: str, folder: str, is_trusted: bool
) -> None:
    """`TRUST_PARENT` stands at a folder whose parent was trusted."""
    machine.init("gemini")
    place = (machine.root / folder).resolve()
    write_files(machine.home, {".gemini/trustedFolders.json": json.dumps({str(place): level})})
    assert (machine.warns() == []) is is_trusted


def test_gemini_without_its_trust_of_folders_runs_hooks_everywhere(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Switched off in the settings, or answered by the environment."""
    machine.init("gemini")
    assert machine.warns() != []
    with monkeypatch.context() as patch:
        patch.setenv("GEMINI_CLI_TRUST_WORKSPACE", "true")
        assert machine.warns() == []
    off = {"security": {"folderTrust": {"enabled": False}}}
    write_files(machine.home, {".gemini/settings.json": json.dumps(off)})
    assert machine.warns() == []


@pytest.mark.parametrize("agent", TRUSTING)
@pytest.mark.parametrize("text", ["", "[]", "{", "\x00", '{"trusted_folders": 3}'])
def test_settings_of_an_agent_that_can_not_be_read_trust_nothing(machine: Machine, agent: str, text: str) -> None:
    machine.init(agent)
    places = (".codex/config.toml", ".gemini/trustedFolders.json", ".gemini/settings.json", ".copilot/config.json")
    write_files(machine.home, dict.fromkeys(places, text))
    assert machine.warns() == [f"{agent} {NO_TRUST}"]


def test_codex_runs_commands_in_a_login_shell(machine: Machine) -> None:
    """That shell may set another PATH, where our program is not."""
    machine.init("codex")
    trust(machine, "codex")
    machine.has("a-shell", "exit 1")
    assert machine.warns() == ["commands of codex run in a login shell, and that does not find intentls"]


@EACH
def test_where_an_agent_must_be_started_is_said(machine: Machine, agent: str) -> None:
    """Three look for a project's hooks only in the folder where they start. Hooks of the user's have no such limit."""
    machine.init(agent)
    trust(machine, agent)
    said = [message for level, message, _ in machine.doctor() if level == "info"]
    limit = f"{agent} runs these hooks only if it is started in {machine.root}, not in a folder of it"
    assert said == ([limit] if agent in ("claude-code", "gemini", "cline") else [])
    if agent != "cline":
        machine.init(agent, "--user")
        assert [message for level, message, _ in machine.doctor() if level == "info"] == []
