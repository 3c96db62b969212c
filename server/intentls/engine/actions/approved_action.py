"""A guarded action that passed the gate, with all the facts it was judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intentls.core.change_kind import Change
from intentls.engine.actions.effects import DocumentEdit

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Refusal
    from intentls.core.intents.lease import Lease
    from intentls.core.ledger.record import Override
    from intentls.engine.actions.mutation_class import Mutation
    from intentls.engine.actions.request import EditRequest, PlannedEdit
    from intentls.engine.workspace.configuration import Configuration
    from intentls.engine.workspace.host import OpenDocument
    from intentls.store.sessions.sessions import Session


@dataclass(frozen=True, slots=True)
class ApprovedAction:
    """What may happen now. `documents` are the open ones, by path; `advice` is what `mode: advise` let pass.

    `paths` are all that the action names, root-relative; `leases` are those of other sessions that did not stop it.
    """

    request: EditRequest
    session: Session
    configuration: Configuration
    edits: tuple[PlannedEdit, ...]
    documents: Mapping[str, OpenDocument]
    mutation: Mutation
    overrides: tuple[Override, ...] = ()
    advice: Refusal | None = None
    paths: tuple[str, ...] = ()
    leases: tuple[Lease, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What whoever acts should know although nothing stopped them."""
        said = self.mutation.contradiction if self.configuration.policy.mutation_check == "warn" else None
        told = () if said is None else (f"Declare another mutation_class next time: {said}.",)
        return (*warnings_of(self.advice, self.leases), *told)

    @property
    def editor_edits(self) -> tuple[PlannedEdit, ...]:
        """The edits of texts that are open in the client."""
        return tuple(edit for edit in self.edits if self._is_open(edit))

    @property
    def disk_edits(self) -> tuple[PlannedEdit, ...]:
        """All other edits."""
        return tuple(edit for edit in self.edits if not self._is_open(edit))

    @property
    def document_edits(self) -> tuple[DocumentEdit, ...]:
        """The new texts of the open documents."""
        return tuple(
            DocumentEdit(self.documents[edit.path], text_of(edit.before, edit.after)) for edit in self.editor_edits
        )

    def _is_open(self, edit: PlannedEdit) -> bool:
        # Files come and go on disk; only a text that stays where it is can be edited in place.
        return edit.change is Change.MODIFY and edit.path in self.documents


def warnings_of(advice: Refusal | None, leases: tuple[Lease, ...]) -> tuple[str, ...]:
    """The sentences for whoever acts although policy would have had something to say."""
    return (*(() if advice is None else (advice.error,)), *(f"{lease.sentence}." for lease in leases))


def text_of(like: bytes | None, data: bytes | None) -> str:
    """`data` as text, in the encoding of `like` (default: its own)."""
    from intentls.core.text.encoding import TextFormat  # only an editor's texts need it

    content = data or b""
    return TextFormat.of(like if like is not None else content).decode(content)
