"""Every key of policy.yaml, through a real server: what it does, and that a bad value is named and changes nothing.

What leases do besides is in test_leases.py, what is done about a shell command's changes in test_shell_reconcile.py.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from intentls.core.gate.policy import ContextPolicy, Policy
from tests.support.patience import eventually
from tests.support.session import ASKING, Json, Session, session
from tests.support.wire import SILENCE
from tests.support.workspaces import make_workspace

POLICY = ".orchestration/policy.yaml"
FILE = "src/a.py"
CONSTRAINT = "Keep every promise of the interface. " * 60
INTENTS = f"""\
active_intents:
  - id: INT-001
    owned_scope: ["src/**"]
    constraints: ["{CONSTRAINT}"]
  - id: INT-ALL
    name: Whatever comes
"""
_SAYS = "import sys; print(sys.argv[1] + ':1:1: X1 said by the linter of the policy')"
LINTERS = [{"name": "own", "files": ["src/*.py"], "command": [sys.executable, "-c", _SAYS, "{file}"], "format": "text"}]


@dataclass(frozen=True)
class Probe:
    """`look` at a server under the policy `good`, a line that sets a key, and under the bad value that `bad` sets.

    `code` is that of the finding at `place`, the part of `bad` that is wrong.
    """

    good: str
    effect: Any
    bad: str
    default: Any
    code: str
    place: str
    look: Callable[[Session], Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
        folder = tmp_path_factory.mktemp("policy")
        (folder / "gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.invalid\n")
        patch.setenv("GIT_CONFIG_GLOBAL", str(folder / "gitconfig"))
        root = make_workspace(folder / "w", INTENTS, {FILE: "a\n", "docs/b.md": "b\n"})
        with session(root, ASKING, {"trusted": True}) as started:
            yield started


# -- what each key is seen by


def _mode(server: Session) -> str:
    return _outcome(server.do("writeToFile", path="docs/b.md", content="x\n"))


def _hitl(server: Session) -> int:
    before = len(server.wire.asked)
    server.do("deleteFile", path="docs/b.md")
    return len(server.wire.asked) - before


def _hitl_timeout(server: Session) -> bool:
    """Whether a question that nobody answers ends by itself after a second, or a few where the machine is busy."""
    server.wire.handlers["window/showMessageRequest"] = lambda _: SILENCE
    call = {"command": "intent.deleteFile", "arguments": [{"path": "docs/b.md"}]}
    asked = server.wire.ask("workspace/executeCommand", call)
    answer = None
    for _ in range(3):
        server.do("listIntents")  # a busy server comes to this no sooner than to the end of the question
        with suppress(AssertionError):
            answer = server.wire.answer(asked, timeout=3)
            break
    else:
        server.wire.send({"id": server.wire.asked[-1]["id"], "result": None})
    assert (answer or server.wire.answer(asked))["result"]["code"] == "SCOPE_VIOLATION"
    return answer is not None


def _on_invalid(server: Session) -> str:
    file = server.root / ".orchestration/active_intents.yaml"
    file.write_text("active_intents: [")
    try:
        return _outcome(server.do("writeToFile", path=FILE, content="x\n"))
    finally:
        file.write_text(INTENTS)


def _on_trace_failure(server: Session) -> list[str]:
    """Two writes while a folder has the ledger's name."""
    ledger, aside = server.root / ".orchestration/agent_trace.jsonl", server.root / "aside"
    server.do("writeToFile", path=FILE, content="0\n")
    ledger.rename(aside)
    ledger.mkdir()
    try:
        answers = [server.do("writeToFile", path=FILE, content=f"{n}\n") for n in (1, 2)]
    finally:
        ledger.rmdir()
        aside.rename(ledger)
    assert server.do("writeToFile", path=FILE, content="3\n")["status"] == "ok", "the ledger is whole again"
    assert server.do("verifyTrace")["ok"]
    return [answer.get("trace") or _outcome(answer) for answer in answers]


