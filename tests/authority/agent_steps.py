"""What two agents do: their own tools, shell commands and MCP, in scope and out of it, whole and cut short."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping

from tests.authority.model import AGENTS, FOLDERS, OTHERS, Owed, numbers
from tests.authority.world import Broken, Json, World

Changes = Mapping[str, bytes | None]
_FIRST, _SECOND = AGENTS


def permission(world: World, answer: Json | None) -> bool:
    """Whether the host may run its tool."""
    if answer is None:
        return False
    return answer.get("hookSpecificOutput", {}).get("permissionDecision") not in ("deny", "ask")


def announce(world: World, agent: str, tool: str, given: Json, call: str, *paths: str) -> bool:
    """The agent asks; what it is told is what people declared."""
    answer = world.hook(agent, "PreToolUse", tool, given, call)
    may = permission(world, answer)
    is_allowed = all(world.model.allowed(agent, path) for path in paths)
    if may and not is_allowed:
        raise Broken(f"(d) {agent} may use {tool} on {paths}")
    if not may and is_allowed and world.is_quiet:
        raise Broken(f"(f) {agent} may not use {tool} on {paths}: {answer}")
    return may


def write(world: World, rng: random.Random, *, out: float = 0.2) -> None:
    """Claude Code's Write or Edit."""
    path = world.pick(rng, world.agents_folders(rng, _FIRST, out))
    tool = "Edit" if world.read(path) and rng.random() < 0.5 else "Write"
    _own_tool(world, rng, tool, path)


def _own_tool(world: World, rng: random.Random, tool: str, path: str) -> None:
    before = world.read(path)
    file = {"file_path": str(world.root / path)}
    world.hook(_FIRST, "PostToolUse" if before is not None else "PostToolUseFailure", "Read", file, world.call_id())
    after = world.model.changed(rng, _FIRST, before)
    if tool == "Edit" and before:
        given = {**file, "old_string": before.decode(), "new_string": after.decode()}
    else:
        given = {**file, "content": after.decode()}
    call = world.call_id()
    world.say(f"agent-1 {tool} {path}")
    if not announce(world, _FIRST, tool, given, call, path):
        return
    world.put(path, after)
    report(world, _FIRST, tool, given, call, {path: after})


def report(
    world: World, agent: str, tool: str, given: Json, call: str, changes: Changes, *, also: str = "", whole: bool = True
) -> Json | None:
    """The agent's tool has run: what it changed is on record, or waits for a disk that takes it.

    Not `whole`: somebody else was at work meanwhile, or git was away, so not all need be on record.
    """
    world.look()
    touched = {*changes, also}
    changes = _told_apart(world, agent, changes)
    undoable = {path: world.before.get(path) for path in changes if not world.model.allowed(agent, path)}
    may_change = undoable if world.kind.shell == "revert" and tool == "Bash" else {}
    is_fine = not world.faults.active and world.limit is None
    answer = world.hook(agent, "PostToolUse", tool, given, call, may_change)
    new = world.look()
    charged = {file["path"] for record in new if record.get("session_id") == agent for file in record["files"]}
    if not charged <= touched and agent not in world.open | world.running:
        raise Broken(f"(b) {agent} is charged with {sorted(charged - touched)}, which it did not touch")
    undone = {path for path in may_change if world.read(path) != changes[path]}
    kept = world.trash() if undone else []
    for path in undone:
        content = changes[path]
        if content is not None and content not in kept:
            raise Broken(f"(a) {path} was undone, and what it held is nowhere")
        world.model.soften(agent, [content])
        if answer is not None and is_fine and not _is_undoing_recorded(agent, path, new):
            raise Broken(f"(c) {path} was undone, which is not on record")
    owed = [
        Owed(agent, path, after, world.said[-1], waits=answer is not None and "ledger" in world.faults.active)
        for path, after in changes.items()
        if path not in undone and world.read(path) == after and world.before.get(path) != after
    ]
    if "on record as a violation" in json.dumps(answer) and answer is not None:
        claimed = [one for one in owed if not world.model.allowed(agent, one.path) and not one.waits]
        if claimed and not all(world.is_recorded(one, new) for one in claimed) and whole:
            raise Broken(f"(c) said to be on record, and is not: {claimed}")
    if whole and "git" not in world.faults.active:
        world.expect(owed, new, strict=is_fine)
    if not (whole and is_fine):
        world.model.soften(agent, changes.values())
    return answer


