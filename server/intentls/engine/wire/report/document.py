"""A report as one JSON document: all of it, nothing cut."""

from __future__ import annotations

from typing import Any

import msgspec

from intentls.core.report.content import Report
from intentls.engine.wire.reports import ok


def as_document(report: Report) -> dict[str, Any]:
    """The report, its keys as `core.report.content` names them."""
    document: dict[str, Any] = msgspec.to_builtins(report)
    return ok(**document)
