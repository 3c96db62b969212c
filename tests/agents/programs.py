"""The agent programs: which release, how it is installed and started, where its model is, what its tools are called."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.agents.scripted_model import Call

INSTALLED = Path(os.environ.get("INTENTLS_AGENTS_DIR", Path(__file__).parents[2] / ".cache/agents"))
"""Where the programs are installed, each in a folder of its own."""

_INSTALL_TIMEOUT_S = 600
Start = Callable[["Bench", int, str], tuple[list[str], dict[str, str]]]


@dataclass(frozen=True)
class Bench:
    """Where one run takes place: the repository, the home folder, and the agent's executable.

    `sandboxed`: the agent runs commands in its own sandbox.
    """

    repository: Path
    home: Path
    program: Path
    sandboxed: bool = False


@dataclass(frozen=True)
class AgentProgram:
    """A release of an agent. `start` gives the command line and environment for a port and a prompt.

    `prepare` writes what the agent's home needs; `mcp` makes it start `intentls mcp`, and `mcp_tool` is the name of
    one of its tools then. `guarded_below`: the project's hooks also run where the agent starts in a folder of it.
    """

    name: str
    package: str
    version: str
    executable: str
    start: Start
    shell: Callable[[str], Call]
    write: Callable[[Path, str], Call]
    prepare: Callable[[Bench], None] = lambda _: None
    postinstall: str | None = None
    mcp: Callable[[Bench, str], None] | None = None
    mcp_tool: str = ""
    guarded_below: bool = True

    @property
    def path(self) -> Path:
        """Where its executable is, once it is installed."""
        return INSTALLED / self.name / "node_modules/.bin" / self.executable

    def install(self) -> None:
        """Install this release with npm, unless it is. Raises CalledProcessError and TimeoutExpired."""
        folder = INSTALLED / self.name
        manifest = folder / "node_modules" / self.package / "package.json"
        if manifest.exists() and json.loads(manifest.read_text())["version"] == self.version and self.path.exists():
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"private": true}\n')
        words = ["npm", "install", "--no-audit", "--no-fund", f"{self.package}@{self.version}"]
        subprocess.run(words, cwd=folder, check=True, timeout=_INSTALL_TIMEOUT_S, capture_output=True)
        if self.postinstall is not None:
            script = ["node", f"node_modules/{self.package}/{self.postinstall}"]
            subprocess.run(script, cwd=folder, check=True, timeout=_INSTALL_TIMEOUT_S, capture_output=True)


def _write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def _claude(bench: Bench, port: int, prompt: str) -> tuple[list[str], dict[str, str]]:
    words = ["-p", prompt, "--permission-mode", "bypassPermissions", "--output-format", "json"]
    quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "IS_SANDBOX")
    environment = {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "ANTHROPIC_API_KEY": "none"}
    return [str(bench.program), *words, "--model", "claude-opus-4-5"], environment | dict.fromkeys(quiet, "1")


def _claude_mcp(bench: Bench, intentls: str) -> None:
    _write_json(bench.repository / ".mcp.json", {"mcpServers": {"intentls": {"command": intentls, "args": ["mcp"]}}})
    _write_json(bench.repository / ".claude/settings.local.json", {"enableAllProjectMcpServers": True})


def _codex_home(bench: Bench) -> None:
    (bench.home / ".codex").mkdir(parents=True, exist_ok=True)
    (bench.home / ".codex/config.toml").write_text(
        'model = "gpt-5.5"\nmodel_provider = "mock"\ncheck_for_update_on_startup = false\n'
        "[analytics]\nenabled = false\n"
        f'[projects.{json.dumps(str(bench.repository))}]\ntrust_level = "trusted"\n'
    )


def _codex(bench: Bench, port: int, prompt: str) -> tuple[list[str], dict[str, str]]:
    provider = f'{{name="mock", base_url="http://127.0.0.1:{port}/v1", env_key="MOCK_KEY", wire_api="responses"}}'
    words = ["exec", "-c", f"model_providers.mock={provider}", "--json", "--skip-git-repo-check"]
    trust = [
        *([] if bench.sandboxed else ["--dangerously-bypass-approvals-and-sandbox"]),
        "--dangerously-bypass-hook-trust",
    ]
    return [str(bench.program), *words, *trust, prompt], {"MOCK_KEY": "none", "CODEX_HOME": str(bench.home / ".codex")}


def _codex_mcp(bench: Bench, intentls: str) -> None:
    with (bench.home / ".codex/config.toml").open("a") as file:
        file.write(f'[mcp_servers.intentls]\ncommand = {json.dumps(intentls)}\nargs = ["mcp"]\n')


def _gemini_home(bench: Bench) -> None:
    off = {"privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False}}
    updates = {"general": {"disableAutoUpdate": True, "enableAutoUpdate": False}}
    key = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    _write_json(bench.home / ".gemini/settings.json", {**key, **off, **updates})


def _gemini(bench: Bench, port: int, prompt: str) -> tuple[list[str], dict[str, str]]:
    environment = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{port}"}
    words = [str(bench.program), "-m", "gemini-2.5-pro", "--yolo", "-p", prompt]
    return words, environment | {"GEMINI_CLI_TRUST_WORKSPACE": "true"}


def _gemini_mcp(bench: Bench, intentls: str) -> None:
    path = bench.home / ".gemini/settings.json"
    _write_json(
        path, json.loads(path.read_text()) | {"mcpServers": {"intentls": {"command": intentls, "args": ["mcp"]}}}
    )


def _cline(bench: Bench, port: int, prompt: str) -> tuple[list[str], dict[str, str]]:
    program = str(bench.program)
    auth = [
        program,
        "auth",
        "-p",
        "openai",
        "-k",
        "none",
        "-m",
        "claude-sonnet-4-5",
        "-b",
        f"http://127.0.0.1:{port}/v1",
    ]
    quiet = ("CLINE_TELEMETRY_DISABLED", "CLINE_NO_AUTO_UPDATE", "DO_NOT_TRACK", "CLINE_HUB_DISABLED")
    steps = f'"$@" && exec {json.dumps(program)} --auto-approve true --json "$PROMPT"'
    return ["sh", "-c", steps, "sh", *auth], dict.fromkeys(quiet, "1") | {"PROMPT": prompt}


def _cline_mcp(bench: Bench, intentls: str) -> None:
    server = {"command": intentls, "args": ["mcp"], "timeout": 60}  # 3 seconds by default
    _write_json(bench.home / ".cline/data/settings/cline_mcp_settings.json", {"mcpServers": {"intentls": server}})


def _opencode(bench: Bench, port: int, prompt: str) -> tuple[list[str], dict[str, str]]:
    options = {"baseURL": f"http://127.0.0.1:{port}/v1", "apiKey": "none"}
    models = {"mock": {"name": "mock", "tool_call": True}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "mock", "options": options, "models": models}
    config: dict[str, Any] = {
        "autoupdate": False,
        "share": "disabled",
        "model": "mock/mock",
        "small_model": "mock/mock",
    }
    config["provider"] = {"mock": provider}
    mcp = bench.home / "mcp.json"
    config |= {"mcp": json.loads(mcp.read_text())} if mcp.exists() else {}
    quiet = ("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_LSP_DOWNLOAD")
    return [str(bench.program), "run", prompt], dict.fromkeys(quiet, "1") | {
        "OPENCODE_CONFIG_CONTENT": json.dumps(config)
    }


def _opencode_mcp(bench: Bench, intentls: str) -> None:
    _write_json(bench.home / "mcp.json", {"intentls": {"type": "local", "command": [intentls, "mcp"], "enabled": True}})


def _npm_settings(bench: Bench) -> None:
    """opencode installs its plugins' library with npm's settings, which a new home has not."""
    registry = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, check=True)
    (bench.home / ".npmrc").write_text(f"registry={registry.stdout.strip()}\n")


def _copilot_home(bench: Bench) -> None:
    _write_json(bench.home / ".copilot/config.json", {"trusted_folders": [str(bench.repository)]})


def _copilot(bench: Bench, port: int, prompt: str) -> tuple[list[str], dict[str, str]]:
    environment = {"COPILOT_PROVIDER_BASE_URL": f"http://127.0.0.1:{port}/v1", "COPILOT_PROVIDER_TYPE": "openai"}
    environment |= {"COPILOT_PROVIDER_API_KEY": "none", "COPILOT_MODEL": "claude-sonnet-4.5"}
    environment |= {"COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}
    return [str(bench.program), "-p", prompt, "--allow-all-tools"], environment


def _copilot_mcp(bench: Bench, intentls: str) -> None:
    server = {"type": "local", "command": intentls, "args": ["mcp"], "tools": ["*"]}
    _write_json(bench.home / ".copilot/mcp-config.json", {"mcpServers": {"intentls": server}})


def add_patch(path: str) -> str:
    """A patch in Codex's notation that adds a file."""
    return f"*** Begin Patch\n*** Add File: {path}\n+x = 1\n*** End Patch\n"


