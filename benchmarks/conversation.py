"""A peer that stays: one JSON document a line to it, one back. It times itself, so that no pipe is in the figure."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class Conversation:
    """A running process that answers line by line (`benchmarks/peers/answering.js` for Node)."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def ask(self, question: Any) -> Any:
        """What it answers. EOFError if it ended instead."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EOFError(f"{self._process.args!r} ended")
        return json.loads(line)


@contextmanager
def conversation(command: Sequence[str]) -> Iterator[Conversation]:
    """Start a peer, and end it afterwards."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield Conversation(process)
    finally:
        process.kill()
        process.communicate()
