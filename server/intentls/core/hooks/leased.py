"""Check 11: no path is leased to another session. Only where policy says `leases: enforce`.

The contract has no code of its own for it. `HOOK_ERROR` with the hint `retry` says what is true: nothing is wrong
with the intent, the scope or the content, and the same call passes later. Like every `HOOK_ERROR` it can't be
overridden by the person at this editor, who is not the one the file is leased to.
"""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.lease import Lease
from intentls.core.verdict import Code, Refusal


def check(action: Action, situation: Situation) -> Refusal | None:
    """Refuse paths that another session is changing; say who, under which intent, since and until when."""
    if not situation.leases_enforced:
        return None
    held = tuple(target.lease for target in action.targets if target.lease is not None)
    return held_by(held) if held else None


def held_by(leases: tuple[Lease, ...]) -> Refusal:
    """The refusal because of these leases; also for one that was taken while an action was being judged."""
    return Refusal.of(
        Code.HOOK_ERROR,
        f"Leased File: {'; '.join(lease.sentence for lease in leases)}. "
        "Work on something else, and retry when the lease has ended.",
        paths=tuple(lease.path for lease in leases),
    )
