"""The model that an agent's transcript names last: hook events of some agents name none.

A transcript is a file of JSON lines that only grows. The last lines are enough: each answer of the model has its name.

    {"type": "assistant", "message": {"model": "claude-opus-4-5", ...}}                            Claude Code
    {"type": "attachment", "attachment": {"identity": {"modelId": "claude-opus-4-5", ...}, ...}}   its first lines
    {"type": "gemini", "model": "gemini-2.5-pro", ...}                                             Gemini CLI
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

_READ = 256 * 1024  # bytes at the end
_MAX_NAME = 250
_MARK = b'"model'


def model_in(transcript: str | None) -> str | None:
    """The model of the newest answer; None where the file does not tell."""
    if transcript is None or not Path(transcript).is_absolute():
        return None
    for line in reversed(_last_lines(transcript)):
        if _MARK in line and (model := _model(line)) is not None:
            return model
    return None


def _last_lines(path: str) -> list[bytes]:
    """The file's last whole lines; [] for what is no file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return []
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        return []
    start = max(0, status.st_size - _READ)
    with open(descriptor, "rb") as file:
        file.seek(start)
        lines = file.read(_READ).split(b"\n")
    return lines[1:] if start else lines


def _model(line: bytes) -> str | None:
    try:
        entry: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    places = {
        "assistant": ("message", "model"),
        "attachment": ("attachment", "identity", "modelId"),
        "gemini": ("model",),
    }
    model: Any = entry if entry.get("type") in places else None
    for key in places.get(str(entry.get("type")), ()):
        model = model.get(key) if isinstance(model, dict) else None
    is_name = isinstance(model, str) and 0 < len(model) <= _MAX_NAME and not model.startswith("<")
    return model if is_name else None
