"""What each patch in patches/pygls gains: servers on several clones of pygls, side by side, asked through pipes.

    python benchmarks/pygls_patches.py CLONE...

A clone is a folder with a `pygls` package. A line for each kind of talk and each clone: the median time, and its ratio
to that of the first clone. The servers take turns, and are started five times.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

STARTS, TURNS = 5, 12

SERVER = """
from pygls.lsp.server import LanguageServer

server = LanguageServer("tiny", "1")
server.command("add")(lambda ls, left, right: left)
server.feature("tiny/ask")(lambda params: 1)
server.start_io()
"""


def frame(method: str, params: Any, **rest: int) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **rest}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def add(left: object) -> bytes:
    return frame("workspace/executeCommand", {"command": "add", "arguments": [left, 2]}, id=1)


PLACE = {"textDocument": {"uri": "file:///w/x.py"}, "position": {"line": 1, "character": 2}}
# What is sent at once, and is answered once; how often in a turn.
TALKS = {
    "a command": (add(1), 20),
    "a custom request": (frame("tiny/ask", PLACE, id=1), 20),
    "100 notifications": (frame("$/setTrace", {"value": "off"}) * 100 + add(1), 1),
    "2 MB": (add("x" * 2_000_000), 1),
}


class Server:
    """A server of its own process, with the pygls of a folder."""

    def __init__(self, folder: Path) -> None:
        command, env = [sys.executable, "-c", SERVER], {**os.environ, "PYTHONPATH": str(folder)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self.ask(frame("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=0))

    def ask(self, data: bytes) -> float:
        """Seconds until the answer is here."""
        began = time.perf_counter()
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(data)
        self.process.stdin.flush()
        while (header := self.process.stdout.readline()) != b"\r\n":
            if header.startswith(b"Content-Length: "):
                length = int(header.split()[1])
        self.process.stdout.read(length)
        return time.perf_counter() - began

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def main(folders: list[Path]) -> None:
    took: dict[tuple[str, Path], list[float]] = {(talk, folder): [] for talk in TALKS for folder in folders}
    for _ in range(STARTS):
        servers = {folder: Server(folder) for folder in folders}
        for talk, (data, times) in TALKS.items():
            for turn in range(TURNS + 1):
                for folder in folders if turn % 2 else reversed(folders):
                    seconds = [servers[folder].ask(data) for _ in range(times)]
                    took[talk, folder] += seconds if turn else []  # the first turn warms up
        for server in servers.values():
            server.end()
    for talk in TALKS:
        for folder in folders:
            own, first = median(took[talk, folder]), median(took[talk, folders[0]])
            print(f"{talk:18} {folder.name:20} {own * 1e6:6.0f} us  {own / first:.2f}")


if __name__ == "__main__":
    main([Path(argument).resolve() for argument in sys.argv[1:]])
