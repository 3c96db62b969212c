"""Guarded edits of paths that are spelled in every way."""

from __future__ import annotations

from hypothesis import given, settings

from tests.fuzz.command_strategies import PATHS
from tests.fuzz.entrances import writes
from tests.fuzz.strategies import texts


@settings(max_examples=60)
@given(PATHS, texts(("a", "\n", "\r\n"), 3))
def test_nothing_out_of_scope_is_written_or_deleted(path: str, content: str) -> None:
    """Through links, dots, protected folders and odd characters."""
    writes.write(path, content)


@settings(max_examples=60)
@given(PATHS, PATHS)
def test_nothing_out_of_scope_is_renamed(path: str, new_path: str) -> None:
    """Neither a file's old place nor its new one may be elsewhere."""
    writes.rename(path, new_path)
