"""The steps of action.yml, run as a runner runs them: expressions, conditions, outputs, files for the job's summary."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

PROJECT = Path(__file__).parents[2]
_EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")


@dataclass
class ActionRun:
    """One job's run of the action in `folder`. `contexts` are values by their names in expressions (`runner.temp`).

    Steps that use other actions are not run: `used` has their inputs by name. `outputs` may be set beforehand.
    """

    folder: Path
    temp: Path
    contexts: dict[str, str]
    environment: Mapping[str, str]
    used: dict[str, dict[str, str]] = field(default_factory=dict)
    ran: dict[str, subprocess.CompletedProcess[str]] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether a step did, and so the job."""
        return any(done.returncode for done in self.ran.values())

    @property
    def summary(self) -> str:
        """The job's summary."""
        file = self.temp / "summary.md"
        return file.read_text("utf-8") if file.exists() else ""

    @property
    def log(self) -> str:
        """What all steps said."""
        return "".join(done.stdout for done in self.ran.values())

    def run(self) -> ActionRun:
        """Run all steps but those that install the program."""
        action = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))
        for name, described in action["inputs"].items():
            self.contexts.setdefault(f"inputs.{name}", self._text(str(described["default"])))
        for step in action["runs"]["steps"]:
            if step.get("id") in ("python", "install") or not self._holds(str(step.get("if", "true"))):
                continue
            if "uses" in step:
                self.used[step["name"]] = {key: self._text(str(value)) for key, value in step["with"].items()}
            else:
                self._run(step)
        return self

    def _run(self, step: dict[str, Any]) -> None:
        outputs = self.temp / f"outputs-{len(self.ran)}"
        outputs.touch()
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", self._text(step["run"])],
            cwd=self.folder / self._text(step.get("working-directory", ".")),
            env={
                **os.environ,
                **self.environment,
                "GITHUB_OUTPUT": str(outputs),
                "GITHUB_STEP_SUMMARY": str(self.temp / "summary.md"),
                "GITHUB_ACTION_PATH": str(PROJECT),
                **{name: self._text(str(value)) for name, value in step.get("env", {}).items()},
            },
            capture_output=True,
            text=True,
        )
        self.ran[step["name"]] = done
        for line in outputs.read_text("utf-8").splitlines():
            name, _, value = line.partition("=")
            self.contexts[f"steps.{step['id']}.outputs.{name}"] = value

    def _text(self, text: str) -> str:
        return _EXPRESSION.sub(lambda match: self._value(match[1]), text)

    def _value(self, term: str) -> str:
        return term[1:-1] if term.startswith("'") else self.contexts.get(term, "")

    def _holds(self, condition: str) -> bool:
        terms = condition.removeprefix("${{").removesuffix("}}").strip().split(" && ")
        if "!cancelled()" not in terms and self.failed:
            return False
        return all(self._is_true(term.strip()) for term in terms)

    def _is_true(self, term: str) -> bool:
        if term in ("!cancelled()", "true"):
            return True
        left, sign, right = re.fullmatch(r"(\S+) (==|!=) (\S+)", term).groups()  # type: ignore[union-attr]
        return (self._value(left) == self._value(right)) == (sign == "==")
