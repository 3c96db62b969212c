"""The root whose journal is tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.journaling import Store, make_store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_store(tmp_path / "root")


@pytest.fixture
def root(store: Store) -> Path:
    return store.layout.root
