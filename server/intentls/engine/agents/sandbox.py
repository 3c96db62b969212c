"""An intent's scope in an agent's own sandbox settings, so that the system stops its commands elsewhere.

    Claude Code   .claude/settings.local.json   `sandbox`: what lies beside the scope is denied (a denial always wins)
    Codex         .codex/config.toml            a permission profile: the root is read-only, the scope is writable

Both files name the intent, so that a later `init` and `doctor` know what is written there, and by whom.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from intentls.core.errors import ConfigurationError, StoreError
from intentls.core.intents.intent import Intent
from intentls.engine.agents.sandbox_paths import SandboxPaths, sandbox_paths
from intentls.engine.agents.settings_file import json_like, parse_json, read_text, refuse_links, write_text
from intentls.store.fs.path_resolution import because
from intentls.store.layout import ORCHESTRATION
from intentls.store.setup.scaffold import ScaffoldOutcome, ScaffoldStep

_OURS = "intentls"
_SANDBOX = "sandbox"
_GLOB = frozenset("*?[]{}")  # a path with one of these is a pattern to Claude Code
_BLOCK = re.compile(r"# >>> intentls: sandbox of (\S+) .*?# <<< intentls\n", re.DOTALL)
_OF_CODEX = ("default_permissions", "permissions", "sandbox_mode", "sandbox_workspace_write")


class _Form(Protocol):
    """How one agent's file holds a sandbox. Each raises ConfigurationError for a file to be left alone."""

    @property
    def path(self) -> str:
        """The file, from the root."""
        ...

    def intent_of(self, path: Path, text: str) -> str | None:
        """The intent whose sandbox we wrote there."""
        ...

    def without(self, path: Path, text: str) -> str:
        """The text without our sandbox; "" where nothing else is in it."""
        ...

    def with_sandbox(self, path: Path, text: str, intent_id: str, paths: SandboxPaths) -> str:
        """A text without our sandbox, with it."""
        ...


class _ClaudeForm:
    path = ".claude/settings.local.json"

    def intent_of(self, path: Path, text: str) -> str | None:
        ours = _settings(path, text).get(_OURS)
        name = ours.get(_SANDBOX) if isinstance(ours, dict) else None
        return name if isinstance(name, str) else None

    def without(self, path: Path, text: str) -> str:
        if self.intent_of(path, text) is None:
            return text
        kept = {key: value for key, value in _settings(path, text).items() if key not in (_OURS, _SANDBOX)}
        return json_like(text, kept) if kept else ""

    def with_sandbox(self, path: Path, text: str, intent_id: str, paths: SandboxPaths) -> str:
        data = _settings(path, text)
        if _SANDBOX in data:
            raise ConfigurationError(f"{path} has a sandbox of your own, so it was left alone.")
        denied = [f"./{name}" for name in (*paths.beside, *paths.read_only) if not _GLOB & set(name)]
        sandbox = {"enabled": True, "allowUnsandboxedCommands": False, "filesystem": {"denyWrite": denied}}
        return json_like(text or None, {**data, _OURS: {_SANDBOX: intent_id}, _SANDBOX: sandbox})


class _CodexForm:
    path = ".codex/config.toml"

    def intent_of(self, path: Path, text: str) -> str | None:  # noqa: ARG002  the protocol's signature
        block = _BLOCK.match(text)
        return None if block is None else block[1]

    def without(self, path: Path, text: str) -> str:  # noqa: ARG002  the protocol's signature
        return _BLOCK.sub("", text, count=1) if _BLOCK.match(text) else text

    def with_sandbox(self, path: Path, text: str, intent_id: str, paths: SandboxPaths) -> str:
        before = _parse_toml(path, text)
        own = next((name for name in _OF_CODEX if name in before), None)
        if own is not None:
            raise ConfigurationError(f"{path} has {own} of your own, so it was left alone.")
        access = {
            ".": "read",
            **dict.fromkeys((ORCHESTRATION, *paths.ignored, *paths.writable), "write"),
            **dict.fromkeys(paths.read_only, "read"),
        }
        profile = f"permissions.{_OURS}"
        lines = [
            f"# >>> intentls: sandbox of {intent_id} (`intentls init --agent codex` keeps it up to date)",
            f'default_permissions = "{_OURS}"',
            f'{profile}.extends = ":workspace"',
            *(
                f'{profile}.filesystem.":workspace_roots".{json.dumps(name, ensure_ascii=False)} = "{may}"'
                for name, may in access.items()
            ),
            "# <<< intentls",
        ]
        written = "\n".join(lines) + "\n" + text  # before all else: later keys would belong to the last table
        _parse_toml(path, written)
        return written


