"""Servers to be killed come from one nursery."""

from __future__ import annotations

from tests.support.forked_servers import nursery

__all__ = ["nursery"]
