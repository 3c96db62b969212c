"""A lease: one session changes one file under one intent, for a limited time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec import Struct

from intentls.core.errors import shorten
from intentls.core.text.visible import visible

MAX_TTL = timedelta(days=7)  # as long as policy allows
MAX_ID_SHOWN = 80  # characters of an id


class Process(Struct, frozen=True):
    """A process: `pid` counts on the machine (or in the container) `place` alone."""

    pid: int
    place: str


class FencedUse(Struct, frozen=True):
    """What a record says of a lease that its change was made under, by the store's clock.

    `fence` grows with each new holder of a path. `since` is when that holder took it, `used` when the change was made.
    """

    fence: int
    since: datetime
    used: datetime

    def to_json(self) -> dict[str, int | str]:
        """The JSON object, in a record and between processes."""
        return {"fence": self.fence, "since": _exactly(self.since), "used": _exactly(self.used)}


class Lease(Struct, frozen=True):
    """`session_id` has been changing `path` (root-relative POSIX) under `intent_id` since `since`.

    Its last use was at `renewed`; without another one it ends at `until`. Times are in UTC. `process` is the one
    that the session lives and dies with, None for a session that any process may act for. `host` names the machine of
    a session elsewhere, "" for one here. `fence` grows with each new holder of the path, where many machines share
    their leases. Raises ValueError for times that no lease has.
    """

    path: str
    session_id: str
    intent_id: str
    since: datetime
    renewed: datetime
    until: datetime
    process: Process | None = None
    host: str = ""
    fence: int | None = None

    def __post_init__(self) -> None:
        if any(moment.tzinfo is not UTC for moment in (self.since, self.renewed, self.until)):
            raise ValueError("the times of a lease are in UTC")
        if not timedelta() < self.ttl <= MAX_TTL:
            raise ValueError(f"a lease lasts more than nothing and at most {MAX_TTL.days} days")

    @property
    def ttl(self) -> timedelta:
        """How long it lasts after each use."""
        return self.until - self.renewed

    def belongs_to(self, session_id: str) -> bool:
        """Whether it is the lease of this session, here: an id says nothing of other machines."""
        return self.session_id == session_id and not self.host

    def stands(self, now: datetime, selected: str | None, *, process_gone: bool = False) -> bool:
        """Whether it counts at `now`: its session still works under its intent (`selected`), and used it lately.

        A clock that was set back makes a lease's last use lie in the future. By up to the lease's length that is
        accepted; beyond it the lease's age is unknown, so it counts no more.
        """
        if process_gone or selected != self.intent_id:
            return False
        return self.renewed - now <= self.ttl and now < self.until

    @property
    def sentence(self) -> str:
        """Who changes what, since when, under which intent and until when, without a full stop."""
        return f"{self.who_since}, lease until {_shown(self.until)}"

    @property
    def who_since(self) -> str:
        """The part of the sentence that a renewal does not change. Names may be anything: none hides something."""
        session, intent, host = (
            visible(shorten(name, MAX_ID_SHOWN)) for name in (self.session_id, self.intent_id, self.host)
        )
        where = f" on {host}" if host else ""
        return f"{self.path} is being changed by session {session}{where} under {intent} since {_shown(self.since)}"


def use(
    standing: Lease | None,
    path: str,
    session_id: str,
    intent_id: str,
    now: datetime,
    ttl: timedelta,
    process: Process | None = None,
) -> Lease:
    """The lease on `path` after a session used it, where `standing` is the one that counted before, if any.

    Another session's lease stays as it is. One's own is renewed, and begins again under another intent.
    """
    if standing is not None and standing.session_id != session_id:
        return standing
    since = now
    if standing is not None and standing.intent_id == intent_id:
        since = min(standing.since, now)
    return Lease(path, session_id, intent_id, since, now, now + ttl, process)


def _exactly(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _shown(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
