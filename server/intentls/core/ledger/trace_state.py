"""What became of a record."""

from __future__ import annotations

from enum import StrEnum


class TraceState(StrEnum):
    """Only of a record that is `RECORDED` may an answer say that it is on record."""

    RECORDED = "recorded"  # it stands in the ledger
    WAITING = "waiting"  # the journal keeps it, durably, until the ledger can be written
    LOST = "lost"  # neither the ledger nor the journal can hold it
