"""The client's settings: `initializationOptions`, or the `intentls` section of its configuration."""

from __future__ import annotations

import logging
import re
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

log = logging.getLogger(__name__)


class LspOptions(Struct, frozen=True):
    """`trusted`: linters named by the workspace may run. `interactive`: the client answers questions although it
    does not announce it (Emacs, Vim). `code_lens`, `inlay_hints`: authors are shown above the lines, and behind them.
    `proposals`: the client takes `intentls/proposed` before a question. `hook_daemon`: start the process that answers
    agents' hooks. `states`: the client takes `intentls/stateChanged`; `questions`: it takes `intentls/questions`
    instead of a message for each. In JSON the names are in camel case: `codeLens`.
    """

    trusted: bool = False
    interactive: bool = False
    code_lens: bool = True
    inlay_hints: bool = False
    proposals: bool = False
    states: bool = False
    hook_daemon: bool = False
    questions: bool = False

    @classmethod
    def parse(cls, settings: Any) -> LspOptions:
        """Options from JSON. A bad value is logged and its default holds; unknown keys are ignored."""
        values = settings.get("intentls", settings) if isinstance(settings, dict) else None
        if not isinstance(values, dict):
            return cls()
        valid: dict[str, bool] = {}
        for field, default in asdict(cls()).items():
            name = setting(field)
            value = values.get(name)
            if isinstance(value, bool):
                valid[field] = value
            elif value is not None:
                log.warning(
                    "setting %s must be true or false, not %r; it stays %s", name, value, "on" if default else "off"
                )
        return cls(**valid)


def setting(field: str) -> str:
    """The JSON name of a field of `Options`: `code_lens` is `codeLens`."""
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), field)
