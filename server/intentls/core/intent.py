"""An intent: what somebody wants changed, where, under which constraints."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from intentls.core.scope import Scope


class Status(StrEnum):
    """Where an intent stands. Closed intents admit no further edits."""

    PLANNED = "PLANNED"
    PENDING = "PENDING"
    TODO = "TODO"
    IN_PROGRESS = "IN_PROGRESS"
    BLOCKED = "BLOCKED"
    COMPLETED = "COMPLETED"
    DONE = "DONE"
    ABANDONED = "ABANDONED"

    @property
    def is_open(self) -> bool:
        """Whether work under an intent of this status may go on."""
        return self not in _CLOSED


_CLOSED = frozenset({Status.COMPLETED, Status.DONE, Status.ABANDONED})


@dataclass(frozen=True, slots=True)
class Intent:
    """One entry of `active_intents`. `scope` is empty-listed = the whole workspace."""

    id: str
    name: str = ""
    status: Status = Status.PENDING
    description: str = ""
    scope: Scope = field(default_factory=Scope)
    constraints: tuple[str, ...] = ()
    acceptance_criteria: tuple[str, ...] = ()
    agent: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether edits under this intent are possible at all."""
        return self.status.is_open
