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
    """What is known of one open document: its content at the opening or the last save, and what came since.

    `saved` is None if there was no file.
    """

    saved: bytes | None = None
    applied: list[AppliedEdit] = field(default_factory=list)


class PendingEdits:
    """The open documents of one root, by root-relative path."""

    def __init__(self) -> None:
        self._files: dict[str, DocumentEdits] = {}
        self._lock = threading.Lock()

    def opened(self, path: str, content: bytes | None) -> None:
        """A document of a file with this content was opened; None: there is no file."""
        with self._lock:
            self._files[path] = DocumentEdits(content)

    def closed(self, path: str) -> None:
        """A document was closed; unsaved edits went with it."""
        with self._lock:
            self._files.pop(path, None)

    def applied(self, path: str, edit: GuardedEdit, before: bytes, after: bytes) -> None:
        """The client applied a guarded edit to the document."""
        with self._lock:
            self._files.setdefault(path, DocumentEdits(before)).applied.append(AppliedEdit(edit, before, after))

    def written(self, path: str, content: bytes | None) -> None:
        """The disk got new content, already on record, behind an open document's back."""
        with self._lock:
            if path in self._files:
                self._files[path].saved = content

    def take(self, path: str) -> DocumentEdits | None:
        """What is known of the document; None if it was never opened. Follow up with `settled`."""
        with self._lock:
            return self._files.get(path)

    def settled(self, path: str, content: bytes) -> None:
        """The document is saved with this content; whatever led to it is on record."""
        with self._lock:
            self._files[path] = DocumentEdits(content)
