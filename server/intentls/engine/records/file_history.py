"""What history knows of a file's content: the newest record of it, and the commit that is checked out."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.core.hashing import hash_of
from intentls.core.ledger.record_json import FileJson, files_of, text_of
from intentls.core.mutation.classes import Change
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.status import GitFiles
from intentls.store.ledger_search.query import RecordQuery

log = logging.getLogger(__name__)


class RecordedContent(Struct, frozen=True):
    """What the newest record of a file left there: the content's hash, None for no file."""

    hash: str | None


class FileHistory:
    """One file's history, looked up when it is asked for."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._path = path

    @cached_property
    def recorded(self) -> RecordedContent | None:
        """What the newest record says; None where none is about this file, or the ledger can't be read."""
        try:
            for record in self._workspace.newest_records(RecordQuery(path=self._path)):
                if record.get("success") is True:
                    contents = [content for file in files_of(record) if (content := self._left(file)) is not None]
                    if contents:
                        return contents[-1]
        except StoreError:
            log.warning("what is on record of %s can't be read", self._path, exc_info=True)
        return None

    @cached_property
    def committed(self) -> bytes | None:
        """The content in the commit that is checked out; None if it has none, or outside git."""
        return GitFiles(self._workspace.root).committed(self._path)

    def newest_of(self, contents: Iterable[bytes | None]) -> bytes | None:
        """Which of these contents history had last; None if it had none of them.

        Example: a file is on record with B, and the commit has A. Of [A, B] it is B, of [A, C] it is A.
        """
        known = [content for content in contents if content is not None]
        recorded = self.recorded
        if recorded is not None:
            for content in known:
                if hash_of(content) == recorded.hash:
                    return content
        return self.committed if self.committed is not None and self.committed in known else None

    def has(self, content: bytes) -> bool:
        """Whether the newest record or the commit has this very content."""
        return self.newest_of((content,)) is not None

    def has_on_record(self, content: bytes) -> bool:
        """Whether the newest record left this very content."""
        return self.recorded is not None and self.recorded.hash == hash_of(content)

    def _left(self, file: FileJson) -> RecordedContent | None:
        """What a record's entry left at this path; None if it is not about that, or changed nothing."""
        after = text_of(file, "post_hash")
        if text_of(file, "path") == self._path:
            return RecordedContent(after) if after is not None or file.get("change") == Change.DELETE else None
        return RecordedContent(None) if text_of(file, "old_path") == self._path else None
