"""A guarded edit with a person, an editor, or a disk that has a say in it."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any

import pytest

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.hashing import hash_of
from intentls.core.mutation.classes import MutationClass
from intentls.core.patch.unified_diff import parse_patch
from intentls.engine.actions.authority import AGENT_SESSION
from intentls.engine.actions.effects import Answer, ApplyInEditor, Ask, Effect, Reply, drive
from intentls.engine.actions.plans import ApplyPatch, DeleteFile, EditFile, RenameFile, WriteFile
from intentls.engine.actions.request import EditRequest, EditResult, Plan
from intentls.engine.edits import ungoverned
from intentls.engine.edits.perform import perform
from intentls.engine.intents.checkout import select
from intentls.engine.tools import shell_changes
from intentls.engine.tools.host_tools import HostTool
from intentls.engine.tools.shell_call import ShellCall
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless, OpenDocument
from intentls.store.journal.failures import TargetChanged, UnsettledEdit
from intentls.store.journal.journal import Journal
from intentls.store.sessions.sessions import Sessions
from tests.support.session import ledger_of
from tests.support.workspaces import make_workspace

API, DESIGN = "src/api/weather.py", "docs/design.md"
YES, NO = Reply(Answer.APPROVE, "Ada"), Reply(Answer.REJECT, "Ada")


class Editor(Headless, frozen=True):
    """A host with an editor that shows these documents."""

    documents: dict[Path, str] = field(default_factory=dict)

    def open_document(self, path: Path) -> OpenDocument | None:
        text = self.documents.get(path)
        return None if text is None else OpenDocument(path, path.as_uri(), 1, text)


class Desk:
    """A session under INT-001 in one root, a person who is asked, and an editor that is asked to edit."""

    def __init__(self, root: Path, *, policy: str | None = None, shown: tuple[str, ...] = ()) -> None:
        self.root = make_workspace(root, policy=policy)
        documents = {self.root / path: (self.root / path).read_text() for path in shown}
        host = Editor(
            "lsp", (self.root,), can_ask=True, can_apply_edits=bool(shown), own_session="s1", documents=documents
        )
        self.engine = Engine(host)
        self.workspace = self.engine.workspace(self.root)
        self.effects: list[Effect] = []
        drive(select(self.engine, "s1", "INT-001", None, None))
        self._seen = len(ledger_of(self.root))

    def do(self, plan: Plan, *answers: Reply | bool | Callable[[], Reply | bool], **more: Any) -> EditResult | Refusal:
        """Perform it; each effect is given the next answer."""
        waiting = list(answers)

        def answer(effect: Effect) -> Reply | bool:
            self.effects.append(effect)
            reply = waiting.pop(0)
            return reply if isinstance(reply, Reply | bool) else reply()

        outcome = drive(perform(self.engine, EditRequest(plan, "s1", **more)), answer)
        assert not waiting
        return outcome

    @property
    def asked(self) -> list[Ask]:
        return [effect for effect in self.effects if isinstance(effect, Ask)]

    @property
    def new(self) -> list[dict[str, Any]]:
        return ledger_of(self.root)[self._seen :]

    def text(self, path: str) -> str:
        return (self.root / path).read_text()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "root")


# --- a person


def test_what_a_person_approves_happens_and_the_record_says_what_was_approved(desk: Desk) -> None:
    result = desk.do(WriteFile(DESIGN, "# New\n"), YES)
    assert isinstance(result, EditResult)
    assert desk.text(DESIGN) == "# New\n"
    (record,) = desk.new
    assert record["success"] is True
    assert record["override"] == {
        "by": "Ada",
        "action": "Approve",
        "code": "SCOPE_VIOLATION",
        "paths": [DESIGN],
        "contents": {DESIGN: hash_of(b"# New\n")},
    }
    (question,) = desk.asked
    assert [(edit.path, edit.after) for edit in question.subject.edits] == [(DESIGN, b"# New\n")]
    assert question.offers == (Answer.APPROVE, Answer.REJECT, Answer.EXPAND_SCOPE)


def test_the_user_of_a_server_that_an_agent_started_is_not_asked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client may be the agent's own."""
    monkeypatch.setenv(AGENT_SESSION, "a1")
    assert isinstance(desk.do(WriteFile(DESIGN, "# New\n")), Refusal)
    assert desk.asked == []


def test_what_is_written_whole_is_on_record_line_by_line(desk: Desk) -> None:
    """All of it is the session's: no other had a part in it."""
    desk.do(EditFile(API, "'sunny'", "'rain'", False))
    (conversation,) = desk.new[0]["files"][0]["conversations"]
    assert (conversation["url"], conversation["contributor"]["type"]) == ("urn:intentls:session:s1", "ai")
    assert [(part["start_line"], part["end_line"]) for part in conversation["ranges"]] == [(2, 2)]


