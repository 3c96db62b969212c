"""What git has of a root's segments: read from its files where an append waits for it, asked where it does not."""

from __future__ import annotations

import os

from intentls.core.patterns.protected_paths import LEDGER_FILE
from intentls.store.fs.primitives import Stamp, file_stamp, open_binary
from intentls.store.git.command import ask_git, run_git
from intentls.store.git.head import NULL_ID, Git
from intentls.store.layout import TRACE_FOLDER, Layout


class SegmentCommits:
    """One root's, through the repository that it lies in. Nothing here raises."""

    def __init__(self, layout: Layout, git: Git) -> None:
        self._root = layout.root
        self._git = git

    def state(self) -> str | None:
        """A value that changes when a commit is made or another one is checked out; None outside git."""
        head = self._git.head()
        return None if head is None else head.sha or NULL_ID

    def index_stamp(self) -> Stamp | None:
        """A value that changes with git's index; None where there is none."""
        index = self._git.index_file()
        return None if index is None else file_stamp(index)

    def is_staged(self, name: str) -> bool:
        """Whether the index has the segment of this name, or may have it.

        Names end in random digits, which stand in the index as they are, whatever its version.
        """
        index = self._git.index_file()
        if index is None:
            return False
        try:
            with open_binary(index) as file:
                return name.rpartition("-")[2].encode() in file.read()
        except FileNotFoundError:
            return False
        except OSError:
            return True

    def tracks_local_file(self) -> bool | None:
        """Whether git tracks `agent_trace.jsonl`; None outside git."""
        if self.state() is None:
            return None
        result = run_git(self._root, "ls-files", "--error-unmatch", "--", LEDGER_FILE)
        return result is not None and result.returncode == 0

    def taken(self) -> frozenset[str]:
        """The names of the segments that HEAD or the index has."""
        if self.state() is None:
            return frozenset()
        listed = [
            ask_git(self._root, "ls-files", "-z", "--", TRACE_FOLDER) or b"",
            ask_git(self._root, "ls-tree", "-z", "--name-only", "HEAD", f"{TRACE_FOLDER}/") or b"",
        ]
        return frozenset(
            os.fsdecode(path).rpartition("/")[2] for output in listed for path in output.split(b"\0") if path
        )
