"""What a client may configure: `initializationOptions`, or the `intentls` section of its settings."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, fields
from typing import Any

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Options:
    """`trusted`: linters named by the workspace may run. `interactive`: the client answers questions
    although it does not announce it (Emacs, Vim). `code_lens` and `inlay_hints`: whether code shows who wrote it
    above the lines, and behind them. `proposals`: the client takes `intentls/proposed` before a question.
    `hook_daemon`: agents' hooks are to be answered by a process that stays.
    In JSON the names are written as in `codeLens`.
    """

    trusted: bool = False
    interactive: bool = False
    code_lens: bool = True
    inlay_hints: bool = False
    proposals: bool = False
    hook_daemon: bool = False

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
            name = setting(field.name)
            value = values.get(name)
            if isinstance(value, bool):
                good[field.name] = value
            elif value is not None:
                kept = "on" if field.default else "off"
                log.warning("setting %s must be true or false, not %r; it stays %s", name, value, kept)
        return cls(**good)


def setting(field: str) -> str:
    """How a field of `Options` is called in JSON."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), field)