def test_an_approved_rename_is_on_record_with_the_name_that_is_gone(desk: Desk) -> None:
    desk.do(RenameFile(DESIGN, "docs/plan.md"), YES)
    assert desk.new[0]["override"]["contents"] == {DESIGN: None, "docs/plan.md": hash_of(b"# Design\n")}


def test_what_a_person_rejects_does_not_happen_and_the_refusal_is_on_record(desk: Desk) -> None:
    refusal = desk.do(WriteFile(DESIGN, "# New\n"), NO)
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.SCOPE_VIOLATION
    assert desk.text(DESIGN) == "# Design\n"
    assert [(record["success"], record["code"]) for record in desk.new] == [(False, "SCOPE_VIOLATION")]


def test_an_approval_is_good_for_the_contents_that_were_shown(desk: Desk) -> None:
    """Where the file changes while the person reads, they are asked about what the edit makes of it then."""

    def change() -> Reply:
        (desk.root / DESIGN).write_bytes(b"# Design\nA line.\n")
        return YES

    desk.do(EditFile(DESIGN, "# Design", "# New", False), change, YES)
    assert [question.subject.edits[0].after for question in desk.asked] == [b"# New\n", b"# New\nA line.\n"]
    assert desk.new[0]["override"]["contents"] == {DESIGN: hash_of(b"# New\nA line.\n")}


def test_an_approval_is_good_for_the_intent_that_asked(desk: Desk) -> None:
    """Another one that was selected meanwhile asks for itself."""

    def switch() -> Reply:
        drive(select(desk.engine, "s1", "INT-002", None, None))
        return YES

    assert isinstance(desk.do(WriteFile("src/api/new.py", "X = 1\n")), EditResult)
    desk.do(WriteFile("prototype/a.py", "X = 1\n"), switch, YES)
    assert [question.subject.intent_id for question in desk.asked] == ["INT-001", "INT-002"]


def test_a_wider_scope_is_written_to_the_file_and_holds(desk: Desk) -> None:
    desk.do(WriteFile(DESIGN, "# New\n"), Reply(Answer.EXPAND_SCOPE, "Ada"))
    assert desk.workspace.configuration().intents.intents["INT-001"].scope.contains(DESIGN)
    assert isinstance(desk.do(WriteFile(DESIGN, "# Newer\n")), EditResult)
    assert [record["override"]["action"] for record in desk.new if "override" in record][-1] == "Expand scope"


def test_what_is_no_answer_is_no(desk: Desk) -> None:
    """Such as the answer of a face that can't ask."""
    assert isinstance(desk.do(WriteFile(DESIGN, "# New\n"), False), Refusal)


def test_a_directory_is_refused_by_the_gate_before_it_is_an_error(desk: Desk) -> None:
    """A person is shown no content, for there is none, and hears of the directory after the answer."""
    with pytest.raises(InvalidPath):
        desk.do(WriteFile("docs", "text"), YES)
    assert desk.asked[0].subject.edits == ()
    assert isinstance(desk.do(WriteFile("docs", "text"), NO), Refusal)
    with pytest.raises(InvalidPath):
        desk.do(WriteFile("src/api/generated/..", "text"), YES)


def test_a_refusal_that_nobody_may_override_is_not_asked_about(desk: Desk) -> None:
    refusal = desk.do(WriteFile(API, "X\n"), expected_hash=hash_of(b"other"), intent_id="INT-999")
    assert isinstance(refusal, Refusal)
    assert desk.asked == []