def _told_apart(world: World, agent: str, changes: Changes) -> Changes:
    """Those changes that can't be another agent's, by a command of which there is no report yet.

    Where neither agent may write, it is on record as a violation of the one that reports, and its lines as nobody's.
    """
    own: dict[str, bytes | None] = {}
    due, others = world.open - {agent}, (world.open | world.running) - {agent}
    for path, after in changes.items():
        other_may = any(world.model.allowed(other, path) for other in others)
        if other_may or (others and not world.model.allowed(agent, path)):
            world.model.either.update(numbers(after))
        if not any(world.model.allowed(other, path) for other in due):
            own[path] = after
    return own


def _is_undoing_recorded(agent: str, path: str, records: list[Json]) -> bool:
    return any(
        record["session_id"] == agent and record["scope_validation"] == "FAIL" and not record["success"]
        for record in records
        if any(path in (file["path"], file.get("old_path")) for file in record["files"])
    )


def command(world: World, rng: random.Random, agent: str, out: float) -> Changes:
    """What some shell command does to one to three files; done at once."""
    changes: dict[str, bytes | None] = {}
    for _ in range(rng.choice((1, 1, 2, 3))):
        path = world.pick(rng, world.agents_folders(rng, agent, out))
        before = world.read(path)
        if path in changes:
            continue
        if before and rng.random() < 0.15:
            changes[path] = None
        else:
            changes[path] = world.model.changed(rng, agent, before)
        world.put(path, changes[path])
    return changes


BASH: Json = {"command": "make things"}


def shell(world: World, rng: random.Random) -> None:
    """A command, announced, run and reported."""
    agent = rng.choice((_FIRST, _FIRST, _SECOND))
    call = world.call_id()
    if not announce(world, agent, "Bash", BASH, call):
        return
    world.before = world.tree()
    changes = command(world, rng, agent, 0.35)
    world.say(f"{agent} Bash {sorted(changes)}")
    report(world, agent, "Bash", BASH, call, changes)


def shell_beside_a_save(world: World, rng: random.Random) -> None:
    """A person saves while a command runs, often the same file: the save stays, whatever becomes of the command."""
    call = world.call_id()
    if not announce(world, _FIRST, "Bash", BASH, call):
        return
    world.before = world.tree()
    path = world.pick(rng, FOLDERS)
    world.save(path, world.model.changed(rng, OTHERS, world.read(path)))
    saved = world.read(path)
    changes = dict(command(world, rng, _FIRST, 0.4))
    world.say(f"agent-1 Bash {sorted(changes)} beside a save of {path}")
    is_shared = path in changes
    if is_shared:
        world.model.soften(_FIRST, [changes.pop(path)])
    report(world, _FIRST, "Bash", BASH, call, changes, also=path if is_shared else "")
    if not is_shared and world.read(path) != saved:
        raise Broken(f"(a) the save of {path} is gone")


def two_shells(world: World, rng: random.Random) -> None:
    """Two agents' commands at once, in files of their own, reported in any order."""
    calls = {agent: world.call_id() for agent in AGENTS}
    if not all(announce(world, agent, "Bash", BASH, calls[agent]) for agent in AGENTS):
        return
    world.before = world.tree()
    changes: dict[str, Changes] = {}
    for agent in AGENTS:
        own = ("one",) if agent == _FIRST else ("two",)
        path = world.pick(rng, own)
        changes[agent] = {path: world.model.changed(rng, agent, world.read(path))}
        world.put(path, changes[agent][path])
    world.say(f"two commands at once {[sorted(paths) for paths in changes.values()]}")
    for agent in rng.sample(AGENTS, 2):
        # Which of the two changed a file can't be seen: at worst it is on record as out of the other's scope.
        report(world, agent, "Bash", BASH, calls[agent], changes[agent], whole=False)


