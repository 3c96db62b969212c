"""Starting the language server: `intentls serve`, or `python -m intentls.faces.lsp`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import intentls
from intentls.faces.lsp.protocol.early_initialize import meet

if TYPE_CHECKING:
    from intentls.faces.lsp.connection import Face


def build() -> Face:
    """A face with all its features, not yet serving anybody."""
    from intentls.faces.lsp.connection import Face
    from intentls.faces.lsp.protocol.command_table import CommandTable
    from intentls.faces.lsp.protocol.serve import create_server
    from intentls.faces.lsp.registry import command_handlers, register

    faces: list[Face] = []
    server = create_server("intentls", intentls.__version__, CommandTable(command_handlers(lambda: faces[0])))
    face = Face(server)
    faces.append(face)
    register(face)
    return face


def serve(address: tuple[str, int] | None = None) -> int:
    """Serve one client on stdin and stdout, or at (host, port); the process's exit code."""
    greeting = meet() if address is None else None  # before anything heavy is imported
    from intentls.faces.lsp.protocol import fast_lsprotocol

    fast_lsprotocol.load()
    from intentls.faces.lsp.protocol.serve import serve_stdio, serve_tcp

    face = build()
    try:
        return serve_stdio(face.server, greeting=greeting) if address is None else serve_tcp(face.server, *address)
    finally:
        face.close()


if __name__ == "__main__":
    sys.exit(serve())
