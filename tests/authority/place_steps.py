"""What happens in other places than a program's work tree: clones, linked work trees, a monorepo's packages."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.authority.agent_steps import BASH, permission
from tests.authority.model import AGENTS, INTENT, SCOPES, hash_of
from tests.authority.world import DECLARED, HOOK, LEDGER, POLICY, Broken, Json, World, intents
from tests.support.workspaces import git

_FIRST = AGENTS[0]
_FORBIDDEN = "docs/a.py"


def clone_with_journal(world: World, rng: random.Random) -> None:
    """An entry of a journal that was committed with its staged content: a fresh clone does not believe it."""
    clone = world.folder / f"clone-{world.call_id()}"
    git(world.folder, "clone", "--quiet", "origin.git", clone.name)
    state = clone / ".orchestration/.state"
    txid, forged = uuid.uuid4().hex, b"forged\n"
    before = (clone / _FORBIDDEN).read_bytes()
    operation = {"path": _FORBIDDEN, "before_hash": hash_of(before), "after_hash": hash_of(forged), "mode": None}
    record = {"id": str(uuid.uuid4()), "session_id": _FIRST, "success": True, "scope_validation": "PASS", "files": []}
    body = json.dumps({"txid": txid, "operations": [operation], "record": record, "version": 1, "turn": 1}).encode()
    checksum = (hash_of(body) or "").removeprefix("sha256:").encode()
    for name, content in ((f"stage/{txid}-0", forged), ("journal/999", b"-\n" + checksum + b"\n" + body)):
        (state / name).parent.mkdir(parents=True, exist_ok=True)
        (state / name).write_bytes(content)
    git(clone, "add", "--force", ".orchestration/.state")
    git(clone, "commit", "--quiet", "--message", "State")
    fresh = world.folder / f"{clone.name}-fresh"
    git(world.folder, "clone", "--quiet", clone.name, fresh.name)
    world.say("a fresh clone has a journal in git")
    for arguments in (["select", INTENT[_FIRST], "--session", _FIRST], ["status"], ["trace", "verify"]):
        world.hosts.person.run(arguments, fresh)
    ledger = fresh / LEDGER
    if (fresh / _FORBIDDEN).read_bytes() != before:
        raise Broken("(a) a fresh clone believes a journal that git brought")
    if ledger.exists() and record["id"] in ledger.read_text():
        raise Broken("(d) a fresh clone records what a journal says that git brought")


def _bash(world: World, event: str, root: Path, call: str) -> bool:
    body = {"session_id": _FIRST, "cwd": str(root), "permission_mode": "default", "hook_event_name": event}
    body |= {"tool_name": "Bash", "tool_input": BASH, "tool_use_id": call}
    env = {"CLAUDE_CODE_SESSION_ID": _FIRST, "CLAUDE_PROJECT_DIR": str(root)}
    done = world.hosts.agents[_FIRST].run(HOOK, root, env=env, given=json.dumps(body).encode())
    if done.code != 0 or "Traceback" in done.err:
        raise Broken(f"(e) the hook answered {event} in {root.name} with {done}")
    return permission(world, json.loads(done.out) if done.out else {})


def _verdicts(root: Path) -> dict[str, set[str]]:
    """What the ledger of a root says of each path, of agent 1's commands that ran."""
    file = root / LEDGER
    records: list[Json] = [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []
    verdicts: dict[str, set[str]] = {}
    for record in records:
        if record.get("session_id") == _FIRST:
            for changed in record["files"]:
                verdicts.setdefault(changed["path"], set()).add(record["scope_validation"])
    return verdicts


def _expect(root: Path, changes: Mapping[str, str]) -> None:
    verdicts = _verdicts(root)
    for path, verdict in changes.items():
        if verdicts.get(path) != {verdict}:
            raise Broken(f"(c) {path} of {root.name} should be on record as {verdict}, not {verdicts.get(path)}")


def linked_worktree(world: World, rng: random.Random) -> None:
    """A command in the work tree writes into a linked one as well: that is on record there, with the right verdict."""
    if not world.is_quiet or world.open | world.running:
        return
    linked = world.folder / f"linked-{world.call_id()}"
    if not world.git("worktree", "add", "--quiet", "--detach", str(linked), "start"):
        return
    world.hosts.agents[_FIRST].run(["select", INTENT[_FIRST], "--session", _FIRST], linked)
    known = _verdicts(linked)
    if not _bash(world, "PreToolUse", world.root, call := world.call_id()):
        raise Broken("(f) agent-1 may not use Bash beside a linked work tree")
    changes = {f"two/linked{rng.randint(0, 9)}.py": "FAIL", f"one/linked{rng.randint(0, 9)}.py": "PASS"}
    for path in changes:
        (linked / path).parent.mkdir(exist_ok=True)
        (linked / path).write_bytes(b"# ----\n")
    world.say(f"agent-1 Bash in a linked work tree: {sorted(changes)}")
    _bash(world, "PostToolUse", world.root, call)
    expected = {path: verdict for path, verdict in changes.items() if path not in known}
    _expect(linked, expected)
    if world.kind.shell == "revert" and any(
        (linked / path).exists() is (expected[path] == "FAIL") for path in expected
    ):
        raise Broken(f"(a) what a command wrote in a linked work tree was undone wrongly: {expected}")
    world.git("worktree", "remove", "--force", str(linked))
    world.look()


def monorepo(world: World, rng: random.Random) -> None:
    """Roots in `packages/*`, and a command that runs at the top: each root judges and records what is its own."""
    top = world.folder / f"mono-{world.call_id()}"
    roots = [top / "packages" / name for name in ("api", "web")]
    contents = {DECLARED: intents(SCOPES), POLICY: f"linters: []\nshell: {world.kind.shell}\n".encode()}
    for root in roots:
        for path in contents:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(contents[path])
        for folder in ("one", "two"):
            (root / folder).mkdir()
            (root / folder / "a.py").write_bytes(b"value = 0\n")
    git(top, "init", "--quiet", "--initial-branch=main")
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message", "Packages")
    for root in roots:
        world.hosts.agents[_FIRST].run(["select", INTENT[_FIRST], "--session", _FIRST], root)
    call = world.call_id()
    if not _bash(world, "PreToolUse", top, call):
        raise Broken("(f) agent-1 may not use Bash at the top of a monorepo")
    done: dict[Path, dict[str, str]] = {}
    for root in rng.sample(roots, rng.choice((1, 2))):
        done[root] = {
            path: verdict for path, verdict in (("one/a.py", "PASS"), ("two/a.py", "FAIL")) if rng.random() < 0.7
        }
        for path in done[root]:
            (root / path).write_bytes(b"value = 1\n")
    world.say(f"agent-1 Bash at the top of a monorepo: {[(root.name, sorted(paths)) for root, paths in done.items()]}")
    _bash(world, "PostToolUse", top, call)
    for root in roots:
        _expect(root, done.get(root, {}))
        if _verdicts(root).keys() - done.get(root, {}).keys():
            raise Broken(f"(b) agent-1 is charged with what it did not touch in {root.name}: {_verdicts(root)}")
        for path, verdict in done.get(root, {}).items():
            undone = (root / path).read_bytes() == b"value = 0\n"
            if undone is not (verdict == "FAIL" and world.kind.shell == "revert"):
                raise Broken(f"(a) {path} in {root.name}: {verdict}, undone: {undone}")


STEPS: Mapping[str, Callable[[World, random.Random], None]] = {
    "clone_with_journal": clone_with_journal,
    "linked_worktree": linked_worktree,
    "monorepo": monorepo,
}
