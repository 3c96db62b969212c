"""Which leases of a database this machine holds, and until when by a clock that is never set.

The end of a lease is the server's. What counts here is this machine's own count of seconds: a lease of 600 s that was
asked for at 1000 ends at 1600, which is never later than its end at the server, since the server got to it later.

Worked example: asked for at 1000, granted at the server's 12:00:00 until 12:10:00 and known here at 1002. At 1599 it
counts, whatever the wall clocks say; at 1600 it is over. A change at 1010 was made at 12:00:08 at the earliest.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec import Struct

from intentls.core.intents.lease import Lease

_FORGOTTEN_S = 3600.0  # a lease that ended so long ago is not needed for a record any more
_SWEEP = 1000  # leases between two looks for those


class HeldLease(Struct, frozen=True):
    """A lease of this machine. `ends_s` and `known_s` are its end and the server's `moment` in this machine's count."""

    lease: Lease
    ends_s: float
    known_s: float
    moment: datetime

    @classmethod
    def granted(cls, lease: Lease, moment: datetime, asked_s: float, known_s: float) -> HeldLease:
        """The lease as the server gave it at its `moment`, to a claim of `asked_s` whose answer came at `known_s`."""
        return cls(lease, asked_s + (lease.until - moment).total_seconds(), known_s, moment)

    def lasts(self, now_s: float) -> bool:
        """Whether it certainly counts still."""
        return now_s < self.ends_s

    def server_time(self, now_s: float) -> datetime:
        """The server's time, at the earliest."""
        return self.moment + timedelta(seconds=max(0.0, now_s - self.known_s))


class HeldLeases:
    """The lease of this machine on each path, and the last of each session. Not safe to use from several threads."""

    def __init__(self) -> None:
        self._held: dict[str, HeldLease] = {}
        self._last: dict[tuple[str, str], HeldLease] = {}

    def note(self, held: HeldLease) -> None:
        """It was granted or renewed."""
        self._held[held.lease.path] = held
        self._last[held.lease.session_id, held.lease.path] = held
        if len(self._last) % _SWEEP == 0:
            self._forget(held.known_s)

    def drop(self, lease: Lease) -> None:
        """It was given back, unless it was renewed or taken since."""
        held = self._held.get(lease.path)
        if held is not None and (held.lease.fence, held.lease.renewed) == (lease.fence, lease.renewed):
            del self._held[lease.path]

    def release(self, session_id: str, but: str | None) -> None:
        """All leases of a session were given back, except those under the intent `but`."""
        for path, held in list(self._held.items()):
            if held.lease.session_id == session_id and held.lease.intent_id != but:
                del self._held[path]

    def on(self, path: str, now_s: float) -> Lease | None:
        """The lease on `path` that counts still."""
        held = self._held.get(path)
        return held.lease if held is not None and held.lasts(now_s) else None

    def ends_s(self, session_id: str, paths: Iterable[str]) -> float | None:
        """When the first of the session's leases on `paths` ends; None if it has none."""
        held = (self._held.get(path) for path in paths)
        return min((one.ends_s for one in held if one is not None and one.lease.session_id == session_id), default=None)

    def all(self, now_s: float) -> list[Lease]:
        """All leases that count still, by path."""
        return [held.lease for _, held in sorted(self._held.items()) if held.lasts(now_s)]

    def last_of(self, session_id: str, path: str) -> HeldLease | None:
        """The session's last lease on `path`, also if it is over or was given back."""
        return self._last.get((session_id, path))

    def _forget(self, now_s: float) -> None:
        self._held = {path: held for path, held in self._held.items() if held.lasts(now_s)}
        self._last = {key: held for key, held in self._last.items() if now_s - held.ends_s <= _FORGOTTEN_S}
