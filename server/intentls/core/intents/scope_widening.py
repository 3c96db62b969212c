"""Does a scope reach further than it did? Unsure means yes."""

from __future__ import annotations

from collections.abc import Iterable

from intentls.core.intents.scope import Scope

_MAGIC = frozenset("\\*?[{(!+@#")


def widened_by(old: Scope, new: Scope) -> tuple[str, ...]:
    """The patterns of `new`, or the exclusions (with their `!`) missing from it, that make it reach further.

    A scope without any pattern is the whole workspace: becoming that is told as `**`.
    """
    if old.is_whole_workspace:
        return ()
    if new.is_whole_workspace:
        return ("**",)
    old_in, old_out = _split(old)
    new_in, new_out = _split(new)
    added = tuple(pattern for pattern in new_in if not _is_within(pattern, old_in))
    opened = tuple(f"!{pattern}" for pattern in old_out if not _is_within(pattern, new_out))
    if not added and all(_are_apart(pattern[1:], new_in) for pattern in opened):
        return ()
    return added + opened


def _split(scope: Scope) -> tuple[list[str], list[str]]:
    included = [pattern for pattern in scope.patterns if not pattern.startswith("!")]
    return included, [pattern[1:] for pattern in scope.patterns if pattern.startswith("!")]


def _is_within(pattern: str, others: Iterable[str]) -> bool:
    """Whether some other pattern surely matches whatever `pattern` matches."""
    return any(_covers(other, pattern) for other in others)


def _covers(wide: str, narrow: str) -> bool:
    if wide in (narrow, "**"):
        return True
    if not _MAGIC & set(narrow) and Scope((wide,)).contains(narrow):
        return True
    folder = wide.removesuffix("**")
    return folder != wide and folder.endswith("/") and not _MAGIC & set(folder) and narrow.startswith(folder)


def _are_apart(pattern: str, others: Iterable[str]) -> bool:
    """Whether nothing that `pattern` matches is surely matched by any of the others: their literal folders part."""
    mine = _folder(pattern)
    return all(not mine.startswith(other) and not other.startswith(mine) for other in map(_folder, others))


def _folder(pattern: str) -> str:
    magic = min((pattern.index(sign) for sign in _MAGIC if sign in pattern), default=None)
    return pattern if magic is None else pattern[:magic]
