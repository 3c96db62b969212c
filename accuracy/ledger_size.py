"""How large the ledger gets: its bytes for each changed line, with the edits of real histories.

    REPOS=PATH:PATH make accuracy ARGS=ledger_size

Two grains, since agents have both: each file of a commit in one write, and each hunk of it in an edit of its own. A
changed line is one that was added or taken away. Writes results/ledger_size.json.
"""

from __future__ import annotations

import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from accuracy.page import RESULTS
from accuracy.town import AUTHORS, Town

COMMITS = 20
GRAINS = ("a file", "a hunk")

BEFORE = {
    "56dd09702fdb9e899f577ffd51693c1f2176cb08": {"a file": 660_734, "a hunk": 1_924_026},
    "1b00618e787f40dfb21eba29caf8f8be7c8e1d93": {"a file": 359_169, "a hunk": 916_737},
}
"""What version 0.1 wrote for the same edits, by the commit that a history ends with: measured with this module.

Its limit of 60 ms for the definitions of a write was lifted, since what it wrote depended on how busy the machine was.
"""


class History:
    """The last COMMITS steps of a repository's first parents."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        listed = self._git("rev-list", "--first-parent", f"--max-count={COMMITS + 1}", "HEAD").decode().split()
        self.commits = listed[::-1]

    def _git(self, *arguments: str) -> bytes:
        command = ["git", "-C", str(self._repository), *arguments]
        return subprocess.run(command, capture_output=True, check=True).stdout

    def changes(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """Of each changed text file its path, its lines before, and those after, in the order of the history."""
        for old, new in pairwise(self.commits):
            listed = self._git("diff", "--no-renames", "--name-only", "-z", "--diff-filter=AM", old, new)
            for path in listed.decode("utf-8", "replace").split("\0")[:-1]:
                before, after = self._lines(old, path), self._lines(new, path)
                if before is not None and after:
                    yield path, before, after

    def _lines(self, commit: str, path: str) -> list[str] | None:
        """The lines of a file, none where it is not there; None if it is no text."""
        command = ["git", "-C", str(self._repository), "cat-file", "blob", f"{commit}:{path}"]
        try:
            text = subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8")
        except UnicodeDecodeError:
            return None
        return None if "\0" in text else text.removesuffix("\n").split("\n") if text else []


def steps(before: Sequence[str], after: Sequence[str]) -> list[list[str]]:
    """The contents on the way from one to the other, a hunk at a time, the last one included."""
    contents, done = [], list(before)
    for start, end, new_start, new_end in reversed(_blocks(before, after)):
        done = [*done[:start], *after[new_start:new_end], *done[end:]]
        contents.append(done)
    return contents


def _blocks(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """What differs: from and to which line before, from and to which after, counted from 0, the ends not included."""
    compared = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return [(block[1], block[2], block[3], block[4]) for block in compared.get_opcodes() if block[0] != "equal"]


def replayed(repository: Path, grain: str, folder: Path) -> tuple[bytes, int]:
    """The ledger of a history, and how many lines its edits changed."""
    town = Town(folder)
    town.git("config", "user.name", "Ada Lovelace")  # else every record would have the name of who measures
    known: dict[str, list[str]] = {}
    changed = 0
    for number, (path, before, after) in enumerate(History(repository).changes()):
        if known.get(path) != before and before:  # it was there before, or came by what is not replayed
            (town.root / path).parent.mkdir(parents=True, exist_ok=True)
            town.write_unseen(path, _tagged(before))
        known[path] = after
        for content in steps(before, after) if grain == "a hunk" else [list(after)]:
            town.write(AUTHORS[number % len(AUTHORS)], path, _tagged(content))
        changed += sum(end - start + new_end - new_start for start, end, new_start, new_end in _blocks(before, after))
    return (town.root / ".orchestration" / "agent_trace.jsonl").read_bytes(), changed


def _tagged(lines: Sequence[str]) -> list[tuple[str, frozenset[str]]]:
    return [(line, frozenset()) for line in lines]


def measure(repository: Path) -> dict[str, Any]:
    """The figures of one history."""
    commit = History(repository).commits[-1]
    row: dict[str, Any] = {"commit": commit, "grains": {}}
    for grain in GRAINS:
        with tempfile.TemporaryDirectory() as folder:
            ledger, changed = replayed(repository, grain, Path(folder))
        row["grains"][grain] = {
            "records": ledger.count(b"\n"),
            "changed_lines": changed,
            "bytes": len(ledger),
            "before": BEFORE.get(commit, {}).get(grain),
        }
        print(repository, grain, json.dumps(row["grains"][grain]), file=sys.stderr, flush=True)
    return row


def main() -> None:
    """Replay the histories that the variable REPOS names."""
    results: dict[str, Any] = {}
    for path in filter(None, os.environ.get("REPOS", "").split(os.pathsep)):
        repository = Path(path).resolve()
        name = (repository.parent if repository.name in ("repo", ".git") else repository).name.rpartition("+")[2]
        results[name] = measure(repository)
    if not results:
        sys.exit("name git repositories with a history: REPOS=PATH:PATH make accuracy ARGS=ledger_size")
    (RESULTS / "ledger_size.json").write_text(json.dumps({"histories": results}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
