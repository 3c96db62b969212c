"""Regular expressions that are compiled when they are first used: a short process uses a fifth of what it loads."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def late_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile(pattern, flags)`, for a module's own constants: a mistake in one shows with its first use."""
    return cast("re.Pattern[AnyStr]", LatePattern(pattern, flags))


class LatePattern:
    """Stands for the compiled expression. What was asked of it once is found as quickly as there."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value
