"""What is said to an agent, in plain sentences; each dialect wraps them in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from intentls.faces.hook.event import Event, Json

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Refusal
    from intentls.engine.tools.aftermath import ShellChanges

MOST_CHARACTERS = 9_500  # agents cut what is longer than 10,000

Answer = Mapping[str, Any] | None
"""What goes to stdout as JSON; None for silence."""


class Dialect(Protocol):
    """An agent's way of putting things."""

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput for one that can't be read or that this agent does not have."""

    def denied(self, event: Event, reason: str) -> Answer:
        """The tool must not run."""

    def asked(self, event: Event, reason: str) -> Answer:
        """The agent's user decides; only called where `event.may_ask`."""

    def passed(self, event: Event) -> Answer:
        """Nothing is to be said, to an agent that takes silence for a failure: what says no more than silence would."""

    def advised(self, event: Event, advice: str) -> Answer:
        """The tool may run, but the agent should know."""

    def told(self, event: Event, message: str) -> Answer:
        """The tool ran, and did what it should not have done."""

    def context(self, event: Event, text: str) -> Answer:
        """What the agent should know from the beginning."""


@dataclass(frozen=True, slots=True)
class RefusalText:
    """A refusal's reason in one text."""

    refusal: Refusal
    advice: str = ""

    @property
    def reason(self) -> str:
        """The sentence, how to go on, and the codes that a program may look for."""
        owners = f"; owners: {', '.join(self.refusal.owners)}" if self.refusal.owners else ""
        codes = f"(code: {self.refusal.code}; action_hint: {self.refusal.action_hint}{owners})"
        return cut(" ".join(part for part in (self.refusal.error, self.advice, codes) if part))


def aftermath_text(found: ShellChanges) -> str:
    """What the agent is told of what its tool did; "" if all is well."""
    if found.blind:
        return (
            "What this tool changed is not known: nothing was remembered before it ran, so nothing is on record. "
            "Announce tools to intentls before they run."
        )
    if not found.refusals:
        return ""
    back = set(found.reverted)
    parts = []
    for refusal in found.refusals:
        stays = [path for path in refusal.paths if path not in back]
        gone = [path for path in refusal.paths if path in back]
        parts.append(RefusalText(refusal).reason)
        parts += [f"Already put back: {', '.join(gone)}."] if gone else []
        parts += [f"Still changed, and on record as a violation: {', '.join(stays)}."] if stays else []
    return cut("The command changed files that it must not change. " + " ".join(parts))


def cut(text: str) -> str:
    """`text`, no longer than an agent takes."""
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
