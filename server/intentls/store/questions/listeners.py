"""Who would show a question to a person: a file for each process that listens, held as long as it does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from intentls.store.fs.primitives import names_in
from intentls.store.questions.held_file import HeldFile, is_abandoned, is_own, read_held

REMOTE = "remote"
"""The face of a keeper that listens for people at other machines. An agent's process may have started it: it shows a
question to nobody by itself.
"""


class Listeners:
    """The listeners of one root. Every method raises OSError where the disk refuses."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def register(self, face: str) -> HeldFile | None:
        """This process shows questions until the file is released."""
        name = f"{os.getpid()}-{os.urandom(4).hex()}.json"
        return HeldFile.create(self._directory / name, {"face": face})

    def others(self) -> Iterator[tuple[int, str]]:
        """The other processes that listen, each with its face. What dead ones left is removed."""
        for name in names_in(self._directory):
            file = self._directory / name
            if name.startswith(".") or is_own(file):
                continue
            read = read_held(file)
            if read is not None:
                yield read[1], str(read[0].get("face"))
            elif is_abandoned(file):
                file.unlink(missing_ok=True)