def shell_beside_mcp(world: World, rng: random.Random) -> None:
    """Agent 2 writes over MCP while a command of agent 1 runs: that is agent 2's."""
    call = world.call_id()
    if not announce(world, _FIRST, "Bash", BASH, call):
        return
    world.before = world.tree()
    mcp_write(world, rng, out=0)
    path = world.pick(rng, ("one",))
    changes = {path: world.model.changed(rng, _FIRST, world.read(path))}
    world.put(path, changes[path])
    world.say(f"agent-1 Bash {path} beside that")
    report(world, _FIRST, "Bash", BASH, call, changes)


# -- over MCP


def mcp_write(world: World, rng: random.Random, *, out: float = 0.25) -> None:
    """Write, edit, delete or rename a file."""
    path = world.pick(rng, world.agents_folders(rng, _SECOND, out))
    before = world.read(path)
    world.tool("read_file", path=path)
    how = rng.choice(("write_to_file", "edit_file", "delete_file", "rename_file", "write_to_file"))
    if not before or how == "write_to_file":
        after = world.model.changed(rng, _SECOND, before)
        _edit(world, "write_to_file", {path: after}, path=path, content=after.decode())
    elif how == "edit_file":
        after = world.model.changed(rng, _SECOND, before)
        _edit(world, how, {path: after}, path=path, old_string=before.decode(), new_string=after.decode())
    elif how == "delete_file":
        _edit(world, how, {path: None}, path=path)
    else:
        new = f"{rng.choice(('two', 'both'))}/moved{rng.randint(0, 9)}.py"
        if world.read(new) is None:
            _edit(world, how, {path: None, new: before}, path=path, new_path=new)


def _edit(world: World, how: str, changes: Changes, **arguments: str) -> None:
    world.look()
    world.say(f"agent-2 {how} {sorted(changes)}")
    before = {path: world.read(path) for path in changes}
    answer = world.tool(how, changes, **arguments)
    is_allowed = all(world.model.allowed(_SECOND, path) for path in changes)
    if answer["status"] != "ok":
        if any(world.read(path) != before[path] for path in changes):
            raise Broken(f"(a) a refused edit changed {sorted(changes)}")
        if is_allowed and world.is_quiet:
            raise Broken(f"(f) agent-2 may not {how} {sorted(changes)}: {answer}")
        return
    if not is_allowed:
        raise Broken(f"(d) agent-2 may {how} {sorted(changes)}")
    if any(world.read(path) != after for path, after in changes.items()):
        raise Broken(f"(a) {how} answered ok, and {sorted(changes)} are not what was written")
    waits = answer.get("trace") == "degraded"
    if waits and "ledger" not in world.faults.active:
        raise Broken(f"(c) degraded without a fault: {answer}")
    owed = [Owed(_SECOND, path, after, world.said[-1], waits) for path, after in changes.items()]
    world.expect(owed if how != "rename_file" else owed[:1], world.look(), strict=not waits)


# -- cut short


def unreported(world: World, rng: random.Random) -> None:
    """A command that was announced and ran, and of which no report ever comes."""
    call = world.call_id()
    if not announce(world, _FIRST, "Bash", BASH, call):
        return
    world.before = world.tree()
    changes = command(world, rng, _FIRST, 0.5)
    world.say(f"agent-1 Bash {sorted(changes)}, never reported")
    owe(world, _FIRST, changes)


def killed_report(world: World, rng: random.Random) -> None:
    """The hook that reports a command is killed at some moment."""
    call = world.call_id()
    if not announce(world, _FIRST, "Bash", BASH, call):
        return
    world.before = world.tree()
    changes = command(world, rng, _FIRST, 0.5)
    outside = {path: world.before.get(path) for path in changes if not world.model.allowed(_FIRST, path)}
    world.say(f"agent-1 Bash {sorted(changes)}, its report killed")
    may_change = outside if world.kind.shell == "revert" else {}
    world.hook(_FIRST, "PostToolUse", "Bash", BASH, call, may_change, kill_after_s=rng.choice((0.005, 0.02, 0.05)))
    for path in may_change:
        if world.read(path) != changes[path] and changes[path] is not None and changes[path] not in world.trash():
            raise Broken(f"(a) {path} was undone by a killed hook, and what it held is nowhere")
    new = world.look()
    owe(world, _FIRST, {path: after for path, after in changes.items() if world.read(path) == after}, new)


