"""What is known about a place in a declaration file."""

from __future__ import annotations

from pathlib import Path

from intentls.engine.declarations.file_kinds import FileKind
from intentls.engine.declarations.hover import Card
from tests.engine.declarations.conftest import INTENTS, Desk, desk_in


def known(card: Card | None) -> Card:
    assert card is not None
    return card


def at(word: str, inside: int = 1) -> str:
    """The intents file with the cursor in this word."""
    place = INTENTS.index(word) + inside
    return f"{INTENTS[:place]}§{INTENTS[place:]}"


def test_a_glob_says_how_many_files_it_matches_and_names_the_first_ten(tmp_path: Path) -> None:
    """Exclusions say what they exclude, and what matches nothing says so plainly."""
    files = {f"src/f{number:02d}.py": "" for number in range(12)} | {"src/generated/a.py": ""}
    desk = desk_in(tmp_path / "w", files=files)
    card = known(desk.hover(at("src/**")))
    assert (card.title, card.sentences) == ("src/**", ("Matches 13 files.",))
    assert card.lists[0].items == tuple(f"src/f{number:02d}.py" for number in range(10))
    assert known(desk.hover(at("!src/generated"))).sentences == ("Excludes 1 file.",)
    nothing = known(desk.hover(at("docs/*.md", inside=9)))
    assert nothing.sentences[0].startswith("Matches nothing")
    assert nothing.lists == ()
    line = INTENTS.split("\n").index("      - docs/*.md")
    assert (nothing.span.start_line, nothing.span.start_column, nothing.span.end_column) == (line, 8, 17)


def test_the_intents_file_counts_only_where_it_is_named(desk: Desk) -> None:
    """As for the gate: `**` does not open it, its own name does."""
    head = "active_intents:\n  - id: A\n    owned_scope: "
    assert known(desk.hover(f'{head}["*§*"]\n')).sentences == ("Matches 6 files.",)
    assert known(desk.hover(f'{head}[".orch§estration/*.yaml"]\n')).sentences == ("Matches 1 file.",)


def test_an_id_tells_the_intents_state_files_changes_and_holders(desk: Desk) -> None:
    """The last five changes with time, author and class; refusals are no changes."""
    for number in range(6):
        desk.write(f"src/n{number}.py", model="claude-4")
    card = known(desk.hover(at("INT-001")))
    assert card.title == "INT-001: Build Weather API"
    assert card.sentences == ("Status: IN_PROGRESS (open).", "Owns 9 files.")
    selected, changes = card.lists
    assert [item.split(" since")[0] for item in selected.items] == ["session agent (test)"]
    assert len(changes.items) == 5
    assert changes.items[0].endswith("Z ai (claude-4) FILE_CREATION src/n5.py")
    closed = known(desk.hover(at("INT-003")))
    assert closed.sentences == ("Status: DONE (closed).", "Owns 0 files.", "No changes on record.")


def test_keys_and_choices_are_explained_by_the_schema(desk: Desk) -> None:
    """Description, values and default, also in a policy, also in a file that does not parse."""
    status = known(desk.hover(at("status:")))
    assert (status.title, status.sentences[1]) == ("status", "Default: PENDING.")
    assert status.explanation.startswith("Where the work stands.")
    mode = known(desk.hover("mo§de: advise\n", FileKind.POLICY))
    assert mode.sentences == ("Values: enforce, advise.", "Default: enforce.")
    assert known(desk.hover("mode: adv§ise\n", FileKind.POLICY)).title == "mode"
    assert known(desk.hover("context:\n  max§_tokens: 5\n", FileKind.POLICY)).sentences == ("Default: 4000.",)
    assert known(desk.hover("active_intents:\n  - id: A\n    sta§tus: [\n")).title == "status"


def test_an_id_is_known_in_the_map_and_in_the_lessons_too(desk: Desk) -> None:
    """As a word of its own, not as a part of another."""
    assert known(desk.hover("# Map\n\n## INT-§001: x\n", FileKind.MAP)).title == "INT-001: Build Weather API"
    assert known(desk.hover("see INT-002§.\n", FileKind.LESSONS)).title == "INT-002: Write the guide"
    assert desk.hover("see INT-0021§.\n", FileKind.LESSONS) is None


def test_other_places_say_nothing(desk: Desk) -> None:
    """Free text, unknown keys, bad globs."""
    assert desk.hover(at("Build Weather", inside=3)) is None
    assert desk.hover("active_intents:\n  - id: A\n    fo§o: x\n") is None
    assert desk.hover('active_intents:\n  - id: A\n    owned_scope: ["../§x"]\n') is None
    (desk.root / ".intentignore").write_text("intent: INT-001\n")
    assert "Taken out of use by .intentignore." in known(desk.hover(at("INT-001"))).sentences
