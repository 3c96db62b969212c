"""An intent: what is to be changed, where, under which constraints."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from intentls.core.intents.scope import Scope

if TYPE_CHECKING:
    from intentls.core.constraints.rules import Rule


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


class Command(Struct, frozen=True):
    """An acceptance criterion that is judged by running it: met if it ends with 0. A line for the system's shell."""

    line: str

    def __str__(self) -> str:
        return f"run: {self.line}"


class Intent(Struct, frozen=True):
    """One declared intent. An empty `scope` is the whole workspace. `branch` is the git branch of its work, if one is.

    Constraints and criteria that are texts are for people and agents to read; `str` gives the others as text, too.
    """

    id: str
    name: str = ""
    status: Status = Status.PENDING
    description: str = ""
    scope: Scope = field(default_factory=Scope)
    constraints: tuple[str | Rule, ...] = ()
    acceptance_criteria: tuple[str | Command, ...] = ()
    agent: str | None = None
    branch: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether edits under this intent are possible at all."""
        return self.status.is_open

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The constraints that are checked."""
        return tuple(constraint for constraint in self.constraints if not isinstance(constraint, str))


def names_of(intents: Mapping[str, Intent]) -> dict[str, str]:
    """The names of the intents by their ids."""
    return {intent.id: intent.name for intent in intents.values()}
