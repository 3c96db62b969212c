"""Which intent a session has selected is known without reading a file, and never out of date."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.intents import checkout
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.store.fs.primitives import RACY_NS
from intentls.store.layout import Layout
from intentls.store.sessions.default_intent import DefaultIntent
from intentls.store.sessions.sessions import session_file_name
from tests.support.workspaces import git, make_git_repo, make_workspace

SETTLED_S = 2 * RACY_NS / 1e9
ME = "me"
CALLS = ("stat", "lstat", "open", "scandir", "listdir", "readlink")


class LinkHost(Headless, frozen=True):
    """A host whose client names its folder by a path that may lead through links."""

    named: tuple[Path, ...] = ()

    def folders(self) -> list[Path]:
        return [folder.resolve() for folder in self.named]

    def named_folders(self) -> tuple[Path, ...]:
        return self.named


def engine_of(*named: Path) -> Engine:
    """One that stays, as a server's does."""
    return Engine(LinkHost("lsp", (), named=named))


def select(root: Path, session_id: str = ME, intent_id: str = "INT-001") -> None:
    """What another process does."""
    drive(checkout.select(engine_of(root), session_id, intent_id, None, None))


def looks(monkeypatch: pytest.MonkeyPatch, work: Callable[[], Any]) -> list[str]:
    """The calls that look at the disk while `work` runs, each with the name that it looks at."""
    asked: list[str] = []
    with monkeypatch.context() as patched:
        for name in CALLS:
            patched.setattr(os, name, partial(noting, asked, name, getattr(os, name)))
        work()
    return asked


def noting(asked: list[str], name: str, real: Callable[..., Any], path: Any, *args: Any, **options: Any) -> Any:
    """A call that is noted first."""
    asked.append(f"{name} {Path(os.fspath(path)).name}")
    return real(path, *args, **options)


