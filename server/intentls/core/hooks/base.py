"""Check 10: nothing changed since it was read."""

from __future__ import annotations

from intentls.core.action import Action, Situation
from intentls.core.verdict import Code, Refusal


def check(action: Action, situation: Situation) -> Refusal | None:
    """Refuse an edit built on content that is no longer there, or (by policy) on no known content."""
    stale = tuple(t.path for t in action.targets if t.base_hash is not None and t.base_hash != t.current_hash)
    if stale:
        return Refusal.of(Code.STALE_CONTEXT, stale_text(*stale), paths=stale)
    if not situation.require_base:
        return None
    unread = tuple(t.path for t in action.targets if t.exists and t.base_hash is None)
    if not unread:
        return None
    return Refusal.of(
        Code.BASE_HASH_REQUIRED,
        f"Base Hash Required: {', '.join(unread)} was not read in this session. "
        "Read it with read_file, or pass expected_content_hash.",
        paths=unread,
    )


def stale_text(*paths: str) -> str:
    """The sentence of a stale file; also used when a hunk no longer fits."""
    return (
        f"Stale File: {', '.join(paths)} was modified since you read it. Re-read the file with read_file and try again."
    )
