"""A root's configuration is as it is now, and costs next to nothing while nothing changes."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.workspace.configuration import Configuration, ConfigurationReader
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.cli.main import run
from intentls.store.fs.primitives import RACY_NS
from intentls.store.layout import Layout
from intentls.store.sessions.accepted_files import AcceptedFiles
from intentls.store.sessions.agent_processes import AgentProcesses
from tests.support.workspaces import make_workspace

DECLARED = {".orchestration", "intents", "active_intents.yaml", "INT-7.yaml", "policy.yaml", ".intentignore"}
"""Names of declared files and of the folders that they are in: other looks are not this page's subject."""

SETTLED_S = 2 * RACY_NS / 1e9


def reader(root: Path) -> ConfigurationReader:
    """One that stays, as a server's does."""
    layout = Layout(root)
    accepted = AcceptedFiles(layout, AgentProcesses(layout.agents))
    return ConfigurationReader(layout, accepted, lambda: False, trust_cache=False)


def said(found: Configuration) -> tuple[Any, ...]:
    """All that can be told of a configuration."""
    return dict(found.intents.intents), tuple(found.intents.diagnostics()), found.policy_file, found.ignore, found.error


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], list[str]]]:
    """Which files' data are asked of the system, or whose content is, while something runs."""
    asked: list[str] = []

    def counting(name: str) -> None:
        real = getattr(os, name)

        def call(path: Any, *args: Any, **options: Any) -> Any:
            asked.append(f"{name} {Path(os.fspath(path)).name}")
            return real(path, *args, **options)

        monkeypatch.setattr(os, name, call)

    for name in ("stat", "lstat", "open", "scandir", "listdir"):
        counting(name)

    def count(work: Callable[[], object]) -> list[str]:
        asked.clear()
        work()
        return [one for one in asked if one.partition(" ")[2] in DECLARED]

    yield count


def test_an_unchanged_configuration_is_looked_at_three_times(
    tmp_path: Path, counted: Callable[[Callable[[], object]], list[str]]
) -> None:
    """The intents, the folder that would hold the files that are missing, the root's ignore file: nothing is read."""
    root = make_workspace(tmp_path / "work")
    time.sleep(SETTLED_S)
    known = reader(root)
    known.current()
    assert counted(known.current) == ["stat .orchestration", "stat active_intents.yaml", "stat .intentignore"]
    (root / ".orchestration" / "another").touch()
    time.sleep(SETTLED_S)
    known.current()
    assert len(counted(known.current)) == 3
    Layout(root).policy.write_text("hitl: deny\n")
    Layout(root).ignore_files[0].write_text("secret/\n")
    time.sleep(SETTLED_S)
    assert known.current().policy.hitl == "deny"
    assert len(counted(known.current)) == 5, "with all four files there is one look at each, and at the folder"
    (Layout(root).intents_folder).mkdir()
    (Layout(root).intents_folder / "INT-7.yaml").write_text("id: INT-7\nowned_scope: [seven/**]\n")
    time.sleep(SETTLED_S)
    assert "INT-7" in known.current().intents.intents
    assert counted(known.current)[-4:] == [
        *("stat INT-7.yaml", "stat policy.yaml", "stat .intentignore", "stat .intentignore")
    ]
    assert len(counted(known.current)) == 7, "one look at the folder of intents, and one at each file in it"


def test_every_change_is_seen_at_once(tmp_path: Path) -> None:
    """Files that come, change, are replaced and go, at once or after a while: as a reader says that just begins."""
    root = make_workspace(tmp_path / "work")
    layout, known, chance = Layout(root), reader(root), random.Random(3)
    texts = {
        layout.policy: ("mode: advise\n", "hitl: deny\n", "mode: nonsense\n"),
        layout.ignore_files[0]: ("a/\n", "b/\n"),
        layout.ignore_files[1]: ("c/\n", "intent: INT-001\n"),
        layout.intents: (layout.intents.read_text(), "active_intents: []\n", "active_intents: 7\n"),
        layout.intents_folder / "INT-9.yaml": ("id: INT-9\n", "id: INT-001\n", "id: [\n"),
    }

    def write(path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(chance.choice(texts[path]))

    def replace(path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        path.with_suffix(".new").write_text(chance.choice(texts[path]))
        path.with_suffix(".new").replace(path)

    def remove(path: Path) -> None:
        path.unlink(missing_ok=True)
        if path.parent == layout.intents_folder:
            shutil.rmtree(path.parent, ignore_errors=True)

    def lead_nowhere(path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to("nowhere")

    seen = set()
    for number in range(120):
        step = chance.choice((write, replace, remove, remove, lead_nowhere) if os.name == "posix" else (write, remove))
        step(chance.choice(list(texts)))
        if number % 4 == 0:
            time.sleep(SETTLED_S)
        found = said(known.current())
        assert found == said(reader(root).current()), number
        seen.add(repr(found))
    assert len(seen) > 15


def forbid(*_: object) -> None:
    """In the place of a parser."""
    raise AssertionError("parsed, though it is known")


def test_what_a_server_read_need_not_be_read_again_to_answer_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server reads for itself and keeps it; `list` and `status`, which record nothing, take it from there."""
    root = make_workspace(tmp_path / "work", policy="hitl: deny\n")
    Workspace(Layout(root), Headless("lsp", (root,))).configuration()
    monkeypatch.setattr("intentls.store.config.intents_parser.parse_intents", forbid)
    monkeypatch.setattr("intentls.store.config.policy_parser.parse_policy", forbid)
    for verb in ("list", "status", "check"):
        with pytest.raises(SystemExit) as ended:
            run([verb, "--root", str(root), *(["src/a.py"] if verb == "check" else [])])
        assert ended.value.code in (0, 1), capsys.readouterr()
    assert "INT-001" in capsys.readouterr().out
    with pytest.raises(AssertionError, match="parsed"):
        Workspace(Layout(root), Headless("lsp", (root,))).configuration()