def test_what_an_edit_wrote_stands_though_the_session_can_not_be_kept(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It just has to read the file again."""

    def fail(*_: Any) -> Any:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Sessions, "update", fail)
    assert isinstance(desk.do(WriteFile(API, "X = 1\n")), EditResult)
    assert desk.text(API) == "X = 1\n"


def test_a_file_with_two_names_is_judged_once_and_the_others_all_the_same(desk: Desk) -> None:
    plan = HostTool("write_to_file", (API, "src/api/generated/../weather.py", DESIGN))
    refusal = desk.do(plan, NO)
    assert isinstance(refusal, Refusal)
    assert refusal.paths == (DESIGN,)


def test_a_refusal_says_which_declared_files_wait_for_a_person(desk: Desk) -> None:
    """An agent's command changed the policy: what it said before counts, and what is allowed by that happens."""
    call = ShellCall("s1", "execute_command", "k")
    shell_changes.remember(desk.workspace, call)
    (desk.root / ".orchestration/policy.yaml").write_text("mode: advise\n")
    shell_changes.end(desk.workspace, "s1", "k")
    refusal = desk.do(WriteFile(DESIGN, "# New\n"), NO)
    assert isinstance(refusal, Refusal)
    assert "[.orchestration/policy.yaml] changed during an agent's command" in refusal.error
    assert isinstance(desk.do(WriteFile(API, "X = 1\n")), EditResult)


# --- the class of a change


def test_the_sessions_class_is_the_edits_unless_the_call_declares_another(desk: Desk) -> None:
    drive(select(desk.engine, "s1", "INT-001", MutationClass.DOCUMENTATION, None))
    one = desk.do(WriteFile(API, "# Only a comment.\ndef today():\n    return 'sunny'\n"))
    other = desk.do(WriteFile(API, "def today():\n    return 'rain'\n"), mutation_class=MutationClass.INTENT_EVOLUTION)
    assert isinstance(one, EditResult) and isinstance(other, EditResult)
    assert (one.mutation_class, other.mutation_class) == (MutationClass.DOCUMENTATION, MutationClass.INTENT_EVOLUTION)


@pytest.mark.parametrize("declared", ["session", "call"])
def test_a_class_that_the_edit_contradicts_is_refused_where_policy_says_so(tmp_path: Path, declared: str) -> None:
    desk = Desk(tmp_path / "root", policy="mutation_check: block\n")
    docs = MutationClass.DOCUMENTATION
    drive(select(desk.engine, "s1", "INT-001", docs if declared == "session" else None, None))
    more = {"mutation_class": docs} if declared == "call" else {}
    refusal = desk.do(WriteFile(API, "def today():\n    return 'rain'\n"), NO, **more)
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.MUTATION_CLASS_CONTRADICTED
    assert "'sunny'" in desk.text(API)


# --- an editor


def test_an_open_document_is_edited_by_its_editor_and_recorded_when_it_is_saved(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "root", shown=(API,))
    result = desk.do(WriteFile(API, "X = 1\n"), True)
    assert isinstance(result, EditResult)
    assert (result.in_editor, result.trace_id) == (True, None)
    (effect,) = desk.effects
    assert isinstance(effect, ApplyInEditor)
    assert [(edit.document.path, edit.new_text) for edit in effect.edits] == [(desk.root / API, "X = 1\n")]
    assert desk.new == []
    assert "sunny" in desk.text(API)
    assert desk.workspace.sessions.load("s1").reads[API] == hash_of(b"X = 1\n")


def test_what_the_editor_does_not_apply_is_refused_and_on_record(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "root", shown=(API,))
    refusal = desk.do(WriteFile(API, "X = 1\n"), False)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.paths) == (Code.EDIT_REJECTED, (API,))
    assert [(record["success"], record["code"]) for record in desk.new] == [(False, "EDIT_REJECTED")]


def test_a_file_that_is_deleted_leaves_the_disk_though_it_is_open(tmp_path: Path) -> None:
    """Only a text that stays where it is can be edited in place."""
    desk = Desk(tmp_path / "root", shown=(API,))
    assert isinstance(desk.do(DeleteFile(API)), EditResult)
    assert not (desk.root / API).exists()
    assert desk.effects == []


# --- the disk


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (StoreError("The disk is full."), "Store Error: The disk is full. Nothing was changed."),
        (OSError(errno.EROFS, "Read-only file system"), "Store Error: Read-only file system. Nothing was changed."),
        (OSError(), "Store Error: OSError. Nothing was changed."),
    ],
)
def test_what_the_disk_refuses_is_a_refusal_on_record(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, error: Exception, text: str
) -> None:
    def commit(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(Journal, "commit", commit)
    refusal = desk.do(WriteFile(API, "X = 1\n"))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.error) == (Code.HOOK_ERROR, text)
    assert [(record["success"], record["code"]) for record in desk.new] == [(False, "HOOK_ERROR")]


def test_an_edit_that_may_stand_in_part_is_not_said_to_have_changed_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def commit(*_: Any) -> Any:
        raise UnsettledEdit(StoreError("The disk is gone."))

    monkeypatch.setattr(Journal, "commit", commit)
    refusal = desk.do(WriteFile(API, "X = 1\n"))
    assert isinstance(refusal, Refusal)
    assert "Nothing was changed" not in refusal.error


def test_a_file_that_changes_at_the_last_moment_is_stale_and_the_refusal_is_on_record(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def commit(*_: Any) -> Any:
        raise TargetChanged(API)

    monkeypatch.setattr(Journal, "commit", commit)
    refusal = desk.do(WriteFile(API, "X = 1\n"))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.paths) == (Code.STALE_CONTEXT, (API,))
    assert [(record["success"], record["code"]) for record in desk.new] == [(False, "STALE_CONTEXT")]


