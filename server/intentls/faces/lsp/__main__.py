"""Starting the language server: `intentls serve`, or `python -m intentls.faces.lsp`."""

from __future__ import annotations

import sys

from intentls.faces.lsp.protocol.early_initialize import answer_early


def serve(address: tuple[str, int] | None = None) -> int:
    """Serve one client on stdin and stdout, or at (host, port); the process's exit code."""
    early = answer_early() if address is None else None
    # Imported here, because `initialize` is answered before anything heavy is loaded, and `lsprotocol.types` must be
    # loaded by `fast_lsprotocol` before another module imports it.
    from intentls.faces.lsp.protocol import fast_lsprotocol

    fast_lsprotocol.load()
    from intentls.faces.lsp.registry import serve_client  # as said above

    return serve_client(address, early)


if __name__ == "__main__":
    sys.exit(serve())
