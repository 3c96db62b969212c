"""What a hook reads before it asks the daemon, and where a daemon can listen."""

from __future__ import annotations

import os
import socket

import pytest

from intentls.faces.hook import daemon_client, daemon_server


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
