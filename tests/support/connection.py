"""One connection to a server, with the commands and what an editor tells one call away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.wire import Wire

Json = dict[str, Any]


class Session:
    """One connection, initialised, with the commands one call away."""

    def __init__(self, wire: Wire, root: Path) -> None:
        self.wire = wire
        self.root = root
        self._versions: dict[str, int] = {}

    def do(self, command: str, **arguments: Any) -> Json:
        """The result of `intent.<command>`; fails on a protocol error."""
        response = self.wire.command(f"intent.{command}", arguments)
        assert "result" in response, response
        result: Json = response["result"]
        return result

    def fails(self, command: str, **arguments: Any) -> Json:
        """The protocol error that `intent.<command>` is answered with."""
        response = self.wire.command(f"intent.{command}", arguments)
        assert "error" in response, response
        error: Json = response["error"]
        return error

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> None:
        content = (self.root / path).read_bytes().decode() if text is None else text
        self._versions[path] = 1
        document = {"uri": self.uri(path), "languageId": "plaintext", "version": 1, "text": content}
        self.wire.notify("textDocument/didOpen", {"textDocument": document})

    def type(self, path: str, text: str) -> None:
        """Replace the open document's whole text."""
        self._versions[path] += 1
        identifier = {"uri": self.uri(path), "version": self._versions[path]}
        self.wire.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})

    def save(self, path: str, text: str) -> None:
        """Write the file as an editor does, and say so."""
        (self.root / path).write_bytes(text.encode())
        self.wire.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(path)}})

    def close(self, path: str) -> None:
        self.wire.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    @property
    def ledger(self) -> list[Json]:
        """Every record, oldest first."""
        return ledger_of(self.root)


def ledger_of(root: Path, *, torn: bool = False) -> list[Json]:
    """Every record of a root, oldest first; `torn`: but for lines that a kill cut short."""
    file = root / ".orchestration" / "agent_trace.jsonl"
    lines = file.read_bytes().splitlines() if file.exists() else []
    return [json.loads(line) for line in lines if not torn or line.endswith(b"}")]
