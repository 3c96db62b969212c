"""Times as they are given to options: a date, a moment, or how long ago."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_AGO = re.compile(r"(?P<number>[0-9]{1,6})(?P<unit>[mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

FORMS = "2026-02-18, 2026-02-18T18:30:00Z, or 30m, 12h, 7d"


def moment(option: str, text: str | None) -> datetime | None:
    """The time that an option names, None if it was not given. Raises InvalidArgument."""
    from intentls.engine.wire import arguments

    found = _AGO.fullmatch(text or "")
    if found is None:
        return arguments.moment(option, text)
    try:
        return datetime.now(UTC) - timedelta(**{_UNITS[found["unit"]]: int(found["number"])})
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)
