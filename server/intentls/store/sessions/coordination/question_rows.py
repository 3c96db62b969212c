"""The statements about questions: which are open on any machine, and the first answer to each.

Each that changes something tells so on the root's channel by itself: a change and its news can't be parted.

An answer is a row whose key is its question's, so a second one is refused by the database. Who gave it is the role that
the database knows the connection by: no statement can say another one.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql
from psycopg.rows import TupleRow

from intentls.core.errors import StoreError
from intentls.store.sessions.coordination.connecting import connect, reason
from intentls.store.sessions.coordination.database import ClonePlace, encode_text, hash_parts

log = logging.getLogger(__name__)

_MAX_ABOUT = 65536
_MAX_DAY_S = 86400.0

_STANDING: LiteralString = """
SELECT asked.key, asked.place = %(place)s, asked.about, asked.closed IS NOT NULL, asked.is_taken,
       extract(epoch FROM clock_timestamp() - asked.asked)::float, extract(epoch FROM asked.until - asked.asked)::float,
       answer.place = %(place)s, answer.digest, answer.action, answer.about, answer.role
  FROM intentls.questions AS asked LEFT JOIN intentls.answers AS answer USING (repository, key)
 WHERE asked.repository = %(repository)s AND asked.area = %(area)s
   AND (asked.place = %(place)s OR asked.until > clock_timestamp() - interval '1 minute')
   AND isfinite(asked.asked) AND isfinite(asked.until)
 ORDER BY asked.asked LIMIT 1000
"""
_ASK: LiteralString = """
INSERT INTO intentls.questions (repository, key, area, place, asked, until, about)
SELECT %(repository)s, key, %(area)s, %(place)s, clock_timestamp() - age, clock_timestamp() - age + lasts, about
  FROM unnest(%(keys)s::bytea[], %(abouts)s::text[], %(ages)s::interval[], %(lasts)s::interval[])
       AS asked (key, about, age, lasts)
 ORDER BY key
ON CONFLICT DO NOTHING
RETURNING pg_catalog.pg_notify(%(channel)s, '')
"""
_CLOSE: LiteralString = """
UPDATE intentls.questions SET closed = clock_timestamp(), is_taken = outcome.is_taken
  FROM unnest(%(keys)s::bytea[], %(taken)s::boolean[]) AS outcome (key, is_taken)
 WHERE repository = %(repository)s AND questions.key = outcome.key AND place = %(place)s AND closed IS NULL
RETURNING pg_catalog.pg_notify(%(channel)s, '')
"""
_FORGET: LiteralString = """
DELETE FROM intentls.questions
 WHERE repository = %(repository)s AND place = %(place)s
   AND (closed < clock_timestamp() - interval '1 minute' OR until < clock_timestamp() - interval '1 hour')
"""
_ANSWER: LiteralString = """
INSERT INTO intentls.answers (repository, key, place, digest, action, about)
SELECT repository, key, %(place)s, %(digest)s, %(action)s, %(about)s FROM intentls.questions
 WHERE repository = %(repository)s AND key = %(key)s AND closed IS NULL AND until > clock_timestamp()
ON CONFLICT DO NOTHING
RETURNING pg_catalog.pg_notify(%(channel)s, '')
"""
_REJECT: LiteralString = """
DELETE FROM intentls.answers USING intentls.questions
 WHERE answers.repository = %(repository)s AND answers.key = %(key)s
   AND questions.repository = answers.repository AND questions.key = answers.key AND questions.closed IS NULL
RETURNING pg_catalog.pg_notify(%(channel)s, '')
"""
_LISTEN: LiteralString = """
INSERT INTO intentls.listeners (repository, area, place, seen)
VALUES (%(repository)s, %(area)s, %(place)s, clock_timestamp())
ON CONFLICT (repository, area, place) DO UPDATE SET seen = clock_timestamp()
RETURNING CASE WHEN xmax = 0 THEN pg_catalog.pg_notify(%(channel)s, '')::text END
"""
_LISTEN_NO_MORE: LiteralString = """
DELETE FROM intentls.listeners WHERE repository = %(repository)s AND area = %(area)s AND place = %(place)s
RETURNING pg_catalog.pg_notify(%(channel)s, '')
"""
_LISTENERS: LiteralString = """
SELECT count(*) FROM intentls.listeners
 WHERE repository = %(repository)s AND area = %(area)s AND place <> %(place)s
   AND seen > clock_timestamp() - interval '1 minute'