def owe(world: World, agent: str, changes: Changes, new: list[Json] | None = None) -> None:
    owed = [
        Owed(agent, path, after, world.said[-1], waits=False)
        for path, after in changes.items()
        if world.before.get(path) != after and not world.model.allowed(agent, path)
    ]
    world.model.soften(agent, changes.values())
    world.open.add(agent)
    if world.kind.shell == "revert":
        world.late |= {one.path: (world.before.get(one.path), one.after) for one in owed}
    world.expect(owed, new or [], strict=False)


def turn_ends(world: World, rng: random.Random) -> None:
    """What was not reported won't be, and may run on; with the session, all is over."""
    event = rng.choice(("Stop", "UserPromptSubmit", "SessionEnd"))
    agent = rng.choice((_FIRST, _FIRST, _SECOND))
    world.say(f"{agent} {event}")
    world.pause(agent, event)
    if not world.is_quiet:
        return
    if event == "SessionEnd":
        world.running.discard(agent)
    elif agent in world.open:
        world.running.add(agent)
    world.open.discard(agent)


def killed_announcement(world: World, rng: random.Random) -> None:
    """The hook that announces a tool is killed; the agent gives the tool up."""
    path = world.pick(rng, FOLDERS)
    given = {"file_path": str(world.root / path), "content": "x\n"}
    world.say(f"the announcement of Write {path} killed")
    world.hook(_FIRST, "PreToolUse", "Write", given, world.call_id(), kill_after_s=rng.choice((0.005, 0.02, 0.05)))


def killed_server(world: World, rng: random.Random) -> None:
    """SIGKILL of the MCP server in the middle of a write: after its next start, all of it happened, or nothing."""
    path = world.pick(rng, ("two", "both"))
    before = world.read(path)
    after = world.model.changed(rng, _SECOND, before)
    world.tool("read_file", path=path)
    world.say(f"agent-2 write_to_file {path}, killed in the middle")
    world.look()
    world.mcp.ask("tools/call", {"name": "write_to_file", "arguments": {"path": path, "content": after.decode()}})
    time.sleep(rng.choice((0, 0.002, 0.005, 0.01, 0.03)))
    world.kill_mcp()
    if world.read(path) not in (before, after):
        raise Broken(f"(a) a killed write left neither the old nor the new content of {path}")
    _start_after_kill(world, {path: after})
    if world.read(path) == after and before != after:
        waits = "ledger" in world.faults.active
        world.expect([Owed(_SECOND, path, after, world.said[-1], waits)], world.look(), strict=not waits)
    elif world.read(path) != before:
        raise Broken(f"(a) the next start left neither the old nor the new content of {path}")


def _start_after_kill(world: World, may_change: Changes) -> None:
    """The next start may complete what was under way."""
    start: Callable[[], object] = lambda: world.mcp  # noqa: E731
    if all(world.read(path) == after for path, after in may_change.items()):
        start()
        return
    (path,) = may_change
    before = world.tree()
    start()
    after = world.tree()
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if changed - {path}:
        raise Broken(f"(a) a start changed {sorted(changed)}")


STEPS: Mapping[str, Callable[[World, random.Random], None]] = {
    "write": write,
    "shell": shell,
    "shell_beside_a_save": shell_beside_a_save,
    "two_shells": two_shells,
    "shell_beside_mcp": shell_beside_mcp,
    "mcp_write": mcp_write,
    "unreported": unreported,
    "killed_report": killed_report,
    "turn_ends": turn_ends,
    "killed_announcement": killed_announcement,
    "killed_server": killed_server,
}
