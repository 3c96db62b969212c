"""Many servers come from one nursery."""

from __future__ import annotations

from tests.support.nursery import nursery

__all__ = ["nursery"]
