"""What a confined command changed and the gate did not let land: kept until a person lands it or drops it.

    .state/held/RUN/run.json        the command, its intent and session
    .state/held/RUN/3f9ac2….json    one change: path, why it is held, what it was made from
    .state/held/RUN/3f9ac2….after   the content; none where the file was removed

A newer content of the same path takes the older one's place.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.primitives import names_in
from intentls.store.fs.state_directory import make_directory

_RUN, _CHANGE, _AFTER = "run.json", ".json", ".after"


class HeldRun(Struct, frozen=True):
    """The run that something is held of."""

    id: str
    session_id: str
    intent_id: str | None
    command: str
    at: str


class HeldChange(Struct, frozen=True):
    """One held change. `after` is the content hash, None where the file was removed; `before` what it was made from.

    `code` and `error` are the refusal's; `what` names what is no file, and can't be landed.
    """

    path: str
    code: str
    error: str
    before: str | None
    after: str | None
    mode: int | None = None
    what: str = ""


class HeldChanges:
    """The held changes of one root. Every method raises OSError where the disk refuses."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def begin(self, run: HeldRun) -> None:
        """Note the run, before the first of its changes is held."""
        folder = self._directory / run.id
        if not (folder / _RUN).exists():
            make_directory(folder)
            replace_bytes(folder / _RUN, json.dumps(asdict(run)).encode("ascii"), durable=True)

    def keep(self, run_id: str, change: HeldChange, content: bytes | None) -> None:
        """Hold a change. It is on the disk itself on return."""
        name = self._name(run_id, change.path)
        if content is not None:
            replace_bytes(name.with_suffix(_AFTER), content, durable=True)
        replace_bytes(name.with_suffix(_CHANGE), json.dumps(asdict(change)).encode("ascii"), durable=True)

    def runs(self) -> list[HeldRun]:
        """The runs that something is held of, oldest first."""
        runs = []
        for name in names_in(self._directory):
            values = _read(self._directory / name / _RUN)
            if values is not None and any(self.changes(name)):
                runs.append(_made(HeldRun, values))
        return sorted(runs, key=lambda run: (run.at, run.id))

    def count(self) -> int:
        """How many changes are held, of all runs."""
        return sum(len(self._notes(run_id)) for run_id in names_in(self._directory))

    def changes(self, run_id: str) -> Iterator[HeldChange]:
        """What is held of a run, sorted by path."""
        read = (_read(note) for note in self._notes(run_id))
        yield from sorted((_made(HeldChange, values) for values in read if values), key=lambda change: change.path)

    def content(self, run_id: str, change: HeldChange) -> bytes | None:
        """The held content; None where the file was removed."""
        return None if change.after is None else self._name(run_id, change.path).with_suffix(_AFTER).read_bytes()

    def drop(self, run_id: str, path: str) -> None:
        """Hold this path no more; the run is forgotten with its last one."""
        name = self._name(run_id, path)
        for suffix in (_CHANGE, _AFTER):
            name.with_suffix(suffix).unlink(missing_ok=True)
        if not any(self.changes(run_id)):
            shutil.rmtree(self._directory / run_id, ignore_errors=True)

    def _notes(self, run_id: str) -> list[Path]:
        """The file of each change that is held of a run."""
        folder = self._directory / run_id
        return [folder / name for name in names_in(folder) if name.endswith(_CHANGE) and name != _RUN]

    def _name(self, run_id: str, path: str) -> Path:
        return self._directory / run_id / sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _read(file: Path) -> dict[str, Any] | None:
    try:
        values = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    return values if isinstance(values, dict) else None


def _made(kind: type[Struct], values: dict[str, Any]) -> Any:
    return kind(**{name: values[name] for name in kind.__struct_fields__ if name in values})
