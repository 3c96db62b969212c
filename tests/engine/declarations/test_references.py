"""From an intent's declaration to its mentions and back."""

from __future__ import annotations

from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.declarations import references as references_module
from intentls.engine.declarations.references import Mention, declaration, links, references
from tests.engine.declarations.conftest import INTENTS, Desk, cut
from tests.support.workspaces import write_files

MAP = ".orchestration/intent_map.md"
LESSONS = ".orchestration/AGENT.md"
LEDGER = ".orchestration/agent_trace.jsonl"


def declared(desk: Desk, path: str, marked: str) -> Mention | None:
    return declaration(desk.workspace, path, *cut(marked))


def test_an_id_leads_to_its_declaration_from_every_file(desk: Desk) -> None:
    """Map, lessons, ignore file, ledger."""
    place = (INTENTS_FILE, 5, 8, 15)
    for path, marked in [
        (MAP, "## INT-§002: Write\n"),
        (LESSONS, "broke INT-002§ again\n"),
        (".intentignore", "intent: §INT-002\n"),
        (LEDGER, '{"intent_id":"INT-0§02"}\n'),
        (INTENTS_FILE, INTENTS.replace("INT-002", "INT-§002")),
    ]:
        found = declared(desk, path, marked)
        assert found is not None
        assert (found.path, found.line, found.column, found.end_column) == place
    assert declared(desk, MAP, "## INT-§009: Nobody\n") is None
    assert declared(desk, "docs/guide.md", "INT-§002\n") is None


def test_an_id_knows_where_it_is_mentioned(desk: Desk) -> None:
    """With or without its declaration; a longer id that begins alike is another one."""
    desk.write("src/n.py")
    write_files(
        desk.root,
        {
            LESSONS: "## Lesson\n\nINT-001 and INT-0011 and (INT-001)\n",
            ".intentignore": "intent: INT-001\n# intent: INT-0010\n",
        },
    )
    marked = INTENTS.replace("INT-001", "§INT-001")
    found = references(desk.workspace, INTENTS_FILE, *cut(marked), include_declaration=True)
    assert [(mention.path, mention.line, mention.column) for mention in found] == [
        (INTENTS_FILE, 1, 8),
        (".intentignore", 0, 8),
        (MAP, 4, 3),
        (LESSONS, 2, 0),
        (LESSONS, 2, 26),
        (LEDGER, 0, found[-1].column),
    ]
    assert found[-1].text[found[-1].column : found[-1].end_column] == "INT-001"
    assert len(references(desk.workspace, INTENTS_FILE, *cut(marked), include_declaration=False)) == 5


def test_of_a_long_ledger_the_newest_lines_are_looked_through(desk: Desk) -> None:
    """100 of them, with their numbers counted from the file's start."""
    line = '{"intent_id":"INT-001"}\n'
    write_files(desk.root, {LEDGER: line * 250})
    marked = INTENTS.replace("INT-001", "§INT-001")
    found = references(desk.workspace, INTENTS_FILE, *cut(marked), include_declaration=False)
    assert [mention.line for mention in found] == list(range(249, 249 - references_module.MAX_LEDGER, -1))


def test_files_that_are_named_are_links(desk: Desk) -> None:
    """In backticks or behind **File:**, if they exist inside the root; columns count code points."""
    text = (
        "## INT-001: \U0001f600\n\n- \U0001f600 `src/api/weather.py` x `gone.py`\n"
        "**File:** docs/it's.md\n**File:** ../outside\n`src`\n`https://example.invalid/a`\n`src/\U0001f600/smile.py`"
    )
    found = [(link.line, link.column, link.end_column, link.target) for link in links(desk.workspace, text)]
    assert found == [
        (2, 5, 23, desk.root / "src/api/weather.py"),
        (3, 10, 22, desk.root / "docs/it's.md"),
        (7, 1, 15, desk.root / "src/\U0001f600/smile.py"),
    ]
