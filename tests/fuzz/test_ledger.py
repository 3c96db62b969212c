"""Any bytes in place of the ledger."""

from __future__ import annotations

from hypothesis import given, settings

from tests.fuzz import inputs
from tests.fuzz.entrances import ledger
from tests.fuzz.strategies import chains, mutated, records

_NAMES = ("path", "files", "conversations", "ranges", "contributor", "type", "chain", "writer", "seq", "prev", "id")


@settings(max_examples=60)
@given(mutated(inputs.LEDGER, inputs.LEDGER_TOKENS))
def test_any_bytes_are_verified_queried_and_blamed(data: bytes) -> None:
    """Lines that are no records are named by number; the others are answered with; the file stays as it is."""
    ledger.ledger(data)


@settings(max_examples=60)
@given(records(_NAMES, chains()))
def test_any_records_are_verified_queried_and_blamed(data: bytes) -> None:
    """The same for lines that are JSON, with any value at any place."""
    ledger.ledger(data)
