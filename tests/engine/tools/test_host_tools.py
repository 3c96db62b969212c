"""Tools that a host runs itself: may they, and what is on record of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from intentls.core.errors import InvalidArgument
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.gate.tool_class import ToolClass
from intentls.core.hashing import hash_of
from intentls.core.ledger.trace_state import TraceState
from intentls.engine.actions.effects import Answer, Ask, Effect, Reply, drive
from intentls.engine.actions.request import EditRequest
from intentls.engine.intents.checkout import select
from intentls.engine.tools.host_tools import HostTool, ToolPermission, before_tool, check, refuse_shell
from intentls.engine.tools.tool_paths import paths_of
from intentls.engine.tools.tool_reports import ReportResult, ToolReport, after_tool
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions import pre_edit_snapshots
from tests.support.session import ledger_of
from tests.support.workspaces import make_git_repo, make_workspace

API, NEW, DESIGN = "src/api/weather.py", "src/api/new.py", "docs/design.md"
SHELL = "execute_command"


class Desk:
    """A session under INT-001 of a host with tools of its own."""

    def __init__(self, root: Path, policy: str | None = None) -> None:
        self.root = make_git_repo(make_workspace(root, policy=policy))
        self.engine = Engine(Headless("lsp", (self.root,)))
        drive(select(self.engine, "s1", "INT-001", None, None))
        self._seen = len(ledger_of(self.root))

    def request(self, tool: str, *paths: str) -> EditRequest:
        return EditRequest(HostTool(tool, paths), "s1")

    def before(self, tool: str, *paths: str) -> ToolPermission | Refusal:
        return drive(before_tool(self.engine, self.request(tool, *paths)))

    def check(self, tool: str, *paths: str) -> tuple[str, ...] | Refusal:
        return check(self.engine, self.request(tool, *paths))

    def after(self, tool: str, *paths: str, **more: Any) -> ReportResult | None:
        names = ("path", "new_path")
        params = dict(zip(names, paths, strict=False))
        return after_tool(self.engine, "s1", ToolReport(tool, params, **more))

    def write(self, path: str, data: bytes) -> None:
        (self.root / path).write_bytes(data)

    def hash(self, path: str) -> str | None:
        return hash_of((self.root / path).read_bytes())

    @property
    def new(self) -> list[dict[str, Any]]:
        return ledger_of(self.root)[self._seen :]

    @property
    def files(self) -> list[tuple[str, str, str | None, str | None]]:
        return [
            (file["path"], file["change"], file["pre_hash"], file["post_hash"])
            for record in self.new
            for file in record["files"]
        ]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "root")


# --- before


def test_a_tool_may_run_on_what_is_in_scope_and_learns_what_its_first_file_holds(desk: Desk) -> None:
    permission = desk.before("write_to_file", API, NEW)
    assert permission == ToolPermission(ToolClass.DESTRUCTIVE, desk.hash(API))
    assert desk.check("write_to_file", API) == ()
    assert desk.before(SHELL) == ToolPermission(ToolClass.DESTRUCTIVE)


def test_a_tool_that_only_reads_may_read_everything(desk: Desk) -> None:
    """Outside of every folder, too: it is no business of the gate."""
    for path in (DESIGN, "/etc/hostname"):
        assert desk.before("read_file", path) == ToolPermission(ToolClass.SAFE)
        assert desk.check("read_file", path) == ()


def test_a_tool_may_not_run_beyond_the_scope_and_the_refusal_is_on_record(desk: Desk) -> None:
    for outcome in (desk.check("write_to_file", DESIGN), desk.before("write_to_file", DESIGN)):
        assert isinstance(outcome, Refusal)
        assert outcome.code is Code.SCOPE_VIOLATION
    assert [(record["success"], record["code"]) for record in desk.new] == [(False, "SCOPE_VIOLATION")]


def _approve(effect: Effect) -> Reply:
    assert isinstance(effect, Ask)
    return Reply(Answer.APPROVE, "Ada")


def test_what_a_person_lets_pass_before_a_tool_runs_is_on_record(desk: Desk) -> None:
    """Before anything is changed: the person's answer counts, whatever the tool does then."""
    engine = Engine(Headless("lsp", (desk.root,), can_ask=True))
    outcome = drive(before_tool(engine, desk.request("write_to_file", DESIGN)), _approve)
    assert isinstance(outcome, ToolPermission)
    (record,) = desk.new
    assert (record["tool_name"], record["success"]) == ("write_to_file", True)
    assert (record["override"]["action"], record["override"]["code"]) == ("Approve", "SCOPE_VIOLATION")
    assert isinstance(desk.before("write_to_file", API), ToolPermission)
    assert len(desk.new) == 1


