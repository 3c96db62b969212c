"""What `blame` answers of one definition: part of an answer, as `engine.wire.answers` has the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType

if TYPE_CHECKING:  # who needs one answer need not load every use case
    from intentls.engine.blame.definition_blame import DefinitionBlame, RecordedStep

UNKNOWN_AUTHOR = {"type": "unknown", "entity_type": "UNKNOWN"}
"""The contributor of lines of which no record names one."""

SEVERAL_AUTHORS = {"type": "mixed", "entity_type": "MIXED"}
"""The contributor of a change that a person and an agent made together."""


class HistoryStep(Struct, frozen=True):
    """What a record did to a definition, which had this `name` then.

    `what`: `created`, `changed`, `renamed` (from `old_name`), `moved` (from `old_path`, which may be its own file).
    """

    what: list[str]
    name: str
    intent_id: str | None
    trace_id: str | None
    contributor: dict[str, Any]
    timestamp: str | None
    mutation_class: str | None
    session_id: str | None
    old_name: str | UnsetType = UNSET
    old_path: str | UnsetType = UNSET

    @classmethod
    def of(cls, recorded: RecordedStep) -> HistoryStep:
        record, step = recorded.record, recorded.step
        return cls(
            list(step.what),
            step.name,
            record.get("intent_id"),
            record.get("id"),
            _contributor(recorded),
            record.get("timestamp"),
            record.get("mutation_class"),
            record.get("session_id"),
            UNSET if step.old_name is None else step.old_name,
            UNSET if step.old_path is None else step.old_path,
        )


def _contributor(recorded: RecordedStep) -> dict[str, Any]:
    contributors = [part.get("contributor") or UNKNOWN_AUTHOR for part in recorded.conversations]
    return SEVERAL_AUTHORS if len(contributors) > 1 else contributors[0] if contributors else UNKNOWN_AUTHOR


class BlamedDefinition(Struct, frozen=True):
    """A definition and its history, the newest step first.

    `beginning`: `created` (the last step created it), `unrecorded` (it is older than the records), or `lost` (what it
    was before is not proven).
    """

    name: str
    kind: str
    start_line: int
    end_line: int
    history: list[HistoryStep]
    beginning: str

    @classmethod
    def of(cls, blamed: DefinitionBlame) -> BlamedDefinition:
        definition = blamed.definition
        steps = [HistoryStep.of(step) for step in blamed.steps]
        return cls(
            definition.name, definition.kind, definition.start_line, definition.end_line, steps, blamed.beginning
        )
