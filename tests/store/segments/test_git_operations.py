"""The ledger through what people do with git: nothing conflicts, nothing is lost, no committed segment changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from intentls.store.git_segments.history import removed_segments
from tests.store.segments.clones import Clone, clone, make_repository
from tests.support.workspaces import git


@pytest.fixture
def here(tmp_path: Path) -> Clone:
    made = make_repository(tmp_path / "here")
    made.add("a")
    made.commit()
    return made


def test_a_record_after_a_commit_begins_a_new_segment_of_the_same_chain(here: Clone) -> None:
    """The committed one stays as it is; the tree is clean after each commit."""
    committed = here.content()
    assert here.is_clean()
    here.add("b", "c")
    assert {name: data for name, data in here.content().items() if name in committed} == committed
    assert len(here.names()) == 2
    here.commit()
    assert here.is_clean()
    chains = [record["chain"] for record in here.ledger.oldest_first()]
    assert [(chain["writer"], chain["seq"]) for chain in chains] == [(chains[0]["writer"], n) for n in (1, 2, 3)]
    assert here.problems() == []


def test_records_between_two_commits_share_a_segment_whatever_the_process(here: Clone) -> None:
    here.add("b")
    here.ledger = here.opened()
    here.add("c")
    here.commit()
    assert len(here.names()) == 2


def test_a_staged_segment_is_not_appended_to(here: Clone) -> None:
    """What is staged is what the commit will have; later records go to a segment that it has not."""
    here.add("b")
    here.git("add", "-A")
    here.add("c")
    here.git("commit", "-qm", "Staged")
    assert here.git("status", "--porcelain").startswith("?? .orchestration/trace/")
    assert len(here.git("status", "--porcelain").splitlines()) == 1


def test_a_closed_segment_is_not_appended_to(here: Clone) -> None:
    here.add("b")
    here.ledger.close_segment()
    before = here.content()
    here.add("c")
    assert len(here.names()) == len(before) + 1
    assert before.items() <= here.content().items()
    assert here.ids() == ["a", "b", "c"]


def test_amending_a_commit_changes_no_segment_that_it_had(here: Clone) -> None:
    here.add("b")
    here.commit()
    before = here.content()
    here.add("c")
    here.git("add", "-A")
    here.git("commit", "-q", "--amend", "--no-edit")
    here.add("d")
    assert before.items() <= here.content().items()
    assert (here.ids(), here.problems()) == (["a", "b", "c", "d"], [])


def test_two_clones_merge_without_a_conflict_into_the_same_local_file(here: Clone, tmp_path: Path) -> None:
    """Whoever merges: the order depends on the records alone."""
    there = clone(here, tmp_path / "there")
    here.add("b")
    there.add("c")
    here.add("d")
    here.commit()
    there.commit()
    there.git("pull", "-q", "--no-rebase", "--no-edit")
    here.git("pull", "-q", str(there.top), "main")
    assert here.ids() == there.ids() == ["a", "b", "c", "d"]
    assert here.layout.ledger.read_bytes() == there.layout.ledger.read_bytes()
    assert here.problems() == there.problems() == []


def test_a_rebase_keeps_both_sides(here: Clone, tmp_path: Path) -> None:
    there = clone(here, tmp_path / "there")
    here.add("b")
    here.commit()
    for id_ in ("c", "d"):
        there.add(id_)
        there.commit()
    there.git("pull", "-q", "--rebase")
    assert (there.ids(), there.problems(), there.is_clean()) == (["a", "b", "c", "d"], [], True)
    there.add("e")
    assert len({record["chain"]["writer"] for record in there.ledger.oldest_first()}) == 2


def test_a_cherry_pick_takes_its_records_along(here: Clone) -> None:
    here.git("switch", "-qc", "topic")
    here.add("b")
    here.commit()
    here.add("c")
    picked = here.commit()
    here.git("switch", "-q", "main")
    assert here.ids() == ["a"]
    here.add("d")
    here.commit()
    here.git("cherry-pick", picked)
    assert here.ids() == ["a", "c", "d"]
    here.git("merge", "-q", "--no-edit", "topic")
    assert (here.ids(), here.problems()) == (["a", "b", "c", "d"], [])


def test_a_squash_keeps_every_record(here: Clone) -> None:
    here.git("switch", "-qc", "topic")
    for id_ in ("b", "c"):
        here.add(id_)
        here.commit()
    here.git("switch", "-q", "main")
    here.git("merge", "-q", "--squash", "topic")
    here.git("commit", "-qm", "Squashed")
    assert (here.ids(), here.problems()) == (["a", "b", "c"], [])
    here.add("d")
    here.commit()
    here.git("merge", "-q", "--no-edit", "topic")
    assert here.ids() == ["a", "b", "c", "d"]


def test_a_revert_takes_a_segment_out_and_git_still_has_it(here: Clone) -> None:
    """The commit that did it is known, and what the segment held."""
    here.add("b")
    here.commit()
    (name,) = set(here.names()) - {here.names()[0]}
    content = here.content()[name]
    here.add("c")
    here.commit()
    here.git("revert", "--no-edit", "HEAD~1")
    assert here.ids() == ["a", "c"]
    (removed,) = removed_segments(here.layout)
    assert (removed.name, removed.content, removed.commit) == (name, content, here.git("rev-parse", "HEAD"))
    assert {kind for _, _, kind in here.problems()} == {"removed"}


def test_a_switch_with_an_open_segment_carries_it_along(here: Clone) -> None:
    """As git does with every file that it does not have yet."""
    here.git("branch", "other")
    here.add("b")
    open_segment = here.content()
    here.commit()
    here.add("c")
    here.git("switch", "-q", "other")
    assert here.ids() == ["a", "c"]
    here.add("d")
    here.commit()
    here.git("switch", "-q", "main")
    assert here.ids() == ["a", "b"]
    assert open_segment.items() <= here.content().items()
    here.git("merge", "-q", "--no-edit", "other")
    assert (here.ids(), here.problems()) == (["a", "b", "c", "d"], [])


@pytest.mark.parametrize("untracked", [False, True])
def test_a_stash_and_its_pop_lose_nothing(here: Clone, untracked: bool) -> None:
    """With `-u` the open segment goes along; what is recorded meanwhile does not hinder the pop."""
    here.add("b")
    (here.root / "a.txt").write_text("changed\n")
    here.git("stash", "-q", *(["-u"] if untracked else []))
    assert here.ids() == (["a"] if untracked else ["a", "b"])
    here.add("c")
    here.git("stash", "pop", "-q")
    assert (here.ids(), here.problems()) == (["a", "b", "c"], [])


def test_linked_worktrees_have_segments_of_their_own(here: Clone, tmp_path: Path) -> None:
    here.git("worktree", "add", "-q", "-b", "topic", str(tmp_path / "linked"))
    linked = Clone(tmp_path / "linked")
    here.add("b")
    linked.add("c")
    linked.commit()
    linked.add("d")
    linked.commit()
    here.commit()
    here.git("merge", "-q", "--no-edit", "topic")
    assert (here.ids(), here.problems()) == (["a", "b", "c", "d"], [])
    assert len(here.names()) == 4


def test_a_shallow_clone_has_the_whole_ledger(here: Clone, tmp_path: Path) -> None:
    here.add("b")
    here.commit()
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{here.top}", "shallow")
    shallow = Clone(tmp_path / "shallow")
    assert (shallow.ids(), shallow.problems()) == (["a", "b"], [])
    shallow.add("c")
    shallow.commit()
    assert (shallow.ids(), shallow.problems(), removed_segments(shallow.layout)) == (["a", "b", "c"], [], [])


def test_a_submodule_commits_its_own_segments(here: Clone, tmp_path: Path) -> None:
    outer = make_repository(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(here.top), "sub")
    outer.commit()
    inner = Clone(outer.top / "sub")
    inner.add("b")
    inner.commit()
    inner.add("c")
    assert (inner.ids(), inner.problems(), len(inner.names())) == (["a", "b", "c"], [], 3)
    outer.add("x")
    assert outer.ids() == ["x"]


def test_several_roots_of_a_repository_have_a_ledger_each(here: Clone) -> None:
    below = Clone(here.top, "services/billing")
    below.layout.orchestration.mkdir(parents=True)
    here.add("b")
    below.add("x")
    here.commit()
    below.add("y")
    here.add("c")
    assert (here.ids(), below.ids()) == (["a", "b", "c"], ["x", "y"])
    assert len(below.names()) == 2


@pytest.mark.parametrize("all_files", [False, True])
def test_git_clean_takes_only_what_no_commit_has(here: Clone, all_files: bool) -> None:
    """What this clone wrote and is gone shows, and the next record begins a new chain."""
    here.add("b")
    here.git("clean", "-qfd", *(["-x"] if all_files else []))
    assert here.ids() == ["a"]
    assert [kind for _, _, kind in here.problems()] == ([] if all_files else ["cut"])
    here.add("c")
    assert here.ids() == ["a", "c"]


def test_a_copied_clone_writes_segments_of_its_own(here: Clone, tmp_path: Path) -> None:
    """Both go on from the same open segment, and neither appends to the other's."""
    here.add("b")
    shutil.copytree(here.top, tmp_path / "copy")
    copy = Clone(tmp_path / "copy")
    here.add("c")
    copy.add("d")
    here.commit()
    copy.git("add", "-A")
    copy.git("commit", "-qm", "Copy")
    shared = set(here.content().items()) & set(copy.content().items())
    assert len(shared) == 1  # the first, which was committed before
    assert copy.ids() == ["a", "b", "d"]


def test_deleting_the_state_loses_nothing(here: Clone) -> None:
    here.add("b")
    shutil.rmtree(here.layout.state)
    here.ledger = here.opened()
    assert here.ids() == ["a", "b"]
    here.add("c")
    here.commit()
    assert (here.ids(), here.problems()) == (["a", "b", "c"], [])


def test_deleting_the_local_file_loses_nothing(here: Clone) -> None:
    here.add("b")
    here.layout.ledger.unlink()
    assert here.ids() == ["a", "b"]
    here.add("c")
    assert (here.ids(), here.problems()) == (["a", "b", "c"], [])
