"""What a person is asked."""

from __future__ import annotations

import pytest

from intentls.core.gate.action import Action, Facts, Target
from intentls.core.gate.gate import decide
from intentls.core.gate.policy import Policy
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.scope import Scope
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.actions.wording import Subject

INTENTS = {
    "INT-001": Intent("INT-001", scope=Scope.parse(["src/**"])),
    "INT-002": Intent("INT-002", status=Status.DONE),
}
HASH, OTHER = "sha256:" + "a" * 64, "sha256:" + "b" * 64
ADD = PlannedEdit("docs/a", Change.ADD, None, b"new")
DELETE = PlannedEdit("docs/b", Change.DELETE, b"old", None)
RENAME = PlannedEdit("docs/c", Change.RENAME, b"old", b"old", old_path="docs/d")
OUTSIDE = Refusal.of(Code.SCOPE_VIOLATION, "Scope Violation: no.", paths=("docs/a", "docs/b", "docs/c"))


@pytest.mark.parametrize(
    ("intent_id", "target", "asked"),
    [
        ("INT-001", Target("docs/a"), "m wants to change docs/a, outside INT-001 (src/**)."),
        (
            "INT-001",
            Target("src/a", True, OTHER, HASH),
            "m wants to change src/a, which has changed since the agent read",
        ),
        ("INT-001", Target("src/a", True, OTHER), "m wants to change src/a, which the agent has not read."),
        ("INT-002", Target("src/a"), "m wants to change src/a under INT-002, which is DONE."),
        (None, Target("src/a"), "m wants to change src/a. The agent has not chosen an intent."),
    ],
)
def test_a_person_is_told_who_wants_what_and_why_it_was_refused(
    intent_id: str | None, target: Target, asked: str
) -> None:
    """Not what an agent should do next."""
    facts = Facts(selected=intent_id, intents=INTENTS)
    refusal = decide(facts, Action("edit_file", (target,)), Policy(require_base=True)).refusal
    assert refusal is not None
    subject = Subject(refusal, "edit_file", "m", intent_id, INTENTS.get(intent_id or ""), (target.path,))
    assert subject.text.startswith(asked)


def test_each_kind_of_change_has_its_verb() -> None:
    subject = Subject(OUTSIDE, "apply_patch", "", "INT-001", INTENTS["INT-001"], edits=(ADD, DELETE, RENAME))
    assert subject.text == (
        "An agent wants to create docs/a and delete docs/b and rename docs/d to docs/c, outside INT-001 (src/**)."
    )


def test_markdown_makes_names_bold_and_obeys_none() -> None:
    """A file's name may look like markup."""
    refusal = Refusal.of(Code.SCOPE_VIOLATION, "no", paths=("docs/*a*",))
    subject = Subject(refusal, "write_to_file", "m_x", "INT-001", INTENTS["INT-001"])
    assert subject.markdown == r"**m\_x** wants to change **docs/\*a\***, outside INT-001 (src/\*\*)."


def test_many_files_are_counted() -> None:
    paths = tuple(f"docs/{name}" for name in "abcdef")
    refusal = Refusal.of(Code.INTENTIGNORE_PATH_BLOCKED, "no", paths=paths)
    text = Subject(refusal, "delete_file", "m", "INT-001", INTENTS["INT-001"]).text
    assert text == "m wants to delete docs/a, docs/b, docs/c and 3 more, which .intentignore puts off limits."


def test_what_names_no_file_is_asked_about_all_the_same() -> None:
    """A command, a tool that is not known, a scope, a status, a selection."""
    needed = Refusal.of(Code.INTENT_REQUIRED, "no")
    assert (
        Subject(needed, "execute_command").text
        == "An agent wants to run a command. The agent has not chosen an intent."
    )
    assert Subject(needed, "spawn").text.startswith("An agent wants to use spawn.")
    wider = Refusal.of(Code.SCOPE_VIOLATION, "no", paths=("docs/**",))
    asked = Subject(wider, "request_scope_expansion", "m", "INT-001", INTENTS["INT-001"], reason="the plan")
    assert asked.message == "m wants to add docs/** to the scope of INT-001 (src/**). The reason given: the plan"
    closed = Refusal.of(Code.INTENT_CLOSED, "Intent INT-002 is DONE. Select an open intent.")
    selected = Subject(closed, "select_active_intent", "m", "INT-002", INTENTS["INT-002"])
    assert selected.text == "m wants to select INT-002. Intent INT-002 is DONE."
    reopened = Refusal.of(Code.SCOPE_VIOLATION, "Scope Violation: INT-002 is DONE, and a person has to approve.")
    status = Subject(reopened, "set_status", "m", "INT-002", INTENTS["INT-002"])
    assert status.text == "m wants to set the status of INT-002. INT-002 is DONE, and a person has to approve."


def test_a_file_that_is_not_there_yet_is_to_be_created_also_where_its_content_is_not_known() -> None:
    """Codex's own patch notation names files, and its contents are not read."""
    refusal = Refusal.of(Code.SCOPE_VIOLATION, "no", paths=("docs/a", "docs/b"))
    subject = Subject(refusal, "apply_patch", "m", "INT-001", INTENTS["INT-001"], absent=frozenset(["docs/a"]))
    assert subject.text == "m wants to create docs/a and change docs/b, outside INT-001 (src/**)."


def test_a_person_who_selects_a_closed_intent_is_asked_about_their_own_act() -> None:
    """No agent wants it."""
    closed = Refusal.of(Code.INTENT_CLOSED, "Intent INT-002 is DONE. Select an open intent.")
    subject = Subject(closed, "select_active_intent", "", "INT-002", INTENTS["INT-002"], by_person=True)
    assert subject.text == "Intent INT-002 is DONE. Select it all the same?"


def test_a_declared_file_in_scope_is_not_said_to_be_outside() -> None:
    refusal = Refusal.of(Code.SCOPE_VIOLATION, "Scope Violation: [src/a] says what agents may do.", paths=("src/a",))
    text = Subject(refusal, "edit_file", "m", "INT-001", INTENTS["INT-001"]).text
    assert text == "m wants to change src/a. [src/a] says what agents may do."
