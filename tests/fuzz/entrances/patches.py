"""Unified diffs, and the content they are applied to."""

from __future__ import annotations

from intentls.core.errors import HunkMismatch, InvalidPatch
from intentls.core.ledger.line_range import changed_ranges
from intentls.core.mutation.classes import Change
from intentls.core.patch.unified_diff import FilePatch, parse_patch
from intentls.core.text.lines import diff, split_lines
from tests.fuzz.bounded import bounded


def patch(text: str, content: bytes) -> None:
    """Any text is a patch or is refused, and any patch fits any content exactly or does not fit it."""
    with bounded("reading a patch"):
        try:
            files = parse_patch(text)
        except InvalidPatch as refusal:
            assert str(refusal)
            return
    assert files
    names = [name for file in files for name in {file.path, file.old_path} if name is not None]
    assert len(set(names)) == len(names), "a path stands twice"
    for file in files:
        assert (file.change is Change.RENAME) == (file.old_path is not None)
        assert file.new_mode is None or 0 <= file.new_mode <= 0o777
        for before in (content, None):
            _apply(file, before)


def _apply(file: FilePatch, before: bytes | None) -> None:
    with bounded("applying a patch"):
        try:
            after = file.apply(before)
        except (HunkMismatch, InvalidPatch) as refusal:
            assert str(refusal)
            return
    assert (before is None) == (file.change is Change.ADD)
    assert (after is None) == (file.change is Change.DELETE)
    if not file.hunks:
        assert after == (b"" if before is None else before) or not before
    with bounded("comparing"):
        _check_lines(before, after)


def _check_lines(before: bytes | None, after: bytes | None) -> None:
    """What the ledger will say of the change can be said."""
    count = len(split_lines(after or b""))
    for where in changed_ranges(before, after):
        assert 1 <= where.start_line <= where.end_line <= count
    for hunk in diff(before, after):
        assert min(hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines) >= 0
