"""Agent Trace as published: is a record one? The schema is the specification's own, unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

from jsonschema_rs import Draft202012Validator

from intentls.core.errors import shorten

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
