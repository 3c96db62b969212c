"""The wall clock, in the ledger's form. The only place that asks what time it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime | None = None) -> str:
    """`moment` (default: now) as RFC 3339 with milliseconds: `2026-02-18T18:30:00.000Z`."""
    return (moment or now()).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now_ns() -> int:
    """This moment as a file's time stamps count it: nanoseconds since 1970."""
    return time.time_ns()


def parse_timestamp(text: str) -> datetime:
    """The moment that an RFC 3339 text names; without a zone it is UTC. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
