"""What is offered at a file that is out of scope: which ways out, in which order, and when none."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.intents.scope import Scope
from intentls.engine.actions.effects import drive
from intentls.engine.editor.quick_fixes import Expansion, QuickFixes, Selection, quick_fixes
from intentls.engine.intents import checkout
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless, OpenDocument
from intentls.store.config.intents_edit import apply
from intentls.store.config.intents_parser import parse_intents
from tests.support.workspaces import intents_yaml, make_workspace, write_files

INTENTS = ".orchestration/active_intents.yaml"


class EditorHost(Headless, frozen=True):
    """A host whose documents are open in an editor."""

    documents: tuple[OpenDocument, ...] = ()

    def open_document(self, path: Path) -> OpenDocument | None:
        return next((document for document in self.documents if document.path == path), None)


def offered(engine: Engine, path: str, intent_id: str | None = "INT-001", root: int = 0) -> QuickFixes:
    """What a session under `intent_id` is offered at `path`."""
    if intent_id is not None:
        drive(checkout.select(engine, "me", intent_id, None, None))
    return quick_fixes(engine, list(engine.workspaces())[root], path, "me")


def titles(found: QuickFixes) -> list[str]:
    return [choice.title for choice in found.choices]


def expansions(found: QuickFixes) -> list[Expansion]:
    return [choice for choice in found.choices if isinstance(choice, Expansion)]


def engine_of(*roots: Path) -> Engine:
    return Engine(Headless("test", roots))


def test_a_file_that_another_intent_owns_is_best_changed_under_that_intent(workspace: Path) -> None:
    """The owner first and preferred, then the file, then its folder; closed intents are not offered."""
    found = offered(engine_of(workspace), "docs/design.md")
    assert found.out_of_scope
    assert titles(found) == [
        "Switch to INT-002 (Write the guide)",
        "Expand scope of INT-001 to this file",
        "Expand scope of INT-001 to its folder (docs/**)",
    ]
    assert found.preferred == Selection("Switch to INT-002 (Write the guide)", "INT-002")


def test_a_file_that_nobody_owns_is_best_added_by_itself(workspace: Path) -> None:
    """Without an owner the smallest widening is preferred; of other intents any can be selected."""
    found = offered(engine_of(workspace), "tools/run.sh")
    assert titles(found) == [
        "Expand scope of INT-001 to this file",
        "Expand scope of INT-001 to its folder (tools/**)",
        "Select an intent: INT-002 (Write the guide)",
    ]
    assert found.preferred is found.choices[0]


def test_of_several_owners_a_person_picks(tmp_path: Path) -> None:
    """Nothing is preferred where two intents own the file."""
    root = make_workspace(tmp_path / "w", intents_yaml({"A": ["a/**"], "B": ["b/**"], "C": ["b/*"]}))
    found = offered(engine_of(root), "b/x", "A")
    assert titles(found)[:2] == ["Switch to B (Work on B)", "Switch to C (Work on C)"]
    assert found.preferred is None


def test_at_the_top_of_the_root_the_folder_is_not_offered(workspace: Path) -> None:
    """The folder of a file at the top is the whole workspace: nobody widens to that by a click."""
    assert titles(offered(engine_of(workspace), "README.md"))[0] == "Expand scope of INT-001 to this file"
    assert len(expansions(offered(engine_of(workspace), "README.md"))) == 1


@pytest.mark.parametrize(
    "path", ["odd [1]/a{b}.md", "a*b?.md", "x/!not.md", "#tag/@at+(x).md", "back\\slash.md", "emoji 😀/é.md", "it's.md"]
)
def test_a_strange_name_is_added_as_itself_and_nothing_else(workspace: Path, path: str) -> None:
    """Names with glob characters are escaped: the edited file has them in scope, and no other name by them."""
    for choice in expansions(offered(engine_of(workspace), path)):
        file = parse_intents(apply(choice.text, choice.edit).encode())
        assert file.valid
        scope = file.intents["INT-001"].scope
        assert scope.contains(path)
        assert not Scope.parse([choice.glob]).contains("odd 1/ab.md")
        assert not Scope.parse([choice.glob]).contains("axby.md")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "active_intents: # ours\n  - id: A\n    owned_scope: # careful\n      - 'src/**' # all\n      # end\n",
            "active_intents: # ours\n  - id: A\n    owned_scope: # careful\n      - 'src/**' # all\n"
            "      - 'docs/x.md'\n      # end\n",
        ),
        (
            "active_intents: [{id: A, owned_scope: [src/**]}] # flow\n",
            "active_intents: [{id: A, owned_scope: [src/**, docs/x.md]}] # flow\n",
        ),
        (
            'active_intents:\r\n- {id: A, owned_scope: [\r\n    "src/**", # one\r\n  ]}\r\n',
            'active_intents:\r\n- {id: A, owned_scope: [\r\n    "src/**", # one\r\n    "docs/x.md",\r\n  ]}\r\n',
        ),
    ],
    ids=["block", "flow", "nested"],
)
def test_comments_quoting_and_layout_survive(tmp_path: Path, before: str, after: str) -> None:
    """An expansion is one small edit, whatever style the file is written in."""
    root = make_workspace(tmp_path / "w", before)
    choice = expansions(offered(engine_of(root), "docs/x.md", "A"))[0]
    assert apply(choice.text, choice.edit) == after


def test_without_an_active_intent_the_open_ones_can_be_selected(workspace: Path) -> None:
    """Nothing is wrong with the file yet; the one that owns it comes first."""
    found = offered(engine_of(workspace), "docs/design.md", None)
    assert not found.out_of_scope
    assert titles(found) == [
        "Select an intent: INT-002 (Write the guide)",
        "Select an intent: INT-001 (Build Weather API)",
    ]


def test_a_menu_stays_short(tmp_path: Path) -> None:
    """Of thirty intents ten are offered."""
    root = make_workspace(tmp_path / "w", intents_yaml({f"I-{n}": [f"d{n}/**"] for n in range(30)}))
    assert len(offered(engine_of(root), "x", None).choices) == 10
    assert len(offered(engine_of(root), "x", "I-1").choices) == 11


@pytest.mark.parametrize("path", [".git/config", ".orchestration/policy.yaml", INTENTS, "secret/key"])
def test_what_no_intent_may_change_has_no_remedy(tmp_path: Path, path: str) -> None:
    """A protected or ignored file has none, with and without an intent."""
    root = make_workspace(tmp_path / "w", ignore="secret/\n")
    assert offered(engine_of(root), path, None) == QuickFixes()
    assert offered(engine_of(root), path) == QuickFixes()


def test_a_file_in_scope_has_no_remedy(workspace: Path) -> None:
    """There is nothing to do."""
    assert offered(engine_of(workspace), "src/api/weather.py") == QuickFixes()


def test_with_a_broken_intents_file_nothing_is_offered(workspace: Path) -> None:
    """Neither widening nor switching helps until it is repaired."""
    engine = engine_of(workspace)
    offered(engine, "docs/design.md")
    write_files(workspace, {INTENTS: "active_intents: [\n"})
    assert offered(engine, "docs/design.md", None) == QuickFixes()


def test_widening_is_not_offered_where_it_would_not_help(workspace: Path) -> None:
    """A path that the scope excludes by name stays excluded, whatever is added."""
    assert expansions(offered(engine_of(workspace), "src/api/generated/schema.py")) == []


def test_an_intent_that_was_closed_meanwhile_is_not_widened(workspace: Path) -> None:
    """Its scope admits nothing any more."""
    engine = engine_of(workspace)
    offered(engine, "docs/design.md")
    text = (workspace / INTENTS).read_text().replace("IN_PROGRESS", "DONE")
    write_files(workspace, {INTENTS: text})
    assert expansions(offered(engine, "docs/design.md", None)) == []


def test_an_open_document_is_edited_as_it_is_and_not_twice(workspace: Path) -> None:
    """The edit fits the editor's own text; where that has been widened already, there is nothing to add."""
    unsaved = "# unsaved\n" + (workspace / INTENTS).read_text()

    def editor(text: str) -> Engine:
        document = OpenDocument(workspace / INTENTS, (workspace / INTENTS).as_uri(), 7, text)
        return Engine(EditorHost("test", (workspace,), documents=(document,)))

    choice = expansions(offered(editor(unsaved), "docs/design.md"))[0]
    assert choice.document is not None
    assert (choice.text, choice.document.version) == (unsaved, 7)
    assert expansions(offered(editor(apply(unsaved, choice.edit)), "docs/design.md")) == []
    assert expansions(offered(editor("active_intents: ["), "docs/design.md")) == []


def test_the_same_id_in_two_roots_is_never_taken_for_the_other(tmp_path: Path) -> None:
    """With several roots each choice names its own."""
    one = make_workspace(tmp_path / "one", intents_yaml({"A": ["a/**"]}))
    two = make_workspace(tmp_path / "two", intents_yaml({"A": ["a/**"], "B": ["b/**"]}))
    engine = engine_of(one, two)
    choices = offered(engine, "b/x", None, root=1)
    assert titles(choices) == ["Select an intent: B (Work on B)", "Select an intent: A (Work on A)"]
    assert {choice.root for choice in choices.choices} == {two}
    drive(checkout.select(engine, "me", "A", None, None, two.as_posix()))
    assert (
        engine.workspace(two).sessions.load("me").intent_id,
        engine.workspace(one).sessions.load("me").intent_id,
    ) == (
        "A",
        None,
    )
    assert {choice.root for choice in expansions(quick_fixes(engine, engine.workspace(two), "b/x", "me"))} == {two}
