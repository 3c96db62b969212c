"""What each agent's hook is sent, and what it answers: real processes, one an event."""

from __future__ import annotations

import json
from pathlib import Path

from tests.recordings.stage import INTENTS, Stage

EVENTS = Path(__file__).parents[1] / "data" / "hooks"
PATIENT = ("--timeout", "60")  # a busy machine is no trouble
AGENTS = ("claude-code", "cursor", "codex", "gemini", "cline")


def agent(stage: Stage, name: str) -> None:
    """The events that this agent is documented to send, from all its files."""
    for file in sorted((EVENTS / name).glob("*.json")):
        stage.say(f"{name}, {file.stem}")
        text = file.read_text()
        stage.names.keep(text)
        transcript = json.loads(text)
        root = stage.workspace(file.stem, policy=transcript.get("policy", ""))
        for step in transcript["steps"]:
            if "select" in step:
                intent, session = step["select"]
                stage.run(root, "select", intent, "--session", session)
            stage.write(root, step.get("write", {}))
            event = json.dumps(step["event"], ensure_ascii=False).replace("$ROOT", str(root))
            answer = (name, step["event"].get("hook_event_name")) == ("cursor", "preToolUse")
            stage.run(root, "hook", name, *PATIENT, *(["--answer"] if answer else []), stdin=event + "\n")
        stage.show_records(root)


def trouble(stage: Stage) -> None:
    """Events that can't be read, roots that can't be trusted, and no root at all."""
    root = stage.workspace()
    for name in AGENTS:
        stage.say(name)
        stage.run(root, "hook", name, *PATIENT, stdin="")
        stage.run(root, "hook", name, *PATIENT, stdin='{"half":' if name == "codex" else "{}")
        first = json.loads(sorted((EVENTS / name).glob("*.json"))[-1].read_text())["steps"][1]["event"]
        text = json.dumps(first)
        stage.names.keep(text)
        free = stage.play / "free"
        free.mkdir(exist_ok=True)
        stage.run(free, "hook", name, *PATIENT, stdin=text.replace("$ROOT", str(free)))
        (root / ".orchestration/active_intents.yaml").write_text(INTENTS.replace("INT-002", "INT-001"))
        stage.run(root, "hook", name, *PATIENT, stdin=text.replace("$ROOT", str(root)))
        (root / ".orchestration/active_intents.yaml").write_text(INTENTS)
    stage.run(root, "hook", "cline", *PATIENT, stdin="[1, 2]")
    stage.run(root, "hook", "gemini", *PATIENT, stdin='{"hook_event_name": 5, "hookName": 5, "cwd": "."}')
    stage.run(root, "hook", "nobody", stdin="{}")
    stage.show_records(root)
