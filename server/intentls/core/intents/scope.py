"""A scope: the list of globs that says which files an intent may change, and whether one reaches further than another.

One leading `!` excludes. A path is in scope when some positive pattern matches it and no exclusion does, whatever
their order. The empty list is the whole workspace; a list of exclusions alone leaves nothing in scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from intentls.core.patterns.glob import Glob, as_utf16
from intentls.core.patterns.path_regex import compile_any, passes_dots

_MAGIC = frozenset("\\*?[{(!+@#")  # what has a meaning of its own in a glob


class Scope:
    """A list of scope patterns, parsed. Raises `InvalidGlob` for a pattern that can't be used.

    It never changes, and is equal by `patterns`.
    """

    __slots__ = ("_inside", "_outside", "excluded", "included", "patterns")

    def __init__(self, patterns: tuple[str, ...] = ()) -> None:
        self.patterns: Final = patterns
        self.excluded: Final = tuple(Glob(pattern[1:]) for pattern in patterns if pattern.startswith("!"))
        self.included: Final = tuple(Glob(pattern) for pattern in patterns if not pattern.startswith("!"))
        # One expression for all globs of a kind, compiled when first asked: most scopes of a large file never are.
        self._inside: re.Pattern[str] | None = None
        self._outside: re.Pattern[str] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scope) and self.patterns == other.patterns

    def __hash__(self) -> int:
        return hash(self.patterns)

    def __repr__(self) -> str:
        return f"Scope({self.patterns!r})"

    @classmethod
    def parse(cls, patterns: Iterable[str]) -> Scope:
        """The scope that `patterns` describe. Raises `InvalidGlob`."""
        return cls(tuple(patterns))

    @property
    def is_whole_workspace(self) -> bool:
        """Whether there is no pattern at all, so that nothing is out of scope."""
        return not self.patterns

    def contains(self, path: str) -> bool:
        """Whether `path` is in scope; it is root-relative and normalised (an absolute one or one with `..`: no)."""
        inside = self._inside or self._compile()
        units = path if path.isascii() else as_utf16(path)
        if inside.match(units) is None:
            return False
        # `"/." in path` comes first because a call would cost a third of the decision.
        if "/." in path and passes_dots(path):
            return False
        return self._outside is None or self._outside.match(units) is None

    def names(self, path: str) -> bool:
        """Whether a positive pattern spells out the first segment of `path`, not merely matches it."""
        first = path.partition("/")[0]
        return any(glob.names_first_segment(first) for glob in self.included)

    def _compile(self) -> re.Pattern[str]:
        globs = self.included or (() if self.patterns else (Glob("**"),))
        inside = compile_any(source for glob in globs for source in glob.sources)
        if self.excluded:
            self._outside = compile_any(source for glob in self.excluded for source in glob.sources)
        self._inside = inside
        return inside


def widened_by(old: Scope, new: Scope) -> tuple[str, ...]:
    """The patterns of `new`, or the exclusions (with their `!`) missing from it, that make it reach further.

    Where that is unclear, it counts as reaching further. A scope that becomes the whole workspace, which has no
    pattern, is reported as `**`. From `src/**`, `!src/db/**` to `src/**`, `doc/**` these are `doc/**`, `!src/db/**`.
    """
    if old.is_whole_workspace:
        return ()
    if new.is_whole_workspace:
        return ("**",)
    old_included, old_excluded, new_included, new_excluded = (
        [glob.pattern for glob in globs] for globs in (old.included, old.excluded, new.included, new.excluded)
    )
    added = tuple(pattern for pattern in new_included if not _is_within(pattern, old_included))
    opened = tuple(f"!{pattern}" for pattern in old_excluded if not _is_within(pattern, new_excluded))
    if not added and all(_are_apart(pattern[1:], new_included) for pattern in opened):
        return ()
    return added + opened


def _is_within(pattern: str, others: Iterable[str]) -> bool:
    """Whether some other pattern surely matches whatever `pattern` matches."""
    return any(_covers(other, pattern) for other in others)


def _covers(wide: str, narrow: str) -> bool:
    if wide in (narrow, "**"):
        return True
    if not _MAGIC & set(narrow) and Scope((wide,)).contains(narrow):
        return True
    directory = wide.removesuffix("**")
    return (
        directory != wide and directory.endswith("/") and not _MAGIC & set(directory) and narrow.startswith(directory)
    )


def _are_apart(pattern: str, others: Iterable[str]) -> bool:
    """Whether no path can match `pattern` and one of the others: the texts before their first wildcards differ."""
    prefix = _literal_prefix(pattern)
    return all(not prefix.startswith(other) and not other.startswith(prefix) for other in map(_literal_prefix, others))


def _literal_prefix(pattern: str) -> str:
    return "".join(takewhile(lambda character: character not in _MAGIC, pattern))
