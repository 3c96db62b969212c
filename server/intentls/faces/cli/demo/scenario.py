"""The demo's story: nine steps, each of which shows what happened and checks that it did."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intentls.faces.cli.demo.client import Client
from intentls.faces.cli.demo.display import DemoDisplay
from intentls.faces.cli.demo.workspace import DemoWorkspace

Json = dict[str, Any]

_FILE = "intentls_demo_greeting.py"
_FIRST = '"""Greetings."""\n\n\ndef greet(name: str) -> str:\n    return f"Hello, {name}!"\n'
_HUMAN = _FIRST.replace("    return", "    # Ada asked for an exclamation mark.\n    return")
_SLOPPY = _HUMAN.replace('"""Greetings."""\n', '"""Greetings."""\n\nimport os\n')
_PATIENCE_S = 30.0


@dataclass(slots=True)
class DemoScenario:
    """Plays the steps with one client in one workspace."""

    client: Client
    workspace: DemoWorkspace
    stage: DemoDisplay
    read_hash: str = ""

    def play(self) -> None:
        """All steps, in order. A step that does not do what it says is marked on the stage."""
        steps = (
            self._no_intent,
            self._checkout,
            self._out_of_scope,
            self._write,
            self._stale,
            self._person,
            self._lesson,
            self._blame,
            self._verify,
        )
        for step in steps:
            step()

    @property
    def _path(self) -> str:
        return f"{self.workspace.code}/{_FILE}"

    def _no_intent(self) -> None:
        self.stage.step("A write without an intent is refused", "An agent that never said why may not write.")
        answer = self.client.command("intent.writeToFile", path=self._path, content=_FIRST)
        self.stage.json("intent.writeToFile", answer)
        self.stage.check(answer.get("code") == "INTENT_REQUIRED", "refused with INTENT_REQUIRED")
        self.stage.check(not (self.workspace.root / self._path).exists(), "nothing was written")

    def _checkout(self) -> None:
        self.stage.step("Checking out an intent returns its context", "Exactly what the agent needs, nothing else.")
        answer = self.client.command("intent.selectActiveIntent", intent_id="INT-001", model_identifier="demo/agent-1")
        self.stage.xml("intent.selectActiveIntent → context", str(answer.get("context")))
        self.stage.check("<intent_id>INT-001</intent_id>" in str(answer.get("context")), "the context is INT-001's")

    def _out_of_scope(self) -> None:
        self.stage.step("A write outside the scope is refused", "And the refusal says who owns the path.")
        answer = self.client.command(
            "intent.writeToFile", path=f"{self.workspace.prose}/greeting.md", content="Hello\n"
        )
        self.stage.json("intent.writeToFile", answer)
        self.stage.check(answer.get("code") == "SCOPE_VIOLATION", "refused with SCOPE_VIOLATION")
        self.stage.check("INT-002" in answer.get("owners", []), "it names the owner, INT-002")

    def _write(self) -> None:
        self.stage.step("A write inside the scope lands", "With a record: intent, model, lines, hashes.")
        answer = self.client.command("intent.writeToFile", path=self._path, content=_FIRST)
        self.stage.json("intent.writeToFile", answer)
        self.stage.diff(self._path, _diff("", _FIRST))
        self.read_hash = str(answer.get("content_hash"))
        self.stage.check((self.workspace.root / self._path).read_text() == _FIRST, "the file is on disk")
        self.stage.check(bool(answer.get("trace_id")), "the record is in the ledger")

    def _stale(self) -> None:
        self.stage.step("A stale write is refused", "Somebody else changed the file; the agent did not look.")
        target = self.workspace.root / self._path
        target.write_text(_FIRST + "\n# changed elsewhere\n")
        answer = self.client.command(
            "intent.writeToFile",
            path=self._path,
            content="print('overwritten')\n",
            expected_content_hash=self.read_hash,
        )
        self.stage.json("intent.writeToFile", answer)
        self.stage.check(answer.get("code") == "STALE_CONTEXT", "refused with STALE_CONTEXT")
        self.stage.check("changed elsewhere" in target.read_text(), "the other change survived")
        target.write_text(_FIRST)

    def _person(self) -> None:
        self.stage.step("A person's save is traced as human", "Same ledger, same lines, another author.")
        self.client.open(self._path, _FIRST)
        self.client.type(self._path, _HUMAN)
        self.client.save(self._path, _HUMAN)
        record = self._wait_for(lambda: self._newest("did_save"))
        self.stage.diff(self._path, _diff(_FIRST, _HUMAN))
        self.stage.json("the record's file", record["files"][0] if record else {})
        kind = record["files"][0]["conversations"][0]["contributor"]["type"] if record else None
        self.stage.check(kind == "human", "the changed line is recorded as human")

    def _lesson(self) -> None:
        self.stage.step(
            "A linter's complaint becomes a lesson", "ruff runs on the saved file; only new problems count."
        )
        self.client.type(self._path, _SLOPPY)
        self.client.save(self._path, _SLOPPY)
        lessons = self.workspace.root / ".orchestration" / "AGENT.md"
        found = self._wait_for(lambda: lessons.read_text() if lessons.exists() else "")
        self.stage.text(".orchestration/AGENT.md", found or "(nothing)")
        self.stage.check("F401" in (found or ""), "the unused import (F401) is a lesson")

    def _blame(self) -> None:
        self.stage.step("Who wrote this line, and why?", "intent.blame answers from the ledger and the content alone.")
        answer = self.client.command("intent.blame", path=self._path)
        self.stage.blame((self.workspace.root / self._path).read_text(), answer["ranges"])
        kinds = {found["contributor"]["type"] for found in answer["ranges"]}
        self.stage.check(kinds == {"ai", "human"}, "every line has its author, the agent's and the person's")

    def _verify(self) -> None:
        self.stage.step("The ledger verifies", "Every line is chained to the one before; an edit would show.")
        answer = self.client.command("intent.verifyTrace")
        self.stage.json("intent.verifyTrace", answer)
        self.stage.check(answer.get("ok") is True, f"{answer.get('records')} records, no problems")

    def _newest(self, tool_name: str) -> Json | None:
        entries = self.client.command("intent.queryTrace", limit=5)["entries"]
        return next((entry for entry in entries if entry["tool_name"] == tool_name), None)

    @staticmethod
    def _wait_for(look: Callable[[], Any]) -> Any:
        """What `look` finds, as soon as it finds something; nothing after a while."""
        end = time.monotonic() + _PATIENCE_S
        while not (found := look()) and time.monotonic() < end:
            time.sleep(0.05)
        return found


def _diff(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "before", "after", lineterm="")
    return "\n".join(lines)


def places(root: Path) -> list[Path]:
    """The files that a curious reader will want to open."""
    folder = root / ".orchestration"
    names = ("active_intents.yaml", "agent_trace.jsonl", "intent_map.md", "spatial_map.json", "AGENT.md")
    return [folder / name for name in names if (folder / name).exists()]
