"""Options that name a time: a date, a moment, or how long ago."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from intentls.engine.wire import arguments

TIME_FORMS = "2026-02-18, 2026-02-18T18:30:00Z, or 30m, 12h, 7d"

_AGO = re.compile(r"(?P<number>[0-9]{1,6})(?P<unit>[mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment(option: str, text: str | None) -> datetime | None:
    """The time that `option` names with `text`; None if it was not given. Raises InvalidArgument.

    Example: `7d` is this moment seven days ago; a span that begins before year 1 is the beginning of time.
    """
    ago = _AGO.fullmatch(text or "")
    if ago is None:
        return arguments.moment(option, text)
    try:
        return datetime.now(UTC) - timedelta(**{_UNITS[ago["unit"]]: int(ago["number"])})
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)
