"""A tool call that may write anywhere, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from intentls.core.gate.refusal import Override, Refusal


class ShellCall(Struct, frozen=True):
    """A tool call of a session. `key` is the call's id before and after; `overrides` let it run.

    `runs_on`: the tool runs on behind its report.
    """

    session_id: str
    tool_name: str
    key: str
    model: str | None = None
    overrides: tuple[Override, ...] = ()
    runs_on: bool = False


class ShellChanges(Struct, frozen=True):
    """What a tool changed: `recorded` counts the files, `refusals` are what should not have been, by reason.

    `reverted` of those were put back; `trash` is the root-relative folder that keeps what they held, if they held
    anything. `unknown` are files that may have come, changed or gone: they are neither recorded nor put back.
    `git_failed`: there may be more of them, for git can't tell any more. `no_baseline`: nothing was remembered before
    the tool ran, so its changes are not known. `ledger_damage` says what is wrong with the ledger since.
    """

    recorded: int = 0
    refusals: tuple[Refusal, ...] = ()
    reverted: tuple[str, ...] = ()
    trash: str | None = None
    unknown: tuple[str, ...] = ()
    git_failed: bool = False
    no_baseline: bool = False
    ledger_damage: str | None = None


def combine(parts: Iterable[ShellChanges]) -> ShellChanges:
    """What one tool changed in several roots, or at several times, as one."""
    parts = list(parts)
    return ShellChanges(
        sum(part.recorded for part in parts),
        tuple(refusal for part in parts for refusal in part.refusals),
        tuple(path for part in parts for path in part.reverted),
        " and ".join(dict.fromkeys(part.trash for part in parts if part.trash is not None)) or None,
        tuple(path for part in parts for path in part.unknown),
        any(part.git_failed for part in parts),
        any(part.no_baseline for part in parts),
        " ".join(dict.fromkeys(part.ledger_damage for part in parts if part.ledger_damage is not None)) or None,
    )
