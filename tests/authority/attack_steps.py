"""What goes wrong, and what agents try in order to grant themselves something."""

from __future__ import annotations

import json
import os
import random
import uuid
from collections.abc import Callable, Mapping

from tests.authority.agent_steps import BASH, announce, command, owe, permission, report
from tests.authority.faults import GIT_FAULTS
from tests.authority.model import AGENTS, INTENT, hash_of
from tests.authority.world import DECLARED, LEDGER, POLICY, Broken, World, intents

_FIRST = AGENTS[0]
_FORBIDDEN = "docs/forbidden.py"
_UNDOABLE = frozenset({DECLARED, POLICY, ".orchestration/.intentignore", ".claude/settings.json"})

# -- faults


def git_fails(world: World, rng: random.Random) -> None:
    """Git can't be used from now on, until something heals it."""
    kind = rng.choice(GIT_FAULTS)
    world.say(f"git is broken: {kind}")
    world.faults.break_git(kind)


def ledger_fails(world: World, rng: random.Random) -> None:
    """The ledger can't be written from now on, until something heals it."""
    world.say("the ledger can't be written")
    world.faults.lock_ledger()


def heal(world: World, rng: random.Random) -> None:
    """All works again."""
    world.say("all works again")
    world.faults.heal()


def git_fails_meanwhile(world: World, rng: random.Random) -> None:
    """Git breaks while a command runs: what is not known is neither undone nor lost."""
    world.faults.heal()
    call = world.call_id()
    if not announce(world, _FIRST, "Bash", BASH, call):
        return
    world.before = world.tree()
    changes = command(world, rng, _FIRST, 0.4)
    kind = rng.choice(GIT_FAULTS)
    world.say(f"agent-1 Bash {sorted(changes)}, and git is broken meanwhile: {kind}")
    world.faults.break_git(kind)
    report(world, _FIRST, "Bash", BASH, call, changes, whole=False)
    world.faults.heal()


def disk_full(world: World, rng: random.Random) -> None:
    """While a hook reports, nothing can be written at all: what it should report is settled later."""
    call = world.call_id()
    if not announce(world, _FIRST, "Bash", BASH, call):
        return
    world.before = world.tree()
    changes = command(world, rng, _FIRST, 0.4)
    world.say(f"agent-1 Bash {sorted(changes)}, reported on a full disk")
    outside = {path: world.before.get(path) for path in changes if not world.model.allowed(_FIRST, path)}
    world.limit = 0
    world.hook(_FIRST, "PostToolUse", "Bash", BASH, call, outside if world.kind.shell == "revert" else {})
    world.limit = None
    new = world.look()
    owe(world, _FIRST, {path: after for path, after in changes.items() if world.read(path) == after}, new)


# -- an agent grants itself something


def _in_shell(world: World, act: Callable[[], object], what: str) -> bool:
    """The act as a command of agent 1, announced and reported."""
    call = world.call_id()
    if not announce(world, _FIRST, "Bash", BASH, call):
        return False
    world.say(f"agent-1 tries in its shell: {what}")
    before = world.read(DECLARED), _link(world, POLICY)
    act()
    if before != (world.read(DECLARED), _link(world, POLICY)):
        world.tampered = True
    world.hook(_FIRST, "PostToolUse", "Bash", BASH, call, free=_UNDOABLE)
    return True


def _link(world: World, path: str) -> str | bytes | None:
    file = world.root / path
    return os.readlink(file) if file.is_symlink() else world.read(path)


def _profit(world: World, rng: random.Random, agent: str = _FIRST) -> None:
    """Whatever was tried: the agent may not write out of the scope that people declared."""
    world.look()
    if world.model.allowed(_FIRST, _FORBIDDEN):
        return
    given = {"file_path": str(world.root / _FORBIDDEN), "content": "x\n"}
    if permission(world, world.hook(agent, "PreToolUse", "Write", given, world.call_id())):
        raise Broken(f"(d) {agent} granted itself {_FORBIDDEN}")
    call = world.call_id()
    if not permission(world, world.hook(agent, "PreToolUse", "Bash", BASH, call)):
        return
    world.before = world.tree()
    changes = {_FORBIDDEN: world.model.changed(rng, agent, world.read(_FORBIDDEN))}
    world.put(_FORBIDDEN, changes[_FORBIDDEN])
    world.say(f"{agent} Bash {_FORBIDDEN}")
    report(world, agent, "Bash", BASH, call, changes)


def _settle(world: World, rng: random.Random) -> None:
    """At once, or later, the person puts back what they had declared."""
    if world.tampered and rng.random() < 0.6:
        restore(world)


