"""`intentls/initFolder`: what `intentls init` does, for a client that declares the first intent of a folder."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from intentls.core.errors import IntentlsError
from intentls.engine.wire import reports
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.host import path_of


async def init_folder(connection: LspConnection, params: Any) -> Any:
    """Add what the workspace folder `{folder}` (a URI) lacks; the answer is that of `intentls init --json`.

    Any other folder is refused, and so is one that `intentls init` refuses: -32602.
    """
    folder = path_of(str(params["folder"])) if isinstance(params, dict) and "folder" in params else None
    if folder is None or folder not in connection.host.folders():
        raise JsonRpcInvalidParams("`folder` is none of the workspace's folders")
    from intentls.engine.setup.init import initialise  # few sessions need it

    try:
        steps = await connection.edits.run(lambda: initialise(folder))
    except IntentlsError as error:
        raise JsonRpcInvalidParams(str(error)) from error
    await connection.edits.run(connection.open_roots)
    connection.refresh_editor()
    return reports.initialised(folder, steps)
