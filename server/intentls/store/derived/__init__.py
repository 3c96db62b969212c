"""The derived files of a root: intent_map.md, spatial_map.json, AGENT.md."""

from __future__ import annotations

from intentls.store.derived.files import DerivedFiles
from intentls.store.derived.spatial import LineSpan, Operation, SpatialEntry

__all__ = ["DerivedFiles", "LineSpan", "Operation", "SpatialEntry"]
