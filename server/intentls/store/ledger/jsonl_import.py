"""A file of JSON lines that another program wrote, read line by line within bounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

from intentls.core.errors import StoreError, shorten

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


_NAME = "agent-trace-0.1.0.schema.json"
_MAX_PROBLEMS = 3  # that are named of one record


@cache
def _validator() -> Draft202012Validator:
    text = files("intentls").joinpath("schemas", _NAME).read_text("utf-8")
    return Draft202012Validator(json.loads(text), validate_formats=True)


@cache
def keys() -> frozenset[str]:
    """The top-level keys that the specification gives a meaning."""
    text = files("intentls").joinpath("schemas", _NAME).read_text("utf-8")
    return frozenset(json.loads(text)["properties"])


def is_valid(record: Any) -> bool:
    """Whether this is an Agent Trace record; further keys are allowed everywhere."""
    return _validator().is_valid(record)


def problems(record: Any) -> str:
    """What is wrong with a record, in one clause; "" if nothing is."""
    return "; ".join(islice(_problems(record), _MAX_PROBLEMS))


def _problems(record: Any) -> Iterator[str]:
    for error in _validator().iter_errors(record):
        where = ".".join(map(str, error.instance_path))
        yield shorten(f"{where}: {error.message}" if where else error.message, 160)