def restore(world: World) -> None:
    """The person puts the declared files back, and saves them."""
    if (world.root / POLICY).is_symlink():
        (world.root / POLICY).unlink()
        world.git("checkout", "--quiet", "start", "--", POLICY)
    world.save(DECLARED, intents(world.model.scopes))
    world.tampered = False
    world.say("the person puts the declared files back")


def widens_own_scope(world: World, rng: random.Random) -> None:
    """Its shell writes another scope into the declared file."""
    wide = intents({**world.model.scopes, _FIRST: frozenset({"one", "both", "docs", "two"})})
    if _in_shell(world, lambda: world.put(DECLARED, wide), "a wider scope"):
        _profit(world, rng)
        _settle(world, rng)


def appends_intent(world: World, rng: random.Random) -> None:
    """Its shell appends an intent, and it selects that one."""
    more = (world.read(DECLARED) or b"") + b'  - {id: INT-666, name: All, status: IN_PROGRESS, owned_scope: ["**"]}\n'
    if _in_shell(world, lambda: world.put(DECLARED, more), "an intent of its own"):
        world.run(_FIRST, ["select", "INT-666", "--session", _FIRST], env={"CLAUDE_CODE_SESSION_ID": _FIRST})
        _profit(world, rng)
        world.begin(_FIRST)
        _settle(world, rng)


_VERBS: tuple[list[str], ...] = (
    ["expand", INTENT[_FIRST], "docs/**"],
    ["expand", INTENT[_FIRST], "docs/**", "--reason", "x"],
    ["set-status", "INT-003", "IN_PROGRESS"],
    ["confirm"],
    ["confirm", "--yes"],
    ["select", "INT-003", "--session", _FIRST],
    ["attest", "docs/a.py", "--reason", "mine"],
)


def grants_by_verb(world: World, rng: random.Random) -> None:
    """`intentls` in its shell, with its own name in the environment or without it."""
    verb = rng.choice(_VERBS)
    env = {"CLAUDE_CODE_SESSION_ID": _FIRST} if rng.random() < 0.5 else {}
    if _in_shell(world, lambda: world.run(_FIRST, verb, env=env), f"intentls {' '.join(verb)}"):
        _profit(world, rng)
        _settle(world, rng)


def tampers_and_confirms(world: World, rng: random.Random) -> None:
    """Its shell widens the scope and then confirms that."""
    wide = intents({**world.model.scopes, _FIRST: frozenset({"one", "both", "docs", "two"})})
    env = {"CLAUDE_CODE_SESSION_ID": _FIRST} if rng.random() < 0.5 else {}

    def act() -> None:
        world.put(DECLARED, wide)
        world.run(_FIRST, ["confirm", "--yes"], env=env)

    if _in_shell(world, act, "a wider scope, and intentls confirm"):
        _profit(world, rng)
        _settle(world, rng)


def selects_for_another(world: World, rng: random.Random) -> None:
    """Its shell selects its own intent for the session of agent 2, which stays what it is."""
    env = {"CLAUDE_CODE_SESSION_ID": _FIRST} if rng.random() < 0.5 else {}
    arguments = ["select", INTENT[_FIRST], "--session", AGENTS[1]]
    if not _in_shell(world, lambda: world.run(_FIRST, arguments, env=env), " ".join(arguments)):
        return
    given = {"file_path": str(world.root / "one/x.py"), "content": "x\n"}
    if permission(world, world.hook(AGENTS[1], "PreToolUse", "Write", given, world.call_id())):
        raise Broken("(d) agent-1 gave agent-2 its own intent")


def clears_its_intent(world: World, rng: random.Random) -> None:
    """Its shell clears the intent and goes on: it is judged by what the session had selected."""
    call = world.call_id()
    if world.faults.active or world.limit is not None or not announce(world, _FIRST, "Bash", BASH, call):
        return
    world.before = world.tree()
    world.run(_FIRST, ["select", "--clear", "--session", _FIRST], env={"CLAUDE_CODE_SESSION_ID": _FIRST})
    changes = command(world, rng, _FIRST, 0.7)
    world.say(f"agent-1 clears its intent, then {sorted(changes)}")
    report(world, _FIRST, "Bash", BASH, call, changes)
    world.begin(_FIRST)


def links_policy(world: World, rng: random.Random) -> None:
    """A policy in its own scope, and a link to it where the policy stands."""

    def act() -> None:
        world.put("one/policy.yaml", b"mode: advise\n")
        (world.root / POLICY).unlink()
        (world.root / POLICY).symlink_to("../one/policy.yaml")

    if (world.root / POLICY).is_symlink():
        return
    if _in_shell(world, act, "a link to a policy of its own"):
        _profit(world, rng)
        restore(world)


