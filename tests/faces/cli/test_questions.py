"""`intentls questions --watch` at a terminal."""

from __future__ import annotations

import fcntl
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.cli.commands import questions
from intentls.store.fs.directory_watch import DirectoryWatch

pytestmark = pytest.mark.usefixtures("each_store")

pty = pytest.importorskip("pty")
_HIGH = 1_100  # more than `select` can look at


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of a terminal that is stdin, in a process with more than a thousand open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * _HIGH:
        pytest.skip("this system lets no process open that many files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * _HIGH), hard))
    ours, theirs = pty.openpty()
    high = fcntl.fcntl(theirs, fcntl.F_DUPFD, _HIGH)
    with open(high, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield ours
    os.close(ours)
    os.close(theirs)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_line_is_taken_from_a_terminal_with_a_high_number(keyboard: int, workspace: Path) -> None:
    """Without an open question it says nothing; the end of the input ends the wait."""
    root = Engine(Headless("cli", (workspace,))).workspace(workspace)
    watch = DirectoryWatch(root.layout.questions)
    try:
        os.write(keyboard, b"a\n")
        questions._take_line(root, {}, watch)
        os.write(keyboard, b"\x04")
        with pytest.raises(EOFError):
            questions._take_line(root, {}, watch)
    finally:
        watch.close()
