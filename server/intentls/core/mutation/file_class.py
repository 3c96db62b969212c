"""The class of one file of a change set, with its reasons."""

from __future__ import annotations

from msgspec import Struct

from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.renames.file_renames import Rename
from intentls.core.syntax.canonicalize import TOO_LARGE

UNJUDGED = "it could not be judged; see the log"


class FileClass(Struct, frozen=True):
    """The class of one file's change. `is_coarse`: it rests on the file's name alone.

    `renames` are the names that it changes consistently; those that are not proven need another file's half.
    """

    path: str
    mutation_class: MutationClass
    reasons: tuple[str, ...]
    is_coarse: bool = False
    renames: tuple[Rename, ...] = ()

    @classmethod
    def unjudged(cls, path: str) -> FileClass:
        """That of a file of which an error of our own keeps all else from being said: it may do anything."""
        return cls(path, MutationClass.INTENT_EVOLUTION, (UNJUDGED,), is_coarse=True)

    @property
    def is_too_large(self) -> bool:
        """Whether the bounds of the work kept it from being judged."""
        return TOO_LARGE in self.reasons