"""
_MAY_ANSWER: LiteralString = "SELECT count(*) FROM intentls.answerers WHERE repository = %(repository)s"
_ANSWER_TO: LiteralString = """
SELECT digest, action, about, role FROM intentls.answers WHERE repository = %(repository)s AND key = %(key)s
"""


class RemoteAnswer(Struct, frozen=True):
    """An answer as the database has it. `by` is the name that its place gave, `role` the role that the database knows
    it by. `is_own`: it was given at this place. `digest` is the hash of the question that was shown.
    """

    action: str
    by: str
    host: str
    role: str
    digest: bytes
    is_own: bool = False


class QuestionRow(Struct, frozen=True):
    """A question as the database has it. `facts` is what `ask` was given, `digest` its hash.

    `is_own`: it was asked at this place. `age_s` is for how long it has been asked, by the server's clock, `lasts_s`
    for how long it is open in all. `is_taken`: an answer counted; None while it is not closed.
    """

    key: bytes
    facts: dict[str, Any]
    digest: bytes
    is_own: bool
    is_closed: bool
    is_taken: bool | None
    age_s: float
    lasts_s: float
    answer: RemoteAnswer | None

    @property
    def left_s(self) -> float:
        """For how many seconds it is open yet."""
        return self.lasts_s - self.age_s


class OwnQuestion(Struct, frozen=True):
    """A question of this place. `facts` are what may leave the machine."""

    id: str
    facts: dict[str, Any]
    age_s: float
    lasts_s: float


class QuestionRows:
    """The rows of one place, over an open connection. Every method raises psycopg.Error."""

    def __init__(self, connection: psycopg.Connection[TupleRow], place: ClonePlace) -> None:
        self._connection = connection
        self._place = place
        area, name = hash_parts(place.area), hash_parts(place.name)
        self._own = {"repository": place.repository, "area": area, "place": name, "channel": channel(place)}

    def standing(self) -> list[QuestionRow]:
        """The questions of this root on all machines, and what became of those that were open lately; oldest first.

        Rows that make no sense are left out (logged).
        """
        rows = []
        for key, is_own, about, is_closed, is_taken, age_s, lasts_s, *answer in self._rows(_STANDING):
            facts = _facts(about)
            if facts is not None:
                row = QuestionRow(
                    bytes(key), facts, _digest(about), is_own, is_closed, is_taken, age_s, lasts_s, _answer(*answer)
                )
                rows.append(row)
        return rows

    def ask(self, questions: Iterable[OwnQuestion]) -> None:
        """Ask these, unless they are asked already. One that is too long to be a row is left out (logged)."""
        questions = list(questions)
        abouts = {question.id: encode_text(question.facts) for question in questions}
        fitting = [question for question in questions if len(abouts[question.id]) <= _MAX_ABOUT]
        if len(fitting) < len(abouts):
            log.warning("a question is too long for other machines")
        values = {
            "keys": [question_key(self._place, question.id) for question in fitting],
            "abouts": [abouts[question.id] for question in fitting],
            "ages": [_seconds(question.age_s) for question in fitting],
            "lasts": [_seconds(question.lasts_s) for question in fitting],
        }
        self._rows(_ASK, values)

    def close(self, outcomes: Mapping[bytes, bool]) -> None:
        """These questions of this place are closed: whether an answer from elsewhere counted, by key."""
        self._rows(_CLOSE, {"keys": list(outcomes), "taken": list(outcomes.values())})

    def forget(self) -> None:
        """Delete the questions of this place that have been closed for long enough that all know."""
        self._rows(_FORGET)

    def answer(self, row: QuestionRow, action: str, by: str) -> None:
        """Answer; nothing happens where there is an answer already, or the question is closed."""
        about = encode_text({"by": by, "host": self._place.host})
        self._rows(_ANSWER, {"key": row.key, "digest": row.digest, "action": action, "about": about})

    def reject(self, key: bytes) -> None:
        """Remove an answer that does not count, so that another may be given; nothing happens to a closed question."""
        self._rows(_REJECT, {"key": key})

    def listen(self, *, listens: bool) -> None:
        """A person at this place sees questions, from now on; or nobody does any more."""
        self._rows(_LISTEN if listens else _LISTEN_NO_MORE)

    def listeners(self) -> int:
        """At how many other places a person sees questions."""
        return int(self._rows(_LISTENERS)[0][0])

    def may_answer(self) -> bool:
        """Whether this role may answer questions of this repository."""
        return int(self._rows(_MAY_ANSWER)[0][0]) > 0

    def answer_to(self, id_: str) -> RemoteAnswer | None:
        """The answer to a question of this place."""
        rows = self._rows(_ANSWER_TO, {"key": question_key(self._place, id_)})
        return _answer(False, *rows[0]) if rows else None

    def hear(self) -> None:
        """Be told from now on of every change."""
        self._connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel(self._place))))

    def _rows(self, statement: LiteralString, values: Mapping[str, Any] | None = None) -> list[TupleRow]:
        cursor = self._connection.execute(statement, {**self._own, **(values or {})})
        return cursor.fetchall() if cursor.description is not None else []


def read_answer(address: str, place: ClonePlace, id_: str) -> RemoteAnswer | None:
    """The answer to a question of `place`, read over a connection of its own. Raises StoreError."""
    try:
        with connect(address) as connection:
            return QuestionRows(connection, place).answer_to(id_)
    except psycopg.Error as error:
        raise StoreError(f"the database refuses: {reason(error, address)}") from None


def question_key(place: ClonePlace, id_: str) -> bytes:
    """What tells a question of a place from all others."""
    return hash_parts(place.name, id_)


def channel(place: ClonePlace) -> str:
    """The channel on which the questions of a root are told of."""
    return "intentls_questions_" + hash_parts(place.repository, place.area).hex()[:32]


def digest_of(facts: dict[str, Any]) -> bytes:
    """The hash that an answer to a question with these facts cites."""
    return _digest(encode_text(facts))


def _digest(about: str) -> bytes:
    return hashlib.sha256(about.encode("utf-8")).digest()


def _facts(about: str) -> dict[str, Any] | None:
    try:
        facts = json.loads(about)
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict):
        log.warning("a row of questions makes no sense")
        return None
    return facts


def _answer(
    is_own: bool | None, digest: bytes | None, action: str | None, about: str | None, role: str | None
) -> RemoteAnswer | None:
    if action is None or about is None or digest is None:
        return None
    facts = _facts(about) or {}
    by, host = (str(facts.get(name, "")) for name in ("by", "host"))
    return RemoteAnswer(action, by, host, str(role), bytes(digest), bool(is_own))


def _seconds(seconds: float) -> str:
    """An interval as PostgreSQL reads it, within a day."""
    return f"{min(max(seconds, 0.0), _MAX_DAY_S):.3f} seconds"
