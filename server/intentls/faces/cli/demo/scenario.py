"""The demo's scenario: nine steps, each of which shows what the server did and checks it."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.faces.cli.demo.client import Client
from intentls.faces.cli.demo.display import DemoDisplay
from intentls.faces.cli.demo.workspace import DemoWorkspace

Json = dict[str, Any]

_FILE = "intentls_demo_greeting.py"
_FIRST = '"""Greetings."""\n\n\ndef greet(name: str) -> str:\n    return f"Hello, {name}!"\n'
_HUMAN = _FIRST.replace("    return", "    # Ada asked for an exclamation mark.\n    return")
_SLOPPY = _HUMAN.replace('"""Greetings."""\n', '"""Greetings."""\n\nimport os\n')
_TIMEOUT_S = 30.0


class DemoScenario(Struct):
    """Plays the steps with one client in one workspace."""

    client: Client
    workspace: DemoWorkspace
    display: DemoDisplay
    read_hash: str = ""

    def play(self) -> None:
        """Play all steps in order. A failed check is displayed and counted; the next step follows."""
        steps = (
            self._write_without_intent,
            self._select_intent,
            self._write_out_of_scope,
            self._write_in_scope,
            self._write_stale,
            self._save_as_person,
            self._record_lesson,
            self._blame_lines,
            self._verify_ledger,
        )
        for step in steps:
            step()

    @property
    def _path(self) -> str:
        return f"{self.workspace.code}/{_FILE}"

    def _write_without_intent(self) -> None:
        self.display.step("A write without an intent is refused", "An agent that never said why may not write.")
        answer = self.client.command("intent.writeToFile", path=self._path, content=_FIRST)
        self.display.json("intent.writeToFile", answer)
        self.display.check(answer.get("code") == "INTENT_REQUIRED", "refused with INTENT_REQUIRED")
        self.display.check(not (self.workspace.root / self._path).exists(), "nothing was written")

    def _select_intent(self) -> None:
        self.display.step("Checking out an intent returns its context", "Exactly what the agent needs, nothing else.")
        answer = self.client.command("intent.selectActiveIntent", intent_id="INT-001", model_identifier="demo/agent-1")
        self.display.panel("intent.selectActiveIntent → context", str(answer.get("context")), "xml")
        self.display.check("<intent_id>INT-001</intent_id>" in str(answer.get("context")), "the context is INT-001's")

    def _write_out_of_scope(self) -> None:
        self.display.step("A write outside the scope is refused", "And the refusal says who owns the path.")
        answer = self.client.command(
            "intent.writeToFile", path=f"{self.workspace.prose}/greeting.md", content="Hello\n"
        )
        self.display.json("intent.writeToFile", answer)
        self.display.check(answer.get("code") == "SCOPE_VIOLATION", "refused with SCOPE_VIOLATION")
        self.display.check("INT-002" in answer.get("owners", []), "it names the owner, INT-002")

    def _write_in_scope(self) -> None:
        self.display.step("A write inside the scope lands", "With a record: intent, model, lines, hashes.")
        answer = self.client.command("intent.writeToFile", path=self._path, content=_FIRST)
        self.display.json("intent.writeToFile", answer)
        self.display.panel(self._path, _diff("", _FIRST), "diff")
        self.read_hash = str(answer.get("content_hash"))
        self.display.check((self.workspace.root / self._path).read_text() == _FIRST, "the file is on disk")
        self.display.check(bool(answer.get("trace_id")), "the record is in the ledger")

    def _write_stale(self) -> None:
        self.display.step("A stale write is refused", "Somebody else changed the file; the agent did not look.")
        target = self.workspace.root / self._path
        target.write_text(_FIRST + "\n# changed elsewhere\n")
        answer = self.client.command(
            "intent.writeToFile",
            path=self._path,
            content="print('overwritten')\n",
            expected_content_hash=self.read_hash,
        )
        self.display.json("intent.writeToFile", answer)
        self.display.check(answer.get("code") == "STALE_CONTEXT", "refused with STALE_CONTEXT")
        self.display.check("changed elsewhere" in target.read_text(), "the other change survived")
        target.write_text(_FIRST)

    def _save_as_person(self) -> None:
        self.display.step("A person's save is traced as human", "Same ledger, same lines, another author.")
        self.client.open(self._path, _FIRST)
        self.client.type(self._path, _HUMAN)
        self.client.save(self._path, _HUMAN)
        record = self._wait_for(lambda: self._newest("did_save"))
        self.display.panel(self._path, _diff(_FIRST, _HUMAN), "diff")
        self.display.json("the record's file", record["files"][0] if record else {})
        kind = record["files"][0]["conversations"][0]["contributor"]["type"] if record else None
        self.display.check(kind == "human", "the changed line is recorded as human")

    def _record_lesson(self) -> None:
        self.display.step(
            "A linter's complaint becomes a lesson", "ruff runs on the saved file; only new problems count."
        )
        self.client.type(self._path, _SLOPPY)
        self.client.save(self._path, _SLOPPY)
        lessons = self.workspace.root / ".orchestration" / "AGENT.md"
        learned = self._wait_for(lambda: lessons.read_text() if lessons.exists() else "")
        self.display.panel(".orchestration/AGENT.md", (learned or "(nothing)").rstrip("\n"), "markdown")
        self.display.check("F401" in (learned or ""), "the unused import (F401) is a lesson")

    def _blame_lines(self) -> None:
        self.display.step(
            "Who wrote this line, and why?", "intent.blame answers from the ledger and the content alone."
        )
        answer = self.client.command("intent.blame", path=self._path)
        self.display.blame((self.workspace.root / self._path).read_text(), answer["ranges"])
        kinds = {range_["contributor"]["type"] for range_ in answer["ranges"]}
        self.display.check(kinds == {"ai", "human"}, "every line has its author, the agent's and the person's")

    def _verify_ledger(self) -> None:
        self.display.step("The ledger verifies", "Every line is chained to the one before; an edit would show.")
        answer = self.client.command("intent.verifyTrace")
        self.display.json("intent.verifyTrace", answer)
        self.display.check(answer.get("ok") is True, f"{answer.get('records')} records, no problems")

    def _newest(self, tool_name: str) -> Json | None:
        entries = self.client.command("intent.queryTrace", limit=5)["entries"]
        return next((entry for entry in entries if entry["tool_name"] == tool_name), None)

    @staticmethod
    def _wait_for(look: Callable[[], Any]) -> Any:
        """The first result of `look` that is not empty; the empty one after 30 s."""
        deadline = time.monotonic() + _TIMEOUT_S
        while not (result := look()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return result


def _diff(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "before", "after", lineterm="")
    return "\n".join(lines)


def orchestration_files(root: Path) -> list[Path]:
    """The files of `.orchestration` that show what the session did."""
    directory = root / ".orchestration"
    names = ("active_intents.yaml", "agent_trace.jsonl", "intent_map.md", "spatial_map.json", "AGENT.md")
    return [directory / name for name in names if (directory / name).exists()]
