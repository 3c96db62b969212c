"""What a store of leases and live sessions can do, whether it is files or a database.

Worked example: `take(Claim("s1", "INT-001", ("src/a.py",), minutes(10)))` gives `Taking((lease,), {"src/a.py"})`; the
same of session `s2` then gives `Taking((that lease of s1,), {})`: `s2` holds nothing and knows who does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Protocol

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.core.intents.lease import FencedUse, Lease, Process

VARIABLE = "INTENTLS_COORDINATION"
"""The environment variable that names the database; it goes before the policy's key."""


def chosen_address(policy: str, environment: Mapping[str, str]) -> str | None:
    """The address of the database that counts; None where files are the store.

    Example: `files` in the policy and `postgresql://db/work` in the environment is the latter. What the environment
    says otherwise is no address: then nothing is shared and nothing can be claimed, rather than too little.
    """
    address = environment.get(VARIABLE, "") or policy
    return None if address == "files" else address


ANOTHER_MACHINE = "another machine"
"""The name of a machine that has none."""


class CoordinationAway(StoreError):
    """The database does not answer now. What it knows can't be told, and nothing new can be claimed."""


class Claim(Struct, frozen=True):
    """A session wants to change root-relative `paths` under an intent, for `ttl` after each use.

    `process` is the one that the session lives and dies with, None for a session that any process may act for.
    """

    session_id: str
    intent_id: str
    paths: tuple[str, ...]
    ttl: timedelta
    process: Process | None = None


class Taking(Struct, frozen=True):
    """What stands after a claim: one lease for each path, the claimant's or another's. `new` are the paths of leases
    that began with it.

    `ends_s` is when the first of the claimant's leases ends, by `elapsed_s`; None where a lock keeps them meanwhile.
    `is_away`: the store did not answer, and the leases are those that it gave before and that still last.
    """

    leases: tuple[Lease, ...]
    new: frozenset[str] = frozenset()
    is_away: bool = False
    ends_s: float | None = None


class LiveSession(Struct, frozen=True):
    """A session at work. `host` names its machine, "" for this one; `person` who works there, "" if not known.

    `branch` is what is checked out, "" for none. `seen` is when it last gave a sign, by the store's clock; a session
    that has given none for long is not alive.
    """

    session_id: str
    intent_id: str | None
    host: str
    person: str
    branch: str
    face: str
    since: datetime
    seen: datetime


class Coordination(Protocol):
    """Leases and live sessions of one root. Safe to use from several threads.

    Every method raises StoreError where the store can't be used, as its subclass CoordinationAway where that passes.
    None takes longer than a file does, or 50 ms. While other machines can't be asked, `on` and `standing` tell what is
    known of this one, and what is to be given back is given back later.
    """

    @property
    def is_shared(self) -> bool:
        """Whether other machines take part."""

    def take(self, claim: Claim) -> Taking:
        """Take or renew the leases on the claim's paths, all that are free; those of others stay as they are."""

    def on(self, paths: Iterable[str], but: str | None = None) -> dict[str, Lease]:
        """The leases that stand now on these root-relative paths. Those of the session `but` are left out."""

    def standing(self) -> list[Lease]:
        """Every lease of this root that stands now, by path."""

    def drop(self, leases: Iterable[Lease]) -> None:
        """Remove exactly these leases of this machine; one that was renewed or taken meanwhile stays."""

    def release(self, session_id: str, but: str | None = None) -> None:
        """Remove the leases of a session of this machine that are not under the intent `but`."""

    def fences(self, session_id: str, paths: Iterable[str]) -> dict[str, FencedUse]:
        """Under which fence the session changes each of `paths` now; none of files. Asks only this machine."""

    def announce(self, session: LiveSession, process: Process | None) -> None:
        """Show a session of this machine to others, from now on or as it is now.

        `process` is the one that it lives and dies with, None for one that is alive as long as it changes files.
        """

    def leave(self, session_id: str) -> None:
        """Show a session of this machine no longer."""

    def elsewhere(self) -> list[LiveSession]:
        """The live sessions of other machines, by host and id; none of files."""

    def trouble(self) -> str | None:
        """Why other machines can't be asked now; None where all is well, or there are none to ask."""

    def settle(self, within_s: float) -> str | None:
        """The same, after a connection that is only just being made had at most so long; no gate calls it."""

    def generation(self) -> object:
        """What changes when what was announced may be forgotten; None of files."""
