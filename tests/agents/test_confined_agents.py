"""Inside `intentls run` an agent that asks nobody, with shells and subagents, leaves the tree in scope."""

from __future__ import annotations

import pytest

from tests.agents.conftest import Stage
from tests.agents.programs import PROGRAMS
from tests.agents.scripted_model import Call, Turn
from tests.confinement.machine import can_confine
from tests.support.workspaces import git

_SHELL = (
    "echo y > src/api/shell.py; echo x > docs/shell.md; echo x >> docs/design.md; echo x > .git/hooks/post-commit; "
    "mv docs/design.md docs/moved.md; setsid -f sh -c 'sleep 1; echo x > docs/late.md; echo x > src/api/late.py'; "
    "python3 -c \"open('docs/python.md', 'w').write('x')\""
)
_ELSEWHERE = "ln -s /etc/passwd docs/link; echo x > ~/out.txt"  # some agents refuse that by themselves

_INSTALLING = ("copilot", "opencode")
"""They install parts of themselves at their first start, where a confined command can't write."""


@pytest.mark.parametrize("agent", PROGRAMS)
def test_a_confined_agent_leaves_the_tree_in_scope(stage: Stage, agent: str) -> None:
    if not can_confine("staged", "root"):
        pytest.skip("this machine has no user namespaces for an overlay")
    on = stage(agent)
    on.init()
    if agent in _INSTALLING:
        on.play(["Hello."])
    if agent == "cline":  # started by a shell, so that the run does not know whose folder to make
        (on.bench.home / ".cline").mkdir()
    before = git(on.bench.repository, "status", "--porcelain", "--untracked-files=all")
    root, shell = on.bench.repository, on.program.shell
    turns: list[Turn] = [
        [on.program.write(root, "src/api/in.py")],
        [on.program.write(root, "docs/out.md")],
        [shell(_SHELL)],
        [shell(_ELSEWHERE)],
        [shell("git add -A src && git commit -qm In -- src; git log -1 --format=%s; sleep 2")],
    ]
    others: dict[str, list[Turn]] = {}
    if agent in ("claude-code", "copilot"):
        task = {"description": "d", "prompt": "Play [sub]."}
        kind = (
            {"subagent_type": "general-purpose"}
            if agent == "claude-code"
            else {"agent_type": "general-purpose", "name": "s"}
        )
        turns[2:2] = [[Call("Agent" if agent == "claude-code" else "task", task | kind)], [shell("sleep 5")]]
        others["sub"] = [[on.program.write(root, "src/api/sub.py")], [shell("echo x > docs/sub.md")]]
    run = on.play(*turns, others=others, intent_id="INT-001")
    assert run.code == 0, run.output
    expected = {"src/api/in.py", "src/api/shell.py", "src/api/late.py", *(["src/api/sub.py"] if others else [])}
    assert all(run.has(path) for path in expected), run.output
    assert (root / "docs/design.md").read_text() == "# Design\n"
    outside = ("out.md", "shell.md", "moved.md", "late.md", "python.md", "link", "sub.md")
    assert [name for name in outside if (root / "docs" / name).is_symlink() or (root / "docs" / name).exists()] == []
    assert not run.has(".git/hooks/post-commit")
    assert not (on.bench.home / "out.txt").exists()
    assert all(run.records(f"docs/{name}") for name in outside if name not in ("sub.md", "out.md", "link")), run.output
    assert git(root, "log", "-1", "--format=%s") == "In", run.output
    changed = git(root, "status", "--porcelain", "--untracked-files=all")
    assert [
        line
        for line in changed.splitlines()
        if line not in before and "src/api/" not in line and ".orchestration/" not in line
    ] == []
