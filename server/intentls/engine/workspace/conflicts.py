"""Declared files that a merge left with conflict markers: of each, the version in HEAD counts until it is resolved.

So a conflict in one intent neither switches the gate off nor stops the work under the others, and git's own commands
can end it. Where there is no HEAD, or its version has markers too, the file counts as it is: with an error.
"""

from __future__ import annotations

from intentls.core.diagnostic import Span
from intentls.store.config.conflict_markers import conflict_note, conflict_spans
from intentls.store.git.command import ask_git
from intentls.store.git.head import Git


class Conflicts:
    """The conflicts in the declared files of one root. Safe to use from several threads."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._known: dict[str, tuple[bytes, tuple[Span, ...]]] = {}
        self._heads: dict[str, tuple[str, bytes | None]] = {}
        self._counting: dict[str, tuple[Span, ...]] = {}

    def effective(self, path: str, data: bytes | None) -> bytes | None:
        """What counts of the declared file at root-relative `path` that has these bytes; None for no file."""
        spans = self._spans(path, data)
        revision = self._git.head() if spans else None
        if data is None or revision is None or revision.sha is None:
            self._counting.pop(path, None)
            return data
        in_head = self._in_head(path, revision.sha)
        if in_head is not None and conflict_spans(in_head):
            self._counting.pop(path, None)
            return data
        self._counting[path] = spans
        return in_head

    def note(self) -> str | None:
        """One sentence for each file of which the version in HEAD counts now; None without one."""
        return " ".join(conflict_note(path, spans) for path, spans in sorted(self._counting.items())) or None

    def _spans(self, path: str, data: bytes | None) -> tuple[Span, ...]:
        if data is None:
            return ()
        known = self._known.get(path)
        if known is None or known[0] is not data:
            known = self._known[path] = (data, conflict_spans(data))
        return known[1]

    def _in_head(self, path: str, sha: str) -> bytes | None:
        known = self._heads.get(path)
        if known is None or known[0] != sha:
            known = self._heads[path] = (sha, ask_git(self._git.root, "cat-file", "blob", f"{sha}:./{path}"))
        return known[1]
