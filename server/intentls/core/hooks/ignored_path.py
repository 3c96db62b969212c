"""Check 8: no path is off limits by .intentignore."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal


def check(action: Action, situation: Situation) -> Refusal | None:
    """Refuse paths that `.intentignore` excludes."""
    ignored = tuple(t.path for t in action.targets if situation.ignore.excludes_path(t.path))
    if not ignored:
        return None
    return Refusal.of(
        Code.INTENTIGNORE_PATH_BLOCKED,
        f"Ignored Path: [{', '.join(ignored)}] is excluded by .intentignore. Choose another path.",
        paths=ignored,
    )