_PROGRAMS = (
    AgentProgram(
        "claude-code",
        "@anthropic-ai/claude-code",
        "2.1.330",
        "claude",
        _claude,
        lambda command: Call("Bash", {"command": command, "description": "x"}),
        lambda root, path: Call("Write", {"file_path": f"{root}/{path}", "content": "x = 1\n"}),
        postinstall="install.cjs",
        mcp=_claude_mcp,
        mcp_tool="mcp__intentls__{}",
        guarded_below=False,
    ),
    AgentProgram(
        "codex",
        "@openai/codex",
        "0.169.0",
        "codex",
        _codex,
        lambda command: Call("exec_command", {"cmd": command}),
        lambda _, path: Call("apply_patch", add_patch(path)),
        prepare=_codex_home,
        mcp=_codex_mcp,
        mcp_tool="mcp__intentls.{}",
    ),
    AgentProgram(
        "gemini",
        "@google/gemini-cli",
        "0.61.0",
        "gemini",
        _gemini,
        lambda command: Call("run_shell_command", {"command": command}),
        lambda root, path: Call("write_file", {"file_path": f"{root}/{path}", "content": "x = 1\n"}),
        prepare=_gemini_home,
        mcp=_gemini_mcp,
        mcp_tool="mcp_intentls_{}",
        guarded_below=False,
    ),
    AgentProgram(
        "cline",
        "cline",
        "3.0.65",
        "cline",
        _cline,
        lambda command: Call("run_commands", {"commands": [command]}),
        lambda root, path: Call("editor", {"path": f"{root}/{path}", "new_text": "x = 1\n"}),
        mcp=_cline_mcp,
        mcp_tool="intentls__{}",
        guarded_below=False,
    ),
    AgentProgram(
        "opencode",
        "opencode-ai",
        "1.18.33",
        "opencode",
        _opencode,
        lambda command: Call("bash", {"command": command, "description": "x"}),
        lambda root, path: Call("write", {"filePath": f"{root}/{path}", "content": "x = 1\n"}),
        prepare=_npm_settings,
        mcp=_opencode_mcp,
        mcp_tool="intentls_{}",
    ),
    AgentProgram(
        "copilot",
        "@github/copilot",
        "1.0.102",
        "copilot",
        _copilot,
        lambda command: Call("bash", {"command": command, "description": "x"}),
        lambda root, path: Call("create", {"path": f"{root}/{path}", "file_text": "x = 1\n"}),
        prepare=_copilot_home,
        mcp=_copilot_mcp,
        mcp_tool="intentls-{}",
    ),
)
PROGRAMS: Mapping[str, AgentProgram] = {program.name: program for program in _PROGRAMS}
