"""What an editor is told of its roots and folders: the answer to `intentls/state`, and `intentls/stateChanged`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from intentls.engine.editor.state import FolderState


class DeclarationProblem(Struct, frozen=True):
    """What is wrong with a declared file of a root; an empty path where no one file is at fault."""

    path: str
    line: int
    message: str


class RootState(Struct, frozen=True, kw_only=True):
    """A root, or a workspace folder without one: its path, its state in a word and in a sentence for people.

    `blocked`: no edit of an agent passes.
    """

    root: str
    name: str
    state: Literal["active", "idle", "unusable", "broken", "undeclared", "other_branch", "ungoverned"]
    text: str
    blocked: bool
    intent_id: str | None
    intent_name: str | None
    status: str | None
    owned_scope: list[str]
    problem: DeclarationProblem | None

    @classmethod
    def of(cls, folder: FolderState) -> RootState:
        """The state of one root or folder."""
        intent, problem = folder.intent, folder.problem
        return cls(
            root=folder.folder.as_posix(),
            name=folder.folder.name,
            state=folder.condition.value,
            text=folder.text,
            blocked=folder.blocked,
            intent_id=folder.intent_id,
            intent_name=None if intent is None else intent.name,
            status=None if intent is None else intent.status.value,
            owned_scope=[] if intent is None else list(intent.scope.patterns),
            problem=None if problem is None else DeclarationProblem(problem.path, problem.line, problem.message),
        )


class EditorState(Struct, frozen=True):
    """The state of every root and folder, for the editor's own session."""

    session_id: str
    roots: list[RootState]

    @classmethod
    def of(cls, session_id: str, folders: Iterable[FolderState]) -> EditorState:
        """The states of these roots and folders."""
        return cls(session_id, [RootState.of(folder) for folder in folders])