def test_a_selected_intent_is_known_after_three_looks_and_no_selection_after_four(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is opened, and no folder resolved."""
    root = make_workspace(tmp_path / "work")
    select(root)
    engine = engine_of(root)
    for session_id, intent_id in ((ME, "INT-001"), ("idle", None)):
        engine.active_sessions.now(session_id)
        time.sleep(SETTLED_S)
        assert engine.active_sessions.now(session_id).intent_id == intent_id
    file = f"lstat {session_file_name(ME)}"
    selected = looks(monkeypatch, lambda: engine.active_sessions.known(ME))
    assert selected == ["lstat .orchestration", "lstat active_intents.yaml", file]
    idle = looks(monkeypatch, lambda: engine.active_sessions.known("idle"))
    assert len(idle) == 4
    assert {look.partition(" ")[0] for look in idle} == {"lstat"}
    for session_id, intent_id in ((ME, "INT-001"), ("idle", None)):
        known = engine.active_sessions.known(session_id)
        assert known is not None
        assert known.intent_id == intent_id


def test_without_a_folder_nothing_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no root that could give the session an intent."""
    engine = engine_of()
    assert engine.active_sessions.now(ME).intent_id is None
    assert looks(monkeypatch, lambda: engine.active_sessions.known(ME)) == []
    assert engine.active_sessions.known(ME) == engine.active_sessions.now(ME)


def test_a_session_that_was_written_just_now_is_read_each_time(tmp_path: Path) -> None:
    """It could change again without another time stamp."""
    root = make_workspace(tmp_path / "work")
    engine = engine_of(root)
    select(root)
    assert engine.active_sessions.now(ME).intent_id == "INT-001"
    file = Layout(root).sessions / session_file_name(ME)
    if time.time_ns() - file.stat().st_ctime_ns < RACY_NS / 2:
        assert engine.active_sessions.known(ME) is None


def test_only_so_many_sessions_are_kept(tmp_path: Path) -> None:
    """A client that names ever new sessions fills no memory."""
    engine = engine_of()
    for number in range(300):
        engine.active_sessions.now(f"session-{number}")
    kept = sum(engine.active_sessions.known(f"session-{number}") is not None for number in range(300))
    assert 0 < kept <= 64


@pytest.mark.skipif(os.name != "posix", reason="links, and directories' time stamps")
def test_what_is_known_is_never_out_of_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each change of every kind, what is known is what an engine says that just began, or nothing is known."""
    chance = random.Random(11)
    roots = [make_workspace(tmp_path / name) for name in ("one", "two")]
    for folder in roots:
        make_git_repo(folder)
        git(folder, "checkout", "--quiet", "-b", "topic")
        intents = Layout(folder).intents
        intents.write_text(intents.read_text().replace("status: PLANNED", "status: PLANNED\n    branch: topic"))
    link = tmp_path / "link"
    link.symlink_to("one")
    engine = engine_of(link)
    outer = Layout(tmp_path)

    def root() -> Path:
        return link.resolve()

    def other_selects() -> None:
        select(root(), chance.choice((ME, "you")), chance.choice(("INT-001", "INT-002")))

    def other_clears() -> None:
        checkout.clear(engine_of(root()), ME)

    def session_goes() -> None:
        (Layout(root()).sessions / session_file_name(ME)).unlink(missing_ok=True)

    def session_is_damaged() -> None:
        file = Layout(root()).sessions / session_file_name(ME)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(chance.choice(("{", "{}")))

    def session_is_rewritten_unseen() -> None:
        file = Layout(root()).sessions / session_file_name(ME)
        if file.is_file():
            status, text = file.stat(), file.read_text()
            file.write_text(text.replace("INT-001", "INT-00x").replace("INT-002", "INT-001").replace("00x", "002"))
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    def default_is_chosen() -> None:
        DefaultIntent(Layout(root()).default_intent).write(chance.choice(("INT-001", "INT-002")))

    def default_is_dropped() -> None:
        DefaultIntent(Layout(root()).default_intent).write(None)

    def policy_changes() -> None:
        policy = Layout(root()).policy
        policy.unlink() if policy.exists() else policy.write_text("default_intent: branch\n")

    def folder_leads_elsewhere() -> None:
        link.unlink()
        link.symlink_to(chance.choice(("one", "two")))

    def root_is_moved() -> None:
        one, two = roots
        one.rename(tmp_path / "three")
        two.rename(one)
        (tmp_path / "three").rename(two)

    def list_goes() -> None:
        intents = Layout(root()).intents
        text = intents.read_bytes()
        intents.unlink()
        agrees()
        intents.write_bytes(text)

    def state_goes() -> None:
        shutil.rmtree(Layout(root()).state)

    def directory_is_replaced_by_its_copy() -> None:
        orchestration = Layout(root()).orchestration
        copy = orchestration.with_name("copy")
        shutil.copytree(orchestration, copy)
        shutil.rmtree(orchestration)
        copy.rename(orchestration)

    def directory_becomes_a_link() -> None:
        orchestration = Layout(root()).orchestration
        away = orchestration.with_name("away")
        orchestration.rename(away)
        orchestration.symlink_to("away")
        agrees()
        orchestration.unlink()
        away.rename(orchestration)

    def folder_above_becomes_a_root() -> None:
        outer.orchestration.mkdir(exist_ok=True)
        outer.intents.unlink() if outer.intents.exists() else outer.intents.write_text("active_intents: []\n")

    def agrees() -> bool:
        """Whether it is known, which it need not be; if so it is right."""
        known = engine.active_sessions.known(ME)
        assert known in (None, engine_of(link).active_sessions.now(ME)), (before, step)
        return known is not None

    def nothing_happens() -> None:
        """What was known stays known."""

    starts = (other_selects, session_goes, session_is_damaged, default_is_chosen, default_is_dropped)
    steps = (
        *(other_selects, other_clears, session_goes, session_is_damaged, session_is_rewritten_unseen),
        *(default_is_chosen, default_is_dropped, policy_changes, folder_leads_elsewhere, root_is_moved, list_goes),
        *(state_goes, directory_is_replaced_by_its_copy, directory_becomes_a_link, folder_above_becomes_a_root),
        nothing_happens,
    )
    monkeypatch.setattr("intentls.store.fs.primitives.RACY_NS", RACY_NS // 2)
    times = 0
    for before, step in product(starts, steps):
        before()
        time.sleep(SETTLED_S / 3)  # old enough to be kept
        engine.active_sessions.now(ME)
        times += agrees()
        step()
        agrees()
    assert times > len(steps), "most of it was known before the step"
