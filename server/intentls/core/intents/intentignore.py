"""`.intentignore`: intents that are out of use and paths that are off limits.

A line `intent: INT-003` takes that intent out of use. `#` starts a comment. Every other line is a gitignore
pattern and means what git takes it for; tests/core/differential compares with `git check-ignore`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.late_pattern import late_pattern

if TYPE_CHECKING:
    from intentls.core.patterns.gitignore import GitIgnore

_INTENT = late_pattern(r"\s*intent:\s*(\S+)\s*(?:#.*)?")


class IgnoreRules(Struct, frozen=True, dict=True):
    """The rules of all `.intentignore` files of a root, the later ones last. `IgnoreRules()` ignores nothing."""

    intents: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    """The patterns, without their line ends."""

    @classmethod
    def parse(cls, texts: Iterable[str]) -> IgnoreRules:
        """The rules in the files' contents, merged in order. Nothing is refused: a line git can't use has no effect."""
        intents: set[str] = set()
        lines: list[str] = []
        for line in (line for text in texts for line in _lines(text)):
            if intent := _INTENT.fullmatch(line):
                intents.add(intent[1])
            elif line and not line.startswith("#"):
                lines.append(line)
        return cls(frozenset(intents), tuple(lines))

    def excludes_intent(self, intent_id: str) -> bool:
        """Whether the intent is out of use."""
        return intent_id in self.intents

    def excludes_path(self, path: str) -> bool:
        """Whether `path` (root-relative, normalised; a directory's ends with a slash) or a directory above is ignored.

        As in git, nothing below an ignored directory can be taken back in.
        """
        return bool(self.lines) and self._paths.ignores(path)

    @cached_property
    def _paths(self) -> GitIgnore:
        # It brings pathspec, which a hook must not load where no ignore file names a path.
        from intentls.core.patterns.gitignore import GitIgnore

        return GitIgnore(self.lines)


def _lines(text: str) -> list[str]:
    """The lines of a file as git sees them."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
