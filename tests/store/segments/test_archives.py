"""Archives of segments: two branches pack without a conflict, and a committed segment is packed wholly."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.ledger.archive_marker import KEY, TOOL_NAME
from intentls.store.archiving.archive_prefix import ArchiveAllBut, find_prefix
from intentls.store.archiving.archiver import Archiver
from intentls.store.git.head import Git
from intentls.store.git_segments.commits import SegmentCommits
from tests.store.segments.clones import Clone, clone, make_repository

# As alike as records are: nothing in them but the id, the time and the chain differs.
REFUSAL = {
    "vcs": {"type": "git", "revision": "3e789ecca308daae3150fe5574fbdcfc5acefc93"},
    "tool": {"name": "intentls", "version": "0.1.0"},
    "intent_id": "INT-001",
    "session_id": "agent-1",
    "tool_name": "write_to_file",
    "mutation_class": "INTENT_EVOLUTION",
    "mutation_class_source": "inferred",
    "scope_validation": "FAIL",
    "success": False,
    "error": "Scope Violation: INT-001 is not authorized to edit [docs/design.md]. Request scope expansion.",
    "error_type": "SCOPE_VIOLATION",
    "code": "SCOPE_VIOLATION",
    "files": [
        {
            "path": "docs/design.md",
            "relative_path": "docs/design.md",
            "change": "modify",
            "pre_hash": None,
            "post_hash": None,
            "conversations": [
                {
                    "url": "urn:intentls:session:agent-1",
                    "contributor": {"type": "ai", "entity_type": "AI", "model_id": "anthropic/claude-opus-4-5"},
                    "ranges": [],
                    "related": [{"type": "specification", "value": "INT-001", "url": "urn:intent:INT-001"}],
                }
            ],
        }
    ],
}


def pack(work: Clone, keep: int) -> None:
    """`trace archive --keep`, without its checks; the marker's record is called as the clone."""
    taken = SegmentCommits(work.layout, Git(work.root)).taken()
    prefix = find_prefix(work.layout, ArchiveAllBut(keep), taken)
    archiver = Archiver(work.layout, work.ledger)
    with archiver.hold("a test"):
        if prefix.lines:
            archiver.move(
                prefix,
                "ada",
                lambda marker: {"id": f"marker-{work.top.name}", "tool_name": TOOL_NAME, KEY: marker.to_json()},
            )


@pytest.fixture
def here(tmp_path: Path) -> Clone:
    made = make_repository(tmp_path / "here")
    for id_ in "abcd":
        made.add(id_, **REFUSAL)
        made.commit()
    return made


def test_a_committed_segment_is_packed_wholly_or_not_at_all(here: Clone) -> None:
    here.add("e", "f")
    here.commit()
    before = here.content()
    pack(here, 1)
    (kept,) = [name for name in before if name in here.names()]
    assert here.content()[kept] == before[kept]
    assert here.ids() == ["a", "b", "c", "d", "e", "f", "marker-here"]
    assert here.problems() == []


@pytest.mark.parametrize("keep", [(0, 0), (0, 2), (3, 1)])
def test_two_branches_that_both_pack_merge_without_a_conflict_or_a_double(
    here: Clone, tmp_path: Path, keep: tuple[int, int]
) -> None:
    """And go on: both add segments that look much alike those that they removed."""
    there = clone(here, tmp_path / "there")
    for work, id_, kept in ((here, "e", keep[0]), (there, "f", keep[1])):
        work.add(id_, **REFUSAL)
        work.commit()
        pack(work, kept)
        work.commit()
        work.add(f"{id_}2", **REFUSAL)
        work.commit()
    here.git("pull", "-q", "--no-rebase", "--no-edit", str(there.top), "main")
    assert sorted(here.ids()) == ["a", "b", "c", "d", "e", "e2", "f", "f2", "marker-here", "marker-there"]
    assert here.problems() == []
    there.git("pull", "-q", "--rebase", str(here.top), "main")
    assert there.ids() == here.ids()