def writes_policy(world: World, rng: random.Random) -> None:
    """Its shell switches the gate to advice."""
    if (world.root / POLICY).is_symlink():
        return
    policy = world.read(POLICY)
    if _in_shell(world, lambda: world.put(POLICY, b"mode: advise\n"), "a policy of its own"):
        _profit(world, rng)
        world.put(POLICY, policy)
        restore(world)


def removes_hooks(world: World, rng: random.Random) -> None:
    """The agent's own settings, which hold the gate in place."""
    given = {"file_path": str(world.root / ".claude/settings.json"), "content": "{}"}
    if permission(world, world.hook(_FIRST, "PreToolUse", "Write", given, world.call_id())):
        raise Broken("(d) agent-1 may write .claude/settings.json")
    if _in_shell(world, lambda: world.put(".claude/settings.json", b"{}"), ".claude/settings.json"):
        records = [
            record
            for record in world.look()
            if any(file["path"] == ".claude/settings.json" for file in record["files"])
        ]
        if world.is_quiet and not any(record["scope_validation"] == "FAIL" for record in records):
            raise Broken("(c) the change of .claude/settings.json is not on record as a violation")
        if (world.root / ".claude/settings.json").exists():
            world.put(".claude/settings.json", None)


def forges_ledger(world: World, rng: random.Random) -> None:
    """Its command writes out of scope, and appends the record that says so was right."""
    if "ledger" in world.faults.active or world.model.allowed(_FIRST, _FORBIDDEN):
        return
    call = world.call_id()
    if not announce(world, _FIRST, "Bash", BASH, call):
        return
    world.before = world.tree()
    content = world.model.changed(rng, _FIRST, world.read(_FORBIDDEN))
    world.put(_FORBIDDEN, content)
    world.say("agent-1 Bash docs/forbidden.py, with a forged record")
    id_ = str(uuid.uuid4())
    world.forged.add(id_)
    last = [json.loads(line) for line in world.ledger_lines()[-1:]]
    file = {"path": _FORBIDDEN, "relative_path": _FORBIDDEN, "change": "modify", "conversations": []}
    forged = {
        **(last[0] if last else {"version": "0.1.0"}),
        **{"id": id_, "session_id": _FIRST, "intent_id": INTENT[_FIRST], "tool_name": "write_to_file"},
        **{"success": True, "scope_validation": "PASS", "timestamp": "2999-01-01T00:00:00.000Z"},
        "files": [{**file, "pre_hash": hash_of(world.before.get(_FORBIDDEN)), "post_hash": hash_of(content)}],
    }
    with open(world.root / LEDGER, "ab") as ledger:
        ledger.write(json.dumps(forged).encode() + b"\n")
    report(world, _FIRST, "Bash", BASH, call, {_FORBIDDEN: content})
    world.damaged = True


def forges_journal(world: World, rng: random.Random) -> None:
    """Its command leaves an entry in the journal that would write out of scope."""
    journal = world.root / ".orchestration/.state/journal"
    txid = uuid.uuid4().hex
    operation = {"path": _FORBIDDEN, "before_hash": hash_of(world.read(_FORBIDDEN)), "after_hash": hash_of(b"forged\n")}
    record = {"id": str(uuid.uuid4()), "session_id": _FIRST, "success": True, "scope_validation": "PASS", "files": []}
    entry = {"txid": txid, "operations": [{**operation, "mode": None}], "record": record, "version": 1, "turn": 1}

    def act() -> None:
        for folder in (journal, journal.parent / "stage"):
            folder.mkdir(parents=True, exist_ok=True)
        (journal.parent / "stage" / f"{txid}-0").write_bytes(b"forged\n")
        body = json.dumps(entry).encode()
        checksum = (hash_of(body) or "").removeprefix("sha256:").encode()
        (journal / "999").write_bytes(b"-\n" + checksum + b"\n" + body)

    world.forged.add(str(record["id"]))
    if _in_shell(world, act, "an entry in the journal"):
        world.kill_mcp()
        world.guarded(lambda: world.mcp)


STEPS: Mapping[str, Callable[[World, random.Random], None]] = {
    "git_fails": git_fails,
    "ledger_fails": ledger_fails,
    "heal": heal,
    "git_fails_meanwhile": git_fails_meanwhile,
    "disk_full": disk_full,
    "widens_own_scope": widens_own_scope,
    "appends_intent": appends_intent,
    "grants_by_verb": grants_by_verb,
    "tampers_and_confirms": tampers_and_confirms,
    "selects_for_another": selects_for_another,
    "clears_its_intent": clears_its_intent,
    "links_policy": links_policy,
    "writes_policy": writes_policy,
    "removes_hooks": removes_hooks,
    "forges_ledger": forges_ledger,
    "forges_journal": forges_journal,
}
