"""What VS Code, Neovim and Emacs show of a file, pulled or pushed as each of them wants it."""

from __future__ import annotations

from tests.e2e.editors.conftest import Editor
from tests.support.workspaces import WEATHER_INTENTS, write_files


async def test_the_agreed_encoding_is_the_editors_first_choice(editor: Editor) -> None:
    """utf-16 with VS Code, utf-8 with Neovim, utf-32 with Emacs."""
    expected = {"vscode": "utf-16", "neovim": "utf-8", "emacs": "utf-32"}[editor.name]
    assert editor.encoding == expected


async def test_a_file_out_of_scope_is_marked_and_the_mark_goes_with_the_intent(editor: Editor) -> None:
    """The mark names intent, scope and owner, points at owned_scope, and follows the active intent."""
    editor.open("docs/design.md")
    assert await editor.diagnostics("docs/design.md", lambda found: not found) == []
    await editor.do("selectActiveIntent", intent_id="INT-001")
    (mark,) = await editor.diagnostics("docs/design.md", lambda found: len(found) == 1)
    assert (mark.source, mark.code) == ("intentls", "SCOPE_VIOLATION")
    for part in ("INT-001", "src/api/**", "INT-002"):
        assert part in mark.message
    if editor.name == "vscode":
        assert mark.related_information is not None
        (place,) = mark.related_information
        assert place.location.uri.endswith("active_intents.yaml")
        assert place.location.range.start.line == 4
    await editor.do("selectActiveIntent", intent_id="INT-002")
    await editor.diagnostics("docs/design.md", lambda found: not found)


async def test_marks_follow_the_scope_and_the_ignore_file_without_a_watcher(editor: Editor) -> None:
    """A change of the intents or of .intentignore outside the editor is seen, watcher or not."""
    await editor.do("selectActiveIntent", intent_id="INT-001")
    editor.open("docs/design.md")
    await editor.diagnostics("docs/design.md", lambda found: len(found) == 1)
    intents = WEATHER_INTENTS.replace('"src/api/**"', '"src/api/**", "docs/**"')
    write_files(editor.root, {".orchestration/active_intents.yaml": intents})
    await editor.diagnostics("docs/design.md", lambda found: not found)
    write_files(editor.root, {".intentignore": "docs/\n"})
    (mark,) = await editor.diagnostics("docs/design.md", lambda found: len(found) == 1)
    assert mark.code == "INTENTIGNORE_PATH_BLOCKED"


async def test_errors_in_the_intents_file_are_at_their_exact_place(editor: Editor) -> None:
    """The range of a finding is exact in every position encoding, behind characters beyond the BMP too."""
    text = 'active_intents:\n  - {id: INT-1, name: "😀é", status: NOPE}\n'
    write_files(editor.root, {".orchestration/active_intents.yaml": text})
    editor.open(".orchestration/active_intents.yaml")
    found = await editor.diagnostics(
        ".orchestration/active_intents.yaml", lambda found: any(mark.code == "bad-value" for mark in found)
    )
    mark = next(mark for mark in found if mark.code == "bad-value")
    line = text.splitlines()[1]
    before = line[: line.index("NOPE")]
    units = {
        "utf-8": len(before.encode()),
        "utf-16": len(before.encode("utf-16-le")) // 2,
        "utf-32": len(before),
    }[editor.encoding]
    start, end = mark.range.start, mark.range.end
    assert (start.line, start.character, end.character) == (1, units, units + 4)


async def test_never_both_pushed_and_pulled(editor: Editor) -> None:
    """An editor that asks for diagnostics is never pushed any."""
    await editor.do("selectActiveIntent", intent_id="INT-001")
    editor.open("docs/design.md")
    await editor.diagnostics("docs/design.md", lambda found: len(found) == 1)
    assert bool(editor.published) is not editor.pulls
    assert editor.pulls is (editor.name == "vscode")