def _settings(path: Path, text: str) -> dict[str, Any]:
    return parse_json(path, text) if text.strip() else {}


def _parse_toml(path: Path, text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise ConfigurationError(f"{path} is no plain TOML ({error}), so it was left alone. Mend it first.") from error


SANDBOXES: Mapping[str, _Form] = {"claude-code": _ClaudeForm(), "codex": _CodexForm()}
"""The agents whose own sandbox can hold a scope."""


class SandboxState(Struct, frozen=True):
    """What is written for an agent: the intent, the paths that it should have now, and whether it has these.

    `missing` are paths of the scope that do not exist: Codex's sandbox lets no command make them.
    """

    file: str
    intent_id: str
    is_current: bool
    paths: SandboxPaths
    missing: tuple[str, ...]


def sandboxed_intent(root: Path, agent: str) -> str | None:
    """The intent whose sandbox is written for `agent`; None without one. Raises ConfigurationError, StoreError."""
    form = SANDBOXES.get(agent)
    if form is None:
        return None
    text = _text(root, form, agent)
    return None if text is None else form.intent_of(root / form.path, text)


def sandbox_state(root: Path, agent: str, intent: Intent) -> SandboxState:
    """How the sandbox that is written compares with `intent` and the disk. Raises as `write_sandbox`."""
    form = SANDBOXES[agent]
    text = _text(root, form, agent) or ""
    paths = _paths(root, intent)
    missing = tuple(path for path in paths.writable if agent == "codex" and not (root / path).exists())
    expected = form.with_sandbox(root / form.path, form.without(root / form.path, text), intent.id, paths)
    return SandboxState(form.path, intent.id, expected == text, paths, missing)


def write_sandbox(root: Path, agent: str, intent: Intent) -> ScaffoldStep:
    """Write the scope of `intent` into the agent's own sandbox, in place of an earlier one.

    Raises ConfigurationError for a scope that no sandbox can hold and for settings to be left alone, and StoreError
    where the disk refuses.
    """
    form = SANDBOXES[agent]
    path = root / form.path
    text = _text(root, form, agent)
    written = form.with_sandbox(path, form.without(path, text or ""), intent.id, _paths(root, intent))
    what = f"{agent}'s sandbox for {intent.id}"
    if written == text:
        return ScaffoldStep(form.path, ScaffoldOutcome.KEPT, what)
    _write(path, written, agent)
    return ScaffoldStep(form.path, ScaffoldOutcome.CREATED if text is None else ScaffoldOutcome.EXTENDED, what)


def remove_sandbox(root: Path, agent: str) -> tuple[ScaffoldStep, ...]:
    """Take our sandbox out again, if there is one. Raises as `write_sandbox`."""
    if sandboxed_intent(root, agent) is None:
        return ()
    form = SANDBOXES[agent]
    path = root / form.path
    _write(path, form.without(path, _text(root, form, agent) or ""), agent)
    return (ScaffoldStep(form.path, ScaffoldOutcome.REMOVED, f"{agent}'s sandbox"),)


def _text(root: Path, form: _Form, agent: str) -> str | None:
    try:
        return read_text(root / form.path)
    except OSError as error:
        raise StoreError(f"{agent}'s settings can't be read: {because(error)}.") from error


def _paths(root: Path, intent: Intent) -> SandboxPaths:
    try:
        return sandbox_paths(root, intent)
    except OSError as error:
        raise StoreError(f"{root} can't be listed: {because(error)}.") from error


def _write(path: Path, text: str, agent: str) -> None:
    refuse_links(path.parents[1], f"{path.parent.name}/{path.name}")
    try:
        if text:
            write_text(path, text)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{agent}'s settings can't be written: {because(error)}.") from error
