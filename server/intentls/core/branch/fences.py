"""Late writes: changes that a session made under a lease which another one had taken over by then.

Where many machines share their leases, a record says of each file under which fence it was changed, since when the
session held the path, and when it was used, all by the database's clock. A fence grows with each holder of a path, so
two records of one path tell by themselves which one was late.

Worked example: `{fence: 5, since: 12:00, used: 12:31}` and `{fence: 7, since: 12:30, used: 12:32}` of one path: the
first was written at 12:31 by a holder that lost the path at 12:30. It is late. Used at 12:29 it is not.

An edit that a kill cut off is finished later, and its record says `used` of that moment. Where nobody knows the
database's time then, it says none, and counts as late as soon as another took the path over: it may have been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from intentls.core.branch.findings import BranchCode, BranchFinding
from intentls.core.intents.lease import FencedUse
from intentls.core.ledger.record_json import files_of


class _Use(Struct, frozen=True):
    path: str
    fence: int
    since: datetime
    used: datetime | None
    record_id: str
    session_id: str


def late_writes(
    records: Iterable[Mapping[str, Any]], older: Callable[[], Iterable[Mapping[str, Any]]], prefix: str
) -> list[BranchFinding]:
    """The late writes among `records`, compared with each other and with the `older` ones, in order.

    `prefix` is that of the root. What a record says of a lease in another form counts for nothing.
    """
    uses = [use for record in records for use in _uses(record)]
    if not uses:
        return []
    paths = {use.path for use in uses}
    by_path: dict[str, list[_Use]] = {}
    for use in (*uses, *(use for record in older() for use in _uses(record) if use.path in paths)):
        by_path.setdefault(use.path, []).append(use)
    newer = {path: _first_takeovers(of_path) for path, of_path in by_path.items()}
    late = []
    for use in uses:
        taken = newer[use.path].get(use.fence)
        if taken is not None and (use.used is None or taken.since <= use.used):
            message = f"{_told(use, taken)} See what each of them made of the file."
            ids = (use.record_id, taken.record_id)
            late.append(BranchFinding(BranchCode.LATE_WRITE, prefix + use.path, message, record_ids=ids))
    return late


def _told(use: _Use, taken: _Use) -> str:
    changed, under = f"{use.path} was changed by session {use.session_id}", f"under lease {use.fence}"
    if use.used is None:
        return (
            f"{changed} {under}, and finished by the next process after a kill, at a time that is not known: maybe "
            f"after session {taken.session_id} had taken it over as lease {taken.fence}."
        )
    return (
        f"{changed} at {use.used:%Y-%m-%dT%H:%M:%SZ} {under}, which session {taken.session_id} had taken over as lease "
        f"{taken.fence} by then."
    )


def finished_later(record: Mapping[str, Any], uses: Mapping[str, FencedUse]) -> dict[str, Any]:
    """The record of a change that was finished later than it says. `uses`: of the leases on its paths at that moment.

    A lease that is not among them has no time of use then.
    """
    result = dict(record)
    if "files" in record:
        result["files"] = [_finished_later(file, uses) for file in record["files"]]
    return result


def _finished_later(file: Mapping[str, Any], uses: Mapping[str, FencedUse]) -> dict[str, Any]:
    lease: Any = file.get("lease")
    if not isinstance(lease, dict):
        return dict(file)
    use = uses.get(str(file.get("path")))
    used = {} if use is None else {"used": use.to_json()["used"]}
    return {**file, "lease": {key: value for key, value in lease.items() if key != "used"} | used}


def _first_takeovers(uses: list[_Use]) -> dict[int, _Use]:
    """For each fence of a path, the use under a higher one that took the path first."""
    takeovers: dict[int, _Use] = {}
    first: _Use | None = None
    waiting: list[_Use] = []
    for use in sorted(uses, key=lambda use: use.fence, reverse=True):
        if waiting and waiting[0].fence != use.fence:
            first = min((*waiting, *([] if first is None else [first])), key=lambda one: one.since)
            waiting = []
        waiting.append(use)
        if first is not None:
            takeovers[use.fence] = first
    return takeovers


def _uses(record: Mapping[str, Any]) -> Iterator[_Use]:
    if record.get("success") is not True:
        return
    for file in files_of(record):
        lease: Any = file.get("lease")
        if not isinstance(lease, dict):
            continue
        fence, since, used = lease.get("fence"), _moment(lease.get("since")), _moment(lease.get("used"))
        if isinstance(fence, int) and since is not None and (used is not None or "used" not in lease):
            yield _Use(str(file.get("path")), fence, since, used, str(record.get("id")), str(record.get("session_id")))


def _moment(text: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None