def _require_base(server: Session) -> str:
    server.do("selectActiveIntent", intent_id="INT-001", session_id="reads-nothing")
    return _outcome(server.do("checkEdit", path=FILE, session_id="reads-nothing"))


def _empty_scope(server: Session) -> str:
    server.do("selectActiveIntent", intent_id="INT-ALL", session_id="everywhere")
    return _outcome(server.do("checkEdit", path="docs/b.md", session_id="everywhere"))


def _protected(server: Session) -> str:
    return _outcome(server.do("checkEdit", path=FILE))


def _trace_on_save(server: Session) -> int:
    def recorded() -> int:
        return sum(record["tool_name"] == "did_save" for record in server.ledger)

    before, text = recorded(), f"{os.urandom(4).hex()}\n"
    server.open("docs/b.md")
    server.type("docs/b.md", text)
    server.save("docs/b.md", text)
    server.close("docs/b.md")
    server.do("getActiveIntent")  # comes after the save, in the same lane
    return recorded() - before


def _shell(server: Session) -> str:
    return _outcome(server.do("preToolUse", tool_name="execute_command", params={"command": "true"}))


def _mutation_check(server: Session) -> str:
    """What comes of a call that is declared to be documentation."""
    return _outcome(server.do("writeToFile", path=FILE, content="b(1)\n", mutation_class="DOCUMENTATION"))


def _leases(server: Session) -> str:
    with _at_work(server):
        return _outcome(server.do("writeToFile", path=FILE, content="mine\n"))


def _lease_ttl(server: Session) -> int:
    """For how many seconds a session has what it has just changed."""
    with _at_work(server):
        (warning,) = server.do("checkEdit", path=FILE)["warnings"]
    since, until = (datetime.fromisoformat(found) for found in re.findall(r"\d{4}-\S+Z", warning))
    return (until - since).seconds


@contextmanager
def _at_work(server: Session) -> Iterator[None]:
    """Another session is changing FILE; the connection's own has read what it wrote."""
    server.do("selectActiveIntent", intent_id="INT-001", session_id="ada")
    server.do("readFile", path=FILE, session_id="ada")
    assert server.do("writeToFile", path=FILE, content="hers\n", session_id="ada")["status"] == "ok"
    server.do("readFile", path=FILE)
    try:
        yield
    finally:
        server.do("clearActiveIntent", session_id="ada")


def _max_tokens(server: Session) -> bool:
    answer = server.do("selectActiveIntent", intent_id="INT-001")
    assert len(answer["context"].encode()) <= (16_000 if not answer["truncated"] else 1_200)
    return bool(answer["truncated"])


def _recent_changes(server: Session) -> bool:
    server.do("writeToFile", path=FILE, content=f"{os.urandom(4).hex()}\n")
    return "<change " in server.do("selectActiveIntent", intent_id="INT-001")["context"]


def _identity(server: Session) -> str:
    """For whom an agent worked, as its record says."""
    written = server.do("writeToFile", path=FILE, content=f"{os.urandom(4).hex()}\n")
    assert written["status"] == "ok", written
    (entry,) = (record for record in server.ledger if record["id"] == written["trace_id"])
    return str(entry["files"][0]["conversations"][0]["contributor"].get("on_behalf_of"))


def _commit_derived(server: Session) -> bool:
    """Whether git ignores the intent map after an edit."""
    server.do("writeToFile", path=FILE, content=f"{os.urandom(4).hex()}\n")
    return "intent_map.md" in (server.root / ".orchestration/.gitignore").read_text().splitlines()


def _linters(server: Session) -> str:
    """Who taught the lesson of a new file with an import that nothing uses."""
    name = f"src/{os.urandom(4).hex()}.py"
    server.do("writeToFile", path=name, content="import os\n")
    agent = server.root / ".orchestration/AGENT.md"
    lesson = eventually(lambda: agent.exists() and agent.read_text().partition(name)[2].partition("## ")[0])
    return next(tool for tool in ("[own]", "[ruff]") if tool in lesson)


