"""A power loss: what was answered is there after the next start, and what people changed since stays."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.faults.sampling import LONG
from tests.store.journaling import Store
from tests.store.power_loss import History, boot, edit_again, open_store

HISTORIES, LOSSES = (120, 60) if LONG else (16, 20)


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_whatever_a_power_loss_takes_every_answered_edit_is_there_with_its_record(tmp_path: Path, seed: int) -> None:
    """Files lost, torn or old, each on its own; the edit that was cut off is there wholly or not at all."""
    history = History(tmp_path, seed)
    for number in range(LOSSES):
        tree = history.lose(random.Random(seed * 1000 + number))
        with boot("two", tmp_path):
            store = open_store(history.root, tree)
            store.journal.recover()
            check(history, store)
            assert store.journal.recover() == []
            edit_again(store)
            assert store.content("next") == b"next"
            assert store.ledger.verify().problems == ()
        (history.root / "next").unlink()


def check(history: History, store: Store) -> None:
    """Contents and records are what was answered, or with the edit that was cut off."""
    now = {path: store.content(path) for path in {**history.contents, **history.cut_off}}
    whole = {path: history.contents.get(path) for path in now}
    happened = bool(history.cut_off) and now == whole | history.cut_off
    assert happened or now == whole
    ids = [found["id"] for found in store.records]
    assert sorted(ids) == sorted([*history.answered, *(["cut"] if happened else [])])
    assert store.ledger.verify().problems == ()
    assert store.leftovers() == []
    assert os.listdir(store.layout.write_ahead) == []
