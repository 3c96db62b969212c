"""Check 7: every path lies inside the root and is not protected."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal


def check(action: Action, situation: Situation) -> Refusal | None:
    """Refuse paths outside the root first, then protected ones."""
    outside = tuple(target.path for target in action.targets if not target.inside)
    if outside:
        return Refusal.of(
            Code.PATH_OUTSIDE_WORKSPACE,
            f"Path Outside Workspace: [{', '.join(outside)}] lies outside the workspace root. Choose another path.",
            paths=outside,
        )
    protected = tuple(target.path for target in action.targets if situation.is_off_limits(target.path))
    if protected:
        return Refusal.of(
            Code.PROTECTED_PATH,
            f"Protected Path: [{', '.join(protected)}] is never writable by a guarded edit. Choose another path.",
            paths=protected,
        )
    return None