def _outcome(answer: Json) -> str:
    return "warned" if answer.get("warnings") else str(answer.get("code", answer["status"]))


PROBES = {
    "mode": Probe("advise", "warned", "advice", "SCOPE_VIOLATION", "bad-value", "advice", _mode),
    "hitl": Probe("deny", 0, "[deny]", 1, "wrong-type", "[deny]", _hitl),
    "hitl_timeout_s": Probe("1", True, "0", False, "bad-value", "0", _hitl_timeout),
    "on_invalid": Probe("allow", "warned", "no", "HOOK_ERROR", "wrong-type", "no", _on_invalid),
    "on_trace_failure": Probe(
        *(
            "block",
            ["degraded", "HOOK_ERROR"],
            "'stop'",
            ["degraded", "degraded"],
            "bad-value",
            "'stop'",
            _on_trace_failure,
        )
    ),
    "require_base": Probe("true", "BASE_HASH_REQUIRED", '"yes"', "ok", "wrong-type", '"yes"', _require_base),
    "empty_scope": Probe("deny", "SCOPE_VIOLATION", "null", "ok", "wrong-type", "null", _empty_scope),
    "protected": Probe('["src/*.py"]', "PROTECTED_PATH", '["/src"]', "ok", "bad-glob", '"/src"', _protected),
    "trace_on_save": Probe("false", 0, "off", 1, "wrong-type", "off", _trace_on_save),
    "commit_derived": Probe("true", False, "maybe", True, "wrong-type", "maybe", _commit_derived),
    "context.max_tokens": Probe("{max_tokens: 100}", True, "{max_tokens: 99}", False, "bad-value", "99", _max_tokens),
    "context.recent_changes": Probe(
        *("{recent_changes: 0}", False, "{recent_changes: few}", True, "wrong-type", "few", _recent_changes)
    ),
    "shell": Probe("deny", "HOOK_ERROR", "forbid", "ok", "bad-value", "forbid", _shell),
    "mutation_check": Probe(
        "block", "MUTATION_CLASS_CONTRADICTED", "strict", "ok", "bad-value", "strict", _mutation_check
    ),
    "leases": Probe("enforce", "HOOK_ERROR", "true", "warned", "wrong-type", "true", _leases),
    "lease_ttl_s": Probe("5", 5, "1.5", 600, "wrong-type", "1.5", _lease_ttl),
    "identity": Probe("none", "None", "mail", "Ada", "bad-value", "mail", _identity),
    "linters": Probe(
        json.dumps(LINTERS), "[own]", '[{name: x, files: ["/a"], command: [x]}]', "[ruff]", "bad-glob", '"/a"', _linters
    ),
}


def test_every_key_is_here() -> None:
    """A key of the policy that nobody tests would show."""
    keys = set(Policy.__struct_fields__) - {"context"} | {f"context.{part}" for part in ContextPolicy.__struct_fields__}
    assert PROBES.keys() | ELSEWHERE.keys() == keys
    assert all((Path(__file__).parents[2] / test).is_file() for test in ELSEWHERE.values())


# What a server does not show: the tests of the command line and of sessions that begin hold these.
ELSEWHERE = {
    "attest": "tests/branches/test_attest.py",
    "attest_authors": "tests/branches/test_attest.py",
    "safe_tools": "tests/faces/hook/test_agents_own_tools.py",
    "coordination": "tests/engine/workspace/test_shared_leases.py",
    "question_excerpts": "tests/e2e/test_questions_elsewhere.py",
    "default_intent": "tests/e2e/test_intent_files.py",
    "close_intents": "tests/branches/test_commits_in_any_order.py",
    "closed_files": "tests/e2e/test_code_features.py",
    "run": "tests/confinement/test_strict_run.py",
    "signatures": "tests/branches/test_signatures.py",
    "signed_by": "tests/branches/test_signatures.py",
    "signed_approvals": "tests/branches/test_signatures.py",
}


