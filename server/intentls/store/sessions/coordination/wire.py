"""What a process and its keeper say to each other: JSON in one line of ASCII, a question and its answer."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from intentls.core.intents.lease import FencedUse, Lease, Process
from intentls.store.sessions.coordination.protocol import Claim, LiveSession, Taking

MAX_LINE = 16 * 1024 * 1024
_LEASE_TIMES = ("since", "renewed", "until")
_SESSION_TEXTS = ("session_id", "host", "person", "branch", "face")


def pack(message: dict[str, Any]) -> bytes:
    """The message as a line."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def unpack(line: bytes) -> dict[str, Any]:
    """The message in a line. Raises ValueError for anything else."""
    message = json.loads(line)
    if not isinstance(message, dict):
        raise TypeError("it is no message")
    return message


def claim_to_json(claim: Claim) -> dict[str, Any]:
    """A claim; `claim_from_json` undoes it."""
    return {
        "session_id": claim.session_id,
        "intent_id": claim.intent_id,
        "paths": list(claim.paths),
        "ttl": claim.ttl.total_seconds(),
        "process": process_to_json(claim.process),
    }


def claim_from_json(value: dict[str, Any]) -> Claim:
    """Raises KeyError, TypeError and ValueError for what is no claim; so do the functions below."""
    process = process_from_json(value["process"])
    paths, ttl = tuple(map(str, value["paths"])), timedelta(seconds=float(value["ttl"]))
    return Claim(str(value["session_id"]), str(value["intent_id"]), paths, ttl, process)


def process_to_json(process: Process | None) -> list[int | str] | None:
    """A process; `process_from_json` undoes it."""
    return None if process is None else [process.pid, process.place]


def process_from_json(value: list[Any] | None) -> Process | None:
    """See `claim_from_json`."""
    return None if value is None else Process(int(value[0]), str(value[1]))


def lease_to_json(lease: Lease) -> dict[str, Any]:
    """A lease that a database keeps; `lease_from_json` undoes it."""
    times = {name: getattr(lease, name).isoformat() for name in _LEASE_TIMES}
    names = {"path": lease.path, "session_id": lease.session_id, "intent_id": lease.intent_id, "host": lease.host}
    return {**names, **times, "fence": lease.fence}


def lease_from_json(value: dict[str, Any]) -> Lease:
    """See `claim_from_json`."""
    since, renewed, until = (_moment(value[name]) for name in _LEASE_TIMES)
    fence = None if value["fence"] is None else int(value["fence"])
    names = (str(value["path"]), str(value["session_id"]), str(value["intent_id"]))
    return Lease(*names, since, renewed, until, host=str(value["host"]), fence=fence)


def leases_from_json(values: Iterable[dict[str, Any]]) -> list[Lease]:
    """See `claim_from_json`."""
    return [lease_from_json(value) for value in values]


def taking_to_json(taking: Taking) -> dict[str, Any]:
    """What a claim gave; `taking_from_json` undoes it."""
    leases = [lease_to_json(lease) for lease in taking.leases]
    return {"leases": leases, "new": sorted(taking.new), "away": taking.is_away, "ends_s": taking.ends_s}


def taking_from_json(value: dict[str, Any]) -> Taking:
    """See `claim_from_json`."""
    ends_s = None if value["ends_s"] is None else float(value["ends_s"])
    leases, new = tuple(leases_from_json(value["leases"])), frozenset(map(str, value["new"]))
    return Taking(leases, new, bool(value["away"]), ends_s)


def session_to_json(session: LiveSession) -> dict[str, Any]:
    """A live session; `session_from_json` undoes it."""
    texts = {name: getattr(session, name) for name in _SESSION_TEXTS}
    times = {"since": session.since.isoformat(), "seen": session.seen.isoformat()}
    return {**texts, "intent_id": session.intent_id, **times}


def session_from_json(value: dict[str, Any]) -> LiveSession:
    """See `claim_from_json`."""
    intent_id = None if value["intent_id"] is None else str(value["intent_id"])
    texts = {name: str(value[name]) for name in _SESSION_TEXTS}
    return LiveSession(intent_id=intent_id, since=_moment(value["since"]), seen=_moment(value["seen"]), **texts)


def use_from_json(value: dict[str, Any]) -> FencedUse:
    """Undoes its `to_json`; see `claim_from_json`."""
    return FencedUse(int(value["fence"]), _moment(value["since"]), _moment(value["used"]))


class KeeperAddress(Struct, frozen=True):
    """Where a keeper listens, and its process."""

    socket: str
    pid: int

    def to_json(self) -> dict[str, Any]:
        """`address_from_json` undoes it."""
        return {"socket": self.socket, "pid": self.pid}


def address_from_json(value: dict[str, Any]) -> KeeperAddress:
    """See `claim_from_json`."""
    return KeeperAddress(str(value["socket"]), int(value["pid"]))


def _moment(text: Any) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
