"""What is offered while somebody types a declaration file."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.intents.intent import Status
from intentls.engine.declarations.completion import Shape
from intentls.engine.declarations.file_kinds import FileKind
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.intents_parser import parse_intents
from intentls.store.yaml.document import compose
from intentls.store.yaml.nodes import Node
from intentls.store.yaml.schema import load_schema
from tests.engine.declarations.conftest import FILES, INTENTS, Desk, desk_in

HEAD = "active_intents:\n  - id: INT-001\n    name: One\n"


def test_keys_of_an_intent_come_from_the_schema_the_required_ones_first(desk: Desk) -> None:
    """Each with its description; those that are used, above or below, are not offered again."""
    found = desk.suggestions("active_intents:\n  - §\n")
    names = list(load_schema("active_intents").definition["$defs"]["intent"]["properties"])
    assert [item.label for item in sorted(found.items, key=lambda item: item.rank)] == names
    assert found.items[0].label == "id"
    assert found.items[0].detail == "required"
    assert all(item.explanation for item in found.items)
    assert "name" not in desk.offers(f"{HEAD}    §\n    agent: x\n")
    assert "agent" not in desk.offers(f"{HEAD}    §\n    agent: x\n")
    assert desk.accepts(f"{HEAD}    sta§\n    agent: x\n", "status") == f"{HEAD}    status: \n    agent: x\n"
    assert desk.accepts(f"{HEAD}    sta§tus: DONE\n", "status") == f"{HEAD}    status: DONE\n"


def test_statuses_say_whether_they_are_open(desk: Desk) -> None:
    """All of them, and which is the default; directly behind the colon a space is put in."""
    found = desk.offers(f"{HEAD}    status: §\n")
    assert list(found) == list(Status)
    assert (found["DONE"].detail, found["PENDING"].detail) == ("closed", "open, default")
    assert desk.accepts(f"{HEAD}    status: DO§NE\n", "TODO") == f"{HEAD}    status: TODO\n"
    assert desk.accepts(f"{HEAD}    status:§\n", "TODO") == f"{HEAD}    status: TODO\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('    owned_scope: ["src/ap§"]\n', '    owned_scope: ["src/api/"]\n'),
        ("    owned_scope: ['!src/§']\n", "    owned_scope: ['!src/api/']\n"),
        ("    owned_scope: [src/§]\n", "    owned_scope: [src/api/]\n"),
        ("    owned_scope:\n      - src/§\n", "    owned_scope:\n      - src/api/\n"),
        ("    owned_scope:\n      - a\n      - !src/§\n", '    owned_scope:\n      - a\n      - "!src/api/"\n'),
        ('    owned_scope: ["src/§', '    owned_scope: ["src/api/'),
        ('    owned_scope: [\n      "docs/**",\n      "src/§\n    ]\n', None),
    ],
)
def test_a_glob_goes_on_with_a_real_folder(desk: Desk, before: str, after: str | None) -> None:
    """In quotes and without, in blocks and brackets, behind `!`, closed or not."""
    expected = before.replace("src/§", "src/api/") if after is None else after
    assert desk.accepts(HEAD + before, "api/") == HEAD + expected


def test_folders_come_first_then_files_then_everything_below(tmp_path: Path) -> None:
    """One folder at a time; what git ignores is not offered, nor is our own folder unless a dot is typed."""
    desk = desk_in(tmp_path / "w", git=True, files={**FILES, ".gitignore": "junk/\n", "junk/a.py": "x\n"})
    found = desk.suggestions(f'{HEAD}    owned_scope: ["§"]\n').items
    assert [item.label for item in found] == ["docs/", "src/", ".gitignore", "**"]
    assert [item.shape for item in found] == [Shape.FOLDER, Shape.FOLDER, Shape.FILE, Shape.FILE]
    assert ".orchestration/" in desk.offers(f'{HEAD}    owned_scope: [".§"]\n')
    assert desk.offers(f'{HEAD}    owned_scope: ["src/*/§"]\n') == {}
    assert desk.offers(f'{HEAD}    owned_scope: ["nowhere/§"]\n') == {}


@pytest.mark.parametrize(
    ("line", "label", "path"),
    [
        ('["src/§"]', "[id].tsx", "src/[id].tsx"),
        ("[src/§]", "[id].tsx", "src/[id].tsx"),
        ("['docs/§']", "it's.md", "docs/it's.md"),
        ('["src/\U0001f600/§"]', "smile.py", "src/\U0001f600/smile.py"),
        ('["src/§"]', "\U0001f600/", "src/\U0001f600/smile.py"),
    ],
)
def test_what_was_accepted_owns_the_file(desk: Desk, line: str, label: str, path: str) -> None:
    """Names with brackets, quotes or an emoji are written so that YAML and the glob both mean that very file."""
    text = desk.accepts(f"{HEAD}    owned_scope: {line}\n", label)
    text = text.replace('/"', '/**"')  # a folder goes on
    parsed = parse_intents(text.encode())
    assert parsed.intents["INT-001"].scope.contains(path), text


def test_a_large_folder_is_narrowed_down_by_what_is_typed(tmp_path: Path) -> None:
    """500 names at once, and the client is told that there are more."""
    files = {f"big/f{number:04d}.py": "" for number in range(600)}
    desk = desk_in(tmp_path / "w", files=files)
    first = desk.suggestions(f'{HEAD}    owned_scope: ["big/§"]\n')
    assert (len(first.items), first.complete) == (501, False)
    assert "f0599.py" in desk.offers(f'{HEAD}    owned_scope: ["big/f05§"]\n')


def test_policy_keys_and_values_come_from_its_schema(desk: Desk) -> None:
    """At every depth; what is accepted is valid."""
    assert "mode" not in desk.offers("mode: enforce\n§", FileKind.POLICY)
    assert list(desk.offers("mode: §", FileKind.POLICY)) == ["enforce", "advise"]
    assert list(desk.offers("require_base: §", FileKind.POLICY)) == ["true", "false"]
    assert list(desk.offers("context:\n  §", FileKind.POLICY)) == ["max_tokens", "recent_changes"]
    assert desk.offers("context: §", FileKind.POLICY) == {}
    assert list(desk.offers("linters:\n  - name: x\n    format: §", FileKind.POLICY)) == ["sarif", "json", "text"]
    assert "api/" in desk.offers('linters:\n  - name: x\n    files: ["src/§', FileKind.POLICY)
    accepted = desk.accepts("mode: §", "advise", FileKind.POLICY)
    assert load_schema("policy").problems(_root(accepted)) == []


def test_free_text_and_other_files_get_no_suggestions(desk: Desk) -> None:
    """Names, descriptions and comments are the person's own."""
    for marked in (f"{HEAD}    agent: b§\n", f"{HEAD}    name: a\n      b§\n", f"{HEAD}    # sta§\n"):
        assert desk.offers(marked) == {}
    assert desk.offers("## §", FileKind.MAP) == {}


def test_an_ignore_file_takes_ids_behind_intent(desk: Desk) -> None:
    """With the space that is still missing; ids that are out of use already come last."""
    assert list(desk.offers("# x\nintent: §\n", FileKind.IGNORE)) == ["INT-001", "INT-002", "INT-003"]
    assert desk.accepts("intent:§", "INT-002", FileKind.IGNORE) == "intent: INT-002"
    assert desk.accepts("intent: INT-0§03\n", "INT-002", FileKind.IGNORE) == "intent: INT-002\n"
    assert desk.offers("src/§", FileKind.IGNORE) == {}
    (desk.root / ".intentignore").write_text("intent: INT-001\n")
    found = desk.offers("intent: §", FileKind.IGNORE)
    assert found["INT-001"].rank > found["INT-003"].rank


def _root(text: str) -> Node:
    root = compose(text.encode()).root
    assert root is not None
    return root


def test_the_workspace_in_the_tests_is_sound(desk: Desk) -> None:
    """The checks above would mean little on a broken one."""
    assert isinstance(desk.workspace, Workspace)
    assert parse_intents(INTENTS.encode()).diagnostics == ()
