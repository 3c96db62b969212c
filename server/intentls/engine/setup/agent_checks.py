"""Do the agents that are set up here really ask before they edit? Their settings alone do not tell.

An agent may not trust the project (then its hooks never run, and nothing says so), may look for hooks only in the
folder where it starts, or may not find our program.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from intentls.engine.agents.install_hooks import AGENTS, NEXT_STEPS, USER_SETTINGS, Settings
from intentls.engine.setup.agent_sandboxes import sandbox_checks
from intentls.engine.setup.check import Check, CheckLevel
from intentls.engine.workspace.workspace import Workspace
from intentls.store.setup import agent_programs
from intentls.store.setup.environment import first_that_calls_us

_NAME, _HOOKS = "agents", "hooks"
# Where a person may have written the hook besides the file that `init --agent` writes.
_OTHER_SETTINGS = {"claude-code": (".claude/settings.local.json",), "codex": (".codex/config.toml",)}
_ONLY_WHERE_STARTED = frozenset({"claude-code", "gemini", "cline"})


def agent_checks(workspace: Workspace) -> Iterator[Check]:
    """What there is to say of the agents of one root."""
    anybody = False
    for agent, how in AGENTS.items():
        file = how.files[0]
        found = first_that_calls_us(workspace.root, (file, *_OTHER_SETTINGS.get(agent, ())))
        of_user = _of_user(agent)
        if found is not None or of_user is not None:
            yield Check(_NAME, CheckLevel.OK, f"{agent} asks before it edits ({found or of_user})")
            yield from _really(workspace.root, agent, in_project=of_user is None)
            yield from sandbox_checks(workspace, agent)
        elif (workspace.root / file).parent.is_dir():
            yield Check(_NAME, CheckLevel.INFO, f"{agent} is set up here, but asks nobody", _ask_us(agent))
        else:
            continue
        anybody = True
    if not anybody:
        yield Check(_NAME, CheckLevel.INFO, "no coding agent is set up here", _ask_us("NAME"))


def _of_user(agent: str) -> str | None:
    """The file of this user's own settings that calls us; None without one."""
    place, how = USER_SETTINGS.get(agent), AGENTS[agent]
    if place is None:
        return None
    file = place if isinstance(how, Settings) else f"{place}/{how.names[0]}"
    found = first_that_calls_us(Path.home(), (file,))
    return None if found is None else f"~/{found}"


def _really(root: Path, agent: str, *, in_project: bool) -> Iterator[Check]:
    """What may keep the hooks of an agent from being called, or from answering."""
    version = agent_programs.version(agent)
    if version is not None:
        yield Check(_HOOKS, CheckLevel.OK, f"{agent} is {version}")
    trouble = agent_programs.try_hook(agent)
    if trouble is not None:
        advice = "Put the program on the PATH that the agent starts with: until then the agent's tools are stopped."
        yield Check(_HOOKS, CheckLevel.WARNING, f"{agent}'s hook does not answer: {trouble}", advice)
    if agent == "codex" and not agent_programs.in_login_shell():
        message = "commands of codex run in a login shell, and that does not find intentls"
        yield Check(_HOOKS, CheckLevel.WARNING, message, "Add its folder to PATH in your login shell's profile.")
    if in_project and version is not None and agent_programs.is_trusted(agent, root) is False:
        yield Check(_HOOKS, CheckLevel.WARNING, f"{agent} does not trust this project: no hook runs", NEXT_STEPS[agent])
    if in_project and agent in _ONLY_WHERE_STARTED:
        message = f"{agent} runs these hooks only if it is started in {root}, not in a folder of it"
        other = f"`intentls init --agent {agent} --user` guards it everywhere." if agent in USER_SETTINGS else ""
        yield Check(_HOOKS, CheckLevel.INFO, message, other)


def _ask_us(agent: str) -> str:
    return f"`intentls init --agent {agent}` makes it ask before it edits."
