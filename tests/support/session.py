"""A real server in a workspace, spoken to by the bare client."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.wire import Wire

SERVER = (sys.executable, "-m", "intentls", "serve")
Json = dict[str, Any]

ASKING = {"window": {"showMessage": {"messageActionItem": {}}}, "workspace": {"applyEdit": True}}


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


@contextmanager
def session(
    root: Path,
    capabilities: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    folders: list[Path] | None = None,
) -> Iterator[Session]:
    """Start a server for `root` and end it properly; its log is shown if the test fails."""
    with Wire.start(SERVER, cwd=root) as wire:
        wire.initialize(
            rootUri=root.as_uri(),
            workspaceFolders=[{"uri": folder.as_uri(), "name": folder.name} for folder in folders or [root]],
            capabilities=dict(capabilities or {}),
            initializationOptions=dict(options or {}),
        )
        try:
            yield Session(wire, root)
        except BaseException:
            sys.stderr.write(wire.log())
            raise
        assert wire.shutdown() == 0
