"""A guarded action as a face asks for it, the plan that says what it would change, and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from intentls.core.hashing import hash_of

if TYPE_CHECKING:
    from intentls.core.mutation.classes import Change, MutationClass
    from intentls.store.sessions.sessions import Session


# `dict`: a guarded edit asks for each hash four times, so they are kept.
class PlannedEdit(Struct, frozen=True, dict=True):
    """One file's change. `before`/`after` None: the file does not exist then. `mode`: new permission bits.

    `claimed_pre_hash` is what a host or a record says was there before, where we have not seen it ourselves.
    `is_shared`: others changed the file meanwhile, so that its lines have no known author.
    """

    path: str
    change: Change
    before: bytes | None
    after: bytes | None
    mode: int | None = None
    old_path: str | None = None
    claimed_pre_hash: str | None = None
    is_shared: bool = False

    @cached_property
    def seen_hash(self) -> str | None:
        """The hash of `before`."""
        return hash_of(self.before)

    @property
    def pre_hash(self) -> str | None:
        """The hash of what was there before; None if there was nothing."""
        return self.claimed_pre_hash or self.seen_hash

    @cached_property
    def post_hash(self) -> str | None:
        """The hash of what is there afterwards; None if there is nothing."""
        return hash_of(self.after)


def with_known_contents(session: Session, edits: Iterable[PlannedEdit]) -> Session:
    """`session`, knowing what the files of `edits` hold after them: its next edit may build on that."""
    for edit in edits:
        if edit.old_path is not None:
            session = session.with_read(edit.old_path, None)
        session = session.with_read(edit.path, edit.post_hash)
    return session


class Plan(Protocol):
    """Computes an action's edits from the contents found under the lock."""

    @property
    def tool_name(self) -> str:
        """The tool's name in the contract."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The path arguments, as the caller wrote them."""

    def edits(self, paths: Mapping[str, str], contents: Mapping[str, bytes | None]) -> tuple[PlannedEdit, ...]:
        """What would change. `paths`: argument -> root-relative path; `contents`: by root-relative path.

        Raises InvalidArgument for arguments that make no sense with this content, HunkMismatch when a
        patch no longer fits.
        """


class EditRequest(Struct, frozen=True):
    """Who asks for which plan. `expected_hash` is the content the caller says it builds on.

    `predict_plan` gives the plan that a host's own tool is about to carry out, as far as its parameters say; the
    tool's own plan makes no edits. `reason` goes on record: the command that made the change.
    """

    plan: Plan
    session_id: str
    intent_id: str | None = None
    mutation_class: MutationClass | None = None
    expected_hash: str | None = None
    model: str | None = None
    predict_plan: Callable[[], Plan | None] | None = None
    reason: str | None = None


class EditResult(Struct, frozen=True):
    """An action that happened, under `root` (None: governance is off there).

    `trace_id` is None until an editor saves, and outside governance. `inferred` contradicts the declared class, for
    these `reasons`.
    """

    root: Path | None
    edits: tuple[PlannedEdit, ...]
    mutation_class: MutationClass
    inferred: MutationClass | None
    reasons: tuple[str, ...]
    in_editor: bool = False
    trace_id: str | None = None
    degraded: bool = False
    warnings: tuple[str, ...] = ()
