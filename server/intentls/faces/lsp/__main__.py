"""Starting the language server: `intentls serve`, or `python -m intentls.faces.lsp`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import intentls
from intentls.faces.lsp.protocol.early_initialize import meet

if TYPE_CHECKING:
    from intentls.faces.lsp.connection import LspConnection


def build() -> LspConnection:
    """A connection with all its features, not yet serving anybody."""
    from intentls.faces.lsp.commands import command_handlers
    from intentls.faces.lsp.connection import LspConnection
    from intentls.faces.lsp.protocol.serve import create_server
    from intentls.faces.lsp.registry import register

    connections: list[LspConnection] = []
    server = create_server("intentls", intentls.__version__, command_handlers(lambda: connections[0]))
    connection = LspConnection(server)
    connections.append(connection)
    register(connection)
    return connection


def serve(address: tuple[str, int] | None = None) -> int:
    """Serve one client on stdin and stdout, or at (host, port); the process's exit code."""
    greeting = meet() if address is None else None  # before anything heavy is imported
    from intentls.faces.lsp.protocol import fast_lsprotocol

    fast_lsprotocol.load()
    from intentls.faces.lsp.protocol.serve import serve_stdio, serve_tcp

    connection = build()
    try:
        if address is not None:
            return serve_tcp(connection.server, *address)
        return serve_stdio(connection.server, greeting=greeting)
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(serve())
