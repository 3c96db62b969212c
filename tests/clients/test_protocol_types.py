"""The TypeScript types of the VS Code client come from the server's table of operations."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "client-vscode" / "scripts" / "protocol.py"


def test_the_types_of_the_client_are_those_of_the_server() -> None:
    """`client-vscode/src/protocol.ts` is what the generator writes now."""
    spec = importlib.util.spec_from_file_location("protocol", SCRIPT)
    assert spec is not None and spec.loader is not None
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.FILE.read_text(encoding="utf-8") == generator.text(), f"run python {SCRIPT.name} again"
