"""A root's configuration is as it is now, and costs next to nothing while nothing changes."""

from __future__ import annotations

import errno
import os
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.declarations import outline
from intentls.engine.declarations.shown_intents import shown_intents
from intentls.engine.workspace.configuration import Configuration, ConfigurationReader
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.cli.main import run
from intentls.store.config import intents_parser
from intentls.store.config.intents_file import IntentsFile
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.primitives import RACY_NS
from intentls.store.layout import Layout
from intentls.store.sessions.accepted_files import AcceptedFiles
from intentls.store.sessions.agent_processes import AgentProcesses
from tests.support.workspaces import make_workspace

SETTLED_S = 2 * RACY_NS / 1e9


def reader(root: Path) -> ConfigurationReader:
    """One that stays, as a server's does."""
    layout = Layout(root)
    accepted = AcceptedFiles(layout, AgentProcesses(layout.agents))
    return ConfigurationReader(layout, accepted, lambda: False, trust_cache=False)


def said(found: Configuration) -> tuple[Any, ...]:
    """All that can be told of a configuration."""
    declared = dict(found.intents.intents), tuple(found.intents.diagnostics()), found.policy_file, found.ignore
    return *declared, found.error, found.unconfirmed, found.settings_links


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], list[str]]]:
    """Every look at the disk while something runs: which call, and at which name."""
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
        return list(asked)

    yield count


def test_an_unchanged_configuration_is_looked_at_three_times(
    tmp_path: Path, counted: Callable[[Callable[[], object]], list[str]]
) -> None:
    """The list of intents, and the two directories that would hold what is missing: nothing is read."""
    root = make_workspace(tmp_path / "work")
    time.sleep(SETTLED_S)
    known = reader(root)
    known.current()
    assert counted(known.current) == ["stat .orchestration", "stat work", "stat active_intents.yaml"]
    (root / ".orchestration" / "another").touch()
    time.sleep(SETTLED_S)
    known.current()
    assert len(counted(known.current)) == 3
    Layout(root).policy.write_text("hitl: deny\n")
    Layout(root).ignore_files[0].write_text("secret/\n")
    time.sleep(SETTLED_S)
    assert known.current().policy.hitl == "deny"
    assert len(counted(known.current)) == 5, "there is one more look for each more file in .orchestration"
    (Layout(root).intents_folder).mkdir()
    (Layout(root).intents_folder / "INT-7.yaml").write_text("id: INT-7\nowned_scope: [seven/**]\n")
    time.sleep(SETTLED_S)
    assert "INT-7" in known.current().intents.intents
    assert counted(known.current)[-3:] == ["stat INT-7.yaml", "stat policy.yaml", "stat .intentignore"]
    assert len(counted(known.current)) == 7, "one look at the folder of intents, and one at each file in it"


def test_directories_of_agents_settings_cost_one_look_each_and_links_in_them_are_always_followed(
    tmp_path: Path, counted: Callable[[Callable[[], object]], list[str]]
) -> None:
    """A directory's stamp shows that no link came; where a link leads may change without a sign."""
    root = make_workspace(tmp_path / "work")
    for name in (".github", ".vscode"):
        (root / name).mkdir()
    time.sleep(SETTLED_S)
    known = reader(root)
    known.current()
    assert counted(known.current)[-2:] == ["stat .github", "stat .vscode"]
    assert len(counted(known.current)) == 5
    (root / ".vscode" / "mcp.json").symlink_to("../a/mcp.json")
    time.sleep(SETTLED_S)
    assert known.current().settings_links == (("a/mcp.json", ".vscode/mcp.json"),)
    (root / "a").symlink_to("b")
    assert known.current().settings_links == (("b/mcp.json", ".vscode/mcp.json"),)
    (root / "b").mkdir()
    time.sleep(SETTLED_S)
    known.current()
    (root / "b" / "mcp.json").symlink_to("other.json")
    assert known.current().settings_links == (("b/other.json", ".vscode/mcp.json"),)


