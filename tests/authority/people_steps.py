"""What the person and the colleague do, and git in anybody's hands."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable, Mapping

from tests.authority.agent_steps import BASH, announce
from tests.authority.model import AGENTS, FOLDERS, OTHERS, SCOPES, numbers
from tests.authority.world import DECLARED, Broken, World, intents

_BRANCHES = ("main", "side", "topic")


def save(world: World, rng: random.Random) -> None:
    """The person edits in an editor."""
    path = world.pick(rng, FOLDERS)
    content = world.model.changed(rng, OTHERS, world.read(path))
    world.say(f"the person saves {path}")
    world.look()
    world.save(path, content)
    if world.is_quiet and not any(record["tool_name"] == "did_save" for record in world.look()):
        raise Broken(f"(c) the save of {path} is not on record")


def vim(world: World, rng: random.Random) -> None:
    """The person edits without an editor that intentls knows, while no agent's command runs."""
    if world.open | world.running:
        return
    path = world.pick(rng, FOLDERS)
    world.say(f"the person changes {path} by hand")
    world.put(path, world.model.changed(rng, OTHERS, world.read(path)))


def killed_editor(world: World, rng: random.Random) -> None:
    """SIGKILL of the editor's server in the middle of a save: the file stays as the person saved it."""
    path = world.pick(rng, FOLDERS)
    before = world.read(path)
    if world.open | world.running or before is None:
        return
    content = world.model.changed(rng, OTHERS, before)
    world.say(f"the person saves {path}, and the server is killed")
    world.look()
    world.lsp.open(path, before.decode())
    world.lsp.type(path, content.decode())
    world.lsp.save(path, content.decode())
    time.sleep(rng.choice((0, 0.002, 0.01, 0.03)))
    world.kill_lsp()
    if world.read(path) != content:
        raise Broken(f"(a) the save of {path} is not what the person saved")
    world.guarded(lambda: world.lsp)


def attest(world: World, rng: random.Random) -> None:
    """The person attests a file."""
    paths = world.paths(*FOLDERS)
    if not paths or not world.is_quiet:
        return
    path = rng.choice(paths)
    world.say(f"the person attests {path}")
    done = world.guarded(lambda: world.run(None, ["attest", path, "--reason", "seen"]))
    agents = [record for record in world.look() if record.get("session_id") in AGENTS]
    if done.code == 0:
        world.model.vouched |= world.model.soft.intersection(numbers(world.read(path)))
    if done.code not in (0, 1) or agents:
        raise Broken(f"(b) the attestation of {path}: {done}, {agents}")


def grant(world: World, rng: random.Random) -> None:
    """The person gives agent 1 the folder `docs`, or takes it back."""
    world.look()
    scopes = dict(world.model.scopes)
    scopes["agent-1"] = scopes["agent-1"] ^ {"docs"}
    world.say(f"the person declares {sorted(scopes['agent-1'])} for agent-1")
    declare(world, scopes)


def declare(world: World, scopes: Mapping[str, frozenset[str]]) -> None:
    """The person saves what they mean in an editor, and that counts from now on."""
    world.model.scopes = dict(scopes)
    world.save(DECLARED, intents(scopes))
    world.tampered = False


# -- git


def _prepare(world: World, rng: random.Random, kept: float = 0.15) -> None:
    """Nothing is in git's way, and most often all is committed."""
    world.faults.heal()
    if world.tampered:
        world.say("the person puts the declared files back")
        declare(world, world.model.scopes)
    world.model.owed = [owed for owed in world.model.owed if owed.waits]
    if world.kind.ledger_in_git or rng.random() >= kept:
        world.commit()


def commit(world: World, rng: random.Random) -> None:
    """The person commits all there is."""
    world.say("the person commits")
    _prepare(world, rng, 0)


def _switch(world: World, rng: random.Random) -> None:
    branch = rng.choice(_BRANCHES)
    world.git("switch", "--quiet", branch) or world.git("switch", "--quiet", "--create", branch)


def _or_abort(world: World, *command: str) -> None:
    if not world.git(*command):
        subprocess.run(["git", command[0], "--abort"], cwd=world.root, capture_output=True)


def _merge(world: World, rng: random.Random) -> None:
    _or_abort(world, "merge", "--quiet", "--no-edit", rng.choice(_BRANCHES))


def _rebase(world: World, rng: random.Random) -> None:
    _or_abort(world, "rebase", "--quiet", rng.choice(_BRANCHES))


def _cherry_pick(world: World, rng: random.Random) -> None:
    _or_abort(world, "cherry-pick", "--allow-empty", rng.choice(_BRANCHES))


def _revert(world: World, rng: random.Random) -> None:
    if _commits(world) < 2:
        return
    _or_abort(world, "revert", "--no-edit", "HEAD")
    if world.kind.ledger_in_git:  # it took the records of that commit out
        done = world.run(None, ["trace", "restore"])
        if done.code:
            raise Broken(f"(e) trace restore: {done}")