@pytest.fixture(autouse=True)
def _ready(server: Session) -> None:
    """Every test begins under INT-001, with all files as they were, and reads nothing first."""
    server.wire.handlers.clear()
    server.wire.handlers["window/showMessageRequest"] = lambda _: None
    (server.root / POLICY).write_text("hitl: deny\n")
    (server.root / FILE).write_text("a\n")
    (server.root / "docs/b.md").write_text("b\n")
    server.do("clearActiveIntent")
    for name in (FILE, "docs/b.md"):
        server.do("readFile", path=name)
    server.do("selectActiveIntent", intent_id="INT-001")


def _set(server: Session, name: str, value: str) -> str:
    key = name.partition(".")[0]
    # Where nobody is meant to be asked, nobody is.
    quiet = "" if key.startswith("hitl") else "hitl: deny\n"
    text = f"{quiet}{key}: {value}\n"
    (server.root / POLICY).write_text(text)
    return text


@pytest.mark.parametrize("name", PROBES)
def test_a_key_does_what_it_says(server: Session, name: str) -> None:
    """The value in the file is what holds, from the next call on."""
    _set(server, name, PROBES[name].good)
    assert PROBES[name].look(server) == PROBES[name].effect


@pytest.mark.parametrize("name", PROBES)
def test_a_bad_value_is_named_at_its_place_and_the_default_holds(server: Session, name: str) -> None:
    """An open policy.yaml shows the error exactly at the value; what happens is what happens without the key."""
    probe = PROBES[name]
    text = _set(server, name, probe.bad)
    uri = server.uri(POLICY)
    server.open(POLICY)
    shown = server.wire.expect_notification(
        "textDocument/publishDiagnostics", lambda params: params["uri"] == uri and bool(params["diagnostics"])
    )
    server.close(POLICY)
    (found,) = shown["diagnostics"]
    assert (found["severity"], found["code"], found["source"]) == (1, probe.code, "intentls")
    assert _part(text, found["range"]) == probe.place
    assert probe.look(server) == probe.default


def _part(text: str, where: Json) -> str:
    lines = text.split("\n")
    start, end = where["start"], where["end"]
    assert start["line"] == end["line"]
    return lines[start["line"]][start["character"] : end["character"]]


def test_a_policy_that_is_no_yaml_leaves_every_default(server: Session) -> None:
    """A file that can't be read at all loosens nothing."""
    (server.root / POLICY).write_text("mode: advise\nhitl: [\n")
    assert _mode(server) == "SCOPE_VIOLATION"


def test_a_question_is_answered_with_the_warnings_that_the_edit_would_get(server: Session) -> None:
    """Under `mode: advise`, beside another session's lease, and while a broken file is let pass."""
    assert server.do("checkEdit", path=FILE) == {"status": "ok", "allowed": True}
    _set(server, "mode", "advise")
    with _at_work(server):
        asked = server.do("checkEdit", path=FILE), server.do("checkEdit", path="docs/b.md")
        done = _edit_of(FILE, server), _edit_of("docs/b.md", server)
    for question, edit in zip(asked, done, strict=True):
        assert question == {"status": "ok", "allowed": True, "warnings": edit["warnings"]}
    assert any("is being changed by session ada under INT-001" in text for text in asked[0]["warnings"])
    assert "Scope Violation" in asked[1]["warnings"][0]
    _set(server, "on_invalid", "allow")
    file = server.root / ".orchestration/active_intents.yaml"
    file.write_text("active_intents: [")
    try:
        assert server.do("checkEdit", path=FILE)["warnings"] == _edit_of(FILE, server)["warnings"]
    finally:
        file.write_text(INTENTS)


def _edit_of(path: str, server: Session) -> Json:
    return server.do("writeToFile", path=path, content=f"{os.urandom(4).hex()}\n")
