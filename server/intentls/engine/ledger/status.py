"""How things stand in each root: what governs, who works on what, and whether the ledger is sound."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from intentls.core.gate.policy import Policy
from intentls.core.intents.intent import Intent
from intentls.engine.ledger.removed_segments import verify_root
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.leases import LeaseHolder, who_works_on
from intentls.engine.workspace.live_sessions import SETTLE_S
from intentls.engine.workspace.other_machines import OtherMachines, other_machines
from intentls.engine.workspace.workspace import Workspace
from intentls.store.confinement.held_changes import HeldChanges
from intentls.store.ledger_files.line_reader import count_lines
from intentls.store.sessions.sessions import Session

CHEAP_BYTES = 8 * 1024 * 1024
"""A ledger up to this size is verified whole in a moment; a larger one only when somebody asks for it."""


class Soundness(StrEnum):
    """What is known of a ledger."""

    SOUND = "ok"
    DAMAGED = "problems"
    UNCHECKED = "not checked"


class LedgerStatus(Struct, frozen=True):
    """`records` are lines where the ledger is too large to be checked on the way; `problems` is 0 then."""

    size: int
    records: int
    soundness: Soundness
    problems: int = 0


class RootStatus(Struct, frozen=True):
    """One root. `config_error` is a sentence where its intents can't be relied on.

    `unconfirmed` are declared files that an agent's command changed and that wait for a person.

    `elsewhere` is what is known of other machines, None where they share nothing.

    `held` is how many changes of confined commands wait for a person.

    `policy_findings` is the number of remarks on policy.yaml; `at_work` are the files that are being changed, and
    `unfinished` says whether an edit waits to be settled or recorded.
    """

    root: Path
    policy: Policy
    config_error: str | None
    unconfirmed: tuple[str, ...]
    policy_findings: int
    intents: tuple[Intent, ...]
    sessions: tuple[Session, ...]
    at_work: tuple[LeaseHolder, ...]
    elsewhere: OtherMachines | None
    ledger: LedgerStatus
    unfinished: bool
    held: int


def status(engine: Engine) -> tuple[RootStatus, ...]:
    """Every root of the host's folders, the main one first. Raises StoreError."""
    return tuple(_root(workspace) for workspace in engine.workspaces())


def code_of(roots: Iterable[RootStatus]) -> int:
    """The exit code that tells a program: 2 for intents that can't be relied on, 1 for a damaged ledger, else 0."""
    states = tuple(roots)
    if any(root.config_error is not None for root in states):
        return 2
    return 1 if any(root.ledger.soundness is Soundness.DAMAGED for root in states) else 0


def ledger_status(workspace: Workspace) -> LedgerStatus:
    """What can be said of the ledger at little cost. Raises LedgerUnavailable."""
    size = workspace.ledger.size()
    if size + workspace.ledger.archived_size() > CHEAP_BYTES:
        return LedgerStatus(size, count_lines(workspace.layout.ledger), Soundness.UNCHECKED)
    found = verify_root(workspace)
    soundness = Soundness.SOUND if found.ok else Soundness.DAMAGED
    return LedgerStatus(size, found.records, soundness, len(found.problems))


def _root(workspace: Workspace) -> RootStatus:
    configuration = workspace.configuration()
    return RootStatus(
        root=workspace.root,
        policy=configuration.policy,
        config_error=configuration.error,
        unconfirmed=configuration.unconfirmed,
        policy_findings=len(configuration.policy_file.diagnostics),
        intents=tuple(configuration.intents.intents.values()),
        sessions=tuple(workspace.sessions.all()),
        at_work=tuple(who_works_on(workspace)),
        elsewhere=other_machines(workspace, SETTLE_S),
        ledger=ledger_status(workspace),
        unfinished=workspace.journal.has_unfinished(),
        held=HeldChanges(workspace.layout.held).count(),
    )
