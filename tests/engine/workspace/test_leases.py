"""Two agents, one file, on the engine: who holds a lease, from when, until when, and who is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from intentls.core.diagnostic import Severity
from intentls.core.errors import StoreError
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.intents.lease import Lease, Process
from intentls.core.patch.unified_diff import parse_patch
from intentls.engine.actions.effects import Reply, Steps, drive
from intentls.engine.actions.plans import ApplyPatch, DeleteFile, RenameFile, WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.editor.diagnostics import diagnostics_version, review
from intentls.engine.edits import saves
from intentls.engine.edits.dry_run import check_as
from intentls.engine.edits.perform import perform
from intentls.engine.intents import checkout
from intentls.engine.tools import host_tools
from intentls.engine.tools.host_tools import HostTool, ToolPermission
from intentls.engine.workspace import leases
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless, OpenDocument
from intentls.engine.workspace.leases import LeaseHolder, who_works_on
from intentls.engine.workspace.workspace import Workspace
from intentls.store.journal.failures import TargetChanged
from intentls.store.journal.journal import Journal
from intentls.store.process.liveness import this_process
from intentls.store.sessions.coordination import files
from intentls.store.sessions.leases import Leases
from tests.support.database import DatabaseServer
from tests.support.keepers import WAIT_S, SimulatedHost, host
from tests.support.workspaces import make_workspace, write_files

TTL = timedelta(minutes=10)
NOON = datetime(2026, 2, 18, 12, 0, tzinfo=UTC)
INTENTS = """\
active_intents:
  - {id: INT-001, name: One, status: IN_PROGRESS, owned_scope: ["src/**"]}
  - {id: INT-002, name: Two, status: IN_PROGRESS, owned_scope: ["src/**"]}
"""
FILES = {"src/a.py": "one\n", "src/b.py": "one\n"}
ENFORCE = "leases: enforce\n"


class EditorHost(Headless, frozen=True):
    """A host whose documents are open in an editor."""

    documents: tuple[OpenDocument, ...] = ()

    def open_document(self, path: Path) -> OpenDocument | None:
        return next((document for document in self.documents if document.path == path), None)


class Town:
    """A workspace, two agents that work under an intent each, and a clock to turn."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, shared: SimulatedHost | None) -> None:
        self.root = root
        self.shared = shared
        self.now = NOON
        monkeypatch.setattr(files, "now", lambda: self.now)
        self.engine = Engine(Headless("test", (root,), own_session="own"))
        self.select("ada", "INT-001")
        self.select("ben", "INT-002")

    @property
    def workspace(self) -> Workspace:
        return self.engine.workspace(self.root)

    def select(self, session_id: str, intent_id: str) -> None:
        drive(checkout.select(self.engine, session_id, intent_id, None, None))

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        if self.shared is not None:
            self.shared.wait(seconds)

    def write(self, session_id: str, path: str = "src/a.py", content: str | None = None) -> EditResult | Refusal:
        text = f"{session_id} {self.now}\n" if content is None else content
        return drive(perform(self.engine, EditRequest(WriteFile(path, text), session_id)))

    def announce(self, session_id: str, path: str = "src/a.py") -> ToolPermission | Refusal:
        return drive(host_tools.before_tool(self.engine, EditRequest(HostTool("edit", (path,)), session_id)))

    def holders(self) -> dict[str, str]:
        """Path -> session, as everybody sees it."""
        return {work.path: work.session_id for work in who_works_on(self.workspace)}

    def files(self) -> list[Path]:
        return sorted((self.root / ".orchestration/.state/leases").glob("*.json"))


Policy = Callable[[str], Town]


in_files = pytest.mark.parametrize("shared", ["files"], indirect=True)
"""For what looks into the files, lets them fail, or turns the clock that they go by."""


