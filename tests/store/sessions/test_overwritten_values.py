"""Values that are overwritten in place: who watches their directory hears of them when they can be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from intentls.store.fs.change_watch import ChangeWatch
from intentls.store.sessions.sessions import Session, Sessions


def test_who_watches_sessions_hears_of_a_change_after_it_can_be_read(tmp_path: Path) -> None:
    """What a process listed counts until the directory has a new stamp: news before that would be read as old."""
    sessions = Sessions(tmp_path)
    sessions.save(Session("s1"))
    os.utime(tmp_path, ns=(1, 1))
    assert [session.intent_id for session in sessions.all()] == [None]
    watch = ChangeWatch.begin()
    if watch is None:
        pytest.skip("this system tells of no changes")
    watch.set([tmp_path])
    sessions.update("s1", lambda session: session.under("INT-001"))
    news = watch.changes()
    watch.close()
    assert news[-1] == (tmp_path, "")  # the directory's own stamp
    assert [session.intent_id for session in sessions.all()] == ["INT-001"]
