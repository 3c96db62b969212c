"""When things happened: each kind counted in equal parts of the time between the first and the last."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from intentls.core.report.content import Lane, Timeline
from intentls.core.report.records import moment_of

PARTS = 96


def timeline(happenings: Iterable[tuple[str, str]], kinds: Iterable[str]) -> Timeline:
    """The lanes of `kinds`, in that order, those without happenings left out. A happening is a kind and a timestamp.

    Example: of one thing at 10:00, one at 11:00 and one at 14:00 the parts 0, 24 and 95 count one each.
    """
    dated: list[tuple[str, datetime]] = []
    undated = 0
    for kind, timestamp in happenings:
        moment = moment_of(timestamp)
        if moment is None:
            undated += 1
        else:
            dated.append((kind, moment))
    if not dated:
        return Timeline(None, None, (), undated)
    moments = [moment for _, moment in dated]
    start, end = min(moments), max(moments)
    counts: dict[str, list[int]] = {}
    for kind, moment in dated:
        counts.setdefault(kind, [0] * PARTS)[_part(moment - start, end - start)] += 1
    lanes = tuple(Lane(kind, sum(counts[kind]), tuple(counts[kind])) for kind in kinds if kind in counts)
    return Timeline(start.isoformat(), end.isoformat(), lanes, undated)


def _part(since: timedelta, whole: timedelta) -> int:
    return min(PARTS * since // whole, PARTS - 1) if whole else 0
