"""Records and facts for tests of reports: short to write, each key as the ledger has it."""

from __future__ import annotations

from typing import Any

from intentls.core.intents.intent import Command, Intent, Status
from intentls.core.intents.scope import Scope
from intentls.core.mutation.classes import Change
from intentls.core.report.facts import FileFacts, LineGroup, ReportFacts, ReportSubject, RootFacts

ADA = {"type": "human", "name": "Ada"}
AGENT = {"type": "ai", "model_id": "anthropic/claude-opus-4-5", "on_behalf_of": "Ada"}
INTENT = Intent(
    "INT-001",
    "Build",
    Status.IN_PROGRESS,
    scope=Scope(("src/**",)),
    constraints=("No global state",),
    acceptance_criteria=("Ada likes it", Command("make test")),
)


def record(*paths: str, by: Any = AGENT, time: str = "2026-02-18T10:00:00Z", **keys: Any) -> Any:
    """A record of a change of some files; `keys` replace its own."""
    files = [
        {"path": path, "pre_hash": None, "post_hash": "sha256:1", "conversations": [{"contributor": by}]}
        for path in paths
    ]
    return {
        "id": f"{time} {paths}",
        "timestamp": time,
        "intent_id": "INT-001",
        "session_id": "agent-1",
        "tool_name": "write_to_file",
        "mutation_class": "FILE_CREATION",
        "mutation_class_source": "inferred",
        "scope_validation": "PASS",
        "success": True,
        "files": files,
        **keys,
    }


def refusal(*paths: str, code: str = "SCOPE_VIOLATION", **keys: Any) -> Any:
    """A record of a refused write."""
    scope = "FAIL" if code == "SCOPE_VIOLATION" else "EXEMPT"
    told = {"success": False, "code": code, "error": f"{code} it is.", "scope_validation": scope}
    return record(*paths, **{**told, **keys})


def file(path: str, *groups: LineGroup, records: Any = (), change: Change = Change.MODIFY) -> FileFacts:
    """A changed file of the root at the top."""
    return FileFacts(".", path, change, groups, tuple(records))


def facts(*records: Any, files: Any = (), **keys: Any) -> ReportFacts:
    """A report's facts with one root."""
    subject = ReportSubject("branch", "main", "b" * 40, "a" * 40)
    root = RootFacts(".", {"INT-001": INTENT}, records)
    return ReportFacts(**{"subject": subject, "roots": (root,), "files": tuple(files), **keys})
