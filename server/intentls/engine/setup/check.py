"""What `doctor` finds."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class CheckLevel(StrEnum):
    """How bad it is. Only an error keeps something from working."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Check(Struct, frozen=True):
    """What was looked at, what was found, and what to do about it (empty where there is nothing to do)."""

    name: str
    level: CheckLevel
    message: str
    advice: str = ""
