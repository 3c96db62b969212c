"""What the engine warns of, for the user of a verb: never a traceback."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


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


@contextmanager
def kept_warnings() -> Iterator[None]:
    """Keep what the engine warns of meanwhile, and show it at the end: until then the terminal is a command's."""
    log, kept = logging.getLogger("intentls"), _KeptWarnings()
    log.addHandler(kept)
    before, log.propagate = log.propagate, False
    try:
        yield
    finally:
        log.removeHandler(kept)
        log.propagate = before
        for message in dict.fromkeys(kept.messages):
            sys.stderr.write(f"intentls: {message}\n")


class _KeptWarnings(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
