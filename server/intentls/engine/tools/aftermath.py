"""What came of a tool that somebody else ran."""

from __future__ import annotations

from dataclasses import dataclass

from intentls.core.gate.refusal import Refusal


@dataclass(frozen=True, slots=True)
class ShellChanges:
    """What a tool changed: `recorded` counts the files, `refusals` are what should not have been, by reason.

    `reverted` of those were put back. `blind`: nothing was remembered before it, so nothing is known.
    """

    recorded: int = 0
    refusals: tuple[Refusal, ...] = ()
    reverted: tuple[str, ...] = ()
    blind: bool = False
