"""The text of a repository at a commit, beside the files that are judged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from intentls.store.git.search import files_with


class RepositoryAtCommit:
    """The files of `commit` but for `changed`: what `classify_change` asks who else knows a name."""

    def __init__(self, top: Path, commit: str, changed: Collection[str]) -> None:
        self._top, self._commit, self._changed = top, commit, frozenset(changed)

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        """The content of each file that has one of these words; None if git can't tell, or too many have."""
        contents = files_with(self._top, self._commit, words)
        if contents is None:
            return None
        return {path: content for path, content in contents.items() if path not in self._changed}
