"""What a hook reads before it asks the daemon, and where a daemon can listen."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import intentls
from intentls.faces.hook import daemon_client, daemon_server
from tests.support.patience import PATIENCE_S

WITH_OS = ("os", "os.path", "posixpath", "genericpath", "stat", "_stat", "_collections_abc")
LOADED = """
import sys
sys.path.insert(0, sys.argv.pop())
before = set(sys.modules)
import intentls.__main__
from intentls.faces.hook import daemon_client
print(*set(sys.modules) - before)
"""


def test_asking_a_daemon_loads_next_to_nothing() -> None:
    """Not even `typing`, which brings `re` and `collections`: that took as long as starting Python."""
    place = str(Path(intentls.__file__).parent.parent)
    command = [sys.executable, "-I", "-S", "-c", LOADED, place]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    loaded = {name for name in done.stdout.split() if not name.startswith("intentls")}
    assert loaded <= {"__future__", "atexit", "gc", "_socket", *WITH_OS}


@pytest.mark.parametrize(("given", "taken"), [(4, 4), (5, 5), (100, 5)])
def test_of_an_event_that_is_too_large_only_so_much_is_read_that_it_shows(
    monkeypatch: pytest.MonkeyPatch, given: int, taken: int
) -> None:
    """In whatever pieces it comes."""
    left = [given]

    def read(descriptor: int, most: int) -> bytes:
        assert descriptor == 0
        piece = b"x" * min(most, 3, left[0])
        left[0] -= len(piece)
        return piece

    monkeypatch.setattr(daemon_client, "MAX_EVENT_BYTES", 4)
    with monkeypatch.context() as patch:
        patch.setattr(os, "read", read)
        data = daemon_client._read()
    assert data == b"x" * taken


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no such sockets")
def test_a_path_that_is_too_long_for_a_socket_is_told() -> None:
    with (
        socket.socket(socket.AF_UNIX) as listener,
        pytest.raises(daemon_server.CanNotServe, match="there can be no socket at /xxx"),
    ):
        daemon_server._bind(listener, "/" + "x" * 200)
