"""The ledger for other programs: one module for each format, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import IO, Any

Write = Callable[[Iterable[dict[str, Any]], IO[bytes]], int]
"""Writes records as they come; how many of them it had to leave out. Raises ConfigurationError where it can't."""

FORMATS: Mapping[str, str] = MappingProxyType(
    {"agent-trace": "agent_trace", "csv": "csv", "parquet": "parquet", "otel-json": "opentelemetry"}
)

BINARY = frozenset({"parquet"})
"""Formats that are nothing for a terminal."""


def writer(name: str) -> Write:
    """What writes the format of this name, a key of FORMATS."""
    write: Write = import_module(f"{__name__}.{FORMATS[name]}").write
    return write
