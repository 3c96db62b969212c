"""Agents' own sandboxes: written by `init`, kept up to date by it, looked at by `doctor`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from intentls.core.errors import ConfigurationError
from intentls.core.intents.intent import Intent
from intentls.engine.agents.sandbox import SandboxState, sandbox_state, sandboxed_intent, write_sandbox
from intentls.engine.setup.check import Check, CheckLevel
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.layout import Layout
from intentls.store.setup.agent_programs import codex_sandbox_mode, codex_settings
from intentls.store.setup.scaffold import ScaffoldStep

_NAME = "sandbox"
_ON_LINUX = ("bwrap", "socat")  # Codex brings its own
_AGAIN = "Run `intentls init --agent {}` again."


def keep_sandbox(root: Path, agent: str, intent_id: str | None) -> tuple[ScaffoldStep, ...]:
    """Write the scope of the intent into the agent's sandbox; None: bring up to date what is written there.

    What an intent left that is closed or gone stays: `doctor` says so. Raises ConfigurationError and StoreError.
    """
    intents = _intents(root)
    name = intent_id or sandboxed_intent(root, agent)
    intent = intents.get(name or "")
    if intent_id is not None and (intent is None or not intent.is_open):
        raise ConfigurationError(f"{intent_id} is no open intent here. `intentls list` shows them.")
    return () if intent is None or not intent.is_open else (write_sandbox(root, agent, intent),)


def current_sandbox(root: Path, agent: str) -> SandboxState | None:
    """What is written for the agent; None without a sandbox, or where its intent is gone. Raises as `keep_sandbox`."""
    intent = _intents(root).get(sandboxed_intent(root, agent) or "")
    return None if intent is None else sandbox_state(root, agent, intent)


def covered(state: SandboxState) -> str:
    """In a sentence what the sandbox does."""
    missing = f" Make {', '.join(state.missing)} yourself: no command in it can." if state.missing else ""
    return f"commands write only in {', '.join(state.paths.writable)}, for {state.intent_id}.{missing}"


def sandbox_checks(workspace: Workspace, agent: str) -> Iterator[Check]:
    """What there is to say of the agent's own sandbox."""
    name = sandboxed_intent(workspace.root, agent)
    if name is None:
        return
    intent = workspace.configuration().intents.intents.get(name)
    if intent is None or not intent.is_open:
        advice = f"Choose another: `intentls init --agent {agent} --sandbox INTENT`; `--remove` takes all out."
        yield Check(_NAME, CheckLevel.WARNING, f"{agent}'s sandbox is for {name}, which is no open intent", advice)
        return
    try:
        state = sandbox_state(workspace.root, agent, intent)
    except ConfigurationError as error:
        yield Check(_NAME, CheckLevel.WARNING, f"{agent}'s sandbox can't hold the scope of {name} any more", str(error))
        return
    if not state.is_current:
        message = f"{agent}'s sandbox is older than the scope of {name}, or than the files beside it"
        yield Check(_NAME, CheckLevel.WARNING, message, _AGAIN.format(agent))
    else:
        yield Check(_NAME, CheckLevel.OK, f"{agent}: {covered(state)}")
    mode = codex_sandbox_mode() if agent == "codex" else None
    if mode is not None:
        message = f"codex uses {mode} instead of this sandbox: {codex_settings()} has sandbox_mode"
        yield Check(_NAME, CheckLevel.WARNING, message, "Take sandbox_mode out: Codex reads it or a profile, not both.")
    lacking = [program for program in _ON_LINUX if shutil.which(program) is None]
    if agent == "claude-code" and sys.platform == "linux" and lacking:
        message = f"claude-code runs commands without its sandbox: {' and '.join(lacking)} can't be found"
        yield Check(_NAME, CheckLevel.WARNING, message, "Install bubblewrap and socat.")


def _intents(root: Path) -> dict[str, Intent]:
    configuration = Workspace(Layout(root), Headless("cli", (root,))).configuration()
    return dict(configuration.intents.intents)