def test_outside_governance_a_tool_may_run_inside_the_folders_alone(tmp_path: Path) -> None:
    engine = Engine(Headless("lsp", (tmp_path,)))
    for path, is_refused in ((str(tmp_path / "a"), False), (str(tmp_path.parent / "a"), True)):
        request = EditRequest(HostTool("write_to_file", (path,)), "s1")
        assert isinstance(check(engine, request), Refusal) is is_refused
        assert isinstance(drive(before_tool(engine, request)), Refusal) is is_refused
    assert list(tmp_path.iterdir()) == []


def test_where_policy_allows_no_shell_a_command_is_refused_and_on_record(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "root", "shell: deny\n")
    for outcome in (desk.check(SHELL), desk.before(SHELL)):
        assert isinstance(outcome, Refusal)
        assert outcome.code is Code.HOOK_ERROR and "shell: deny" in outcome.error
    assert [(record["tool_name"], record["success"]) for record in desk.new] == [(SHELL, False)]
    assert desk.check("write_to_file", API) == ()


def test_a_shell_that_reaches_several_roots_is_refused_by_the_first_that_allows_none(tmp_path: Path) -> None:
    free, strict = Desk(tmp_path / "free"), Desk(tmp_path / "strict", "shell: deny\n")
    engine = Engine(Headless("hook", (free.root, strict.root)))
    assert isinstance(refuse_shell(engine.workspaces(), free.request(SHELL)), Refusal)
    assert refuse_shell([engine.workspace(free.root)], free.request(SHELL)) is None
    assert (len(free.new), len(strict.new)) == (0, 1)


def test_where_policy_only_advises_a_command_runs(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "root", "shell: deny\nmode: advise\n")
    assert isinstance(desk.before(SHELL), ToolPermission)
    assert desk.check(SHELL) == ()


# --- after


def test_a_report_is_recorded_from_what_was_there_before_the_tool(desk: Desk) -> None:
    desk.write(API, b"by a person, on no record\n")
    before = desk.hash(API)
    desk.before("write_to_file", API)
    desk.write(API, b"X = 1\n")
    result = desk.after("write_to_file", API)
    assert result is not None
    assert (result.trace_id, result.degraded) == (desk.new[0]["id"], False)
    assert desk.files == [(API, "modify", before, hash_of(b"X = 1\n"))]


def test_a_file_may_come_or_go(desk: Desk) -> None:
    desk.before("write_to_file", NEW)
    desk.write(NEW, b"X = 1\n")
    desk.after("write_to_file", NEW)
    desk.before("delete_file", NEW)
    (desk.root / NEW).unlink()
    desk.after("delete_file", NEW)
    assert desk.files == [(NEW, "add", None, hash_of(b"X = 1\n")), (NEW, "delete", hash_of(b"X = 1\n"), None)]


def test_the_base_that_a_report_names_is_that_of_its_first_file(desk: Desk) -> None:
    """The other files go on from what was kept of them."""
    moved = desk.hash(API)
    desk.before("rename_file", API, NEW)
    (desk.root / API).rename(desk.root / NEW)
    claimed = hash_of(b"what the host had in mind")
    desk.after("rename_file", API, NEW, pre_hash=claimed, pre_hash_known=True)
    assert [(path, before, after) for path, _, before, after in desk.files] == [
        (API, claimed, None),
        (NEW, None, moved),
    ]


def test_a_base_that_was_kept_as_well_adds_nothing(desk: Desk) -> None:
    """The ranges are real then."""
    before = desk.hash(API)
    desk.before("write_to_file", API)
    desk.write(API, b"def today():\n    return 'rain'\n")
    desk.after("write_to_file", API, pre_hash=before, pre_hash_known=True)
    (file,) = desk.new[0]["files"]
    (conversation,) = file["conversations"]
    assert [(part["start_line"], part["end_line"]) for part in conversation["ranges"]] == [(2, 2)]


def test_what_did_not_change_is_on_no_record_unless_the_tool_failed(desk: Desk) -> None:
    desk.before("write_to_file", API)
    assert desk.after("write_to_file", API) is None
    assert desk.new == []
    desk.before("write_to_file", API)
    desk.after("write_to_file", API, success=False, error="no")
    assert [(record["success"], record["error"]) for record in desk.new] == [(False, "no")]


def test_a_tool_without_files_is_on_record(desk: Desk) -> None:
    assert desk.after(SHELL) is not None
    assert [record["tool_name"] for record in desk.new] == [SHELL]
    assert desk.after("read_file", API) is None
    assert len(desk.new) == 1


