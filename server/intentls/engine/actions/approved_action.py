"""A guarded action that passed the gate, with all the facts that it was judged by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.core.gate.policy import MutationCheck
from intentls.core.mutation.classes import Change

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Override, Refusal
    from intentls.core.intents.lease import Lease
    from intentls.engine.actions.mutation_class import Mutation
    from intentls.engine.actions.request import EditRequest, PlannedEdit
    from intentls.engine.workspace.configuration import Configuration
    from intentls.engine.workspace.file_contents import Content
    from intentls.store.sessions.sessions import Session


class ApprovedAction(Struct, frozen=True):
    """What may happen now. `contents` are the files that it names, root-relative, as they were judged.

    `uses_editor`: open documents are edited through the client, not on disk. `advice` is what `mode: advise` let pass,
    `leases` are those of other sessions that did not stop it; `away` says that those of other machines are not known.
    """

    request: EditRequest
    session: Session
    configuration: Configuration
    edits: tuple[PlannedEdit, ...]
    contents: Mapping[str, Content]
    mutation: Mutation
    uses_editor: bool = False
    overrides: tuple[Override, ...] = ()
    advice: Refusal | None = None
    leases: tuple[Lease, ...] = ()
    away: str | None = None

    @property
    def intent_id(self) -> str | None:
        """The intent that the action answers to."""
        return self.session.intent_id

    @property
    def model(self) -> str | None:
        """The model that acts, where it is known."""
        return self.request.model or self.session.model

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the caller should know although nothing stopped the action."""
        policy, contradiction = self.configuration.policy, self.mutation.contradiction
        if contradiction is None or policy.mutation_check is not MutationCheck.WARN:
            return warnings_of(self.advice, self.leases, self.away)
        advice = f"Declare another mutation_class next time: {contradiction}."
        return (*warnings_of(self.advice, self.leases, self.away), advice)

    @property
    def editor_edits(self) -> tuple[PlannedEdit, ...]:
        """The edits of documents that are open in the client."""
        return tuple(edit for edit in self.edits if self._is_in_editor(edit))

    @property
    def disk_edits(self) -> tuple[PlannedEdit, ...]:
        """All other edits."""
        return tuple(edit for edit in self.edits if not self._is_in_editor(edit))

    def _is_in_editor(self, edit: PlannedEdit) -> bool:
        # Files come and go on disk; only a text that keeps its path can be edited in place.
        content = self.contents.get(edit.path)
        is_open = content is not None and content.document is not None
        return self.uses_editor and is_open and edit.change is Change.MODIFY


def warnings_of(advice: Refusal | None, leases: tuple[Lease, ...], away: str | None = None) -> tuple[str, ...]:
    """The sentences for an action that policy advises against, that others hold leases on, or that others can't see."""
    sentences = (*(() if advice is None else (advice.error,)), *(f"{lease.sentence}." for lease in leases))
    return sentences if away is None else (*sentences, away)
