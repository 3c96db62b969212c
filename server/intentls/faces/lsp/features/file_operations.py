"""`workspace/didRenameFiles`: a file renamed in the editor keeps its history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.host import path_of
from intentls.late_module import LateModule

if TYPE_CHECKING:
    from intentls.engine.edits import renames
else:
    renames = LateModule("intentls.engine.edits.renames")

FILTERS = [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]


async def did_rename_files(connection: LspConnection, params: types.RenameFilesParams) -> None:
    """Record the renames, after the saves before them."""
    pairs = [(path_of(file.old_uri), path_of(file.new_uri)) for file in params.files]

    def record() -> None:
        for old, new in pairs:
            if old is not None and new is not None:
                renames.renamed(connection.engine, old, new, connection.session_id)

    await connection.edits.run(record)
    connection.refresh_editor()