def test_an_editor_is_asked_to_undo_where_the_disk_refuses_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One patch of an open document and of another file: both or none."""
    desk = Desk(tmp_path / "root", shown=(API,))
    patch = (
        f"--- a/{API}\n+++ b/{API}\n@@ -1,2 +1,2 @@\n def today():\n-    return 'sunny'\n+    return 'rain'\n"
        "--- /dev/null\n+++ b/src/api/new.py\n@@ -0,0 +1 @@\n+X = 1\n"
    )

    def commit(*_: Any) -> Any:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Journal, "commit", commit)
    assert isinstance(desk.do(ApplyPatch(parse_patch(patch)), True, True), Refusal)
    texts = [edit.new_text for effect in desk.effects if isinstance(effect, ApplyInEditor) for edit in effect.edits]
    assert texts == ["def today():\n    return 'rain'\n", "def today():\n    return 'sunny'\n"]
    monkeypatch.undo()
    desk.effects.clear()
    result = desk.do(ApplyPatch(parse_patch(patch)), True)
    assert isinstance(result, EditResult)
    assert desk.text("src/api/new.py") == "X = 1\n"
    assert [file["path"] for record in desk.new if record["success"] for file in record["files"]] == ["src/api/new.py"]


# --- outside governance


def test_outside_governance_an_edit_happens_and_is_on_no_record(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"old\n")
    engine = Engine(Headless("cli", (tmp_path,)))
    result = drive(perform(engine, EditRequest(WriteFile("a.txt", "new\n"), "s1")))
    assert isinstance(result, EditResult)
    assert (result.root, result.trace_id) == (None, None)
    assert (tmp_path / "a.txt").read_bytes() == b"new\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    refusal = drive(perform(engine, EditRequest(WriteFile("../b.txt", "new\n"), "s1")))
    assert isinstance(refusal, Refusal)


def test_outside_governance_an_edit_that_fails_half_way_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A renamed file, a changed one, and then one that the disk refuses."""
    (tmp_path / "a.txt").write_bytes(b"a\n")
    (tmp_path / "b.txt").write_bytes(b"b\n")
    (tmp_path / "b.txt").chmod(0o640)
    patch = (
        "diff --git a/b.txt b/c.txt\nsimilarity index 100%\nrename from b.txt\nrename to c.txt\n"
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+A\n"
        "diff --git a/new.txt b/new.txt\nnew file mode 100644\n"
        "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n"
    )
    put = ungoverned.replace_bytes

    def fail(path: Path, *data: Any, **more: Any) -> None:
        if path.name == "new.txt":
            raise OSError(errno.ENOSPC, "No space left on device")
        put(path, *data, **more)

    monkeypatch.setattr(ungoverned, "replace_bytes", fail)
    engine = Engine(Headless("cli", (tmp_path,)))
    with pytest.raises(OSError, match="No space left"):
        drive(perform(engine, EditRequest(ApplyPatch(parse_patch(patch)), "s1")))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a.txt": b"a\n",
        "b.txt": b"b\n",
    }
    assert (tmp_path / "b.txt").stat().st_mode & 0o777 == 0o640


def test_outside_governance_a_base_that_is_not_the_content_is_stale(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a\n")
    engine = Engine(Headless("cli", (tmp_path,)))
    plan = WriteFile("a.txt", "new\n")
    stale = drive(perform(engine, EditRequest(plan, "s1", expected_hash=hash_of(b"other"))))
    assert isinstance(stale, Refusal)
    assert stale.code is Code.STALE_CONTEXT
    assert (tmp_path / "a.txt").read_bytes() == b"a\n"
    assert isinstance(drive(perform(engine, EditRequest(plan, "s1", expected_hash=hash_of(b"a\n")))), EditResult)
    (tmp_path / "a.txt").write_bytes(b"a\n")
    misfit = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-other\n+A\n"
    refusal = drive(perform(engine, EditRequest(ApplyPatch(parse_patch(misfit)), "s1")))
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.STALE_CONTEXT


# --- leases


@pytest.fixture
def lease(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    """Another session has just written the file."""
    desk = Desk(tmp_path / "root", policy=f"leases: {request.param}\n")
    drive(select(desk.engine, "s2", "INT-001", None, None))
    drive(perform(desk.engine, EditRequest(WriteFile(API, "X = 1\n"), "s2")))
    return desk


@pytest.mark.parametrize("lease", ["advise"], indirect=True)
def test_a_lease_of_another_session_is_told(lease: Desk) -> None:
    outcome = lease.do(WriteFile(API, "X = 2\n"))
    assert isinstance(outcome, EditResult)
    assert len(outcome.warnings) == 1 and API in outcome.warnings[0]


@pytest.mark.parametrize("lease", ["enforce"], indirect=True)
def test_a_lease_of_another_session_is_in_the_way_where_policy_says_so(lease: Desk) -> None:
    refusal = lease.do(WriteFile(API, "X = 2\n"))
    assert isinstance(refusal, Refusal)
    assert refusal.paths == (API,)
    assert lease.text(API) == "X = 1\n"