@pytest.fixture(params=["files", "postgresql"])
def shared(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SimulatedHost | None]:
    """Where leases are kept: None for files, else the keeper of the workspace."""
    if request.param == "files":
        yield None
        return
    server: DatabaseServer = request.getfixturevalue("database")
    shared = server.new_repository()
    with host(tmp_path, shared, "w") as one:
        monkeypatch.setenv("INTENTLS_COORDINATION", shared[0])
        monkeypatch.setenv("INTENTLS_COORDINATION_WAIT_MS", str(int(WAIT_S * 1000)))
        yield one


@pytest.fixture
def under(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: SimulatedHost | None) -> Policy:
    """A town under a policy."""

    def make(policy: str) -> Town:
        return Town(make_workspace(tmp_path / "w", INTENTS, FILES, policy=policy), monkeypatch, shared)

    return make


@pytest.fixture
def town(under: Policy) -> Town:
    return under("")


@pytest.fixture
def strict(under: Policy) -> Town:
    return under(ENFORCE)


def done(outcome: EditResult | Refusal) -> EditResult:
    assert isinstance(outcome, EditResult), outcome
    return outcome


def refused(outcome: object) -> Refusal:
    assert isinstance(outcome, Refusal), outcome
    return outcome


# -- taking and renewing --------------------------------------------------------------------------------------


@in_files
def test_whoever_writes_a_file_is_seen_at_work_on_it(town: Town) -> None:
    """Session, intent, since when and until when: the policy's time from the last use."""
    assert who_works_on(town.workspace) == []
    assert done(town.write("ada")).warnings == ()
    town.wait(60)
    assert done(town.write("ada")).warnings == ()
    assert who_works_on(town.workspace) == [
        LeaseHolder("src/a.py", "ada", "INT-001", "2026-02-18T12:00:00.000Z", "2026-02-18T12:11:00.000Z")
    ]


def test_reading_and_asking_take_no_lease(town: Town) -> None:
    """Only who is about to change a file has it: a question of the gate is none."""
    assert host_tools.check(town.engine, EditRequest(HostTool("edit", ("src/a.py",)), "ada")) == ()
    assert town.holders() == {}


def test_announcing_a_tool_takes_a_lease_and_renews_it(town: Town) -> None:
    """A host's own tool changes the file as well, and soon."""
    assert isinstance(town.announce("ada"), ToolPermission)
    town.wait(599)
    assert town.holders() == {"src/a.py": "ada"}
    town.announce("ada")
    town.wait(599)
    assert town.holders() == {"src/a.py": "ada"}


def test_a_lease_that_nobody_renews_lapses(town: Town) -> None:
    """Then the next one to come gets the file, and its file on disk is removed once somebody looks."""
    town.write("ada")
    town.wait(600)
    assert town.holders() == {}
    assert town.files() == []
    assert done(town.write("ben", content="2\n")).warnings == ()
    assert town.holders() == {"src/a.py": "ben"}


