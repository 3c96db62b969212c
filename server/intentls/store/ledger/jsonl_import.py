"""A file of JSON lines that another program wrote, read line by line within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from intentls.core.errors import StoreError

MAX_LINE = 16 * 1024 * 1024
"""Bytes of one line; a longer one is reported and passed over."""


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Each line that is not blank, with its number from 1; None for one that is too long. Raises StoreError."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE + 1):
                number += 1
                too_long = len(line) > MAX_LINE
                while too_long and not line.endswith(b"\n") and (line := file.readline(MAX_LINE)):
                    pass
                if too_long:
                    yield number, None
                elif line.strip():
                    yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
    except OSError as error:
        raise StoreError(f"{path} can't be read: {error.strerror or error}") from error


def size(path: Path) -> int:
    """Its size in bytes. Raises StoreError, also where it is no regular file: it is read twice."""
    try:
        if path.is_file():
            return path.stat().st_size
    except OSError as error:
        raise StoreError(f"{path} can't be read: {error.strerror or error}") from error
    raise StoreError(f"{path} is no regular file; write the records to one first")
