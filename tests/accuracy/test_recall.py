"""The measure of recall: on a small history whose truth is known."""

from __future__ import annotations

from pathlib import Path

from accuracy.recall import SHOWN, Commit, Measure, history, summary

from tests.support.workspaces import commit_all, git, make_git_repo


def test_a_history_is_read_with_its_messages_and_files(tmp_path: Path) -> None:
    """Oldest first, merges left out, whatever a message holds."""
    repo = make_git_repo(tmp_path / "repo", {"a.txt": "1"})
    (repo / "wörter.txt").write_text("2")
    commit_all(repo, "Subject\n\nBody\nof two lines")
    git(repo, "config", "core.quotePath", "false")
    first, second = history(repo)
    assert first.files == ("a.txt",)
    assert (second.subject, second.body.strip(), second.files) == ("Subject", "Body\nof two lines", ("wörter.txt",))


def test_each_rule_finds_what_it_can(tmp_path: Path) -> None:
    """Work on a topic's file comes back after 400 commits elsewhere: by folder and by words, and not by age."""
    commits = [_commit(number, f"noise {number}", f"noise/f{number % 40}.py") for number in range(400)]
    for number in range(5):
        commits[number] = _commit(number, f"Parse umbrellas, part {number}", "topic/umbrella.py")
    commits[-1] = _commit(399, "Umbrellas again", "topic/umbrella.py")
    found = Measure(commits, tmp_path / "other")._ask(399)
    assert found["relevant"] == 5
    assert found["found"]["recalled"] == found["found"]["the last near the scope"] == found["found"]["by words"] == 5
    assert found["found"]["the last of the whole ledger"] == 0
    told = summary([found])
    assert told["rules"]["recalled"] == {"recall": 1.0, "share": 1.0, "any": 1.0}
    assert told["rules"]["random"]["share"] <= SHOWN / 5


def _commit(number: int, subject: str, *files: str) -> Commit:
    return Commit(f"{number:040x}", "", subject, "", files)
