"""What the ledger needs to know of git."""

from __future__ import annotations

from typing import Protocol

from intentls.store.fs.primitives import Stamp


class Commits(Protocol):
    """What git knows of one root."""

    def state(self) -> str | None:
        """A value that changes when a commit is made or another one is checked out; None outside git."""

    def index_stamp(self) -> Stamp | None:
        """A value that changes with git's index; None where there is none."""

    def is_staged(self, name: str) -> bool:
        """Whether the index has the segment of this name, or may have it."""

    def tracks_local_file(self) -> bool | None:
        """Whether git tracks `agent_trace.jsonl`; None outside git."""


class NoCommits:
    """A root outside git."""

    def state(self) -> str | None:
        """See `Commits`."""
        return None

    def index_stamp(self) -> Stamp | None:
        """See `Commits`."""
        return None

    def is_staged(self, name: str) -> bool:  # noqa: ARG002  one form with `Commits`
        """See `Commits`."""
        return False

    def tracks_local_file(self) -> bool | None:
        """See `Commits`."""
        return None