@in_files
def test_tidying_up_spares_a_lease_that_was_taken_meanwhile(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly what lapsed is removed, not what stands in its place now."""
    town.write("ada")
    lapsed = town.workspace.leases.all()
    town.wait(600)
    town.write("ben", content="2\n")
    with monkeypatch.context() as patch:
        patch.setattr(Leases, "all", lambda self: lapsed)
        assert town.holders() == {}
    assert town.holders() == {"src/a.py": "ben"}


def test_a_lapsed_lease_is_taken_over_without_anybody_looking(town: Town) -> None:
    """What is over does not count, swept or not."""
    town.write("ada")
    town.wait(600)
    assert done(town.write("ben", content="2\n")).warnings == ()
    assert town.holders() == {"src/a.py": "ben"}


def test_policy_says_how_long_a_lease_lasts(under: Policy) -> None:
    """`lease_ttl_s` counts from each use."""
    town = under("lease_ttl_s: 5\n")
    town.write("ada")
    town.wait(4)
    assert town.holders() == {"src/a.py": "ada"}
    town.wait(1)
    assert town.holders() == {}


@in_files
def test_a_clock_set_back_for_long_frees_what_was_leased_later(town: Town) -> None:
    """A lease from the future by more than its length is void; by less it stands."""
    town.write("ada")
    town.wait(-600)
    assert town.holders() == {"src/a.py": "ada"}
    town.wait(-1)
    assert done(town.write("ben", content="2\n")).warnings == ()
    assert town.holders() == {"src/a.py": "ben"}


def test_every_file_of_a_patch_a_rename_and_a_deletion_is_leased(town: Town) -> None:
    """Also the names that go: nobody should make them anew without a word."""
    drive(perform(town.engine, EditRequest(RenameFile("src/a.py", "src/c.py"), "ada")))
    drive(perform(town.engine, EditRequest(DeleteFile("src/b.py"), "ada")))
    assert town.holders() == dict.fromkeys(("src/a.py", "src/b.py", "src/c.py"), "ada")


def test_a_session_without_an_intent_takes_no_lease(under: Policy) -> None:
    """There would be nothing to say of what for; it is warned all the same."""
    town = under("mode: advise\n")
    town.write("carl", "src/b.py")
    assert town.holders() == {}
    town.write("ada")
    assert "session ada under INT-001" in done(town.write("carl")).warnings[-1]


def test_a_save_leases_the_file_to_the_connections_own_session(town: Town) -> None:
    """A person who types in a file is at work on it, if under an intent; an unchanged save says nothing."""
    for intent_id, expected in ((None, {}), ("INT-001", {"src/a.py": "own"})):
        if intent_id is not None:
            town.select("own", intent_id)
        saves.opened(town.workspace, "src/a.py", (town.root / "src/a.py").read_text())
        saves.saved(town.workspace, "src/a.py", None, "own")
        assert town.holders() == {}
        text = f"{intent_id}\n"
        write_files(town.root, {"src/a.py": text})
        assert saves.saved(town.workspace, "src/a.py", text, "own") is not None
        assert town.holders() == expected


# -- two at one file: advice ----------------------------------------------------------------------------------


def warning(town: Town, session_id: str = "ada under INT-001") -> str:
    """What others read of the lease on src/a.py."""
    (work,) = [work for work in who_works_on(town.workspace) if work.path == "src/a.py"]
    since, until = (f"{moment[:19]}Z" for moment in (work.since, work.until))
    if town.shared is None:
        assert (since, until) == (f"{town.now:%Y-%m-%dT%H:%M:%SZ}", f"{town.now + TTL:%Y-%m-%dT%H:%M:%SZ}")
    return f"src/a.py is being changed by session {session_id} since {since}, lease until {until}."


def test_by_default_a_second_session_is_warned_and_goes_on(town: Town) -> None:
    """The lease stays with the first, who is warned of nothing, and the ledger has nothing to complain of."""
    town.write("ada")
    assert done(town.write("ben", content="2\n")).warnings == (warning(town),)
    assert (town.root / "src/a.py").read_text() == "2\n"
    assert town.holders() == {"src/a.py": "ada"}
    newest = next(iter(town.workspace.ledger.newest_first()))
    assert (newest["session_id"], newest["success"], newest.get("code")) == ("ben", True, None)


def test_a_second_session_does_not_prolong_the_firsts_lease(town: Town) -> None:
    """It ends with the first one's own last use."""
    town.write("ada")
    town.wait(300)
    town.write("ben", content="2\n")
    town.wait(300)
    assert town.holders() == {}


def test_a_host_that_announces_a_tool_is_warned_too(town: Town) -> None:
    """The answer that lets the tool run has the same sentence."""
    town.announce("ada")
    outcome = town.announce("ben")
    assert isinstance(outcome, ToolPermission)
    assert outcome.warnings == (warning(town),)
    assert town.announce("ada") == replace(outcome, warnings=())


def test_other_files_are_nobodys_business(town: Town) -> None:
    """A lease is on a path, not on a folder or an intent."""
    town.write("ada")
    assert done(town.write("ben", "src/b.py")).warnings == ()
    assert town.holders() == {"src/a.py": "ada", "src/b.py": "ben"}


# -- two at one file: enforcement -----------------------------------------------------------------------------


def test_under_enforcement_a_second_session_is_refused(strict: Town) -> None:
    """Nothing is written, the refusal is on record, and the lease stays where it is."""
    strict.write("ada", content="1\n")
    refusal = refused(strict.write("ben", content="2\n"))
    assert refusal.code is Code.HOOK_ERROR
    assert warning(strict) in refusal.error and refusal.paths == ("src/a.py",)
    assert (strict.root / "src/a.py").read_text() == "1\n"
    assert strict.holders() == {"src/a.py": "ada"}
    newest = next(iter(strict.workspace.ledger.newest_first()))
    assert (newest["session_id"], newest["success"], newest["code"]) == ("ben", False, "HOOK_ERROR")


def test_under_enforcement_questions_and_announcements_are_refused_too(strict: Town) -> None:
    """The gate says the same whoever asks, and however."""
    strict.write("ada")
    request = EditRequest(HostTool("edit", ("src/a.py",)), "ben")
    assert refused(host_tools.check(strict.engine, request)).code is Code.HOOK_ERROR
    assert refused(strict.announce("ben")).code is Code.HOOK_ERROR
    assert isinstance(strict.announce("ada"), ToolPermission)


def test_under_enforcement_the_file_is_free_when_the_lease_is_over(strict: Town) -> None:
    """Retrying helps, as the refusal says."""
    strict.write("ada")
    strict.wait(600)
    assert done(strict.write("ben", content="2\n")).warnings == ()
    strict.select("eve", "INT-001")
    assert warning(strict, "ben under INT-002") in refused(strict.write("eve")).error


def test_mode_advise_makes_a_warning_of_the_refusal(under: Policy) -> None:
    """Where nothing is blocked, leases block nothing either; the ledger says what would have been refused."""
    town = under(ENFORCE + "mode: advise\n")
    town.write("ada")
    (warning,) = done(town.write("ben", content="2\n")).warnings
    assert warning.startswith("Leased File: src/a.py is being changed by session ada")
    assert next(iter(town.workspace.ledger.newest_first()))["code"] == "HOOK_ERROR"
    assert town.holders() == {"src/a.py": "ada"}


def test_a_refused_patch_leases_none_of_its_files(strict: Town) -> None:
    """Wholly or not at all."""
    strict.write("ada", "src/b.py")
    patch = (
        "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-one\n+two\n--- a/src/b.py\n+++ b/src/b.py\n@@ -1 +1 @@\n-x\n+y\n"
    )
    plan = ApplyPatch(parse_patch(patch))
    refused(drive(perform(strict.engine, EditRequest(plan, "ben"))))
    assert strict.holders() == {"src/b.py": "ada"}


def test_a_lease_taken_between_check_and_claim_counts(strict: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hosts that announce tools hold no path locks: the claim itself finds out, and the action is judged again."""
    original = leases.held_by_others
    raced: list[str] = []

    def race(workspace: Workspace, paths: object, session_id: str) -> dict[str, Lease]:
        found = original(workspace, ["src/a.py", "src/b.py"], session_id)
        if not raced:
            raced.append(session_id)
            strict.announce("ada", "src/b.py")
        return found

    monkeypatch.setattr("intentls.engine.edits.guard.held_by_others", race)
    plan = HostTool("edit", ("src/a.py", "src/b.py"))
    outcome = drive(host_tools.before_tool(strict.engine, EditRequest(plan, "ben")))
    assert refused(outcome).paths == ("src/b.py",)
    assert strict.holders() == {"src/b.py": "ada"}


def test_of_many_that_want_one_file_exactly_one_gets_it(strict: Town) -> None:
    """At the same moment, over and over."""
    sessions = [f"agent {number}" for number in range(4)]
    for session_id in sessions:
        strict.select(session_id, "INT-001")
    for turn in range(5):
        outcomes: list[EditResult | Refusal] = []
        start = threading.Barrier(len(sessions))

        def work(session_id: str, path: str, start: threading.Barrier, outcomes: list[EditResult | Refusal]) -> None:
            start.wait()
            outcomes.append(strict.write(session_id, path))

        workers = [
            threading.Thread(target=work, args=(session_id, f"src/new{turn}.py", start, outcomes))
            for session_id in sessions
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert [isinstance(outcome, EditResult) for outcome in outcomes].count(True) == 1


def test_judging_for_an_imagined_session_ignores_leases(strict: Town) -> None:
    """What a session under this intent might do is a question of scope; it is in nobody's way."""
    strict.write("ada")
    request = EditRequest(HostTool("edit", ("src/a.py",)), "ben")
    assert refused(host_tools.check(strict.engine, request)).code is Code.HOOK_ERROR
    assert check_as(strict.engine, request, "INT-002") == ()


# -- in the editor --------------------------------------------------------------------------------------------


@pytest.fixture
def editor(strict: Town) -> Town:
    """src/a.py is open in an editor that can be asked to edit it."""
    path = strict.root / "src/a.py"
    document = OpenDocument(path, path.as_uri(), 1, "one\n")
    host = EditorHost("test", (strict.root,), can_apply_edits=True, documents=(document,))
    strict.engine = Engine(host)
    return strict


def editing(town: Town, session_id: str) -> Steps[EditResult | Refusal]:
    """An edit that waits for the editor."""
    steps = perform(town.engine, EditRequest(WriteFile("src/a.py", "two\n"), session_id))
    next(steps)
    return steps


def answer(steps: Steps[EditResult | Refusal], value: Reply | bool) -> EditResult | Refusal:
    with pytest.raises(StopIteration) as end:
        steps.send(value)
    outcome: EditResult | Refusal = end.value.value
    return outcome


def test_a_file_is_leased_while_the_editor_is_asked(editor: Town) -> None:
    """An answer may take long; nobody else gets the file meanwhile."""
    steps = editing(editor, "ada")
    assert editor.holders() == {"src/a.py": "ada"}
    assert refused(editor.write("ben")).code is Code.HOOK_ERROR
    done(answer(steps, True))
    assert editor.holders() == {"src/a.py": "ada"}


def test_an_edit_that_the_editor_rejects_leaves_no_lease(editor: Town) -> None:
    """Nothing was changed, so nobody is at work."""
    assert refused(answer(editing(editor, "ada"), False)).code is Code.EDIT_REJECTED
    assert editor.holders() == {}


def test_an_edit_that_is_given_up_leaves_no_lease(editor: Town) -> None:
    """The connection ended while the editor was asked."""
    editing(editor, "ada").close()
    assert editor.holders() == {}


def test_a_rejected_edit_does_not_end_a_lease_from_before(editor: Town) -> None:
    """Earlier work is not undone by it."""
    editor.announce("ada")
    editor.wait(60)
    refused(answer(editing(editor, "ada"), False))
    assert editor.holders() == {"src/a.py": "ada"}


# -- giving back ----------------------------------------------------------------------------------------------


def test_clearing_the_intent_releases_every_file(town: Town) -> None:
    """At once, and others' leases stay."""
    town.write("ada", "src/a.py")
    town.write("ben", "src/b.py")
    checkout.clear(town.engine, "ada")
    assert len(town.files()) == (1 if town.shared is None else 0)
    assert town.holders() == {"src/b.py": "ben"}


def test_another_intent_releases_and_the_same_one_does_not(town: Town) -> None:
    """Work under one intent is over when the session takes up another; selecting it again only gets its context."""
    town.write("ada")
    town.select("ada", "INT-001")
    assert town.holders() == {"src/a.py": "ada"}
    town.select("ada", "INT-002")
    assert town.files() == []
    assert town.holders() == {}


def test_the_end_of_a_session_releases_every_file(town: Town) -> None:
    """A connection's own session ends with it."""
    town.select("own", "INT-001")
    town.write("own")
    town.engine.end_session("own")
    assert town.files() == []
    assert done(town.write("ben", content="2\n")).warnings == ()


@in_files
def test_a_release_that_was_cut_off_holds_all_the_same(town: Town) -> None:
    """What counts is the session: without its intent, a lease file that is left over means nothing."""
    town.write("ada")
    town.workspace.sessions.drop("ada")
    assert len(town.files()) == 1
    assert done(town.write("ben", content="2\n")).warnings == ()
    assert town.holders() == {"src/a.py": "ben"}


def own_lease(town: Town) -> Lease:
    town.select("own", "INT-001")
    town.write("own")
    (lease,) = town.workspace.leases.all()
    return lease


@in_files
def test_the_end_of_its_process_frees_what_a_connections_own_session_held(town: Town) -> None:
    """A killed server says no goodbye; its session can't be anybody else's."""
    lease = own_lease(town)
    assert lease.process == this_process()
    assert town.holders() == {"src/a.py": "own"}
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    dead = replace(lease, process=replace(this_process(), pid=child.pid))
    town.workspace.leases.update(lease.path, lambda _: dead, "test")
    assert done(town.write("ben", content="2\n")).warnings == ()
    assert town.holders() == {"src/a.py": "ben"}


@in_files
def test_a_process_on_another_machine_is_not_missed_here(town: Town) -> None:
    """Where a folder is shared, only time tells."""
    lease = own_lease(town)
    far = replace(lease, process=Process(2**22 + 1, "another machine"))
    town.workspace.leases.update(lease.path, lambda _: far, "test")
    assert town.holders() == {"src/a.py": "own"}


@in_files
def test_an_agents_session_outlives_the_process_that_acted_for_it(town: Town) -> None:
    """Any process may act for it (a hook, the command line), so none is noted."""
    town.write("ada")
    (lease,) = town.workspace.leases.all()
    assert lease.process is None


# -- trouble --------------------------------------------------------------------------------------------------


def test_a_write_that_fails_leaves_no_lease(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is refused at the last moment or the disk is full."""
    for trouble in (TargetChanged("src/a.py"), StoreError("The disk is full.")):

        def fail(*_: object, trouble: StoreError = trouble) -> None:
            raise trouble

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "commit", fail)
            refused(town.write("ada"))
        assert town.holders() == {}


def refuse_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StoreError("leases can't be written: the disk is full.")

    monkeypatch.setattr(Leases, "update", fail)


@in_files
def test_advice_that_cannot_be_stored_holds_nothing_up(
    town: Town, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By default a lease is a courtesy: without one the edit happens, and the log knows why."""
    refuse_leases(monkeypatch)
    done(town.write("ada"))
    assert "the disk is full" in caplog.text


@in_files
def test_under_enforcement_no_lease_means_no_edit(strict: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who can't make sure that nobody else is at the file may not change it."""
    with monkeypatch.context() as patch:
        refuse_leases(patch)
        refusal = refused(strict.write("ada"))
    assert (refusal.code, refusal.error) == (
        Code.HOOK_ERROR,
        "Lease Error: leases can't be written: the disk is full. Nothing was changed; retry.",
    )
    assert (strict.root / "src/a.py").read_text() == "one\n"
    done(strict.write("ada"))


@in_files
def test_releasing_never_fails(town: Town, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """A session ends whatever the disk says; its leases don't count from then on."""
    town.write("ada")
    with monkeypatch.context() as patch:
        refuse_leases(patch)
        checkout.clear(town.engine, "ada")
        assert town.holders() == {}, "looking does not need to write either"
    assert "they lapse" in caplog.text


@in_files
def test_a_claim_that_fails_half_way_takes_nothing(
    strict: Town, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The files leased so far are given back; where even that fails they lapse."""
    original = Leases.update
    calls: list[str] = []

    def second_fails(self: Leases, path: str, change: Callable[[Lease | None], Lease | None], holder: str) -> object:
        calls.append(path)
        if path == "src/c.py" or len(calls) > 3:
            raise StoreError("the disk is full.")
        return original(self, path, change, holder)

    monkeypatch.setattr(Leases, "update", second_fails)
    rename = EditRequest(RenameFile("src/a.py", "src/c.py"), "ada")
    refused(drive(perform(strict.engine, rename)))
    assert calls == ["src/a.py", "src/c.py", "src/a.py"]
    assert strict.files() == []
    calls[:] = ["", ""]
    refused(drive(perform(strict.engine, rename)))
    assert len(strict.files()) == 1
    assert "it lapses" in caplog.text


def test_a_lease_of_an_impossible_session_is_void(town: Town) -> None:
    """Only a forged file names one."""
    forged = Lease("src/a.py", "", "INT-001", NOON, NOON, NOON + timedelta(minutes=1))
    town.workspace.leases.update("src/a.py", lambda _: forged, "test")
    assert done(town.write("ben")).warnings == ()


@in_files
def test_state_may_be_deleted_at_any_time(strict: Town) -> None:
    """Sessions are idle then, and no file is leased."""
    strict.write("ada")
    shutil.rmtree(strict.root / ".orchestration/.state")
    assert strict.holders() == {}
    strict.select("ben", "INT-002")
    done(strict.write("ben"))
    assert strict.holders() == {"src/a.py": "ben"}


# -- seeing ---------------------------------------------------------------------------------------------------


def test_an_open_file_that_another_session_changes_has_a_hint(town: Town) -> None:
    """It names the session, its intent and since when; the one at work sees none."""
    town.write("ada")
    (finding,) = review(town.workspace, "src/a.py", "one\ntwo\n", "ben")
    assert (finding.severity, finding.code) == (Severity.HINT, "LEASED")
    assert finding.message == warning(town).partition(", lease")[0] + "."
    (work,) = who_works_on(town.workspace)
    assert finding.data == {"path": "src/a.py", "session_id": "ada", "intent_id": "INT-001", "since": work.since}
    assert review(town.workspace, "src/a.py", "one\n", "ada") == ()
    assert review(town.workspace, "src/b.py", "one\n", "ben") == ()


@in_files
def test_what_is_shown_is_refreshed_when_a_lease_comes_or_goes_and_not_when_it_is_renewed(town: Town) -> None:
    """Renewals are many, and change nothing that is shown."""
    before = diagnostics_version(town.engine, "ben")
    town.write("ada")
    taken = diagnostics_version(town.engine, "ben")
    assert taken != before
    town.wait(60)
    town.write("ada")
    assert diagnostics_version(town.engine, "ben") == taken
    town.wait(600)
    assert diagnostics_version(town.engine, "ben") == before


def test_ones_own_leases_refresh_nothing(town: Town) -> None:
    """They are not shown."""
    before = diagnostics_version(town.engine, "ada")
    town.write("ada")
    assert diagnostics_version(town.engine, "ada") == before


@pytest.mark.skipif(os.name == "nt", reason="a file in place of a folder")
@in_files
def test_leases_that_cannot_be_listed_hide_nothing_else(town: Town) -> None:
    """The editor's findings go on; whoever asks for leases alone is told."""
    (town.root / ".orchestration/.state/leases").write_text("x")
    assert diagnostics_version(town.engine, "ben") == diagnostics_version(town.engine, "ben")
    assert review(town.workspace, "src/a.py", "one\n", "ben") == ()
    with pytest.raises(StoreError, match="can't be listed"):
        who_works_on(town.workspace)
