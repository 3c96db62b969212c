"""How much of the earlier related work an agent is shown: on public histories, by the index that the server asks.

Each of the newest commits asks in the order of the history: its message is the intent's name and description, the
folders of its files are the scope. The index knows what came before, one record and one intent for each commit.
Relevant are earlier commits with one of its files, apart from the files that most commits touch.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any
from xml.etree import ElementTree as ET

from accuracy.page import RESULTS
from intentls.core.intents.context_xml import build_context
from intentls.core.intents.intent import Intent
from intentls.core.intents.recent_work import EarlierWork, ScopeFolders
from intentls.core.intents.scope import Scope
from intentls.engine.intents.context import rank_earlier
from intentls.store.layout import Layout
from intentls.store.ledger_search.full_text import FullTextIndex, TextRows
from intentls.store.ledger_search.text_rows import IntentText, TextSources

SHOWN = 20
_QUERIES, _MAX_FILES, _HOT = 100, 10, 15
_HELD_OUT = 0.1  # of a history, the newest part
_FORMAT = "%x01%H%x00%cI%x00%s%x00%b%x00"
_MAGIC = frozenset("\\*?[]{}()!+@#")
RULES = ("random", "the last of the whole ledger", "the last near the scope", "by words", "recalled")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that is no merge."""

    sha: str
    time: str
    subject: str
    body: str
    files: tuple[str, ...]


def history(repository: Path) -> list[Commit]:
    """The commits of the checked-out branch, oldest first. Raises CalledProcessError where git fails."""
    command = ["git", "-C", str(repository), "log", "--no-merges", "--reverse", "--name-only", f"--format={_FORMAT}"]
    text = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")
    return [_commit(entry) for entry in text.split("\x01")[1:]]


def _commit(entry: str) -> Commit:
    sha, moment, subject, body, files = entry.split("\0", 4)
    return Commit(sha, moment, subject, body, tuple(name for name in files.split("\n") if name))


class Measure:
    """One history, asked in its order."""

    def __init__(self, commits: Sequence[Commit], root: Path, seed: int = 14) -> None:
        (root / ".orchestration").mkdir(parents=True)
        self._index = FullTextIndex(Layout(root))
        self._commits = [commit for commit in commits if commit.files]
        hot = Counter(file for commit in self._commits for file in commit.files).most_common(_HOT)
        self._hot = {file for file, _ in hot}
        self._intents: dict[str, IntentText] = {}
        self._known = 0
        self._choose = random.Random(seed)

    def run(self, queries: int = _QUERIES) -> Iterator[dict[str, Any]]:
        """For each question what each rule finds."""
        start = int(len(self._commits) * (1 - _HELD_OUT))
        asking = [place for place in range(start, len(self._commits)) if self._relevant(place)]
        if len(asking) > queries:
            asking = sorted(self._choose.sample(asking, queries))
        for place in asking:
            yield self._ask(place)

    def _relevant(self, place: int) -> set[str]:
        commit = self._commits[place]
        files = set(commit.files) - self._hot
        if len(commit.files) > _MAX_FILES:
            return set()
        return {earlier.sha for earlier in self._commits[:place] if not files.isdisjoint(earlier.files)}

    def _ask(self, place: int) -> dict[str, Any]:
        self._known = place
        self._intents |= {
            commit.sha: IntentText(commit.subject, commit.body, is_open=True)
            for commit in self._commits[len(self._intents) : place]
        }
        commit, relevant = self._commits[place], self._relevant(place)
        scope = Scope.parse(sorted({_folder(file) for file in commit.files}))
        intent = Intent("asking", commit.subject, description=commit.body, scope=scope)
        near = ScopeFolders.of(scope).contain

        def answer(rows: TextRows) -> tuple[list[Any], dict[str, list[str]]]:
            return rank_earlier(rows, intent, near), _others(rows, intent, near)

        ranked, answers = self._index.ask(self._sources(), answer)
        answers["recalled"] = self._in_context(intent, [hit.intent_id or "" for hit, _ in ranked[:SHOWN]], ranked)
        earlier = self._commits[:place]
        answers["the last of the whole ledger"] = [one.sha for one in earlier[-SHOWN:]]
        answers["random"] = [one.sha for one in self._choose.sample(earlier, SHOWN)]
        found = {rule: len(relevant.intersection(answers[rule])) for rule in RULES}
        return {"relevant": len(relevant), "found": found}

    def _in_context(self, intent: Intent, ids: list[str], ranked: list[Any]) -> list[str]:
        """Those that stand in a context of 4,000 tokens."""
        work = [
            EarlierWork(id_, self._intents[id_].name, hit.timestamp, tuple(hit.paths), why=why, revision=hit.revision)
            for id_, (hit, why) in zip(ids, ranked, strict=False)
        ]
        root = ET.fromstring(build_context(intent, None, recalled=work).text)
        return [shown.get("intent_id") or "" for shown in root.iterfind("recalled/work")]

    def _sources(self) -> TextSources:
        return TextSources((self._known, 0, self._known, 1, 1), self._newest_first, (), self._intents)

    def _newest_first(self) -> Iterator[dict[str, Any]]:
        for number in range(self._known - 1, -1, -1):
            commit = self._commits[number]
            parent = self._commits[number - 1].sha if number else None
            yield {
                **{"id": commit.sha, "timestamp": f"{number:012}", "success": True, "intent_id": commit.sha},
                **{"session_id": "s", "vcs": {"type": "git", "revision_id": parent}},
                "files": [{"path": file} for file in commit.files],
            }


def _others(rows: TextRows, intent: Intent, near: Any) -> dict[str, list[str]]:
    """Each ranking alone."""
    return {
        "the last near the scope": [hit.intent_id or "" for hit in rows.touching(near, SHOWN, intent.id)],
        "by words": [
            hit.intent_id or "" for hit in rows.similar(f"{intent.name}\n{intent.description}", SHOWN, intent.id)
        ],
    }


def _folder(file: str) -> str:
    """The glob of the files in a file's folder."""
    folder = "".join(f"\\{letter}" if letter in _MAGIC else letter for letter in file.rpartition("/")[0])
    return f"{folder}/*" if folder else "*"


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The mean recall and the share of questions with any hit, for each rule."""
    rules = {
        rule: {
            "recall": round(fmean(row["found"][rule] / min(SHOWN, row["relevant"]) for row in rows), 4),
            "share": round(fmean(row["found"][rule] / row["relevant"] for row in rows), 4),
            "any": round(fmean(row["found"][rule] > 0 for row in rows), 4),
        }
        for rule in RULES
    }
    return {"queries": len(rows), "rules": rules}


def main() -> None:
    """Measure the histories that the variable RECALL names (`PATH:PATH`)."""
    results: dict[str, Any] = {}
    for path in filter(None, os.environ.get("RECALL", "").split(os.pathsep)):
        repository = Path(path)
        commits = history(repository)
        with tempfile.TemporaryDirectory() as folder:
            rows = list(Measure(commits, Path(folder) / "root").run())
        name = (repository.parent if repository.name in ("repo", ".git") else repository).name.rpartition("+")[2]
        results[name] = {"commits": len(commits), **summary(rows)}
        print(name, json.dumps(results[name]), file=sys.stderr, flush=True)
    if not results:
        sys.exit("name git repositories with a history: RECALL=PATH:PATH make accuracy ARGS=recall")
    (RESULTS / "recall.json").write_text(json.dumps({"histories": results}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
