"""A hook that remembers what was declared says what one says that reads it; and each loads only what it needs."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.hook import main
from intentls.faces.hook.dialects.claude_code import DIALECT
from intentls.store.layout import Layout
from tests.support.hook_process import claude, environment, records
from tests.support.patience import PATIENCE_S
from tests.support.workspaces import make_git_repo, make_workspace

POLICIES = (
    None,
    "mode: advise\n",
    "hitl: deny\nrequire_base: true\nempty_scope: deny\n",
    "leases: enforce\nshell: deny\n",
    "mutation_check: block\non_trace_failure: block\n",
    "mode: nonsense\n",
)
PATHS = (
    *("src/api/weather.py", "src/api/new.py", "src/api/generated/x.py", "tests/api/test_a.py", "docs/guide.md"),
    *(".git/config", ".orchestration/active_intents.yaml", ".intentignore", "secret/key", "../outside.py", "src"),
)
TOOLS = ("Edit", "Write", "MultiEdit", "Bash", "Read", "mcp__files__write", "Glob")
GIVEN = {"old_string": "x", "new_string": "eval(1)", "content": "import requests\n", "command": "make"}
RULES = """\
active_intents:
  - {id: INT-001, name: One, status: IN_PROGRESS, owned_scope: ["src/**", "!src/api/generated/**"],
     constraints: [{forbid_pattern: eval(}, {forbid_import: requests}]}
  - {id: INT-002, owned_scope: ["docs/**"]}
  - {id: INT-003, status: DONE}
  - {id: INT-004}
"""


def events(root: Path, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """What an agent might announce, in and out of scope, in sessions with and without an intent."""
    generated = random.Random(seed)
    for number in range(count):
        path = root / generated.choice(PATHS)
        event = claude(root, "PreToolUse", generated.choice(TOOLS), {**GIVEN, "file_path": str(path)}, f"t{number}")
        event["session_id"] = generated.choice(("s1", "s2", "s3", "s4"))
        event["permission_mode"] = generated.choice(("default", "dontAsk"))
        yield event


def said(event: dict[str, Any]) -> object:
    """The hook's answer in a new process, but for the process."""
    try:
        return main._answer(DIALECT, DIALECT.read(event))
    except Exception as error:  # noqa: BLE001  the hook would refuse with its sentence
        return type(error), str(error)


def forbid(*_: object) -> None:
    """In the place of a parser."""
    raise AssertionError("parsed, though it is known")


@pytest.mark.parametrize("intents", [None, RULES])
@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_known_never_changes_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str | None, intents: str | None
) -> None:
    """Generated events, each judged by the files themselves and then by what is known of them."""
    root = make_git_repo(make_workspace(tmp_path / "work", **({} if intents is None else {"intents": intents})))
    layout = Layout(root)
    (root / ".intentignore").write_text("secret/\nintent: INT-002\n")
    if policy is not None:
        layout.policy.write_text(policy)
    for session, intent in (("s1", "INT-001"), ("s2", "INT-001"), ("s3", "INT-002")):
        drive(select(Engine(Headless("cli", (root,))), session, intent, None, None))
    answers = []
    for event in events(root, 14, seed=len(policy or "")):
        shutil.rmtree(layout.known, ignore_errors=True)
        shutil.rmtree(layout.announced, ignore_errors=True)
        read = said(event)
        # To settle a call that is open is to record: then nothing that is known counts.
        shutil.rmtree(layout.announced, ignore_errors=True)
        if (layout.known / "intents.json").exists():
            with monkeypatch.context() as patched:
                patched.setattr("intentls.store.config.intents_parser.parse_intents", forbid)
                assert said(event) == read, event
            answers.append(read)
    assert len({json.dumps(answer, default=str) for answer in answers}) > 1


HEAVY = ("click", "pygls", "asyncio", "yaml", "jsonschema_rs", "dataclasses", "rapidfuzz", "rich", "mcp", "tree_sitter")
RARE = (
    *(
        "subprocess",
        "tempfile",
        "email",
        "zipfile",
        "ast_grep_py",
        "pathspec",
        "intentls.core.patch.unified_diff",
    ),
    *(
        "intentls.core.constraints.check",
        "intentls.core.ledger.record",
        "intentls.core.mutation.classify",
        "intentls.engine.tools.shell_changes",
    ),
    *(
        "intentls.engine.records.record_writer",
        "intentls.engine.intents.context",
        "intentls.store.ledger.ledger",
        "intentls.store.journal.journal",
    ),
)
ENGINE = (
    "logging",
    "msgspec",
    "platform",  # of `uuid`, for msgspec
    "datetime",
    "intentls.engine.workspace.engine",
    "intentls.core.gate.gate",
    "intentls.store.sessions.sessions",
)
FREE = (*HEAVY, *RARE, *ENGINE)
SHELL = {"subprocess", "intentls.engine.tools.shell_changes"}
EVENTS: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    "a tool that changes nothing": ("Glob", {}, set()),
    "an edit where nothing governs": ("Edit", {"file_path": "/nowhere/a.py"}, set()),
    "a tool that reads": ("Read", {"file_path": "$ROOT/src/api/weather.py"}, set()),
    "an edit": ("Edit", {"file_path": "$ROOT/src/api/weather.py", "old_string": "a", "new_string": "b"}, set(ENGINE)),
    "a shell command": ("Bash", {"command": "ls"}, {*ENGINE, *SHELL}),
}


@pytest.mark.parametrize("what", EVENTS)
def test_a_hook_loads_only_what_it_needs(tmp_path: Path, what: str) -> None:
    """No parser, no command line, no ledger for an edit that passes; and no engine where nothing is judged."""
    root = make_git_repo(make_workspace(tmp_path / "work"))
    drive(select(Engine(Headless("cli", (root,))), "s1", "INT-001", None, None))
    tool, given, allowed = EVENTS[what]
    where = tmp_path if what == "an edit where nothing governs" else root
    text = json.dumps(claude(where, "PreToolUse", tool, given)).replace("$ROOT", root.as_posix())
    said(json.loads(text))  # from now on the declared files are known
    shutil.rmtree(Layout(root).announced, ignore_errors=True)  # no call is open: to settle one is to compare
    program = (
        "import atexit, sys\nfrom intentls.__main__ import run\natexit.register(lambda: "
        f"print('', *(name for name in {FREE!r} if name in sys.modules), file=sys.stderr))\nrun()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "hook", "claude-code"],
        input=text,
        capture_output=True,
        env=environment(),
        text=True,
        timeout=PATIENCE_S,
    )
    loaded = done.stderr.splitlines()[-1].split()
    assert (done.returncode, done.stdout, set(loaded) - allowed) == (0, "", set())


def test_what_a_forged_memory_lets_through_is_on_record_as_out_of_scope(tmp_path: Path) -> None:
    """Anybody who runs programs as this user can write what hooks recall; the ledger goes by the file itself."""
    root = make_git_repo(make_workspace(tmp_path / "work"))
    drive(select(Engine(Headless("cli", (root,))), "s1", "INT-001", None, None))
    path = root / "docs" / "design.md"
    given = {"file_path": str(path), "content": "forged"}
    before, after = (claude(root, name, "Write", given) for name in ("PreToolUse", "PostToolUse"))
    assert said(before) is not None
    kept = Layout(root).known / "intents.json"
    body = kept.read_bytes().partition(b"\n")[2].replace(b"src/api/**", b"**")
    kept.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    assert said(before) is None
    path.write_text("forged")
    said({**after, "tool_response": {}})
    assert records(root)[-1]["scope_validation"] == "FAIL"
