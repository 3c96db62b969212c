"""What an editor is told of its roots and folders: the answer to `intentls/state`, and `intentls/stateChanged`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from intentls.engine.editor.state import FolderState
from intentls.engine.workspace import other_machines
from intentls.store.clock import timestamp

_MAX_SESSIONS, _MAX_PATHS = 500, 50


class DeclarationProblem(Struct, frozen=True):
    """What is wrong with a declared file of a root; an empty path where no one file is at fault."""

    path: str
    line: int
    message: str


class SessionElsewhere(Struct, frozen=True):
    """A session at work on another machine, since when, and the root-relative paths that it is changing.

    Each text is what that machine says. An empty one is not known.
    """

    session_id: str
    intent_id: str | None
    person: str
    host: str
    branch: str
    since: str
    paths: list[str]

    @classmethod
    def of(cls, work: other_machines.WorkElsewhere) -> SessionElsewhere:
        """The session as it is shown."""
        session = work.session
        return cls(
            session.session_id,
            session.intent_id,
            session.person,
            session.host,
            session.branch,
            timestamp(session.since),
            list(work.paths[:_MAX_PATHS]),
        )


class ElsewhereState(Struct, frozen=True):
    """Who works on the root on other machines. `trouble` says why these can't be asked now; null where they can."""

    sessions: list[SessionElsewhere]
    trouble: str | None

    @classmethod
    def of(cls, machines: other_machines.OtherMachines) -> ElsewhereState:
        """The sessions, up to 500 of them."""
        return cls([SessionElsewhere.of(work) for work in machines.work[:_MAX_SESSIONS]], machines.trouble)


class RootState(Struct, frozen=True, kw_only=True):
    """A root, or a workspace folder without one: its path, its state in a word and in a sentence for people.

    `blocked`: no edit of an agent passes. `elsewhere` is null where machines share nothing.
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
    elsewhere: ElsewhereState | None

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
            elsewhere=None if folder.elsewhere is None else ElsewhereState.of(folder.elsewhere),
        )


class EditorState(Struct, frozen=True):
    """The state of every root and folder, for the editor's own session."""

    session_id: str
    roots: list[RootState]

    @classmethod
    def of(cls, session_id: str, folders: Iterable[FolderState]) -> EditorState:
        """The states of these roots and folders."""
        return cls(session_id, [RootState.of(folder) for folder in folders])
