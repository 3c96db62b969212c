"""The statements: each one trip to PostgreSQL, decided there by its clock, under the rights of its role.

A claim is one statement, so two can't both win: the row of a path is inserted or updated under the database's own lock,
and only where it is the claimant's already or its time has passed. A row stays when its lease is given back.
Fence numbers are microseconds of the server's clock, and at least one more than the path's last: they grow for each
path, also over a database that was lost and made anew.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql
from psycopg.rows import TupleRow

from intentls.core.errors import shorten
from intentls.core.intents.lease import MAX_TTL, Lease
from intentls.store.sessions.coordination.protocol import ANOTHER_MACHINE, LiveSession

log = logging.getLogger(__name__)

_ROUNDS = 3  # of a claim: a path that was held and is free a moment later is claimed again
_MAX_HOST = 200  # characters of a machine's name
LIVE_FOR = timedelta(minutes=15)
"""How long a session is shown after its last sign."""

# Another's row may say any time, also one that Python has no form for.
_SINCE: LiteralString = "greatest(least(since, clock_timestamp()), timestamptz '2000-01-01 UTC')"
_LEASE_COLUMNS: LiteralString = (
    f"key, holder, fence, {_SINCE}, greatest(least(renewed, clock_timestamp()), timestamptz '2000-01-01 UTC'),"
    " least(until, clock_timestamp() + interval '7 days'), about"
)
_CLAIM: LiteralString = f"""
INSERT INTO intentls.leases AS held (repository, key, area, holder, fence, since, renewed, until, intent, about)
SELECT %(repository)s, key, %(area)s, %(holder)s, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
       moment, moment, moment + %(ttl)s, %(intent)s, about
  FROM unnest(%(keys)s::bytea[], %(abouts)s::text[]) AS claim (key, about), clock_timestamp() AS moment
 ORDER BY key
ON CONFLICT (repository, key) DO UPDATE SET
       area = excluded.area, holder = excluded.holder, intent = excluded.intent, about = excluded.about,
       fence = CASE WHEN held.holder = excluded.holder AND held.until > clock_timestamp() THEN held.fence
                    ELSE greatest(held.fence + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) END,
       since = CASE WHEN held.holder = excluded.holder AND held.until > clock_timestamp()
                     AND held.intent = excluded.intent THEN held.since ELSE clock_timestamp() END,
       renewed = clock_timestamp(), until = clock_timestamp() + %(ttl)s
 WHERE held.holder = excluded.holder OR held.until <= clock_timestamp()
RETURNING {_LEASE_COLUMNS}, since >= statement_timestamp(), clock_timestamp()
"""
_HELD: LiteralString = f"""
SELECT {_LEASE_COLUMNS} FROM intentls.leases
 WHERE repository = %(repository)s AND key = ANY(%(keys)s::bytea[]) AND until > clock_timestamp()
"""
_STANDING: LiteralString = f"""
SELECT {_LEASE_COLUMNS} FROM intentls.leases
 WHERE repository = %(repository)s AND area = %(area)s AND until > clock_timestamp() LIMIT 10000
"""
_DROP: LiteralString = """
UPDATE intentls.leases AS held SET until = clock_timestamp()
  FROM unnest(%(keys)s::bytea[], %(holders)s::bytea[], %(fences)s::bigint[], %(renewals)s::timestamptz[])
       AS gone (key, holder, fence, renewed)
 WHERE held.repository = %(repository)s AND held.key = gone.key AND held.holder = gone.holder
   AND held.fence = gone.fence AND held.renewed = gone.renewed AND held.until > clock_timestamp()
"""
_RELEASE: LiteralString = """
UPDATE intentls.leases SET until = clock_timestamp()
 WHERE repository = %(repository)s AND holder = %(holder)s AND until > clock_timestamp()
   AND (%(but)s::text IS NULL OR intent <> %(but)s)
"""
_ANNOUNCE: LiteralString = """
INSERT INTO intentls.sessions AS known (repository, holder, area, place, since, seen, about)
SELECT %(repository)s, holder, %(area)s, %(place)s, clock_timestamp(), clock_timestamp(), about
  FROM unnest(%(holders)s::bytea[], %(abouts)s::text[]) AS live (holder, about)
 ORDER BY holder
ON CONFLICT (repository, holder) DO UPDATE SET
       area = excluded.area, seen = clock_timestamp(), about = excluded.about,
       since = CASE WHEN known.about = excluded.about THEN known.since ELSE clock_timestamp() END
