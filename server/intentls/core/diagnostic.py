"""A diagnostic: something that a person should see at a span of a file."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from msgspec import Struct, field


class Severity(IntEnum):
    """LSP's numbers, so that a face need not translate them."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


class Span(Struct, frozen=True, order=True):
    """A half-open stretch of text. Lines and columns count from 0; columns are Unicode code points."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


class Related(Struct, frozen=True):
    """Another span that explains a diagnostic. `path` is root-relative POSIX."""

    path: str
    span: Span
    message: str


class Diagnostic(Struct, frozen=True):
    """`code` is a key of the contract's table or a schema error's name; `data` goes to quick fixes."""

    span: Span
    severity: Severity
    code: str
    message: str
    related: tuple[Related, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
