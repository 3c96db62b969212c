"""What the system knows of processes that tests don't start themselves."""

from __future__ import annotations

from pathlib import Path

from intentls.store.process.liveness import process_exists


def runs(pid: int) -> bool:
    """Whether the process is there and has not ended: not every first process of a container buries the dead."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:  # it has ended, or this system has no such files
        return process_exists(pid)
    return state != b"Z"


def has_ended(note: Path) -> bool:
    """Whether the process whose number a shell wrote there has ended, or has never come to write it."""
    number = note.read_text() if note.exists() else ""
    return not (number and runs(int(number)))