"""
_TOUCH: LiteralString = """
UPDATE intentls.sessions SET seen = clock_timestamp()
 WHERE repository = %(repository)s AND holder = ANY(%(holders)s::bytea[])
"""
_LEAVE: LiteralString = "DELETE FROM intentls.sessions WHERE repository = %(repository)s AND holder = %(holder)s"
_ELSEWHERE: LiteralString = f"""
SELECT about, {_SINCE}, least(seen, clock_timestamp()) FROM intentls.sessions
 WHERE repository = %(repository)s AND area = %(area)s AND place <> %(place)s
   AND seen > clock_timestamp() - %(live)s::interval LIMIT 10000
"""


class ClonePlace(Struct, frozen=True):
    """A clone on a machine. `repository` is its root commit, `area` the folder of the root in it, `name` its own."""

    repository: str
    area: str
    name: str
    host: str

    def holder(self, session_id: str) -> bytes:
        """What tells a session of this place from all others."""
        return hash_parts(self.name, session_id)

    def key(self, path: str) -> bytes:
        """What tells a root-relative path from all others of the repository."""
        return hash_parts(self.area, path)


class ClaimResult(Struct, frozen=True):
    """The lease that stands on each path, those of `new` since this claim. `moment` is the server's time then."""

    leases: tuple[Lease, ...]
    new: frozenset[str]
    moment: datetime


