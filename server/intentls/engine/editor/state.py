"""What holds for each root and folder of an editor, in one word and one sentence: what its status line shows."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.gate.policy import Mode
from intentls.core.intents.intent import Intent
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.other_machines import OtherMachines, other_machines
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.path_resolution import find_root
from intentls.store.layout import Layout

_UNCHECKED = "nothing is checked and nothing is recorded."


class Condition(StrEnum):
    """What holds for a root, or for a folder without one."""

    ACTIVE = "active"
    IDLE = "idle"
    UNUSABLE = "unusable"
    BROKEN = "broken"
    UNDECLARED = "undeclared"
    OTHER_BRANCH = "other_branch"
    UNGOVERNED = "ungoverned"


class BrokenFile(Struct, frozen=True):
    """What is wrong with a declared file; `path` is root-relative, "" where no file is at fault, `line` from 1."""

    path: str
    line: int
    message: str


class FolderState(Struct, frozen=True):
    """The state of a root, or of a workspace folder without one.

    `text` is a sentence for people. `blocked`: no guarded edit passes. `intent` is the selected one, `intent_id` its id
    also where it is not declared any more. `elsewhere` is what is known of other machines, None where these share
    nothing.
    """

    folder: Path
    condition: Condition
    text: str
    blocked: bool = False
    intent_id: str | None = None
    intent: Intent | None = None
    problem: BrokenFile | None = None
    elsewhere: OtherMachines | None = None


def folder_states(engine: Engine, session_id: str) -> tuple[FolderState, ...]:
    """The states of all known roots, the main one's first, then of the folders without a root."""
    roots = tuple(
        replace(root_state(workspace, session_id), elsewhere=other_machines(workspace)) for workspace in engine.known()
    )
    return (*roots, *_ungoverned(engine))


def root_state(workspace: Workspace, session_id: str) -> FolderState:
    """The state of one root for this session."""
    configuration = workspace.configuration()
    if configuration.error is not None:
        return _broken(workspace.root, configuration)
    intents = configuration.intents.intents
    intent_id = workspace.sessions.load(session_id).intent_id
    if intent_id is None and not intents:
        text = "No intents are declared here yet. Until there is one, agents can change nothing."
        return FolderState(workspace.root, Condition.UNDECLARED, text, blocked=_enforces(configuration))
    if intent_id is None:
        text = "No intent is selected. Agents that select none can change nothing."
        return FolderState(workspace.root, Condition.IDLE, text)
    intent = intents.get(intent_id)
    reason = _unusable(configuration, intent_id, intent)
    if reason is not None:
        return FolderState(workspace.root, Condition.UNUSABLE, reason, intent_id=intent_id, intent=intent)
    text = f"{intent_id} {intent.name if intent is not None else ''}".rstrip()
    return FolderState(workspace.root, Condition.ACTIVE, text, intent_id=intent_id, intent=intent)


def _broken(root: Path, configuration: Configuration) -> FolderState:
    first = configuration.intents.first_error
    blocked = _enforces(configuration) and not configuration.policy.is_lenient
    if first is None:
        problem = BrokenFile("", 0, configuration.error or "")
        where = problem.message
    else:
        path, diagnostic = first
        problem = BrokenFile(path, diagnostic.span.start_line + 1, diagnostic.message)
        where = f"{path}, line {problem.line}: {problem.message.rstrip('.')}."
    effect = "All agent edits are blocked." if blocked else "Policy lets agents go on, unchecked."
    return FolderState(root, Condition.BROKEN, f"{effect} {where}", blocked=blocked, problem=problem)


def _unusable(configuration: Configuration, intent_id: str, intent: Intent | None) -> str | None:
    if intent is None:
        return f"{intent_id} is not declared any more. Select another intent."
    if not intent.is_open:
        return f"{intent_id} is closed ({intent.status}). Select another intent."
    if configuration.ignore.excludes_intent(intent_id):
        return f"{intent_id} is excluded by .intentignore. Select another intent."
    return None


def _enforces(configuration: Configuration) -> bool:
    return configuration.policy.mode is Mode.ENFORCE


def _ungoverned(engine: Engine) -> Iterator[FolderState]:
    for folder in dict.fromkeys(engine.host.folders()):
        if find_root(folder) is not None:
            continue
        if Layout(folder).state.is_dir():  # git leaves it, as it ignores it
            text = "This branch declares no intents. Nothing is checked and nothing is recorded."
            yield FolderState(folder, Condition.OTHER_BRANCH, text)
        else:
            yield FolderState(folder, Condition.UNGOVERNED, f"No intents are declared here: {_UNCHECKED}")