def test_a_command_announced_by_another_process_is_seen_although_its_index_is_looked_at_no_more(
    tmp_path: Path, counted: Callable[[Callable[[], object]], list[str]]
) -> None:
    """The index comes by a rename out of `.orchestration`, whose stamp changes in the same step."""
    root = make_workspace(tmp_path / "work")
    layout, known = Layout(root), reader(root)
    other = AcceptedFiles(layout, AgentProcesses(layout.agents))
    for number, can_rename in enumerate((True, False)):
        time.sleep(SETTLED_S)
        before = known.current().ignore
        assert "stat index" not in str(counted(known.current))
        with pytest.MonkeyPatch.context() as patched:
            if not can_rename:
                patched.setattr("intentls.store.sessions.accepted_files.replace_bytes", beside_only)
            other.begin("command")
        layout.ignore_files[1].write_text(f"a{number}/\n")
        found = known.current()
        assert found.ignore == before
        assert found.unconfirmed == (".intentignore",)
        other.accept(".intentignore", layout.ignore_files[1].read_bytes())
        other.end("command")
        assert known.current().unconfirmed == ()
        assert known.current().ignore != before


def beside_only(path: Path, data: bytes, *, out_of: Path | None = None) -> None:
    """As where the two directories are on different file systems."""
    if out_of is not None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
    replace_bytes(path, data)


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

    def rewrite_unseen(path: Path) -> None:
        """Other bytes of the same length, with the time of before."""
        if path.is_file() and not path.is_symlink():
            status, text = path.stat(), path.read_text()
            path.write_text(text.replace("a", "e") if "a" in text else text.replace("e", "a"))
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def move_away_and_back(_: Path) -> None:
        """Another directory of the same name, and then the first again, or only its copy."""
        moved = root / "moved"
        layout.orchestration.rename(moved)
        assert said(known.current()) == said(reader(root).current())
        if chance.random() < 0.5:
            moved.rename(layout.orchestration)
        else:
            shutil.copytree(moved, layout.orchestration, symlinks=True)
            shutil.rmtree(moved)

    def change_settings(_: Path) -> None:
        """A directory of an agent's settings, with links or without, comes or goes."""
        settings = root / chance.choice((".claude", ".vscode"))
        if settings.is_symlink():
            settings.unlink()
        elif settings.is_dir() and chance.random() < 0.4:
            shutil.rmtree(settings)
        elif chance.random() < 0.2:
            shutil.rmtree(settings, ignore_errors=True)
            settings.symlink_to("elsewhere")
        else:
            settings.mkdir(exist_ok=True)
            link = settings / chance.choice(("a", "b"))
            link.unlink(missing_ok=True)
            if chance.random() < 0.7:
                link.symlink_to(f"../{chance.choice('xyz')}")

    def run_command(_: Path) -> None:
        """An agent's command begins or ends, as another process says."""
        other = AcceptedFiles(layout, AgentProcesses(layout.agents))
        (other.end if other.state().commands else other.begin)("command")

    posix = (replace, lead_nowhere, rewrite_unseen, move_away_and_back, change_settings, change_settings, run_command)
    seen, counts = set(), 0
    for number in range(200):
        step = chance.choice((write, remove, remove, *(posix if os.name == "posix" else ())))
        step(chance.choice(list(texts)))
        if number % 6 == 0:
            time.sleep(SETTLED_S)
        found = said(known.current())
        assert found == said(reader(root).current()), (number, step)
        seen.add(repr(found))
        counts += bool(found[-1])
    assert len(seen) > 40
    assert os.name != "posix" or counts > 10, "some had links"


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


def test_a_file_is_parsed_once_however_many_threads_ask_and_if_an_editor_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of intents take seconds: an editor's first diagnostics and an agent's first command share them."""
    root = make_workspace(tmp_path / "work")
    workspace = Workspace(Layout(root), Headless("lsp", (root,)))
    parse, parsed, others_ask = intents_parser.parse_intents, [], threading.Event()

    def slowly(data: bytes | None, path: str = INTENTS_FILE) -> IntentsFile:
        parsed.append(path)
        others_ask.wait(0.2)  # all of them have begun; if one parses as well, it is counted
        return parse(data, path)

    monkeypatch.setattr(intents_parser, "parse_intents", slowly)
    monkeypatch.setattr(outline, "parse_intents", slowly)
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: workspace.configuration(), range(4)))
    assert len({id(one.intents) for one in answers}) == 1
    text = Layout(root).intents.read_text()
    assert shown_intents(workspace, INTENTS_FILE, text).intents.keys() == answers[0].intents.intents.keys()
    assert parsed == [INTENTS_FILE]
    assert shown_intents(workspace, INTENTS_FILE, "active_intents: []\n").intents == {}
    assert parsed == [INTENTS_FILE] * 2
