"""The files of a repository that a change set leaves alone: who else knows a name?"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol


class RepositoryText(Protocol):
    """What stands in the repository beside the change set. It may be asked several times."""

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        """The content of each file that has one of these words, by path. None: that can't be told, or too many have.

        Several words with a space between them are found as they are.
        """
