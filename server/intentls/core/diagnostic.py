"""A diagnostic: something a person should see at a place in a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any


class Severity(IntEnum):
    """LSP's numbers, so that a face need not translate them."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open stretch of text. Lines and columns count from 0; columns are Unicode code points."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a diagnostic. `path` is root-relative POSIX."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """`code` is a key of the contract's table or a schema error's name; `data` goes to quick fixes."""

    span: Span
    severity: Severity
    code: str
    message: str
    related: tuple[Related, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
