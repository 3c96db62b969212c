"""What a client may configure: `initializationOptions`, or the `intentls` section of its settings."""

from __future__ import annotations

import logging
from dataclasses import dataclass, fields
from typing import Any

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Options:
    """`trusted`: linters named by the workspace may run. `interactive`: the client answers questions
    although it does not announce it (Emacs, Vim).
    """

    trusted: bool = False
    interactive: bool = False

    @classmethod
    def parse(cls, given: Any) -> Options:
        """Options from JSON. A bad value is logged and its default holds; unknown keys are other people's."""
        if not isinstance(given, dict):
            return cls()
        values = given.get("intentls", given)
        if not isinstance(values, dict):
            return cls()
        good: dict[str, bool] = {}
        for field in fields(cls):
            value = values.get(field.name)
            if isinstance(value, bool):
                good[field.name] = value
            elif value is not None:
                log.warning("setting %s must be true or false, not %r; it stays off", field.name, value)
        return cls(**good)
