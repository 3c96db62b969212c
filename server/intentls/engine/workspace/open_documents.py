"""Guarded edits in documents that are not saved yet, and what each document was at its last save."""

from __future__ import annotations

import threading

from msgspec import Struct, field

from intentls.core.blame.save_attribution import AuthoredVersion
from intentls.core.gate.refusal import Override
from intentls.core.mutation.classes import MutationClass
from intentls.store.fs.rooted_files import FileState


class GuardedEdit(Struct, frozen=True):
    """Who made a guarded edit of a document that is not saved yet, and for which intent."""

    session_id: str
    intent_id: str | None
    model: str | None
    mutation_class: MutationClass | None
    overrides: tuple[Override, ...] = ()


class DocumentChange(Struct, eq=False, frozen=True):
    """`edit` turned the document's `before` into `after`, or is just now being applied by the client."""

    edit: GuardedEdit
    before: bytes
    after: bytes


Versions = tuple[AuthoredVersion[GuardedEdit | None], ...]
"""What a document once was; None stands for the person at the keyboard."""


class LoadedContent(Struct, frozen=True):
    """What the editor seems to have loaded from the disk; the document had `changes` guarded edits by then."""

    content: bytes
    state: FileState | None
    changes: int


class DocumentEdits(Struct):
    """What is known of one open document: its content at the opening or the last save, and what came since.

    `saved` is None if there was no file; `state` is the file's when it held that, None if that is not known.
    `unanswered`: changes that the client has not answered yet. `versions`: earlier ones, which a person may go back to.
    """

    saved: bytes | None = None
    state: FileState | None = None
    applied: list[DocumentChange] = field(default_factory=list)
    unanswered: list[DocumentChange] = field(default_factory=list)
    versions: Versions = ()
    loads: list[LoadedContent] = field(default_factory=list)

    def knows(self, state: FileState | None) -> bool:
        """Whether the file has been looked at in this state."""
        return state is not None and state in (self.state, *(load.state for load in self.loads))

    def loaded_before(self, now: bytes) -> LoadedContent | None:
        """What was loaded last before `now` was saved: that was seen on the disk too, if the look came late."""
        return next((load for load in reversed(self.loads) if load.content != now), None)


class PendingEdits:
    """The open documents of one root, by root-relative path."""

    def __init__(self) -> None:
        self._files: dict[str, DocumentEdits] = {}
        self._lock = threading.Lock()

    def opened(self, path: str, content: bytes | None, state: FileState | None = None) -> None:
        """A document of a file with this content was opened; None: there is no file."""
        with self._lock:
            self._files[path] = DocumentEdits(content, state)

    def closed(self, path: str) -> None:
        """A document was closed; unsaved edits went with it."""
        with self._lock:
            self._files.pop(path, None)

    def sent(self, path: str, change: DocumentChange) -> None:
        """The client is asked to apply a guarded edit: it may do so, and save, before it answers."""
        with self._lock:
            self._files.setdefault(path, DocumentEdits(change.before)).unanswered.append(change)

    def answered(self, path: str, change: DocumentChange, *, applied: bool) -> None:
        """The client has applied a guarded edit that was sent, or it has not."""
        with self._lock:
            file = self._files.get(path)
            if file is not None and change in file.unanswered:
                file.unanswered.remove(change)
                if applied:
                    file.applied.append(change)

    def loaded(self, path: str, content: bytes, state: FileState | None) -> None:
        """The document has this text, which is on the disk: the editor has loaded it, or just saved it."""
        with self._lock:
            file = self._files.get(path)
            if file is not None:
                earlier = file.loaded_before(content)
                file.loads = [load for load in (earlier,) if load is not None]
                file.loads.append(LoadedContent(content, state, len(file.applied)))

    def written(self, path: str, content: bytes | None) -> None:
        """The disk got new content, already on record, behind an open document's back."""
        with self._lock:
            if path in self._files:
                self._files[path].saved = content
                self._files[path].state = None

    def take(self, path: str) -> DocumentEdits | None:
        """What is known of the document; None if it was never opened. Follow up with `settled`."""
        with self._lock:
            return self._files.get(path)

    def settled(self, path: str, content: bytes, state: FileState | None = None, versions: Versions = ()) -> None:
        """The document is what the disk holds; whatever led to it is on record, or is not the document's."""
        with self._lock:
            file = self._files.get(path)
            unanswered = [] if file is None else file.unanswered
            self._files[path] = DocumentEdits(content, state, unanswered=unanswered, versions=versions)
