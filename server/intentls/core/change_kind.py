"""What happens to a file."""

from __future__ import annotations

from enum import StrEnum


class Change(StrEnum):
    """What happens to a file."""

    ADD = "add"
    MODIFY = "modify"
    DELETE = "delete"
    RENAME = "rename"
