"""A root's ledger, as a process of its own would open it."""

from __future__ import annotations

from pathlib import Path

from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger


def make_ledger(root: Path) -> Ledger:
    layout = Layout(root)
    return Ledger(layout, ChainHeads(layout))
