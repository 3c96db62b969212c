"""A root with nothing in it, and its ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.store.ledger.ledger import Ledger
from tests.support.ledgers import make_ledger


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / ".orchestration").mkdir(parents=True)
    return tmp_path / "root"


@pytest.fixture
def ledger(root: Path) -> Ledger:
    return make_ledger(root)
