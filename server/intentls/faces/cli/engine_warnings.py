"""What the engine warns of, for the user of a verb: never a traceback."""

from __future__ import annotations

import logging
import sys


class _OneLine(logging.Handler):
    """Warnings of the engine as one sentence on stderr; what a developer needs of them is in `intentls serve`'s log."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(f"intentls: {record.getMessage()}\n")


def show_warnings() -> None:
    """From now on; before the engine is asked for anything."""
    log = logging.getLogger("intentls")
    if not any(isinstance(handler, _OneLine) for handler in log.handlers):
        log.addHandler(_OneLine(logging.WARNING))
        log.propagate = False
