"""What an agent is answered, in plain sentences; each dialect wraps them in its own way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intentls.faces.hook.event import Event, Json

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Refusal
    from intentls.engine.tools.shell_call import ShellChanges

MAX_CHARACTERS = 9_500  # agents cut what is longer than 10,000

Answer = Mapping[str, Any] | None
"""What goes to stdout as JSON; None for silence."""

_MAX_NAMED = 20  # files of which nothing is known


class Dialect(ABC):
    """How one agent takes its answers. The answers here are those of an agent that can only be refused a tool."""

    @abstractmethod
    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput for one that can't be read or that this agent does not have."""

    @abstractmethod
    def denied(self, event: Event, reason: str) -> Answer:
        """Stop the tool; the agent gets the reason."""

    def asked(self, event: Event, reason: str) -> Answer:
        """Let the agent's user decide; only called where `event.may_ask`. Here: there is no such way, so refuse."""
        return self.denied(event, reason)

    def passed(self, event: Event) -> Answer:  # noqa: ARG002  for subclasses
        """Let the tool run. Here: no output, so that the user's own permissions still apply."""
        return None

    def allowed(self, event: Event) -> Answer:  # noqa: ARG002  for subclasses
        """Let a command run that only keeps our books. Here: the user's own permissions apply, as to any tool."""
        return None

    def advised(self, event: Event, advice: str) -> Answer:  # noqa: ARG002  for subclasses
        """Let the tool run, with a warning. Here: there is no way to give the agent one before a tool."""
        return None

    def told(self, event: Event, message: str) -> Answer:
        """The tool ran, and changed what it should not have changed. Here: as additional context."""
        return self.context(event, message)

    def noted(self, event: Event, message: str) -> Answer:  # noqa: ARG002  for subclasses
        """Between two turns it was found that an earlier tool changed what it should not have. Here: no way to say."""
        return None

    @abstractmethod
    def context(self, event: Event, text: str) -> Answer:
        """What the agent should know when its session begins."""


def refusal_text(refusal: Refusal, advice: str = "") -> str:
    """A refusal's sentence, how to go on, and the codes that a program may look for."""
    owners = f"; owners: {', '.join(refusal.owners)}" if refusal.owners else ""
    codes = f"(code: {refusal.code}; action_hint: {refusal.action_hint}{owners})"
    return cut(" ".join(part for part in (refusal.error, advice, codes) if part))


def after_text(changes: ShellChanges | None, untraced: Collection[Path]) -> str:
    """The message for an agent after its tool; "" if all is well.

    `untraced` are the roots in which something is not on record: see `shell_changes_text` for the rest.
    """
    if not untraced:
        return shell_changes_text(changes)
    roots = ", ".join(map(str, sorted(untraced)))
    degraded = (
        f"trace: degraded. What was changed in {roots} is not on record: its ledger can't be written. "
        "Tell the user to make .orchestration/agent_trace.jsonl writable."
    )
    return cut(" ".join(part for part in (shell_changes_text(changes, on_record=False), degraded) if part))


def shell_changes_text(changes: ShellChanges | None, *, on_record: bool = True) -> str:
    """The message for an agent whose tool changed what it should not have changed; "" if all is well."""
    if changes is None:
        return ""
    if changes.no_baseline:
        return (
            "What this tool changed is not known: nothing was remembered before it ran, so nothing is on record. "
            "Announce tools to intentls before they run."
        )
    parts = []
    if changes.refusals:
        parts.append("The command changed files that it must not change.")
    for refusal in changes.refusals:
        kept = [path for path in refusal.paths if path not in changes.reverted]
        reverted = [path for path in refusal.paths if path in changes.reverted]
        parts.append(refusal_text(refusal))
        parts += [f"Already put back: {', '.join(reverted)}."] if reverted else []
        still = "Still changed, and on record as a violation" if on_record else "Still changed"
        parts += [f"{still}: {', '.join(kept)}."] if kept else []
    if changes.trash is not None:
        parts.append(f"What the command left in files that were put back is kept in {changes.trash}/.")
    if changes.ledger_damage is not None:
        parts.append(changes.ledger_damage)
    if changes.git_failed:
        parts.append(
            "After this command git can't tell what is in the working tree, so what else it changed is not known, "
            "not on record and not put back. Have the repository mended."
        )
    if changes.unknown:
        names = ", ".join(changes.unknown[:_MAX_NAMED]) + (", …" if len(changes.unknown) > _MAX_NAMED else "")
        parts.append(f"Perhaps changed, not on record and not put back: {names}.")
    return cut(" ".join(parts))


def cut(text: str) -> str:
    """`text`, cut to what an agent takes."""
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"