class Database:
    """The rows of one repository, over an open connection. Every method raises psycopg.Error."""

    def __init__(self, connection: psycopg.Connection[TupleRow], place: ClonePlace) -> None:
        self._connection = connection
        self._place = place
        self._own = {"repository": place.repository, "area": hash_parts(place.area), "place": hash_parts(place.name)}

    def claim(self, session_id: str, intent_id: str, paths: Sequence[str], ttl: timedelta) -> ClaimResult:
        """Take or renew what is free of `paths`; see the module."""
        leases: dict[str, Lease] = {}
        new: set[str] = set()
        left = list(dict.fromkeys(paths))
        moment = datetime.min.replace(tzinfo=UTC)
        for _ in range(_ROUNDS):
            keys = {self._place.key(path): path for path in left}
            claim = {
                "holder": self._place.holder(session_id),
                "ttl": ttl,
                "intent": encode_text(intent_id),
                "keys": list(keys),
                "abouts": [self._about(path, session_id, intent_id) for path in left],
            }
            for row in self._rows(_CLAIM, claim):
                lease, is_new, moment = self._lease(row[:-2], keys), row[-2], row[-1]
                leases[lease.path] = lease
                if is_new:
                    new.add(lease.path)
            left = [path for path in left if path not in leases]
            if left:
                keys = {self._place.key(path): path for path in left}
                for row in self._rows(_HELD, {"keys": list(keys)}):
                    lease = self._lease(row, keys)
                    leases[lease.path] = lease
            left = [path for path in left if path not in leases]
            if not left:
                break
        else:
            raise psycopg.OperationalError("the same paths are taken and given back by others all the time")
        return ClaimResult(tuple(leases[path] for path in dict.fromkeys(paths)), frozenset(new), moment)

    def held(self, paths: Iterable[str]) -> list[Lease]:
        """The leases that stand on `paths`."""
        keys = {self._place.key(path): path for path in paths}
        return [self._lease(row, keys) for row in self._rows(_HELD, {"keys": list(keys)})]

    def standing(self) -> list[Lease]:
        """All leases of the root that stand, by path; rows that make no sense are left out (logged)."""
        leases = []
        for row in self._rows(_STANDING, {}):
            try:
                path = _facts(row[6], "path")[0]
            except ValueError as error:
                log.warning("a row of leases makes no sense: %s", error)
                continue
            if self._place.key(path) == bytes(row[0]):
                leases.append(self._lease(row, {bytes(row[0]): path}))
        return sorted(leases, key=lambda lease: lease.path)

    def drop(self, leases: Iterable[Lease]) -> None:
        """End exactly these leases; one that was renewed meanwhile stays."""
        gone = list(leases)
        values = {
            "keys": [self._place.key(lease.path) for lease in gone],
            "holders": [self._place.holder(lease.session_id) for lease in gone],
            "fences": [lease.fence for lease in gone],
            "renewals": [lease.renewed for lease in gone],
        }
        self._rows(_DROP, values)

    def release(self, session_id: str, but: str | None) -> None:
        """End the leases of a session that are not under the intent `but`."""
        values = {"holder": self._place.holder(session_id), "but": None if but is None else encode_text(but)}
        self._rows(_RELEASE, values)

    def announce(self, sessions: Sequence[LiveSession]) -> None:
        """Show these sessions, or that they still live."""
        values = {
            "holders": [self._place.holder(session.session_id) for session in sessions],
            "abouts": [self._about_session(session) for session in sessions],
        }
        self._rows(_ANNOUNCE, values)

    def touch(self, session_ids: Iterable[str]) -> None:
        """These sessions gave a sign."""
        self._rows(_TOUCH, {"holders": [self._place.holder(session_id) for session_id in session_ids]})

    def leave(self, session_id: str) -> None:
        """Show a session no longer."""
        self._rows(_LEAVE, {"holder": self._place.holder(session_id)})

    def listen(self) -> None:
        """Hear from now on of what others `notify`."""
        self._connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self.channel(self._place))))

    def notify(self) -> None:
        """Tell all who listen, here and elsewhere, that who works on what in this root has changed."""
        self._rows("SELECT pg_catalog.pg_notify(%(channel)s, '')", {"channel": self.channel(self._place)})

    @staticmethod
    def channel(place: ClonePlace) -> str:
        """The channel on which the clones of a root tell that who works on what has changed."""
        return "intentls_" + hash_parts(place.repository, place.area).hex()[:32]

    def elsewhere(self) -> list[LiveSession]:
        """The sessions of other places that gave a sign lately; rows that make no sense are left out (logged)."""
        sessions = []
        for about, since, seen in self._rows(_ELSEWHERE, {"live": LIVE_FOR}):
            try:
                session_id, intent_id, host, person, branch, face = _facts(
                    about, "session", "intent", "host", "person", "branch", "face"
                )
            except ValueError as error:
                log.warning("a row of sessions makes no sense: %s", error)
                continue
            sessions.append(
                LiveSession(session_id, intent_id or None, _named(host), person, branch, face, _utc(since), _utc(seen))
            )
        return sorted(sessions, key=lambda session: (session.host, session.session_id))

    def _rows(self, statement: LiteralString, values: dict[str, Any]) -> list[TupleRow]:
        cursor = self._connection.execute(statement, {**self._own, **values})
        return cursor.fetchall() if cursor.description is not None else []

    def _lease(self, row: Sequence[Any], paths: dict[bytes, str]) -> Lease:
        """A row as a lease. What a row says of names is another's word: it is shown, and decides nothing."""
        key, holder, fence, since, renewed, until, about = row
        try:
            session_id, intent_id, host = _facts(about, "session", "intent", "host")
        except ValueError:
            session_id, intent_id, host = "?", "?", "?"
        is_own = bytes(holder) == self._place.holder(session_id)
        ttl = min(max(until - renewed, timedelta(microseconds=1)), MAX_TTL)
        return Lease(
            paths[bytes(key)],
            session_id,
            intent_id,
            _utc(since),
            _utc(renewed),
            _utc(renewed) + ttl,
            host="" if is_own else _named(host),
            fence=fence,
        )

    def _about(self, path: str, session_id: str, intent_id: str) -> str:
        return encode_text({"path": path, "session": session_id, "intent": intent_id, "host": self._place.host})

    def _about_session(self, session: LiveSession) -> str:
        facts = {"session": session.session_id, "intent": session.intent_id or "", "host": self._place.host}
        return encode_text({**facts, "person": session.person, "branch": session.branch, "face": session.face})


def _facts(about: str, *names: str) -> list[str]:
    """The texts of these names in a row's JSON. Raises ValueError for what is none."""
    try:
        facts = json.loads(about)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    values = [facts.get(name) for name in names] if isinstance(facts, dict) else []
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) != len(names):
        raise ValueError("a name in it is missing or no text")
    return texts


def _named(host: str) -> str:
    """A machine's name; one that has none is another machine all the same."""
    return shorten(host, _MAX_HOST) or ANOTHER_MACHINE


def encode_text(value: Any) -> str:
    """ASCII that stands for any text, also for one that PostgreSQL can't hold (NUL, half a surrogate pair)."""
    return json.dumps(value)


def hash_parts(*parts: str) -> bytes:
    """What tells these texts from all others, in 32 bytes."""
    return hashlib.sha256(b"\0".join(_bytes(part) for part in parts)).digest()


def _bytes(part: str) -> bytes:
    """Bytes without NUL that no other text has. Example: a\\0b is \"a\\u0000b\" in quotation marks."""
    return encode_text(part).encode("ascii")


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
