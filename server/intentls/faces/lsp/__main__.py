"""Starting the language server: `intentls serve`, or `python -m intentls.faces.lsp`."""

from __future__ import annotations

import gc
import logging
import os
import sys

from intentls.faces.lsp.protocol import fast_lsprotocol


def log_to(file: str | None, level: str) -> None:
    """Write the log to `file`, or to stderr: what is of this level (`warning`) or more severe."""
    logging.basicConfig(
        filename=file,
        level=level.upper(),
        format=f"%(asctime)s intentls[{os.getpid()}] %(levelname)s %(name)s: %(message)s",
    )


def serve(address: tuple[str, int] | None = None) -> int:
    """Serve one client on stdin and stdout, or at (host, port); the process's exit code."""
    gc.disable()  # hardly anything of what is loaded is garbage, and looking for it takes a tenth of the time
    fast_lsprotocol.load()
    # Imported here, because `lsprotocol.types` must be loaded by `fast_lsprotocol` before another module imports it.
    from intentls.faces.lsp.registry import serve_client

    gc.freeze()
    gc.enable()
    return serve_client(address)


if __name__ == "__main__":
    sys.exit(serve())
