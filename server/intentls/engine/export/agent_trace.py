"""Agent Trace: one record a line, each valid against the published schema; our own keys stay in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

from intentls.core.ledger.hash_chain import encode
from intentls.store.ledger.jsonl_import import is_valid


def write(records: Iterable[dict[str, Any]], out: IO[bytes]) -> int:
    """Write the valid ones; how many were left out (of other writers: ours are valid)."""
    left_out = 0
    for record in records:
        if is_valid(record):
            out.write(encode(record) + b"\n")
        else:
            left_out += 1
    return left_out
