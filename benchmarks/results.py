"""What a run found, as the JSON that the page and the plots are made from.

{"machine": {...}, "versions": {...}, "rows": {KEY: {"date", "commit", "seconds", and either "figures": [...] or
"skipped": why or "failed": why}}}
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks import node
from benchmarks.figures import Figure

FILE = Path(__file__).parent / "results.json"
ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Outcome:
    """What became of one row: figures, or why there are none. `seconds`: how long it took to find out."""

    figures: tuple[Figure, ...] = ()
    skipped: str = ""
    failed: str = ""
    seconds: float = 0.0
    date: str = ""
    commit: str = ""

    def stamped(self) -> Outcome:
        """With the time and the commit of now."""
        return replace(self, date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), commit=commit())


@dataclass(frozen=True)
class Results:
    """All rows that were ever measured on this kind of machine, by key."""

    rows: dict[str, Outcome]
    machine: dict[str, str]
    versions: dict[str, str]

    @classmethod
    def load(cls, path: Path) -> Results:
        """What was kept; nothing from no file."""
        kept: dict[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {"rows": {}}
        rows = {key: _outcome(found) for key, found in kept["rows"].items()}
        return cls(rows, kept.get("machine", {}), kept.get("versions", {}))

    def updated(self, found: dict[str, Outcome]) -> Results:
        """With these rows instead; what else was kept is of value only if it is from the same kind of machine."""
        here = machine()
        kept = self.rows if _kind(self.machine) == _kind(here) else {}
        return Results(kept | found, here, versions())

    def save(self, path: Path) -> None:
        """Write it, to be read by people, too."""
        path.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _outcome(found: dict[str, Any]) -> Outcome:
    return Outcome(**{**found, "figures": tuple(Figure(**each) for each in found["figures"])})


def _kind(machine: dict[str, str]) -> dict[str, str | None]:
    """What makes figures incomparable. Another build of the system does not: each row has its peer in the same run."""
    return {name: machine.get(name) for name in ("processor", "processors", "memory")}


def machine() -> dict[str, str]:
    """What the figures depend on most."""
    return {
        "processor": _first(Path("/proc/cpuinfo"), "model name") or platform.processor() or platform.machine(),
        "processors": str(os.cpu_count()),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
    }


def versions() -> dict[str, str]:
    """Of us, of what we stand on, and of the peers."""
    git = subprocess.run(["git", "--version"], check=False, capture_output=True, text=True).stdout
    ours = {name: version(name) for name in ("intentls", "pygls", "lsprotocol", "PyYAML", "msgspec")}
    python = {"python": f"{platform.python_implementation()} {platform.python_version()}"}
    return {**python, **ours, "git": git.strip().removeprefix("git version "), **node.versions()}


def commit() -> str:
    """The commit that is measured, with a "+" if the server's files are not as in it."""
    asked: Sequence[Sequence[str]] = (("rev-parse", "--short=10", "HEAD"), ("status", "--porcelain", "--", "server"))
    head, changed = (
        subprocess.run(["git", "-C", str(ROOT), *each], check=False, capture_output=True, text=True).stdout.strip()
        for each in asked
    )
    return f"{head}+" if changed else head


def _memory() -> str:
    kilobytes = _first(Path("/proc/meminfo"), "MemTotal").removesuffix(" kB")
    return f"{int(kilobytes) / 1e6:.0f} GB" if kilobytes else "memory unknown"


def _first(path: Path, name: str) -> str:
    if not path.is_file():
        return ""
    lines = (line.partition(":") for line in path.read_text().splitlines())
    return next((value.strip() for key, _, value in lines if key.strip() == name), "")
