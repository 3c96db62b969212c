"""The derived files of a root: intent_map.md, spatial_map.json, AGENT.md."""

from __future__ import annotations

from intentls.store.derived.files import DerivedFiles, LessonNote
from intentls.store.derived.spatial_map import MAX_ENTRIES, LineSpan, SpatialEntry, SpatialOperation

__all__ = ["MAX_ENTRIES", "DerivedFiles", "LessonNote", "LineSpan", "SpatialEntry", "SpatialOperation"]
