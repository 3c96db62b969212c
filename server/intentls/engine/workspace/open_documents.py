"""Guarded edits in documents that are not saved yet, and what each document was at its last save."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from intentls.core.gate.refusal import Override
from intentls.core.mutation.classes import MutationClass


@dataclass(frozen=True, slots=True)
class GuardedEdit:
    """A guarded edit that the client applied to a document, not yet saved."""

    session_id: str
    intent_id: str | None
    model: str | None
    mutation_class: MutationClass | None
    overrides: tuple[Override, ...] = ()


@dataclass(frozen=True, slots=True)
class AppliedEdit:
    """`edit` turned the document's `before` into `after`."""

    edit: GuardedEdit
    before: bytes
    after: bytes


@dataclass(slots=True)
class DocumentEdits:
    """What is known of one open document.

    `on_disk` is what the disk held when we looked, `shown` the document's text (as bytes) at the same
    event: an opening or a save. They differ where an editor restored unsaved text, and where it saved
    again before we could look.
    """

    on_disk: bytes | None = None
    shown: bytes | None = None
    applied: list[AppliedEdit] = field(default_factory=list)

    def saved_before(self, now: bytes) -> bytes | None:
        """The content before the save that led to `now`."""
        if self.on_disk == now and self.shown is not None:
            return self.shown  # the disk was ahead of us already; the document's text tells what came before
        return self.on_disk


class PendingEdits:
    """The open documents of one root, by root-relative path."""

    def __init__(self) -> None:
        self._files: dict[str, DocumentEdits] = {}
        self._lock = threading.Lock()

    def opened(self, path: str, on_disk: bytes | None, shown: bytes) -> None:
        """A document was opened."""
        with self._lock:
            self._files[path] = DocumentEdits(on_disk, shown)

    def closed(self, path: str) -> None:
        """A document was closed; unsaved edits went with it."""
        with self._lock:
            self._files.pop(path, None)

    def applied(self, path: str, edit: GuardedEdit, before: bytes, after: bytes) -> None:
        """The client applied a guarded edit to the document."""
        with self._lock:
            self._files.setdefault(path, DocumentEdits(before, before)).applied.append(AppliedEdit(edit, before, after))

    def written(self, path: str, content: bytes | None) -> None:
        """The disk got new content, already on record, behind an open document's back."""
        with self._lock:
            if path in self._files:
                self._files[path].on_disk = self._files[path].shown = content

    def take(self, path: str) -> DocumentEdits | None:
        """What is known of the document; None if it was never opened. Follow up with `settled`."""
        with self._lock:
            return self._files.get(path)

    def settled(self, path: str, content: bytes) -> None:
        """The document is saved with this content; whatever led to it is on record."""
        with self._lock:
            self._files[path] = DocumentEdits(content, content)
