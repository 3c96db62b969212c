"""The indexes of the ledgers, which grow after an answer is out: apart from the queries, which a start does without."""

from __future__ import annotations

import time

from intentls.engine.workspace.engine import Engine


def has_index_work(engine: Engine) -> bool:
    """Whether `update_indexes` has something to do."""
    return any(workspace.ledger.is_index_behind for workspace in engine.loaded())


def update_indexes(engine: Engine) -> None:
    """After an answer: extend every root's index, where it is behind."""
    for workspace in engine.loaded():
        while workspace.ledger.catch_up():
            time.sleep(0)  # another thread may take the interpreter
