"""Warnings of the engine as one sentence each on stderr."""

from __future__ import annotations

import logging
import sys


class OneLineHandler(logging.Handler):
    """What a developer needs of a warning beyond its sentence is in `intentls serve`'s log."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(f"intentls: {record.getMessage()}\n")


def log_to_stderr() -> None:
    """Show the warnings of this process from here on."""
    log = logging.getLogger("intentls")
    if not any(isinstance(handler, OneLineHandler) for handler in log.handlers):
        log.addHandler(OneLineHandler(logging.WARNING))
        log.propagate = False