def test_what_a_session_reported_it_knows(desk: Desk) -> None:
    """So that its next edit is not stale."""
    desk.before("write_to_file", API)
    desk.write(API, b"X = 1\n")
    desk.after("write_to_file", API)
    assert desk.engine.workspace(desk.root).sessions.load("s1").reads[API] == desk.hash(API)


def test_the_report_of_a_refused_call_says_nothing_of_the_agent_however_often_it_comes(desk: Desk) -> None:
    """It is not known who changed the file."""
    desk.before("write_to_file", DESIGN)
    desk.write(DESIGN, b"# New\n")
    for _ in range(2):
        assert desk.after("write_to_file", DESIGN) is None
    assert [record["success"] for record in desk.new] == [False]


def test_a_call_that_was_refused_once_and_then_allowed_is_reported(desk: Desk) -> None:
    desk.before("write_to_file", DESIGN)
    drive(select(desk.engine, "s1", "INT-002", None, None))
    assert isinstance(desk.before("write_to_file", DESIGN), ToolPermission)
    desk.write(DESIGN, b"# New\n")
    assert desk.after("write_to_file", DESIGN) is not None


def test_of_a_file_that_was_too_long_to_be_kept_the_hash_is_on_record(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pre_edit_snapshots, "MAX_CONTENT", 3)
    before = desk.hash(API)
    desk.before("write_to_file", API)
    desk.write(API, b"X = 1\n")
    desk.after("write_to_file", API)
    desk.before("delete_file", API)
    (desk.root / API).unlink()
    desk.after("delete_file", API)
    after = hash_of(b"X = 1\n")
    assert desk.files == [(API, "modify", before, after), (API, "delete", after, None)]


def test_an_unannounced_report_goes_on_from_history(desk: Desk) -> None:
    """From the commit, then from the newest record; what the record says is there now is no change."""
    committed = desk.hash(API)
    desk.write(API, b"X = 1\n")
    desk.after("write_to_file", API)
    assert desk.after("write_to_file", API) is None
    desk.write(API, b"X = 2\n")
    desk.after("write_to_file", API)
    (desk.root / API).unlink()
    desk.after("delete_file", API)
    desk.write(API, b"X = 3\n")
    desk.after("write_to_file", API)
    one, two, three = (hash_of(b"X = %d\n" % number) for number in (1, 2, 3))
    assert desk.files == [
        (API, "modify", committed, one),
        (API, "modify", one, two),
        (API, "delete", two, None),
        (API, "add", None, three),
    ]


def test_what_no_record_will_hold_is_not_said_to_be_on_record(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is noted of it."""
    desk.before("write_to_file", API)
    before = desk.engine.workspace(desk.root).sessions.load("s1").reads.get(API)
    desk.write(API, b"X = 1\n")
    monkeypatch.setattr(Workspace, "trace", lambda *_: TraceState.LOST)
    assert desk.after("write_to_file", API) == ReportResult(None, degraded=True)
    assert desk.engine.workspace(desk.root).sessions.load("s1").reads.get(API) == before


def test_a_refused_call_is_known_to_be_refused_until_it_is_allowed(desk: Desk) -> None:
    """Also where a content of the file was announced before."""
    drive(select(desk.engine, "s1", "INT-002", None, None))
    assert isinstance(desk.before("write_to_file", DESIGN), ToolPermission)
    drive(select(desk.engine, "s1", "INT-001", None, None))
    assert isinstance(desk.before("write_to_file", DESIGN), Refusal)
    desk.write(DESIGN, b"# New\n")
    assert desk.after("write_to_file", DESIGN) is not None
    assert desk.after("write_to_file", DESIGN) is None


@pytest.mark.parametrize("key", ["patch", "diff", "input"])
def test_the_files_inside_a_patch_are_named_by_it(key: str) -> None:
    patch = "--- a/one\n+++ b/one\n@@ -1 +1 @@\n-1\n+2\n--- /dev/null\n+++ b/two\n@@ -0,0 +1 @@\n+2\n"
    assert paths_of("apply_patch", {key: patch}) == ("one", "two")
    assert paths_of("apply_patch", {key: patch, "path": "zero"}) == ("zero", "one", "two")
    assert paths_of("other_tool", {key: "no patch"}) == ()
    assert paths_of("apply_patch", {key: "no patch", "path": "zero"}) == ("zero",)
    with pytest.raises(InvalidArgument):
        paths_of("apply_patch", {key: "no patch"})
    with pytest.raises(InvalidArgument):
        paths_of("write_to_file", {})


def test_outside_governance_nothing_is_recorded(tmp_path: Path) -> None:
    engine = Engine(Headless("lsp", (tmp_path,)))
    report = ToolReport("write_to_file", {"path": str(tmp_path / "a")})
    assert after_tool(engine, "s1", report) is None