def _pull(world: World, rng: random.Random) -> None:
    if not world.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main"):
        subprocess.run(["git", "merge", "--abort"], cwd=world.root, capture_output=True)


def _stash(world: World, rng: random.Random) -> None:
    world.git("stash", "push", "--quiet", "--include-untracked", "--", *(name for name in FOLDERS if world.paths(name)))


def _pop(world: World, rng: random.Random) -> None:
    if not world.git("stash", "pop", "--quiet"):
        world.git("checkout", "--quiet", "HEAD", "--", *(name for name in FOLDERS if world.paths(name)))


def _reset(world: World, rng: random.Random) -> None:
    if not world.kind.ledger_in_git and _commits(world) > 1:
        world.git("reset", "--quiet", rng.choice(("--hard", "--hard", "--keep")), "HEAD~1")


def _checkout_paths(world: World, rng: random.Random) -> None:
    world.git("checkout", "--quiet", rng.choice(("HEAD", "main", "origin/main", "start")), "--", rng.choice(FOLDERS))


def _amend(world: World, rng: random.Random) -> None:
    if _commits(world) > 1:
        world.git("commit", "--quiet", "--amend", "--all", "--message", "Amended", "--allow-empty")


def _commits(world: World) -> int:
    done = subprocess.run(["git", "rev-list", "--count", "start..HEAD"], cwd=world.root, capture_output=True)
    return int(done.stdout or 0)


_GIT: Mapping[str, Callable[[World, random.Random], None]] = {
    "switch": _switch,
    "merge": _merge,
    "rebase": _rebase,
    "cherry-pick": _cherry_pick,
    "revert": _revert,
    "pull": _pull,
    "stash": _stash,
    "stash pop": _pop,
    "reset": _reset,
    "checkout of paths": _checkout_paths,
    "amend": _amend,
}


def git_by_person(world: World, rng: random.Random) -> None:
    """A command of git, in the person's own terminal."""
    name = rng.choice(tuple(_GIT))
    world.say(f"the person's git: {name}")
    _prepare(world, rng)
    _GIT[name](world, rng)
    take_declared(world)
    if (
        world.open | world.running
    ):  # an agent's command, which may run yet, could have done the same: what git left is confirmed
        declare(world, world.model.scopes)


def git_by_agent(world: World, rng: random.Random) -> None:
    """The same in an agent's shell: git is not an author, and nothing of it is undone."""
    name = rng.choice(tuple(_GIT))
    agent = rng.choice(AGENTS)
    world.say(f"git in the shell of {agent}: {name}")
    _prepare(world, rng)
    call = world.call_id()
    if not announce(world, agent, "Bash", BASH, call):
        return
    _GIT[name](world, rng)
    world.look()
    world.hook(agent, "PostToolUse", "Bash", BASH, call, free=frozenset({DECLARED}))
    records = [record for record in world.look() if record.get("session_id") == agent]
    charged = [file["path"] for record in records for file in record["files"] if file["path"] != DECLARED]
    if charged:
        raise Broken(f"(b) {agent} is charged with what git did: {name}, {charged}")
    if world.read(DECLARED) != intents(world.model.scopes):
        declare(world, world.model.scopes)


def take_declared(world: World) -> None:
    """What people declare is what git brought, in the person's hands."""
    for folders in (SCOPES["agent-1"], SCOPES["agent-1"] | {"docs"}):
        scopes = {**SCOPES, "agent-1": folders}
        if world.read(DECLARED) == intents(scopes):
            world.model.scopes = scopes


def push(world: World, rng: random.Random) -> None:
    """The person's work goes to the others."""
    world.say("the person pushes")
    _prepare(world, rng, 0)
    world.git("push", "--quiet", "origin", "HEAD:main")


def colleague(world: World, rng: random.Random) -> None:
    """Somebody without intentls commits and pushes."""
    clone = world.folder / "colleague"

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=clone, capture_output=True, stdin=subprocess.DEVNULL)

    git("fetch", "--quiet")
    git("reset", "--quiet", "--hard", "origin/main")
    paths = []
    for _ in range(rng.choice((1, 2))):
        folder = rng.choice(FOLDERS)
        file = clone / folder / f"{rng.choice('abcxy')}.py"
        file.parent.mkdir(exist_ok=True)
        before = file.read_bytes() if file.exists() else None
        file.write_bytes(world.model.changed(rng, OTHERS, before))
        paths.append(file.relative_to(clone).as_posix())
    git("add", "--all")
    git("commit", "--quiet", "--message", "The colleague's", "--author", "Bob <bob@example.invalid>")
    git("push", "--quiet", "origin", "HEAD:main")
    world.say(f"the colleague pushes {sorted(paths)}")


STEPS: Mapping[str, Callable[[World, random.Random], None]] = {
    "save": save,
    "vim": vim,
    "killed_editor": killed_editor,
    "attest": attest,
    "grant": grant,
    "commit": commit,
    "git_by_person": git_by_person,
    "git_by_agent": git_by_agent,
    "push": push,
    "colleague": colleague,
}
