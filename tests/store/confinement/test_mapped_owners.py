"""Whose files a staged command can change, as somebody other than root is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from intentls.store.confinement.mapped_owners import why_not_changeable

pytestmark = pytest.mark.skipif(os.name == "nt", reason="users of POSIX")


@pytest.mark.parametrize("foreign", [[], ["b.py"]])
def test_an_entry_of_the_root_that_vanishes_while_a_run_starts_does_not_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, foreign: list[str]
) -> None:
    """An editor's temporary file, say: it is listed, and gone when it is looked at. Those after it are looked at."""
    (tmp_path / "b.py").touch()
    status = tmp_path.stat()
    monkeypatch.setattr(Path, "iterdir", lambda folder: iter([folder / "gone.tmp", folder / "b.py"]))
    monkeypatch.setattr(os, "geteuid", lambda: status.st_uid + 1)
    monkeypatch.setattr(os, "getegid", lambda: status.st_gid)
    monkeypatch.setattr(os, "access", lambda path, _: path.name in foreign)
    reason = why_not_changeable(tmp_path)
    assert (reason or "").startswith("b.py belongs to another user" if foreign else "")
    assert (reason is None) is not bool(foreign)
