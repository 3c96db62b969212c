"""Which decorators of Python leave alone what they decorate: they read neither its docstring nor its annotations."""

from __future__ import annotations

import re

_QUIET = (
    r"property|staticmethod|classmethod|(abc\.)?abstractmethod|(typing\.)?(override|final)|\w+\.(setter|getter|deleter)"
    r"|(functools\.)?(cached_property|cache|lru_cache.*)|(contextlib\.)?(async)?contextmanager"
)


def quiet(*more: str) -> re.Pattern[str]:
    """An expression that matches these, and `more`, as they are spelled."""
    return re.compile(rf"@({'|'.join((_QUIET, *more))})\Z", re.DOTALL)
