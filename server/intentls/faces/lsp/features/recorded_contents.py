"""`intentls/recordedContents`: what a change on record made of a file, for a client that shows it as a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from intentls.core.errors import IntentlsError
from intentls.engine.ledger.recorded_contents import Unknown, recorded_contents
from intentls.faces.lsp.connection import LspConnection


async def contents(connection: LspConnection, params: Any) -> Any:
    """`{before, after}` for `{id, path, root?}`: null where there was no file, left out where it is not known any more.

    `id` is the record's, `path` root-relative as the record has it.
    """
    try:
        record_id, path, root = str(params["id"]), str(params["path"]), params.get("root")
    except (KeyError, TypeError, AttributeError):
        return {}

    def query() -> dict[str, str | None]:
        workspaces = [
            workspace for workspace in connection.engine.workspaces() if root in (None, Path(workspace.root).as_posix())
        ]
        for workspace in workspaces:
            try:
                found = recorded_contents(workspace, record_id, path)
            except IntentlsError:
                continue
            sides = {"before": found.before, "after": found.after}
            texts = {name: text for name, text in sides.items() if not isinstance(text, Unknown)}
            if texts:
                return texts
        return {}

    return await connection.queries.run(query)
